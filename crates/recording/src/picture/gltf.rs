//! Binary glTF 2.0: bodies as nodes with meshes, their motion as one animation.
//!
//! In: a recording. Out: the bytes of a GLB file. One node a body and one for what is fixed, all below a root that turns z up into glTF's y up and carries the centre of the
//! scene. Positions are single precision from there. The same recording gives the same bytes.

use serde_json::{Value, json};
use zerogap_core::Vec3;

use super::{center, normals, single};
use crate::record::{DrawnShape, Recording};
use zerogap_simulation::world::Frame;

/// Codes of glTF: component type f32, target of vertex data.
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34_962;

/// A quarter turn about x: z up to y up.
const UPRIGHT: [f64; 4] = [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

/// The colours of the replay page, linear [-].
const PALETTE: [[f64; 3]; 12] = [
    [0.114, 0.275, 0.423],
    [0.644, 0.292, 0.114],
    [0.198, 0.366, 0.212],
    [0.485, 0.168, 0.202],
    [0.287, 0.227, 0.462],
    [0.584, 0.407, 0.091],
    [0.120, 0.392, 0.366],
    [0.392, 0.216, 0.114],
    [0.266, 0.332, 0.091],
    [0.546, 0.258, 0.407],
    [0.159, 0.223, 0.352],
    [0.624, 0.347, 0.262],
];
const FIXED: [f64; 3] = [0.376, 0.361, 0.328];

/// The recording as a binary glTF file with an animation, for Blender and others.
pub fn glb(recording: &Recording) -> Vec<u8> {
    let mut file = File::default();
    let center = center(recording);
    let bodies = &recording.head.bodies;

    // What is fixed, if anything is, then the bodies; nodes 1, 2, ... below the root.
    let mut children = Vec::new();
    let fixed = shapes_of(recording, None);
    if let Some(mesh) = file.mesh("fixed", &fixed, &center, FIXED) {
        children.push(file.node(json!({ "name": "fixed", "mesh": mesh })));
    }
    let mut of_body = Vec::new();
    for (number, name) in bodies.iter().enumerate() {
        let shapes = shapes_of(recording, Some(number as u32));
        let mesh = file.mesh(name, &shapes, &Vec3::zeros(), PALETTE[number % PALETTE.len()]);
        let mut node = json!({ "name": name });
        if let Some(mesh) = mesh {
            node["mesh"] = mesh.into();
        }
        if let Some(pose) = recording.frames.first().and_then(|frame| frame.poses.get(number)) {
            let p = pose.translation() - center;
            node["translation"] = json!([p.x, p.y, p.z]);
            node["rotation"] = json!(pose.quaternion_xyzw());
        }
        let node = file.node(node);
        of_body.push(node);
        children.push(node);
    }
    // The root turns about the origin of the world, so the centre turns with it.
    let mut root = json!({
        "name": recording.head.scene, "rotation": UPRIGHT, "translation": [center.x, center.z, -center.y],
    });
    if !children.is_empty() {
        root["children"] = json!(children);
    }
    let root = file.node(root);

    let animation = file.animation(recording, &of_body, &center);
    file.bytes(root, animation)
}

fn shapes_of(recording: &Recording, body: Option<u32>) -> Vec<&DrawnShape> {
    recording.head.shapes.iter().filter(|shape| shape.body == body).collect()
}

/// The parts of a file as they are added.
#[derive(Default)]
struct File {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    accessors: Vec<Value>,
    views: Vec<Value>,
    buffer: Vec<u8>,
}

impl File {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds single-precision numbers; returns the number of the accessor.
    fn accessor(&mut self, numbers: &[f64], width: usize, is_vertex: bool) -> usize {
        let bytes = single(numbers.iter().copied());
        let mut view = json!({ "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len() });
        if is_vertex {
            view["target"] = ARRAY_BUFFER.into();
        }
        self.buffer.extend(bytes);
        self.views.push(view);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][width - 1];
        // Bounds are of the numbers as they are stored.
        let bound = |pick: fn(f64, f64) -> f64, from: f64| -> Vec<f64> {
            let column = |k: usize| numbers.iter().skip(k).step_by(width).map(|x| f64::from(*x as f32));
            (0..width).map(|k| column(k).fold(from, pick)).collect()
        };
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": FLOAT, "count": numbers.len() / width, "type": kind,
            "min": bound(f64::min, f64::INFINITY), "max": bound(f64::max, f64::NEG_INFINITY),
        }));
        self.accessors.len() - 1
    }

    /// A mesh with one primitive for each shape that has triangles; none where no shape has.
    fn mesh(&mut self, name: &str, shapes: &[&DrawnShape], origin: &Vec3, color: [f64; 3]) -> Option<usize> {
        let [r, g, b] = color;
        let material = self.materials.len();
        let mut primitives = Vec::new();
        for shape in shapes {
            let corners = normals::corners(shape);
            if corners.is_empty() {
                continue;
            }
            let positions: Vec<f64> =
                corners.iter().flat_map(|(p, _)| <[f64; 3]>::from(p - origin)).collect();
            let normals: Vec<f64> = corners.iter().flat_map(|(_, n)| <[f64; 3]>::from(*n)).collect();
            let position = self.accessor(&positions, 3, true);
            let normal = self.accessor(&normals, 3, true);
            primitives.push(
                json!({ "attributes": { "POSITION": position, "NORMAL": normal }, "material": material }),
            );
        }
        if primitives.is_empty() {
            return None;
        }
        self.materials.push(json!({
            "name": name, "doubleSided": true,
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.05, "roughnessFactor": 0.6 },
        }));
        self.meshes.push(json!({ "name": name, "primitives": primitives }));
        Some(self.meshes.len() - 1)
    }

    /// Translation and rotation of every body over time; none without motion.
    fn animation(&mut self, recording: &Recording, nodes: &[usize], center: &Vec3) -> Option<Value> {
        let start = recording.frames.first()?.t;
        // Times must rise, also after rounding.
        let mut last = f32::NEG_INFINITY;
        let rises = |frame: &&Frame| {
            let t = (frame.t - start) as f32;
            let is_later = t > last;
            last = last.max(t);
            is_later && frame.poses.len() == nodes.len()
        };
        let frames: Vec<&Frame> = recording.frames.iter().filter(rises).collect();
        if frames.is_empty() || nodes.is_empty() {
            return None;
        }
        let times: Vec<f64> = frames.iter().map(|frame| frame.t - start).collect();
        let input = self.accessor(&times, 1, false);
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (body, node) in nodes.iter().enumerate() {
            let poses = || frames.iter().map(|frame| &frame.poses[body]);
            let positions = poses().flat_map(|pose| <[f64; 3]>::from(pose.translation() - center)).collect();
            // A quaternion and its negative are the same rotation: the one nearer to the last keeps the interpolation short.
            let mut before = [0.0; 4];
            let turns = poses().flat_map(|pose| {
                let q = pose.quaternion_xyzw();
                let dot: f64 = q.iter().zip(&before).map(|(a, b)| a * b).sum();
                before = if dot < 0.0 { q.map(|x| -x) } else { q };
                before
            });
            let turns: Vec<f64> = turns.collect();
            for (numbers, width, path) in [(positions, 3, "translation"), (turns, 4, "rotation")] {
                let output = self.accessor(&numbers, width, false);
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        Some(json!({ "name": recording.head.scene, "samplers": samplers, "channels": channels }))
    }

    /// The document and the buffer in one file.
    fn bytes(self, root: usize, animation: Option<Value>) -> Vec<u8> {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "zerogap" },
            "scene": 0, "scenes": [{ "nodes": [root] }], "nodes": self.nodes,
        });
        // Empty lists are not allowed.
        let lists = [
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("accessors", self.accessors),
            ("bufferViews", self.views),
            ("animations", animation.into_iter().collect()),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            document[name] = list.into();
        }
        if !self.buffer.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.buffer.len() }]);
        }

        // Chunks are padded to four bytes: the document with spaces; the buffer length is a multiple of four.
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = b"glTF".to_vec();
        let has_buffer = !self.buffer.is_empty();
        let total = 20 + text.len() + if has_buffer { 8 + self.buffer.len() } else { 0 };
        for word in [2, total as u32, text.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(b"JSON");
        bytes.extend(&text);
        if has_buffer {
            bytes.extend((self.buffer.len() as u32).to_le_bytes());
            bytes.extend(b"BIN\0");
            bytes.extend(&self.buffer);
        }
        bytes
    }
}
