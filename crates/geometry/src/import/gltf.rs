//! glTF 2.0, as JSON with buffers beside or inside it, and as one binary file (GLB).
//!
//! In: the bytes of a file and a resolver of external buffers. Out: the triangles of the default scene, placed by their nodes;
//! without scenes, of all root nodes; without nodes, of all meshes. Points and lines are skipped, skins and morph targets are
//! left at rest. Axes stay as they are in the file (glTF has y up); its unit is the metre.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use nalgebra::{Matrix4, Quaternion, UnitQuaternion, Vector4};
use zerogap_core::Vec3;

use super::build::Builder;
use super::error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use super::gltf_data::{Data, Load, entry, fault_at, shortened};
use super::gltf_json::{Node, Primitive, Root};
use super::scan::text_start;
use super::{Format, ImportError, ImportOptions, ImportedMesh};

/// `JSON` and `BIN\0`, the chunk types of a GLB file.
const CHUNK_JSON: u32 = 0x4e4f_534a;
const CHUNK_BINARY: u32 = 0x004e_4942;

/// Required extensions that change appearance, not triangles, or that are supported.
const HARMLESS: [&str; 7] = [
    "KHR_materials",
    "KHR_texture",
    "KHR_lights",
    "KHR_xmp",
    "KHR_mesh_quantization",
    "EXT_texture",
    "EXT_lights",
];

/// Primitive modes [-].
const POINTS: u64 = 0;
const TRIANGLES: u64 = 4;
const STRIP: u64 = 5;
const FAN: u64 = 6;

/// Reads a glTF or GLB file from its bytes; `name` appears in errors, and external buffers are looked for in its folder.
pub fn read_gltf(bytes: &[u8], name: &Path, options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    let folder = name.parent().map(Path::to_path_buf).unwrap_or_default();
    read_gltf_with(bytes, name, options, &mut |uri, wanted| load_beside(&folder, uri, wanted))
}

/// Reads a glTF or GLB file from its bytes, with external buffers from `load`, which gets the address and the bytes wanted.
pub fn read_gltf_with<'l>(
    bytes: &[u8],
    name: &Path,
    options: &ImportOptions,
    load: &'l mut (dyn FnMut(&str, u64) -> std::io::Result<Vec<u8>> + 'l),
) -> Result<ImportedMesh, ImportError> {
    parse(bytes, options, load).map_err(|fault| fault.at(name, bytes))
}

/// Reads at most `wanted` bytes of a file in `folder` or below; other addresses are rejected.
fn load_beside(folder: &Path, uri: &str, wanted: u64) -> std::io::Result<Vec<u8>> {
    let refuse = |reason| Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, reason));
    let Some(relative) = percent_decoded(uri).map(PathBuf::from) else {
        return refuse("the address is not UTF-8");
    };
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || uri.contains(':') {
        return refuse("only files in the folder of the glTF file and below it are read");
    }
    let path = folder.join(relative);
    if !std::fs::metadata(&path)?.is_file() {
        return refuse("it is not a regular file");
    }
    let mut content = Vec::new();
    std::fs::File::open(path)?.take(wanted).read_to_end(&mut content)?;
    Ok(content)
}

/// Replaces `%20` and its like.
fn percent_decoded(uri: &str) -> Option<String> {
    let bytes = uri.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let code =
            digits.and_then(|d| std::str::from_utf8(d).ok()).and_then(|d| u8::from_str_radix(d, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).ok()
}

fn parse<'l>(bytes: &[u8], options: &ImportOptions, load: &'l mut Load<'l>) -> Parsed<ImportedMesh> {
    let mut builder = Builder::new(options)?;
    let container = if bytes.starts_with(b"glTF") {
        split_glb(bytes)?
    } else {
        let start = text_start(bytes)?;
        Container { json: &bytes[start..], json_offset: start, is_text: true, chunk: None }
    };
    let json = container.json;
    // The JSON reader would also take lists for objects, and name internal types in its errors.
    if let Some(at) = json.iter().position(|b| !b.is_ascii_whitespace()).filter(|&at| json[at] != b'{') {
        let message = format!("expected a JSON object, found '{}'", json[at].escape_ascii());
        return Err(Fault::new(Kind::Syntax, container.location(at), message));
    }
    let mut root: Root = serde_json::from_slice(json).map_err(|error| json_fault(&container, &error))?;
    check_version(&root)?;
    // Points and lines are dropped here and not per instance: any number of nodes may place them.
    for mesh in &mut root.meshes {
        for (number, primitive) in mesh.primitives.iter_mut().enumerate() {
            primitive.number = number;
        }
        mesh.primitives.retain(|primitive| match primitive.mode {
            Some(POINTS) => {
                builder.skipped.points += 1;
                false
            }
            Some(mode) if mode < TRIANGLES => {
                builder.skipped.lines += 1;
                false
            }
            _ => true,
        });
    }
    let mut data = Data::new(&root, container.chunk, load, bytes.len());
    if root.nodes.is_empty() {
        for mesh in 0..root.meshes.len() as u64 {
            place_mesh(&mut data, mesh, None, &Matrix4::identity(), "meshes", &mut builder)?;
        }
    } else {
        place_nodes(&root, &mut data, &mut builder)?;
    }
    builder.finish(Format::Gltf)
}

/// The document, where it starts in the file, and the binary chunk of a GLB file.
struct Container<'a> {
    json: &'a [u8],
    json_offset: usize,
    /// Whether the document is the file, so that lines are more useful than bytes.
    is_text: bool,
    chunk: Option<&'a [u8]>,
}

impl Container<'_> {
    /// A place in the document as a place in the file.
    fn location(&self, at: usize) -> ReaderPlace {
        let at = self.json_offset + at;
        if self.is_text { ReaderPlace::Text(at, 1) } else { ReaderPlace::Byte(at) }
    }
}

/// Takes a GLB file apart.
fn split_glb(bytes: &[u8]) -> Parsed<Container<'_>> {
    let word =
        |at: usize| bytes.get(at..at + 4).and_then(|w| w.first_chunk()).map(|w| u32::from_le_bytes(*w));
    let early = |what: &str| {
        Fault::new(
            Kind::Truncated,
            ReaderPlace::Byte(bytes.len()),
            format!("expected {what}, found the end of the file"),
        )
    };
    let version = word(4).ok_or_else(|| early("the version"))?;
    if version != 2 {
        let message = format!("GLB version {version}: expected 2");
        return Err(Fault::new(Kind::Unsupported, ReaderPlace::Byte(4), message));
    }
    let total = word(8).ok_or_else(|| early("the length of the file"))?;
    if u64::from(total) != bytes.len() as u64 {
        let kind = if total as usize > bytes.len() { Kind::Truncated } else { Kind::Count };
        let message = format!("the header claims {total} bytes, but the file has {}", bytes.len());
        return Err(Fault::new(kind, ReaderPlace::Byte(8), message));
    }
    let mut json = None;
    let mut binary = None;
    let mut at = 12;
    while at < bytes.len() {
        let length = word(at).ok_or_else(|| early("the length of a chunk"))? as usize;
        let kind = word(at + 4).ok_or_else(|| early("the type of a chunk"))?;
        let start = at + 8;
        let Some(content) = start.checked_add(length).and_then(|end| bytes.get(start..end)) else {
            let left = bytes.len() - start;
            let message = format!("the chunk claims {length} bytes, but only {left} are left");
            return Err(Fault::new(Kind::Truncated, ReaderPlace::Byte(at), message));
        };
        // The first chunk is the document, the second the buffer; others are for extensions.
        if at == 12 {
            if kind != CHUNK_JSON {
                let message = format!("the first chunk has type {kind:#010x}: expected JSON");
                return Err(Fault::new(Kind::Syntax, ReaderPlace::Byte(at + 4), message));
            }
            json = Some((content, start));
        } else if kind == CHUNK_BINARY && binary.is_none() {
            binary = Some(content);
        }
        at = start + length;
    }
    let (json, json_offset) = json.ok_or_else(|| early("a JSON chunk"))?;
    Ok(Container { json, json_offset, is_text: false, chunk: binary })
}

/// What the JSON reader disliked, with its place in the file.
fn json_fault(container: &Container<'_>, error: &serde_json::Error) -> Fault {
    let json = container.json;
    // Line and column count from 1; a column counts bytes.
    let line_start = match error.line() {
        0 | 1 => 0,
        line => {
            json.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(line - 2).map_or(0, |(at, _)| at + 1)
        }
    };
    let offset = (line_start + error.column().saturating_sub(1)).min(json.len());
    let kind = if error.is_eof() { Kind::Truncated } else { Kind::Syntax };
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    // Messages of the JSON reader are for programmers, and quote words of any length.
    let (head, expected) = message.rsplit_once(", expected ").map_or((message, None), |(h, e)| (h, Some(e)));
    let mut message = shortened(head)
        .replace("EOF while parsing", "the file ends inside")
        .replace("missing field", "there is no")
        .replace("trailing characters", "more follows where the document should end");
    if let Some(expected) = expected {
        message += ", expected ";
        message += &shortened(expected).replace("u64", "a whole number from 0 on").replace("f64", "a number");
    }
    Fault::new(kind, container.location(offset), format!("the JSON is not that of a glTF file: {message}"))
}

fn check_version(root: &Root) -> Parsed<()> {
    let version = &root.asset.version;
    if !version.starts_with("2.") {
        let message = format!("glTF version {}: expected 2.0", shortened(version));
        return Err(fault_at(Kind::Unsupported, "asset.version", message));
    }
    match root.extensions_required.iter().find(|name| !HARMLESS.iter().any(|known| name.starts_with(known))) {
        Some(name) => {
            let message = format!("the file needs the extension {}, which is not supported", shortened(name));
            Err(fault_at(Kind::Unsupported, "extensionsRequired", message)
                .help("export it again without compression or extensions"))
        }
        None => Ok(()),
    }
}

/// Walks the node trees of the scene and places their meshes.
fn place_nodes(root: &Root, data: &mut Data<'_, '_>, builder: &mut Builder) -> Parsed<()> {
    // Each node may hang below one other: then the graph is a forest, and walking it ends.
    let mut parent: Vec<Option<usize>> = vec![None; root.nodes.len()];
    for (n, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            let item = format!("nodes[{n}].children");
            let (c, _) = entry(&root.nodes, child, "nodes", &item)?;
            if let Some(other) = parent[c] {
                let message = format!("node {c} is already a child of node {other}: nodes must form trees");
                return Err(fault_at(Kind::Syntax, item, message));
            }
            parent[c] = Some(n);
        }
    }
    // Nodes to visit, each with its depth; the transforms above the current one lie in `path`.
    let mut todo: Vec<(usize, usize)> = Vec::new();
    if root.scenes.is_empty() {
        todo.extend((0..root.nodes.len()).filter(|&n| parent[n].is_none()).map(|n| (n, 0)));
    } else {
        let (s, scene) = entry(&root.scenes, root.scene.unwrap_or(0), "scenes", "scene")?;
        let mut listed = vec![false; root.nodes.len()];
        for &node in &scene.nodes {
            let item = format!("scenes[{s}].nodes");
            let (n, _) = entry(&root.nodes, node, "nodes", &item)?;
            if parent[n].is_some() || listed[n] {
                let message =
                    format!("node {n} is below another node or listed twice: expected different root nodes");
                return Err(fault_at(Kind::Syntax, item, message));
            }
            listed[n] = true;
            todo.push((n, 0));
        }
    }
    if todo.is_empty() && !root.nodes.is_empty() && root.scenes.is_empty() {
        return Err(fault_at(Kind::Syntax, "nodes", "no node is a root: every one is below another"));
    }
    todo.reverse();
    let mut path = vec![Matrix4::identity()];
    while let Some((n, depth)) = todo.pop() {
        let node = &root.nodes[n];
        path.truncate(depth + 1);
        let placed = path[depth] * local_transform(node, n)?;
        path.push(placed);
        if let Some(mesh) = node.mesh {
            place_mesh(data, mesh, node.name.as_deref(), &placed, &format!("nodes[{n}].mesh"), builder)?;
        }
        todo.extend(node.children.iter().rev().map(|&child| (child as usize, depth + 1)));
    }
    Ok(())
}

/// The transform of a node against the one above it.
fn local_transform(node: &Node, n: usize) -> Parsed<Matrix4<f64>> {
    let matrix = if let Some(columns) = &node.matrix {
        Matrix4::from_column_slice(columns.as_slice())
    } else {
        let [x, y, z, w] = node.rotation.as_deref().copied().unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let q = Quaternion::new(w, x, y, z);
        if !(q.norm() > 0.0 && q.norm().is_finite()) {
            let message = format!("the rotation ({x}, {y}, {z}, {w}) has no direction");
            return Err(fault_at(Kind::NonFinite, format!("nodes[{n}].rotation"), message));
        }
        let scale =
            Matrix4::new_nonuniform_scaling(&Vec3::from(node.scale.as_deref().copied().unwrap_or([1.0; 3])));
        let mut matrix = UnitQuaternion::from_quaternion(q).to_homogeneous() * scale;
        matrix
            .fixed_view_mut::<3, 1>(0, 3)
            .copy_from_slice(&node.translation.as_deref().copied().unwrap_or_default());
        matrix
    };
    if matrix.row(3) != Vector4::w().transpose() {
        return Err(fault_at(Kind::Syntax, format!("nodes[{n}].matrix"), "the last row is not 0 0 0 1"));
    }
    Ok(matrix)
}

/// Adds the triangles of a mesh, placed by a transform.
fn place_mesh(
    data: &mut Data<'_, '_>,
    mesh: u64,
    node_name: Option<&str>,
    transform: &Matrix4<f64>,
    from: &str,
    builder: &mut Builder,
) -> Parsed<()> {
    let root = data.root;
    let (m, mesh) = entry(&root.meshes, mesh, "meshes", from)?;
    let name = node_name.or(mesh.name.as_deref()).map_or_else(|| format!("mesh {m}"), str::to_owned);
    builder.start_group(name);
    for primitive in &mesh.primitives {
        let item = format!("meshes[{m}].primitives[{}]", primitive.number);
        place_primitive(data, primitive, &item, transform, builder)?;
    }
    Ok(())
}

fn place_primitive(
    data: &mut Data<'_, '_>,
    primitive: &Primitive,
    item: &str,
    transform: &Matrix4<f64>,
    builder: &mut Builder,
) -> Parsed<()> {
    let mode = primitive.mode.unwrap_or(TRIANGLES);
    if mode > FAN {
        let message = format!("mode {mode} does not exist: expected 0 to 6");
        return Err(fault_at(Kind::Syntax, format!("{item}.mode"), message));
    }
    let Some(position) = primitive.attributes.position else {
        return Err(fault_at(Kind::Unsupported, format!("{item}.attributes"), "there is no POSITION"));
    };
    let from = format!("{item}.attributes.POSITION");
    // One mesh may be placed by any number of nodes, also one with many vertices and few triangles.
    let count = data.count(position, &from)?;
    builder.check_placed(count, count, || ReaderPlace::Item(from.clone()))?;
    let positions = data.positions(position, &from)?;
    let corners = match primitive.indices {
        Some(indices) => data.indices(indices, positions.len(), &format!("{item}.indices"))?,
        None => (0..u32::try_from(positions.len()).unwrap_or(u32::MAX)).collect(),
    };
    if mode == TRIANGLES && corners.len() % 3 != 0 {
        let message = format!("{} corners do not make whole triangles", corners.len());
        return Err(fault_at(Kind::Count, item, message));
    }

    let first = builder.vertices.len() as u64;
    for (v, p) in positions.iter().enumerate() {
        let placed = transform * Vector4::new(p[0], p[1], p[2], 1.0);
        builder.vertex([placed.x, placed.y, placed.z], || {
            ReaderPlace::Item(format!("accessors[{position}] element {v}"))
        })?;
    }
    // A transform that mirrors turns triangles inside out; the format requires reversing them.
    let mirrored = transform.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
    let mut emit = |[a, b, c]: [u32; 3]| {
        let [b, c] = if mirrored { [c, b] } else { [b, c] };
        // Every vertex fitted into 32 bits above.
        builder.triangle([a, b, c].map(|v| (first + u64::from(v)) as u32))
    };
    match mode {
        STRIP => corners
            .windows(3)
            .enumerate()
            .try_for_each(|(k, w)| emit(if k % 2 == 0 { [w[0], w[1], w[2]] } else { [w[1], w[0], w[2]] })),
        FAN => corners.windows(2).skip(1).try_for_each(|w| emit([corners[0], w[0], w[1]])),
        _ => corners.as_chunks::<3>().0.iter().try_for_each(|t| emit(*t)),
    }
}
