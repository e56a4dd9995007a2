//! Whether a point lies inside a mesh, and which point of the surface is nearest to it.

use zerogap_core::Vec3;
use zerogap_geometry::nearest::on_triangle;

use super::body::MeshBody;
use super::crossing::{Passage, passage};
use super::heap::Pair;
use crate::bvh::BoundingVolume;

/// Directions of the rays that are tried one after the other: none along an axis or a diagonal, where meshes have their edges.
const RAYS: [[f64; 3]; 5] = [
    [0.537_423, 0.271_829, 0.798_321],
    [-0.623_178, 0.707_313, 0.333_641],
    [0.181_437, -0.893_271, 0.411_329],
    [-0.377_171, -0.419_223, -0.825_731],
    [0.913_121, 0.137_723, -0.383_777],
];

/// The winding number above which a point is inside [-].
const INSIDE: f64 = 0.5;

/// The point of a surface nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestOnMesh {
    /// The point of the surface [m].
    pub point: Vec3,
    /// How far it is [m].
    pub distance: f64,
    /// The triangle that holds it, by the mesh's number.
    pub triangle: u32,
    /// The corners of the triangle that hold it: a bit for each.
    pub held: u8,
}

impl<V: BoundingVolume> MeshBody<V> {
    /// The winding number of a point [-]: 1 inside a closed mesh that faces outward and 0 outside; a part of 1 near an open one.
    ///
    /// Method: closed meshes, signed crossings of a ray, each decided exactly; where five rays in turn meet edges or corners, and for open meshes, the sum of solid angles
    ///   (Jacobson et al. 2013). Cost: O(log n) for a closed mesh, O(n) for an open one.
    pub fn winding_number(&self, point: &Vec3) -> f64 {
        self.winding_with(point, &mut Vec::new())
    }

    /// Whether a point lies inside, by its winding number: on a dirty mesh the side that most of the surface around it says. Points on the surface itself count as inside.
    pub fn contains(&self, point: &Vec3) -> bool {
        self.contains_with(point, &mut Vec::new())
    }

    pub(super) fn contains_with(&self, point: &Vec3, open: &mut Vec<Pair>) -> bool {
        let placed = self.tree().frame().place(point);
        if self.is_closed() && self.tree().nodes()[0].volume.distance_from(&placed) > 0.0 {
            return false;
        }
        self.winding_with(point, open) > INSIDE || self.nearest_with(point, 0.0, open).is_some()
    }

    fn winding_with(&self, point: &Vec3, open: &mut Vec<Pair>) -> f64 {
        if self.is_closed() {
            for [x, y, z] in RAYS {
                if let Some(turns) = self.crossings(point, &Vec3::new(x, y, z), open) {
                    return turns as f64;
                }
            }
        }
        self.mesh().winding_number(point)
    }

    /// How often the surface is left less how often it is entered on the way from a point along a direction; none where that is unclear.
    fn crossings(&self, from: &Vec3, direction: &Vec3, open: &mut Vec<Pair>) -> Option<i64> {
        let frame = self.tree().frame();
        // Out of the mesh from wherever the point is.
        let to = from + direction * (8.0 * frame.unit + 4.0 * (from - frame.origin).norm());
        let (start, end) = (frame.place(from), frame.place(&to));
        let all = self.tree().nodes();
        let pair = |node: u32| Pair { key: 0.0, a: node, b: 0 };
        open.clear();
        open.push(pair(0));
        let mut turns = 0;
        while let Some(Pair { a: index, .. }) = open.pop() {
            let node = &all[index as usize];
            if !node.volume.meets_segment(&start, &end) {
                continue;
            }
            if !node.is_leaf() {
                open.extend([pair(node.first), pair(node.first + 1)]);
                continue;
            }
            for place in node.first..node.first + node.count {
                match passage(from, &to, self.at(place as usize)) {
                    Passage::Beside => {}
                    Passage::Inward => turns -= 1,
                    Passage::Outward => turns += 1,
                    Passage::Unclear => return None,
                }
            }
        }
        Some(turns)
    }

    /// The point of the surface nearest to a point.
    pub fn nearest_point(&self, point: &Vec3) -> NearestOnMesh {
        let nowhere = NearestOnMesh { point: *point, distance: f64::INFINITY, triangle: 0, held: 1 };
        self.nearest_with(point, f64::INFINITY, &mut Vec::new()).unwrap_or(nowhere)
    }

    /// The nearest point of the surface that is no farther than `limit` [m].
    pub(super) fn nearest_with(
        &self,
        point: &Vec3,
        limit: f64,
        open: &mut Vec<Pair>,
    ) -> Option<NearestOnMesh> {
        let found = self.nearest_place(point, limit, open)?;
        Some(NearestOnMesh { triangle: self.triangle(found.triangle), ..found })
    }

    /// The same, with the triangle by its place in the tree's order.
    pub(super) fn nearest_place(
        &self,
        point: &Vec3,
        limit: f64,
        open: &mut Vec<Pair>,
    ) -> Option<NearestOnMesh> {
        self.nearest_place_among(point, limit, open, |_| true)
    }

    /// The nearest point of those triangles that `counts` says yes to; it may visit every triangle that does not count.
    pub(super) fn nearest_among(
        &self,
        point: &Vec3,
        open: &mut Vec<Pair>,
        counts: impl Fn(&[Vec3; 3]) -> bool,
    ) -> Option<NearestOnMesh> {
        let found = self.nearest_place_among(point, f64::INFINITY, open, counts)?;
        Some(NearestOnMesh { triangle: self.triangle(found.triangle), ..found })
    }

    #[inline]
    fn nearest_place_among(
        &self,
        point: &Vec3,
        limit: f64,
        open: &mut Vec<Pair>,
        counts: impl Fn(&[Vec3; 3]) -> bool,
    ) -> Option<NearestOnMesh> {
        let frame = self.tree().frame();
        let placed = frame.place(point);
        let all = self.tree().nodes();
        let mut best: Option<NearestOnMesh> = None;
        let bound = |node: u32| Pair {
            key: all[node as usize].volume.distance_from(&placed) * frame.unit,
            a: node,
            b: 0,
        };
        open.clear();
        open.push(bound(0));
        while let Some(pair) = open.pop() {
            let upper = best.map_or(limit, |b| b.distance);
            if pair.key > upper || (best.is_some() && pair.key >= upper) {
                continue;
            }
            let node = &all[pair.a as usize];
            if !node.is_leaf() {
                let (left, right) = (bound(node.first), bound(node.first + 1));
                open.extend(if left.key <= right.key { [right, left] } else { [left, right] });
                continue;
            }
            for place in node.first..node.first + node.count {
                let on = on_triangle(self.at(place as usize), point);
                let distance = (on.point - point).norm();
                let upper = best.map_or(limit, |b| b.distance);
                let nearer = distance < upper || (best.is_none() && distance <= limit);
                if nearer && counts(self.at(place as usize)) {
                    let held = (0..3).map(|k| u8::from(on.held_by[k]) << k).sum();
                    best = Some(NearestOnMesh { point: on.point, distance, triangle: place, held });
                }
            }
        }
        best
    }
}
