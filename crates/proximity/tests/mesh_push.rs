//! Meshes that are pushed into each other by known amounts: the depth is the push, and the way out is one. Derivation: `docs/derivations/mesh-depth.md`.

use zerogap_core::math::{hypot, pow};
use zerogap_core::{Gap, Pose, Vec3};
use zerogap_geometry::TriangleMesh;
use zerogap_geometry::parts::by_name;
use zerogap_proximity::mesh::{
    MeshBody, MeshContactParams, MeshDistanceParams, MeshWork, mesh_contacts_into, mesh_gap, mesh_intersects,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn part(name: &str, settings: &[(&str, &str)]) -> MeshBody {
    MeshBody::new(by_name(name, settings).unwrap())
}

fn block(size: [f64; 3]) -> MeshBody {
    let [width, depth, height] = size.map(|x| format!("{x} m"));
    part("box", &[("width", &width), ("depth", &depth), ("height", &height)])
}

/// An L in the xy-plane: legs of 0.15 m along x and y, 0.05 m wide, its corner at the origin, 0.05 m thick around z = 0.
fn angle() -> MeshBody {
    let mesh = outline(
        &[[0.0, 0.0], [0.15, 0.0], [0.15, 0.05], [0.05, 0.05], [0.05, 0.15], [0.0, 0.15]],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]],
    );
    MeshBody::new(mesh)
}

/// A square ring around z: 0.2 m wide outside, 0.1 m inside, 0.05 m thick around z = 0.
fn frame() -> MeshBody {
    let square = |r: f64| [[r, r], [-r, r], [-r, -r], [r, -r]];
    let corners: Vec<[f64; 2]> = square(0.1).into_iter().chain(square(0.05)).collect();
    let triangles: Vec<[u32; 3]> =
        (0..4).flat_map(|k| [[k, (k + 1) % 4, k + 4], [(k + 1) % 4, (k + 1) % 4 + 4, k + 4]]).collect();
    MeshBody::new(outline(&corners, &triangles))
}

/// A plate 0.05 m thick over an outline whose triangles run counter-clockwise; walls along the edges that one triangle has.
fn outline(corners: &[[f64; 2]], triangles: &[[u32; 3]]) -> TriangleMesh {
    let count = corners.len() as u32;
    let vertices: Vec<Vec3> = [-0.025, 0.025]
        .iter()
        .flat_map(|z| corners.iter().map(move |[x, y]| Vec3::new(*x, *y, *z)))
        .collect();
    let mut all: Vec<[u32; 3]> = triangles.iter().map(|[a, b, c]| [*c, *b, *a]).collect();
    all.extend(triangles.iter().map(|t| t.map(|v| v + count)));
    let sides = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]];
    for [p, q] in triangles.iter().flat_map(sides) {
        if !triangles.iter().flat_map(sides).any(|side| side == [q, p]) {
            all.extend([[p, q, q + count], [p, q + count, p + count]]);
        }
    }
    TriangleMesh::new(vertices, all).unwrap()
}

/// The signed gap of two bodies that a common pose moves.
fn gap(a: &MeshBody, b: &MeshBody, b_in_a: &Pose, world: &Pose) -> Gap {
    let params = MeshDistanceParams::default();
    let (mut work, mut overlaps) = (MeshWork::default(), Vec::new());
    mesh_gap(a.into(), world, b.into(), &(*world * *b_in_a), &params, &mut work, &mut overlaps).unwrap().gap
}

fn shifted(by: &Vec3, pose: &Pose) -> Pose {
    Pose::from_translation(*by).unwrap() * *pose
}

/// Whether the surfaces meet.
fn meets(a: &MeshBody, b: &MeshBody, b_in_a: &Pose) -> bool {
    mesh_intersects(a.into(), &Pose::identity(), b.into(), b_in_a, &mut MeshWork::default()).unwrap()
}

/// Holds the depth against a push, the points against the normal, and both orders against each other, at random poses of the whole.
fn check(a: &MeshBody, b: &MeshBody, b_in_a: &Pose, push: f64, tolerance: f64, what: &str) {
    check_orders(a, b, b_in_a, push, (tolerance, 1e-14), what);
}

/// The same with a tolerance of its own for the two orders of the bodies.
fn check_orders(
    a: &MeshBody,
    b: &MeshBody,
    b_in_a: &Pose,
    push: f64,
    (tolerance, of_orders): (f64, f64),
    what: &str,
) {
    let mut random = Random::new(7);
    for world in [Pose::identity(), Pose::new(random.in_cube(0.3), random.quaternion_xyzw()).unwrap()] {
        let found = gap(a, b, b_in_a, &world);
        assert!((found.gap + push).abs() <= tolerance, "{what}: {} for a push of {push}", found.gap);
        assert!(found.lower <= found.gap && found.gap <= found.upper, "{what}: {found:?}");
        let apart = found.point_b - found.point_a - found.normal * found.gap;
        assert!(apart.norm() < 1e-14 && (found.normal.norm() - 1.0).abs() < 1e-14, "{what}: {found:?}");
        let swapped = gap(b, a, &b_in_a.inverse(), &(world * *b_in_a));
        assert!((swapped.gap - found.gap).abs() <= of_orders, "{what}: {} or {}", found.gap, swapped.gap);
    }
}

/// Random pushes over nine decades [m].
fn pushes(random: &mut Random, largest: f64) -> Vec<f64> {
    (0..count(6, 200)).map(|_| largest * pow(10.0, random.range(-9.0, 0.0))).collect()
}

/// Two equal Ls, one in the notch of the other and pushed along both legs: as drawn in CAD, with their sides in common planes, and lifted.
#[test]
fn an_l_in_the_notch_of_another_leaves_along_both_legs_at_once() {
    let corner = angle();
    let mut random = Random::new(5);
    for case in 0..count(60, 2000) {
        let mut push = || match random.index(5) {
            0 => 0.0,
            1 => -0.02 * pow(10.0, random.range(-6.0, 0.0)),
            _ => 0.02 * pow(10.0, random.range(-7.0, 0.0)),
        };
        let (x, y) = (push(), push());
        let z = if case % 2 == 0 { 0.0 } else { random.range(-0.01, 0.01) };
        let at = Pose::from_translation(Vec3::new(0.05 - x, 0.05 - y, z)).unwrap();
        // Apart by the smaller distance, where both are; otherwise out along what is pushed in.
        let depth = if x.max(y) > 0.0 { hypot(x.max(0.0), y.max(0.0)) } else { x.max(y) };
        // A direction between a deep wall and a hardly touched one is known to rounding over the smaller push.
        check_orders(&corner, &corner, &at, depth, (1e-12, 1e-12), &format!("{x} and {y} at height {z}"));
        let (mut work, mut contacts) = (MeshWork::default(), Vec::new());
        let (params, here) = (MeshContactParams::within(1e-3), Pose::identity());
        mesh_contacts_into((&corner).into(), &here, (&corner).into(), &at, &params, &mut work, &mut contacts)
            .unwrap();
        let deepest = contacts.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!(deepest >= -depth.max(0.0) - 1e-12, "{x} and {y} at height {z}: a contact of {deepest}");
    }
}

#[test]
fn a_rod_through_a_plate_leaves_it_along_its_side() {
    let (plate, rod) = (block([1.0, 1.0, 0.02]), block([0.1, 0.1, 2.0]));
    let mut random = Random::new(1);
    // Pushed in over the border: as far as its way out, which is shorter than up or down.
    for push in pushes(&mut random, 0.5) {
        let at = Pose::from_translation(Vec3::new(0.55 - push, random.range(-0.2, 0.2), 0.3)).unwrap();
        check(&plate, &rod, &at, push, 1e-12, "rod through plate");
    }
    // The same through the rim of a plate with a hole, which is not convex.
    let ring = frame();
    let rod = block([0.02, 0.02, 2.0]);
    for push in pushes(&mut random, 0.03) {
        let at = Pose::from_translation(Vec3::new(0.11 - push, random.range(-0.03, 0.03), 0.1)).unwrap();
        check(&ring, &rod, &at, push, 1e-12, "rod through the rim of a ring");
        let inside = Pose::from_translation(Vec3::new(0.04 + push, random.range(-0.02, 0.02), 0.1)).unwrap();
        check(&ring, &rod, &inside, push, 1e-12, "rod through a ring from inside");
    }
}

#[test]
fn a_box_in_a_box_leaves_it_by_the_nearest_side() {
    let (outer, inner) = (block([1.0, 1.0, 1.0]), block([0.1, 0.12, 0.14]));
    let mut random = Random::new(2);
    for push in pushes(&mut random, 0.5) {
        let at = Pose::from_translation(Vec3::new(0.55 - push, 0.02, -0.03)).unwrap();
        check(&outer, &inner, &at, push, 1e-12, "box in box");
    }
    // In a leg of an L: out of its outer side, or where the leg is left into the notch.
    let (corner, small) = (angle(), block([0.01, 0.012, 0.014]));
    for push in pushes(&mut random, 0.02) {
        let at = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.001)).unwrap();
        check(&corner, &small, &at(0.1, -0.006 + push), push, 1e-12, "box in a leg");
        check(&corner, &small, &at(0.1, 0.056 - push), push, 1e-12, "box in the side of the notch");
    }
}

#[test]
fn an_l_pushed_into_an_l_is_as_deep_as_the_push() {
    let (a, b) = (angle(), angle());
    let mut random = Random::new(3);
    for push in pushes(&mut random, 0.02) {
        // The end of a leg against the outer side of the other's leg, beside and above.
        let at = |x: f64, y: f64, z: f64| Pose::from_translation(Vec3::new(x, y, z)).unwrap();
        check(&a, &b, &at(-0.15 + push, 0.04, 0.01), push, 1e-12, "end on side");
        // The end of a leg in the notch, against the inner side.
        check(&a, &b, &at(0.05 - push, 0.06, -0.02), push, 1e-12, "side on inner side");
        // One on the other, and crosswise.
        check(&a, &b, &at(0.013, 0.017, 0.05 - push), push, 1e-12, "one on the other");
        let turned = Pose::from_axis_angle(Vec3::new(0.1, 0.02, 0.05 - push), Vec3::z(), 0.4).unwrap();
        check(&a, &b, &turned, push, 1e-12, "one on the other, turned");
    }
}

#[test]
fn a_gear_pushed_into_a_gear_is_as_deep_as_the_push() {
    let size = [
        ("teeth", "12"),
        ("module", "8mm"),
        ("face_width", "30mm"),
        ("flank_segments", "3"),
        ("land_segments", "1"),
    ];
    let (a, b) = (part("gear", &size), part("gear", &size));
    let mut random = Random::new(4);
    let tip = a.farthest(&Vec3::x()).x;
    let other = b.farthest(&-Vec3::x()).x.abs();
    // Tooth on tooth: the lands are square to the line between the axes.
    for push in pushes(&mut random, 1e-3).into_iter().step_by(3) {
        let at = Pose::from_translation(Vec3::new(tip + other - push, 0.0, 0.004)).unwrap();
        check(&a, &b, &at, push, 1e-12, "tooth on tooth");
        // One on the other, axis on axis and beside.
        let above = Pose::from_axis_angle(Vec3::new(0.01, 0.02, 0.03 - push), Vec3::z(), 0.1).unwrap();
        check(&a, &b, &above, push, 1e-12, "gear on gear");
    }
}

#[test]
fn linked_rings_are_as_deep_as_their_sides_reach_into_each_other() {
    let (a, b) = (frame(), frame());
    let mut random = Random::new(5);
    let upright = |x: f64, z: f64| {
        Pose::from_axis_angle(Vec3::new(x, 0.0, z), Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap()
    };
    // B stands in the hole of A, linked: the inner sides of both are pulled into each other.
    for push in pushes(&mut random, 0.02) {
        check(&a, &b, &upright(0.1 + push, 0.003), push, 1e-12, "linked square rings");
    }
    // Round ones: the distance of their circles less both radii, for facets within the sagitta of each.
    let torus = || {
        part("torus", &[("major", "50 mm"), ("minor", "10 mm"), ("segments", "48"), ("tube_segments", "24")])
    };
    let (a, b) = (torus(), torus());
    let sagitta = 0.06 * (1.0 - zerogap_core::math::cos(std::f64::consts::PI / 48.0))
        + 0.01 * (1.0 - zerogap_core::math::cos(std::f64::consts::PI / 24.0));
    for push in [1e-3, 2e-3, 5e-3] {
        check(&a, &b, &upright(0.1 - 0.02 + push, 0.0), push, 2.0 * sagitta, "linked round rings");
    }
}

/// The least way out among many random directions, each by bisection with the exact test whether surfaces cross: of meshes that touch nothing else on the way.
fn least_of_random_ways(a: &MeshBody, b: &MeshBody, b_in_a: &Pose, up_to: f64, random: &mut Random) -> f64 {
    let mut least = up_to;
    for _ in 0..count(60, 2000) {
        let n = random.direction();
        if meets(a, b, &shifted(&(n * least), b_in_a)) {
            continue;
        }
        let (mut low, mut high) = (0.0, least);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if meets(a, b, &shifted(&(n * middle), b_in_a)) { low = middle } else { high = middle }
        }
        least = high;
    }
    least
}

#[test]
fn the_way_out_of_a_screw_in_its_nut_is_one_and_none_of_many_is_shorter() {
    let bolt = part("thread-bolt", &[("segments", "16")]);
    let nut = part("thread-nut", &[("segments", "16"), ("clearance", "0.1 mm")]);
    let mut random = Random::new(6);
    let (pitch, turn) = (1.25e-3, std::f64::consts::TAU);
    for push in [5e-5, 1e-4] {
        // Flanks touch 0.577 clearances from where the nut fits, and segments a little later.
        let z = 6e-3;
        let along = z + 1e-4 / 3.0_f64.sqrt() + push;
        let at = Pose::from_axis_angle(Vec3::new(0.0, 0.0, along), Vec3::z(), turn * z / pitch).unwrap();
        let found = gap(&bolt, &nut, &at, &Pose::identity());
        assert!(found.gap < 0.0 && -found.gap <= push * (1.0 + 1e-6), "{found:?} for a push of {push}");
        let out = |factor: f64| shifted(&(found.normal * (-found.gap * factor)), &at);
        assert!(meets(&bolt, &nut, &out(1.0 - 1e-6)), "{found:?}");
        assert!(!meets(&bolt, &nut, &out(1.0 + 1e-6)), "{found:?}");
        let least = least_of_random_ways(&bolt, &nut, &at, push, &mut random);
        assert!(-found.gap <= least * (1.0 + 1e-9), "{} and {least}", found.gap);
    }
}

#[test]
fn no_random_way_out_of_concave_parts_is_shorter_than_the_one_found() {
    let bodies = [angle(), frame(), block([0.1, 0.05, 0.03])];
    let mut random = Random::new(8);
    let mut deep = 0;
    for _ in 0..count(40, 1000) {
        let (a, b) = (&bodies[random.index(2)], &bodies[random.index(3)]);
        let at = Pose::new(random.in_cube(0.15), random.quaternion_xyzw()).unwrap();
        let found = gap(a, b, &at, &Pose::identity());
        if found.gap >= 0.0 {
            continue;
        }
        deep += 1;
        let least = least_of_random_ways(a, b, &at, 0.5, &mut random);
        // The whole is no deeper than its deepest part asks for.
        assert!(-found.gap <= least * (1.0 + 1e-9), "{} and {least} at {at:?}", found.gap);
    }
    assert!(deep > 10, "{deep}");
}
