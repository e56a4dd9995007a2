//! Newton's method on the laws made softer, for problems that neither of the other methods solves.
//!
//! In: an island and impulses. Out: better ones. Each stage asks of every block that its impulse be what the law allows near `r - k u`, with `r` the impulses of the stage before and a rate `k` that grows while
//! stages succeed: a problem in the velocities alone, which is nearer to smooth the smaller `k` is.

use super::Delassus as _;
use super::island::{Island, Misses, NO_SLOPE, follows_any, set, three};
use super::linear::{allowed, allowed_follows, allowed_slope};
use crate::problem::Block;
use zerogap_core::line_search::LineSearch;

/// Rates are in units of one over the inverse mass of a block [-]. In the first stage a miss moves impulses by this fraction of the load of an ordinary block: redundant blocks that miss by `m` ask for changes of `rate m`, and far beyond their loads the step is of no use.
const FIRST_FRACTION: f64 = 0.3;
/// Bounds of the rate, and its factors after success and failure [-].
const MIN_RATE: f64 = 1.0;
const MAX_RATE: f64 = 1e6;
const GROW: f64 = 2.0;
const SHRINK: f64 = 0.2;
/// Steps of one stage at most.
const STAGE_STEPS: usize = 12;
/// A stage ends where its velocities are within this fraction of the miss of the stage before [-], or of the tolerance.
const STAGE_FRACTION: f64 = 0.1;
/// Fractions of a step that are tried, and the least fraction of the merit that a full one must take away [-].
const SEARCH: LineSearch = LineSearch::halving(6);
const MIN_GAIN: f64 = 0.1;

/// Memory of the method.
#[derive(Debug, Clone, Default)]
pub(super) struct Proximal {
    /// By row: the impulses of the stage, what the law allows, velocities.
    center: Vec<f64>,
    allowed: Vec<f64>,
    aims: Vec<f64>,
    best: Vec<f64>,
    /// By velocity: those of the stage, where it began, what they lack.
    v: Vec<f64>,
    tried: Vec<f64>,
    began: Vec<f64>,
    lack: Vec<f64>,
}

impl Proximal {
    /// Improves impulses until they miss no more than `tolerance`, with at most `max_steps` factorisations; returns what they miss then.
    ///
    /// Method: proximal point iterations; each by semismooth Newton on `M (v - free) = J^T F(r - k u(v))`, with `F` Alart and Curnier's projection (1991), and a line search on the residual in the metric of the inverse mass.
    pub(super) fn solve(
        &mut self,
        island: &mut Island,
        impulses: &mut [f64],
        tolerance: f64,
        max_steps: usize,
    ) -> Misses {
        for by_row in [&mut self.center, &mut self.allowed, &mut self.aims, &mut self.best] {
            by_row.clear();
            by_row.extend_from_slice(impulses);
        }
        let mut best = island.follow(impulses);
        let mut miss = best.worst;
        self.v.clone_from(&island.state);
        for by_velocity in [&mut self.began, &mut self.lack, &mut self.tried] {
            by_velocity.clone_from(&island.state);
        }
        let mut rate = (FIRST_FRACTION * mean_load(island, impulses) / miss).clamp(MIN_RATE, MAX_RATE);
        let mut steps = 0;
        while best.worst > tolerance && steps < max_steps {
            self.began.copy_from_slice(&self.v);
            let is_reached = self.stage(island, rate, miss, tolerance, (&mut steps, max_steps), &mut best);
            if best.worst <= tolerance {
                break;
            }
            if is_reached || rate <= MIN_RATE {
                // What the law allows becomes the center of the next stage, with velocities of its own.
                self.center.copy_from_slice(&self.allowed);
                miss = island.follow(&self.center).worst;
                self.v.copy_from_slice(&island.state);
            } else {
                self.v.copy_from_slice(&self.began);
            }
            rate = if is_reached { (rate * GROW).min(MAX_RATE) } else { (rate * SHRINK).max(MIN_RATE) };
        }
        impulses.copy_from_slice(&self.best);
        best
    }

    /// One stage; whether it was solved well enough.
    fn stage(
        &mut self,
        island: &mut Island,
        rate: f64,
        miss: f64,
        tolerance: f64,
        (steps, max_steps): (&mut usize, usize),
        best: &mut Misses,
    ) -> bool {
        self.tried.copy_from_slice(&self.v);
        let mut merit = self.evaluate(island, rate, best);
        for inner in 0..=STAGE_STEPS {
            if best.worst <= tolerance {
                return true;
            }
            let off = self.velocity_lack(island);
            if inner > 0 && off <= (STAGE_FRACTION * miss).max(STAGE_FRACTION * tolerance) {
                return true;
            }
            if inner == STAGE_STEPS || *steps == max_steps {
                return false;
            }
            *steps += 1;
            island.info.iterations += 1;
            if !self.find_step(island, rate) {
                return false;
            }
            let step = std::mem::take(&mut island.step);
            let searched = SEARCH.search(
                |fraction| {
                    for (tried, (v, dv)) in self.tried.iter_mut().zip(self.v.iter().zip(&step)) {
                        *tried = v + fraction * dv;
                    }
                    self.evaluate(island, rate, best)
                },
                |fraction, value| value < (1.0 - MIN_GAIN * fraction) * merit,
            );
            island.info.backtracks += searched.backtracks;
            for (v, dv) in self.v.iter_mut().zip(&step) {
                *v += searched.fraction * dv;
            }
            island.step = step;
            let is_better = searched.merit < merit;
            if !is_better {
                return false;
            }
            merit = searched.merit;
            if !searched.is_last {
                self.tried.copy_from_slice(&self.v);
                self.evaluate(island, rate, best);
            }
        }
        false
    }

    /// Evaluates velocities `tried`: what the law allows, what the velocities lack, and the square of that in the metric of the mass. What the law allows may be the best so far.
    fn evaluate(&mut self, island: &mut Island, rate: f64, best: &mut Misses) -> f64 {
        for block in 0..island.len() {
            let (rows, law) = island.rows_of(block);
            let u = island.response(block, &self.tried);
            let r = three(&self.center[rows.clone()]);
            let (k, less) = softened(island, block, rate);
            let aim = [0, 1, 2].map(|i: usize| less * r[i] - k * u[i]);
            set(&mut self.aims, rows.clone(), aim);
            let law = law.under(|contact| self.allowed[island.problem.first(contact)]);
            set(&mut self.allowed, rows, allowed(&law, aim));
        }
        let found = island.follow(&self.allowed);
        if found.worst < best.worst {
            *best = found;
            self.best.copy_from_slice(&self.allowed);
        }
        for (lack, (tried, state)) in self.lack.iter_mut().zip(self.tried.iter().zip(&island.state)) {
            *lack = tried - state;
        }
        let merit = island.mass_square(&self.lack);
        if merit.is_nan() { f64::INFINITY } else { merit }
    }

    /// The largest velocity of a block that the velocities lack.
    fn velocity_lack(&self, island: &Island) -> f64 {
        let mut largest = 0.0_f64;
        for block in 0..island.len() {
            let u = island.problem.velocity(block, &self.lack);
            largest = u.iter().fold(largest, |m, x| m.max(x.abs()));
        }
        largest
    }

    fn find_step(&mut self, island: &mut Island, rate: f64) -> bool {
        let mut is_symmetric = true;
        for block in 0..island.len() {
            let (rows, law) = island.rows_of(block);
            let (k, _) = softened(island, block, rate);
            island.follows[block] = [0.0; 2];
            island.slopes[block] = if k > 0.0 {
                let aim = three(&self.aims[rows]);
                let under = law.under(|contact| self.allowed[island.problem.first(contact)]);
                if let Block::Moment { ratio, .. } = law {
                    island.follows[block] = allowed_follows(&under, aim, ratio);
                    is_symmetric &= !follows_any(island.follows[block]);
                }
                let (slope, own) = allowed_slope(&under, aim);
                is_symmetric &= own;
                slope.map(|row| row.map(|x| k * x))
            } else {
                NO_SLOPE
            };
        }
        if !island.factor(is_symmetric) {
            return false;
        }
        island.mass_times(&self.lack);
        island.step.iter_mut().for_each(|x| *x = -*x);
        island.solve_step();
        island.step.iter().all(|x| x.is_finite())
    }
}

/// The mean over all blocks of the first impulse, as the velocity that it gives the block by itself [m/s and the like].
fn mean_load(island: &Island, impulses: &[f64]) -> f64 {
    let load = |block: usize| island.weights[block] * impulses[island.problem.first(block)].abs();
    (0..island.len()).map(load).sum::<f64>() / island.len() as f64
}

/// Impulse per velocity of the groups of a block, and the fraction of the center that counts: where the block yields to its own impulse `r = F(center - k (u + compliance r))`, and one row within bounds solves that for `r`.
fn softened(island: &Island, block: usize, rate: f64) -> (f64, f64) {
    let k = rate * island.rates[block];
    let compliance = island.problem.compliance(block);
    let less = if compliance > 0.0 { 1.0 / (1.0 + k * compliance) } else { 1.0 };
    (less * k, less)
}
