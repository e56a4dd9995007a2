//! A portal: three support points that the ray from an inner point passes between.
//!
//! In: the inner point r0, the ray's unit direction d, and support points. Out: portals nearer and nearer to where the ray leaves the set.
//! Every portal is right-handed, det(r1 - r0, r2 - r0, r3 - r0) > 0, so that its normal points away from r0; a triangle that is not
//! makes no portal.

use zerogap_core::Vec3;

use super::foot::{Foot, nearest_to_origin, on_side};
use super::measured::{SizedDifference, Vertex};

/// Roundings in the distance of a point to the plane through three others, against the products of lengths that enter it [-].
const PLANE_ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Three support points seen from r0, counter-clockwise from outside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portal {
    r0: Vec3,
    pub(super) corners: [Vertex; 3],
    /// Unit normal, away from r0 [-].
    pub(super) normal: Vec3,
}

impl Portal {
    /// The portal through three points, unless they are not right-handed as seen from r0, beyond rounding.
    fn new(r0: Vec3, corners: [Vertex; 3]) -> Option<Self> {
        let [r1, r2, r3] = corners.map(|v| v.r);
        let area = (r2 - r1).cross(&(r3 - r1));
        let normal = area / area.norm();
        // This height times the area is the determinant; it is NaN where the triangle has no area.
        let height = normal.dot(&(r1 - r0));
        (height > 0.0).then_some(Self { r0, corners, normal })
    }

    /// Whether det(r1 - r0, r2 - r0, r3 - r0) is positive, to rounding.
    fn is_right_handed(&self) -> bool {
        let [s1, s2, s3] = self.corners.map(|v| v.r - self.r0);
        s1.cross(&s2).dot(&s3) > -PLANE_ROUNDINGS * s1.norm() * s2.norm() * s3.norm()
    }

    /// Height of the portal's plane over the origin, along the normal [m]: negative where the origin lies beyond it.
    pub(super) fn plane(&self) -> f64 {
        self.corners.iter().map(|v| self.normal.dot(&v.r)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Where the portal is nearest to the origin.
    pub(super) fn foot(&self) -> Foot {
        nearest_to_origin(&self.corners.map(|v| v.r))
    }

    /// The portal through which the ray passes after `w`, a point beyond this one, has become a corner.
    fn refined(&self, d: &Vec3, w: &Vertex) -> Option<Self> {
        let [v1, v2, v3] = self.corners;
        // Three planes through r0 and w part the portal; the ray lies to one side of each. They cannot all agree, because the ray is
        // a sum of the directions to the corners with weights that are not negative: two answers settle it.
        let turn = (w.r - self.r0).cross(d);
        let side = |v: &Vertex| -turn.dot(&(v.r - self.r0));
        let corners = if side(&v1) >= 0.0 {
            if side(&v2) <= 0.0 { [v1, v2, *w] } else { [*w, v2, v3] }
        } else if side(&v3) >= 0.0 {
            [v1, *w, v3]
        } else {
            [*w, v2, v3]
        };
        Self::new(self.r0, corners)
    }

    /// How deep the origin surely lies in the tetrahedron of r0 and the corners [m]; 0 where that is not certain.
    pub(super) fn inner_depth(&self) -> f64 {
        let [r1, r2, r3] = self.corners.map(|v| v.r);
        // The height of the origin over the plane through `on` along p and q, on the side that p × q does not point to; less its own rounding.
        let depth_below = |p: Vec3, q: Vec3, on: Vec3| {
            let area = p.cross(&q);
            let rounding = PLANE_ROUNDINGS * p.norm() * q.norm() * on.norm();
            (area.dot(&on) - rounding) / area.norm()
        };
        let [s1, s2, s3] = [r1 - self.r0, r2 - self.r0, r3 - self.r0];
        let depths = [
            depth_below(r2 - r1, r3 - r1, r1),
            depth_below(s2, s1, self.r0),
            depth_below(s3, s2, self.r0),
            depth_below(s1, s3, self.r0),
        ];
        // A side without area has no number here, and no depth is certain then.
        if depths.iter().all(|depth| *depth > 0.0) {
            depths.into_iter().fold(f64::INFINITY, f64::min)
        } else {
            0.0
        }
    }

    /// How far the origin is from the part of the ray between r0 and the portal [m]: both ends are points of the set, so nothing of it is needed to be
    /// nearer. Nothing but rounding for an origin in the set.
    pub(super) fn beside_ray(&self, d: &Vec3) -> f64 {
        let [s1, s2, s3] = self.corners.map(|v| v.r - self.r0);
        // Where the ray passes the portal, as a mean of its corners.
        let weights = [s2.cross(&s3), s3.cross(&s1), s1.cross(&s2)].map(|area| area.dot(d).max(0.0));
        let sum = weights[0] + weights[1] + weights[2];
        let passed = Vertex::mix(&self.corners, &weights.map(|weight| weight / sum));
        let part = on_side(&self.r0, &passed.r);
        let distance = (self.r0 * (1.0 - part) + passed.r * part).norm();
        // No number where rounding leaves the ray beside the portal: the portal's own nearest point will do.
        if distance.is_finite() { distance } else { self.foot_distance() }
    }

    fn foot_distance(&self) -> f64 {
        Vertex::mix(&self.corners, &self.foot().weights).r.norm()
    }
}

/// How a search for the first portal ended.
pub(super) enum Discovery {
    /// The ray passes through it.
    Portal(Portal),
    /// The inner point lies on the border of the set: nothing of the set lies beyond it along this unit vector.
    Border(Vec3),
    /// The step limit came first; these are the last points.
    Limited([Vertex; 3]),
}

/// The first portal (section 4.1, eqs. 8-10).
///
/// `r1` is the support point along the ray, `e2` a unit vector across the plane of the ray and r1. Each step turns a plane through r0 and two
/// points toward the ray until it lies between all three.
pub(super) fn discover(
    set: &mut SizedDifference<'_>,
    r0: &Vertex,
    d: &Vec3,
    r1: Vertex,
    e2: &Vec3,
    max_steps: u32,
) -> Discovery {
    let from_r0 = |v: &Vertex| v.r - r0.r;
    let v2 = set.support(e2);
    if e2.dot(&from_r0(&v2)) <= set.thin {
        return Discovery::Border(*e2);
    }
    let mut corners = [r1, v2, v2];
    // The plane through r0, r1, r2 has the ray on its positive side: r3 is searched there.
    let mut across = from_r0(&corners[0]).cross(&from_r0(&corners[1]));
    for _ in 0..=max_steps {
        // Points that underflow leaves in one plane with r0 are no better than a flat set.
        let area = across.norm();
        if area <= 0.0 {
            return Discovery::Border(*e2);
        }
        let e3 = across / area;
        let v3 = set.support(&e3);
        if e3.dot(&from_r0(&v3)) <= set.thin {
            return Discovery::Border(e3);
        }
        corners[2] = v3;
        let [s1, s2, s3] = [from_r0(&corners[0]), from_r0(&corners[1]), from_r0(&v3)];
        // Beyond the plane through r1 and r3, then beyond that through r3 and r2: the point on the other side is dropped.
        across = s1.cross(&s3);
        if across.dot(d) > 0.0 {
            corners[1] = v3;
            continue;
        }
        across = s3.cross(&s2);
        if across.dot(d) > 0.0 {
            corners[0] = v3;
            continue;
        }
        return match Portal::new(r0.r, corners) {
            Some(portal) => Discovery::Portal(portal),
            None => Discovery::Border(e3),
        };
    }
    Discovery::Limited(corners)
}

/// How a refinement ended.
pub(super) enum Refined {
    /// The support point beyond the portal lies on its normal: the nearest point, for shapes apart.
    OnNormal(Vertex),
    /// No point of the set lies beyond the portal's plane, to the tolerance.
    OnPlane,
    /// Rounding leaves no better portal.
    Stalled,
    /// The step limit came first.
    Limited,
}

/// Moves the portal outward until it lies on the border of the set (section 4.2, eqs. 11-13), and on until the sign is certain.
pub(super) fn refine(
    set: &mut SizedDifference<'_>,
    portal: &mut Portal,
    d: &Vec3,
    tolerance: f64,
    max_steps: u32,
) -> Refined {
    for _ in 0..=max_steps {
        debug_assert!(portal.is_right_handed(), "the portal faces r0: {portal:?}");
        let e = portal.normal;
        let w = set.support(&e);
        let (plane, reach) = (portal.plane(), e.dot(&w.r));
        let apart = set.best > set.slack;
        if -reach > set.slack && w.r.cross(&e).norm() <= tolerance {
            return Refined::OnNormal(w);
        }
        // The origin between the portal's plane and the plane through w may be in or out: only rounding ends the search there.
        let certain = apart || plane > set.slack;
        let advance = reach - plane;
        if advance <= set.slack || (certain && advance <= tolerance) {
            return Refined::OnPlane;
        }
        match portal.refined(d, &w) {
            Some(next) => *portal = next,
            None => return Refined::Stalled,
        }
    }
    Refined::Limited
}
