//! The aircraft: what its states are, and the forces of body and gear without the deck.
//!
//! The body with the two bolted nodes is one rigid body; the other four nodes move freely on their beams. Coordinates are absolute: place and turn of the rigid body at its centre of mass, then of each free
//! node. Mass is lumped, so that accelerations follow from forces one by one.

use zerogap_core::Vec3;
use zerogap_core::math::sin_cos;
use zerogap_dynamics::beam::{Beam, Element, FREEDOMS, NodeState};

use super::{BOLTED, LandingError, LandingParams, NODES, SKIDS, Start};

/// The nodes that are not bolted.
const FREE: [usize; 4] = [0, 1, 4, 5];

/// Coordinates: three of the body, three of each free node [-].
pub(super) const COORDINATES: usize = FREEDOMS * (1 + FREE.len());

/// Where everything of the aircraft is.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedCraft {
    /// Centre of mass of the rigid part, its turn, and their rates.
    pub(super) body: NodeState,
    pub(super) nodes: [NodeState; NODES],
}

/// Forces and torques on the rigid part and on the nodes [N, N m].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forces {
    pub(super) body: [f64; 3],
    pub(super) nodes: [[f64; 3]; NODES],
}

/// Masses and places that do not change.
#[derive(Debug, Clone)]
pub(super) struct Airframe {
    pub(super) beam: Beam,
    damping: zerogap_dynamics::beam::Rayleigh,
    /// Mass and moment of inertia of the rigid part.
    body: [f64; 2],
    /// Mass and moment of inertia of each node.
    lumps: [[f64; 2]; NODES],
    /// Centre of mass of the rigid part, from that of the body alone [m].
    center: [f64; 2],
}

/// A vector rotated by an angle given by sine and cosine.
fn turned([x, y]: [f64; 2], (s, c): (f64, f64)) -> [f64; 2] {
    [c * x - s * y, s * x + c * y]
}

impl Airframe {
    pub(super) fn new(params: &LandingParams) -> Result<Self, LandingError> {
        let craft = &params.craft;
        let elements = (0..NODES - 1).map(|k| Element { nodes: [k, k + 1], section: craft.section });
        let beam = Beam::new(craft.nodes.to_vec(), elements.collect())?;
        let mut lumps = [[0.0; 2]; NODES];
        lumps.copy_from_slice(&beam.lumps());
        for skid in SKIDS {
            lumps[skid][0] += craft.skid_mass;
        }
        // The bolted nodes move with the body: masses, first moments, then the inertia about the new centre.
        let parts = || {
            BOLTED
                .iter()
                .map(|k| (lumps[*k], craft.nodes[*k]))
                .chain([([craft.mass, craft.inertia], [0.0; 2])])
        };
        let mass: f64 = parts().map(|(lump, _)| lump[0]).sum();
        let center = [0, 1].map(|axis| parts().map(|(lump, at)| lump[0] * at[axis]).sum::<f64>() / mass);
        let inertia = parts().map(|(lump, at)| {
            let arm = [at[0] - center[0], at[1] - center[1]];
            lump[1] + lump[0] * (arm[0] * arm[0] + arm[1] * arm[1])
        });
        Ok(Self { body: [mass, inertia.sum()], beam, damping: craft.damping, lumps, center })
    }

    /// Mass of everything [kg].
    pub(super) fn mass(&self) -> f64 {
        self.body[0] + FREE.iter().map(|k| self.lumps[*k][0]).sum::<f64>()
    }

    /// The state at the start: everything as one rigid body.
    pub(super) fn start(&self, start: &Start) -> Vec<f64> {
        let turn = sin_cos(start.roll);
        let place = |at: [f64; 2]| {
            let arm = turned(at, turn);
            let position = [start.position[0] + arm[0], start.position[1] + arm[1], start.roll];
            let rate = start.roll_rate;
            (position, [start.velocity[0] - rate * arm[1], start.velocity[1] + rate * arm[0], rate])
        };
        let places: Vec<_> =
            std::iter::once(self.center).chain(FREE.map(|k| self.beam.nodes()[k])).map(place).collect();
        places.iter().flat_map(|(at, _)| *at).chain(places.iter().flat_map(|(_, rate)| *rate)).collect()
    }

    /// Where everything is at a state.
    pub(super) fn placed(&self, y: &[f64]) -> PlacedCraft {
        let three = |from: usize| [y[from], y[from + 1], y[from + 2]];
        let state = |k: usize| NodeState { at: three(FREEDOMS * k), rate: three(COORDINATES + FREEDOMS * k) };
        let mut placed = PlacedCraft { body: state(0), nodes: [NodeState::default(); NODES] };
        for (k, node) in FREE.into_iter().enumerate() {
            placed.nodes[node] = state(1 + k);
        }
        for node in BOLTED {
            placed.nodes[node] = self.carried(&placed.body, self.beam.nodes()[node]);
        }
        placed
    }

    /// A point of the body, given from the body's own centre of mass, as it moves.
    pub(super) fn carried(&self, body: &NodeState, [x, y]: [f64; 2]) -> NodeState {
        let arm = turned([x - self.center[0], y - self.center[1]], sin_cos(body.at[2]));
        let rate = body.rate[2];
        NodeState {
            at: [body.at[0] + arm[0], body.at[1] + arm[1], body.at[2]],
            rate: [body.rate[0] - rate * arm[1], body.rate[1] + rate * arm[0], rate],
        }
    }

    /// Forces of gear and gravity; gravity is downward [m/s²].
    pub(super) fn forces(&self, placed: &PlacedCraft, gravity: f64) -> Forces {
        let mut forces = Forces::default();
        self.beam.node_forces(&placed.nodes, self.damping.stiffness, &mut forces.nodes);
        forces.body[1] -= gravity * self.body[0];
        for node in FREE {
            forces.nodes[node][1] -= gravity * self.lumps[node][0];
        }
        if self.damping.mass > 0.0 {
            self.damp_by_mass(placed, &mut forces);
        }
        forces
    }

    /// Damping in proportion to mass, against the motion of the body, which feels the opposite.
    fn damp_by_mass(&self, placed: &PlacedCraft, forces: &mut Forces) {
        let body = &placed.body;
        for node in FREE {
            let state = &placed.nodes[node];
            let arm = [state.at[0] - body.at[0], state.at[1] - body.at[1]];
            let rate = body.rate[2];
            let carried = [body.rate[0] - rate * arm[1], body.rate[1] + rate * arm[0], rate];
            let [mass, inertia] = self.lumps[node];
            for (k, lump) in [mass, mass, inertia].into_iter().enumerate() {
                let force = -self.damping.mass * lump * (state.rate[k] - carried[k]);
                forces.nodes[node][k] += force;
                forces.body[k] -= force;
                // A force at the node turns the body.
                match k {
                    0 => forces.body[2] += arm[1] * force,
                    1 => forces.body[2] -= arm[0] * force,
                    _ => {}
                }
            }
        }
    }

    /// Adds a force at a point in the plane that belongs to the rigid part.
    pub(super) fn push_body(placed: &PlacedCraft, forces: &mut Forces, point: &[f64; 3], force: &Vec3) {
        let arm = [point[0] - placed.body.at[0], point[1] - placed.body.at[1]];
        forces.body[0] += force.x;
        forces.body[1] += force.y;
        forces.body[2] += arm[0] * force.y - arm[1] * force.x;
    }

    /// Writes velocities and accelerations.
    pub(super) fn derivative(&self, y: &[f64], placed: &PlacedCraft, mut forces: Forces, dy: &mut [f64]) {
        for node in BOLTED {
            let [x, z, torque] = forces.nodes[node];
            Self::push_body(placed, &mut forces, &placed.nodes[node].at, &Vec3::new(x, z, 0.0));
            forces.body[2] += torque;
        }
        dy[..COORDINATES].copy_from_slice(&y[COORDINATES..2 * COORDINATES]);
        let rows =
            std::iter::once((self.body, forces.body)).chain(FREE.map(|k| (self.lumps[k], forces.nodes[k])));
        for (k, ([mass, inertia], [x, z, torque])) in rows.enumerate() {
            let at = COORDINATES + FREEDOMS * k;
            (dy[at], dy[at + 1], dy[at + 2]) = (x / mass, z / mass, torque / inertia);
        }
    }

    /// Energies of motion, height and bending [J].
    pub(super) fn energy(&self, placed: &PlacedCraft, gravity: f64) -> [f64; 3] {
        let parts =
            std::iter::once((self.body, &placed.body)).chain(FREE.map(|k| (self.lumps[k], &placed.nodes[k])));
        let (mut kinetic, mut height) = (0.0, 0.0);
        for ([mass, inertia], state) in parts {
            let [vx, vz, rate] = state.rate;
            kinetic += 0.5 * (mass * (vx * vx + vz * vz) + inertia * rate * rate);
            height += mass * gravity * state.at[1];
        }
        [kinetic, height, self.beam.strain_energy(&placed.nodes)]
    }
}
