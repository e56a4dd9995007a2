//! Quickhull: grows a tetrahedron by the farthest outside point until no point is outside.
//!
//! In: points that span space and a tetrahedron of four of them. Out: the triangles of the hull's surface, outward, closed, each
//! edge shared by two. Coplanar points leave coplanar triangles behind; merging them is the caller's business.
//! Every decision "is this point strictly above this triangle" is exact, so that there is nothing to repair afterwards: the
//! visible triangles are always one disc, the horizon one ring, and no triangle is ever degenerate.

use zerogap_core::Vec3;

use super::exact::side;

/// Marks a slot without a live triangle, or a triangle without outside points.
const NONE: u32 = u32::MAX;

/// Unit roundoff of f64 [-].
const ROUNDOFF: f64 = 0.5 * f64::EPSILON;

/// How many roundoffs the height over a triangle can be wrong, in units of the permanent (see [`Face::bound`]): one for each
/// of the two differences, one product and one sum in a minor, and the difference, product and two sums of the dot product make
/// 8; two more cover the products of errors.
const HEIGHT_ROUNDOFFS: f64 = 10.0;

/// Absolute part of the error bound: covers underflow in coordinates below 2.
const UNDERFLOW_BOUND: f64 = 1e-290;

/// A closed surface of triangles.
pub(crate) struct Triangulation {
    /// Corners of each triangle, counter-clockwise seen from outside.
    pub(crate) corners: Vec<[u32; 3]>,
    /// The triangle across the edge from corner k to corner k + 1.
    pub(crate) neighbors: Vec<[u32; 3]>,
}

/// A triangle of the growing hull: one cache line.
struct Face {
    /// Corners, counter-clockwise seen from outside.
    corners: [u32; 3],
    /// The triangle across the edge from corner k to corner k + 1.
    neighbors: [u32; 3],
    /// Normal, not of unit length: twice the area.
    normal: Vec3,
    /// If the height `normal · (p - corner)` computed for some point of the set exceeds this, its sign is right.
    bound: f64,
    /// The list of points above this triangle, or `NONE`.
    outside: u32,
    /// When this triangle was last checked, and whether it was visible then: `2 step + visible`.
    mark: u32,
}

/// A point waiting above a triangle; coordinates travel along so that lists are read in one stream.
#[derive(Clone, Copy)]
struct Outside {
    point: Vec3,
    index: u32,
}

/// An edge between a triangle that the new point sees and one that it does not see.
#[derive(Clone, Copy)]
struct HorizonEdge {
    /// First corner, in the direction of the visible triangle.
    from: u32,
    /// Second corner.
    to: u32,
    /// The hidden triangle.
    beyond: u32,
    /// Which of its edges this is.
    slot: u32,
}

/// The growing hull.
struct Builder<'a> {
    points: &'a [Vec3],
    /// Side lengths of the set's bounding box.
    extent: Vec3,
    faces: Vec<Face>,
    free_faces: Vec<u32>,
    lists: Vec<Vec<Outside>>,
    free_lists: Vec<u32>,
    /// Triangles that may have outside points.
    pending: Vec<u32>,
    /// For each point on the current horizon: the new triangle whose horizon edge starts there.
    starts: Vec<u32>,
    /// Triangles that the point being added sees.
    visible: Vec<u32>,
    /// The edges around them.
    horizon: Vec<HorizonEdge>,
    /// The triangles that replace the visible ones.
    fresh: Vec<u32>,
    step: u32,
}

/// The surface of the hull of `points`, whose bounding box has side lengths `extent` and in which `simplex` is a tetrahedron with
/// its fourth corner below the first three. Only `candidates` can be on the hull; the simplex is.
///
/// Method: Barber, Dobkin, Huhdanpaa 1996, with exact signs. A point is tested against an approximate plane with an error bound
///   first; only when that cannot decide, the exact determinant is evaluated.
/// Tolerance: none; no point lies above any triangle.
/// Cost: O(n log n) expected for n points in general position; O(n) memory.
/// Order: depends on the order of the points alone.
pub(crate) fn quick_hull(
    points: &[Vec3],
    candidates: &[u32],
    extent: Vec3,
    simplex: [usize; 4],
) -> Triangulation {
    let mut builder = Builder {
        points,
        extent,
        faces: Vec::new(),
        free_faces: Vec::new(),
        lists: Vec::new(),
        free_lists: Vec::new(),
        pending: Vec::new(),
        starts: vec![NONE; points.len()],
        visible: Vec::new(),
        horizon: Vec::new(),
        fresh: Vec::new(),
        step: 0,
    };
    builder.start(simplex.map(|index| index as u32), candidates);
    while let Some(face) = builder.pending.pop() {
        let list = builder.faces[face as usize].outside;
        if list != NONE {
            builder.add_farthest(face, list);
        }
    }
    builder.finish()
}

impl Builder<'_> {
    /// Makes the tetrahedron and sorts the candidates into its outside lists.
    fn start(&mut self, [a, b, c, d]: [u32; 4], candidates: &[u32]) {
        // Neighbours follow the edge order: 0 is the base, 1 to 3 stand on its edges ab, bc, ca.
        self.push_face([a, b, c], [1, 2, 3]);
        self.push_face([b, a, d], [0, 3, 2]);
        self.push_face([c, b, d], [0, 1, 3]);
        self.push_face([a, c, d], [0, 2, 1]);
        let fresh = [0, 1, 2, 3];
        for &index in candidates {
            self.assign(&fresh, Outside { point: self.points[index as usize], index });
        }
        self.finish_lists(&fresh);
    }

    /// Stores a triangle and returns where.
    fn push_face(&mut self, corners: [u32; 3], neighbors: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|index| self.points[index as usize]);
        let (u, v) = (a - c, b - c);
        let permanent = Vec3::new(
            (u.y * v.z).abs() + (u.z * v.y).abs(),
            (u.z * v.x).abs() + (u.x * v.z).abs(),
            (u.x * v.y).abs() + (u.y * v.x).abs(),
        );
        let bound = HEIGHT_ROUNDOFFS * ROUNDOFF * permanent.dot(&self.extent) + UNDERFLOW_BOUND;
        let face = Face { corners, neighbors, normal: u.cross(&v), bound, outside: NONE, mark: 0 };
        if let Some(slot) = self.free_faces.pop() {
            self.faces[slot as usize] = face;
            slot
        } else {
            self.faces.push(face);
            self.faces.len() as u32 - 1
        }
    }

    /// Whether a point lies strictly above a triangle.
    #[inline]
    fn above(&self, face: &Face, p: &Vec3) -> bool {
        let [a, b, c] = face.corners;
        let base = self.points[c as usize];
        let height = face.normal.dot(&(p - base));
        if height.abs() > face.bound {
            return height > 0.0;
        }
        // Too close to call in plain arithmetic.
        side(&self.points[a as usize], &self.points[b as usize], &base, p) > 0.0
    }

    /// Puts a point into the list of the first triangle that it lies above, or drops it: then it is inside for good.
    #[inline]
    fn assign(&mut self, fresh: &[u32], outside: Outside) {
        for &id in fresh {
            let face = &self.faces[id as usize];
            if !self.above(face, &outside.point) {
                continue;
            }
            let list = face.outside;
            let list = if list == NONE { self.new_list(id) } else { list };
            self.lists[list as usize].push(outside);
            return;
        }
    }

    /// Gives a triangle an empty list.
    fn new_list(&mut self, face: u32) -> u32 {
        let list = self.free_lists.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            self.lists.len() as u32 - 1
        });
        self.faces[face as usize].outside = list;
        list
    }

    /// Moves the farthest point of each new list to its end, and queues the triangles that have one.
    fn finish_lists(&mut self, fresh: &[u32]) {
        for &id in fresh {
            let face = &self.faces[id as usize];
            if face.outside == NONE {
                continue;
            }
            let list = &mut self.lists[face.outside as usize];
            let mut best = (0, f64::NEG_INFINITY);
            for (k, outside) in list.iter().enumerate() {
                let height = face.normal.dot(&outside.point);
                if height > best.1 {
                    best = (k, height);
                }
            }
            let last = list.len() - 1;
            list.swap(best.0, last);
            self.pending.push(id);
        }
    }

    /// Adds the last point of the list above a triangle to the hull.
    fn add_farthest(&mut self, face: u32, list: u32) {
        let Some(apex) = self.lists[list as usize].pop() else { return };
        self.step += 1;
        self.find_horizon(face, &apex.point);

        // One new triangle over each horizon edge; ring neighbours find each other through the corner they share.
        let (visible, horizon) = (std::mem::take(&mut self.visible), std::mem::take(&mut self.horizon));
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        for edge in &horizon {
            let id = self.push_face([edge.from, edge.to, apex.index], [edge.beyond, NONE, NONE]);
            self.faces[edge.beyond as usize].neighbors[edge.slot as usize] = id;
            self.starts[edge.from as usize] = id;
            fresh.push(id);
        }
        for (&id, edge) in fresh.iter().zip(&horizon) {
            let next = self.starts[edge.to as usize];
            self.faces[id as usize].neighbors[1] = next;
            self.faces[next as usize].neighbors[2] = id;
        }

        // The points above the vanished triangles move to the new ones.
        for &id in &visible {
            let list = std::mem::replace(&mut self.faces[id as usize].outside, NONE);
            self.faces[id as usize].corners[0] = NONE;
            if list != NONE {
                let mut waiting = std::mem::take(&mut self.lists[list as usize]);
                for &outside in &waiting {
                    self.assign(&fresh, outside);
                }
                waiting.clear();
                self.lists[list as usize] = waiting;
                self.free_lists.push(list);
            }
        }
        self.finish_lists(&fresh);
        self.free_faces.extend_from_slice(&visible);
        (self.visible, self.horizon, self.fresh) = (visible, horizon, fresh);
    }

    /// Finds the triangles that `p` lies strictly above, starting from one of them, and the edges around them.
    fn find_horizon(&mut self, face: u32, p: &Vec3) {
        let (seen, hidden) = (2 * self.step + 1, 2 * self.step);
        self.faces[face as usize].mark = seen;
        self.visible.clear();
        self.horizon.clear();
        self.visible.push(face);
        let mut next = 0;
        while let Some(&id) = self.visible.get(next) {
            next += 1;
            let Face { corners, neighbors, .. } = self.faces[id as usize];
            for k in 0..3 {
                let beyond = neighbors[k];
                let face = &self.faces[beyond as usize];
                if face.mark == seen {
                    continue;
                }
                if face.mark != hidden {
                    let above = self.above(face, p);
                    self.faces[beyond as usize].mark = if above { seen } else { hidden };
                    if above {
                        self.visible.push(beyond);
                        continue;
                    }
                }
                let around = &self.faces[beyond as usize].neighbors;
                let slot = around.iter().position(|&n| n == id).unwrap_or(0) as u32;
                self.horizon.push(HorizonEdge { from: corners[k], to: corners[(k + 1) % 3], beyond, slot });
            }
        }
    }

    /// The triangles that are left, numbered without holes.
    fn finish(&self) -> Triangulation {
        let mut number = vec![NONE; self.faces.len()];
        let mut count = 0;
        for (slot, face) in number.iter_mut().zip(&self.faces) {
            if face.corners[0] != NONE {
                *slot = count;
                count += 1;
            }
        }
        let live = || self.faces.iter().filter(|face| face.corners[0] != NONE);
        Triangulation {
            corners: live().map(|face| face.corners).collect(),
            neighbors: live().map(|face| face.neighbors.map(|id| number[id as usize])).collect(),
        }
    }
}
