//! A small recording, and what it takes to write and compare recordings.

use std::path::Path;

use zerogap::dynamics::multibody::{BodyId, Energy};
use zerogap::record::{DrawnShape, End, Head, Recording, RecordingWriter};
use zerogap::world::{ContactForce, ContactPoint, Event, EventKind, Frame, PairId, ShapeId, WorldInfo};
use zerogap::{ContactId, Feature, Pose, Vec3};

/// Length of the preamble and of the header of a chunk [B].
pub(crate) const SIXTEEN: usize = 16;

/// Writes a recording, flushing after every `flush_every` frames.
pub(crate) fn write(recording: &Recording, path: &Path, flush_every: usize) {
    let mut writer = RecordingWriter::create(path, &recording.head).unwrap();
    for (index, frame) in recording.frames.iter().enumerate() {
        writer.frame(frame).unwrap();
        let events = recording.events.len().min(index + 1);
        writer.events(&recording.events[..events]).unwrap();
        if (index + 1) % flush_every == 0 {
            writer.flush().unwrap();
            assert_eq!(writer.flushed_frames(), index as u64 + 1);
        }
    }
    writer.events(&recording.events).unwrap();
    match &recording.end {
        Some(end) => writer.finish(end).unwrap(),
        None => drop(writer),
    }
}

/// Every number of a frame as bits, with the ids: `==` would take −0 for 0.
pub(crate) fn bits(frame: &Frame) -> Vec<u64> {
    let energy = frame.energy;
    let mut numbers = vec![frame.t, frame.step, energy.kinetic, energy.gravity, energy.springs];
    for pose in &frame.poses {
        numbers.extend(pose.translation().iter());
        numbers.extend(pose.quaternion_xyzw());
    }
    numbers.extend(frame.velocities.iter().chain(&frame.angular_velocities).flat_map(|v| v.iter().copied()));
    let mut ids = Vec::new();
    for contact in &frame.contacts {
        ids.extend([u64::from(contact.pair.a.0), u64::from(contact.pair.b.0)]);
        numbers.extend([contact.gap, contact.normal_force]);
        numbers.extend(contact.normal.iter().chain(&contact.point).chain(&contact.friction_force));
    }
    for contact in &frame.points {
        ids.extend([u64::from(contact.pair.a.0), u64::from(contact.pair.b.0), contact.id.packed()]);
        numbers.push(contact.gap);
        numbers.extend(contact.normal.iter().chain(contact.point.iter()).chain(contact.force.iter()));
    }
    numbers.into_iter().map(f64::to_bits).chain(ids).collect()
}

/// Everything equal, numbers bit by bit. Text shows every bit of a number, with its sign.
pub(crate) fn assert_same(read: &Recording, written: &Recording) {
    assert_eq!(read.frames.len(), written.frames.len());
    for (read, written) in read.frames.iter().zip(&written.frames) {
        assert_eq!(bits(read), bits(written));
    }
    assert_eq!(read, written);
    assert_eq!(format!("{:?}", read.head), format!("{:?}", written.head));
    assert_eq!(format!("{:?}", read.events), format!("{:?}", written.events));
    assert_eq!(format!("{:?}", read.end), format!("{:?}", written.end));
    assert_eq!(read.hash_of_frames(), written.hash_of_frames());
}

/// A small recording with all kinds of chunks, its bytes, and where its chunks begin.
pub(crate) fn small() -> (Recording, Vec<u8>, Vec<usize>) {
    let at = |k: usize| Pose::from_translation(Vec3::new(k as f64, -0.0, 1.5)).unwrap();
    let pair = PairId::new(ShapeId(0), ShapeId(1));
    let point = |vertex: u32| ContactPoint {
        pair,
        id: ContactId { a: Feature::Face(5), b: Feature::Vertex(vertex) },
        gap: -1e-9,
        normal: Vec3::z(),
        point: Vec3::new(f64::from(vertex), -0.0, 0.0),
        force: Vec3::new(0.25, 0.0, 4.905),
    };
    let frames = (0..6).map(|k| Frame {
        t: 0.01 * k as f64,
        bodies: [BodyId(0)].into(),
        poses: vec![at(k)],
        velocities: vec![Vec3::new(1.0, 2.0, k as f64)],
        angular_velocities: vec![Vec3::zeros()],
        energy: Energy { kinetic: 1.0, gravity: -2.0, springs: 0.0 },
        step: 0.125,
        contacts: vec![
            ContactForce {
                pair,
                gap: -1e-9,
                normal: [0.0, 0.0, 1.0],
                point: [0.0; 3],
                normal_force: 9.81,
                friction_force: [0.5, 0.0, 0.0],
            };
            k % 2
        ],
        points: (0..2 * (k as u32 % 2)).map(point).collect(),
    });
    let info = WorldInfo {
        quasi_lmds: Vec::new(),
        method: vec!["dop853".to_owned()],
        steps: 3,
        rejected: 0,
        redone: 0,
        events: 1,
        evaluations: 36,
        functions: 4,
        captured: 2,
        captured_time: 0.25,
        gaps: 5,
        start_gaps: 0,
        narrow_phase_calls: None,
        step_times: None,
        contacts: None,
        sleeping: None,
        unresolved: None,
        wall: 0.25,
        time_fractions: vec![("dynamics".to_owned(), 0.5)],
    };
    let recording = Recording {
        head: Head {
            scene: "Kugel fällt 球".to_owned(),
            source: "gravity = 9.81\n".to_owned(),
            every: 0.01,
            gravity: [0.0, 0.0, -9.81],
            bodies: vec!["ball".to_owned()],
            shapes: vec![DrawnShape {
                name: "sole".to_owned(),
                body: Some(0),
                material: "steel".to_owned(),
                vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                triangles: vec![[0, 1, 2]],
            }],
        },
        frames: frames.collect(),
        events: vec![
            Event { t: 0.02, what: EventKind::ContactBegin { pair, approach: 1.5 } },
            Event { t: 0.03, what: EventKind::Scheduled },
        ],
        end: Some(End { t: 0.06, info, hash: 0x0123_4567_89ab_cdef, reason: String::new() }),
        left_out: 0,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    write(&recording, &path, 2);
    let bytes = std::fs::read(&path).unwrap();
    let mut starts = vec![SIXTEEN];
    while *starts.last().unwrap() < bytes.len() {
        let at = *starts.last().unwrap();
        let length = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
        starts.push(at + SIXTEEN + length);
    }
    (recording, bytes, starts)
}

/// CRC-32 bit by bit.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}
