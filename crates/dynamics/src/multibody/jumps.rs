//! Motions whose velocity jumps: [`MotionJumps`] knows the next jump, and motions are evaluated before it until it is passed. A tree has one for its prescribed joints and for the motions that act on its bodies by forces.
//!
//! In: the state at the time of a jump. Out: the state just after it. Steps that end at a jump see the velocities before it, those that begin there the velocities after it, whatever their times are rounded to.

use zerogap_core::Vec3;

use super::joint::{BodyId, JointKind};
use super::motion::Motion;
use super::tree::{Link, Tree};
use super::workspace::Workspace;

/// The times at which the velocities of motions jump, and which of them have passed.
#[derive(Debug, Clone)]
pub struct MotionJumps {
    /// All of them, ascending [s].
    times: Vec<f64>,
    /// The last time at which motions are those before the next jump [s].
    until: f64,
}

impl MotionJumps {
    /// Lists the jumps of motions for a run that starts at time zero: a jump there has passed.
    pub fn new<'a>(motions: impl IntoIterator<Item = &'a dyn Motion>) -> Self {
        let mut jumps = Self { times: Vec::new(), until: f64::INFINITY };
        for motion in motions {
            jumps.times.extend_from_slice(motion.jumps());
        }
        jumps.sort();
        jumps
    }

    fn sort(&mut self) {
        self.times.sort_unstable_by(f64::total_cmp);
        self.times.dedup();
        self.pass(0.0);
    }

    /// Returns the time at which motions are evaluated for a time asked for [s].
    pub fn clamp(&self, t: f64) -> f64 {
        // A time that is no number stays so.
        if t > self.until { self.until } else { t }
    }

    /// Returns the time of the next jump, infinity where there is none [s].
    pub fn next_jump(&self) -> f64 {
        self.until.next_up()
    }

    /// Makes the first jump at a time or after it the next one [s].
    pub fn set_next_jump(&mut self, t: f64) {
        self.stop_before(self.times.partition_point(|jump| *jump < t));
    }

    /// Passes the jumps up to a time [s].
    pub fn pass(&mut self, t: f64) {
        self.stop_before(self.times.partition_point(|jump| *jump <= t));
    }

    fn stop_before(&mut self, next: usize) {
        self.until = self.times.get(next).map_or(f64::INFINITY, |jump| jump.next_down());
    }
}

/// The motions of prescribed joints.
pub(super) fn prescribed_motions(links: &[Link]) -> impl Iterator<Item = &dyn Motion> {
    links.iter().filter_map(|link| match &link.kind {
        JointKind::Prescribed(motion) => Some(motion.as_ref()),
        _ => None,
    })
}

impl Tree {
    /// Returns the time of the next jump of a prescribed velocity, infinity where there is none [s]. Until [`Tree::pass_jump`] is called, bodies move at that time and after it as just before it.
    pub fn next_jump(&self) -> f64 {
        self.jumps.next_jump()
    }

    /// Makes the first jump at a time or after it the next one, as in a state that was stored [s].
    pub fn set_next_jump(&mut self, t: f64) {
        self.jumps.set_next_jump(t);
    }

    /// Adds the jumps of a motion that acts on bodies by forces and prescribes no joint, before a run begins. Such a motion is evaluated at [`Tree::motion_time`].
    pub fn add_jumps(&mut self, motion: &dyn Motion) {
        self.jumps.times.extend_from_slice(motion.jumps());
        self.jumps.sort();
    }

    /// Returns the time at which motions are evaluated for a time asked for: before the next jump until it is passed [s].
    pub fn motion_time(&self, t: f64) -> f64 {
        self.jumps.clamp(t)
    }

    /// Passes the jumps of prescribed velocities up to a time [s]: joints get the impulses that go with them, and keep their momenta otherwise. Loops are not evaluated.
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
