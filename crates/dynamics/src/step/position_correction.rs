//! What a position correction costs: the potential energy that bodies gain is removed from their kinetic energy.
//!
//! In: the displacements of a step's start, by velocity. Out: velocities with less energy by as much as heights have gained, island by island. Islands that a prescribed motion carries, touches or moves by a loop are left alone: it may raise them.

use zerogap_contact::cone::{BodyProblem, Delassus};
use zerogap_core::disjoint_sets::DisjointSets;

use super::contact_point::ContactPoint;
use super::groups::Groups;
use super::islands::find_islands;
use super::prescribed::Prescribed;
use crate::multibody::{BodyId, Tree, Workspace};

/// Memory of the energy balance.
#[derive(Debug, Clone, Default)]
pub(super) struct PositionCorrection {
    /// By group, and at the first group of each island for all of it: what heights have gained, and the kinetic energy [J].
    gained: Vec<f64>,
    kinetic: Vec<f64>,
}

/// A step at which overlaps were corrected.
pub(super) struct CorrectedStep<'a> {
    pub(super) tree: &'a Tree,
    /// The bodies before it.
    pub(super) start: &'a Workspace,
    pub(super) groups: &'a Groups,
    pub(super) prescribed: &'a Prescribed,
    /// The problem, what prescribed motions add to the velocities of its blocks, and the impulses that moved the bodies.
    pub(super) problem: &'a BodyProblem,
    pub(super) driven: &'a [[f64; 3]],
    pub(super) impulses: &'a [f64],
    /// Blocks before the contacts.
    pub(super) before: usize,
    pub(super) contacts: &'a [ContactPoint],
    /// Displacements, in the order of the tree's velocities.
    pub(super) shift: &'a [f64],
}

impl PositionCorrection {
    /// Takes the height that bodies have gained from their velocities, in the order of the tree and (a copy, used here) of the groups; whether they changed.
    pub(super) fn pay(
        &mut self,
        taken: &CorrectedStep<'_>,
        islands: &mut DisjointSets,
        v: &mut [f64],
        grouped: &mut [f64],
    ) -> bool {
        let CorrectedStep {
            tree,
            start,
            groups,
            prescribed,
            problem,
            driven,
            impulses,
            before,
            contacts,
            shift,
        } = *taken;
        let gravity = tree.gravity();
        let pushes = |block: usize| {
            let first = problem.first(block);
            impulses[first..first + problem.blocks()[block].rows()].iter().any(|x| *x != 0.0)
        };
        find_islands(islands, problem, pushes);

        // Heights and motion of each island.
        for energies in [&mut self.gained, &mut self.kinetic] {
            energies.clear();
            energies.resize(groups.len(), 0.0);
        }
        for body in (0..tree.bodies() as u32).map(BodyId) {
            let Some(group) = groups.of(Some(body)) else { continue };
            let weight = gravity * tree.inertia(body).mass;
            let gained = &mut self.gained[islands.find(group)];
            tree.each_point_velocity(start, Some(body), start.center(body), |k, velocity| {
                *gained -= weight.dot(&velocity) * shift[k];
            });
        }
        groups.gather(v, grouped);
        for group in 0..groups.len() {
            self.kinetic[islands.find(group)] += problem.kinetic_energy(group, grouped);
        }
        // Those that a prescribed motion carries, by a joint, a loop or a contact.
        for body in (0..tree.bodies() as u32).map(BodyId).filter(|body| prescribed.carries(Some(*body))) {
            if let Some(group) = groups.of(Some(body)) {
                self.gained[islands.find(group)] = f64::NEG_INFINITY;
            }
        }
        let is_carried = |block: usize| match block.checked_sub(before) {
            Some(k) => {
                pushes(block) && (prescribed.carries(contacts[k].a) || prescribed.carries(contacts[k].b))
            }
            None => driven[block].iter().any(|rate| *rate != 0.0),
        };
        for block in (0..before + contacts.len()).filter(|block| is_carried(*block)) {
            for side in problem.sides(block).iter().flatten() {
                self.gained[islands.find(side.group)] = f64::NEG_INFINITY;
            }
        }

        // As much of the motion as the height has taken; a body that rests has nothing to pay with.
        let mut is_any = false;
        for (k, v) in v.iter_mut().enumerate() {
            let island = islands.find(groups.place(k).0);
            let (gained, kinetic) = (self.gained[island], self.kinetic[island]);
            if gained > 0.0 && kinetic > 0.0 {
                *v *= (1.0 - gained / kinetic).max(0.0).sqrt();
                is_any = true;
            }
        }
        is_any
    }
}
