//! Frames of beam elements in space, with large displacements and rotations and small strains.
//!
//! In: nodes, elements with cross-sections and materials, supports, loads. Out: equilibria ([`Frame::settle`]), natural frequencies and shapes about any state ([`Frame::modes`]), motion ([`FrameMotion`]), section forces and
//! reactions. A node has six degrees of freedom: displacement and rotation, in the axes of space. Elements that share a node are joined rigidly.
//! Everything is linear in the number of elements for chains, rings and long frames (`block_matrix`). Order: nodes and elements as given; the same input gives the same bits.
//!
//! `element` has the strains and the tangent, `mass` the inertia, `assembly` sums over elements, `statics`, `modes` and `motion` are one method each.

mod assembly;
mod block_matrix;
pub(crate) mod element;
mod error;
mod loads;
mod lumped;
mod mass;
mod modes;
mod motion;
pub mod polyline;
mod rotation;
mod section;
mod statics;

use zerogap_core::math::Mat3;
use zerogap_core::nalgebra::{Rotation3, UnitQuaternion};
use zerogap_core::{MAX_LENGTH, MIN_LENGTH, Vec3};

pub use error::FrameError;
pub use loads::FrameLoads;
pub use modes::FrameModes;
pub use motion::{FrameMotion, MotionParams};
pub use section::{CrossSection, FrameMaterial};
pub use statics::{Equilibrium, SettleParams};

pub(crate) use block_matrix::reverse_cuthill_mckee;
use block_matrix::{Structure, Vector6};
use element::{Matrix12, NodeMotion, Stiffness};

use super::Rayleigh;

/// Degrees of freedom of a node [-]: displacements along x, y, z, then rotations about x, y, z.
pub const NODE_FREEDOMS: usize = 6;

/// How near to the direction of the element a chosen `up` may be, as the sine of the angle [-]: below, rounding decides the axes.
const MIN_UP: f64 = 1e-6;

/// An element is upright, and x serves as its `up`, where the sine of its angle to z is below [-].
const UPRIGHT: f64 = 1e-3;

/// A beam between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameElement {
    /// Numbers of its nodes.
    pub nodes: [usize; 2],
    /// Its cross-section.
    pub section: CrossSection,
    /// What it is made of.
    pub material: FrameMaterial,
    /// Direction of the z axis of the section; only its part across the element counts. Default: z of space, or x for upright elements.
    pub up: Option<Vec3>,
    /// Timoshenko's beam, which deflects by shear and whose sections have rotary inertia; otherwise Euler and Bernoulli's.
    pub shear: bool,
}

/// A plane of space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// x and y, rotations about z.
    Xy,
    /// y and z, rotations about x.
    Yz,
    /// z and x, rotations about y.
    Zx,
}

/// Where the nodes of a frame are and how they move.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameState {
    /// Places of the nodes [m].
    pub places: Vec<Vec3>,
    /// Rotations of the nodes since rest.
    pub rotations: Vec<UnitQuaternion<f64>>,
    /// Velocities [m/s].
    pub velocities: Vec<Vec3>,
    /// Angular velocities, in the axes of space [rad/s].
    pub spins: Vec<Vec3>,
}

impl FrameState {
    fn node(&self, k: usize) -> NodeMotion {
        NodeMotion {
            place: self.places[k],
            rotation: self.rotations[k],
            velocity: self.velocities[k],
            spin: self.spins[k],
        }
    }
}

/// Internal forces at a cross-section, in the axes of the element: what the part beyond it exerts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionForces {
    /// Axial force, positive in tension, and shear forces along y and z [N].
    pub force: Vec3,
    /// Torsion, then bending moments about y and z [N m].
    pub moment: Vec3,
}

/// A frame of beams in space, with supports.
#[derive(Debug, Clone)]
pub struct Frame {
    nodes: Vec<Vec3>,
    elements: Vec<FrameElement>,
    stiffness: Vec<Stiffness>,
    mass: Vec<Matrix12>,
    structure: Structure,
    /// Which degrees of freedom are fixed, node by node.
    fixed: Vec<[bool; NODE_FREEDOMS]>,
    damping: Rayleigh,
    /// Largest distance of a node from the first [m], what corrections are measured by.
    size: f64,
}

impl Frame {
    /// From the places of nodes [m] and the elements between them. No node is held.
    pub fn new(nodes: Vec<Vec3>, elements: Vec<FrameElement>) -> Result<Self, FrameError> {
        for (node, at) in nodes.iter().enumerate() {
            if !at.iter().all(|x| x.abs() <= MAX_LENGTH) {
                return Err(FrameError::Place { node, x: at.x, y: at.y, z: at.z });
            }
        }
        let (mut stiffness, mut mass) = (Vec::new(), Vec::new());
        for (number, element) in elements.iter().enumerate() {
            check_element(number, element, nodes.len())?;
            let [a, b] = element.nodes;
            let d = nodes[b] - nodes[a];
            let length = d.norm();
            let usable = length >= MIN_LENGTH;
            if !usable {
                return Err(FrameError::NoLength { element: number, length });
            }
            let axes = axes_of(number, &(d / length), element.up)?;
            let of = Stiffness::new(element, length, axes);
            mass.push(mass::consistent_mass(element, &of));
            stiffness.push(of);
        }
        let structure = Structure::new(nodes.len(), elements.iter().map(|element| element.nodes));
        let size = nodes.iter().map(|at| (at - nodes[0]).norm()).fold(MIN_LENGTH, f64::max);
        let fixed = vec![[false; NODE_FREEDOMS]; nodes.len()];
        let damping = Rayleigh::default();
        Ok(Self { nodes, elements, stiffness, mass, structure, fixed, damping, size })
    }

    /// A straight beam between two points [m], in equal elements like `element`.
    pub fn straight([a, b]: [Vec3; 2], count: usize, element: FrameElement) -> Result<Self, FrameError> {
        let nodes = (0..=count).map(|k| a + (b - a) * (k as f64 / count.max(1) as f64)).collect();
        Self::polyline(nodes, false, element)
    }

    /// Elements like `element` from each node to the next, and from the last to the first where it is closed.
    pub fn polyline(nodes: Vec<Vec3>, closed: bool, element: FrameElement) -> Result<Self, FrameError> {
        let count = if closed { nodes.len() } else { nodes.len().saturating_sub(1) };
        let next = |k: usize| (k + 1) % nodes.len();
        let elements = (0..count).map(|k| FrameElement { nodes: [k, next(k)], ..element }).collect();
        Self::new(nodes, elements)
    }

    /// Holds degrees of freedom of a node: displacements along x, y, z, rotations about x, y, z.
    ///
    /// A held rotation means that the angular velocity about that axis of space is zero.
    pub fn hold(&mut self, node: usize, freedoms: [bool; NODE_FREEDOMS]) -> Result<(), FrameError> {
        let nodes = self.nodes.len();
        let fixed = self.fixed.get_mut(node).ok_or(FrameError::NoNode { node, nodes })?;
        fixed.iter_mut().zip(freedoms).for_each(|(fixed, freedom)| *fixed |= freedom);
        Ok(())
    }

    /// Fixes a node.
    pub fn clamp(&mut self, node: usize) -> Result<(), FrameError> {
        self.hold(node, [true; NODE_FREEDOMS])
    }

    /// Fixes the place of a node, which may rotate.
    pub fn pin(&mut self, node: usize) -> Result<(), FrameError> {
        self.hold(node, [true, true, true, false, false, false])
    }

    /// Lets all nodes move in a plane alone: a planar frame of the same elements.
    pub fn set_plane(&mut self, plane: Plane) {
        let normal = match plane {
            Plane::Xy => 2,
            Plane::Yz => 0,
            Plane::Zx => 1,
        };
        for fixed in &mut self.fixed {
            for k in 0..3 {
                fixed[k] |= k == normal;
                fixed[3 + k] |= k != normal;
            }
        }
    }

    /// Sets the damping of motions: forces in proportion to momentum [1/s] and to the rate of strain [s].
    pub fn set_damping(&mut self, damping: Rayleigh) -> Result<(), FrameError> {
        for (what, value) in [
            ("damping in proportion to mass", damping.mass),
            ("damping in proportion to stiffness", damping.stiffness),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(FrameError::Setting { what, value, range: "zero or positive" });
            }
        }
        self.damping = damping;
        Ok(())
    }

    /// Places of the nodes at rest [m].
    pub fn nodes(&self) -> &[Vec3] {
        &self.nodes
    }

    /// The elements.
    pub fn elements(&self) -> &[FrameElement] {
        &self.elements
    }

    /// Length at rest of an element [m].
    ///
    /// # Panics
    /// Where there is no such element.
    pub fn length(&self, element: usize) -> f64 {
        self.stiffness[element].length
    }

    /// Axes at rest of an element: x along it, z the height of its section.
    ///
    /// # Panics
    /// Where there is no such element.
    pub fn axes(&self, element: usize) -> UnitQuaternion<f64> {
        self.stiffness[element].axes
    }

    /// The damping of motions.
    pub fn damping(&self) -> Rayleigh {
        self.damping
    }

    /// Which degrees of freedom are held, node by node.
    pub fn held(&self) -> &[[bool; NODE_FREEDOMS]] {
        &self.fixed
    }

    /// The frame as it was given, without motion.
    pub fn rest(&self) -> FrameState {
        let zeros = vec![Vec3::zeros(); self.nodes.len()];
        FrameState {
            places: self.nodes.clone(),
            rotations: vec![UnitQuaternion::identity(); self.nodes.len()],
            velocities: zeros.clone(),
            spins: zeros,
        }
    }

    /// The frame moved from rest by displacements and rotation vectors of the nodes [m, rad], with velocities [m/s, rad/s].
    pub fn displaced(
        &self,
        displacements: &[[f64; NODE_FREEDOMS]],
        velocities: &[[f64; NODE_FREEDOMS]],
    ) -> Result<FrameState, FrameError> {
        let expected = self.nodes.len();
        for (what, rows) in [("displacements", displacements), ("velocities", velocities)] {
            if rows.len() != expected {
                return Err(FrameError::Count { what, each: "node", expected, given: rows.len() });
            }
            loads::check_numbers(what, "node", rows.iter().map(<[f64; NODE_FREEDOMS]>::as_slice))?;
        }
        let mut state = self.rest();
        let change: Vec<Vector6> = displacements.iter().map(|row| Vector6::from_column_slice(row)).collect();
        Self::displace(&mut state, &change);
        for (k, row) in velocities.iter().enumerate() {
            state.velocities[k] = Vec3::new(row[0], row[1], row[2]);
            state.spins[k] = Vec3::new(row[3], row[4], row[5]);
        }
        Ok(state)
    }

    fn check_state(&self, state: &FrameState) -> Result<(), FrameError> {
        let expected = self.nodes.len();
        for (what, given) in [
            ("places", state.places.len()),
            ("rotations", state.rotations.len()),
            ("velocities", state.velocities.len()),
            ("spins", state.spins.len()),
        ] {
            if given != expected {
                return Err(FrameError::Count { what, each: "node", expected, given });
            }
        }
        for (what, vectors) in
            [("place", &state.places), ("velocity", &state.velocities), ("spin", &state.spins)]
        {
            loads::check_numbers(what, "node", vectors.iter().map(Vec3::as_slice))?;
        }
        loads::check_numbers("rotation", "node", state.rotations.iter().map(|q| q.coords.as_slice()))
    }

    fn has_free(&self) -> Result<(), FrameError> {
        if self.fixed.iter().flatten().all(|fixed| *fixed) { Err(FrameError::NothingFree) } else { Ok(()) }
    }
}

fn check_element(number: usize, element: &FrameElement, nodes: usize) -> Result<(), FrameError> {
    for node in element.nodes {
        if node >= nodes {
            return Err(FrameError::NoNode { node, nodes });
        }
    }
    let (section, material) = (&element.section, &element.material);
    for (what, value) in [
        ("Young's modulus", material.young_modulus),
        ("shear modulus", material.shear_modulus),
        ("density", material.density),
        ("area", section.area),
        ("second moment of area about y", section.second_moment_y),
        ("second moment of area about z", section.second_moment_z),
        ("torsion constant", section.torsion_constant),
        ("shear area along y", section.shear_area_y),
        ("shear area along z", section.shear_area_z),
    ] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(FrameError::Section { element: number, what, value });
        }
    }
    Ok(())
}

/// Axes of an element along a direction: x along it, z towards `up`.
fn axes_of(element: usize, along: &Vec3, up: Option<Vec3>) -> Result<UnitQuaternion<f64>, FrameError> {
    let upright = along.x.abs().max(along.y.abs()) < UPRIGHT;
    let chosen = up.unwrap_or(if upright { Vec3::x() } else { Vec3::z() });
    let side = chosen.cross(along);
    let usable = side.norm() > MIN_UP * chosen.norm() && side.norm().is_finite();
    if !usable {
        return Err(FrameError::Up { element, x: chosen.x, y: chosen.y, z: chosen.z });
    }
    let y = side.normalize();
    let matrix = Mat3::from_columns(&[*along, y, along.cross(&y)]);
    Ok(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
}
