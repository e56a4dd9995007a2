//! Pairs of triangles of two meshes: those that cross, and those within a distance.

use zerogap_core::{Pose, Vec3};

use super::body::MeshBody;
use super::crossing::triangles_cross;
use super::distance::MeshWork;
use super::heap::Pair;
use crate::bvh::{BoundingVolume, Relative};
use crate::convex::Placement;

/// Calls `visit` with the places of triangles whose leaves are no farther than `within` [m], B's corners given in A's frame, until it says stop; whether it did.
pub(super) fn near_leaves<V: BoundingVolume>(
    a: &MeshBody<V>,
    b: &MeshBody<V>,
    at: &Placement,
    within: f64,
    open: &mut Vec<Pair>,
    mut visit: impl FnMut(u32, u32, &[Vec3; 3], &[Vec3; 3]) -> bool,
) -> bool {
    let between = Relative::new(at.R_AB, &at.p_AB, a.tree().frame(), b.tree().frame());
    let (nodes_a, nodes_b) = (a.tree().nodes(), b.tree().nodes());
    open.clear();
    open.push(Pair { key: 0.0, a: 0, b: 0 });
    while let Some(pair) = open.pop() {
        let (x, y) = (&nodes_a[pair.a as usize], &nodes_b[pair.b as usize]);
        if x.volume.separation(&y.volume, &between, within) > within {
            continue;
        }
        if x.is_leaf() && y.is_leaf() {
            for pb in y.first..y.first + y.count {
                let corners = b.at(pb as usize).map(|p| at.to_a(&p));
                for pa in x.first..x.first + x.count {
                    if visit(pa, pb, a.at(pa as usize), &corners) {
                        return true;
                    }
                }
            }
        } else if y.is_leaf()
            || (!x.is_leaf() && x.volume.size() * between.unit_a >= y.volume.size() * between.unit_b)
        {
            open.extend([1, 0].map(|k| Pair { a: x.first + k, ..pair }));
        } else {
            open.extend([1, 0].map(|k| Pair { b: y.first + k, ..pair }));
        }
    }
    false
}

/// Whether two surfaces have a point in common.
pub(super) fn surfaces_cross<V: BoundingVolume>(
    a: &MeshBody<V>,
    pose_a: &Pose,
    b: &MeshBody<V>,
    pose_b: &Pose,
    work: &mut MeshWork,
) -> bool {
    let at = Placement::new(pose_a, pose_b);
    near_leaves(a, b, &at, 0.0, &mut work.open, |_, _, x, y| triangles_cross(x, y))
}

/// All pairs of triangles, of A and of B, that have a point in common, by the meshes' numbers, in ascending order.
///
/// Decided exactly, for B's corners as rounded in A's frame; touching counts. `pairs` is filled anew.
pub fn crossing_pairs_into<V: BoundingVolume>(
    a: &MeshBody<V>,
    pose_a: &Pose,
    b: &MeshBody<V>,
    pose_b: &Pose,
    work: &mut MeshWork,
    pairs: &mut Vec<[u32; 2]>,
) {
    pairs.clear();
    let at = Placement::new(pose_a, pose_b);
    near_leaves(a, b, &at, 0.0, &mut work.open, |pa, pb, x, y| {
        if triangles_cross(x, y) {
            pairs.push([a.triangle(pa), b.triangle(pb)]);
        }
        false
    });
    pairs.sort_unstable();
}
