//! Contacts that open before a step in which another contact of the same body is hit.

use zerogap_core::Vec3;
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind, TreeBuilder, Wrench};
use zerogap_dynamics::step::{ContactPoint, StepParams, Stepper};

/// A rod of 1 m lies on the ground, one end comes down and the other goes up: the hit end is stopped and throws the other one down.
/// Positions then follow the velocities after, and the end that opened may not close by as much as it did: it would sink by step times speed.
#[test]
fn an_end_that_opens_does_not_sink_when_the_other_one_is_hit() {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let moment = zerogap_core::Mat3::from_diagonal_element(1.0 / 12.0);
    let inertia = Inertia { mass: 1.0, center: Vec3::zeros(), inertia: moment };
    let rod = builder.body(inertia, Joint::new(None, JointKind::Free)).unwrap();
    let tree = builder.build().unwrap();
    for (opens, step) in [(0.1, 2e-3), (0.01, 2e-3), (0.4, 1e-3), (0.2, 1e-2)] {
        let (mut q, mut v) = (tree.initial_positions(), vec![0.0; tree.velocities()]);
        // The end at -x comes down with 1 m/s, the other one goes up.
        (v[2], v[4]) = (0.5 * (opens - 1.0), -1.0 - opens);
        let before = kinetic(&v);
        let end = |x: f64| ContactPoint {
            b: Some(BodyId(0)),
            at: Vec3::new(x, 0.0, 0.0),
            normal: Vec3::z(),
            slop: 1e-8,
            ..ContactPoint::default()
        };
        let mut contacts = [end(-0.5), end(0.5)];
        let mut stepper = Stepper::new(&tree);
        stepper.locate(&tree, 0.0, &q, &v);
        let params = StepParams {
            tolerance: 1e-9,
            is_settled: false,
            is_repeated: false,
            control: None,
            is_sequential: false,
        };
        let wrenches = [Wrench::default()];
        let info = stepper.step(&tree, &params, (0.0, step), (&mut q, &mut v), &wrenches, &mut contacts);
        assert_eq!(info.unconverged, 0);
        assert!(contacts[0].impulse.z > 0.0 && contacts[1].impulse.z > 0.0, "{opens}: both push");
        let ws = stepper.locate(&tree, step, &q, &v);
        for x in [-0.5, 0.5] {
            // The tilt is of the second order of what moves by the first: nothing, where both ends stay.
            let height = ws.pose(rod).transform_point(&Vec3::new(x, 0.0, 0.0)).z;
            assert!(height > -1e-7, "{opens} m/s, {step} s: the end at {x} m is at {height} m");
        }
        assert!(kinetic(&v) <= before, "{opens}: energy {} of {before}", kinetic(&v));
    }
}

fn kinetic(v: &[f64]) -> f64 {
    let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
    0.5 * square(&v[..3]) + 0.5 / 12.0 * square(&v[3..])
}
