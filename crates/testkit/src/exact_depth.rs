//! How deep the origin lies in a Minkowski set, in whole numbers: a polytope grows in the set until its nearest face is a face of the set.

use dashu_int::IBig;

use crate::exact::{WholePoint, cross, dot, subtract, to_scaled};
use crate::exact_distance::{Pair, axes, perpendiculars};

/// Relative difference of two rounded squares beyond which their order is certain [-]: each is off by less than 1e-14.
const CERTAIN: f64 = 1e-12;

/// The squared depth as `square / over`, and the direction from A to B.
pub(crate) struct Depth {
    pub(crate) square: IBig,
    pub(crate) over: IBig,
    pub(crate) direction: WholePoint,
}

/// A triangle of the growing polytope.
struct Face {
    corners: [usize; 3],
    /// Outward.
    normal: WholePoint,
    /// `normal · p` for the points of the face: never negative.
    height: IBig,
    /// `|normal|²`.
    square: IBig,
    /// The squared distance from the origin as mantissa and power of two, rounded.
    rough: (f64, i64),
}

impl Face {
    fn new(points: &[WholePoint], corners: [usize; 3]) -> Self {
        let [p, q, r] = corners.map(|k| &points[k]);
        let normal = cross(&subtract(q, p), &subtract(r, p));
        let (height, square) = (dot(&normal, p), dot(&normal, &normal));
        debug_assert!(
            height >= IBig::ZERO && square > IBig::ZERO,
            "the origin is inside, and no face is degenerate"
        );
        let ((h, h_power), (s, s_power)) = (to_scaled(&height), to_scaled(&square));
        Self { corners, rough: (h * h / s, 2 * h_power - s_power), normal, height, square }
    }

    fn is_nearer_than(&self, other: &Self) -> bool {
        // Rounded values decide clear cases; equal faces, common in boxes, are compared exactly.
        let ratio = self.rough.0 / other.rough.0;
        let power = self.rough.1 - other.rough.1;
        if power.abs() < 900 && ratio.is_normal() {
            let ratio = crate::exact::scale(ratio, power);
            if ratio < 1.0 - CERTAIN {
                return true;
            }
            if ratio > 1.0 + CERTAIN {
                return false;
            }
        }
        &self.height * &self.height * &other.square < &other.height * &other.height * &self.square
    }
}

/// The depth of the origin in M, given points of M whose hull holds it. Zero when M is flat.
pub(crate) fn depth(pair: &Pair, start: Vec<WholePoint>) -> Depth {
    let mut points = match tetrahedron(pair, start) {
        Ok(points) => points,
        Err(direction) => return Depth { square: IBig::ZERO, over: IBig::ONE, direction },
    };
    let mut faces: Vec<Face> =
        [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].map(|corners| Face::new(&points, corners)).into();
    loop {
        let near =
            (1..faces.len()).fold(0, |best, k| if faces[k].is_nearer_than(&faces[best]) { k } else { best });
        let face = &faces[near];
        let inward: WholePoint = face.normal.clone().map(|c| -c);
        let w = pair.lowest(&inward);
        if dot(&face.normal, &w) <= face.height {
            let (square, over) = (&face.height * &face.height, face.square.clone());
            return Depth { square, over, direction: inward };
        }
        grow(&mut points, &mut faces, w);
    }
}

/// Four independent points of M whose hull holds the origin, the first three clockwise seen from the fourth; a normal when M is flat.
fn tetrahedron(pair: &Pair, mut points: Vec<WholePoint>) -> Result<Vec<WholePoint>, WholePoint> {
    while points.len() < 4 {
        let edges: Vec<WholePoint> = points[1..].iter().map(|q| subtract(q, &points[0])).collect();
        let directions = match edges.as_slice() {
            [] => axes().into(),
            [e] => perpendiculars(e),
            [e, f, ..] => vec![cross(e, f)],
        };
        // Across the flat of the points so far M either reaches out of it, or is flat itself.
        let signed = directions.iter().flat_map(|d| [d.clone(), d.clone().map(|c| -c)]);
        let outside = signed.map(|d| (pair.lowest(&d), d)).find(|(m, d)| dot(d, m) != dot(d, &points[0]));
        match outside {
            Some((m, _)) => points.push(m),
            None => return Err(directions[0].clone()),
        }
    }
    let volume = dot(
        &cross(&subtract(&points[1], &points[0]), &subtract(&points[2], &points[0])),
        &subtract(&points[3], &points[0]),
    );
    debug_assert!(volume != IBig::ZERO, "four independent points");
    if volume > IBig::ZERO {
        points.swap(0, 1);
    }
    Ok(points)
}

/// Joins w to the polytope: drops the faces that see it and closes the hole.
///
/// Faces in one plane with w stay. So no new face is degenerate: were w in line with an edge of the rim, it would lie in the plane of
/// the dropped face too.
fn grow(points: &mut Vec<WholePoint>, faces: &mut Vec<Face>, w: WholePoint) {
    let mut rim: Vec<(usize, usize)> = Vec::new();
    faces.retain(|face| {
        let seen = dot(&face.normal, &w) > face.height;
        if seen {
            for k in 0..3 {
                // An edge between two dropped faces appears once in each direction and cancels.
                let edge = (face.corners[k], face.corners[(k + 1) % 3]);
                match rim.iter().position(|other| *other == (edge.1, edge.0)) {
                    Some(at) => drop(rim.swap_remove(at)),
                    None => rim.push(edge),
                }
            }
        }
        !seen
    });
    points.push(w);
    let apex = points.len() - 1;
    faces.extend(rim.into_iter().map(|(from, to)| Face::new(points, [from, to, apex])));
}
