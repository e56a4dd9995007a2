//! Impacts in a row of balls that touch: all at once, or one after the other.

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, TreeBuilder, Wrench};
use zerogap_dynamics::step::{ContactPoint, StepParams, Stepper};

/// The speeds along x of five equal balls after a step in which the first comes with 1 m/s and restitution 1.
fn after(is_sequential: bool) -> Vec<f64> {
    const BALLS: usize = 5;
    let mut builder = TreeBuilder::new(Vec3::zeros());
    for k in 0..BALLS {
        let at = Pose::from_translation(Vec3::new(k as f64, 0.0, 0.0)).unwrap();
        let ball = Inertia::cuboid(1.0, Vec3::repeat(1.0));
        builder.body(ball, Joint::new(None, JointKind::Free).parent_frame(at)).unwrap();
    }
    let tree = builder.build().unwrap();
    let (mut q, mut v) = (tree.initial_positions(), vec![0.0; tree.velocities()]);
    v[0] = 1.0;
    let touch = |k: usize| ContactPoint {
        a: Some(BodyId(k as u32)),
        b: Some(BodyId(k as u32 + 1)),
        at: Vec3::new(k as f64 + 0.5, 0.0, 0.0),
        normal: Vec3::x(),
        restitution: 1.0,
        slop: 1e-8,
        ..ContactPoint::default()
    };
    let mut contacts: Vec<ContactPoint> = (0..BALLS - 1).map(touch).collect();
    let mut stepper = Stepper::new(&tree);
    stepper.locate(&tree, 0.0, &q, &v);
    let params =
        StepParams { tolerance: 1e-12, is_settled: false, is_repeated: false, control: None, is_sequential };
    let wrenches = vec![Wrench::default(); tree.bodies()];
    let info = stepper.step(&tree, &params, (0.0, 1e-3), (&mut q, &mut v), &wrenches, &mut contacts);
    assert_eq!(info.unconverged, 0);
    (0..BALLS).map(|k| v[6 * k]).collect()
}

#[test]
fn a_row_of_balls_passes_the_blow_on_where_impacts_are_made_one_after_the_other() {
    for (k, speed) in after(true).into_iter().enumerate() {
        let expected = if k == 4 { 1.0 } else { 0.0 };
        assert!((speed - expected).abs() < 1e-10, "ball {k}: {speed}");
    }
    // All at once the first rebounds; momentum and energy are kept as well.
    let together = after(false);
    assert!(together[0] < -0.1 && together[3] > 0.1, "{together:?}");
    let (momentum, energy) = together.iter().fold((0.0, 0.0), |(p, e), v| (p + v, e + v * v));
    assert!((momentum - 1.0).abs() < 1e-10 && (energy - 1.0).abs() < 1e-9, "{together:?}");
}
