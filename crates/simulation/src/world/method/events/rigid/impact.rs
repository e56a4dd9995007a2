//! Impacts: velocities jump so that nothing that touches keeps approaching.
//!
//! In: the pairs that have just touched, and all that touched before. Out: velocities after, and which pairs still touch. All contacts, limits and loops of
//! an island are solved at once.

use std::collections::BTreeMap;

use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{Impact, ImpactLaw, ImpactSolution, solve, solve_impact};

use super::points::{Point, touching};
use super::rows::{Rows, Who};
use crate::world::WorldError;
use crate::world::events::EventKind;
use crate::world::method::events::discrete::{Closed, Mode, RigidPoint};
use crate::world::method::events::event_model::EventModel;
use crate::world::params::ContactModel;
use crate::world::shapes::PairId;

/// Points that move apart faster than this after an impact have separated [m/s].
const PARTING: f64 = 1e-10;

/// A rebound that would rise less than this fraction of the size [-] is the last: the sequence of impacts is taken to its end. Later ones would be located worse and worse: a gap known
/// to 1e-15 of the size, left at a speed that falls with the root of the height, puts them 1e-10 s off where their flights last 1e-5 s.
const LAST_REBOUND: f64 = 1e-9;

/// Most contact points that feel each other and are solved for exactly [-]: a tower of twelve boxes. The effort grows with the cube of their number and more; beyond, time is passed by captured steps.
const MAX_EXACT: usize = 48;

/// What an impact works on.
struct Touching {
    points: Vec<Point>,
    rows: Rows,
}

impl EventModel<'_> {
    /// Lets impulses act at everything rigid that touches.
    pub(crate) fn impact(
        &mut self,
        t: f64,
        y: &mut [f64],
        pairs: &[PairId],
        limits: &[usize],
    ) -> Result<(), WorldError> {
        let touching = self.all_touching(t, y, pairs, limits);
        // Too many at once: they stay as they are, and steps that are made for many take over from here.
        if touching.rows.largest_island() > MAX_EXACT {
            (self.data.discrete.is_unsolved, self.data.discrete.is_large) = (true, true);
            let mut closed: BTreeMap<PairId, Vec<RigidPoint>> = BTreeMap::new();
            for point in &touching.points {
                let known = RigidPoint { id: point.contact.id, mode: Mode::Touch };
                closed.entry(point.pair).or_default().push(known);
            }
            self.close(closed);
            return Ok(());
        }
        let (from, to) =
            (self.model.tree.positions(), self.model.tree.positions() + self.model.tree.velocities());
        let before = touching.rows.speeds.clone();

        // As the materials would have it; then without the rebounds that are the last.
        let mut restitution = self.restitutions(&touching);
        let mut solved = self.solve_impacts(t, &touching, &before, &restitution)?;
        let settled = self.last_rebounds(t, y, &touching, &solved, &restitution);
        if !settled.is_empty() {
            for last in &settled {
                restitution[last.block] = 0.0;
            }
            solved = self.solve_impacts(t, &touching, &before, &restitution)?;
            solved.rest(&touching.rows, &before, &settled);
        }
        touching.rows.push(&solved.impulse, &mut y[from..to]);
        self.note_impact(t, &touching, &solved, &settled);

        // Who still touches: contact points that do not part, with nothing known yet about their forces.
        let mut closed: BTreeMap<PairId, Vec<RigidPoint>> = BTreeMap::new();
        for (block, who) in touching.rows.who.iter().enumerate() {
            let first = touching.rows.rows_of(block).start;
            let parts = solved.after[first] > PARTING;
            match *who {
                Who::Limit(limit) => self.data.discrete.is_active[limit] = !parts,
                Who::Point(place) if !parts => {
                    let point = &touching.points[place];
                    let known = RigidPoint { id: point.contact.id, mode: Mode::Touch };
                    closed.entry(point.pair).or_default().push(known);
                }
                Who::Loop | Who::Point(_) => {}
            }
        }
        self.close(closed);
        Ok(())
    }

    /// Closes these rigid pairs and no others.
    fn close(&mut self, pairs: BTreeMap<PairId, Vec<RigidPoint>>) {
        let closed = &mut self.data.discrete.closed;
        closed.retain(|_, closed| matches!(closed, Closed::Elastic(_)));
        closed.extend(pairs.into_iter().map(|(pair, points)| (pair, Closed::Rigid(points))));
    }

    fn all_touching(&self, t: f64, y: &[f64], pairs: &[PairId], limits: &[usize]) -> Touching {
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let rigid = self.data.discrete.closed.iter().filter(|(_, closed)| matches!(closed, Closed::Rigid(_)));
        let mut all: Vec<PairId> = rigid.map(|(pair, _)| *pair).chain(pairs.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        let mut points = Vec::new();
        for pair in all {
            touching(&self.model.shapes, pair, &scratch.ws, &mut scratch.manifold, &mut points);
        }
        let is_limit = |k: &usize| self.data.discrete.is_active[*k] || limits.contains(k);
        let mut rows = Rows::new(&self.model.tree, &scratch.ws);
        for limit in (0..self.data.discrete.is_active.len()).filter(is_limit) {
            rows.add_limit(&self.model.tree, &scratch.ws, limit, self.model.parts(y).v);
        }
        for (place, point) in points.iter().enumerate() {
            let block = Block::Contact { friction: self.model.properties(point.pair).friction, slip: None };
            rows.add_point(&self.model.tree, &scratch.ws, place, point, block);
        }
        rows.finish(&self.model.tree, &mut scratch.ws);
        Touching { points, rows }
    }

    fn restitutions(&self, touching: &Touching) -> Vec<f64> {
        let of = |who: &Who| match *who {
            Who::Loop => 0.0,
            Who::Limit(limit) => self.model.tree.limits()[limit].restitution,
            Who::Point(place) => self.model.properties(touching.points[place].pair).restitution,
        };
        touching.rows.who.iter().map(of).collect()
    }

    fn solve_impacts(
        &self,
        t: f64,
        touching: &Touching,
        before: &[f64],
        restitution: &[f64],
    ) -> Result<Solved, WorldError> {
        // Joint limits are rigid in a world of elastic contacts too.
        let law = match self.model.contact {
            ContactModel::Rigid(law) => law,
            ContactModel::Elastic(_) => ImpactLaw::default(),
        };
        let rows = &touching.rows;
        let mut solved = Solved { impulse: vec![0.0; before.len()], after: before.to_vec(), loss: 0.0 };
        for blocks in rows.islands() {
            let (w, b, laws) = rows.island(&blocks, before);
            let of_island: Vec<f64> = blocks.iter().map(|block| restitution[*block]).collect();
            let problem = Problem::new(w, b, laws).map_err(|error| WorldError::Contact { t, error })?;
            let impact =
                Impact::new(problem, of_island, law).map_err(|error| WorldError::Contact { t, error })?;
            let ImpactSolution { impulse, after, energy_change, .. } = solve_impact(&impact);
            rows.scatter(&blocks, &impulse, &mut solved.impulse);
            rows.scatter(&blocks, &after, &mut solved.after);
            solved.loss -= energy_change;
        }
        Ok(solved)
    }

    /// Contacts and limits whose rebound is the last: balls that bounce, and boxes that rock from edge to edge, where the edge that was not hit rebounds too.
    fn last_rebounds(
        &self,
        t: f64,
        y: &[f64],
        touching: &Touching,
        solved: &Solved,
        restitution: &[f64],
    ) -> Vec<Last> {
        let rebounds = |row: usize| solved.after[row] > PARTING;
        let mut one_sided = touching.rows.who.iter().enumerate().filter(|(_, who)| **who != Who::Loop);
        if !one_sided.any(|(block, _)| rebounds(touching.rows.rows_of(block).start)) {
            return Vec::new();
        }
        let accelerations = self.accelerations_after(t, y, touching, solved);
        let mut last = Vec::new();
        for (block, who) in touching.rows.who.iter().enumerate() {
            let (pair, size) = match *who {
                Who::Loop => continue,
                Who::Limit(limit) => (None, self.limit_size(limit)),
                Who::Point(place) => {
                    let pair = touching.points[place].pair;
                    (Some(pair), self.model.pair_size(pair))
                }
            };
            let row = touching.rows.rows_of(block).start;
            let (rebound, e) = (solved.after[row], restitution[block]);
            let fall = -accelerations[row];
            let is_last = e < 1.0 && rebounds(row) && fall > 0.0;
            if is_last && rebound * rebound < 2.0 * fall * LAST_REBOUND * size {
                // Flights of 2 v / a, each shorter by e.
                last.push(Last { block, pair, end: t + 2.0 * rebound / (fall * (1.0 - e)) });
            }
        }
        last
    }

    /// The size of the numbers that measure the distance to a limit: an angle is of the order of one, a shift of where the limit is [m or rad].
    pub(super) fn limit_size(&self, limit: usize) -> f64 {
        let limit = &self.model.tree.limits()[limit];
        let least = if self.model.tree.limits_rotation(limit) { 1.0 } else { 0.0 };
        limit.bound.abs().max(least)
    }

    /// The accelerations of all rows after an impact, with whatever did not part holding: a box that falls back on one that stands falls against it, though both would fall alike
    /// without constraints.
    fn accelerations_after(&self, t: f64, y: &[f64], touching: &Touching, solved: &Solved) -> Vec<f64> {
        let rows = &touching.rows;
        let mut after = y.to_vec();
        let (from, to) =
            (self.model.tree.positions(), self.model.tree.positions() + self.model.tree.velocities());
        rows.push(&solved.impulse, &mut after[from..to]);
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.frozen().free_acceleration(t, &after, scratch);
        let with_bias = |acceleration: &[f64]| -> Vec<f64> {
            rows.times(acceleration).iter().zip(&rows.bias).map(|(a, bias)| a + bias).collect()
        };
        let free = with_bias(&scratch.acceleration);
        let mut forces = vec![0.0; free.len()];
        for blocks in rows.islands() {
            let stays = |block: &usize| {
                rows.who[*block] == Who::Loop || solved.after[rows.rows_of(*block).start] <= PARTING
            };
            let staying: Vec<usize> = blocks.into_iter().filter(stays).collect();
            let (w, b, laws) = rows.island(&staying, &free);
            // What cannot be solved holds nothing: the rebound then is taken for what it is.
            if let Ok(problem) = Problem::new(w, b, laws) {
                rows.scatter(&staying, &solve(&problem, None).lambda, &mut forces);
            }
        }
        rows.push(&forces, &mut scratch.acceleration);
        with_bias(&scratch.acceleration)
    }

    fn note_impact(&mut self, t: f64, touching: &Touching, solved: &Solved, settled: &[Last]) {
        let rows = &touching.rows;
        let normals = rows.who.iter().enumerate().filter(|(_, who)| **who != Who::Loop);
        let pushed: Vec<f64> = normals
            .map(|(block, _)| solved.impulse[rows.rows_of(block).start])
            .filter(|p| *p > 0.0)
            .collect();
        if !pushed.is_empty() {
            let impulse = pushed.iter().sum();
            self.model.note(t, EventKind::Impact { contacts: pushed.len(), impulse, loss: solved.loss });
        }
        let mut reported: Vec<PairId> = Vec::new();
        for last in settled {
            if let Some(pair) = last.pair
                && !reported.contains(&pair)
            {
                reported.push(pair);
                self.model.note(t, EventKind::Settled { pair, limit: last.end });
            }
        }
    }
}

/// A rebound that is the last.
struct Last {
    block: usize,
    /// None for a joint limit.
    pair: Option<PairId>,
    /// When the sequence of those that are left out would have ended [s].
    end: f64,
}

/// Impulses and velocities after, by rows.
struct Solved {
    impulse: Vec<f64>,
    after: Vec<f64>,
    /// Kinetic energy lost [J].
    loss: f64,
}

impl Solved {
    /// Takes those to rest whose rebound is the last and which part without restitution too, as the edge of a box that rocks does, with all that stays: to the nearest velocities, in the metric of kinetic energy, at which none of them moves
    /// along its normal. That takes energy away and never adds any. It pulls, though: where something would approach after it, nothing is done, and what parts comes back as an impact of its own.
    fn rest(&mut self, rows: &Rows, before: &[f64], settled: &[Last]) {
        let parts = |last: &Last| self.after[rows.rows_of(last.block).start] > PARTING;
        if !settled.iter().any(parts) {
            return;
        }
        let mut rested = Self { impulse: self.impulse.clone(), after: self.after.clone(), loss: self.loss };
        rested.hold(rows, before, settled);
        let normals = rows.who.iter().enumerate().filter(|(_, who)| **who != Who::Loop);
        let approaches = |row: usize| rested.after[row] < -PARTING && rested.after[row] < self.after[row];
        let is_kicked = normals.map(|(block, _)| rows.rows_of(block).start).any(approaches);
        if !is_kicked {
            *self = rested;
        }
    }

    /// Takes all that stays and all whose rebound is the last to rest along their normals; those of them that stick go on sticking, or what holds them along their normals would make them slide.
    fn hold(&mut self, rows: &Rows, before: &[f64], settled: &[Last]) {
        let rests = |block: &usize| {
            let is_settled = settled.iter().any(|last| last.block == *block);
            is_settled || rows.who[*block] == Who::Loop || self.after[rows.rows_of(*block).start] <= PARTING
        };
        let sticks = |across: &std::ops::Range<usize>| {
            across.clone().map(|row| self.after[row] * self.after[row]).sum::<f64>() <= PARTING * PARTING
        };
        let held: Vec<usize> = (0..rows.who.len())
            .filter(rests)
            .flat_map(|block| {
                let of_block = rows.rows_of(block);
                let across = of_block.start + 1..of_block.end;
                let end = if sticks(&across) { across.end } else { across.start };
                of_block.start..end
            })
            .collect();
        let lost = rows.take_to_rest(&held, &mut self.impulse, &mut self.after, before);
        self.loss += lost;
        for row in held {
            self.after[row] = 0.0;
        }
    }
}
