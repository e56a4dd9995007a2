//! The hull in every dimension, on small sets with known answers.

use zerogap_core::Vec3;
use zerogap_geometry::hull::{convex_hull, convex_hull_with_sources, hull_surface};
use zerogap_geometry::{GeometryError, Hull};
use zerogap_testkit::random::Random;

fn cube(half: f64, center: Vec3) -> Vec<Vec3> {
    (0..8)
        .map(|k| center + half * Vec3::from_fn(|axis, _| if k >> axis & 1 == 1 { 1.0 } else { -1.0 }))
        .collect()
}

#[test]
fn bad_input_is_a_typed_error() {
    assert!(matches!(convex_hull(&[]), Err(GeometryError::Empty { .. })));
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e61] {
        let points = [Vec3::zeros(), Vec3::new(0.0, bad, 0.0)];
        assert!(matches!(convex_hull(&points), Err(GeometryError::Input(_))), "{bad}");
    }
    assert!(matches!(
        hull_surface(&[Vec3::x(), Vec3::y(), Vec3::z()]),
        Err(GeometryError::Flat { dimension: 2, .. })
    ));
}

#[test]
fn lower_dimensional_sets_get_lower_dimensional_hulls() {
    let p = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(convex_hull(&[p; 5]).unwrap(), Hull::Point(p));
    let line: Vec<Vec3> = (0..10).map(|k| p + f64::from((k * 7) % 10) * Vec3::new(1.0, -0.5, 0.25)).collect();
    let (hull, sources) = convex_hull_with_sources(&line).unwrap();
    assert_eq!(hull, Hull::Segment([line[0], line[7]]));
    assert_eq!(sources, [0, 7]);
    let grid: Vec<Vec3> = (0..25).map(|k| Vec3::new(2.0, f64::from(k % 5), f64::from(k / 5))).collect();
    let Hull::Polygon(square) = convex_hull(&grid).unwrap() else { panic!("not a polygon") };
    assert_eq!(square.normal(), Vec3::x());
    assert_eq!(square.corners().len(), 4);
}

#[test]
fn a_cube_with_points_on_and_in_it_keeps_its_eight_corners() {
    for (scale, center) in
        [(1.0, 0.0), (1e-9, 0.0), (1e9, 0.0), (1e-60, 0.0), (1e59, 0.0), (1.0, 1e8), (0.25, 1e6)]
    {
        let center = Vec3::repeat(center);
        let mut points = cube(scale, center);
        let mut random = Random::new(1);
        for _ in 0..200 {
            let p = random.in_cube(1.0);
            let on_face = Vec3::new(p.x, p.y, 1.0_f64.copysign(p.z));
            points.extend([center + p * scale, center + on_face * scale, points[random.index(8)]]);
        }
        let (hull, sources) = convex_hull_with_sources(&points).unwrap();
        let corners: Vec<Vec3> = sources.iter().map(|&index| points[index as usize]).collect();
        assert_eq!(hull.vertices(), corners, "scale {scale}");
        if center.x == 0.0 {
            assert_eq!(hull.dimension(), 3, "scale {scale}");
            for corner in &points[..8] {
                assert!(corners.contains(corner), "scale {scale}");
            }
        }
    }
}
