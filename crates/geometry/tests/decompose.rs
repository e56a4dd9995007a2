//! Decomposition: how many pieces, that they cover the solid, and that they stick out no farther than asked.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::parts::outline::Point2;
use zerogap_geometry::parts::stack::extrude;
use zerogap_geometry::{
    DecomposeParams, DecomposeStatus, Decomposition, GeometryError, TriangleMesh, decompose,
    decompose_with_progress, parts,
};
use zerogap_testkit::brute::triangle_distance;
use zerogap_testkit::random::Random;

/// An L, T, U or other prism of height 1 over a plane outline.
fn prism(outline: &[Point2]) -> TriangleMesh {
    extrude(outline, &[], -0.5, 0.5).unwrap()
}

fn ell() -> TriangleMesh {
    prism(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])
}

fn tee() -> TriangleMesh {
    prism(&[
        [-1.5, 0.0],
        [-0.5, 0.0],
        [-0.5, -2.0],
        [0.5, -2.0],
        [0.5, 0.0],
        [1.5, 0.0],
        [1.5, 1.0],
        [-1.5, 1.0],
    ])
}

fn you() -> TriangleMesh {
    prism(&[[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])
}

fn plus() -> TriangleMesh {
    prism(&[
        [-1.5, -0.5],
        [-0.5, -0.5],
        [-0.5, -1.5],
        [0.5, -1.5],
        [0.5, -0.5],
        [1.5, -0.5],
        [1.5, 0.5],
        [0.5, 0.5],
        [0.5, 1.5],
        [-0.5, 1.5],
        [-0.5, 0.5],
        [-1.5, 0.5],
    ])
}

fn frame() -> TriangleMesh {
    let square = |h: f64| vec![[-h, -h], [h, -h], [h, h], [-h, h]];
    extrude(&square(2.0), &[square(1.0)], -0.25, 0.25).unwrap()
}

fn stairs(steps: u32) -> TriangleMesh {
    let n = f64::from(steps);
    let mut outline = vec![[0.0, 0.0], [n, 0.0]];
    for k in 0..steps {
        let k = f64::from(k);
        outline.push([n - k, k + 1.0]);
        outline.push([n - k - 1.0, k + 1.0]);
    }
    prism(&outline)
}

/// The same mesh turned, moved and scaled.
fn moved(mesh: &TriangleMesh, pose: &Pose, scale: f64) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|p| pose.transform_point(&(p * scale))).collect();
    TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

/// Two meshes side by side in one.
fn together(one: &TriangleMesh, two: &TriangleMesh) -> TriangleMesh {
    let shift = one.vertices().len() as u32;
    let vertices = one.vertices().iter().chain(two.vertices()).copied().collect();
    let triangles =
        one.triangles().iter().copied().chain(two.triangles().iter().map(|t| t.map(|i| i + shift)));
    TriangleMesh::new(vertices, triangles.collect()).unwrap()
}

/// Winding number of the surface about a point by solid angles: the oracle for inside and outside.
fn winding(mesh: &TriangleMesh, p: &Vec3) -> f64 {
    mesh.corner_triples()
        .map(|corners| {
            let [a, b, c] = corners.map(|q| q - p);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * zerogap_core::math::atan2(a.dot(&b.cross(&c)), below)
        })
        .sum::<f64>()
        / (4.0 * std::f64::consts::PI)
}

/// Distance to a surface by looking at every triangle.
fn distance(mesh: &TriangleMesh, p: &Vec3) -> f64 {
    mesh.corner_triples().map(|corners| triangle_distance(&corners, p)).fold(f64::INFINITY, f64::min)
}

/// Height of a point above the highest face of a convex piece [m]; negative inside.
///
/// Faces thinner than `thin` [m] have no direction to speak of; their neighbours bound the same place.
fn above(piece: &zerogap_geometry::Polyhedron, p: &Vec3, thin: f64) -> f64 {
    piece
        .triangles()
        .filter_map(|t| {
            let [a, b, c] = t.map(|i| piece.vertices()[i as usize]);
            let normal = (b - a).cross(&(c - a));
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            (normal.norm() > thin * longest).then(|| normal.normalize().dot(&(p - a)))
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// Random points of the solid lie in some piece; random points of pieces lie near the solid; pieces are convex and closed.
fn check(name: &str, mesh: &TriangleMesh, result: &Decomposition, limit: f64) {
    let size = mesh.bounding_box().diagonal();
    let (center, half) = (mesh.bounding_box().center(), 0.5 * mesh.bounding_box().size());
    let mut random = Random::new(7);
    for _ in 0..zerogap_testkit::count(300, 20_000) {
        let p = center + random.in_cube(1.0).component_mul(&half);
        if winding(mesh, &p) > 0.5 {
            let height =
                result.pieces.iter().map(|piece| above(piece, &p, 1e-7 * size)).fold(f64::INFINITY, f64::min);
            assert!(height <= 1e-9 * size, "{name}: {p:?} is in the solid and {height} m off every piece");
        }
    }
    for piece in &result.pieces {
        let volume: f64 = piece
            .triangles()
            .map(|t| {
                let [a, b, c] = t.map(|i| piece.vertices()[i as usize] - center);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum();
        assert!(volume > 0.0, "{name}: a piece has volume {volume}");
        for p in piece.vertices() {
            assert!(above(piece, p, 1e-7 * size) < 1e-9 * size, "{name}: a piece is not convex");
        }
        // Random mixtures of corners, most of them near the surface.
        for _ in 0..zerogap_testkit::count(60, 3000) {
            let mut p = Vec3::zeros();
            let mut total = 0.0;
            for v in piece.vertices() {
                let weight = random.unit().powi(12);
                p += v * weight;
                total += weight;
            }
            p /= total;
            if winding(mesh, &p) < 0.5 {
                let off = distance(mesh, &p);
                // The search stops within 2 % or a tenth of the limit on the surface of a piece.
                assert!(off <= 1.1 * limit, "{name}: a piece sticks out by {off} m, allowed are {limit}");
            }
        }
    }
}

fn count(mesh: &TriangleMesh, ratio: f64) -> usize {
    let result = decompose(mesh, &DecomposeParams::relative(mesh, ratio)).unwrap();
    assert_eq!(result.status, DecomposeStatus::Reached);
    result.pieces.len()
}

#[test]
fn plain_shapes_fall_into_as_few_boxes_as_possible() {
    let shapes = [
        ("box", parts::by_name("box", &[]).unwrap(), 1),
        ("sphere", parts::by_name("sphere", &[]).unwrap(), 1),
        ("L", ell(), 2),
        ("T", tee(), 2),
        ("U", you(), 3),
        ("plus", plus(), 3),
        ("plate with a square hole", frame(), 4),
        ("3 steps", stairs(3), 3),
        ("5 steps", stairs(5), 5),
        ("8 steps", stairs(8), 8),
    ];
    for (name, mesh, expected) in &shapes {
        for ratio in [1e-2, 1e-4, 0.0] {
            let params = DecomposeParams::relative(mesh, ratio);
            let result = decompose(mesh, &params).unwrap();
            assert_eq!(result.pieces.len(), *expected, "{name} at {ratio}");
            assert_eq!(result.status, DecomposeStatus::Reached, "{name}");
            let size = mesh.bounding_box().diagonal();
            assert!(result.concavity <= 1e-12 * size, "{name}: {} m", result.concavity);
            assert!(result.volume_excess.abs() <= 1e-9 * size.powi(3), "{name}: {} m³", result.volume_excess);
            check(name, mesh, &result, 1e-9 * size);
        }
    }
}

#[test]
fn a_generous_limit_leaves_the_hull() {
    for mesh in [ell(), you(), plus(), frame(), parts::by_name("gear", &[]).unwrap()] {
        assert_eq!(count(&mesh, 0.5), 1);
    }
}

#[test]
fn curved_parts_get_fewer_pieces_the_more_they_may_stick_out() {
    for (name, settings) in [
        ("torus", vec![("segments", "32"), ("tube_segments", "16")]),
        ("gear", vec![("teeth", "12"), ("flank_segments", "4"), ("bore_segments", "24")]),
        ("connecting-rod", vec![("segments", "32")]),
        ("hole-plate", vec![("segments", "32")]),
        ("crankshaft", vec![("segments", "24")]),
    ] {
        let mesh = parts::by_name(name, &settings).unwrap();
        let mut last = usize::MAX;
        for ratio in [0.02, 0.05, 0.15] {
            let params = DecomposeParams::relative(&mesh, ratio);
            let start = std::time::Instant::now();
            let result = decompose(&mesh, &params).unwrap();
            println!(
                "{name}, {} triangles, limit {ratio} of the diagonal: {} pieces, concavity {:.4} of the limit, excess {:.2} %, {:?}",
                mesh.triangles().len(),
                result.pieces.len(),
                result.concavity / params.max_concavity,
                100.0 * result.volume_excess / mesh.bounding_box().size().product(),
                start.elapsed()
            );
            assert_eq!(result.status, DecomposeStatus::Reached, "{name} at {ratio}");
            assert!(result.concavity <= params.max_concavity);
            assert!(result.pieces.len() <= last, "{name} at {ratio}: {} after {last}", result.pieces.len());
            last = result.pieces.len();
            check(name, &mesh, &result, params.max_concavity);
        }
    }
}

#[test]
fn turning_moving_and_scaling_keep_the_number_of_pieces() {
    let mut random = Random::new(3);
    for (mesh, expected) in [(ell(), 2), (tee(), 2), (you(), 3), (plus(), 3), (frame(), 4), (stairs(4), 4)] {
        for scale in [1e-9, 1e-3, 1.0, 1e9] {
            for _ in 0..zerogap_testkit::count(2, 50) {
                let pose = Pose::new(random.in_cube(3.0 * scale), random.quaternion_xyzw()).unwrap();
                assert_eq!(count(&moved(&mesh, &pose, scale), 1e-3), expected, "scale {scale}, {pose:?}");
            }
        }
    }
    // Far from the origin the coordinates themselves are rough; the pieces are not more for it.
    let far = Pose::new(Vec3::new(1e6, -2e6, 5e5), random.quaternion_xyzw()).unwrap();
    assert_eq!(count(&moved(&you(), &far, 1.0), 1e-3), 3);
}

#[test]
fn the_same_mesh_gives_the_same_bits() {
    let mesh = parts::by_name("connecting-rod", &[("segments", "24")]).unwrap();
    let params = DecomposeParams::relative(&mesh, 0.03);
    assert_eq!(decompose(&mesh, &params).unwrap(), decompose(&mesh, &params).unwrap());
}

#[test]
fn separate_bodies_and_hollow_ones_are_told_apart() {
    let cube = parts::Cuboid { width: 1.0, depth: 1.0, height: 1.0 }.generate().unwrap();
    let aside = moved(&cube, &Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)).unwrap(), 1.0);
    assert_eq!(count(&together(&cube, &aside), 1e-3), 2);
    // A cavity: the inner box faces inward. Six walls close it.
    let inner = moved(&cube, &Pose::identity(), 0.5);
    let rotated = inner.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let hollow = together(&cube, &TriangleMesh::new(inner.vertices().to_vec(), rotated).unwrap());
    let result = decompose(&hollow, &DecomposeParams::relative(&hollow, 1e-3)).unwrap();
    assert_eq!(result.pieces.len(), 6);
    check("hollow box", &hollow, &result, 1e-3);
}

#[test]
fn the_number_of_pieces_is_bounded_and_the_status_says_so() {
    let mesh = stairs(6);
    let params = DecomposeParams { max_pieces: 3, ..DecomposeParams::relative(&mesh, 1e-3) };
    let mut calls = Vec::new();
    let result =
        decompose_with_progress(&mesh, &params, |done, concavity| calls.push((done, concavity))).unwrap();
    assert_eq!((result.status, result.pieces.len()), (DecomposeStatus::MaxPieces, 3));
    assert!(result.concavity > params.max_concavity);
    // The first round is reported piece by piece; the last call is the result.
    assert_eq!(calls.iter().map(|(done, _)| *done).take(3).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(calls.last(), Some(&(3, result.concavity)));
}

#[test]
fn bad_input_is_refused_with_its_values() {
    let mesh = ell();
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        let error = decompose(&mesh, &DecomposeParams::new(bad)).unwrap_err().to_string();
        assert!(error.contains("max_concavity") && error.contains(&format!("{bad}")), "{error}");
    }
    assert!(decompose(&mesh, &DecomposeParams { max_pieces: 0, ..DecomposeParams::new(0.1) }).is_err());
    let open = TriangleMesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec()).unwrap();
    let error = decompose(&open, &DecomposeParams::new(0.1)).unwrap_err();
    assert!(matches!(error, GeometryError::NotClosed { boundary_edges: 3, .. }), "{error}");
    let rotated = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inward = TriangleMesh::new(mesh.vertices().to_vec(), rotated).unwrap();
    assert!(matches!(
        decompose(&inward, &DecomposeParams::new(0.1)).unwrap_err(),
        GeometryError::InsideOut { .. }
    ));
    // Two triangles back to back: closed, without volume.
    let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y()];
    let flat = TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 1]]).unwrap();
    assert!(decompose(&flat, &DecomposeParams::new(0.1)).is_err());
}

#[test]
fn unwelded_and_flat_triangles_change_nothing() {
    let mesh = ell();
    // As a file of loose triangles has it: every corner its own vertex.
    let loose: Vec<Vec3> = mesh.corner_triples().flatten().collect();
    let triangles = (0..loose.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    assert_eq!(count(&TriangleMesh::new(loose, triangles).unwrap(), 1e-3), 2);
    // Every edge of a triangle halved on its side alone, the crack closed by a triangle without area.
    for split in 0..mesh.triangles().len() {
        let mut vertices = mesh.vertices().to_vec();
        let mut triangles = mesh.triangles().to_vec();
        let [a, b, c] = triangles[split];
        let middle = vertices.len() as u32;
        vertices.push(0.5 * (vertices[a as usize] + vertices[b as usize]));
        triangles[split] = [a, middle, c];
        triangles.extend([[middle, b, c], [a, b, middle]]);
        assert_eq!(count(&TriangleMesh::new(vertices, triangles).unwrap(), 1e-3), 2, "triangle {split}");
    }
}

#[test]
fn bodies_that_share_an_edge_or_pass_through_each_other_end_in_an_answer() {
    let cube = parts::Cuboid { width: 1.0, depth: 1.0, height: 1.0 }.generate().unwrap();
    let at = |x: f64, y: f64| moved(&cube, &Pose::from_translation(Vec3::new(x, y, 0.0)).unwrap(), 1.0);
    // Four triangles at one edge: no inside can be determined there.
    let error = decompose(&together(&cube, &at(1.0, 1.0)), &DecomposeParams::new(0.01)).unwrap_err();
    assert!(matches!(error, GeometryError::NotClosed { non_manifold_edges: 1, .. }), "{error}");
    assert_eq!(count(&together(&cube, &at(0.5, 0.25)), 1e-3), 2);
}

#[test]
fn any_number_of_samples_is_taken() {
    let ring = parts::Torus { segments: 12, tube_segments: 6, ..parts::Torus::default() }.generate().unwrap();
    for samples in [0, 1, usize::MAX] {
        let params = DecomposeParams { samples, ..DecomposeParams::relative(&ring, 0.3) };
        assert!(!decompose(&ring, &params).unwrap().pieces.is_empty());
    }
}
