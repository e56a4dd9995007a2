//! Recordings as CSV and npz: read back by readers that share nothing with the writers, the same bits come out.

use std::collections::BTreeMap;
use std::path::Path;

use zerogap::dynamics::multibody::{BodyId, Energy};
use zerogap::record::{DrawnShape, Head, Recording};
use zerogap::world::{ContactForce, ContactPoint, CrowdCause, Event, EventKind, Frame, PairId, ShapeId};
use zerogap::{ContactId, Feature, Pose, Vec3};

use crate::support::crc32;

/// Two bodies with difficult names and numbers, 0 to 2 contacts, every kind of event.
fn recording() -> Recording {
    let pair = PairId::new(ShapeId(3), ShapeId(1));
    let contact = |force: f64| ContactForce {
        pair,
        gap: -1.0 / 3.0,
        normal: [0.0, -0.0, 1.0],
        point: [0.1, 5e-324, 1e300],
        normal_force: force,
        friction_force: [0.25, f64::INFINITY, -1e-9],
    };
    let point = |vertex: u32| ContactPoint {
        pair,
        id: ContactId { a: Feature::Face(5), b: Feature::Vertex(vertex) },
        gap: -1.0 / 7.0,
        normal: Vec3::new(0.0, -0.0, 1.0),
        point: Vec3::new(0.1, 5e-324, f64::from(vertex)),
        force: Vec3::new(0.3, -1e-9, 1.0 / 3.0),
    };
    let frame = |k: usize| Frame {
        t: 0.1 * k as f64,
        bodies: [BodyId(0), BodyId(1)].into(),
        poses: vec![
            Pose::new(Vec3::new(0.1, -0.0, k as f64), [0.1, 0.2, 0.3, 1.0]).unwrap(),
            Pose::identity(),
        ],
        velocities: vec![Vec3::new(1.0 / 3.0, 2.0, 3.0), Vec3::zeros()],
        angular_velocities: vec![Vec3::new(4.0, 5.0, 6.0 / 7.0), Vec3::new(0.0, -0.0, 1e-320)],
        energy: Energy { kinetic: 1.5, gravity: -0.1, springs: 1e-3 },
        step: 0.01,
        contacts: (0..k).map(|n| contact(n as f64 + 0.1)).collect(),
        points: (0..2 * k as u32).map(point).collect(),
    };
    let shape = |name: &str, body: Option<u32>| DrawnShape {
        name: name.to_owned(),
        body,
        material: "steel".to_owned(),
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    let event_count = [
        EventKind::ContactBegin { pair, approach: 0.7 },
        EventKind::ContactEnd { pair },
        EventKind::Impact { contacts: 4, impulse: 0.1, loss: 0.3 },
        EventKind::Settled { pair, limit: 8.5 },
        EventKind::Stick { pair },
        EventKind::Slip { pair },
        EventKind::LimitReached { limit: 2, approach: 0.9 },
        EventKind::LimitLeft { limit: 2 },
        EventKind::Inconsistent { pair },
        EventKind::Indeterminate { pair },
        EventKind::MoreFunctions { functions: 40 },
        EventKind::Crossed { function: 1 },
        EventKind::Scheduled,
        EventKind::HandedOver { pair, surface_from: 2, surface: 3 },
        EventKind::Sleep { body: 0 },
        EventKind::Wake { body: 1 },
        EventKind::Captured { start: 0.5, cause: CrowdCause::Friction, pair: Some(pair) },
    ];
    let events = event_count.into_iter().enumerate().map(|(k, what)| Event { t: 0.01 * k as f64, what });
    Recording {
        head: Head {
            scene: "export".to_owned(),
            source: String::new(),
            every: 0.1,
            gravity: [0.0; 3],
            bodies: vec!["rod, \"left\"".to_owned(), "球".to_owned()],
            shapes: vec![
                shape("", None),
                shape("floor, \"top\"", None),
                shape("", Some(0)),
                shape("hook", Some(1)),
            ],
        },
        frames: (0..3).map(frame).collect(),
        events: events.collect(),
        end: None,
        left_out: 0,
    }
}

/// Rows of a CSV file by the names of its columns.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(cells);
    let header = lines.next().unwrap();
    let row = |cells: Vec<String>| {
        assert_eq!(cells.len(), header.len(), "{cells:?}");
        header.iter().cloned().zip(cells).collect()
    };
    lines.map(row).collect()
}

/// The cells of a line, with quotes taken off.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cells.last_mut().unwrap().push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => cells.last_mut().unwrap().push(other),
        }
    }
    cells
}

fn bits(row: &BTreeMap<String, String>, columns: &str) -> Vec<u64> {
    columns.split(' ').map(|column| row[column].parse::<f64>().unwrap().to_bits()).collect()
}

fn bits_of(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn tables_hold_every_number_with_its_bits() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording();
    let paths = recording.write_csv(folder.path().join("tables")).unwrap();
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["bodies.csv", "contacts.csv", "points.csv", "events.csv", "energy.csv", "shapes.csv"]);
    let bodies = rows(&paths[0]);
    assert_eq!(bodies.len(), 6);
    for (index, row) in bodies.iter().enumerate() {
        let (frame, body) = (&recording.frames[index / 2], index % 2);
        assert_eq!((row["body"].as_str(), &row["name"]), (["0", "1"][body], &recording.head.bodies[body]));
        let (at, q) = (frame.poses[body].translation(), frame.poses[body].quaternion_xyzw());
        let (v, w) = (frame.velocities[body], frame.angular_velocities[body]);
        let expected = [frame.t, at.x, at.y, at.z, q[0], q[1], q[2], q[3], v.x, v.y, v.z, w.x, w.y, w.z];
        assert_eq!(bits(row, "t x y z qx qy qz qw vx vy vz wx wy wz"), bits_of(&expected));
    }
    let contacts = rows(&paths[1]);
    let all = recording.frames.iter().flat_map(|frame| frame.contacts.iter().map(move |c| (frame.t, c)));
    assert_eq!(contacts.len(), 3);
    for (row, (t, c)) in contacts.iter().zip(all) {
        assert_pair_is_named(row);
        let (n, p, f) = (c.normal, c.point, c.friction_force);
        let expected = [t, c.gap, n[0], n[1], n[2], p[0], p[1], p[2], c.normal_force, f[0], f[1], f[2]];
        assert_eq!(bits(row, "t gap nx ny nz px py pz normal_force fx fy fz"), bits_of(&expected));
    }
    let points = rows(&paths[2]);
    let all =
        recording.frames.iter().flat_map(|frame| frame.points.iter().map(move |contact| (frame.t, contact)));
    assert_eq!(points.len(), 6);
    for (row, (t, contact)) in points.iter().zip(all) {
        assert_pair_is_named(row);
        assert_eq!(
            (&row["feature_a"], &row["feature_b"]),
            (&contact.id.a.to_string(), &contact.id.b.to_string())
        );
        let (n, p, f) = (contact.normal, contact.point, contact.force);
        let expected = [t, contact.gap, n.x, n.y, n.z, p.x, p.y, p.z, f.x, f.y, f.z];
        assert_eq!(bits(row, "t gap nx ny nz px py pz fx fy fz"), bits_of(&expected));
    }
    for (row, frame) in rows(&paths[4]).iter().zip(&recording.frames) {
        let e = frame.energy;
        let expected = [frame.t, frame.step, e.kinetic, e.gravity, e.springs, e.total()];
        assert_eq!(bits(row, "t step kinetic gravity springs total"), bits_of(&expected));
    }
}

/// The pair of every contact and event: a fixed shape with a name, and a shape with a name on the second body.
fn assert_pair_is_named(row: &BTreeMap<String, String>) {
    let cells = ["a", "b", "shape_a", "shape_b", "body_a", "body_b"].map(|column| row[column].as_str());
    assert_eq!(cells, ["1", "3", "floor, \"top\"", "hook", "world", "球"]);
}

#[test]
fn every_shape_has_a_name_and_a_body_in_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let paths = recording().write_csv(folder.path()).unwrap();
    let shapes: Vec<Vec<String>> = rows(&paths[5])
        .iter()
        .map(|row| {
            ["shape", "name", "body", "body_name", "material"].map(|column| row[column].clone()).to_vec()
        })
        .collect();
    let rod = "rod, \"left\"";
    let expected = [
        ["0", "fixed shape 0", "", "world", "steel"],
        ["1", "floor, \"top\"", "", "world", "steel"],
        ["2", rod, "0", rod, "steel"],
        ["3", "hook", "1", "球", "steel"],
    ];
    assert_eq!(shapes, expected);
}

#[test]
fn the_table_of_events_has_what_json_has() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording();
    let paths = recording.write_csv(folder.path()).unwrap();
    let table = rows(&paths[3]);
    assert_eq!(table.len(), recording.events.len());
    for (row, event) in table.iter().zip(&recording.events) {
        // The names and numbers of JSON come from the types themselves.
        let mut expected: BTreeMap<String, String> = BTreeMap::new();
        let json = serde_json::to_value(event).unwrap();
        let is_settled = json["event"] == "settled";
        for (key, value) in json.as_object().unwrap() {
            match value {
                serde_json::Value::Object(pair) => {
                    expected.extend(pair.iter().map(|(name, shape)| (name.clone(), shape.to_string())));
                }
                serde_json::Value::String(name) => drop(expected.insert(key.clone(), name.clone())),
                value => {
                    let key = if key == "limit" && is_settled { "rest_from" } else { key };
                    expected.insert(key.to_owned(), value.to_string());
                }
            }
        }
        // Names are not in JSON: they are those of the numbers.
        let is_name = |column: &str| column.starts_with("shape_") || column.starts_with("body_");
        if expected.contains_key("a") {
            assert_pair_is_named(row);
        } else {
            assert!(row.iter().all(|(column, cell)| !is_name(column) || cell.is_empty()), "{row:?}");
        }
        let filled: BTreeMap<_, _> = row
            .iter()
            .filter(|(column, cell)| !cell.is_empty() && !is_name(column))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        assert_eq!(filled, expected);
    }
}

/// Type, shape and bytes of each array of an archive, read by its directory at the end as zip readers do.
fn arrays(bytes: &[u8]) -> BTreeMap<String, (String, Vec<usize>, Vec<u8>)> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let half = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let mut at = word(end + 16);
    assert_eq!(at + word(end + 12), end);
    let mut arrays = BTreeMap::new();
    for _ in 0..half(end + 10) {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let name = std::str::from_utf8(&bytes[at + 46..at + 46 + half(at + 28)]).unwrap();
        let (local, length) = (word(at + 42), word(at + 20));
        assert_eq!(&bytes[local..local + 4], b"PK\x03\x04");
        assert_eq!(&bytes[local + 30..local + 30 + name.len()], name.as_bytes());
        // Version to checksum and lengths are told twice.
        assert_eq!(bytes[local + 4..local + 30], bytes[at + 6..at + 32]);
        let start = local + 30 + half(local + 26) + half(local + 28);
        let array = &bytes[start..start + length];
        assert_eq!(crc32(array) as usize, word(at + 16), "{name}");
        assert_eq!(&array[..8], b"\x93NUMPY\x01\x00");
        let header = 10 + usize::from(u16::from_le_bytes([array[8], array[9]]));
        assert_eq!((header % 64, array[header - 1]), (0, b'\n'));
        let text = std::str::from_utf8(&array[10..header]).unwrap();
        let between = |from: &str, to: &str| text.split_once(from).unwrap().1.split_once(to).unwrap().0;
        let shape = between("(", ")").split(", ").filter_map(|n| n.parse().ok()).collect();
        let key = name.strip_suffix(".npy").unwrap().to_owned();
        arrays.insert(key, (between("'descr': '", "'").to_owned(), shape, array[header..].to_vec()));
        at += 46 + half(at + 28);
    }
    arrays
}

/// The arrays of an archive, in the order of their names.
const ARRAYS: [&str; 29] = [
    "angular_velocities",
    "bodies",
    "contact_frame",
    "contact_friction_force",
    "contact_gap",
    "contact_normal",
    "contact_normal_force",
    "contact_pair",
    "contact_point",
    "energy",
    "event",
    "event_number",
    "event_pair",
    "event_t",
    "event_values",
    "point_force",
    "point_frame",
    "point_gap",
    "point_id",
    "point_normal",
    "point_pair",
    "point_position",
    "poses",
    "shape_body",
    "shape_material",
    "shapes",
    "step",
    "t",
    "velocities",
];

#[test]
fn arrays_hold_every_number_with_its_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.npz");
    let recording = recording();
    recording.write_npz(&path).unwrap();
    let arrays = arrays(&std::fs::read(&path).unwrap());
    let names: Vec<&str> = arrays.keys().map(String::as_str).collect();
    assert_eq!(names, ARRAYS);
    let words = |name: &str, kind: &str, shape: &[usize]| -> Vec<u64> {
        let (found, dimensions, bytes) = &arrays[name];
        assert_eq!((found.as_str(), dimensions.as_slice()), (kind, shape), "{name}");
        assert_eq!(bytes.len(), 8 * shape.iter().product::<usize>());
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    };
    let frames = &recording.frames;
    let each =
        |numbers: &dyn Fn(&Frame) -> Vec<f64>| bits_of(&frames.iter().flat_map(numbers).collect::<Vec<_>>());
    assert_eq!(words("t", "<f8", &[3]), each(&|frame| vec![frame.t]));
    assert_eq!(words("step", "<f8", &[3]), each(&|frame| vec![frame.step]));
    let energies = each(&|frame| vec![frame.energy.kinetic, frame.energy.gravity, frame.energy.springs]);
    assert_eq!(words("energy", "<f8", &[3, 3]), energies);
    let flat = |vectors: &[Vec3]| vectors.iter().flatten().copied().collect();
    assert_eq!(words("velocities", "<f8", &[3, 2, 3]), each(&|frame| flat(&frame.velocities)));
    assert_eq!(
        words("angular_velocities", "<f8", &[3, 2, 3]),
        each(&|frame| flat(&frame.angular_velocities))
    );
    let pose = |pose: &Pose| [pose.translation().as_slice(), &pose.quaternion_xyzw()].concat();
    assert_eq!(words("poses", "<f8", &[3, 2, 7]), each(&|frame| frame.poses.iter().flat_map(pose).collect()));
    assert_eq!(words("contact_frame", "<u8", &[3]), [1, 2, 2]);
    assert_eq!(words("contact_pair", "<u8", &[3, 2]), [1, 3, 1, 3, 1, 3]);
    let contacts = |numbers: fn(&ContactForce) -> Vec<f64>| {
        each(&|frame| frame.contacts.iter().flat_map(numbers).collect())
    };
    assert_eq!(words("contact_gap", "<f8", &[3]), contacts(|c| vec![c.gap]));
    assert_eq!(words("contact_normal_force", "<f8", &[3]), contacts(|c| vec![c.normal_force]));
    assert_eq!(words("contact_normal", "<f8", &[3, 3]), contacts(|c| c.normal.to_vec()));
    assert_eq!(words("contact_point", "<f8", &[3, 3]), contacts(|c| c.point.to_vec()));
    assert_eq!(words("contact_friction_force", "<f8", &[3, 3]), contacts(|c| c.friction_force.to_vec()));
    let points = |numbers: fn(&ContactPoint) -> Vec<f64>| {
        each(&|frame| frame.points.iter().flat_map(numbers).collect())
    };
    assert_eq!(words("point_frame", "<u8", &[6]), [1, 1, 2, 2, 2, 2]);
    assert_eq!(words("point_pair", "<u8", &[6, 2]), [1, 3].repeat(6));
    let ids: Vec<u64> =
        frames.iter().flat_map(|frame| &frame.points).map(|contact| contact.id.packed()).collect();
    assert_eq!(words("point_id", "<u8", &[6]), ids);
    assert_eq!(words("point_gap", "<f8", &[6]), points(|contact| vec![contact.gap]));
    assert_eq!(words("point_normal", "<f8", &[6, 3]), points(|contact| contact.normal.as_slice().to_vec()));
    assert_eq!(words("point_position", "<f8", &[6, 3]), points(|contact| contact.point.as_slice().to_vec()));
    assert_eq!(words("point_force", "<f8", &[6, 3]), points(|contact| contact.force.as_slice().to_vec()));
    let signed = |name: &str, shape: &[usize]| -> Vec<i64> {
        words(name, "<i8", shape).into_iter().map(u64::cast_signed).collect()
    };
    assert_eq!(signed("shape_body", &[4]), [-1, -1, 0, 1]);
    let pairs = signed("event_pair", &[17, 2]);
    assert_eq!((&pairs[..2], &pairs[4..6], &pairs[26..28]), (&[1, 3][..], &[-1, -1][..], &[1, 3][..]));
    assert_eq!(words("event_t", "<f8", &[17]).len(), recording.events.len());
    let (pair, n) = (1 + (3 << 32), words("event_number", "<u8", &[17]));
    assert_eq!(n, [pair, pair, 4, pair, pair, pair, 2, 2, pair, pair, 40, 1, 0, pair, 0, 1, pair]);
    let values = words("event_values", "<f8", &[17, 2]);
    assert_eq!(values[4..6], bits_of(&[0.1, 0.3]));
    // Texts are as long as the longest, filled up with zeros.
    let texts = |name: &str| -> Vec<String> {
        let (kind, shape, bytes) = &arrays[name];
        let width: usize = kind.strip_prefix("<U").unwrap().parse().unwrap();
        let characters =
            bytes.chunks_exact(4).map(|c| char::from_u32(u32::from_le_bytes(c.try_into().unwrap())).unwrap());
        let characters: Vec<char> = characters.collect();
        assert_eq!(characters.len(), width * shape[0]);
        characters
            .chunks(width)
            .map(|text| text.iter().collect::<String>().trim_end_matches('\0').to_owned())
            .collect()
    };
    assert_eq!(texts("bodies"), recording.head.bodies);
    assert_eq!(texts("shapes"), ["fixed shape 0", "floor, \"top\"", "rod, \"left\"", "hook"]);
    assert_eq!(texts("shape_material"), ["steel"; 4]);
    let json = |event: &Event| serde_json::to_value(event).unwrap()["event"].as_str().unwrap().to_owned();
    assert_eq!(texts("event"), recording.events.iter().map(json).collect::<Vec<_>>());
}

#[test]
fn a_recording_of_nothing_makes_empty_tables_and_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.npz");
    let whole = recording();
    let head = Head { bodies: Vec::new(), shapes: Vec::new(), ..whole.head };
    let nothing = Recording { head, frames: Vec::new(), events: Vec::new(), end: None, left_out: 0 };
    nothing.write_npz(&path).unwrap();
    let arrays = arrays(&std::fs::read(&path).unwrap());
    assert_eq!(arrays["poses"].1, [0, 0, 7]);
    assert!(arrays.values().all(|(.., bytes)| bytes.is_empty()));
    for path in nothing.write_csv(folder.path()).unwrap() {
        assert!(rows(&path).is_empty());
    }
    let error = nothing.write_npz(folder.path()).unwrap_err().to_string();
    assert!(error.contains("cannot create"), "{error}");
}
