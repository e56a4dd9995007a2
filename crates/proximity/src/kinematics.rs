//! How fast contacts open, and the row that each has in the equations of motion.
//!
//! In: a contact of any two bodies, and where the origins of their frames are. Out: the gap rate for given velocities, and the 12 numbers that give it for any. The gap of a contact is the distance of two features that touch each other's bodies
//! at one normal, so it changes as the two points move along that normal: `n · (v_B + w_B × r_B - v_A - w_A × r_A)`. For a pair of features that is a local minimum of the distance (every quasi-LMD, the nearest contact of meshes, a corner on a face, edges
//! that cross) that is the derivative of its gap. A corner of the common part of two faces moves over both as well; its gap changes by what it moves times the sine of the tilt of the faces on top of that.

use zerogap_core::{Contact, Vec3};

/// How the two bodies of a contact move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairVelocity {
    /// Velocity of the origin of A [m/s].
    pub linear_a: Vec3,
    /// Angular velocity of A, in world axes [rad/s].
    pub angular_a: Vec3,
    /// Velocity of the origin of B [m/s].
    pub linear_b: Vec3,
    /// Angular velocity of B, in world axes [rad/s].
    pub angular_b: Vec3,
}

impl PairVelocity {
    /// The velocities as one list, in the order of [`gap_row`].
    pub fn numbers(&self) -> [f64; 12] {
        let mut all = [0.0; 12];
        let parts = [self.linear_a, self.angular_a, self.linear_b, self.angular_b];
        for (k, x) in parts.iter().flat_map(|part| part.iter()).enumerate() {
            all[k] = *x;
        }
        all
    }
}

/// Returns the row of a contact: its gap rate is this times linear and angular velocity of A, then of B, each about the origin of its body and in world axes.
///
/// Computes: `[-n, -(p_A - c_A) × n, n, (p_B - c_B) × n]` [-, m, -, m].
/// Method: Merlhiot 2007, section 5. The points of the surfaces may stand for those of the base complexes, since both lie on the normal.
/// Tolerance: 4 ulp of the largest product.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::{Cuboid, Sphere};
/// use zerogap_proximity::convex::{ContactParams, contacts};
/// use zerogap_proximity::kinematics::{PairVelocity, gap_rate};
///
/// // A ball that falls onto a slab and spins: it comes nearer at the speed of its fall.
/// let (slab, ball) = (Cuboid::new(Vec3::new(4.0, 4.0, 1.0))?.into(), Sphere::new(0.5)?.into());
/// let above = Pose::from_translation(Vec3::new(0.3, 0.2, 1.0005))?;
/// let found = contacts(&slab, &Pose::identity(), &ball, &above, &ContactParams::default());
/// let falling = PairVelocity { linear_b: -2.0 * Vec3::z(), angular_b: Vec3::new(3.0, 1.0, 5.0), ..PairVelocity::default() };
/// let rate = gap_rate(&found.contacts[0], &Vec3::zeros(), &above.translation(), &falling);
/// assert!((rate + 2.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gap_row(contact: &Contact, origin_a: &Vec3, origin_b: &Vec3) -> [f64; 12] {
    let Contact { normal, point_a, point_b, .. } = contact;
    PairVelocity {
        linear_a: -normal,
        angular_a: -(point_a - origin_a).cross(normal),
        linear_b: *normal,
        angular_b: (point_b - origin_b).cross(normal),
    }
    .numbers()
}

/// Returns how fast the gap of a contact grows [m/s]; negative in approach.
pub fn gap_rate(contact: &Contact, origin_a: &Vec3, origin_b: &Vec3, velocity: &PairVelocity) -> f64 {
    gap_row(contact, origin_a, origin_b).iter().zip(velocity.numbers()).map(|(row, v)| row * v).sum()
}
