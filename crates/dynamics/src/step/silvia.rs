//! Steps whose contacts are closed, or open, where the step ends: forces complementary to the distances there.
//!
//! In: a tree, its state, and [`StepContacts`]: which contacts there are, how far apart they are at a position, and the rows of their
//! distances. Out: the state at the end and forces along the normals, constant over the step; no friction, no restitution. The map from forces to
//! positions is exact, rotations included; contacts are solved by [`solve_fischer`]. The same input gives the same bits.

use zerogap_contact::SolverInfo;
use zerogap_contact::solve::{FischerInfo, FischerParams, FischerStatus, FischerWork, solve_fischer};

use super::sigma::{End, Map, Span};
use crate::multibody::{Tree, Workspace, Wrench};

/// A tree at one time; the workspace is up to date there.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// Poses and velocities of its bodies.
    pub ws: &'a Workspace,
    /// The time [s].
    pub t: f64,
    /// Positions of the joints.
    pub q: &'a [f64],
    /// Velocities of the joints.
    pub v: &'a [f64],
}

/// The contacts of a step, and what else acts during it. Limits of joints may be contacts too.
pub trait StepContacts {
    /// Chooses the contacts of a step of `dt` [s] from a state, and says how many there are: those that could touch before its end. What a
    /// distance means (which plane, which point) is then fixed until the next choice.
    fn choose(&mut self, start: &Moment<'_>, dt: f64) -> usize;

    /// Writes what acts on the bodies (at their origins, see [`Tree::acceleration`]) and in the joints during the step; all are zero
    /// before. By default: springs, dampers and motors of the joints.
    fn loads(&mut self, start: &Moment<'_>, wrenches: &mut [Wrench], effort: &mut [f64]) {
        let _ = wrenches;
        start.tree.joint_efforts(start.q, start.v, effort);
    }

    /// The force that a contact is likely to have [N], such as that of the step before.
    fn warm(&mut self, contact: usize) -> f64 {
        let _ = contact;
        0.0
    }

    /// Writes the distances of some contacts, by number, at a state, negative where they overlap [m].
    fn distances(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]);

    /// Writes the derivatives of their distances along the velocities at a state, row by row (`n . (v_b - v_a)` as coefficients of the
    /// velocities); all are zero before. Rows at the start of the step are the directions in which its forces act.
    fn rows(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]);

    /// Writes how fast prescribed motion alone opens some contacts, by number, at a state [m/s]: what the distances change beyond their rows times the velocities. Nothing by default.
    fn prescribed_rates(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        let _ = (at, which);
        out.fill(0.0);
    }

    /// Looks for contacts that were not chosen but overlap at the end of the step, appends them to the chosen ones, and says how many.
    fn widen(&mut self, end: &Moment<'_>) -> usize {
        let _ = end;
        0
    }

    /// Hears of a step of `dt` [s] that was made, with the force of each contact [N].
    fn accept(&mut self, end: &Moment<'_>, dt: f64, forces: &[f64], info: &FischerInfo) {
        let _ = (end, dt, forces, info);
    }
}

/// How steps are to be made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SilviaParams {
    /// How forces are solved for; its length is that of the scene.
    pub fischer: FischerParams,
    /// How often contacts may be added to a step before it is halved [-].
    pub max_rounds: usize,
    /// How often a step may be halved [-].
    pub max_halvings: u32,
}

impl Default for SilviaParams {
    fn default() -> Self {
        Self { fischer: FischerParams::default(), max_rounds: 3, max_halvings: 4 }
    }
}

/// How a step ended, from good to bad; of several parts the worst counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SilviaStatus {
    /// All contacts are satisfied.
    Done,
    /// Bodies are jammed between parts that do not give way; they overlap as little as was found.
    Jammed,
    /// The tolerance of a solve was not reached, not even in the smallest step.
    Limit,
    /// More contacts kept appearing at the end, even of the smallest step; some overlap.
    Open,
    /// Numbers that are not finite, or a step that is not positive: the state is that after `advanced`.
    Refused,
}

/// Statistics of a step; of several parts the worst, or the sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SilviaInfo {
    /// How it ended.
    pub status: SilviaStatus,
    /// Time advanced [s]: the step asked for, unless refused.
    pub advanced: f64,
    /// Largest residual of a solve [m].
    pub residual: f64,
    /// Parts that the step was made in [-].
    pub parts: usize,
    /// Times that contacts were added [-].
    pub rounds: usize,
    /// Maximum number of contacts of a part [-].
    pub contacts: usize,
    /// Newton steps [-].
    pub newton_steps: usize,
    /// Solves in which Newton alone did not arrive [-].
    pub fell_back: usize,
}

/// The method with its memory, for one tree.
#[derive(Debug, Clone)]
pub struct Silvia {
    params: SilviaParams,
    map: Map,
    wrenches: Vec<Wrench>,
    effort: Vec<f64>,
    forces: Vec<f64>,
    /// Forces of one island.
    own: Vec<f64>,
    /// Numbers of all contacts.
    all: Vec<usize>,
    fischer: FischerWork,
}

impl Silvia {
    /// Room for a tree.
    pub fn new(tree: &Tree, params: SilviaParams) -> Self {
        Self {
            params,
            map: Map::new(tree),
            wrenches: vec![Wrench::ZERO; tree.bodies()],
            effort: vec![0.0; tree.velocities()],
            forces: Vec::new(),
            own: Vec::new(),
            all: Vec::new(),
            fischer: FischerWork::default(),
        }
    }

    /// Sets the parameters of the steps that follow.
    pub fn set_params(&mut self, params: SilviaParams) {
        self.params = params;
    }

    /// Forces of the contacts in the last part of the last step, in their order [N].
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// Makes one step of `dt` [s] from the state at `t` [s].
    ///
    /// Computes: `v+ = v + dt M⁻¹ (C f + loads)` and `q+ = q` displaced by `dt v+`, with forces `f >= 0` complementary to the distances at
    ///   `q+`. `C` are the rows at the start; the derivative of the distances by the forces is exact where the rows are.
    /// Method: Lennerz, Schömer and Warken 1999, sec. 3, eqs. 3-7, for any tree of joints. Contacts that appear at the end are added and the
    ///   step solved again; where that does not end, or a solve does not arrive, the step is made in halves, each with contacts chosen
    ///   anew. Of the velocity that contacts leave, what takes them more work than a rebound without loss is taken back; the positions stay. Loops are constrained in the velocities, and the state is put back onto them afterwards, which may move contacts by the drift of one step.
    /// Tolerance: distances and scaled forces to `fischer.tolerance` of its length, see [`solve_fischer`].
    ///   Islands, contacts that feel each other, are solved one after another.
    /// Cost: O(contacts bodies), and in each island O(its contacts³ + bodies) per Newton step; no allocation once the memory fits, but in the rare fall-back of the solver.
    /// Fails: see [`SilviaStatus`]; finite input never gives NaN.
    /// Order: contacts in the order of the caller.
    ///
    /// # Panics
    /// Where `q` or `v` does not have the tree's length, or the tree is not the one this was made for.
    pub fn step(
        &mut self,
        tree: &Tree,
        t: f64,
        dt: f64,
        q: &mut [f64],
        v: &mut [f64],
        contacts: &mut impl StepContacts,
    ) -> SilviaInfo {
        let mut info = SilviaInfo {
            status: SilviaStatus::Done,
            advanced: 0.0,
            residual: 0.0,
            parts: 0,
            rounds: 0,
            contacts: 0,
            newton_steps: 0,
            fell_back: 0,
        };
        if !(t.is_finite() && dt > 0.0 && dt.is_finite()) {
            info.status = SilviaStatus::Refused;
            return info;
        }
        // Time is counted in the smallest parts, so that halves meet exactly.
        let whole = 1_u64 << self.params.max_halvings.min(20);
        let time = |part: u64| dt * (part as f64 / whole as f64);
        let (mut at, mut size) = (0, whole);
        while at < whole {
            let span = Span { tree, t: t + time(at), dt: time(size) };
            let (status, solved) = self.attempt(&span, q, v, contacts, &mut info);
            // What may be mended by smaller steps is tried in halves.
            if matches!(status, SilviaStatus::Open | SilviaStatus::Limit) && size > 1 {
                size /= 2;
                continue;
            }
            info.status = info.status.max(status);
            if status == SilviaStatus::Refused {
                return info;
            }
            self.limit_work(&span, v, contacts);
            self.map.finish(&span, q, v);
            contacts.accept(&self.map.at_end(&span), span.dt, &self.forces, &solved);
            info.residual = info.residual.max(solved.solver.residual);
            (info.parts, at) = (info.parts + 1, at + size);
            info.advanced = time(at);
            // Back to larger steps where halves have made up a whole.
            if at % (2 * size) == 0 {
                size *= 2;
            }
        }
        info
    }

    /// Takes velocities back that contacts left beyond what their work allows, island by island, with their forces.
    fn limit_work(&mut self, span: &Span<'_>, v: &[f64], contacts: &mut impl StepContacts) {
        let (mut parts, mut first) = (self.map.take_parts(), 0);
        while let Some(next) = parts.take(first) {
            self.own.clear();
            self.own.extend(parts.which.iter().map(|k| self.forces[*k]));
            let left = self.map.limit_work(span, v, (&parts, &self.own), contacts);
            for k in &parts.which {
                self.forces[*k] *= left;
            }
            first = next;
        }
        self.map.give_back(parts);
    }

    /// Solves one part up to its end, which the map then holds; the state is not touched.
    fn attempt(
        &mut self,
        span: &Span<'_>,
        q: &[f64],
        v: &[f64],
        contacts: &mut impl StepContacts,
        info: &mut SilviaInfo,
    ) -> (SilviaStatus, FischerInfo) {
        let map = &mut self.map;
        // Where the step starts, and where it would end without contacts.
        map.begin(span, q, v);
        let mut count = contacts.choose(&map.at_start(span, q, v), span.dt);
        self.wrenches.fill(Wrench::ZERO);
        self.effort.fill(0.0);
        contacts.loads(&map.at_start(span, q, v), &mut self.wrenches, &mut self.effort);
        map.fly(span, (q, v), &self.wrenches, &self.effort);
        self.forces.clear();
        // Contacts that appear at the end are added, a few times.
        let mut round = 0;
        loop {
            info.contacts = info.contacts.max(count);
            self.forces.extend((self.forces.len()..count).map(|k| contacts.warm(k)));
            self.all.extend(self.all.len()..count);
            map.respond(span, q, v, &self.all[..count], contacts);
            // One island after another.
            let mut solved = NOTHING;
            let (mut parts, mut first) = (map.take_parts(), 0);
            while let Some(next) = parts.take(first) {
                self.own.clear();
                self.own.extend(parts.which.iter().map(|k| self.forces[*k]));
                let mut end = End { map: &mut *map, span, q, contacts: &mut *contacts, part: &parts };
                let one = solve_fischer(&mut end, &mut self.own, &self.params.fischer, &mut self.fischer);
                map.push(span, &parts, &self.own);
                for (k, force) in parts.which.iter().zip(&self.own) {
                    self.forces[*k] = *force;
                }
                solved = worse(&solved, &one, &parts.which);
                first = next;
            }
            map.give_back(parts);
            info.newton_steps += solved.solver.iterations;
            info.fell_back += usize::from(solved.fell_back);
            if solved.status == FischerStatus::Refused || !map.arrive(span, q) {
                return (SilviaStatus::Refused, solved);
            }
            let added = contacts.widen(&map.at_end(span));
            if added == 0 {
                let status = match solved.status {
                    FischerStatus::Solved => SilviaStatus::Done,
                    FischerStatus::Jammed { .. } => SilviaStatus::Jammed,
                    _ => SilviaStatus::Limit,
                };
                return (status, solved);
            }
            if round == self.params.max_rounds {
                // What was found last pushes nothing.
                self.forces.resize(count + added, 0.0);
                return (SilviaStatus::Open, solved);
            }
            (round, count) = (round + 1, count + added);
            info.rounds += 1;
        }
    }
}

/// A solve without contacts.
const NOTHING: FischerInfo = FischerInfo {
    status: FischerStatus::Solved,
    solver: SolverInfo::at(0.0, 0.0),
    scale: 0.0,
    gradient_steps: 0,
    fell_back: false,
};

/// Two solves in one: the worse status and residual, sums of the work. Contacts of the second are named by `which`.
fn worse(one: &FischerInfo, other: &FischerInfo, which: &[usize]) -> FischerInfo {
    let rank = |info: &FischerInfo| match info.status {
        FischerStatus::Solved => 0,
        FischerStatus::Jammed { .. } => 1,
        FischerStatus::Limit => 2,
        FischerStatus::Refused => 3,
    };
    let status = match other.status {
        _ if rank(one) >= rank(other) => one.status,
        FischerStatus::Jammed { contact } => FischerStatus::Jammed { contact: which[contact] },
        status => status,
    };
    FischerInfo {
        status,
        solver: one.solver.and(&other.solver),
        scale: one.scale.max(other.scale),
        gradient_steps: one.gradient_steps + other.gradient_steps,
        fell_back: one.fell_back || other.fell_back,
    }
}
