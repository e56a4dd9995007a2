//! A polytope from the last query, taken to another placement.
//!
//! In: corners by name and the faces over them. Out: the same surface with new places and heights, to grow on from.

use zerogap_core::Vec3;

use super::{Open, Polytope, SAME_DIRECTION, lower};
use crate::convex::body::Body;
use crate::convex::difference::Difference;
use crate::convex::walk::Goal;

impl Polytope {
    /// Follows two polytopes to another placement: the same corners and faces, with their new places and heights. False where they no longer
    /// hold the origin, or are not all there.
    ///
    /// The corners are still points of the difference and the surface is still closed, so heights are bounds as before, also where a face
    /// is no longer convex to its neighbour.
    pub(crate) fn follow<A: Body, B: Body>(
        &mut self,
        difference: &Difference<'_, A, B>,
        goal: &Goal,
    ) -> bool {
        let (first, second) = (difference.a.corner_count(), difference.b.corner_count());
        if self.corners.iter().any(|corner| corner.name_a >= first || corner.name_b >= second) {
            return false;
        }
        for corner in &mut self.corners {
            *corner = difference.corner(corner.name_a, corner.name_b);
        }
        self.noise = goal.noise;
        // Corners that have moved need not be supporting ones any more.
        self.nearest = f64::INFINITY;
        self.open.clear();
        for index in 0..self.faces.len() {
            let face = &mut self.faces[index];
            let [p, q, r] = face.corners.map(|index| self.corners[index as usize].w);
            let cross = (q - p).cross(&(r - p));
            let squared = cross.norm_squared();
            if squared <= 0.0 {
                return false;
            }
            face.normal = cross * squared.sqrt().recip();
            face.height = lower(lower(face.normal.dot(&p), face.normal.dot(&q)), face.normal.dot(&r));
            if face.height < 0.0 {
                return false;
            }
            self.open.push(Open { height: face.height, face: index as u32 });
        }
        !self.faces.is_empty()
    }

    /// How many corners it has.
    pub(crate) fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// Forgets the faces that have died and the corners that no face has any more.
    pub(crate) fn tidy(&mut self) {
        if self.faces.iter().all(|face| face.alive) {
            return;
        }
        let mut place = std::mem::take(&mut self.stack);
        place.clear();
        let mut count = 0;
        place.extend(self.faces.iter().map(|face| {
            let at = count;
            count += u32::from(face.alive);
            at
        }));
        self.faces.retain(|face| face.alive);
        for face in &mut self.faces {
            face.beyond = face.beyond.map(|side| place[(side >> 2) as usize] << 2 | side & 3);
        }
        // Corners in the order in which faces first name them.
        place.clear();
        place.resize(self.corners.len(), u32::MAX);
        let mut kept = std::mem::take(&mut self.spare);
        kept.clear();
        for face in &mut self.faces {
            face.corners = face.corners.map(|corner| {
                let at = &mut place[corner as usize];
                if *at == u32::MAX {
                    *at = kept.len() as u32;
                    kept.push(self.corners[corner as usize]);
                }
                *at
            });
        }
        self.spare = std::mem::replace(&mut self.corners, kept);
        self.stack = place;
    }

    /// Whether another face comes as near to the origin as `limit` [m], in another direction than `outward`.
    pub(crate) fn is_contested(&self, outward: &Vec3, limit: f64) -> bool {
        self.faces
            .iter()
            .any(|face| face.alive && face.height <= limit && face.normal.dot(outward) < SAME_DIRECTION)
    }
}
