//! Planar frames of beam finite elements: Euler-Bernoulli beams with axial and bending stiffness in the x-y plane.
//!
//! In: nodes, elements between them, supports. Out: deflections under loads ([`Beam::deflection`]), natural frequencies and shapes ([`Beam::modes`]), motion by any integrator
//! ([`MovingBeam`], small deflections), and forces of elements that move and turn far ([`Beam::node_forces`]). A node has three degrees of freedom: shifts along x and y, and a turn about z.
//! Order: degrees of freedom are numbered node by node; the same input gives the same bits.
//! [`frame`] has frames in space, with large rotations.

mod corotational;
mod element;
mod error;
pub mod frame;
mod modes;
mod motion;
mod statics;

use nalgebra::DMatrix;

pub use corotational::NodeState;
pub use error::BeamError;
pub use modes::Modes;
pub use motion::{MovingBeam, Rayleigh};

use element::{consistent_mass, lumped_mass, stiffness};

/// Degrees of freedom of a node [-].
pub const FREEDOMS: usize = 3;

/// What a beam is made of and how thick it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Young's modulus [Pa].
    pub young_modulus: f64,
    /// Area of the cross-section [m²].
    pub area: f64,
    /// Second moment of the area about the axis of bending [m⁴].
    pub second_moment: f64,
    /// Mass per volume [kg/m³].
    pub density: f64,
}

impl Section {
    /// A round tube with an outer diameter and a wall [m].
    pub fn tube(young_modulus: f64, density: f64, diameter: f64, wall: f64) -> Self {
        let (outer, inner) = (0.5 * diameter, 0.5 * diameter - wall);
        let squares = |r: f64| r * r;
        Self {
            young_modulus,
            area: std::f64::consts::PI * (squares(outer) - squares(inner)),
            second_moment: std::f64::consts::FRAC_PI_4 * (squares(squares(outer)) - squares(squares(inner))),
            density,
        }
    }
}

/// A beam between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Element {
    /// Numbers of its nodes.
    pub nodes: [usize; 2],
    /// What it is made of.
    pub section: Section,
}

/// How mass is spread over the degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MassKind {
    /// With the shape functions of the element: most exact.
    #[default]
    Consistent,
    /// Half of each element at each of its nodes, with the moment of inertia of that half about the node: a diagonal matrix.
    Lumped,
}

/// A planar frame of beams with supports.
#[derive(Debug, Clone, PartialEq)]
pub struct Beam {
    nodes: Vec<[f64; 2]>,
    elements: Vec<Element>,
    /// Which degrees of freedom are fixed.
    fixed: Vec<bool>,
}

impl Beam {
    /// From the places of nodes [m] and the elements between them.
    pub fn new(nodes: Vec<[f64; 2]>, elements: Vec<Element>) -> Result<Self, BeamError> {
        for (node, at) in nodes.iter().enumerate() {
            if !at.iter().all(|x| x.abs() <= zerogap_core::MAX_LENGTH) {
                return Err(BeamError::Place { node, x: at[0], y: at[1] });
            }
        }
        for (number, element) in elements.iter().enumerate() {
            element.check(number, nodes.len())?;
        }
        let beam = Self { fixed: vec![false; FREEDOMS * nodes.len()], nodes, elements };
        for (element, of) in beam.elements.iter().enumerate() {
            let (length, _) = beam.chord(of);
            let usable = length >= zerogap_core::MIN_LENGTH;
            if !usable {
                return Err(BeamError::NoLength { element, length });
            }
        }
        Ok(beam)
    }

    /// A straight beam along x from the origin, in equal elements.
    pub fn straight(length: f64, elements: usize, section: Section) -> Result<Self, BeamError> {
        let nodes = (0..=elements).map(|k| [length * k as f64 / elements.max(1) as f64, 0.0]).collect();
        Self::new(nodes, (0..elements).map(|k| Element { nodes: [k, k + 1], section }).collect())
    }

    /// Holds degrees of freedom of a node: shift along x, along y, turn.
    pub fn hold(&mut self, node: usize, freedoms: [bool; FREEDOMS]) -> Result<(), BeamError> {
        let nodes = self.nodes.len();
        let fixed = self.fixed.get_mut(FREEDOMS * node..FREEDOMS * (node + 1));
        let fixed = fixed.ok_or(BeamError::NoNode { node, nodes })?;
        fixed.iter_mut().zip(freedoms).for_each(|(fixed, freedom)| *fixed |= freedom);
        Ok(())
    }

    /// Fixes all degrees of freedom of a node.
    pub fn clamp(&mut self, node: usize) -> Result<(), BeamError> {
        self.hold(node, [true; FREEDOMS])
    }

    /// Places of the nodes at rest [m].
    pub fn nodes(&self) -> &[[f64; 2]] {
        &self.nodes
    }

    /// The elements.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Numbers of the degrees of freedom that are not fixed, ascending.
    pub fn free(&self) -> Vec<usize> {
        (0..self.fixed.len()).filter(|k| !self.fixed[*k]).collect()
    }

    /// Stiffness of all degrees of freedom [N/m, N, N m].
    pub fn stiffness(&self) -> DMatrix<f64> {
        self.assemble(|element, length| stiffness(&element.section, length))
    }

    /// Mass of all degrees of freedom [kg, kg m, kg m²].
    pub fn mass(&self, kind: MassKind) -> DMatrix<f64> {
        self.assemble(|element, length| match kind {
            MassKind::Consistent => consistent_mass(&element.section, length),
            MassKind::Lumped => lumped_mass(&element.section, length),
        })
    }

    /// Mass and moment of inertia of each node where mass is lumped [kg, kg m²].
    pub fn lumps(&self) -> Vec<[f64; 2]> {
        let matrix = self.mass(MassKind::Lumped);
        let at = |k: usize| matrix[(k, k)];
        (0..self.nodes.len()).map(|node| [at(FREEDOMS * node), at(FREEDOMS * node + 2)]).collect()
    }

    /// Length and direction of an element at rest [m, -].
    fn chord(&self, element: &Element) -> (f64, [f64; 2]) {
        let [a, b] = element.nodes.map(|node| self.nodes[node]);
        let d = [b[0] - a[0], b[1] - a[1]];
        let length = zerogap_core::math::hypot(d[0], d[1]);
        (length, [d[0] / length, d[1] / length])
    }

    /// A matrix of the whole from matrices of elements in their own axes.
    fn assemble(&self, local: impl Fn(&Element, f64) -> element::Matrix6) -> DMatrix<f64> {
        let n = self.fixed.len();
        let mut matrix = DMatrix::zeros(n, n);
        for element in &self.elements {
            let (length, direction) = self.chord(element);
            let of_element = element::rotated(&local(element, length), direction);
            let place = |k: usize| FREEDOMS * element.nodes[k / FREEDOMS] + k % FREEDOMS;
            for k in 0..2 * FREEDOMS {
                for l in 0..2 * FREEDOMS {
                    matrix[(place(k), place(l))] += of_element[(k, l)];
                }
            }
        }
        matrix
    }

    /// The rows and columns that are not fixed.
    fn reduced(&self, matrix: &DMatrix<f64>) -> DMatrix<f64> {
        let free = self.free();
        DMatrix::from_fn(free.len(), free.len(), |k, l| matrix[(free[k], free[l])])
    }
}

impl Element {
    fn check(&self, number: usize, nodes: usize) -> Result<(), BeamError> {
        for node in self.nodes {
            if node >= nodes {
                return Err(BeamError::NoNode { node, nodes });
            }
        }
        let Section { young_modulus, area, second_moment, density } = self.section;
        for (what, value) in [
            ("Young's modulus", young_modulus),
            ("area", area),
            ("second moment of area", second_moment),
            ("density", density),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BeamError::Section { element: number, what, value });
            }
        }
        Ok(())
    }
}
