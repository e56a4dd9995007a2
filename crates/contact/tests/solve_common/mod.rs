//! Mechanisms made of random bodies, and the laws of contact checked without any solver.
#![allow(dead_code, reason = "each test file uses its own part")]

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::Solution;
use zerogap_testkit::random::Random;

/// A contact that does not slide.
pub(crate) fn contact(friction: f64) -> Block {
    Block::Contact { friction, slip: None }
}

/// Bodies that touch: rows of contacts, inverse masses, velocities.
pub(crate) struct Mechanism {
    pub(crate) jacobian: DMatrix<f64>,
    pub(crate) inverse_mass: DMatrix<f64>,
    pub(crate) velocity: DVector<f64>,
}

impl Mechanism {
    pub(crate) fn w(&self) -> DMatrix<f64> {
        &self.jacobian * &self.inverse_mass * self.jacobian.transpose()
    }

    pub(crate) fn b(&self) -> DVector<f64> {
        &self.jacobian * &self.velocity
    }

    /// Kinetic energy after impulses minus before, from the bodies' own velocities.
    pub(crate) fn energy_change(&self, impulse: &DVector<f64>) -> f64 {
        let change = &self.inverse_mass * self.jacobian.transpose() * impulse;
        let momentum = self.jacobian.transpose() * impulse;
        momentum.dot(&(&self.velocity + change * 0.5))
    }
}

/// Rows n, t1, t2 of a contact at arm `r` of a body, for force on it along n.
pub(crate) fn rows_at(r: Vector3<f64>, n: Vector3<f64>, t1: Vector3<f64>) -> DMatrix<f64> {
    let t2 = n.cross(&t1);
    let mut rows = DMatrix::zeros(3, 6);
    for (i, d) in [n, t1, t2].into_iter().enumerate() {
        let m = r.cross(&d);
        for k in 0..3 {
            rows[(i, k)] = d[k];
            rows[(i, 3 + k)] = m[k];
        }
    }
    rows
}

/// Random bodies with random contacts between them or to the ground.
pub(crate) fn random_mechanism(random: &mut Random, bodies: usize, contacts: usize) -> Mechanism {
    let vector = |random: &mut Random| {
        let d = random.direction();
        Vector3::new(d.x, d.y, d.z)
    };
    let mut jacobian = DMatrix::zeros(3 * contacts, 6 * bodies);
    for k in 0..contacts {
        let n = vector(random);
        let t1 = n.cross(&vector(random)).normalize();
        let (i, j) = (random.index(bodies), random.index(bodies + 1));
        let rows = rows_at(vector(random), n, t1);
        jacobian.view_mut((3 * k, 6 * i), (3, 6)).copy_from(&rows);
        if j < bodies && j != i {
            let rows = -rows_at(vector(random), n, t1);
            jacobian.view_mut((3 * k, 6 * j), (3, 6)).copy_from(&rows);
        }
    }
    let mut inverse_mass = DMatrix::zeros(6 * bodies, 6 * bodies);
    for i in 0..bodies {
        let mass = random.range(0.2, 5.0);
        let f = Matrix3::from_fn(|_, _| random.range(-1.0, 1.0));
        let inertia = (f * f.transpose() + Matrix3::identity() * 0.5) * (0.4 * mass);
        let inverse = inertia.try_inverse().unwrap();
        for k in 0..3 {
            inverse_mass[(6 * i + k, 6 * i + k)] = 1.0 / mass;
            for l in 0..3 {
                inverse_mass[(6 * i + 3 + k, 6 * i + 3 + l)] = 0.5 * (inverse[(k, l)] + inverse[(l, k)]);
            }
        }
    }
    let velocity = DVector::from_fn(6 * bodies, |_, _| random.range(-1.0, 1.0));
    Mechanism { jacobian, inverse_mass, velocity }
}

/// A unit cube of 1 kg on a plane z = 0: four corners, rows (n, x, y); free acceleration `g` of the centre.
pub(crate) fn cube_on_plane(g: Vector3<f64>) -> Mechanism {
    let mut jacobian = DMatrix::zeros(12, 6);
    for (k, (x, y)) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].into_iter().enumerate() {
        let rows = rows_at(Vector3::new(x, y, -0.5), Vector3::z(), Vector3::x());
        jacobian.view_mut((3 * k, 0), (3, 6)).copy_from(&rows);
    }
    let mut inverse_mass = DMatrix::identity(6, 6);
    for k in 3..6 {
        inverse_mass[(k, k)] = 6.0;
    }
    let velocity = DVector::from_column_slice(&[g.x, g.y, g.z, 0.0, 0.0, 0.0]);
    Mechanism { jacobian, inverse_mass, velocity }
}

/// How far the laws are broken: responses over the largest sum of terms in them, forces over the largest force. The laws are
/// written out here once more.
pub(crate) fn broken(problem: &Problem, lambda: &DVector<f64>, a: &DVector<f64>) -> f64 {
    let terms = problem.w.abs() * lambda.abs() + problem.b.abs();
    let (la, ll) = (terms.amax().max(1e-300), lambda.amax().max(1e-300));
    let mut worst = (&problem.w * lambda + &problem.b - a).amax() / la;
    let mut row = 0;
    for block in &problem.blocks {
        let (x, y) = (lambda[row] / ll, a[row] / la);
        match *block {
            Block::Bilateral => worst = worst.max(y.abs()),
            Block::Bounded { .. } | Block::Moment { .. } => worst = f64::INFINITY,
            Block::Unilateral => worst = worst.max(-x).max(-y).max((x * y).abs()),
            Block::Contact { friction, slip } => {
                worst = worst.max(-x).max(-y).max((x * y).abs());
                let t = [lambda[row + 1] / ll, lambda[row + 2] / ll];
                let s = [a[row + 1] / la, a[row + 2] / la];
                if let Some(d) = slip {
                    for k in 0..2 {
                        worst = worst.max((t[k] + friction * x * d[k]).abs() / (1.0 + friction));
                    }
                } else {
                    let force = (t[0] * t[0] + t[1] * t[1]).sqrt();
                    let speed = (s[0] * s[0] + s[1] * s[1]).sqrt();
                    worst = worst.max(force - friction * x);
                    // Slip only at the edge of the cone, and friction against it.
                    worst = worst.max(speed * (friction * x - force) / (1.0 + friction));
                    worst = worst.max((t[0] * s[0] + t[1] * s[1] + force * speed) / (1.0 + friction));
                }
            }
        }
        row += block.rows();
    }
    worst
}

/// The same for a solution.
pub(crate) fn broken_by(problem: &Problem, solution: &Solution) -> f64 {
    assert!(solution.lambda.iter().chain(solution.a.iter()).all(|v| v.is_finite()));
    broken(problem, &solution.lambda, &solution.a)
}
