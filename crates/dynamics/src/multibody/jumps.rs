//! Prescribed motions whose velocity jumps: a tree knows the next jump, and evaluates motions before it until [`Tree::pass_jump`].
//!
//! In: the state at the time of a jump. Out: the state just after it. Steps that end at a jump see the velocities before it, those that begin there the velocities after it, whatever their times are rounded to.

use zerogap_core::Vec3;

use super::joint::{BodyId, JointKind};
use super::tree::{Link, Tree};
use super::workspace::Workspace;

/// The jumps of all prescribed motions of a tree.
#[derive(Debug, Clone)]
pub(super) struct Jumps {
    /// All of them, ascending [s].
    times: Vec<f64>,
    /// The last time at which motions are those before the next jump [s].
    until: f64,
}

impl Jumps {
    /// Of a tree that starts at time zero: a jump there has been passed.
    pub(super) fn new(links: &[Link]) -> Self {
        let mut times = Vec::new();
        for link in links {
            if let JointKind::Prescribed(motion) = &link.kind {
                times.extend_from_slice(motion.jumps());
            }
        }
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let mut jumps = Self { times, until: f64::INFINITY };
        jumps.pass(0.0);
        jumps
    }

    /// The time at which motions are evaluated for a time asked for [s].
    pub(super) fn clamp(&self, t: f64) -> f64 {
        // A time that is no number stays so.
        if t > self.until { self.until } else { t }
    }

    fn pass(&mut self, t: f64) {
        let next = self.times.partition_point(|jump| *jump <= t);
        self.until = self.times.get(next).map_or(f64::INFINITY, |jump| jump.next_down());
    }
}

impl Tree {
    /// The time of the next jump of a prescribed velocity, infinity where there is none [s]. Until [`Tree::pass_jump`] is called, bodies move at that time and after it as just before it.
    pub fn next_jump(&self) -> f64 {
        self.jumps.until.next_up()
    }

    /// Passes the jumps of prescribed velocities up to a time [s]: joints get the impulses that go with them, and keep their momenta otherwise. Loops are not looked at.
    ///
    /// # Panics
    /// Where `q` or `v` does not have the tree's length, or the workspace belongs to another tree.
    pub fn pass_jump(&mut self, t: f64, q: &[f64], v: &mut [f64], ws: &mut Workspace) {
        let n = self.velocities();
        let (mut momenta, mut after, mut change) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        self.update(t, q, v, ws);
        self.joint_momenta(ws, &mut momenta);
        self.jumps.pass(t);
        self.update(t, q, v, ws);
        self.joint_momenta(ws, &mut after);
        for (before, after) in momenta.iter_mut().zip(&after) {
            *before -= after;
        }
        self.inverse_mass_times(ws, &momenta, &mut change);
        for (v, change) in v.iter_mut().zip(&change) {
            *v += change;
        }
    }

    /// The momentum along each joint velocity: what an impulse there changes [N s or N m s].
    fn joint_momenta(&self, ws: &Workspace, momenta: &mut [f64]) {
        momenta.fill(0.0);
        for (i, (link, body)) in self.links.iter().zip(&ws.bodies).enumerate() {
            let linear = body.velocity.moved(&body.center).linear * link.inertia.mass;
            let angular = body.inertia * body.velocity.angular;
            let id = BodyId(i as u32);
            self.each_point_velocity(ws, Some(id), ws.center(id), |k, velocity| {
                let spin = if self.rotates[k] { ws.axes[k] } else { Vec3::zeros() };
                momenta[k] += linear.dot(&velocity) + angular.dot(&spin);
            });
        }
    }
}
