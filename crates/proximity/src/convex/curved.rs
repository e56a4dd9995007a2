//! The gap of two smooth shapes that know how their supports move: Newton's method for the normal.
//!
//! In: two user-defined shapes and their placement. Out: gap and normal in A's frame, to rounding. Called by the pair table. Same bits every time.

use zerogap_core::line_search::LineSearch;
use zerogap_core::{Gap, GapStatus, Mat3, NormalKind, Vec3};
use zerogap_geometry::Convex;
use zerogap_geometry::shape::UserShape;

use super::placement::Placement;

/// Steps of Newton's method at most; from the line of centres round bodies need four to eight [-].
const MAX_STEPS: u32 = 60;
/// Longest turn of the normal in one step [rad].
const LONGEST: f64 = 0.5;
/// A normal that turns by less is found [rad]: some roundings.
const FOUND: f64 = 4.0 * f64::EPSILON;
/// Fractions of a step that are tried until the shapes are farther apart along the new normal.
const SEARCH: LineSearch = LineSearch::halving(30);

/// Separation and supports along a direction.
struct Sample {
    /// How far apart the shapes are along the direction [m].
    separation: f64,
    /// From the support of A to that of B, across the direction [m].
    across: Vec3,
    /// How fast that changes as the direction turns [m].
    slope: Mat3,
    point_a: Vec3,
}

fn sample(a: &UserShape, b: &UserShape, at: &Placement, normal: &Vec3) -> Option<Sample> {
    let of_a = a.function().curved_support(normal)?;
    let of_b = b.function().curved_support(&-at.R_AB.tr_mul(normal))?;
    let offset = at.to_a(&of_b.point) - of_a.point;
    let separation = normal.dot(&offset);
    Some(Sample {
        separation,
        across: offset - normal * separation,
        slope: of_a.slope + at.R_AB * of_b.slope * at.R_AB.transpose(),
        point_a: of_a.point,
    })
}

/// Signed distance of two smooth shapes; none where they do not know their curvature, or no normal was found.
///
/// Computes: gap [m], n [-], points with `p_b - p_a = gap n`.
/// Frames: works in A, answers in A; `room` is the slack of the pair [m].
/// Method: the separation along a direction `n`, `n·x_B(-n) - n·x_A(n)`, is largest at the normal, where the offset between the support points is parallel to `n`. That is solved by Newton's method with
///   the derivatives of the supports, which are the radii of curvature; every step is halved until it gains.
/// Tolerance: `room`; the normal to some roundings over the sum of the radii of curvature, apart and touching alike.
/// Cost: one support of each shape and step, four to eight steps from the line of centres.
/// Fails: with none, deep in overlap or where a radius of curvature vanishes.
pub(super) fn curved(a: &UserShape, b: &UserShape, at: &Placement, room: f64) -> Option<Gap> {
    let mut normal = (at.to_a(&b.interior_point()) - a.interior_point()).try_normalize(0.0)?;
    let mut now = sample(a, b, at, &normal)?;
    let mut steps = 1;
    let mut last = f64::INFINITY;
    loop {
        // The turn; the direction itself is removed by a stiffness of its own.
        let along = normal * normal.transpose();
        let stiffness =
            now.slope + (Mat3::identity() - along) * now.separation.max(0.0) + along * now.slope.trace();
        let turn = stiffness.try_inverse()? * now.across;
        let turn = turn - normal * normal.dot(&turn);
        let length = turn.norm();
        // Found, or no better than rounding.
        if length <= FOUND || (length < 1e-6 && length >= last) {
            break;
        }
        if steps >= MAX_STEPS || !length.is_finite() {
            return None;
        }
        last = length;
        let mut gained = None;
        let first = (LONGEST / length).min(1.0);
        let searched = LineSearch { first, ..SEARCH }.search(
            |fraction| {
                let next = (normal + turn * fraction).normalize();
                let Some(seen) = sample(a, b, at, &next) else { return f64::INFINITY };
                steps += 1;
                let overlap = -seen.separation;
                gained = Some((next, seen));
                overlap
            },
            |_, overlap| -overlap >= now.separation - room,
        );
        (normal, now) = gained.filter(|_| searched.is_accepted)?;
    }
    // The offset across is the width of the bounds.
    let left = now.across.norm();
    let gap = now.separation;
    (left <= 1e-6 * (gap.abs() + now.slope.trace())).then(|| Gap {
        gap,
        lower: gap - room,
        upper: gap + room + left * length_of_turn(left, &now),
        normal,
        normal_kind: NormalKind::Unique,
        point_a: now.point_a,
        point_b: now.point_a + normal * gap,
        status: GapStatus::Exact,
        iterations: steps,
    })
}

/// How far the normal may still be off [rad], from what is left across.
fn length_of_turn(left: f64, now: &Sample) -> f64 {
    let radius = now.slope.trace() + now.separation.abs();
    if radius > 0.0 { left / radius } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use zerogap_core::Pose;
    use zerogap_core::random::Random;
    use zerogap_geometry::shape::{CurvedSupport, SmoothHull, SupportFunction};
    use zerogap_geometry::{ConvexShape, Polyhedron};

    use super::*;
    use crate::convex::{ContactParams, contacts, distance};

    /// A ball that provides its curvature.
    #[derive(Debug)]
    struct Ball(f64);

    impl SupportFunction for Ball {
        fn support(&self, direction: &Vec3) -> Vec3 {
            direction.try_normalize(0.0).unwrap_or_else(Vec3::x) * self.0
        }

        fn interior_point(&self) -> Vec3 {
            Vec3::zeros()
        }

        fn curved_support(&self, direction: &Vec3) -> Option<CurvedSupport> {
            let slope = (Mat3::identity() - direction * direction.transpose()) * self.0;
            Some(CurvedSupport { point: direction * self.0, slope })
        }
    }

    /// A smooth hull that hides its curvature, so that others have to search.
    #[derive(Debug)]
    struct Hidden(SmoothHull);

    impl SupportFunction for Hidden {
        fn support(&self, direction: &Vec3) -> Vec3 {
            self.0.support(direction)
        }

        fn interior_point(&self) -> Vec3 {
            self.0.interior_point()
        }
    }

    fn hull(random: &mut Random, stretch: f64) -> SmoothHull {
        let points: Vec<Vec3> =
            (0..80).map(|_| random.direction().component_mul(&Vec3::new(1.0, stretch, 1.0))).collect();
        SmoothHull::new(&Polyhedron::from_points(&points).unwrap(), 24).unwrap()
    }

    fn shape(function: impl SupportFunction + 'static) -> ConvexShape {
        UserShape::new(Arc::new(function)).into()
    }

    #[test]
    fn balls_have_the_gap_of_balls_apart_touching_and_in_overlap() {
        let mut random = Random::new(1);
        for distance_of_centres in [10.0, 3.1, 3.0, 2.9, 1.0] {
            let offset = random.direction();
            let mut at = |p: Vec3| Pose::new(p, random.quaternion_xyzw()).unwrap();
            let (pose_a, pose_b) = (Pose::identity(), at(offset * distance_of_centres));
            let gap = distance(&shape(Ball(1.0)), &pose_a, &shape(Ball(2.0)), &pose_b);
            assert!((gap.gap - (distance_of_centres - 3.0)).abs() < 1e-14, "{}", gap.gap);
            assert!((gap.normal - offset).amax() < 1e-14);
            assert!(gap.lower <= gap.gap && gap.gap <= gap.upper);
        }
    }

    #[test]
    fn smooth_hulls_have_the_gap_that_a_search_finds_and_a_sharper_normal() {
        let mut random = Random::new(2);
        for _ in 0..20 {
            let (a, b) = (hull(&mut random, 1.4), hull(&mut random, 0.7));
            let pose_a = Pose::new(random.in_cube(1.0), random.quaternion_xyzw()).unwrap();
            let pose_b = Pose::new(
                pose_a.translation() + random.direction() * random.range(2.6, 5.0),
                random.quaternion_xyzw(),
            )
            .unwrap();
            let (known, hidden) = (
                distance(&shape(a.clone()), &pose_a, &shape(b.clone()), &pose_b),
                distance(&shape(Hidden(a.clone())), &pose_a, &shape(Hidden(b.clone())), &pose_b),
            );
            let blur = hidden.upper - hidden.lower + 1e-12;
            assert!((known.gap - hidden.gap).abs() <= blur, "{} {}", known.gap, hidden.gap);
            assert!(known.lower <= hidden.upper + 1e-14 && hidden.lower <= known.upper + 1e-14);
            // Along the normal the surfaces face each other.
            let of_a = pose_a.transform_point(&a.support(&pose_a.inverse_transform_vector(&known.normal)));
            let of_b = pose_b.transform_point(&b.support(&pose_b.inverse_transform_vector(&-known.normal)));
            let across = (of_b - of_a) - known.normal * known.gap;
            assert!(across.amax() < 1e-12, "{across:?}");
            // The same from the other side.
            let back = distance(&shape(b), &pose_b, &shape(a), &pose_a);
            assert!((back.gap - known.gap).abs() < 1e-14 && (back.normal + known.normal).amax() < 1e-12);
        }
    }

    #[test]
    fn a_touch_has_one_contact_with_its_own_name() {
        let mut random = Random::new(3);
        let (a, b) = (shape(hull(&mut random, 1.0)), shape(hull(&mut random, 1.0)));
        let mut height = 4.0;
        let at = |height: f64| Pose::from_translation(Vec3::new(0.1, 0.2, height)).unwrap();
        for _ in 0..40 {
            let gap = distance(&a, &Pose::identity(), &b, &at(height));
            height -= gap.gap / gap.normal.z;
        }
        let manifold = contacts(&a, &Pose::identity(), &b, &at(height), &ContactParams::within(1e-3));
        assert_eq!(manifold.contacts.len(), 1);
        assert!(manifold.contacts[0].gap.abs() < 1e-14);
        assert_eq!(manifold.contacts[0].id.to_string(), "surface 0 on surface 0");
    }
}
