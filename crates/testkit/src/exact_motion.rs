//! Whether a moving vertex collides with a moving triangle, or a moving edge with a moving edge: decided without rounding.
//!
//! In: corner positions at the start and the end; between them all corners move on straight lines at constant speed. Out: the first time of
//! contact, up to its rounding to f64, or none. Times of contact are roots of polynomials with whole coefficients; whether features
//! really collide at such a root is decided by exact signs of other polynomials there. Degenerate features and motions are no exception.

use std::cmp::Ordering;

use dashu_int::IBig;
use zerogap_core::Vec3;

use crate::exact::{WholePoint, whole};
use crate::polynomial::{Dyadic, Polynomial, Root};

/// A moving point: three linear polynomials in time; also products of such.
type Path = [Polynomial; 3];

/// The first time from 0 to 1 at which a vertex lies on a triangle, between two numbers; none where it never does.
pub fn vertex_face_time(
    start: &Vec3,
    end: &Vec3,
    face_start: &[Vec3; 3],
    face_end: &[Vec3; 3],
) -> Option<(f64, f64)> {
    let [v, a, b, c] = paths(
        [start, &face_start[0], &face_start[1], &face_start[2]],
        [end, &face_end[0], &face_end[1], &face_end[2]],
    );
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let height = dot(&normal, &minus(&v, &a));
    let inner = |from: &Path, to: &Path| dot(&normal, &cross(&minus(to, from), &minus(&v, from)));
    let sides = vec![inner(&a, &b), inner(&b, &c), inner(&c, &a)];
    let flat = vec![on_segment(&v, &a, &b), on_segment(&v, &b, &c), on_segment(&v, &c, &a)];
    first_time(&Question { height, normal, at_least_zero: sides, flat })
}

/// The first time from 0 to 1 at which two edges have a point in common, between two numbers; none where they never do.
pub fn edge_edge_time(
    a_start: &[Vec3; 2],
    a_end: &[Vec3; 2],
    b_start: &[Vec3; 2],
    b_end: &[Vec3; 2],
) -> Option<(f64, f64)> {
    let [a0, a1, b0, b1] = paths(
        [&a_start[0], &a_start[1], &b_start[0], &b_start[1]],
        [&a_end[0], &a_end[1], &b_end[0], &b_end[1]],
    );
    let (e, f, d) = (minus(&a1, &a0), minus(&b1, &b0), minus(&b0, &a0));
    let normal = cross(&e, &f);
    let squared = dot(&normal, &normal);
    let (u, v) = (dot(&cross(&d, &f), &normal), dot(&cross(&d, &e), &normal));
    let ranges = vec![squared.minus(&u), squared.minus(&v), u, v];
    let flat = vec![
        on_segment(&a0, &b0, &b1),
        on_segment(&a1, &b0, &b1),
        on_segment(&b0, &a0, &a1),
        on_segment(&b1, &a0, &a1),
    ];
    first_time(&Question { height: dot(&d, &normal), normal, at_least_zero: ranges, flat })
}

/// A point on a segment: all of `zero` are 0 and `inside` is not positive.
struct OnSegment {
    zero: Path,
    inside: Polynomial,
}

/// Two features touch where `height` is 0 and, with a normal, none of `at_least_zero` is negative; without one, where a corner of one lies on a segment of the other.
struct Question {
    height: Polynomial,
    normal: Path,
    at_least_zero: Vec<Polynomial>,
    flat: Vec<OnSegment>,
}

impl Question {
    fn touches_at(&self, root: &mut Root) -> bool {
        if root.sign_of(&self.height).is_ne() {
            return false;
        }
        let vanishes = |root: &mut Root, v: &Path| v.iter().all(|p| root.sign_of(p).is_eq());
        if !vanishes(root, &self.normal) {
            return self.at_least_zero.iter().all(|p| root.sign_of(p) != Ordering::Less);
        }
        self.flat.iter().any(|on| vanishes(root, &on.zero) && root.sign_of(&on.inside) != Ordering::Greater)
    }
}

fn first_time(question: &Question) -> Option<(f64, f64)> {
    // The times of contact are closed sets that begin at a root of one of these, or at the start.
    let mut times = vec![Root::Exact(Dyadic::whole(0)), Root::Exact(Dyadic::whole(1))];
    if question.height.is_zero() {
        let flat = question.flat.iter().flat_map(|on| on.zero.iter().chain([&on.inside]));
        for p in question.normal.iter().chain(&question.at_least_zero).chain(flat) {
            times.extend(p.roots());
        }
    } else {
        times.extend(question.height.roots());
    }
    let mut first: Option<(f64, f64)> = None;
    for root in &mut times {
        if question.touches_at(root) {
            let (low, high) = root.bracket();
            if first.is_none_or(|(smallest, _)| low < smallest) {
                first = Some((low, high));
            }
        }
    }
    first
}

/// The straight paths of four points in units of one power of two.
fn paths(start: [&Vec3; 4], end: [&Vec3; 4]) -> [Path; 4] {
    let all: Vec<Vec3> = start.into_iter().chain(end).copied().collect();
    let points: Vec<WholePoint> = whole(&all).0;
    std::array::from_fn(|k| {
        std::array::from_fn(|i| {
            let (from, to): (&IBig, &IBig) = (&points[k][i], &points[k + 4][i]);
            Polynomial::new(vec![from.clone(), to - from])
        })
    })
}

fn minus(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}

fn dot(a: &Path, b: &Path) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

fn cross(a: &Path, b: &Path) -> Path {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].times(&b[j]).minus(&a[j].times(&b[i]))
    })
}

fn on_segment(p: &Path, a: &Path, b: &Path) -> OnSegment {
    let (from_a, from_b) = (minus(p, a), minus(p, b));
    // Of points on one line, one is between two others if it sees them in opposite directions.
    OnSegment { zero: cross(&minus(b, a), &from_a), inside: dot(&from_a, &from_b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [Vec3; 3] = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];

    fn falls(from: Vec3, to: Vec3) -> Option<(f64, f64)> {
        vertex_face_time(&from, &to, &FACE, &FACE)
    }

    #[test]
    fn a_vertex_through_a_face_at_rest() {
        let y = Vec3::y();
        assert_eq!(falls(y, -y), Some((0.5, 0.5)));
        assert_eq!(falls(y, Vec3::zeros()), Some((1.0, 1.0)));
        assert_eq!(falls(y, y * 1e-300), None);
        let beside = Vec3::new(2.0, 0.0, 0.0);
        assert_eq!(falls(beside + y, beside - y), None);
        // Through a corner, along a side, in the plane.
        assert_eq!(falls(FACE[2] + y, FACE[2] - y), Some((0.5, 0.5)));
        assert_eq!(falls(Vec3::new(0.0, 0.0, 3.0), Vec3::new(0.0, 0.0, -1.0)), Some((0.5, 0.5)));
        let along = |z: f64| falls(Vec3::new(-3.0, 0.0, z), Vec3::new(3.0, 0.0, z));
        assert!(
            along(1.0).is_some_and(|(low, high)| low <= 1.0 / 3.0 && 1.0 / 3.0 <= high && high - low < 1e-14)
        );
        assert_eq!(along(1.0 + f64::EPSILON), None);
    }

    #[test]
    fn a_face_that_shrinks_to_a_point_or_has_no_area_is_met_where_it_is() {
        let point = [Vec3::zeros(); 3];
        let found = vertex_face_time(&Vec3::x(), &-Vec3::x(), &point, &point);
        assert_eq!(found, Some((0.5, 0.5)));
        let line = [Vec3::zeros(), Vec3::y(), Vec3::y() * 2.0];
        let over = Vec3::new(1.0, 1.5, 0.0);
        assert_eq!(vertex_face_time(&over, &(over - Vec3::x() * 4.0), &line, &line), Some((0.25, 0.25)));
        assert_eq!(
            vertex_face_time(&(over + Vec3::y()), &(over + Vec3::new(-4.0, 1.0, 0.0)), &line, &line),
            None
        );
        // Both shrink to the origin at the end.
        assert_eq!(vertex_face_time(&Vec3::y(), &Vec3::zeros(), &FACE, &point), Some((1.0, 1.0)));
    }

    #[test]
    fn edges_that_cross_pass_or_are_parallel() {
        let (e, f) = ([Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0)], [-Vec3::y(), Vec3::y()]);
        let down = |by: f64| e.map(|p| p - Vec3::z() * by);
        assert_eq!(edge_edge_time(&e, &down(2.0), &f, &f), Some((0.5, 0.5)));
        assert_eq!(edge_edge_time(&e, &down(0.999), &f, &f), None);
        let along = [-Vec3::x(), Vec3::x()];
        assert_eq!(edge_edge_time(&e, &down(2.0), &along, &along), Some((0.5, 0.5)));
        let far = along.map(|p| p + Vec3::x() * 2.0);
        assert_eq!(edge_edge_time(&e, &down(2.0), &far, &far), Some((0.5, 0.5)));
        let farther = along.map(|p| p + Vec3::x() * 2.000_000_1);
        assert_eq!(edge_edge_time(&e, &down(2.0), &farther, &farther), None);
    }
}
