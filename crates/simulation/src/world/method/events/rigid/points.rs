//! Contact points of rigid pairs: where they are, how they move, and what their own wandering adds to accelerations.

use zerogap_core::{Contact, Feature, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_geometry::Complex;
use zerogap_geometry::complex::Simplex;
use zerogap_geometry::shape::{Flat, SurfaceRadii};
use zerogap_proximity::collider::Collider;

use super::rolling::{Surface, wandering};
use crate::world::method::events::discrete::RigidPoint;
use crate::world::pair_contacts::ContactWork;
use crate::world::pairs::TOUCH;
use crate::world::placed::PlacedCollider;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// A contact point at an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    pub(crate) pair: PairId,
    pub(crate) a: Option<BodyId>,
    pub(crate) b: Option<BodyId>,
    pub(crate) contact: Contact,
    /// The common point at which forces act [m].
    pub(crate) at: Vec3,
    /// Velocity of B against A there along the normal, and of its surface across it [m/s].
    pub(crate) gap_rate: f64,
    pub(crate) slip: Vec3,
    /// Sum of the speeds that the slip is a difference of [m/s].
    pub(crate) speeds: f64,
    /// Acceleration of the gap, and across the normal, with no acceleration of any joint [m/s²].
    pub(crate) normal_bias: f64,
    pub(crate) tangent_bias: Vec3,
}

impl Point {
    fn new(pair: PairId, placed: &PlacedPair<'_>, contact: &Contact, ws: &Workspace) -> Self {
        let (a, b, normal) = (placed.a.body, placed.b.body, contact.normal);
        let at = 0.5 * (contact.point_a + contact.point_b);
        let velocity = ws.point_velocity(b, at) - ws.point_velocity(a, at);
        let gap_rate = normal.dot(&velocity);
        // A surface that runs over its body slips, but carries no contact point along.
        let moved = velocity - normal * gap_rate;
        let surface = placed.surface_velocity();
        let slip = moved + (surface - normal * normal.dot(&surface));
        // The wandering of the point.
        let turning = |body: Option<BodyId>| body.map_or(Vec3::zeros(), |body| ws.angular_velocity(body));
        let surface = |body, collider, pose, feature, normal: &Vec3| Surface {
            radii: radii(collider, pose, feature, normal),
            turning: turning(body),
        };
        let surface_a = surface(a, placed.collider_a(), &placed.pose_a, contact.id.a, &normal);
        let surface_b = surface(b, placed.collider_b(), &placed.pose_b, contact.id.b, &-normal);
        let wandering = wandering(&normal, &moved, &surface_a, &surface_b);
        let speed = |body: Option<BodyId>| {
            body.map_or(0.0, |body| {
                let arm = at - ws.pose(body).translation();
                ws.linear_velocity(body).norm() + ws.angular_velocity(body).norm() * arm.norm()
            })
        };
        let bias = ws.point_bias(b, at) - ws.point_bias(a, at) + surface_b.turning.cross(&wandering.over_b)
            - surface_a.turning.cross(&wandering.over_a);
        // Surface velocities turn with their bodies.
        let turned = |placed: &PlacedCollider, pose: &Pose| {
            turning(placed.body).cross(&pose.transform_vector(&placed.surface_velocity))
        };
        let surface_bias = turned(placed.b, &placed.pose_b) - turned(placed.a, &placed.pose_a);
        Self {
            pair,
            a,
            b,
            contact: *contact,
            at,
            gap_rate,
            slip,
            speeds: speed(a) + speed(b),
            normal_bias: normal.dot(&bias) + wandering.normal_rate.dot(&velocity),
            tangent_bias: bias + surface_bias,
        }
    }
}

/// The radii of a surface in world axes.
fn radii(collider: &Collider, pose: &Pose, feature: Feature, outward: &Vec3) -> SurfaceRadii {
    let outward = pose.inverse_transform_vector(outward);
    let own = match collider {
        Collider::Complex(complex) => {
            let edge = |complex: &Complex| complex.face_of(feature).map(|face| complex.simplex(face));
            let edge = match complex.body.complex().and_then(edge) {
                Some(Simplex::Segment([a, b])) => b - a,
                _ => Vec3::zeros(),
            };
            SurfaceRadii::sharp(feature, &edge).raised(complex.body.dilation(), &outward)
        }
        Collider::Convex(convex) => convex.surface_radii(feature, &outward),
        // Edges of a mesh count as corners: they meet edges alone, whose crossing point has no other way to go.
        _ => SurfaceRadii::sharp(feature, &Vec3::zeros()),
    };
    let rotation = pose.rotation_matrix();
    let flat = match own.flat {
        Flat::Along(direction) => Flat::Along(rotation * direction),
        other => other,
    };
    SurfaceRadii { radii: rotation * own.radii * rotation.transpose(), flat }
}

/// All contacts of a pair that touch.
pub(crate) fn touching(
    shapes: &[PlacedCollider],
    pair: PairId,
    ws: &Workspace,
    manifold: &mut ContactWork,
    points: &mut Vec<Point>,
) {
    near_points(shapes, (pair, TOUCH), ws, manifold, points);
}

/// All contacts of a pair with gaps up to a fraction of the size of the smaller shape [-].
pub(crate) fn near_points(
    shapes: &[PlacedCollider],
    (pair, fraction): (PairId, f64),
    ws: &Workspace,
    manifold: &mut ContactWork,
    points: &mut Vec<Point>,
) {
    let placed = PlacedPair::new(shapes, pair, ws);
    let within = fraction * placed.size();
    // The names of points are those that the functions of a step see.
    placed.points(manifold);
    let found = manifold.contacts.iter().filter(|contact| contact.gap <= within);
    points.extend(found.map(|contact| Point::new(pair, &placed, contact, ws)));
}

/// The contacts of a pair that were frozen, as they are now; `each` gets the number of the frozen point too.
///
/// A frozen point that is not found is left out: a step that is accepted ends where that happens ([`Source::Lost`](crate::world::method::events::functions::Source)), and trial steps beyond say nothing.
pub(crate) fn frozen(
    shapes: &[PlacedCollider],
    pair: PairId,
    frozen: &[RigidPoint],
    ws: &Workspace,
    manifold: &mut ContactWork,
    mut each: impl FnMut(usize, Point),
) {
    let placed = PlacedPair::new(shapes, pair, ws);
    // In a trial step the surfaces may be a little apart.
    placed.points(manifold);
    for (k, known) in frozen.iter().enumerate() {
        // A curved contact is one point whatever it is called; others go by their names.
        let contact = match (&manifold.contacts[..], frozen.len()) {
            ([only], 1) => Some(only),
            (several, _) => several.iter().find(|contact| contact.id == known.id),
        };
        if let Some(contact) = contact {
            each(k, Point::new(pair, &placed, contact, ws));
        }
    }
}
