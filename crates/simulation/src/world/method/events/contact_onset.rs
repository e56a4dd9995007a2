//! How contacts begin: which pairs touch, how fast they come together, and what that freezes.

use zerogap_contact::law::{Begin, Grip, NormalForce, NormalLaw};
use zerogap_core::Vec3;
use zerogap_core::math::pow;
use zerogap_dynamics::multibody::Workspace;

use super::discrete::{Closed, Creep, Elastic, Onset, Restless, SlipWork};
use super::elastic::Velocities;
use super::elastic_friction::Friction;
use super::event_model::EventModel;
use super::frozen::EventScratch;
use crate::world::WorldError;
use crate::world::contact_radius::contact_radius;
use crate::world::events::EventKind;
use crate::world::pair_contacts::ContactWork;
use crate::world::pairs::TOUCH;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// Damping of the stick phase against its critical damping [-].
const GRIP_DAMPING: f64 = 0.3;

/// Pairs slide at the start if they do so faster than this [m/s].
const SLIDES: f64 = 1e-9;

/// The first step after a contact begins, against the time in which it takes the speed away [-].
const FIRST_STEP: f64 = 0.05;

/// What is seen of a pair at its first touch.
struct First {
    normal: Vec3,
    /// Middle of the contacts [m].
    middle: Vec3,
    /// Contacts [-].
    count: usize,
    /// Speed of approach where it is fastest [m/s].
    approach: f64,
    /// Velocity of B's surface against that of A, along it [m/s].
    slip: Vec3,
}

impl First {
    fn sample(pair: &PlacedPair<'_>, ws: &Workspace, manifold: &mut ContactWork) -> Self {
        pair.contacts(TOUCH * pair.size(), manifold);
        let velocities = Velocities::new(pair, ws);
        let normal = manifold.normal;
        let mut first = Self {
            normal,
            middle: Vec3::zeros(),
            count: manifold.contacts.len().max(1),
            approach: 0.0,
            slip: Vec3::zeros(),
        };
        for contact in &manifold.contacts {
            let point = 0.5 * (contact.point_a + contact.point_b);
            first.middle += point / first.count as f64;
            first.approach = first.approach.max(-normal.dot(&velocities.relative(&point)));
        }
        if manifold.contacts.is_empty() {
            first.middle = 0.5 * (manifold.gap.point_a + manifold.gap.point_b);
            first.approach = (-normal.dot(&velocities.relative(&first.middle))).max(0.0);
        }
        first.slip = velocities.slip(&first.middle, &normal);
        first
    }
}

impl EventModel<'_> {
    /// Freezes what an elastic contact needs that begins now, where bodies were located last.
    ///
    /// Fails where the law has no stiffness for the pair: its shapes would fall through each other without a word.
    pub(crate) fn begin_elastic(
        &mut self,
        t: f64,
        pair: PairId,
        law: NormalLaw,
    ) -> Result<Elastic, WorldError> {
        let scratch = &mut *self.data.scratch.borrow_mut();
        let history = self.data.discrete.oriented_histories.get(&pair);
        let placed = PlacedPair::new(&self.model.shapes, pair, &scratch.ws).with_history(history);
        let first = First::sample(&placed, &scratch.ws, &mut scratch.manifold);
        let material = *self.model.material_pair(pair);
        let mass = self.mass_felt(&placed, &first, &first.normal, scratch);
        let radius = contact_radius(&placed, law, &first.normal, material.properties.contact_radius);
        let has_stiffness = law.is_per_point() || radius > 0.0;
        if !has_stiffness {
            return Err(WorldError::NoContactRadius { t, pair });
        }
        let begin = Begin {
            approach: first.approach,
            stiffness_modulus: material.modulus,
            radius,
            effective_mass: mass / first.count as f64,
            restitution: material.properties.restitution,
        };
        let force = law.begin(&begin);

        // The grip, from the stiffness at the largest overlap to expect: that of the impact, or of resting.
        let weight = mass * self.model.tree.gravity().norm();
        let (of_impact, at_rest) = (peak_overlap(&force, mass, first.approach), force.static_overlap(weight));
        let overlap = of_impact.max(at_rest);
        let stiffness = material.grip * force.stiffness(overlap);
        let duration = (mass / force.stiffness(overlap)).sqrt();
        if duration > 0.0 {
            let step = FIRST_STEP * duration;
            self.data.first_step = Some(self.data.first_step.map_or(step, |other| other.min(step)));
        }
        let properties = &material.properties;
        let along = self.mass_felt(&placed, &first, &first.slip, scratch);
        let grip =
            Grip::damped(properties.friction, properties.static_friction(), stiffness, GRIP_DAMPING, along);
        // Points that jump over the edges of two bodies would stick and slip by turns.
        let has_edges = placed.has_own_normals() && !placed.has_half_space();
        let is_smooth = law == NormalLaw::Modia3d || has_edges;
        let friction = if properties.static_friction() == 0.0 || is_smooth {
            Friction::Smooth
        } else if first.slip.norm() > SLIDES {
            Friction::Slip(zerogap_contact::law::Sliding { velocity: first.slip, spin: 0.0 })
        } else {
            Friction::Stick(0)
        };
        let touched = EventKind::ContactBegin { pair, approach: first.approach };
        self.model.events.push(crate::world::events::Event { t, what: touched });
        Ok(Elastic {
            force,
            friction,
            grip,
            radius,
            is_modia3d: law == NormalLaw::Modia3d,
            onset: (matches!(friction, Friction::Stick(_)) && of_impact < at_rest)
                .then_some(Onset { expected: weight, calm: 0 }),
            restless: Restless::new(),
            slip_work: SlipWork::new(t, 0.0),
            creep: Creep::new(),
        })
    }

    /// Takes note of rigid shapes that touch, where bodies were located last.
    pub(crate) fn note_touch(&mut self, t: f64, pair: PairId) {
        let scratch = &mut *self.data.scratch.borrow_mut();
        let placed = PlacedPair::new(&self.model.shapes, pair, &scratch.ws);
        let approach = First::sample(&placed, &scratch.ws, &mut scratch.manifold).approach;
        self.model
            .events
            .push(crate::world::events::Event { t, what: EventKind::ContactBegin { pair, approach } });
    }

    /// The mass that a pair feels at its contact along a direction [kg]; infinite where nothing moves.
    fn mass_felt(
        &self,
        placed: &PlacedPair<'_>,
        first: &First,
        direction: &Vec3,
        scratch: &mut EventScratch,
    ) -> f64 {
        let direction = direction.try_normalize(f64::MIN_POSITIVE).unwrap_or(first.normal);
        let EventScratch { ws, row, moved, .. } = scratch;
        row.resize(self.model.tree.velocities(), 0.0);
        moved.resize(self.model.tree.velocities(), 0.0);
        let (a, b) = (placed.a.body, placed.b.body);
        self.model.tree.point_row(ws, b, first.middle, direction, 1.0, row);
        self.model.tree.point_row(ws, a, first.middle, direction, -1.0, row);
        // Along the joints of these two alone: a world that starts with many contacts would take the square of their number.
        let felt = self.model.tree.inverse_mass_along([a, b], ws, row, moved);
        1.0 / felt
    }

    /// Returns all of the pairs that are near at the start which touch or overlap.
    pub(crate) fn touching_pairs(
        &mut self,
        t: f64,
        y: &[f64],
        near: &[PairId],
    ) -> Result<Vec<PairId>, WorldError> {
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        self.model.start_gaps += near.len();
        let mut touching = Vec::new();
        for &pair in near {
            let touch = TOUCH * self.model.pair_size(pair);
            // Corners that touch are in contact already, however little.
            let limit = if self.data.discrete.oriented_histories.contains_key(&pair) { 0.0 } else { touch };
            let gap = self.frozen().placed(pair, &scratch.ws).gap(2.0 * touch, &mut scratch.manifold.cache);
            if gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })? <= limit {
                touching.push(pair);
            }
        }
        Ok(touching)
    }

    /// Active pairs that have touched and that have separated, at a state.
    pub(crate) fn crossed_pairs(&self, t: f64, y: &[f64]) -> (Vec<PairId>, Vec<PairId>) {
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let (mut touched, mut parted) = (Vec::new(), Vec::new());
        for active in &self.data.active_pairs.selected {
            let mut value = || self.pair_value(active.pair, active.gap, scratch);
            match self.data.discrete.closed.get(&active.pair) {
                None if value() < 0.0 => touched.push(active.pair),
                Some(Closed::Elastic(_)) if value() > 0.0 => parted.push(active.pair),
                _ => {}
            }
        }
        (touched, parted)
    }
}

/// The largest overlap of an impact without losses [m]: where the work of the force is the energy of the approach.
fn peak_overlap(force: &NormalForce, mass: f64, approach: f64) -> f64 {
    // A power law k δ^p, with both from its values at 1 m.
    let stiffness = force.force(1.0, 0.0);
    let power = force.stiffness(1.0) / stiffness + 1.0;
    let overlap = pow(0.5 * power * mass * approach * approach / stiffness, 1.0 / power);
    if overlap.is_finite() { overlap } else { 0.0 }
}
