//! Names in a world, as it runs or as in a recording: names of bodies, bodies of shapes, joints of limits.

use zerogap::dynamics::multibody::{BodyId, Limited};
use zerogap::record::Head;
use zerogap::world::{ShapeId, World};

/// A limit of a joint in words.
pub(crate) struct KnownLimit {
    pub(crate) body: BodyId,
    /// Number of the degree of freedom in its joint.
    pub(crate) dof: usize,
    /// ``lower`` or ``upper``.
    pub(crate) side: &'static str,
}

/// Who is who, for events and contacts.
pub(crate) trait Known {
    /// Names of the bodies.
    fn names(&self) -> &[String];
    /// The body of a shape; none is fixed in the world.
    fn body_of(&self, shape: ShapeId) -> Option<BodyId>;
    /// A limit by number, where its joint is known.
    fn limit(&self, limit: usize) -> Option<KnownLimit>;
}

impl Known for World {
    fn names(&self) -> &[String] {
        self.names()
    }

    fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        self.body_of(shape)
    }

    fn limit(&self, limit: usize) -> Option<KnownLimit> {
        let limit = self.tree().limit(limit)?;
        // Limits of tendons and of ball joints are of no degree of freedom.
        let Limited::Position { v_index, .. } = limit.limited else { return None };
        let dof = v_index - self.tree().v_range(limit.body).start;
        let side = if limit.sign > 0.0 { "lower" } else { "upper" };
        Some(KnownLimit { body: limit.body, dof, side })
    }
}

impl Known for Head {
    fn names(&self) -> &[String] {
        &self.bodies
    }

    fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        self.shapes.get(shape.0 as usize)?.body.map(BodyId)
    }

    /// Joints are not in recordings.
    fn limit(&self, _: usize) -> Option<KnownLimit> {
        None
    }
}
