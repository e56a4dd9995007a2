//! Limits: conditions of one side on joint positions, on the angle of ball joints and on the length of tendons.
//!
//! In: positions, or a workspace that is up to date. Out: how far each limit still is, the row of velocities that closes it, its rate, and its second derivative without accelerations. Every method asks here, whatever
//! kind a limit is of.

use zerogap_core::math::atan2;
use zerogap_core::{Pose, Vec3};

use super::joint::{BodyId, JointKind, placement, quaternion_at, unit_quaternion};
use super::tree::Tree;
use super::workspace::Workspace;

/// Numbers of limits of tendons begin here, two for each tendon: bodies that are added get numbers below.
const TENDON_NUMBERS: usize = 1 << 24;
/// Numbers of limits of the angles of ball joints begin here.
const TURN_NUMBERS: usize = 1 << 25;
/// A ball joint turned by less has no axis: its limit is far, unless it is a lock [-].
const NO_TURN: f64 = 1e-9;

/// What a limit bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// A position that is a number.
    Position {
        /// Where the position stands.
        q_index: usize,
        /// Where its velocity stands.
        v_index: usize,
    },
    /// The angle by which a ball joint is turned.
    Turn,
    /// The length of a tendon, by its number.
    Tendon(usize),
}

/// A bound: `value = sign (what is limited - bound)` is zero or positive where allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// Its number. Those of positions are counted in the order of bodies and degrees of freedom over all bodies that were added, others are above; it lasts when other bodies are removed.
    pub number: usize,
    /// The body whose joint it belongs to; of a tendon the first one on it that moves.
    pub body: BodyId,
    /// What it bounds.
    pub limited: Limited,
    /// The bound [m or rad].
    pub bound: f64,
    /// +1 for a lower bound, -1 for an upper one [-].
    pub sign: f64,
    /// Ratio of the velocities after and before hitting it [-].
    pub restitution: f64,
}

impl Limit {
    /// Whether its row changes from place to place.
    pub fn is_curved(&self, tree: &Tree) -> bool {
        match self.limited {
            Limited::Position { .. } => false,
            Limited::Turn => true,
            Limited::Tendon(tendon) => tree.forces().tendons[tendon].is_spatial(),
        }
    }
}

/// The axis by which a quaternion is turned, and the angle from 0 to π [rad]; turned by nothing it has none.
fn turn_of(quaternion: [f64; 4]) -> (Option<Vec3>, f64) {
    let [x, y, z, w] = unit_quaternion(quaternion);
    let (axis, w) = (Vec3::new(x, y, z) * w.signum(), w.abs());
    let length = axis.norm();
    ((length > NO_TURN).then(|| axis / length), 2.0 * atan2(length, w))
}

impl Tree {
    /// Makes the limits that force elements have, behind those of positions.
    pub(super) fn limits_of_forces(&self) -> Vec<Limit> {
        let mut limits = Vec::new();
        for (number, tendon) in self.forces.tendons.iter().enumerate() {
            let Some(range) = tendon.range else { continue };
            let moving = tendon.bodies().into_iter().find(|body| !self.driven[body.index()]);
            let Some(body) = moving else { continue };
            for (k, (bound, sign)) in range.into_iter().zip([1.0, -1.0]).enumerate() {
                if bound.is_finite() {
                    let number = TENDON_NUMBERS + 2 * number + k;
                    let limited = Limited::Tendon((number - TENDON_NUMBERS) / 2);
                    limits.push(Limit { number, body, limited, bound, sign, restitution: 0.0 });
                }
            }
        }
        for (k, (body, bound)) in self.forces.turn_limits.iter().enumerate() {
            let (number, body, bound) = (TURN_NUMBERS + k, *body, *bound);
            limits.push(Limit { number, body, limited: Limited::Turn, bound, sign: -1.0, restitution: 0.0 });
        }
        limits
    }

    /// Returns whether a limit of this number was ever added.
    pub fn knows_limit(&self, number: usize) -> bool {
        number < self.limit_numbers() || self.limit(number).is_some()
    }

    /// Returns the first number that a limit of a body can get that is added next.
    pub fn is_limit_of_bodies(number: usize) -> bool {
        number < TENDON_NUMBERS
    }

    /// Returns how far a limit is from being reached, negative beyond it [m or rad]; what carries a whole mechanism by a prescribed motion does not count. Behind the positions may be more numbers.
    ///
    /// # Panics
    /// Where `q` has fewer numbers than the tree positions.
    pub fn limit_value(&self, limit: &Limit, q: &[f64]) -> f64 {
        limit.sign * (self.limited_value(limit, q) - limit.bound)
    }

    /// Returns what a limit bounds: a position, an angle or a length [m or rad]. Behind the positions may be more numbers.
    ///
    /// # Panics
    /// Where `q` has fewer numbers than the tree positions.
    pub fn limited_value(&self, limit: &Limit, q: &[f64]) -> f64 {
        let q = &q[..self.positions()];
        match limit.limited {
            Limited::Position { q_index, .. } => q[q_index],
            Limited::Turn => self.turn_at(limit.body, q).1,
            Limited::Tendon(tendon) => self.forces.tendons[tendon].length_at(self, q),
        }
    }

    /// Adds the coefficients of the velocities in the rate of a limit to a row. The workspace must be up to date.
    ///
    /// # Panics
    /// Where `row` does not have the tree's length.
    pub fn limit_row(&self, limit: &Limit, ws: &Workspace, row: &mut [f64]) {
        self.check_velocities(row);
        match limit.limited {
            Limited::Position { v_index, .. } => row[v_index] += limit.sign,
            Limited::Turn => {
                // Any axis does for what is not turned: a lock holds it all the same.
                let axis = self.turn_at(limit.body, &ws.coordinates).0.unwrap_or_else(Vec3::z);
                let first = self.links[limit.body.index()].dofs().end - 3;
                for k in 0..3 {
                    row[first + k] += limit.sign * axis[k];
                }
            }
            Limited::Tendon(tendon) => self.forces.tendons[tendon].add_row(self, ws, limit.sign, row),
        }
    }

    /// Returns the rate of a limit for velocities of the joints [m/s or rad/s]. The workspace must be up to date.
    ///
    /// # Panics
    /// Where `v` does not have the tree's length.
    pub fn limit_rate(&self, limit: &Limit, v: &[f64], ws: &Workspace) -> f64 {
        if let Limited::Position { v_index, .. } = limit.limited {
            return limit.sign * v[v_index];
        }
        let mut row = vec![0.0; self.velocities()];
        self.limit_row(limit, ws, &mut row);
        row.iter().zip(v).map(|(row, v)| row * v).sum()
    }

    /// Returns the second derivative of a limit where no joint accelerates [m/s² or rad/s²]. The workspace must be up to date, with loads.
    pub fn limit_bias(&self, limit: &Limit, ws: &Workspace) -> f64 {
        let bias = match limit.limited {
            Limited::Position { .. } => 0.0,
            Limited::Turn => self.turn_bias(limit.body, ws),
            Limited::Tendon(tendon) => self.forces.tendons[tendon].bias(ws),
        };
        limit.sign * bias
    }

    /// Returns the bodies of a limit that join what would move alone: those of a tendon, in its order.
    pub fn limit_bodies(&self, limit: &Limit) -> Vec<BodyId> {
        match limit.limited {
            Limited::Position { .. } | Limited::Turn => vec![limit.body],
            Limited::Tendon(tendon) => {
                let bodies = self.forces.tendons[tendon].bodies().into_iter();
                bodies.filter(|body| !self.driven[body.index()]).collect()
            }
        }
    }

    /// Returns whether a limit bounds an angle.
    pub fn limits_rotation(&self, limit: &Limit) -> bool {
        match limit.limited {
            Limited::Position { v_index, .. } => self.is_rotation(v_index),
            Limited::Turn => true,
            Limited::Tendon(tendon) => self.forces.tendons[tendon]
                .joints()
                .iter()
                .any(|(body, index)| self.rotates[self.links[body.index()].v + index]),
        }
    }

    fn turn_at(&self, body: BodyId, q: &[f64]) -> (Option<Vec3>, f64) {
        let link = &self.links[body.index()];
        let Some(at) = quaternion_at(&link.kind) else { return (None, 0.0) };
        let part = &q[link.q + at..];
        turn_of([part[0], part[1], part[2], part[3]])
    }

    /// The second derivative of the angle: the part of the velocity across the axis turns the axis.
    fn turn_bias(&self, body: BodyId, ws: &Workspace) -> f64 {
        let (Some(axis), angle) = self.turn_at(body, &ws.coordinates) else { return 0.0 };
        let last = self.links[body.index()].dofs().end;
        let spin = Vec3::new(ws.velocities[last - 3], ws.velocities[last - 2], ws.velocities[last - 1]);
        let across = spin - axis * axis.dot(&spin);
        // Of the axis n: dn/dt = (cot(θ/2) ω_⊥ + n × ω_⊥)/2 up to the sign of the second part, which does not count along ω.
        let half = 0.5 * angle;
        let (sine, cosine) = zerogap_core::math::sin_cos(half);
        0.5 * cosine / sine.max(NO_TURN) * across.norm_squared()
    }

    /// Where a body stands at positions of the joints; prescribed joints do not move.
    pub(super) fn pose_at(&self, body: BodyId, q: &[f64]) -> Pose {
        let link = &self.links[body.index()];
        let parent = link.parent.map_or_else(Pose::identity, |parent| self.pose_at(BodyId(parent as u32), q));
        let joint = placement(&link.kind, &q[link.q..link.q + link.nq]).unwrap_or_default();
        let at = parent * link.parent_frame * joint;
        link.from_joint.map_or(at, |own| at * own)
    }

    /// Refuses ranges that cannot be held: of tendons that join what a prescribed motion carries with what it does not.
    pub(super) fn check_ranges(&self) -> Result<(), super::error::TreeError> {
        let wrong = |reason, value| Err(super::error::TreeError::Force { reason, value });
        for tendon in self.forces.tendons.iter().filter(|tendon| tendon.range.is_some()) {
            let carriers: Vec<Option<usize>> =
                tendon.ends().map(|body| body.and_then(|body| self.carrier(body))).collect();
            if tendon.is_spatial() && carriers.windows(2).any(|two| two[0] != two[1]) {
                return wrong("a tendon with a range cannot lead onto what a prescribed motion carries", 0.0);
            }
        }
        for (body, bound) in &self.forces.turn_limits {
            if quaternion_at(&self.links[body.index()].kind).is_none() {
                return wrong("a limit of an angle needs a ball joint", f64::from(body.0));
            }
            if !(*bound > 0.0 && *bound <= std::f64::consts::PI) {
                return wrong("the largest angle of a ball joint must be above zero and at most π", *bound);
            }
        }
        Ok(())
    }

    /// The last body on the way to the world that a prescribed motion moves.
    fn carrier(&self, body: BodyId) -> Option<usize> {
        let link = &self.links[body.index()];
        if matches!(link.kind, JointKind::Prescribed(_)) {
            return Some(body.index());
        }
        self.carrier(BodyId(link.parent? as u32))
    }
}
