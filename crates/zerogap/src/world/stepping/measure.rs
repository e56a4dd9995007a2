//! What the distance of a contact means throughout a step: from which plane to which point, between which lines.
//!
//! In: a contact where it was found. Out: its distance at other poses, along which normal, and at which points. What is flat or straight is frozen on its body,
//! so that the distance is smooth and exact wherever the same features meet; what is curved otherwise is measured anew.

use zerogap_core::{Contact, ContactId, Feature, Manifold, Vec3};
use zerogap_geometry::shape::Flat;
use zerogap_geometry::{ConvexShape, Shape};
use zerogap_proximity::{DistanceParams, distance};

use crate::world::shapes::PlacedPair;

/// Edges that cross at a smaller angle have no normal of their own [-]: its sine.
const CROSSING: f64 = 0.05;
/// A face belongs to a contact where it leans from the normal by no more than this cosine [-]: the manifold takes faces within 10 degrees.
const FACING: f64 = 0.9;

/// How the distance of a contact is measured; points and directions in the frames of the shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// A point of one shape, with a ball around it, above a plane of the other. The normal is from A to B.
    Plane { is_on_a: bool, normal: Vec3, origin: Vec3, point: Vec3, radius: f64 },
    /// Two straight edges, each a point and a direction, with round tubes about them.
    Lines { a: [Vec3; 2], b: [Vec3; 2], sign: f64, radius: f64 },
    /// The contact of this name as it is found anew, or where there is none the gap of the shapes.
    Found(Option<ContactId>),
}

/// A contact at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spot {
    pub(super) distance: f64,
    /// From A to B.
    pub(super) normal: Vec3,
    /// Points of the bodies A and B whose velocities along the normal change the distance.
    pub(super) on_a: Vec3,
    pub(super) on_b: Vec3,
}

impl Measure {
    /// Freezes what a contact of a manifold means.
    pub(super) fn new(placed: &PlacedPair<'_>, manifold: &Manifold, contact: &Contact) -> Self {
        let (a, b, n) = (&placed.a.shape, &placed.b.shape, contact.normal);
        let (radius_a, radius_b) = (roundness(a, contact.id.a), roundness(b, contact.id.b));
        let into_a = |point: Vec3| placed.pose_a.inverse_transform_point(&point);
        let into_b = |point: Vec3| placed.pose_b.inverse_transform_point(&point);

        // A corner over a face, or over what is part of one.
        let most_general = manifold.features.unwrap_or(contact.id);
        let outward = |shape: &Shape, own: Feature, general: Feature, along: Vec3| {
            let normal = face_normal(shape, own).or_else(|| face_normal(shape, general))?;
            (normal.dot(&along) > FACING).then_some(normal)
        };
        let n_a = placed.pose_a.inverse_transform_vector(&n);
        let n_b = placed.pose_b.inverse_transform_vector(&n);
        let is_corner = |feature: Feature| matches!(feature, Feature::Vertex(_) | Feature::Surface(_));
        if let Some(radius) = radius_b.filter(|_| is_corner(contact.id.b))
            && let Some(normal) = outward(a, contact.id.a, most_general.a, n_a)
        {
            let (origin, point) = (into_a(contact.point_a), into_b(contact.point_b + n * radius));
            return Self::Plane { is_on_a: true, normal, origin, point, radius };
        }
        if let Some(radius) = radius_a.filter(|_| is_corner(contact.id.a))
            && let Some(normal) = outward(b, contact.id.b, most_general.b, -n_b)
        {
            let (origin, point) = (into_b(contact.point_b), into_a(contact.point_a - n * radius));
            return Self::Plane { is_on_a: false, normal: -normal, origin, point, radius };
        }

        // Two edges that cross.
        let (Some(radius_a), Some(radius_b)) = (radius_a, radius_b) else {
            return Self::Found((manifold.contacts.len() > 1).then_some(contact.id));
        };
        if let (Some(along_a), Some(along_b)) =
            (edge_direction(a, contact.id.a, &n_a), edge_direction(b, contact.id.b, &-n_b))
        {
            let across =
                placed.pose_a.transform_vector(&along_a).cross(&placed.pose_b.transform_vector(&along_b));
            if across.norm() > CROSSING {
                return Self::Lines {
                    a: [into_a(contact.point_a - n * radius_a), along_a],
                    b: [into_b(contact.point_b + n * radius_b), along_b],
                    sign: across.dot(&n).signum(),
                    radius: radius_a + radius_b,
                };
            }
        }
        if manifold.contacts.len() == 1 {
            return Self::Found(None);
        }
        // Others of a common face: along the normal of the manifold, which turns with the body that has a face.
        let is_on_a = matches!(most_general.a, Feature::Face(_));
        let (normal, origin, point) = if is_on_a {
            (n_a, into_a(contact.point_a), into_b(contact.point_b))
        } else {
            (n_b, into_b(contact.point_b), into_a(contact.point_a))
        };
        Self::Plane { is_on_a, normal, origin, point, radius: 0.0 }
    }

    /// The contact where the shapes are now.
    pub(super) fn at(&self, placed: &PlacedPair<'_>, manifold: &mut Manifold) -> Spot {
        let (pose_a, pose_b) = (&placed.pose_a, &placed.pose_b);
        match *self {
            Self::Plane { is_on_a, normal, origin, point, radius } => {
                let (plane, body) = if is_on_a { (pose_a, pose_b) } else { (pose_b, pose_a) };
                let normal = plane.transform_vector(&normal);
                let (origin, point) = (plane.transform_point(&origin), body.transform_point(&point));
                let way = if is_on_a { point - origin } else { origin - point };
                Spot { distance: normal.dot(&way) - radius, normal, on_a: point, on_b: point }
            }
            Self::Lines { a, b, sign, radius } => {
                let (from_a, from_b) = (pose_a.transform_point(&a[0]), pose_b.transform_point(&b[0]));
                let (along_a, along_b) = (pose_a.transform_vector(&a[1]), pose_b.transform_vector(&b[1]));
                let across = along_a.cross(&along_b);
                let square = across.norm_squared();
                // Edges that have turned until they do not cross any more.
                if square < 0.25 * CROSSING * CROSSING {
                    return gap_of(placed);
                }
                let normal = across * (sign / square.sqrt());
                let way = from_b - from_a;
                let reach_a = way.cross(&along_b).dot(&across) / square;
                let reach_b = way.cross(&along_a).dot(&across) / square;
                let (on_a, on_b) = (from_a + along_a * reach_a, from_b + along_b * reach_b);
                Spot { distance: normal.dot(&way) - radius, normal, on_a, on_b }
            }
            Self::Found(None) => gap_of(placed),
            Self::Found(Some(id)) => {
                placed.contacts(placed.size(), manifold);
                let found = manifold.contacts.iter().find(|contact| contact.id == id);
                found.map_or_else(
                    || gap_of(placed),
                    |contact| Spot {
                        distance: contact.gap,
                        normal: contact.normal,
                        on_a: contact.point_a,
                        on_b: contact.point_b,
                    },
                )
            }
        }
    }
}

/// The nearest points of two shapes.
fn gap_of(placed: &PlacedPair<'_>) -> Spot {
    let params = DistanceParams::default();
    match distance(&placed.a.shape, &placed.pose_a, &placed.b.shape, &placed.pose_b, &params) {
        Ok(gap) => Spot { distance: gap.gap, normal: gap.normal, on_a: gap.point_a, on_b: gap.point_b },
        // Pairs of shapes without a gap are refused when a world is built.
        Err(_) => Spot { distance: f64::MAX, normal: Vec3::x(), on_a: Vec3::zeros(), on_b: Vec3::zeros() },
    }
}

/// The radius of the ball or tube about a corner or edge that is fixed on its shape [m]; none where no such part is.
fn roundness(shape: &Shape, feature: Feature) -> Option<f64> {
    use ConvexShape as S;
    let Shape::Convex(convex) = shape else { return Some(0.0) };
    let is_flat = |convex: &S| {
        matches!(
            convex,
            S::Point(_) | S::Segment(_) | S::Triangle(_) | S::Polygon(_) | S::Cuboid(_) | S::Polyhedron(_)
        )
    };
    match convex {
        S::Sphere(sphere) => Some(sphere.radius()),
        S::Capsule(capsule) => Some(capsule.radius()),
        S::Rounded(rounded) if is_flat(rounded.core()) => Some(rounded.radius()),
        // Named points of a rim; the lowest one wanders.
        S::Cylinder(_) | S::Frustum(_) => matches!(feature, Feature::Vertex(_)).then_some(0.0),
        sharp => is_flat(sharp).then_some(0.0),
    }
}

/// The outward normal of a flat face, in the frame of its shape.
fn face_normal(shape: &Shape, feature: Feature) -> Option<Vec3> {
    use ConvexShape as S;
    let Feature::Face(index) = feature else { return None };
    let of_two = |front: Vec3| if index == 0 { front } else { -front };
    let of_convex = |convex: &S| match convex {
        S::Cuboid(_) if index < 6 => {
            let side = if index % 2 == 0 { -1.0 } else { 1.0 };
            Some(Vec3::ith(index as usize / 2, side))
        }
        S::Polyhedron(solid) => ((index as usize) < solid.face_count()).then(|| solid.normal(index as usize)),
        S::Cylinder(_) | S::Frustum(_) => Some(of_two(-Vec3::z())),
        S::Triangle(triangle) => triangle.normal().map(of_two),
        S::Polygon(polygon) => Some(of_two(polygon.normal())),
        _ => None,
    };
    match shape {
        Shape::HalfSpace(half_space) => Some(half_space.normal()),
        Shape::Convex(S::Rounded(rounded)) => of_convex(rounded.core()),
        Shape::Convex(convex) => of_convex(convex),
        _ => None,
    }
}

/// The direction of a straight edge, in the frame of its shape.
fn edge_direction(shape: &Shape, feature: Feature, outward: &Vec3) -> Option<Vec3> {
    let (Some(convex), Feature::Edge(_)) = (shape.as_convex(), feature) else { return None };
    match convex.surface_radii(feature, outward).flat {
        Flat::Along(direction) => Some(direction),
        _ => None,
    }
}
