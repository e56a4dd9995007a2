//! The tree itself: bodies in an order where parents come first, their places in the arrays of positions and velocities, and what acts in the
//! joints.

use std::ops::Range;

use nalgebra::Quaternion;
use zerogap_core::math::{hypot, sin_cos};
use zerogap_core::{Pose, Vec3};

use super::closure::Closure;
use super::coupling::Coupling;
use super::error::TreeError;
use super::forces::Forces;
use super::inertia::Inertia;
use super::joint::{BodyId, Dof, JointKind, Motor, quaternion_at, unit_quaternion};
use super::jumps::MotionJumps;
use super::limit::Limit;
use super::workspace::Workspace;

/// Below this speed smooth dry friction of joints falls to zero [rad/s or m/s].
const SLOW: f64 = 1e-3;

/// A body with its joint, in the form that the recursions use.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// How many limits the body had of which only the number is left; none for a body that is there.
    pub(super) removed: Option<usize>,
    pub(super) parent: Option<usize>,
    pub(super) kind: JointKind,
    pub(super) parent_frame: Pose,
    /// The body frame in the child's joint frame, where the two differ.
    pub(super) from_joint: Option<Pose>,
    /// From the parent's pivot to the parent's joint frame, in the parent's body axes (world: from its origin) [m].
    pub(super) to_joint: Vec3,
    /// The pivot in the body frame [m].
    pub(super) pivot: Vec3,
    /// The centre of mass from the pivot, in body axes [m].
    pub(super) center: Vec3,
    pub(super) inertia: Inertia,
    /// First position and number of positions.
    pub(super) q: usize,
    pub(super) nq: usize,
    /// First velocity and number of velocities.
    pub(super) v: usize,
    pub(super) nv: usize,
}

impl Link {
    /// Where the velocities of the joint stand.
    pub(super) fn dofs(&self) -> Range<usize> {
        self.v..self.v + self.nv
    }

    /// Whether only the number of the body is left.
    pub(super) fn is_removed(&self) -> bool {
        self.removed.is_some()
    }
}

/// A system of rigid bodies in minimal coordinates. Made by [`TreeBuilder`](super::TreeBuilder).
///
/// Everything but motors and the jumps of prescribed velocities that were passed is fixed; [`TreeBuilder::resume`](super::TreeBuilder::resume) makes a tree with other bodies of it. Evaluation takes `&self` and writes into a [`Workspace`].
#[derive(Debug, Clone)]
pub struct Tree {
    pub(super) gravity: Vec3,
    pub(super) links: Vec<Link>,
    /// For each velocity: whether it is a rotation, where its position stands, and what acts on it.
    pub(super) rotates: Vec<bool>,
    pub(super) positions_of: Vec<Option<usize>>,
    pub(super) dofs: Vec<Dof>,
    pub(super) position_count: usize,
    pub(super) limits: Vec<Limit>,
    pub(super) closures: Vec<Closure>,
    pub(super) closure_rows: usize,
    pub(super) couplings: Vec<Coupling>,
    pub(super) forces: Forces,
    /// Whether dry friction of joints is among their efforts.
    pub(super) has_smooth_friction: bool,
    pub(super) jumps: MotionJumps,
    /// Whether nothing in the state moves a body, by body.
    pub(super) driven: Vec<bool>,
}

impl Tree {
    /// Number of bodies [-].
    pub fn bodies(&self) -> usize {
        self.links.len()
    }

    /// Number of positions, quaternions counted with four [-].
    pub fn positions(&self) -> usize {
        self.position_count
    }

    /// Number of velocities, which is the number of degrees of freedom before loops [-].
    pub fn velocities(&self) -> usize {
        self.rotates.len()
    }

    /// Gravity [m/s²].
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The body that a body hangs on; none: the world.
    pub fn parent(&self, body: BodyId) -> Option<BodyId> {
        self.links.get(body.index())?.parent.map(|p| BodyId(p as u32))
    }

    /// Mass and inertia of a body.
    pub fn inertia(&self, body: BodyId) -> &Inertia {
        &self.links[body.index()].inertia
    }

    /// What the joint of a body lets it do, with unit axes.
    pub fn joint(&self, body: BodyId) -> &JointKind {
        &self.links[body.index()].kind
    }

    /// Where the positions of a body's joint stand.
    pub fn q_range(&self, body: BodyId) -> Range<usize> {
        let link = &self.links[body.index()];
        link.q..link.q + link.nq
    }

    /// Where the velocities of a body's joint stand.
    pub fn v_range(&self, body: BodyId) -> Range<usize> {
        self.links[body.index()].dofs()
    }

    /// Whether a velocity is a rotation [rad/s] and not a shift [m/s].
    pub fn is_rotation(&self, v_index: usize) -> bool {
        self.rotates[v_index]
    }

    /// All joints at zero, or at the nearest position that their limits allow; quaternions at no rotation.
    pub fn initial_positions(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.positions()];
        self.normalise(&mut q);
        for (dof, place) in self.dofs.iter().zip(&self.positions_of) {
            if let Some(place) = place {
                q[*place] = 0.0_f64
                    .max(dof.lower.unwrap_or(f64::NEG_INFINITY))
                    .min(dof.upper.unwrap_or(f64::INFINITY));
            }
        }
        q
    }

    /// Room to compute with; nothing is allocated afterwards.
    pub fn workspace(&self) -> Workspace {
        Workspace::new(self.bodies(), self.positions(), self.velocities(), self.loop_rows())
    }

    /// The bounds of all positions, in order of bodies and degrees of freedom, lower before upper; then those of tendons and of angles of ball joints.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// What acts on a degree of freedom.
    pub fn dof(&self, body: BodyId, index: usize) -> Result<&Dof, TreeError> {
        let at = self.dof_index(body, index)?;
        Ok(&self.dofs[at])
    }

    /// What drives a degree of freedom.
    pub fn motor(&self, body: BodyId, index: usize) -> Result<Motor, TreeError> {
        Ok(self.dof(body, index)?.motor)
    }

    /// Replaces what drives a degree of freedom.
    pub fn set_motor(&mut self, body: BodyId, index: usize, motor: Motor) -> Result<(), TreeError> {
        let at = self.dof_index(body, index)?;
        let dof = Dof { motor, ..self.dofs[at] };
        self.dofs[at] = dof.checked(body.0, index, self.positions_of[at].is_some())?;
        Ok(())
    }

    /// Has dry friction of joints act smoothly among their efforts ([`Tree::joint_efforts`]), for methods that integrate: below 0.001 rad/s or m/s it falls to zero, so what it should hold creeps.
    pub fn smooth_friction(&mut self) {
        self.has_smooth_friction = true;
    }

    /// Takes the dry friction of all joints out, for methods that have none.
    pub fn leave_out_friction(&mut self) {
        for dof in &mut self.dofs {
            dof.friction = 0.0;
        }
    }

    fn dof_index(&self, body: BodyId, index: usize) -> Result<usize, TreeError> {
        let known = self.links.len();
        let link = self.links.get(body.index()).ok_or(TreeError::UnknownBody {
            body: body.0,
            other: body.0,
            known,
        })?;
        if index < link.nv {
            Ok(link.v + index)
        } else {
            Err(TreeError::NoSuchDof { body: body.0, index, count: link.nv })
        }
    }

    /// Returns what acts on each degree of freedom, and where its position stands; none for a part of a quaternion.
    pub fn dofs(&self) -> impl Iterator<Item = (&Dof, Option<usize>)> {
        self.dofs.iter().zip(self.positions_of.iter().copied())
    }

    /// Writes the efforts of springs, dampers and motors, and of smooth friction [N or N m].
    ///
    /// # Panics
    /// Where an array does not have the tree's length.
    pub fn joint_efforts(&self, q: &[f64], v: &[f64], effort: &mut [f64]) {
        self.check_positions(q);
        self.check_velocities(v);
        self.check_velocities(effort);
        for (k, dof) in self.dofs.iter().enumerate() {
            let position = self.positions_of[k].map_or(0.0, |place| q[place]);
            effort[k] = dof.stiffness * (dof.spring_reference - position) - dof.damping * v[k]
                + dof.motor.effort(position, v[k]);
            if self.has_smooth_friction && dof.friction > 0.0 {
                effort[k] -= dof.friction * v[k] / hypot(v[k], SLOW);
            }
        }
    }

    /// Writes the rates of the positions. A quaternion of any length keeps it, and turns as the normalised one does.
    ///
    /// # Panics
    /// Where an array does not have the tree's length.
    pub fn position_derivative(&self, q: &[f64], v: &[f64], dq: &mut [f64]) {
        self.check_positions(q);
        self.check_velocities(v);
        self.check_positions(dq);
        for (k, place) in self.positions_of.iter().enumerate() {
            if let Some(place) = place {
                dq[*place] = v[k];
            }
        }
        for link in &self.links {
            if let Some(at) = quaternion_at(&link.kind) {
                let q = read_quaternion(&q[link.q + at..]);
                let spin = Quaternion::from_imag(angular_part(link, v));
                write_quaternion(&(q * spin * 0.5), &mut dq[link.q + at..]);
            }
        }
    }

    /// Makes every quaternion a unit one; one of length zero becomes no rotation.
    ///
    /// # Panics
    /// Where `q` does not have the tree's length.
    pub fn normalise(&self, q: &mut [f64]) {
        self.check_positions(q);
        for link in &self.links {
            if let Some(at) = quaternion_at(&link.kind) {
                let part = &mut q[link.q + at..link.q + at + 4];
                let unit = unit_quaternion([part[0], part[1], part[2], part[3]]);
                part.copy_from_slice(&unit);
            }
        }
    }

    /// Moves the positions along constant velocities `dv` for one unit of time: shifts and angles by adding, rotations exactly.
    ///
    /// # Panics
    /// Where an array does not have the tree's length.
    pub fn displace(&self, q: &mut [f64], dv: &[f64]) {
        self.check_positions(q);
        self.check_velocities(dv);
        for (k, place) in self.positions_of.iter().enumerate() {
            if let Some(place) = place {
                q[*place] += dv[k];
            }
        }
        for link in &self.links {
            if let Some(at) = quaternion_at(&link.kind) {
                let turn = angular_part(link, dv);
                let angle = turn.norm();
                let (s, c) = sin_cos(0.5 * angle);
                // sin(x/2)/x is one half where x is too small to divide by.
                let ratio = if angle > f64::MIN_POSITIVE { s / angle } else { 0.5 };
                let part = &mut q[link.q + at..];
                let product = read_quaternion(part) * Quaternion::from_parts(c, turn * ratio);
                write_quaternion(&product, part);
            }
        }
    }

    pub(super) fn check_positions(&self, q: &[f64]) {
        assert!(q.len() == self.positions(), "{} positions, not {}", self.positions(), q.len());
    }

    pub(super) fn check_velocities(&self, v: &[f64]) {
        assert!(v.len() == self.velocities(), "{} velocities, not {}", self.velocities(), v.len());
    }

    pub(super) fn check_workspace(&self, ws: &Workspace) {
        assert!(
            ws.bodies.len() == self.links.len() && ws.axes.len() == self.velocities(),
            "a workspace belongs to the tree that made it"
        );
    }
}

/// The angular velocity of a joint whose last three velocities it is.
fn angular_part(link: &Link, v: &[f64]) -> Vec3 {
    let last = link.v + link.nv;
    Vec3::new(v[last - 3], v[last - 2], v[last - 1])
}

fn read_quaternion(q: &[f64]) -> Quaternion<f64> {
    Quaternion::new(q[3], q[0], q[1], q[2])
}

fn write_quaternion(value: &Quaternion<f64>, q: &mut [f64]) {
    q[..4].copy_from_slice(&[value.i, value.j, value.k, value.w]);
}
