//! Whether bytes that were read describe a convex polyhedron: they may have been made by anyone.
//!
//! In: vertices, faces, normals and neighbours as stored. Out: the topology, or why there is none. Called when a polyhedron is read back.

use zerogap_core::error::{check_coordinates, check_unit};
use zerogap_core::{Aabb, Vec3};

use super::topology::{Rows, Topology, of_faces};
use crate::GeometryError;

/// How far a vertex may lie above a face that it is near, against the bounding diagonal [-]: polyhedra promise 1e-12, and coordinates far from the origin are rounded more coarsely.
const ABOVE: f64 = 1e-9;

/// Why stored parts are not those of a polyhedron.
#[derive(Debug, thiserror::Error)]
pub(super) enum PartsError {
    /// A coordinate or a normal is unusable.
    #[error(transparent)]
    Input(#[from] GeometryError),
    /// The counts do not fit each other, or a vertex does not exist.
    #[error("its faces and neighbours do not fit its {vertices} vertices")]
    Counts { vertices: usize },
    /// The faces do not close a surface.
    #[error("its {faces} faces do not close a surface without holes")]
    Open { faces: usize },
    /// A vertex lies above a face next to it, or beside the plane of its own.
    #[error("vertex {vertex} lies {height:e} m above face {face}")]
    NotConvex { vertex: u32, face: usize, height: f64 },
}

/// Returns the topology that follows from the faces, where these close a convex surface.
pub(super) fn check(
    vertices: &[Vec3],
    faces: Rows,
    normals: &[Vec3],
    neighbors: &Rows,
) -> Result<Topology, PartsError> {
    for vertex in vertices {
        check_coordinates("a vertex of the polyhedron", *vertex).map_err(GeometryError::from)?;
    }
    for normal in normals {
        check_unit("a normal of the polyhedron", normal).map_err(GeometryError::from)?;
    }
    let count = vertices.len();
    let is_known = |rows: &Rows| rows.items().iter().all(|&vertex| (vertex as usize) < count);
    let at_least = |rows: &Rows, min: usize| (0..rows.len()).all(|row| rows.row(row).len() >= min);
    let fits = count >= 4 && faces.len() == normals.len() && neighbors.len() == count;
    if !(fits && is_known(&faces) && is_known(neighbors) && at_least(&faces, 3) && at_least(neighbors, 3)) {
        return Err(PartsError::Counts { vertices: count });
    }
    let face_count = faces.len();
    let topology = of_faces(count, faces).ok_or(PartsError::Open { faces: face_count })?;
    // One fan of faces around every vertex, and no second surface.
    let is_one_fan = topology.vertex_faces.items().len() == topology.face_vertices.items().len();
    let is_one_surface = count + face_count == topology.edges.len() + 2;
    if !(is_one_fan && is_one_surface && at_least(&topology.neighbors, 3)) {
        return Err(PartsError::Open { faces: face_count });
    }
    check_convex(vertices, normals, &topology)?;
    Ok(topology)
}

/// Checks every face against its neighbours: a closed surface that is convex across every edge is convex.
fn check_convex(vertices: &[Vec3], normals: &[Vec3], topology: &Topology) -> Result<(), PartsError> {
    let bounds = Aabb::from_points(vertices);
    let room = ABOVE * bounds.diagonal() + f64::EPSILON * 16.0 * bounds.center().amax();
    for (face, normal) in normals.iter().enumerate() {
        let corners = topology.face_vertices.row(face);
        let on = vertices[corners[0] as usize];
        let height = |vertex: u32| normal.dot(&(vertices[vertex as usize] - on));
        for &vertex in corners {
            if height(vertex).abs() > room {
                return Err(PartsError::NotConvex { vertex, face, height: height(vertex) });
            }
        }
        let around = corners.iter().flat_map(|&corner| topology.neighbors.row(corner as usize));
        if let Some(&vertex) = around.clone().find(|&&vertex| height(vertex) > room) {
            return Err(PartsError::NotConvex { vertex, face, height: height(vertex) });
        }
    }
    Ok(())
}
