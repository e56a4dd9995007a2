//! Trees that change: bodies are added to and taken out of a tree that is in use.
//!
//! In: a finished tree. Out: a builder that holds the same bodies, loops and motors, to which bodies can be added and from which they can be removed. Numbers of bodies last: a body that was removed
//! leaves its place, without mass, degrees of freedom and limits, and evaluation skips it.

use zerogap_core::{Mat3, Pose, Vec3};

use super::builder::TreeBuilder;
use super::closure::LoopId;
use super::error::TreeError;
use super::inertia::Inertia;
use super::joint::{BodyId, JointKind};
use super::limit::Limit;
use super::tree::{Link, Tree};

impl Link {
    /// The place of a body that was removed; its joint has no coordinates.
    fn removed(q: usize, v: usize, limits: usize) -> Self {
        Self {
            removed: Some(limits),
            parent: None,
            kind: JointKind::Fixed,
            parent_frame: Pose::identity(),
            from_joint: None,
            to_joint: Vec3::zeros(),
            pivot: Vec3::zeros(),
            center: Vec3::zeros(),
            inertia: Inertia { mass: 0.0, center: Vec3::zeros(), inertia: Mat3::zeros() },
            q,
            nq: 0,
            v,
            nv: 0,
        }
    }
}

impl TreeBuilder {
    /// Continues from a finished tree: the same bodies, loops, and what acts on joints now.
    pub fn resume(tree: &Tree) -> Self {
        Self {
            gravity: tree.gravity,
            links: tree.links.clone(),
            rotates: tree.rotates.clone(),
            positions_of: tree.positions_of.clone(),
            dofs: tree.dofs.clone(),
            position_count: tree.position_count,
            closures: tree.closures.clone(),
            closure_rows: tree.closure_rows,
            couplings: tree.couplings.clone(),
            forces: tree.forces.clone(),
            has_smooth_friction: tree.has_smooth_friction,
        }
    }

    /// Removes a body with its joint. All others keep their numbers; positions and velocities behind those of its joint move up.
    ///
    /// Fails: where there is no such body, and where another body or a loop hangs on it.
    pub fn remove(&mut self, body: BodyId) -> Result<(), TreeError> {
        let index = body.index();
        let unknown = TreeError::UnknownBody { body: body.0, other: body.0, known: self.links.len() };
        let link = self.links.get(index).filter(|link| !link.is_removed()).ok_or(unknown)?;
        let has_child = self.links.iter().any(|link| link.parent == Some(index));
        let is_held = self.closures.iter().any(|closure| closure.holds(body))
            || self.couplings.iter().any(|coupling| coupling.holds(body))
            || self.forces.holds(body);
        if has_child || is_held {
            return Err(TreeError::InUse { body: body.0 });
        }
        let (positions, velocities) = (link.q..link.q + link.nq, link.dofs());
        let limits = self.limits_of(body);
        self.rotates.drain(velocities.clone());
        self.dofs.drain(velocities.clone());
        self.positions_of.drain(velocities.clone());
        for place in self.positions_of.iter_mut().flatten().filter(|place| **place >= positions.end) {
            *place -= positions.len();
        }
        self.position_count -= positions.len();
        self.links[index] = Link::removed(positions.start, velocities.start, limits);
        for link in &mut self.links[index + 1..] {
            link.q -= positions.len();
            link.v -= velocities.len();
        }
        Ok(())
    }

    /// Returns how many limits the joint of a body has [-].
    pub fn limits_of(&self, body: BodyId) -> usize {
        self.limits().iter().filter(|limit| limit.body == body).count()
    }

    /// Adds the place of a body that was removed with so many limits of its joint, so that bodies and limits after it get the numbers they had.
    pub fn push_removed(&mut self, limits: usize) -> BodyId {
        self.links.push(Link::removed(self.position_count, self.rotates.len(), limits));
        BodyId(self.links.len() as u32 - 1)
    }
}

impl Tree {
    /// Whether a body was removed; its number lasts.
    pub fn is_removed(&self, body: BodyId) -> bool {
        self.links.get(body.index()).is_some_and(Link::is_removed)
    }

    /// Returns the bodies that there are, ascending.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        let is_there = |(_, link): &(usize, &Link)| !link.is_removed();
        self.links.iter().enumerate().filter(is_there).map(|(index, _)| BodyId(index as u32))
    }

    /// Returns how many limits of positions were ever added: their numbers are below it [-].
    pub fn limit_numbers(&self) -> usize {
        let removed: usize = self.links.iter().filter_map(|link| link.removed).sum();
        let of_bodies = self.limits.iter().filter(|limit| Self::is_limit_of_bodies(limit.number)).count();
        of_bodies + removed
    }

    /// Returns a limit by its number; none where its body was removed.
    pub fn limit(&self, number: usize) -> Option<&Limit> {
        let at = self.limits.binary_search_by_key(&number, |limit| limit.number).ok()?;
        Some(&self.limits[at])
    }

    /// Returns the bodies that hang on a body by their joints.
    pub fn children(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let hangs = move |(_, link): &(usize, &Link)| link.parent == Some(body.index());
        self.links.iter().enumerate().filter(hangs).map(|(index, _)| BodyId(index as u32))
    }

    /// Returns the loops that hold a body.
    pub fn loops_of(&self, body: BodyId) -> impl Iterator<Item = LoopId> + '_ {
        let holds = move |(_, closure): &(usize, &super::closure::Closure)| closure.holds(body);
        self.closures.iter().enumerate().filter(holds).map(|(index, _)| LoopId(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multibody::{Dof, Joint, Limited, Loop, LoopKind};

    fn free(mass: f64) -> (Inertia, Joint) {
        (Inertia::sphere(mass, 0.1), Joint::new(None, JointKind::Free))
    }

    /// Three free bodies, of which the second carries a hinge.
    fn builder() -> TreeBuilder {
        let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -9.81));
        for mass in [1.0, 2.0, 3.0] {
            let (inertia, joint) = free(mass);
            builder.body(inertia, joint).unwrap();
        }
        let hinge = Joint::new(Some(BodyId(1)), JointKind::Revolute { axis: Vec3::x() });
        let limited = Dof { lower: Some(-1.0), ..Dof::default() };
        builder.body_with(Inertia::sphere(4.0, 0.1), hinge, &[(0, limited)]).unwrap();
        builder
    }

    #[test]
    fn a_removed_body_leaves_its_number_and_takes_its_coordinates_along() {
        let tree = builder().build().unwrap();
        let mut changed = TreeBuilder::resume(&tree);
        changed.remove(BodyId(0)).unwrap();
        let changed = changed.build().unwrap();
        assert_eq!((changed.bodies(), changed.positions(), changed.velocities()), (4, 15, 13));
        assert!(changed.is_removed(BodyId(0)) && changed.q_range(BodyId(0)).is_empty());
        assert_eq!((changed.q_range(BodyId(1)), changed.v_range(BodyId(3))), (0..7, 12..13));
        let place = |tree: &Tree| match tree.limits()[0].limited {
            Limited::Position { q_index, .. } => q_index,
            other => panic!("{other:?}"),
        };
        assert_eq!(place(&changed), place(&tree) - 7);
        assert_eq!(changed.positions_of[12], Some(14));
        // The rest moves as it did.
        let (mut ws, mut other) = (tree.workspace(), changed.workspace());
        let q: Vec<f64> = (0..tree.positions()).map(|k| 0.1 + 0.01 * k as f64).collect();
        let v: Vec<f64> = (0..tree.velocities()).map(|k| 0.3 - 0.02 * k as f64).collect();
        tree.update(0.0, &q, &v, &mut ws);
        changed.update(0.0, &q[7..], &v[6..], &mut other);
        let (mut all, mut rest) = (vec![0.0; tree.velocities()], vec![0.0; changed.velocities()]);
        tree.acceleration(&mut ws, &[], &vec![0.0; tree.velocities()], &mut all);
        changed.acceleration(&mut other, &[], &vec![0.0; changed.velocities()], &mut rest);
        assert_eq!(all[6..], rest[..]);
        assert_eq!(ws.pose(BodyId(3)), other.pose(BodyId(3)));
    }

    #[test]
    fn limits_keep_their_numbers_when_another_joint_goes() {
        let mut builder = TreeBuilder::new(Vec3::zeros());
        let limited = Dof { lower: Some(-1.0), upper: Some(1.0), ..Dof::default() };
        for _ in 0..3 {
            let hinge = Joint::new(None, JointKind::Revolute { axis: Vec3::x() });
            builder.body_with(Inertia::sphere(1.0, 0.1), hinge, &[(0, limited)]).unwrap();
        }
        builder.remove(BodyId(1)).unwrap();
        let tree = builder.build().unwrap();
        let numbers = |tree: &Tree| tree.limits().iter().map(|limit| limit.number).collect::<Vec<_>>();
        assert_eq!((numbers(&tree), tree.limit_numbers()), (vec![0, 1, 4, 5], 6));
        assert_eq!(tree.limit(4).map(|limit| limit.body), Some(BodyId(2)));
        assert_eq!(tree.limit(2), None);
        // Also after one more was removed, and added elsewhere.
        let mut builder = TreeBuilder::resume(&tree);
        builder.remove(BodyId(0)).unwrap();
        builder.push_removed(2);
        let tree = builder.build().unwrap();
        assert_eq!((numbers(&tree), tree.limit_numbers()), (vec![4, 5], 8));
    }

    #[test]
    fn a_body_that_is_hung_on_or_gone_is_not_removed() {
        let mut builder = builder();
        let held = Loop {
            a: Some(BodyId(2)),
            frame_a: Pose::identity(),
            b: None,
            frame_b: Pose::identity(),
            kind: LoopKind::Point,
        };
        builder.close(held).unwrap();
        assert_eq!(builder.remove(BodyId(1)), Err(TreeError::InUse { body: 1 }));
        assert_eq!(builder.remove(BodyId(2)), Err(TreeError::InUse { body: 2 }));
        builder.remove(BodyId(0)).unwrap();
        assert!(matches!(builder.remove(BodyId(0)), Err(TreeError::UnknownBody { .. })));
        assert!(matches!(builder.remove(BodyId(9)), Err(TreeError::UnknownBody { .. })));
        let (inertia, joint) = free(1.0);
        let on_it = Joint::new(Some(BodyId(0)), joint.kind);
        assert!(matches!(builder.body(inertia, on_it), Err(TreeError::UnknownBody { .. })));
        let tree = builder.build().unwrap();
        assert_eq!(tree.children(BodyId(1)).collect::<Vec<_>>(), [BodyId(3)]);
        assert_eq!(tree.loops_of(BodyId(2)).collect::<Vec<_>>(), [LoopId(0)]);
    }

    #[test]
    fn a_place_kept_free_gives_the_next_body_its_number() {
        let mut builder = TreeBuilder::new(Vec3::zeros());
        assert_eq!(builder.push_removed(0), BodyId(0));
        let (inertia, joint) = free(1.0);
        assert_eq!(builder.body(inertia, joint).unwrap(), BodyId(1));
        let tree = builder.build().unwrap();
        assert_eq!((tree.bodies(), tree.velocities()), (2, 6));
    }
}
