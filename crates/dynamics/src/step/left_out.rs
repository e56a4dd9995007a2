//! Contacts that were left out of a step: whether their laws hold nevertheless.
//!
//! In: a step that was made, and contacts at its start that it did not have. Out: their gaps at its end. The caller makes the step again with those that it violates.

use super::contact_point::ContactPoint;
use super::drift::Drift;
use super::stepper::Stepper;
use crate::multibody::Tree;

impl Stepper {
    /// Writes the gaps that contacts have at the end of the last [`Stepper::step`] from time and positions, which was made without them [m].
    ///
    /// Gaps are those of the law of the step, by the velocities found: one that is below minus the tolerance times the step would not be so had the step had the contact. Where positions overlap by more than contacts of the step
    /// may, by half of what is left alone, the gap is the overlap.
    pub fn end_gaps(
        &mut self,
        tree: &Tree,
        tolerance: f64,
        (t, step): (f64, f64),
        q: &[f64],
        left_out: &[ContactPoint],
        gaps: &mut Vec<f64>,
    ) {
        // Loops are projected at the end of a step, with the bodies there.
        if tree.loop_rows() > 0 {
            tree.update_motion(t, q, &self.before, &mut self.start);
        }
        self.locate_motion(tree, (t, step), q, left_out);
        gaps.clear();
        for contact in left_out {
            let mut before = contact.normal.dot(&self.prescribed.start_velocity(contact));
            let theta = self.free.joints.contact_theta(&self.groups, contact);
            let drift = Drift::bias(
                self.drift.of(&self.start, &self.prescribed, contact),
                theta,
                &[contact.normal; 3],
            )[0];
            let mut after = contact.normal.dot(&self.prescribed.velocity(&self.start, contact)) + drift;
            let mut shift = 0.5 * step * (before + after);
            for (body, sign) in [(contact.a, -1.0), (contact.b, 1.0)] {
                tree.each_point_velocity(&self.start, body, contact.at, |k, velocity| {
                    let along = sign * contact.normal.dot(&velocity);
                    before += along * self.before[k];
                    after += along * self.free_velocity[k];
                    shift += along * self.other[k];
                });
            }
            let room = if contact.gap <= contact.closed_gap() { 0.0 } else { contact.gap };
            let opens = if before > tolerance { before } else { 0.0 };
            let (by_law, by_position) = (room + step * (after + opens), room + shift);
            gaps.push(if by_position < -0.5 * contact.slop { by_law.min(by_position) } else { by_law });
        }
    }
}
