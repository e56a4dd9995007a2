//! The bytes of each format.

use std::fmt::Write as _;

use zerogap_core::Vec3;

use super::ExportError;
use crate::TriangleMesh;

/// Text that starts a binary STL; it must not begin with "solid", by which text files are known.
const STL_HEADER: &[u8] = b"binary STL written by zerogap";

/// Wavefront OBJ.
pub(super) fn obj<'a>(groups: impl IntoIterator<Item = (Option<&'a str>, &'a TriangleMesh)>) -> Vec<u8> {
    let mut text = String::from("# written by zerogap; metres\n");
    let mut first = 1;
    for (name, mesh) in groups {
        if let Some(name) = name {
            let _ = writeln!(text, "g {name}");
        }
        // `{:?}` prints the shortest digits that read back as the same bits. Writing to a string cannot fail.
        for p in mesh.vertices() {
            let _ = writeln!(text, "v {:?} {:?} {:?}", p.x, p.y, p.z);
        }
        for [a, b, c] in mesh.triangles().iter().map(|t| t.map(|v| u64::from(v) + first)) {
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        first += mesh.vertices().len() as u64;
    }
    text.into_bytes()
}

/// A vertex in f32, if it fits.
fn single(mesh: &TriangleMesh, vertex: usize) -> Result<[f32; 3], ExportError> {
    let p = mesh.vertices()[vertex];
    let rounded = [p.x as f32, p.y as f32, p.z as f32];
    if rounded.iter().all(|c| c.is_finite()) {
        Ok(rounded)
    } else {
        Err(ExportError::OutOfRange { vertex, x: p.x, y: p.y, z: p.z })
    }
}

/// A length as the format stores it.
fn length(mesh: &TriangleMesh, value: usize) -> Result<u32, ExportError> {
    let too_large =
        |_| ExportError::TooLarge { vertices: mesh.vertices().len(), triangles: mesh.triangles().len() };
    u32::try_from(value).map_err(too_large)
}

/// The normal for STL; zero for a triangle without area, as readers expect.
fn normal([a, b, c]: &[Vec3; 3]) -> [f32; 3] {
    let n = (b - a).cross(&(c - a));
    let length = n.norm();
    if length > 0.0 { [0, 1, 2].map(|k| (n[k] / length) as f32) } else { [0.0; 3] }
}

/// Binary STL.
pub(super) fn stl_binary(mesh: &TriangleMesh) -> Result<Vec<u8>, ExportError> {
    let mut bytes = STL_HEADER.to_vec();
    bytes.resize(80, 0);
    bytes.extend(length(mesh, mesh.triangles().len())?.to_le_bytes());
    for (corners, triangle) in mesh.corner_triples().zip(mesh.triangles()) {
        push_f32(&mut bytes, normal(&corners));
        for &v in triangle {
            push_f32(&mut bytes, single(mesh, v as usize)?);
        }
        bytes.extend([0, 0]);
    }
    Ok(bytes)
}

/// STL in text.
pub(super) fn stl_text(mesh: &TriangleMesh) -> Vec<u8> {
    let mut text = String::from("solid zerogap\n");
    for corners in mesh.corner_triples() {
        let [x, y, z] = normal(&corners);
        let _ = writeln!(text, "facet normal {x:?} {y:?} {z:?}\nouter loop");
        for p in corners {
            let _ = writeln!(text, "vertex {:?} {:?} {:?}", p.x, p.y, p.z);
        }
        text.push_str("endloop\nendfacet\n");
    }
    text.push_str("endsolid zerogap\n");
    text.into_bytes()
}

/// Binary little-endian PLY.
pub(super) fn ply(mesh: &TriangleMesh) -> Result<Vec<u8>, ExportError> {
    length(mesh, mesh.vertices().len())?;
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment written by zerogap; metres\nelement vertex {}\nproperty double x\nproperty \
         double y\nproperty double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles().len()
    )
    .into_bytes();
    for c in mesh.vertices().iter().flat_map(|p| p.iter()) {
        bytes.extend(c.to_le_bytes());
    }
    for triangle in mesh.triangles() {
        bytes.push(3);
        bytes.extend(triangle.iter().flat_map(|v| v.to_le_bytes()));
    }
    Ok(bytes)
}

/// glTF 2.0 in one binary file.
pub(super) fn glb(mesh: &TriangleMesh) -> Result<Vec<u8>, ExportError> {
    let count = mesh.vertices().len();
    let mut buffer = Vec::new();
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for v in 0..count {
        let p = single(mesh, v)?;
        low = [0, 1, 2].map(|k| low[k].min(p[k]));
        high = [0, 1, 2].map(|k| high[k].max(p[k]));
        push_f32(&mut buffer, p);
    }
    let positions = buffer.len();
    buffer.extend(mesh.triangles().iter().flatten().flat_map(|v| v.to_le_bytes()));
    let total = buffer.len();
    let corners = 3 * mesh.triangles().len();
    let (indices, [lx, ly, lz], [hx, hy, hz]) = (total - positions, low, high);
    let mut json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0","generator":"zerogap"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],"#,
            r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"#,
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[{:?},{:?},{:?}],"max":[{:?},{:?},{:?}]}},"#,
            r#"{{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}],"#,
            r#""bufferViews":[{{"buffer":0,"byteLength":{},"target":34962}},"#,
            r#"{{"buffer":0,"byteOffset":{},"byteLength":{},"target":34963}}],"buffers":[{{"byteLength":{}}}]}}"#
        ),
        count, lx, ly, lz, hx, hy, hz, corners, positions, positions, indices, total
    )
    .into_bytes();
    // Chunks are padded to four bytes: the document with spaces, the buffer needs none.
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    for word in [2, length(mesh, 28 + json.len() + total)?, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(&json);
    bytes.extend((total as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(&buffer);
    Ok(bytes)
}

fn push_f32(bytes: &mut Vec<u8>, values: [f32; 3]) {
    bytes.extend(values.iter().flat_map(|c| c.to_le_bytes()));
}
