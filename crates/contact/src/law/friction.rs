//! Friction of one pair of bodies as a whole: a force and a torque about the normal that stick, slip, and change into each other without a jump.
//!
//! In: how B slides against A, or the bristle deflection since it sticks, and the normal force. Out: what acts on B. A pair slides
//! with a velocity at the centre of pressure and a spin about the normal; a radius turns the one into the other: the mean distance of the loaded points from the
//! centre of pressure, plus the spinning resistance. Force and torque that friction can hold lie in an ellipsoid, `|F|² + (T / radius)² <= (μ N)²`, and
//! sliding is normal to it (the limit surface of Goyal, Ruina and Papadopoulos 1991, with an ellipsoid for its form as Howe and Cutkosky 1996 have it).
//!
//! The caller integrates the bristle deflection while a pair sticks, ends the phase where [`load`] passes 1, and ends slipping where the sliding has reversed against what
//! it was. Nothing here keeps a state.

use zerogap_core::Vec3;

use super::modia3d::{SLOW_ROTATION, regularized};

/// Sliding slower than this keeps something of the direction it had [m/s]: the direction of a velocity of almost nothing turns at once, and an integrator would have to follow.
pub const SLOW: f64 = 1e-3;

/// How B slides against A.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sliding {
    /// Tangential velocity of B against A at the centre of pressure [m/s].
    pub velocity: Vec3,
    /// Angular velocity of B against A about the normal [rad/s].
    pub spin: f64,
}

zerogap_core::store_struct!(Sliding { velocity, spin });

/// Bristle deflection of a pair that sticks: the integral of [`Sliding`] since it began to stick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BristleDeflection {
    /// Tangential shift [m].
    pub shift: Vec3,
    /// Angle about the normal [rad].
    pub twist: f64,
}

/// How firmly two bodies hold on to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// Coefficient of sliding friction [-].
    pub friction: f64,
    /// Coefficient of friction before sliding starts [-].
    pub static_friction: f64,
    /// Tangential stiffness while sticking [N/m].
    pub stiffness: f64,
    /// Tangential damping while sticking [N s/m].
    pub damping: f64,
}

zerogap_core::store_struct!(Grip { friction, static_friction, stiffness, damping });

/// What friction does to B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// Force on B, tangential [N].
    pub force: Vec3,
    /// Torque on B about the normal [N m].
    pub torque: f64,
}

impl Sliding {
    /// No sliding at all.
    pub fn zero() -> Self {
        Self { velocity: Vec3::zeros(), spin: 0.0 }
    }

    /// Speed of sliding with the spin at a radius [m/s].
    pub fn speed(&self, radius: f64) -> f64 {
        length(&self.velocity, self.spin * radius)
    }

    /// How much of this sliding is along another, as a product of the two [m²/s²]: negative once it has reversed.
    pub fn along(&self, other: &Self, radius: f64) -> f64 {
        self.velocity.dot(&other.velocity) + (self.spin * radius) * (other.spin * radius)
    }
}

impl BristleDeflection {
    /// No bristle deflection.
    pub fn zero() -> Self {
        Self { shift: Vec3::zeros(), twist: 0.0 }
    }
}

impl Pull {
    /// Nothing acts.
    pub fn zero() -> Self {
        Self { force: Vec3::zeros(), torque: 0.0 }
    }

    /// The same scaled down from what it asks for [N] to the friction available [N], where that is less.
    pub fn at_most(self, available: f64, asked: f64) -> Self {
        if asked <= available {
            return self;
        }
        let scale = available.max(0.0) / asked;
        Self { force: self.force * scale, torque: self.torque * scale }
    }
}

impl Grip {
    /// A grip with a fraction of the critical damping [-] for the mass that the contact feels along the surface [kg]; without a finite mass there is no damping.
    pub fn damped(
        friction: f64,
        static_friction: f64,
        stiffness: f64,
        damping_ratio: f64,
        effective_mass: f64,
    ) -> Self {
        let damping = 2.0 * damping_ratio * (stiffness * effective_mass.max(0.0)).sqrt();
        let damping = if damping.is_finite() { damping } else { 0.0 };
        Self { friction, static_friction, stiffness, damping }
    }
}

/// What acts on B while the pair sticks: a spring and a damper along the surface, and the same at `radius` [m] about the normal.
#[inline]
pub fn stick(grip: &Grip, radius: f64, deflection: &BristleDeflection, sliding: &Sliding) -> Pull {
    Pull {
        force: -(grip.stiffness * deflection.shift + grip.damping * sliding.velocity),
        torque: -(grip.stiffness * deflection.twist + grip.damping * sliding.spin) * radius * radius,
    }
}

/// How much of what friction can hold a pull takes [-]: beyond 1 the pair slips.
///
/// Computes: `sqrt(|F|² + (T / radius)²) / (coefficient normal_force)`. A pull of nothing is 0 whatever is available; where nothing is, or a torque is asked for at radius 0, it is infinite.
#[inline]
pub fn load(pull: &Pull, radius: f64, normal_force: f64, coefficient: f64) -> f64 {
    let lever = if pull.torque == 0.0 { 0.0 } else { pull.torque / radius.max(0.0) };
    let asked = length(&pull.force, lever);
    if asked == 0.0 {
        return 0.0;
    }
    let available = coefficient * normal_force;
    if available > 0.0 { asked / available } else { f64::INFINITY }
}

/// What acts on B while the pair slips: all that sliding friction can do, against the sliding.
///
/// Computes: `F = -μ N u / q`, `T = -μ N radius (radius w) / q` with `q² = |u|² + (radius w)²`. Where the sliding has reversed against `reference`, the sliding at the start of the step, its
///   component along that is mirrored: the force keeps its direction beyond the instant at which the sliding stops, so that an integrator can step over the
///   instant and the event can be located. Below twice [`SLOW`] the direction is that of the sliding plus up to `SLOW` along the reference, falling smoothly to nothing: straight sliding
///   is as without it, and the force turns no faster than the velocity changes against `SLOW`. Without any sliding the force is against the reference; without a reference it is nothing.
/// Tolerance: the load is 1 to 4 ulp.
#[inline]
pub fn slip(grip: &Grip, radius: f64, normal_force: f64, sliding: &Sliding, reference: &Sliding) -> Pull {
    let (mut along, mut around) = (sliding.velocity, sliding.spin * radius);
    if let Some((direction, turn)) = unit(&reference.velocity, reference.spin * radius) {
        let forward = along.dot(&direction) + around * turn;
        if forward < 0.0 {
            along -= direction * (2.0 * forward);
            around -= turn * (2.0 * forward);
        }
        let kept = SLOW * kept(along.norm_squared() + around * around);
        (along, around) = (along + direction * kept, around + turn * kept);
        (along, around) = unit(&along, around).unwrap_or((direction, turn));
    } else {
        let Some(direction) = unit(&along, around) else { return Pull::zero() };
        (along, around) = direction;
    }
    let available = grip.friction * normal_force.max(0.0);
    Pull { force: along * -available, torque: -available * radius * around }
}

/// How much of its former direction sliding keeps at a square of a speed [m²/s²]: 1 at rest, 0 from twice [`SLOW`] on, with a continuous derivative.
#[inline]
fn kept(squared: f64) -> f64 {
    let left = (1.0 - squared / (4.0 * SLOW * SLOW)).max(0.0);
    left * left
}

/// The bristle deflection that gives a friction force at rest: where slipping becomes sticking without a jump. No stiffness, or a torque at radius 0, has none.
#[inline]
pub fn bristle_deflection(grip: &Grip, radius: f64, pull: &Pull) -> BristleDeflection {
    let (stiffness, of_twist) = (grip.stiffness, grip.stiffness * radius * radius);
    BristleDeflection {
        shift: if stiffness > 0.0 { pull.force / -stiffness } else { Vec3::zeros() },
        twist: if of_twist > 0.0 { -pull.torque / of_twist } else { 0.0 },
    }
}

/// The torque on B against turning [N m]: `-length normal_force w / reg(|w|)` for the angular velocity w of B against A [rad/s], with the coefficient times the radius [m]: along the surface
/// for rolling, along the normal for spinning.
///
/// Below [`SLOW_ROTATION`] it falls smoothly to zero: a ball that rolls out ends by creeping, at 1 % of that rate on a slope of 3 % of the coefficient.
#[inline]
pub fn turning(length: f64, normal_force: f64, rotation: &Vec3) -> Vec3 {
    rotation * (-length * normal_force.max(0.0) / regularized(rotation.norm(), SLOW_ROTATION))
}

/// The length of a vector of four components, without overflow.
#[inline]
fn length(v: &Vec3, w: f64) -> f64 {
    let largest = v.amax().max(w.abs());
    if !(largest > 0.0 && largest.is_finite()) {
        return largest;
    }
    // Squares of usual numbers need no care.
    if (1e-100..1e100).contains(&largest) {
        return (v.norm_squared() + w * w).sqrt();
    }
    let (v, w) = (v / largest, w / largest);
    largest * (v.norm_squared() + w * w).sqrt()
}

/// The direction of a vector of four components; none where it has no length.
#[inline]
fn unit(v: &Vec3, w: f64) -> Option<(Vec3, f64)> {
    let largest = v.amax().max(w.abs());
    // A normal number, so that dividing by it is exact enough.
    if !(largest >= f64::MIN_POSITIVE && largest.is_finite()) {
        return None;
    }
    let (v, w) = (v / largest, w / largest);
    let norm = (v.norm_squared() + w * w).sqrt();
    Some((v / norm, w / norm))
}
