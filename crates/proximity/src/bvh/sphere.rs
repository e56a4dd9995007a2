//! Balls as bounding volumes.

use zerogap_core::{Pose, Vec3};

use super::pack::{Few, WIDTH};
use super::volume::{BoundingVolume, Relative, up, wide};

/// Steps that move the ball's middle towards the farthest point; each shrinks what is too much of the radius.
const STEPS: usize = 24;

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    center: [f32; 3],
    radius: f32,
}

impl Ball {
    /// The smallest ball of this centre around some points.
    fn around<'p>(center: Vec3, points: impl Iterator<Item = &'p Vec3>) -> Self {
        let rounded = [center.x as f32, center.y as f32, center.z as f32];
        let middle = wide(&rounded);
        let squared = points.map(|p| (p - middle).norm_squared()).fold(0.0, f64::max);
        Self { center: rounded, radius: up(squared.sqrt() * (1.0 + 4.0 * f64::EPSILON)) }
    }
}

impl BoundingVolume for Ball {
    type Pack = Few<Self>;
    const NAME: &'static str = "sphere";
    const NUMBERS: usize = 4;

    /// Method: a middle that walks towards the farthest point by ever smaller steps (Bădoiu and Clarkson 2003); the smallest ball to a few percent.
    fn fit(triangles: &[[Vec3; 3]]) -> Self {
        let points = || triangles.iter().flatten();
        let low = points().fold(Vec3::repeat(f64::INFINITY), |m, p| m.inf(p));
        let high = points().fold(Vec3::repeat(f64::NEG_INFINITY), |m, p| m.sup(p));
        if triangles.is_empty() {
            return Self { center: [0.0; 3], radius: 0.0 };
        }
        let mut center = 0.5 * (low + high);
        let mut best = Self::around(center, points());
        // Large sets gain little from the walk and would pay for it at every level.
        let steps = if triangles.len() > 64 { 4 } else { STEPS };
        for step in 1..=steps {
            let mut farthest = (0.0, center);
            for p in points() {
                let squared = (p - center).norm_squared();
                if squared > farthest.0 {
                    farthest = (squared, *p);
                }
            }
            center += (farthest.1 - center) / (step + 2) as f64;
            let ball = Self::around(center, points());
            if ball.radius < best.radius {
                best = ball;
            }
        }
        best
    }

    fn volume(&self, margin: f64) -> f64 {
        let r = f64::from(self.radius) + margin;
        4.0 / 3.0 * std::f64::consts::PI * r * r * r
    }

    #[inline]
    fn size(&self) -> f64 {
        f64::from(self.radius)
    }

    #[inline]
    fn center(&self) -> Vec3 {
        wide(&self.center)
    }

    #[inline]
    fn separation(&self, other: &Self, at: &Relative, _: f64) -> f64 {
        let t = at.scaled_rotation * other.center() + at.offset - self.center() * at.unit_a;
        t.norm() - f64::from(self.radius) * at.unit_a - f64::from(other.radius) * at.unit_b - at.room
    }

    fn pack(volumes: &[Self]) -> Few<Self> {
        Few::new(volumes)
    }

    #[inline]
    fn separations(&self, pack: &Few<Self>, at: &Relative, enough: f64, found: &mut [f64; WIDTH]) {
        pack.separations(self, at, enough, found);
    }

    fn reach(&self, direction: &Vec3) -> f64 {
        let length = direction.norm();
        self.center().dot(direction)
            + f64::from(self.radius) * length * (1.0 + 4.0 * f64::EPSILON)
            + 8.0 * f64::EPSILON * length
    }

    fn distance_from(&self, point: &Vec3) -> f64 {
        let d = (point - self.center()).norm();
        d - f64::from(self.radius) - 8.0 * f64::EPSILON * (d + 1.0)
    }

    fn meets_segment(&self, from: &Vec3, to: &Vec3) -> bool {
        let (e, d) = (to - from, self.center() - from);
        let squared = e.norm_squared();
        let t = if squared > 0.0 { (d.dot(&e) / squared).clamp(0.0, 1.0) } else { 0.0 };
        let room = 16.0 * f64::EPSILON * (1.0 + from.amax() + to.amax());
        (d - e * t).norm() <= f64::from(self.radius) + room
    }

    fn swept(&self, start: &Pose, end: &Pose) -> Self {
        let (a, b) = (start.transform_point(&self.center()), end.transform_point(&self.center()));
        let radius = f64::from(self.radius);
        let middle = 0.5 * (a + b);
        let ball = Self::around(middle, [a, b].iter());
        let room = 16.0 * f64::EPSILON * (a.norm() + b.norm());
        Self { radius: up(f64::from(ball.radius) + radius + room), ..ball }
    }

    fn write(&self, numbers: &mut Vec<f32>) {
        numbers.extend(self.center);
        numbers.push(self.radius);
    }

    fn read(numbers: &[f32]) -> Option<Self> {
        let &[x, y, z, radius] = numbers else { return None };
        (numbers.iter().all(|n| n.is_finite()) && radius >= 0.0).then_some(Self { center: [x, y, z], radius })
    }
}
