//! The matrices P, Δ, S and C, and the rule of the nearest surface, on the paper's plate.

use zerogap_core::{Pose, Vec3};
use zerogap_proximity::oriented::{
    Configuration, Form, Oriented, OrientedParams, SurfaceRule, Target, TouchKind,
};
use zerogap_testkit::random::Random;

const TOP: usize = 0;
const BOTTOM: usize = 2;

/// A plate of 20 mm: top, right, bottom, left.
fn plate() -> Target {
    Target::polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, -0.02], [0.0, -0.02]]).unwrap()
}

fn xy(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

#[test]
fn a_point_that_enters_has_the_matrices_of_the_definitions() {
    let still = [Pose::identity()];
    let start = [xy(0.5, 0.01), xy(2.0, -0.01)];
    let oriented = Oriented::new(vec![plate()], &still, &start, OrientedParams::default()).unwrap();
    let m = oriented.matrices(0, &still, &[xy(0.5, -0.005), xy(0.9, -0.01)]).unwrap();
    assert_eq!((m.surfaces, m.initiators), (4, 2));
    // The first one lost the top, the second one the right side.
    assert_eq!(m.penetration, [true; 8]);
    assert_eq!(m.change, [1, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(m.collision, [true, false, false, true, false, false, false, false]);
    assert_eq!(m.span, [true; 8]);
    let beside = oriented.matrices(0, &still, &[xy(1.5, -0.005), xy(2.0, -0.01)]).unwrap();
    // Above nothing but the right side, which separates it, as it does the other.
    assert_eq!(beside.penetration, [true, true, false, false, true, true, true, true]);
    assert!(!beside.span[0] && !beside.span[1] && beside.span[2]);
    assert!(beside.collision.iter().all(|bit| !bit));
}

#[test]
fn random_histories_agree_with_what_the_detector_finds() {
    let mut random = Random::new(8);
    for round in 0..500 {
        let target = Target::polygon(&[[0.0, 0.0], [0.5, 0.3], [1.0, 0.0], [0.7, -0.6]]).unwrap();
        let mut point = || xy(random.range(-0.3, 1.3), random.range(-0.8, 0.6));
        let (before, now) = ([point(), point(), point()], [point(), point(), point()]);
        let still = [Pose::identity()];
        let params = OrientedParams {
            form: if round % 2 == 0 { Form::Guards } else { Form::Conditional },
            ..OrientedParams::default()
        };
        let oriented = Oriented::new(vec![target], &still, &before, params).unwrap();
        let m = oriented.matrices(0, &still, &now).unwrap();
        let mut trial = Configuration::new();
        oriented.evaluate(&still, &now, &mut trial).unwrap();
        for j in 0..3 {
            let column = |bits: &[bool]| -> Vec<bool> { (0..4).map(|i| bits[3 * i + j]).collect() };
            let (p, c) = (column(&m.penetration), column(&m.collision));
            assert!(c.iter().filter(|bit| **bit).count() <= 1);
            assert_eq!(c.iter().position(|bit| *bit), trial.surface(0, j));
            let touch = trial.touch(0, j);
            assert_eq!(touch.is_some_and(|touch| touch.is_inside), p.iter().all(|bit| *bit));
            // Who was outside and is inside now was hit through a surface that it lost.
            if touch.is_some_and(|touch| touch.kind == TouchKind::Hit) {
                assert_eq!(m.change[3 * c.iter().position(|bit| *bit).unwrap() + j], 1);
            }
        }
    }
}

#[test]
fn the_nearest_rule_takes_the_bottom_from_the_middle_on() {
    let still = [Pose::identity()];
    for form in [Form::Guards, Form::Conditional] {
        let run = |rule| {
            let params = OrientedParams { form, rule, ..OrientedParams::default() };
            let mut oriented = Oriented::new(vec![plate()], &still, &[xy(0.5, 0.005)], params).unwrap();
            let mut found = Vec::new();
            for k in 1..=18 {
                let depth = 1e-3 * f64::from(k);
                oriented.commit(&still, &[xy(0.5, -depth)]).unwrap();
                let touch = oriented.reference().touches()[0];
                found.push((touch.surface as usize, touch.gap, touch.kind));
            }
            oriented.commit(&still, &[xy(0.5, 0.1)]).unwrap();
            assert_eq!(oriented.reference().releases().len(), 1);
            found
        };
        let (history, nearest) = (run(SurfaceRule::History), run(SurfaceRule::Nearest));
        assert!(history.iter().all(|(surface, ..)| *surface == TOP));
        for (k, (surface, gap, kind)) in nearest.iter().enumerate() {
            let depth = 1e-3 * (k + 1) as f64;
            assert_eq!(*surface, if depth < 0.0105 { TOP } else { BOTTOM }, "{depth}");
            assert!((gap + depth.min(0.02 - depth)).abs() < 1e-12);
            let switches = k > 0 && nearest[k - 1].0 != *surface;
            let expected = match (k, switches) {
                (0, _) => TouchKind::Inside,
                (_, true) => TouchKind::HandedOver { from: TOP as u32 },
                _ => TouchKind::Kept,
            };
            assert_eq!(*kind, expected);
        }
    }
}
