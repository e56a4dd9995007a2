//! Colliders on bodies: where they are, how far they reach, and as what they collide.
//!
//! In: shapes with their places on bodies, and the poses of the bodies. Out: poses of shapes, and for each shape its colliders by view.

use std::collections::BTreeMap;
use std::sync::Arc;

use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_geometry::Shape;
use zerogap_proximity::collider::table::{Question, refusal, refused_by_all};
use zerogap_proximity::collider::{Collider, ColliderKind, ColliderViews, ConvexKernel, ConvexNarrowPhase};
use zerogap_proximity::motion::path_resolution;

use super::WorldError;
use super::level::Level;
use super::model::Model;
use super::params::NarrowPhase;
use super::shapes::{Collision, PairId, ShapeId};
use super::summary::QuasiInfo;

/// Margin on the speeds of shapes, for what they gain between the times at which speeds are known [-].
pub(crate) const SPEED_MARGIN: f64 = 1.5;

/// What every method asks about every pair.
const ASKED: [Question; 2] = [Question::Gap, Question::Contacts];

/// A shape on a body, with its colliders: convex, a half-space, or a mesh.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCollider {
    /// Whether only the number of the shape is left.
    pub(crate) is_removed: bool,
    /// Its own name; empty where it was given none.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) colliders: ColliderViews,
    /// None: fixed in the world.
    pub(crate) body: Option<BodyId>,
    /// In the frame of the body, or of the world.
    pub(crate) at: Pose,
    pub(crate) material: usize,
    /// What its contacts have, by the level of its body.
    pub(crate) level: Level,
    /// Velocity of its surface against the body, in its own axes [m/s].
    pub(crate) surface_velocity: Vec3,
    /// Box in the frame of the body [m]; none for a half-space.
    pub(crate) bounds: Option<Aabb>,
    /// Largest distance of a point from the origin of the body [m]; infinite for a half-space.
    pub(crate) reach: f64,
    /// Radius of a ball around it [m]; infinite for a half-space.
    pub(crate) size: f64,
    /// Half the smallest extent [m]; infinite for a half-space.
    pub(crate) thickness: f64,
    /// How far its complex reaches beyond the shape [m].
    pub(crate) inflation: f64,
    /// What answers its bounded convex pairs in place of the exact kernels: one for all shapes of a world, or none.
    pub(crate) narrow_phase: Option<Arc<ConvexNarrowPhase>>,
}

impl PlacedCollider {
    pub(crate) fn new(shape: Shape, body: Option<BodyId>, at: Pose, material: usize) -> Self {
        let (mut bounds, mut reach, mut thickness, mut size) =
            (None, f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let colliders = ColliderViews::new(shape.clone());
        if let Some(extent) = colliders.exact().extent() {
            reach = at.transform_point(&extent.ball.center).norm() + extent.ball.radius;
            (size, thickness) = (extent.ball.radius, extent.thickness);
            bounds = Some(extent.bounds.transformed(&at));
        }
        Self {
            is_removed: false,
            name: String::new(),
            shape,
            colliders,
            body,
            at,
            material,
            level: Level::default(),
            surface_velocity: Vec3::zeros(),
            bounds,
            reach,
            size,
            thickness,
            inflation: 0.0,
            narrow_phase: None,
        }
    }

    /// Lets it collide as it was asked to. `number` is its number in the world, `name` what errors call it.
    ///
    /// Fails: what cannot be made such a collider, and what no partner has contacts with.
    pub(crate) fn collide_by(
        &mut self,
        collision: Collision,
        number: ShapeId,
        name: impl FnOnce() -> String,
    ) -> Result<(), WorldError> {
        if let Some(collider) = collision.collider(number, &self.shape, self.colliders.exact())? {
            if let Some(thick) = collision.thick(&self.shape, &collider) {
                self.colliders.thicken(thick);
            }
            self.colliders.ask(collider);
        }
        let kind = self.colliders.get(self.colliders.asked()).kind();
        if let Some(reason) = refused_by_all(kind, Question::Contacts) {
            return Err(WorldError::CannotCollide { shape: number, name: name(), kind, reason });
        }
        // Boxes and balls must hold the inflated body, or its contacts are found too late.
        self.inflation = collision.inflation(&self.shape);
        if self.inflation > 0.0 {
            self.reach += self.inflation;
            self.bounds = self.bounds.map(|bounds| bounds.expanded(self.inflation));
        }
        Ok(())
    }

    /// The pose of the shape in the world.
    pub(crate) fn pose(&self, ws: &Workspace) -> Pose {
        match self.body {
            Some(body) => *ws.pose(body) * self.at,
            None => self.at,
        }
    }

    /// Returns how fast any of its points moves at most [m/s]; a half-space, which reaches everywhere, counts by the origin of its body.
    pub(crate) fn max_speed(&self, ws: &Workspace) -> f64 {
        let Some(body) = self.body else { return 0.0 };
        let reach = if self.reach.is_finite() { self.reach } else { 0.0 };
        ws.linear_velocity(body).norm() + ws.angular_velocity(body).norm() * reach
    }

    /// Returns how finely the path of the pair with another shape is sampled [m]: as long as two shapes overlap they move by twice their thickness.
    pub(crate) fn path_resolution(&self, other: &Self) -> f64 {
        path_resolution(self.thickness + other.thickness, self.size.min(other.size))
    }
}

/// Lets all shapes have their convex pairs answered by a narrow phase; calls of one that they have already are counted on.
pub(crate) fn use_narrow_phase(shapes: &mut [PlacedCollider], narrow_phase: NarrowPhase) {
    let kernel = match narrow_phase {
        NarrowPhase::Exact => None,
        NarrowPhase::Mpr => Some(ConvexKernel::Mpr),
        NarrowPhase::VClip => Some(ConvexKernel::VClip),
    };
    let own = shapes.iter().find_map(|placed| placed.narrow_phase.clone());
    let narrow_phase = kernel.map(|kernel| {
        own.filter(|own| own.kernel() == kernel).unwrap_or_else(|| Arc::new(ConvexNarrowPhase::new(kernel)))
    });
    for placed in shapes {
        placed.narrow_phase.clone_from(&narrow_phase);
    }
}

/// Makes every shape ready for partners of all kinds that some shape asked for. What is ready already stays as it is.
///
/// Fails: a shape that cannot be made a collider of such a kind.
pub(crate) fn make_views(shapes: &mut [PlacedCollider]) -> Result<(), WorldError> {
    let mut asked: Vec<ColliderKind> = shapes.iter().filter_map(|placed| placed.colliders.asked()).collect();
    asked.sort_unstable();
    asked.dedup();
    for kind in asked {
        let others = shapes
            .iter_mut()
            .enumerate()
            .filter(|(_, placed)| !placed.is_removed && !placed.colliders.has(kind));
        for (index, PlacedCollider { shape, colliders, .. }) in others {
            let number = ShapeId(index as u32);
            if let Some(collider) = Collision::partner(kind, number, shape, colliders.exact())? {
                colliders.insert(collider);
            }
        }
    }
    Ok(())
}

impl Model {
    /// Returns the shapes that were asked to collide by quasi-LMDs, those with the same numbers together, in the order of the first of each.
    pub(crate) fn quasi_lmds(&self) -> Vec<QuasiInfo> {
        let mut found: Vec<QuasiInfo> = Vec::new();
        for PlacedCollider { colliders, .. } in self.shapes.iter().filter(|placed| !placed.is_removed) {
            let Collider::Complex(complex) = colliders.get(colliders.asked()) else { continue };
            let (dilation, angular_tolerance) = (complex.body.dilation(), complex.angular_tolerance);
            let own = QuasiInfo { shapes: 1, dilation, angular_tolerance };
            match found.iter_mut().find(|info| QuasiInfo { shapes: 1, ..**info } == own) {
                Some(info) => info.shapes += 1,
                None => found.push(own),
            }
        }
        found
    }

    /// What answers convex pairs in place of the exact kernels, where something does.
    pub(crate) fn narrow_phase(&self) -> Option<&ConvexNarrowPhase> {
        self.shapes.iter().find_map(|placed| placed.narrow_phase.as_deref())
    }

    /// Refuses the first pair that may touch and of whose kinds the table has no answer to what every method asks.
    ///
    /// Cost: in proportion to the shapes, where the table answers all kinds that are there.
    pub(crate) fn refuse_unanswered(&self) -> Result<(), WorldError> {
        // Shapes that were asked for the same and are of the same kinds meet others in the same way.
        let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, PlacedCollider { colliders, .. }) in self.shapes.iter().enumerate() {
            let own = [colliders.exact(), colliders.get(None)].map(Collider::kind);
            let is_complex = colliders.has(ColliderKind::Complex);
            groups.entry((colliders.asked(), own, is_complex)).or_default().push(index);
        }
        for (number, first) in groups.values().enumerate() {
            for second in groups.values().skip(number) {
                let [a, b] = [first, second].map(|group| &self.shapes[group[0]].colliders);
                let view = ColliderViews::of_pair(a, b);
                let kinds = (a.get(view).kind(), b.get(view).kind());
                let refused = ASKED.into_iter().find_map(|question| refusal(kinds.0, kinds.1, question));
                let Some(error) = refused else { continue };
                let mut pairs = first.iter().flat_map(|a| second.iter().map(move |b| (*a, *b)));
                if let Some((a, b)) = pairs.find(|(a, b)| self.may_touch(*a, *b)) {
                    let pair = PairId::new(ShapeId(a as u32), ShapeId(b as u32));
                    return Err(WorldError::Unanswered { pair, error });
                }
            }
        }
        Ok(())
    }
}
