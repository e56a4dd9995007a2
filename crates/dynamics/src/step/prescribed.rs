//! The velocities that prescribed motions give the bodies in a step, whatever the joints do.
//!
//! In: the tree and its positions at the start and halfway. Out: the velocity of a body's point while every joint rests, and the rates of loops. The velocity of any point is this plus its Jacobian times the joint
//! velocities: a child of a prescribed body moves with it, however many joints lie between them, and so does a prescribed child of a body that moves freely.

use zerogap_core::Vec3;

use super::contact_point::ContactPoint;
use crate::multibody::{BodyId, JointKind, Tree, Workspace};

/// Prescribed motions during a step.
#[derive(Debug, Clone)]
pub(super) struct Prescribed {
    /// For each body whether a prescribed motion carries it: its own, or one that it hangs on.
    carried: Vec<bool>,
    is_any: bool,
    /// Joint velocities of zero.
    rest: Vec<f64>,
    /// The bodies with joints at rest: at the start, in the middle of the step, and where motions end with the joint positions of the start.
    begin: Workspace,
    halfway: Workspace,
    end: Workspace,
}

impl Prescribed {
    pub(super) fn new(tree: &Tree) -> Self {
        let mut carried = vec![false; tree.bodies()];
        for body in (0..tree.bodies() as u32).map(BodyId) {
            // Parents come before their children.
            let on = tree.parent(body).is_some_and(|parent| carried[parent.index()]);
            carried[body.index()] = on || matches!(tree.joint(body), JointKind::Prescribed(_));
        }
        Self {
            is_any: carried.contains(&true),
            carried,
            rest: vec![0.0; tree.velocities()],
            begin: tree.workspace(),
            halfway: tree.workspace(),
            end: tree.workspace(),
        }
    }

    /// Whether a prescribed motion carries a body.
    pub(super) fn carries(&self, body: Option<BodyId>) -> bool {
        body.is_some_and(|body| self.carried[body.index()])
    }

    /// Takes the joint positions in the middle of the step in, at its time `t` [s].
    pub(super) fn locate_halfway(&mut self, tree: &Tree, t: f64, q: &[f64]) {
        if self.is_any {
            tree.update_motion(t, q, &self.rest, &mut self.halfway);
        }
    }

    /// Takes the joint positions at the start of the step in, and the times of its start and its end [s].
    pub(super) fn locate_ends(&mut self, tree: &Tree, (start, end): (f64, f64), q: &[f64]) {
        if self.is_any {
            tree.update_motion(start, q, &self.rest, &mut self.begin);
            tree.update_motion(end, q, &self.rest, &mut self.end);
        }
    }

    /// The velocity of B against A that prescribed motions give a contact point at the start of the step [m/s].
    pub(super) fn start_velocity(&self, contact: &ContactPoint) -> Vec3 {
        let of = |body: Option<BodyId>| {
            if self.carries(body) { self.begin.point_velocity(body, contact.at) } else { Vec3::zeros() }
        };
        of(contact.b) - of(contact.a)
    }

    /// The velocity of B against A that prescribed motions give a contact point [m/s]: halfway for contacts that last, else at the end of the step.
    ///
    /// At the end, the other body's centre of mass has been carried along: so it gets the velocity of the place where it arrives, and by the mean of velocities it stays on its circle on a body that turns. With the
    /// velocity where the step begins it would drift outwards. The field about that centre is that of a rigid body, so that all points of a pair ask for the same motion.
    pub(super) fn velocity(&self, start: &Workspace, contact: &ContactPoint) -> Vec3 {
        let of = |body: Option<BodyId>, other: Option<BodyId>| {
            if contact.lasts && self.carries(body) {
                return self.halfway.point_velocity(body, contact.at);
            }
            self.end_velocity(start, contact.at, (body, other))
        };
        of(contact.b, contact.a) - of(contact.a, contact.b)
    }

    /// The velocity that prescribed motions give a point of a body at the end of the step [m/s]; the other body is carried to there.
    fn end_velocity(
        &self,
        start: &Workspace,
        at: Vec3,
        (body, other): (Option<BodyId>, Option<BodyId>),
    ) -> Vec3 {
        let Some(own) = body.filter(|_| self.carries(body)) else { return Vec3::zeros() };
        let center = other.map_or(at, |other| start.center(other));
        let arrives = self.end.pose(own).transform_point(&start.pose(own).inverse_transform_point(&center));
        self.end.point_velocity(body, arrives + (at - center))
    }

    /// How much the velocity that prescribed motions give a point of a body changes within the step [m/s], as contacts take it.
    pub(super) fn change(
        &self,
        start: &Workspace,
        at: Vec3,
        (body, other): (Option<BodyId>, Option<BodyId>),
    ) -> Vec3 {
        if !self.carries(body) {
            return Vec3::zeros();
        }
        self.end_velocity(start, at, (body, other)) - self.begin.point_velocity(body, at)
    }

    /// The angular velocity of B against A that prescribed motions give a contact [rad/s], at the same time as [`Prescribed::velocity`].
    pub(super) fn turning(&self, contact: &ContactPoint) -> Vec3 {
        let ws = if contact.lasts { &self.halfway } else { &self.end };
        let of = |body: Option<BodyId>| match body {
            Some(own) if self.carries(body) => ws.angular_velocity(own),
            _ => Vec3::zeros(),
        };
        of(contact.b) - of(contact.a)
    }

    /// Writes the rates of loops halfway that prescribed motions cause [m/s or rad/s].
    pub(super) fn loop_rates(&self, tree: &Tree, rates: &mut [f64]) {
        if self.is_any {
            tree.loop_rates(&self.halfway, rates);
        } else {
            rates.fill(0.0);
        }
    }
}
