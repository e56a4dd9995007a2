//! Mass properties of rounded shapes against integrals that were set up another way.

use std::f64::consts::{FRAC_PI_2, PI};

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_geometry::mass::polytope::{self, Edge, Face};
use zerogap_geometry::mass::{Moments, surface};
use zerogap_geometry::shape::{
    Cuboid, Cylinder, Ellipsoid, Frustum, Point, Polygon, Rounded, Segment, Sphere, Triangle,
};
use zerogap_geometry::{Convex, ConvexShape, MassProperties, Polyhedron};
use zerogap_testkit::quadrature::{gauss_legendre, integrate, over_sphere};
use zerogap_testkit::random::Random;

fn rounded(core: impl Into<ConvexShape>, radius: f64) -> ConvexShape {
    Rounded::new(core.into(), radius).unwrap().into()
}

fn weigh(shape: &ConvexShape) -> MassProperties {
    shape.mass_properties(1.0).unwrap()
}

/// Relative difference of two sets of mass properties, the worst of mass, centre and inertia.
fn difference(a: &MassProperties, b: &MassProperties) -> f64 {
    let size = (b.inertia.amax() / b.mass).sqrt();
    let inertia = (a.inertia - b.inertia).amax() / b.inertia.amax();
    (a.mass / b.mass - 1.0).abs().max((a.center - b.center).amax() / size).max(inertia)
}

#[test]
fn rounded_points_and_segments_are_balls_and_capsules() {
    for r in [1e-9, 0.3, 1e9] {
        let at = Vec3::new(1.0, -2.0, 0.5) * r;
        let mass = 4.0 / 3.0 * PI * r.powi(3);
        let ball =
            MassProperties { mass, center: Vec3::zeros(), inertia: Mat3::identity() * (0.4 * mass * r * r) };
        let moved = ball.transformed(&Pose::from_translation(at).unwrap());
        assert!(difference(&weigh(&rounded(Point::new(at).unwrap(), r)), &moved) < 1e-13);

        for length in [0.0, 1e-9 * r, 1.7 * r, 1e6 * r] {
            let pose = Pose::from_axis_angle(at, Vec3::new(1.0, 2.0, -0.7), 1.1).unwrap();
            let end = |z: f64| pose.transform_point(&Vec3::new(0.0, 0.0, z));
            let found = weigh(&rounded(Segment::new(end(-0.5 * length), end(0.5 * length)).unwrap(), r));
            // A cylinder and two half balls, whose centres of mass lie 3/8 of the radius beyond its ends.
            let (rod, balls) = (PI * r * r * length, 4.0 / 3.0 * PI * r.powi(3));
            let along = 0.5 * rod * r * r + 0.4 * balls * r * r;
            let across = rod * (length * length / 12.0 + r * r / 4.0)
                + balls * (0.4 * r * r + length * length / 4.0 + 3.0 / 8.0 * length * r);
            let inertia = Mat3::from_diagonal(&Vec3::new(across, across, along));
            let capsule =
                MassProperties { mass: rod + balls, center: Vec3::zeros(), inertia }.transformed(&pose);
            assert!(difference(&found, &capsule) < 1e-13, "{r} {length}");
        }
    }
}

#[test]
fn a_rounded_box_matches_the_sum_over_its_octant() {
    for (a, b, c, r) in [
        (1.0, 0.5, 2.0, 0.3),
        (1e-9, 1.0, 1.0, 1e-9),
        (1e-9, 1.0, 2.0, 0.5),
        (1e9, 1e9, 1e9, 1.0),
        (1.0, 1.0, 1.0, 1e-9),
    ] {
        // Of the octant, the part beyond x = a lies over core, two quarter cylinders and an eighth of a ball.
        let volume = |a: f64, b: f64, c: f64| {
            8.0 * (a * b * c + r * (a * b + b * c + c * a) + 0.25 * PI * r * r * (a + b + c))
                + 4.0 / 3.0 * PI * r.powi(3)
        };
        let second = |a: f64, b: f64, c: f64| {
            let within = a.powi(3) / 3.0 * (b * c + r * (b + c) + 0.25 * PI * r * r);
            let slab = b * c * r * (a * a + a * r + r * r / 3.0);
            let quarters =
                (b + c) * (a * a * 0.25 * PI * r * r + 2.0 * a * r.powi(3) / 3.0 + PI * r.powi(4) / 16.0);
            let eighth =
                a * a * PI * r.powi(3) / 6.0 + 2.0 * a * PI * r.powi(4) / 16.0 + PI * r.powi(5) / 30.0;
            8.0 * (within + slab + quarters + eighth)
        };
        let moment = Mat3::from_diagonal(&Vec3::new(second(a, b, c), second(b, c, a), second(c, a, b)));
        let expected = MassProperties::from_second_moment(volume(a, b, c), Vec3::zeros(), &moment);
        let found = weigh(&rounded(Cuboid::new(Vec3::new(a, b, c) * 2.0).unwrap(), r));
        assert!(difference(&found, &expected) < 1e-13, "{a} {b} {c} {r}: {found:?} {expected:?}");
    }
}

/// Integrals of 1, x, y, x², y², xy over a plane region, from its boundary.
#[derive(Default)]
struct Slice([f64; 6]);

impl Slice {
    /// A piece of the boundary, run through counter-clockwise, t in 0..1 with the point and its derivative.
    fn piece(&mut self, n: usize, path: impl Fn(f64) -> ([f64; 2], [f64; 2])) {
        for (u, w) in gauss_legendre(n) {
            let ([x, y], [dx, dy]) = path(0.5 * (1.0 + u));
            let (dx, dy) = (0.5 * w * dx, 0.5 * w * dy);
            let add = [
                0.5 * (x * dy - y * dx),
                0.5 * x * x * dy,
                -0.5 * y * y * dx,
                x.powi(3) / 3.0 * dy,
                -y.powi(3) / 3.0 * dx,
                0.5 * x * x * y * dy,
            ];
            self.0.iter_mut().zip(add).for_each(|(sum, part)| *sum += part);
        }
    }
}

/// A plate about z = 0, sliced: each slice is the polygon inflated by the half-width of the ball at that height.
fn sliced_plate(corners: &[[f64; 2]], r: f64) -> MassProperties {
    let mut sum = Moments::zero();
    for (t, w) in gauss_legendre(40) {
        let (sin, cos) = zerogap_core::math::sin_cos(FRAC_PI_2 * t);
        let (z, grow, dz) = (r * sin, r * cos, r * cos * FRAC_PI_2 * w);
        let mut slice = Slice::default();
        let count = corners.len();
        let heading = |i: usize| {
            let (a, b) = (corners[i % count], corners[(i + 1) % count]);
            zerogap_core::math::atan2(b[1] - a[1], b[0] - a[0])
        };
        for i in 0..count {
            let (a, b) = (corners[i], corners[(i + 1) % count]);
            let (s, c) = zerogap_core::math::sin_cos(heading(i));
            let d = [b[0] - a[0], b[1] - a[1]];
            slice.piece(4, |t| ([a[0] + t * d[0] + grow * s, a[1] + t * d[1] - grow * c], d));
            let turn = (heading(i + 1) - heading(i)).rem_euclid(2.0 * PI);
            slice.piece(16, |t| {
                let (s, c) = zerogap_core::math::sin_cos(heading(i) + t * turn);
                ([b[0] + grow * s, b[1] - grow * c], [grow * c * turn, grow * s * turn])
            });
        }
        let [one, x, y, xx, yy, xy] = slice.0;
        sum += Moments {
            measure: one * dz,
            first: Vec3::new(x, y, one * z) * dz,
            second: Mat3::new(xx, xy, x * z, xy, yy, y * z, x * z, y * z, one * z * z) * dz,
        };
    }
    sum.mass_properties(Vec3::zeros(), 1.0).unwrap()
}

#[test]
fn rounded_plates_match_the_sum_of_their_slices() {
    let triangle = [[-0.3, -0.2], [0.9, 0.1], [0.2, 0.8]];
    let needle = [[-1.0, 0.0], [1.0, -0.01], [0.5, 0.02]];
    let pentagon = [[-1.0, -0.5], [0.3, -0.9], [1.1, 0.0], [0.4, 0.7], [-0.6, 0.6]];
    for r in [1e-9, 1e-3, 0.4, 50.0] {
        for corners in [&triangle[..], &needle[..], &pentagon[..]] {
            let expected = sliced_plate(corners, r);
            let lift = |p: &[f64; 2]| Vec3::new(p[0], p[1], 0.0);
            let points: Vec<Vec3> = corners.iter().map(lift).collect();
            let shape = |p: &[Vec3]| -> ConvexShape {
                if let [a, b, c] = p {
                    Triangle::new(*a, *b, *c).unwrap().into()
                } else {
                    Polygon::new(p).unwrap().into()
                }
            };
            let found = weigh(&rounded(shape(&points), r));
            assert!(difference(&found, &expected) < 1e-12, "{r} {corners:?}: {found:?} {expected:?}");
            // And anywhere else in space.
            let pose =
                Pose::from_axis_angle(Vec3::new(3.0, -1.0, 2.0), Vec3::new(-1.0, 0.3, 0.8), 2.0).unwrap();
            let moved: Vec<Vec3> = points.iter().map(|p| pose.transform_point(p)).collect();
            let found = weigh(&rounded(shape(&moved), r));
            assert!(difference(&found, &expected.transformed(&pose)) < 2e-12, "{r} {corners:?} moved");
        }
    }
}

/// A convex polytope from its faces, with the edges found by matching.
fn round_polytope(vertices: &[Vec3], loops: &[&[usize]], r: f64) -> MassProperties {
    let face = |corners: &&[usize]| {
        let p = |k: usize| vertices[corners[k]];
        Face { normal: (p(1) - p(0)).cross(&(p(2) - p(0))).normalize(), corners: corners.to_vec() }
    };
    let faces: Vec<Face> = loops.iter().map(face).collect();
    let mut edges = Vec::new();
    let sides = |face: &Face| {
        let n = face.corners.len();
        (0..n).map(|k| (face.corners[k], face.corners[(k + 1) % n])).collect::<Vec<_>>()
    };
    for face in &faces {
        for (start, end) in sides(face) {
            if start < end {
                let other = faces.iter().find(|other| sides(other).contains(&(end, start))).unwrap();
                edges.push(Edge { start, end, left: face.normal, right: other.normal });
            }
        }
    }
    let fans = faces.iter().flat_map(|face| {
        let c = face.corners.clone();
        (2..c.len()).map(move |k| [vertices[c[0]], vertices[c[k - 1]], vertices[c[k]]])
    });
    let solid = surface::solid_of_triangles(fans, Vec3::zeros(), 1.0);
    let core = Moments {
        measure: solid.mass,
        first: solid.center * solid.mass,
        second: solid.second_moment() + solid.center * solid.center.transpose() * solid.mass,
    };
    polytope::rounded(vertices, &faces, &edges, core, r).mass_properties(Vec3::zeros(), 1.0).unwrap()
}

#[test]
fn two_rounded_wedges_make_a_rounded_box_and_their_common_wall() {
    // Growing by a ball keeps the additivity of convex bodies with a convex union: K + L = (K and L) + (K or L).
    let (a, b, c) = (1.0, 0.6, 0.8);
    let corner = |x: f64, y: f64, z: f64| Vec3::new(a * x, b * y, c * z);
    let lower = [corner(-1.0, -1.0, -1.0), corner(1.0, -1.0, -1.0), corner(1.0, 1.0, -1.0)];
    let wedge = |low: [Vec3; 3]| {
        let up = Vec3::new(0.0, 0.0, 2.0 * c);
        [low[0], low[1], low[2], low[0] + up, low[1] + up, low[2] + up]
    };
    let loops: [&[usize]; 5] = [&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
    let wall =
        [corner(-1.0, -1.0, -1.0), corner(1.0, 1.0, -1.0), corner(1.0, 1.0, 1.0), corner(-1.0, -1.0, 1.0)];
    for r in [1e-6, 0.2, 3.0] {
        let one = round_polytope(&wedge(lower), &loops, r);
        let two = round_polytope(&wedge(lower.map(|p| Vec3::new(-p.x, -p.y, p.z))), &loops, r);
        let whole = weigh(&rounded(Cuboid::new(Vec3::new(a, b, c) * 2.0).unwrap(), r));
        let both = weigh(&rounded(Polygon::new(&wall).unwrap(), r)).combined(&whole);
        assert!(difference(&one.combined(&two), &both) < 1e-13, "{r}");
    }
}

#[test]
fn a_rounded_tetrahedron_matches_its_radial_function() {
    let vertices = [
        Vec3::new(-0.8, -0.5, -0.4),
        Vec3::new(0.9, -0.4, -0.3),
        Vec3::new(0.0, 0.8, -0.5),
        Vec3::new(0.1, 0.0, 0.9),
    ];
    let loops: [&[usize]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
    let r = 0.5;
    let found = round_polytope(&vertices, &loops, r);
    // The distance to the surface of the core, from outside, is the least distance to its faces.
    let faces = [0, 1, 2, 3].map(|k: usize| {
        let p = loops[k].iter().map(|&i| vertices[i]).collect::<Vec<_>>();
        Triangle::new(p[0], p[1], p[2]).unwrap()
    });
    let inside = |q: &Vec3| faces.iter().all(|f| f.normal().unwrap().dot(&(q - f.corners()[0])) <= 0.0);
    let gap = |q: &Vec3| {
        let smallest = faces.iter().map(|f| f.closest_point(q).gap).fold(f64::INFINITY, f64::min);
        if inside(q) { -smallest } else { smallest }
    };
    let mut sum = Moments::zero();
    over_sphere(60, 120, |u, w| {
        let (mut low, mut high) = (0.0, 3.0);
        for _ in 0..45 {
            let middle = 0.5 * (low + high);
            if gap(&(u * middle)) < r { low = middle } else { high = middle }
        }
        sum += Moments {
            measure: w * low.powi(3) / 3.0,
            first: u * (w * low.powi(4) / 4.0),
            second: u * u.transpose() * (w * low.powi(5) / 5.0),
        };
    });
    let expected = sum.mass_properties(Vec3::zeros(), 1.0).unwrap();
    // The radial function has jumps in its second derivative, so the sum over directions is good to five digits.
    assert!(difference(&found, &expected) < 1e-5, "{found:?} {expected:?}");
}

/// Mass properties of a solid of revolution about z from a profile (ρ, z, dz) in t over 0..1, sampled finely at both ends and in the middle.
fn revolve(profile: impl Fn(f64) -> (f64, f64, f64)) -> MassProperties {
    let mut moments = [0.0; 4];
    let mut add = |t: f64, w: f64| {
        let (rho, z, dz) = profile(t);
        let square = rho * rho * dz * w;
        moments = [
            moments[0] + square,
            moments[1] + square * z,
            moments[2] + square * z * z,
            moments[3] + square * rho * rho,
        ];
    };
    // Panels that halve toward the poles and toward the equator reach features as narrow as 1e-9.
    for k in 1..32 {
        let (a, b) = (0.5_f64.powi(k + 1), 0.5_f64.powi(k));
        let a = if k == 31 { 0.0 } else { a };
        for (x, w) in gauss_legendre(24) {
            let t = 0.5 * (a + b) + 0.5 * (b - a) * x;
            for at in [0.5 * t, 0.5 - 0.5 * t, 0.5 + 0.5 * t, 1.0 - 0.5 * t] {
                add(at, 0.25 * w * (b - a));
            }
        }
    }
    let [volume, first, along, across] = moments.map(|x| x * PI);
    let z = first / volume;
    let second = Mat3::from_diagonal(&Vec3::new(0.25 * across, 0.25 * across, along - z * first));
    MassProperties::from_second_moment(volume, Vec3::new(0.0, 0.0, z), &second)
}

#[test]
fn rounded_ellipsoids_match_balls_and_spheroids() {
    for (big, r) in [(1.0, 0.5), (1e-9, 1e-9), (1e9, 1.0), (1.0, 1e-9), (1e-6, 1.0)] {
        let found = weigh(&rounded(Ellipsoid::new(Vec3::repeat(big)).unwrap(), r));
        let ball = Sphere::new(big + r).unwrap().mass_properties(1.0).unwrap();
        assert!(difference(&found, &ball) < 1e-11, "{big} {r}: {}", difference(&found, &ball));
    }
    let mut worst: f64 = 0.0;
    for aspect in [0.5, 3.0, 1e3, 1e-3, 1e6, 1e-6] {
        for r in [1e-7, 1e-3, 0.3, 10.0] {
            let (a, c) = if aspect > 1.0 { (1.0 / aspect, 1.0) } else { (1.0, aspect) };
            let (a, c): (f64, f64) = (a, c);
            let expected = revolve(|t| {
                // From pole to pole by the angle of the sphere that is stretched; its normal is (c cos, a sin) made unit.
                let (sin, cos) = zerogap_core::math::sin_cos(PI * t);
                let (sin, cos) = (-cos, sin);
                let steep = ((c * cos).powi(2) + (a * sin).powi(2)).sqrt();
                let (rho, z) = (a * cos + r * c * cos / steep, c * sin + r * a * sin / steep);
                let dz = PI * (c * cos + r * a * cos * c * c / steep.powi(3));
                (rho, z, dz)
            });
            let found = weigh(&rounded(Ellipsoid::new(Vec3::new(a, a, c)).unwrap(), r));
            let error = difference(&found, &expected);
            worst = worst.max(error);
            assert!(error < 1e-10, "aspect {aspect} r {r}: {error:.1e} {found:?} {expected:?}");
        }
    }
    println!("rounded spheroids, worst relative error {worst:.1e}");
}

#[test]
fn a_rounded_ellipsoid_with_three_axes_matches_its_radial_function() {
    let shape = rounded(Ellipsoid::new(Vec3::new(0.8, 1.3, 1.0)).unwrap(), 0.4);
    let mut sum = Moments::zero();
    over_sphere(40, 80, |u, w| {
        let (mut low, mut high) = (0.0, 3.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if shape.contains(&(u * middle)) { low = middle } else { high = middle }
        }
        sum += Moments {
            measure: w * low.powi(3) / 3.0,
            first: u * (w * low.powi(4) / 4.0),
            second: u * u.transpose() * (w * low.powi(5) / 5.0),
        };
    });
    let expected = sum.mass_properties(Vec3::zeros(), 1.0).unwrap();
    let error = difference(&weigh(&shape), &expected);
    assert!(error < 1e-11, "{error:.1e}");
}

#[test]
fn rounded_cylinders_and_frustums_match_their_profiles() {
    for (r0, r1, length, r) in [
        (0.6, 0.6, 1.3, 0.2),
        (0.9, 0.4, 1.1, 0.3),
        (0.7, 0.0, 1.5, 0.1),
        (0.0, 0.8, 0.9, 2.0),
        (1.0, 1.0, 1e-9, 1e-3),
    ] {
        // Stack of discs: the radius at a height is the farthest that a disc of the core reaches with its ball.
        let h = 0.5 * length;
        let lean = zerogap_core::math::atan2(r0 - r1, length);
        let (sin, cos) = zerogap_core::math::sin_cos(lean);
        let radius_at = |z: f64| {
            if z < -h + r * sin {
                r0 + (r * r - (z + h) * (z + h)).max(0.0).sqrt()
            } else if z > h + r * sin {
                r1 + (r * r - (z - h) * (z - h)).max(0.0).sqrt()
            } else {
                let t = (z - (-h + r * sin)) / length;
                r0 + (r1 - r0) * t + r * cos
            }
        };
        let mut moments = [0.0; 4];
        // In an arc, z = middle + r sin φ takes the square root out of the integrand.
        let mut add = |from: f64, to: f64, height: &dyn Fn(f64) -> (f64, f64)| {
            for (k, m) in moments.iter_mut().enumerate() {
                *m += integrate(from, to, 40, |t| {
                    let (z, dz) = height(t);
                    let rho = radius_at(z);
                    PI * dz * [rho * rho, rho * rho * z, rho * rho * z * z, 0.25 * rho.powi(4)][k]
                });
            }
        };
        let arc = |middle: f64| {
            move |t: f64| {
                let (s, c) = zerogap_core::math::sin_cos(t);
                (middle + r * s, r * c)
            }
        };
        add(-FRAC_PI_2, lean, &arc(-h));
        add(0.0, 1.0, &|t| (-h + r * sin + t * length, length));
        add(lean, FRAC_PI_2, &arc(h));
        let z = moments[1] / moments[0];
        let second = Mat3::from_diagonal(&Vec3::new(moments[3], moments[3], moments[2] - z * moments[1]));
        let expected = MassProperties::from_second_moment(moments[0], Vec3::new(0.0, 0.0, z), &second);
        let found = weigh(&rounded(Frustum::new(r0, r1, length).unwrap(), r));
        // Beside the seams of arcs and side, the comparison of heights decides by rounding: 1e-11 is what the oracle gives.
        assert!(difference(&found, &expected) < 1e-11, "{r0} {r1} {length} {r}: {found:?} {expected:?}");
        if (r0 - r1).abs() < 1e-15 {
            let cylinder = weigh(&rounded(Cylinder::new(r0, length).unwrap(), r));
            assert!(difference(&cylinder, &found) < 1e-15);
        }
    }
}

#[test]
fn a_polygon_with_many_corners_rounds_like_a_disc_at_second_order() {
    let disc = weigh(&rounded(Cylinder::new(1.0, 1e-12).unwrap(), 0.3));
    let error = |n: usize| {
        let corner = |k: usize| {
            let (s, c) = zerogap_core::math::sin_cos(2.0 * PI * k as f64 / n as f64);
            Vec3::new(c, s, 0.0)
        };
        difference(
            &weigh(&rounded(Polygon::new(&(0..n).map(corner).collect::<Vec<_>>()).unwrap(), 0.3)),
            &disc,
        )
    };
    let order = zerogap_core::math::ln(error(40) / error(80)) / std::f64::consts::LN_2;
    assert!((order - 2.0).abs() < 0.02, "order {order}");
}

#[test]
fn rounding_a_random_triangle_keeps_its_rules_under_motion_and_scale() {
    let mut random = Random::new(11);
    for _ in 0..50 {
        let [a, b, c] = [random.in_ball(), random.in_ball(), random.in_ball()];
        let r = random.range(0.01, 1.0);
        let base = weigh(&rounded(Triangle::new(a, b, c).unwrap(), r));
        let pose = Pose::new(random.in_ball(), random.quaternion_xyzw()).unwrap();
        let [p, q, s] = [a, b, c].map(|x| pose.transform_point(&x));
        let moved = weigh(&rounded(Triangle::new(p, q, s).unwrap(), r));
        assert!(difference(&moved, &base.transformed(&pose)) < 1e-13);
        // The order of the corners does not matter, nor does the plate's side.
        let rotated = weigh(&rounded(Triangle::new(c, b, a).unwrap(), r));
        assert!(difference(&rotated, &base) < 1e-13);
        // Between the core's own volume and that of its bounding ball.
        let ball = rounded(Triangle::new(a, b, c).unwrap(), r).bounding_sphere().radius;
        assert!(base.mass < 4.0 / 3.0 * PI * ball.powi(3) && base.mass > 4.0 / 3.0 * PI * r.powi(3));
    }
}

#[test]
fn a_rounded_polyhedron_weighs_what_the_same_shape_by_other_means_does() {
    // A turned and moved box as a hull of its corners, against the closed form of the box.
    let size = Vec3::new(1.0, 0.5, 2.0);
    let pose = Pose::from_axis_angle(Vec3::new(3.0, -1.0, 0.2), Vec3::new(1.0, 2.0, -0.7), 1.1).unwrap();
    let corners = Cuboid::new(size).unwrap().corners().map(|p| pose.transform_point(&p));
    let found = weigh(&rounded(Polyhedron::from_points(&corners).unwrap(), 0.3));
    let expected = weigh(&rounded(Cuboid::new(size).unwrap(), 0.3)).transformed(&pose);
    assert!(difference(&found, &expected) < 1e-12);

    // A hull of many points on a sphere tends to the ball of the summed radii.
    let mut random = Random::new(5);
    let points: Vec<Vec3> = (0..20_000).map(|_| random.direction()).collect();
    let found = weigh(&rounded(Polyhedron::from_points(&points).unwrap(), 0.5));
    let ball = weigh(&Sphere::new(1.5).unwrap().into());
    assert!(difference(&found, &ball) < 1e-3, "{found:?}");
}
