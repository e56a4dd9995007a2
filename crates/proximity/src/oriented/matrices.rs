//! The matrices of the paper, as numbers for those who want to see them: penetration, its change, span and collision.

use zerogap_core::{Pose, Vec3};

use super::{Configuration, Oriented, OrientedError, local_point};

/// Bits of all surfaces of one target (rows) and all initiators (columns), row by row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CollisionMatrices {
    /// How many surfaces there are [-].
    pub surfaces: usize,
    /// How many initiators there are [-].
    pub initiators: usize,
    /// P: whether an initiator is on or below a surface.
    pub penetration: Vec<bool>,
    /// Δ: P less P of the reference: 1 where separation was lost since, -1 where it was won.
    pub change: Vec<i8>,
    /// S: whether the foot of an initiator on the plane of a surface lies within the surface.
    pub span: Vec<bool>,
    /// C: whether a surface is the collision surface of an initiator.
    pub collision: Vec<bool>,
}

impl Oriented {
    /// The matrices P, Δ, S and C of a trial against one target. The reference stays as it is.
    ///
    /// Computes: the definitions of Schock and Langlois, section 3, equations 8 to 17; C is what [`Oriented::evaluate`] finds, hand-overs included.
    /// Cost: O(initiators × surfaces), with new memory: for inspection, not for runs.
    /// Fails: as [`Oriented::evaluate`].
    ///
    /// # Panics
    /// Where there is no such target.
    pub fn matrices(
        &self,
        target: usize,
        poses: &[Pose],
        points: &[Vec3],
    ) -> Result<CollisionMatrices, OrientedError> {
        let mut trial = Configuration::new();
        self.evaluate(poses, points, &mut trial)?;
        let (of, pose) = (&self.targets()[target], &poses[target]);
        let (surfaces, initiators) = (of.surfaces(), points.len());
        let mut matrices = CollisionMatrices { surfaces, initiators, ..CollisionMatrices::default() };
        for i in 0..surfaces {
            for (j, point) in points.iter().enumerate() {
                let (now, before) = (local_point(pose, point), self.reference_point(target, j));
                let is_below = |point: &Vec3| of.separation(i, point) <= 0.0;
                let (is, was) = (is_below(&now), is_below(&before));
                matrices.penetration.push(is);
                matrices.change.push(i8::from(is) - i8::from(was));
                matrices.span.push(of.off_span(i, &now) <= 0.0);
                matrices.collision.push(trial.surface(target, j) == Some(i));
            }
        }
        Ok(matrices)
    }
}
