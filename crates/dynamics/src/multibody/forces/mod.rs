//! Force elements beyond those of single joints: springs and bushings between bodies, tendons, actuators, springs of ball joints, gravity compensation and the fluid around bodies.
//!
//! In: a time, positions, velocities and a workspace that is up to date. Out: loads on bodies and efforts in joints, added to those that are there. Every element is a function of the instant:
//! what an actuator keeps (its activation) follows from its control in closed form, so that no method needs another state. The order of all sums is the order of adding.

mod actuator;
mod beam;
mod bushing;
mod fluid;
mod slider_crank;
mod tendon;
mod values;

use zerogap_core::{Pose, Vec3};

pub use actuator::{Activation, Actuator, Transmission};
pub use beam::Beam;
pub use bushing::Bushing;
pub use fluid::{EllipsoidDrag, Fluid, FluidBody};
pub use tendon::{JointTerm, PathPoint, Tendon, TendonPath};
pub use values::ActuatorValues;

use super::error::TreeError;
use super::joint::{BodyId, JointKind, Motor, quaternion_at};
use super::spatial::Wrench;
use super::tree::Tree;
use super::workspace::Workspace;
use actuator::clamped;

/// A frame on a body; none: the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// The body it is on.
    pub body: Option<BodyId>,
    /// Where it is on the body.
    pub pose: Pose,
}

zerogap_core::store_struct!(Site { body, pose });

impl Site {
    /// Where it is in the world.
    pub(super) fn place(&self, ws: &Workspace) -> Pose {
        self.body.map_or(self.pose, |body| *ws.pose(body) * self.pose)
    }
}

/// A spring of a joint whose rotation is kept as a quaternion: a torque against the rotation vector from the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotationSpring {
    /// The body on the joint.
    pub body: BodyId,
    /// Torque per angle [N m].
    pub stiffness: f64,
    /// Force per shift of a free joint [N/m]; of a ball joint it has no effect.
    pub shift_stiffness: f64,
    /// Where a free joint is relaxed: position [m] and quaternion `(x, y, z, w)`; of a ball joint the quaternion alone counts.
    pub reference: Pose,
}

zerogap_core::store_struct!(RotationSpring { body, stiffness, shift_stiffness, reference });

/// All force elements of a tree.
#[derive(Debug, Clone, Default)]
pub struct Forces {
    /// Tendons: springs and dampers along them, and what actuators pull on.
    pub tendons: Vec<Tendon>,
    /// Actuators, in the order of their controls.
    pub actuators: Vec<Actuator>,
    /// Springs of ball and free joints.
    pub springs: Vec<RotationSpring>,
    /// Springs and dampers between frames.
    pub bushings: Vec<Bushing>,
    /// Beam elements between frames.
    pub beams: Vec<Beam>,
    /// What part of its weight acts upwards on a body [-]: 1 carries it.
    pub weight_compensation: Vec<(BodyId, f64)>,
    /// The largest effort that all actuators of a degree of freedom have together: body, index, lower and upper bound [N or N m].
    pub effort_limits: Vec<(BodyId, usize, [f64; 2])>,
    /// The fluid that bodies move in.
    pub fluid: Option<Fluid>,
}

zerogap_core::store_struct!(Forces {
    tendons,
    actuators,
    springs,
    bushings,
    beams,
    weight_compensation,
    effort_limits,
    fluid
});

impl Forces {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tendons.is_empty()
            && self.actuators.is_empty()
            && self.springs.is_empty()
            && self.bushings.is_empty()
            && self.beams.is_empty()
            && self.weight_compensation.is_empty()
            && self.fluid.is_none()
    }

    /// Every body that an element acts on.
    fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let tendons = self.tendons.iter().flat_map(Tendon::bodies);
        let actuators = self.actuators.iter().flat_map(Actuator::bodies);
        let springs = self.springs.iter().map(|spring| spring.body);
        let bushings = self.bushings.iter().flat_map(|bushing| [bushing.a.body, bushing.b.body]).flatten();
        let beams = self.beams.iter().flat_map(|beam| [beam.a.body, beam.b.body]).flatten();
        let bushings = bushings.chain(beams);
        let carried = self.weight_compensation.iter().map(|(body, _)| *body);
        let limited = self.effort_limits.iter().map(|(body, ..)| *body);
        let wet = self.fluid.iter().flat_map(|fluid| fluid.bodies.iter().map(|body| body.body));
        tendons.chain(actuators).chain(springs).chain(bushings).chain(carried).chain(limited).chain(wet)
    }

    /// Whether an element acts on a body.
    pub(super) fn holds(&self, body: BodyId) -> bool {
        self.bodies().any(|other| other == body)
    }

    /// Adds those of another list; numbers of tendons in its actuators are shifted.
    pub fn append(&mut self, mut other: Self) {
        let shift = self.tendons.len();
        for actuator in &mut other.actuators {
            if let Transmission::Tendon(tendon) = &mut actuator.transmission {
                *tendon += shift;
            }
        }
        self.tendons.append(&mut other.tendons);
        self.actuators.append(&mut other.actuators);
        self.springs.append(&mut other.springs);
        self.bushings.append(&mut other.bushings);
        self.beams.append(&mut other.beams);
        self.weight_compensation.append(&mut other.weight_compensation);
        self.effort_limits.append(&mut other.effort_limits);
        match (&mut self.fluid, other.fluid) {
            (Some(fluid), Some(mut more)) => fluid.bodies.append(&mut more.bodies),
            (own @ None, more) => *own = more,
            (Some(_), None) => {}
        }
    }

    /// Gives the bodies other numbers.
    pub fn renumber(&mut self, number: impl Fn(BodyId) -> BodyId + Copy) {
        let site = |site: &mut Site| site.body = site.body.map(number);
        for tendon in &mut self.tendons {
            match &mut tendon.path {
                TendonPath::Joints(terms) => terms.iter_mut().for_each(|term| term.body = number(term.body)),
                TendonPath::Points(points) => points.iter_mut().for_each(|point| {
                    if let PathPoint::Site(one) = point {
                        site(one);
                    }
                }),
            }
        }
        for actuator in &mut self.actuators {
            match &mut actuator.transmission {
                Transmission::Joint { body, .. }
                | Transmission::Joint6 { body }
                | Transmission::Adhesion { body } => {
                    *body = number(*body);
                }
                Transmission::Tendon(_) => {}
                Transmission::Site { site: one, reference } => {
                    site(one);
                    reference.iter_mut().for_each(site);
                }
                Transmission::SliderCrank { crank, slider, .. } => [crank, slider].into_iter().for_each(site),
            }
        }
        self.springs.iter_mut().for_each(|spring| spring.body = number(spring.body));
        self.bushings.iter_mut().flat_map(|bushing| [&mut bushing.a, &mut bushing.b]).for_each(site);
        self.beams.iter_mut().flat_map(|beam| [&mut beam.a, &mut beam.b]).for_each(site);
        self.weight_compensation.iter_mut().for_each(|(body, _)| *body = number(*body));
        self.effort_limits.iter_mut().for_each(|(body, ..)| *body = number(*body));
        let wet = self.fluid.iter_mut().flat_map(|fluid| &mut fluid.bodies);
        wet.for_each(|one| one.body = number(one.body));
    }

    /// Refuses elements of bodies, joints and tendons that are not there, and numbers that cannot be computed with.
    pub(super) fn check(&self, bodies: usize, dofs_of: impl Fn(BodyId) -> usize) -> Result<(), TreeError> {
        let wrong = |reason, value| Err(TreeError::Force { reason, value });
        if let Some(body) = self.bodies().find(|body| body.index() >= bodies) {
            return wrong("it acts on a body that is not there", f64::from(body.0));
        }
        let joints = self.tendons.iter().flat_map(Tendon::joints);
        let driven = self.actuators.iter().filter_map(|actuator| match actuator.transmission {
            Transmission::Joint { body, index, .. } => Some((body, index)),
            _ => None,
        });
        let limited = self.effort_limits.iter().map(|(body, index, _)| (*body, *index));
        if let Some((body, _)) =
            joints.chain(driven).chain(limited).find(|(body, index)| *index >= dofs_of(*body))
        {
            return wrong("it acts on a joint that has no such degree of freedom", f64::from(body.0));
        }
        for actuator in &self.actuators {
            if let Transmission::Tendon(tendon) = actuator.transmission
                && tendon >= self.tendons.len()
            {
                return wrong("it pulls on a tendon that is not there", tendon as f64);
            }
        }
        let numbers = self
            .tendons
            .iter()
            .flat_map(Tendon::numbers)
            .chain(self.actuators.iter().flat_map(Actuator::numbers));
        let carried = self.weight_compensation.iter().map(|(_, part)| *part);
        let springs = self.springs.iter().flat_map(|spring| [spring.stiffness, spring.shift_stiffness]);
        let bushings = || self.bushings.iter().flat_map(Bushing::numbers);
        if let Some(value) = numbers.chain(carried).chain(springs).chain(bushings()).find(|x| !x.is_finite())
        {
            return wrong("its numbers must be finite", value);
        }
        if let Some((reason, value)) = self.beams.iter().find_map(|beam| beam.check().err()) {
            return wrong(reason, value);
        }
        match bushings().find(|x| *x < 0.0) {
            Some(value) => wrong("stiffness and damping of a bushing must not be negative", value),
            None => Ok(()),
        }
    }
}

/// What an evaluation needs and writes.
pub(super) struct Evaluation<'a> {
    pub(super) tree: &'a Tree,
    pub(super) ws: &'a Workspace,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    /// Loads at the origins of the bodies, world axes.
    pub(super) wrenches: &'a mut [Wrench],
    pub(super) effort: &'a mut [f64],
}

impl Evaluation<'_> {
    /// Adds a force [N] at a point of the world [m] to a body; the world takes any.
    pub(super) fn push(&mut self, body: Option<BodyId>, point: Vec3, force: Vec3) {
        if let Some(body) = body {
            let arm = point - self.ws.pose(body).translation();
            self.wrenches[body.index()] += Wrench::at(force, arm);
        }
    }

    /// Adds a torque [N m] to a body.
    pub(super) fn twist(&mut self, body: Option<BodyId>, torque: Vec3) {
        if let Some(body) = body {
            self.wrenches[body.index()].torque += torque;
        }
    }

    /// Where the position and the velocity of a degree of freedom are, and what they are; a part of a quaternion has no position.
    pub(super) fn joint(&self, body: BodyId, index: usize) -> (f64, f64, usize) {
        let k = self.tree.links[body.index()].v + index;
        (self.tree.positions_of[k].map_or(0.0, |place| self.q[place]), self.v[k], k)
    }
}

impl Tree {
    /// The force elements.
    pub fn forces(&self) -> &Forces {
        &self.forces
    }

    /// Adds the loads of all force elements at an instant, beams among them, beyond those that joints have by themselves ([`Tree::joint_efforts`]): on the bodies at their origins, and in the joints. The workspace must be up to date.
    ///
    /// Actuators that are motors of their joints ([`Tree::set_control`]) are among the efforts of joints already.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn add_forces(
        &self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        ws: &Workspace,
        wrenches: &mut [Wrench],
        effort: &mut [f64],
    ) {
        self.add_explicit_forces(t, (q, v), ws, wrenches, effort);
        let mut at = Evaluation { tree: self, ws, q, v, wrenches, effort };
        for beam in &self.forces.beams {
            beam.add(&mut at);
        }
    }

    /// The same without beams, which time stepping takes implicitly.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn add_explicit_forces(
        &self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        ws: &Workspace,
        wrenches: &mut [Wrench],
        effort: &mut [f64],
    ) {
        if self.forces.is_empty() {
            return;
        }
        self.check_positions(q);
        self.check_velocities(v);
        self.check_velocities(effort);
        assert!(wrenches.len() >= self.links.len(), "a load for each body");
        let mut at = Evaluation { tree: self, ws, q, v, wrenches, effort };
        for tendon in &self.forces.tendons {
            tendon.add_passive(&mut at);
        }
        for spring in &self.forces.springs {
            spring.add(&mut at);
        }
        for bushing in &self.forces.bushings {
            bushing.add(&mut at);
        }
        for (body, part) in &self.forces.weight_compensation {
            let weight = self.gravity * self.links[body.index()].inertia.mass;
            at.push(Some(*body), ws.center(*body), weight * -*part);
        }
        if let Some(fluid) = &self.forces.fluid {
            fluid.add(&mut at);
        }
        self.add_actuators(t, &mut at);
    }

    /// Adds the forces of actuators; those of degrees of freedom with a limit of their effort are summed up first.
    fn add_actuators(&self, t: f64, at: &mut Evaluation<'_>) {
        let limit_of = |body: BodyId, index: usize| {
            self.forces.effort_limits.iter().position(|(other, k, _)| (*other, *k) == (body, index))
        };
        let mut limited = vec![0.0; self.forces.effort_limits.len()];
        for actuator in self.forces.actuators.iter().filter(|actuator| !actuator.is_motor) {
            let force = actuator.force(t, &self.forces.tendons, at);
            match actuator.transmission {
                Transmission::Joint { body, index, .. } => {
                    let k = at.joint(body, index).2;
                    let sum = limit_of(body, index).map_or(&mut at.effort[k], |limit| &mut limited[limit]);
                    *sum += force * actuator.gear[0];
                }
                Transmission::Tendon(tendon) => {
                    self.forces.tendons[tendon].pull(
                        force * actuator.gear[0],
                        at,
                        |body, index, k, share, effort| match limit_of(body, index) {
                            Some(limit) => limited[limit] += share,
                            None => effort[k] += share,
                        },
                    );
                }
                _ => actuator.push(force, at),
            }
        }
        for ((body, index, range), effort) in self.forces.effort_limits.iter().zip(limited) {
            let k = at.joint(*body, *index).2;
            at.effort[k] += clamped(effort, Some(*range));
        }
    }

    /// Adds to the loads of bodies what efforts [N or N m] in the joints are to them: equal and opposite on a body and what it hangs on.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn efforts_as_loads(&self, ws: &Workspace, effort: &[f64], wrenches: &mut [Wrench]) {
        self.check_velocities(effort);
        for (i, link) in self.links.iter().enumerate() {
            for k in link.dofs().filter(|k| effort[*k] != 0.0) {
                let (body, along) = (&ws.bodies[i], ws.axes[k] * effort[k]);
                for (other, sign) in [(Some(i), 1.0), (link.parent, -1.0)] {
                    let Some(other) = other else { continue };
                    let origin = ws.bodies[other].pose.translation();
                    wrenches[other] += if self.rotates[k] {
                        Wrench { force: Vec3::zeros(), torque: along * sign }
                    } else {
                        Wrench::at(along * sign, body.pivot_at - origin)
                    };
                }
            }
        }
    }

    /// The length of a tendon, of this tree or to be added to it [m or rad]. The workspace must be up to date.
    ///
    /// Fails: where it names a body or a joint that is not there.
    pub fn tendon_length(&self, tendon: &Tendon, q: &[f64], ws: &Workspace) -> Result<f64, TreeError> {
        let known = Forces { tendons: vec![tendon.clone()], ..Forces::default() };
        known.check(self.links.len(), |body| self.links.get(body.index()).map_or(0, |link| link.nv))?;
        self.check_positions(q);
        let at = Evaluation { tree: self, ws, q, v: &ws.velocities, wrenches: &mut [], effort: &mut [] };
        Ok(tendon.length_and_rate(&at).0)
    }

    /// Energy that tendons, bushings, beams and springs of rotations store [J]. The workspace must be up to date.
    pub fn stored_in_forces(&self, q: &[f64], ws: &Workspace) -> f64 {
        let (mut wrenches, mut effort) = (vec![Wrench::ZERO; self.links.len()], vec![0.0; self.velocities()]);
        let at =
            Evaluation { tree: self, ws, q, v: &ws.velocities, wrenches: &mut wrenches, effort: &mut effort };
        let tendons: f64 = self.forces.tendons.iter().map(|tendon| tendon.energy(&at)).sum();
        let bushings: f64 = self.forces.bushings.iter().map(|bushing| bushing.energy(&at)).sum();
        let beams: f64 = self.forces.beams.iter().map(|beam| beam.energy(ws)).sum();
        tendons + bushings + beams + self.forces.springs.iter().map(|spring| spring.energy(&at)).sum::<f64>()
    }

    /// Sets the control of an actuator from a time on [s]; its activation goes on from where it is.
    pub fn set_control(&mut self, actuator: usize, control: f64, t: f64) -> Result<(), TreeError> {
        self.check_control(actuator, control)?;
        self.forces.actuators[actuator].set_control(control, t);
        self.write_motor(actuator)
    }

    /// Refuses a control that an actuator cannot have; nothing changes.
    pub fn check_control(&self, actuator: usize, control: f64) -> Result<(), TreeError> {
        let known = self.forces.actuators.len();
        let Some(one) = self.forces.actuators.get(actuator) else {
            return Err(TreeError::Force {
                reason: "there is no actuator of this number",
                value: known as f64,
            });
        };
        if !control.is_finite() {
            return Err(TreeError::Force { reason: "a control must be finite", value: control });
        }
        if matches!(one.transmission, Transmission::Adhesion { .. }) && control != 0.0 {
            return Err(TreeError::Force {
                reason: "adhesion is read but has no force here: its control must stay zero",
                value: control,
            });
        }
        Ok(())
    }

    /// Returns the control of each actuator, its activation when that was set, and when that was [s]: all that a run changes of them.
    pub fn control_states(&self) -> Vec<[f64; 3]> {
        self.forces.actuators.iter().map(|one| [one.control, one.start[0], one.start[1]]).collect()
    }

    /// Restores what [`Tree::control_states`] returned; motors of joints are left as they are. Returns whether there are as many actuators.
    pub fn restore_controls(&mut self, states: &[[f64; 3]]) -> bool {
        for (one, [control, start, since]) in self.forces.actuators.iter_mut().zip(states) {
            (one.control, one.start) = (*control, [*start, *since]);
        }
        states.len() == self.forces.actuators.len()
    }

    /// Returns whether a body moves by a force element at every time, so that it is never at rest for good.
    pub fn is_acted_on(&self, body: BodyId) -> bool {
        self.forces.holds(body)
    }

    /// Has an actuator act as the motor of its joint, where it is one: then every method treats it as stiff as it is.
    pub(super) fn write_motor(&mut self, actuator: usize) -> Result<(), TreeError> {
        let one = &self.forces.actuators[actuator];
        if let (true, Transmission::Joint { body, index, .. }, Some(motor)) =
            (one.is_motor, one.transmission, one.motor())
        {
            self.set_motor(body, index, motor)?;
        }
        Ok(())
    }

    /// Chooses the actuators that are motors of their joints: the only one of a degree of freedom that no other limit concerns.
    pub(super) fn lower_actuators(&mut self) -> Result<(), TreeError> {
        for number in 0..self.forces.actuators.len() {
            let one = &self.forces.actuators[number];
            let Transmission::Joint { body, index, .. } = one.transmission else { continue };
            let same = |other: &Actuator| matches!(other.transmission, Transmission::Joint { body: b, index: i, .. } if (b, i) == (body, index));
            let is_only = self.forces.actuators.iter().filter(|other| same(other)).count() == 1;
            let is_limited = self.forces.effort_limits.iter().any(|(b, i, _)| (*b, *i) == (body, index));
            let is_free = one.is_motor || matches!(self.motor(body, index)?, Motor::Off);
            let has_position = self.positions_of[self.links[body.index()].v + index].is_some();
            let is_motor = is_only && !is_limited && is_free && has_position && one.motor().is_some();
            self.forces.actuators[number].is_motor = is_motor;
            self.write_motor(number)?;
        }
        Ok(())
    }
}

impl RotationSpring {
    /// The rotation vector from the reference in axes of the child's joint frame, and the shift in axes of the parent's.
    fn stretch(&self, at: &Evaluation<'_>) -> Option<(Vec3, Vec3, usize, usize)> {
        let link = &at.tree.links[self.body.index()];
        let quaternion = quaternion_at(&link.kind)?;
        let q = &at.q[link.q..link.q + link.nq];
        let part = &q[quaternion..];
        let now = Pose::new(Vec3::zeros(), [part[0], part[1], part[2], part[3]]).ok()?;
        let turn =
            now.rotation_vector_from(&Pose::new(Vec3::zeros(), self.reference.quaternion_xyzw()).ok()?);
        // The vector is the same in both frames that it turns into each other, so axes of the child do as well as those around it.
        let turn = now.inverse_transform_vector(&turn);
        let shift = if matches!(link.kind, JointKind::Free) {
            Vec3::new(q[0], q[1], q[2]) - self.reference.translation()
        } else {
            Vec3::zeros()
        };
        Some((turn, shift, link.v, link.nv))
    }

    fn add(&self, at: &mut Evaluation<'_>) {
        let Some((turn, shift, first, count)) = self.stretch(at) else { return };
        for axis in 0..3 {
            at.effort[first + count - 3 + axis] -= self.stiffness * turn[axis];
            if count == 6 {
                at.effort[first + axis] -= self.shift_stiffness * shift[axis];
            }
        }
    }

    fn energy(&self, at: &Evaluation<'_>) -> f64 {
        self.stretch(at).map_or(0.0, |(turn, shift, ..)| {
            0.5 * (self.stiffness * turn.norm_squared() + self.shift_stiffness * shift.norm_squared())
        })
    }
}
