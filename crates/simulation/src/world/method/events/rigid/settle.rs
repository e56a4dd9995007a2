//! Resting and sliding: which of the contacts that touch carry, which stick, which slide, which part.
//!
//! In: everything rigid that touches, with velocities that no longer approach. Out: the modes that hold until the next event. Solved as a complementarity
//! problem for accelerations, all contacts of an island at once; then brought into accord with the forces that the frozen modes will give, because what carries
//! more points than it needs (a box on four corners) leaves the distribution open.

use std::collections::BTreeMap;

use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{Solution, SolveStatus, solve};
use zerogap_core::math::tangents;
use zerogap_core::{ContactId, Vec3};

use super::breakaway::{USED, beyond_limit, headroom};
use super::constraints::ConstrainedPoint;
use super::points::{Point, touching};
use super::rows::{Rows, Who, tangential};
use crate::world::WorldError;
use crate::world::events::EventKind;
use crate::world::method::events::discrete::{Closed, Mode, RigidPoint};
use crate::world::method::events::event_handling::CREEP;
use crate::world::method::events::event_model::EventModel;
use crate::world::method::events::frozen::EventScratch;
use crate::world::shapes::PairId;

/// Contacts that slide more slowly than this do not slide [m/s].
const SLIDING: f64 = 1e-9;

/// Accelerations below this fraction of the largest are none [-].
const STILL: f64 = 1e-9;

/// Differences of the accelerations of a pair's points below this are rounding, against the acceleration [-].
const ALIKE: f64 = 1e-6;

/// The acceleration of each point along its surface. Points of a pair that set off together have their mean: a body that does not turn must not be rotated by
/// rounding, which slow sliding in slightly different directions would do.
fn onsets(points: &[Point], rows: &Rows, accelerations: &[f64]) -> Vec<Vec3> {
    let mut onsets = vec![Vec3::zeros(); points.len()];
    for (block, who) in rows.who.iter().enumerate() {
        if let Who::Point(place) = *who {
            let row = rows.rows_of(block).start;
            let normal = &points[place].contact.normal;
            onsets[place] = tangential(normal, accelerations[row + 1], accelerations[row + 2]);
        }
    }
    let mut from = 0;
    while from < points.len() {
        let of_pair = points[from..].iter().take_while(|point| point.pair == points[from].pair).count();
        let own = &mut onsets[from..from + of_pair];
        let mean: Vec3 = own.iter().sum::<Vec3>() / of_pair as f64;
        if own.iter().all(|onset| (onset - mean).norm() <= ALIKE * mean.norm()) {
            own.fill(mean);
        }
        from += of_pair;
    }
    onsets
}

/// Solves an island for the forces and accelerations of its blocks, from the accelerations of all rows with nothing rigid holding.
fn solve_island(t: f64, rows: &Rows, blocks: &[usize], free: &[f64]) -> Result<Solution, WorldError> {
    let (w, b, laws) = rows.island(blocks, free);
    let mut problem = Problem::new(w, b, laws).map_err(|error| WorldError::Contact { t, error })?;
    let solution = solve(&problem, None);
    let contacts = problem.blocks.iter().filter(|block| matches!(block, Block::Contact { .. })).count();
    let is_found = matches!(solution.status, SolveStatus::Solved | SolveStatus::Indeterminate { .. });
    if contacts <= 1 || is_found {
        return Ok(solution);
    }
    // With several contacts that is no proof of a paradox. Friction that may point any way within its cone always has an answer, from which the run can go on.
    for block in &mut problem.blocks {
        if let Block::Contact { slip, .. } = block {
            *slip = None;
        }
    }
    Ok(solve(&problem, Some(&solution.lambda)))
}

impl EventModel<'_> {
    /// Finds what every rigid contact does from now on.
    pub(crate) fn settle(&mut self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let has_rigid = self.data.discrete.closed.values().any(|closed| matches!(closed, Closed::Rigid(_)));
        if self.data.discrete.is_unsolved || !has_rigid && !self.data.discrete.is_active.contains(&true) {
            return Ok(());
        }
        let (points, rows, free) = self.acceleration_rows(t, y);
        if rows.is_free() {
            return Ok(());
        }

        // Forces and accelerations of all blocks.
        let (mut forces, mut accelerations) = (vec![0.0; free.len()], free.clone());
        for blocks in rows.islands() {
            let solution = solve_island(t, &rows, &blocks, &free)?;
            rows.scatter(&blocks, &solution.lambda, &mut forces);
            rows.scatter(&blocks, &solution.a, &mut accelerations);
            let pair_of = |block: usize| match rows.who[blocks[block]] {
                Who::Point(place) => Some(points[place].pair),
                _ => None,
            };
            let points_of = |blocks: &[usize]| {
                blocks.iter().filter(|block| matches!(rows.who[**block], Who::Point(_))).count()
            };
            match solution.status {
                // With one contact that is a paradox; with several, what steps make of it is an answer.
                SolveStatus::Inconsistent { .. } if points_of(&blocks) > 1 => {
                    self.data.discrete.is_unsolved = true;
                    return Ok(());
                }
                SolveStatus::Inconsistent { block } => {
                    if let Some(pair) = pair_of(block) {
                        self.model.note(t, EventKind::Inconsistent { pair });
                        return Err(WorldError::Inconsistent { t, pair });
                    }
                }
                SolveStatus::Indeterminate { block } => {
                    if let Some(pair) = pair_of(block) {
                        self.model.note(t, EventKind::Indeterminate { pair });
                    }
                }
                SolveStatus::Solved | SolveStatus::Limit => {}
            }
        }
        let largest = free.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let still = STILL * largest;
        self.assign_modes(t, &points, &rows, &forces, &accelerations, still);
        self.drop_pulling_points(t, y);
        self.limit_friction(t, y, &points, rows, &free, still);
        Ok(())
    }

    /// The points that touch, their rows and the accelerations of the rows with nothing rigid holding.
    fn acceleration_rows(&self, t: f64, y: &[f64]) -> (Vec<Point>, Rows, Vec<f64>) {
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.frozen().free_acceleration(t, y, scratch);
        let EventScratch { ws, manifold, acceleration, .. } = scratch;
        let mut points = Vec::new();
        for (&pair, closed) in &self.data.discrete.closed {
            if let Closed::Rigid(known) = closed {
                let from = points.len();
                touching(&self.model.shapes, pair, ws, manifold, &mut points);
                // Only those that have not parted in the impact; a curved contact is one point whatever it is called.
                if known.len() > 1 || points.len() - from > 1 {
                    let mut k = from;
                    while k < points.len() {
                        if known.iter().any(|known| known.id == points[k].contact.id) {
                            k += 1;
                        } else {
                            points.remove(k);
                        }
                    }
                }
            }
        }
        let mut rows = Rows::new(&self.model.tree, ws);
        for limit in (0..self.data.discrete.is_active.len()).filter(|k| self.data.discrete.is_active[*k]) {
            rows.add_limit(&self.model.tree, ws, limit, self.model.parts(y).v);
        }
        for (place, point) in points.iter().enumerate() {
            let (t1, t2) = tangents(&point.contact.normal);
            let speed = point.slip.norm();
            let slip = (speed > self.slowest_sliding(point)).then(|| {
                let (x, y) = (t1.dot(&point.slip), t2.dot(&point.slip));
                let length = (x * x + y * y).sqrt();
                [x / length, y / length]
            });
            let block = Block::Contact { friction: self.model.properties(point.pair).friction, slip };
            rows.add_point(&self.model.tree, ws, place, point, block);
        }
        rows.finish(&self.model.tree, ws);
        let mut free = rows.times(acceleration);
        for (free, bias) in free.iter_mut().zip(&rows.bias) {
            *free += bias;
        }
        (points, rows, free)
    }

    fn assign_modes(
        &mut self,
        t: f64,
        points: &[Point],
        rows: &Rows,
        forces: &[f64],
        accelerations: &[f64],
        still: f64,
    ) {
        let mut parted: Vec<PairId> = Vec::new();
        let mut before = self.data.discrete.clone();
        for closed in self.data.discrete.closed.values_mut() {
            if let Closed::Rigid(known) = closed {
                known.clear();
            }
        }
        let onsets = onsets(points, rows, accelerations);
        for (block, who) in rows.who.iter().enumerate() {
            let row = rows.rows_of(block).start;
            let carries = forces[row] > 0.0;
            let leaves = !carries && accelerations[row] > still;
            match *who {
                Who::Loop => {}
                Who::Limit(limit) => {
                    self.data.discrete.is_active[limit] = !leaves;
                    if leaves {
                        let limit = self.model.tree.limits()[limit].number;
                        self.model.note(t, EventKind::LimitLeft { limit });
                    }
                }
                Who::Point(place) => {
                    let point = &points[place];
                    let mode = if carries { self.mode(point, &onsets[place], still) } else { Mode::Touch };
                    if !leaves
                        && let Some(Closed::Rigid(known)) = self.data.discrete.closed.get_mut(&point.pair)
                    {
                        known.push(RigidPoint { id: point.contact.id, mode });
                    }
                }
            }
        }
        // A pair none of whose points stays has parted.
        self.data.discrete.closed.retain(|pair, closed| {
            let stays = !matches!(closed, Closed::Rigid(known) if known.is_empty());
            if !stays {
                parted.push(*pair);
            }
            stays
        });
        for pair in parted {
            self.model.note(t, EventKind::ContactEnd { pair });
        }
        // What began to slide or to stick.
        for (pair, closed) in &self.data.discrete.closed.clone() {
            let sticks = |closed: &Closed| match closed {
                Closed::Rigid(known) => known.iter().any(|point| matches!(point.mode, Mode::Stick(_))),
                Closed::Elastic(_) => false,
            };
            let slides = |closed: &Closed| match closed {
                Closed::Rigid(known) => known.iter().any(|point| matches!(point.mode, Mode::Slip(_))),
                Closed::Elastic(_) => false,
            };
            let Some(old) = before.closed.remove(pair) else { continue };
            if sticks(closed) && slides(&old) {
                self.model.note(t, EventKind::Stick { pair: *pair });
            } else if slides(closed) && sticks(&old) {
                self.model.note(t, EventKind::Slip { pair: *pair });
            }
        }
    }

    /// What counts as sliding [m/s]: more than the error that a step may leave. The direction of a slip that goes to zero turns ever faster, and each time that it has turned by a right angle something crosses zero: below the
    /// tolerance none of that is known.
    fn slowest_sliding(&self, point: &Point) -> f64 {
        let least = if self.data.discrete.creeping > 0 { CREEP } else { SLIDING };
        least.max(self.data.slip_tolerance(point))
    }

    /// What a point that carries does.
    fn mode(&self, point: &Point, acceleration: &Vec3, still: f64) -> Mode {
        let properties = self.model.properties(point.pair);
        if properties.friction == 0.0 {
            return Mode::Slip(Vec3::zeros());
        }
        if point.slip.norm() > self.slowest_sliding(point) {
            return Mode::Slip(point.slip.normalize());
        }
        if acceleration.norm() <= still {
            Mode::Stick(1.0 + self.data.breakaway_tolerance)
        } else {
            Mode::Slip(acceleration.normalize())
        }
    }

    /// Makes the modes agree with the forces that they give: points that would pull carry nothing.
    fn drop_pulling_points(&mut self, t: f64, y: &[f64]) {
        let count: usize = self
            .data
            .discrete
            .closed
            .values()
            .map(|closed| match closed {
                Closed::Rigid(known) => known.len(),
                Closed::Elastic(_) => 0,
            })
            .sum();
        for _ in 0..count {
            let constrained = self.constrained_points(t, y);
            let worst = constrained.iter().min_by(|a, b| a.normal_force.total_cmp(&b.normal_force));
            let Some(worst) = worst.filter(|worst| worst.normal_force < 0.0) else { break };
            if let Some(Closed::Rigid(known)) = self.data.discrete.closed.get_mut(&worst.point.pair) {
                known[worst.index].mode = Mode::Touch;
            }
        }
    }

    /// Gives pairs that the exact law lets stick beyond their limit a larger one, up to which the exact law lets them stick too.
    ///
    /// It is asked for the same state with less friction, which is as good as for more load: the answer depends neither on how the state came about nor on when it is asked.
    fn limit_friction(
        &mut self,
        t: f64,
        y: &[f64],
        points: &[Point],
        mut rows: Rows,
        free: &[f64],
        still: f64,
    ) {
        let pairs = self.data.discrete.closed.keys().copied();
        let beyond = beyond_limit(pairs, &self.constrained_points(t, y));
        if beyond.is_empty() {
            return;
        }
        // The blocks of these pairs, and whether their points stick.
        let sticks = |pair: &PairId, id: ContactId| {
            let Some(Closed::Rigid(known)) = self.data.discrete.closed.get(pair) else { return false };
            // A curved contact is one point whatever it is called.
            let of = |point: &&RigidPoint| known.len() == 1 || point.id == id;
            known.iter().find(of).is_some_and(|point| matches!(point.mode, Mode::Stick(_)))
        };
        let concerned: BTreeMap<usize, bool> = (0..rows.blocks.len())
            .filter_map(|block| match rows.who[block] {
                Who::Point(place) => Some((block, &points[place])),
                _ => None,
            })
            .filter(|(_, point)| beyond.contains_key(&point.pair))
            .map(|(block, point)| (block, sticks(&point.pair, point.contact.id)))
            .collect();
        let given = rows.blocks.clone();
        let mut accelerations = vec![0.0; free.len()];
        // Island by island: what one of them can spare says nothing about another.
        for blocks in rows.islands() {
            let in_island: Vec<usize> =
                blocks.iter().copied().filter(|block| concerned.contains_key(block)).collect();
            if in_island.is_empty() {
                continue;
            }
            let spare = headroom(self.data.breakaway_tolerance, |less| {
                for &block in &in_island {
                    if let Block::Contact { friction, slip } = given[block] {
                        rows.blocks[block] = Block::Contact { friction: friction / (1.0 + less), slip };
                    }
                }
                let Ok(solution) = solve_island(t, &rows, &blocks, free) else { return false };
                rows.scatter(&blocks, &solution.a, &mut accelerations);
                let rests = |block: &usize| {
                    let row = rows.rows_of(*block).start;
                    accelerations[row + 1..row + 3].iter().all(|along| along.abs() <= still)
                };
                let mut sticking = in_island.iter().filter(|block| concerned[block]);
                solution.status == SolveStatus::Solved && sticking.all(rests)
            });
            let growth = 1.0 + (USED * spare).max(self.data.breakaway_tolerance);
            let pair_of = |block: &usize| match rows.who[*block] {
                Who::Point(place) => Some(points[place].pair),
                _ => None,
            };
            for pair in in_island.iter().filter_map(pair_of) {
                if let (Some(used), Some(Closed::Rigid(known))) =
                    (beyond.get(&pair), self.data.discrete.closed.get_mut(&pair))
                {
                    set_stick_limits(known, used * growth);
                }
            }
        }
    }

    fn constrained_points(&self, t: f64, y: &[f64]) -> Vec<ConstrainedPoint> {
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.frozen().evaluate(t, y, scratch);
        scratch.constraints.points.clone()
    }
}

/// Lets the points of a pair that stick do so up to a fraction of the friction there is [-].
fn set_stick_limits(points: &mut [RigidPoint], fraction: f64) {
    for point in points {
        if let Mode::Stick(limit) = &mut point.mode {
            *limit = fraction.min(f64::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use zerogap_contact::material::PairProperties;
    use zerogap_contact::solve::ImpactLaw;
    use zerogap_core::{Pose, Vec3};
    use zerogap_geometry::Shape;

    use super::{Closed, Mode};
    use crate::world::{BodyDef, ContactModel, EventLocation, ShapeDef, WorldBuilder, WorldParams};

    const FRICTION: f64 = 0.3;

    /// The limits up to which blocks on a floor stick, block by block, under pulls [part of their friction] and torques about the normal [part of the friction times half their width].
    fn stick_limits(loads: &[(f64, f64)]) -> Vec<Vec<f64>> {
        let contact = ContactModel::Rigid(ImpactLaw::default());
        let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(contact)));
        let properties = PairProperties { restitution: 0.0, friction: FRICTION, ..PairProperties::default() };
        builder.pair("steel", "steel", properties).unwrap();
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let block = Shape::cuboid(Vec3::new(0.2, 0.2, 0.02)).unwrap();
        // Each at the same place of its own row, so that rounding is the same.
        let bodies: Vec<_> = (0..loads.len())
            .map(|k| {
                let at = Pose::from_translation(Vec3::new(0.0, k as f64, 0.01)).unwrap();
                builder.body(BodyDef::free(at).with(block.clone(), "steel")).unwrap()
            })
            .collect();
        let mut world = builder.build().unwrap();
        for (body, (pull, torque)) in bodies.iter().zip(loads) {
            let grip = FRICTION * world.tree().inertia(*body).mass * 9.81;
            let (force, torque) = (Vec3::x() * (pull * grip), Vec3::z() * (torque * grip * 0.1));
            world.set_force(*body, force, torque).unwrap();
        }
        world.advance_to(1e-6).unwrap();
        let limit = |mode| if let Mode::Stick(limit) = mode { Some(limit) } else { None };
        let of_pair = |closed: &Closed| match closed {
            Closed::Rigid(points) => points.iter().filter_map(|point| limit(point.mode)).collect(),
            Closed::Elastic(_) => Vec::new(),
        };
        let crate::world::MethodState::Events(state) = world.save().method else { panic!("not of events") };
        state.discrete.closed.values().map(of_pair).collect()
    }

    #[test]
    fn how_far_a_block_sticks_beyond_its_limit_does_not_depend_on_others_far_away() {
        // From well within what the exact law lets stick to its border.
        let grid = (4..10).flat_map(|pull| (4..14).map(move |torque| (pull, torque)));
        let loads = grid.map(|(pull, torque)| (0.1 * f64::from(pull), 0.1 * f64::from(torque)));
        let sticking = loads.filter_map(|load| Some((load, *stick_limits(&[load]).first()?.first()?)));
        let (loads, alone): (Vec<_>, Vec<f64>) = sticking.filter(|(_, limit)| *limit > 1.001).unzip();
        assert!(loads.len() >= 2);
        let together = stick_limits(&loads);
        for (alone, limits) in alone.iter().zip(&together) {
            for limit in limits {
                assert!((limit / alone - 1.0).abs() < 1e-9, "{limit} beside others, {alone} alone");
            }
        }
    }
}
