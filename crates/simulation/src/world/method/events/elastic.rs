//! Forces of compliant pairs.
//!
//! In: two shapes at poses, velocities of their bodies, and the frozen state of the pair. Out: a wrench on each body, and what the events need to
//! know. Both wrenches are of one force at one common point, so that momentum and angular momentum are kept to rounding.

use zerogap_contact::law::{Pull, Sliding, friction, modia3d};
use zerogap_contact::material::PairProperties;
use zerogap_core::{Contact, ContactId, Manifold, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace, Wrench};

use super::discrete::{Elastic, Onset};
use super::elastic_friction::{Friction, pair_friction, point_friction};
use super::ray::move_to_ray;
use crate::world::contact_radius::rolling_arm;
use crate::world::frames::ContactPoint;
use crate::world::pair_contacts::ContactWork;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// Contacts are asked for up to this gap, against the size of the smaller shape [-]: those with a gap push nothing.
pub(crate) const WITHIN: f64 = 1e-6;

/// Normals whose forces cancel to less than this fraction of the load have no mean [-].
const LEVEL: f64 = 1e-3;

/// The forces of a pair and its relative motion at an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElasticState {
    /// Smallest gap [m].
    pub(crate) gap: f64,
    /// Sum of the normal forces [N].
    pub(crate) load: f64,
    /// From A to B [-].
    pub(crate) normal: Vec3,
    /// Centre of pressure, or of the contacts where no point carries load [m].
    pub(crate) center: Vec3,
    /// Mean distance of the load from its centre, with the spinning resistance [m].
    pub(crate) radius: f64,
    /// At what distance the bristles are that hold against turning [m]: with spinning resistance as far as the contact is wide, or a ball would swing about its normal for a long time.
    pub(crate) lever: f64,
    pub(crate) sliding: Sliding,
    pub(crate) pull: Pull,
    /// How much friction there is beyond what sticking takes [N]; below zero it slides.
    pub(crate) margin: f64,
    /// How fast the surfaces slide, where they do so fastest [m/s].
    pub(crate) speed: f64,
    /// Product of the sliding velocity with that at the start of the step [m²/s²]; negative once the direction has reversed.
    pub(crate) along: f64,
    /// What friction takes from the motion while the pair slips [W].
    pub(crate) power: f64,
    /// The sliding that friction works against, as a direction.
    pub(crate) against: Sliding,
    /// The point of B whose motion is the sliding, where points have normals of their own [m].
    pub(crate) reference: Vec3,
    /// The fastest that such a point slid at the start of the step [m/s].
    pub(crate) reference_speed: Option<f64>,
}

impl ElasticState {
    /// Of a pair that carries nothing.
    fn new(manifold: &Manifold) -> Self {
        Self {
            gap: manifold.gap.gap,
            load: 0.0,
            normal: manifold.normal,
            center: Vec3::zeros(),
            radius: 0.0,
            lever: 0.0,
            sliding: Sliding::zero(),
            pull: Pull::zero(),
            margin: 1.0,
            speed: 0.0,
            along: 0.0,
            power: 0.0,
            against: Sliding::zero(),
            reference: Vec3::zeros(),
            reference_speed: None,
        }
    }
}

/// A point that carries load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadedPoint {
    id: ContactId,
    /// Below zero [m].
    gap: f64,
    /// In the middle of the overlap [m].
    pub(crate) at: Vec3,
    pub(crate) normal: Vec3,
    /// Along the normal [N].
    pub(crate) force: f64,
}

/// The velocities of a pair's bodies.
pub(crate) struct Velocities<'a> {
    pub(crate) ws: &'a Workspace,
    pub(crate) a: Option<BodyId>,
    pub(crate) b: Option<BodyId>,
    /// Velocity of B's surface against that of A, beyond that of their bodies [m/s].
    surface: Vec3,
}

impl<'a> Velocities<'a> {
    pub(crate) fn new(pair: &PlacedPair<'_>, ws: &'a Workspace) -> Self {
        Self { ws, a: pair.a.body, b: pair.b.body, surface: pair.surface_velocity() }
    }

    /// The velocity of B's surface against that of A at a point, across a normal [m/s].
    pub(crate) fn slip(&self, point: &Vec3, normal: &Vec3) -> Vec3 {
        let velocity = self.relative(point) + self.surface;
        velocity - normal * normal.dot(&velocity)
    }

    /// The velocity of B against A at a point of both [m/s].
    pub(crate) fn relative(&self, point: &Vec3) -> Vec3 {
        self.ws.point_velocity(self.b, *point) - self.ws.point_velocity(self.a, *point)
    }

    /// The origin of B, or of A where B is fixed in the world [m].
    fn origin(&self) -> Vec3 {
        self.b.or(self.a).map_or(Vec3::zeros(), |body| self.ws.pose(body).translation())
    }

    /// The angular velocity of B against A [rad/s].
    pub(crate) fn turning(&self) -> Vec3 {
        let of = |body: Option<BodyId>| body.map_or(Vec3::zeros(), |body| self.ws.angular_velocity(body));
        of(self.b) - of(self.a)
    }
}

/// Memory to work in.
pub(crate) struct Memory<'a> {
    pub(crate) manifold: &'a mut ContactWork,
    /// Points of a pair that carry load.
    pub(crate) loaded: &'a mut Vec<LoadedPoint>,
    /// Points of all pairs with their forces, where they are asked for.
    pub(crate) contact_points: Option<&'a mut Vec<ContactPoint>>,
}

/// Computes the normal and friction forces of a pair, and adds their wrenches to those of its bodies.
///
/// Points that lie within the radius of the contact of each other have one stiffness together: where a corner slides over an edge, one contact becomes two at the same
/// place, and the force must not double.
pub(crate) fn add_pair_forces(
    pair: &PlacedPair<'_>,
    closed: &Elastic,
    properties: &PairProperties,
    deflections: &[f64],
    velocities: &Velocities<'_>,
    Memory { manifold, loaded, contact_points }: Memory<'_>,
    wrenches: &mut [Wrench],
) -> ElasticState {
    loaded.clear();
    pair.springs(WITHIN * pair.size(), closed.radius, manifold);
    if closed.is_modia3d {
        move_to_ray(pair, manifold);
    }
    if pair.has_own_normals() {
        let memory = Memory { manifold, loaded, contact_points };
        return add_point_forces(pair, closed, properties, deflections, velocities, memory, wrenches);
    }
    let normal = manifold.normal;
    let mut state = ElasticState::new(manifold);

    // Normal forces of the points, and their centre.
    let (mut center, mut middle) = (Vec3::zeros(), Vec3::zeros());
    for (k, contact) in manifold.contacts.iter().enumerate() {
        let point = 0.5 * (contact.point_a + contact.point_b);
        middle += point;
        if contact.gap >= 0.0 {
            continue;
        }
        let rate = -normal.dot(&velocities.relative(&point));
        let force = stiffness_fraction(manifold, k, closed.radius) * closed.force.force(-contact.gap, rate);
        loaded.push(LoadedPoint { id: contact.id, gap: contact.gap, at: point, normal, force });
        state.load += force;
        center += point * force;
        push(velocities, wrenches, &(normal * force), &point);
    }
    let count = manifold.contacts.len();
    if count == 0 {
        return state;
    }
    state.center = if state.load > 0.0 { center / state.load } else { middle / count as f64 };

    // How the load is spread about its centre: what friction holds against turning.
    if state.load > 0.0 {
        for point in loaded.iter() {
            state.radius += (point.at - state.center).norm() * point.force / state.load;
        }
    }
    state.radius += properties.spinning;
    let width = if properties.spinning > 0.0 { closed.radius } else { 0.0 };
    state.lever = (state.radius * state.radius + width * width).sqrt();

    // Friction at the centre of pressure.
    let turning = velocities.turning();
    let slip = velocities.slip(&state.center, &normal);
    state.sliding = Sliding { velocity: slip, spin: normal.dot(&turning) };
    if closed.is_modia3d {
        state.pull.force = modia3d::friction(properties.friction, state.load, &state.sliding.velocity);
    } else {
        pair_friction(closed, deflections, &mut state);
    }
    let mut torque = rolling_torque(pair, closed, properties, &state, &turning);
    push(velocities, wrenches, &state.pull.force, &state.center);
    if let Some(contact_points) = contact_points {
        spread(pair.id, loaded, &state, contact_points);
    }
    torque += normal * state.pull.torque;
    twist(velocities, wrenches, &torque);
    state
}

/// The points of a pair with one normal, for display and recording: friction acts at the centre of pressure, and each point has the same fraction of it as of the load.
fn spread(
    pair: PairId,
    loaded: &[LoadedPoint],
    state: &ElasticState,
    contact_points: &mut Vec<ContactPoint>,
) {
    contact_points.extend(loaded.iter().map(|&LoadedPoint { id, gap, at, normal, force }| {
        let fraction = if state.load > 0.0 { force / state.load } else { 0.0 };
        let force = normal * force + state.pull.force * fraction;
        ContactPoint { pair, id, gap, normal, point: at, force }
    }));
}

/// [`add_pair_forces`] for a pair of triangle meshes, complexes or corners: every contact has its own normal and friction.
fn add_point_forces(
    pair: &PlacedPair<'_>,
    closed: &Elastic,
    properties: &PairProperties,
    deflections: &[f64],
    velocities: &Velocities<'_>,
    Memory { manifold, loaded, mut contact_points }: Memory<'_>,
    wrenches: &mut [Wrench],
) -> ElasticState {
    let mut state = ElasticState::new(manifold);
    let (mut center, mut middle) = (Vec3::zeros(), Vec3::zeros());
    for (k, contact) in manifold.contacts.iter().enumerate() {
        let &Contact { id, gap, normal, .. } = contact;
        let at = 0.5 * (contact.point_a + contact.point_b);
        middle += at;
        if gap >= 0.0 {
            continue;
        }
        let rate = normal.dot(&velocities.relative(&at));
        // Corners are springs of their own, however near they are to each other.
        let fraction = if pair.is_oriented() { 1.0 } else { stiffness_fraction(manifold, k, closed.radius) };
        let force = fraction * closed.force.force(-gap, -rate);
        loaded.push(LoadedPoint { id, gap, at, normal, force });
        state.load += force;
        center += at * force;
    }
    let count = manifold.contacts.len();
    if count == 0 {
        return state;
    }
    state.center = if state.load > 0.0 { center / state.load } else { middle / count as f64 };
    let mean: Vec3 = loaded.iter().map(|point| point.normal * point.force).sum();
    state.normal = mean.try_normalize(LEVEL * state.load).unwrap_or(state.normal);
    let (turning, normal) = (velocities.turning(), state.normal);
    let origin = velocities.origin();
    state.reference = origin + normal * normal.dot(&(state.center - origin));
    state.sliding = Sliding {
        velocity: velocities.relative(&state.reference) + velocities.surface,
        spin: normal.dot(&turning),
    };
    let mut pulled = Vec3::zeros();
    let mut act = |point: &LoadedPoint, pull: &Pull| {
        let force = point.normal * point.force + pull.force;
        push(velocities, wrenches, &force, &point.at);
        if pull.torque != 0.0 {
            twist(velocities, wrenches, &(point.normal * pull.torque));
        }
        if let Some(contact_points) = &mut contact_points {
            let &LoadedPoint { id, gap, at, normal, .. } = point;
            contact_points.push(ContactPoint { pair: pair.id, id, gap, normal, point: at, force });
        }
        pulled += pull.force;
    };
    match closed.friction {
        Friction::Smooth => {
            for point in loaded.iter() {
                let slip = velocities.slip(&point.at, &point.normal);
                let force = modia3d::friction(properties.friction, point.force, &slip);
                act(point, &Pull { force, torque: 0.0 });
            }
        }
        _ => point_friction(closed, deflections, velocities, properties.spinning, loaded, &mut state, act),
    }
    state.pull.force = pulled;
    twist(velocities, wrenches, &rolling_torque(pair, closed, properties, &state, &turning));
    state
}

/// The torque on B against rolling [N m], for its angular velocity against A [rad/s].
fn rolling_torque(
    pair: &PlacedPair<'_>,
    closed: &Elastic,
    properties: &PairProperties,
    state: &ElasticState,
    turning: &Vec3,
) -> Vec3 {
    if closed.is_modia3d {
        return modia3d::rolling(properties.rolling, closed.radius, state.load, turning);
    }
    if !properties.resists_rolling() {
        return Vec3::zeros();
    }
    let arm = rolling_arm(pair, &state.normal, closed.radius, properties);
    let rolling = turning - state.normal * state.sliding.spin;
    friction::turning(arm, state.load, &rolling)
}

/// The onset of a pair after a step that ended in a state.
pub(crate) fn onset_after(closed: &Elastic, state: &ElasticState) -> Option<Onset> {
    let onset = closed.onset?;
    let coefficient = closed.grip.static_friction;
    let asked = coefficient * state.load.max(onset.expected) - state.margin;
    onset.after(state.load > 0.0 && asked <= coefficient * state.load)
}

/// The fraction of a stiffness that a contact has: its weight where contacts have weights, else one for itself, less where others are closer than the radius of the contact.
pub(crate) fn stiffness_fraction(manifold: &Manifold, k: usize, radius: f64) -> f64 {
    if let Some(weight) = manifold.weights.get(k) {
        return *weight;
    }
    let at = |contact: &Contact| 0.5 * (contact.point_a + contact.point_b);
    let contact = &manifold.contacts[k];
    let here = at(contact);
    let crowd: f64 = manifold
        .contacts
        .iter()
        // A contact that is about to end, or has just begun, takes nothing from others.
        .filter(|other| other.gap < 0.0)
        .map(|other| {
            let nearness = (1.0 - (at(other) - here).norm_squared() / (radius * radius)).max(0.0);
            nearness * nearness * (other.gap / contact.gap).min(1.0)
        })
        .sum();
    1.0 / crowd.max(1.0)
}

/// Adds a force on B at a point, and its opposite on A.
fn push(velocities: &Velocities<'_>, wrenches: &mut [Wrench], force: &Vec3, point: &Vec3) {
    for (body, sign) in [(velocities.a, -1.0), (velocities.b, 1.0)] {
        if let Some(body) = body {
            let wrench = &mut wrenches[body.0 as usize];
            let force = force * sign;
            wrench.force += force;
            wrench.torque += (point - velocities.ws.pose(body).translation()).cross(&force);
        }
    }
}

/// Adds a torque on B, and its opposite on A.
fn twist(velocities: &Velocities<'_>, wrenches: &mut [Wrench], torque: &Vec3) {
    for (body, sign) in [(velocities.a, -1.0), (velocities.b, 1.0)] {
        if let Some(body) = body {
            wrenches[body.0 as usize].torque += torque * sign;
        }
    }
}
