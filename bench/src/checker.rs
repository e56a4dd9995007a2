//! How far impulses are from solving a contact problem, measured without any code of the solvers.
//!
//! In: a problem as data (masses, Jacobians, biases, laws) and impulses. Out: the worst of each condition over all blocks. Velocities are computed anew from the masses by a dense factorisation with a step of
//! refinement; nothing that a solver or the problem has prepared (inverses, diagonals, states, residuals) is read.

use zerogap::contact::cone::{BodyProblem, Delassus};
use zerogap::contact::problem::Block;
use zerogap_core::math::hypot;

/// Pivots below this fraction of their diagonal entry carry no mass, and what they belong to does not move [-]; the rule of the problem format.
const MASSLESS: f64 = 1e-14;
/// Rounds of refinement of a solve with a mass matrix.
const REFINEMENTS: usize = 2;

/// The worst of each condition over all blocks, in the units of velocities [m/s and the like]; impulses are weighted by the largest diagonal entry of the block's inverse mass.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Misses {
    /// The natural map of De Saxcé's form.
    pub natural: f64,
    /// Closing velocity, where none is allowed, and velocity of rows that may have none.
    pub velocity: f64,
    /// Distance of impulses from their cones.
    pub cone: f64,
    /// Impulses together with what they exclude: opening, and sliding that friction does not oppose by all it has.
    pub complementarity: f64,
}

impl Misses {
    /// The largest of the conditions that are measured one by one.
    pub fn conditions(&self) -> f64 {
        self.velocity.max(self.cone).max(self.complementarity)
    }

    /// The worse of two, each by itself.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            natural: worse(self.natural, other.natural),
            velocity: worse(self.velocity, other.velocity),
            cone: worse(self.cone, other.cone),
            complementarity: worse(self.complementarity, other.complementarity),
        }
    }
}

/// The larger of two numbers; infinite where one is none.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// What was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Checked {
    /// The worst misses.
    pub worst: Misses,
    /// Contacts that carry load and slide faster than the speed asked for [-].
    pub sliding: usize,
}

/// Measures impulses; contacts slide above a speed [m/s].
pub fn check(problem: &BodyProblem, impulses: &[f64], slide: f64) -> Checked {
    let masses: Vec<Mass> = (0..problem.groups().len()).map(|group| Mass::new(problem, group)).collect();
    // Momentum of every group, then its velocities.
    let mut momentum = vec![0.0; problem.free().len()];
    for (block, law) in problem.blocks().iter().enumerate() {
        let first = problem.first(block);
        for side in problem.sides(block).into_iter().flatten() {
            let group = problem.groups()[side.group];
            let rows = problem.rows_of(block, side);
            for (row, impulse) in rows.chunks_exact(group.len).zip(&impulses[first..first + law.rows()]) {
                for (p, j) in momentum[group.start..].iter_mut().zip(row) {
                    *p += j * impulse;
                }
            }
        }
    }
    let mut velocities = problem.free().to_vec();
    for (group, mass) in problem.groups().iter().zip(&masses) {
        let change = mass.solve(&momentum[group.start..group.start + group.len]);
        for (v, change) in velocities[group.start..].iter_mut().zip(change) {
            *v += change;
        }
    }
    let mut checked = Checked::default();
    for (block, law) in problem.blocks().iter().enumerate() {
        let first = problem.first(block);
        let mut u = problem.bias()[first..first + law.rows()].to_vec();
        let mut weight = vec![0.0; law.rows()];
        for side in problem.sides(block).into_iter().flatten() {
            let group = problem.groups()[side.group];
            let rows = problem.rows_of(block, side).chunks_exact(group.len);
            for (row, (u, weight)) in rows.zip(u.iter_mut().zip(&mut weight)) {
                *u += dot(row, &velocities[group.start..group.start + group.len]);
                *weight += dot(row, &masses[side.group].solve(row));
            }
        }
        // Rows that yield to their own impulse; contacts do not.
        let compliance = problem.compliance(block);
        u[0] += compliance * impulses[first];
        weight[0] += compliance;
        let weight = weight.into_iter().fold(0.0, f64::max);
        let weight = if weight > 0.0 { weight } else { 1.0 };
        let r: Vec<f64> = impulses[first..first + law.rows()].iter().map(|r| r * weight).collect();
        let (misses, slides) = if let Block::Moment { ratio, contact, .. } = law {
            // Its bound is in the unit of its own rows.
            (moment(ratio * (impulses[problem.first(*contact)]).max(0.0) * weight, &r, &u), false)
        } else {
            miss(law, weight, &r, &u, slide)
        };
        checked.worst = checked.worst.and(&misses);
        checked.sliding += usize::from(slides);
    }
    checked
}

/// Misses of one block with impulses times its weight, and whether it carries load and slides faster than a speed.
fn miss(law: &Block, weight: f64, r: &[f64], u: &[f64], slide: f64) -> (Misses, bool) {
    match law {
        Block::Bilateral => {
            (Misses { natural: u[0].abs(), velocity: u[0].abs(), ..Misses::default() }, false)
        }
        Block::Unilateral => {
            let misses = Misses {
                natural: (r[0] - (r[0] - u[0]).max(0.0)).abs(),
                velocity: (-u[0]).max(0.0),
                cone: (-r[0]).max(0.0),
                complementarity: r[0].min(u[0]).max(0.0),
            };
            (misses, false)
        }
        Block::Moment { ratio, .. } => (moment(ratio * weight, r, u), false),
        Block::Bounded { lower, upper } => (bounded(lower * weight, upper * weight, r[0], u[0]), false),
        Block::Contact { friction, .. } => contact(*friction, r, u, slide),
    }
}

/// Misses of a moment within a disc, whose radius is weighted too.
fn moment(radius: f64, r: &[f64], u: &[f64]) -> Misses {
    let (length, speed) = (dot(r, r).sqrt(), dot(u, u).sqrt());
    // What is not opposed by all that there is: the power that lacks, over the radius.
    let against: Vec<f64> =
        r.iter().zip(u).map(|(r, u)| if speed > 0.0 { r + radius * u / speed } else { 0.0 }).collect();
    let lacks = dot(&against, &against).sqrt();
    let mismatch = if radius > 0.0 { (lacks / radius).min(1.0) } else { 1.0 };
    let shifted: Vec<f64> = r.iter().zip(u).map(|(r, u)| r - u).collect();
    let far = dot(&shifted, &shifted).sqrt();
    let fraction = if far > radius { radius / far } else { 1.0 };
    let off: Vec<f64> = r.iter().zip(&shifted).map(|(r, x)| r - fraction * x).collect();
    Misses {
        natural: dot(&off, &off).sqrt(),
        velocity: 0.0,
        cone: (length - radius).max(0.0),
        complementarity: (speed * mismatch).min(lacks),
    }
}

/// Misses of a row within bounds, which are weighted too.
fn bounded(lower: f64, upper: f64, r: f64, u: f64) -> Misses {
    let outside = (lower - r).max(r - upper).max(0.0);
    // A velocity of either sign needs the impulse at the bound that excludes it, or is missed by as much.
    let unopposed = if u > 0.0 { u.min(r - lower) } else { (-u).min(upper - r) };
    let shifted = r - u;
    let nearest = if shifted < lower {
        lower
    } else if shifted > upper {
        upper
    } else {
        shifted
    };
    Misses { natural: (r - nearest).abs(), velocity: 0.0, cone: outside, complementarity: unopposed.max(0.0) }
}

fn contact(mu: f64, r: &[f64], u: &[f64], slide: f64) -> (Misses, bool) {
    let (load, friction, speed) = (r[0], hypot(r[1], r[2]), hypot(u[1], u[2]));
    // The cone of friction zero is a ray, that of infinite friction a half-space.
    let across = if mu.is_infinite() { 0.0 } else { (friction - mu * load.max(0.0)).max(0.0) };
    let cone = (-load).max(across).max(0.0);
    // Load on what opens.
    let opening = load.min(u[0]).max(0.0);
    // The part of the sliding that friction does not oppose by all it has: sliding speed times the mismatch of friction relative to its limit. Stuck contacts may have any friction, unloaded ones any sliding.
    let limit = if mu.is_infinite() { f64::INFINITY } else { mu * load.max(0.0) };
    let unopposed = if speed > 0.0 && limit.is_finite() {
        let against = hypot(r[1] + limit * u[1] / speed, r[2] + limit * u[2] / speed);
        let mismatch = if limit > 0.0 { (against / limit).min(1.0) } else { 1.0 };
        (speed * mismatch).min(against)
    } else if speed > 0.0 {
        speed.min(load.max(0.0))
    } else {
        0.0
    };
    let misses = Misses {
        natural: natural(mu, r, u, speed),
        velocity: (-u[0]).max(0.0),
        cone,
        complementarity: opening.max(unopposed),
    };
    (misses, load > slide && speed > slide)
}

/// The length of `r - P(r - u - (mu |u_t|, 0, 0))`, with `P` the nearest point of the cone; zero for infinite friction, which it does not measure.
fn natural(mu: f64, r: &[f64], u: &[f64], speed: f64) -> f64 {
    if mu.is_infinite() {
        return 0.0;
    }
    let x = [r[0] - u[0] - mu * speed, r[1] - u[1], r[2] - u[2]];
    let across = hypot(x[1], x[2]);
    let nearest = if x[0] >= 0.0 && across <= mu * x[0] {
        x
    } else if mu * across <= -x[0] {
        [0.0; 3]
    } else if across > 0.0 {
        // Along the mantle, in the plane of the axis and x: the unit vector (1, mu) / sqrt(1 + mu²).
        let scale = (x[0] + mu * across) / (1.0 + mu * mu);
        [scale, scale * mu * x[1] / across, scale * mu * x[2] / across]
    } else {
        [x[0].max(0.0), 0.0, 0.0]
    };
    let off: Vec<f64> = r.iter().zip(nearest).map(|(r, p)| r - p).collect();
    dot(&off, &off).sqrt()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A mass matrix with its factors `L D L^T`.
struct Mass {
    len: usize,
    matrix: Vec<f64>,
    /// Unit lower triangle, with the pivots on the diagonal; zero where there is no mass.
    factor: Vec<f64>,
}

impl Mass {
    fn new(problem: &BodyProblem, group: usize) -> Self {
        let len = problem.groups()[group].len;
        let matrix = problem.mass(group).to_vec();
        let mut factor = matrix.clone();
        for j in 0..len {
            let own = factor[j * len + j];
            let mut pivot = own;
            for k in 0..j {
                pivot -= factor[j * len + k] * factor[j * len + k] * factor[k * len + k];
            }
            let pivot = if pivot > MASSLESS * own { pivot } else { 0.0 };
            factor[j * len + j] = pivot;
            for i in j + 1..len {
                let mut entry = factor[i * len + j];
                for k in 0..j {
                    entry -= factor[i * len + k] * factor[j * len + k] * factor[k * len + k];
                }
                factor[i * len + j] = if pivot > 0.0 { entry / pivot } else { 0.0 };
            }
        }
        Self { len, matrix, factor }
    }

    /// The velocities of a momentum; zero where there is no mass.
    fn solve(&self, momentum: &[f64]) -> Vec<f64> {
        let mut x = self.solve_once(momentum.to_vec());
        for _ in 0..REFINEMENTS {
            let mut left = Vec::with_capacity(self.len);
            for (row, p) in self.matrix.chunks_exact(self.len).zip(momentum) {
                left.push(p - dot(row, &x));
            }
            for (x, change) in x.iter_mut().zip(self.solve_once(left)) {
                *x += change;
            }
        }
        x
    }

    fn solve_once(&self, mut x: Vec<f64>) -> Vec<f64> {
        let (len, factor) = (self.len, &self.factor);
        for i in 0..len {
            for k in 0..i {
                x[i] -= factor[i * len + k] * x[k];
            }
            // What has no mass takes no part.
            if factor[i * len + i] == 0.0 {
                x[i] = 0.0;
            }
        }
        for (i, x) in x.iter_mut().enumerate() {
            let pivot = factor[i * len + i];
            *x = if pivot > 0.0 { *x / pivot } else { 0.0 };
        }
        for i in (0..len).rev() {
            for k in i + 1..len {
                x[i] -= factor[k * len + i] * x[k];
            }
            if factor[i * len + i] == 0.0 {
                x[i] = 0.0;
            }
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of mass 2 that slides on a plane: rows n, t1, t2.
    fn sliding(mu: f64) -> BodyProblem {
        let mut problem = BodyProblem::default();
        let body = problem.add_group(&[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0], &[0.9, 0.0, -1.0]);
        problem.add_block(Block::Contact { friction: mu, slip: None }, &[0.0; 3]);
        problem.add_side(body, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        problem
    }

    #[test]
    fn the_answer_misses_nothing_and_others_miss_what_they_break() {
        let problem = sliding(0.5);
        let good = check(&problem, &[2.0, -1.0, 0.0], 1e-3);
        assert!(good.worst.natural < 1e-15 && good.worst.conditions() < 1e-15 && good.sliding == 1);
        // No impulse: it falls at 1 m/s.
        assert!((check(&problem, &[0.0; 3], 1e-3).worst.velocity - 1.0).abs() < 1e-15);
        // Too much friction lies outside of the cone by 0.1 m/s.
        assert!((check(&problem, &[2.0, -1.2, 0.0], 1e-3).worst.cone - 0.1).abs() < 1e-15);
        // No friction while it slides at 0.9 m/s: no more than the friction that lacks, 0.5 m/s weighted.
        let rough = check(&problem, &[2.0, 0.0, 0.0], 1e-3).worst;
        assert!((rough.complementarity - 0.5).abs() < 1e-15 && rough.cone == 0.0);
        // Thrown upwards with load on it.
        assert!((check(&problem, &[4.0, -1.8, 0.0], 1e-3).worst.complementarity - 1.0).abs() < 1e-15);
    }

    #[test]
    fn bounds_and_compliance_are_measured() {
        let with = |lower: f64, upper: f64, compliance: f64| {
            let mut problem = BodyProblem::default();
            let group = problem.add_group(&[2.0], &[-1.0]);
            let block = problem.add_block(Block::Bounded { lower, upper }, &[0.0]);
            problem.add_side(group, &[1.0]);
            problem.set_compliance(block, compliance);
            problem
        };
        let missed = |problem: &BodyProblem, r: f64| check(problem, &[r], 1e-3).worst.conditions();
        // Stopped by 2, or by what half of the compliance leaves.
        assert!(missed(&with(-3.0, 3.0, 0.0), 2.0) < 1e-15);
        assert!(missed(&with(-3.0, 3.0, 0.5), 1.0) < 1e-15);
        // At the upper bound it goes on; below that it should not.
        assert!(missed(&with(-3.0, 1.0, 0.0), 1.0) < 1e-15);
        assert!((missed(&with(-3.0, 1.0, 0.0), 0.5) - 0.25).abs() < 1e-15);
        assert!((missed(&with(-3.0, 1.0, 0.0), 1.5) - 0.25).abs() < 1e-15);
    }

    #[test]
    fn moments_are_measured_against_the_normal_impulse() {
        let mut problem = sliding(0.5);
        problem.add_block(Block::Moment { axes: 1, ratio: 0.1, contact: 0 }, &[0.0]);
        problem.add_side(0, &[1.0, 0.0, 0.0]);
        // It slides at 0.9 - 0.5 - 0.1, and the moment is all that a tenth of the load allows.
        let good = check(&problem, &[2.0, -1.0, 0.0, -0.2], 1e-3).worst;
        assert!(good.natural < 1e-15 && good.conditions() < 1e-15, "{good:?}");
        assert!((check(&problem, &[2.0, -1.0, 0.0, -0.3], 1e-3).worst.cone - 0.05).abs() < 1e-15);
        assert!(check(&problem, &[2.0, -1.0, 0.0, 0.0], 1e-3).worst.complementarity > 0.09);
    }

    #[test]
    fn masses_that_are_not_diagonal_are_solved() {
        let mut problem = BodyProblem::default();
        let group = problem.add_group(&[2.0, 1.0, 1.0, 1.0], &[0.0, 0.0]);
        problem.add_block(Block::Bilateral, &[-1.0]);
        problem.add_side(group, &[1.0, 0.0]);
        // The inverse mass of the row is 1.
        assert!(check(&problem, &[1.0], 1e-3).worst.natural < 1e-15);
    }
}
