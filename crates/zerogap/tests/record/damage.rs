//! Recordings that were cut, changed or made wrong: nothing panics, nothing is made up, and the place is told.

use zerogap::record::{Fault, Recording};

use crate::support::{SIXTEEN, assert_same, crc32, small};

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
        for _ in 0..=(random.unit() * 4.0) as usize {
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

/// A chunk with checksums that fit.
fn chunk(kind: [u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut out = kind.to_vec();
    out.extend((payload.len() as u32).to_le_bytes());
    out.extend(crc32(payload).to_le_bytes());
    out.extend(crc32(&out).to_le_bytes());
    out.extend(payload);
    out
}

/// The fault of the small recording with one of its chunks replaced, and where it is told to be.
fn fault_with(index: usize, kind: [u8; 4], change: impl Fn(&mut Vec<u8>)) -> (usize, Fault) {
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
    let (at, fault) = fault_with(2, *b"FRAM", number(16, f64::NAN));
    assert!(
        matches!(fault, Fault::Number { value, .. } if value.is_nan()) && at == SIXTEEN + 16,
        "{at} {fault}"
    );
    let (at, fault) = fault_with(2, *b"FRAM", number(16 + 56 + 56, f64::NAN));
    assert!(
        matches!(fault, Fault::Number { what: "a velocity", .. }) && at == SIXTEEN + 16 + 56 + 56,
        "{fault}"
    );
    let (_, fault) = fault_with(2, *b"FRAM", number(16 + 56 + 24, 3.0));
    assert!(matches!(fault, Fault::Pose { .. }), "{fault}");
    let (_, fault) = fault_with(1, *b"GEOM", number(16, f64::INFINITY));
    assert!(matches!(fault, Fault::Number { what: "a corner", .. }), "{fault}");
    // Absurd lengths, which are not allocated.
    for (index, kind, at) in [
        (1, b"GEOM", 0),
        (1, b"GEOM", 8),
        (2, b"FRAM", 8),
        (2, b"FRAM", 16 + 40),
        (2, b"FRAM", 16 + 48),
        (3, b"EVNT", 8),
    ] {
        for absurd in [u64::MAX, 1 << 62, 1 << 33] {
            let (_, fault) = fault_with(index, *kind, count(at, absurd));
            assert!(matches!(fault, Fault::Short { .. }), "{index} {at}: {fault}");
        }
    }
    // A length that is absurd and yet has its checksum is a file that was cut.
    let mut long = b"FRAM\xff\xff\xff\xff\0\0\0\0".to_vec();
    long.extend(crc32(&long).to_le_bytes());
    let read = Recording::from_bytes(&[&bytes[..starts[2]], &long].concat()).unwrap();
    assert_eq!((read.frames.len(), read.left_out), (0, 16));
    // Frames that are missing, or more than told.
    let (_, fault) = fault_with(4, *b"FRAM", count(0, 4));
    assert_eq!(fault, Fault::Count { what: "frames before this chunk", found: 4, expected: 2 });
    let (_, fault) = fault_with(2, *b"FRAM", |payload| payload.extend([0; 8]));
    assert_eq!(fault, Fault::Long { bytes: 8 });
    let (_, fault) = fault_with(6, *b"DONE", count(8, 7));
    assert_eq!(fault, Fault::Count { what: "frames of the run", found: 7, expected: 6 });
    let (_, fault) = fault_with(3, *b"EVNT", count(16 + 8, 99));
    assert!(matches!(fault, Fault::Beyond { what: "an event of kind", number: 99, .. }), "{fault}");
    // Texts that are none.
    let (_, fault) = fault_with(0, *b"HEAD", |payload| payload[0] = b'[');
    assert!(matches!(fault, Fault::Text { .. }), "{fault}");
    let (_, fault) = fault_with(1, *b"GEOM", |payload| payload[88..92].copy_from_slice(&9_u32.to_le_bytes()));
    assert!(matches!(fault, Fault::Beyond { number: 9, count: 3, .. }), "{fault}");
    // Chunks that are not known, or out of place.
    assert_eq!(fault_with(2, *b"WHAT", |_| ()).1, Fault::Kind { kind: "WHAT".to_owned() });
    assert!(matches!(fault_with(2, *b"HEAD", |_| ()).1, Fault::Misplaced { found: "HEAD", .. }));
    let again = [bytes.as_slice(), &bytes[starts[2]..starts[3]]].concat();
    let flaw = Recording::from_bytes(&again).unwrap_err();
    assert!(matches!(flaw.fault, Fault::Misplaced { expected: "the end of the file", .. }), "{flaw}");
}

#[test]
fn chunks_for_others_are_passed_over() {
    let (whole, bytes, starts) = small();
    let with_note = [&bytes[..starts[3]], &chunk(*b"note", b"anything"), &bytes[starts[3]..]].concat();
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
    newer[8..12].copy_from_slice(&3_u32.to_le_bytes());
    assert_eq!(of(&newer).fault, Fault::Damaged);
    let sum = crc32(&newer[..12]);
    newer[12..16].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(of(&newer).fault, Fault::Newer { version: 3, known: 2 });
    assert_eq!(of(&newer).offset, 8);
    let mut never = newer;
    never[8..12].copy_from_slice(&0_u32.to_le_bytes());
    let sum = crc32(&never[..12]);
    never[12..16].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(of(&never).fault, Fault::Version { version: 0 });
}

/// The small recording as version 1 of the format wrote it: without contact points, and shapes without names.
fn as_version_one() -> (Recording, Vec<u8>) {
    let (mut recording, bytes, starts) = small();
    let mut old = bytes[..12].to_vec();
    old[8..12].copy_from_slice(&1_u32.to_le_bytes());
    old.extend(crc32(&old).to_le_bytes());
    for ends in starts.windows(2) {
        let kind: [u8; 4] = bytes[ends[0]..ends[0] + 4].try_into().unwrap();
        let payload = &bytes[ends[0] + SIXTEEN..ends[1]];
        let payload = match &kind {
            b"HEAD" => {
                String::from_utf8(payload.to_vec()).unwrap().replace("\"name\":\"sole\",", "").into_bytes()
            }
            b"FRAM" => without_points(payload),
            _ => payload.to_vec(),
        };
        old.extend(chunk(kind, &payload));
    }
    recording.head.shapes[0].name.clear();
    recording.frames.iter_mut().for_each(|frame| frame.points.clear());
    (recording, old)
}

/// Frames of one body without the number of points and the points.
fn without_points(payload: &[u8]) -> Vec<u8> {
    let (mut old, mut at) = (payload[..16].to_vec(), 16);
    while at < payload.len() {
        let count = |at: usize| u64::from_le_bytes(payload[at..at + 8].try_into().unwrap()) as usize;
        let (contacts, points) = (count(at + 40), count(at + 48));
        let end = at + 56 + 104 + 96 * contacts;
        old.extend(&payload[at..at + 48]);
        old.extend(&payload[at + 56..end]);
        at = end + 96 * points;
    }
    old
}

#[test]
fn recordings_of_version_one_open_without_points_and_names() {
    let (expected, old) = as_version_one();
    let read = Recording::from_bytes(&old).unwrap();
    assert_same(&read, &expected);
    // A shape without a name has that of its body.
    assert_eq!(read.head.shape_name(zerogap::world::ShapeId(0)), "ball");
    let page = zerogap::picture::replay_html(&read);
    assert!(page.contains("\"has_points\":false"));
}
