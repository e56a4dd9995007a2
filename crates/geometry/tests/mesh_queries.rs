//! Rays, nearest points and containment of meshes, against closed forms and certificates.

mod mesh_samples;

use mesh_samples::{ball, cube, cuboid, ring, soup};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::{GeometryError, Ray, TriangleMesh};
use zerogap_testkit::random::Random;

/// Signed distance to the cuboid of half sizes `h` about the origin, in closed form.
fn cuboid_gap(p: &Vec3, h: &Vec3) -> f64 {
    let q = p.abs() - h;
    q.map(|c| c.max(0.0)).norm() + q.max().min(0.0)
}

#[test]
fn the_gap_to_a_cuboid_is_that_of_the_closed_form() {
    let mut random = Random::new(21);
    for _ in 0..zerogap_testkit::count(2_000, 100_000) {
        let half = Vec3::from_fn(|_, _| random.range(0.1, 2.0));
        let mesh = cuboid((-half).into(), half.into());
        let p = random.in_cube(3.0);
        let found = mesh.closest_point(&p).unwrap();
        assert!((found.gap - cuboid_gap(&p, &half)).abs() < 1e-14, "{p:?} {half:?}");
        assert!((p - found.point - found.gap * found.normal).amax() < 1e-14);
        assert!((found.normal.norm() - 1.0).abs() < 1e-14);
        assert_eq!(mesh.contains(&p), found.gap <= 0.0);
    }
}

#[test]
fn the_nearest_point_is_certified_by_the_half_space_it_leaves() {
    // The nearest point p of a convex set to q is the one for which no corner lies on q's side of the plane through p across q - p.
    let mut random = Random::new(22);
    for k in 0..zerogap_testkit::count(20_000, 1_000_000) {
        let scale = [1e-9, 1.0, 1e9][k % 3];
        // Slivers in between make the certificate loose, not the distance: exact arithmetic judges them below.
        let flat = [1.0, 0.0][k / 3 % 2];
        let a = random.in_cube(scale);
        let along = random.in_cube(scale);
        let b = a + along;
        let c = a + along * random.range(-0.5, 1.5) + random.in_cube(scale) * flat;
        let q = if k % 5 == 0 { a + 0.3 * (b - a) + 0.2 * (c - a) } else { random.in_cube(2.0 * scale) };
        let found = soup(&[[a, b, c]]).nearest_point(&q);
        let p = found.point;
        let away = q - p;
        let excess = [a, b, c].iter().map(|v| (v - p).dot(&away)).fold(f64::NEG_INFINITY, f64::max);
        // No point of the triangle is nearer than |away| - excess / |away|; the second term is what rounding the point does to it.
        let tolerance = 1e-14 * away.norm() * away.norm().max(scale) + 2e-15 * scale * scale;
        assert!(excess <= tolerance, "case {k}: {excess:e} at {:e}", away.norm());
        assert!(
            k % 5 != 0 || found.distance <= 1e-14 * scale,
            "case {k}: {:e} from its own point",
            found.distance
        );
        assert!((found.distance - away.norm()).abs() <= 1e-15 * found.distance);
        // The point is on the triangle: what is left after projecting out the plane and clamping is rounding.
        let again = soup(&[[a, b, c]]).nearest_point(&p);
        assert!(again.distance <= 1e-14 * scale, "case {k}: {:e} off the triangle", again.distance);
    }
}

/// Exact squared distance of whole-numbered points, as a fraction: the least over corners, sides and the face.
fn exact_distance([a, b, c]: [[i128; 3]; 3], q: [i128; 3]) -> f64 {
    let sub = |u: [i128; 3], v: [i128; 3]| [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
    let dot = |u: [i128; 3], v: [i128; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let cross = |u: [i128; 3], v: [i128; 3]| {
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    };
    let mut squares: Vec<f64> = [a, b, c].iter().map(|&v| dot(sub(q, v), sub(q, v)) as f64).collect();
    let sides = [(a, b), (b, c), (c, a)];
    for (u, v) in sides {
        let (side, to_q) = (sub(v, u), sub(q, u));
        let (along, length) = (dot(to_q, side), dot(side, side));
        if 0 < along && along < length {
            squares.push((dot(to_q, to_q) * length - along * along) as f64 / length as f64);
        }
    }
    let normal = cross(sub(b, a), sub(c, a));
    let above = sides.iter().all(|&(u, v)| dot(cross(sub(v, u), sub(q, u)), normal) > 0);
    if above {
        let height = dot(sub(q, a), normal);
        squares.push((height * height) as f64 / dot(normal, normal) as f64);
    }
    squares.into_iter().fold(f64::INFINITY, f64::min).sqrt()
}

#[test]
fn the_distance_to_slivers_is_that_of_exact_arithmetic() {
    let mut random = Random::new(29);
    // Whole numbers of at most 18 bits keep every product of the oracle within 127 bits; powers of two change the scale exactly.
    let size = f64::from(1 << 16);
    for k in 0..zerogap_testkit::count(20_000, 1_000_000) {
        let mut whole = |p: Vec3| [p.x.round() as i128, p.y.round() as i128, p.z.round() as i128];
        let (a, b) = (random.in_cube(size), random.in_cube(size));
        // The third corner lies off the line of the others by a few units, by one, or by rounding alone.
        let off = [1.0, 1e-2, 1e-4, 0.0][k % 4] * size;
        let c = a + (b - a) * random.range(-0.2, 1.2) + random.in_cube(off);
        let spread = random.range(0.0, 20.0);
        let middle = a + (b - a) * random.unit() * 0.9 + (c - a) * random.unit() * 0.1;
        let q = if k % 3 == 0 { random.in_cube(2.0 * size) } else { middle + random.in_cube(spread) };
        let [a, b, c, q] = [a, b, c, q].map(&mut whole);
        let exact = exact_distance([a, b, c], q);
        let scale = [1.0, 2_f64.powi(-80), 2_f64.powi(80)][k % 3];
        let [a, b, c, q] = [a, b, c, q].map(|p| Vec3::from(p.map(|x| x as f64)) * scale);
        let found = soup(&[[a, b, c]]).nearest_point(&q).distance / scale;
        assert!((found - exact).abs() <= 1e-14 * size.max(exact), "case {k}: {found} against {exact}");
    }
}

#[test]
fn points_on_the_surface_have_no_gap_and_count_as_inside() {
    let mesh = cube();
    for p in [[0.0, 0.5, 0.5], [1.0, 1.0, 1.0], [0.5, 0.0, 0.0], [0.25, 0.25, 1.0]].map(Vec3::from) {
        let found = mesh.closest_point(&p).unwrap();
        assert!(found.gap == 0.0 && (found.normal.norm() - 1.0).abs() < 1e-15);
        assert!(mesh.contains(&p));
        let outward = p - Vec3::repeat(0.5);
        assert!(found.normal.dot(&outward) > 0.0);
    }
}

#[test]
fn the_winding_number_counts_shells() {
    let mut random = Random::new(23);
    let two = cuboid([-1.0; 3], [1.0; 3]).merged(&cuboid([-2.0; 3], [2.0; 3])).unwrap();
    let hollow = cuboid([-1.0; 3], [1.0; 3]).flipped().merged(&cuboid([-2.0; 3], [2.0; 3])).unwrap();
    for _ in 0..500 {
        let p = random.in_cube(3.0);
        let (inner, outer) = (f64::from(u8::from(p.amax() < 1.0)), f64::from(u8::from(p.amax() < 2.0)));
        if (p.amax() - 1.0).abs() > 1e-9 && (p.amax() - 2.0).abs() > 1e-9 {
            assert!((two.winding_number(&p) - inner - outer).abs() < 1e-12);
            assert!((hollow.winding_number(&p) + inner - outer).abs() < 1e-12);
            assert_eq!(hollow.contains(&p), p.amax() < 2.0 && p.amax() >= 1.0);
        }
    }
}

#[test]
fn the_side_is_right_down_to_a_millionth_of_a_millionth() {
    let mut random = Random::new(28);
    let mesh = ball(2);
    for [a, b, c] in mesh.corner_triples() {
        let (u, v) = (random.range(0.05, 0.45), random.range(0.05, 0.45));
        let on = a + u * (b - a) + v * (c - a);
        let outward = (b - a).cross(&(c - a)).normalize();
        for distance in [1e-12, 1e-9, 1e-3] {
            assert!(mesh.contains(&(on - distance * outward)), "{distance} inside");
            assert!(!mesh.contains(&(on + distance * outward)), "{distance} outside");
        }
    }
}

#[test]
fn containment_survives_holes_and_cracks() {
    // A ball with one triangle missing: inside stays inside and outside outside, away from the hole.
    let whole = ball(3);
    let open = TriangleMesh::new(whole.vertices().to_vec(), whole.triangles()[1..].to_vec()).unwrap();
    let mut random = Random::new(24);
    for _ in 0..500 {
        let direction = random.direction();
        assert!(open.contains(&(direction * random.range(0.0, 0.8))));
        assert!(!open.contains(&(direction * random.range(1.1, 3.0))));
    }
    assert!(matches!(
        open.closest_point(&Vec3::zeros()),
        Err(GeometryError::NotClosed { boundary_edges: 3, .. })
    ));
    // The unsigned answer needs no closed mesh.
    assert!(open.nearest_point(&Vec3::zeros()).distance > 0.9);
}

#[test]
fn bad_points_are_refused_or_outside() {
    let nan = Vec3::new(0.5, f64::NAN, 0.5);
    assert!(matches!(cube().closest_point(&nan), Err(GeometryError::Input(_))));
    assert!(!cube().contains(&nan));
    let ray = |origin, direction| cube().cast_ray(&Ray { origin, direction });
    assert!(ray(nan, Vec3::x()).is_none());
    assert!(ray(Vec3::zeros(), Vec3::zeros()).is_none());
    assert!(ray(Vec3::zeros(), Vec3::new(f64::INFINITY, 0.0, 0.0)).is_none());
}

#[test]
fn rays_meet_a_cuboid_where_the_slabs_say() {
    let mut random = Random::new(25);
    let mut hits = 0;
    for _ in 0..zerogap_testkit::count(5_000, 200_000) {
        let half = Vec3::from_fn(|_, _| random.range(0.1, 2.0));
        let mesh = cuboid((-half).into(), half.into());
        let ray = Ray { origin: random.in_cube(3.0), direction: random.direction() };
        // Entry and exit by slabs.
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for k in 0..3 {
            let (s, t) =
                ((-half[k] - ray.origin[k]) / ray.direction[k], (half[k] - ray.origin[k]) / ray.direction[k]);
            enter = enter.max(s.min(t));
            leave = leave.min(s.max(t));
        }
        // Rays that graze an edge within rounding may be seen either way by the slabs.
        if (leave - enter).abs() < 1e-12 || enter.abs() < 1e-12 || leave.abs() < 1e-12 {
            continue;
        }
        let hit = mesh.cast_ray(&ray);
        if enter > leave || leave < 0.0 {
            assert!(hit.is_none(), "{ray:?} {half:?}");
            continue;
        }
        let hit = hit.unwrap();
        let inside = enter < 0.0;
        let expected = if inside { leave } else { enter };
        assert!((hit.distance - expected).abs() < 1e-12 * (1.0 + expected), "{} {expected}", hit.distance);
        assert_eq!(hit.front, !inside);
        assert_eq!(hit.front, hit.normal.dot(&ray.direction) < 0.0);
        let corners = mesh.corners(hit.triangle);
        let p = ray.origin + ray.direction * hit.distance;
        assert!((p - corners[0]).dot(&hit.normal).abs() < 1e-12);
        hits += 1;
    }
    assert!(hits > 500, "only {hits} rays hit");
}

#[test]
fn no_ray_slips_through_an_edge_or_a_corner() {
    let mut random = Random::new(26);
    let base = ball(3);
    for k in 0..zerogap_testkit::count(6, 60) {
        let shift = [0.0, 1.0, 1e6][k % 3];
        let pose = Pose::new(random.in_cube(1.0) * shift, random.quaternion_xyzw()).unwrap();
        let mesh = base.transformed(&pose).unwrap();
        let origin = pose.translation() + random.in_ball() * 0.3;
        for [a, b, c] in mesh.corner_triples() {
            for target in [a, b, 0.5 * (a + b), b + 0.25 * (c - b), c] {
                let ray = Ray { origin, direction: (target - origin).normalize() };
                let hit = mesh.cast_ray(&ray).expect("a ray from inside must leave");
                assert!((hit.distance - (target - origin).norm()).abs() < 1e-9 * (1.0 + shift));
                assert!(!hit.front);
            }
        }
    }
}

#[test]
fn axis_rays_through_corners_and_diagonals_hit_both_neighbours_and_report_the_lowest() {
    let at = |x, y| cube().cast_ray(&Ray { origin: Vec3::new(x, y, 3.0), direction: -Vec3::z() }).unwrap();
    // The top face is the last pair of triangles; its diagonal and its corners belong to both.
    for (x, y) in [(0.5, 0.5), (0.0, 0.0), (1.0, 1.0)] {
        let hit = at(x, y);
        assert!(hit.triangle == 10 && hit.front, "{hit:?}");
        assert!((hit.distance - 2.0).abs() < 1e-15 && hit.normal == Vec3::z());
    }
    assert!(cube().cast_ray(&Ray { origin: Vec3::new(0.5, 0.5, 3.0), direction: Vec3::z() }).is_none());
}

#[test]
fn motion_of_mesh_and_query_together_changes_nothing() {
    let mut random = Random::new(27);
    let mesh = ring(8);
    for _ in 0..200 {
        let pose = Pose::new(random.in_cube(5.0), random.quaternion_xyzw()).unwrap();
        let moved = mesh.transformed(&pose).unwrap();
        let p = random.in_cube(4.0);
        let (a, b) =
            (mesh.closest_point(&p).unwrap(), moved.closest_point(&pose.transform_point(&p)).unwrap());
        assert!((a.gap - b.gap).abs() < 1e-13);
        let (a, b) = (mesh.winding_number(&p), moved.winding_number(&pose.transform_point(&p)));
        assert!((a - b).abs() < 1e-9);
        let ray = Ray { origin: p, direction: random.direction() };
        let rotated =
            Ray { origin: pose.transform_point(&p), direction: pose.transform_vector(&ray.direction) };
        match (mesh.cast_ray(&ray), moved.cast_ray(&rotated)) {
            (Some(a), Some(b)) => assert!((a.distance - b.distance).abs() < 1e-10),
            (a, b) => assert_eq!(a.is_some(), b.is_some(), "{ray:?}"),
        }
    }
}
