//! What the distance of a contact means throughout a step: from which plane to which point, between which lines.
//!
//! In: a contact where it was found. Out: its distance at other poses, along which normal, and at which points. What is flat or straight is frozen on its body,
//! so that the distance is smooth and exact wherever the same features are in contact; what is curved otherwise is measured anew.

use zerogap_core::math::unit_normal;
use zerogap_core::{Contact, ContactId, Feature, Manifold, Vec3};
use zerogap_geometry::complex::Simplex;
use zerogap_geometry::shape::Flat;
use zerogap_geometry::{Complex, ConvexShape, Shape};
use zerogap_proximity::collider::Collider;
use zerogap_proximity::lmd::{Followed, QuasiContact};

use crate::world::pair_contacts::ContactWork;
use crate::world::placed::PlacedCollider;
use crate::world::placed_pair::PlacedPair;

/// Edges that cross at a smaller angle have no normal of their own [-]: its sine.
const CROSSING: f64 = 0.05;
/// A face belongs to a contact where it leans from the normal by no more than this cosine [-]: the manifold takes faces within 10 degrees.
const FACING: f64 = 0.9;

/// Corners over corners lie flat where a face around one leans from the line between them by no more than this cosine [-]: 5 degrees, the usual angular tolerance.
const FLUSH: f64 = 0.996;

/// Discs that lean by less than this sine lie flat [-]: 10 degrees, within which the manifold lists points all around them.
const FLAT: f64 = 0.17;
/// Distances that differ by less than this fraction of the size of the smaller shape are the same [-].
const SAME: f64 = 1e-10;
/// What the normals of a face and of a contact on it that leans by 10 degrees make of a distance [-]: one less the cosine.
const LEANING: f64 = 0.016;

/// How the distance of a contact is measured; points and directions in the frames of the shapes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// A point of one shape, with a ball around it, above a plane of the other. The normal is from A to B.
    Plane { is_on_a: bool, normal: Vec3, origin: Vec3, point: Vec3, radius: f64 },
    /// Two straight edges, each a point and a direction, with round tubes about them.
    Lines { a: [Vec3; 2], b: [Vec3; 2], sign: f64, radius: f64 },
    /// The rim of a disc of one shape, a centre, an axis and a radius, above a plane of the other: its lowest point counts.
    Rim { is_on_a: bool, normal: Vec3, origin: Vec3, center: Vec3, axis: Vec3, radius: f64 },
    /// The contact of this name as it is found anew, or where there is none its points and normal, which turn with A or B.
    Named { id: ContactId, is_on_a: bool, normal: Vec3, a: Vec3, b: Vec3 },
    /// Two faces of complexes, or of a complex and a half-space.
    Faces(QuasiContact),
    /// The gap of the shapes.
    Gap,
}

/// A contact at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ContactPlace {
    pub(super) distance: f64,
    /// From A to B.
    pub(super) normal: Vec3,
    /// Points of the bodies A and B whose velocities along the normal change the distance.
    pub(super) on_a: Vec3,
    pub(super) on_b: Vec3,
}

impl Measure {
    /// Freezes what the k-th contact of a manifold means.
    pub(super) fn new(placed: &PlacedPair<'_>, manifold: &ContactWork, k: usize) -> Self {
        if let Some(quasi) = manifold.set.quasi.get(k) {
            return Self::leaning(placed, quasi).unwrap_or(Self::Faces(*quasi));
        }
        let contact = &manifold.contacts[k];
        let ways = [Self::over_face(placed, manifold, contact), Self::between_edges(placed, contact)];
        let frozen = ways.into_iter().flatten().find(|way| way.is_of(placed, contact));
        frozen.unwrap_or_else(|| {
            if manifold.contacts.len() == 1 {
                return Self::Gap;
            }
            let is_on_a = manifold.features.is_some_and(|names| matches!(names.a, Feature::Face(_)));
            let pose = if is_on_a { &placed.pose_a } else { &placed.pose_b };
            Self::Named {
                id: contact.id,
                is_on_a,
                normal: pose.inverse_transform_vector(&contact.normal),
                a: placed.pose_a.inverse_transform_point(&contact.point_a),
                b: placed.pose_b.inverse_transform_point(&contact.point_b),
            }
        })
    }

    /// Corners and edges of complexes that meet where faces lie on faces, measured along the normal of such a face; none where there is none within the cosine [`FLUSH`], and for edges that cross.
    ///
    /// The line between two corners turns with every shift of one against the other: without friction it would push what lies flat aside.
    fn leaning(placed: &PlacedPair<'_>, quasi: &QuasiContact) -> Option<Self> {
        let (a, b) = placed.collider_a().as_complex().zip(placed.collider_b().as_complex())?;
        let (one, two) = (a.complex()?, b.complex()?);
        let QuasiContact { contact, base_a, base_b, .. } = quasi;
        let simplices = (one.simplex(one.face_of(contact.id.a)?), two.simplex(two.face_of(contact.id.b)?));
        let (pose_a, pose_b, n) = (&placed.pose_a, &placed.pose_b, contact.normal);
        match simplices {
            (Simplex::Triangle(_), _) | (_, Simplex::Triangle(_)) => return None,
            (Simplex::Segment([p, q]), Simplex::Segment([r, s])) => {
                let along_a = pose_a.transform_vector(&(q - p).normalize());
                if along_a.cross(&pose_b.transform_vector(&(s - r).normalize())).norm() > CROSSING {
                    return None;
                }
            }
            _ => {}
        }
        let of_a = nearest_normal(one, contact.id.a, &pose_a.inverse_transform_vector(&n));
        let of_b = nearest_normal(two, contact.id.b, &pose_b.inverse_transform_vector(&-n));
        let is_on_a = match (of_a, of_b) {
            (Some(of_a), Some(of_b)) => of_a.0 >= of_b.0,
            (of_a, _) => of_a.is_some(),
        };
        let radius = a.dilation() + b.dilation();
        let (at_a, at_b) = (pose_a.inverse_transform_point(base_a), pose_b.inverse_transform_point(base_b));
        Some(if is_on_a {
            Self::Plane { is_on_a, normal: of_a?.1, origin: at_a, point: at_b, radius }
        } else {
            Self::Plane { is_on_a, normal: -of_b?.1, origin: at_b, point: at_a, radius }
        })
    }

    /// A corner or a rim over a face, or over what is part of one.
    fn over_face(placed: &PlacedPair<'_>, manifold: &Manifold, contact: &Contact) -> Option<Self> {
        let general = manifold.features.unwrap_or(contact.id);
        let n = contact.normal;
        for is_on_a in [true, false] {
            let ((face, at, own, general), (other, body, feature)) = if is_on_a {
                (
                    (placed.a, &placed.pose_a, contact.id.a, general.a),
                    (placed.b, &placed.pose_b, contact.id.b),
                )
            } else {
                (
                    (placed.b, &placed.pose_b, contact.id.b, general.b),
                    (placed.a, &placed.pose_a, contact.id.a),
                )
            };
            // Outward from the face, which is from A to B where it is on A.
            let side = if is_on_a { 1.0 } else { -1.0 };
            let outward = at.inverse_transform_vector(&n) * side;
            let normal = face_normal(&face.shape, own).or_else(|| face_normal(&face.shape, general));
            let Some(normal) = normal.filter(|normal| normal.dot(&outward) > FACING) else { continue };
            let (on_face, on_body) =
                if is_on_a { (contact.point_a, contact.point_b) } else { (contact.point_b, contact.point_a) };
            let (normal, origin) = (normal * side, at.inverse_transform_point(&on_face));
            if let Some((center, axis, radius)) = rim(&other.shape, feature) {
                // The lowest point of a disc that lies nearly flat is anywhere a moment later: it is kept where it is.
                let leaning = body.transform_vector(&axis).cross(&n).norm();
                let point = body.inverse_transform_point(&on_body);
                return Some(if leaning > FLAT {
                    Self::Rim { is_on_a, normal, origin, center, axis, radius }
                } else {
                    Self::Plane { is_on_a, normal, origin, point, radius: 0.0 }
                });
            }
            if let Some(radius) = roundness(&other.shape, feature)
                && matches!(feature, Feature::Vertex(_) | Feature::Surface(_))
            {
                let point = body.inverse_transform_point(&(on_body + n * (radius * side)));
                return Some(Self::Plane { is_on_a, normal, origin, point, radius });
            }
        }
        None
    }

    /// Two edges that cross.
    fn between_edges(placed: &PlacedPair<'_>, contact: &Contact) -> Option<Self> {
        let (pose_a, pose_b, n) = (&placed.pose_a, &placed.pose_b, contact.normal);
        let radius_a = roundness(&placed.a.shape, contact.id.a)?;
        let radius_b = roundness(&placed.b.shape, contact.id.b)?;
        let along_a = edge_direction(placed.a, contact.id.a, &pose_a.inverse_transform_vector(&n))?;
        let along_b = edge_direction(placed.b, contact.id.b, &pose_b.inverse_transform_vector(&-n))?;
        let across = pose_a.transform_vector(&along_a).cross(&pose_b.transform_vector(&along_b));
        (across.norm() > CROSSING).then(|| Self::Lines {
            a: [pose_a.inverse_transform_point(&(contact.point_a - n * radius_a)), along_a],
            b: [pose_b.inverse_transform_point(&(contact.point_b + n * radius_b)), along_b],
            sign: across.dot(&n).signum(),
            radius: radius_a + radius_b,
        })
    }

    /// Whether it measures a contact as it was found: the lowest point of a rim may lie beside the face that it is over, and two tubes may touch with their ends.
    fn is_of(&self, placed: &PlacedPair<'_>, contact: &Contact) -> bool {
        let place = self.at(placed, &mut ContactWork::default());
        (place.distance - contact.gap).abs() <= SAME * placed.size() + LEANING * contact.gap.abs()
    }

    /// The contact where the shapes are now.
    pub(super) fn at(&self, placed: &PlacedPair<'_>, manifold: &mut ContactWork) -> ContactPlace {
        let (pose_a, pose_b) = (&placed.pose_a, &placed.pose_b);
        match *self {
            Self::Plane { is_on_a, normal, origin, point, radius } => {
                let (plane, body) = if is_on_a { (pose_a, pose_b) } else { (pose_b, pose_a) };
                let normal = plane.transform_vector(&normal);
                let (origin, point) = (plane.transform_point(&origin), body.transform_point(&point));
                let way = if is_on_a { point - origin } else { origin - point };
                ContactPlace { distance: normal.dot(&way) - radius, normal, on_a: point, on_b: point }
            }
            Self::Lines { a, b, sign, radius } => {
                let (from_a, from_b) = (pose_a.transform_point(&a[0]), pose_b.transform_point(&b[0]));
                let (along_a, along_b) = (pose_a.transform_vector(&a[1]), pose_b.transform_vector(&b[1]));
                let across = along_a.cross(&along_b);
                let square = across.norm_squared();
                // Edges that have turned until they do not cross any more.
                if square < 0.25 * CROSSING * CROSSING {
                    return gap_of(placed, manifold);
                }
                let normal = across * (sign / square.sqrt());
                let way = from_b - from_a;
                let reach_a = way.cross(&along_b).dot(&across) / square;
                let reach_b = way.cross(&along_a).dot(&across) / square;
                let (on_a, on_b) = (from_a + along_a * reach_a, from_b + along_b * reach_b);
                ContactPlace { distance: normal.dot(&way) - radius, normal, on_a, on_b }
            }
            Self::Rim { is_on_a, normal, origin, center, axis, radius } => {
                let (plane, body) = if is_on_a { (pose_a, pose_b) } else { (pose_b, pose_a) };
                let normal = plane.transform_vector(&normal);
                let (origin, center) = (plane.transform_point(&origin), body.transform_point(&center));
                let axis = body.transform_vector(&axis);
                let across = normal - axis * axis.dot(&normal);
                let reach = across.try_normalize(f64::MIN_POSITIVE).unwrap_or_default() * radius;
                let (point, way) = if is_on_a {
                    (center - reach, center - reach - origin)
                } else {
                    (center + reach, origin - center - reach)
                };
                ContactPlace { distance: normal.dot(&way), normal, on_a: point, on_b: point }
            }
            Self::Gap => gap_of(placed, manifold),
            Self::Faces(quasi) => {
                let bodies = placed.collider_a().as_complex().zip(placed.collider_b().as_complex());
                let now = bodies.and_then(|(a, b)| quasi.at(a, pose_a, b, pose_b));
                match now {
                    Some(now) => {
                        let Followed { gap, normal, base_a, base_b, .. } = now;
                        ContactPlace { distance: gap, normal, on_a: base_a, on_b: base_b }
                    }
                    // Edges that have become parallel.
                    None => gap_of(placed, manifold),
                }
            }
            Self::Named { id, is_on_a, normal, a, b } => {
                placed.contacts(placed.size(), manifold);
                if let Some(found) = manifold.contacts.iter().find(|contact| contact.id == id) {
                    let Contact { gap, normal, point_a, point_b, .. } = *found;
                    return ContactPlace { distance: gap, normal, on_a: point_a, on_b: point_b };
                }
                let normal = (if is_on_a { pose_a } else { pose_b }).transform_vector(&normal);
                let (a, b) = (pose_a.transform_point(&a), pose_b.transform_point(&b));
                // The body that has the normal moves along with the point of the other.
                let point = if is_on_a { b } else { a };
                ContactPlace { distance: normal.dot(&(b - a)), normal, on_a: point, on_b: point }
            }
        }
    }
}

/// The outward normal of the triangle around a corner or an edge that is nearest to a direction, with the cosine between them; none below [`FLUSH`].
fn nearest_normal(complex: &Complex, feature: Feature, direction: &Vec3) -> Option<(f64, Vec3)> {
    let ends = match feature {
        Feature::Vertex(v) => [v; 2],
        Feature::Edge(e) => *complex.edges().get(e as usize)?,
        _ => return None,
    };
    let around = complex.triangles_around(ends[0]).iter().map(|t| complex.triangles()[*t as usize]);
    let around = around.filter(|t| t.contains(&ends[1]));
    let normals = around.filter_map(|t| unit_normal(&t.map(|v| complex.vertices()[v as usize])));
    let best = normals.map(|n| (n.dot(direction), n)).max_by(|x, y| x.0.total_cmp(&y.0));
    best.filter(|(cosine, _)| *cosine >= FLUSH)
}

/// The nearest points of two shapes; a query that fails is noted in the memory, and its distance is no number.
fn gap_of(placed: &PlacedPair<'_>, manifold: &mut ContactWork) -> ContactPlace {
    match placed.nearest(manifold) {
        Ok(gap) => {
            ContactPlace { distance: gap.gap, normal: gap.normal, on_a: gap.point_a, on_b: gap.point_b }
        }
        Err(error) => unknown(manifold.fail(placed.id, error)),
    }
}

/// A contact of which nothing is known.
fn unknown(distance: f64) -> ContactPlace {
    ContactPlace { distance, normal: Vec3::x(), on_a: Vec3::zeros(), on_b: Vec3::zeros() }
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

/// The rim of a disc by its lowest point: centre, axis and radius, in the frame of its shape.
fn rim(shape: &Shape, feature: Feature) -> Option<(Vec3, Vec3, f64)> {
    use ConvexShape as S;
    let (Shape::Convex(convex), Feature::Edge(cap @ 0..=1)) = (shape, feature) else { return None };
    let (length, radii) = match convex {
        S::Cylinder(can) => (can.length(), [can.radius(); 2]),
        S::Frustum(cone) => (cone.length(), [cone.radius0(), cone.radius1()]),
        _ => return None,
    };
    let height = if cap == 0 { -0.5 } else { 0.5 } * length;
    Some((Vec3::z() * height, Vec3::z(), radii[cap as usize]))
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
        Shape::Mesh(mesh) if (index as usize) < mesh.triangles().len() => {
            unit_normal(&mesh.corners(index as usize))
        }
        _ => None,
    }
}

/// The direction of a straight edge, in the frame of its shape.
fn edge_direction(placed: &PlacedCollider, feature: Feature, outward: &Vec3) -> Option<Vec3> {
    let Feature::Edge(edge) = feature else { return None };
    let own = [placed.colliders.get(None), placed.colliders.exact()];
    let mesh = own.into_iter().find_map(|collider| match collider {
        Collider::Mesh(body) => Some(body),
        _ => None,
    });
    if let Some(body) = mesh {
        let [p, q] = body.edge_ends(edge)?;
        return (q - p).try_normalize(0.0);
    }
    match placed.shape.as_convex()?.surface_radii(feature, outward).flat {
        Flat::Along(direction) => Some(direction),
        _ => None,
    }
}
