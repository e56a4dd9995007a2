//! Elements that move and turn far while they bend little: axes that move with each element.
//!
//! In: places and turns of all nodes and their rates. Out: forces and torques on the nodes, and the energy of bending. What an element feels is its change of length and the turns of its ends against
//! the straight line between them, so that moving and turning as a whole makes no force, however far.
//! Method: corotational beams (Crisfield 1991, chapter 7), with the linear element in the moving axes.

use zerogap_core::math::{atan2, hypot, sin_cos};

use super::Beam;

/// Where a node is and how it moves: x, y [m], turn [rad], and their rates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NodeState {
    /// Place [m] and turn since rest [rad].
    pub at: [f64; 3],
    /// Velocity [m/s] and rate of the turn [rad/s].
    pub rate: [f64; 3],
}

/// How an element is strained: change of length [m], turns of its ends against its chord [rad]; with the chord.
struct Strain {
    stretch: f64,
    turns: [f64; 2],
    length: f64,
    along: [f64; 2],
}

impl Beam {
    fn strain(&self, element: usize, [a, b]: [&NodeState; 2]) -> Strain {
        let (rest, direction) = self.chord(&self.elements[element]);
        let d = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
        let length = hypot(d[0], d[1]);
        let along = [d[0] / length, d[1] / length];
        // The difference of squares loses no digits for small strains.
        let stretch = (d[0] * d[0] + d[1] * d[1] - rest * rest) / (length + rest);
        let turns = [a, b].map(|node| {
            let (s, c) = sin_cos(node.at[2]);
            let tangent = [c * direction[0] - s * direction[1], s * direction[0] + c * direction[1]];
            let cross = along[0] * tangent[1] - along[1] * tangent[0];
            atan2(cross, along[0] * tangent[0] + along[1] * tangent[1])
        });
        Strain { stretch, turns, length, along }
    }

    /// Adds the forces and torques [N, N m] that the elements exert on the nodes, which may be anywhere and rotated by any angle; `damping` [s] is in proportion to stiffness.
    ///
    /// Tolerance: rounding of the elongation, `E A` times 1e-16; turning as a whole by any angle changes forces by no more than that.
    ///
    /// # Panics
    /// Where there are not as many states and forces as nodes.
    pub fn node_forces(&self, nodes: &[NodeState], damping: f64, forces: &mut [[f64; 3]]) {
        assert!(nodes.len() == self.nodes.len() && forces.len() == nodes.len(), "one of each for every node");
        for (number, element) in self.elements.iter().enumerate() {
            let [i, j] = element.nodes;
            let (a, b) = (&nodes[i], &nodes[j]);
            let Strain { stretch, turns, length, along } = self.strain(number, [a, b]);
            let (rest, _) = self.chord(element);
            let across = [-along[1], along[0]];

            // Rates of the same, damped as the stiffness says.
            let v = [b.rate[0] - a.rate[0], b.rate[1] - a.rate[1]];
            let stretching = v[0] * along[0] + v[1] * along[1];
            let turning = (v[0] * across[0] + v[1] * across[1]) / length;
            let stretch = stretch + damping * stretching;
            let [t1, t2] =
                [turns[0] + damping * (a.rate[2] - turning), turns[1] + damping * (b.rate[2] - turning)];

            let section = &element.section;
            let tension = section.young_modulus * section.area / rest * stretch;
            let bending = section.young_modulus * section.second_moment / rest;
            let [m1, m2] = [bending * (4.0 * t1 + 2.0 * t2), bending * (2.0 * t1 + 4.0 * t2)];
            let shear = (m1 + m2) / length;
            for k in 0..2 {
                let force = tension * along[k] - shear * across[k];
                forces[i][k] += force;
                forces[j][k] -= force;
            }
            forces[i][2] -= m1;
            forces[j][2] -= m2;
        }
    }

    /// Energy that is stored in the elements [J].
    ///
    /// # Panics
    /// Where there are not as many states as nodes.
    pub fn strain_energy(&self, nodes: &[NodeState]) -> f64 {
        assert!(nodes.len() == self.nodes.len(), "one state for every node");
        let of = |(number, element): (usize, &super::Element)| {
            let [i, j] = element.nodes;
            let Strain { stretch, turns: [t1, t2], .. } = self.strain(number, [&nodes[i], &nodes[j]]);
            let (rest, _) = self.chord(element);
            let section = &element.section;
            let bar = 0.5 * section.young_modulus * section.area / rest * stretch * stretch;
            let bending = section.young_modulus * section.second_moment / rest;
            bar + bending * 2.0 * (t1 * t1 + t1 * t2 + t2 * t2)
        };
        self.elements.iter().enumerate().map(of).sum()
    }
}
