//! Event functions of the user: their values at a state, and crossings that no step contains.
//!
//! In: a state, and what is closed there. Out: the value of a function, with contact forces where it asks for them. Contact forces jump at events and in captured steps, so a function that sees them can pass zero between two steps;
//! its values before and after such a jump are compared here.

use zerogap_dynamics::event::Step;
use zerogap_dynamics::multibody::Workspace;

use super::event_model::EventModel;
use super::frozen::Frozen;
use crate::world::events::EventKind;
use crate::world::user::ContactView;

impl EventModel<'_> {
    /// The value of a function at a state; the workspace is up to date.
    pub(crate) fn user_value(&self, function: usize, t: f64, y: &[f64], ws: &Workspace) -> f64 {
        // In memory of its own: the function may be called while forces of the step are evaluated.
        let located = || {
            let (model, discrete) = (&*self.model, &self.data.discrete);
            Frozen { model, discrete, scratch: &self.data.view_scratch }.contact_forces(t, y)
        };
        let find = || self.data.captured_forces().map_or_else(located, |forces| forces.contacts);
        let contacts = ContactView::new(&find);
        let value = self.model.users[function].value(t, self.model, y, ws, &contacts);
        if contacts.is_used() {
            self.data.sees_contacts.set(true);
        }
        value
    }

    /// The values of all functions at a state.
    pub(crate) fn user_values(&self, t: f64, y: &[f64]) -> Vec<f64> {
        if self.model.users.is_empty() {
            return Vec::new();
        }
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        (0..self.model.users.len()).map(|function| self.user_value(function, t, y, &scratch.ws)).collect()
    }

    /// The values before an event, where one of the functions sees contact forces, which may jump there.
    pub(crate) fn values_before_jump(&self, t: f64, y: &[f64]) -> Vec<f64> {
        if self.data.sees_contacts.get() { self.user_values(t, y) } else { Vec::new() }
    }

    /// Reports the functions that passed zero in a jump from the values before; those that were located at this time are reported already.
    pub(crate) fn note_jumped_functions(&mut self, t: f64, y: &[f64], before: &[f64], located: &[usize]) {
        if before.is_empty() {
            return;
        }
        let after = self.user_values(t, y);
        for (function, (before, after)) in before.iter().zip(&after).enumerate() {
            if !located.contains(&function) {
                self.note_crossing(function, t, (*before, *after));
            }
        }
    }

    /// Reports the functions that crossed zero in a captured step, from the values at the end of the one before.
    pub(crate) fn note_captured_functions(&mut self, step: &Step<'_>) {
        let after = self.user_values(step.t1, step.y1);
        let Some(captured) = &mut self.data.discrete.captured else { return };
        let before = std::mem::replace(&mut captured.users, after.clone());
        for (function, (before, after)) in before.into_iter().zip(after).enumerate() {
            self.note_crossing(function, step.t1, (before, after));
        }
    }

    fn note_crossing(&mut self, function: usize, t: f64, (before, after): (f64, f64)) {
        if self.model.users[function].has_crossed(before, after) {
            self.data.is_stopped |= self.model.users[function].stops;
            self.model.note(t, EventKind::Crossed { function });
        }
    }
}
