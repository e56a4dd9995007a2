//! What sensors there are, and what they read. Their values are computed in [`super::sensor_values`].
//!
//! Kinds, frames and signs are those of MJCF, so that values can be compared number by number; quaternions are `w x y z` as in such files.

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Site};
use zerogap_geometry::Shape;

/// A sensor with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensor {
    /// Its name; may be empty.
    pub name: String,
    /// What it reads.
    pub kind: SensorKind,
    /// Largest magnitude of what it reports; zero for no bound.
    pub cutoff: f64,
}

zerogap_core::store_struct!(Sensor { name, kind, cutoff });

/// A part of space that a touch sensor feels.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// Its shape, about the origin of `place`.
    pub shape: Shape,
    /// Where it is.
    pub place: Site,
}

zerogap_core::store_struct!(Zone { shape, place });

/// What a frame sensor reads of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameQuantity {
    /// Position of the origin [m].
    Position,
    /// Quaternion `w x y z`.
    Quaternion,
    /// Direction of an axis, x, y or z [-].
    Axis(u8),
    /// Velocity of the origin [m/s].
    LinearVelocity,
    /// Angular velocity [rad/s].
    AngularVelocity,
    /// Acceleration of the origin less gravity [m/s²].
    LinearAcceleration,
    /// Angular acceleration [rad/s²].
    AngularAcceleration,
}

zerogap_core::store_enum!(FrameQuantity { 0 => Position, 1 => Quaternion, 2 => Axis(axis), 3 => LinearVelocity, 4 => AngularVelocity, 5 => LinearAcceleration, 6 => AngularAcceleration });

/// What a sensor reads.
#[derive(Debug, Clone, PartialEq)]
pub enum SensorKind {
    /// Position of a hinge [rad] or slide [m], counted from its reference.
    JointPosition(BodyId),
    /// Velocity of a hinge or slide.
    JointVelocity(BodyId),
    /// What actuators have at a hinge [N m] or slide [N].
    JointActuatorForce(BodyId),
    /// Quaternion `w x y z` of a ball joint.
    BallQuaternion(BodyId),
    /// Angular velocity of a ball joint, in axes of the child [rad/s].
    BallVelocity(BodyId),
    /// Length of a tendon [m].
    TendonPosition(usize),
    /// Rate of the length of a tendon [m/s].
    TendonVelocity(usize),
    /// Length of an actuator times its gear.
    ActuatorPosition(usize),
    /// Rate of that length.
    ActuatorVelocity(usize),
    /// Force of an actuator before the gear.
    ActuatorForce(usize),
    /// Something of a frame, seen from the world, or from another frame that moves.
    Frame {
        /// What.
        quantity: FrameQuantity,
        /// The frame.
        frame: Site,
        /// Seen from where; none for the world.
        reference: Option<Site>,
    },
    /// Angular velocity in axes of a site [rad/s].
    Gyro(Site),
    /// Acceleration less gravity in axes of a site [m/s²].
    Accelerometer(Site),
    /// Velocity in axes of a site [m/s].
    Velocimeter(Site),
    /// A magnetic field of the world in axes of a site.
    Magnetometer {
        /// Where.
        site: Site,
        /// The field, world axes.
        field: Vec3,
    },
    /// Force that the body of a site takes from the one it hangs on, in axes of the site [N].
    Force(Site),
    /// Torque about the site that it takes, in axes of the site [N m].
    Torque(Site),
    /// Sum of the normal forces at contacts of a body that a zone feels [N].
    Touch(Zone),
    /// Distance along the z axis of a site to the next shape that is not on its body [m]; -1 where there is none.
    Rangefinder(Site),
    /// Centre of mass of a body and all that hangs on it [m].
    SubtreeCenter(BodyId),
    /// Velocity of that centre [m/s].
    SubtreeVelocity(BodyId),
    /// Angular momentum about that centre [N m s].
    SubtreeAngularMomentum(BodyId),
    /// Kinetic energy of the world [J].
    KineticEnergy,
    /// Potential energy of the world [J].
    PotentialEnergy,
    /// Time [s].
    Clock,
    /// A kind that is not evaluated; its values are not numbers.
    Unread(String),
}

zerogap_core::store_enum!(SensorKind {
    0 => JointPosition(body),
    1 => JointVelocity(body),
    2 => JointActuatorForce(body),
    3 => BallQuaternion(body),
    4 => BallVelocity(body),
    5 => TendonPosition(tendon),
    6 => TendonVelocity(tendon),
    7 => ActuatorPosition(actuator),
    8 => ActuatorVelocity(actuator),
    9 => ActuatorForce(actuator),
    10 => Frame { quantity, frame, reference },
    11 => Gyro(site),
    12 => Accelerometer(site),
    13 => Velocimeter(site),
    14 => Magnetometer { site, field },
    15 => Force(site),
    16 => Torque(site),
    17 => Touch(zone),
    18 => Rangefinder(site),
    19 => SubtreeCenter(body),
    20 => SubtreeVelocity(body),
    21 => SubtreeAngularMomentum(body),
    22 => KineticEnergy,
    23 => PotentialEnergy,
    24 => Clock,
    25 => Unread(kind),
});

impl SensorKind {
    /// Returns how many values it has.
    pub fn len(&self) -> usize {
        match self {
            Self::JointPosition(_)
            | Self::JointVelocity(_)
            | Self::JointActuatorForce(_)
            | Self::TendonPosition(_)
            | Self::TendonVelocity(_)
            | Self::ActuatorPosition(_)
            | Self::ActuatorVelocity(_)
            | Self::ActuatorForce(_)
            | Self::Touch(_)
            | Self::Rangefinder(_)
            | Self::KineticEnergy
            | Self::PotentialEnergy
            | Self::Clock
            | Self::Unread(_) => 1,
            Self::BallQuaternion(_) | Self::Frame { quantity: FrameQuantity::Quaternion, .. } => 4,
            _ => 3,
        }
    }

    /// Returns false: every sensor has a value.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Whether it needs accelerations.
    pub(super) fn needs_accelerations(&self) -> bool {
        use FrameQuantity::{AngularAcceleration, LinearAcceleration};
        matches!(
            self,
            Self::Accelerometer(_)
                | Self::Force(_)
                | Self::Torque(_)
                | Self::Frame { quantity: LinearAcceleration | AngularAcceleration, .. }
        )
    }

    /// Bodies that it names.
    pub(super) fn bodies(&self) -> Vec<BodyId> {
        match self {
            Self::JointPosition(body)
            | Self::JointVelocity(body)
            | Self::JointActuatorForce(body)
            | Self::BallQuaternion(body)
            | Self::BallVelocity(body)
            | Self::SubtreeCenter(body)
            | Self::SubtreeVelocity(body)
            | Self::SubtreeAngularMomentum(body) => vec![*body],
            Self::Frame { frame, reference, .. } => {
                frame.body.into_iter().chain(reference.and_then(|site| site.body)).collect()
            }
            Self::Gyro(site)
            | Self::Accelerometer(site)
            | Self::Velocimeter(site)
            | Self::Magnetometer { site, .. }
            | Self::Force(site)
            | Self::Torque(site)
            | Self::Rangefinder(site) => site.body.into_iter().collect(),
            Self::Touch(zone) => zone.place.body.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The actuator or tendon that it names, by number.
    pub(super) fn force_number(&self) -> Option<(&'static str, usize)> {
        match self {
            Self::TendonPosition(number) | Self::TendonVelocity(number) => Some(("tendon", *number)),
            Self::ActuatorPosition(number) | Self::ActuatorVelocity(number) | Self::ActuatorForce(number) => {
                Some(("actuator", *number))
            }
            _ => None,
        }
    }

    /// Gives bodies, tendons and actuators other numbers.
    pub fn renumber(&mut self, number: impl Fn(BodyId) -> BodyId, [tendons, actuators]: [usize; 2]) {
        let site = |site: &mut Site| site.body = site.body.map(&number);
        match self {
            Self::JointPosition(body)
            | Self::JointVelocity(body)
            | Self::JointActuatorForce(body)
            | Self::BallQuaternion(body)
            | Self::BallVelocity(body)
            | Self::SubtreeCenter(body)
            | Self::SubtreeVelocity(body)
            | Self::SubtreeAngularMomentum(body) => *body = number(*body),
            Self::TendonPosition(tendon) | Self::TendonVelocity(tendon) => *tendon += tendons,
            Self::ActuatorPosition(actuator)
            | Self::ActuatorVelocity(actuator)
            | Self::ActuatorForce(actuator) => *actuator += actuators,
            Self::Frame { frame, reference, .. } => {
                site(frame);
                reference.iter_mut().for_each(site);
            }
            Self::Gyro(one)
            | Self::Accelerometer(one)
            | Self::Velocimeter(one)
            | Self::Magnetometer { site: one, .. }
            | Self::Force(one)
            | Self::Torque(one)
            | Self::Rangefinder(one) => site(one),
            Self::Touch(zone) => site(&mut zone.place),
            Self::KineticEnergy | Self::PotentialEnergy | Self::Clock | Self::Unread(_) => {}
        }
    }
}

impl Zone {
    /// A zone on a body.
    pub fn new(shape: Shape, body: Option<BodyId>, pose: Pose) -> Self {
        Self { shape, place: Site { body, pose } }
    }
}
