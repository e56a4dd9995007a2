//! A table of gaps between chosen bodies: a row for each frame and pair.

use std::fmt::Write as _;

use zerogap_core::text::csv_cell;
use zerogap_simulation::world::{Frame, GapProbe, GapSide, WorldError};
use zerogap_simulation::{Simulation, SimulationError};

use super::RunError;

/// Gaps between chosen bodies, frame by frame.
pub(super) struct GapTable {
    probe: GapProbe,
    names: Vec<[String; 2]>,
    text: String,
}

impl GapTable {
    /// Makes a table for pairs of bodies or shapes by name; none where no pair is asked for.
    ///
    /// Fails: for names that there are not, for two without shapes, and for landings, which have no gaps.
    pub(super) fn new(simulation: &Simulation, pairs: &[(String, String)]) -> Result<Option<Self>, RunError> {
        if pairs.is_empty() {
            return Ok(None);
        }
        let Simulation::World(world) = simulation else { return Err(RunError::NoGaps) };
        let side = |name: &String| world.side_named(name);
        let sides: Result<Vec<(GapSide, GapSide)>, WorldError> =
            pairs.iter().map(|(a, b)| Ok((side(a)?, side(b)?))).collect();
        let probe = sides.and_then(|sides| world.gap_probe(&sides)).map_err(SimulationError::from)?;
        let cell = |name: &String| csv_cell(name).into_owned();
        let names = pairs.iter().map(|(a, b)| [cell(a), cell(b)]).collect();
        let text = "t,a,b,gap,lower,upper,nx,ny,nz,ax,ay,az,bx,by,bz\n".to_owned();
        Ok(Some(Self { probe, names, text }))
    }

    /// Adds the rows of a frame; bodies that are not there have none.
    pub(super) fn add(&mut self, frame: &Frame) -> Result<(), RunError> {
        let gaps = self.probe.gaps(frame).map_err(SimulationError::from)?;
        for ([a, b], found) in self.names.iter().zip(gaps) {
            let Some(found) = found else { continue };
            let gap = found.gap;
            let rest = gap.normal.iter().chain(gap.point_a.iter()).chain(gap.point_b.iter());
            let numbers = [gap.gap, gap.lower, gap.upper].into_iter().chain(rest.copied());
            // Writing to a text cannot fail.
            let _ = write!(self.text, "{:?},{a},{b}", frame.t);
            for number in numbers {
                let _ = write!(self.text, ",{number:?}");
            }
            self.text.push('\n');
        }
        Ok(())
    }

    /// The table so far.
    pub(super) fn text(self) -> String {
        self.text
    }
}
