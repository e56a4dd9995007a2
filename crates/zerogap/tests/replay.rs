//! The replay page and the glTF animation of a recording, without a browser; `replay_browser.rs` opens the page in one.

mod recorded;

use std::collections::BTreeMap;
use std::path::Path;

use recorded::{EVERY, WILD_NAME, recording};
use serde_json::Value;
use zerogap::geometry::import::{ImportOptions, read_gltf};
use zerogap::picture::{glb, replay_html};
use zerogap::record::{DrawnShape, Head, Recording};
use zerogap::world::{BodyDef, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};

/// three.js with our own script and style, without a recording [bytes]: a page is this and its numbers.
const BARE_PAGE: usize = 700_000;

/// The JSON of a page, as its script reads it.
fn data(page: &str) -> Value {
    let start = page.find(r#"<script type="application/json" id="recording">"#).unwrap();
    let start = start + page[start..].find('>').unwrap() + 1;
    let text = &page[start..start + page[start..].find("</script>").unwrap()];
    serde_json::from_str(text).unwrap()
}

fn bytes(text: &Value) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("not base64: {letter}"),
    };
    let letters: Vec<u8> = text.as_str().unwrap().bytes().filter(|b| *b != b'=').map(digit).collect();
    let bits: Vec<u8> = letters.iter().flat_map(|d| (0..6).rev().map(move |k| d >> k & 1)).collect();
    bits.as_chunks::<8>().0.iter().map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

fn singles(text: &Value) -> Vec<f32> {
    bytes(text).as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

fn wholes(text: &Value) -> Vec<u32> {
    bytes(text).as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect()
}

#[test]
fn a_page_loads_nothing_from_anywhere() {
    let page = replay_html(&recording());
    for forbidden in
        ["<link", "<img", "<iframe", " src=", " href=", "@import", "url(", "XMLHttpRequest", "import("]
    {
        assert!(!page.contains(forbidden), "the page holds {forbidden}");
    }
    // The one address is a name of a language, which nobody loads.
    let addresses: Vec<&str> = page.split("://").skip(1).map(|rest| &rest[..rest.len().min(12)]).collect();
    assert_eq!(addresses, ["www.w3.org/1"]);
    assert!(page.contains("default-src 'none'"), "the browser is told to refuse loads");
    assert!(page.contains("Permission is hereby granted"), "the licence of three.js goes with it");
}

#[test]
fn names_cannot_break_a_page() {
    let mut recording = recording();
    recording.head.scene = WILD_NAME.to_owned();
    recording.head.source = WILD_NAME.to_owned();
    let page = replay_html(&recording);
    assert!(!page.contains("<b id="), "a name got out of its place");
    // Data, three.js, licence, program; each opened and closed once.
    assert_eq!(page.matches("<script").count(), 4);
    assert_eq!(page.matches("</script").count(), 4);
    assert_eq!(page.matches("<!--").count(), 0);
    let data = data(&page);
    assert_eq!(data["bodies"][0], WILD_NAME);
    assert_eq!(data["scene"], WILD_NAME);
    assert_eq!(data["source"], WILD_NAME);
}

#[test]
fn a_page_holds_the_recording() {
    let mut recording = recording();
    // Far away from the origin, where single precision knows no millimetres.
    let away = Vec3::new(1e6, -2e6, 3e6);
    for frame in &mut recording.frames {
        let moved = |pose: &Pose| Pose::new(pose.translation() + away, pose.quaternion_xyzw()).unwrap();
        frame.poses = frame.poses.iter().map(moved).collect();
        for contact in &mut frame.contacts {
            contact.point = (Vec3::from(contact.point) + away).into();
        }
        frame.points.iter_mut().for_each(|contact| contact.point += away);
    }
    let page = replay_html(&recording);
    let data = data(&page);
    let center: [f64; 3] = serde_json::from_value(data["center"].clone()).unwrap();
    let (poses, contacts, starts) =
        (singles(&data["poses"]), singles(&data["contacts"]), wholes(&data["contact_starts"]));
    let times: Vec<f64> =
        bytes(&data["times"]).as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    assert_eq!(times, recording.frames.iter().map(|frame| frame.t).collect::<Vec<f64>>());
    assert_eq!(poses.len(), recording.frames.len() * 2 * 7);
    assert_eq!(starts.len(), recording.frames.len() + 1);
    for (f, frame) in recording.frames.iter().enumerate() {
        for (b, pose) in frame.poses.iter().enumerate() {
            let stored = &poses[(2 * f + b) * 7..][..7];
            for k in 0..3 {
                let x = f64::from(stored[k]) + center[k];
                // Half a unit in the last place of single precision below 2 m.
                assert!((x - pose.translation()[k]).abs() < f64::from(f32::EPSILON), "{x}");
            }
            for k in 0..4 {
                assert!((f64::from(stored[3 + k]) - pose.quaternion_xyzw()[k]).abs() < 1e-7);
            }
        }
        assert_eq!((starts[f + 1] - starts[f]) as usize, frame.points.len());
        for (c, contact) in frame.points.iter().enumerate() {
            let stored = &contacts[(starts[f] as usize + c) * 11..][..11];
            let normal_force = contact.normal.dot(&contact.force);
            assert!((f64::from(stored[7]) - normal_force).abs() <= 1e-6 * normal_force.abs() + 1e-30);
            assert!((f64::from(stored[0]) + center[0] - contact.point[0]).abs() < 1e-7);
        }
    }
    let kinds: Vec<&str> =
        data["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds.len(), recording.events.len());
    assert!(["contact_begin", "impact", "stick"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    // The timeline has a lane, with a colour, for each of them.
    let colors = page.lines().find(|line| line.starts_with("const KIND_COLORS")).unwrap();
    assert!(kinds.iter().all(|kind| colors.contains(&format!(" {kind}: "))), "{colors}");
    let hash = recording.end.as_ref().unwrap().hash;
    assert_eq!(data["end"]["hash"], format!("{hash:016x}"));
}

#[test]
fn ten_bodies_and_a_thousand_frames_stay_below_two_megabytes() {
    let mut recording = recording();
    let long: Vec<_> = recording.frames.iter().cycle().take(1000).cloned().collect();
    recording.frames = long;
    for frame in &mut recording.frames {
        frame.poses = frame.poses.iter().cycle().take(10).copied().collect();
        // Every body on the floor, and as many pairs among them.
        frame.contacts = frame.contacts.iter().cycle().take(20).copied().collect();
    }
    recording.head.bodies = (0..10).map(|k| format!("body {k}")).collect();
    let size = replay_html(&recording).len();
    assert!(size < BARE_PAGE + 2_000_000, "{size}");
    recording.frames.clear();
    let bare = replay_html(&recording).len();
    assert!(bare < BARE_PAGE, "{bare}");
}

#[test]
fn a_recording_of_nothing_is_a_page_and_a_file_too() {
    let world = WorldBuilder::new(WorldParams::default()).build().unwrap();
    let head = Head::of_world(&world, "nothing", EVERY);
    let nothing = Recording { head, frames: Vec::new(), events: Vec::new(), end: None, left_out: 0 };
    assert_eq!(data(&replay_html(&nothing))["end"], Value::Null);
    let document = document(&glb(&nothing));
    assert_eq!(document["nodes"].as_array().unwrap().len(), 1);
    assert!(document.get("animations").is_none() && document.get("buffers").is_none());
}

/// Six times the volume inside triangles, and whether every side of a triangle has its counterpart.
fn volume(shape: &DrawnShape) -> (f64, bool) {
    let key = |v: u32| shape.vertices[v as usize].map(|x| (x * 1e9).round() as i64);
    let mut sides: BTreeMap<_, i32> = BTreeMap::new();
    let mut volume = 0.0;
    for triangle in &shape.triangles {
        let [a, b, c] = triangle.map(|v| Vec3::from(shape.vertices[v as usize]));
        volume += a.dot(&b.cross(&c)) / 6.0;
        for k in 0..3 {
            let (p, q) = (key(triangle[k]), key(triangle[(k + 1) % 3]));
            if p != q {
                *sides.entry((p.min(q), p.max(q))).or_default() += if p < q { 1 } else { -1 };
            }
        }
    }
    (volume, sides.values().all(|sum| *sum == 0))
}

#[test]
fn drawn_shapes_are_closed_and_lie_on_the_shapes() {
    let words = [
        "box:0.3,0.2,0.1",
        "sphere:0.1",
        "ellipsoid:0.1,0.2,0.3",
        "capsule:0.1,0.3",
        "cylinder:0.1,0.3",
        "cone:0.1,0.3",
        "frustum:0.1,0.2,0.3",
        "frustum:0,0.2,0.3",
        "rounded:0.02,box:0.3,0.2,0.1",
        "rounded:0.02,cylinder:0.1,0.3",
        "rounded:0.1,segment:0,0,0,0.3,0.1,0",
    ];
    for word in words {
        let shape: Shape = word.parse().unwrap();
        let mut builder = WorldBuilder::new(WorldParams::default());
        builder.body(BodyDef::free(Pose::identity()).with(shape.clone(), "steel")).unwrap();
        let head = Head::of_world(&builder.build().unwrap(), "one", EVERY);
        let drawn = &head.shapes[0];
        let (inside, is_closed) = volume(drawn);
        assert!(is_closed, "{word} has holes");
        let known = shape.volume().unwrap();
        // A regular polygon of 24 corners has 98.9 % of its circle's area; a ball loses that twice.
        assert!(inside < known * (1.0 + 1e-9) && inside > 0.96 * known, "{word}: {inside} of {known}");
        for vertex in &drawn.vertices {
            let gap = shape.closest_point(&Vec3::from(*vertex)).unwrap().gap;
            // Corners of balls that are hidden in a rounded shape may lie inside it.
            let deepest = if word.starts_with("rounded") { 1e-3 } else { 1e-9 };
            assert!(gap < 1e-9 && gap > -deepest, "{word}: {vertex:?} is {gap} off");
        }
        assert!(drawn.triangles.len() <= 3000, "{word}: {} triangles", drawn.triangles.len());
        assert_eq!((drawn.body, drawn.material.as_str()), (Some(0), "steel"));
    }
}

#[test]
fn a_half_space_is_a_patch_under_everything() {
    let head = Head::of_world(&recorded::world(), "floor", EVERY);
    let patch = &head.shapes[0];
    assert_eq!((patch.body, patch.vertices.len(), patch.triangles.len()), (None, 4, 2));
    let [a, b, c] = patch.triangles[0].map(|v| Vec3::from(patch.vertices[v as usize]));
    assert!((b - a).cross(&(c - a)).normalize().z > 1.0 - 1e-12);
    assert!(patch.vertices.iter().all(|p| p[2].abs() < 1e-12));
    let reach = |k: usize, sign: f64| patch.vertices.iter().map(|p| sign * p[k]).fold(f64::MIN, f64::max);
    assert!((0..2).all(|k| reach(k, 1.0) > 0.6 && reach(k, -1.0) > 0.6), "{:?}", patch.vertices);
}

/// The document of a GLB file.
fn document(file: &[u8]) -> Value {
    assert_eq!(&file[..4], b"glTF");
    let length = u32::from_le_bytes(*file[12..].first_chunk().unwrap()) as usize;
    serde_json::from_slice(&file[20..20 + length]).unwrap()
}

#[test]
fn the_gltf_file_is_read_back_with_every_triangle_in_its_place() {
    let recording = recording();
    let file = glb(&recording);
    let options = ImportOptions::default();
    let read = read_gltf(&file, Path::new("two bodies.glb"), &options).unwrap();
    let triangles: usize = recording.head.shapes.iter().map(|shape| shape.triangles.len()).sum();
    assert_eq!(read.mesh.triangles().len(), triangles);
    // glTF has y up: (x, y, z) is (x, z, -y) there.
    let turned: Vec<Vec3> = read.mesh.vertices().iter().map(|p| Vec3::new(p.x, -p.z, p.y)).collect();
    for shape in &recording.head.shapes {
        let pose = shape.body.map_or_else(Pose::identity, |body| recording.frames[0].poses[body as usize]);
        for vertex in &shape.vertices {
            let p = pose.transform_point(&Vec3::from(*vertex));
            let is_there = shape.triangles.is_empty() || turned.iter().any(|q| (p - q).norm() < 1e-6);
            assert!(is_there, "{p:?} is missing");
        }
    }
}

#[test]
fn the_gltf_animation_moves_every_body() {
    let recording = recording();
    let file = glb(&recording);
    let document = document(&file);
    let (nodes, accessors) =
        (document["nodes"].as_array().unwrap(), document["accessors"].as_array().unwrap());
    assert_eq!(nodes.len(), 4, "what is fixed, two bodies, the root");
    assert_eq!(nodes[0]["name"], "fixed");
    assert_eq!(nodes[1]["name"], WILD_NAME);
    let [animation] = document["animations"].as_array().unwrap().as_slice() else { panic!("one animation") };
    let (channels, samplers) =
        (animation["channels"].as_array().unwrap(), animation["samplers"].as_array().unwrap());
    assert_eq!(channels.len(), 4, "translation and rotation of two bodies");
    let buffer = file.len() - document["buffers"][0]["byteLength"].as_u64().unwrap() as usize;
    let numbers = |accessor: &Value, width: usize| -> Vec<f32> {
        let accessor = &accessors[accessor.as_u64().unwrap() as usize];
        let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let start = buffer + view["byteOffset"].as_u64().unwrap() as usize;
        let count = accessor["count"].as_u64().unwrap() as usize * width;
        file[start..start + 4 * count].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    };
    for channel in channels {
        let sampler = &samplers[channel["sampler"].as_u64().unwrap() as usize];
        let body = channel["target"]["node"].as_u64().unwrap() as usize - 1;
        let times = numbers(&sampler["input"], 1);
        assert_eq!(times.len(), recording.frames.len());
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        let is_rotation = channel["target"]["path"] == "rotation";
        let width = if is_rotation { 4 } else { 3 };
        let values = numbers(&sampler["output"], width);
        assert_eq!(values.len(), width * times.len());
        if is_rotation {
            let dots = values.as_chunks::<4>().0.windows(2);
            assert!(dots.into_iter().all(|q| q[0].iter().zip(&q[1]).map(|(a, b)| a * b).sum::<f32>() > 0.9));
        } else {
            // Differences against the first frame: the centre falls out.
            let first = recording.frames[0].poses[body].translation();
            for (frame, stored) in recording.frames.iter().zip(values.as_chunks::<3>().0) {
                let moved = frame.poses[body].translation() - first;
                assert!((0..3).all(|k| (f64::from(stored[k] - values[k]) - moved[k]).abs() < 1e-6));
            }
        }
    }
}
