//! The vertex of a mesh that lies farthest along a direction, by its tree of boxes.
//!
//! In: a body and a direction. Out: a point of the surface. Ties go to the vertex that the tree comes to first; same bits every time.

use zerogap_core::Vec3;

use super::body::MeshBody;

impl MeshBody {
    /// Returns the point of the surface that lies farthest along a direction of any length [m].
    ///
    /// Cost: about two boxes a level of the tree for a compact body, all vertices at worst; no allocation.
    pub fn farthest(&self, direction: &Vec3) -> Vec3 {
        let mut best = (f64::NEG_INFINITY, self.at(0)[0]);
        self.farthest_below(0, direction, &mut best);
        best.1
    }

    /// The farthest vertex below a node along a direction, if it is farther than the best so far.
    fn farthest_below(&self, node: u32, direction: &Vec3, best: &mut (f64, Vec3)) {
        let node = &self.tree().nodes()[node as usize];
        if node.is_leaf() {
            for p in (node.first..node.first + node.count).flat_map(|place| self.at(place as usize)) {
                if direction.dot(p) > best.0 {
                    *best = (direction.dot(p), *p);
                }
            }
            return;
        }
        let mut children = [node.first, node.first + 1].map(|child| (self.height(child, direction), child));
        if children[1].0 > children[0].0 {
            children.swap(0, 1);
        }
        for (height, child) in children {
            if height > best.0 {
                self.farthest_below(child, direction, best);
            }
        }
    }

    /// How far the box of a node reaches along a direction, against the direction's length [m].
    fn height(&self, node: u32, direction: &Vec3) -> f64 {
        let frame = self.tree().frame();
        let (center, axes, half) = self.tree().nodes()[node as usize].volume.spanned();
        let reach: f64 = (0..3).map(|k| direction.dot(&axes[k]).abs() * half[k]).sum();
        direction.dot(&(frame.origin + center * frame.unit)) + reach * frame.unit
    }
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::parts::by_name;
    use zerogap_testkit::random::Random;

    use super::*;

    #[test]
    fn the_farthest_vertex_is_that_of_a_scan() {
        let mut random = Random::new(9);
        for part in ["box", "hole-plate", "gear", "thread-bolt"] {
            let body = MeshBody::new(by_name(part, &[]).unwrap());
            for _ in 0..500 {
                let direction = random.direction() * random.range(0.1, 10.0);
                let heights = body.mesh().corner_triples().flatten().map(|p| direction.dot(&p));
                let scanned = heights.fold(f64::NEG_INFINITY, f64::max);
                let found = direction.dot(&body.farthest(&direction));
                assert!(found.to_bits() == scanned.to_bits(), "{part}: {found} is not {scanned}");
            }
        }
    }
}
