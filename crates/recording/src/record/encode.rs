//! Encoding of the chunks of a recording.
//!
//! In: heads, frames, events and ends. Out: payloads, little-endian, every number with its own bits; `decode` is the inverse. Whatever passes the checks here is read back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::BodyId;

use super::error::Unfit;
use super::{DrawnShape, End, Head};
use zerogap_simulation::world::{
    ContactForce, ContactPoint, CrowdCause, Event, EventKind, Frame, PairId, WorldInfo,
};

/// Bytes of a frame without bodies, contacts and contact points [B].
pub(super) const FRAME_BYTES: usize = 56;
/// Bytes of a body in a frame [B].
pub(super) const BODY_BYTES: usize = 104;
/// Bytes of a contact in a frame [B].
pub(super) const CONTACT_BYTES: usize = 96;
/// Bytes of a contact point in a frame [B].
pub(super) const POINT_BYTES: usize = 96;
/// Bytes of an event [B].
pub(super) const EVENT_BYTES: usize = 40;

/// The number in the place of a pair where there is none.
pub(super) const NO_PAIR: u64 = u64::MAX;

/// The kinds of events; the number of a kind is its place here, and new ones are added at the end.
pub(super) const EVENT_NAMES: [&str; 17] = [
    "contact_begin",
    "contact_end",
    "impact",
    "settled",
    "stick",
    "slip",
    "limit_reached",
    "limit_left",
    "inconsistent",
    "indeterminate",
    "more_functions",
    "crossed",
    "scheduled",
    "handed_over",
    "sleep",
    "wake",
    "captured",
];

/// The head without triangles, as text. Readers ignore unknown keys.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct HeadText {
    pub(super) scene: String,
    pub(super) source: String,
    pub(super) every: f64,
    pub(super) gravity: [f64; 3],
    pub(super) bodies: Vec<String>,
    pub(super) shapes: Vec<ShapeText>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShapeText {
    /// Version 1 had none.
    #[serde(default)]
    pub(super) name: String,
    pub(super) body: Option<u32>,
    pub(super) material: String,
}

/// The same with a description of the other chunks, for readers without this page.
#[derive(Serialize)]
struct DescribedHead {
    program: String,
    #[serde(flatten)]
    head: HeadText,
    layout: Layout,
}

/// Layout of the binary chunks, as names with the types of numpy.
#[derive(Serialize)]
struct Layout {
    frame: &'static str,
    body: &'static str,
    contact: &'static str,
    point: &'static str,
    event: &'static str,
    event_names: &'static [&'static str],
}

const LAYOUT: Layout = Layout {
    frame: "t <f8, step <f8, kinetic <f8, gravity <f8, springs <f8, contacts <u8, points <u8, then bodies, contacts, points",
    body: "x y z qx qy qz qw vx vy vz wx wy wz <f8",
    contact: "a <u4, b <u4, gap nx ny nz px py pz normal_force fx fy fz <f8",
    point: "a <u4, b <u4, id <u8 (feature of a * 2^32 + feature of b; a feature: kind * 2^30 + number, kinds vertex, edge, face, surface), gap nx ny nz px py pz fx fy fz <f8",
    event: "t <f8, kind <u4, 0 <u4, number <u8 (of a pair: a + 2^32 b), x y <f8",
    event_names: &EVENT_NAMES,
};

/// How a run ended, without hash and counts, as text.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct EndText {
    pub(super) t: f64,
    pub(super) reason: String,
    pub(super) info: WorldInfo,
}

pub(super) fn put_head(head: &Head, out: &mut Vec<u8>) -> Result<(), Unfit> {
    must_be_finite("time between frames", &[head.every])?;
    must_be_finite("gravity, component", &head.gravity)?;
    let bodies = head.bodies.len();
    for (shape, drawn) in head.shapes.iter().enumerate() {
        if let Some(body) = drawn.body.filter(|body| *body as usize >= bodies) {
            return Err(Unfit::NoBody { shape, body, bodies });
        }
    }
    let text = |shape: &DrawnShape| ShapeText {
        name: shape.name.clone(),
        body: shape.body,
        material: shape.material.clone(),
    };
    let head = HeadText {
        scene: head.scene.clone(),
        source: head.source.clone(),
        every: head.every,
        gravity: head.gravity,
        bodies: head.bodies.clone(),
        shapes: head.shapes.iter().map(text).collect(),
    };
    let program = concat!("zerogap ", env!("CARGO_PKG_VERSION")).to_owned();
    put_text(&DescribedHead { program, head, layout: LAYOUT }, out)
}

pub(super) fn put_geometry(shapes: &[DrawnShape], out: &mut Vec<u8>) -> Result<(), Unfit> {
    for (shape, drawn) in shapes.iter().enumerate() {
        let corners = drawn.vertices.len();
        if let Some(&corner) =
            drawn.triangles.as_flattened().iter().find(|corner| **corner as usize >= corners)
        {
            return Err(Unfit::Corner { shape, corner, corners });
        }
        must_be_finite("a corner of a shape: coordinate", drawn.vertices.as_flattened())?;
        put_u64(out, corners as u64);
        put_u64(out, drawn.triangles.len() as u64);
        put_numbers(out, drawn.vertices.as_flattened());
        out.extend(drawn.triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()));
        // Three corners of four bytes each: an odd number of triangles is padded to eight bytes.
        if drawn.triangles.len() % 2 == 1 {
            out.extend([0; 4]);
        }
    }
    Ok(())
}

/// Refuses a frame of other bodies than those of the frames before it; there are none before the first.
pub(super) fn check_bodies(frame: &Frame, before: Option<&Arc<[BodyId]>>) -> Result<(), Unfit> {
    let is_same = before.is_none_or(|before| *before == frame.bodies);
    if is_same { Ok(()) } else { Err(Unfit::OtherBodies { t: frame.t }) }
}

/// Whether a frame of so many bodies can be read back.
pub(super) fn check_frame(frame: &Frame, bodies: usize) -> Result<(), Unfit> {
    let t = frame.t;
    let counts = [
        ("poses", frame.poses.len()),
        ("velocities", frame.velocities.len()),
        ("angular velocities", frame.angular_velocities.len()),
        ("numbers of bodies", frame.bodies.len()),
    ];
    if let Some((what, given)) = counts.into_iter().find(|(_, given)| *given != bodies) {
        return Err(Unfit::Bodies { t, what, given, needed: bodies });
    }
    must_be_numbers("the frame, number", &scalars(frame))?;
    for (body, pose) in frame.poses.iter().enumerate() {
        let (translation, quaternion) = (pose.translation(), pose.quaternion_xyzw());
        Pose::from_stored(translation, quaternion).map_err(|_| Unfit::Pose {
            t,
            body,
            translation: translation.into(),
            quaternion,
        })?;
    }
    for (what, vectors) in [
        ("a velocity of body", &frame.velocities),
        ("an angular velocity of body", &frame.angular_velocities),
    ] {
        for (index, vector) in vectors.iter().enumerate() {
            if let Some(&value) = vector.iter().find(|x| x.is_nan()) {
                return Err(Unfit::Number { what, index, value });
            }
        }
    }
    frame
        .contacts
        .iter()
        .try_for_each(|contact| must_be_numbers("a contact, number", &contact_numbers(contact)))?;
    frame
        .points
        .iter()
        .try_for_each(|point| must_be_numbers("a contact point, number", &point_numbers(point)))
}

/// Appends a frame: [`FRAME_BYTES`], and [`BODY_BYTES`], [`CONTACT_BYTES`] and [`POINT_BYTES`] for each body, contact and contact point.
pub(super) fn put_frame(frame: &Frame, out: &mut Vec<u8>) {
    let contacts = CONTACT_BYTES * frame.contacts.len() + POINT_BYTES * frame.points.len();
    out.reserve(FRAME_BYTES + BODY_BYTES * frame.poses.len() + contacts);
    put_numbers(out, &scalars(frame));
    put_u64(out, frame.contacts.len() as u64);
    put_u64(out, frame.points.len() as u64);
    for ((pose, velocity), angular) in
        frame.poses.iter().zip(&frame.velocities).zip(&frame.angular_velocities)
    {
        put_vector(out, &pose.translation());
        put_numbers(out, &pose.quaternion_xyzw());
        put_vector(out, velocity);
        put_vector(out, angular);
    }
    for contact in &frame.contacts {
        put_u64(out, pair_number(contact.pair));
        put_numbers(out, &contact_numbers(contact));
    }
    for point in &frame.points {
        put_u64(out, pair_number(point.pair));
        put_u64(out, point.id.packed());
        put_numbers(out, &point_numbers(point));
    }
}

/// Appends an event of [`EVENT_BYTES`]; NaN is rejected.
pub(super) fn put_event(event: &Event, out: &mut Vec<u8>) -> Result<(), Unfit> {
    let (kind, number, [x, y]) = event_parts(&event.what);
    must_be_numbers("an event, number", &[event.t, x, y])?;
    put_numbers(out, &[event.t]);
    put_u64(out, u64::from(kind));
    put_u64(out, number);
    put_numbers(out, &[x, y]);
    Ok(())
}

/// The kind of an event, its pair or count, and its numbers.
pub(super) fn event_parts(what: &EventKind) -> (u32, u64, [f64; 2]) {
    let none = [0.0; 2];
    match *what {
        EventKind::ContactBegin { pair, approach } => (0, pair_number(pair), [approach, 0.0]),
        EventKind::ContactEnd { pair } => (1, pair_number(pair), none),
        EventKind::Impact { contacts, impulse, loss } => (2, contacts as u64, [impulse, loss]),
        EventKind::Settled { pair, limit } => (3, pair_number(pair), [limit, 0.0]),
        EventKind::Stick { pair } => (4, pair_number(pair), none),
        EventKind::Slip { pair } => (5, pair_number(pair), none),
        EventKind::LimitReached { limit, approach } => (6, limit as u64, [approach, 0.0]),
        EventKind::LimitLeft { limit } => (7, limit as u64, none),
        EventKind::Inconsistent { pair } => (8, pair_number(pair), none),
        EventKind::Indeterminate { pair } => (9, pair_number(pair), none),
        EventKind::MoreFunctions { functions } => (10, functions as u64, none),
        EventKind::Crossed { function } => (11, function as u64, none),
        EventKind::Scheduled => (12, 0, none),
        EventKind::HandedOver { pair, surface_from, surface } => {
            (13, pair_number(pair), [f64::from(surface_from), f64::from(surface)])
        }
        EventKind::Captured { start, cause, pair } => {
            let cause = CrowdCause::ALL.iter().position(|one| *one == cause).unwrap_or(0);
            (16, pair.map_or(NO_PAIR, pair_number), [start, cause as f64])
        }
        EventKind::Sleep { body } => (14, body as u64, none),
        EventKind::Wake { body } => (15, body as u64, none),
    }
}

/// The pair of an event, where it has one.
pub(super) fn event_pair(what: &EventKind) -> Option<PairId> {
    match *what {
        EventKind::ContactBegin { pair, .. }
        | EventKind::ContactEnd { pair }
        | EventKind::Settled { pair, .. }
        | EventKind::Stick { pair }
        | EventKind::Slip { pair }
        | EventKind::Inconsistent { pair }
        | EventKind::Indeterminate { pair }
        | EventKind::HandedOver { pair, .. } => Some(pair),
        EventKind::Captured { pair, .. } => pair,
        EventKind::Impact { .. }
        | EventKind::LimitReached { .. }
        | EventKind::LimitLeft { .. }
        | EventKind::MoreFunctions { .. }
        | EventKind::Crossed { .. }
        | EventKind::Sleep { .. }
        | EventKind::Wake { .. }
        | EventKind::Scheduled => None,
    }
}

/// The name of an event's kind.
pub(super) fn event_name(what: &EventKind) -> &'static str {
    EVENT_NAMES.get(event_parts(what).0 as usize).copied().unwrap_or_default()
}

pub(super) fn put_end(end: &End, frames: u64, events: u64, out: &mut Vec<u8>) -> Result<(), Unfit> {
    must_be_finite("time reached, number", &[end.t])?;
    must_be_finite("wall time, number", &[end.info.wall])?;
    end.info
        .time_fractions
        .iter()
        .try_for_each(|(_, fraction)| must_be_finite("time fraction, number", &[*fraction]))?;
    put_u64(out, end.hash);
    put_u64(out, frames);
    put_u64(out, events);
    put_text(&EndText { t: end.t, reason: end.reason.clone(), info: end.info.clone() }, out)
}

/// The numbers of a frame that belong to no body and no contact.
fn scalars(frame: &Frame) -> [f64; 5] {
    [frame.t, frame.step, frame.energy.kinetic, frame.energy.gravity, frame.energy.springs]
}

fn contact_numbers(contact: &ContactForce) -> [f64; 11] {
    let ContactForce { gap, normal: [nx, ny, nz], point: [px, py, pz], normal_force, friction_force, .. } =
        *contact;
    let [fx, fy, fz] = friction_force;
    [gap, nx, ny, nz, px, py, pz, normal_force, fx, fy, fz]
}

fn point_numbers(point: &ContactPoint) -> [f64; 10] {
    let ContactPoint { gap, normal, point: at, force, .. } = point;
    [*gap, normal.x, normal.y, normal.z, at.x, at.y, at.z, force.x, force.y, force.z]
}

/// Both shapes of a pair in one number, the first in the lower half.
fn pair_number(pair: PairId) -> u64 {
    u64::from(pair.a.0) | u64::from(pair.b.0) << 32
}

fn put_text<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Unfit> {
    serde_json::to_writer(out, value).map_err(|error| Unfit::Text { message: error.to_string() })
}

pub(super) fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put_numbers(out: &mut Vec<u8>, values: &[f64]) {
    for value in values {
        out.extend_from_slice(&value.to_bits().to_le_bytes());
    }
}

fn put_vector(out: &mut Vec<u8>, vector: &Vec3) {
    put_numbers(out, &[vector.x, vector.y, vector.z]);
}

fn must_be_numbers(what: &'static str, values: &[f64]) -> Result<(), Unfit> {
    must(what, values, |value| !value.is_nan())
}

fn must_be_finite(what: &'static str, values: &[f64]) -> Result<(), Unfit> {
    must(what, values, f64::is_finite)
}

fn must(what: &'static str, values: &[f64], is_fit: fn(f64) -> bool) -> Result<(), Unfit> {
    match values.iter().enumerate().find(|(_, value)| !is_fit(**value)) {
        Some((index, &value)) => Err(Unfit::Number { what, index, value }),
        None => Ok(()),
    }
}
