//! Functions of the user at the ends of steps.
//!
//! In: the state at the end of a step. Out: an event for each function that has crossed zero since the last step, and whether one of them stops the run.

use zerogap_dynamics::event::Direction;

use super::Steps;
use crate::world::events::EventKind;
use crate::world::model::Model;
use crate::world::user::EventFunction;

impl Steps {
    /// Evaluates the functions of the user at a state; whether one that stops has crossed zero.
    pub(super) fn evaluate_functions(&mut self, model: &mut Model, t: f64, y: &[f64]) -> bool {
        if model.users.is_empty() {
            return false;
        }
        let users = std::mem::take(&mut model.users);
        let values: Vec<f64> = {
            let scratch = &mut *model.scratch.borrow_mut();
            model.locate_bodies(t, y, &mut scratch.ws);
            users.iter().map(|user| user.value(t, model, y, &scratch.ws)).collect()
        };
        let mut is_stopped = false;
        for (function, (now, user)) in values.iter().zip(&users).enumerate() {
            let crossed = self.memory.users.get(function).is_some_and(|last| user.has_crossed(*last, *now));
            if crossed {
                model.note(t, EventKind::Crossed { function });
                is_stopped |= user.stops;
            }
        }
        self.memory.users = values;
        model.users = users;
        is_stopped
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
