//! What each format can say, read from small files written by hand.

use std::path::Path;

use zerogap_core::Vec3;
use zerogap_geometry::import::{
    Format, Group, ImportOptions, ImportedMesh, read_gltf_with, read_mesh, read_obj, read_ply, read_stl,
};

fn obj(text: &str) -> ImportedMesh {
    read_obj(text.as_bytes(), Path::new("a.obj"), &ImportOptions::default()).unwrap()
}

fn stl(bytes: &[u8]) -> ImportedMesh {
    read_stl(bytes, Path::new("a.stl"), &ImportOptions::default()).unwrap()
}

fn ply(bytes: &[u8]) -> ImportedMesh {
    read_ply(bytes, Path::new("a.ply"), &ImportOptions::default()).unwrap()
}

fn group(name: &str, first_triangle: usize, triangles: usize) -> Group {
    Group { name: name.to_owned(), first_triangle, triangles }
}

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn obj_corners_come_in_four_forms_and_count_from_either_end() {
    for face in [
        "f 1 2 3",
        "f 1/9 2/9 3/9",
        "f 1//9 2//9 3//9",
        "f 1/7/8 2/7/8 3/7/8",
        "f -4 -3 -2",
        "f -4/-1 2//3 3",
    ] {
        assert_eq!(obj(&format!("{CORNERS}{face}")).mesh.triangles(), [[0, 1, 2]], "{face}");
    }
}

#[test]
fn obj_text_may_have_any_line_ends_comments_and_continued_lines() {
    let plain = obj(&format!("{CORNERS}f 1 2 3\nf 1 3 4\n")).mesh;
    for text in [
        format!("{CORNERS}f 1 2 3\nf 1 3 4\n").replace('\n', "\r\n"),
        format!("{CORNERS}f 1 2 3\nf 1 3 4\n").replace('\n', "\r"),
        format!("# caf\u{e9}\n\u{20}\t{CORNERS}\n\nf 1 \\\n2 \\\r\n 3 # one\nf\t1  3 4"),
        format!(
            "\u{feff}mtllib x.mtl\n{CORNERS}vn 0 0 1\nvt 0 0\ns off\nusemtl y\nf 1 2 3\nl 1 2\nf 1 3 4\n#end"
        ),
    ] {
        assert_eq!(obj(&text).mesh, plain, "{text:?}");
    }
    // A comment in an old encoding harms nothing.
    let mut bytes = b"# gr\xf6\xdfe\n".to_vec();
    bytes.extend(format!("{CORNERS}f 1 2 3\n").bytes());
    assert!(read_obj(&bytes, Path::new("a.obj"), &ImportOptions::default()).is_ok());
}

#[test]
fn obj_vertices_keep_every_bit_and_may_have_a_weight_and_a_colour() {
    let mesh = obj("v 0.1 1e-300 -0.30000000000000004\nv 1 2 3 1.0\nv 4 5 6 0.1 0.2 0.3\nv 7 8 9 1 0.1 0.2 0.3\nf 1 2 3\n").mesh;
    assert_eq!(mesh.vertices()[0], Vec3::new(0.1, 1e-300, -0.300_000_000_000_000_04));
    assert_eq!(mesh.vertices()[2..], [Vec3::new(4.0, 5.0, 6.0), Vec3::new(7.0, 8.0, 9.0)]);
}

#[test]
fn obj_faces_may_name_vertices_that_come_later() {
    assert_eq!(obj(&format!("f 1 2 3\n{CORNERS}")).mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn obj_groups_and_objects_name_the_triangles_that_follow() {
    let text = format!("{CORNERS}f 1 2 3\no body\ng left  side # note\nf 1 2 3 4\ng empty\ng\nf 2 3 4\n");
    let imported = obj(&text);
    assert_eq!(imported.groups, [group("left  side", 1, 2), group("", 3, 1)]);
    assert_eq!(imported.format, Format::Obj);
}

#[test]
fn concave_polygons_are_cut_inside_themselves() {
    // An L of area 3; the fan about its first corner would turn a triangle over.
    let imported = obj("v 2 2 0\nv 1 2 0\nv 1 1 0\nv 0 1 0\nv 0 0 0\nv 2 0 0\nf 4 5 6 1 2 3\n");
    assert_eq!(imported.mesh.triangles().len(), 4);
    let report = imported.mesh.topology();
    assert!((report.area - 3.0).abs() < 1e-15 && report.boundary_edges == 6);
    assert!(imported.mesh.corner_triples().all(|[a, b, c]| (b - a).cross(&(c - a)).z > 0.0));
}

#[test]
fn the_scale_turns_units_of_the_file_into_metres() {
    let options = ImportOptions { scale: 1e-3, ..ImportOptions::default() };
    let mesh =
        read_obj(b"v 0 0 0\nv 2000 0 0\nv 0 500 0\nf 1 2 3\n", Path::new("a.obj"), &options).unwrap().mesh;
    assert_eq!(mesh.vertices()[1..], [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.5, 0.0)]);
}

#[test]
fn binary_stl_is_known_by_its_size_even_when_it_starts_with_solid() {
    let mut bytes = b"solid facet normal".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(1_u32.to_le_bytes());
    for c in [0.0, 0.0, 1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32] {
        bytes.extend(c.to_le_bytes());
    }
    bytes.extend([7, 7]);
    let mesh = stl(&bytes).mesh;
    assert_eq!(mesh.vertices()[0], Vec3::new(f64::from(0.1_f32), 0.0, 0.0));
    assert_eq!(mesh.triangles(), [[0, 1, 2]]);
}

#[test]
fn text_stl_may_hold_several_solids_in_any_case() {
    let text = "SOLID first part\n FACET NORMAL 0 0 nan\n OUTER LOOP\n VERTEX 0 0 0\n VERTEX 1e0 0 0\n VERTEX 0 +1.5 0\n ENDLOOP\n \
                ENDFACET\nENDSOLID first part\n\nsolid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop \
                endfacet\nendsolid\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n")] {
        let imported = stl(text.as_bytes());
        assert_eq!(imported.groups, [group("first part", 0, 1), group("", 1, 1)]);
        assert_eq!(imported.mesh.vertices()[2], Vec3::new(0.0, 1.5, 0.0));
    }
}

/// A PLY file of a square with much around it that must be stepped over, in one of the three encodings.
fn crowded_ply(format: &str) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat {format} 1.0\ncomment made by hand\nobj_info none\nelement camera 2\nproperty uchar id\nproperty list uchar \
         double poses\nelement vertex 4\nproperty short tag\nproperty double y\nproperty float32 x\nproperty list int8 int16 \
         marks\nproperty int z\nelement face 2\nproperty uchar red\nproperty list uint8 uint32 vertex_index\nproperty float64 \
         quality\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n"
    )
    .into_bytes();
    let mut put = |text: &str, little: &[u8]| match format {
        "ascii" => bytes.extend(text.bytes().chain([b' '])),
        "binary_little_endian" => bytes.extend(little),
        _ => bytes.extend(little.iter().rev()),
    };
    let mut put_u8 = |v: u8| put(&v.to_string(), &[v]);
    put_u8(9);
    put_u8(0);
    put_u8(8);
    put_u8(2);
    for v in [0.5_f64, -1.5] {
        put(&v.to_string(), &v.to_le_bytes());
    }
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 0.1), (0.0, 0.1)] {
        put("-7", &(-7_i16).to_le_bytes());
        put(&format!("{y:?}"), &f64::to_le_bytes(y));
        put(&format!("{x:?}"), &f32::to_le_bytes(x));
        put("1", &[1]);
        put("-300", &(-300_i16).to_le_bytes());
        put("-2", &(-2_i32).to_le_bytes());
    }
    for corners in [&[0_u32, 1, 2, 3][..], &[2, 1, 0]] {
        put("255", &[255]);
        put(&corners.len().to_string(), &[corners.len() as u8]);
        for v in corners {
            put(&v.to_string(), &v.to_le_bytes());
        }
        put("0.25", &0.25_f64.to_le_bytes());
    }
    put("0", &0_i32.to_le_bytes());
    put("1", &1_i32.to_le_bytes());
    bytes
}

#[test]
fn ply_steps_over_what_it_does_not_know_in_every_encoding() {
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        let mesh = ply(&crowded_ply(format)).mesh;
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3], [2, 1, 0]], "{format}");
        assert_eq!(mesh.vertices()[2], Vec3::new(1.0, 0.1, -2.0), "{format}");
    }
}

#[test]
fn ply_strips_turn_every_second_triangle_and_restart_at_minus_one() {
    let text = "ply\r\nformat ascii 1.0\r\nelement tristrips 1\r\nproperty list int int vertex_indices\r\nelement vertex \
                5\r\nproperty float x\r\nproperty float y\r\nproperty float z\r\nend_header\r\n8 0 1 2 3 -1 4 3 2\r\n0 0 0\r\n1 0 \
                0\r\n0 1 0\r\n1 1 0\r\n2 2 0\r\n";
    assert_eq!(ply(text.as_bytes()).mesh.triangles(), [[0, 1, 2], [2, 1, 3], [4, 3, 2]]);
}

/// A glTF document over one external buffer `b.bin`: positions of five vertices from byte 0, indices from byte 60.
fn gltf(nodes: &str, primitives: &str, accessors: &str) -> ImportedMesh {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":{nodes},"meshes":[{{"name":"part","primitives":[{primitives}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":5,"type":"VEC3"}},{accessors}],
        "bufferViews":[{{"buffer":0,"byteLength":60}},{{"buffer":0,"byteOffset":60,"byteLength":36}},
        {{"buffer":0,"byteLength":60,"byteStride":12}}],"buffers":[{{"byteLength":96,"uri":"b.bin"}}]}}"#
    );
    let mut buffer = Vec::new();
    for p in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 0.5_f32]] {
        buffer.extend(p.iter().flat_map(|c| c.to_le_bytes()));
    }
    // At 60: six bytes 0 1 2 2 1 3 and two of padding; at 68: the same in u16; at 80: 0 1 2 in u32; at 92: 3 and padding.
    buffer.extend([0, 1, 2, 2, 1, 3, 0, 0]);
    buffer.extend([0_u16, 1, 2, 2, 1, 3].iter().flat_map(|v| v.to_le_bytes()));
    buffer.extend([0_u32, 1, 2, 3].iter().flat_map(|v| v.to_le_bytes()));
    let mut asked = Vec::new();
    let result = read_gltf_with(
        json.as_bytes(),
        Path::new("a.gltf"),
        &ImportOptions::default(),
        &mut |uri, wanted| {
            asked.push((uri.to_owned(), wanted));
            Ok(buffer.clone())
        },
    );
    let imported = result.unwrap_or_else(|error| panic!("{error}"));
    // The buffer is fetched once, whatever refers to it.
    assert_eq!(asked, [("b.bin".to_owned(), 96)]);
    imported
}

const NODE: &str = r#"[{"mesh":0}]"#;
const INDICES: &str = r#"{"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"},
    {"bufferView":1,"byteOffset":8,"componentType":5123,"count":6,"type":"SCALAR"},
    {"bufferView":1,"byteOffset":20,"componentType":5125,"count":3,"type":"SCALAR"},
    {"bufferView":2,"byteOffset":12,"componentType":5126,"count":4,"type":"VEC3"},
    {"bufferView":0,"componentType":5126,"count":5,"type":"VEC3","sparse":{"count":1,
    "indices":{"bufferView":1,"byteOffset":32,"componentType":5125},"values":{"bufferView":0,"byteOffset":48}}},
    {"bufferView":1,"byteOffset":1,"componentType":5121,"count":4,"type":"SCALAR"}"#;

#[test]
fn gltf_indices_may_have_any_width_or_be_absent() {
    for (index, expected) in
        [(1, vec![[0, 1, 2], [2, 1, 3]]), (2, vec![[0, 1, 2], [2, 1, 3]]), (3, vec![[0, 1, 2]])]
    {
        let primitive = format!(r#"{{"attributes":{{"POSITION":0}},"indices":{index}}}"#);
        let imported = gltf(NODE, &primitive, INDICES);
        assert_eq!(imported.mesh.triangles(), expected, "accessor {index}");
        assert_eq!(imported.groups, [group("part", 0, expected.len())]);
    }
    // Without indices a strip takes the vertices in order; here four of them, from the second on.
    let strip = gltf(NODE, r#"{"attributes":{"POSITION":4},"mode":5}"#, INDICES).mesh;
    assert_eq!(strip.triangles(), [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(strip.vertices()[0], Vec3::x());
    let fan = gltf(NODE, r#"{"attributes":{"POSITION":0},"mode":6}"#, INDICES).mesh;
    assert_eq!(fan.triangles(), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    let lines_too =
        r#"{"attributes":{"POSITION":0},"mode":1},{"attributes":{"POSITION":0},"indices":6,"mode":5}"#;
    assert_eq!(gltf(NODE, lines_too, INDICES).mesh.triangles(), [[1, 2, 2], [2, 2, 1]]);
}

#[test]
fn gltf_sparse_accessors_replace_single_elements() {
    let mesh = gltf(NODE, r#"{"attributes":{"POSITION":5},"indices":1}"#, INDICES).mesh;
    // Element 3 takes the values of the fifth vertex.
    assert_eq!(mesh.vertices()[3], Vec3::new(2.0, 2.0, 0.5));
    assert_eq!(mesh.vertices()[2], Vec3::y());
}

#[test]
fn gltf_nodes_place_their_meshes_and_mirrors_keep_the_outside_out() {
    let primitive = r#"{"attributes":{"POSITION":0},"indices":3}"#;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let nodes = format!(
        r#"[{{"name":"top","children":[1,2],"translation":[0.1,0,0],"scale":[2,2,2]}},
        {{"name":"turned","mesh":0,"rotation":[0,0,{half},{half}]}},
        {{"mesh":0,"matrix":[-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]}}]"#
    );
    let imported = gltf(&nodes, primitive, INDICES);
    assert_eq!(imported.groups, [group("turned", 0, 1), group("part", 1, 1)]);
    // f64 all the way: 0.1 is not the 0.1 of f32.
    assert!((imported.mesh.vertices()[1] - Vec3::new(0.1, 2.0, 0.0)).amax() < 1e-15);
    assert!((imported.mesh.vertices()[6] - Vec3::new(-1.9, 0.0, 10.0)).amax() < 1e-15);
    assert_eq!(imported.mesh.triangles(), [[0, 1, 2], [5, 7, 6]]);
    for [a, b, c] in imported.mesh.corner_triples() {
        assert!((b - a).cross(&(c - a)).z > 0.0);
    }
}

#[test]
fn gltf_quantised_positions_are_fractions_when_they_say_so() {
    let accessors = r#"{"bufferView":1,"componentType":5121,"count":1,"type":"VEC3","normalized":true},
        {"bufferView":1,"componentType":5121,"count":2,"type":"VEC3"},
        {"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}"#;
    let bytes = gltf(
        NODE,
        r#"{"attributes":{"POSITION":2},"mode":0},{"attributes":{"POSITION":0},"indices":3}"#,
        accessors,
    );
    assert_eq!(bytes.mesh.triangles(), [[0, 1, 2]]);
    let quantised = gltf(
        NODE,
        r#"{"attributes":{"POSITION":1},"mode":5},{"attributes":{"POSITION":0},"indices":3}"#,
        accessors,
    );
    // One vertex makes no strip, but it is there: 0/255, 1/255, 2/255.
    assert_eq!(quantised.mesh.vertices()[0], Vec3::new(0.0, 1.0 / 255.0, 2.0 / 255.0));
}

#[test]
fn gltf_buffers_beside_the_file_are_found_by_their_escaped_names() {
    let temporary = tempfile::TempDir::new().unwrap();
    let folder = temporary.path();
    std::fs::create_dir_all(folder.join("data")).unwrap();
    let json = r#"{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data/my%20part.bin"}]}"#;
    let floats = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32];
    std::fs::write(
        folder.join("data/my part.bin"),
        floats.iter().flat_map(|c| c.to_le_bytes()).collect::<Vec<u8>>(),
    )
    .unwrap();
    std::fs::write(folder.join("a.GLTF"), json).unwrap();
    let imported = read_mesh(folder.join("a.GLTF"), &ImportOptions::default());
    // Without nodes every mesh is taken as it is.
    assert_eq!(imported.unwrap().mesh.triangles(), [[0, 1, 2]]);
}
