//! Newton's method on Coulomb's law, for contacts that hold each other too tightly for one-by-one sweeps.
//!
//! In: a [`MatrixProblem`], impulses to start from, and how firmly a proximal term keeps them there. Out: impulses of the proximal problem, and the best ones for the true problem.
//! The law is written as Alart and Curnier do (1991): `r_n = max(0, r_n - u_n/w)` and `r_t` the nearest point to `r_t - u_t/w` in the disc of radius `mu max(0, r_n - u_n/w)`, which is
//! Coulomb's law with De Saxcé's correction built in, and smooth but for its seams. More contacts than degrees of freedom make `W` singular, so impulses are kept near where they began by
//! `eps` times the inverse mass of each contact (a proximal step), which fades as the answer comes near.

use super::Delassus;
use super::block_factor::BlockFactor;
use super::elimination::Elimination;
use super::matrix::MatrixProblem;
use super::measure::{Best, worse};
use crate::SolverInfo;
use std::cmp::Ordering;
use zerogap_core::line_search::LineSearch;

/// Fractions of a step that are tried. More were: tiny steps stay where the law is missed least nearby, and more problems were left unsolved.
const SEARCH: LineSearch = LineSearch::halving(4);
/// Fraction of the promised decrease that a step must keep [-].
const DECREASE: f64 = 1e-4;
/// Entries of the diagonal below this fraction of the largest move nothing [-].
const IMMOVABLE: f64 = 1e-14;
/// A proximal problem counts as solved at this fraction of the tolerance [-].
const SETTLED: f64 = 0.1;
/// And at this residual whatever the tolerance: below it there is rounding alone [-].
const ROUNDING: f64 = 1e-13;
/// A better answer is one with at most this fraction of the residual before [-].
const BETTER: f64 = 0.9;
/// Steps without a better answer of the proximal problem before it is given up.
const PATIENCE: usize = 12;

/// Row-major entries of a block.
type Entries = [f64; 9];

/// Memory of Newton's method for one problem.
#[derive(Debug, Clone)]
pub(crate) struct Newton {
    plan: Elimination,
    factor: BlockFactor,
    /// Inverse mass of each contact: the largest entry of its diagonal [1/kg].
    weights: Vec<f64>,
    /// Factor on the inverse masses inside the projections: the same law, other steps [-].
    pub stretch: f64,
    /// Derivatives of the law by impulses and by velocities, for each contact.
    by_impulse: Vec<Entries>,
    by_velocity: Vec<Entries>,
    pushes: Vec<bool>,
    miss: Vec<f64>,
    step: Vec<f64>,
    trial: Vec<f64>,
    velocities: Vec<f64>,
}

impl Newton {
    pub(crate) fn new(problem: &MatrixProblem) -> Self {
        let n = problem.contacts();
        let largest = (0..n).fold(0.0_f64, |m, i| m.max(problem.diagonal(i).diagonal().max()));
        let weights = (0..n)
            .map(|i| {
                let own = problem.diagonal(i).diagonal().max();
                // Contacts that move nothing are weighed like the others.
                if own > IMMOVABLE * largest {
                    own
                } else if largest > 0.0 {
                    largest
                } else {
                    1.0
                }
            })
            .collect();
        let (mut plan, mut factor) = (Elimination::default(), BlockFactor::default());
        plan.prepare(n, |lens, edges| {
            lens.fill(3);
            let pairs = (0..n).flat_map(|j| problem.column(j).map(move |(i, _)| (i, j)));
            edges.extend(pairs.filter(|(i, j)| i != j).map(|(i, j)| [i.min(j) as u32, i.max(j) as u32]));
        });
        factor.prepare(&plan);
        Self {
            plan,
            factor,
            weights,
            stretch: 1.0,
            by_impulse: vec![[0.0; 9]; n],
            by_velocity: vec![[0.0; 9]; n],
            pushes: vec![false; n],
            miss: vec![0.0; 3 * n],
            step: vec![0.0; 3 * n],
            trial: vec![0.0; 3 * n],
            velocities: vec![0.0; 3 * n],
        }
    }

    /// Solves the problem with a proximal term `eps` about `impulses`, in place; every iterate is offered to `best`. Ends early once `best` is good enough, and after `max_steps` steps.
    pub(crate) fn run(
        &mut self,
        problem: &MatrixProblem,
        impulses: &mut [f64],
        eps: f64,
        best: &mut Best,
        max_steps: usize,
    ) -> SolverInfo {
        let center = impulses.to_vec();
        let mut smallest = f64::INFINITY;
        let mut waited = 0;
        let mut info = SolverInfo::default();
        for _ in 0..max_steps {
            self.respond(problem, impulses, &center, eps);
            best.offer(problem, impulses);
            let measured = worse(problem, impulses, &self.velocities);
            info.finish(measured, (SETTLED * best.tolerance).max(ROUNDING));
            info.is_solved |= best.is_enough();
            if info.is_solved {
                return info;
            }
            // Answers that only wander are not waited for.
            if measured < BETTER * smallest {
                smallest = measured;
                waited = 0;
            } else {
                waited += 1;
                if waited > PATIENCE {
                    return info;
                }
            }
            let before = self.linearise(problem, impulses, eps);
            info.factorisations += 1;
            if !self.direct(problem, impulses, eps) {
                return info;
            }
            info.backtracks += self.search(problem, impulses, &center, eps, before);
            info.iterations += 1;
        }
        info
    }

    /// Velocities of the proximal problem: `(W + eps D) r + q - eps D center`.
    fn respond(&mut self, problem: &MatrixProblem, impulses: &[f64], center: &[f64], eps: f64) {
        problem.respond(impulses, &mut self.velocities);
        for (row, u) in self.velocities.iter_mut().enumerate() {
            *u += eps * self.weights[row / 3] * (impulses[row] - center[row]);
        }
    }

    /// By how much the law is missed, in `miss`, with its derivatives; its length [m/s].
    fn linearise(&mut self, problem: &MatrixProblem, impulses: &[f64], eps: f64) -> f64 {
        let mut sum = 0.0;
        for contact in 0..self.weights.len() {
            let weight = self.stretch * self.weights[contact] * (1.0 + eps);
            let rows = 3 * contact..3 * contact + 3;
            let law =
                law_of(problem.mu(contact), &impulses[rows.clone()], &self.velocities[rows.clone()], weight);
            self.pushes[contact] = law.kind != Kind::Open;
            let (a, b) = law.derivatives();
            self.by_impulse[contact] = a;
            self.by_velocity[contact] = b;
            self.miss[rows].copy_from_slice(&law.miss);
            sum += law.square();
        }
        sum.sqrt()
    }

    /// Newton's step, in `step`; whether it is finite.
    fn direct(&mut self, problem: &MatrixProblem, impulses: &[f64], eps: f64) -> bool {
        self.assemble(problem, eps);
        let n = self.weights.len();
        // Contacts that open give up their impulse, whatever the others do; what that does to the others goes to the right-hand side.
        self.trial.fill(0.0);
        for contact in (0..n).filter(|i| !self.pushes[*i]) {
            let r = [-impulses[3 * contact], -impulses[3 * contact + 1], -impulses[3 * contact + 2]];
            self.step[3 * contact..3 * contact + 3].copy_from_slice(&r);
            if r.iter().any(|x| *x != 0.0) {
                problem.push(contact, r, &mut self.trial);
            }
        }
        for contact in (0..n).filter(|i| self.pushes[*i]) {
            let rows = 3 * contact..3 * contact + 3;
            let moved = [self.trial[rows.start], self.trial[rows.start + 1], self.trial[rows.start + 2]];
            let from_open = times(&self.by_velocity[contact], moved);
            for (k, row) in rows.enumerate() {
                self.step[row] = -self.miss[row] - from_open[k];
            }
        }
        let Self { plan, factor, pushes, step, .. } = self;
        plan.islands.iter().all(|island| {
            factor.factor(plan, island, false, |contact| pushes[contact]) && {
                factor.solve(plan, island, false, |contact| pushes[contact], |contact| 3 * contact, step);
                true
            }
        }) && self.step.iter().all(|v| v.is_finite())
    }

    /// Writes the derivative of the law over the contacts that push into the blocks of the factor.
    fn assemble(&mut self, problem: &MatrixProblem, eps: f64) {
        let Self { plan, factor, weights, by_velocity, by_impulse, pushes, .. } = self;
        for island in &plan.islands {
            factor.clear(plan, island);
        }
        for column in (0..weights.len()).filter(|column| pushes[*column]) {
            let at = plan.column[column] as usize;
            let mut own = by_impulse[column];
            for (own, b) in own.iter_mut().zip(&by_velocity[column]) {
                *own += eps * weights[column] * b;
            }
            for (row, w) in problem.column(column).filter(|(row, _)| pushes[*row]) {
                let block = product(&by_velocity[row], w);
                let to = plan.column[row] as usize;
                let out = match to.cmp(&at) {
                    Ordering::Equal => &mut own[..],
                    Ordering::Greater => &mut factor.lower[plan.below_at[plan.place(at, to)]..][..9],
                    Ordering::Less => &mut factor.upper[plan.below_at[plan.place(to, at)]..][..9],
                };
                for (out, entry) in out.iter_mut().zip(&block) {
                    *out += entry;
                }
            }
            factor.diagonal[plan.diagonal_at[at]..plan.diagonal_at[at + 1]].copy_from_slice(&own);
        }
    }

    /// Goes along the step as far as the law is missed by less, or where it is missed least; returns the trials that were not accepted.
    fn search(
        &mut self,
        problem: &MatrixProblem,
        impulses: &mut [f64],
        center: &[f64],
        eps: f64,
        before: f64,
    ) -> usize {
        let start = impulses.to_vec();
        let searched = SEARCH.search(
            |fraction| {
                go(impulses, &start, &self.step, fraction);
                self.respond(problem, impulses, center, eps);
                self.missed(problem, impulses, eps)
            },
            |fraction, missed| missed <= (1.0 - DECREASE * fraction) * before,
        );
        if !searched.is_last {
            go(impulses, &start, &self.step, searched.fraction);
        }
        searched.backtracks
    }

    /// By how much impulses with the current velocities miss the law [m/s].
    fn missed(&self, problem: &MatrixProblem, impulses: &[f64], eps: f64) -> f64 {
        let mut sum = 0.0;
        for contact in 0..self.weights.len() {
            let rows = 3 * contact..3 * contact + 3;
            let weight = self.stretch * self.weights[contact] * (1.0 + eps);
            sum +=
                law_of(problem.mu(contact), &impulses[rows.clone()], &self.velocities[rows], weight).square();
        }
        sum.sqrt()
    }
}

/// Block times vector.
fn times(m: &Entries, x: [f64; 3]) -> [f64; 3] {
    [
        m[0] * x[0] + m[1] * x[1] + m[2] * x[2],
        m[3] * x[0] + m[4] * x[1] + m[5] * x[2],
        m[6] * x[0] + m[7] * x[1] + m[8] * x[2],
    ]
}

/// Block times block.
fn product(a: &Entries, b: &Entries) -> Entries {
    let mut c = [0.0; 9];
    for i in 0..3 {
        for j in 0..3 {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
    c
}

fn go(x: &mut [f64], start: &[f64], step: &[f64], fraction: f64) {
    for ((x, start), step) in x.iter_mut().zip(start).zip(step) {
        *x = start + fraction * step;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Open,
    Stick,
    Slide,
}

/// Coulomb's law at one contact, after Alart and Curnier, in units of velocity.
struct Law {
    kind: Kind,
    mu: f64,
    weight: f64,
    miss: [f64; 3],
    /// Where it slides: the direction of friction, and the radius of the disc over the length of what is projected onto it.
    direction: [f64; 2],
    fraction: f64,
}

fn law_of(mu: f64, r: &[f64], u: &[f64], weight: f64) -> Law {
    let [rn, r1, r2] = [r[0] * weight, r[1] * weight, r[2] * weight];
    let (n, t) = (rn - u[0], [r1 - u[1], r2 - u[2]]);
    let mut law =
        Law { kind: Kind::Open, mu, weight, miss: [rn, r1, r2], direction: [0.0; 2], fraction: 0.0 };
    if n <= 0.0 {
        return law;
    }
    let (length, radius) = ((t[0] * t[0] + t[1] * t[1]).sqrt(), mu * n);
    if length <= radius {
        law.kind = Kind::Stick;
        law.miss = [u[0], u[1], u[2]];
        return law;
    }
    law.kind = Kind::Slide;
    law.direction = [t[0] / length, t[1] / length];
    law.fraction = radius / length;
    law.miss = [u[0], r1 - law.fraction * t[0], r2 - law.fraction * t[1]];
    law
}

impl Law {
    fn square(&self) -> f64 {
        self.miss.iter().map(|v| v * v).sum()
    }

    /// By the impulses and by the velocities of the contact, row-major.
    fn derivatives(&self) -> (Entries, Entries) {
        let w = self.weight;
        let mut a = [0.0; 9];
        let mut b = [0.0; 9];
        match self.kind {
            Kind::Open => [a[0], a[4], a[8]] = [w; 3],
            Kind::Stick => [b[0], b[4], b[8]] = [1.0; 3],
            Kind::Slide => {
                let ([x, y], s, mu) = (self.direction, self.fraction, self.mu);
                // Across the sliding the projection shrinks by the fraction; along it, it follows the radius.
                let across = [s * (1.0 - x * x), -s * x * y, s * (1.0 - y * y)];
                b[0] = 1.0;
                [b[3], b[6]] = [mu * x, mu * y];
                [b[4], b[5], b[7], b[8]] = [across[0], across[1], across[1], across[2]];
                [a[3], a[6]] = [-mu * x * w, -mu * y * w];
                [a[4], a[8]] = [(1.0 - across[0]) * w, (1.0 - across[2]) * w];
                [a[5], a[7]] = [-across[1] * w; 2];
            }
        }
        (a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        let mut random = Random::new(11);
        let mut kinds = [0; 3];
        for _ in 0..2000 {
            let mu = random.range(0.0, 1.5);
            let weight = random.range(0.1, 3.0);
            let r: [f64; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
            let u: [f64; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
            let law = law_of(mu, &r, &u, weight);
            kinds[law.kind as usize] += 1;
            let (a, b) = law.derivatives();
            let h = 1e-6;
            for k in 0..3 {
                let mut up = (r, u);
                let mut down = (r, u);
                up.0[k] += h;
                down.0[k] -= h;
                let (p, m) = (law_of(mu, &up.0, &u, weight), law_of(mu, &down.0, &u, weight));
                up.1[k] += h;
                down.1[k] -= h;
                let (pu, mu_) = (law_of(mu, &r, &up.1, weight), law_of(mu, &r, &down.1, weight));
                // Across a seam there is no derivative.
                if [p.kind, m.kind, pu.kind, mu_.kind].iter().any(|kind| *kind != law.kind) {
                    continue;
                }
                for i in 0..3 {
                    let by_r = (p.miss[i] - m.miss[i]) / (2.0 * h);
                    let by_u = (pu.miss[i] - mu_.miss[i]) / (2.0 * h);
                    assert!((by_r - a[3 * i + k]).abs() < 1e-5, "{by_r} {}", a[3 * i + k]);
                    assert!((by_u - b[3 * i + k]).abs() < 1e-5, "{by_u} {}", b[3 * i + k]);
                }
            }
        }
        assert!(kinds.iter().all(|k| *k > 100), "{kinds:?}");
    }
}
