//! The mass of a frame as rigid bodies at its nodes, for worlds of bodies.
//!
//! In: a frame. Out: mass, centre and inertia of every node. Half of each element's mass is at either node, with its first moment `m L / 12` of the whole element's mass `m` towards the other node: that is the end correction of the
//! trapezoidal rule (Euler and Maclaurin), so that what cancels between equal elements in a row remains where a beam ends. It makes the kinetic energy of a free end right to the third power of the element length, and the weight
//! at the nodes that of a load along the elements, moments included. About the centre there is the rotary inertia of the sections alone.

use zerogap_core::{Mat3, Vec3};

use super::Frame;
use crate::multibody::Inertia;

/// The part of an element's mass times its length that is the first moment of either end [-].
const END_MOMENT: f64 = 1.0 / 12.0;

impl Frame {
    /// Mass, centre of mass against the node and inertia of each node, in axes of space at rest.
    pub fn lumped(&self) -> Vec<Inertia> {
        let none = (0.0, Vec3::zeros(), Mat3::zeros());
        let mut sums = vec![none; self.nodes.len()];
        for (element, of) in self.elements.iter().zip(&self.stiffness) {
            let (section, line) = (&element.section, element.material.density * of.length);
            let axes = *of.axes.to_rotation_matrix().matrix();
            let (about_y, about_z) = (section.second_moment_y, section.second_moment_z);
            let rotary = Mat3::from_diagonal(&Vec3::new(about_y + about_z, about_y, about_z)) * (0.5 * line);
            let mass = line * section.area;
            let along = axes.column(0) * (mass * of.length * END_MOMENT);
            for (node, sign) in element.nodes.into_iter().zip([1.0, -1.0]) {
                let (sum, moment, inertia) = &mut sums[node];
                *sum += 0.5 * mass;
                *moment += along * sign;
                *inertia += axes * rotary * axes.transpose();
            }
        }
        let body = |(mass, moment, inertia): (f64, Vec3, Mat3)| {
            let center = if mass > 0.0 { moment / mass } else { moment };
            Inertia { mass, center, inertia }
        };
        sums.into_iter().map(body).collect()
    }
}
