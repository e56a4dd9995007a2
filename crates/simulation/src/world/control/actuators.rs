//! Commands of actuators: their controls as one vector, and their activations.

use crate::world::{World, WorldError};

impl World {
    /// Returns the controls of all actuators, in their order ([`World::actuator_names`]).
    pub fn controls(&self) -> Vec<f64> {
        self.forces().actuators.iter().map(|actuator| actuator.control).collect()
    }

    /// Returns the activation of each actuator now, or its control within its range where it has none.
    pub fn activations(&self) -> Vec<f64> {
        let t = self.time();
        self.forces().actuators.iter().map(|actuator| actuator.input(t)).collect()
    }

    /// Sets the controls of all actuators from now on: the time reached becomes the end of a step, unless nothing changes.
    ///
    /// Fails: where their number is another, or one is refused; nothing has changed then.
    pub fn set_controls(&mut self, controls: &[f64]) -> Result<(), WorldError> {
        let needed = self.forces().actuators.len();
        if controls.len() != needed {
            return Err(WorldError::Coordinates { what: "controls", given: controls.len(), needed });
        }
        self.change_controls(controls.iter().copied().enumerate())
    }

    /// Sets controls of some actuators, by number.
    pub(crate) fn change_controls(
        &mut self,
        controls: impl Iterator<Item = (usize, f64)> + Clone,
    ) -> Result<(), WorldError> {
        let mut is_changed = false;
        for (number, control) in controls.clone() {
            self.model.tree.check_control(number, control)?;
            is_changed |= self.forces().actuators[number].control.to_bits() != control.to_bits();
        }
        if !is_changed {
            return Ok(());
        }
        // The step that ends here is still driven by the controls before.
        self.method.make_boundary(&mut self.model)?;
        let t = self.method.time();
        for (number, control) in controls {
            // An activation goes on from its closed form, which a control that is set again would round.
            if self.forces().actuators[number].control.to_bits() != control.to_bits() {
                self.model.tree.set_control(number, control, t)?;
            }
        }
        for body in self.model.bodies.clone().iter() {
            self.method.wake(&mut self.model, *body);
        }
        self.method.disturb();
        Ok(())
    }
}
