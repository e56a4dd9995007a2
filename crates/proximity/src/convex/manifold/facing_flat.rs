//! A face of a polyhedron together with its neighbours that are flat against it.
//!
//! In: a face. Out: its polygon; or, where faces beside it lie in its plane but for the rounding of a file, the outline of them all. A plate read
//! from single precision has faces that are split along diagonals by 1e-8 of its size; with one of the pieces as its patch it would rock
//! on three of its four corners. Heights stay exact: the patch keeps the planes of all its faces.

use zerogap_core::math::tangents;
use zerogap_core::{Feature, Vec3};
use zerogap_geometry::Polyhedron;

use super::patch::{Corner, FACING, Patch};

/// How far below the plane of a face its neighbours may reach to be one with it, against the reach of the polyhedron [-]: ten times what
/// single precision leaves.
const FLAT: f64 = 1e-6;

/// Cosine of the largest angle between the normals of a face and of one in a bay of its outline [-]: 60 degrees. What is steeper there is a millionth
/// of the reach long.
const SEEN: f64 = 0.5;

/// Memory for the faces of a patch.
#[derive(Debug, Default)]
pub(super) struct Region {
    faces: Vec<u32>,
    vertices: Vec<(f64, f64, u32)>,
    outline: Vec<(f64, f64, u32)>,
}

/// Fills the patch of a face and of those that are flat against it.
pub(super) fn flat(polyhedron: &Polyhedron, face: u32, patch: &mut Patch) {
    let normal = polyhedron.normal(face as usize);
    patch.start_polygon(normal, Feature::Face(face));
    let joins = |other: u32| {
        polyhedron.normal(other as usize).dot(&normal) >= FACING && is_level(polyhedron, face, other)
    };
    let alone = !beside(polyhedron, face).any(joins);
    if alone {
        let vertices = polyhedron.vertices();
        let corners =
            polyhedron.face_vertices(face as usize).iter().zip(polyhedron.face_edges(face as usize));
        patch.corners.extend(corners.map(|(&vertex, &side)| Corner {
            point: vertices[vertex as usize],
            name: Feature::Vertex(vertex),
            side: Feature::Edge(side),
            round: 0.0,
        }));
        return;
    }
    // All that are joined to the face through others that are.
    let mut region = std::mem::take(&mut patch.region);
    region.faces.clear();
    region.faces.push(face);
    let mut next = 0;
    while let Some(&at) = region.faces.get(next) {
        for other in beside(polyhedron, at) {
            if !region.faces.contains(&other) && joins(other) {
                region.faces.push(other);
            }
        }
        next += 1;
    }
    region.outline(polyhedron, &normal);
    for k in 0..region.outline.len() {
        let (this, following) = (region.outline[k].2, region.outline[(k + 1) % region.outline.len()].2);
        patch.corners.push(Corner {
            point: polyhedron.vertices()[this as usize],
            name: Feature::Vertex(this),
            side: side(polyhedron, this, following),
            round: 0.0,
        });
    }
    region.close(polyhedron, &normal);
    patch.planes.extend(region.faces.iter().map(|&face| {
        let on_plane = polyhedron.face_vertices(face as usize)[0];
        (polyhedron.normal(face as usize), polyhedron.vertices()[on_plane as usize])
    }));
    patch.region = region;
}

/// The faces across the edges of a face.
fn beside(polyhedron: &Polyhedron, face: u32) -> impl Iterator<Item = u32> + '_ {
    polyhedron.face_edges(face as usize).iter().map(move |&edge| {
        let [left, right] = polyhedron.edges()[edge as usize].faces;
        if left == face { right } else { left }
    })
}

/// Whether all corners of a face lie in the plane of another, but for the rounding of a file.
fn is_level(polyhedron: &Polyhedron, face: u32, other: u32) -> bool {
    let floor = -FLAT * polyhedron.reach();
    let corners = polyhedron.face_vertices(other as usize).iter();
    corners
        .map(|&vertex| polyhedron.height(face as usize, &polyhedron.vertices()[vertex as usize]))
        .all(|height| height >= floor)
}

impl Region {
    /// The convex outline of all corners, counter-clockwise about the normal, as places across it and names.
    fn outline(&mut self, polyhedron: &Polyhedron, normal: &Vec3) {
        let (u, v) = tangents(normal);
        let corners = self.faces.iter().flat_map(|&face| polyhedron.face_vertices(face as usize));
        self.vertices.clear();
        self.vertices.extend(corners.map(|&vertex| {
            let p = polyhedron.vertices()[vertex as usize];
            (u.dot(&p), v.dot(&p), vertex)
        }));
        self.vertices
            .sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2)));
        self.vertices.dedup_by_key(|corner| corner.2);
        // The lower border from left to right, then the upper one back (Andrew 1979).
        self.outline.clear();
        let turns = |p: &(f64, f64, u32), q: &(f64, f64, u32), r: &(f64, f64, u32)| {
            (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0) > 0.0
        };
        let count = self.vertices.len();
        let mut base = 0;
        for k in (0..count).chain((0..count - 1).rev()) {
            let corner = self.vertices[k];
            while let [.., p, q] = &self.outline[base..]
                && !turns(p, q, &corner)
            {
                self.outline.pop();
            }
            self.outline.push(corner);
            if k == count - 1 {
                base = self.outline.len() - 1;
            }
        }
        self.outline.pop();
    }
}

impl Region {
    /// Adds the faces that show inside the outline and do not belong to it: it is convex where the faces themselves make a bay. Such a face has a corner
    /// inside the outline, for an edge that crosses a bay starts at a corner in it.
    fn close(&mut self, polyhedron: &Polyhedron, normal: &Vec3) {
        let is_corner =
            |outline: &[(f64, f64, u32)], vertex: u32| outline.iter().any(|corner| corner.2 == vertex);
        let (u, v) = tangents(normal);
        let mut next = 0;
        while let Some(&(.., vertex)) = self.vertices.get(next) {
            next += 1;
            if is_corner(&self.outline, vertex) {
                continue;
            }
            for &face in polyhedron.vertex_faces(vertex as usize) {
                let is_seen = polyhedron.normal(face as usize).dot(normal) >= SEEN;
                if !is_seen || self.faces.contains(&face) {
                    continue;
                }
                self.faces.push(face);
                for &other in polyhedron.face_vertices(face as usize) {
                    let p = polyhedron.vertices()[other as usize];
                    let (x, y) = (u.dot(&p), v.dot(&p));
                    let is_known = self.vertices.iter().any(|corner| corner.2 == other);
                    if !is_known && self.is_inside(x, y) {
                        self.vertices.push((x, y, other));
                    }
                }
            }
        }
    }

    /// Whether a place across the normal lies inside the outline.
    fn is_inside(&self, x: f64, y: f64) -> bool {
        let following = self.outline.iter().cycle().skip(1);
        self.outline
            .iter()
            .zip(following)
            .all(|(p, q)| (q.0 - p.0) * (y - p.1) - (q.1 - p.1) * (x - p.0) > 0.0)
    }
}

/// The name of the side between two corners: their edge, or for a chord a number beyond all edges.
fn side(polyhedron: &Polyhedron, from: u32, to: u32) -> Feature {
    let around = polyhedron.neighbors(from as usize).iter().zip(polyhedron.vertex_edges(from as usize));
    let edge = around.filter(|(neighbor, _)| **neighbor == to).map(|(_, &edge)| edge).next();
    Feature::Edge(edge.unwrap_or(polyhedron.edge_count() as u32 + from))
}

#[cfg(test)]
mod tests {
    use zerogap_core::Pose;
    use zerogap_geometry::ConvexShape;
    use zerogap_geometry::shape::Cuboid;
    use zerogap_testkit::random::Random;

    use super::super::{ContactParams, contacts};
    use super::*;

    /// A box whose corners are off by the rounding of single precision.
    fn rounded_box(random: &mut Random) -> Polyhedron {
        let corners = Cuboid::new(Vec3::new(1.0, 1.4, 0.6)).unwrap().corners();
        Polyhedron::from_points(&corners.map(|corner| corner + random.in_cube(3e-8))).unwrap()
    }

    #[test]
    fn faces_split_by_single_precision_are_one_patch_with_exact_heights() {
        let mut random = Random::new(5);
        let table: ConvexShape = Cuboid::new(Vec3::new(4.0, 4.0, 1.0)).unwrap().into();
        for _ in 0..200 {
            let plate = rounded_box(&mut random);
            let shape = ConvexShape::from(plate.clone());
            let axis = Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0);
            let pose =
                Pose::from_axis_angle(Vec3::new(0.3, 0.2, 0.8), axis, random.range(0.0, 1e-8)).unwrap();
            for is_swapped in [false, true] {
                let params = ContactParams::default();
                let mut manifold = contacts(&table, &Pose::identity(), &shape, &pose, &params);
                if is_swapped {
                    manifold = contacts(&shape, &pose, &table, &Pose::identity(), &params);
                    manifold.swap();
                }
                // All four corners below, each at its own height.
                assert_eq!(manifold.contacts.len(), 4, "{manifold:#?}");
                for contact in &manifold.contacts {
                    let Feature::Vertex(vertex) = contact.id.b else { panic!("{}", contact.id) };
                    let corner = pose.transform_point(&plate.vertices()[vertex as usize]);
                    assert!((contact.point_b - corner).amax() < 1e-14);
                    assert!((contact.gap - (corner.z - 0.5)).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn points_over_a_split_face_are_measured_to_the_piece_below_them() {
        let mut random = Random::new(6);
        for _ in 0..200 {
            let plate = rounded_box(&mut random);
            let shape = ConvexShape::from(plate.clone());
            let brick: ConvexShape = Cuboid::new(Vec3::new(0.3, 0.3, 0.3)).unwrap().into();
            let pose = Pose::from_translation(Vec3::new(
                random.range(-0.3, 0.3),
                random.range(-0.5, 0.5),
                0.45 + 1e-6,
            ))
            .unwrap();
            let manifold = contacts(&shape, &Pose::identity(), &brick, &pose, &ContactParams::default());
            assert!(manifold.contacts.len() >= 4);
            for contact in &manifold.contacts {
                // On the surface: no face lies below the point, and one passes through it.
                let height = |face: usize| plate.height(face, &contact.point_a);
                let top = (0..plate.face_count()).map(height).fold(f64::NEG_INFINITY, f64::max);
                assert!(top.abs() < 1e-14, "{top:e}");
            }
        }
    }

    #[test]
    fn points_over_a_bay_of_the_outline_are_on_the_surface() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            // A flat dome: some of its faces are one with the top, others are not, and the outline reaches over these.
            let mut corners = vec![-Vec3::z()];
            corners.extend((0..12).map(|_| {
                let (x, y) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0));
                Vec3::new(x, y, -1e-6 * (x * x + y * y))
            }));
            let dome = Polyhedron::from_points(&corners).unwrap();
            let brick: ConvexShape = Cuboid::new(Vec3::repeat(0.3)).unwrap().into();
            let place = Vec3::new(random.range(-0.8, 0.8), random.range(-0.8, 0.8), 0.15);
            let pose = Pose::from_translation(place).unwrap();
            let shape = ConvexShape::from(dome.clone());
            let manifold = contacts(&shape, &Pose::identity(), &brick, &pose, &ContactParams::default());
            for contact in &manifold.contacts {
                let height = |face: usize| dome.height(face, &contact.point_a);
                let top = (0..dome.face_count()).map(height).fold(f64::NEG_INFINITY, f64::max);
                assert!(top.abs() < 1e-14, "{top:e} {}", contact.id);
            }
        }
    }
}
