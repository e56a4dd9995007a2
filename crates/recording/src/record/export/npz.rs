//! All arrays of a recording in one archive: a zip file whose members are stored as they are, as `numpy.savez` makes it.

use std::io::{self, Write};

use super::npy;
use crate::record::Recording;
use crate::record::encode::{event_name, event_pair, event_parts};
use zerogap_simulation::world::{ContactForce, ContactPoint, Frame, ShapeId};

/// Writes the archive; `docs/recording.md` lists the arrays.
pub(super) fn write<W: Write>(recording: &Recording, out: &mut W) -> io::Result<()> {
    let (head, frames, events) = (&recording.head, &recording.frames, &recording.events);
    let (f, b, e) = (frames.len(), head.bodies.len(), events.len());
    let mut zip = Zip::new(out);
    let each = |number: fn(&Frame) -> f64| npy::numbers(&[f], frames.iter().map(number));
    zip.add("t", &each(|frame| frame.t))?;
    zip.add("step", &each(|frame| frame.step))?;
    let energies = |frame: &Frame| [frame.energy.kinetic, frame.energy.gravity, frame.energy.springs];
    zip.add("energy", &npy::numbers(&[f, 3], frames.iter().flat_map(energies)))?;
    let poses = frames.iter().flat_map(|frame| &frame.poses).flat_map(|pose| {
        let [x, y, z]: [f64; 3] = pose.translation().into();
        let [qx, qy, qz, qw] = pose.quaternion_xyzw();
        [x, y, z, qx, qy, qz, qw]
    });
    zip.add("poses", &npy::numbers(&[f, b, 7], poses))?;
    let velocities = frames.iter().flat_map(|frame| frame.velocities.iter().flatten().copied());
    zip.add("velocities", &npy::numbers(&[f, b, 3], velocities))?;
    let angular = frames.iter().flat_map(|frame| frame.angular_velocities.iter().flatten().copied());
    zip.add("angular_velocities", &npy::numbers(&[f, b, 3], angular))?;
    let bodies: Vec<&str> = head.bodies.iter().map(String::as_str).collect();
    zip.add("bodies", &npy::texts(&bodies))?;
    add_shapes(recording, &mut zip)?;
    add_contacts(recording, &mut zip)?;
    add_points(recording, &mut zip)?;
    zip.add("event_t", &npy::numbers(&[e], events.iter().map(|event| event.t)))?;
    let names: Vec<&str> = events.iter().map(|event| event_name(&event.what)).collect();
    zip.add("event", &npy::texts(&names))?;
    let parts = || events.iter().map(|event| event_parts(&event.what));
    let pairs = events.iter().flat_map(|event| match event_pair(&event.what) {
        Some(pair) => [i64::from(pair.a.0), i64::from(pair.b.0)],
        None => [NONE; 2],
    });
    zip.add("event_pair", &npy::integers(&[e, 2], pairs))?;
    zip.add("event_number", &npy::counts(&[e], parts().map(|(_, number, _)| number)))?;
    zip.add("event_values", &npy::numbers(&[e, 2], parts().flat_map(|(.., values)| values)))?;
    zip.finish()
}

/// The number of a body or shape that there is none of.
const NONE: i64 = -1;

/// Names, bodies and materials of the shapes.
fn add_shapes<W: Write>(recording: &Recording, zip: &mut Zip<'_, W>) -> io::Result<()> {
    let head = &recording.head;
    let names: Vec<String> =
        (0..head.shapes.len()).map(|shape| head.shape_name(ShapeId(shape as u32))).collect();
    zip.add("shapes", &npy::texts(&names.iter().map(String::as_str).collect::<Vec<_>>()))?;
    let bodies = head.shapes.iter().map(|shape| shape.body.map_or(NONE, i64::from));
    zip.add("shape_body", &npy::integers(&[names.len()], bodies))?;
    let materials: Vec<&str> = head.shapes.iter().map(|shape| shape.material.as_str()).collect();
    zip.add("shape_material", &npy::texts(&materials))
}

/// Contact points of all frames one after another.
fn add_points<W: Write>(recording: &Recording, zip: &mut Zip<'_, W>) -> io::Result<()> {
    let all = || recording.frames.iter().flat_map(|frame| &frame.points);
    let n = all().count();
    let numbered = recording.frames.iter().enumerate();
    let frame = numbered.flat_map(|(index, frame)| frame.points.iter().map(move |_| index as u64));
    zip.add("point_frame", &npy::counts(&[n], frame))?;
    let pair = all().flat_map(|point| [point.pair.a, point.pair.b]).map(|shape| u64::from(shape.0));
    zip.add("point_pair", &npy::counts(&[n, 2], pair))?;
    zip.add("point_id", &npy::counts(&[n], all().map(|point| point.id.packed())))?;
    zip.add("point_gap", &npy::numbers(&[n], all().map(|point| point.gap)))?;
    for (name, vector) in [
        ("point_normal", (|point| point.normal.into()) as fn(&ContactPoint) -> [f64; 3]),
        ("point_position", |point| point.point.into()),
        ("point_force", |point| point.force.into()),
    ] {
        zip.add(name, &npy::numbers(&[n, 3], all().flat_map(vector)))?;
    }
    Ok(())
}

/// Contacts of all frames one after another; `contact_frame` gives the frame of each.
fn add_contacts<W: Write>(recording: &Recording, zip: &mut Zip<'_, W>) -> io::Result<()> {
    let all = || recording.frames.iter().flat_map(|frame| &frame.contacts);
    let n = all().count();
    let numbered = recording.frames.iter().enumerate();
    let frame = numbered.flat_map(|(index, frame)| frame.contacts.iter().map(move |_| index as u64));
    zip.add("contact_frame", &npy::counts(&[n], frame))?;
    let pair = all().flat_map(|contact| [contact.pair.a, contact.pair.b]).map(|shape| u64::from(shape.0));
    zip.add("contact_pair", &npy::counts(&[n, 2], pair))?;
    for (name, number) in [
        ("contact_gap", (|contact| contact.gap) as fn(&ContactForce) -> f64),
        ("contact_normal_force", |contact| contact.normal_force),
    ] {
        zip.add(name, &npy::numbers(&[n], all().map(number)))?;
    }
    for (name, vector) in [
        ("contact_normal", (|contact| contact.normal) as fn(&ContactForce) -> [f64; 3]),
        ("contact_point", |contact| contact.point),
        ("contact_friction_force", |contact| contact.friction_force),
    ] {
        zip.add(name, &npy::numbers(&[n, 3], all().flat_map(vector)))?;
    }
    Ok(())
}

/// Bytes that a zip file without its 64-bit additions can count [B].
const MAX_ZIP_BYTES: usize = u32::MAX as usize;

/// The first of 1980, where the dates of zip files begin: the same recording gives the same file.
const DATE: u16 = 0x21;

/// Writes a zip file from front to back.
struct Zip<'a, W> {
    out: &'a mut W,
    /// Bytes written [B].
    at: usize,
    /// The directory, which comes last.
    directory: Vec<u8>,
    members: u16,
}

impl<'a, W: Write> Zip<'a, W> {
    fn new(out: &'a mut W) -> Self {
        Self { out, at: 0, directory: Vec::new(), members: 0 }
    }

    /// Adds an array under a name.
    fn add(&mut self, name: &str, array: &[u8]) -> io::Result<()> {
        let name = format!("{name}.npy");
        let start = fit(self.at)?;
        let length = fit(array.len())?;
        // Version 2.0, no flags, stored, time 0.
        let mut fields = [20_u16, 0, 0, 0, DATE].map(u16::to_le_bytes).concat();
        fields.extend([crc32fast::hash(array), length, length].map(u32::to_le_bytes).concat());
        fields.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        let local = [b"PK\x03\x04".as_slice(), &fields, name.as_bytes()].concat();
        self.out.write_all(&local)?;
        self.out.write_all(array)?;
        self.at += local.len() + array.len();
        // The directory has the same fields, made by version 2.0, without a comment, on disk 0, without attributes.
        let rest = [[0; 10].as_slice(), &start.to_le_bytes(), name.as_bytes()].concat();
        self.directory.extend([b"PK\x01\x02\x14\x00".as_slice(), &fields, &rest].concat());
        self.members += 1;
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        let counts = [0, 0, self.members, self.members].map(u16::to_le_bytes).concat();
        let places = [fit(self.directory.len())?, fit(self.at)?].map(u32::to_le_bytes).concat();
        self.out.write_all(&self.directory)?;
        self.out.write_all(&[b"PK\x05\x06".as_slice(), &counts, &places, &[0, 0]].concat())
    }
}

fn fit(bytes: usize) -> io::Result<u32> {
    let message = || format!("{bytes} bytes are too many for a zip file, which counts to {MAX_ZIP_BYTES}");
    u32::try_from(bytes).map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, message()))
}
