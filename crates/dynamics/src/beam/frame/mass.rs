//! Mass of an element and the forces of inertia.
//!
//! In: velocities and accelerations of two nodes. Out: momenta, forces of inertia in space, kinetic energy. The kinetic energy is `vᵀ E M Eᵀ v / 2`, with `M` the consistent mass matrix in the axes half-way between
//! the nodes and `E` these axes; forces of inertia are its Lagrange equations, centrifugal and gyroscopic terms with them:
//! `E M (a - ω_e × v) + ω_e × p - [ω × π] - Gᵀ Σ p × v`, with `p = M v`, `ω_e = G v` the spin of the axes, and the third term for the moments of momentum `π` of the nodes alone.

#![expect(clippy::needless_range_loop, reason = "indices of nodes, as the formulas have them")]

use zerogap_core::{Mat3, Vec3};

use super::FrameElement;
use super::element::{Matrix12, NodeMotion, Stiffness, Strains, Vector12};

/// Places and weights of Gauss integration with four points on [0, 1]: exact for products of cubic functions.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

/// Consistent mass matrix in the axes of the element: linear along and in torsion, the deflections of the stiffness across.
///
/// With shear (Timoshenko) the cross-sections have inertia as they rotate; without (Euler-Bernoulli) only in torsion.
pub(super) fn consistent_mass(element: &FrameElement, of: &Stiffness) -> Matrix12 {
    let section = &element.section;
    let (density, length) = (element.material.density, of.length);
    let line = density * section.area;
    let polar = density * (section.second_moment_y + section.second_moment_z);
    let mut mass = Matrix12::zeros();
    for (at, weight) in GAUSS {
        let weight = weight * length;
        let mut add = |shape: &[(usize, f64)], factor: f64| {
            for &(k, a) in shape {
                for &(l, b) in shape {
                    mass[(k, l)] += weight * factor * a * b;
                }
            }
        };
        add(&[(0, 1.0 - at), (6, at)], line);
        add(&[(3, 1.0 - at), (9, at)], polar);
        // Along y with rotations about z; along z a positive rotation about y goes down.
        for (phi, second, freedoms, sign) in [
            (of.phi[0], section.second_moment_z, [1, 5, 7, 11], 1.0),
            (of.phi[1], section.second_moment_y, [2, 4, 8, 10], -1.0),
        ] {
            let [deflection, rotation] = shapes(at, length, phi);
            let signs = [1.0, sign, 1.0, sign];
            let with = |values: [f64; 4]| [0, 1, 2, 3].map(|k| (freedoms[k], signs[k] * values[k]));
            add(&with(deflection), line);
            if element.shear {
                add(&with(rotation), density * second);
            }
        }
    }
    0.5 * (mass + mass.transpose())
}

/// Deflection and rotation of the cross-section at a fraction of the length, for unit deflection and rotation of the first node, then of the second.
fn shapes(at: f64, length: f64, phi: f64) -> [[f64; 4]; 2] {
    let xi = 2.0 * at - 1.0;
    // Bending by opposite rotations of the ends, and by equal ones, both against the chord.
    let symmetric = [length * (at - at * at), -xi];
    let equal = 1.5 / (1.0 + phi);
    let antisymmetric =
        [equal * length / 6.0 * (xi * xi * xi - xi), equal * (xi * xi + (2.0 * phi - 1.0) / 3.0)];
    [0, 1].map(|k| {
        // The chord itself.
        let chord = [[1.0 - at, at], [-1.0 / length, 1.0 / length]][k];
        let (s, a) = (symmetric[k], antisymmetric[k]);
        [chord[0] + a / length, 0.5 * (s + a), chord[1] - a / length, 0.5 * (a - s)]
    })
}

/// Motion of an element in its axes half-way.
pub(super) struct ElementMotion {
    /// Velocities and spins of the nodes, in the axes.
    velocity: Vector12,
    /// Momenta that belong to them, in the axes.
    momentum: Vector12,
}

fn into_axes(axes: &Mat3, blocks: [&Vec3; 4]) -> Vector12 {
    let mut vector = Vector12::zeros();
    for (k, block) in blocks.into_iter().enumerate() {
        vector.fixed_rows_mut::<3>(3 * k).copy_from(&axes.tr_mul(block));
    }
    vector
}

fn part(vector: &Vector12, block: usize) -> Vec3 {
    vector.fixed_rows::<3>(3 * block).into_owned()
}

impl ElementMotion {
    pub(super) fn new(strains: &Strains, mass: &Matrix12, [a, b]: [&NodeMotion; 2]) -> Self {
        let velocity = into_axes(&strains.axes, [&a.velocity, &a.spin, &b.velocity, &b.spin]);
        Self { velocity, momentum: mass * velocity }
    }

    /// Kinetic energy [J].
    pub(super) fn energy(&self) -> f64 {
        0.5 * self.velocity.dot(&self.momentum)
    }

    /// Momenta and moments of momentum of the nodes, in space.
    pub(super) fn momentum(&self, strains: &Strains) -> [Vec3; 4] {
        [0, 1, 2, 3].map(|k| strains.axes * part(&self.momentum, k))
    }

    /// Forces of inertia on the nodes, in space, for accelerations of the nodes in space [N, N m].
    pub(super) fn inertia(&self, strains: &Strains, mass: &Matrix12, acceleration: [&Vec3; 4]) -> Vector12 {
        let (v, p) = (&self.velocity, &self.momentum);
        let spin = strains.mean_spin([&part(v, 1), &part(v, 3)]);
        let mut relative = into_axes(&strains.axes, acceleration);
        for k in 0..4 {
            let less = part(&relative, k) - spin.cross(&part(v, k));
            relative.fixed_rows_mut::<3>(3 * k).copy_from(&less);
        }
        let mut force = mass * relative;
        let torque: Vec3 = (0..4).map(|k| part(p, k).cross(&part(v, k))).sum();
        let [first, second] = strains.mean_spin_matrices();
        let back = [Vec3::zeros(), first.tr_mul(&torque), Vec3::zeros(), second.tr_mul(&torque)];
        for k in 0..4 {
            let mut sum = part(&force, k) + spin.cross(&part(p, k)) - back[k];
            if k % 2 == 1 {
                sum -= part(v, k).cross(&part(p, k));
            }
            force.fixed_rows_mut::<3>(3 * k).copy_from(&(strains.axes * sum));
        }
        force
    }
}
