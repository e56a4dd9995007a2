//! Shapes that overlap at the start of a run: refused, moved apart, or excluded from contact.
//!
//! In: a model at its start, and what is to become of overlaps. Out: an error that names the first pair; or a state without overlaps, and how far each body moved for it; or pairs that never touch. What counts as an overlap is one
//! beyond rounding for rigid contacts and beyond what weight could press for elastic ones.

use zerogap_core::Pose;
use zerogap_dynamics::multibody::BodyId;

use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::placed_pair::PlacedPair;
use super::shapes::PairId;
use super::stored::Said;
use super::{WorldBuilder, WorldError};
use crate::settings::SettingError;

/// What becomes of overlaps, by name; the first is the default.
pub const OVERLAPS: &[&str] = &["refuse", "separate", "exclude"];

/// Overlap of rigid shapes at the start that is still taken for rounding of what the user wrote, against the size of the smaller [-].
const RIGID_OVERLAP: f64 = 1e-6;

/// Overlap of elastic shapes at the start that is still taken for weight and not for a mistake, against the size of the smaller [-].
const ELASTIC_OVERLAP: f64 = 1e-3;

/// Rounds of finding overlaps and moving bodies apart [-]: an overlap that is left shrinks with the square from round to round, a row of bodies that push each other takes some rounds to spread.
const MAX_ROUNDS: usize = 200;

/// Sweeps over all overlaps of a round [-].
const SWEEPS: usize = 100;

/// Contacts within this fraction of the size of the smaller shape are conditions too [-]: what rests on something is not pushed into it.
const NEAR: f64 = 1e-3;

/// Bodies that moved by less are not reported [m and rad]: that is what sweeps leave.
const UNMOVED: f64 = 1e-9;

/// What becomes of shapes that overlap at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlaps {
    /// They are an error.
    #[default]
    Refuse,
    /// Bodies are moved apart before the run begins, each the less the heavier it is; where that fails they are an error.
    Separate,
    /// Their pairs never touch.
    Exclude,
    /// They stay as they are, for a caller who knows what the method makes of them. No word of scenes stands for it.
    Allow,
}

zerogap_core::store_enum!(Overlaps { 0 => Refuse, 1 => Separate, 2 => Exclude, 3 => Allow });

impl Overlaps {
    /// Returns what a word stands for, of [`OVERLAPS`].
    pub fn by_word(word: &str) -> Result<Self, SettingError> {
        match word {
            "refuse" => Ok(Self::Refuse),
            "separate" => Ok(Self::Separate),
            "exclude" => Ok(Self::Exclude),
            other => {
                Err(SettingError::UnknownWord { key: "overlaps", word: other.to_owned(), known: OVERLAPS })
            }
        }
    }
}

/// How far a body was moved before the run began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MovedBody {
    /// Which.
    pub body: BodyId,
    /// How far its origin moved [m].
    pub distance: f64,
    /// By which angle it rotated [rad].
    pub angle: f64,
}

/// What was done about overlaps: at the start, or where bodies were added later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StartOverlaps {
    /// Bodies that were moved apart, ascending.
    pub moved: Vec<MovedBody>,
    /// Pairs that never touch, with their overlaps [m], ascending.
    pub excluded: Vec<(PairId, f64)>,
}

impl WorldBuilder {
    /// Has pairs of shapes that overlap at the start never touch where one of them is on one of these bodies; what is done with other overlaps is another matter ([`WorldBuilder::set_overlaps`]).
    pub fn exclude_overlaps_of(&mut self, bodies: &[BodyId]) {
        self.overlapping_bodies.extend(bodies);
        self.said.push(Said::ExcludeOverlapsOf(bodies.to_vec()));
    }

    /// Excludes the pairs of such bodies that overlap, and returns them with their overlaps [m].
    pub(super) fn exclude_known_overlaps(
        &mut self,
        model: &mut Model,
        y: &[f64],
    ) -> Result<Vec<(PairId, f64)>, WorldError> {
        if self.overlapping_bodies.is_empty() {
            return Ok(Vec::new());
        }
        let near = model.near_pairs(0.0, y)?;
        let mut found = model.overlapping(0.0, y, &near)?;
        let body = |shape| -> Option<BodyId> { model.shapes.get(shape as usize)?.body };
        let concerns = |pair: &PairId| {
            [pair.a.0, pair.b.0]
                .into_iter()
                .filter_map(body)
                .any(|body| self.overlapping_bodies.contains(&body))
        };
        found.retain(|(pair, _)| concerns(pair));
        self.exclude_pairs(found.iter().map(|(pair, _)| *pair).collect());
        model.exclude_pairs(self.excluded_pairs.iter().copied());
        Ok(found)
    }
}

/// A condition that is not to be negative: a gap, or the way to a joint limit.
struct Row {
    /// Its value [m or rad].
    value: f64,
    /// How it changes with each velocity, and how an impulse along it changes each velocity, where that is not zero.
    entries: Vec<(usize, f64)>,
    response: Vec<(usize, f64)>,
    /// How an impulse along it changes it.
    compliance: f64,
    impulse: f64,
}

impl Model {
    /// Returns the pairs that overlap by more than may be, of those that are near.
    pub(super) fn overlapping(
        &mut self,
        t: f64,
        y: &[f64],
        near: &[PairId],
    ) -> Result<Vec<(PairId, f64)>, WorldError> {
        let mut found = Vec::new();
        self.each_overlap(t, y, near, |pair, overlap| {
            found.push((pair, overlap));
            Ok(())
        })?;
        Ok(found)
    }

    /// Refuses pairs that overlap by more than may be, of those that are near.
    pub(crate) fn refuse_overlaps(&mut self, t: f64, y: &[f64], near: &[PairId]) -> Result<(), WorldError> {
        self.each_overlap(t, y, near, |pair, overlap| Err(WorldError::Overlap { pair, overlap }))
    }

    /// Visits the pairs that overlap by more than may be [m], of those that are near.
    fn each_overlap(
        &mut self,
        t: f64,
        y: &[f64],
        near: &[PairId],
        mut visit: impl FnMut(PairId, f64) -> Result<(), WorldError>,
    ) -> Result<(), WorldError> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        let max_fraction = match self.contact {
            ContactModel::Rigid(_) => RIGID_OVERLAP,
            ContactModel::Elastic(_) => ELASTIC_OVERLAP,
        };
        self.start_gaps += near.len();
        for &pair in near {
            // Without its history an oriented pair has the gap of its shapes.
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let gap = placed.gap(0.0, &mut scratch.manifold.cache);
            let overlap = -gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })?;
            // Complexes that intersect overlap by an unknown depth.
            if overlap > max_fraction * self.pair_size(pair) || placed.is_intersecting(&mut scratch.manifold)
            {
                visit(pair, overlap)?;
            }
        }
        Ok(())
    }

    /// Keeps pairs of shapes from ever touching.
    pub(super) fn exclude_pairs(&mut self, pairs: impl IntoIterator<Item = PairId>) {
        self.boxes.exclude(pairs);
        let boxes = &self.boxes;
        self.pairs.with_half_spaces.retain(|pair| !boxes.is_excluded(*pair));
    }

    /// Moves bodies apart that overlap, as little as possible in the metric of kinetic energy; returns how far which of them moved.
    ///
    /// Method: rounds of position correction. In each, all contact points in overlap and all joint limits are conditions on one small displacement of the joints, solved by projected Gauss-Seidel sweeps; loops are closed after it.
    /// Fails: with the first pair that overlaps after all rounds: bodies that cannot move, that are jammed, or whose contacts say nothing about the way out.
    pub(super) fn separate(&mut self, t: f64, y: &mut [f64]) -> Result<Vec<MovedBody>, WorldError> {
        let positions = self.tree.positions();
        let before = self.poses(t, y);
        for _ in 0..MAX_ROUNDS {
            let near = self.near_pairs(t, y)?;
            let mut rows = self.overlap_rows(t, y, &near)?;
            if rows.is_empty() {
                break;
            }
            self.add_limit_rows(y, &mut rows);
            let change = solve(&mut rows, self.tree.velocities());
            self.tree.displace(&mut y[..positions], &change);
            self.correct_joints(t, y, &mut self.scratch.borrow_mut().ws);
        }
        let near = self.near_pairs(t, y)?;
        self.refuse_overlaps(t, y, &near)?;
        Ok(self.moved_since(&before, (t, y)))
    }

    /// How far which bodies moved since they had poses given.
    pub(super) fn moved_since(&self, before: &[Pose], (t, y): (f64, &[f64])) -> Vec<MovedBody> {
        let after = self.poses(t, y);
        let moved = self.bodies.iter().zip(before.iter().zip(&after)).map(|(&body, (from, to))| MovedBody {
            body,
            distance: (to.translation() - from.translation()).norm(),
            angle: from.rotation().angle_to(to.rotation()),
        });
        moved.filter(|moved| moved.distance.max(moved.angle) > UNMOVED).collect()
    }

    pub(super) fn poses(&self, t: f64, y: &[f64]) -> Vec<Pose> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        self.bodies.iter().map(|body| *scratch.ws.pose(*body)).collect()
    }

    /// The contact points of pairs that overlap or nearly touch; none where no pair overlaps by more than rounding.
    fn overlap_rows(&mut self, t: f64, y: &[f64], near: &[PairId]) -> Result<Vec<Row>, WorldError> {
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        let Scratch { ws, manifold, .. } = scratch;
        let n = self.tree.velocities();
        let (mut rows, mut force, mut response) = (Vec::new(), vec![0.0; n], vec![0.0; n]);
        self.start_gaps += near.len();
        let mut is_any = false;
        for &pair in near {
            let placed = PlacedPair::new(&self.shapes, pair, ws);
            let gap = placed.gap(0.0, &mut manifold.cache);
            let gap = gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })?;
            is_any |= gap < -0.5 * RIGID_OVERLAP * placed.size();
            placed.contacts(NEAR * placed.size(), manifold);
            if let Some(failure) = manifold.failure.take() {
                return Err(failure.at(t));
            }
            let bodies = [(placed.a.body, -1.0), (placed.b.body, 1.0)];
            for contact in &manifold.contacts {
                force.fill(0.0);
                for ((body, sign), point) in bodies.into_iter().zip([contact.point_a, contact.point_b]) {
                    self.tree.each_point_velocity(ws, body, point, |k, velocity| {
                        force[k] += sign * contact.normal.dot(&velocity);
                    });
                }
                self.tree.inverse_mass_times(ws, &force, &mut response);
                rows.extend(Row::new(contact.gap, &force, &response));
            }
        }
        if !is_any {
            rows.clear();
        }
        Ok(rows)
    }

    /// The joint limits, so that no joint is moved beyond one.
    fn add_limit_rows(&self, y: &[f64], rows: &mut Vec<Row>) {
        let ws = &mut self.scratch.borrow_mut().ws;
        let n = self.tree.velocities();
        let (mut force, mut response) = (vec![0.0; n], vec![0.0; n]);
        for limit in self.tree.limits() {
            force.fill(0.0);
            self.tree.limit_row(limit, ws, &mut force);
            self.tree.inverse_mass_times(ws, &force, &mut response);
            rows.extend(Row::new(self.tree.limit_value(limit, self.parts(y).q), &force, &response));
        }
    }
}

impl Row {
    /// None where nothing moves along it.
    fn new(value: f64, force: &[f64], response: &[f64]) -> Option<Self> {
        let sparse = |values: &[f64]| -> Vec<(usize, f64)> {
            values.iter().copied().enumerate().filter(|(_, x)| *x != 0.0).collect()
        };
        let compliance: f64 = force.iter().zip(response).map(|(f, x)| f * x).sum();
        let is_movable = compliance > 0.0 && compliance.is_finite();
        is_movable.then(|| Self {
            value,
            entries: sparse(force),
            response: sparse(response),
            compliance,
            impulse: 0.0,
        })
    }
}

/// The displacement of all joints with which no condition is negative, to first order.
fn solve(rows: &mut [Row], velocities: usize) -> Vec<f64> {
    let mut change = vec![0.0; velocities];
    for _ in 0..SWEEPS {
        for row in rows.iter_mut() {
            let value = row.value + row.entries.iter().map(|(k, f)| f * change[*k]).sum::<f64>();
            let impulse = (row.impulse - value / row.compliance).max(0.0);
            for (k, x) in &row.response {
                change[*k] += x * (impulse - row.impulse);
            }
            row.impulse = impulse;
        }
    }
    change
}
