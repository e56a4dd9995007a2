//! The map from contact forces to the end of a step: `v+ = v + dt M⁻¹ (C f + loads)`, positions displaced by `dt v+`.
//!
//! In: a tree with its state, loads, rows of contacts at the start, forces. Out: the state at the end, distances there and how forces change
//! them. Exact, rotations included; linear in nothing but the velocities. Free bodies turn by the midpoint rule, which keeps their energy.

use zerogap_contact::solve::EndOfStep;
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;

use super::centers::Centers;
use super::free::{Start, turn};
use super::groups::Groups;
use super::silvia::{Moment, StepContacts};
use crate::multibody::{BodyId, ConstrainedSolver, LoopFilter, Tree, Workspace, Wrench};

/// A tree over a stretch of time.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) tree: &'a Tree,
    /// Where it starts [s].
    pub(super) t: f64,
    /// How long it is [s].
    pub(super) dt: f64,
}

/// Contacts that feel each other, and the velocities that they change.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    /// Island and number of each contact, sorted.
    contacts: Vec<(usize, usize)>,
    /// Island and number of each velocity, sorted.
    velocities: Vec<(usize, usize)>,
    /// One island, taken apart.
    pub(super) which: Vec<usize>,
    moved: Vec<usize>,
}

impl Parts {
    /// Takes the island that begins with a place in the list of contacts apart; where the next one begins.
    pub(super) fn take(&mut self, first: usize) -> Option<usize> {
        let (island, _) = *self.contacts.get(first)?;
        let of_island = |list: &[(usize, usize)], at: usize, out: &mut Vec<usize>| {
            out.clear();
            out.extend(
                list[at..].iter().take_while(|(other, _)| *other == island).map(|(_, number)| *number),
            );
        };
        of_island(&self.contacts, first, &mut self.which);
        let at = self.velocities.partition_point(|(other, _)| *other < island);
        of_island(&self.velocities, at, &mut self.moved);
        Some(first + self.which.len())
    }
}

/// The map, with the end that it was computed for last.
#[derive(Debug, Clone)]
pub(super) struct Map {
    start: Workspace,
    end: Workspace,
    vdot: Vec<f64>,
    loop_rows: Vec<f64>,
    loop_filter: LoopFilter,
    /// One number per row of loops: multipliers, and zeros.
    loop_forces: Vec<f64>,
    loop_bias: Vec<f64>,
    loops: ConstrainedSolver,
    /// Rows of the contacts at one end of the step or the other, and what a unit force at each does to the velocities: `M⁻¹ C`, a row
    /// per contact.
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Rows at the start.
    start_rows: Vec<f64>,
    /// Velocities at the end without contacts.
    free: Vec<f64>,
    q_end: Vec<f64>,
    /// Those of bodies with their origin off their centre of mass are written with the orientation at the start, as all of the above ([`Centers`]).
    v_end: Vec<f64>,
    /// The same with the orientation at the end.
    v_after: Vec<f64>,
    turn: Vec<f64>,
    /// Which bodies turn on their own, with nothing that hangs on them.
    is_alone: Vec<bool>,
    groups: Groups,
    centers: Centers,
    islands: DisjointSets,
    /// Contacts and velocities of each island, one island after another, and where each begins.
    parts: Parts,
    /// Forces that the end was computed for, at the contacts of one island; none where it was not.
    placed: Option<Vec<f64>>,
    spare: Vec<f64>,
}

impl Map {
    /// Room for a tree.
    pub(super) fn new(tree: &Tree) -> Self {
        let (n, loops) = (tree.velocities(), tree.loop_rows());
        let bodies = || (0..tree.bodies() as u32).map(BodyId);
        let mut is_alone: Vec<bool> = bodies().map(|body| loops == 0 && tree.moves_freely(body)).collect();
        for parent in bodies().filter_map(|body| tree.parent(body)) {
            is_alone[parent.index()] = false;
        }
        let groups = Groups::new(tree);
        Self {
            is_alone,
            centers: Centers::new(tree, &groups),
            groups,
            islands: DisjointSets::default(),
            parts: Parts::default(),
            start: tree.workspace(),
            end: tree.workspace(),
            vdot: vec![0.0; n],
            loop_rows: vec![0.0; loops * n],
            loop_filter: LoopFilter::default(),
            loop_forces: vec![0.0; loops],
            loop_bias: vec![0.0; loops],
            loops: ConstrainedSolver::default(),
            rows: Vec::new(),
            columns: Vec::new(),
            start_rows: Vec::new(),
            free: vec![0.0; n],
            q_end: vec![0.0; tree.positions()],
            v_end: vec![0.0; n],
            v_after: vec![0.0; n],
            turn: vec![0.0; n],
            placed: None,
            spare: Vec::new(),
        }
    }

    pub(super) fn at_start<'a>(&'a self, span: &Span<'a>, q: &'a [f64], v: &'a [f64]) -> Moment<'a> {
        Moment { tree: span.tree, ws: &self.start, t: span.t, q, v }
    }

    pub(super) fn at_end<'a>(&'a self, span: &Span<'a>) -> Moment<'a> {
        Moment { tree: span.tree, ws: &self.end, t: span.t + span.dt, q: &self.q_end, v: &self.v_after }
    }

    /// Takes the state at the start in.
    pub(super) fn begin(&mut self, span: &Span<'_>, q: &[f64], v: &[f64]) {
        span.tree.update(span.t, q, v, &mut self.start);
        self.forget();
    }

    /// Velocities at the end without contacts, loops constrained.
    pub(super) fn fly(
        &mut self,
        span: &Span<'_>,
        (q, v): (&[f64], &[f64]),
        wrenches: &[Wrench],
        effort: &[f64],
    ) {
        let (vdot, lambda) = (&mut self.vdot, &mut self.loop_forces);
        span.tree.loop_acceleration(&mut self.start, wrenches, effort, vdot, lambda);
        for (free, (v, vdot)) in self.free.iter_mut().zip(v.iter().zip(vdot)) {
            *free = v + span.dt * *vdot;
        }
        self.keep_spins(span, v);
        let start = Start { t: span.t, step: span.dt, q, v, wrenches };
        self.centers.hold(span.tree, &self.start, &start, &mut self.free);
        if span.tree.loop_rows() > 0 {
            span.tree.loop_matrix_rows(&self.start, &mut self.loop_rows);
            self.loop_filter.find(span.tree, &self.start, &mut self.loop_rows);
        }
        self.forget();
    }

    /// Lets bodies that turn on their own keep their energy: by the midpoint rule, not by the acceleration at the start, which adds some in every step.
    fn keep_spins(&mut self, span: &Span<'_>, v: &[f64]) {
        let bodies = (0..span.tree.bodies() as u32).map(BodyId);
        for body in bodies.filter(|body| self.is_alone[body.index()]) {
            let end = span.tree.v_range(body).end;
            let spin = Vec3::new(v[end - 3], v[end - 2], v[end - 1]);
            let inertia = span.tree.inertia(body).inertia;
            let twist = spin.cross(&(inertia * spin));
            if twist == Vec3::zeros() {
                continue;
            }
            let Some(inverse) = inertia.try_inverse() else { continue };
            let change = turn(&inertia, span.dt, &spin) - spin + inverse * twist * span.dt;
            for (free, change) in self.free[end - 3..end].iter_mut().zip(change.iter()) {
                *free += change;
            }
        }
    }

    /// What a unit force at each contact does to the velocities, loops constrained.
    pub(super) fn respond(
        &mut self,
        span: &Span<'_>,
        q: &[f64],
        v: &[f64],
        all: &[usize],
        contacts: &mut impl StepContacts,
    ) {
        let n = self.free.len();
        for buffer in [&mut self.rows, &mut self.columns] {
            buffer.clear();
            buffer.resize(all.len() * n, 0.0);
        }
        let mut rows = std::mem::take(&mut self.rows);
        contacts.rows(&self.at_start(span, q, v), all, &mut rows);
        self.rows = rows;
        self.start_rows.clone_from(&self.rows);
        let step = n.max(1);
        for (row, column) in self.rows.chunks_exact(step).zip(self.columns.chunks_exact_mut(step)) {
            span.tree.inverse_mass_times(&mut self.start, row, column);
            if !self.loop_bias.is_empty() {
                let (rows, bias) = (&self.loop_rows, &self.loop_bias);
                self.loops.hold(span.tree, &mut self.start, rows, bias, column, &mut self.loop_forces);
            }
        }
        self.find_islands(span, all.len());
        self.v_end.copy_from_slice(&self.free);
        self.forget();
    }

    /// Sorts the contacts by who feels whom: through bodies on common joints, and from contact to contact.
    fn find_islands(&mut self, span: &Span<'_>, count: usize) {
        let Self { groups, islands, parts, rows, free, .. } = self;
        let (n, all) = (free.len(), groups.len());
        islands.reset(all);
        if span.tree.loop_rows() > 0 {
            (1..all).for_each(|group| islands.join(0, group));
        }
        let row = |contact: usize| rows[contact * n..(contact + 1) * n].iter().enumerate();
        let touched =
            |contact: usize| row(contact).filter(|(_, x)| **x != 0.0).map(|(j, _)| groups.place(j).0);
        for contact in 0..count {
            let mut touched = touched(contact);
            if let Some(first) = touched.next() {
                touched.for_each(|other| islands.join(first, other));
            }
        }
        // Contacts that move nothing are alone.
        let of = |islands: &mut DisjointSets, contact: usize| {
            touched(contact).next().map_or(all + contact, |group| islands.find(group))
        };
        parts.contacts.clear();
        parts.contacts.extend((0..count).map(|contact| (of(islands, contact), contact)));
        parts.contacts.sort_unstable();
        parts.velocities.clear();
        parts.velocities.extend((0..n).map(|j| (islands.find(groups.place(j).0), j)));
        parts.velocities.sort_unstable();
    }

    /// The islands, to be given back with [`Map::give_back`].
    pub(super) fn take_parts(&mut self) -> Parts {
        std::mem::take(&mut self.parts)
    }

    pub(super) fn give_back(&mut self, parts: Parts) {
        self.parts = parts;
    }

    /// The end is no longer that of any forces.
    fn forget(&mut self) {
        if let Some(placed) = self.placed.take() {
            self.spare = placed;
        }
    }

    /// Computes the end for forces at the contacts of an island, unless it is there; whether it is finite.
    fn place(&mut self, span: &Span<'_>, q: &[f64], part: &Parts, forces: &[f64]) -> bool {
        let same = |placed: &Vec<f64>| {
            let mut pairs = placed.iter().zip(forces);
            placed.len() == forces.len() && pairs.all(|(a, b)| a.to_bits() == b.to_bits())
        };
        if self.placed.as_ref().is_some_and(same) {
            return self.end.is_valid();
        }
        self.push(span, part, forces);
        let mut placed = std::mem::take(&mut self.spare);
        placed.clear();
        placed.extend_from_slice(forces);
        let is_valid = self.arrive(span, q);
        self.placed = Some(placed);
        is_valid
    }

    /// Velocities at the end of what an island moves, for forces at its contacts; the others keep theirs.
    pub(super) fn push(&mut self, span: &Span<'_>, part: &Parts, forces: &[f64]) {
        self.forget();
        let n = self.free.len();
        for &j in &part.moved {
            self.v_end[j] = self.free[j];
        }
        for (force, contact) in forces.iter().zip(&part.which) {
            let column = &self.columns[contact * n..(contact + 1) * n];
            for &j in &part.moved {
                self.v_end[j] += span.dt * force * column[j];
            }
        }
    }

    /// Computes the end for the velocities there; whether it is finite.
    pub(super) fn arrive(&mut self, span: &Span<'_>, q: &[f64]) -> bool {
        for (turn, v) in self.turn.iter_mut().zip(&self.v_end) {
            *turn = span.dt * v;
        }
        self.q_end.copy_from_slice(q);
        self.centers.displace(span.tree, &mut self.q_end, &self.turn);
        span.tree.normalise(&mut self.q_end);
        self.carry_over();
        span.tree.update(span.t + span.dt, &self.q_end, &self.v_after, &mut self.end);
        self.end.is_valid()
    }

    /// Writes the velocities at the end with the orientation there.
    fn carry_over(&mut self) {
        self.v_after.copy_from_slice(&self.v_end);
        self.centers.carry_over(&self.start, &self.q_end, &mut self.v_after);
    }

    /// Takes back as much of the velocities that the forces at the contacts of an island left as is more than their work allows; the fraction of the forces that is left [-]. Where bodies end stays as it is.
    ///
    /// Contacts do no work, or take some. Distances that have to open within the step, because they are curved or because the step is short, may take forces that do: those move the bodies, as far as they must, but the velocity that is more than a
    /// rebound without loss is none of the motion. What the displacement beyond that gains against other forces, such as weight, is taken too. Momentum is kept, since impulses are made smaller by one factor.
    pub(super) fn limit_work(
        &mut self,
        span: &Span<'_>,
        v: &[f64],
        (part, forces): (&Parts, &[f64]),
        contacts: &mut impl StepContacts,
    ) -> f64 {
        let Parts { which, moved, .. } = part;
        let n = self.free.len();
        // Impulses along what acts before the contacts do, along the free velocities, and along what they change.
        let (mut loads, mut free, mut change) = (0.0, 0.0, 0.0);
        for (force, contact) in forces.iter().zip(which) {
            let (impulse, row) = (span.dt * force, &self.start_rows[contact * n..(contact + 1) * n]);
            for &j in moved {
                let along = impulse * row[j];
                loads += along * (self.free[j] - v[j]);
                free += along * self.free[j];
                change += along * (self.v_end[j] - self.free[j]);
            }
        }
        // `!(.. > 0)` is also true of numbers that are none.
        if !(free + 0.5 * change > 0.0 && change > 0.0) {
            return 1.0;
        }
        // What is pushed by prescribed motion may gain energy.
        self.spare.clear();
        self.spare.resize(which.len(), 0.0);
        let mut rates = std::mem::take(&mut self.spare);
        contacts.prescribed_rates(&self.at_end(span), which, &mut rates);
        free += rates.iter().zip(forces).map(|(rate, force)| span.dt * force * rate).sum::<f64>();
        self.spare = rates;
        if free + 0.5 * change <= 0.0 {
            return 1.0;
        }
        // Loads that act with the impulses allow no more of them: gyroscopic torques do no work.
        let left = fraction_without_work(loads.min(0.0), free, change);
        for &j in moved {
            self.v_end[j] = self.free[j] + left * (self.v_end[j] - self.free[j]);
        }
        left
    }

    /// Makes the end computed last the state, on its loops.
    pub(super) fn finish(&mut self, span: &Span<'_>, q: &mut [f64], v: &mut [f64]) {
        self.carry_over();
        if span.tree.loop_rows() > 0 {
            span.tree.project(span.t + span.dt, &mut self.q_end, &mut self.v_after, &mut self.end);
            self.forget();
        }
        q.copy_from_slice(&self.q_end);
        v.copy_from_slice(&self.v_after);
    }
}

/// The largest fraction x of impulses up to one with `x free + x² change / 2 - (1 - x) loads <= 0`: what they do to the kinetic energy, and what the displacement by the rest of them does against the loads; where there is none, the
/// fraction that comes nearest.
fn fraction_without_work(loads: f64, free: f64, change: f64) -> f64 {
    let slope = free + loads;
    let square = slope * slope + 2.0 * change * loads;
    ((square.max(0.0).sqrt() - slope) / change).clamp(0.0, 1.0)
}

/// A step of one island as the solver sees it.
pub(super) struct End<'a, C> {
    pub(super) map: &'a mut Map,
    pub(super) span: &'a Span<'a>,
    pub(super) q: &'a [f64],
    pub(super) contacts: &'a mut C,
    pub(super) part: &'a Parts,
}

impl<C: StepContacts> EndOfStep for End<'_, C> {
    fn contacts(&self) -> usize {
        self.part.which.len()
    }

    fn distances(&mut self, forces: &[f64], out: &mut [f64]) {
        if self.map.place(self.span, self.q, self.part, forces) {
            self.contacts.distances(&self.map.at_end(self.span), &self.part.which, out);
        } else {
            out.fill(f64::NAN);
        }
    }

    fn derivative(&mut self, forces: &[f64], out: &mut [f64]) {
        if !self.map.place(self.span, self.q, self.part, forces) {
            out.fill(f64::NAN);
            return;
        }
        // Rows at the end, as answers to the velocities of the whole step.
        let Parts { which, moved, .. } = self.part;
        let (n, count) = (self.map.free.len(), which.len());
        let mut rows = std::mem::take(&mut self.map.rows);
        rows[..count * n].fill(0.0);
        self.contacts.rows(&self.map.at_end(self.span), which, &mut rows[..count * n]);
        let square = self.span.dt * self.span.dt;
        for (i, row) in rows[..count * n].chunks_exact_mut(n.max(1)).enumerate() {
            let Map { centers, start, q_end, turn, .. } = &*self.map;
            centers.pull_back((self.span.tree, start), q_end, turn, row);
            for (j, contact) in which.iter().enumerate() {
                let column = &self.map.columns[contact * n..(contact + 1) * n];
                let answer: f64 = moved.iter().map(|k| row[*k] * column[*k]).sum();
                out[i * count + j] = square * answer;
            }
        }
        if n == 0 {
            out.fill(0.0);
        }
        self.map.rows = rows;
    }
}

#[cfg(test)]
mod tests {
    use super::fraction_without_work;

    #[test]
    fn impulses_that_do_work_are_made_smaller_until_they_do_none() {
        // A body that comes at 1 m/s and is thrown back with 3 m/s bounces with 1 m/s.
        assert!((fraction_without_work(0.0, -1.0, 4.0) - 0.5).abs() < 1e-15);
        // One at rest stays at rest.
        assert!(fraction_without_work(0.0, 0.0, 4.0) < f64::MIN_POSITIVE);
        // With weight that its rise costs, a bit less is left; where the rise costs more than there is, what costs least.
        let left = fraction_without_work(-0.1, -1.0, 4.0);
        let energy = -left + 2.0 * left * left + 0.1 * (1.0 - left);
        assert!(left < 0.5 && energy.abs() < 1e-15, "{left} {energy}");
        assert!((fraction_without_work(-10.0, 0.0, 4.0) - 1.0).abs() < f64::EPSILON);
        assert!((fraction_without_work(-1.0, 0.0, 4.0) - 0.25).abs() < 1e-15);
    }
}
