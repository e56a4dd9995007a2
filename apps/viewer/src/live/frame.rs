//! What the page draws of an instant, as bytes.
//!
//! In: a world, and what the hand does. Out: little-endian numbers: kind (u32), tick (f64), time [s] (f64), then the counts of bodies and contacts (u32 each) and flags (u32), fifteen numbers of the state, seven
//! of each body (position from the centre of the picture, quaternion), eleven of each contact (as in a replay), and two shape numbers (u32) of each contact. What follows the flags is single precision but for those two.

use zerogap::Vec3;
use zerogap::world::{Frame, World};

use crate::session::Load;

/// Marks a picture of an instant among binary messages [-].
pub const FRAME: u32 = 1;

/// The session is paused, has failed, or the hand holds something: bits of the flags.
const PAUSED: u32 = 1;
const FAILED: u32 = 2;
const HELD: u32 = 4;
const HAS_CLEARANCE: u32 = 8;

/// Numbers of the state, in their order.
struct State {
    /// Kinetic, gravity and spring energy [J].
    energy: [f64; 3],
    /// Time of the scene that passes in a second [-].
    pace: f64,
    /// Point that is held, where it is asked to be [m], and the force on it [N].
    hand: [Vec3; 3],
    /// Torque on what is held [N m].
    torque: f64,
    /// Smallest gap of the body that is held [m].
    clearance: f64,
}

/// An instant to draw.
pub(crate) struct Instant<'a> {
    pub(crate) world: &'a World,
    /// The tick [-].
    pub(crate) tick: u64,
    /// What the hand does.
    pub(crate) load: Option<Load>,
    /// Smallest gap of the body that is held [m].
    pub(crate) clearance: Option<f64>,
    pub(crate) is_paused: bool,
    pub(crate) has_failed: bool,
    /// Time of the scene that passes in a second [-].
    pub(crate) pace: f64,
    /// The point from which positions are given [m].
    pub(crate) center: Vec3,
}

/// The bytes of the picture of an instant.
pub(crate) fn picture(instant: &Instant<'_>) -> Vec<u8> {
    let Instant { world, tick, load, clearance, is_paused, has_failed, pace, center } = *instant;
    let mut out = Vec::new();
    let frame: Frame = world.frame();
    let mut flags = if is_paused { PAUSED } else { 0 };
    flags |= if has_failed { FAILED } else { 0 };
    flags |= if load.is_some() { HELD } else { 0 };
    flags |= if clearance.is_some() { HAS_CLEARANCE } else { 0 };
    out.extend(FRAME.to_le_bytes());
    out.extend((tick as f64).to_le_bytes());
    out.extend(frame.t.to_le_bytes());
    for count in [frame.poses.len() as u32, frame.points.len() as u32, flags] {
        out.extend(count.to_le_bytes());
    }

    let state = State {
        energy: [frame.energy.kinetic, frame.energy.gravity, frame.energy.springs],
        pace,
        hand: load.map_or([Vec3::zeros(); 3], |load| [load.from - center, load.to - center, load.force]),
        torque: load.map_or(0.0, |load| load.torque.norm()),
        clearance: clearance.unwrap_or_default(),
    };
    let mut put = |x: f64| out.extend((x as f32).to_le_bytes());
    state.energy.into_iter().for_each(&mut put);
    put(state.pace);
    state.hand.iter().flat_map(|v| v.iter().copied()).for_each(&mut put);
    put(state.torque);
    put(state.clearance);
    for pose in &frame.poses {
        (pose.translation() - center).iter().copied().chain(pose.quaternion_xyzw()).for_each(&mut put);
    }
    for contact in &frame.points {
        let normal_force = contact.normal.dot(&contact.force);
        let friction = contact.force - contact.normal * normal_force;
        (contact.point - center).iter().chain(contact.normal.iter()).copied().for_each(&mut put);
        [contact.gap, normal_force].into_iter().chain(friction.iter().copied()).for_each(&mut put);
    }
    for contact in &frame.points {
        out.extend(contact.pair.a.0.to_le_bytes());
        out.extend(contact.pair.b.0.to_le_bytes());
    }
    out
}
