//! Decoding of the chunks of a recording.
//!
//! In: payloads whose checksums fit. Out: what `encode` wrote, bit by bit, or a flaw with its place: a file may have been made by anyone. Nothing is allocated for more
//! than the payload holds.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use zerogap_core::{ContactId, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Energy};

use super::chunk::{Chunk, HEADER};
use super::encode::{BODY_BYTES, CONTACT_BYTES, EVENT_BYTES, EndText, HeadText, NO_PAIR, POINT_BYTES};
use super::error::{Fault, Flaw};
use super::{DrawnShape, End, Head};
use zerogap_simulation::world::{
    ContactForce, ContactPoint, CrowdCause, Event, EventKind, Frame, PairId, ShapeId,
};

/// Reads a payload from its start to its end.
struct Cursor<'a> {
    rest: &'a [u8],
    /// Where the rest begins in the file [B].
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(chunk: &Chunk<'a>) -> Self {
        Self { rest: chunk.payload, at: chunk.at + HEADER }
    }

    fn flaw(&self, fault: Fault) -> Flaw {
        Flaw { offset: self.at, fault }
    }

    fn word<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Flaw> {
        let Some((word, rest)) = self.rest.split_first_chunk() else {
            return Err(self.flaw(Fault::Short { what }));
        };
        (self.rest, self.at) = (rest, self.at + N);
        Ok(*word)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, Flaw> {
        self.word(what).map(u32::from_le_bytes)
    }

    fn u64(&mut self, what: &'static str) -> Result<u64, Flaw> {
        self.word(what).map(u64::from_le_bytes)
    }

    /// A number of things that take so many bytes each; no more than the rest can hold.
    fn count(&mut self, what: &'static str, bytes_each: usize) -> Result<usize, Flaw> {
        let count = self.u64(what)?;
        match usize::try_from(count) {
            Ok(fits) if fits <= self.rest.len() / bytes_each => Ok(fits),
            _ => Err(self.flaw(Fault::Short { what })),
        }
    }

    /// A number, any but none.
    fn number(&mut self, what: &'static str) -> Result<f64, Flaw> {
        self.fit(what, |value| !value.is_nan())
    }

    fn fit(&mut self, what: &'static str, is_fit: fn(f64) -> bool) -> Result<f64, Flaw> {
        let offset = self.at;
        let value = f64::from_bits(self.u64(what)?);
        if is_fit(value) { Ok(value) } else { Err(Flaw { offset, fault: Fault::Number { what, value } }) }
    }

    fn numbers<const N: usize>(&mut self, what: &'static str) -> Result<[f64; N], Flaw> {
        let mut values = [0.0; N];
        for value in &mut values {
            *value = self.number(what)?;
        }
        Ok(values)
    }

    fn expect(&self, what: &'static str, found: u64, expected: u64) -> Result<(), Flaw> {
        if found == expected { Ok(()) } else { Err(self.flaw(Fault::Count { what, found, expected })) }
    }

    fn text<T: DeserializeOwned>(&self) -> Result<T, Flaw> {
        serde_json::from_slice(self.rest)
            .map_err(|error| self.flaw(Fault::Text { message: error.to_string() }))
    }

    fn done(&self) -> Result<(), Flaw> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.flaw(Fault::Long { bytes: self.rest.len() })) }
    }
}

/// The head, its shapes without triangles.
pub(super) fn head(chunk: &Chunk<'_>) -> Result<Head, Flaw> {
    let cursor = Cursor::new(chunk);
    let text: HeadText = cursor.text()?;
    let bodies = text.bodies.len();
    if let Some(body) =
        text.shapes.iter().filter_map(|shape| shape.body).find(|body| *body as usize >= bodies)
    {
        let fault = Fault::Beyond { what: "a shape on body", number: u64::from(body), count: bodies as u64 };
        return Err(cursor.flaw(fault));
    }
    let shapes = text.shapes.into_iter().map(|shape| DrawnShape {
        name: shape.name,
        body: shape.body,
        material: shape.material,
        vertices: Vec::new(),
        triangles: Vec::new(),
    });
    Ok(Head {
        scene: text.scene,
        source: text.source,
        every: text.every,
        gravity: text.gravity,
        bodies: text.bodies,
        shapes: shapes.collect(),
    })
}

/// The triangles of the shapes.
pub(super) fn geometry(chunk: &Chunk<'_>, shapes: &mut [DrawnShape]) -> Result<(), Flaw> {
    let cursor = &mut Cursor::new(chunk);
    for shape in shapes {
        let corners = cursor.count("the number of corners", 24)?;
        let triangles = cursor.count("the number of triangles", 12)?;
        for _ in 0..corners {
            let mut vertex = [0.0; 3];
            for x in &mut vertex {
                *x = cursor.fit("a corner", f64::is_finite)?;
            }
            shape.vertices.push(vertex);
        }
        for _ in 0..triangles {
            let mut triangle = [0; 3];
            for corner in &mut triangle {
                *corner = cursor.u32("a triangle")?;
                if *corner as usize >= corners {
                    let number = u64::from(*corner);
                    let fault =
                        Fault::Beyond { what: "a triangle with the corner", number, count: corners as u64 };
                    return Err(cursor.flaw(fault));
                }
            }
            shape.triangles.push(triangle);
        }
        if triangles % 2 == 1 {
            cursor.u32("the end of a shape")?;
        }
    }
    cursor.done()
}

/// What a frame holds depends on the bodies of the recording and on the version of its format.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameLayout {
    pub(super) bodies: usize,
    pub(super) version: u32,
}

/// Bytes that a frame has in every version: time, step, energies, number of contacts [B].
const MIN_FRAME_BYTES: usize = 48;

/// Appends the frames of a chunk.
pub(super) fn frames(chunk: &Chunk<'_>, layout: FrameLayout, frames: &mut Vec<Frame>) -> Result<(), Flaw> {
    let cursor = &mut Cursor::new(chunk);
    let first = cursor.u64("the number of the first frame")?;
    cursor.expect("frames before this chunk", first, frames.len() as u64)?;
    let count = cursor.count("the number of frames", MIN_FRAME_BYTES)?;
    let numbers: Arc<[BodyId]> = (0..layout.bodies as u32).map(BodyId).collect();
    for _ in 0..count {
        frames.push(frame(cursor, layout, &numbers)?);
    }
    cursor.done()
}

/// The first version whose frames have contact points.
const POINTS_SINCE: u32 = 2;

fn frame(
    cursor: &mut Cursor<'_>,
    FrameLayout { bodies, version }: FrameLayout,
    numbers: &Arc<[BodyId]>,
) -> Result<Frame, Flaw> {
    let [t, step, kinetic, gravity, springs] = cursor.numbers("a time, step or energy")?;
    let count = cursor.u64("the number of contacts")?;
    let points = if version >= POINTS_SINCE { cursor.u64("the number of contact points")? } else { 0 };
    // All lengths are known now: a mismatch is reported before anything is allocated.
    let needed = [(bodies as u64, BODY_BYTES), (count, CONTACT_BYTES), (points, POINT_BYTES)]
        .iter()
        .try_fold(0_u64, |sum, (count, bytes)| sum.checked_add(count.checked_mul(*bytes as u64)?));
    if needed.is_none_or(|needed| needed > cursor.rest.len() as u64) {
        return Err(cursor.flaw(Fault::Short { what: "a frame" }));
    }
    let mut frame = Frame {
        t,
        bodies: Arc::clone(numbers),
        poses: Vec::with_capacity(bodies),
        velocities: Vec::with_capacity(bodies),
        angular_velocities: Vec::with_capacity(bodies),
        energy: Energy { kinetic, gravity, springs },
        step,
        contacts: Vec::with_capacity(count as usize),
        points: Vec::with_capacity(points as usize),
    };
    for _ in 0..bodies {
        let offset = cursor.at;
        let (translation, quaternion) = (cursor.numbers("a translation")?, cursor.numbers("a quaternion")?);
        let pose = Pose::from_stored(Vec3::from(translation), quaternion)
            .map_err(|_| Flaw { offset, fault: Fault::Pose { translation, quaternion } })?;
        frame.poses.push(pose);
        frame.velocities.push(Vec3::from(cursor.numbers::<3>("a velocity")?));
        frame.angular_velocities.push(Vec3::from(cursor.numbers::<3>("an angular velocity")?));
    }
    for _ in 0..count {
        let pair = pair(cursor.u64("a pair")?);
        let gap = cursor.number("a gap")?;
        let (normal, point) = (cursor.numbers("a normal")?, cursor.numbers("a point")?);
        let normal_force = cursor.number("a normal force")?;
        let friction_force = cursor.numbers("a friction force")?;
        frame.contacts.push(ContactForce { pair, gap, normal, point, normal_force, friction_force });
    }
    for _ in 0..points {
        let pair = pair(cursor.u64("a pair of a contact point")?);
        let id = ContactId::unpacked(cursor.u64("the features of a contact point")?);
        let gap = cursor.number("a gap of a contact point")?;
        let [normal, point, force] = [
            cursor.numbers("a normal of a contact point")?,
            cursor.numbers("a contact point")?,
            cursor.numbers("a force at a contact point")?,
        ]
        .map(Vec3::from);
        frame.points.push(ContactPoint { pair, id, gap, normal, point, force });
    }
    Ok(frame)
}

/// Appends the events of a chunk.
pub(super) fn events(chunk: &Chunk<'_>, events: &mut Vec<Event>) -> Result<(), Flaw> {
    let cursor = &mut Cursor::new(chunk);
    let first = cursor.u64("the number of the first event")?;
    cursor.expect("events before this chunk", first, events.len() as u64)?;
    let count = cursor.count("the number of events", EVENT_BYTES)?;
    for _ in 0..count {
        let t = cursor.number("the time of an event")?;
        let kind = cursor.u64("the kind of an event")?;
        let at = cursor.at;
        let number = cursor.u64("the pair or number of an event")?;
        let values = cursor.numbers("a number of an event")?;
        let what = event_kind(kind, number, values).map_err(|fault| Flaw { offset: at, fault })?;
        events.push(Event { t, what });
    }
    cursor.done()
}

/// Returns an event from its kind and numbers.
fn event_kind(kind: u64, number: u64, [x, y]: [f64; 2]) -> Result<EventKind, Fault> {
    let pair = pair(number);
    let count = || {
        let max_count = usize::MAX as u64;
        usize::try_from(number).map_err(|_| Fault::Beyond {
            what: "an event with the number",
            number,
            count: max_count,
        })
    };
    Ok(match kind {
        0 => EventKind::ContactBegin { pair, approach: x },
        1 => EventKind::ContactEnd { pair },
        2 => EventKind::Impact { contacts: count()?, impulse: x, loss: y },
        3 => EventKind::Settled { pair, limit: x },
        4 => EventKind::Stick { pair },
        5 => EventKind::Slip { pair },
        6 => EventKind::LimitReached { limit: count()?, approach: x },
        7 => EventKind::LimitLeft { limit: count()? },
        8 => EventKind::Inconsistent { pair },
        9 => EventKind::Indeterminate { pair },
        10 => EventKind::MoreFunctions { functions: count()? },
        11 => EventKind::Crossed { function: count()? },
        12 => EventKind::Scheduled,
        13 => EventKind::HandedOver { pair, surface_from: x as u32, surface: y as u32 },
        14 => EventKind::Sleep { body: count()? },
        15 => EventKind::Wake { body: count()? },
        16 => {
            let cause = CrowdCause::ALL.get(y as usize).copied();
            let beyond = Fault::Beyond {
                what: "a cause of kind",
                number: y as u64,
                count: CrowdCause::ALL.len() as u64,
            };
            EventKind::Captured {
                start: x,
                cause: cause.ok_or(beyond)?,
                pair: (number != NO_PAIR).then_some(pair),
            }
        }
        _ => return Err(Fault::Beyond { what: "an event of kind", number: kind, count: 17 }),
    })
}

/// How the run ended; frames and events must all be there.
pub(super) fn end(chunk: &Chunk<'_>, frames: usize, events: usize) -> Result<End, Flaw> {
    let cursor = &mut Cursor::new(chunk);
    let hash = cursor.u64("the state hash")?;
    let [stored_frames, stored_events] =
        [cursor.u64("the number of frames")?, cursor.u64("the number of events")?];
    cursor.expect("frames of the run", stored_frames, frames as u64)?;
    cursor.expect("events of the run", stored_events, events as u64)?;
    let EndText { t, reason, info } = cursor.text()?;
    Ok(End { t, info, hash, reason })
}

fn pair(number: u64) -> PairId {
    PairId { a: ShapeId(number as u32), b: ShapeId((number >> 32) as u32) }
}
