//! Random pairs of convex shapes for the soak: scattered, near contact, aligned, of extreme sizes.
//!
//! In: a generator. Out: a pair, and the gap at which it was placed, where it was: the exact gap apart, no deeper than the exact one in overlap. Same pairs for the same seed.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use zerogap_core::math::pow;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{
    Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Point, Polygon, Segment, Sphere, Triangle,
};
use zerogap_geometry::{Convex, ConvexShape, Polyhedron};
use zerogap_testkit::random::Random;

use crate::pair_checks::{PlacedShape, random_pose, set_apart, size};

/// A pair, and the gap that two of its points show [m]: apart, the pair is that far apart; in overlap, no deeper.
pub(crate) struct Drawn {
    pub(crate) a: PlacedShape,
    pub(crate) b: PlacedShape,
    pub(crate) placed_gap: Option<f64>,
}

/// How a pair of a family is drawn.
type Draw = fn(&mut Random) -> Drawn;

/// The families of pairs, by name.
pub(crate) const FAMILIES: [(&str, Draw); 7] = [
    ("scattered", scattered),
    ("near contact", near_contact),
    ("boxes on a lattice", boxes_on_a_lattice),
    ("aligned features", aligned_features),
    ("a hair off parallel", nearly_parallel),
    ("extreme sizes", extreme_sizes),
    ("far from the origin", far_from_the_origin),
];

/// Ten to a power between two bounds.
fn power_of_ten(random: &mut Random, low: f64, high: f64) -> f64 {
    pow(10.0, random.range(low, high))
}

/// A number with a random sign.
fn signed(random: &mut Random, x: f64) -> f64 {
    if random.unit() < 0.5 { -x } else { x }
}

/// A gap for shapes that all but touch: nothing, or down to a rounding of the length, apart or in overlap [m].
fn small_gap(random: &mut Random, length: f64) -> f64 {
    if random.unit() < 0.25 {
        return 0.0;
    }
    let gap = power_of_ten(random, -17.0, -2.0) * length;
    signed(random, gap)
}

/// The corners of a box, for hulls of the same box.
fn corners(half: &Vec3) -> [Vec3; 8] {
    std::array::from_fn(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { half[i] } else { -half[i] }))
}

/// A box with the given half sizes, as it is, as the hull of its corners, or rounded by a sixteenth more.
fn box_or_hull(random: &mut Random, half: &Vec3) -> ConvexShape {
    let plain: ConvexShape = Cuboid::new(2.0 * half).unwrap().into();
    match random.index(6) {
        0 | 1 => Polyhedron::from_points(&corners(half)).map_or(plain, Into::into),
        2 => plain.rounded(half.min() / 16.0).unwrap(),
        _ => plain,
    }
}

/// Any shape of about the given sizes along its axes [m].
fn any_shape(random: &mut Random, sizes: &Vec3) -> ConvexShape {
    let [x, y, z] = [sizes.x, sizes.y, sizes.z];
    let mut inner = || random.in_ball().component_mul(sizes);
    let points: [Vec3; 12] = std::array::from_fn(|_| inner());
    let shape: ConvexShape = match random.index(15) {
        0 => Point::new(points[0]).unwrap().into(),
        1 => Segment::new(points[0], points[1]).unwrap().into(),
        2 => Triangle::new(points[0], points[1], points[2]).unwrap().into(),
        3 => Polygon::new(&[Vec3::x() * x, Vec3::y() * y, -Vec3::x() * x, -Vec3::y() * y]).unwrap().into(),
        4 => Sphere::new(x).unwrap().into(),
        5 => Capsule::new(x, y).unwrap().into(),
        6 => Ellipsoid::new(*sizes).unwrap().into(),
        7 => Cylinder::new(x, y).unwrap().into(),
        8 => Frustum::new(x, y, z).unwrap().into(),
        9 => Frustum::cone(x, y).unwrap().into(),
        10..13 => {
            let count = 4 + random.index(9);
            let box_of_it: ConvexShape = Cuboid::new(*sizes).unwrap().into();
            Polyhedron::from_points(&points[..count]).map_or(box_of_it, Into::into)
        }
        _ => return box_or_hull(random, &(sizes * 0.5)),
    };
    if random.unit() < 0.15 { shape.rounded(0.1 * sizes.min()).unwrap() } else { shape }
}

/// Sizes of the same order along the three axes [m].
fn plain_sizes(random: &mut Random) -> Vec3 {
    Vec3::from_fn(|_, _| random.range(0.2, 1.5))
}

/// The same pair in another common pose.
fn moved(random: &mut Random, a: &PlacedShape, b: &PlacedShape, reach: f64) -> [PlacedShape; 2] {
    let by = random_pose(random, reach);
    [a.moved(&by), b.moved(&by)]
}

/// Shapes anywhere: apart as a rule, or in overlap.
fn scattered(random: &mut Random) -> Drawn {
    let mut place = || {
        let sizes = plain_sizes(random);
        let shape = any_shape(random, &sizes);
        PlacedShape::new(shape, random_pose(random, 1.0))
    };
    let (a, b) = (place(), place());
    Drawn { a, b, placed_gap: None }
}

/// B moved so that it all but touches A along a direction.
fn brought_near(random: &mut Random, a: PlacedShape, b: &PlacedShape, direction: &Vec3) -> Drawn {
    let length = size(&a, b);
    let gap = small_gap(random, length);
    let b = set_apart(&a, b, direction, gap);
    Drawn { a, b, placed_gap: Some(gap) }
}

/// Shapes that all but touch, in any orientation.
fn near_contact(random: &mut Random) -> Drawn {
    let Drawn { a, b, .. } = scattered(random);
    let direction = random.direction();
    brought_near(random, a, &b, &direction)
}

/// Boxes with a common lattice that touch in faces, edges or corners, turned together.
fn boxes_on_a_lattice(random: &mut Random) -> Drawn {
    let mut half = || Vec3::from_fn(|_, _| (1 + random.index(4)) as f64 / 4.0);
    let (half_a, half_b) = (half(), half());
    let (a, b) = (box_or_hull(random, &half_a), box_or_hull(random, &half_b));
    // The axes on which one ends where the other begins, to a rounding or a small gap; flush or anywhere on the rest.
    let contacts = 1 + random.index(3);
    let first = random.index(3);
    let shift = Vec3::from_fn(|k, _| {
        let beside = if (k + 3 - first) % 3 < contacts {
            half_a[k] + half_b[k] + small_gap(random, 1.0)
        } else if random.unit() < 0.5 {
            half_a[k] - half_b[k]
        } else {
            random.range(-1.0, 1.0) * (half_a[k] + half_b[k])
        };
        signed(random, beside)
    });
    let quarter = Pose::from_axis_angle(shift, Vec3::z(), FRAC_PI_2 * random.index(4) as f64).unwrap();
    let pose = if random.unit() < 0.3 { quarter } else { Pose::from_translation(shift).unwrap() };
    let (a, b) = (PlacedShape::new(a, Pose::identity()), PlacedShape::new(b, pose));
    let [a, b] = moved(random, &a, &b, 1.0);
    Drawn { a, b, placed_gap: None }
}

/// A direction of a shape's frame that is normal to a face, an edge or a corner of boxes, cylinders and the like.
fn special_direction(random: &mut Random) -> Vec3 {
    let direction = Vec3::from_fn(|_, _| random.index(3) as f64 - 1.0);
    if direction == Vec3::zeros() { Vec3::z() } else { direction.normalize() }
}

/// A turn by eighths about an axis of the frame.
fn eighths(random: &mut Random) -> Pose {
    let axis = [Vec3::x(), Vec3::y(), Vec3::z()][random.index(3)];
    Pose::from_axis_angle(Vec3::zeros(), axis, FRAC_PI_4 * random.index(8) as f64).unwrap()
}

/// Faces, edges, rims and corners opposite to each other, turned by eighths.
fn aligned_pair(random: &mut Random) -> (PlacedShape, PlacedShape, Vec3) {
    let mut place = |turn: Pose| {
        let sizes = Vec3::repeat([0.5, 1.0, 1.25][random.index(3)]);
        let sizes = if random.unit() < 0.5 { sizes } else { plain_sizes(random) };
        PlacedShape::new(any_shape(random, &sizes), turn)
    };
    let a = place(Pose::identity());
    let b = place(Pose::identity());
    let turn = eighths(random) * eighths(random);
    (a, PlacedShape::new(b.shape, turn), special_direction(random))
}

/// Aligned features that all but touch.
fn aligned_features(random: &mut Random) -> Drawn {
    let (a, b, direction) = aligned_pair(random);
    let drawn = brought_near(random, a, &b, &direction);
    let [a, b] = moved(random, &drawn.a, &drawn.b, 1.0);
    Drawn { a, b, ..drawn }
}

/// Aligned features, one of them turned by very little more.
fn nearly_parallel(random: &mut Random) -> Drawn {
    let (a, b, direction) = aligned_pair(random);
    let angle = power_of_ten(random, -16.0, -3.0);
    let tilt = Pose::from_axis_angle(Vec3::zeros(), random.direction(), angle).unwrap();
    let b = PlacedShape::new(b.shape, tilt * b.pose);
    let drawn = brought_near(random, a, &b, &direction);
    let [a, b] = moved(random, &drawn.a, &drawn.b, 1.0);
    Drawn { a, b, ..drawn }
}

/// Shapes of a micrometre to a thousand kilometres, slender and flat ones among them, scattered or near contact.
fn extreme_sizes(random: &mut Random) -> Drawn {
    let mut place = || {
        let scale = power_of_ten(random, -6.0, 6.0);
        let slender = if random.unit() < 0.5 { 0.0 } else { -3.0 };
        let sizes = Vec3::from_fn(|_, _| scale * power_of_ten(random, slender, 0.0));
        let shape = any_shape(random, &sizes);
        let reach = shape.bounding_sphere().radius;
        PlacedShape::new(shape, random_pose(random, reach))
    };
    let (a, b) = (place(), place());
    if random.unit() < 0.3 {
        return Drawn { a, b, placed_gap: None };
    }
    let direction = if random.unit() < 0.5 { random.direction() } else { special_direction(random) };
    brought_near(random, a, &b, &direction)
}

/// Scattered, near contact or aligned, and 100 m to 100 km away.
fn far_from_the_origin(random: &mut Random) -> Drawn {
    let drawn = [scattered, near_contact, aligned_features][random.index(3)](random);
    let far = random.direction() * power_of_ten(random, 2.0, 5.0);
    let by = Pose::from_translation(far).unwrap();
    Drawn { a: drawn.a.moved(&by), b: drawn.b.moved(&by), ..drawn }
}
