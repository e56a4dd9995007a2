//! Sums over the elements of a frame: forces, tangents, energies, momentum.
//!
//! In: a state and loads. Out: one entry or block for each node. Elements are summed in their order.

use zerogap_core::Vec3;
use zerogap_core::nalgebra::{DMatrix, UnitQuaternion};

use super::block_matrix::{BlockMatrix, Matrix6, Vector6};
use super::element::{ElementForces, Matrix12, NodeMotion, Strains, Vector12, rotated};
use super::mass::ElementMotion;
use super::{Frame, FrameError, FrameLoads, FrameState, SectionForces, rotation};

impl Frame {
    fn element_nodes(&self, state: &FrameState, element: usize) -> [NodeMotion; 2] {
        self.elements[element].nodes.map(|node| state.node(node))
    }

    /// The load on a whole element [N].
    fn element_load(&self, loads: &FrameLoads, element: usize) -> Vec3 {
        let of = &self.elements[element];
        (loads.line[element] + loads.gravity * (of.material.density * of.section.area))
            * self.stiffness[element].length
    }

    fn element_forces(
        &self,
        state: &FrameState,
        loads: &FrameLoads,
        element: usize,
        damping: f64,
    ) -> ElementForces {
        let [a, b] = self.element_nodes(state, element);
        let load = self.element_load(loads, element);
        ElementForces::new(&self.stiffness[element], [&a, &b], damping, &load)
    }

    /// Forces that hold the nodes in place: those of the elements less the loads [N, N m].
    pub(super) fn unbalanced(&self, state: &FrameState, loads: &FrameLoads, damping: f64) -> Vec<Vector6> {
        let mut sum: Vec<Vector6> =
            loads.nodal.iter().map(|load| -Vector6::from_column_slice(load)).collect();
        for element in 0..self.elements.len() {
            let forces = self.element_forces(state, loads, element, damping).at_nodes();
            self.scatter(&mut sum, element, &forces);
        }
        sum
    }

    pub(super) fn scatter(&self, sum: &mut [Vector6], element: usize, forces: &Vector12) {
        for (end, node) in self.elements[element].nodes.into_iter().enumerate() {
            sum[node] += forces.fixed_rows::<6>(6 * end);
        }
    }

    pub(super) fn scatter_matrix(&self, sum: &mut BlockMatrix, element: usize, matrix: &Matrix12) {
        let nodes = self.elements[element].nodes;
        for (k, row) in nodes.into_iter().enumerate() {
            for (l, column) in nodes.into_iter().enumerate() {
                let block: Matrix6 = matrix.fixed_view::<6, 6>(6 * k, 6 * l).into_owned();
                *sum.block_mut(&self.structure, row, column) += block;
            }
        }
    }

    /// Adds the change of [`unbalanced`](Self::unbalanced) with displacements and spins.
    pub(super) fn add_tangent(
        &self,
        sum: &mut BlockMatrix,
        state: &FrameState,
        loads: &FrameLoads,
        [damping, material]: [f64; 2],
    ) {
        for element in 0..self.elements.len() {
            let forces = self.element_forces(state, loads, element, damping);
            let tangent = forces.tangent(&self.stiffness[element], material);
            self.scatter_matrix(sum, element, &tangent);
        }
    }

    /// The mass matrix of an element in space.
    pub(super) fn element_mass(&self, state: &FrameState, element: usize) -> Matrix12 {
        let [a, b] = self.element_nodes(state, element);
        rotated(&self.mass[element], &Strains::new(&self.stiffness[element], [&a, &b]).axes)
    }

    /// Forces of inertia on the nodes [N, N m], for accelerations of the nodes, with damping in proportion to momentum.
    pub(super) fn inertia(&self, state: &FrameState, accelerations: &[Vector6]) -> Vec<Vector6> {
        let mut sum = vec![Vector6::zeros(); self.nodes.len()];
        for element in 0..self.elements.len() {
            let nodes = self.element_nodes(state, element);
            let ends = [&nodes[0], &nodes[1]];
            let strains = Strains::new(&self.stiffness[element], ends);
            let motion = ElementMotion::new(&strains, &self.mass[element], ends);
            let parts = self.elements[element].nodes.map(|node| {
                let of = &accelerations[node];
                [of.fixed_rows::<3>(0).into_owned(), of.fixed_rows::<3>(3).into_owned()]
            });
            let [[a, b], [c, d]] = &parts;
            let mut force = motion.inertia(&strains, &self.mass[element], [a, b, c, d]);
            if self.damping.mass > 0.0 {
                for (k, momentum) in motion.momentum(&strains).into_iter().enumerate() {
                    let damped = force.fixed_rows::<3>(3 * k) + self.damping.mass * momentum;
                    force.fixed_rows_mut::<3>(3 * k).copy_from(&damped);
                }
            }
            self.scatter(&mut sum, element, &force);
        }
        sum
    }

    /// Sets to zero what belongs to held degrees of freedom.
    pub(super) fn keep_free(&self, vectors: &mut [Vector6]) {
        for (vector, fixed) in vectors.iter_mut().zip(&self.fixed) {
            for (k, fixed) in fixed.iter().enumerate() {
                if *fixed {
                    vector[k] = 0.0;
                }
            }
        }
    }

    /// The largest displacement against the size of the frame, or rotation [rad].
    pub(super) fn measure(&self, change: &[Vector6]) -> f64 {
        // Maxima pass over what is no number.
        if !change.iter().flatten().all(|x| x.is_finite()) {
            return f64::INFINITY;
        }
        let of = |v: &Vector6| (v.fixed_rows::<3>(0).amax() / self.size).max(v.fixed_rows::<3>(3).amax());
        change.iter().map(of).fold(0.0, f64::max)
    }

    /// Moves the nodes by displacements and rotation vectors.
    pub(super) fn displace(state: &mut FrameState, change: &[Vector6]) {
        for (k, change) in change.iter().enumerate() {
            state.places[k] += change.fixed_rows::<3>(0);
            let turn = rotation::exp(&change.fixed_rows::<3>(3).into_owned());
            state.rotations[k] = UnitQuaternion::new_normalize((turn * state.rotations[k]).into_inner());
        }
    }

    /// Energy that is stored in the elements [J].
    pub fn strain_energy(&self, state: &FrameState) -> Result<f64, FrameError> {
        self.check_state(state)?;
        let of = |element: usize| {
            let [a, b] = self.element_nodes(state, element);
            let of = &self.stiffness[element];
            Strains::new(of, [&a, &b]).energy(of)
        };
        Ok((0..self.elements.len()).map(of).sum())
    }

    /// Kinetic energy [J].
    pub fn kinetic_energy(&self, state: &FrameState) -> Result<f64, FrameError> {
        self.check_state(state)?;
        Ok(self.motions(state).map(|(_, motion)| motion.energy()).sum())
    }

    fn motions<'a>(&'a self, state: &'a FrameState) -> impl Iterator<Item = (Strains, ElementMotion)> + 'a {
        (0..self.elements.len()).map(|element| {
            let [a, b] = self.element_nodes(state, element);
            let strains = Strains::new(&self.stiffness[element], [&a, &b]);
            let motion = ElementMotion::new(&strains, &self.mass[element], [&a, &b]);
            (strains, motion)
        })
    }

    /// Momentum [N s] and moment of momentum about the origin [N m s].
    pub fn momentum(&self, state: &FrameState) -> Result<[Vec3; 2], FrameError> {
        self.check_state(state)?;
        let mut sum = [Vec3::zeros(); 2];
        for ((strains, motion), element) in self.motions(state).zip(&self.elements) {
            let [p, a, q, b] = motion.momentum(&strains);
            let [first, second] = element.nodes.map(|node| state.places[node]);
            sum[0] += p + q;
            sum[1] += a + b + first.cross(&p) + second.cross(&q);
        }
        Ok(sum)
    }

    /// Energy of the frame in its loads, against the origin [J]; moments at nodes, which have none, are left out.
    pub fn load_energy(&self, state: &FrameState, loads: &FrameLoads) -> Result<f64, FrameError> {
        self.check_state(state)?;
        loads.check(self)?;
        let nodal: f64 = loads
            .nodal
            .iter()
            .zip(&state.places)
            .map(|(load, at)| -(load[0] * at.x + load[1] * at.y + load[2] * at.z))
            .sum();
        let of = |element: usize| {
            let [a, b] = self.element_nodes(state, element);
            let of = &self.stiffness[element];
            let load = self.element_load(loads, element);
            Strains::new(of, [&a, &b]).load_energy(of, &load, [&a, &b])
        };
        Ok(nodal + (0..self.elements.len()).map(of).sum::<f64>())
    }

    /// How the forces that hold the nodes change with displacements and rotations about the axes of space, for all degrees of freedom node by node [N/m, N, N m]: the tangent stiffness as a dense matrix, for studies of small frames.
    pub fn tangent(&self, state: &FrameState, loads: &FrameLoads) -> Result<DMatrix<f64>, FrameError> {
        self.check_state(state)?;
        loads.check(self)?;
        let mut dense = DMatrix::zeros(6 * self.nodes.len(), 6 * self.nodes.len());
        for (element, of) in self.elements.iter().enumerate() {
            let forces = self.element_forces(state, loads, element, 0.0);
            let tangent = forces.tangent(&self.stiffness[element], 1.0);
            for (k, row) in of.nodes.into_iter().enumerate() {
                for (l, column) in of.nodes.into_iter().enumerate() {
                    let mut block = dense.fixed_view_mut::<6, 6>(6 * row, 6 * column);
                    block += tangent.fixed_view::<6, 6>(6 * k, 6 * l);
                }
            }
        }
        Ok(dense)
    }

    /// Mass of the frame [kg].
    pub fn mass(&self) -> f64 {
        let of = |(element, of): (&super::FrameElement, &super::Stiffness)| {
            element.material.density * element.section.area * of.length
        };
        self.elements.iter().zip(&self.stiffness).map(of).sum()
    }

    /// Internal forces at both ends of each element, in its axes [N, N m].
    pub fn section_forces(
        &self,
        state: &FrameState,
        loads: &FrameLoads,
    ) -> Result<Vec<[SectionForces; 2]>, FrameError> {
        self.check_state(state)?;
        loads.check(self)?;
        let of = |element: usize| {
            let forces = self.element_forces(state, loads, element, 0.0).in_axes();
            let part = |k: usize, sign: f64| sign * forces.fixed_rows::<3>(k).into_owned();
            [
                SectionForces { force: part(0, -1.0), moment: part(3, -1.0) },
                SectionForces { force: part(6, 1.0), moment: part(9, 1.0) },
            ]
        };
        Ok((0..self.elements.len()).map(of).collect())
    }

    /// Forces and moments of the supports on the nodes in a state of equilibrium [N, N m]; zero where nothing is held.
    pub fn reactions(&self, state: &FrameState, loads: &FrameLoads) -> Result<Vec<[f64; 6]>, FrameError> {
        self.check_state(state)?;
        loads.check(self)?;
        let forces = self.unbalanced(state, loads, 0.0);
        let of = |(force, fixed): (Vector6, &[bool; 6])| {
            std::array::from_fn(|k| if fixed[k] { force[k] } else { 0.0 })
        };
        Ok(forces.into_iter().zip(&self.fixed).map(of).collect())
    }
}
