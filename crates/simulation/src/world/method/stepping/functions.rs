//! Functions of the user at the ends of steps.
//!
//! In: the state at the end of a step. Out: an event for each function that has crossed zero since the last step, and whether one of them stops the run.

use zerogap_dynamics::event::Direction;

use super::Steps;
use crate::world::events::EventKind;
use crate::world::model::Model;
use crate::world::user::{ContactView, EventFunction};

impl Steps {
    /// Evaluates the functions of the user at a state; whether one that stops has crossed zero.
    pub(super) fn evaluate_functions(&mut self, model: &mut Model, t: f64, y: &[f64]) -> bool {
        let values = self.function_values(model, t, y);
        let mut is_stopped = false;
        for (function, now) in values.iter().enumerate() {
            let user = &model.users[function];
            let crossed = self.memory.users.get(function).is_some_and(|last| user.has_crossed(*last, *now));
            if crossed {
                is_stopped |= user.stops;
                model.note(t, EventKind::Crossed { function });
            }
        }
        self.memory.users = values;
        is_stopped
    }

    /// Takes note of what functions that were added last are where they begin, so that a crossing in the next step is seen.
    pub(super) fn begin_functions(&mut self, model: &Model, t: f64, y: &[f64]) {
        let known = self.memory.users.len();
        if known < model.users.len() {
            let values = self.function_values(model, t, y);
            self.memory.users.extend_from_slice(&values[known..]);
        }
    }

    /// The values of the functions of the user at a state, with the contact forces of the last step.
    fn function_values(&self, model: &Model, t: f64, y: &[f64]) -> Vec<f64> {
        if model.users.is_empty() {
            return Vec::new();
        }
        let find = || self.memory.part_contacts().forces();
        let contacts = ContactView::new(&find);
        let scratch = &mut *model.scratch.borrow_mut();
        model.locate_bodies(t, y, &mut scratch.ws);
        model.users.iter().map(|user| user.value(t, model, y, &scratch.ws, &contacts)).collect()
    }
}

impl EventFunction {
    /// Whether a crossing that counts lies between two values.
    pub(in crate::world::method) fn has_crossed(&self, last: f64, now: f64) -> bool {
        match self.direction {
            Direction::Rising => last < 0.0 && now >= 0.0,
            Direction::Falling => last > 0.0 && now <= 0.0,
            Direction::Both => (last < 0.0 && now >= 0.0) || (last > 0.0 && now <= 0.0),
        }
    }
}
