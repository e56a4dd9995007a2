//! Steps through the inside of the friction cones, for problems whose contacts are far from settled: which of them open, stick and slide is found for all of them together.
//!
//! In: a problem and impulses however bad. Out: impulses inside their cones, near those that obey the laws. Interior point method with Nesterov and Todd's scaling and Mehrotra's corrector; De Saxcé's term follows
//! the velocities from step to step. Called by [`PrimalNewton`] where its own steps fail, and followed by them.

use super::assembly::{add_transposed, rows_of, rows_times, set, three};
use super::primal::{Goal, Island, LawResidual, PrimalNewton};
use super::{BodyProblem, Delassus as _};
use crate::problem::Block;

/// Steps in one go.
const MAX_STEPS: usize = 50;
/// Fraction of the distance to the boundary that is taken [-].
const SHY: f64 = 0.99;
/// Residual, as a fraction of that at the start, at which Newton's steps take over [-].
const NEAR: f64 = 1e-4;
/// Shortest part of a direction that is worth another [-].
const SHORTEST: f64 = 1e-6;
/// Products are kept above this fraction of those with what velocities miss [-].
const LAG: f64 = 0.3;
/// Friction below this counts as none here [-]: its cone would be too thin to have an inside.
const FRICTIONLESS: f64 = 1e-6;
/// Stiffness of bilateral rows, in units of one over their inverse mass [-].
const STIFFNESS: f64 = 1e6;

/// Where a block stands inside its cone: the scaling that makes impulse and velocity the same, and what both are then.
#[derive(Debug, Clone, Copy, Default)]
struct Scaling {
    w: [f64; 3],
    eta: f64,
    lambda: [f64; 3],
}

/// Memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interior {
    /// By rows, in coordinates where every cone has a right angle at its tip.
    z: Vec<f64>,
    s: Vec<f64>,
    dz: Vec<f64>,
    ds: Vec<f64>,
    miss: Vec<f64>,
    v: Vec<f64>,
    scalings: Vec<Scaling>,
}

impl Interior {
    pub(crate) fn prepare(&mut self, problem: &BodyProblem) {
        for rows in [&mut self.z, &mut self.s, &mut self.dz, &mut self.ds, &mut self.miss] {
            rows.clear();
            rows.resize(problem.rows(), 0.0);
        }
        self.v.clear();
        self.v.resize(problem.state_len(), 0.0);
        self.scalings.clear();
        self.scalings.resize(problem.blocks().len(), Scaling::default());
    }
}

/// How a block is seen here.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Free,
    Ray,
    Cone(f64),
}

fn kind(law: &Block) -> Kind {
    match *law {
        Block::Bilateral => Kind::Free,
        Block::Contact { friction, .. } if friction > FRICTIONLESS => Kind::Cone(friction),
        _ => Kind::Ray,
    }
}

/// Velocities with De Saxcé's term, as points of a right cone.
fn parted(kind: Kind, u: [f64; 3]) -> [f64; 3] {
    match kind {
        Kind::Cone(mu) => [u[0] / mu + (u[1] * u[1] + u[2] * u[2]).sqrt(), u[1], u[2]],
        _ => [u[0], 0.0, 0.0],
    }
}

/// Changes of velocities, with that term constant.
fn change(kind: Kind, du: [f64; 3]) -> [f64; 3] {
    match kind {
        Kind::Cone(mu) => [du[0] / mu, du[1], du[2]],
        _ => [du[0], 0.0, 0.0],
    }
}

impl PrimalNewton {
    /// Goes inside from the impulses in `tried`; what is reached is there, in `fresh` and in `state`.
    pub(super) fn go_inside(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        state: &mut [f64],
        found: LawResidual,
        goal: Goal,
    ) -> LawResidual {
        self.is_reusable = false;
        let mut inside = std::mem::take(&mut self.interior);
        self.enter(problem, island, state, found.worst, &mut inside);
        let mut reached = found;
        for _ in 0..MAX_STEPS.min(goal.max_steps - island.info.iterations) {
            island.info.iterations += 1;
            island.info.factorisations += 1;
            let gap = self.scale(problem, island, &mut inside);
            self.factor.factor(&self.plan, &island.columns, true, |_| true);
            // Straight at the answer first, to see how far that goes.
            self.direct(problem, island, &mut inside, None);
            let ahead = self.room(problem, island, &inside).min(1.0);
            let fraction = (self.gap(problem, island, &inside, ahead) / gap).clamp(0.0, 1.0);
            // De Saxcé's term lags; the inside is not left before it has come along.
            let lag = LAG * self.lag(problem, island, &inside);
            self.direct(problem, island, &mut inside, Some((fraction * fraction * fraction * gap).max(lag)));
            let part = (SHY * self.room(problem, island, &inside)).min(1.0);
            self.advance(problem, island, &mut inside, part);
            reached = self.follow_tried(problem, island, state);
            if !(part > SHORTEST && reached.worst > (NEAR * found.worst).max(goal.tolerance)) {
                break;
            }
        }
        self.interior = inside;
        reached
    }

    /// Impulses and velocities, moved inside.
    fn enter(
        &mut self,
        problem: &BodyProblem,
        island: &Island,
        state: &mut [f64],
        found: f64,
        inside: &mut Interior,
    ) {
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let mut r = three(&self.tried[rows.clone()]);
            let weight = self.weights[block];
            let smallest = if weight > 0.0 { found / weight } else { 0.0 };
            match kind(law) {
                Kind::Free => {}
                Kind::Ray => r = [r[0].max(smallest), 0.0, 0.0],
                Kind::Cone(mu) => {
                    let length = (r[1] * r[1] + r[2] * r[2]).sqrt();
                    r = [(mu * r[0]).max(length + smallest), r[1], r[2]];
                }
            }
            set(&mut inside.z, rows.clone(), r);
            set(&mut self.tried, rows, unhat(kind(law), r));
        }
        self.follow_tried(problem, island, state);
        self.for_velocities(problem, island, |_, range| {
            inside.v[range.clone()].copy_from_slice(&state[range]);
        });
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let u = three(&self.fresh[rows.clone()]);
            set(&mut self.u, rows.clone(), u);
            let mut s = parted(kind(law), u);
            s[0] = s[0].max((s[1] * s[1] + s[2] * s[2]).sqrt() + found);
            set(&mut inside.s, rows, s);
        }
    }

    /// Scalings, what velocities miss, and the matrix; the mean product of impulses and velocities.
    fn scale(&mut self, problem: &BodyProblem, island: &Island, inside: &mut Interior) -> f64 {
        let (mut gap, mut count) = (0.0, 0_usize);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let kind = kind(law);
            let weight = self.weights[block];
            if weight <= 0.0 {
                self.hessians[block] = [[0.0; 3]; 3];
                continue;
            }
            if kind == Kind::Free {
                self.hessians[block] = [[STIFFNESS / weight, 0.0, 0.0], [0.0; 3], [0.0; 3]];
                continue;
            }
            let (s, z) = (three(&inside.s[rows.clone()]), three(&inside.z[rows.clone()]));
            let u = three(&self.u[rows.clone()]);
            let target = parted(kind, u);
            set(&mut inside.miss, rows, [0, 1, 2].map(|k| target[k] - s[k]));
            gap += dot(s, z);
            count += 1;
            let scaling = Scaling::new(s, z);
            inside.scalings[block] = scaling;
            // Twice the scaling undone, in the coordinates of the problem.
            let (w, inverse) = (scaling.w, 1.0 / (scaling.eta * scaling.eta));
            let flipped = [w[0], -w[1], -w[2]];
            let own = [1.0, -1.0, -1.0];
            let stretch = match kind {
                Kind::Cone(mu) => [1.0 / mu, 1.0, 1.0],
                _ => [1.0, 0.0, 0.0],
            };
            self.hessians[block] = [0, 1, 2].map(|i: usize| {
                [0, 1, 2].map(|j: usize| {
                    let unit = if i == j { own[i] } else { 0.0 };
                    inverse * stretch[i] * stretch[j] * (2.0 * flipped[i] * flipped[j] - unit)
                })
            });
        }
        self.assemble(problem, island);
        gap / count.max(1) as f64
    }

    /// The direction to products of `goal` (none: to zero, without a corrector); it is in `step`, `du`, `ds` and `dz`.
    fn direct(&mut self, problem: &BodyProblem, island: &Island, inside: &mut Interior, goal: Option<f64>) {
        // Momentum that lacks.
        for column in island.columns.clone() {
            let number = self.plan.order[column] as usize;
            let group = problem.groups()[number];
            let range = group.start..group.start + group.len;
            for (k, row) in range.clone().zip(problem.mass(number).chunks_exact(group.len)) {
                let gained: f64 =
                    row.iter().zip(range.clone()).map(|(m, k)| m * (inside.v[k] - problem.free()[k])).sum();
                self.step[k] = -gained;
            }
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let kind = kind(law);
            if self.weights[block] <= 0.0 {
                continue;
            }
            if kind == Kind::Free {
                let push = inside.z[rows.start] - STIFFNESS / self.weights[block] * self.u[rows.start];
                add_transposed(problem, block, [push, 0.0, 0.0], &mut self.step);
                continue;
            }
            let scaling = &inside.scalings[block];
            let z = three(&inside.z[rows.clone()]);
            let miss = three(&inside.miss[rows.clone()]);
            let aim = aim_of(inside, block, rows.clone(), goal);
            let kept = scaling.undo(scaling.divide(aim));
            let moved = scaling.undo(scaling.undo(miss));
            let push = unhat(kind, [0, 1, 2].map(|k| z[k] + kept[k] - moved[k]));
            add_transposed(problem, block, push, &mut self.step);
        }
        self.hold_still(problem, island);
        let start = |group: usize| problem.groups()[group].start;
        self.factor.solve(&self.plan, &island.columns, true, |_| true, start, &mut self.step);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let kind = kind(law);
            let du = rows_times(problem, block, &self.step);
            set(&mut self.du, rows.clone(), du);
            if self.weights[block] <= 0.0 {
                continue;
            }
            if kind == Kind::Free {
                let u = self.u[rows.start] + du[0];
                inside.dz[rows.start] = -STIFFNESS / self.weights[block] * u;
                continue;
            }
            let scaling = inside.scalings[block];
            let miss = three(&inside.miss[rows.clone()]);
            let aim = aim_of(inside, block, rows.clone(), goal);
            let along = change(kind, du);
            let ds = [0, 1, 2].map(|k| along[k] + miss[k]);
            let kept = scaling.undo(scaling.divide(aim));
            let back = scaling.undo(scaling.undo(ds));
            set(&mut inside.ds, rows.clone(), ds);
            set(&mut inside.dz, rows, [0, 1, 2].map(|k| kept[k] - back[k]));
        }
    }

    /// How much of the direction stays inside, at most one.
    fn room(&self, problem: &BodyProblem, island: &Island, inside: &Interior) -> f64 {
        let mut room = f64::INFINITY;
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            if kind(law) == Kind::Free || self.weights[block] <= 0.0 {
                continue;
            }
            let pick = |all: &[f64]| three(&all[rows.clone()]);
            room = room.min(reach(pick(&inside.s), pick(&inside.ds)));
            room = room.min(reach(pick(&inside.z), pick(&inside.dz)));
        }
        room
    }

    /// The mean product part of the direction ahead.
    fn gap(&self, problem: &BodyProblem, island: &Island, inside: &Interior, part: f64) -> f64 {
        let (mut gap, mut count) = (0.0, 0_usize);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            if kind(law) == Kind::Free || self.weights[block] <= 0.0 {
                continue;
            }
            for row in rows {
                gap += (inside.s[row] + part * inside.ds[row]) * (inside.z[row] + part * inside.dz[row]);
            }
            count += 1;
        }
        gap / count.max(1) as f64
    }

    /// What velocities miss, as a product with impulses like the gap.
    fn lag(&self, problem: &BodyProblem, island: &Island, inside: &Interior) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            if kind(law) == Kind::Free || self.weights[block] <= 0.0 {
                continue;
            }
            sum += dot(three(&inside.miss[rows.clone()]), three(&inside.z[rows])).abs();
            count += 1;
        }
        sum / count.max(1) as f64
    }

    fn advance(&mut self, problem: &BodyProblem, island: &Island, inside: &mut Interior, part: f64) {
        self.for_velocities(problem, island, |all, range| {
            for k in range {
                inside.v[k] += part * all.step[k];
            }
        });
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            for row in rows.clone() {
                self.u[row] += part * self.du[row];
                inside.s[row] += part * inside.ds[row];
                inside.z[row] += part * inside.dz[row];
            }
            let r = unhat(kind(law), three(&inside.z[rows.clone()]));
            set(&mut self.tried, rows, r);
        }
    }
}

/// Impulses of the problem.
fn unhat(kind: Kind, z: [f64; 3]) -> [f64; 3] {
    match kind {
        Kind::Cone(mu) => [z[0] / mu, z[1], z[2]],
        _ => [z[0], 0.0, 0.0],
    }
}

/// What products, scaled, are to change by.
fn aim_of(inside: &Interior, block: usize, rows: std::ops::Range<usize>, goal: Option<f64>) -> [f64; 3] {
    let scaling = &inside.scalings[block];
    let mut aim = times(scaling.lambda, scaling.lambda).map(|x| -x);
    if let Some(goal) = goal {
        let a = scaling.undo(three(&inside.ds[rows.clone()]));
        let b = scaling.apply(three(&inside.dz[rows]));
        let second = times(a, b);
        aim = [aim[0] + goal - second[0], aim[1] - second[1], aim[2] - second[2]];
    }
    aim
}

impl Scaling {
    fn new(s: [f64; 3], z: [f64; 3]) -> Self {
        let (size_s, size_z) = (size(s), size(z));
        let (a, b) = (s.map(|x| x / size_s), z.map(|x| x / size_z));
        let gamma = (0.5 * (1.0 + dot(a, b))).max(0.5).sqrt();
        let w = [(a[0] + b[0]) / (2.0 * gamma), (a[1] - b[1]) / (2.0 * gamma), (a[2] - b[2]) / (2.0 * gamma)];
        let eta = (size_s / size_z).sqrt();
        let mut scaling = Self { w, eta, lambda: [0.0; 3] };
        scaling.lambda = scaling.apply(z);
        scaling
    }

    fn apply(&self, x: [f64; 3]) -> [f64; 3] {
        let w = self.w;
        let along = w[1] * x[1] + w[2] * x[2];
        let tail = x[0] + along / (1.0 + w[0]);
        [w[0] * x[0] + along, x[1] + tail * w[1], x[2] + tail * w[2]].map(|x| x * self.eta)
    }

    fn undo(&self, x: [f64; 3]) -> [f64; 3] {
        let w = self.w;
        let along = w[1] * x[1] + w[2] * x[2];
        let tail = along / (1.0 + w[0]) - x[0];
        [w[0] * x[0] - along, x[1] + tail * w[1], x[2] + tail * w[2]].map(|x| x / self.eta)
    }

    /// The `x` whose product with `lambda` is `d`.
    fn divide(&self, d: [f64; 3]) -> [f64; 3] {
        let l = self.lambda;
        let own = size(l);
        let head = (l[0] * d[0] - l[1] * d[1] - l[2] * d[2]) / (own * own);
        [head, (d[1] - head * l[1]) / l[0], (d[2] - head * l[2]) / l[0]]
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The product of two points of a right cone.
fn times(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]]
}

/// How far inside: the root of the product of the distances from both mantle lines.
fn size(x: [f64; 3]) -> f64 {
    let length = (x[1] * x[1] + x[2] * x[2]).sqrt();
    ((x[0] - length) * (x[0] + length)).max(f64::MIN_POSITIVE).sqrt()
}

/// How far along `d` the mantle is from `x`.
fn reach(x: [f64; 3], d: [f64; 3]) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = size(x) * size(x);
    // Never negative but for rounding.
    let inner = (b * b - a * c).max(0.0);
    if b < 0.0 {
        c / (inner.sqrt() - b)
    } else if a < 0.0 {
        (b + inner.sqrt()) / -a
    } else {
        f64::INFINITY
    }
}
