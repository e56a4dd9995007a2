//! Mass properties of the plain shapes against formulas from a table, and the rules that all of them obey.

mod shape_zoo;

use std::f64::consts::PI;

use shape_zoo::{is_exact, zoo};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::mass::surface::solid_of_triangles;
use zerogap_geometry::shape::{
    Capsule, Compound, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, Point, Polygon, Segment, Sphere,
    Triangle,
};
use zerogap_geometry::{Convex, ConvexShape, GeometryError, MassProperties, Shape};

const DENSITY: f64 = 7850.0;

/// Compares mass, centre and every entry of the inertia, each to 1e-12 of its own size.
fn assert_same(found: &MassProperties, mass: f64, center: Vec3, inertia: Mat3, what: &str) {
    assert!((found.mass - mass).abs() <= 1e-12 * mass, "{what}: mass {} not {mass}", found.mass);
    let size = (inertia.amax() / mass).sqrt() + center.amax();
    assert!((found.center - center).amax() <= 1e-12 * size, "{what}: centre {} not {center}", found.center);
    for (f, e) in found.inertia.iter().zip(inertia.iter()) {
        let scale = if *e == 0.0 { inertia.amax() } else { e.abs() };
        assert!((f - e).abs() <= 1e-12 * scale, "{what}: inertia {} not {inertia}", found.inertia);
    }
}

fn diagonal(x: f64, y: f64, z: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(x, y, z))
}

/// Radii and lengths that are ordinary, tiny, huge, flat and thin [m].
const SIZES: [(f64, f64); 7] =
    [(0.5, 1.3), (1e-9, 2e-9), (1e9, 3e9), (1.0, 1e-9), (1e-9, 1.0), (1e6, 1e-6), (1e-6, 1e6)];

#[test]
fn solids_of_revolution_match_their_formulas() {
    for (r, l) in SIZES {
        let what = format!("r {r} l {l}");
        let m = DENSITY * 4.0 / 3.0 * PI * r.powi(3);
        let i = 0.4 * m * r * r;
        let sphere = Sphere::new(r).unwrap();
        assert_same(&sphere.mass_properties(DENSITY).unwrap(), m, Vec3::zeros(), diagonal(i, i, i), &what);

        let m = DENSITY * PI * r * r * l;
        let i = m * (3.0 * r * r + l * l) / 12.0;
        let cylinder = Cylinder::new(r, l).unwrap();
        let inertia = diagonal(i, i, 0.5 * m * r * r);
        assert_same(&cylinder.mass_properties(DENSITY).unwrap(), m, Vec3::zeros(), inertia, &what);
        assert!((cylinder.volume() * DENSITY / m - 1.0).abs() < 1e-14);

        let ball = DENSITY * 4.0 / 3.0 * PI * r.powi(3);
        let i = i + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
        let inertia = diagonal(i, i, 0.5 * m * r * r + 0.4 * ball * r * r);
        let capsule = Capsule::new(r, l).unwrap();
        assert_same(&capsule.mass_properties(DENSITY).unwrap(), m + ball, Vec3::zeros(), inertia, &what);
        assert!((capsule.volume() * DENSITY / (m + ball) - 1.0).abs() < 1e-14);

        let m = m / 3.0;
        let i = m * (3.0 / 20.0 * r * r + 3.0 / 80.0 * l * l);
        let cone = Frustum::cone(r, l).unwrap();
        let center = Vec3::new(0.0, 0.0, -0.25 * l);
        let found = cone.mass_properties(DENSITY).unwrap();
        assert_same(&found, m, center, diagonal(i, i, 0.3 * m * r * r), &what);
    }
}

#[test]
fn a_frustum_is_a_cone_without_its_tip() {
    let (r0, r1, l) = (0.9, 0.4, 1.1);
    // The whole cone is l r0 / (r0 - r1) long; the tip that is missing has the radius r1.
    let whole = l * r0 / (r0 - r1);
    let tip = whole - l;
    let cone = |r: f64, h: f64, base: f64| {
        let m = PI * r * r * h / 3.0;
        let i = m * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h);
        (m, base + 0.25 * h, i, 0.3 * m * r * r)
    };
    let (m0, z0, i0, k0) = cone(r0, whole, -0.5 * l);
    let (m1, z1, i1, k1) = cone(r1, tip, 0.5 * l);
    let m = m0 - m1;
    let z = (m0 * z0 - m1 * z1) / m;
    let i = i0 + m0 * z0 * z0 - i1 - m1 * z1 * z1 - m * z * z;
    let up = Frustum::new(r0, r1, l).unwrap();
    let found = up.mass_properties(1.0).unwrap();
    assert_same(&found, m, Vec3::new(0.0, 0.0, z), diagonal(i, i, k0 - k1), "frustum");
    assert!((up.volume() / m - 1.0).abs() < 1e-14);
    // Turned over, it is the same with the other sign.
    let down = Frustum::new(r1, r0, l).unwrap().mass_properties(1.0).unwrap();
    assert_same(&down, m, Vec3::new(0.0, 0.0, -z), diagonal(i, i, k0 - k1), "frustum upside down");
}

#[test]
fn boxes_and_ellipsoids_match_their_formulas() {
    for size in [Vec3::new(1.0, 2.0, 3.0), Vec3::new(1e-9, 1.0, 1.0), Vec3::new(1e9, 1e-9, 1e3)] {
        let s = size.component_mul(&size);
        let m = DENSITY * size.product();
        let inertia = diagonal(s.y + s.z, s.z + s.x, s.x + s.y) * (m / 12.0);
        let found = Cuboid::new(size).unwrap().mass_properties(DENSITY).unwrap();
        assert_same(&found, m, Vec3::zeros(), inertia, "box");
        let m = DENSITY * 4.0 / 3.0 * PI * size.product();
        let inertia = diagonal(s.y + s.z, s.z + s.x, s.x + s.y) * (m / 5.0);
        let found = Ellipsoid::new(size).unwrap().mass_properties(DENSITY).unwrap();
        assert_same(&found, m, Vec3::zeros(), inertia, "ellipsoid");
    }
}

#[test]
fn flat_and_thin_shapes_take_densities_per_area_and_length() {
    // A right triangle with legs b and h.
    let (b, h) = (0.7, 1.9);
    let at = Vec3::new(5.0, -3.0, 2.0);
    let triangle = Triangle::new(at, at + Vec3::x() * b, at + Vec3::y() * h).unwrap();
    let m = 2.0 * 0.5 * b * h;
    let (ix, iy, cxy) = (m * h * h / 18.0, m * b * b / 18.0, -m * b * h / 36.0);
    let inertia = Mat3::new(ix, -cxy, 0.0, -cxy, iy, 0.0, 0.0, 0.0, ix + iy);
    let center = at + Vec3::new(b / 3.0, h / 3.0, 0.0);
    assert_same(&triangle.mass_properties(2.0).unwrap(), m, center, inertia, "triangle");
    assert!(triangle.volume() == 0.0);

    // A regular hexagon of side 2.
    let corner = |k: i32| {
        let (s, c) = zerogap_core::math::sin_cos(f64::from(k) * PI / 3.0);
        Vec3::new(2.0 * c, 2.0 * s, 1.0)
    };
    let hexagon = Polygon::new(&(0..6).map(corner).collect::<Vec<_>>()).unwrap();
    let m = 3.0 * 1.5 * 3.0_f64.sqrt() * 4.0;
    let i = 5.0 / 24.0 * m * 4.0;
    assert_same(&hexagon.mass_properties(3.0).unwrap(), m, Vec3::z(), diagonal(i, i, 2.0 * i), "hexagon");

    let segment = Segment::new(Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 4.0)).unwrap();
    let i = 12.0 * 16.0 / 12.0;
    let center = Vec3::new(1.0, 1.0, 2.0);
    assert_same(&segment.mass_properties(3.0).unwrap(), 12.0, center, diagonal(i, i, 0.0), "segment");

    let point = Point::new(at).unwrap().mass_properties(3.5).unwrap();
    assert!((point.mass, point.center, point.inertia) == (3.5, at, Mat3::zeros()));
}

#[test]
fn degenerate_flats_weigh_what_their_dimension_weighs() {
    let (a, b) = (Vec3::zeros(), Vec3::x() * 2.0);
    let line = Triangle::new(a, b, 0.5 * (a + b)).unwrap().mass_properties(3.0).unwrap();
    assert_same(&line, 6.0, Vec3::x(), diagonal(0.0, 2.0, 2.0), "triangle in a line");
    let dot = Segment::new(b, b).unwrap().mass_properties(3.0).unwrap();
    assert!(dot.mass == 0.0 && dot.center == b, "a segment without length has no mass per length");
}

#[test]
fn a_compound_is_the_sum_of_its_pieces() {
    // Two half boxes make the box.
    let half: ConvexShape = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into();
    let rotated = Pose::from_axis_angle(Vec3::new(0.5, 0.0, 0.0), Vec3::x(), PI).unwrap();
    let other = Pose::from_translation(Vec3::new(-0.5, 0.0, 0.0)).unwrap();
    let compound = Compound::new(vec![(rotated, half.clone()), (other, half)]).unwrap();
    let whole = Cuboid::new(Vec3::new(2.0, 2.0, 3.0)).unwrap().mass_properties(5.0).unwrap();
    let found = compound.mass_properties(5.0).unwrap();
    assert_same(&found, whole.mass, whole.center, whole.inertia, "two halves");
    assert!((compound.volume() - 12.0).abs() < 1e-14);
}

#[test]
fn mass_grows_with_the_cube_and_inertia_with_the_fifth_power_of_scale() {
    for scale in [1e-9, 1e-3, 1e9] {
        for ((name, unit), (_, scaled)) in zoo(1.0).into_iter().zip(zoo(scale)) {
            let dimension = match &unit {
                ConvexShape::Point(_) => 0,
                ConvexShape::Segment(_) => 1,
                ConvexShape::Triangle(_) | ConvexShape::Polygon(_) => 2,
                shape if !is_exact(shape) => continue,
                _ => 3,
            };
            let (a, b) = (unit.mass_properties(2.0).unwrap(), scaled.mass_properties(2.0).unwrap());
            let factor = (0..dimension).fold(1.0, |product, _| product * scale);
            let what = format!("{name} at {scale}");
            assert!((b.mass / (a.mass * factor) - 1.0).abs() < 1e-12, "{what}");
            assert!((b.center / scale - a.center).amax() < 1e-12, "{what}");
            let shrunk = b.inertia / (factor * scale * scale);
            assert!((shrunk - a.inertia).amax() <= 1e-12 * a.inertia.amax(), "{what}");
            if dimension == 3 {
                assert!((unit.volume() * 2.0 / a.mass - 1.0).abs() < 1e-12, "{what}: volume and mass differ");
                let moments = a.principal_moments();
                assert!(moments[0] > 0.0 && moments[0] + moments[1] >= moments[2] * (1.0 - 1e-12), "{what}");
            }
        }
    }
}

#[test]
fn unusable_densities_and_massless_shapes_are_refused() {
    for density in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for (name, shape) in zoo(1.0) {
            assert!(
                matches!(shape.mass_properties(density), Err(GeometryError::Density { .. })),
                "{name} {density}"
            );
        }
    }
    let floor: Shape = HalfSpace::new(Vec3::z(), 0.0).unwrap().into();
    assert!(matches!(floor.mass_properties(1.0), Err(GeometryError::NoMeasure { .. })));
    let huge = Shape::sphere(1e60).unwrap();
    assert!(huge.mass_properties(1e3).is_ok());
    assert_eq!(huge.mass_properties(1e20), Err(GeometryError::MassRange { density: 1e20 }));
}

/// Triangles of the surface u, v in 0..1 (both closed or collapsed at the ends), seen with outward normal `x_u × x_v`.
fn tessellate(n: usize, m: usize, x: impl Fn(f64, f64) -> Vec3) -> Vec<[Vec3; 3]> {
    let at = |i: usize, j: usize| x(i as f64 / n as f64, j as f64 / m as f64);
    let quad =
        |i, j| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
    (0..n).flat_map(|i| (0..m).flat_map(move |j| quad(i, j)).collect::<Vec<_>>()).collect()
}

#[test]
fn a_half_space_has_the_mass_it_was_given_and_no_other() {
    let floor = HalfSpace::new(Vec3::z(), 1.0).unwrap();
    assert!(matches!(Shape::from(floor).mass_properties(1.0), Err(GeometryError::NoMeasure { .. })));
    let given = Cuboid::new(Vec3::new(10.0, 10.0, 1.0)).unwrap().mass_properties(500.0).unwrap();
    let moving = Shape::from(floor.with_mass_properties(given).unwrap());
    assert_eq!(moving.rounded(0.5).unwrap().mass_properties(7.0).unwrap(), given);
    assert!(moving.word().is_none() && Shape::from(floor).word().is_some());
    assert!(floor.with_mass_properties(MassProperties::zero()).is_err());
}

#[test]
fn tessellations_converge_to_the_smooth_values_at_second_order() {
    let turn = |t: f64| zerogap_core::math::sin_cos(2.0 * PI * t);
    let sphere = |u: f64, v: f64| {
        let ((s, c), (sin, cos)) = (turn(u), turn(0.5 * v - 0.25));
        Vec3::new(0.7 * c * cos, 0.7 * s * cos, 0.7 * sin)
    };
    let cylinder = |u: f64, v: f64| {
        // Bottom, side, top: a third of the way each.
        let (s, c) = turn(u);
        let (rho, z) = ((3.0 * v).min(3.0 - 3.0 * v).min(1.0), (3.0 * v - 1.0).clamp(0.0, 1.0));
        Vec3::new(0.6 * rho * c, 0.6 * rho * s, 1.3 * (z - 0.5))
    };
    let (big, small) = (1.5, 0.4);
    let torus = move |u: f64, v: f64| {
        let ((s, c), (sin, cos)) = (turn(u), turn(v));
        Vec3::new((big + small * cos) * c, (big + small * cos) * s, small * sin)
    };
    let ring = {
        let m = 2.0 * PI * PI * big * small * small;
        let i = m * (0.5 * big * big + 0.625 * small * small);
        let inertia = diagonal(i, i, m * (big * big + 0.75 * small * small));
        MassProperties { mass: m, center: Vec3::zeros(), inertia }
    };
    let exact = [
        Sphere::new(0.7).unwrap().mass_properties(1.0).unwrap(),
        Cylinder::new(0.6, 1.3).unwrap().mass_properties(1.0).unwrap(),
        ring,
    ];
    let mesh = |which: usize, n: usize| {
        let triangles = match which {
            0 => tessellate(2 * n, n, sphere),
            1 => tessellate(2 * n, 3, cylinder),
            _ => tessellate(2 * n, n, torus),
        };
        solid_of_triangles(triangles, Vec3::zeros(), 1.0)
    };
    for (which, exact) in exact.iter().enumerate() {
        let errors = [24, 48, 96].map(|n| {
            let found = mesh(which, n);
            assert!(found.center.amax() < 1e-12);
            [(exact.mass - found.mass).abs(), (exact.inertia - found.inertia).amax()]
        });
        for k in 0..2 {
            for pair in errors.windows(2) {
                let order = zerogap_core::math::ln(pair[0][k] / pair[1][k]) / std::f64::consts::LN_2;
                assert!((order - 2.0).abs() < 0.05, "shape {which}: order {order}");
            }
        }
    }
}
