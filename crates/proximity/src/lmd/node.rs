//! The hierarchy over the faces of a complex: a ball, a round cone of directions and a mask of classes at every node.
//!
//! Nodes are stored in f32 against the size of the body, rounded outward; all tests on them compute in f64. A node's left child follows it.

use std::f64::consts::{FRAC_PI_2, PI};

use zerogap_core::{Mat3, Vec3};

use super::table::{compatible, leaning};

/// Slack of every angle test on nodes [rad]: covers the roundings of axes in f32 (5e-4 where an angle is near 0), of the quick inverse cosine (7e-5) and the
/// tolerance of the test on faces.
pub(super) const ANGLE_SLACK: f64 = 1e-3;

/// Half-angles from this on are the whole sphere [rad].
pub(super) const WHOLE: f32 = 3.141_592_5;

/// Marks leaves in `link`.
const LEAF: u32 = 1 << 31;

/// One node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// Centre of the ball, in radii of the body from its centre [-].
    pub(super) center: [f32; 3],
    /// Radius of the ball, in radii of the body [-].
    pub(super) radius: f32,
    /// Axis of the cone; zero for the whole sphere [-].
    pub(super) axis: [f32; 3],
    /// Half-angle of the cone [rad].
    pub(super) half: f32,
    /// The right child, or the face with the leaf bit.
    pub(super) link: u32,
    /// Classes of the faces below.
    pub(super) mask: u8,
}

impl Node {
    /// A node before its numbers are known.
    pub(super) const EMPTY: Self =
        Self { center: [0.0; 3], radius: 0.0, axis: [0.0; 3], half: 0.0, link: 0, mask: 0 };

    /// The face, if this is a leaf.
    #[inline]
    pub(super) fn face(&self) -> Option<u32> {
        (self.link & LEAF != 0).then_some(self.link & !LEAF)
    }

    /// The right child of an inner node.
    #[inline]
    pub(super) fn right(&self) -> u32 {
        self.link
    }

    /// Makes it a leaf.
    pub(super) fn set_face(&mut self, face: u32) {
        self.link = face | LEAF;
    }

    /// Makes it an inner node.
    pub(super) fn set_right(&mut self, right: u32) {
        self.link = right;
    }
}

/// A node placed in the frame of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedNode {
    pub(super) center: Vec3,
    pub(super) radius: f64,
    axis: Vec3,
    half: f64,
    pub(super) mask: u8,
}

/// Where a hierarchy is in the frame of a query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Rotation times the radius of the body.
    scaled: Mat3,
    rotation: Mat3,
    center: Vec3,
    scale: f64,
    /// Added to every radius [m] and half-angle [rad]: what motion may change.
    grow: (f64, f64),
}

impl Place {
    /// The hierarchy of a body with this centre and radius, rotated and moved.
    pub(super) fn new(
        rotation: Mat3,
        translation: Vec3,
        center: &Vec3,
        scale: f64,
        grow: (f64, f64),
    ) -> Self {
        let center = rotation * center + translation;
        Self { scaled: rotation * scale, rotation, center, scale, grow }
    }

    /// A node in the frame of the query.
    #[inline]
    pub(super) fn node(&self, node: &Node) -> PlacedNode {
        let wide = |v: [f32; 3]| Vec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]));
        PlacedNode {
            center: self.center + self.scaled * wide(node.center),
            radius: f64::from(node.radius) * self.scale + self.grow.0,
            axis: self.rotation * wide(node.axis),
            half: if node.half >= WHOLE { PI } else { f64::from(node.half) + self.grow.1 },
            mask: node.mask,
        }
    }
}

/// The inverse cosine within 7e-5 rad (Abramowitz and Stegun 4.4.45), of numbers that rounding may have left beyond 1.
#[inline]
fn quick_acos(x: f64) -> f64 {
    let y = x.abs().min(1.0);
    let angle = (1.0 - y).sqrt() * (1.570_728_8 + y * (-0.212_114_4 + y * (0.074_261_0 - y * 0.018_729_3)));
    if x < 0.0 { PI - angle } else { angle }
}

/// Whether faces below two nodes may make a quasi-LMD nearer than `cutoff` [m]: never false where they do.
#[inline]
pub(super) fn may_meet(one: &PlacedNode, two: &PlacedNode, cutoff: f64, angular_tolerance: f64) -> bool {
    if !compatible(one.mask, two.mask) {
        return false;
    }
    let between = two.center - one.center;
    let squared = between.norm_squared();
    let reach = one.radius + two.radius;
    let far = reach + cutoff;
    if squared > far * far {
        return false;
    }
    let (lean_1, lean_2) = leaning(one.mask, two.mask);
    let half_1 = one.half + if lean_1 { angular_tolerance } else { 0.0 } + ANGLE_SLACK;
    let half_2 = two.half + if lean_2 { angular_tolerance } else { 0.0 } + ANGLE_SLACK;
    let (narrow_1, narrow_2) = (half_1 < PI, half_2 < PI);
    if narrow_1 && narrow_2 && half_1 + half_2 < PI && quick_acos(-one.axis.dot(&two.axis)) > half_1 + half_2
    {
        return false;
    }
    if squared <= reach * reach {
        return true;
    }
    let inverse = 1.0 / squared.sqrt();
    let swing = FRAC_PI_2 - quick_acos(reach * inverse);
    let leaves = |axis: &Vec3, half: f64, sign: f64| {
        half + swing < PI && quick_acos(sign * axis.dot(&between) * inverse) > half + swing
    };
    !(narrow_1 && leaves(&one.axis, half_1, 1.0) || narrow_2 && leaves(&two.axis, half_2, -1.0))
}

/// Whether faces below two nodes may intersect.
#[inline]
pub(super) fn may_touch(one: &PlacedNode, two: &PlacedNode) -> bool {
    let reach = one.radius + two.radius;
    (two.center - one.center).norm_squared() <= reach * reach
}

/// Whether vertices below a node may make a quasi-LMD with the plane across the unit vector `normal`, at which the centre is `height` [m] up.
#[inline]
pub(super) fn may_meet_plane(
    one: &PlacedNode,
    normal: &Vec3,
    height: f64,
    cutoff: f64,
    angular_tolerance: f64,
) -> bool {
    let half = one.half + angular_tolerance + ANGLE_SLACK;
    one.mask & 1 != 0
        && height - one.radius <= cutoff
        && (half >= PI || quick_acos(-one.axis.dot(normal)) <= half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::math;

    #[test]
    fn the_quick_inverse_cosine_is_within_its_bound() {
        for k in -10_000..=10_000 {
            let x = f64::from(k) / 10_000.0;
            assert!((quick_acos(x) - math::acos(x)).abs() < 7e-5, "{x}");
        }
        assert!(quick_acos(1.0 + 1e-7) == 0.0);
    }
}
