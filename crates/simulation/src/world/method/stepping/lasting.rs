//! Contacts of curved surfaces that touch all through a step, while bodies roll, spin or slide.
//!
//! In: contacts at the start of a step. Out: the same step with these contacts taken where they are halfway, and with laws for mean velocities. So taken, contacts that neither slip nor open do no work, whatever the
//! shapes are; taken at the start, each step is a small impact that costs energy in the first order of its length. Derivation: docs/derivations/rolling-polyhedra.md.

use zerogap_core::{ContactId, Feature, Vec3};
use zerogap_dynamics::step::{ContactPoint, StepInfo, StepParams};

use super::Steps;
use crate::world::model::Model;
use crate::world::pair_contacts::{ContactWork, NarrowPhaseFailure};
use crate::world::placed_pair::PlacedPair;

/// Contacts that close or open more slowly than this fraction of what gravity does within a step are at rest along their normals [-].
const RESTING: f64 = 1e-3;
/// How far a contact that pushed may have opened, against what gravity does within a step [-].
const OPENED: f64 = 0.5;
/// Halfway a contact is searched for up to this fraction of the size of the smaller shape [-].
const WITHIN: f64 = 0.1;

/// What is needed to repeat a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Again {
    /// Contacts at the start of the step.
    contacts: Vec<ContactPoint>,
    /// State after the impacts at its start.
    state: Vec<f64>,
    manifold: ContactWork,
}

/// Whether a contact has a curved surface on one side at least. Corners that pivot on faces would gain as much, but where corners touch corners the normal halfway can be another than at the start.
fn is_curved(id: ContactId) -> bool {
    matches!(id.a, Feature::Surface(_)) || matches!(id.b, Feature::Surface(_))
}

impl Steps {
    /// Marks the contacts that last; whether there are any. They touch, and they pushed in the last step or are at rest along their normals.
    pub(super) fn mark_lasting(&mut self, model: &Model, step: f64) -> bool {
        if self.params.midpoint_iterations == 0 {
            return false;
        }
        let falling = model.tree.gravity().norm() * step;
        let mut is_any = false;
        for (contact, (_, id)) in self.memory.contacts.iter_mut().zip(&self.memory.names) {
            // One that pushed may have opened by as much as a surface can fall away from a body that still follows it.
            let has_pushed = contact.impulse != Vec3::zeros();
            let fraction = if has_pushed { OPENED } else { RESTING };
            let touches = contact.gap.abs() <= contact.slop.max(fraction * falling * step);
            let rests = self.stepper.start_rate(contact).abs() <= RESTING * falling;
            contact.lasts = is_curved(*id) && touches && (has_pushed || rests);
            is_any |= contact.lasts;
        }
        is_any
    }
}

impl Again {
    /// Makes a step with contacts that last: each midpoint iteration takes them halfway along the step of the one before.
    pub(super) fn step(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        params: &StepParams,
        (t, step): (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, NarrowPhaseFailure> {
        let positions = model.tree.positions();
        self.contacts.clone_from(&steps.memory.contacts);
        // Impacts first, where all contacts are at the start.
        let (q, v) = y.split_at_mut(positions);
        let begin = (&*q, &mut *v);
        let impacts = steps.stepper.impacts(
            &model.tree,
            params,
            (t, step),
            begin,
            &steps.wrenches,
            &steps.memory.contacts,
        );
        self.state.clear();
        self.state.extend_from_slice(y);
        let mut all = impacts;
        for iteration in 0..steps.params.midpoint_iterations {
            y.copy_from_slice(&self.state);
            let (q, v) = y.split_at_mut(positions);
            let halfway = steps.stepper.locate_halfway(&model.tree, (t, step), (&*q, &*v), iteration > 0);
            for ((contact, begun), (pair, id)) in
                steps.memory.contacts.iter_mut().zip(&self.contacts).zip(&steps.memory.names)
            {
                let (impulse, moment) = (contact.impulse, contact.moment);
                *contact = ContactPoint { impulse, moment, ..*begun };
                if !contact.lasts {
                    continue;
                }
                let placed = PlacedPair::new(&model.shapes, *pair, halfway);
                placed.contacts(WITHIN * placed.size(), &mut self.manifold);
                match self.manifold.contacts.iter().find(|found| found.id == *id) {
                    Some(found) => {
                        contact.at = 0.5 * (found.point_a + found.point_b);
                        contact.normal = found.normal;
                    }
                    None => contact.lasts = false,
                }
                model.gaps += 1;
            }
            if let Some(failure) = self.manifold.failure.take() {
                return Err(failure);
            }
            let state = (q, v);
            let info = steps.stepper.step(
                &model.tree,
                params,
                (t, step),
                state,
                &steps.wrenches,
                &mut steps.memory.contacts,
            );
            // The last iteration is the one that counts, but all of them took work.
            all = StepInfo {
                impacts: impacts.impacts + info.impacts,
                impact_impulse: impacts.impact_impulse + info.impact_impulse,
                impact_loss: impacts.impact_loss + info.impact_loss,
                ..all.and(&info)
            };
        }
        Ok(all)
    }
}
