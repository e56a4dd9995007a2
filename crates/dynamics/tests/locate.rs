//! The locator against closed forms, random polynomials whose roots are known, and input made to trip it.

mod problems;

use problems::Pendulum;
use zerogap_core::random::Random;
use zerogap_dynamics::event::{Direction, LocateParams, LocateWork, Located, first_crossing};
use zerogap_dynamics::integrate::{Dop853, Integrator, Radau, Tolerance};
use zerogap_testkit::count;

const PARAMS: LocateParams = LocateParams { samples: 8, tolerance: 1e-13 };

/// Locates with fresh memory, and checks what holds for every answer.
fn locate(
    t0: f64,
    t1: f64,
    directions: &[Direction],
    params: LocateParams,
    mut evaluate: impl FnMut(f64, &mut [f64]),
) -> Option<Located> {
    let mut work = LocateWork::default();
    let located = first_crossing(t0, t1, directions, &mut evaluate, params, &mut work)?;
    assert!(t0 <= located.before && located.before < located.t && located.t <= t1, "{located:?}");
    let widest = params.tolerance.max(2.0 * f64::EPSILON * t0.abs().max(t1.abs()));
    assert!(located.t - located.before <= widest, "{located:?}");
    assert!(!located.crossed.is_empty() && located.crossed.is_sorted(), "{located:?}");
    Some(located)
}

fn one(t0: f64, t1: f64, direction: Direction, z: impl Fn(f64) -> f64) -> Option<Located> {
    locate(t0, t1, &[direction], PARAMS, |t, out| out[0] = z(t))
}

#[test]
fn a_ball_meets_the_floor_when_the_formula_says() {
    // Height 1 - g t^2 / 2.
    let exact = (2.0_f64 / 9.81).sqrt();
    let located = one(0.0, 1.0, Direction::Falling, |t| 1.0 - 0.5 * 9.81 * t * t).unwrap();
    assert!(located.before <= exact + 1e-15 && located.t >= exact - 1e-15, "{located:?} {exact}");
}

#[test]
fn a_gap_that_is_zero_at_the_start_and_closes_is_found_at_the_start() {
    // Leaves zero at once, straight, bent, slowly, and by the third power.
    for z in [|t: f64| -t, |t: f64| t * (t - 1.0), |t: f64| -1e-9 * t, |t: f64| -t * t * t] {
        let located = one(0.0, 0.5, Direction::Falling, z).unwrap();
        assert!(located.before.to_bits() == 0.0_f64.to_bits() && located.t <= 1e-13, "{located:?}");
        let located = one(0.0, 0.5, Direction::Rising, |t| -z(t)).unwrap();
        assert!(located.t <= 1e-13);
    }
    let located = one(3.0, 4.0, Direction::Falling, |t| 3.0 - t).unwrap();
    assert!(located.t - 3.0 <= 1e-13);
}

#[test]
fn a_ball_that_lifts_off_from_zero_is_found_where_it_lands() {
    let located = one(0.0, 2.0, Direction::Falling, |t| t * (1.0 - t)).unwrap();
    assert!((located.t - 1.0).abs() <= 1e-13, "{located:?}");
    // Even where it is back before the first sample.
    let located = one(0.0, 2.0, Direction::Falling, |t| t * (0.01 - t)).unwrap();
    assert!((located.t - 0.01).abs() <= 1e-13, "{located:?}");
}

#[test]
fn the_direction_decides() {
    let z = |t: f64| (t - 1.0) * (t - 2.0);
    let at = |direction| one(0.0, 3.0, direction, z).unwrap().t;
    assert!((at(Direction::Falling) - 1.0).abs() < 1e-12);
    assert!((at(Direction::Rising) - 2.0).abs() < 1e-12);
    assert!((at(Direction::Both) - 1.0).abs() < 1e-12);
    assert!((one(1.5, 3.0, Direction::Both, z).unwrap().t - 2.0).abs() < 1e-12);
    // From zero both ways count, and which one it is does not matter.
    assert!(one(0.0, 1.0, Direction::Both, |t| t).unwrap().t <= 1e-13);
    assert!(one(0.0, 1.0, Direction::Both, |t| -t).unwrap().t <= 1e-13);
    assert_eq!(one(0.0, 1.0, Direction::Both, |_| 0.0), None);
}

#[test]
fn a_function_on_the_far_side_is_not_armed_until_it_comes_back() {
    // Negative from the start: nothing falls.
    assert_eq!(one(0.0, 1.0, Direction::Falling, |t| -1.0 - t), None);
    assert_eq!(one(0.0, 1.0, Direction::Falling, |t| -1e-300 - t), None);
    // Comes up at 1, falls at 2.
    let located = one(0.0, 3.0, Direction::Falling, |t| (t - 1.0) * (2.0 - t)).unwrap();
    assert!((located.t - 2.0).abs() < 1e-12, "{located:?}");
}

#[test]
fn touching_zero_is_not_crossing_it() {
    assert_eq!(one(0.0, 1.0, Direction::Falling, |t| (t - 0.5) * (t - 0.5)), None);
    assert_eq!(one(0.0, 1.0, Direction::Both, |t| (t - 0.5) * (t - 0.5)), None);
    assert_eq!(one(0.0, 1.0, Direction::Falling, |_| 0.0), None);
    assert_eq!(one(0.0, 1.0, Direction::Rising, |t| -(t - 0.3).abs()), None);
}

#[test]
fn a_short_dip_is_found_where_samples_are_close_enough() {
    let dip = |t: f64, out: &mut [f64]| out[0] = (t - 0.5) * (t - 0.5) - 1e-6;
    let params = LocateParams { samples: 1000, tolerance: 1e-13 };
    let located = locate(0.0, 1.0, &[Direction::Falling], params, dip).unwrap();
    assert!((located.t - 0.499).abs() < 1e-12, "{located:?}");
    // With too few it falls between them; that is what samples are for.
    assert_eq!(
        locate(0.0, 1.0, &[Direction::Falling], LocateParams { samples: 2, tolerance: 1e-13 }, dip),
        None
    );
}

#[test]
fn simultaneous_crossings_are_all_reported() {
    let directions = [Direction::Falling, Direction::Rising, Direction::Falling, Direction::Both];
    let located = locate(0.0, 1.0, &directions, PARAMS, |t, out| {
        out[0] = 0.25 - t;
        out[1] = 8.0 * (t - 0.25);
        out[2] = 0.26 - t;
        out[3] = 0.0625 - t * t;
    })
    .unwrap();
    assert_eq!(located.crossed, [0, 1, 3]);
    assert!((located.t - 0.25).abs() < 1e-13);
}

#[test]
fn the_earliest_of_many_functions_wins() {
    let mut random = Random::new(7);
    for _ in 0..count(50, 2000) {
        let n = 1 + random.index(200);
        let roots: Vec<f64> = (0..n).map(|_| random.range(0.01, 1.5)).collect();
        let slopes: Vec<f64> = (0..n).map(|_| random.range(0.01, 100.0)).collect();
        let located = locate(0.0, 1.0, &vec![Direction::Falling; n], PARAMS, |t, out| {
            for i in 0..n {
                out[i] = slopes[i] * (roots[i] - t) * (2.0 + roots[i] * t);
            }
        });
        let first = roots.iter().copied().fold(f64::INFINITY, f64::min);
        match located {
            None => assert!(first >= 1.0),
            Some(located) => {
                assert!((located.t - first).abs() < 1e-12);
                assert!(located.crossed.iter().all(|&i| (roots[i] - first).abs() < 1e-12));
                assert!(located.crossed.iter().any(|&i| roots[i].to_bits() == first.to_bits()));
            }
        }
    }
}

/// A polynomial with known roots, a sign, and a power of each factor: odd powers cross, even ones touch.
struct Polynomial {
    sign: f64,
    roots: Vec<(f64, i32)>,
}

impl Polynomial {
    fn at(&self, t: f64) -> f64 {
        self.roots.iter().fold(self.sign, |product, &(root, power)| product * (t - root).powi(power))
    }

    /// The exact answer: the first odd root at which the sign changes as asked.
    fn first(&self, t0: f64, t1: f64, direction: Direction) -> Option<f64> {
        let mut roots = self.roots.clone();
        roots.sort_by(|a, b| a.0.total_cmp(&b.0));
        roots
            .iter()
            .filter(|(root, power)| *root > t0 && *root < t1 && power % 2 == 1)
            .find(|(root, _)| {
                // Just before the root, every odd factor whose root is still ahead is negative.
                let before = self.roots.iter().fold(self.sign, |sign, &(other, power)| {
                    if other >= *root && power % 2 == 1 { -sign } else { sign }
                });
                direction == Direction::Both || (before > 0.0) == (direction == Direction::Falling)
            })
            .map(|&(root, _)| root)
    }
}

#[test]
fn random_polynomials_cross_where_their_roots_are() {
    let mut random = Random::new(1);
    // Evaluations after two samples bracket a root: (roots, sum, most for one) for simple and for triple ones.
    let mut narrowing = [(0, 0, 0); 2];
    for case in 0..count(4000, 400_000) {
        // Roots at least 0.02 apart, so that 99 samples over a unit interval see each of them.
        let mut roots: Vec<(f64, i32)> = Vec::new();
        for _ in 0..random.index(6) {
            let root = random.range(-0.5, 1.5);
            if roots.iter().all(|r| (r.0 - root).abs() > 0.02)
                && root.abs() > 1e-3
                && (root - 1.0).abs() > 1e-3
            {
                roots.push((root, [1, 1, 1, 2, 3][random.index(5)]));
            }
        }
        let scale = zerogap_core::math::pow(10.0, random.range(-8.0, 8.0));
        let sign = if random.unit() < 0.5 { scale } else { -scale };
        let polynomial = Polynomial { sign, roots };
        let direction = [Direction::Falling, Direction::Rising, Direction::Both][random.index(3)];

        let mut work = LocateWork::default();
        let params = LocateParams { samples: 99, tolerance: 1e-12 };
        let located =
            first_crossing(0.0, 1.0, &[direction], &mut |t, z| z[0] = polynomial.at(t), params, &mut work);
        let exact = polynomial.first(0.0, 1.0, direction);
        match (located, exact) {
            (None, None) => {}
            (Some(located), Some(exact)) => {
                assert!((located.t - exact).abs() <= 2e-12, "case {case}: {located:?} {exact}");
                let spent = work.evaluations - 1 - (exact * 100.0).ceil() as usize;
                let triple = polynomial.roots.iter().any(|r| r.0.to_bits() == exact.to_bits() && r.1 == 3);
                let (found, sum, most) = &mut narrowing[usize::from(triple)];
                *found += 1;
                *sum += spent;
                *most = spent.max(*most);
            }
            (located, exact) => {
                panic!("case {case}: {located:?} {exact:?} {direction:?} {:?}", polynomial.roots)
            }
        }
    }
    for ((found, sum, most), (kind, mean_bound)) in
        narrowing.into_iter().zip([("simple", 5.0), ("triple", 40.0)])
    {
        let mean = sum as f64 / f64::from(found);
        println!("{found} {kind} roots: {mean:.2} evaluations from 1e-2 to 1e-12 on average, {most} at most");
        // The bound that is promised: four for each halving.
        assert!(mean < mean_bound && most <= 4 * 34 + 4, "{kind}: {mean} {most}");
    }
}

#[test]
fn values_that_are_no_numbers_have_not_crossed_and_end_the_search() {
    assert_eq!(one(0.0, 1.0, Direction::Falling, |_| f64::NAN), None);
    // Not a number in the middle of the way: it has crossed where it is negative again.
    let z = |t: f64| {
        if t < 0.3 {
            1.0
        } else if t < 0.6 {
            f64::NAN
        } else {
            -1.0
        }
    };
    let located = one(0.0, 1.0, Direction::Falling, z).unwrap();
    assert!((located.t - 0.6).abs() < 1e-12, "{located:?}");
    // Beside one that crosses properly.
    let located = locate(0.0, 1.0, &[Direction::Falling; 2], PARAMS, |t, out| {
        out[0] = f64::NAN;
        out[1] = 0.5 - t;
    })
    .unwrap();
    assert_eq!(located.crossed, [1]);
    // Infinite on one side.
    let z = |t: f64| if t < 0.7 { f64::INFINITY } else { f64::NEG_INFINITY };
    assert!((one(0.0, 1.0, Direction::Falling, z).unwrap().t - 0.7).abs() < 1e-12);
}

#[test]
fn a_jump_is_found_like_a_root() {
    let located = one(0.0, 1.0, Direction::Falling, |t| if t < 1.0 / 3.0 { 1e-9 } else { -1e9 }).unwrap();
    assert!(located.before < 1.0 / 3.0 && located.t >= 1.0 / 3.0);
}

#[test]
fn intervals_that_are_no_intervals_have_no_crossing() {
    for (t0, t1) in [(1.0, 1.0), (1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, f64::NAN)] {
        assert_eq!(one(t0, t1, Direction::Falling, |_| -1.0), None);
    }
    assert_eq!(locate(0.0, 1.0, &[], PARAMS, |_, _| {}), None);
}

#[test]
fn a_bracket_is_never_narrower_than_doubles_allow() {
    // Late in a run and with a tolerance of zero: two spacings at most, and it ends.
    for t in [1.0, 1e6, 1e15] {
        let params = LocateParams { samples: 0, tolerance: 0.0 };
        let root = t * (1.0 + 1e-9);
        let located =
            locate(t, t * (1.0 + 1e-8), &[Direction::Falling], params, |s, z| z[0] = root - s).unwrap();
        assert!((located.t - root).abs() <= 2.0 * f64::EPSILON * located.t);
    }
    // Neighbouring doubles.
    let located = one(1.0, 1.0_f64.next_up(), Direction::Falling, |t| 1.0 - t).unwrap();
    assert_eq!(located.t.to_bits(), 1.0_f64.next_up().to_bits());
}

/// Passages of a pendulum through its lowest point and its turning points, located on the dense output of a run.
fn passages(integrator: &mut dyn Integrator) -> Vec<(f64, Vec<usize>)> {
    let pendulum = Pendulum { m: 0.5 };
    integrator.restart(&pendulum, 0.0, &pendulum.exact(0.0), None).unwrap();
    let directions = [Direction::Both, Direction::Falling];
    let mut work = LocateWork::default();
    let mut y = [0.0; 2];
    let mut found = Vec::new();
    while integrator.t() < 30.0 {
        integrator.step(&pendulum, 30.0).unwrap();
        let mut from = integrator.t_before();
        let inside = &*integrator;
        let mut evaluate = |t: f64, z: &mut [f64]| {
            inside.dense(t, &mut y);
            z.copy_from_slice(&y);
        };
        // Steps may hold several.
        while let Some(located) =
            first_crossing(from, inside.t(), &directions, &mut evaluate, PARAMS, &mut work)
        {
            from = located.t;
            found.push((located.t, located.crossed));
        }
    }
    found
}

#[test]
fn a_pendulum_passes_where_its_period_says() {
    // A quarter of the period is the complete elliptic integral for m = 1/2, Gamma(1/4)^2 / (4 sqrt(pi)).
    let quarter = 1.854_074_677_301_371_9;
    let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
    for integrator in [&mut Dop853::new(tolerance) as &mut dyn Integrator, &mut Radau::new(tolerance)] {
        let found = passages(integrator);
        // At zero it leaves the lowest point, which counts; then speed falls through zero at 1, 5, 9 quarters, and the angle changes sign at 2, 4, 6.
        let expected: Vec<(f64, usize)> = (0..17)
            .filter(|k| k % 2 == 0 || k % 4 == 1)
            .map(|k| (f64::from(k) * quarter, usize::from(k % 2 == 1)))
            .filter(|(t, _)| *t < 30.0)
            .collect();
        assert_eq!(found.len(), expected.len(), "{}: {found:?}", integrator.name());
        for ((t, crossed), (exact, function)) in found.iter().zip(expected) {
            assert!((t - exact).abs() < 1e-7 && *crossed == [function], "{t} {exact} {crossed:?}");
        }
    }
}
