//! Shapes as bytes: they come back with every bit, and damaged bytes give an error or a shape that answers, never a panic.

mod shape_zoo;

use shape_zoo::{is_exact, zoo};
use zerogap_core::math::sin_cos;
use zerogap_core::store::{from_bytes, to_bytes};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Compound, HalfSpace, Ray};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron, Shape, SupportHint, TriangleMesh};
use zerogap_testkit::random::Random;

/// The tag of a rounded shape within a convex one, as it is stored.
const ROUNDED: u8 = 11;

/// A prism of many sides, so that its tables are those of large polyhedra.
fn prism(sides: u32) -> Polyhedron {
    let corner = |k: u32| {
        let (s, c) = sin_cos(f64::from(k / 2) * std::f64::consts::TAU / f64::from(sides));
        Vec3::new(c, s, f64::from(k % 2))
    };
    Polyhedron::from_points(&(0..2 * sides).map(corner).collect::<Vec<_>>()).unwrap()
}

/// One of each kind of shape that can be stored.
fn shapes() -> Vec<(&'static str, Shape)> {
    let storable = zoo(1.0).into_iter().filter(|(_, shape)| is_exact(shape));
    let mut all: Vec<(&str, Shape)> = storable.map(|(name, shape)| (name, Shape::Convex(shape))).collect();
    let cube = TriangleMesh::new(
        vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    );
    all.push(("mesh", cube.unwrap().into()));
    let floor = HalfSpace::new(Vec3::new(1.0, 2.0, 2.0), 0.5).unwrap();
    all.push(("half-space", floor.into()));
    let mass = zoo(1.0)[4].1.mass_properties(1000.0).unwrap();
    all.push(("heavy half-space", floor.with_mass_properties(mass).unwrap().into()));
    let pose = Pose::from_axis_angle(Vec3::x(), Vec3::new(1.0, 1.0, 0.0), 0.7).unwrap();
    let pieces = zoo(1.0).into_iter().filter(|(_, shape)| is_exact(shape));
    let pieces = pieces.skip(2).step_by(4).map(|(_, shape)| (pose, shape)).collect();
    all.push(("compound", Compound::new(pieces).unwrap().into()));
    all
}

/// Asks a shape everything that could trip over an index or a size.
fn ask(shape: &Shape) {
    let (point, direction) = (Vec3::new(0.3, -0.2, 2.5), Vec3::new(0.1, 0.2, -0.9));
    let ray = Ray::new(point, direction).unwrap();
    let _ = (shape.closest_point(&point), shape.cast_ray(&ray), shape.mass_properties(1000.0));
    let _ = (shape.bounding_box(), shape.volume(), shape.contains(&point));
    if let Shape::Convex(shape) = shape {
        let _ = (shape.support(&direction, &mut SupportHint(7)), shape.bounding_sphere());
        if let ConvexShape::Polyhedron(polyhedron) = shape {
            for vertex in 0..polyhedron.vertices().len() {
                let _ = (polyhedron.vertex_faces(vertex), polyhedron.neighbors(vertex));
            }
        }
    }
}

#[test]
fn a_shape_with_any_bit_flipped_is_refused_or_valid() {
    for (name, shape) in shapes() {
        let bytes = to_bytes(&shape).unwrap();
        assert_eq!(from_bytes::<Shape>(&bytes).unwrap(), shape, "{name}");
        let (mut refused, mut kept) = (0, 0);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            match from_bytes::<Shape>(&changed) {
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("damaged"), "{name}: {error}");
                }
                Ok(read) => {
                    kept += 1;
                    ask(&read);
                    assert_eq!(to_bytes(&read).unwrap(), changed, "{name}, bit {bit}");
                }
            }
        }
        assert!(refused > 0 && kept > 0, "{name}: {refused} refused, {kept} kept");
    }
}

#[test]
fn a_shape_with_random_bytes_overwritten_is_refused_or_valid() {
    let mut random = Random::new(20);
    for (_, shape) in shapes() {
        let bytes = to_bytes(&shape).unwrap();
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            for _ in 0..=random.index(4) {
                let at = random.index(changed.len());
                changed[at] = [0, 1, 0x7f, 0xf0, 0xff, random.index(256) as u8][random.index(6)];
            }
            if let Ok(read) = from_bytes::<Shape>(&changed) {
                ask(&read);
            }
        }
    }
}

#[test]
fn sizes_that_no_constructor_takes_are_refused_with_the_value() {
    let sphere = to_bytes(&zoo(1.0).into_iter().find(|(name, _)| *name == "sphere").unwrap().1).unwrap();
    for radius in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        let changed = [&sphere[..1], &f64::to_le_bytes(radius)].concat();
        let error = from_bytes::<ConvexShape>(&changed).unwrap_err().to_string();
        assert!(error.contains("the sphere's radius"), "{error}");
    }
    let mesh = TriangleMesh::new(vec![Vec3::zeros(), Vec3::x(), Vec3::y()], vec![[0, 1, 2]]).unwrap();
    let mut bytes = to_bytes(&mesh).unwrap();
    let last = bytes.len() - 4;
    bytes[last] = 3;
    let error = from_bytes::<TriangleMesh>(&bytes).unwrap_err().to_string();
    assert!(error.contains("refers to vertex 3"), "{error}");
}

#[test]
fn rounded_shapes_nested_without_end_are_refused() {
    for depth in [2, 60, 1_000_000] {
        let error = from_bytes::<ConvexShape>(&vec![ROUNDED; depth]).unwrap_err().to_string();
        assert!(error.contains("damaged"), "{error}");
    }
    // Two levels with their radii: the outer one would have lent the core of the inner one.
    let point = zoo(1.0).swap_remove(0).1;
    let inner = to_bytes(&point.rounded(0.5).unwrap()).unwrap();
    let twice = [&[ROUNDED][..], &inner, &0.25_f64.to_le_bytes()].concat();
    let error = from_bytes::<ConvexShape>(&twice).unwrap_err().to_string();
    assert!(error.contains("itself rounded"), "{error}");
}

#[test]
fn a_polyhedron_comes_back_with_the_same_faces_edges_and_supports() {
    let mut random = Random::new(3);
    let clouds = [5, 12, 60, 400].map(|count| (0..count).map(|_| random.in_ball()).collect::<Vec<Vec3>>());
    let mut all: Vec<Polyhedron> =
        clouds.iter().map(|cloud| Polyhedron::from_points(cloud).unwrap()).collect();
    all.extend([prism(3), prism(5), prism(200)]);
    // Far away, where coordinates are coarse; and a blade.
    all.push(
        Polyhedron::from_points(&clouds[2].iter().map(|p| p + Vec3::repeat(1e6)).collect::<Vec<_>>())
            .unwrap(),
    );
    all.push(
        Polyhedron::from_points(
            &clouds[2].iter().map(|p| Vec3::new(p.x, p.y, 1e-7 * p.z)).collect::<Vec<_>>(),
        )
        .unwrap(),
    );
    for polyhedron in all {
        let read: Polyhedron = from_bytes(&to_bytes(&polyhedron).unwrap()).unwrap();
        assert_eq!(read.edges(), polyhedron.edges());
        for face in 0..polyhedron.face_count() {
            assert_eq!(read.plane(face), polyhedron.plane(face));
            assert_eq!(read.face_vertices(face), polyhedron.face_vertices(face));
            assert_eq!(read.face_edges(face), polyhedron.face_edges(face));
        }
        for vertex in 0..polyhedron.vertices().len() {
            assert_eq!(read.neighbors(vertex), polyhedron.neighbors(vertex));
            assert_eq!(read.vertex_edges(vertex), polyhedron.vertex_edges(vertex));
            assert_eq!(read.vertex_faces(vertex), polyhedron.vertex_faces(vertex));
        }
        for _ in 0..100 {
            let direction = random.direction();
            let support = |it: &Polyhedron| it.support_vertex(&direction, &mut SupportHint::default());
            assert_eq!(support(&read), support(&polyhedron));
        }
        assert_eq!(format!("{read:?}"), format!("{polyhedron:?}"));
    }
}
