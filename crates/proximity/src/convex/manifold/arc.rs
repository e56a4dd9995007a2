//! Where the rim of a disc crosses a side, on the arc and not on the chord that stands for it.
//!
//! In: two sides that cross, seen along the normal, and the place where their chords do. Out: the point of A's surface where the true curves
//! cross. So the corners of a disc that hangs over an edge do not depend on how its rim is sampled.

use zerogap_core::Vec3;

use super::patch::Patch;

/// Steps towards the crossing of two arcs [-]: each doubles the digits, from the few that a chord of a sampled rim has.
const MAX_STEPS: usize = 8;

/// How far a crossing may be from the second of two circles, against its radius [-]: the search has come to rest or it has not.
const ON_BOTH: f64 = 1e-9;

/// A side as a curve: its two ends, and the circle that it is an arc of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curve {
    from: Vec3,
    to: Vec3,
    circle: Option<Circle>,
}

/// The circle of a disc.
#[derive(Debug, Clone, Copy)]
struct Circle {
    center: Vec3,
    radius: f64,
    /// Unit normal of its plane [-].
    normal: Vec3,
}

impl Curve {
    /// A side of a patch.
    pub(super) fn of(patch: &Patch, index: usize) -> Self {
        let to = &patch.corners[(index + 1) % patch.corners.len()];
        let circle = patch.rim.map(|(center, radius)| Circle { center, radius, normal: patch.normal });
        Self { from: patch.corners[index].point, to: to.point, circle }
    }
}

impl Circle {
    /// The point on a plane through a point, given with its normal of any length, that is nearest to another one.
    fn on_plane(&self, point: &Vec3, across: &Vec3, near: &Vec3) -> Option<Vec3> {
        // The plane cuts the disc in a line; half of its chord follows from how far that is from the centre.
        let inward = across - self.normal * self.normal.dot(across);
        let length = inward.norm();
        let offset = across.dot(&(point - self.center)) / length;
        let half = (self.radius * self.radius - offset * offset).sqrt();
        let foot = self.center + inward * (offset / length);
        let along = self.normal.cross(&inward) * (half / length);
        let side = if along.dot(&(near - foot)) < 0.0 { -1.0 } else { 1.0 };
        let found = foot + along * side;
        found.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// The nearest point of the circle to a point off its axis, and the tangent there.
    fn nearest(&self, point: &Vec3) -> (Vec3, Vec3) {
        let out = point - self.center;
        let out = out - self.normal * self.normal.dot(&out);
        (self.center + out * (self.radius / out.norm()), self.normal.cross(&out))
    }
}

/// Where two sides cross, seen along the contact normal: a point of one of them; `chord` is where their chords do.
pub(super) fn crossing(a: &Curve, b: &Curve, normal: &Vec3, chord: Vec3) -> Vec3 {
    let on_straight = |circle: &Circle, side: &Curve| {
        let along = side.to - side.from;
        let found = circle.on_plane(&side.from, &normal.cross(&along), &chord)?;
        // A side that ends between chord and arc is whole: it crosses at its end.
        let flat = along - normal * normal.dot(&along);
        let part = flat.dot(&(found - side.from));
        match part {
            _ if part < 0.0 => Some(side.from),
            _ if part > flat.norm_squared() => Some(side.to),
            _ => Some(found),
        }
    };
    let found = match (a.circle, b.circle) {
        (None, None) => None,
        (Some(circle), None) => on_straight(&circle, b),
        (None, Some(circle)) => on_straight(&circle, a),
        (Some(first), Some(second)) => two_arcs(&first, &second, normal, &chord),
    };
    found.unwrap_or(chord)
}

/// Where two circles cross, near a point: A's circle with the tangent of B's, again and again.
fn two_arcs(a: &Circle, b: &Circle, normal: &Vec3, chord: &Vec3) -> Option<Vec3> {
    let mut point = *chord;
    for _ in 0..MAX_STEPS {
        // Seen along the normal, in the plane of B.
        let over = point + normal * (b.normal.dot(&(b.center - point)) / b.normal.dot(normal));
        let (touch, tangent) = b.nearest(&over);
        let next = a.on_plane(&touch, &normal.cross(&tangent), &point)?;
        let step = (next - point).amax();
        point = next;
        if step <= f64::EPSILON * a.radius {
            break;
        }
    }
    // Rims whose chords cross need not cross themselves: then the chords stand, which lie in both discs.
    let over = point + normal * (b.normal.dot(&(b.center - point)) / b.normal.dot(normal));
    ((b.nearest(&over).0 - over).amax() <= ON_BOTH * b.radius).then_some(point)
}

#[cfg(test)]
mod tests {
    use zerogap_core::{Contact, Feature, Pose};
    use zerogap_geometry::ConvexShape;
    use zerogap_geometry::shape::{Cuboid, Cylinder, Segment};

    use super::super::{ContactParams, contacts};
    use super::*;

    fn can() -> ConvexShape {
        Cylinder::new(0.5, 1.0).unwrap().into()
    }

    fn at(x: f64, y: f64, z: f64) -> Pose {
        Pose::from_translation(Vec3::new(x, y, z)).unwrap()
    }

    /// The points of A at which two edges cross, whatever the number of points on a rim.
    fn crossings(a: &ConvexShape, b: &ConvexShape, pose_b: &Pose) -> Vec<Vec3> {
        let mut all: Option<Vec<Vec3>> = None;
        for arc_tolerance in [0.3, 0.08, 0.02, 0.001] {
            let params = ContactParams { arc_tolerance, ..ContactParams::default() };
            let manifold = contacts(a, &Pose::identity(), b, pose_b, &params);
            let is_edge = |feature: Feature| matches!(feature, Feature::Edge(_));
            let crosses = |contact: &&Contact| is_edge(contact.id.a) && is_edge(contact.id.b);
            let mut points: Vec<Vec3> = manifold.contacts.iter().filter(crosses).map(|c| c.point_a).collect();
            points.sort_by(|p, q| p.y.total_cmp(&q.y));
            if let Some(all) = &all {
                assert_eq!(all.len(), points.len(), "{manifold:#?}");
                assert!(all.iter().zip(&points).all(|(p, q)| (p - q).amax() < 1e-14));
            }
            all = Some(points);
        }
        all.unwrap()
    }

    #[test]
    fn a_can_over_the_edge_of_a_table_ends_where_its_rim_crosses_the_edge() {
        let table: ConvexShape = Cuboid::new(Vec3::new(4.0, 4.0, 1.0)).unwrap().into();
        for (a, b, z) in [(&table, &can(), 1.0), (&can(), &table, -1.0)] {
            // The edge at x = 2 is 0.3 from the axis: half a chord of 0.4.
            let x = if z > 0.0 { 1.7 } else { -1.7 };
            let points = crossings(a, b, &at(x, 0.0, z));
            assert_eq!(points.len(), 2);
            let (edge, height) = if z > 0.0 { (2.0, 0.5) } else { (0.3, -0.5) };
            assert!((points[0] - Vec3::new(edge, -0.4, height)).amax() < 1e-14, "{points:?}");
            assert!((points[1] - Vec3::new(edge, 0.4, height)).amax() < 1e-14, "{points:?}");
        }
    }

    #[test]
    fn two_cans_share_a_lens_with_its_true_tips() {
        let points = crossings(&can(), &can(), &at(0.6, 0.0, 1.0));
        assert_eq!(points.len(), 2);
        assert!((points[0] - Vec3::new(0.3, -0.4, 0.5)).amax() < 1e-14, "{points:?}");
        assert!((points[1] - Vec3::new(0.3, 0.4, 0.5)).amax() < 1e-14, "{points:?}");
    }

    #[test]
    fn a_rod_on_a_can_ends_at_the_rim() {
        let rod: ConvexShape =
            Segment::new(Vec3::new(-2.0, 0.3, 0.0), Vec3::new(2.0, 0.3, 0.0)).unwrap().into();
        for arc_tolerance in [0.3, 0.08, 0.001] {
            let params = ContactParams { arc_tolerance, ..ContactParams::default() };
            let manifold = contacts(&can(), &Pose::identity(), &rod, &at(0.0, 0.0, 0.5), &params);
            assert_eq!(manifold.contacts.len(), 2);
            for contact in &manifold.contacts {
                let expected = Vec3::new(0.4 * contact.point_a.x.signum(), 0.3, 0.5);
                assert!((contact.point_a - expected).amax() < 1e-14, "{:?}", contact.point_a);
            }
        }
    }
}
