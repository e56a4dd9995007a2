//! The solid being decomposed: welded surface, signed distance, and the edges where it is not convex.
//!
//! In: a triangle mesh. Out: one [`Solid`] per connected body (a cavity belongs to the body around it), in the order of their first
//! triangle. Refused: surfaces that are open, not manifold, contradictory or inside out.

use std::collections::BTreeMap;

use zerogap_core::{Vec3, math};

use super::tree::Tree;
use crate::mesh::edges::shell_members;
use crate::{GeometryError, TriangleMesh};

/// Edges that turn outward by less than this count as flat [rad]: the noise of coordinates written with seven digits.
const FLAT_ANGLE: f64 = 1e-6;

/// An edge where the surface is concave.
#[derive(Debug, Clone)]
pub(super) struct ReflexEdge {
    pub(super) ends: [Vec3; 2],
    /// Unit normals of the two faces.
    pub(super) normals: [Vec3; 2],
    /// How strongly it is concave: length times the sine of the turn [m].
    pub(super) weight: f64,
}

/// Where the surface is nearest to a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Signed distance [m]: positive outside.
    pub(super) gap: f64,
    pub(super) point: Vec3,
}

/// A closed body.
pub(super) struct Solid {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Unit normal of each triangle.
    pub(super) normals: Vec<Vec3>,
    pub(super) reflex: Vec<ReflexEdge>,
    pub(super) volume: f64,
    /// Normals that decide the side of a point whose nearest surface point is a vertex, or lies on an edge (Baerentzen 2005).
    vertex_normals: Vec<Vec3>,
    edge_normals: Vec<[Vec3; 3]>,
    tree: Tree,
}

/// Directed edges and the triangle and slot that run through them.
type Edges = BTreeMap<(u32, u32), (usize, usize)>;

impl Solid {
    /// The bodies that a mesh encloses.
    pub(super) fn from_mesh(mesh: &TriangleMesh) -> Result<Vec<Self>, GeometryError> {
        let (vertices, triangles) = closed_surface(mesh)?;
        let shells = shell_members(&triangles);
        let origin = mesh.bounding_box().center();
        let volume_of = |shell: &[usize]| -> f64 {
            shell
                .iter()
                .map(|&t| {
                    let [a, b, c] = triangles[t].map(|i| vertices[i as usize] - origin);
                    a.dot(&b.cross(&c)) / 6.0
                })
                .sum()
        };
        let (outer, voids): (Vec<_>, Vec<_>) =
            shells.into_iter().map(|shell| (volume_of(&shell), shell)).partition(|(volume, _)| *volume > 0.0);
        let total: f64 = outer.iter().chain(&voids).map(|(volume, _)| volume).sum();
        if outer.is_empty() || total <= 0.0 {
            return Err(GeometryError::InsideOut { volume: total });
        }
        let build = |shell: &[usize]| Self::build(&vertices, shell.iter().map(|&t| triangles[t]).collect());
        let mut bodies: Vec<(f64, Vec<usize>, Self)> =
            outer.into_iter().map(|(volume, shell)| (volume, shell.clone(), build(&shell))).collect();
        // Each cavity joins the smallest body around it; a cavity around nothing is a body inside out.
        for (volume, shell) in voids {
            let inside = vertices[triangles[shell[0]][0] as usize];
            let home = bodies
                .iter_mut()
                .filter(|(_, _, body)| body.nearest(&inside).gap < 0.0)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, home, _)) = home else { return Err(GeometryError::InsideOut { volume }) };
            home.extend(shell);
        }
        Ok(bodies
            .into_iter()
            .map(|(_, shell, body)| if shell.len() == body.triangles.len() { body } else { build(&shell) })
            .collect())
    }

    fn build(all: &[Vec3], triangles: Vec<[u32; 3]>) -> Self {
        // Only the vertices of this body, in their old order.
        let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let vertices: Vec<Vec3> = used.iter().map(|&i| all[i as usize]).collect();
        let triangles: Vec<[u32; 3]> = triangles
            .into_iter()
            .map(|t| t.map(|i| used.binary_search(&i).map_or(0, |place| place as u32)))
            .collect();
        let corners: Vec<[Vec3; 3]> = triangles.iter().map(|t| t.map(|i| vertices[i as usize])).collect();
        let normals: Vec<Vec3> = corners.iter().map(normal).collect();
        let edges = directed_edges(&triangles);
        let mut vertex_normals = vec![Vec3::zeros(); vertices.len()];
        let mut edge_normals = vec![[Vec3::zeros(); 3]; triangles.len()];
        let mut reflex = Vec::new();
        for (t, triangle) in triangles.iter().enumerate() {
            for k in 0..3 {
                let [a, b, c] = [0, 1, 2].map(|s| corners[t][(k + s) % 3]);
                vertex_normals[triangle[k] as usize] += normals[t] * math::angle_between(&(b - a), &(c - a));
                let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
                let Some(&(other, _)) = edges.get(&(to, from)) else { continue };
                edge_normals[t][k] = normals[t] + normals[other];
                if from < to {
                    let turn = normals[t].cross(&normals[other]).dot(&(b - a).normalize());
                    if turn < -FLAT_ANGLE || (turn <= 0.0 && normals[t].dot(&normals[other]) < 0.0) {
                        reflex.push(ReflexEdge {
                            ends: [a, b],
                            normals: [normals[t], normals[other]],
                            weight: (b - a).norm() * turn.abs(),
                        });
                    }
                }
            }
        }
        let origin = vertices.first().copied().unwrap_or_default();
        let volume =
            corners.iter().map(|c| (c[0] - origin).dot(&(c[1] - origin).cross(&(c[2] - origin))) / 6.0).sum();
        let tree = Tree::new(&corners);
        Self { vertices, triangles, normals, reflex, volume, vertex_normals, edge_normals, tree }
    }

    /// The nearest surface point and the signed distance.
    pub(super) fn nearest(&self, p: &Vec3) -> Nearest {
        let hit = self.tree.nearest(p);
        let t = hit.triangle as usize;
        // Which corner or edge the nearest point lies on decides whose normal determines the side.
        let outward = match hit.held_by {
            [true, true, true] => self.normals[t],
            [true, true, false] => self.edge_normals[t][0],
            [false, true, true] => self.edge_normals[t][1],
            [true, false, true] => self.edge_normals[t][2],
            [true, false, false] => self.vertex_normals[self.triangles[t][0] as usize],
            [false, true, false] => self.vertex_normals[self.triangles[t][1] as usize],
            [false, false, _] => self.vertex_normals[self.triangles[t][2] as usize],
        };
        let away = p - hit.point;
        Nearest { gap: away.norm().copysign(away.dot(&outward)), point: hit.point }
    }
}

/// Unit normal; zero for a triangle without area.
fn normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default()
}

/// Welded vertices and the triangles that keep three corners, if every edge joins two of them that agree.
fn closed_surface(mesh: &TriangleMesh) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), GeometryError> {
    let topology = mesh.topology();
    if !topology.watertight {
        let first = topology.first_defect.unwrap_or_default();
        return Err(GeometryError::NotClosed {
            boundary_edges: topology.boundary_edges,
            non_manifold_edges: topology.non_manifold_edges,
            orientation_conflicts: topology.orientation_conflicts,
            x: first.x,
            y: first.y,
            z: first.z,
        });
    }
    let welded = mesh.welded(0.0)?;
    let keeps_corners = |&&[a, b, c]: &&[u32; 3]| a != b && b != c && c != a;
    let triangles = welded.triangles().iter().filter(keeps_corners).copied().collect();
    Ok((welded.vertices().to_vec(), triangles))
}

/// The triangle and slot that run through each directed edge.
fn directed_edges(triangles: &[[u32; 3]]) -> Edges {
    let sides = |(t, triangle): (usize, &[u32; 3])| {
        let [a, b, c] = *triangle;
        [((a, b), (t, 0)), ((b, c), (t, 1)), ((c, a), (t, 2))]
    };
    triangles.iter().enumerate().flat_map(sides).collect()
}
