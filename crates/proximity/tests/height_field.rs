//! Height fields against the closed mesh of the whole field, against brute force over all triangles, and at their borders.

use zerogap_core::{Contact, ContactId, Feature, GapStatus, Pose, Vec3};
use zerogap_geometry::nearest::on_triangle;
use zerogap_geometry::shape::{Cells, Cuboid, HeightField};
use zerogap_geometry::{ConvexShape, GeometryError, Ray, Shape, TriangleMesh, parts};
use zerogap_proximity::collider::{
    Collider, ColliderCache, ColliderPair, ContactSet, contact_gap, contacts_into, first_touch, gap,
};
use zerogap_proximity::motion::{Impact, ImpactParams, Motion};
use zerogap_proximity::{ContactParams, DistanceParams};
use zerogap_testkit::random::Random;

/// Hills of random heights up to `rise` [m].
fn hills(random: &mut Random, nodes: [usize; 2], spacing: [f64; 2], rise: f64) -> HeightField {
    let heights = (0..nodes[0] * nodes[1]).map(|_| random.range(0.0, rise)).collect();
    HeightField::new(nodes, spacing, heights, 0.5).unwrap()
}

fn collider(field: &HeightField) -> Collider {
    Collider::from_shape(field.clone().into())
}

fn whole_mesh(field: &HeightField) -> TriangleMesh {
    field.patch(&field.cells())
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn random_pose(random: &mut Random, place: Vec3) -> Pose {
    let axis = random.in_cube(1.0) + Vec3::new(2.0, 0.0, 0.0);
    Pose::from_axis_angle(place, axis, random.range(0.0, 6.0)).unwrap()
}

fn some_shape(random: &mut Random) -> Shape {
    match random.range(0.0, 4.0) as u32 {
        0 => Shape::sphere(random.range(0.05, 0.3)).unwrap(),
        1 => Shape::cuboid(Vec3::new(random.range(0.1, 0.5), random.range(0.1, 0.5), 0.2)).unwrap(),
        2 => Shape::capsule(random.range(0.05, 0.1), random.range(0.1, 0.4)).unwrap(),
        _ => Shape::from(parts::by_name("l-prism", &[]).unwrap()),
    }
}

fn contacts_of(pair: &ColliderPair<'_>, within: f64) -> Vec<Contact> {
    let (mut cache, mut set) = (ColliderCache::default(), ContactSet::default());
    contacts_into(pair, &ContactParams::within(within), &mut cache, &mut set).unwrap();
    set.manifold.contacts
}

/// Contacts in an order that does not depend on their names.
fn by_place(mut contacts: Vec<Contact>) -> Vec<Contact> {
    let key = |c: &Contact| [c.point_a.x, c.point_a.y, c.point_a.z, c.gap, c.normal.x];
    contacts.sort_by(|c, d| key(c).partial_cmp(&key(d)).unwrap());
    contacts
}

#[test]
fn gaps_and_contacts_are_those_of_the_mesh_of_the_whole_field() {
    let mut random = Random::new(25);
    let (mut touching, mut apart, mut deep) = (0, 0, 0);
    for _ in 0..30 {
        let spacing = [random.range(0.05, 0.3), random.range(0.05, 0.3)];
        let field = hills(&mut random, [23, 31], spacing, 0.3);
        let (terrain, mesh) = (collider(&field), Collider::from_mesh(whole_mesh(&field)));
        let place = random_pose(&mut random, Vec3::new(1.0, -2.0, 0.5));
        for _ in 0..12 {
            let half = field.bounding_box().max;
            let (x, y) = (random.range(-1.1, 1.1) * half.x, random.range(-1.1, 1.1) * half.y);
            let body = Collider::from_shape(some_shape(&mut random));
            let place_in_field = Vec3::new(x, y, random.range(0.05, 0.9));
            let in_field = random_pose(&mut random, place_in_field);
            let pose = place * in_field;
            let (own, reference) = (
                ColliderPair::new(&terrain, place, &body, pose),
                ColliderPair::new(&mesh, place, &body, pose),
            );
            let mut cache = ColliderCache::default();
            let params = DistanceParams::default();
            let (found, expected) =
                (gap(&own, &params, &mut cache).unwrap(), gap(&reference, &params, &mut cache).unwrap());
            let size = half.norm();
            assert!((found.gap - expected.gap).abs() < 1e-12 * size, "{found:?} and {expected:?}");
            // Bounds hold the exact gap; a closed mesh proves it where they are apart.
            assert!(found.lower <= expected.upper + 1e-12 && expected.lower <= found.upper + 1e-12);
            let seen = contact_gap(&own, f64::INFINITY, &mut cache).unwrap();
            let there = contact_gap(&reference, f64::INFINITY, &mut cache).unwrap();
            assert!((seen - there).abs() < 1e-12 * size, "{seen} and {there}");
            let within = random.range(0.0, 0.05);
            let (found, expected) =
                (by_place(contacts_of(&own, within)), by_place(contacts_of(&reference, within)));
            assert_eq!(found.len(), expected.len(), "{found:?} and {expected:?}");
            for (one, other) in found.iter().zip(&expected) {
                assert!((one.gap - other.gap).abs() < 1e-12 && (one.normal - other.normal).norm() < 1e-9);
                assert!(
                    (one.point_a - other.point_a).norm() < 1e-9
                        && (one.point_b - other.point_b).norm() < 1e-9
                );
            }
            touching += usize::from(!found.is_empty());
            deep += usize::from(there < 0.0);
            apart += usize::from(there > within);
            // B against A is the same seen from the other side.
            let back = by_place(contacts_of(&ColliderPair::new(&body, pose, &terrain, place), within));
            assert_eq!(back.len(), found.len());
            assert!(back.iter().all(|contact| contact.normal.norm() > 0.0));
        }
    }
    assert!(touching > 60 && apart > 60 && deep > 40, "{touching} touching, {apart} apart, {deep} deep");
}

#[test]
fn the_gap_of_a_ball_is_its_distance_from_the_nearest_triangle() {
    let mut random = Random::new(7);
    for _ in 0..20 {
        let field = hills(&mut random, [12, 9], [0.2, 0.25], 0.4);
        let terrain = collider(&field);
        let triangles: Vec<[Vec3; 3]> = whole_mesh(&field).corner_triples().collect();
        for _ in 0..20 {
            let center = Vec3::new(random.range(-1.5, 1.5), random.range(-1.5, 1.5), random.range(-0.4, 2.0));
            let ball = Collider::from_shape(Shape::sphere(0.05).unwrap());
            let pair = ColliderPair::new(&terrain, Pose::identity(), &ball, at(center.x, center.y, center.z));
            let found = gap(&pair, &DistanceParams::default(), &mut ColliderCache::default()).unwrap();
            let distances =
                triangles.iter().map(|corners| (on_triangle(corners, &center).point - center).norm());
            let nearest = distances.fold(f64::INFINITY, f64::min);
            let is_inside = field.contains(&center);
            let expected = if is_inside { -nearest - 0.05 } else { nearest - 0.05 };
            // A ball whose centre is outside and that overlaps has the depth of its contact, no more than this.
            assert!((found.gap - expected).abs() < 1e-12, "{found:?} instead of {expected} at {center:?}");
        }
    }
}

#[test]
fn features_have_one_name_whatever_patch_they_come_from() {
    // A peak at one node; boxes of many sizes and places touch it, so that patches differ.
    let mut heights = vec![0.0; 65 * 65];
    heights[33 * 65 + 30] = 0.3;
    let field = HeightField::new([65, 65], [0.1, 0.1], heights, 1.0).unwrap();
    let (peak, terrain) = (field.node(30, 33), collider(&field));
    let mut random = Random::new(3);
    for _ in 0..50 {
        let side = random.range(0.05, 2.0);
        let body = Collider::Convex(ConvexShape::from(Cuboid::new(Vec3::new(side, side, 0.1)).unwrap()));
        let shift = 0.4 * side;
        let (x, y) = (peak.x + random.range(-shift, shift), peak.y + random.range(-shift, shift));
        let pair = ColliderPair::new(&terrain, Pose::identity(), &body, at(x, y, peak.z + 0.05 + 1e-4));
        let found = contacts_of(&pair, 1e-3);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].id.a, Feature::Vertex(33 * 65 + 30));
        assert!((found[0].gap - 1e-4).abs() < 1e-12 && (found[0].normal - Vec3::z()).norm() < 1e-12);
    }
}

#[test]
fn an_edge_and_a_face_have_one_name_whatever_patch_they_come_from() {
    // A ridge along y between the columns 31 and 33; a capsule lies across it, a ball on its side.
    let heights = (0..65 * 65).map(|k| if k % 65 == 32 { 0.5 } else { 0.0 }).collect();
    let field = HeightField::new([65, 65], [0.5, 0.5], heights, 1.0).unwrap();
    let terrain = collider(&field);
    let mut names: Vec<ContactId> = Vec::new();
    for half in [0.1, 0.7, 3.0, 6.0] {
        let bar =
            Collider::Convex(ConvexShape::from(Cuboid::new(Vec3::new(2.0 * half, 0.02, 0.02)).unwrap()));
        let pair = ColliderPair::new(&terrain, Pose::identity(), &bar, at(0.0, 0.26, 0.51));
        let found = contacts_of(&pair, 1e-6);
        let edge: Vec<_> = found.iter().filter(|c| matches!(c.id.a, Feature::Edge(_))).collect();
        assert_eq!(edge.len(), found.len(), "{found:?}");
        let mut of_field: Vec<ContactId> = edge.iter().map(|c| c.id).collect();
        for id in &mut of_field {
            id.b = Feature::Face(0);
        }
        names.extend(of_field);
        let ball = Collider::from_shape(Shape::sphere(half).unwrap());
        let slope = Vec3::new(1.0, 0.0, 1.0).normalize();
        let foot = Vec3::new(0.2, 0.1, 0.3);
        let center = foot + slope * half;
        let pair = ColliderPair::new(&terrain, Pose::identity(), &ball, at(center.x, center.y, center.z));
        let found = contacts_of(&pair, 1e-6);
        assert!(found.iter().any(|c| c.id.a == Feature::Face(2 * (32 * 65 + 32) as u32)), "{found:?}");
    }
    names.sort_unstable();
    names.dedup();
    // The ridge from row 32 to 33.
    assert_eq!(names.iter().map(|id| id.a).collect::<Vec<_>>(), [Feature::Edge(3 * (32 * 65 + 32) + 1)]);
}

#[test]
fn what_is_beside_or_below_the_field_is_right_too() {
    let field = HeightField::new([3, 3], [1.0, 1.0], vec![0.0; 9], 0.5).unwrap();
    let terrain = collider(&field);
    let cube = Collider::Convex(ConvexShape::from(Cuboid::new(Vec3::repeat(0.2)).unwrap()));
    let found = |x: f64, y: f64, z: f64| {
        let pair = ColliderPair::new(&terrain, Pose::identity(), &cube, at(x, y, z));
        gap(&pair, &DistanceParams::default(), &mut ColliderCache::default()).unwrap()
    };
    assert!((found(0.0, 0.0, 0.3).gap - 0.2).abs() < 1e-14);
    assert!((found(1.4, 0.0, -0.2).gap - 0.3).abs() < 1e-14);
    assert!((found(0.0, 0.0, -0.9).gap - 0.3).abs() < 1e-14);
    assert!((found(50.0, 0.0, 0.0).gap - 48.9).abs() < 1e-12);
    let over = found(0.2, 0.1, 0.09);
    assert!((over.gap + 0.01).abs() < 1e-12 && (over.normal - Vec3::z()).norm() < 1e-12, "{over:?}");
    // Beyond the cutoff there is a bound.
    let pair = ColliderPair::new(&terrain, Pose::identity(), &cube, at(0.0, 0.0, 3.0));
    let params = DistanceParams { cutoff: 0.5, ..DistanceParams::default() };
    let far = gap(&pair, &params, &mut ColliderCache::default()).unwrap();
    assert!(far.status == GapStatus::Farther && far.lower >= 0.5 && far.lower <= 2.9, "{far:?}");
    assert!(contacts_of(&pair, 0.1).is_empty());
}

#[test]
fn a_bullet_meets_the_terrain_where_its_path_does() {
    let mut random = Random::new(11);
    let field = hills(&mut random, [200, 150], [0.1, 0.1], 0.2);
    let terrain = collider(&field);
    let bullet = Collider::from_shape(Shape::sphere(0.004).unwrap());
    let shot = |from: Vec3, velocity: Vec3, own: &Motion| {
        let motion = Motion::new(at(from.x, from.y, from.z), velocity, Vec3::zeros()).unwrap();
        first_touch(
            &terrain,
            own,
            &bullet,
            &motion,
            1.0,
            &ImpactParams::default(),
            &mut ColliderCache::default(),
        )
        .unwrap()
    };
    let still = Motion::fixed(Pose::identity());
    for _ in 0..40 {
        let from = Vec3::new(random.range(-5.0, 5.0), random.range(-5.0, 5.0), 1.0);
        let velocity = Vec3::new(random.range(-3.0, 3.0), random.range(-3.0, 3.0), -30.0);
        let Impact::At(meeting) = shot(from, velocity, &still) else { panic!("it went through") };
        // The nearest point of the field is then a radius away, by brute force.
        let center = from + velocity * meeting.t;
        let nearest = field.closest_point(&center).unwrap();
        assert!((nearest.gap - 0.004).abs() < 1e-6, "{} at {center:?}", nearest.gap);
        // A field that moves with the bullet's sideways velocity is hit where it is hit straight from above.
        let moving =
            Motion::new(Pose::identity(), Vec3::new(velocity.x, velocity.y, 0.0), Vec3::zeros()).unwrap();
        let (Impact::At(carried), Impact::At(straight)) =
            (shot(from, velocity, &moving), shot(from, Vec3::new(0.0, 0.0, -30.0), &still))
        else {
            panic!("it went through")
        };
        assert!((carried.t - straight.t).abs() < 1e-9);
    }
    assert_eq!(shot(Vec3::new(0.0, 0.0, 1.0), Vec3::new(30.0, 0.0, 0.0), &still), Impact::Clear);
}

#[test]
fn the_shape_answers_for_points_and_rays() {
    let mut random = Random::new(5);
    let field = hills(&mut random, [15, 11], [0.1, 0.2], 0.3);
    let (mesh, shape) = (whole_mesh(&field), Shape::from(field.clone()));
    assert!((shape.volume().unwrap() - mesh.mass_properties(1.0).unwrap().mass).abs() < 1e-12);
    assert!(matches!(shape.mass_properties(1.0), Err(GeometryError::NoMeasure { .. })));
    assert_eq!(shape.to_string(), "height field of 15 x 11 nodes");
    for _ in 0..200 {
        let point = Vec3::new(random.range(-1.0, 1.0), random.range(-1.4, 1.4), random.range(-0.6, 0.5));
        let (own, expected) = (shape.closest_point(&point).unwrap(), mesh.closest_point(&point).unwrap());
        assert!((own.gap - expected.gap).abs() < 1e-13, "{own:?} and {expected:?}");
        let is_near_border = expected.gap.abs() < 1e-9;
        assert!(is_near_border || field.contains(&point) == mesh.contains(&point), "{point:?}");
        let ray = Ray::new(point, random.in_cube(1.0) + Vec3::new(0.0, 0.0, 1e-3)).unwrap();
        let (own, expected) = (field.cast_ray(&ray), mesh.cast_ray(&ray));
        assert_eq!(own.is_some(), expected.is_some(), "{ray:?}");
        if let (Some(own), Some(expected)) = (own, expected) {
            assert!((own.distance - expected.distance).abs() < 1e-12);
        }
    }
}

#[test]
fn bad_grids_are_refused_with_their_values() {
    let refused = |nodes: [usize; 2], spacing: [f64; 2], heights: Vec<f64>, depth: f64| {
        HeightField::new(nodes, spacing, heights, depth).unwrap_err().to_string()
    };
    assert!(refused([1, 5], [1.0; 2], vec![0.0; 5], 1.0).starts_with("a height field of 1 x 5 nodes"));
    assert_eq!(
        refused([3, 2], [1.0; 2], vec![0.0; 5], 1.0),
        "5 heights for a grid of 3 x 2 nodes, which has 6"
    );
    assert!(refused([usize::MAX, 3], [1.0; 2], vec![0.0; 6], 1.0).contains("at most 100000000 nodes"));
    for (spacing, height, depth) in [
        ([0.0, 1.0], 0.0, 1.0),
        ([1.0, f64::NAN], 0.0, 1.0),
        ([1.0, 1.0], f64::NAN, 1.0),
        ([1.0, 1.0], f64::INFINITY, 1.0),
        ([1.0, 1.0], 0.0, 0.0),
        ([1.0, 1.0], 0.0, -1.0),
        ([1e300, 1.0], 0.0, 1.0),
    ] {
        assert!(!refused([2, 2], spacing, vec![0.0, 0.0, 0.0, height], depth).is_empty());
    }
}

#[test]
fn a_large_field_costs_its_heights_alone() {
    // Four million nodes: as a mesh with its tree it would take gigabytes.
    let side = 2000;
    let heights = (0..side * side).map(|k| 0.01 * ((k % 7) as f64)).collect();
    let field = HeightField::new([side, side], [0.1, 0.1], heights, 1.0).unwrap();
    assert_eq!(field.cells(), Cells { x: [0, side - 1], y: [0, side - 1] });
    let terrain = collider(&field);
    let ball = Collider::from_shape(Shape::sphere(0.05).unwrap());
    for k in 0..50 {
        let x = 1.7 * f64::from(k) - 40.0;
        let top = field.height_at(x, 3.0).unwrap();
        let pair = ColliderPair::new(&terrain, Pose::identity(), &ball, at(x, 3.0, top + 0.06));
        let found = contacts_of(&pair, 0.02);
        assert!(!found.is_empty() && found.iter().all(|c| c.gap > -0.02), "{found:?}");
    }
}
