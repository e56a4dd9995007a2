//! A patch: the flat part of a shape that faces a direction, as a point, a segment or a convex polygon with named corners and sides.
//!
//! In: corners of a shape in its own frame. Out: the same in A's frame, counter-clockwise seen against the contact normal. Overwritten for
//! every query; keeps its memory.

use zerogap_core::{Feature, Vec3};

use super::facing_flat::Region;

/// Cosine of the largest angle between a face's normal and the direction that it still faces [-]: 10 degrees.
///
/// A patch gives contacts beside the nearest one, and those count only within the distance that was requested. So the limit may be any
/// angle at which the far corners of usual faces are beyond that; a small one keeps a box on its edge from choosing one of its two faces.
pub(super) const FACING: f64 = 0.984_807_753_012_208;

/// Square of the sine of the largest angle between an edge and the plane that it still lies in [-]: 10 degrees.
const LYING: f64 = 0.030_153_689_607_045_8;

/// A corner of a patch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    /// Where it is [m].
    pub(super) point: Vec3,
    /// Its name.
    pub(super) name: Feature,
    /// The name of the side that leads to the next corner.
    pub(super) side: Feature,
    /// Radius of the surface across a segment here [m]; 0 for an edge.
    pub(super) round: f64,
}

/// What of a shape faces a direction.
#[derive(Debug)]
pub(super) struct Patch {
    /// One for a point, two for a segment, else a convex polygon.
    pub(super) corners: Vec<Corner>,
    /// The name of the whole.
    pub(super) name: Feature,
    /// Outward unit normal of a polygon [-]; of no meaning otherwise.
    pub(super) normal: Vec3,
    /// Outward unit normals and points of the planes of a polygon that is not quite flat [-, m]; none where it is.
    pub(super) planes: Vec<(Vec3, Vec3)>,
    /// Centre and radius of the circle that all sides are arcs of, for discs [m].
    pub(super) rim: Option<(Vec3, f64)>,
    /// Unit directions from the centre of the circle to its first point and a quarter of a turn on, for discs [-].
    pub(super) rim_axes: [Vec3; 2],
    /// Whether the vertices around a polyhedron's patch are asked for.
    pub(super) wants_fan: bool,
    /// Vertices of a polyhedron that edges lying in the plane lead to, where they are asked for: those of the patch and of what is nearly as far along the direction.
    pub(super) fan: Vec<Corner>,
    /// Whether it is a whole plane, given by one point.
    is_endless: bool,
    /// Memory to find polygons that are not quite flat in.
    pub(super) region: Region,
}

impl Default for Patch {
    fn default() -> Self {
        Self {
            corners: Vec::new(),
            name: Feature::Vertex(0),
            normal: Vec3::z(),
            planes: Vec::new(),
            rim: None,
            rim_axes: [Vec3::x(), Vec3::y()],
            wants_fan: false,
            fan: Vec::new(),
            is_endless: false,
            region: Region::default(),
        }
    }
}

impl Patch {
    /// A single point.
    pub(super) fn set_point(&mut self, point: Vec3, name: Feature) {
        self.corners.clear();
        self.corners.push(Corner { point, name, side: name, round: 0.0 });
        self.name = name;
        self.make_plain();
    }

    /// A segment between two named ends.
    pub(super) fn set_segment(&mut self, ends: [(Vec3, Feature); 2], name: Feature) {
        self.corners.clear();
        self.corners.extend(ends.map(|(point, end)| Corner { point, name: end, side: name, round: 0.0 }));
        self.name = name;
        self.make_plain();
    }

    /// An empty polygon, for corners to be added counter-clockwise seen from outside.
    pub(super) fn start_polygon(&mut self, normal: Vec3, name: Feature) {
        self.corners.clear();
        self.make_plain();
        self.normal = normal;
        self.name = name;
    }

    fn make_plain(&mut self) {
        self.planes.clear();
        self.rim = None;
        self.fan.clear();
        self.is_endless = false;
    }

    /// Whether it is a polygon.
    #[inline]
    pub(super) fn is_polygon(&self) -> bool {
        self.corners.len() > 2
    }

    /// A plane without an end, with its outward unit normal.
    pub(super) fn set_plane(&mut self, point: Vec3, normal: Vec3, name: Feature) {
        self.set_point(point, name);
        (self.normal, self.is_endless) = (normal, true);
    }

    /// Whether it is a plane without an end.
    #[inline]
    pub(super) fn is_plane(&self) -> bool {
        self.is_endless
    }

    /// Whether its sides are straight and in one plane.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.planes.is_empty() && self.rim.is_none()
    }

    /// Narrows a polygon to one of its sides.
    pub(super) fn keep_side(&mut self, index: usize) {
        let (from, to) = (self.corners[index], self.corners[(index + 1) % self.corners.len()]);
        self.corners.clear();
        self.corners.extend([from, Corner { side: from.side, ..to }]);
        self.name = from.side;
    }

    /// Turns the order of the corners round.
    pub(super) fn reverse(&mut self) {
        if !self.is_polygon() {
            return;
        }
        self.corners.reverse();
        // The side after a corner was the one before it: each name moves on by one place.
        let count = self.corners.len();
        let first = self.corners[0].side;
        for k in 0..count - 1 {
            self.corners[k].side = self.corners[k + 1].side;
        }
        self.corners[count - 1].side = first;
    }

    /// Moves a patch out by a radius along the direction that it faces, and rounds it by as much.
    ///
    /// Exact at corners and where the patch is perpendicular to the direction; a face that leans by an angle θ bulges beyond by r θ²/2.
    pub(super) fn raise(&mut self, radius: f64, direction: &Vec3) {
        let up = direction * radius;
        for corner in self.corners.iter_mut().chain(&mut self.fan) {
            corner.point += up;
            corner.round += radius;
        }
        for (_, on_plane) in &mut self.planes {
            *on_plane += up;
        }
        if let Some((center, _)) = &mut self.rim {
            *center += up;
        }
    }

    /// Moves a patch to another frame, given what that makes of a point and of a direction.
    pub(super) fn place(&mut self, to: impl Fn(&Vec3) -> Vec3, turn: impl Fn(&Vec3) -> Vec3) {
        for corner in self.corners.iter_mut().chain(&mut self.fan) {
            corner.point = to(&corner.point);
        }
        if self.is_polygon() {
            self.normal = turn(&self.normal);
            for (normal, on_plane) in &mut self.planes {
                (*normal, *on_plane) = (turn(normal), to(on_plane));
            }
            self.rim = self.rim.map(|(center, radius)| (to(&center), radius));
            if self.rim.is_some() {
                self.rim_axes = self.rim_axes.map(|axis| turn(&axis));
            }
        }
    }

    /// How far below the surface of a polygon a point lies, along a unit direction out of it [m].
    #[inline]
    pub(super) fn rise(&self, point: &Vec3, outward: &Vec3) -> f64 {
        let rise = |normal: &Vec3, on_plane: &Vec3| normal.dot(&(on_plane - point)) / normal.dot(outward);
        if self.planes.is_empty() {
            return rise(&self.normal, &self.corners[0].point);
        }
        // The body lies below all planes: its surface is the lowest of them.
        self.planes.iter().map(|(normal, on_plane)| rise(normal, on_plane)).fold(f64::INFINITY, f64::min)
    }

    /// The most general feature whose points all lie within `room` of the farthest along a direction: the whole patch, a side or a corner.
    pub(super) fn farthest(&self, direction: &Vec3, room: f64) -> Feature {
        // A point, and a face that is normal to the direction, are chosen at once: of faces that are not quite in one plane, that one lies inside
        // their outline.
        if self.corners.len() == 1 || (self.is_polygon() && self.normal == *direction) {
            return self.name;
        }
        let heights = self.corners.iter().map(|corner| direction.dot(&corner.point));
        let floor = heights.clone().fold(f64::NEG_INFINITY, f64::max) - room;
        // How many are at the top, the first of them and the last.
        let (mut count, mut first, mut last) = (0, 0, 0);
        for (k, height) in heights.enumerate() {
            if height >= floor {
                first = if count == 0 { k } else { first };
                last = k;
                count += 1;
            }
        }
        match count {
            1 => self.corners[first].name,
            2 if last == first + 1 => self.corners[first].side,
            2 if first == 0 && last == self.corners.len() - 1 => self.corners[last].side,
            _ => self.name,
        }
    }
}

/// Whether an edge that leads down by `drop` over a length given by its square lies in the plane it leaves [-].
#[inline]
pub(super) fn is_lying(drop: f64, squared_length: f64) -> bool {
    drop * drop <= LYING * squared_length
}
