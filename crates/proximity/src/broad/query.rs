//! Boxes near a box or along a ray.
//!
//! In: a box or a ray. Out: names of boxes, sorted. Answers come from a tree of the boxes as they were given, made when the first question after a change is
//! asked. Half-spaces are not listed: they are near everything.

use std::ops::ControlFlow;

use zerogap_core::{Aabb, Vec3};

use super::names::BoxId;
use super::phase::BroadPhase;

/// A box and how far it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearBox {
    /// Distance of the boxes, or of the point where a ray enters from its start [m].
    pub distance: f64,
    /// The box.
    pub id: BoxId,
}

impl BroadPhase {
    /// The boxes that intersect a box, touching included, sorted by name.
    pub fn overlapping(&mut self, bounds: &Aabb) -> Vec<BoxId> {
        let mut found = Vec::new();
        if !bounds.is_empty() {
            self.query_tree().overlapping(bounds, &mut |slot| found.push(BoxId(slot)));
        }
        found.sort_unstable();
        found
    }

    /// The boxes that are no farther than a distance [m] from a box, sorted by name.
    pub fn within(&mut self, bounds: &Aabb, distance: f64) -> Vec<BoxId> {
        let mut found = Vec::new();
        if !bounds.is_empty() && distance >= 0.0 {
            self.query_tree().within(bounds, distance, &mut |slot| found.push(BoxId(slot)));
        }
        found.sort_unstable();
        found
    }

    /// The `count` boxes nearest to a box, the nearest first, then by name; fewer where there are not so many.
    pub fn nearest(&mut self, bounds: &Aabb, count: usize) -> Vec<NearBox> {
        if bounds.is_empty() {
            return Vec::new();
        }
        let found = self.query_tree().nearest(bounds, count);
        found.into_iter().map(|(distance, slot)| NearBox { distance, id: BoxId(slot) }).collect()
    }

    /// The boxes that a ray hits within a length [m] from its start, in the order in which it enters them, then by name. A direction of any length; none for
    /// a zero one.
    pub fn cast_ray(&mut self, origin: &Vec3, direction: &Vec3, length: f64) -> Vec<NearBox> {
        let size = direction.norm();
        let mut found = Vec::new();
        if size > 0.0 && size.is_finite() && origin.iter().all(|x| x.is_finite()) {
            let unit = direction / size;
            self.query_tree().cast_ray(origin, &unit, length, &mut |distance, slot| {
                found.push(NearBox { distance, id: BoxId(slot) });
                ControlFlow::Continue(())
            });
        }
        found
    }
}
