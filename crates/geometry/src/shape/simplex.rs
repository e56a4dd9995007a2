//! Up to four points, and their hull's nearest point to the origin.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::direction::{length, unit_or};

/// Up to four points; queries return the point of their hull nearest to the origin.
#[derive(Debug, Clone, Default)]
pub(super) struct Simplex {
    points: Vec<Vec3>,
    steps: usize,
}

impl Simplex {
    /// How many points.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether only one point was ever added: its predecessor was no point of this simplex.
    pub(super) fn is_fresh(&self) -> bool {
        self.steps <= 1
    }

    /// Whether this very point is a corner already.
    pub(super) fn holds(&self, w: &Vec3) -> bool {
        self.points.contains(w)
    }

    /// Adds a corner.
    pub(super) fn push(&mut self, w: Vec3) {
        self.points.push(w);
        self.steps += 1;
    }

    /// Drops the corners that the nearest point does not need and returns it; `None` when the origin is inside.
    pub(super) fn reduce_to_nearest(&mut self) -> Option<Vec3> {
        let p = self.points.clone();
        let (nearest, used) = match p.as_slice() {
            [] => (Vec3::zeros(), vec![]),
            [a] => (*a, vec![0]),
            [a, b] => on_segment([(0, a), (1, b)]),
            [a, b, c] => on_triangle([(0, a), (1, b), (2, c)]),
            [a, b, c, d, ..] => on_tetrahedron([(0, a), (1, b), (2, c), (3, d)])?,
        };
        self.points = used.iter().map(|&i| p[i]).collect();
        Some(nearest)
    }
}

type Corner<'a> = (usize, &'a Vec3);
type Nearest = (Vec3, Vec<usize>);

fn nearer(a: Nearest, b: Nearest) -> Nearest {
    if b.0.norm_squared() < a.0.norm_squared() { b } else { a }
}

fn on_segment([(i, a), (j, b)]: [Corner<'_>; 2]) -> Nearest {
    let near = crate::nearest::on_segment(a, b, &Vec3::zeros());
    if near.between {
        // The offset is perpendicular to the segment, which the point itself is only to rounding.
        (-near.offset, vec![i, j])
    } else if near.point == *a {
        (*a, vec![i])
    } else {
        (*b, vec![j])
    }
}

fn on_triangle([a, b, c]: [Corner<'_>; 3]) -> Nearest {
    let normal = (b.1 - a.1).cross(&(c.1 - a.1));
    let squared = normal.norm_squared();
    let edges = || nearer(nearer(on_segment([a, b]), on_segment([b, c])), on_segment([c, a]));
    // Barycentric signs of the origin's foot.
    let inside =
        [(a, b), (b, c), (c, a)].iter().all(|(p, q)| normal.dot(&p.1.cross(q.1)) > 0.0) && squared > 1e-280;
    if inside { (normal * (normal.dot(a.1) / squared), vec![a.0, b.0, c.0]) } else { edges() }
}

/// `None` when the origin is inside.
fn on_tetrahedron([a, b, c, d]: [Corner<'_>; 4]) -> Option<Nearest> {
    // Each face with the corner opposite to it: the origin is outside where the two are on different sides.
    let faces = [([a, b, c], d), ([a, b, d], c), ([a, c, d], b), ([b, c, d], a)];
    let mut best: Option<Nearest> = None;
    for (face, opposite) in faces {
        let [p, q, r] = face.map(|corner| *corner.1);
        let normal = (q - p).cross(&(r - p));
        let (origin_side, inner_side) = (-normal.dot(&p), normal.dot(&(opposite.1 - p)));
        // A flat tetrahedron has no inside; all its faces are checked.
        if origin_side * inner_side <= 0.0 {
            let near = on_triangle(face);
            best = Some(match best {
                Some(known) => nearer(known, near),
                None => near,
            });
        }
    }
    best
}

/// Four support points that span a volume, oriented so that the face (0, 1, 2) faces outward; or, for a set thinner than
/// `flat` [m], a unit normal across its thinnest direction.
pub(super) fn orthogonal_tetrahedron(support: &impl Fn(&Vec3) -> Vec3, flat: f64) -> Result<[Vec3; 4], Vec3> {
    // The longest of the three axis extents.
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let mut line = (axes[0], Vec3::zeros(), Vec3::zeros(), -1.0);
    for axis in axes {
        let (low, high) = (support(&-axis), support(&axis));
        let extent = length(&(high - low));
        if extent > line.3 {
            line = (axis, low, high, extent);
        }
    }
    let (_, a, b, extent) = line;
    if extent <= flat {
        return Err(Vec3::z());
    }
    // The support point farthest from that line, in one of four directions across it.
    let along = unit_or(&(b - a), &Vec3::x());
    let (t1, t2) = tangents(&along);
    let mut c = (a, 0.0);
    for across in [t1, t2, -t1, -t2] {
        let p = support(&across);
        let off = length(&(p - a - along * along.dot(&(p - a))));
        if off > c.1 {
            c = (p, off);
        }
    }
    if c.1 <= flat {
        return Err(t1);
    }
    let c = c.0;
    // And from their plane, on either side.
    let normal = unit_or(&(b - a).cross(&(c - a)), &t1);
    let (up, down) = (support(&normal), support(&-normal));
    let (rise, fall) = (normal.dot(&(up - a)), -normal.dot(&(down - a)));
    if rise.max(fall) <= flat {
        return Err(normal);
    }
    if fall >= rise { Ok([a, b, c, down]) } else { Ok([a, c, b, up]) }
}
