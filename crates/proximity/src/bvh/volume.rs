//! What a volume must be able to do to bound a part of a mesh in a hierarchy.

use std::fmt::Debug;

use zerogap_core::{Mat3, Pose, Vec3};

use super::pack::WIDTH;

/// Roundings in double precision between the given numbers and a bound, against the largest length that enters [-]; generous.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// Distances and sizes beyond this many units are measured in double precision [-].
const FAR: f64 = 1e3;

/// Frame of the numbers of a hierarchy: from its middle, scaled to a largest coordinate of one.
///
/// Volumes keep single-precision numbers. Measured like this they lose no digits to a mesh that lies far from its own origin, and cannot
/// overflow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The middle of the mesh [m].
    pub origin: Vec3,
    /// Length of one unit [m]: a power of two.
    pub unit: f64,
}

impl Frame {
    /// The frame for points between two corners of a box [m].
    pub fn around(min: &Vec3, max: &Vec3) -> Self {
        let origin = 0.5 * min + 0.5 * max;
        let reach = (max - origin).amax().max((origin - min).amax());
        // The least power of two that is not below the reach, so that scaling rounds nothing.
        let mut unit = f64::from_bits(reach.max(f64::MIN_POSITIVE).to_bits() & !((1_u64 << 52) - 1));
        if unit < reach {
            unit *= 2.0;
        }
        Self { origin, unit }
    }

    /// A point in units of the frame [-].
    #[inline]
    pub fn place(&self, point: &Vec3) -> Vec3 {
        (point - self.origin) / self.unit
    }
}

/// Pose of hierarchy B relative to hierarchy A.
#[derive(Debug, Clone, Copy)]
pub struct Relative {
    /// Axes of B in A [-].
    pub rotation: Mat3,
    /// The same times the unit of B [m].
    pub scaled_rotation: Mat3,
    /// Middle of B less middle of A, in A [m].
    pub offset: Vec3,
    /// Unit of A [m].
    pub unit_a: f64,
    /// Unit of B [m].
    pub unit_b: f64,
    /// What rounding can hide of a bound [m].
    pub room: f64,
}

impl Relative {
    /// From the axes and the origin of B in A, and both frames.
    pub fn new(rotation: Mat3, translation: &Vec3, a: &Frame, b: &Frame) -> Self {
        let offset = rotation * b.origin + translation - a.origin;
        let reach = a.unit + b.unit + offset.norm() + a.origin.norm() + b.origin.norm() + translation.norm();
        Self {
            rotation,
            scaled_rotation: rotation * b.unit,
            offset,
            unit_a: a.unit,
            unit_b: b.unit,
            room: ROUNDINGS * reach,
        }
    }

    /// The same, seen from B.
    pub fn reversed(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self {
            rotation,
            scaled_rotation: rotation * self.unit_a,
            offset: -(rotation * self.offset),
            unit_a: self.unit_b,
            unit_b: self.unit_a,
            room: self.room,
        }
    }

    /// Whether the two are so far from each other that single precision would blur their shapes.
    pub fn is_far(&self) -> bool {
        self.offset.norm() > FAR * self.unit_a.min(self.unit_b)
            || self.unit_a.max(self.unit_b) > FAR * self.unit_a.min(self.unit_b)
    }
}

/// A convex volume around some triangles, in single precision and in the units of a [`Frame`], all coordinates between -1 and 1.
///
/// Every number is rounded outward, so that a bound is never beyond the truth, rounding included.
pub trait BoundingVolume: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Up to eight of them, kept so that all are measured at once.
    type Pack: Copy + Debug + PartialEq + Send + Sync;
    /// Name in lower case.
    const NAME: &'static str;
    /// Single-precision numbers that it is made of [-].
    const NUMBERS: usize;

    /// A volume around all triangles; around the origin where there are none [units].
    fn fit(triangles: &[[Vec3; 3]]) -> Self;

    /// Its volume when inflated by `margin` on every side, so that flat ones can be compared [units³].
    fn volume(&self, margin: f64) -> f64;

    /// How large it is, to choose which of two is split: half its diagonal or so [units].
    fn size(&self) -> f64;

    /// Some point inside [units].
    fn center(&self) -> Vec3;

    /// How far A is from B at least [m]; negative where they overlap, by some measure of how deep.
    ///
    /// The search for a better bound may end as soon as one is beyond `enough` [m].
    fn separation(&self, other: &Self, at: &Relative, enough: f64) -> f64;

    /// From one to eight volumes.
    fn pack(volumes: &[Self]) -> Self::Pack;

    /// The separations of A from each volume of a pack of B [m]; lanes beyond those of the pack hold anything. May be looser than [`BoundingVolume::separation`], never beyond the truth.
    fn separations(&self, pack: &Self::Pack, at: &Relative, enough: f64, found: &mut [f64; WIDTH]);

    /// A lower bound of the distance of what is in A from what is in B [m], never above the truth.
    fn lower_bound(&self, other: &Self, at: &Relative) -> f64 {
        self.separation(other, at, f64::INFINITY).max(0.0)
    }

    /// Whether the two may have a point in common.
    fn overlaps(&self, other: &Self, at: &Relative) -> bool {
        self.separation(other, at, 0.0) <= 0.0
    }

    /// The largest product of a direction with a point inside, at least [units times the direction's length].
    fn reach(&self, direction: &Vec3) -> f64;

    /// A lower bound of the distance from a point [units].
    fn distance_from(&self, point: &Vec3) -> f64;

    /// Whether the segment between two points may pass through [units].
    fn meets_segment(&self, from: &Vec3, to: &Vec3) -> bool;

    /// A volume of this kind around this one in two poses and on all straight paths of its points between them, in their common frame [units].
    fn swept(&self, start: &Pose, end: &Pose) -> Self;

    /// Its numbers, for storing.
    fn write(&self, numbers: &mut Vec<f32>);

    /// From stored numbers, [`BoundingVolume::NUMBERS`] of them; none where they make no such volume.
    fn read(numbers: &[f32]) -> Option<Self>;
}

/// The single-precision number that is not below `x`.
#[inline]
pub(super) fn up(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) < x { rounded.next_up() } else { rounded }
}

/// The single-precision number that is not above `x`.
#[inline]
pub(super) fn down(x: f64) -> f32 {
    -up(-x)
}

/// Three single-precision numbers as a vector.
#[inline]
pub(super) fn wide(x: &[f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x[0]), f64::from(x[1]), f64::from(x[2]))
}

/// The eight corners of a box in two poses, each as a triangle without area, so that any volume can be fitted to them.
pub(super) fn swept_corners(corners: &[Vec3; 8], start: &Pose, end: &Pose) -> [[Vec3; 3]; 16] {
    std::array::from_fn(|k| {
        let pose = if k < 8 { start } else { end };
        [pose.transform_point(&corners[k % 8]); 3]
    })
}
