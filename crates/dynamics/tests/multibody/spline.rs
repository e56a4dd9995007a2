//! Motions through samples: they meet them, are smooth everywhere, rest at both ends, and say which line is wrong.

use zerogap_core::math::{cos, sin};
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{Interpolation, Motion, MotionError, Moving, SplineMotion};

use crate::derivatives::turning;

/// Samples at uneven times, each turned by less than about 1.2 rad against the one before.
fn samples(random: &mut Random, n: usize) -> (Vec<f64>, Vec<Pose>) {
    let (mut t, mut pose) = (random.range(-1.0, 1.0), crate::support::pose(random, 1.0));
    let (mut times, mut poses) = (Vec::new(), Vec::new());
    for _ in 0..n {
        times.push(t);
        poses.push(pose);
        t += random.range(0.1, 0.5);
        let step =
            Pose::from_axis_angle(random.in_cube(0.3), random.direction(), random.range(0.0, 0.8)).unwrap();
        pose = pose * step;
    }
    (times, poses)
}

fn apart(a: &Pose, b: &Pose) -> f64 {
    let turn = (a.rotation().inverse() * b.rotation()).imag().norm();
    (a.translation() - b.translation()).norm().max(2.0 * turn)
}

fn speed(m: &Moving) -> [Vec3; 4] {
    [m.velocity, m.acceleration, m.angular_velocity, m.angular_acceleration]
}

#[test]
fn samples_are_met_and_the_ends_are_held_at_rest() {
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let n = 2 + random.index(8);
        let (times, poses) = samples(&mut random, n);
        let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Smooth).unwrap();
        for (t, pose) in times.iter().zip(&poses) {
            assert!(apart(&motion.at(*t).pose, pose) < 1e-14, "seed {seed}");
        }
        let (start, end) = (motion.start(), motion.end());
        assert!((start - times[0]).abs() + (end - times[n - 1]).abs() < 1e-15);
        for t in [start - 10.0, start, end, end + 1e300] {
            let at = motion.at(t);
            assert!(speed(&at).iter().all(|v| v.norm() == 0.0));
            let held = if t <= start { &poses[0] } else { &poses[n - 1] };
            assert!(apart(&at.pose, held) < 1e-15);
        }
        // Just inside, velocity and acceleration are still next to nothing.
        for t in [start + 1e-9, end - 1e-9] {
            assert!(speed(&motion.at(t)).iter().all(|v| v.norm() < 1e-4), "seed {seed}");
        }
    }
}

#[test]
fn velocities_and_accelerations_are_derivatives_and_continuous() {
    let h = 1e-5;
    for seed in 0..20 {
        let mut random = Random::new(40 + seed);
        let (times, poses) = samples(&mut random, 6);
        let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Smooth).unwrap();
        for _ in 0..20 {
            let t = random.range(times[0], times[5]);
            let (before, now, after) = (motion.at(t - h), motion.at(t), motion.at(t + h));
            let slope = |a: Vec3, b: Vec3| (b - a) / (2.0 * h);
            let size = 1.0 + speed(&now).iter().map(Vec3::norm_squared).sum::<f64>();
            let pairs = [
                (slope(before.pose.translation(), after.pose.translation()), now.velocity),
                (turning(&before.pose, &after.pose, 2.0 * h), now.angular_velocity),
                (slope(before.velocity, after.velocity), now.acceleration),
                (slope(before.angular_velocity, after.angular_velocity), now.angular_acceleration),
            ];
            for (k, (numeric, exact)) in pairs.into_iter().enumerate() {
                // Third derivatives jump at knots: there a difference of velocities is off by a part of h, not of h².
                let near = if k < 2 { 1e-8 } else { 1e-4 };
                assert!((numeric - exact).norm() <= near * size, "seed {seed} part {k}: {numeric} {exact}");
            }
        }
        for t in &times {
            let (before, after) = (motion.at(t - 1e-10), motion.at(t + 1e-10));
            for (a, b) in speed(&before).iter().zip(&speed(&after)) {
                assert!((a - b).norm() < 1e-5, "seed {seed}: a jump at {t}");
            }
        }
    }
}

#[test]
fn dense_samples_of_a_smooth_motion_give_that_motion() {
    // A point that comes from rest at both ends, so that the curve has nothing to add.
    let path = |t: f64| sin(t) * sin(t) * sin(t) * sin(t);
    let error = |n: usize| {
        let times: Vec<f64> = (0..=n).map(|i| std::f64::consts::PI * i as f64 / n as f64).collect();
        let places: Vec<Vec3> = times.iter().map(|t| Vec3::new(path(*t), 0.0, 0.0)).collect();
        let angles: Vec<[f64; 3]> = times.iter().map(|t| [0.0, 0.5 * path(*t), 0.0]).collect();
        let motion =
            SplineMotion::from_roll_pitch_yaw(&times, &places, &angles, Interpolation::Smooth).unwrap();
        let at = motion.at(1.0);
        let pitch = 4.0 * sin(1.0) * sin(1.0) * sin(1.0) * cos(1.0) * 0.5;
        let speed_error = (at.angular_velocity - Vec3::new(0.0, pitch, 0.0)).norm();
        (at.pose.translation().x - path(1.0)).abs().max(speed_error)
    };
    let (coarse, fine) = (error(40), error(160));
    assert!(coarse < 1e-4 && fine < coarse / 40.0, "{coarse} {fine}");
}

#[test]
fn text_is_read_with_and_without_a_header_and_in_both_forms() {
    let quaternions =
        "# table\nt,x,y,z,qx,qy,qz,qw\n\n0,0,0,0,0,0,0,1\n0.5, 1, 2, 3, 0, 0, 0.1, 1\n1;2;2;2;0;0;0.2;1\n";
    let motion = SplineMotion::from_csv(quaternions, Interpolation::Smooth).unwrap();
    assert!((motion.at(0.5).pose.translation() - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-15);
    let angles = "0 0 0 0 0 0 0\n1 0 0 1 0.1 0.2 0.3\r\n2 0 0 0 0 0 0";
    let motion = SplineMotion::from_csv(angles, Interpolation::Smooth).unwrap();
    let turn = |axis: Vec3, angle: f64| Pose::from_axis_angle(Vec3::zeros(), axis, angle).unwrap();
    let expected = turn(Vec3::z(), 0.3) * turn(Vec3::y(), 0.2) * turn(Vec3::x(), 0.1);
    let found = motion.at(1.0).pose;
    assert!((found.rotation_matrix() - expected.rotation_matrix()).amax() < 1e-15);
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let cases = [
        ("0,0,0,0,0,0,0\n1,0,0,zero,0,0,0", "line 2: 'zero' is not a number"),
        ("0,0,0,0,0,0,0\n1,0,0,,0,0,0", "line 2: '' is not a number"),
        ("t,x\n0,0,0,0,0,0,0\n1,0,0,0,0,0", "line 3: 6 numbers, but 7"),
        ("0,0,0", "line 1: 3 numbers; a sample is"),
        ("0,0,0,0,0,0,0\n\n0,1,0,0,0,0,0", "line 3: time 0 s does not come"),
        ("0,0,0,0,0,0,0\nnan,1,0,0,0,0,0", "line 2: time NaN s does not come"),
        ("0,0,0,0,0,0,0\n1,inf,0,0,0,0,0", "line 2: position is (inf, 0, 0)"),
        ("0,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,0", "line 2: quaternion"),
        ("0,0,0,0,0,0,0\n1,0,0,0,0,0,3", "line 2: rotated by 3 rad"),
        ("0,0,0,0,0,0,0\n", "at least 2 of them, not 1"),
        ("", "at least 2 of them, not 0"),
        ("0,0,0,0,0,0,0\n1e-300,1,0,0,0,0,0", "line 2: time 1e-300 s does not come"),
    ];
    for (text, expected) in cases {
        let error = SplineMotion::from_csv(text, Interpolation::Smooth).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} (expected {expected})");
    }
    let error =
        SplineMotion::from_poses(&[0.0, 1.0], &[Pose::identity()], Interpolation::Smooth).unwrap_err();
    assert_eq!(error, MotionError::Lengths { times: 2, samples: 1 });
}

fn through(values: &[f64], interpolation: Interpolation) -> SplineMotion {
    let times: Vec<f64> = (0..values.len()).map(|k| k as f64).collect();
    let poses: Vec<Pose> =
        values.iter().map(|z| Pose::from_translation(Vec3::new(0.0, 0.0, *z)).unwrap()).collect();
    SplineMotion::from_poses(&times, &poses, interpolation).unwrap()
}

#[test]
fn a_monotone_motion_never_leaves_the_range_of_its_samples() {
    let lift = through(&[0.12, 0.12, 0.32], Interpolation::Monotone);
    for k in 0..=2000 {
        let z = lift.at(f64::from(k) / 1000.0).pose.translation().z;
        assert!((0.12..=0.32).contains(&z), "{z}");
    }
    for seed in 0..50 {
        let mut random = Random::new(600 + seed);
        let values: Vec<f64> = (0..8).map(|_| random.range(-1.0, 1.0)).collect();
        let motion = through(&values, Interpolation::Monotone);
        let mut last = values[0];
        for k in 1..=7000 {
            let t = f64::from(k) / 1000.0;
            let z = motion.at(t).pose.translation().z;
            let from = (t.ceil() as usize).max(1) - 1;
            let rises = values[from + 1] >= values[from];
            assert!((z - last) * if rises { 1.0 } else { -1.0 } > -1e-14, "seed {seed}, t {t}");
            last = z;
        }
    }
}

#[test]
fn a_monotone_motion_has_continuous_velocities_that_are_its_derivatives() {
    let h = 1e-6;
    for seed in 0..20 {
        let mut random = Random::new(700 + seed);
        let (times, poses) = samples(&mut random, 6);
        let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Monotone).unwrap();
        for (t, pose) in times.iter().zip(&poses) {
            assert!(apart(&motion.at(*t).pose, pose) < 1e-14, "seed {seed}");
            let (before, after) = (motion.at(t - 1e-9), motion.at(t + 1e-9));
            assert!((before.velocity - after.velocity).norm() < 1e-6, "seed {seed}");
            assert!((before.angular_velocity - after.angular_velocity).norm() < 1e-6, "seed {seed}");
        }
        for _ in 0..20 {
            // Not across a sample, where accelerations jump.
            let k = random.index(5);
            let t = times[k] + (times[k + 1] - times[k]) * random.range(0.01, 0.99);
            let (before, now, after) = (motion.at(t - h), motion.at(t), motion.at(t + h));
            let slope = |a: Vec3, b: Vec3| (b - a) / (2.0 * h);
            let moved = slope(before.pose.translation(), after.pose.translation());
            assert!((moved - now.velocity).norm() < 1e-7, "seed {seed}");
            assert!((slope(before.velocity, after.velocity) - now.acceleration).norm() < 1e-5, "seed {seed}");
            let spun = slope(before.angular_velocity, after.angular_velocity);
            assert!((spun - now.angular_acceleration).norm() < 1e-4, "seed {seed}");
        }
    }
}

#[test]
fn a_rotation_through_equal_angles_keeps_its_speed_at_monotone_samples() {
    let times = [0.0, 1.0, 2.0, 3.0, 4.0];
    let quarter = std::f64::consts::FRAC_PI_2;
    let poses = times.map(|t| Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), quarter * t).unwrap());
    let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Monotone).unwrap();
    for t in [1.0, 2.0, 3.0] {
        assert!((motion.at(t).angular_velocity - Vec3::z() * quarter).norm() < 1e-12);
    }
    for t in [1.3, 1.5, 2.6] {
        assert!((motion.at(t).angular_velocity - Vec3::z() * quarter).norm() < 0.05, "{:?}", motion.at(t));
    }
}

#[test]
fn a_linear_motion_has_constant_velocities_and_tells_where_they_jump() {
    let times = [0.0, 1.0, 3.0];
    let poses = [
        Pose::identity(),
        Pose::from_axis_angle(Vec3::new(1.0, 0.0, 0.0), Vec3::x(), 1.5).unwrap(),
        Pose::from_axis_angle(Vec3::new(1.0, 2.0, 0.0), Vec3::x(), 0.5).unwrap(),
    ];
    let motion = SplineMotion::from_poses(&times, &poses, Interpolation::Linear).unwrap();
    assert_eq!(motion.jumps(), times);
    for (t, velocity, spin) in
        [(0.0, Vec3::x(), 1.5), (0.7, Vec3::x(), 1.5), (1.0, Vec3::y(), -0.5), (2.9, Vec3::y(), -0.5)]
    {
        let now = motion.at(t);
        assert!(
            (now.velocity - velocity).norm() + (now.angular_velocity - Vec3::x() * spin).norm() < 1e-14,
            "{now:?}"
        );
        assert!(now.acceleration.norm() + now.angular_acceleration.norm() == 0.0);
    }
    let middle = Pose::from_axis_angle(Vec3::new(0.5, 0.0, 0.0), Vec3::x(), 0.75).unwrap();
    assert!(apart(&motion.at(0.5).pose, &middle) < 1e-15);
    for (t, pose) in times.iter().zip(&poses) {
        assert!(apart(&motion.at(*t).pose, pose) < 1e-15);
    }
    for t in [-0.1, 3.0, 4.0] {
        assert!(speed(&motion.at(t)).iter().all(|v| v.norm() == 0.0));
    }
}
