//! What every polyhedron must satisfy, whatever it was made of.

use zerogap_core::{Aabb, Vec3};
use zerogap_geometry::{Convex, Polyhedron};
use zerogap_testkit::exact::height_over_plane;

/// Greatest distance of an input point from the polyhedron, relative to the bounding diagonal.
pub(crate) const OUTSIDE: f64 = 1e-12;

/// Greatest depth of a face's vertex below the face's plane, and of a dent in its outline, relative to the bounding diagonal.
pub(crate) const FACE: f64 = 1e-13;

/// Checks topology, convexity, and that the polyhedron contains the points that it was made of.
pub(crate) fn check(polyhedron: &Polyhedron, points: &[Vec3]) {
    let size = Aabb::from_points(points).diagonal();
    check_topology(polyhedron);
    check_faces(polyhedron, size);
    for p in points {
        let outside = (0..polyhedron.face_count()).map(|face| polyhedron.height(face, p)).fold(0.0, f64::max);
        assert!(outside <= OUTSIDE * size, "a point lies {:e} of the size above a plane", outside / size);
        let gap = polyhedron.closest_point(p).gap;
        assert!(gap <= OUTSIDE * size, "a point lies {:e} of the size outside", gap / size);
    }
    // Strictly inside, unless the polyhedron is a needle so thin, or so far away, that rounding the coordinates of a point carries
    // it through.
    let center = polyhedron.interior_point();
    let needle = polyhedron.volume() < 1e-13 * size * size * size || size < 1e-3 * center.norm();
    let margin = if needle { 4.0 * f64::EPSILON * (size + center.norm()) } else { 0.0 };
    assert!(
        (0..polyhedron.face_count()).all(|face| polyhedron.height(face, &center) < margin),
        "centre outside"
    );
    assert!(polyhedron.volume() > 0.0);
}

/// Euler's formula, and that all incidences tell the same story.
fn check_topology(polyhedron: &Polyhedron) {
    let (v, e, f) = (polyhedron.vertices().len(), polyhedron.edge_count(), polyhedron.face_count());
    assert_eq!(v + f, e + 2, "Euler: {v} vertices, {e} edges, {f} faces");
    for (index, edge) in polyhedron.edges().iter().enumerate() {
        let [a, b] = edge.vertices;
        assert_ne!(edge.faces[0], edge.faces[1]);
        for (face, from, to) in [(edge.faces[0], a, b), (edge.faces[1], b, a)] {
            let corners = polyhedron.face_vertices(face as usize);
            let k = polyhedron.face_edges(face as usize).iter().position(|&id| id as usize == index).unwrap();
            assert_eq!((corners[k], corners[(k + 1) % corners.len()]), (from, to));
        }
        for (from, to) in [(a, b), (b, a)] {
            assert_eq!(polyhedron.neighbors(from as usize).iter().filter(|&&n| n == to).count(), 1);
        }
    }
    let mut corner_count = 0;
    for vertex in 0..v {
        let (neighbors, edges, faces) =
            (polyhedron.neighbors(vertex), polyhedron.vertex_edges(vertex), polyhedron.vertex_faces(vertex));
        assert!(neighbors.len() >= 3 && neighbors.len() == edges.len() && edges.len() == faces.len());
        corner_count += neighbors.len();
        for k in 0..neighbors.len() {
            let next = (k + 1) % neighbors.len();
            assert!(polyhedron.edges()[edges[k] as usize].vertices.contains(&neighbors[k]));
            assert!(polyhedron.edges()[edges[k] as usize].vertices.contains(&(vertex as u32)));
            for edge in [edges[k], edges[next]] {
                assert!(polyhedron.face_edges(faces[k] as usize).contains(&edge));
            }
        }
    }
    assert_eq!(corner_count, 2 * e);
}

/// Every face is outward, flat, convex, and its plane lies above all vertices.
fn check_faces(polyhedron: &Polyhedron, size: f64) {
    let at = |index: u32| polyhedron.vertices()[index as usize];
    for face in 0..polyhedron.face_count() {
        let (corners, normal) = (polyhedron.face_vertices(face), polyhedron.normal(face));
        assert!((normal.norm() - 1.0).abs() < 1e-15);
        let n = corners.len();
        assert!(n >= 3);
        for (k, &corner) in corners.iter().enumerate() {
            let (a, b, c) = (at(corner), at(corners[(k + 1) % n]), at(corners[(k + 2) % n]));
            assert!(polyhedron.height(face, &a).abs() <= FACE * size, "face {face} is not flat");
            let turn = normal.dot(&(b - a).cross(&(c - b)));
            assert!(turn >= -FACE * size * (c - a).norm(), "face {face} has a dent of {turn:e}");
        }
        for p in polyhedron.vertices() {
            assert!(polyhedron.height(face, p) <= FACE * size, "face {face} is not outward");
        }
        // The plane's normal against exact arithmetic, through three corners; in a face as narrow as the tolerance they say nothing.
        let a = at(corners[0]);
        let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
            (1..n).max_by(|&i, &j| measure(&at(corners[i])).total_cmp(&measure(&at(corners[j])))).unwrap_or(1)
        };
        let i = farthest(&|p| (p - a).norm());
        let along = (at(corners[i]) - a).normalize();
        let j = farthest(&|p| (p - a).cross(&along).norm());
        if (at(corners[j]) - a).cross(&along).norm() > 4.0 * FACE * size {
            let (b, c) = (at(corners[i.min(j)]), at(corners[i.max(j)]));
            assert!(height_over_plane(&a, &b, &c, &(a + normal * size)) > 0.0, "face {face} points inward");
        }
    }
}
