//! Loops at the start of a run: closed by moves within a tolerance, or by any where that is asked for.
//!
//! In: a model at the positions it was given. Out: positions on the loops and how far each body moved for them, or an error that names the body that would move farthest. Numbers of a file have a few digits, so loops
//! are never closed exactly; a move beyond the tolerance is another position than the one that was asked for.

use zerogap_core::{Pose, Vec3};

use super::WorldError;
use super::model::Model;
use super::start_overlaps::MovedBody;

/// How far bodies may move without being asked: angles [rad], and distances against the extent of all bodies [-].
pub const ASSEMBLY_TOLERANCE: f64 = 1e-3;

impl Model {
    /// Puts positions and velocities onto the loops; returns how far which bodies moved.
    ///
    /// Fails: where a body moves by more than [`ASSEMBLY_TOLERANCE`], unless `may_move`.
    pub(super) fn close_loops(
        &mut self,
        y: &mut [f64],
        may_move: bool,
    ) -> Result<Vec<MovedBody>, WorldError> {
        self.close_loops_at(0.0, y, may_move)
    }

    /// The same at a time [s].
    pub(super) fn close_loops_at(
        &self,
        t: f64,
        y: &mut [f64],
        may_move: bool,
    ) -> Result<Vec<MovedBody>, WorldError> {
        let before = self.poses(t, y);
        self.correct_joints(t, y, &mut self.scratch.borrow_mut().ws);
        if self.tree.loop_rows() == 0 {
            return Ok(Vec::new());
        }
        let moved = self.moved_since(&before, (t, y));
        let places = || before.iter().map(Pose::translation);
        let (low, high) = places().fold(
            (Vec3::from_element(f64::INFINITY), Vec3::from_element(f64::NEG_INFINITY)),
            |(low, high), at| (low.inf(&at), high.sup(&at)),
        );
        let size = (high - low).norm();
        let by = |one: &MovedBody| one.angle.max(if size > 0.0 { one.distance / size } else { 0.0 });
        let farthest = moved.iter().max_by(|one, other| by(one).total_cmp(&by(other)));
        match farthest.filter(|one| !may_move && by(one) > ASSEMBLY_TOLERANCE) {
            Some(&MovedBody { body, distance, angle }) => {
                let body = self.names[body.index()].clone();
                Err(WorldError::Assembly { body, distance, angle })
            }
            None => Ok(moved),
        }
    }
}
