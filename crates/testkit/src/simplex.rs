//! The point of a simplex nearest to the origin, in whole numbers.

use dashu_int::IBig;

use crate::exact::{WholePoint, cross, dot, subtract};
use crate::exact_distance::ZERO;

/// The part of a simplex that holds the nearest point.
pub(crate) struct Nearest {
    /// The fewest corners whose hull holds it: one to four.
    pub(crate) corners: Vec<WholePoint>,
    /// A positive multiple of the vector from the origin to it; zero when the origin lies in the simplex.
    pub(crate) direction: WholePoint,
}

impl Nearest {
    /// The squared distance of the origin as numerator and denominator, in squared units of the points.
    pub(crate) fn distance_squared(&self) -> (IBig, IBig) {
        // Every corner has the same height h over the plane through the origin across d: the distance is h / |d|.
        let height = dot(&self.direction, &self.corners[0]);
        (&height * &height, dot(&self.direction, &self.direction))
    }
}

/// The point of the hull of one to four points nearest to the origin. Degenerate sets are fine.
pub(crate) fn nearest(points: &[WholePoint]) -> Nearest {
    let mut subsets: Vec<usize> = (1..1 << points.len()).collect();
    subsets.sort_by_key(|set| set.count_ones());
    for set in subsets {
        let corners: Vec<WholePoint> =
            (0..points.len()).filter(|k| set >> k & 1 == 1).map(|k| points[k].clone()).collect();
        let Some(direction) = foot(&corners) else { continue };
        // The foot on this part is the nearest point of all when no corner lies lower along it.
        let height = dot(&direction, &corners[0]);
        if direction == ZERO || points.iter().all(|p| dot(&direction, p) >= height) {
            return Nearest { corners, direction };
        }
    }
    unreachable!("the nearest point of a hull lies in the inside of one of its independent parts")
}

/// A positive multiple of the foot of the origin on the flat through the corners, if the foot lies in their hull and the corners are
/// independent.
fn foot(corners: &[WholePoint]) -> Option<WholePoint> {
    let p = &corners[0];
    let e: Vec<WholePoint> = corners[1..].iter().map(|q| subtract(q, p)).collect();
    match e.as_slice() {
        [] => Some(p.clone()),
        [e] => {
            let (along, square) = (-dot(p, e), dot(e, e));
            (square > IBig::ZERO && along >= IBig::ZERO && along <= square)
                .then(|| std::array::from_fn(|k| &p[k] * &square + &e[k] * &along))
        }
        [e, f] => {
            let normal = cross(e, f);
            let square = dot(&normal, &normal);
            // The weights of the second and third corner, times the square of the normal.
            let second = dot(&cross(f, p), &normal);
            let third = dot(&cross(p, e), &normal);
            let inside = second >= IBig::ZERO && third >= IBig::ZERO && second + third <= square;
            (square > IBig::ZERO && inside).then(|| along_height(&normal, p))
        }
        [e, f, g] => {
            let volume = dot(&cross(e, f), g);
            // Cramer's rule for -p in the three edges; the signs are against the volume's.
            let sign = volume.signum();
            let weights =
                [dot(&cross(f, g), p), dot(&cross(g, e), p), dot(&cross(e, f), p)].map(|w| -w * &sign);
            let inside = weights.iter().all(|w| *w >= IBig::ZERO);
            let sum = weights.iter().fold(IBig::ZERO, |sum, w| sum + w);
            (sign != IBig::ZERO && inside && sum <= volume * &sign).then_some(ZERO)
        }
        _ => None,
    }
}

/// The normal oriented towards `p`; zero when `p` lies in the plane through the origin.
fn along_height(normal: &WholePoint, p: &WholePoint) -> WholePoint {
    let sign = dot(normal, p).signum();
    std::array::from_fn(|k| &normal[k] * &sign)
}
