//! Commands over time: motors of joints and controls of actuators that follow a course without any program.
//!
//! In: courses, each for a motor or an actuator, from a builder. Out: at every length of a step ([`crate::world::MethodParams::step`], 1 ms by default), the value of the course there becomes the target of the motor or the control, and is held until the next
//! one: what a digital controller of that rate does. Every method sees the same constant commands between the same times.

use std::f64::consts::TAU;

use zerogap_core::math::sin_cos;
use zerogap_dynamics::multibody::{BodyId, Motor};

use super::clock::{COMMANDS, ControlClock};
use crate::world::stored::Said;
use crate::world::{World, WorldBuilder, WorldError};

/// A value over time.
#[derive(Debug, Clone, PartialEq)]
pub enum Course {
    /// Set points at increasing times [s]; the first and the last hold before and after.
    Points {
        /// Times [s].
        times: Vec<f64>,
        /// Values there.
        values: Vec<f64>,
        /// Whether it changes steadily from point to point, or holds each until the next.
        is_linear: bool,
    },
    /// `mean + amplitude sin(2 π t / period + phase)`.
    Sine {
        /// The value around which it swings.
        mean: f64,
        /// How far it swings.
        amplitude: f64,
        /// Period [s].
        period: f64,
        /// Phase at time zero [rad].
        phase: f64,
    },
    /// From one value to another between two times, and held before and after.
    Ramp {
        /// The value until the start.
        from: f64,
        /// The value from the end on.
        to: f64,
        /// Where it begins to change [s].
        start: f64,
        /// Where it ends [s].
        end: f64,
    },
}

zerogap_core::store_enum!(Course {
    0 => Points { times, values, is_linear },
    1 => Sine { mean, amplitude, period, phase },
    2 => Ramp { from, to, start, end },
});

impl Course {
    /// Returns the value at a time [s].
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Points { times, values, is_linear } => {
                let next = times.partition_point(|time| *time <= t);
                match (next.checked_sub(1), times.get(next)) {
                    (None, _) => values.first().copied().unwrap_or(0.0),
                    (Some(last), Some(end)) if *is_linear => {
                        let ratio = (t - times[last]) / (end - times[last]);
                        values[last] + ratio * (values[next] - values[last])
                    }
                    (Some(last), _) => values[last],
                }
            }
            Self::Sine { mean, amplitude, period, phase } => {
                mean + amplitude * sin_cos(TAU * t / period + phase).0
            }
            Self::Ramp { from, to, start, end } => {
                let ratio = if t >= *end { 1.0 } else { ((t - start) / (end - start)).max(0.0) };
                from + ratio * (to - from)
            }
        }
    }

    /// Refuses what has no value.
    fn check(&self) -> Result<(), WorldError> {
        let wrong = |what, value| Err(WorldError::Setting { what, value });
        let (numbers, increases) = match self {
            Self::Points { times, values, .. } => {
                if times.is_empty() || times.len() != values.len() {
                    return Err(WorldError::Coordinates {
                        what: "values of a course",
                        given: values.len(),
                        needed: times.len().max(1),
                    });
                }
                let back = times.windows(2).find(|pair| pair[1] <= pair[0]);
                if let Some(pair) = back {
                    return wrong("time of a course, which must increase,", pair[1]);
                }
                (times.iter().chain(values).copied().collect::<Vec<_>>(), true)
            }
            Self::Sine { mean, amplitude, period, phase } => {
                (vec![*mean, *amplitude, *period, *phase], *period > 0.0)
            }
            Self::Ramp { from, to, start, end } => (vec![*from, *to, *start, *end], end > start),
        };
        match numbers.iter().find(|x| !x.is_finite()) {
            Some(value) => wrong("number of a course", *value),
            None if !increases => wrong("period or end of a course", numbers[2]),
            None => Ok(()),
        }
    }
}

/// What a command sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Commanded {
    /// The motor of a degree of freedom: its target, or its effort, is the value of the course.
    Motor {
        /// The body on the joint.
        body: BodyId,
        /// The degree of freedom.
        index: usize,
        /// The motor, whose target is replaced.
        motor: Motor,
        /// Bound of an effort that is the value of the course [N or N m].
        limit: f64,
        /// Bound of a speed that is the value of the course [m/s or rad/s].
        fastest: f64,
    },
    /// The control of an actuator, by number.
    Actuator(usize),
}

zerogap_core::store_enum!(Commanded { 0 => Motor { body, index, motor, limit, fastest }, 1 => Actuator(number) });

/// Something that follows a course.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What is set.
    pub commanded: Commanded,
    /// To what.
    pub course: Course,
}

zerogap_core::store_struct!(Command { commanded, course });

impl WorldBuilder {
    /// Has a motor or an actuator that was added follow a course from the start on.
    ///
    /// Fails: where there is no such joint or actuator, or the course has no values.
    pub fn command(&mut self, command: Command) -> Result<(), WorldError> {
        command.course.check()?;
        match command.commanded {
            Commanded::Motor { body, index, motor, .. } => {
                let before = self.dof_now(body, index)?;
                self.dof(body, index, zerogap_dynamics::multibody::Dof { motor, ..before })?;
            }
            Commanded::Actuator(number) => {
                let known = self.force_counts().1;
                if number >= known {
                    return Err(WorldError::NoForce { what: "actuator", number, known });
                }
            }
        }
        self.said.push(Said::Command(Box::new(command.clone())));
        self.commands.push(command);
        Ok(())
    }
}

impl World {
    /// Returns what follows courses.
    pub fn commands(&self) -> &[Command] {
        &self.recipe.commands
    }

    /// Sets the clock of the commands, where there are any.
    pub(crate) fn start_commands(&mut self) {
        if !self.recipe.commands.is_empty() {
            let step = self.recipe.params().method.step();
            self.clocks[COMMANDS] = Some(ControlClock::of_commands(step));
        }
    }

    /// Sets all that is commanded to its value at a time [s].
    pub(super) fn follow_commands(&mut self, t: f64) -> Result<(), WorldError> {
        let commands = std::mem::take(&mut self.recipe.commands);
        let outcome = self.follow(&commands, t);
        self.recipe.commands = commands;
        outcome
    }

    fn follow(&mut self, commands: &[Command], t: f64) -> Result<(), WorldError> {
        let mut controls = Vec::new();
        for Command { commanded, course } in commands {
            let value = course.at(t);
            match *commanded {
                // Of a body that was removed nothing is left to drive.
                Commanded::Motor { body, .. } if self.check_body(body).is_err() => {}
                Commanded::Motor { body, index, motor, limit, fastest } => {
                    let motor = match motor {
                        Motor::Velocity { gain, limit, .. } => {
                            Motor::Velocity { target: value.max(-fastest).min(fastest), gain, limit }
                        }
                        Motor::Position { stiffness, damping, limit, .. } => {
                            Motor::Position { target: value, stiffness, damping, limit }
                        }
                        Motor::Off | Motor::Effort(_) => Motor::Effort(value.max(-limit).min(limit)),
                    };
                    self.set_motor(body, index, motor)?;
                }
                Commanded::Actuator(number) => controls.push((number, value)),
            }
        }
        self.change_controls(controls.into_iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courses_have_their_values_at_and_between_points() {
        let points =
            |is_linear| Course::Points { times: vec![1.0, 2.0, 4.0], values: vec![3.0, 5.0, 1.0], is_linear };
        for (t, linear, held) in [
            (0.0, 3.0, 3.0),
            (1.0, 3.0, 3.0),
            (1.5, 4.0, 3.0),
            (2.0, 5.0, 5.0),
            (3.0, 3.0, 5.0),
            (9.0, 1.0, 1.0),
        ] {
            assert!((points(true).at(t) - linear).abs() < 1e-15, "{t}");
            assert!((points(false).at(t) - held).abs() < 1e-15, "{t}");
        }
        let sine = Course::Sine { mean: 1.0, amplitude: 2.0, period: 4.0, phase: 0.0 };
        assert!((sine.at(1.0) - 3.0).abs() < 1e-15 && (sine.at(3.0) + 1.0).abs() < 1e-15);
        let ramp = Course::Ramp { from: 1.0, to: 2.0, start: 1.0, end: 3.0 };
        for (t, value) in [(0.0, 1.0), (1.0, 1.0), (2.0, 1.5), (3.0, 2.0), (5.0, 2.0)] {
            assert!((ramp.at(t) - value).abs() < 1e-15, "{t}");
        }
    }

    #[test]
    fn courses_without_values_are_refused() {
        let refused = [
            Course::Points { times: vec![], values: vec![], is_linear: true },
            Course::Points { times: vec![0.0, 0.0], values: vec![1.0, 2.0], is_linear: true },
            Course::Points { times: vec![0.0], values: vec![f64::NAN], is_linear: true },
            Course::Sine { mean: 0.0, amplitude: 1.0, period: 0.0, phase: 0.0 },
            Course::Ramp { from: 0.0, to: 1.0, start: 1.0, end: 1.0 },
        ];
        for course in refused {
            assert!(course.check().is_err(), "{course:?}");
        }
    }
}
