//! Damaged glTF and GLB files.

use std::path::Path;

use zerogap_geometry::import::{Format, ImportErrorKind as Kind, ImportOptions, read_gltf_with};

use super::{At, case, check_all, document, read};

/// A GLB file from a document, with `binary` as its buffer.
fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    for word in [2, (28 + json.len() + binary.len()) as u32, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

#[test]
fn the_undamaged_document_is_read() {
    let mesh = read(Format::Gltf, &document("", "")).unwrap().mesh;
    assert_eq!(mesh.triangles(), [[0, 1, 2]]);
    assert_eq!(mesh.vertices()[1], zerogap_core::Vec3::x());
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn damaged_gltf_files_are_refused_with_their_place() {
    let gltf = |name, bytes: &[u8], kind, at, words| case(name, Format::Gltf, bytes, kind, at, words);
    let changed = |name, replace, by, kind, at, words| gltf(name, &document(replace, by), kind, at, words);
    let json = r#"{"asset":{"version":"2.0"},"meshes":[]}"#;
    let mut chunk_lies = glb(json, &[0; 4]);
    chunk_lies[12..16].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    let mut total_lies = glb(json, &[0; 4]);
    total_lies[8..12].copy_from_slice(&4_000_000_000_u32.to_le_bytes());
    let mut no_json = glb(json, &[0; 4]);
    no_json[16..20].copy_from_slice(b"BIN\0");
    let mut old = glb(json, &[0; 4]);
    old[4] = 1;
    let nested = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", "[".repeat(100_000));
    let many_nodes =
        format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}{{}}]}}", "{},".repeat(300_000));
    check_all(&[
        gltf("empty", b"", Kind::Truncated, At::Line(1, 1), &["JSON"]),
        gltf(
            "json syntax",
            b"{\"asset\":\n  {\"version\" \"2.0\"}}",
            Kind::Syntax,
            At::Line(2, 14),
            &["expected `:`"],
        ),
        gltf("json ends early", b"{\"asset\":", Kind::Truncated, At::Line(1, 9), &["the file ends inside"]),
        gltf(
            "json nested deeply",
            nested.as_bytes(),
            Kind::Truncated,
            At::Line(1, 100_036),
            &["the file ends inside"],
        ),
        gltf(
            "a node in every three bytes",
            many_nodes.as_bytes(),
            Kind::NoTriangles,
            At::File,
            &["no triangles"],
        ),
        gltf("not an object", b" []", Kind::Syntax, At::Line(1, 2), &["JSON object", "'['"]),
        changed("version 1", "\"2.0\"", "\"1.0\"", Kind::Unsupported, At::Item("asset.version"), &["1.0"]),
        changed(
            "compression",
            "\"scene\":0",
            "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]",
            Kind::Unsupported,
            At::Item("extensionsRequired"),
            &["draco", "without compression"],
        ),
        changed(
            "missing scene",
            "\"scene\":0",
            "\"scene\":9",
            Kind::Index,
            At::Item("scene"),
            &["scenes[9]"],
        ),
        changed(
            "missing node",
            "\"nodes\":[0]",
            "\"nodes\":[4]",
            Kind::Index,
            At::Item("scenes[0].nodes"),
            &["nodes[4]"],
        ),
        changed(
            "missing mesh",
            "\"mesh\":0",
            "\"mesh\":2",
            Kind::Index,
            At::Item("nodes[0].mesh"),
            &["meshes[2]"],
        ),
        changed(
            "missing accessor",
            "\"POSITION\":0",
            "\"POSITION\":5",
            Kind::Index,
            At::Item("meshes[0].primitives[0].attributes.POSITION"),
            &["accessors[5]", "2 accessors"],
        ),
        changed(
            "no positions",
            "\"POSITION\":0",
            "\"NORMAL\":0",
            Kind::Unsupported,
            At::Item("meshes[0].primitives[0].attributes"),
            &["POSITION"],
        ),
        changed(
            "missing view",
            "\"bufferView\":0",
            "\"bufferView\":7",
            Kind::Index,
            At::Item("accessors[0].bufferView"),
            &["bufferViews[7]"],
        ),
        changed(
            "missing buffer",
            "\"buffer\":0",
            "\"buffer\":1",
            Kind::Index,
            At::Item("bufferViews[0].buffer"),
            &["buffers[1]"],
        ),
        changed(
            "accessor out of bounds",
            "\"count\":3",
            "\"count\":4",
            Kind::Count,
            At::Item("accessors[0]"),
            &["4 elements", "36 bytes"],
        ),
        changed(
            "accessor count overflows",
            "\"count\":3",
            "\"count\":18446744073709551615",
            Kind::Count,
            At::Item("accessors[0]"),
            &["18446744073709551615 elements"],
        ),
        changed(
            "accessor of nothing",
            "\"count\":3",
            "\"count\":0",
            Kind::Count,
            At::Item("accessors[0].count"),
            &["no elements"],
        ),
        changed(
            "zeros without end",
            "\"bufferView\":0,\"componentType\":5126,\"count\":3",
            "\"componentType\":5126,\"count\":4000000000",
            Kind::Count,
            At::Item("accessors[0].count"),
            &["without a bufferView"],
        ),
        changed("negative count", "\"count\":3", "\"count\":-3", Kind::Syntax, At::Line(5, 60), &["-3"]),
        changed(
            "unknown component",
            "5126",
            "5124",
            Kind::Syntax,
            At::Item("accessors[0].componentType"),
            &["5124"],
        ),
        changed(
            "positions in two dimensions",
            "VEC3",
            "VEC2",
            Kind::Syntax,
            At::Item("accessors[0]"),
            &["VEC2"],
        ),
        changed("indices as f32", "5121", "5126", Kind::Syntax, At::Item("accessors[1]"), &["SCALAR"]),
        changed(
            "view out of bounds",
            "\"byteOffset\":36,\"byteLength\":3",
            "\"byteOffset\":37,\"byteLength\":3",
            Kind::Count,
            At::Item("bufferViews[1]"),
            &["from byte 37"],
        ),
        changed(
            "view offset overflows",
            "\"byteOffset\":36",
            "\"byteOffset\":18446744073709551615",
            Kind::Count,
            At::Item("bufferViews[1]"),
            &["18446744073709551615"],
        ),
        changed(
            "stride too small",
            "\"byteLength\":36}",
            "\"byteLength\":36,\"byteStride\":4}",
            Kind::Count,
            At::Item("bufferViews[0].byteStride"),
            &["4 bytes", "12 bytes"],
        ),
        changed(
            "buffer longer than its content",
            "\"byteLength\":39",
            "\"byteLength\":40",
            Kind::Truncated,
            At::Item("buffers[0].byteLength"),
            &["40 bytes", "39"],
        ),
        changed(
            "index out of range",
            "AAEC\"",
            "AAED\"",
            Kind::Index,
            At::Item("accessors[1]"),
            &["vertex 3", "3 vertices"],
        ),
        changed(
            "bad base64",
            "AAAAAAAA",
            "AAA*AAAA",
            Kind::Buffer,
            At::Item("buffers[0].uri"),
            &["byte 3", "'*'"],
        ),
        changed("no base64", ";base64,", ",", Kind::Unsupported, At::Item("buffers[0].uri"), &["base64"]),
        changed(
            "nan vertex",
            "AACAPw",
            "AADAfw",
            Kind::NonFinite,
            At::Item("accessors[0] element 1"),
            &["NaN"],
        ),
        changed(
            "missing file",
            "data:application/octet-stream;base64,",
            "gone.bin?",
            Kind::Buffer,
            At::Item("buffers[0].uri"),
            &["gone.bin", "no such file"],
        ),
        changed(
            "buffer without content",
            ",\"uri\":",
            ",\"name\":",
            Kind::Buffer,
            At::Item("buffers[0]"),
            &["no uri"],
        ),
        changed(
            "node below itself",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"children\":[0]}",
            Kind::Syntax,
            At::Item("scenes[0].nodes"),
            &["node 0 is below another"],
        ),
        changed(
            "nodes in a circle",
            "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\n\"nodes\":[{\"mesh\":0}]",
            "\"nodes\":[{\"mesh\":0,\"children\":[1]},{\"children\":[0]}]",
            Kind::Syntax,
            At::Item("nodes"),
            &["no node is a root"],
        ),
        changed(
            "node with two parents",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"children\":[1,1]},{}",
            Kind::Syntax,
            At::Item("nodes[0].children"),
            &["already a child"],
        ),
        changed(
            "rotation of no length",
            "{\"mesh\":0}",
            "{\"mesh\":0,\"rotation\":[0,0,0,0]}",
            Kind::NonFinite,
            At::Item("nodes[0].rotation"),
            &["no direction"],
        ),
        changed(
            "unknown mode",
            "\"indices\":1",
            "\"mode\":7",
            Kind::Syntax,
            At::Item("meshes[0].primitives[0].mode"),
            &["mode 7"],
        ),
        changed(
            "corners that make no triangles",
            "\"count\":3,\"type\":\"SCALAR\"",
            "\"count\":2,\"type\":\"SCALAR\"",
            Kind::Count,
            At::Item("meshes[0].primitives[0]"),
            &["2 corners"],
        ),
        gltf("glb chunk length lies", &chunk_lies, Kind::Truncated, At::Byte(12), &["4294967280 bytes"]),
        gltf("glb length lies", &total_lies, Kind::Truncated, At::Byte(8), &["4000000000 bytes"]),
        gltf("glb without json", &no_json, Kind::Syntax, At::Byte(16), &["expected JSON"]),
        gltf("glb of version 1", &old, Kind::Unsupported, At::Byte(4), &["version 1"]),
        gltf("glb header alone", b"glTF\x02\0\0\0", Kind::Truncated, At::Byte(8), &["length of the file"]),
        gltf("glb with nothing in it", &glb(json, &[]), Kind::NoTriangles, At::File, &["no triangles"]),
        gltf("glb with broken json", &glb("{\"asset\":!", &[]), Kind::Syntax, At::Byte(29), &["JSON"]),
    ]);
}

/// A document in which 20000 nodes place one mesh: `primitive` over a buffer of 1000 positions.
fn placed_often(primitive: &str) -> Vec<u8> {
    let nodes = vec![r#"{"mesh":0}"#; 20_000].join(",");
    let json = format!(
        concat!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{primitive}]}}],"#,
            r#""accessors":[{{"bufferView":0,"componentType":5126,"count":1000,"type":"VEC3"}},"#,
            r#"{{"bufferView":0,"componentType":5121,"count":3,"type":"SCALAR"}}],"#,
            r#""bufferViews":[{{"buffer":0,"byteLength":12000}}],"buffers":[{{"byteLength":12000}}]}}"#
        ),
        nodes = nodes,
        primitive = primitive
    );
    glb(&json, &[0; 12_000])
}

#[test]
fn vertices_that_many_nodes_place_are_bounded_by_the_limit_of_triangles() {
    // One triangle over a thousand vertices: the triangles alone would allow twenty million vertices.
    let bytes = placed_often(r#"{"attributes":{"POSITION":0},"indices":1}"#);
    let options = ImportOptions { max_triangles: 20_000, ..ImportOptions::default() };
    let error =
        read_gltf_with(&bytes, Path::new("often.glb"), &options, &mut |_, _| Ok(Vec::new())).unwrap_err();
    assert_eq!(error.kind(), Kind::TooLarge, "{error}");
    assert!(error.to_string().contains("61000 vertices: at most 60000"), "{error}");
}

#[test]
fn points_that_many_nodes_place_cost_nothing() {
    // Four hundred million visits if each node looked at each primitive.
    let points = vec![r#"{"attributes":{"POSITION":0},"mode":0}"#; 20_000].join(",");
    let bytes = placed_often(&points);
    assert_eq!(read(Format::Gltf, &bytes).unwrap_err().kind(), Kind::NoTriangles);
    // What is left keeps its number in errors.
    let bytes = placed_often(r#"{"attributes":{"POSITION":0},"mode":1},{"attributes":{"POSITION":9}}"#);
    let error = read(Format::Gltf, &bytes).unwrap_err();
    assert!(error.to_string().contains("meshes[0].primitives[1]"), "{error}");
}

#[test]
fn what_the_json_reader_says_is_cut_to_a_readable_length() {
    let long = format!("\"count\":\"{}\"", "x".repeat(100_000));
    for bytes in [document("\"count\":3", &long), document("VEC3", &"y".repeat(100_000))] {
        let error = read(Format::Gltf, &bytes).unwrap_err();
        assert!(error.message().len() < 300, "{}", error.message().len());
    }
}
