//! Recordings: what is written is read back with the same bits, and no damage goes unseen.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::Path;
use zerogap::dynamics::multibody::Energy;
use zerogap::record::{DrawnShape, End, Fault, Head, RecordError, Recording, RecordingWriter, Unfit};
use zerogap::world::{ContactForce, Event, Frame, Happening, PairId, ShapeId, WorldInfo};
use zerogap::{Pose, Vec3};

/// Length of the preamble and of the header of a chunk [B].
const SIXTEEN: usize = 16;

/// Any number but none, the odd ones often.
fn number() -> impl Strategy<Value = f64> {
    let odd = [0.0, -0.0, 5e-324, -2.2e-308, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1.0];
    prop_oneof![
        prop::sample::select(odd.to_vec()),
        any::<u64>().prop_map(f64::from_bits).prop_filter("a number", |x| !x.is_nan()),
    ]
}

/// Any number that stands for something that is not infinite.
fn finite() -> impl Strategy<Value = f64> {
    number().prop_map(|x| if x.is_finite() { x } else { -0.0 })
}

fn three<S: Strategy<Value = f64>>(number: fn() -> S) -> impl Strategy<Value = [f64; 3]> {
    [number(), number(), number()]
}

fn pose() -> impl Strategy<Value = Pose> {
    let coordinate = || finite().prop_map(|x| if x.abs() <= 1e60 { x } else { 1e60 });
    let at = [coordinate(), coordinate(), coordinate()];
    let quaternion = [-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0];
    (at, quaternion).prop_map(|(at, q)| Pose::new(Vec3::from(at), q).unwrap())
}

fn pair() -> impl Strategy<Value = PairId> {
    (any::<u32>(), any::<u32>()).prop_map(|(a, b)| PairId::new(ShapeId(a), ShapeId(b)))
}

fn contact() -> impl Strategy<Value = ContactForce> {
    (pair(), number(), three(number), three(number), number(), three(number)).prop_map(
        |(pair, gap, normal, point, normal_force, friction_force)| ContactForce {
            pair,
            gap,
            normal,
            point,
            normal_force,
            friction_force,
        },
    )
}

fn frame(bodies: usize) -> impl Strategy<Value = Frame> {
    let body = (pose(), three(number), three(number));
    let moving = prop::collection::vec(body, bodies);
    let contacts = prop::collection::vec(contact(), 0..4);
    (number(), number(), three(number), moving, contacts).prop_map(
        |(t, step, [kinetic, gravity, springs], moving, contacts)| Frame {
            t,
            poses: moving.iter().map(|body| body.0).collect(),
            velocities: moving.iter().map(|body| Vec3::from(body.1)).collect(),
            angular_velocities: moving.iter().map(|body| Vec3::from(body.2)).collect(),
            energy: Energy { kinetic, gravity, springs },
            step,
            contacts,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let what = prop_oneof![
        (pair(), number()).prop_map(|(pair, approach)| Happening::Touched { pair, approach }),
        (pair(), number()).prop_map(|(pair, limit)| Happening::Settled { pair, limit }),
        (any::<usize>(), number(), number()).prop_map(|(contacts, impulse, loss)| Happening::Impact {
            contacts,
            impulse,
            loss
        }),
        (any::<usize>(), number()).prop_map(|(limit, approach)| Happening::LimitReached { limit, approach }),
        (pair(), any::<usize>(), 0..9).prop_map(|(pair, count, kind)| match kind {
            0 => Happening::Parted { pair },
            1 => Happening::Stuck { pair },
            2 => Happening::Slid { pair },
            3 => Happening::Inconsistent { pair },
            4 => Happening::Indeterminate { pair },
            5 => Happening::LimitLeft { limit: count },
            6 => Happening::MoreFunctions { functions: count },
            7 => Happening::Crossed { function: count },
            _ => Happening::Scheduled,
        }),
    ];
    (number(), what).prop_map(|(t, what)| Event { t, what })
}

fn shape(bodies: usize) -> impl Strategy<Value = DrawnShape> {
    let vertices = prop::collection::vec(three(finite), 3..6);
    let triangles = prop::collection::vec([0..3_u32, 0..3, 0..3], 0..4);
    (prop::option::of(0..bodies.max(1) as u32), any::<String>(), vertices, triangles).prop_map(
        move |(body, material, vertices, triangles)| DrawnShape {
            body: body.filter(|_| bodies > 0),
            material,
            vertices,
            triangles,
        },
    )
}

fn end() -> impl Strategy<Value = End> {
    let counts = prop::collection::vec(any::<usize>(), 7);
    let shares = prop::collection::vec((any::<String>(), finite()), 0..3);
    let method = prop::collection::vec(any::<String>(), 0..3);
    (finite(), finite(), counts, shares, method, any::<u64>(), any::<String>()).prop_map(
        |(t, wall, counts, shares, method, hash, reason)| {
            let info = WorldInfo {
                method,
                steps: counts[0],
                rejected: counts[1],
                redone: counts[2],
                events: counts[3],
                evaluations: counts[4],
                functions: counts[5],
                gaps: counts[6],
                wall,
                shares,
            };
            End { t, info, hash, reason }
        },
    )
}

fn recording() -> impl Strategy<Value = Recording> {
    (0..4_usize).prop_flat_map(|bodies| {
        let names = prop::collection::vec(any::<String>(), bodies);
        let shapes = prop::collection::vec(shape(bodies), 0..3);
        let head = (any::<String>(), any::<String>(), finite(), three(finite), names, shapes).prop_map(
            |(scene, source, every, gravity, bodies, shapes)| Head {
                scene,
                source,
                every,
                gravity,
                bodies,
                shapes,
            },
        );
        let frames = prop::collection::vec(frame(bodies), 0..6);
        let events = prop::collection::vec(event(), 0..6);
        (head, frames, events, prop::option::of(end())).prop_map(|(head, frames, events, end)| Recording {
            head,
            frames,
            events,
            end,
            left_out: 0,
        })
    })
}

/// Writes a recording, flushing after every `flush_every` frames.
fn write(recording: &Recording, path: &Path, flush_every: usize) {
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
fn bits(frame: &Frame) -> Vec<u64> {
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
    numbers.into_iter().map(f64::to_bits).chain(ids).collect()
}

/// Everything equal, numbers bit by bit. Text shows every bit of a number, with its sign.
fn assert_same(read: &Recording, written: &Recording) {
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

proptest! {
    #![proptest_config(ProptestConfig {
        cases: zerogap_testkit::count(200, 20_000) as u32,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_recording_is_read_back_with_the_same_bits(recording in recording(), flush_every in 1..4_usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recording.zgr");
        write(&recording, &path, flush_every);
        assert_same(&Recording::open(&path).unwrap(), &recording);
    }

    #[test]
    fn events_are_the_same_after_json(event in event()) {
        // JSON has no infinities.
        let text = serde_json::to_string(&event).unwrap();
        if !text.contains("null") {
            let read: Event = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(format!("{:?}", read), format!("{event:?}"));
        }
    }
}

/// A small recording with all kinds of chunks, its bytes, and where its chunks begin.
fn small() -> (Recording, Vec<u8>, Vec<usize>) {
    let at = |k: usize| Pose::from_translation(Vec3::new(k as f64, -0.0, 1.5)).unwrap();
    let pair = PairId::new(ShapeId(0), ShapeId(1));
    let frames = (0..6).map(|k| Frame {
        t: 0.01 * k as f64,
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
    });
    let info = WorldInfo {
        method: vec!["dop853".to_owned()],
        steps: 3,
        rejected: 0,
        redone: 0,
        events: 1,
        evaluations: 36,
        functions: 4,
        gaps: 5,
        wall: 0.25,
        shares: vec![("dynamics".to_owned(), 0.5)],
    };
    let recording = Recording {
        head: Head {
            scene: "Kugel fällt 球".to_owned(),
            source: "gravity = 9.81\n".to_owned(),
            every: 0.01,
            gravity: [0.0, 0.0, -9.81],
            bodies: vec!["ball".to_owned()],
            shapes: vec![DrawnShape {
                body: Some(0),
                material: "steel".to_owned(),
                vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
                triangles: vec![[0, 1, 2]],
            }],
        },
        frames: frames.collect(),
        events: vec![
            Event { t: 0.02, what: Happening::Touched { pair, approach: 1.5 } },
            Event { t: 0.03, what: Happening::Scheduled },
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

/// Whether a recording holds the first frames and events of another and nothing else.
fn assert_beginning(part: &Recording, whole: &Recording) {
    assert_eq!(part.head, whole.head);
    assert!(whole.frames.starts_with(&part.frames) && whole.events.starts_with(&part.events));
    assert!(part.end.is_none() || part.end == whole.end);
}

#[test]
fn a_file_cut_anywhere_holds_all_whole_chunks() {
    let (whole, bytes, starts) = small();
    // Head, triangles, three times frames, two of them with events, and the end.
    assert_eq!(starts.len() - 1, 7, "chunks");
    for length in 0..bytes.len() {
        let cut = Recording::from_bytes(&bytes[..length]);
        // The head and the triangles are needed.
        if length < starts[2] {
            let fault = cut.unwrap_err().fault;
            let expected = if length == 0 { Fault::NotARecording } else { Fault::NoHead };
            assert_eq!(fault, expected, "{length}");
            continue;
        }
        let cut = cut.unwrap();
        assert_beginning(&cut, &whole);
        let last = starts.iter().rev().find(|start| **start <= length).unwrap();
        assert_eq!(cut.left_out, (length - last) as u64, "{length}");
        assert!(cut.end.is_none());
        let frames =
            starts[2..].iter().filter(|start| **start <= length && is_after_frames(&bytes, &starts, **start));
        assert_eq!(cut.frames.len(), 2 * frames.count(), "{length}");
    }
    assert_same(&Recording::from_bytes(&bytes).unwrap(), &whole);
}

/// Whether the chunk that ends there is one of frames.
fn is_after_frames(bytes: &[u8], starts: &[usize], end: usize) -> bool {
    let index = starts.iter().position(|start| *start == end).unwrap();
    bytes[starts[index - 1]..].starts_with(b"FRAM")
}

#[test]
fn a_changed_byte_never_goes_unseen() {
    let (whole, bytes, starts) = small();
    let last = starts[starts.len() - 2];
    for at in 0..bytes.len() {
        for change in [0x01, 0x80, 0xff, 0x20] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            match Recording::from_bytes(&changed) {
                // Only the last chunk may be left out, and that is told.
                Ok(read) => {
                    assert!(at >= last, "a change at {at} was not seen");
                    assert!(read.end.is_none());
                    assert_eq!(read.left_out, (bytes.len() - last) as u64);
                    assert_beginning(&read, &whole);
                }
                Err(flaw) => assert!(at < last && flaw.offset <= at, "{at}: {flaw}"),
            }
        }
    }
}

#[test]
fn random_damage_never_panics_and_never_makes_frames_up() {
    let (whole, bytes, _) = small();
    let mut random = zerogap_testkit::random::Random::new(7);
    for _ in 0..zerogap_testkit::count(20_000, 1_000_000) {
        let mut changed = bytes.clone();
        for _ in 0..1 + (random.unit() * 4.0) as usize {
            let at = (random.unit() * changed.len() as f64) as usize;
            let length = (random.unit() * 40.0) as usize;
            let end = (at + length).min(changed.len());
            match (random.unit() * 4.0) as usize {
                0 => changed[at..end].fill((random.unit() * 256.0) as u8),
                1 => drop(changed.drain(at..end)),
                2 => changed.truncate(end.max(1)),
                _ => {
                    let copy = changed[at..end].to_vec();
                    changed.splice(at..at, copy);
                }
            }
            if changed.is_empty() {
                break;
            }
        }
        if let Ok(read) = Recording::from_bytes(&changed) {
            assert_beginning(&read, &whole);
        }
    }
}

/// CRC-32 bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}

/// A chunk with checksums that fit.
fn chunk(kind: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut out = kind.to_vec();
    out.extend((payload.len() as u32).to_le_bytes());
    out.extend(crc32(payload).to_le_bytes());
    out.extend(crc32(&out).to_le_bytes());
    out.extend(payload);
    out
}

/// The fault of the small recording with one of its chunks replaced, and where it is told to be.
fn fault_with(index: usize, kind: &[u8; 4], change: impl Fn(&mut Vec<u8>)) -> (usize, Fault) {
    let (_, bytes, starts) = small();
    let mut payload = bytes[starts[index] + SIXTEEN..starts[index + 1]].to_vec();
    change(&mut payload);
    let changed = [&bytes[..starts[index]], &chunk(kind, &payload), &bytes[starts[index + 1]..]].concat();
    let flaw = Recording::from_bytes(&changed).unwrap_err();
    assert!(flaw.offset >= starts[index], "{flaw}");
    (flaw.offset - starts[index], flaw.fault)
}

#[test]
fn files_that_were_made_wrong_are_told_where_and_why() {
    let (_, bytes, starts) = small();
    let number = |at: usize, value: f64| {
        move |payload: &mut Vec<u8>| payload[at..at + 8].copy_from_slice(&value.to_le_bytes())
    };
    let count = |at: usize, value: u64| {
        move |payload: &mut Vec<u8>| payload[at..at + 8].copy_from_slice(&value.to_le_bytes())
    };
    // A number that is none: the time of the first frame, the velocity of the ball, a quaternion that is none.
    let (at, fault) = fault_with(2, b"FRAM", number(16, f64::NAN));
    assert!(
        matches!(fault, Fault::Number { value, .. } if value.is_nan()) && at == SIXTEEN + 16,
        "{at} {fault}"
    );
    let (at, fault) = fault_with(2, b"FRAM", number(16 + 48 + 56, f64::NAN));
    assert!(
        matches!(fault, Fault::Number { what: "a velocity", .. }) && at == SIXTEEN + 16 + 48 + 56,
        "{fault}"
    );
    let (_, fault) = fault_with(2, b"FRAM", number(16 + 48 + 24, 3.0));
    assert!(matches!(fault, Fault::Pose { .. }), "{fault}");
    let (_, fault) = fault_with(1, b"GEOM", number(16, f64::INFINITY));
    assert!(matches!(fault, Fault::Number { what: "a corner", .. }), "{fault}");
    // Absurd lengths, which are not allocated.
    for (index, kind, at) in
        [(1, b"GEOM", 0), (1, b"GEOM", 8), (2, b"FRAM", 8), (2, b"FRAM", 16 + 40), (3, b"EVNT", 8)]
    {
        for absurd in [u64::MAX, 1 << 62, 1 << 33] {
            let (_, fault) = fault_with(index, kind, count(at, absurd));
            assert!(matches!(fault, Fault::Short { .. }), "{index} {at}: {fault}");
        }
    }
    // A length that is absurd and yet has its checksum is a file that was cut.
    let mut long = b"FRAM\xff\xff\xff\xff\0\0\0\0".to_vec();
    long.extend(crc32(&long).to_le_bytes());
    let read = Recording::from_bytes(&[&bytes[..starts[2]], &long].concat()).unwrap();
    assert_eq!((read.frames.len(), read.left_out), (0, 16));
    // Frames that are missing, or more than told.
    let (_, fault) = fault_with(4, b"FRAM", count(0, 4));
    assert_eq!(fault, Fault::Count { what: "frames before this chunk", found: 4, expected: 2 });
    let (_, fault) = fault_with(2, b"FRAM", |payload| payload.extend([0; 8]));
    assert_eq!(fault, Fault::Long { bytes: 8 });
    let (_, fault) = fault_with(6, b"DONE", count(8, 7));
    assert_eq!(fault, Fault::Count { what: "frames of the run", found: 7, expected: 6 });
    let (_, fault) = fault_with(3, b"EVNT", count(16 + 8, 99));
    assert!(matches!(fault, Fault::Beyond { what: "an event of kind", number: 99, .. }), "{fault}");
    // Texts that are none.
    let (_, fault) = fault_with(0, b"HEAD", |payload| payload[0] = b'[');
    assert!(matches!(fault, Fault::Text { .. }), "{fault}");
    let (_, fault) = fault_with(1, b"GEOM", |payload| payload[88..92].copy_from_slice(&9_u32.to_le_bytes()));
    assert!(matches!(fault, Fault::Beyond { number: 9, count: 3, .. }), "{fault}");
    // Chunks that are not known, or out of place.
    assert_eq!(fault_with(2, b"WHAT", |_| ()).1, Fault::Kind { kind: "WHAT".to_owned() });
    assert!(matches!(fault_with(2, b"HEAD", |_| ()).1, Fault::Misplaced { found: "HEAD", .. }));
    let again = [bytes.as_slice(), &bytes[starts[2]..starts[3]]].concat();
    let flaw = Recording::from_bytes(&again).unwrap_err();
    assert!(matches!(flaw.fault, Fault::Misplaced { expected: "the end of the file", .. }), "{flaw}");
}

#[test]
fn chunks_for_others_are_passed_over() {
    let (whole, bytes, starts) = small();
    let with_note = [&bytes[..starts[3]], &chunk(b"note", b"anything"), &bytes[starts[3]..]].concat();
    assert_same(&Recording::from_bytes(&with_note).unwrap(), &whole);
}

#[test]
fn other_files_and_newer_versions_are_told_apart() {
    let (_, bytes, _) = small();
    let of = |bytes: &[u8]| Recording::from_bytes(bytes).unwrap_err();
    assert_eq!(of(b"\x89PNG\r\n\x1a\n and so on").fault, Fault::NotARecording);
    // A transfer as text changes line ends.
    assert_eq!(of(b"\x89ZGR\n\x1a\n and so on").fault, Fault::NotARecording);
    let mut newer = bytes;
    newer[8..12].copy_from_slice(&2_u32.to_le_bytes());
    assert_eq!(of(&newer).fault, Fault::Damaged);
    let sum = crc32(&newer[..12]);
    newer[12..16].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(of(&newer).fault, Fault::Newer { version: 2, known: 1 });
    assert_eq!(of(&newer).offset, 8);
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, ..) = small();
    let missing = folder.path().join("missing").join("recording.zgr");
    let error = Recording::open(&missing).unwrap_err();
    assert!(
        matches!(error, RecordError::Io { .. }) && error.to_string().contains("recording.zgr"),
        "{error}"
    );
    let error = RecordingWriter::create(&missing, &whole.head).unwrap_err();
    assert!(
        matches!(error, RecordError::Io { .. }) && error.to_string().contains("recording.zgr"),
        "{error}"
    );
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "hello").unwrap();
    let error = Recording::open(&other).unwrap_err().to_string();
    assert!(error.contains("other.txt") && error.contains("not a recording"), "{error}");
}

#[test]
fn what_cannot_be_recorded_is_refused_and_leaves_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    let refused = |error: RecordError| match error {
        RecordError::Unfit { unfit, .. } => unfit,
        other => panic!("{other}"),
    };
    writer.frame(&whole.frames[0]).unwrap();
    let mut frame = whole.frames[1].clone();
    frame.velocities[0].y = f64::NAN;
    assert!(matches!(refused(writer.frame(&frame).unwrap_err()), Unfit::Number { index: 0, .. }));
    let two = Frame { poses: vec![Pose::identity(); 2], ..whole.frames[1].clone() };
    assert!(matches!(refused(writer.frame(&two).unwrap_err()), Unfit::Bodies { given: 2, needed: 1, .. }));
    let mut frame = whole.frames[1].clone();
    frame.contacts[0].gap = f64::NAN;
    assert!(matches!(refused(writer.frame(&frame).unwrap_err()), Unfit::Number { .. }));
    writer.events(&whole.events[..1]).unwrap();
    let fewer = refused(writer.events(&[]).unwrap_err());
    assert_eq!(fewer, Unfit::FewerEvents { given: 0, known: 1 });
    let nan = Event { t: f64::NAN, what: Happening::Scheduled };
    assert!(writer.events(&[whole.events[0].clone(), nan]).is_err());
    writer.frame(&whole.frames[1]).unwrap();
    writer.events(&whole.events).unwrap();
    writer.finish(whole.end.as_ref().unwrap()).unwrap();
    let read = Recording::open(&path).unwrap();
    assert_eq!((&read.frames[..], &read.events), (&whole.frames[..2], &whole.events));
    // A head that cannot be read back leaves the old file.
    let mut head = whole.head.clone();
    head.shapes[0].triangles[0][2] = 3;
    let corner = refused(RecordingWriter::create(&path, &head).unwrap_err());
    assert_eq!(corner, Unfit::Corner { shape: 0, corner: 3, corners: 3 });
    head = Head { every: f64::INFINITY, ..whole.head.clone() };
    assert!(RecordingWriter::create(&path, &head).is_err());
    head = Head { bodies: Vec::new(), ..whole.head.clone() };
    assert!(matches!(refused(RecordingWriter::create(&path, &head).unwrap_err()), Unfit::NoBody { .. }));
    assert_eq!(Recording::open(&path).unwrap(), read);
}

#[test]
fn a_frame_is_in_the_file_after_a_while_though_none_follows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let mut writer = RecordingWriter::create(&path, &whole.head).unwrap();
    writer.frame(&whole.frames[0]).unwrap();
    let start = std::time::Instant::now();
    while Recording::open(&path).unwrap().frames.is_empty() {
        assert!(start.elapsed().as_secs() < 30, "still not written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(writer.flushed_frames(), 1);
}

#[test]
fn a_body_takes_104_bytes_in_a_frame_and_a_contact_96() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.zgr");
    let (whole, ..) = small();
    let length = |frames: &[Frame], bodies: usize| {
        let bodies = vec![String::new(); bodies];
        let mut writer = RecordingWriter::create(&path, &Head { bodies, ..whole.head.clone() }).unwrap();
        let before = std::fs::metadata(&path).unwrap().len();
        frames.iter().for_each(|frame| writer.frame(frame).unwrap());
        drop(writer);
        std::fs::metadata(&path).unwrap().len() - before
    };
    assert_eq!(length(&whole.frames[..1], 1), 16 + 16 + 48 + 104);
    assert_eq!(length(&whole.frames[..2], 1), 16 + 16 + 2 * (48 + 104) + 96);
}
