//! One element in space: its strains, the forces on its two nodes, and how these change.
//!
//! In: places, orientations and velocities of two nodes. Out: forces and moments on the nodes in space (12 numbers: force and moment at the first node, then at the second), their tangent, the energy.
//! Called by `assembly`. The same input gives the same bits.
//!
//! Method: natural modes (Argyris 1979) in axes that are half-way between those of the two nodes, so that an element may move and rotate without limit while it bends little. With `L` the length at rest, `d` from
//! node to node, `R` the axes half-way, `ψ` the rotation vector from end to end and `γ = Rᵀ d / L`:
//!
//! - `ψ` is torsion and bending with constant moment: energy `(G J ψx² + E Iy ψy² + E Iz ψz²) / (2 L)`;
//! - `γy, γz` are bending with opposite moments at the ends, and shear: energy `6 E I / (L (1 + Φ)) γ²` each, with `Φ = 12 E I / (G As L²)`, zero without shear. These stiffnesses make the linear element
//!   exact for forces and moments at its ends;
//! - `ε = |d| / L - 1 + (ψy² + ψz²) / 24 + (γy² / (1 + Φz)² + γz² / (1 + Φy)²) / 10` is the mean axial strain with the length that bending takes (shallow arch): energy `E A L ε² / 2`. Without it a bent
//!   element would be too long by `ψ² / 24`; with it frames converge with the fourth power of the element length, and buckling loads are those of the cubic shape functions.
//!
//! Damping in proportion to stiffness adds to each strain its rate times a time (Kelvin-Voigt), so that it never resists motions without strain. A load per length that keeps its direction acts with the same
//! shape functions: on the nodes, and through the bow that bending makes.
//! Tolerance: moving and rotating as a whole leaves rounding (strains of 1e-12, `tests/frame_statics.rs`); the tangent is that of differences to 1e-6.

use zerogap_core::nalgebra::{SMatrix, SVector, UnitQuaternion};
use zerogap_core::pose::rotation_vector;
use zerogap_core::{Mat3, Vec3};

use super::FrameElement;
use super::rotation::{Functions, cross, half};

/// Freedoms of both nodes: place and rotation of the first, then of the second.
pub(crate) type Vector12 = SVector<f64, 12>;

/// A matrix over these.
pub(crate) type Matrix12 = SMatrix<f64, 12, 12>;

type Rows = SMatrix<f64, 3, 12>;
type Row = SMatrix<f64, 1, 12>;

/// A node as its elements see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeMotion {
    pub(crate) place: Vec3,
    pub(crate) rotation: UnitQuaternion<f64>,
    pub(crate) velocity: Vec3,
    pub(crate) spin: Vec3,
}

/// What an element needs of its section and its place at rest.
#[derive(Debug, Clone)]
pub(crate) struct Stiffness {
    pub(super) length: f64,
    /// Axes at rest: x along the element.
    pub(super) axes: UnitQuaternion<f64>,
    /// `E A` [N].
    pub(super) axial: f64,
    /// `G J / L, E Iy / L, E Iz / L` [N m].
    pub(super) bending: Vec3,
    /// Of `γ`: none along x, `12 E Iz / (L (1 + Φz))`, `12 E Iy / (L (1 + Φy))` [N m].
    pub(super) shear: Vec3,
    /// Of `γ²` in the axial strain: none along x, then `1 / (10 (1 + Φ)²)`.
    pub(super) bow: Vec3,
    /// `Φz, Φy`, of the shear along y and along z.
    pub(super) phi: [f64; 2],
}

impl Stiffness {
    pub(crate) fn new(of: &FrameElement, length: f64, axes: UnitQuaternion<f64>) -> Self {
        let (e, g) = (of.material.young_modulus, of.material.shear_modulus);
        let s = &of.section;
        let phi = |second: f64, area: f64| {
            if of.shear { 12.0 * e * second / (g * area * length * length) } else { 0.0 }
        };
        let phi = [phi(s.second_moment_z, s.shear_area_y), phi(s.second_moment_y, s.shear_area_z)];
        let [pz, py] = phi.map(|phi| 1.0 + phi);
        Self {
            length,
            axes,
            axial: e * s.area,
            bending: Vec3::new(g * s.torsion_constant, e * s.second_moment_y, e * s.second_moment_z) / length,
            shear: Vec3::new(0.0, e * s.second_moment_z / pz, e * s.second_moment_y / py) * (12.0 / length),
            bow: Vec3::new(0.0, 0.1 / (pz * pz), 0.1 / (py * py)),
            phi,
        }
    }
}

/// Strains of an element, in its axes half-way.
pub(crate) struct Strains {
    /// Axes half-way, in space.
    pub(super) axes: Mat3,
    /// Rotation vector from end to end [rad].
    pub(super) psi: Vec3,
    /// `Rᵀ d / L` [-].
    pub(super) gamma: Vec3,
    /// Mean axial strain [-].
    pub(super) axial: f64,
    /// Direction of the chord.
    chord: Vec3,
    /// Distance of the nodes [m].
    distance: f64,
    functions: Functions,
}

/// Bending strains without torsion.
fn across(v: &Vec3) -> Vec3 {
    Vec3::new(0.0, v.y, v.z)
}

impl Strains {
    pub(crate) fn new(of: &Stiffness, [a, b]: [&NodeMotion; 2]) -> Self {
        let (first, second) = (a.rotation * of.axes, b.rotation * of.axes);
        let relative = first.inverse() * second;
        let psi = rotation_vector(&relative);
        let axes: Mat3 = *(first * half(&relative)).to_rotation_matrix().matrix();
        let d = b.place - a.place;
        let distance = d.norm();
        let in_axes = axes.tr_mul(&d);
        let gamma = in_axes / of.length;
        // The difference of squares loses no digits for small strains.
        let stretch = (d.norm_squared() - of.length * of.length) / ((distance + of.length) * of.length);
        let axial = stretch + across(&psi).norm_squared() / 24.0 + of.bow.dot(&gamma.component_mul(&gamma));
        let functions = Functions::new(&psi);
        Self { axes, psi, gamma, axial, chord: in_axes / distance, distance, functions }
    }

    /// Spin of the axes half-way, in these axes, from the spins of the ends in these axes.
    pub(super) fn mean_spin(&self, [a, b]: [&Vec3; 2]) -> Vec3 {
        0.5 * (a + b) - self.functions.c * self.psi.cross(&(b - a))
    }

    /// The matrices from the motions of the nodes to the spin of the axes half-way, for each node.
    pub(super) fn mean_spin_matrices(&self) -> [Mat3; 2] {
        let half = Mat3::from_diagonal_element(0.5);
        let turn = self.functions.c * cross(&self.psi);
        [half + turn, half - turn]
    }

    /// Strain energy [J].
    pub(crate) fn energy(&self, of: &Stiffness) -> f64 {
        let squares = |v: &Vec3| v.component_mul(v);
        0.5 * (of.axial * of.length * self.axial * self.axial
            + of.bending.dot(&squares(&self.psi))
            + of.shear.dot(&squares(&self.gamma)))
    }

    /// Energy in a field of force that gives the element `load` [N] in all, against the nodes at the origin [J].
    pub(super) fn load_energy(&self, of: &Stiffness, load: &Vec3, [a, b]: [&NodeMotion; 2]) -> f64 {
        let bow = Vec3::x().cross(&self.psi) * (of.length / 12.0);
        -load.dot(&(0.5 * (a.place + b.place) + self.axes * bow))
    }
}

/// Forces between the parts of an element, in its axes half-way, with what the tangent needs of them.
pub(crate) struct ElementForces {
    pub(super) strains: Strains,
    /// Force for each unit of axial strain, `∂U/∂ε` [N m].
    axial: f64,
    /// `∂U/∂ψ` [N m].
    moment: Vec3,
    /// `∂U/∂γ` [N m].
    shear: Vec3,
    /// Load on the whole element, in its axes [N].
    load: Vec3,
    /// Moment that works on the spin of the axes half-way [N m].
    mean: Vec3,
    /// Moment that works on the difference of spins [N m].
    difference: Vec3,
    /// Force that works on the distance of the nodes [N].
    force: Vec3,
}

impl ElementForces {
    /// With damping in proportion to stiffness [s], and a load [N] on the whole element that keeps its direction.
    pub(crate) fn new(of: &Stiffness, nodes: [&NodeMotion; 2], damping: f64, load: &Vec3) -> Self {
        let strains = Strains::new(of, nodes);
        let Strains { axes, psi, gamma, functions, chord, .. } = &strains;
        let (mut axial, mut turn, mut slide) = (strains.axial, *psi, *gamma);
        let spread = functions.spread(psi);
        if damping > 0.0 {
            let [a, b] = nodes;
            let rate = axes.tr_mul(&(b.velocity - a.velocity)) / of.length;
            let spins = [axes.tr_mul(&a.spin), axes.tr_mul(&b.spin)];
            let gamma_rate = rate + gamma.cross(&strains.mean_spin([&spins[0], &spins[1]]));
            let psi_rate = spread * (spins[1] - spins[0]);
            let axial_rate = chord.dot(&rate)
                + across(psi).dot(&psi_rate) / 12.0
                + 2.0 * of.bow.component_mul(gamma).dot(&gamma_rate);
            axial += damping * axial_rate;
            turn += damping * psi_rate;
            slide += damping * gamma_rate;
        }
        let axial = of.axial * of.length * axial;
        let load = axes.tr_mul(load);
        let reach = of.length / 12.0;
        let bow = Vec3::x().cross(psi) * reach;
        let moment =
            of.bending.component_mul(&turn) + across(psi) * (axial / 12.0) - load.cross(&Vec3::x()) * reach;
        let shear = of.shear.component_mul(&slide) + 2.0 * axial * of.bow.component_mul(gamma);
        let mean = shear.cross(gamma) + load.cross(&bow);
        let difference = spread * moment + functions.c * psi.cross(&mean);
        let force = (chord * axial + shear) / of.length;
        Self { strains, axial, moment, shear, load, mean, difference, force }
    }

    /// Forces and moments that hold the nodes where they are, in space: those inside less the load [N, N m].
    pub(crate) fn at_nodes(&self) -> Vector12 {
        let mut forces = self.in_axes();
        for block in 0..4 {
            let rotated = self.strains.axes * forces.fixed_rows::<3>(3 * block);
            forces.fixed_rows_mut::<3>(3 * block).copy_from(&rotated);
        }
        forces
    }

    /// The same in the axes half-way: minus section forces at the first end, section forces at the second.
    pub(crate) fn in_axes(&self) -> Vector12 {
        let mut forces = Vector12::zeros();
        let weight = 0.5 * self.load;
        forces.fixed_rows_mut::<3>(0).copy_from(&(-self.force - weight));
        forces.fixed_rows_mut::<3>(3).copy_from(&(0.5 * self.mean - self.difference));
        forces.fixed_rows_mut::<3>(6).copy_from(&(self.force - weight));
        forces.fixed_rows_mut::<3>(9).copy_from(&(0.5 * self.mean + self.difference));
        forces
    }

    /// How [`at_nodes`](Self::at_nodes) changes with displacements and spins of the nodes, in space. `material` multiplies what is in proportion to the stiffness: 1, or more where damping adds to it.
    pub(super) fn tangent(&self, of: &Stiffness, material: f64) -> Matrix12 {
        let Self { strains, axial, moment, shear, load, mean, difference, force } = self;
        let Strains { psi, gamma, functions, chord, distance, .. } = strains;
        let Functions { h, c, df, dh, dc, .. } = functions;
        let (one, length) = (Mat3::identity(), of.length);
        let apart = blocks(&[-one, Mat3::zeros(), one, Mat3::zeros()]);
        let turned = blocks(&[Mat3::zeros(), -one, Mat3::zeros(), one]);
        let [first, second] = strains.mean_spin_matrices();
        let spin = blocks(&[Mat3::zeros(), first, Mat3::zeros(), second]);

        // Changes of the strains.
        let d_psi = functions.spread(psi) * turned;
        let d_gamma = apart / length + cross(gamma) * spin;
        let d_axial: Row = chord.transpose() * apart / length
            + across(psi).transpose() * d_psi / 12.0
            + 2.0 * of.bow.component_mul(gamma).transpose() * d_gamma;

        // Changes of the forces that belong to them.
        let d_n: Row = material * of.axial * length * d_axial;
        let bends = Mat3::from_diagonal(&Vec3::new(0.0, 1.0, 1.0));
        let d_load = cross(load) * spin;
        let reach = length / 12.0;
        let d_moment = (Mat3::from_diagonal(&(material * of.bending)) + bends * (axial / 12.0)) * d_psi
            + across(psi) * d_n / 12.0
            + reach * cross(&Vec3::x()) * d_load;
        let d_shear = (Mat3::from_diagonal(&(material * of.shear))
            + 2.0 * *axial * Mat3::from_diagonal(&of.bow))
            * d_gamma
            + 2.0 * of.bow.component_mul(gamma) * d_n;
        let bow = Vec3::x().cross(psi) * reach;
        let d_mean = cross(shear) * d_gamma - cross(gamma) * d_shear - cross(&bow) * d_load
            + reach * cross(load) * cross(&Vec3::x()) * d_psi;
        let along: Row = psi.transpose() * d_psi;
        let d_spread = *h * (d_psi * psi.dot(moment) + psi * (moment.transpose() * d_psi))
            + (2.0 * *df * moment + 2.0 * *dh * psi.dot(moment) * psi) * along;
        let d_difference = d_spread
            + functions.spread(psi) * d_moment
            + *c * (cross(psi) * d_mean - cross(mean) * d_psi)
            + 2.0 * *dc * psi.cross(mean) * along;
        let direction = one - chord * chord.transpose();
        let d_force =
            (chord * d_n + *axial / distance * direction * apart + d_shear - cross(shear) * spin) / length;

        // Forces on the nodes: the moments rotate with the axes.
        let (low, high) = (0.5 * mean - difference, 0.5 * mean + difference);
        let rows = [
            -d_force,
            0.5 * d_mean - d_difference - cross(&low) * spin,
            d_force,
            0.5 * d_mean + d_difference - cross(&high) * spin,
        ];
        debug_assert!(force.iter().all(|x| x.is_finite()), "forces of an element are numbers");
        let mut tangent = Matrix12::zeros();
        for (k, row) in rows.iter().enumerate() {
            tangent.fixed_view_mut::<3, 12>(3 * k, 0).copy_from(row);
        }
        rotated(&tangent, &strains.axes)
    }
}

impl ElementForces {
    /// Parts of the tangent that are symmetric and never negative, in space: of the stiffness of the material, and of a pull that keeps the chord straight. A push has no such part.
    ///
    /// What takes the tangent for a mass needs this: the whole tangent is unsymmetric where moments act, and a compressed element lowers the energy as it buckles.
    pub(crate) fn stable_tangent(&self, of: &Stiffness) -> [Matrix12; 2] {
        let Strains { psi, gamma, functions, chord, distance, axes, .. } = &self.strains;
        let (one, length) = (Mat3::identity(), of.length);
        let apart = blocks(&[-one, Mat3::zeros(), one, Mat3::zeros()]);
        let turned = blocks(&[Mat3::zeros(), -one, Mat3::zeros(), one]);
        let [first, second] = self.strains.mean_spin_matrices();
        let spin = blocks(&[Mat3::zeros(), first, Mat3::zeros(), second]);
        let d_psi = functions.spread(psi) * turned;
        let d_gamma = apart / length + cross(gamma) * spin;
        let d_axial: Row = chord.transpose() * apart / length
            + across(psi).transpose() * d_psi / 12.0
            + 2.0 * of.bow.component_mul(gamma).transpose() * d_gamma;
        let mut material = d_axial.transpose() * (of.axial * length * d_axial);
        for (stiffness, rows) in [(&of.bending, &d_psi), (&of.shear, &d_gamma)] {
            material += rows.transpose() * (Mat3::from_diagonal(stiffness) * rows);
        }
        let pull = (self.axial / length).max(0.0);
        let direction = one - chord * chord.transpose();
        let straight = apart.transpose() * (direction * (pull / distance) * apart);
        [rotated(&material, axes), rotated(&straight, axes)]
    }
}

fn blocks(of: &[Mat3; 4]) -> Rows {
    let mut rows = Rows::zeros();
    for (k, block) in of.iter().enumerate() {
        rows.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(block);
    }
    rows
}

/// A matrix in space, from one in the axes of an element.
pub(super) fn rotated(matrix: &Matrix12, axes: &Mat3) -> Matrix12 {
    let mut rotated = Matrix12::zeros();
    for k in 0..4 {
        let row = axes * matrix.fixed_view::<3, 12>(3 * k, 0);
        for l in 0..4 {
            let block = row.fixed_columns::<3>(3 * l) * axes.transpose();
            rotated.fixed_view_mut::<3, 3>(3 * k, 3 * l).copy_from(&block);
        }
    }
    rotated
}
