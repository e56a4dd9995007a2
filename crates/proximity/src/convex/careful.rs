//! The walk from outside with twice the digits: where bodies all but touch, thin simplices leave the plain walk's directions to rounding.
//!
//! In: the difference of two bodies and parameters. Out: the gap apart, or a simplex at the origin for the polytope to grow from. Corners
//! are taken as they are; everything that follows from them is computed to 31 digits, so the walk gets nearer with every step until the
//! bounds agree or corners come again.

use zerogap_core::Vec3;
use zerogap_core::double::{Double, DoubleVec, triangle_normal};

use super::body::Body;
use super::difference::{Corner, Difference};
use super::resolve::Resolved;
use super::simplex::Simplex;
use super::walk::Goal;

/// Maximum number of steps of the walk [-]; most take 20 to 60.
const MAX_STEPS: u32 = 1000;

/// How a careful walk ended.
pub(crate) enum Careful {
    /// Apart, to the bounds that were found.
    Apart {
        /// The nearest points known.
        found: Resolved,
        /// Separation along the normal [m].
        lower: f64,
    },
    /// The origin is in the simplex, or within `distance` of it, where no side can be determined.
    ContainsOrigin {
        /// The corners around the origin.
        simplex: Simplex,
        /// The direction that found the last corner.
        last: Vec3,
        /// How far the origin is [m].
        distance: f64,
    },
}

/// The part of a simplex nearest to the origin.
struct NearestPart {
    point: DoubleVec,
    squared: Double,
    /// Corners that hold it and their weights; unused ones have none.
    weights: [f64; 4],
}

/// Walks from a direction until the bounds agree.
///
/// Method: Gilbert, Johnson and Keerthi 1988 with all parts of the simplex compared in double-double.
/// Cost: a corner and about 5 us per step; no allocation.
/// Fails: where corners come again before the bounds agree, with the bounds found so far.
pub(crate) fn careful_walk<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    direction: &Vec3,
    margin: f64,
    goal: &Goal,
) -> Careful {
    let mut last = *direction;
    let mut corners = [difference.support(&last); 4];
    let mut count = 1;
    let mut part = nearest(&corners[..1]);
    let mut best: Option<(Resolved, f64)> = None;
    for _ in 0..MAX_STEPS {
        let v = part.point.round();
        let length = v.norm();
        if length <= margin {
            return hold(&corners[..count], last, length);
        }
        let normal = v / length;
        let next = -normal;
        let corner = difference.support(&next);
        let lower = normal.dot(&corner.w);
        if best.is_none_or(|(found, known)| length - lower <= found.gap - known) {
            best = Some((Resolved { gap: length, normal, point_a: mean(&corners, &part.weights) }, lower));
        }
        let known = corners[..count].iter().any(|other| other.w == corner.w);
        if length - lower <= goal.width || known {
            break;
        }
        corners[count] = corner;
        if count == 3 && is_inside(&corners) {
            return hold(&corners, next, 0.0);
        }
        let nearer = nearest(&corners[..=count]);
        let gets_nearer = nearer.squared < part.squared;
        if !gets_nearer {
            break;
        }
        part = nearer;
        count = keep(&mut corners, &mut part.weights);
        last = next;
    }
    match best {
        Some((found, lower)) => Careful::Apart { found, lower },
        None => hold(&corners[..count], last, 0.0),
    }
}

fn hold(corners: &[Corner], last: Vec3, distance: f64) -> Careful {
    Careful::ContainsOrigin { simplex: Simplex::of(corners), last, distance }
}

/// The weighted mean of the points of A [m].
fn mean(corners: &[Corner; 4], weights: &[f64; 4]) -> Vec3 {
    let active = corners.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    active.fold(Vec3::zeros(), |sum, (corner, weight)| sum + corner.a * *weight)
}

/// Moves the corners with weights to the front, and returns their number.
fn keep(corners: &mut [Corner; 4], weights: &mut [f64; 4]) -> usize {
    let mut kept = 0;
    for k in 0..4 {
        if weights[k] > 0.0 {
            corners.swap(kept, k);
            weights.swap(kept, k);
            kept += 1;
        }
    }
    kept
}

/// Of all corners, sides and faces the one nearest to the origin.
fn nearest(corners: &[Corner]) -> NearestPart {
    let mut at = [DoubleVec::from(&Vec3::zeros()); 4];
    for (at, corner) in at.iter_mut().zip(corners) {
        *at = DoubleVec::from(&corner.w);
    }
    let at = &at[..corners.len()];
    let mut best: Option<NearestPart> = None;
    let mut consider = |point: DoubleVec, names: &[usize], of: &[f64]| {
        let squared = point.dot(&point);
        if best.as_ref().is_none_or(|best| squared < best.squared) {
            let mut weights = [0.0; 4];
            for (name, weight) in names.iter().zip(of) {
                weights[*name] = *weight;
            }
            best = Some(NearestPart { point, squared, weights });
        }
    };
    for (i, p) in at.iter().enumerate() {
        consider(*p, &[i], &[1.0]);
        for (j, q) in at.iter().enumerate().skip(i + 1) {
            if let Some((point, weights)) = on_side(p, q) {
                consider(point, &[i, j], &weights);
            }
            for (k, r) in at.iter().enumerate().skip(j + 1) {
                if let Some((point, weights)) = on_face(p, q, r) {
                    consider(point, &[i, j, k], &weights);
                }
            }
        }
    }
    best.unwrap_or(NearestPart { point: at[0], squared: at[0].dot(&at[0]), weights: [1.0, 0.0, 0.0, 0.0] })
}

/// The foot of the origin on a side, where it lies between the ends.
fn on_side(p: &DoubleVec, q: &DoubleVec) -> Option<(DoubleVec, [f64; 2])> {
    let e = *q - *p;
    let (along, squared) = (-p.dot(&e), e.dot(&e));
    let is_between = along.is_positive() && along < squared;
    is_between.then(|| {
        let part = along / squared;
        let weight = part.round();
        (*p + e.scaled(part), [1.0 - weight, weight])
    })
}

/// The foot of the origin on a face, where it lies inside.
fn on_face(p: &DoubleVec, q: &DoubleVec, r: &DoubleVec) -> Option<(DoubleVec, [f64; 3])> {
    let normal = (*q - *p).cross(&(*r - *p));
    let squared = normal.dot(&normal);
    let areas = [q.cross(r).dot(&normal), r.cross(p).dot(&normal), p.cross(q).dot(&normal)];
    let is_inside = squared.is_positive() && areas.iter().all(|area| area.is_positive());
    is_inside.then(|| {
        let point = normal.scaled(normal.dot(p) / squared);
        let sum = areas[0] + areas[1] + areas[2];
        (point, areas.map(|area| (area / sum).round()))
    })
}

/// Whether a tetrahedron has the origin strictly inside.
fn is_inside(corners: &[Corner; 4]) -> bool {
    let w = corners.map(|corner| corner.w);
    (0..4).all(|k| {
        let [p, q, r] = [1, 2, 3].map(|step| w[(k + step) % 4]);
        let normal = triangle_normal(&p, &q, &r);
        let of_origin = -normal.dot(&DoubleVec::from(&p));
        let of_corner = normal.dot(&(DoubleVec::from(&w[k]) - DoubleVec::from(&p)));
        (of_origin.is_positive() && of_corner.is_positive())
            || ((-of_origin).is_positive() && (-of_corner).is_positive())
    })
}
