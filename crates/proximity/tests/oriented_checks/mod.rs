//! What tests of oriented collision share.
#![allow(dead_code, reason = "each test file takes the checks that it needs")]

use zerogap_core::math::sin_cos;
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::Polyhedron;
use zerogap_proximity::oriented::{
    Configuration, Form, Oriented, OrientedParams, SurfaceRule, Target, Touch,
};
use zerogap_testkit::oriented::PlainSurface;

/// Every way of computing a configuration.
pub(crate) const WAYS: [OrientedParams; 4] = [
    OrientedParams { form: Form::Guards, culling: true, clipping: true, rule: SurfaceRule::History },
    OrientedParams { form: Form::Guards, culling: false, clipping: true, rule: SurfaceRule::History },
    OrientedParams { form: Form::Conditional, culling: true, clipping: true, rule: SurfaceRule::History },
    OrientedParams { form: Form::Conditional, culling: false, clipping: true, rule: SurfaceRule::History },
];

/// One point against one target that stands still, stepped from point to point.
pub(crate) struct Stepped {
    pub(crate) oriented: Oriented,
}

impl Stepped {
    pub(crate) fn new(target: &Target, start: Vec3, way: OrientedParams) -> Self {
        Self { oriented: Oriented::new(vec![target.clone()], &[Pose::identity()], &[start], way).unwrap() }
    }

    /// Goes to a point; the contact there.
    pub(crate) fn to(&mut self, point: Vec3) -> Option<Touch> {
        self.oriented.commit(&[Pose::identity()], &[point]).unwrap().touches().first().copied()
    }

    /// What would be there.
    pub(crate) fn trial(&self, point: Vec3) -> Option<Touch> {
        let mut trial = Configuration::new();
        self.oriented.evaluate(&[Pose::identity()], &[point], &mut trial).unwrap();
        trial.touches().first().copied()
    }
}

/// A point in the plane.
pub(crate) fn xy(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// A rectangle from one corner to another; surfaces: top, right, bottom, left.
pub(crate) fn rectangle(low: [f64; 2], high: [f64; 2]) -> Target {
    Target::polygon(&[[low[0], high[1]], high, [high[0], low[1]], low]).unwrap()
}

/// A regular polygon, clockwise.
pub(crate) fn regular(sides: usize, radius: f64) -> Target {
    let corner = |k: usize| {
        let (s, c) = sin_cos(-std::f64::consts::TAU * k as f64 / sides as f64);
        [radius * c, radius * s]
    };
    Target::polygon(&(0..sides).map(corner).collect::<Vec<_>>()).unwrap()
}

/// A random convex polygon about the origin of about unit size: corners on an ellipse at random angles.
pub(crate) fn random_polygon(random: &mut Random) -> Target {
    loop {
        let (count, flat) = (3 + random.index(10), [1.0, 0.3, 0.03][random.index(3)]);
        let mut angles: Vec<f64> = (0..count).map(|_| random.range(0.0, std::f64::consts::TAU)).collect();
        angles.sort_by(|a, b| b.total_cmp(a));
        let corner = |angle: &f64| {
            let (s, c) = sin_cos(*angle);
            [c, flat * s]
        };
        if let Ok(target) = Target::polygon(&angles.iter().map(corner).collect::<Vec<_>>()) {
            return target;
        }
    }
}

/// A random convex polyhedron about the origin of about unit size.
pub(crate) fn random_polyhedron(random: &mut Random) -> Target {
    let (count, flat) = (4 + random.index(12), [1.0, 0.3, 0.03][random.index(3)]);
    let points: Vec<Vec3> =
        (0..count).map(|_| random.direction().component_mul(&Vec3::new(1.0, 1.0, flat))).collect();
    Polyhedron::from_points(&points).map_or_else(|_| random_polyhedron(random), |p| Target::polyhedron(&p))
}

/// A target as plain arrays.
pub(crate) fn plain(target: &Target) -> Vec<PlainSurface> {
    (0..target.surfaces())
        .map(|i| PlainSurface {
            normal: target.facets()[i].normal.into(),
            point: target.facets()[i].anchor.into(),
            sides: target
                .sides(i)
                .iter()
                .map(|side| (side.outward.into(), side.point.into(), side.beyond as usize))
                .collect(),
        })
        .collect()
}
