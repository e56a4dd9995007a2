//! The map from contact forces to the end of a step: `v+ = v + dt M⁻¹ (C f + loads)`, positions displaced by `dt v+`.
//!
//! In: a tree with its state, loads, rows of contacts at the start, forces. Out: the state at the end, distances there and how forces change
//! them. Exact, rotations included; linear in nothing but the velocities. Free bodies turn by the midpoint rule, which keeps their energy.

use zerogap_contact::solve::EndOfStep;
use zerogap_core::Vec3;

use super::free::turn;
use super::silvia::{Moment, StepContacts};
use super::turn::pull_back;
use crate::multibody::{BodyId, ConstrainedSolver, Tree, Workspace, Wrench};

/// A tree over a stretch of time.
#[derive(Clone, Copy)]
pub(super) struct Span<'a> {
    pub(super) tree: &'a Tree,
    /// Where it starts [s].
    pub(super) t: f64,
    /// How long it is [s].
    pub(super) dt: f64,
}

/// The map, with the end that it was computed for last.
#[derive(Debug, Clone)]
pub(super) struct Map {
    start: Workspace,
    end: Workspace,
    vdot: Vec<f64>,
    loop_rows: Vec<f64>,
    /// One number per row of loops: multipliers, and zeros.
    loop_forces: Vec<f64>,
    loop_bias: Vec<f64>,
    loops: ConstrainedSolver,
    /// Rows of the contacts at one end of the step or the other, and what a unit force at each does to the velocities: `M⁻¹ C`, a row
    /// per contact.
    rows: Vec<f64>,
    columns: Vec<f64>,
    /// Velocities at the end without contacts.
    free: Vec<f64>,
    q_end: Vec<f64>,
    v_end: Vec<f64>,
    turn: Vec<f64>,
    /// Forces that the end was computed for; none where it was not.
    placed: Option<Vec<f64>>,
    spare: Vec<f64>,
}

impl Map {
    /// Room for a tree.
    pub(super) fn new(tree: &Tree) -> Self {
        let (n, loops) = (tree.velocities(), tree.loop_rows());
        Self {
            start: tree.workspace(),
            end: tree.workspace(),
            vdot: vec![0.0; n],
            loop_rows: vec![0.0; loops * n],
            loop_forces: vec![0.0; loops],
            loop_bias: vec![0.0; loops],
            loops: ConstrainedSolver::default(),
            rows: Vec::new(),
            columns: Vec::new(),
            free: vec![0.0; n],
            q_end: vec![0.0; tree.positions()],
            v_end: vec![0.0; n],
            turn: vec![0.0; n],
            placed: None,
            spare: Vec::new(),
        }
    }

    pub(super) fn at_start<'a>(&'a self, span: &Span<'a>, q: &'a [f64], v: &'a [f64]) -> Moment<'a> {
        Moment { tree: span.tree, ws: &self.start, t: span.t, q, v }
    }

    pub(super) fn at_end<'a>(&'a self, span: &Span<'a>) -> Moment<'a> {
        Moment { tree: span.tree, ws: &self.end, t: span.t + span.dt, q: &self.q_end, v: &self.v_end }
    }

    /// Takes the state at the start in.
    pub(super) fn begin(&mut self, span: &Span<'_>, q: &[f64], v: &[f64]) {
        span.tree.update(span.t, q, v, &mut self.start);
        self.forget();
    }

    /// Velocities at the end without contacts, loops held.
    pub(super) fn fly(&mut self, span: &Span<'_>, v: &[f64], wrenches: &[Wrench], effort: &[f64]) {
        let (vdot, lambda) = (&mut self.vdot, &mut self.loop_forces);
        span.tree.loop_acceleration(&mut self.start, wrenches, effort, vdot, lambda);
        for (free, (v, vdot)) in self.free.iter_mut().zip(v.iter().zip(vdot)) {
            *free = v + span.dt * *vdot;
        }
        if span.tree.loop_rows() == 0 {
            self.keep_spins(span, v);
        }
        if span.tree.loop_rows() > 0 {
            span.tree.loop_matrix_rows(&self.start, &mut self.loop_rows);
        }
        self.forget();
    }

    /// Lets bodies that turn on their own keep their energy: by the midpoint rule, not by the acceleration at the start, which adds some in every step.
    fn keep_spins(&mut self, span: &Span<'_>, v: &[f64]) {
        for body in (0..span.tree.bodies() as u32).map(BodyId).filter(|body| span.tree.moves_alone(*body)) {
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

    /// What a unit force at each contact does to the velocities, loops held.
    pub(super) fn respond(
        &mut self,
        span: &Span<'_>,
        q: &[f64],
        v: &[f64],
        count: usize,
        contacts: &mut impl StepContacts,
    ) {
        let n = self.free.len();
        for buffer in [&mut self.rows, &mut self.columns] {
            buffer.clear();
            buffer.resize(count * n, 0.0);
        }
        let mut rows = std::mem::take(&mut self.rows);
        contacts.rows(&self.at_start(span, q, v), &mut rows);
        self.rows = rows;
        let step = n.max(1);
        for (row, column) in self.rows.chunks_exact(step).zip(self.columns.chunks_exact_mut(step)) {
            span.tree.inverse_mass_times(&mut self.start, row, column);
            if !self.loop_bias.is_empty() {
                let (rows, bias) = (&self.loop_rows, &self.loop_bias);
                self.loops.hold(span.tree, &mut self.start, rows, bias, column, &mut self.loop_forces);
            }
        }
        self.forget();
    }

    /// The end is no longer that of any forces.
    fn forget(&mut self) {
        if let Some(placed) = self.placed.take() {
            self.spare = placed;
        }
    }

    /// Computes the end for forces, unless it is there; whether it is finite.
    pub(super) fn place(&mut self, span: &Span<'_>, q: &[f64], forces: &[f64]) -> bool {
        let same = |placed: &Vec<f64>| {
            let mut pairs = placed.iter().zip(forces);
            placed.len() == forces.len() && pairs.all(|(a, b)| a.to_bits() == b.to_bits())
        };
        if self.placed.as_ref().is_some_and(same) {
            return self.end.is_valid();
        }
        self.v_end.copy_from_slice(&self.free);
        for (force, column) in forces.iter().zip(self.columns.chunks_exact(self.free.len().max(1))) {
            for (v, c) in self.v_end.iter_mut().zip(column) {
                *v += span.dt * force * c;
            }
        }
        for (turn, v) in self.turn.iter_mut().zip(&self.v_end) {
            *turn = span.dt * v;
        }
        self.q_end.copy_from_slice(q);
        span.tree.displace(&mut self.q_end, &self.turn);
        span.tree.normalise(&mut self.q_end);
        span.tree.update(span.t + span.dt, &self.q_end, &self.v_end, &mut self.end);
        self.forget();
        let mut placed = std::mem::take(&mut self.spare);
        placed.clear();
        placed.extend_from_slice(forces);
        self.placed = Some(placed);
        self.end.is_valid()
    }

    /// Makes the end computed last the state, on its loops.
    pub(super) fn finish(&mut self, span: &Span<'_>, q: &mut [f64], v: &mut [f64]) {
        if span.tree.loop_rows() > 0 {
            span.tree.project(span.t + span.dt, &mut self.q_end, &mut self.v_end, &mut self.end);
            self.forget();
        }
        q.copy_from_slice(&self.q_end);
        v.copy_from_slice(&self.v_end);
    }
}

/// A step as the solver sees it.
pub(super) struct End<'a, C> {
    pub(super) map: &'a mut Map,
    pub(super) span: &'a Span<'a>,
    pub(super) q: &'a [f64],
    pub(super) contacts: &'a mut C,
    pub(super) count: usize,
}

impl<C: StepContacts> EndOfStep for End<'_, C> {
    fn contacts(&self) -> usize {
        self.count
    }

    fn distances(&mut self, forces: &[f64], out: &mut [f64]) {
        if self.map.place(self.span, self.q, forces) {
            self.contacts.distances(&self.map.at_end(self.span), out);
        } else {
            out.fill(f64::NAN);
        }
    }

    fn derivative(&mut self, forces: &[f64], out: &mut [f64]) {
        if !self.map.place(self.span, self.q, forces) {
            out.fill(f64::NAN);
            return;
        }
        // Rows at the end, as answers to the velocities of the whole step.
        let mut rows = std::mem::take(&mut self.map.rows);
        rows.fill(0.0);
        self.contacts.rows(&self.map.at_end(self.span), &mut rows);
        let n = self.map.free.len();
        let square = self.span.dt * self.span.dt;
        for (i, row) in rows.chunks_exact_mut(n.max(1)).enumerate() {
            pull_back(self.span.tree, &self.map.turn, row);
            for (j, column) in self.map.columns.chunks_exact(n.max(1)).enumerate() {
                let answer: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                out[i * self.count + j] = square * answer;
            }
        }
        if n == 0 {
            out.fill(0.0);
        }
        self.map.rows = rows;
    }
}
