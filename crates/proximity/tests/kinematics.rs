//! Gap rates and rows of contacts of every kind, against differences along smooth motions.

use zerogap_core::{Contact, Feature, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ComplexOptions, Shape, parts};
use zerogap_proximity::ContactParams;
use zerogap_proximity::collider::{
    Collider, ColliderCache, ColliderPair, ComplexCollider, ContactSet, contacts_into,
};
use zerogap_proximity::kinematics::{PairVelocity, gap_rate, gap_row};
use zerogap_testkit::random::Random;

/// A motion of both bodies through given poses, with constant velocities of the origins and spins.
struct Motion {
    start: [Pose; 2],
    velocity: PairVelocity,
}

impl Motion {
    fn poses(&self, t: f64) -> [Pose; 2] {
        let PairVelocity { linear_a, angular_a, linear_b, angular_b } = self.velocity;
        let at = |start: &Pose, linear: &Vec3, angular: &Vec3| {
            let turn = Pose::from_axis_angle(Vec3::zeros(), *angular, angular.norm() * t).unwrap();
            let turned = turn * Pose::new(Vec3::zeros(), start.quaternion_xyzw()).unwrap();
            Pose::new(start.translation() + linear * t, turned.quaternion_xyzw()).unwrap()
        };
        [at(&self.start[0], &linear_a, &angular_a), at(&self.start[1], &linear_b, &angular_b)]
    }
}

fn found(a: &Collider, b: &Collider, [pose_a, pose_b]: [Pose; 2], within: f64) -> Vec<Contact> {
    let (mut cache, mut set) = (ColliderCache::default(), ContactSet::default());
    let pair = ColliderPair::new(a, pose_a, b, pose_b);
    contacts_into(&pair, &ContactParams::within(within), &mut cache, &mut set).unwrap();
    set.manifold.contacts
}

/// Differences of gaps of contacts that last; returns how many were compared, and the largest error [m/s].
fn compared(
    a: &Collider,
    b: &Collider,
    motion: &Motion,
    within: f64,
    counts: impl Fn(&Contact) -> bool,
) -> (usize, f64) {
    const H: f64 = 1e-6;
    let [before, now, after] = [-H, 0.0, H].map(|t| found(a, b, motion.poses(t), within));
    let (mut count, mut worst) = (0, 0.0_f64);
    for contact in now.iter().filter(|contact| counts(contact)) {
        // Names are unique but where several contacts of one pair of features lie close together.
        let same = |list: &[Contact]| {
            let mut of = list.iter().filter(|other| other.id == contact.id);
            let one = of.next().copied();
            one.filter(|one| of.next().is_none() && (one.point_a - contact.point_a).norm() < 1e-5)
        };
        let (Some(before), Some(after)) = (same(&before), same(&after)) else { continue };
        let difference = (after.gap - before.gap) / (2.0 * H);
        let [pose_a, pose_b] = motion.poses(0.0);
        let (origin_a, origin_b) = (pose_a.translation(), pose_b.translation());
        let rate = gap_rate(contact, &origin_a, &origin_b, &motion.velocity);
        let row: f64 = gap_row(contact, &origin_a, &origin_b)
            .iter()
            .zip(motion.velocity.numbers())
            .map(|(x, v)| x * v)
            .sum();
        assert!((rate - row).abs() <= 1e-15 * (1.0 + rate.abs()));
        worst = worst.max((difference - rate).abs());
        count += 1;
    }
    (count, worst)
}

fn random_motion(random: &mut Random, start: [Pose; 2]) -> Motion {
    let velocity = PairVelocity {
        linear_a: random.in_cube(1.0),
        angular_a: random.in_cube(2.0),
        linear_b: random.in_cube(1.0),
        angular_b: random.in_cube(2.0),
    };
    Motion { start, velocity }
}

fn pose(at: Vec3, axis: Vec3, angle: f64) -> Pose {
    Pose::from_axis_angle(at, axis + Vec3::z() * 3.0, angle).unwrap()
}

#[test]
fn corners_on_faces_of_convex_shapes_open_as_their_rows_say() {
    let mut random = Random::new(31);
    let slab = Collider::from(Shape::cuboid(Vec3::new(4.0, 4.0, 1.0)).unwrap());
    let cube = Collider::from(Shape::cuboid(Vec3::new(0.4, 0.5, 0.6)).unwrap());
    let mut compared_all = 0;
    for _ in 0..60 {
        let lifted = pose(Vec3::new(0.1, -0.2, 0.85), random.in_cube(0.1), random.range(0.0, 0.1));
        let motion = random_motion(&mut random, [Pose::identity(), lifted]);
        let is_corner = |contact: &Contact| matches!(contact.id.b, Feature::Vertex(_));
        let (count, worst) = compared(&slab, &cube, &motion, 0.2, is_corner);
        compared_all += count;
        assert!(worst < 1e-7, "{worst}");
    }
    assert!(compared_all > 100, "{compared_all}");
}

#[test]
fn quasi_lmds_open_as_their_rows_say() {
    let mut random = Random::new(7);
    let complex = |shape: Shape, dilation: f64| {
        let options = ComplexOptions { dilation, ..ComplexOptions::default() };
        Collider::Complex(ComplexCollider::of_shape(&shape, &options, 0.2).unwrap().unwrap())
    };
    let pairs = [
        (
            complex(Shape::cuboid(Vec3::new(2.0, 2.0, 0.5)).unwrap(), 0.01),
            complex(Shape::cuboid(Vec3::repeat(0.5)).unwrap(), 0.02),
        ),
        (
            complex(Shape::from(parts::by_name("l-prism", &[]).unwrap()), 1e-3),
            complex(Shape::cuboid(Vec3::repeat(0.05)).unwrap(), 1e-3),
        ),
    ];
    let mut compared_all = 0;
    for (k, (a, b)) in pairs.iter().enumerate() {
        let (size, reach) = if k == 0 { (1.0, 0.55) } else { (0.1, 0.05) };
        for _ in 0..60 {
            let near = pose(
                random.in_cube(0.3 * size) + Vec3::z() * reach,
                random.in_cube(1.0),
                random.range(0.0, 0.4),
            );
            let motion = random_motion(&mut random, [Pose::identity(), near]);
            let (count, worst) = compared(a, b, &motion, 0.3 * size, |_| true);
            compared_all += count;
            assert!(worst < 1e-5, "{k}: {worst}");
        }
    }
    assert!(compared_all > 100, "{compared_all}");
}

#[test]
fn the_nearest_contact_of_a_mesh_opens_as_its_row_says() {
    let mut random = Random::new(12);
    let mesh = parts::by_name("torus", &[]).unwrap();
    let bounds = mesh.bounding_box();
    let tube = bounds.size().z;
    let ring = Collider::from(Shape::from(mesh));
    let cube: zerogap_geometry::ConvexShape = Cuboid::new(Vec3::repeat(0.4 * tube)).unwrap().into();
    let cube = Collider::from(Shape::from(cube));
    let above = Vec3::new(bounds.max.x - 0.5 * tube, 0.0, 0.95 * tube);
    let mut compared_all = 0;
    for _ in 0..60 {
        let at = above + random.in_cube(0.05 * tube);
        let near = pose(at, random.in_cube(1.0), random.range(0.0, 3.0));
        let motion = random_motion(&mut random, [Pose::identity(), near]);
        let all = found(&ring, &cube, motion.poses(0.0), 0.4 * tube);
        let nearest = all.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        let is_nearest = |contact: &Contact| contact.gap > 1e-2 * tube && contact.gap <= nearest;
        let (count, worst) = compared(&ring, &cube, &motion, 0.4 * tube, is_nearest);
        compared_all += count;
        assert!(worst < 1e-4, "{worst}");
    }
    assert!(compared_all > 20, "{compared_all}");
}
