//! Actuators: a force from a control, along a joint, a tendon, a site or a slider-crank.
//!
//! `force = gain * input + bias`, clamped to its range, times the gear. Gain and bias are affine in the length and its rate of what the actuator acts along. The input is the control, or an activation that
//! follows the control by a first-order filter or an integrator: between two changes of the control that has a closed form, which is evaluated exactly at every time.

use zerogap_core::Vec3;
use zerogap_core::math::exp;

use super::{Evaluation, Site, Tendon, slider_crank};
use crate::multibody::joint::{BodyId, Motor};

/// What an actuator acts along.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transmission {
    /// A degree of freedom of a joint; its length is the position plus a reference.
    Joint {
        /// The body on the joint.
        body: BodyId,
        /// The degree of freedom.
        index: usize,
        /// What a position of zero stands for [m or rad].
        reference: f64,
    },
    /// A joint with several velocities: the gear is a force and a torque in its axes.
    Joint6 {
        /// The body on the joint.
        body: BodyId,
    },
    /// A tendon, by its number.
    Tendon(usize),
    /// A force and a torque at a site, in axes of the site or of a reference; its length is zero.
    Site {
        /// Where it acts.
        site: Site,
        /// What it pushes against, and whose axes count.
        reference: Option<Site>,
    },
    /// A rod between a crank and a pin that slides along the z axis of a site.
    SliderCrank {
        /// The end of the rod on the crank.
        crank: Site,
        /// The slider.
        slider: Site,
        /// Length of the rod [m].
        rod: f64,
    },
    /// Adhesion of a body to what it touches: read, and without a force.
    Adhesion {
        /// The body.
        body: BodyId,
    },
}

zerogap_core::store_enum!(Transmission {
    0 => Joint { body, index, reference },
    1 => Joint6 { body },
    2 => Tendon(number),
    3 => Site { site, reference },
    4 => SliderCrank { crank, slider, rod },
    5 => Adhesion { body },
});

/// How the input of an actuator follows its control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Activation {
    /// It is the control.
    None,
    /// Its rate is the control.
    Integrator,
    /// Its rate is (control - activation) / time constant [s].
    Filter(f64),
}

zerogap_core::store_enum!(Activation { 0 => None, 1 => Integrator, 2 => Filter(time_constant) });

/// An actuator.
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// What it acts along.
    pub transmission: Transmission,
    /// Ratios of its force and what it acts along; all but the first are for sites and joints of several velocities.
    pub gear: [f64; 6],
    /// Force per input: constant, per length, per rate.
    pub gain: [f64; 3],
    /// Force without input: constant, per length, per rate.
    pub bias: [f64; 3],
    /// How the input follows the control.
    pub activation: Activation,
    /// Bounds of the control.
    pub control_range: Option<[f64; 2]>,
    /// Bounds of the force.
    pub force_range: Option<[f64; 2]>,
    /// Bounds of the activation.
    pub activation_range: Option<[f64; 2]>,
    /// The control.
    pub control: f64,
    /// The activation when the control was set, and when that was [s].
    pub start: [f64; 2],
    /// Whether it is a motor of its joint.
    pub is_motor: bool,
}

zerogap_core::store_struct!(Actuator {
    transmission,
    gear,
    gain,
    bias,
    activation,
    control_range,
    force_range,
    activation_range,
    control,
    start,
    is_motor
});

/// A number within a range.
pub(super) fn clamped(x: f64, range: Option<[f64; 2]>) -> f64 {
    range.map_or(x, |[lower, upper]| x.max(lower).min(upper))
}

impl Actuator {
    /// One with a unit gain, without bias, bounds and activation.
    pub fn new(transmission: Transmission) -> Self {
        Self {
            transmission,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            gain: [1.0, 0.0, 0.0],
            bias: [0.0; 3],
            activation: Activation::None,
            control_range: None,
            force_range: None,
            activation_range: None,
            control: 0.0,
            start: [0.0; 2],
            is_motor: false,
        }
    }

    pub(super) fn bodies(&self) -> Vec<BodyId> {
        match self.transmission {
            Transmission::Joint { body, .. }
            | Transmission::Joint6 { body }
            | Transmission::Adhesion { body } => vec![body],
            Transmission::Tendon(_) => Vec::new(),
            Transmission::Site { site, reference } => {
                site.body.into_iter().chain(reference.and_then(|site| site.body)).collect()
            }
            Transmission::SliderCrank { crank, slider, .. } => {
                crank.body.into_iter().chain(slider.body).collect()
            }
        }
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let rod = if let Transmission::SliderCrank { rod, .. } = self.transmission { rod } else { 0.0 };
        self.gear.iter().chain(&self.gain).chain(&self.bias).copied().chain([rod, self.control])
    }

    /// The activation, or the control, at a time [s].
    pub fn input(&self, t: f64) -> f64 {
        let control = clamped(self.control, self.control_range);
        let [start, since] = self.start;
        let activation = match self.activation {
            Activation::None => return control,
            Activation::Integrator => start + control * (t - since),
            Activation::Filter(time) if time > 0.0 => control + (start - control) * exp(-(t - since) / time),
            Activation::Filter(_) => control,
        };
        clamped(activation, self.activation_range)
    }

    pub(super) fn set_control(&mut self, control: f64, t: f64) {
        self.start = [self.input(t), t];
        if matches!(self.activation, Activation::None) {
            self.start[0] = 0.0;
        }
        self.control = control;
    }

    /// The motor that it is, where it acts on a joint with a constant gain and a bias that never drives.
    pub(super) fn motor(&self) -> Option<Motor> {
        let Transmission::Joint { reference, .. } = self.transmission else { return None };
        let is_plain = self.activation == Activation::None && self.gain[1] == 0.0 && self.gain[2] == 0.0;
        if !is_plain || self.bias[1] > 0.0 || self.bias[2] > 0.0 {
            return None;
        }
        let gear = self.gear[0];
        let limit = match self.force_range {
            None => f64::INFINITY,
            #[expect(clippy::float_cmp, reason = "the two numbers of a file")]
            Some([lower, upper]) if -lower == upper => upper * gear.abs(),
            Some(_) => return None,
        };
        let (stiffness, damping) = (-self.bias[1] * gear * gear, -self.bias[2] * gear * gear);
        let push = gear * (self.gain[0] * clamped(self.control, self.control_range) + self.bias[0]);
        Some(if stiffness > 0.0 {
            Motor::Position { target: push / stiffness - reference, stiffness, damping, limit }
        } else if damping > 0.0 {
            Motor::Velocity { target: push / damping, gain: damping, limit }
        } else {
            Motor::Effort(push.max(-limit).min(limit))
        })
    }

    /// The length that it acts along, and the rate of it, times the gear.
    pub(super) fn length_and_rate(&self, tendons: &[Tendon], at: &Evaluation<'_>) -> (f64, f64) {
        match self.transmission {
            Transmission::Joint { body, index, reference } => {
                let (q, v, _) = at.joint(body, index);
                ((q + reference) * self.gear[0], v * self.gear[0])
            }
            Transmission::Tendon(tendon) => {
                let (length, rate) = tendons[tendon].length_and_rate(at);
                (length * self.gear[0], rate * self.gear[0])
            }
            Transmission::SliderCrank { crank, slider, rod } => {
                let found = slider_crank::evaluate(&crank, &slider, rod, at.ws);
                (found.length * self.gear[0], found.rate(at.ws) * self.gear[0])
            }
            Transmission::Joint6 { body } => {
                let link = &at.tree.links[body.index()];
                (0.0, link.dofs().zip(self.gear).map(|(k, gear)| gear * at.v[k]).sum())
            }
            Transmission::Site { site, reference } => (0.0, self.site_rate(&site, reference.as_ref(), at)),
            Transmission::Adhesion { .. } => (0.0, 0.0),
        }
    }

    /// The force before the gear [N or N m].
    pub(super) fn force(&self, t: f64, tendons: &[Tendon], at: &Evaluation<'_>) -> f64 {
        let (length, rate) = self.length_and_rate(tendons, at);
        let along =
            |[constant, per_length, per_rate]: [f64; 3]| constant + per_length * length + per_rate * rate;
        clamped(along(self.gain) * self.input(t) + along(self.bias), self.force_range)
    }

    /// Force and torque of the gear in world axes.
    fn site_wrench(&self, site: &Site, reference: Option<&Site>, at: &Evaluation<'_>) -> (Vec3, Vec3) {
        let axes = reference.unwrap_or(site).place(at.ws);
        let [a, b, c, d, e, f] = self.gear;
        (axes.transform_vector(&Vec3::new(a, b, c)), axes.transform_vector(&Vec3::new(d, e, f)))
    }

    fn site_rate(&self, site: &Site, reference: Option<&Site>, at: &Evaluation<'_>) -> f64 {
        let (force, torque) = self.site_wrench(site, reference, at);
        let point = site.place(at.ws).translation();
        let spin = |body: Option<BodyId>| body.map_or_else(Vec3::zeros, |body| at.ws.angular_velocity(body));
        let against = reference.map_or_else(Vec3::zeros, |site| at.ws.point_velocity(site.body, point));
        let turning = reference.map_or_else(Vec3::zeros, |site| spin(site.body));
        force.dot(&(at.ws.point_velocity(site.body, point) - against))
            + torque.dot(&(spin(site.body) - turning))
    }

    /// Adds the force where it is neither that of a single degree of freedom nor of a tendon.
    pub(super) fn push(&self, force: f64, at: &mut Evaluation<'_>) {
        match self.transmission {
            Transmission::Joint6 { body } => {
                let link = &at.tree.links[body.index()];
                for (k, gear) in link.dofs().zip(self.gear) {
                    at.effort[k] += gear * force;
                }
            }
            Transmission::Site { site, reference } => {
                let (push, twist) = self.site_wrench(&site, reference.as_ref(), at);
                let point = site.place(at.ws).translation();
                at.push(site.body, point, push * force);
                at.twist(site.body, twist * force);
                if let Some(reference) = reference {
                    at.push(reference.body, point, push * -force);
                    at.twist(reference.body, twist * -force);
                }
            }
            Transmission::SliderCrank { crank, slider, rod } => {
                slider_crank::evaluate(&crank, &slider, rod, at.ws).push(force * self.gear[0], at);
            }
            Transmission::Joint { .. } | Transmission::Tendon(_) | Transmission::Adhesion { .. } => {}
        }
    }
}
