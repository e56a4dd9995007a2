//! Steps through the inside of the friction cones, for problems whose contacts are far from settled: which of them open, stick and slide is found for all of them together.
//!
//! In: an island and impulses however bad. Out: impulses near those that obey the laws. Each block has an impulse and a velocity inside its cone, and every step brings their product nearer to zero for all blocks alike.

use super::island::{Island, Misses, NO_SLOPE, Slope, follows_any, set, three};
use super::linear::allowed;
use super::local::Local;
use super::{Delassus as _, onto_cone};
use crate::problem::Block;

/// Fraction of the distance to the boundary that is taken [-].
const SHY: f64 = 0.998;
/// Products are kept above this fraction of those with what velocities miss [-].
const LAG: f64 = 0.1;
/// Where less than this fraction of a step stays inside, changes of impulses are made dearer: at first by the usual fraction of the inverse mass, ten times as much each time, up to a whole one [-].
const SHORT: f64 = 0.2;
const USUAL_SOFTNESS: f64 = 1e-3;
const MAX_SOFTNESS: f64 = 1.0;
const SOFTEN: f64 = 10.0;
/// Where more than this fraction does, they become cheaper down to the usual; further, only where nearly the whole of a step does [-]: where redundant blocks slide, each step that is too cheap is a short one, and lost.
const LONG: f64 = 0.5;
const WHOLE: f64 = 0.9;
/// Below this they are free [-].
const MIN_SOFTNESS: f64 = 1e-8;
/// A step is evaluated exactly where products promise a residual within this many times what is asked for [-].
const PROMISING: f64 = 8.0;
/// Shortest fraction of a step that is worth another [-].
const SHORTEST: f64 = 1e-8;
/// Friction below this counts as none here [-]: its cone would be too thin to have an inside.
const FRICTIONLESS: f64 = 1e-6;
/// A moment begins within this fraction of its radius [-].
const FIRST_REACH: f64 = 0.9;
/// Stiffness of bilateral rows, in units of one over their inverse mass [-].
const STIFFNESS: f64 = 1e6;
/// Steps without a tenth of progress until the method gives up, and the first step that counts.
const MAX_STUCK: usize = 2;
const STUCK_FROM: usize = 7;
const PROGRESS: f64 = 0.9;

/// Where a block stands inside its cone: the scaling that makes impulse and velocity the same, and what both are then.
#[derive(Debug, Clone, Copy, Default)]
struct Scaling {
    w: [f64; 3],
    eta: f64,
    lambda: [f64; 3],
}

/// A block as it is seen here: in coordinates in which every cone has a right angle at its tip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Kind {
    /// The impulse is what it is: nothing moves there, or its bounds are one.
    #[default]
    Given,
    /// An equation: the impulse has any sign.
    Free,
    /// One row, not negative.
    Ray,
    /// One row within bounds, one of which is finite at least: a ray from each that is. Of `z` and `s` the first two entries belong to the lower and the upper one, zero where that is infinite; the third of `z` is the impulse.
    Interval { lower: f64, upper: f64 },
    /// Three rows, with this friction.
    Cone(f64),
    /// A moment: one or two rows within a disc whose radius, the first entry of `z`, follows the normal impulse of its contact. The first entry of `s` has no velocity in the problem; it only keeps the products alike.
    Disc { ratio: f64, contact: usize },
}

impl Kind {
    fn new(law: Block, weight: f64) -> Self {
        match law {
            _ if weight <= 0.0 => Self::Given,
            Block::Bilateral => Self::Free,
            Block::Bounded { lower, upper } if lower >= upper => Self::Given,
            Block::Bounded { lower, upper } if lower.is_infinite() && upper.is_infinite() => Self::Free,
            Block::Bounded { lower, upper } => Self::Interval { lower, upper },
            Block::Contact { friction, .. } if friction > FRICTIONLESS => Self::Cone(friction),
            Block::Contact { .. } | Block::Unilateral => Self::Ray,
            Block::Moment { ratio, .. } if ratio <= 0.0 => Self::Given,
            Block::Moment { ratio, contact, .. } => Self::Disc { ratio, contact },
        }
    }

    /// Impulses of the problem.
    fn impulse(self, z: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Given | Self::Free | Self::Ray => [z[0], 0.0, 0.0],
            Self::Interval { .. } => [z[2], 0.0, 0.0],
            Self::Cone(mu) => [z[0] / mu, z[1], z[2]],
            Self::Disc { .. } => [z[1], z[2], 0.0],
        }
    }

    /// Velocities with De Saxcé's term.
    fn velocity(self, u: [f64; 3]) -> [f64; 3] {
        match self {
            Self::Cone(mu) => [u[0] / mu + sliding(u), u[1], u[2]],
            Self::Disc { .. } => [0.0, u[0], u[1]],
            _ => [u[0], 0.0, 0.0],
        }
    }

    /// The ends of an interval that are finite: their places in `z` and `s`, and the sign of the way inside.
    fn ends(self) -> impl Iterator<Item = (usize, f64)> {
        let is_end = match self {
            Self::Interval { lower, upper } => [lower.is_finite(), upper.is_finite()],
            _ => [false; 2],
        };
        [(0, 1.0), (1, -1.0)].into_iter().filter(move |(k, _)| is_end[*k])
    }

    /// An impulse inside an interval, from its ends by `push` where there is room for it, with its distances from them; velocities that leave `miss` at each end.
    fn begin_interval(self, r: f64, push: f64, u: f64, miss: f64) -> ([f64; 3], [f64; 3]) {
        let Self::Interval { lower, upper } = self else { return ([0.0; 3], [0.0; 3]) };
        let push = push.min(0.25 * (upper - lower));
        let r = r.max(lower + push).min(upper - push);
        let (mut z, mut s) = ([0.0, 0.0, r], [0.0; 3]);
        for (k, sign) in self.ends() {
            let end = if k == 0 { lower } else { upper };
            z[k] = (sign * (r - end)).max(f64::MIN_POSITIVE);
            s[k] = (sign * u).max(0.0) + miss;
        }
        (z, s)
    }
}

fn sliding(u: [f64; 3]) -> f64 {
    (u[1] * u[1] + u[2] * u[2]).sqrt()
}

/// One block during the method.
#[derive(Debug, Clone, Copy, Default)]
struct Inner {
    kind: Kind,
    /// Impulse and velocity inside the cone, and their steps.
    z: [f64; 3],
    s: [f64; 3],
    dz: [f64; 3],
    ds: [f64; 3],
    /// Velocity in the problem, and what the one inside misses of it.
    u: [f64; 3],
    du: [f64; 3],
    miss: [f64; 3],
    scaling: Scaling,
    /// How an impulse inside falls with its velocity: one over the square of the scaling, and `soft` beside it.
    inverse: Slope,
    soft: f64,
    /// Velocity per impulse that the block yields by itself; it is in `soft` too.
    compliance: f64,
    /// What the first entries of a moment are to change by together.
    kept: f64,
    /// How much a moment changes with the normal impulse of its contact.
    follows: [f64; 2],
    /// Direction of sliding: the derivative of De Saxcé's term, zero where it is taken as constant.
    shift: [f64; 2],
}

/// What a call of [`Interior::advance`] has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The impulses miss no more than was asked for.
    Near,
    /// Steps bring nothing any more.
    Stuck,
    /// As many steps were made as were allowed.
    Limit,
}

/// Memory of the method.
#[derive(Debug, Clone, Default)]
pub(super) struct Interior {
    blocks: Vec<Inner>,
    v: Vec<f64>,
    /// Momentum that the velocities lack.
    lack: Vec<f64>,
    steps: usize,
    stuck: usize,
    smallest: f64,
    /// How dear changes of impulses are, as a fraction of the inverse mass.
    soft: f64,
    /// Sum of the products of impulses and velocities, the same with what velocities miss, and how many blocks have an inside.
    gap: f64,
    lag: f64,
    count: usize,
}

impl Interior {
    /// Begins from impulses whose velocities the island has just followed and that miss the laws by `miss`.
    pub(super) fn begin(&mut self, island: &Island, impulses: &[f64], miss: f64) {
        self.blocks.clear();
        self.v.clone_from(&island.state);
        (self.steps, self.stuck, self.smallest, self.soft) = (0, 0, f64::INFINITY, 0.0);
        for block in 0..island.len() {
            let (rows, law) = island.rows_of(block);
            let (r, u) = (three(&impulses[rows.clone()]), three(&island.u[rows]));
            // A contact that pushes nothing whatever it does has no moments either.
            let kind = match Kind::new(law, island.weights[block]) {
                Kind::Disc { contact, .. } if self.blocks[contact].kind == Kind::Given => Kind::Given,
                kind => kind,
            };
            let push = miss * island.rates[block];
            let target = kind.velocity(u);
            // Inside by what the impulses miss: nearer, the way round a wrong guess is long.
            let (z, s) = match kind {
                Kind::Given => {
                    let is_bounded = matches!(law, Block::Bounded { .. });
                    let given = || Local::new(&law, &island.problem.diagonal(block)).answer(&law, u);
                    (if is_bounded { given() } else { [0.0; 3] }, [0.0; 3])
                }
                Kind::Interval { .. } => kind.begin_interval(r[0], push, u[0], miss),
                Kind::Disc { ratio, contact } => {
                    let radius = ratio * self.blocks[contact].normal();
                    let length = (r[0] * r[0] + r[1] * r[1]).sqrt();
                    let fraction =
                        if length > FIRST_REACH * radius { FIRST_REACH * radius / length } else { 1.0 };
                    let own = [target[0], target[1], target[2]];
                    ([radius, fraction * r[0], fraction * r[1]], [sliding(own) + miss, own[1], own[2]])
                }
                Kind::Free => ([r[0], 0.0, 0.0], [0.0; 3]),
                Kind::Ray => ([r[0].max(0.0) + push, 0.0, 0.0], [target[0].max(0.0) + miss, 0.0, 0.0]),
                Kind::Cone(mu) => (
                    [(mu * r[0]).max(sliding(r)) + push, r[1], r[2]],
                    [target[0].max(sliding(target)) + miss, target[1], target[2]],
                ),
            };
            let compliance = island.problem.compliance(block);
            let moved = if compliance > 0.0 { compliance * (kind.impulse(z)[0] - r[0]) } else { 0.0 };
            let u = if moved == 0.0 { u } else { [u[0] + moved, u[1], u[2]] };
            self.blocks.push(Inner { kind, z, s, u, compliance, ..Inner::default() });
        }
    }

    /// Makes steps until the impulses miss no more than `near`, nothing is gained any more, or `max_steps` were made since [`Interior::begin`]; writes the impulses reached, and what they miss.
    ///
    /// Method: primal-dual interior point in the velocities of groups with Nesterov and Todd's scaling and Mehrotra's corrector, on Coulomb's law in De Saxcé's form. Differs from convex ones: the step takes the derivative of De Saxcé's term
    ///   exactly, which makes the matrix unsymmetric. Where several points of a face slide in different directions that matrix is nearly singular and steps are far too long; a proximal term on the impulses then shortens them.
    pub(super) fn advance(
        &mut self,
        island: &mut Island,
        impulses: &mut [f64],
        near: f64,
        max_steps: usize,
    ) -> (Progress, Misses) {
        loop {
            let product = self.scale(island);
            let is_better = product < PROGRESS * self.smallest;
            self.stuck = if is_better { 0 } else { self.stuck + 1 };
            self.smallest = self.smallest.min(product);
            let mut progress = None;
            if self.stuck >= MAX_STUCK && self.steps > STUCK_FROM {
                progress = Some(Progress::Stuck);
            } else if self.steps >= max_steps {
                progress = Some(Progress::Limit);
            }
            if progress.is_some() || self.promised(island) <= PROMISING * near {
                self.write(island, impulses);
                let found = island.follow(impulses);
                if found.worst <= near {
                    return (Progress::Near, found);
                }
                if let Some(progress) = progress {
                    return (progress, found);
                }
            }
            if !self.step(island) {
                self.write(island, impulses);
                return (Progress::Stuck, island.follow(impulses));
            }
        }
    }

    /// One step of the method; false where there is none.
    fn step(&mut self, island: &mut Island) -> bool {
        self.steps += 1;
        island.info.iterations += 1;
        let is_symmetric = self.blocks.iter().all(|inner| !inner.slides() && !follows_any(inner.follows));
        if !island.factor(is_symmetric) {
            return false;
        }
        self.lack.clear();
        self.lack.extend(self.v.iter().zip(island.problem.free()).map(|(v, free)| free - v));
        island.mass_times(&self.lack);
        self.lack.copy_from_slice(&island.step);
        let mut fraction = 1.0;
        if self.count == 0 {
            // Equations alone: one step solves them.
            self.find_direction(island, None);
        } else {
            // Straight at the answer first, to see how far that goes.
            self.find_direction(island, None);
            let ahead = self.room().min(1.0);
            let left = (self.gap(ahead) / self.gap).clamp(0.0, 1.0);
            // The inside is not left before the velocities have come along.
            let goal = (left * left * left * left * self.gap).max(LAG * self.lag) / self.count as f64;
            self.find_direction(island, Some(goal));
            fraction = (SHY * self.room()).min(1.0);
        }
        let is_usable = fraction > SHORTEST && island.step.iter().all(|x| x.is_finite());
        if !is_usable {
            return false;
        }
        for (v, step) in self.v.iter_mut().zip(&island.step) {
            *v += fraction * step;
        }
        for inner in &mut self.blocks {
            for k in 0..3 {
                inner.z[k] += fraction * inner.dz[k];
                inner.s[k] += fraction * inner.ds[k];
                inner.u[k] += fraction * inner.du[k];
            }
        }
        self.soft = softness(self.soft, fraction);
        true
    }

    /// What the largest product promises that a block misses [m/s].
    fn promised(&self, island: &Island) -> f64 {
        let mut largest = 0.0_f64;
        for (inner, weight) in self.blocks.iter().zip(&island.weights) {
            let missed = match inner.kind {
                Kind::Given => 0.0,
                Kind::Free => inner.u[0].abs(),
                Kind::Interval { .. } => {
                    let own = dot(inner.s, inner.z).max(0.0) * weight + inner.miss[0] * inner.miss[0];
                    own.sqrt()
                }
                Kind::Ray | Kind::Cone(_) | Kind::Disc { .. } => {
                    let own = dot(inner.s, inner.z).max(0.0) * weight + dot(inner.miss, inner.miss);
                    // Sizes of both count where one of them has all of the product.
                    own.sqrt().min(sliding(inner.s).max(inner.s[0]))
                }
            };
            largest = largest.max(missed);
        }
        largest
    }

    /// Scalings, what velocities miss, and slopes; the sum of products, with what velocities miss.
    fn scale(&mut self, island: &mut Island) -> f64 {
        (self.gap, self.lag, self.count) = (0.0, 0.0, 0);
        for (block, inner) in self.blocks.iter_mut().enumerate() {
            island.slopes[block] = match inner.kind {
                Kind::Given => {
                    island.follows[block] = [0.0; 2];
                    NO_SLOPE
                }
                Kind::Free => {
                    let mut slope = NO_SLOPE;
                    slope[0][0] = inner.stiffness(island.rates[block]);
                    slope
                }
                Kind::Interval { .. } => {
                    inner.miss[0] = inner.u[0] - (inner.s[0] - inner.s[1]);
                    inner.soft = self.soft * island.weights[block] + inner.compliance;
                    let (mut nearest, mut stiff) = (f64::INFINITY, inner.soft);
                    for (k, _) in inner.kind.ends() {
                        nearest = nearest.min(inner.z[k]);
                        stiff += inner.s[k] / inner.z[k];
                        self.count += 1;
                    }
                    self.gap += dot(inner.s, inner.z);
                    self.lag += inner.miss[0].abs() * nearest;
                    inner.inverse = NO_SLOPE;
                    inner.inverse[0][0] = 1.0 / stiff;
                    inner.inverse
                }
                Kind::Disc { ratio, .. } => {
                    let target = inner.kind.velocity(inner.u);
                    inner.miss = [0.0, target[1] - inner.s[1], target[2] - inner.s[2]];
                    self.gap += dot(inner.s, inner.z);
                    self.lag += dot(inner.miss.map(f64::abs), inner.z.map(f64::abs));
                    self.count += 1;
                    inner.scaling = Scaling::new(inner.s, inner.z);
                    inner.soft = self.soft * island.weights[block];
                    let (inverse, follows) = inner.scaling.inverse_of_disc(inner.soft);
                    inner.inverse = inverse;
                    inner.follows = follows.map(|x| ratio * x);
                    island.follows[block] = inner.follows;
                    inverse
                }
                Kind::Ray | Kind::Cone(_) => {
                    let target = inner.kind.velocity(inner.u);
                    inner.miss = [target[0] - inner.s[0], target[1] - inner.s[1], target[2] - inner.s[2]];
                    self.gap += dot(inner.s, inner.z);
                    self.lag += dot(inner.miss.map(f64::abs), inner.z.map(f64::abs));
                    self.count += 1;
                    inner.scaling = Scaling::new(inner.s, inner.z);
                    let speed = sliding(inner.u);
                    let is_cone = inner.kind != Kind::Ray && speed > 0.0;
                    inner.shift = if is_cone { [inner.u[1] / speed, inner.u[2] / speed] } else { [0.0; 2] };
                    inner.soft = self.soft * island.weights[block];
                    if inner.compliance > 0.0 {
                        inner.soft += inner.compliance;
                    }
                    inner.inverse = inner.scaling.inverse_square(inner.soft);
                    inner.slope()
                }
            };
        }
        let equations = self.blocks.iter().filter(|inner| inner.kind == Kind::Free);
        self.gap + self.lag + equations.map(|inner| (inner.u[0] * inner.z[0]).abs()).sum::<f64>()
    }

    /// The direction to products of `goal` (none: to zero, without a corrector), in `step` of the island, `ds` and `dz`.
    fn find_direction(&mut self, island: &mut Island, goal: Option<f64>) {
        island.step.copy_from_slice(&self.lack);
        for block in 0..self.blocks.len() {
            // What contacts before it change by, for a moment.
            let (before, own) = self.blocks.split_at_mut(block);
            let inner = &mut own[0];
            let push = match inner.kind {
                Kind::Disc { contact, .. } => {
                    let kept = inner.scaling.apply(inner.aim(goal));
                    let own =
                        product(&inner.inverse, [kept[1] - inner.miss[1], kept[2] - inner.miss[2], 0.0]);
                    // What the normal impulse changes by comes when it is known; kept without it.
                    let normal = before[contact].normal_change();
                    inner.dz = [0.0, own[0], own[1]];
                    inner.kept = kept[0];
                    let moment = [0, 1].map(|k| own[k] + inner.follows[k] * normal);
                    [0.0, inner.z[1] + moment[0], inner.z[2] + moment[1]]
                }
                Kind::Given if inner.z[0] == 0.0 => continue,
                Kind::Given => inner.z,
                Kind::Free => [inner.z[0] - inner.stiffness(island.rates[block]) * inner.u[0], 0.0, 0.0],
                Kind::Interval { .. } => {
                    let aims = inner.aim_interval(goal);
                    let kept: f64 = inner.kind.ends().map(|(k, sign)| sign * aims[k] / inner.z[k]).sum();
                    inner.dz[2] = inner.inverse[0][0] * (kept - inner.miss[0]);
                    [0.0, 0.0, inner.z[2] + inner.dz[2]]
                }
                Kind::Ray | Kind::Cone(_) => {
                    // What the impulse changes by where the velocity does not; kept in `dz`.
                    let kept = inner.scaling.apply(inner.aim(goal));
                    inner.dz = product(&inner.inverse, [0, 1, 2].map(|k| kept[k] - inner.miss[k]));
                    [0, 1, 2].map(|k| inner.z[k] + inner.dz[k])
                }
            };
            island.push_step(block, inner.kind.impulse(push));
        }
        island.solve_step();
        for block in 0..self.blocks.len() {
            let (before, own) = self.blocks.split_at_mut(block);
            let inner = &mut own[0];
            let du = island.along_step(block);
            inner.du = du;
            match inner.kind {
                Kind::Given => {}
                Kind::Disc { ratio, contact } => {
                    let normal = before[contact].normal_change();
                    let back = product(&inner.inverse, [du[0], du[1], 0.0]);
                    let moment = [0, 1].map(|k| inner.dz[k + 1] - back[k] + inner.follows[k] * normal);
                    inner.dz = [ratio * normal, moment[0], moment[1]];
                    let soft = [0, 1].map(|k| inner.soft * moment[k]);
                    inner.ds = [
                        inner.kept - inner.scaling.first_of_square(inner.dz),
                        du[0] + inner.miss[1] + soft[0],
                        du[1] + inner.miss[2] + soft[1],
                    ];
                }
                Kind::Free => inner.dz[0] = -inner.stiffness(island.rates[block]) * (inner.u[0] + du[0]),
                Kind::Interval { .. } => {
                    let aims = inner.aim_interval(goal);
                    inner.dz[2] -= inner.inverse[0][0] * du[0];
                    for (k, sign) in inner.kind.ends() {
                        inner.dz[k] = sign * inner.dz[2];
                        inner.ds[k] = (aims[k] - inner.s[k] * inner.dz[k]) / inner.z[k];
                    }
                }
                Kind::Ray | Kind::Cone(_) => {
                    let along = inner.change(du);
                    let back = product(&inner.inverse, along);
                    inner.dz = [0, 1, 2].map(|k| inner.dz[k] - back[k]);
                    inner.ds = [0, 1, 2].map(|k| along[k] + inner.miss[k] + inner.soft * inner.dz[k]);
                }
            }
            if inner.compliance > 0.0 {
                inner.du[0] += inner.compliance * inner.kind.impulse(inner.dz)[0];
            }
        }
    }

    /// How much of the direction stays inside.
    fn room(&self) -> f64 {
        self.insides().fold(f64::INFINITY, |room, inner| {
            let Kind::Interval { .. } = inner.kind else {
                return room.min(reach(inner.s, inner.ds)).min(reach(inner.z, inner.dz));
            };
            let to_zero = |x: f64, d: f64| if d < 0.0 { -x / d } else { f64::INFINITY };
            inner.kind.ends().fold(room, |room, (k, _)| {
                room.min(to_zero(inner.s[k], inner.ds[k])).min(to_zero(inner.z[k], inner.dz[k]))
            })
        })
    }

    /// The sum of products a fraction of the direction ahead.
    fn gap(&self, fraction: f64) -> f64 {
        let ahead = |x: [f64; 3], d: [f64; 3]| [0, 1, 2].map(|k| x[k] + fraction * d[k]);
        self.insides().map(|inner| dot(ahead(inner.s, inner.ds), ahead(inner.z, inner.dz))).sum()
    }

    fn insides(&self) -> impl Iterator<Item = &Inner> {
        self.blocks.iter().filter(|inner| !matches!(inner.kind, Kind::Given | Kind::Free))
    }

    /// Impulses of the problem, inside their cones.
    fn write(&self, island: &Island, impulses: &mut [f64]) {
        for (block, inner) in self.blocks.iter().enumerate() {
            let (rows, law) = island.rows_of(block);
            let r = inner.kind.impulse(inner.z);
            let r = match law.under(|contact| impulses[island.problem.first(contact)]) {
                Block::Contact { friction, .. } => onto_cone(r, friction),
                law @ Block::Moment { .. } => allowed(&law, r),
                Block::Bounded { .. } => allowed(&law, r),
                Block::Bilateral | Block::Unilateral => r,
            };
            set(impulses, rows, r);
        }
    }
}

impl Inner {
    /// Whether De Saxcé's term changes with the velocity.
    fn slides(&self) -> bool {
        self.shift.iter().any(|x| *x != 0.0)
    }

    /// The normal impulse of a contact in the problem, and its change.
    fn normal(&self) -> f64 {
        self.kind.impulse(self.z)[0]
    }

    fn normal_change(&self) -> f64 {
        self.kind.impulse(self.dz)[0]
    }

    /// How an equation's impulse falls with the velocity of its groups.
    fn stiffness(&self, rate: f64) -> f64 {
        let stiffness = STIFFNESS * rate;
        if self.compliance > 0.0 { stiffness / (1.0 + stiffness * self.compliance) } else { stiffness }
    }

    /// What the products at the ends of an interval are to change by.
    fn aim_interval(&self, goal: Option<f64>) -> [f64; 2] {
        [0, 1].map(|k| match goal {
            Some(goal) => goal - self.s[k] * self.z[k] - self.ds[k] * self.dz[k],
            None => -self.s[k] * self.z[k],
        })
    }

    /// Changes of the velocity inside the cone for those of the problem.
    fn change(&self, du: [f64; 3]) -> [f64; 3] {
        match self.kind {
            Kind::Cone(mu) => [du[0] / mu + self.shift[0] * du[1] + self.shift[1] * du[2], du[1], du[2]],
            _ => [du[0], 0.0, 0.0],
        }
    }

    /// What the scaled impulse and velocity are to change by together.
    fn aim(&self, goal: Option<f64>) -> [f64; 3] {
        let lambda = self.scaling.lambda;
        let Some(goal) = goal else { return lambda.map(|x| -x) };
        let square = times(lambda, lambda);
        let second = times(self.scaling.undo(self.ds), self.scaling.apply(self.dz));
        let aim = [goal - square[0] - second[0], -square[1] - second[1], -square[2] - second[2]];
        self.scaling.divide(aim)
    }

    /// How the impulse of the problem falls with its velocity.
    fn slope(&self) -> Slope {
        let stretch = match self.kind {
            Kind::Cone(mu) => [1.0 / mu, 1.0, 1.0],
            _ => [1.0, 0.0, 0.0],
        };
        [0, 1, 2].map(|i: usize| {
            let row = self.inverse[i].map(|x| stretch[i] * x);
            // The first velocity inside has De Saxcé's term in it.
            [
                row[0] * stretch[0],
                row[1] * stretch[1] + row[0] * self.shift[0],
                row[2] * stretch[2] + row[0] * self.shift[1],
            ]
        })
    }
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

    /// One over the sum of the square of the scaling and `soft`.
    fn inverse_square(&self, soft: f64) -> Slope {
        let [a, b, c] = self.w;
        let square = self.eta * self.eta;
        if soft == 0.0 {
            let inverse = 1.0 / square;
            let (ab, ac, bc) = (-2.0 * inverse * a * b, -2.0 * inverse * a * c, 2.0 * inverse * b * c);
            let (aa, bb, cc) = (2.0 * a * a - 1.0, 2.0 * b * b + 1.0, 2.0 * c * c + 1.0);
            return [[inverse * aa, ab, ac], [ab, inverse * bb, bc], [ac, bc, inverse * cc]];
        }
        let (ab, ac, bc) = (2.0 * square * a * b, 2.0 * square * a * c, 2.0 * square * b * c);
        let aa = square * (2.0 * a * a - 1.0) + soft;
        let bb = square * (2.0 * b * b + 1.0) + soft;
        let cc = square * (2.0 * c * c + 1.0) + soft;
        let m = nalgebra::Matrix3::new(aa, ab, ac, ab, bb, bc, ac, bc, cc).try_inverse().unwrap_or_default();
        [
            [m[(0, 0)], m[(0, 1)], m[(0, 2)]],
            [m[(0, 1)], m[(1, 1)], m[(1, 2)]],
            [m[(0, 2)], m[(1, 2)], m[(2, 2)]],
        ]
    }

    /// For the last two entries, the first one given: one over the sum of the square of the scaling and `soft`, and how much they change with the first.
    fn inverse_of_disc(&self, soft: f64) -> (Slope, [f64; 2]) {
        let [a, b, c] = self.w;
        let square = self.eta * self.eta;
        let (bb, cc) = (square * (2.0 * b * b + 1.0) + soft, square * (2.0 * c * c + 1.0) + soft);
        let bc = 2.0 * square * b * c;
        let determinant = bb * cc - bc * bc;
        let inverse = [
            [cc / determinant, -bc / determinant, 0.0],
            [-bc / determinant, bb / determinant, 0.0],
            [0.0; 3],
        ];
        let first = [2.0 * square * a * b, 2.0 * square * a * c];
        let follows = [0, 1].map(|i: usize| -(inverse[i][0] * first[0] + inverse[i][1] * first[1]));
        (inverse, follows)
    }

    /// The first entry of the square of the scaling times `x`.
    fn first_of_square(&self, x: [f64; 3]) -> f64 {
        let [a, b, c] = self.w;
        let square = self.eta * self.eta;
        square * ((2.0 * a * a - 1.0) * x[0] + 2.0 * a * (b * x[1] + c * x[2]))
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

/// How dear changes of impulses are after a step of which a fraction stayed inside.
fn softness(soft: f64, fraction: f64) -> f64 {
    let cheaper = if soft > MIN_SOFTNESS { soft / SOFTEN } else { 0.0 };
    match fraction {
        ..SHORT => (SOFTEN * soft).clamp(USUAL_SOFTNESS, MAX_SOFTNESS),
        WHOLE.. => cheaper,
        // Never dearer than it was.
        LONG.. => cheaper.max(USUAL_SOFTNESS.min(soft)),
        _ => soft,
    }
}

fn product(m: &Slope, x: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| dot(m[i], x))
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
