//! Springs, dampers and motors of joints over a step, implicit in the velocity at its end.
//!
//! In: positions and velocities at the start, the length of the step `h`. Out: for every degree of freedom a line `effort - slope (v1 - v0)` for its mean effort over the step, so that `M + h slope` is the mass
//! matrix that everything else in the step feels, contacts included.
//!
//! Method: the theta rule for each degree of freedom, `k (reference - q) - d v` with `v = (1 - theta) v0 + theta v1` and the position `q` that far into the step, which positions follow too. Where a step resolves what
//! happens `theta` is one half, the midpoint rule: second order, and a spring keeps its energy. That rule answers a stiff damper with almost the opposite velocity and lets a stiff spring ring from step to step, so with
//! the larger `z` of `h d / I` and `h sqrt(k / I)` it is `theta = max(1/2, 1 - 1/z)`: a damper with `z >= 2` stops its joint within the step, and what is stiffer still settles at once. The inertia `I` is that felt at the
//! joint at the initial positions with all joints beyond it free; it decides only where the rule begins to change. Joints of a group that contacts or loops act on follow the stiffest of them, since these constrain displacements; others each have their own. What nonuniform `theta` could add to the energy of coupled joints is taken out by
//! [`super::energy_balance`].

use super::beams::Beams;
use super::contact_point::ContactPoint;
use super::groups::Groups;
use crate::multibody::{Dof, Motor, Tree};

/// By how much the weight of the velocity at the end exceeds one half, for something that changes by a factor of about `z` within a step [-].
fn lead(z: f64) -> f64 {
    (0.5 - 1.0 / z).max(0.0)
}

/// Lines for the mean efforts over a step.
#[derive(Debug, Clone)]
pub(super) struct JointForces {
    /// Inertia felt by each degree of freedom [kg or kg m²].
    inertia: Vec<f64>,
    /// Effort for velocities that stay as they are [N or N m].
    effort: Vec<f64>,
    /// How much less it is for each unit of velocity gained [kg/s or kg m²/s].
    slope: Vec<f64>,
    /// The same of motors alone, before their limits.
    motor: Vec<Line>,
    /// By how much the weight of the velocity at the end exceeds one half [-].
    pub(super) lead: Vec<f64>,
    /// What it is at least, where beams join the bodies [-].
    least_lead: Vec<f64>,
    /// The velocities of each group, whether loops or beams close it, and whether its joints follow one rule in this step.
    members: Vec<Vec<usize>>,
    is_looped: Vec<bool>,
    tied: Vec<bool>,
    /// Whether beams join a group, and whether a contact stops it in this step.
    is_bent: Vec<bool>,
    stopped: Vec<bool>,
    /// Motors of limited effort and dry friction as rows of the contact problem, where they are asked for.
    pub(super) rows: Vec<DriveRow>,
    has_rows: bool,
    /// Whether no joint has a force.
    is_idle: bool,
}

/// An impulse of a degree of freedom within bounds: `v1 + bias + compliance impulse = 0` unless it is at a bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct DriveRow {
    pub(super) v_index: usize,
    /// Largest impulse, either way [N s or N m s].
    pub(super) bound: f64,
    /// [m/s or rad/s].
    pub(super) bias: f64,
    /// [1/kg or 1/(kg m²)].
    pub(super) compliance: f64,
    /// A guess at the impulse.
    pub(super) guess: f64,
}

/// `effort - slope (v1 - v0)`.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    effort: f64,
    slope: f64,
    limit: f64,
}

/// The line of a spring with a damper: `stiffness (reference - q) + damping (target - v)`.
struct Element {
    stiffness: f64,
    reference: f64,
    damping: f64,
    target: f64,
}

/// Spring and damper of a degree of freedom, and those that its motor acts as.
fn elements(dof: &Dof) -> [Element; 2] {
    let own = Element {
        stiffness: dof.stiffness,
        reference: dof.spring_reference,
        damping: dof.damping,
        target: 0.0,
    };
    let motor = match dof.motor {
        Motor::Off | Motor::Effort(_) => {
            Element { stiffness: 0.0, reference: 0.0, damping: 0.0, target: 0.0 }
        }
        Motor::Velocity { target, gain, .. } => {
            Element { stiffness: 0.0, reference: 0.0, damping: gain, target }
        }
        Motor::Position { target, stiffness, damping, .. } => {
            Element { stiffness, reference: target, damping, target: 0.0 }
        }
    };
    [own, motor]
}

impl Element {
    fn line(&self, h: f64, (q, v): (f64, f64), theta: f64) -> Line {
        let Self { stiffness, reference, damping, target } = *self;
        Line {
            effort: stiffness * (reference - q - theta * h * v) + damping * (target - v),
            slope: theta * (theta * h * stiffness + damping),
            limit: f64::INFINITY,
        }
    }
}

impl JointForces {
    pub(super) fn new(tree: &Tree, groups: &Groups, beams: &Beams) -> Self {
        let n = tree.velocities();
        let mut is_looped = vec![false; groups.len()];
        for group in tree.loop_ends().flatten().filter_map(|body| groups.of(body)) {
            is_looped[group] = true;
        }
        for (group, is_tied) in is_looped.iter_mut().enumerate() {
            *is_tied |= beams.has(group);
        }
        let least = |k: usize| match groups.place(k).0 {
            group if group < groups.len() && beams.has(group) => beams.lead(),
            _ => 0.0,
        };
        let mut ws = tree.workspace();
        tree.update(0.0, &tree.initial_positions(), &vec![0.0; n], &mut ws);
        Self {
            inertia: tree.joint_inertias(&ws),
            effort: vec![0.0; n],
            slope: vec![0.0; n],
            motor: vec![Line::default(); n],
            lead: vec![0.0; n],
            least_lead: (0..n).map(least).collect(),
            members: (0..groups.len()).map(|group| groups.members(group).to_vec()).collect(),
            is_bent: (0..groups.len()).map(|group| beams.has(group)).collect(),
            stopped: vec![false; groups.len()],
            tied: is_looped.clone(),
            is_looped,
            rows: Vec::new(),
            has_rows: false,
            is_idle: true,
        }
    }

    /// Whether a joint has dry friction, which acts as a row alone.
    pub(super) fn needs_rows(tree: &Tree) -> bool {
        tree.dofs().any(|(dof, _)| dof.friction > 0.0)
    }

    /// Has the joints of groups that contacts act on follow one rule, as those on loops always do.
    pub(super) fn tie(&mut self, touched: impl Iterator<Item = usize>) {
        self.tied.copy_from_slice(&self.is_looped);
        touched.for_each(|group| self.tied[group] = true);
    }

    /// Has groups with beams that contacts stop in the step follow the velocity at its end: positions do, and forces that were found for another mean would answer too strongly.
    pub(super) fn stop(&mut self, stopped: impl Iterator<Item = usize>) {
        self.stopped.fill(false);
        stopped.for_each(|group| self.stopped[group] = self.is_bent[group]);
    }

    /// The weight of the velocity at the end in the displacements of a tied group [-]; one half for others, whose joints each have their own.
    pub(super) fn group_theta(&self, group: usize) -> f64 {
        let first = self.members[group].first().filter(|_| self.tied[group]);
        0.5 + first.map_or(0.0, |k| self.lead[*k])
    }

    /// The weight of the velocity at the end in the displacements of the bodies of a contact [-], as far as their joints say.
    pub(super) fn contact_theta(&self, groups: &Groups, contact: &ContactPoint) -> f64 {
        let of = |body| groups.of(body).map_or(0.5, |group| self.group_theta(group));
        of(contact.a).max(of(contact.b))
    }

    /// Has motors of limited effort act as rows of the contact problem, so that contacts and limits of effort are met at once; else each finds out in the motion without contacts which side of its limits it is on.
    pub(super) fn use_rows(&mut self, has_rows: bool) {
        self.has_rows = has_rows;
    }

    /// Finds the lines for a step of length `h` [s] from a state.
    pub(super) fn begin(&mut self, tree: &Tree, h: f64, (q, v): (&[f64], &[f64])) {
        self.is_idle = true;
        self.rows.clear();
        for (k, (dof, _)) in tree.dofs().enumerate() {
            let [own, motor] = elements(dof);
            let (stiffness, damping) = (own.stiffness + motor.stiffness, own.damping + motor.damping);
            let rate = (stiffness / self.inertia[k]).sqrt().max(damping / self.inertia[k]);
            let own = if stiffness > 0.0 || damping > 0.0 { lead(h * rate) } else { 0.0 };
            self.lead[k] = own.max(self.least_lead[k]);
            self.is_idle &= matches!(dof.motor, Motor::Off) && stiffness == 0.0 && damping == 0.0;
        }
        for (group, members) in self.members.iter().enumerate().filter(|(group, _)| self.stopped[*group]) {
            debug_assert!(self.is_bent[group], "others follow their joints");
            members.iter().for_each(|k| self.lead[*k] = 0.5);
        }
        // Loops and contacts constrain displacements, so all joints that they act on follow one rule.
        for group in self.tied.iter().enumerate().filter_map(|(group, is_tied)| is_tied.then_some(group)) {
            let members = &self.members[group];
            let most = members.iter().fold(0.0_f64, |most, k| most.max(self.lead[*k]));
            for k in members {
                self.lead[*k] = most;
            }
        }
        for (k, (dof, place)) in tree.dofs().enumerate() {
            let [own, motor] = elements(dof);
            let theta = 0.5 + self.lead[k];
            let at = (place.map_or(0.0, |place| q[place]), v[k]);
            let line = own.line(h, at, theta);
            (self.effort[k], self.slope[k]) = (line.effort, line.slope);
            self.motor[k] = Line::default();
            if self.has_rows && dof.friction > 0.0 {
                let bound = h * dof.friction;
                self.rows.push(DriveRow { v_index: k, bound, bias: 0.0, compliance: 0.0, guess: 0.0 });
            }
            let limit = match dof.motor {
                Motor::Off => continue,
                Motor::Effort(effort) => {
                    self.motor[k] = Line { effort, slope: 0.0, limit: f64::INFINITY };
                    continue;
                }
                Motor::Velocity { limit, .. } | Motor::Position { limit, .. } => limit,
            };
            let line = Line { limit, ..motor.line(h, at, theta) };
            if !(self.has_rows && limit.is_finite() && line.slope > 0.0) {
                self.motor[k] = line;
                continue;
            }
            self.rows.push(DriveRow {
                v_index: k,
                bound: h * limit,
                bias: -(v[k] + line.effort / line.slope),
                compliance: 1.0 / (h * line.slope),
                guess: h * line.effort.clamp(-limit, limit),
            });
        }
    }

    /// Whether no joint has a force, since the last [`JointForces::begin`].
    pub(super) fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// Returns the mean effort of spring and damper, for a velocity gained in the step [N or N m].
    pub(super) fn own_effort(&self, k: usize, gained: f64) -> f64 {
        self.effort[k] - self.slope[k] * gained
    }

    /// Returns the mean effort of the motor, for a velocity gained in the step [N or N m].
    pub(super) fn motor_effort(&self, k: usize, gained: f64) -> f64 {
        let Line { effort, slope, limit } = self.motor[k];
        (effort - slope * gained).clamp(-limit, limit)
    }

    /// Writes for every degree of freedom its effort for velocities that stay, and the inertia that the step adds to it: its motor is on the side of its limits that the velocity gained so far puts it on. Returns whether that inertia has changed.
    pub(super) fn take_lines(
        &self,
        h: f64,
        (v0, v1): (&[f64], &[f64]),
        effort: &mut [f64],
        added_mass: &mut [f64],
    ) -> bool {
        let mut is_changed = false;
        for k in 0..self.motor.len() {
            let motor = &self.motor[k];
            let asked = motor.effort - motor.slope * (v1[k] - v0[k]);
            let (own, slope) = if asked.abs() > motor.limit {
                (motor.limit.copysign(asked), 0.0)
            } else {
                (motor.effort, motor.slope)
            };
            effort[k] = self.effort[k] + own;
            let added = h * (self.slope[k] + slope);
            is_changed |= added.to_bits() != added_mass[k].to_bits();
            added_mass[k] = added;
        }
        is_changed
    }
}
