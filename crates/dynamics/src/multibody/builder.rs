//! Builds a tree body by body; everything is checked where it enters.

use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};

use super::closure::{Closure, Loop, LoopId};
use super::coupling::Coupling;
use super::error::TreeError;
use super::forces::Forces;
use super::inertia::Inertia;
use super::joint::{BodyId, Dof, Joint, JointKind, position_count, quaternion_at, rotations, with_unit_axes};
use super::jumps::{MotionJumps, prescribed_motions};
use super::limit::{Limit, Limited};
use super::tree::{Link, Tree};

/// Seed of the positions at which joints are tried for missing inertia: any will do, since a structural lack shows almost everywhere.
const TRIAL_SEED: u64 = 1;

/// How many such positions are tried [-].
const TRIALS: usize = 3;

/// Collects bodies, joints and loops.
#[derive(Debug, Clone)]
pub struct TreeBuilder {
    pub(super) gravity: Vec3,
    pub(super) links: Vec<Link>,
    pub(super) rotates: Vec<bool>,
    pub(super) positions_of: Vec<Option<usize>>,
    pub(super) dofs: Vec<Dof>,
    pub(super) position_count: usize,
    pub(super) closures: Vec<Closure>,
    pub(super) closure_rows: usize,
    pub(super) couplings: Vec<Coupling>,
    pub(super) forces: Forces,
    pub(super) has_smooth_friction: bool,
}

impl TreeBuilder {
    /// Starts with an empty world under gravity [m/s²].
    pub fn new(gravity: Vec3) -> Self {
        Self {
            gravity,
            links: Vec::new(),
            rotates: Vec::new(),
            positions_of: Vec::new(),
            dofs: Vec::new(),
            position_count: 0,
            closures: Vec::new(),
            closure_rows: 0,
            couplings: Vec::new(),
            forces: Forces::default(),
            has_smooth_friction: false,
        }
    }

    /// Adds a body that hangs on the world or on a body added before.
    pub fn body(&mut self, inertia: Inertia, joint: Joint) -> Result<BodyId, TreeError> {
        let body = self.links.len() as u32;
        let inertia = inertia.checked(body)?;
        let kind = with_unit_axes(joint.kind, body)?;
        if let JointKind::Prescribed(motion) = &kind
            && !motion.at(0.0).is_finite()
        {
            return Err(TreeError::Motion { body });
        }
        let parent = self.known(body, joint.parent)?;
        let parent_pivot = parent.map_or_else(Vec3::zeros, |p| self.links[p].pivot);
        let rotates = rotations(&kind);
        let link = Link {
            removed: None,
            parent,
            parent_frame: joint.parent_frame,
            from_joint: (joint.child_frame != Pose::identity()).then(|| joint.child_frame.inverse()),
            to_joint: joint.parent_frame.translation() - parent_pivot,
            pivot: joint.child_frame.translation(),
            center: inertia.center - joint.child_frame.translation(),
            inertia,
            q: self.position_count,
            nq: position_count(&kind),
            v: self.rotates.len(),
            nv: rotates.len(),
            kind,
        };
        // A velocity has a position of its own unless it is part of a rotation kept as a quaternion.
        let plain = quaternion_at(&link.kind).unwrap_or(link.nv);
        self.positions_of.extend((0..link.nv).map(|j| (j < plain).then_some(link.q + j)));
        self.rotates.extend_from_slice(rotates);
        self.dofs.resize(self.rotates.len(), Dof::default());
        self.position_count += link.nq;
        self.links.push(link);
        Ok(BodyId(body))
    }

    /// Adds a body with what acts on degrees of freedom of its joint, by their numbers. One that is refused leaves everything as it was.
    pub fn body_with(
        &mut self,
        inertia: Inertia,
        joint: Joint,
        dofs: &[(usize, Dof)],
    ) -> Result<BodyId, TreeError> {
        let body = self.body(inertia, joint)?;
        let said = dofs.iter().try_for_each(|(index, dof)| self.dof(body, *index, *dof));
        if let (Err(error), Some(link)) = (said, self.links.last()) {
            let (q, v) = (link.q, link.v);
            self.links.pop();
            self.positions_of.truncate(v);
            self.rotates.truncate(v);
            self.dofs.truncate(v);
            self.position_count = q;
            return Err(error);
        }
        Ok(body)
    }

    /// Says what acts on a degree of freedom of a body's joint; said again, it replaces what was said before.
    pub fn dof(&mut self, body: BodyId, index: usize, dof: Dof) -> Result<(), TreeError> {
        let at = self.dof_place(body, index)?;
        self.dofs[at] = dof.checked(body.0, index, self.positions_of[at].is_some())?;
        Ok(())
    }

    /// Returns what acts on a degree of freedom of a body's joint so far.
    pub fn dof_now(&self, body: BodyId, index: usize) -> Result<Dof, TreeError> {
        self.dof_place(body, index).map(|at| self.dofs[at])
    }

    /// Returns whether a degree of freedom of a body's joint is an angle; the others are lengths.
    pub fn is_rotation(&self, body: BodyId, index: usize) -> Result<bool, TreeError> {
        self.dof_place(body, index).map(|at| self.rotates[at])
    }

    fn dof_place(&self, body: BodyId, index: usize) -> Result<usize, TreeError> {
        let known = self.links.len();
        let unknown = TreeError::UnknownBody { body: body.0, other: body.0, known };
        let link = self.links.get(body.index()).ok_or(unknown)?;
        if index >= link.nv {
            return Err(TreeError::NoSuchDof { body: body.0, index, count: link.nv });
        }
        Ok(link.v + index)
    }

    /// Closes a loop between two bodies that exist already.
    pub fn close(&mut self, closure: Loop) -> Result<LoopId, TreeError> {
        let index = self.closures.len() as u32;
        let next = self.links.len() as u32;
        let a = self.known(next, closure.a)?;
        let b = self.known(next, closure.b)?;
        let closure = Closure::new(index, closure, a, b, self.closure_rows)?;
        self.closure_rows += closure.rows();
        self.closures.push(closure);
        Ok(LoopId(index))
    }

    /// Couples positions of joints that exist already; its condition stands behind those of the loops.
    pub fn couple(&mut self, coupling: Coupling) -> Result<(), TreeError> {
        coupling.check(|term| {
            let place = self.dof_place(term.body, term.index);
            place.is_ok_and(|place| self.positions_of[place].is_some())
        })?;
        self.couplings.push(coupling);
        Ok(())
    }

    /// Adds force elements that act on bodies that exist already.
    pub fn forces(&mut self, forces: Forces) -> Result<(), TreeError> {
        forces.check(self.links.len(), |body| self.links.get(body.index()).map_or(0, |link| link.nv))?;
        self.forces.append(forces);
        Ok(())
    }

    /// The force elements that were added.
    pub fn forces_added(&self) -> &Forces {
        &self.forces
    }

    /// The finished tree.
    pub fn build(self) -> Result<Tree, TreeError> {
        let g = self.gravity;
        if !g.iter().all(|x| x.is_finite()) {
            return Err(TreeError::Gravity { x: g.x, y: g.y, z: g.z });
        }
        let mut tree = Tree {
            jumps: MotionJumps::new(prescribed_motions(&self.links)),
            driven: driven(&self.links),
            limits: self.limits(),
            gravity: self.gravity,
            links: self.links,
            rotates: self.rotates,
            positions_of: self.positions_of,
            dofs: self.dofs,
            position_count: self.position_count,
            closures: self.closures,
            closure_rows: self.closure_rows,
            couplings: self.couplings,
            forces: self.forces,
            has_smooth_friction: self.has_smooth_friction,
        };
        tree.check_ranges()?;
        let of_forces = tree.limits_of_forces();
        tree.limits.extend(of_forces);
        tree.lower_actuators()?;
        refuse_missing_inertia(&tree)?;
        Ok(tree)
    }

    fn known(&self, body: u32, other: Option<BodyId>) -> Result<Option<usize>, TreeError> {
        let is_there = |other: BodyId| self.links.get(other.index()).is_some_and(|link| !link.is_removed());
        match other {
            Some(other) if !is_there(other) => {
                Err(TreeError::UnknownBody { body, other: other.0, known: self.links.len() })
            }
            other => Ok(other.map(BodyId::index)),
        }
    }

    pub(super) fn limits(&self) -> Vec<Limit> {
        let (mut limits, mut number) = (Vec::new(), 0);
        for (i, link) in self.links.iter().enumerate() {
            number += link.removed.unwrap_or(0);
            for v_index in link.dofs() {
                let (dof, Some(q_index)) = (&self.dofs[v_index], self.positions_of[v_index]) else {
                    continue;
                };
                for (bound, sign) in [(dof.lower, 1.0), (dof.upper, -1.0)] {
                    if let Some(bound) = bound {
                        let body = BodyId(i as u32);
                        let restitution = dof.restitution;
                        let limited = Limited::Position { q_index, v_index };
                        limits.push(Limit { number, body, limited, bound, sign, restitution });
                        number += 1;
                    }
                }
            }
        }
        limits
    }
}

/// Whether nothing in the state moves a body, by body.
fn driven(links: &[Link]) -> Vec<bool> {
    let mut driven: Vec<bool> = Vec::with_capacity(links.len());
    for link in links {
        // Parents come before their children.
        let is_on_driven = link.parent.is_none_or(|parent| driven[parent]);
        driven.push(is_on_driven && link.nv == 0);
    }
    driven
}

/// A joint that moves no inertia at several positions taken at random moves none anywhere. One that lacks it only in some positions
/// (rings of a gimbal without mass, in lock) is accepted: see [`Workspace::singular`](super::Workspace::singular).
fn refuse_missing_inertia(tree: &Tree) -> Result<(), TreeError> {
    let mut random = Random::new(TRIAL_SEED);
    let mut ws = tree.workspace();
    let v = vec![0.0; tree.velocities()];
    let mut first = 0;
    for _ in 0..TRIALS {
        let mut q: Vec<f64> = (0..tree.positions()).map(|_| random.range(-1.0, 1.0)).collect();
        tree.normalise(&mut q);
        tree.update(0.0, &q, &v, &mut ws);
        if ws.singular == 0 {
            return Ok(());
        }
        first = ws.first_singular;
    }
    let body = tree.links.iter().position(|link| link.dofs().contains(&first)).unwrap_or(0);
    Err(TreeError::Singular { body: body as u32, index: first - tree.links[body].v })
}
