//! Springs and bushings between bodies, from `[[springs]]` and `[[bushings]]`.

use zerogap_core::Pose;
use zerogap_dynamics::multibody::{Forces, Site};
use zerogap_simulation::settings::{Source, read_bushing, read_spring};

use super::error::SceneError;
use super::file::Reading;
use super::reader::Table;

impl Reading {
    /// A spring between two points.
    pub(super) fn spring(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let place = |key: &str| {
            let at = table.vector(key)?.unwrap_or_default();
            Pose::from_translation(at).map_err(|error| table.wrong(key, error.to_string()))
        };
        let ends = self.ends(table, [place("at_a")?, place("at_b")?])?;
        let tendons = vec![read_spring(table, ends)?];
        self.element(table, "a spring", ends, Forces { tendons, ..Forces::default() })
    }

    /// A bushing between two frames.
    pub(super) fn bushing(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let frame = |key: &str| {
            let Some(frame) = table.table(key)? else { return Ok(Pose::identity()) };
            let pose = frame.pose("position", "rotation")?;
            frame.finish("a frame")?;
            Ok::<Pose, SceneError>(pose)
        };
        let ends = self.ends(table, [frame("frame_a")?, frame("frame_b")?])?;
        let bushings = vec![read_bushing(table, ends)?];
        self.element(table, "a bushing", ends, Forces { bushings, ..Forces::default() })
    }

    /// The frames on two bodies.
    fn ends(&self, table: &Table<'_>, [at_a, at_b]: [Pose; 2]) -> Result<[Site; 2], SceneError> {
        let body = |key: &str| table.text(key)?.map_or(Ok(None), |name| self.known_body(&name));
        Ok([Site { body: body("a")?, pose: at_a }, Site { body: body("b")?, pose: at_b }])
    }

    /// Adds an element, whose ends are not on the same body.
    fn element(
        &mut self,
        table: &Table<'_>,
        what: &str,
        [a, b]: [Site; 2],
        forces: Forces,
    ) -> Result<(), SceneError> {
        table.finish(what)?;
        if a.body == b.body {
            let message =
                format!("{what} acts between two bodies, and both ends of this one are on the same");
            return Err(SceneError::at(table.span.clone(), message)
                .with_help("write the names of two bodies as 'a' and 'b'; without a name it is the world"));
        }
        let added = self.builder.forces(forces);
        added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))
    }
}
