//! Beam elements between two frames on bodies: what makes bodies the nodes of a flexible frame.
//!
//! In: frames on two bodies, which coincide in orientation and lie one length apart along x where the beam is at rest; a cross-section and a material. Out: loads on the two bodies, how these change with their motion, section
//! forces. The element is that of [`crate::beam::frame`]; it has no mass, which is in the bodies. Time stepping takes it implicitly ([`Tree::beam_response`]), other methods as a force of the instant.

use zerogap_core::nalgebra::{SMatrix, UnitQuaternion};
use zerogap_core::{MIN_LENGTH, Vec3};

use super::{Evaluation, Site};
use crate::beam::frame::element::{ElementForces, Matrix12, NodeMotion, Stiffness, Strains, Vector12};
use crate::beam::frame::{CrossSection, FrameElement, FrameMaterial, SectionForces};
use crate::multibody::{BodyId, Tree, Workspace};

/// A beam element between two frames, at rest where these have one orientation and the second lies `length` along x from the first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    /// Its first end; z is the height of the section.
    pub a: Site,
    /// Its second end.
    pub b: Site,
    /// Length at rest [m].
    pub length: f64,
    /// Cross-section.
    pub section: CrossSection,
    /// Material; its mass is not here.
    pub material: FrameMaterial,
    /// Timoshenko's beam in place of Euler and Bernoulli's.
    pub shear: bool,
    /// Damping in proportion to stiffness: forces for the rate of strain, as a time [s].
    pub damping: f64,
    /// Damping in proportion to mass: force for each speed of either end [N s/m].
    pub drag: f64,
    /// What time stepping leaves in a step of a vibration that it does not resolve [-].
    pub spectral_radius: f64,
}

zerogap_core::store_struct!(Beam { a, b, length, section, material, shear, damping, drag, spectral_radius });

/// Loads of a beam on its two bodies, and the matrices by which they fall with displacements and with velocities of its ends: of place and rotation of the first, then of the second, in space.
#[derive(Debug, Clone)]
pub(crate) struct BeamResponse {
    pub(crate) loads: Vector12,
    pub(crate) stiffness: Matrix12,
    pub(crate) damping: Matrix12,
}

impl Beam {
    /// Whether it can be computed with; else what is wrong and its value.
    pub(super) fn check(&self) -> Result<(), (&'static str, f64)> {
        let (s, m) = (&self.section, &self.material);
        let positive = [
            s.area,
            s.second_moment_y,
            s.second_moment_z,
            s.torsion_constant,
            s.shear_area_y,
            s.shear_area_z,
            m.young_modulus,
            m.shear_modulus,
        ];
        if let Some(value) = positive.into_iter().find(|x| !(*x > 0.0 && x.is_finite())) {
            return Err(("numbers of the section and the material of a beam must be positive", value));
        }
        if !(self.length >= MIN_LENGTH && self.length.is_finite()) {
            return Err(("a beam must have a length", self.length));
        }
        if let Some(value) = [self.damping, self.drag].into_iter().find(|x| !(*x >= 0.0 && x.is_finite())) {
            return Err(("damping of a beam must not be negative", value));
        }
        if !(0.0..=1.0).contains(&self.spectral_radius) {
            return Err(("the spectral radius of a beam lies between 0 and 1", self.spectral_radius));
        }
        Ok(())
    }

    fn stiffness(&self) -> Stiffness {
        let element = FrameElement {
            nodes: [0, 1],
            section: self.section,
            material: self.material,
            up: None,
            shear: self.shear,
        };
        Stiffness::new(&element, self.length, UnitQuaternion::identity())
    }

    fn ends(&self, ws: &Workspace) -> [NodeMotion; 2] {
        [&self.a, &self.b].map(|site| {
            let pose = site.place(ws);
            NodeMotion {
                place: pose.translation(),
                rotation: *pose.rotation(),
                velocity: ws.point_velocity(site.body, pose.translation()),
                spin: site.body.map_or(Vec3::zeros(), |body| ws.angular_velocity(body)),
            }
        })
    }

    fn forces(&self, of: &Stiffness, [a, b]: [&NodeMotion; 2]) -> (ElementForces, Vector12) {
        let forces = ElementForces::new(of, [a, b], self.damping, &Vec3::zeros());
        let mut loads = -forces.at_nodes();
        for (at, node) in [(0, a), (6, b)] {
            let braked = loads.fixed_rows::<3>(at) - node.velocity * self.drag;
            loads.fixed_rows_mut::<3>(at).copy_from(&braked);
        }
        (forces, loads)
    }

    pub(super) fn add(&self, at: &mut Evaluation<'_>) {
        let [a, b] = self.ends(at.ws);
        let (_, loads) = self.forces(&self.stiffness(), [&a, &b]);
        for (first, site, node) in [(0, &self.a, &a), (6, &self.b, &b)] {
            at.push(site.body, node.place, loads.fixed_rows::<3>(first).into_owned());
            at.twist(site.body, loads.fixed_rows::<3>(first + 3).into_owned());
        }
    }

    pub(super) fn energy(&self, ws: &Workspace) -> f64 {
        let (of, [a, b]) = (self.stiffness(), self.ends(ws));
        Strains::new(&of, [&a, &b]).energy(&of)
    }
}

impl Tree {
    /// The beams among the force elements.
    pub fn beams(&self) -> &[Beam] {
        &self.forces.beams
    }

    /// The forces at the first end and at the second end of a beam, by its number, in its axes: what the part beyond the section exerts. The workspace must be up to date.
    ///
    /// # Panics
    /// Where there is no such beam.
    pub fn beam_forces(&self, ws: &Workspace, beam: usize) -> [SectionForces; 2] {
        let beam = &self.forces.beams[beam];
        let [a, b] = beam.ends(ws);
        let (forces, _) = beam.forces(&beam.stiffness(), [&a, &b]);
        let inside = forces.in_axes();
        [(0, -1.0), (6, 1.0)].map(|(at, sign)| SectionForces {
            force: inside.fixed_rows::<3>(at) * sign,
            moment: inside.fixed_rows::<3>(at + 3) * sign,
        })
    }

    /// The loads of a beam on its ends, in space: force and moment at the first, then at the second [N, N m].
    pub(crate) fn beam_loads(&self, ws: &Workspace, beam: &Beam) -> Vector12 {
        let [a, b] = beam.ends(ws);
        beam.forces(&beam.stiffness(), [&a, &b]).1
    }

    /// The same with the matrices by which they fall, of which only what is symmetric and never negative.
    pub(crate) fn beam_response(&self, ws: &Workspace, beam: &Beam) -> BeamResponse {
        let (of, [a, b]) = (beam.stiffness(), beam.ends(ws));
        let (forces, loads) = beam.forces(&of, [&a, &b]);
        let [material, straight] = forces.stable_tangent(&of);
        let mut damping = material * beam.damping;
        for k in [0, 1, 2, 6, 7, 8] {
            damping[(k, k)] += beam.drag;
        }
        BeamResponse { loads, stiffness: material + straight, damping }
    }

    /// The velocities that move a frame on a body, each with the velocity and angular velocity that one unit of it gives the frame.
    pub(crate) fn site_rows(
        &self,
        ws: &Workspace,
        site: &Site,
        mut visit: impl FnMut(usize, SMatrix<f64, 6, 1>),
    ) {
        let place = site.place(ws).translation();
        self.each_point_velocity(ws, site.body, place, |k, linear| {
            let turning = if self.rotates[k] { ws.axes[k] } else { Vec3::zeros() };
            visit(
                k,
                SMatrix::<f64, 6, 1>::new(linear.x, linear.y, linear.z, turning.x, turning.y, turning.z),
            );
        });
    }

    /// The bodies at the ends of a beam that something in the state moves.
    pub(crate) fn beam_bodies<'a>(&'a self, beam: &Beam) -> impl Iterator<Item = BodyId> + use<'a> {
        [beam.a.body, beam.b.body].into_iter().flatten().filter(move |body| !self.is_driven(*body))
    }
}
