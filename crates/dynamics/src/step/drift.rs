//! How the velocity of a contact point changes within a step because joints turn the body that it is on.
//!
//! In: the bodies at the start of a step, and its contacts. Out: for each body of a contact that hangs on joints, the velocity of its point at the end of the step less that at the start, for joint velocities that stay.
//!
//! The rows of a contact are those at the start. A part that sticks to a body which turns about an axis would get the velocity of the place that it leaves, always a step late, and creep outwards by h w² r. With this change as a bias it gets that of the place where it
//! arrives, and stays. The point moves with the other body's centre where that body moves alone (with the part that sticks, and with a ball that rolls), else with both bodies. Along the normal the change counts where it keeps bodies apart: what it would let through
//! depends on how the surface is curved, which the gap of the next step knows.
//! The impulse acts on the body that turns where the point was at the start, which does work on half the change that nothing pays for; the energy balance of joined bodies takes it back ([`SideDrift`]).

use zerogap_core::Vec3;

use super::contact_point::ContactPoint;
use super::groups::Groups;
use super::prescribed::Prescribed;
use crate::multibody::{BodyId, Tree, Workspace};

/// The bodies that joints turn, and where they will be.
#[derive(Debug, Clone)]
pub(super) struct Drift {
    /// By body: whether it hangs on joints or carries what does; whether it moves with nothing prescribed, and whether it does so alone.
    is_joined: Vec<bool>,
    is_moving: Vec<bool>,
    is_alone: Vec<bool>,
    /// The bodies at the end of the step, by the velocities at its start.
    end: Workspace,
    place: Vec<f64>,
    shift: Vec<f64>,
    /// Length of the step [s].
    step: f64,
}

/// What the velocity of a contact point on one body changes by, along the rows of the contact [m/s].
#[derive(Debug, Clone, Copy)]
pub(super) struct SideDrift {
    pub(super) block: usize,
    pub(super) group: usize,
    pub(super) along: [f64; 3],
}

impl Drift {
    pub(super) fn new(tree: &Tree, groups: &Groups, prescribed: &Prescribed) -> Self {
        let by_body = |is: &dyn Fn(BodyId) -> bool| -> Vec<bool> {
            (0..tree.bodies() as u32).map(|k| is(BodyId(k))).collect()
        };
        let is_moving = |body: BodyId| groups.of(Some(body)).is_some() && !prescribed.carries(Some(body));
        let is_alone = |body: BodyId| {
            tree.moves_freely(body) && groups.of(Some(body)).is_some_and(|group| groups.size(group) == 6)
        };
        Self {
            is_joined: by_body(&|body| groups.of(Some(body)).is_some() && !is_alone(body)),
            is_moving: by_body(&is_moving),
            is_alone: by_body(&is_alone),
            end: tree.workspace(),
            place: vec![0.0; tree.positions()],
            shift: vec![0.0; tree.velocities()],
            step: 0.0,
        }
    }

    /// Whether joints turn a body of a contact under another one.
    fn turns(&self, contact: &ContactPoint, body: Option<BodyId>, other: Option<BodyId>) -> bool {
        !contact.lasts
            && body.is_some_and(|body| self.is_joined[body.index()])
            && other.is_some_and(|other| self.is_moving[other.index()])
    }

    /// Takes the bodies at the start of a step in, with their positions; the time of its end and its length [s].
    pub(super) fn locate(
        &mut self,
        tree: &Tree,
        (t, step): (f64, f64),
        (start, q): (&Workspace, &[f64]),
        contacts: &[ContactPoint],
    ) {
        self.step = step;
        let turns = |one: &ContactPoint| self.turns(one, one.a, one.b) || self.turns(one, one.b, one.a);
        if !contacts.iter().any(turns) {
            return;
        }
        for (shift, v) in self.shift.iter_mut().zip(start.velocities()) {
            *shift = step * v;
        }
        self.place.copy_from_slice(q);
        tree.displace(&mut self.place, &self.shift);
        tree.update_motion(t, &self.place, start.velocities(), &mut self.end);
    }

    /// How much the velocities of the point of a contact on A and on B change [m/s], beyond what prescribed motions change; none where no joint turns them.
    pub(super) fn of(
        &self,
        start: &Workspace,
        prescribed: &Prescribed,
        contact: &ContactPoint,
    ) -> [Option<Vec3>; 2] {
        [(contact.a, contact.b), (contact.b, contact.a)].map(|(body, other)| {
            if !self.turns(contact, body, other) {
                return None;
            }
            let here = start.point_velocity(body, contact.at);
            let velocity = match other.filter(|other| self.is_alone[other.index()]) {
                Some(other) => start.point_velocity(Some(other), start.center(other)),
                None => 0.5 * (here + start.point_velocity(other, contact.at)),
            };
            let there = self.end.point_velocity(body, contact.at + velocity * self.step);
            Some(there - here - prescribed.change(start, contact.at, (body, other)))
        })
    }

    /// Returns the change of the velocity of B against A along the rows of a contact, as its law takes it [m/s]; `theta` is the weight of the velocity at the end in displacements [-].
    ///
    /// What follows velocities v0 before and v1 after by the mean (1 - theta) v0 + theta v1, each of them that of a time s of a step after its step began, follows that of the middle of the step where s = 3/2 - theta.
    pub(super) fn bias([a, b]: [Option<Vec3>; 2], theta: f64, rows: &[Vec3; 3]) -> [f64; 3] {
        if a.is_none() && b.is_none() {
            return [0.0; 3];
        }
        let change = (b.unwrap_or_default() - a.unwrap_or_default()) * (1.5 - theta);
        let [normal, t1, t2] = rows.map(|row| row.dot(&change));
        [normal.min(0.0), t1, t2]
    }
}
