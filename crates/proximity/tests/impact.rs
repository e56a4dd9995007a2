//! Time of impact of rigid bodies: closed forms, sampling, and motions that nothing may tunnel through.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use zerogap_core::math::{acos, asin, atan, sin_cos};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, HalfSpace, Segment, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron, Shape};
use zerogap_proximity::convex::distance;
use zerogap_proximity::motion::{
    FirstContact, Impact, ImpactParams, ImpactWork, Motion, time_of_impact, time_of_impact_with,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn moving(pose: Pose, velocity: Vec3, spin: Vec3) -> Motion {
    Motion::new(pose, velocity, spin).unwrap()
}

fn impact(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion, duration: f64) -> Impact {
    let found = time_of_impact(a, motion_a, b, motion_b, duration, &ImpactParams::default()).unwrap();
    // Seen from B it is the same.
    let back = time_of_impact(b, motion_b, a, motion_a, duration, &ImpactParams::default()).unwrap();
    match (&found, &back) {
        (Impact::At(there), Impact::At(here)) => {
            assert!((there.t - here.t).abs() <= 1e-12 * duration, "{there:?} {here:?}");
            assert!((there.normal + here.normal).amax() < 1e-5, "{there:?} {here:?}");
        }
        (one, other) => assert_eq!(one, other),
    }
    found
}

#[track_caller]
fn met(impact: Impact) -> FirstContact {
    match impact {
        Impact::At(meeting) => meeting,
        other => panic!("they meet, and the answer is {other:?}"),
    }
}

/// Asserts that a meeting's bracket holds a time, and is no wider than a length of time.
#[track_caller]
fn holds(meeting: &FirstContact, time: f64, width: f64) {
    assert!(meeting.t <= time && time <= meeting.t_upper, "{meeting:?} does not hold {time}");
    assert!(meeting.t_upper - meeting.t <= width, "{meeting:?} is wider than {width}");
}

#[test]
fn a_bullet_does_not_pass_a_sheet_of_paper() {
    let (ball, down) = (Shape::sphere(0.5e-3).unwrap(), Vec3::new(0.0, 0.0, -1000.0));
    let sheet = Shape::cuboid(Vec3::new(1.0, 1.0, 1e-4)).unwrap();
    let shot = moving(at(0.1, 0.2, 5.0), down, Vec3::zeros());
    let still = Motion::fixed(Pose::identity());
    let meeting = met(impact(&sheet, &still, &ball, &shot, 1e-2));
    holds(&meeting, (5.0 - 0.5e-3 - 0.5e-4) / 1000.0, 1e-10);
    assert!((meeting.normal - Vec3::z()).amax() < 1e-9);
    // The same for a triangle without any thickness, and with a spin that changes nothing.
    let triangle =
        Shape::triangle(Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 2.0, 0.0))
            .unwrap();
    let spinning = moving(at(0.1, 0.2, 5.0), down, Vec3::new(1e4, 2e4, 0.0));
    for motion in [shot, spinning] {
        holds(&met(impact(&triangle, &still, &ball, &motion, 1e-2)), (5.0 - 0.5e-3) / 1000.0, 1e-10);
    }
    // Past its edge.
    let past = moving(at(0.0, 2.001, 5.0), down, Vec3::zeros());
    assert_eq!(impact(&triangle, &still, &ball, &past, 1e-2), Impact::Clear);
}

#[test]
fn a_rod_spinning_at_ten_thousand_radians_per_second_is_caught() {
    // A thin rod of length 1 about z; a post at radius 0.45 and angle 2 rad. The rod's axis starts along x.
    let rod: Shape = Cuboid::new(Vec3::new(1.0, 1e-3, 1e-3)).unwrap().into();
    let post = Shape::sphere(1e-3).unwrap();
    let spin = 1e4;
    let turning = moving(Pose::identity(), Vec3::zeros(), Vec3::new(0.0, 0.0, spin));
    let (sin, cos) = sin_cos(2.0);
    let standing = Motion::fixed(at(0.45 * cos, 0.45 * sin, 0.0));
    let meeting = met(impact(&rod, &turning, &post, &standing, 1e-2));
    // The side of the rod is half its width from the axis; contact where the ball is a radius from that side.
    let exact = (2.0 - asin(1.5e-3 / 0.45)) / spin;
    holds(&meeting, exact, 1e-10);
    // Where the post stands just beyond its reach, it turns past for all of the 16 turns.
    let beyond = Motion::fixed(at(0.5015 * cos, 0.5015 * sin, 0.0));
    assert_eq!(impact(&rod, &turning, &post, &beyond, 1e-2), Impact::Clear);
    // And a post that comes in slowly from the side is hit on the turn in which the rod reaches it.
    let coming = moving(at(0.6, 0.0, 0.0), Vec3::new(-20.0, 0.0, 0.0), Vec3::zeros());
    let meeting = met(impact(&rod, &turning, &post, &coming, 1e-2));
    assert!(meeting.t > (0.6 - 0.5025) / 20.0 && meeting.t < (0.6 - 0.5) / 20.0 + PI / spin, "{meeting:?}");
}

#[test]
fn blades_that_turn_into_each_other_meet_at_the_angle_of_the_closed_form() {
    // Two segments in one plane, turning about points 1.5 apart: tip of A reaches B's line.
    let blade: Shape = Segment::new(Vec3::zeros(), Vec3::x()).unwrap().into();
    let a = moving(Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), -1.0).unwrap(), Vec3::zeros(), Vec3::z());
    let b = Motion::fixed(Pose::from_axis_angle(Vec3::new(1.5, 0.0, 0.0), Vec3::z(), PI).unwrap());
    // B lies on x from 1.5 to 0.5: A's blade reaches the x axis after 1 rad.
    let meeting = met(impact(&blade, &a, &blade, &b, 2.0));
    holds(&meeting, 1.0, 1e-6);
    // Both turning, as gears do: with equal and opposite spins they are mirror images, and meet where both reach the middle.
    let mirror = Pose::from_axis_angle(Vec3::new(1.5, 0.0, 0.0), Vec3::z(), PI + 1.0).unwrap();
    let b = moving(mirror, Vec3::zeros(), -Vec3::z());
    let meeting = met(impact(&blade, &a, &blade, &b, 2.0));
    holds(&meeting, 1.0 - acos(0.75), 1e-6);
}

#[test]
fn a_wheel_that_rolls_meets_a_wall_when_its_rim_does() {
    let wheel = Shape::cylinder(0.5, 0.1).unwrap();
    let upright = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.5), Vec3::x(), FRAC_PI_2).unwrap();
    let rolling = moving(upright, Vec3::x(), Vec3::new(0.0, 2.0, 0.0));
    let wall = Shape::half_space(-Vec3::x(), -3.0).unwrap();
    let still = Motion::fixed(Pose::identity());
    holds(&met(impact(&wall, &still, &wheel, &rolling, 4.0)), 2.5, 1e-7);
    // It rolls on the floor all the while: in contact from the start, never closing in.
    let floor = Shape::half_space(Vec3::z(), 0.0).unwrap();
    assert_eq!(impact(&floor, &still, &wheel, &rolling, 4.0), Impact::Clear);
}

#[test]
fn a_floor_that_tips_meets_what_stands_over_it() {
    let floor = Shape::half_space(Vec3::z(), 0.0).unwrap();
    let tipping = moving(Pose::identity(), Vec3::zeros(), Vec3::new(0.0, -1.0, 0.0));
    let point = Shape::point(Vec3::zeros()).unwrap();
    let standing = Motion::fixed(at(1.0, 0.0, 0.5));
    holds(&met(impact(&floor, &tipping, &point, &standing, 1.0)), atan(0.5), 1e-6);
    let over = Motion::fixed(at(-1.0, 0.0, 0.5));
    assert_eq!(impact(&floor, &tipping, &point, &over, 1.0), Impact::Clear);
}

#[test]
fn bodies_that_begin_in_contact_meet_only_when_they_close_in() {
    let (box_, ball) = (Shape::cuboid(Vec3::repeat(1.0)).unwrap(), Shape::sphere(0.5).unwrap());
    let still = Motion::fixed(Pose::identity());
    let touching = |velocity: Vec3| moving(at(0.0, 0.0, 1.0), velocity, Vec3::zeros());
    for apart in [Vec3::zeros(), Vec3::z(), Vec3::x()] {
        assert_eq!(impact(&box_, &still, &ball, &touching(apart), 1.0), Impact::Clear, "{apart}");
    }
    let meeting = met(impact(&box_, &still, &ball, &touching(-Vec3::z()), 1.0));
    assert!(meeting.t == 0.0 && meeting.began_in_contact && (meeting.gap_rate + 1.0).abs() < 1e-12);
    // In overlap, going out; and going out on one side but deeper on the whole.
    let inside = |velocity: Vec3| moving(at(0.0, 0.0, 0.9), velocity, Vec3::zeros());
    assert_eq!(impact(&box_, &still, &ball, &inside(Vec3::z()), 1.0), Impact::Clear);
    assert!(met(impact(&box_, &still, &ball, &inside(-0.1 * Vec3::z()), 1.0)).began_in_contact);
    // A ball that leaves a spinning bar is hit when the other end comes round.
    let bar: Shape = Cuboid::new(Vec3::new(2.0, 0.1, 0.1)).unwrap().into();
    let small = Shape::sphere(0.05).unwrap();
    let turning = moving(Pose::identity(), Vec3::zeros(), Vec3::z() * -1.0);
    let resting = Motion::fixed(at(0.9, 0.1, 0.0));
    let meeting = met(impact(&bar, &turning, &small, &resting, 10.0));
    assert!(!meeting.began_in_contact && (PI * 0.9..PI).contains(&meeting.t), "{meeting:?}");
}

/// A random convex shape.
fn shape(random: &mut Random) -> ConvexShape {
    match random.index(5) {
        0 => Sphere::new(random.range(0.1, 0.5)).unwrap().into(),
        1 => Cuboid::new(Vec3::from_fn(|_, _| random.range(0.05, 1.0))).unwrap().into(),
        2 => Capsule::new(random.range(0.05, 0.3), random.range(0.1, 1.0)).unwrap().into(),
        3 => Segment::new(random.in_ball(), random.in_ball()).unwrap().into(),
        _ => {
            let points: Vec<Vec3> = (0..12).map(|_| 0.5 * random.direction()).collect();
            Polyhedron::from_points(&points).unwrap().into()
        }
    }
}

#[test]
fn random_motions_are_free_before_the_time_and_touch_by_its_end() {
    let mut random = Random::new(8);
    let (params, mut work) = (ImpactParams::default(), ImpactWork::default());
    let (mut meetings, mut brackets, mut clear, mut steps, mut most) = (0_u32, 0_u32, 0_u32, 0_u64, 0);
    for case in 0..count(400, 40_000) {
        let (a, b) = (shape(&mut random), shape(&mut random));
        let spin = if case % 3 == 0 { 10.0 } else { 1.0 };
        let motion = |random: &mut Random| {
            let pose = Pose::new(random.in_cube(1.5), random.quaternion_xyzw()).unwrap();
            Motion::about(
                pose,
                0.3 * random.in_ball(),
                random.in_cube(0.7) - pose.translation(),
                spin * random.in_cube(1.0),
            )
            .unwrap()
        };
        let (motion_a, motion_b) = (motion(&mut random), motion(&mut random));
        let gap = |t: f64| distance(&a, &motion_a.pose(t), &b, &motion_b.pose(t)).gap;
        let found = time_of_impact_with(&mut work, &a, &motion_a, &b, &motion_b, 1.0, &params);
        steps += u64::from(work.steps);
        most = most.max(work.steps);
        let began = gap(0.0) <= params.tolerance;
        let free = found.free_until(1.0);
        // Sampled finely, the gap never falls below zero before the time; or below where it began.
        let floor = if began { gap(0.0) - 2.1 * params.tolerance } else { 0.0 };
        for k in 0..400 {
            let t = free * f64::from(k) / 400.0;
            assert!(gap(t) > floor || t >= free, "case {case}: gap {} at {t} before {found:?}", gap(t));
            if began && gap(t) > 3.0 * params.tolerance {
                break;
            }
        }
        match found {
            Impact::Clear => clear += 1,
            Impact::At(meeting) => {
                meetings += 1;
                if !began {
                    assert!(meeting.gap <= params.tolerance, "case {case}: {meeting:?}");
                    brackets += u32::from(gap(meeting.t_upper) <= 1e-13);
                }
            }
            Impact::Limited { .. } => panic!("case {case}: {found:?}"),
        }
    }
    let total = meetings + clear;
    assert!(meetings > total / 8 && clear > total / 8, "{meetings} meetings of {total}");
    assert!(brackets * 10 > meetings * 6, "{brackets} of {meetings} meetings were seen to touch");
    assert!(steps < 40 * u64::from(total), "{steps} gaps for {total} motions, {most} at most");
}

#[test]
fn turning_bodies_far_from_each_other_cost_one_step() {
    let rod: ConvexShape = Cuboid::new(Vec3::new(1.0, 0.01, 0.01)).unwrap().into();
    let mut work = ImpactWork::default();
    let a = moving(Pose::identity(), Vec3::zeros(), Vec3::new(0.0, 0.0, 1e6));
    let b = moving(at(0.0, 0.0, 0.5), Vec3::zeros(), Vec3::new(0.0, 0.0, -1e6));
    let found = time_of_impact_with(&mut work, &rod, &a, &rod, &b, 1.0, &ImpactParams::default());
    assert_eq!(found, Impact::Clear);
    assert!(work.steps <= 4, "{}", work.steps);
}

#[test]
fn a_separation_ends_the_motion_earlier() {
    let ball = Shape::sphere(0.5).unwrap();
    let coming = moving(at(3.0, 0.0, 0.0), -Vec3::x(), Vec3::zeros());
    let params = ImpactParams { min_separation: 0.25, ..ImpactParams::default() };
    let still = Motion::fixed(Pose::identity());
    let meeting = met(time_of_impact(&ball, &still, &ball, &coming, 3.0, &params).unwrap());
    holds(&meeting, 1.75, 1e-7);
    assert!((meeting.gap - 0.25).abs() < 1e-7 && (meeting.normal - Vec3::x()).amax() < 1e-12);
}

#[test]
fn motions_of_any_size_are_answered() {
    let ball = Shape::sphere(0.5).unwrap();
    let still = Motion::fixed(Pose::identity());
    let floor: Shape = HalfSpace::new(Vec3::z(), 0.0).unwrap().into();
    for speed in [1e-300, 1e-20, 1e20, 1e150, 1e300] {
        for spin in [0.0, 1e-300, 1e20] {
            let wild = moving(at(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, -speed), Vec3::new(spin, 0.0, 0.0));
            for (a, motion_a) in [(&ball, &still), (&floor, &still), (&floor, &wild)] {
                let params = ImpactParams { max_steps: 100, ..ImpactParams::default() };
                let found = time_of_impact(a, motion_a, &ball, &wild, 1.0, &params).unwrap();
                let free = found.free_until(1.0);
                assert!((0.0..=1.0).contains(&free), "{speed} {spin}: {found:?}");
            }
        }
    }
    assert!(Motion::new(Pose::identity(), Vec3::repeat(f64::NAN), Vec3::zeros()).is_err());
    assert!(time_of_impact(&ball, &still, &ball, &still, f64::INFINITY, &ImpactParams::default()).is_err());
    let turn = Motion::new(Pose::identity(), Vec3::zeros(), Vec3::z() * TAU).unwrap();
    assert!((turn.pose(1.0).rotation_matrix() - turn.pose(0.0).rotation_matrix()).amax() < 1e-14);
}
