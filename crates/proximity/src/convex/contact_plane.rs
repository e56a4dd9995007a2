//! The contact plane of two convex shapes, and every direction that would do for its normal.
//!
//! In: two convex shapes that touch, overlap or are near. Out: the plane between them, and, where corners and edges leave the normal open, all candidates instead of the one that was chosen.

use std::sync::Arc;

use zerogap_core::{NormalKind, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, SupportHint};

use super::manifold::{ContactParams, contacts, is_sharp};
use super::minimum_translation::TranslationKind;

/// Normals that differ by less are one candidate [rad].
const SAME_DIRECTION: f64 = 1e-7;

/// Edges whose directions have a smaller sine between them are parallel: they give no normal [-].
const PARALLEL: f64 = 1e-9;

/// The plane between two convex shapes, perpendicular to the normal of their contact.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactPlane {
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// The plane is `normal · x = offset` [m]: half-way between the nearest points, or the deepest ones in overlap.
    pub offset: f64,
    /// Whether the normal was the only one possible.
    pub normal_kind: NormalKind,
    /// Signed distance of the shapes [m].
    pub gap: f64,
    /// Every direction along which the shapes are as far apart as along the normal, to a tolerance; the best first. One that is no candidate of a face or of two edges stands alone.
    pub candidates: Vec<CandidateNormal>,
}

/// A direction that would do as the normal of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CandidateNormal {
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// How far the shapes are apart along it [m]; negative in overlap.
    pub separation: f64,
    /// What gives the direction; none for that of the nearest points of shapes that are apart or curved.
    pub kind: Option<TranslationKind>,
}

/// Returns the contact plane of two convex shapes with all candidates for its normal.
///
/// Computes: the normal of [`contacts`] with the plane half-way between the nearest points; and of polytopes that touch or overlap every face normal and every product of two edges along which they are separated by no less than the gap, less the
///   tolerance. Where corners or parallel edges touch these are the ends of the set of possible normals.
/// Frames: poses and answer in the world.
/// Method: Cheng Yi and Drumwright, sections III-B, IV-C and IV-D: the separating axes, of which those that tie mark an indeterminate normal.
/// Tolerance: candidates within `tolerance` [m] of the best; directions within 1e-7 rad of each other are one.
/// Cost: the product of the numbers of edges; for questions, not for runs.
/// Fails: never. Curved shapes, and shapes that are apart by more than the tolerance, have one candidate.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::convex::contact_plane;
///
/// // Two cubes that touch at a corner: three faces of each would do.
/// let cube = Cuboid::new(Vec3::repeat(1.0))?.into();
/// let beside = Pose::from_translation(Vec3::repeat(1.0))?;
/// let plane = contact_plane(&cube, &Pose::identity(), &cube, &beside, 1e-9);
/// assert_eq!(plane.candidates.len(), 3);
/// assert!(plane.candidates.iter().all(|candidate| candidate.separation.abs() < 1e-15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contact_plane(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    tolerance: f64,
) -> ContactPlane {
    let manifold = contacts(a, pose_a, b, pose_b, &ContactParams::within(f64::INFINITY));
    let (gap, normal) = (manifold.gap, manifold.normal);
    let offset = 0.5 * normal.dot(&(gap.point_a + gap.point_b));
    let mut candidates = Vec::new();
    if gap.gap <= tolerance
        && is_sharp(a)
        && is_sharp(b)
        && let (Some(solid_a), Some(solid_b)) = (solid(a), solid(b))
    {
        candidates =
            tied(&Placed::new(&solid_a, pose_a), &Placed::new(&solid_b, pose_b), gap.gap - tolerance);
    }
    if candidates.is_empty() {
        candidates.push(CandidateNormal { normal, separation: gap.gap, kind: None });
    }
    ContactPlane { normal, offset, normal_kind: manifold.normal_kind, gap: gap.gap, candidates }
}

/// A polytope with volume as a polyhedron; none for others.
fn solid(shape: &ConvexShape) -> Option<Arc<Polyhedron>> {
    match shape {
        ConvexShape::Polyhedron(polyhedron) => Some(Arc::clone(polyhedron)),
        shape => Polyhedron::from_points(&shape.corners()?).ok().map(Arc::new),
    }
}

/// A polyhedron at a pose.
struct Placed<'a> {
    polyhedron: &'a Polyhedron,
    pose: &'a Pose,
}

impl<'a> Placed<'a> {
    fn new(polyhedron: &'a Polyhedron, pose: &'a Pose) -> Self {
        Self { polyhedron, pose }
    }

    /// How far it reaches along a direction [m].
    fn reach(&self, direction: &Vec3) -> f64 {
        let own = self.pose.inverse_transform_vector(direction);
        direction.dot(&self.pose.transform_point(&self.polyhedron.support(&own, &mut SupportHint::default())))
    }

    fn normals(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..self.polyhedron.face_count())
            .map(|face| self.pose.transform_vector(&self.polyhedron.normal(face)))
    }

    /// The direction of each edge, and the normals of its two faces.
    fn edges(&self) -> Vec<(Vec3, [Vec3; 2])> {
        let vertices = self.polyhedron.vertices();
        let turned = |v: Vec3| self.pose.transform_vector(&v);
        let edge = |edge: &zerogap_geometry::Edge| {
            let [from, to] = edge.vertices.map(|vertex| vertices[vertex as usize]);
            (
                turned((to - from).normalize()),
                edge.faces.map(|face| turned(self.polyhedron.normal(face as usize))),
            )
        };
        self.polyhedron.edges().iter().map(edge).collect()
    }
}

/// All directions along which two polyhedra are at least so far apart [m], the best first.
fn tied(a: &Placed<'_>, b: &Placed<'_>, at_least: f64) -> Vec<CandidateNormal> {
    let separation = |normal: &Vec3| -b.reach(&-normal) - a.reach(normal);
    let mut found: Vec<CandidateNormal> = Vec::new();
    let mut offer = |normal: Vec3, kind| {
        let separation = separation(&normal);
        let is_new =
            |found: &[CandidateNormal]| found.iter().all(|old| (old.normal - normal).norm() > SAME_DIRECTION);
        if separation >= at_least && is_new(&found) {
            found.push(CandidateNormal { normal, separation, kind: Some(kind) });
        }
    };
    a.normals().for_each(|normal| offer(normal, TranslationKind::FaceOfA));
    b.normals().for_each(|normal| offer(-normal, TranslationKind::FaceOfB));
    let edges_b = b.edges();
    for (along_a, faces_a) in a.edges() {
        for (along_b, faces_b) in &edges_b {
            let across = along_a.cross(along_b);
            let Some(across) = across.try_normalize(PARALLEL) else { continue };
            for normal in [across, -across] {
                // Only between the faces of both edges does the product of the two bound both shapes.
                if is_between(&normal, &faces_a) && is_between(&-normal, faces_b) {
                    offer(normal, TranslationKind::Edges);
                }
            }
        }
    }
    found.sort_by(|p, q| q.separation.total_cmp(&p.separation));
    found
}

/// Whether a direction lies on the arc between two normals, to rounding.
fn is_between(direction: &Vec3, [from, to]: &[Vec3; 2]) -> bool {
    let axis = from.cross(to);
    from.cross(direction).dot(&axis) >= -SAME_DIRECTION && direction.cross(to).dot(&axis) >= -SAME_DIRECTION
}
