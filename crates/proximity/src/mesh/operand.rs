//! The two sides of a question: a mesh, a convex shape or a half-space.

use zerogap_core::{Aabb, Gap, Pose};
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Convex, ConvexShape};

use super::body::MeshBody;
use super::convex::{convex_crosses, convex_distance};
use super::distance::{MeshWork, surface_distance};
use super::error::MeshError;
use super::half_space::half_space_distance;
use super::pairs::surfaces_cross;
use super::question::{MeshDistance, MeshDistanceParams};
use crate::ProximityError;
use crate::convex;

/// One of the two bodies of a question, at least one of which is a mesh.
#[derive(Debug, Clone, Copy)]
pub enum MeshOperand<'s> {
    /// A mesh: its surface for distances, and where it is closed its inside for depths.
    Mesh(&'s MeshBody),
    /// A bounded convex shape.
    Convex(&'s ConvexShape),
    /// Everything on one side of a plane.
    HalfSpace(&'s HalfSpace),
}

impl MeshOperand<'_> {
    /// Returns the box around it at a pose [m]; none for a half-space.
    pub fn bounds(&self, pose: &Pose) -> Option<Aabb> {
        match self {
            Self::Mesh(body) => Some(body.bounds().transformed(pose)),
            Self::Convex(shape) => Some(shape.bounding_box().transformed(pose)),
            Self::HalfSpace(_) => None,
        }
    }
}

impl<'s> From<&'s MeshBody> for MeshOperand<'s> {
    fn from(body: &'s MeshBody) -> Self {
        Self::Mesh(body)
    }
}

impl<'s> From<&'s ConvexShape> for MeshOperand<'s> {
    fn from(shape: &'s ConvexShape) -> Self {
        Self::Convex(shape)
    }
}

impl<'s> From<&'s HalfSpace> for MeshOperand<'s> {
    fn from(plane: &'s HalfSpace) -> Self {
        Self::HalfSpace(plane)
    }
}

/// Returns a gap of shapes that are not meshes in the form of one of meshes.
fn as_mesh_distance(gap: Gap) -> MeshDistance {
    MeshDistance {
        gap: gap.gap,
        lower: gap.lower,
        upper: gap.upper,
        normal: gap.normal,
        normal_kind: gap.normal_kind,
        point_a: gap.point_a,
        point_b: gap.point_b,
        triangles: [0, 0],
        held: [0, 0],
        status: gap.status,
        pops: 0,
        measured: 0,
    }
}

/// The distance of two bodies, at least one of which is usually a mesh, as it is: concave, open or dirty.
///
/// Computes: the least distance of the two surfaces [m] with its points; 0 where they cross. A mesh is its surface here, and a convex shape is solid: a mesh inside of it
///   is at no distance. Against a half-space the gap is signed. How deep bodies overlap: [`super::mesh_contacts_into`], [`super::mesh_overlaps_into`].
/// Frames: poses and answer in the world.
/// Method: Lennerz, Schömer and Warken 1999, sec. 2.4: branch and bound over two hierarchies; both of its orders. Differs from it: boxes in any orientation, and
///   a step ends as soon as one direction separates enough.
/// Tolerance: 1e-14 of the extent between meshes, as [`crate::distance`] against convex shapes. `lower` and `upper` hold the exact value whatever ended the search.
/// Cost: see `docs/mesh-distance.md`; nothing is allocated after the first queries. Against convex shapes `nearer_than` and `farther_than` alone end a search early.
/// Fails: two half-spaces.
/// Order: same input, same bits; of pairs of points at the same distance the first on the path of the search. With `coherent` set, the path begins where the last query ended.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::parts;
/// use zerogap_proximity::mesh::{MeshBody, MeshDistanceParams, MeshWork, mesh_distance};
///
/// let ring = MeshBody::new(parts::by_name("torus", &[("major", "40 mm"), ("minor", "10 mm")])?);
/// let (params, mut work) = (MeshDistanceParams::default(), MeshWork::default());
/// // Two links of a chain: the second stands on its side and goes through the first.
/// let link = Pose::from_axis_angle(Vec3::new(0.04, 0.0, 0.0), Vec3::x(), std::f64::consts::FRAC_PI_2)?;
/// let answer = mesh_distance((&ring).into(), &Pose::identity(), (&ring).into(), &link, &params, &mut work)?;
/// assert!((answer.gap - 0.02).abs() < 5e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mesh_distance(
    a: MeshOperand<'_>,
    pose_a: &Pose,
    b: MeshOperand<'_>,
    pose_b: &Pose,
    params: &MeshDistanceParams,
    work: &mut MeshWork,
) -> Result<MeshDistance, MeshError> {
    Ok(match (a, b) {
        (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) => surface_distance(a, pose_a, b, pose_b, params, work),
        (MeshOperand::Mesh(a), MeshOperand::Convex(b)) => convex_distance(a, pose_a, b, pose_b, params, work),
        (MeshOperand::Convex(a), MeshOperand::Mesh(b)) => {
            convex_distance(b, pose_b, a, pose_a, params, work).swapped()
        }
        (MeshOperand::Mesh(a), MeshOperand::HalfSpace(b)) => {
            half_space_distance(b, pose_b, a, pose_a, work).swapped()
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Mesh(b)) => half_space_distance(a, pose_a, b, pose_b, work),
        (MeshOperand::Convex(a), MeshOperand::Convex(b)) => {
            as_mesh_distance(convex::distance_within(a, pose_a, b, pose_b, params.farther_than))
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Convex(b)) => {
            as_mesh_distance(convex::half_space_distance(a, pose_a, b, pose_b))
        }
        (MeshOperand::Convex(a), MeshOperand::HalfSpace(b)) => {
            as_mesh_distance(convex::half_space_distance(b, pose_b, a, pose_a).swapped())
        }
        (MeshOperand::HalfSpace(_), MeshOperand::HalfSpace(_)) => {
            return Err(ProximityError::BothUnbounded.into());
        }
    })
}

/// Whether two bodies have a point in common, touching included: surfaces that cross, or a closed mesh that holds the other. An open mesh holds nothing.
///
/// Decided exactly for two meshes where surfaces cross, for coordinates as rounded in A's frame.
pub fn mesh_intersects(
    a: MeshOperand<'_>,
    pose_a: &Pose,
    b: MeshOperand<'_>,
    pose_b: &Pose,
    work: &mut MeshWork,
) -> Result<bool, MeshError> {
    // Surfaces that do not cross leave each part of a mesh inside or outside as a whole.
    let holds = |outer: &MeshBody, pose: &Pose, inner: &MeshBody, from: &Pose, work: &mut MeshWork| {
        let seen = |v: u32| {
            pose.inverse_transform_point(&from.transform_point(&inner.mesh().vertices()[v as usize]))
        };
        outer.is_closed()
            && inner.joins().parts().iter().any(|v| outer.contains_with(&seen(*v), &mut work.points))
    };
    Ok(match (a, b) {
        (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) => {
            surfaces_cross(a, pose_a, b, pose_b, work)
                || holds(b, pose_b, a, pose_a, work)
                || holds(a, pose_a, b, pose_b, work)
        }
        (MeshOperand::Mesh(a), MeshOperand::Convex(b)) => convex_crosses(a, pose_a, b, pose_b, work),
        (MeshOperand::Convex(a), MeshOperand::Mesh(b)) => convex_crosses(b, pose_b, a, pose_a, work),
        (MeshOperand::Convex(a), MeshOperand::Convex(b)) => convex::intersects(a, pose_a, b, pose_b),
        _ => mesh_distance(a, pose_a, b, pose_b, &MeshDistanceParams::default(), work)?.gap <= 0.0,
    })
}
