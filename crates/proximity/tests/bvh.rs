//! Hierarchies: bounds are never beyond the truth, whatever the volume; building, refitting and storing keep what they promise.

mod mesh_samples;

use mesh_samples::{blob, pose_at, soup, torus};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::TriangleMesh;
use zerogap_proximity::bvh::{
    AxisBox, Ball, BoundingVolume, BuildParams, Bvh, Dop, Frame, Obb, Relative, SplitRule, StoreError, WIDTH,
};
use zerogap_proximity::mesh::{MeshBody, MeshDistanceParams, MeshWork, surface_distance, triangle_distance};
use zerogap_testkit::random::Random;
use zerogap_testkit::{brute, count};

fn triangles(mesh: &TriangleMesh) -> Vec<[Vec3; 3]> {
    mesh.corner_triples().collect()
}

/// A few triangles at random, flat, thin or fat, within the unit cube.
fn patch(random: &mut Random) -> Vec<[Vec3; 3]> {
    let (middle, size) = (random.in_cube(0.5), [0.5, 0.1, 1e-3, 1e-6][random.index(4)]);
    let squash = [Vec3::repeat(1.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 1e-4, 0.0)][random.index(3)];
    let turn = Pose::new(middle, random.quaternion_xyzw()).unwrap();
    let count = 1 + random.index(6);
    let mut corner = || turn.transform_point(&random.in_cube(size).component_mul(&squash));
    (0..count).map(|_| [corner(), corner(), corner()]).collect()
}

fn volumes_keep_their_word<V: BoundingVolume>() {
    let mut random = Random::new(21);
    for k in 0..count(400, 20_000) {
        let (a, b) = (patch(&mut random), patch(&mut random));
        let (va, vb) = (V::fit(&a), V::fit(&b));
        // Units and places of all sizes.
        let frames = [1.0, 1e-20, 1e3].map(|unit| Frame { origin: random.in_cube(unit), unit });
        let (fa, fb) = (frames[k % 3], frames[k / 3 % 3]);
        let pose = pose_at(&mut random, 0.0);
        let far = [0.0, 1.0, 10.0, 1e4][k % 4] * (fa.unit + fb.unit);
        let translation = random.direction() * far;
        let rotation: Mat3 = pose.rotation_matrix();
        let at = Relative::new(rotation, &translation, &fa, &fb);
        let place = |t: &[Vec3; 3]| t.map(|p| p * fa.unit + fa.origin);
        let seen = |t: &[Vec3; 3]| t.map(|p| rotation * (p * fb.unit + fb.origin) + translation);
        let mut exact = f64::INFINITY;
        for x in &a {
            for y in &b {
                exact = exact.min(triangle_distance(&place(x), &seen(y)).distance);
            }
        }
        let bound = va.lower_bound(&vb, &at);
        assert!((0.0..=exact).contains(&bound), "{}: {bound:e} for {exact:e}", V::NAME);
        let back = vb.lower_bound(&va, &at.reversed());
        assert!((0.0..=exact).contains(&back), "{}: {back:e} for {exact:e}", V::NAME);
        assert!(exact > 0.0 || va.overlaps(&vb, &at), "{}", V::NAME);
        if !at.is_far() {
            let mut found = [0.0; WIDTH];
            let copies = vec![vb; 1 + k % WIDTH];
            va.separations(&V::pack(&copies), &at, f64::INFINITY, &mut found);
            assert!(
                found[..copies.len()].iter().all(|bound| *bound <= exact),
                "{}: {found:?} for {exact:e}",
                V::NAME
            );
        }
        // Points, directions and segments.
        let q = random.in_cube(2.0);
        let near = a.iter().map(|t| brute::triangle_distance(t, &q)).fold(f64::INFINITY, f64::min);
        assert!(va.distance_from(&q) <= near, "{}", V::NAME);
        let n = random.direction();
        let reach = a.iter().flatten().map(|p| p.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
        assert!(va.reach(&n) >= reach && va.reach(&n) <= reach + 4.0, "{}", V::NAME);
        let through = a[0][0] + (a[0][1] - a[0][0]) * random.unit();
        assert!(va.meets_segment(&(through + n * 3.0), &(through - n * 2.0)), "{}", V::NAME);
        assert!(a.iter().flatten().all(|p| va.distance_from(p) <= 0.0));
        assert!(va.volume(1e-3) > 0.0 && va.size() >= 0.0);
        // Swept: both ends and half the way.
        let (start, end) = (pose_at(&mut random, 0.1), pose_at(&mut random, 0.3));
        let swept = va.swept(&start, &end);
        for p in a.iter().flatten() {
            let (x, y) = (start.transform_point(p), end.transform_point(p));
            assert!(
                [0.0, 0.5, 1.0].iter().all(|t| swept.distance_from(&(x + (y - x) * *t)) <= 1e-7),
                "{}",
                V::NAME
            );
        }
    }
}

#[test]
fn no_bound_is_beyond_the_truth() {
    volumes_keep_their_word::<Ball>();
    volumes_keep_their_word::<AxisBox>();
    volumes_keep_their_word::<Obb>();
    volumes_keep_their_word::<Dop<7>>();
    volumes_keep_their_word::<Dop<9>>();
    volumes_keep_their_word::<Dop<13>>();
}

fn trees_keep_their_word<V: BoundingVolume>(mesh: &TriangleMesh) {
    let all = triangles(mesh);
    for rule in [SplitRule::Longest, SplitRule::SmallestVolumes, SplitRule::SurfaceArea] {
        for leaf in [1, 2, 5] {
            let params = BuildParams { rule, leaf };
            let tree = Bvh::<V>::build(&all, &params);
            assert!(tree.holds(&all), "{} by {rule:?}", V::NAME);
            assert!(tree.nodes().iter().all(|node| node.count <= leaf));
            // The same bits on one thread.
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert!(pool.install(|| Bvh::<V>::build(&all, &params)) == tree);
            // Written and read back.
            let bytes = tree.to_bytes();
            assert!(Bvh::<V>::from_bytes(&bytes).unwrap() == tree);
        }
    }
}

#[test]
fn trees_hold_every_triangle_and_come_back_from_bytes() {
    let mut random = Random::new(22);
    // Large enough that parts are built as tasks of their own.
    let meshes = [torus(60, 40, 1.0, 0.4, 0.03), soup(&mut random, 50, 0.01), blob(5, 4)];
    for mesh in &meshes {
        trees_keep_their_word::<Obb>(mesh);
    }
    trees_keep_their_word::<Ball>(&meshes[1]);
    trees_keep_their_word::<AxisBox>(&meshes[1]);
    trees_keep_their_word::<Dop<13>>(&meshes[1]);
    // All triangles in one place, and a single one.
    let same = vec![[Vec3::x(), Vec3::y(), Vec3::z()]; 37];
    let tree = Bvh::<Obb>::build(&same, &BuildParams::default());
    assert!(tree.holds(&same));
    assert!(Bvh::<Ball>::build(&same[..1], &BuildParams::default()).holds(&same[..1]));
}

#[test]
fn damaged_bytes_are_refused_with_a_reason() {
    let all = triangles(&torus(8, 6, 1.0, 0.3, 0.0));
    let tree = Bvh::<Obb>::build(&all, &BuildParams::default());
    let bytes = tree.to_bytes();
    assert_eq!(Bvh::<Obb>::from_bytes(b"solid"), Err(StoreError::NoHierarchy));
    assert!(matches!(Bvh::<Ball>::from_bytes(&bytes), Err(StoreError::Volume { .. })));
    assert!(matches!(Bvh::<Obb>::from_bytes(&bytes[..bytes.len() - 1]), Err(StoreError::Length { .. })));
    let mut newer = bytes.clone();
    newer[4] = 9;
    assert_eq!(Bvh::<Obb>::from_bytes(&newer), Err(StoreError::Version { found: 9 }));
    // Every single byte, changed, is noticed.
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x40;
        assert!(Bvh::<Obb>::from_bytes(&changed).is_err(), "byte {at}");
    }
    // Cut anywhere, it is refused and nothing panics.
    for end in 0..bytes.len() {
        assert!(Bvh::<Obb>::from_bytes(&bytes[..end]).is_err());
    }
    // It belongs to its own triangles alone.
    let mesh = torus(8, 6, 1.0, 0.3, 0.0);
    assert!(MeshBody::with_tree(mesh, tree.clone()).is_some());
    assert!(MeshBody::with_tree(torus(8, 6, 1.5, 0.3, 0.0), tree.clone()).is_none());
    assert!(MeshBody::with_tree(torus(6, 6, 1.0, 0.3, 0.0), tree).is_none());
}

#[test]
fn a_refitted_body_answers_like_one_built_anew() {
    let mut random = Random::new(23);
    let mesh = torus(24, 16, 1.0, 0.3, 0.02);
    let mut body = MeshBody::<Obb>::new(mesh.clone());
    let other = MeshBody::<Obb>::new(blob(12, 10));
    let (mut work, params) = (MeshWork::default(), MeshDistanceParams::default());
    for k in 1..6 {
        // Bent more and more.
        let bend = 0.3 * f64::from(k);
        let bent = mesh.vertices().iter().map(|p| p + Vec3::new(0.0, bend * p.x * p.x, 0.1 * bend)).collect();
        let bent = TriangleMesh::new(bent, mesh.triangles().to_vec()).unwrap();
        body.refit(bent.clone()).unwrap();
        assert!(body.tree().holds(&triangles(&bent)));
        let anew = MeshBody::<Obb>::new(bent);
        let pose = pose_at(&mut random, 3.0);
        let ask = |body: &MeshBody<Obb>, work: &mut MeshWork| {
            surface_distance(body, &Pose::identity(), &other, &pose, &params, work)
        };
        let (fast, slow) = (ask(&body, &mut work), ask(&anew, &mut work));
        assert!((fast.gap - slow.gap).abs() <= 1e-14);
    }
    assert!(body.refit(blob(4, 4)).is_err());
}
