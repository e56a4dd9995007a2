//! Shapes in a word: what is read, what is printed, and what the errors point at.

mod shape_zoo;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shape_zoo::{is_exact, zoo};
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::Shape;
use zerogap_geometry::shape::{Compound, Sphere};
use zerogap_geometry::shape::{WordError, WordErrorKind};

fn read(word: &str) -> Shape {
    word.parse().unwrap()
}

fn refused(word: &str) -> (WordError, String) {
    let error = word.parse::<Shape>().unwrap_err();
    let pointed = error.text[error.span.clone()].to_owned();
    (error, pointed)
}

#[test]
fn every_word_of_the_manual_is_read() {
    assert_eq!(read("box:2,2,2"), Shape::cuboid(Vec3::repeat(2.0)).unwrap());
    assert_eq!(read("sphere:0.5"), Shape::sphere(0.5).unwrap());
    assert_eq!(read("capsule:5mm,2cm"), Shape::capsule(5e-3, 2e-2).unwrap());
    assert_eq!(read("capsule:1,0"), Shape::capsule(1.0, 0.0).unwrap());
    assert_eq!(read(" cylinder: 1 in , 2 ft "), Shape::cylinder(0.0254, 0.6096).unwrap());
    assert_eq!(read("cone:1,2"), Shape::frustum(1.0, 0.0, 2.0).unwrap());
    assert_eq!(read("frustum:1,0.5,2"), Shape::frustum(1.0, 0.5, 2.0).unwrap());
    assert_eq!(read("ellipsoid:1,2,3"), Shape::ellipsoid(Vec3::new(1.0, 2.0, 3.0)).unwrap());
    assert_eq!(read("point:1e-3,0,-1mm"), Shape::point(Vec3::new(1e-3, 0.0, -1e-3)).unwrap());
    assert_eq!(read("segment:0,0,0,1,0,0"), Shape::segment(Vec3::zeros(), Vec3::x()).unwrap());
    let triangle = Shape::triangle(Vec3::zeros(), Vec3::x(), Vec3::y()).unwrap();
    assert_eq!(read("triangle:0,0,0,1,0,0,0,1,0"), triangle);
    assert_eq!(read("halfspace:0,0,2,0.5"), Shape::half_space(Vec3::z(), 0.5).unwrap());
    let square = [Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()];
    assert_eq!(read("polygon:0,0,0,1,0,0,1,1,0,0,1,0"), Shape::polygon(&square).unwrap());
}

#[test]
fn rounding_goes_before_any_shape_and_adds_up() {
    let round = Shape::cuboid(Vec3::repeat(1.0)).unwrap().rounded(1e-3).unwrap();
    assert_eq!(read("rounded:1mm,box:1,1,1"), round);
    assert_eq!(read("rounded:0.25,rounded:0.5,box:1,1,1"), read("rounded:0.75,box:1,1,1"));
    assert_eq!(read("rounded:0.25,sphere:0.5"), read("sphere:0.75"));
    assert_eq!(read("rounded:0.25,capsule:0.5,1"), read("capsule:0.75,1"));
    assert_eq!(read("rounded:0.25,halfspace:0,0,1,0"), read("halfspace:0,0,1,0.25"));
    assert_eq!(read("rounded:0,box:1,1,1"), read("box:1,1,1"));
    // Depth costs no stack.
    let deep = "rounded:0.5,".repeat(100_000) + "sphere:1";
    assert_eq!(read(&deep), read("sphere:50001"));
}

#[test]
fn errors_point_at_the_bytes_and_show_the_way() {
    let (error, pointed) = refused("box:2,zwei,2");
    assert_eq!((pointed.as_str(), error.kind.clone()), ("zwei", WordErrorKind::Number));
    assert!(error.to_string().contains("box:2,2,2"), "{error}");
    let (error, pointed) = refused("box: 2 , 2");
    assert_eq!((pointed.as_str(), error.kind.clone()), (" 2 , 2", WordErrorKind::Count));
    assert!(error.expected.contains("three side lengths") && error.expected.contains("2 numbers"), "{error}");
    let (error, pointed) = refused("sphere:-1");
    assert_eq!(pointed, "sphere:-1");
    assert!(matches!(error.kind, WordErrorKind::Value(_)) && error.to_string().contains("-1"), "{error}");
    let (error, pointed) = refused("rounded:1mm,bax:1,1,1");
    assert_eq!((pointed.as_str(), error.kind.clone()), ("bax:1,1,1", WordErrorKind::UnknownShape));
    assert!(error.expected.contains("halfspace") && error.expected.contains("rounded"), "{error}");
    let (error, pointed) = refused("rounded:x,box:1,1,1");
    assert_eq!((pointed.as_str(), error.kind), ("x", WordErrorKind::Number));
    let (error, pointed) = refused("rounded:1");
    assert_eq!((pointed.as_str(), error.kind), ("1", WordErrorKind::Count));
    let (error, pointed) = refused("rounded:-1,box:1,1,1");
    assert_eq!(pointed, "-1");
    assert!(matches!(error.kind, WordErrorKind::Value(_)));
    assert_eq!(refused("box").0.kind, WordErrorKind::Count);
    assert_eq!(refused("").0.kind, WordErrorKind::UnknownShape);
    assert_eq!(refused("box:1,1,").0.kind, WordErrorKind::Number);
    assert_eq!(refused("polygon:0,0,0,1,0,0,1,1").0.kind, WordErrorKind::Count);
    assert!(matches!(refused("halfspace:0,0,0,1").0.kind, WordErrorKind::Value(_)));
    assert!(matches!(refused("sphere:nan").0.kind, WordErrorKind::Number));
    // Any text at all, also with letters of several bytes.
    assert_eq!(refused("κύβος:1").1, "κύβος:1");
    assert_eq!(refused("box:１,2,3").1, "１");
}

#[test]
fn words_that_are_not_ours_go_to_the_caller() {
    let resolve = |word: &str| Ok((word == "part:bolt").then(|| Shape::sphere(1.0).unwrap()));
    assert_eq!(Shape::parse_with("part:bolt", resolve).unwrap(), Shape::sphere(1.0).unwrap());
    assert_eq!(Shape::parse_with("rounded:0.5, part:bolt", resolve).unwrap(), Shape::sphere(1.5).unwrap());
    assert_eq!(Shape::parse_with("sphere:2", resolve).unwrap(), Shape::sphere(2.0).unwrap());
    let error = Shape::parse_with("part:nut", resolve).unwrap_err();
    assert_eq!(error.kind, WordErrorKind::UnknownShape);
}

#[test]
fn what_is_printed_reads_back_to_the_same_bits() {
    for scale in [1e-9, 1.0 / 3.0, 1.0, 1e9, 1e-40, 1e40] {
        for (name, shape) in zoo(scale) {
            let shape = Shape::Convex(shape);
            if ["polyhedron", "blade", "rounded polyhedron", "user hull"].contains(&name) {
                assert!(shape.word().is_none(), "{name}");
                continue;
            }
            let again: Shape = shape.to_string().parse().unwrap();
            assert_eq!(again, shape, "{name}");
        }
    }
    let (_, user) = zoo(1.0).into_iter().find(|(_, shape)| !is_exact(shape)).unwrap();
    assert_eq!(Shape::Convex(user).to_string(), "user-defined shape");
    let ball = Sphere::new(1.0).unwrap().into();
    let compound: Shape = Compound::new(vec![(Pose::identity(), ball)]).unwrap().into();
    assert_eq!(compound.to_string(), "compound of 1 pieces");
    assert_eq!(read("box:2,2,2").to_string(), "box:2,2,2");
    assert_eq!(
        read("rounded:1mm,cone:5um,1e20").to_string(),
        "rounded:0.001,cone:4.9999999999999996e-6,1e20"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_panic(text in "(rounded|box|sphere|halfspace|point)?[:,. 0-9a-zé+-]{0,24}") {
        if let Err(error) = text.parse::<Shape>() {
            prop_assert!(error.text.get(error.span.clone()).is_some());
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn half_spaces_and_triangles_keep_their_bits(x in prop::array::uniform9(-1e3_f64..1e3)) {
        let v = |i: usize| Vec3::new(x[i], x[i + 1], x[i + 2]);
        if let Ok(plane) = Shape::half_space(v(0), x[3]) {
            prop_assert_eq!(&plane.to_string().parse::<Shape>().unwrap(), &plane);
        }
        let triangle = Shape::triangle(v(0), v(3), v(6)).unwrap();
        prop_assert_eq!(&triangle.to_string().parse::<Shape>().unwrap(), &triangle);
        if let Ok(polygon) = Shape::polygon(&[v(0), v(3), v(6)]) {
            prop_assert_eq!(&polygon.to_string().parse::<Shape>().unwrap(), &polygon);
        }
    }
}
