//! Velocities and forces of a rigid body with both parts together, about one point, in world axes.
//!
//! The point is always named by the caller: moving it is [`Twist::moved`] and [`Wrench::about`]. Nothing here knows a tree.

use zerogap_core::{Mat3, Vec3};

/// A force and a torque, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// The force, at the point that the user of the value names [N].
    pub force: Vec3,
    /// The torque about that point [N m].
    pub torque: Vec3,
}

zerogap_core::store_struct!(Wrench { force, torque });

impl Wrench {
    /// No force and no torque.
    pub const ZERO: Wrench = Wrench { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// A force [N] that acts at `arm` [m] from the point, and no torque of its own.
    pub fn at(force: Vec3, arm: Vec3) -> Self {
        Self { force, torque: arm.cross(&force) }
    }

    /// The same load about another point, from which this one's point is seen at `arm` [m].
    pub fn about(&self, arm: &Vec3) -> Self {
        Self { force: self.force, torque: self.torque + arm.cross(&self.force) }
    }
}

impl Default for Wrench {
    fn default() -> Self {
        Self::ZERO
    }
}

impl std::ops::Add for Wrench {
    type Output = Wrench;
    fn add(self, other: Wrench) -> Wrench {
        Wrench { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

impl std::ops::AddAssign for Wrench {
    fn add_assign(&mut self, other: Wrench) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

impl std::ops::Sub for Wrench {
    type Output = Wrench;
    fn sub(self, other: Wrench) -> Wrench {
        Wrench { force: self.force - other.force, torque: self.torque - other.torque }
    }
}

/// A velocity, or a change of acceleration, of a rigid body about one of its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Twist {
    pub(super) angular: Vec3,
    pub(super) linear: Vec3,
}

impl Twist {
    pub(super) const ZERO: Twist =
        Twist { angular: Vec3::new(0.0, 0.0, 0.0), linear: Vec3::new(0.0, 0.0, 0.0) };

    /// The same motion seen at the point `arm` further on.
    pub(super) fn moved(&self, arm: &Vec3) -> Self {
        Self { angular: self.angular, linear: self.linear + self.angular.cross(arm) }
    }

    /// Adds a multiple of a degree of freedom: a unit rotation about, or a unit shift along, `axis`.
    pub(super) fn add_axis(&mut self, angular: bool, axis: &Vec3, amount: f64) {
        if angular {
            self.angular += axis * amount;
        } else {
            self.linear += axis * amount;
        }
    }

    pub(super) fn dot(&self, wrench: &Wrench) -> f64 {
        self.angular.dot(&wrench.torque) + self.linear.dot(&wrench.force)
    }
}

/// What force it takes to accelerate a body, rigid or with everything that hangs on it: a symmetric 6 × 6 matrix in blocks.
///
/// `torque = rotation α + coupling a`, `force = couplingᵀ α + translation a`.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpatialInertia {
    pub(super) rotation: Mat3,
    pub(super) coupling: Mat3,
    pub(super) translation: Mat3,
}

impl SpatialInertia {
    pub(super) const ZERO: SpatialInertia = SpatialInertia {
        rotation: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        coupling: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        translation: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// Of a rigid body whose centre is seen at `center` from the point.
    pub(super) fn rigid(mass: f64, center: &Vec3, about_center: &Mat3) -> Self {
        let square = Mat3::from_diagonal_element(center.norm_squared()) - center * center.transpose();
        Self {
            rotation: about_center + square * mass,
            coupling: center.cross_matrix() * mass,
            translation: Mat3::from_diagonal_element(mass),
        }
    }

    /// The same about a point from which this one's point is seen at `arm`.
    pub(super) fn about(&self, arm: &Vec3) -> Self {
        // With r for the cross product: `r^T = -r`, so that `coupling r = -(r coupling^T)^T`.
        let coupling = self.coupling + crossed(arm, &self.translation);
        let rotation = self.rotation + crossed(arm, &self.coupling.transpose()).transpose();
        Self {
            rotation: rotation + crossed(arm, &coupling.transpose()),
            coupling,
            translation: self.translation,
        }
    }

    pub(super) fn times(&self, a: &Twist) -> Wrench {
        Wrench {
            torque: times(&self.rotation, &a.angular) + times(&self.coupling, &a.linear),
            force: self.coupling.tr_mul(&a.angular) + times(&self.translation, &a.linear),
        }
    }

    /// Times one degree of freedom.
    pub(super) fn times_axis(&self, angular: bool, axis: &Vec3) -> Wrench {
        if angular {
            Wrench { torque: times(&self.rotation, axis), force: self.coupling.tr_mul(axis) }
        } else {
            Wrench { torque: times(&self.coupling, axis), force: times(&self.translation, axis) }
        }
    }

    /// Takes `y yᵀ` away: the part of the inertia that a free joint does not pass on.
    pub(super) fn reduce(&mut self, y: &Wrench) {
        self.rotation -= y.torque * y.torque.transpose();
        self.coupling -= y.torque * y.force.transpose();
        self.translation -= y.force * y.force.transpose();
    }
}

impl std::ops::AddAssign for SpatialInertia {
    fn add_assign(&mut self, other: SpatialInertia) {
        self.rotation += other.rotation;
        self.coupling += other.coupling;
        self.translation += other.translation;
    }
}

/// `m v`. Written out, as the products below are: those for matrices of any size are loops that take most of the time of kinematics. The sums are in the same order.
pub(super) fn times(m: &Mat3, v: &Vec3) -> Vec3 {
    let row = |i: usize| m[(i, 0)] * v.x + m[(i, 1)] * v.y + m[(i, 2)] * v.z;
    Vec3::new(row(0), row(1), row(2))
}

/// `a b`.
fn product(a: &Mat3, b: &Mat3) -> Mat3 {
    let column = |j: usize| times(a, &Vec3::new(b[(0, j)], b[(1, j)], b[(2, j)]));
    Mat3::from_columns(&[column(0), column(1), column(2)])
}

/// The cross products of an arm with the columns of a matrix.
fn crossed(arm: &Vec3, m: &Mat3) -> Mat3 {
    let column = |j: usize| arm.cross(&Vec3::new(m[(0, j)], m[(1, j)], m[(2, j)]));
    Mat3::from_columns(&[column(0), column(1), column(2)])
}

/// An inertia in turned axes: `rotation inertia rotation^T`.
pub(super) fn turned(rotation: &Mat3, inertia: &Mat3) -> Mat3 {
    product(&product(rotation, inertia), &rotation.transpose())
}

/// One degree of freedom applied to a load: its torque about, or its force along, `axis`.
pub(super) fn along(angular: bool, axis: &Vec3, wrench: &Wrench) -> f64 {
    if angular { axis.dot(&wrench.torque) } else { axis.dot(&wrench.force) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn an_inertia_about_another_point_gives_the_same_load_there() {
        let mut random = Random::new(3);
        let (center, arm) = (random.in_cube(1.0), random.in_cube(1.0));
        let body = SpatialInertia::rigid(2.0, &center, &Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5)));
        let a = Twist { angular: random.in_cube(1.0), linear: random.in_cube(1.0) };
        // Moving the motion, applying the inertia and moving the load back is the definition.
        let expected = body.times(&a.moved(&arm)).about(&arm);
        let found = body.about(&arm).times(&a);
        assert!((expected.force - found.force).amax() < 1e-14);
        assert!((expected.torque - found.torque).amax() < 1e-14);
    }

    #[test]
    fn power_does_not_depend_on_the_point() {
        let mut random = Random::new(4);
        let arm = random.in_cube(1.0);
        let twist = Twist { angular: random.in_cube(1.0), linear: random.in_cube(1.0) };
        let load = Wrench { force: random.in_cube(1.0), torque: random.in_cube(1.0) };
        assert!((twist.moved(&arm).dot(&load) - twist.dot(&load.about(&arm))).abs() < 1e-14);
    }
}
