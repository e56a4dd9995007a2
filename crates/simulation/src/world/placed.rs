//! Colliders on bodies: where they are, how far they reach, and as what they collide.
//!
//! In: shapes with their places on bodies, and the poses of the bodies. Out: poses of shapes, and for each shape its colliders by view.

use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_geometry::complex::ComplexError;
use zerogap_geometry::{ComplexOptions, Shape};
use zerogap_proximity::collider::table::{Question, refusal, refused_by_all};
use zerogap_proximity::collider::{Collider, ColliderViews, View};
use zerogap_proximity::motion::path_resolution;

use super::WorldError;
use super::model::Model;
use super::shapes::{Collision, PairId, QuasiLmd, ShapeId};

/// Margin on the speeds of shapes, for what they gain between the times at which speeds are known [-].
pub(crate) const SPEED_MARGIN: f64 = 1.5;

/// What every method asks about every pair.
const ASKED: [Question; 2] = [Question::Gap, Question::Contacts];

/// A shape on a body, with its colliders: convex, a half-space, or a mesh.
#[derive(Debug, Clone)]
pub(crate) struct PlacedCollider {
    /// Its own name; empty where it was given none.
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) colliders: ColliderViews,
    /// None: fixed in the world.
    pub(crate) body: Option<BodyId>,
    /// In the frame of the body, or of the world.
    pub(crate) at: Pose,
    pub(crate) material: usize,
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
}

impl PlacedCollider {
    pub(crate) fn new(shape: Shape, body: Option<BodyId>, at: Pose, material: usize) -> Self {
        let (mut bounds, mut reach, mut thickness, mut size) =
            (None, f64::INFINITY, f64::INFINITY, f64::INFINITY);
        let colliders = ColliderViews::new(shape.clone());
        if let Some(extent) = colliders.get(View::Exact).extent() {
            reach = at.transform_point(&extent.ball.center).norm() + extent.ball.radius;
            (size, thickness) = (extent.ball.radius, extent.thickness);
            bounds = Some(extent.bounds.transformed(&at));
        }
        Self {
            name: String::new(),
            shape,
            colliders,
            body,
            at,
            material,
            surface_velocity: Vec3::zeros(),
            bounds,
            reach,
            size,
            thickness,
            inflation: 0.0,
        }
    }

    /// Lets it collide as it was asked to. `number` is its number in the world, `name` what errors call it.
    ///
    /// Fails: what no partner has contacts with, what has no complex, and what has no corners.
    pub(crate) fn collide_by(
        &mut self,
        collision: Collision,
        number: ShapeId,
        name: impl FnOnce() -> String,
    ) -> Result<(), WorldError> {
        let view = collision.view();
        self.colliders.ask(view);
        if let Collision::QuasiLmd(quasi) = collision {
            quasi.check()?;
            self.make_complex(Some(quasi)).map_err(|error| WorldError::from(error).at(number))?;
        } else {
            self.make(view).map_err(|error| WorldError::from(error).at(number))?;
        }
        let collider = self.colliders.get(view);
        if let Some(reason) = refused_by_all(collider.kind(), Question::Contacts) {
            let (kind, name) = (collider.kind(), name());
            return Err(WorldError::CannotCollide { shape: number, name, kind, reason });
        }
        if let Collider::Oriented(oriented) = collider
            && oriented.corners().is_empty()
        {
            let why = "it has no corners: take a box, a polygon or the hull of points".to_owned();
            return Err(WorldError::Oriented { shape: number, by: None, why });
        }
        Ok(())
    }

    /// Makes its collider for a view, for partners that ask for that view; nothing where it is made already.
    fn make(&mut self, view: View) -> Result<(), ComplexError> {
        match view {
            _ if self.colliders.has(view) => {}
            View::Exact => {}
            View::Complex => self.make_complex(None)?,
            View::Oriented => self.colliders.make_oriented(&self.shape),
        }
        Ok(())
    }

    fn make_complex(&mut self, quasi: Option<QuasiLmd>) -> Result<(), ComplexError> {
        let (dilation, inset) = quasi.map_or((0.0, false), |quasi| (quasi.dilation, quasi.inset));
        let options = ComplexOptions { dilation, inset, ..ComplexOptions::default() };
        // Zero where the shape only meets others that asked for quasi-LMDs.
        let angular_tolerance = quasi.map_or(0.0, |quasi| quasi.theta);
        self.colliders.make_complex(&self.shape, &options, angular_tolerance)?;
        // Boxes and balls must hold the inflated body, or its contacts are found too late.
        if !inset && dilation > 0.0 {
            self.inflation = dilation;
            self.reach += dilation;
            self.bounds = self.bounds.map(|bounds| bounds.expanded(dilation));
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

/// Makes every shape ready for partners of all views that some shape asked for. What is ready already stays as it is.
///
/// Fails: a shape that has no collider for such a view.
pub(crate) fn make_views(shapes: &mut [PlacedCollider]) -> Result<(), WorldError> {
    for view in [View::Complex, View::Oriented] {
        if !shapes.iter().any(|placed| placed.colliders.asked() == view) {
            continue;
        }
        for (index, placed) in shapes.iter_mut().enumerate() {
            placed.make(view).map_err(|error| WorldError::from(error).at(ShapeId(index as u32)))?;
        }
    }
    Ok(())
}

impl Model {
    /// Refuses the first pair that may touch and of whose kinds the table has no answer to what every method asks.
    ///
    /// Cost: in proportion to the shapes where the table answers all kinds that are there.
    pub(crate) fn refuse_unanswered(&self) -> Result<(), WorldError> {
        let kinds = |placed: &PlacedCollider| {
            let colliders = &placed.colliders;
            let of_view = [View::Exact, View::Complex, View::Oriented].map(|view| colliders.kind(view));
            (colliders.asked(), of_view)
        };
        let of_shapes: Vec<_> = self.shapes.iter().map(kinds).collect();
        let mut groups = of_shapes.clone();
        groups.sort_unstable();
        groups.dedup();
        let members = |group: usize| {
            let (of_shapes, group) = (&of_shapes, groups[group]);
            (0..of_shapes.len()).filter(move |index| of_shapes[*index] == group)
        };
        for first in 0..groups.len() {
            for second in first..groups.len() {
                let ((asked_a, kinds_a), (asked_b, kinds_b)) = (groups[first], groups[second]);
                let view = asked_a.max(asked_b) as usize;
                let refused = |question| refusal(kinds_a[view], kinds_b[view], question);
                let Some(error) = ASKED.into_iter().find_map(refused) else { continue };
                let pairs = members(first).flat_map(|a| members(second).map(move |b| (a, b)));
                if let Some((a, b)) = pairs.into_iter().find(|(a, b)| self.may_touch(*a, *b)) {
                    let pair = PairId::new(ShapeId(a as u32), ShapeId(b as u32));
                    return Err(WorldError::Unanswered { pair, error });
                }
            }
        }
        Ok(())
    }
}
