//! Friction of an elastic pair: its phase, the bristles that hold it while it sticks, and how one phase becomes the other.
//!
//! In: the loads of contact points, how the bodies move against each other, and the phase that is frozen for the step. Out: a force on B, and how far the phase is from its end.
//!
//! A pair of convex shapes has one normal: friction acts as a whole at its centre of pressure, with a torque about the normal. Where every point has a normal of its own (meshes, complexes, corners) each
//! obeys the same law by itself. Its points have one common displacement of B against A, a shift and a turn about their mean normal, of which each feels what lies along its surface, in proportion to its load.
//! The shift is that of a point of B at the height of the contact, so that it does not jump when the load moves from one point to another. Turning about other axes is damped, not held by sticking.

use zerogap_contact::law::{BristleDeflection, Grip, Pull, Sliding, friction};
use zerogap_core::Vec3;

use super::discrete::{Elastic, Onset};
use super::elastic::{ElasticState, LoadedPoint, Velocities};

/// States that the bristles of a sticking pair add [-]: three for the shift, one for the turn about the normal.
pub(crate) const STATES: usize = 4;

/// Friction of an elastic pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Friction {
    /// Not at all, or by a law without phases.
    Smooth,
    /// It slides; the sliding at the start of the step.
    Slip(Sliding),
    /// It sticks; where its bristle deflection is among the states, counted in sticking pairs.
    Stick(usize),
}

zerogap_core::store_enum!(Friction { 0 => Smooth, 1 => Slip(sliding), 2 => Stick(place) });

impl Elastic {
    /// It sticks from now on; returns the bristle deflection with which the friction force does not jump: exactly for a pair with one normal, for the point that slid fastest where there are many. Where that would hold more energy than
    /// slipping has taken from the motion, it is less, and the force jumps.
    pub(crate) fn take_hold(&mut self, state: &ElasticState) -> [f64; STATES] {
        let deflection = match (self.friction, state.reference_speed) {
            (Friction::Slip(reference), Some(speed)) if speed > 0.0 && self.grip.stiffness > 0.0 => {
                let factor = self.grip.friction * state.load / (self.grip.stiffness * speed);
                BristleDeflection { shift: reference.velocity * factor, twist: reference.spin * factor }
            }
            (_, Some(_)) => BristleDeflection::zero(),
            (_, None) => friction::bristle_deflection(&self.grip, state.lever, &state.pull),
        };
        self.friction = Friction::Stick(0);
        let BristleDeflection { shift, twist } = deflection;
        let deflection = [shift.x, shift.y, shift.z, twist];
        let held = self.bristle_energy(state.lever, &deflection);
        let taken = self.slip_work.work.max(0.0);
        let part = if held > taken { (taken / held).sqrt() } else { 1.0 };
        deflection.map(|x| part * x)
    }

    /// The energy that a bristle deflection holds, with the bristles against turning at a distance [J].
    pub(crate) fn bristle_energy(&self, lever: f64, deflection: &[f64; STATES]) -> f64 {
        let [x, y, z, twist] = *deflection;
        0.5 * self.grip.stiffness * (Vec3::new(x, y, z).norm_squared() + (lever * twist).powi(2))
    }
}

/// The bristle deflection of a sticking pair among those of all.
fn deflection_at(deflections: &[f64], place: usize) -> BristleDeflection {
    let s = &deflections[place * STATES..][..STATES];
    BristleDeflection { shift: Vec3::new(s[0], s[1], s[2]), twist: s[3] }
}

/// Friction of a pair with one normal, into its state.
pub(crate) fn pair_friction(closed: &Elastic, deflections: &[f64], state: &mut ElasticState) {
    let &Elastic { ref grip, friction, onset, .. } = closed;
    let radius = state.radius;
    state.speed = state.sliding.speed(radius);
    (state.pull, state.margin) = match friction {
        Friction::Smooth => (Pull::zero(), 1.0),
        Friction::Slip(reference) => {
            state.along = state.sliding.along(&reference, radius);
            let pull = friction::slip(grip, radius, state.load, &state.sliding, &reference);
            state.power = taken(&pull, &state.sliding);
            (pull, 1.0)
        }
        Friction::Stick(place) => {
            let BristleDeflection { shift, twist } = deflection_at(deflections, place);
            let deflection =
                BristleDeflection { shift: shift - state.normal * state.normal.dot(&shift), twist };
            let pull = friction::stick(grip, state.lever, &deflection, &state.sliding);
            let asked = friction::load(&pull, radius, 1.0, 1.0);
            let (static_limit, margin) = margin(grip, onset, state.load, asked);
            (if onset.is_some() { pull.at_most(static_limit, asked) } else { pull }, margin)
        }
    };
    let lever = if radius > 0.0 { state.pull.torque / (radius * radius) } else { 0.0 };
    state.against = Sliding { velocity: -state.pull.force, spin: -lever };
}

/// What a pull takes from a sliding motion [W].
fn taken(pull: &Pull, sliding: &Sliding) -> f64 {
    -(pull.force.dot(&sliding.velocity) + pull.torque * sliding.spin)
}

/// What a point feels along its surface of a motion of B against A: a velocity at a reference point and a spin about an axis.
struct Field {
    reference: Vec3,
    axis: Vec3,
}

impl Field {
    fn at(&self, motion: &Sliding, point: &Vec3, normal: &Vec3) -> Sliding {
        let turning = self.axis * motion.spin;
        let velocity = motion.velocity + turning.cross(&(point - self.reference));
        Sliding { velocity: velocity - normal * normal.dot(&velocity), spin: normal.dot(&turning) }
    }
}

/// Friction of a pair whose points have normals of their own, into its state and for each point that carries load. A point that turns about its normal is resisted at the spinning radius [m].
pub(crate) fn point_friction(
    closed: &Elastic,
    deflections: &[f64],
    velocities: &Velocities<'_>,
    spinning: f64,
    loaded: &[LoadedPoint],
    state: &mut ElasticState,
    mut act: impl FnMut(&LoadedPoint, &Pull),
) {
    let &Elastic { ref grip, friction, onset, .. } = closed;
    let field = Field { reference: state.reference, axis: state.normal };
    let (load, turning) = (state.load, velocities.turning());
    let sliding_at = |point: &LoadedPoint| Sliding {
        velocity: velocities.slip(&point.at, &point.normal),
        spin: point.normal.dot(&turning),
    };
    let fraction = |point: &LoadedPoint| if load > 0.0 { point.force / load } else { 0.0 };
    // Where no point carries load, the sliding at the reference point counts.
    let sliding = field.at(&state.sliding, &state.reference, &state.normal);
    let fastest = loaded.iter().map(|point| sliding_at(point).speed(spinning)).reduce(f64::max);
    state.speed = fastest.unwrap_or_else(|| sliding.speed(spinning));
    match friction {
        Friction::Smooth => {}
        Friction::Slip(reference) => {
            let (mut along, mut fastest) = (0.0, 0.0_f64);
            for point in loaded {
                let (now, before) = (sliding_at(point), field.at(&reference, &point.at, &point.normal));
                along += fraction(point) * now.along(&before, spinning);
                fastest = fastest.max(before.speed(spinning));
                let pull = friction::slip(grip, spinning, point.force, &now, &before);
                state.power += taken(&pull, &now);
                act(point, &pull);
            }
            if loaded.is_empty() {
                let before = field.at(&reference, &state.reference, &state.normal);
                along = sliding.along(&before, spinning);
            }
            (state.along, state.reference_speed) = (along, Some(fastest));
        }
        Friction::Stick(place) => {
            let BristleDeflection { shift, twist } = deflection_at(deflections, place);
            let bristles = Sliding { velocity: shift, spin: twist };
            // The pull of a point as if it carried the whole load.
            let whole = |at: &Vec3, normal: &Vec3, sliding: &Sliding| {
                let Sliding { velocity, spin } = field.at(&bristles, at, normal);
                friction::stick(grip, spinning, &BristleDeflection { shift: velocity, twist: spin }, sliding)
            };
            let asked_by = |pull: &Pull| friction::load(pull, spinning, 1.0, 1.0);
            let of_points =
                loaded.iter().map(|point| asked_by(&whole(&point.at, &point.normal, &sliding_at(point))));
            let of_none = || asked_by(&whole(&state.reference, &state.normal, &sliding));
            let asked = of_points.reduce(f64::max).unwrap_or_else(of_none);
            let (limit, margin) = margin(grip, onset, load, asked);
            for point in loaded {
                let pull = whole(&point.at, &point.normal, &sliding_at(point));
                let pull = if onset.is_some() { pull.at_most(limit, asked) } else { pull };
                let part = fraction(point);
                act(point, &Pull { force: pull.force * part, torque: pull.torque * part });
            }
            state.margin = margin;
            state.against = Sliding {
                velocity: shift * grip.stiffness + state.sliding.velocity * grip.damping,
                spin: twist * grip.stiffness + state.sliding.spin * grip.damping,
            };
        }
    }
}

/// The largest friction force [N], and how much is left beyond what is asked for [N], as a difference of forces: it passes through zero smoothly, even where the load does.
///
/// A pair that is set down at rest carries nothing at first, and the grip would pull with more than nothing can hold before there is any load. Until it has taken hold it pulls with what the load
/// allows, and it slides if it asks for more than the load to expect can hold.
fn margin(grip: &Grip, onset: Option<Onset>, load: f64, asked: f64) -> (f64, f64) {
    let static_limit = grip.static_friction * load;
    let limit = onset.map_or(static_limit, |onset| grip.static_friction * load.max(onset.expected));
    (static_limit, limit - asked)
}
