//! When two moving bodies first touch.
//!
//! In: two shapes, their motions and a span of time. Out: an [`Impact`]: proof that they do not, or when, where and along which normal.

use std::collections::BinaryHeap;

use zerogap_core::{ContactId, Gap, Vec3};
use zerogap_geometry::{ConvexShape, Shape};

use super::advance::{Span, advance};
use super::advancement::Advanced;
use super::parts::Whole;
use super::probe::{Chase, ConvexChase, PlaneChase};
use super::pursuit::{Two, Waiting};
use super::{Motion, MotionError, checked};
use crate::ProximityError;
use crate::convex::PairCache;
use crate::mesh::MeshOperand;

/// How often the end of the bracket of a contact time is moved out before it is given up [-].
const BRACKETS: u32 = 3;

/// Parameters of [`time_of_impact`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ImpactParams {
    /// Distance beyond the separation at which the bodies count as in contact [m]. 0 selects the smallest that rounding allows.
    pub tolerance: f64,
    /// Gap that counts as touching [m]; may be negative, for bodies that may overlap.
    pub min_separation: f64,
    /// Maximum number of steps [-]; then the answer is [`Impact::Limited`].
    pub max_steps: u32,
}

impl Default for ImpactParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, min_separation: 0.0, max_steps: 10_000 }
    }
}

/// Impact of two moving bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Impact {
    /// Proven: the gap stays above the separation, or, for bodies that begin in contact, never falls below where it began by more than the tolerance.
    Clear,
    /// An impact.
    At(FirstContact),
    /// The steps ran out: proven free before `t`, and nothing is known from there on.
    Limited {
        /// Free before this time [s].
        t: f64,
        /// The gap at this time [m].
        gap: f64,
    },
}

impl Impact {
    /// Proven free before this time [s]; `duration` where there is no impact.
    pub fn free_until(&self, duration: f64) -> f64 {
        match self {
            Self::Clear => duration,
            Self::At(contact) => contact.t,
            Self::Limited { t, .. } => *t,
        }
    }

    /// The same seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::At(contact) => Self::At(contact.swapped()),
            other => other,
        }
    }

    /// The contact, if there is one.
    pub fn first_contact(&self) -> Option<&FirstContact> {
        match self {
            Self::At(contact) => Some(contact),
            _ => None,
        }
    }
}

/// Time and place of an impact of two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstContact {
    /// Proven free before [s]; here the gap is within separation and tolerance.
    pub t: f64,
    /// Upper bound of the time of contact, extrapolated with the approach speed at `t`, with room for rounding [s]; `t` where they do not approach.
    pub t_upper: f64,
    /// Whether it was seen that they touch at `t_upper`, to rounding. Flat bodies that cross do so for an instant only.
    pub touches: bool,
    /// The gap at `t` [m].
    pub gap: f64,
    /// Rate of the gap at `t` [m/s]; negative where the bodies approach.
    pub gap_rate: f64,
    /// Unit vector from A to B at `t` [-].
    pub normal: Vec3,
    /// The nearest point of A at `t` [m].
    pub point_a: Vec3,
    /// The nearest point of B at `t` [m].
    pub point_b: Vec3,
    /// Whether they were in contact at the start; `t` is then 0 if they were closing in, else when they had closed in by the tolerance.
    pub began_in_contact: bool,
    /// The colliding features of meshes; none where neither body is a mesh.
    pub features: Option<ContactId>,
}

impl FirstContact {
    /// The same contact seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            features: self.features.map(ContactId::swapped),
            ..self
        }
    }
}

/// Reusable memory of queries on pairs, and their cost.
#[derive(Debug, Default)]
pub struct ImpactWork {
    pub(super) cache: PairCache,
    pub(super) waiting: BinaryHeap<Waiting>,
    /// Pieces that are in contact at the start, or nearly.
    pub(super) flush: Vec<(u32, u32)>,
    /// Gap queries of the last call [-].
    pub steps: u32,
}

/// Returns the first time of impact of two moving bodies within `duration` [s].
///
/// Computes: the first time at which the gap falls to `min_separation`, from below: up to `t` they are proven free. Bodies that begin in
///   contact have their impact at 0 if they approach; if they rest, slide or separate there is none until they have separated and come back.
/// Frames: the world.
/// Method: conservative advancement (Mirtich 1996, with Redon's tightening along the normal) with three proofs per step: the bound on how
///   fast they can close in, the reach of the bodies however they turn, and two separations along one normal less the bend between
///   them. The last is what makes few steps do: each leaves 2 % of the gap, or the tolerance.
/// Tolerance: at `t` the gap is no more than `min_separation + tolerance` (1e-13 of the coordinates at least). Between `t` and `t_upper` the
///   bodies are proven to touch.
/// Cost: 3 to 15 gaps for most pairs with an impact, 1 to 3 for those without; about 5 more per radian of rotation near each other.
/// Fails: shapes without a gap of their own ([`super::MotionError::Shapes`]), for which see [`crate::collider::first_touch`]; [`Impact::Limited`] after `max_steps`.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_proximity::motion::{Impact, ImpactParams, Motion, time_of_impact};
///
/// // A bullet through paper: 1 mm at 1000 m/s.
/// let (sheet, ball) = (Shape::cuboid(Vec3::new(1.0, 1.0, 1e-4))?, Shape::sphere(0.5e-3)?);
/// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 5.0))?;
/// let shot = Motion::new(above, Vec3::new(0.0, 0.0, -1000.0), Vec3::zeros())?;
/// let still = Motion::fixed(Pose::identity());
/// let impact = time_of_impact(&sheet, &still, &ball, &shot, 1e-2, &ImpactParams::default())?;
/// let Impact::At(contact) = impact else { panic!("it was hit") };
/// let exact = (5.0 - 0.5e-3 - 0.5e-4) / 1000.0;
/// assert!(contact.t <= exact && exact <= contact.t_upper && contact.t_upper - contact.t < 1e-10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time_of_impact(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    duration: f64,
    params: &ImpactParams,
) -> Result<Impact, MotionError> {
    let (Some(side_a), Some(side_b)) = (solid(a), solid(b)) else {
        return Err(ProximityError::of_shapes(a, b).into());
    };
    mesh_time_of_impact(&mut ImpactWork::default(), side_a, motion_a, side_b, motion_b, duration, params)
}

/// A shape with a gap of its own; none for meshes and compounds, which [`crate::collider::first_touch`] takes.
fn solid(shape: &Shape) -> Option<MeshOperand<'_>> {
    match shape {
        Shape::Convex(shape) => Some(MeshOperand::Convex(shape)),
        Shape::HalfSpace(plane) => Some(MeshOperand::HalfSpace(plane)),
        Shape::Compound(_) | Shape::Mesh(_) | Shape::HeightField(_) | Shape::Complex(_) => None,
    }
}

/// [`time_of_impact`] of meshes as they are, each a surface, and of convex shapes.
///
/// Method: boxes of both hierarchies wait in the order of the time up to which they are proven free; pairs of triangles are advanced as
///   convex shapes. What would come later than the first contact is never checked.
/// Meshes in contact at the start have their impact at 0 if they approach, and otherwise when their gap has fallen by the tolerance.
pub fn mesh_time_of_impact(
    work: &mut ImpactWork,
    a: MeshOperand<'_>,
    motion_a: &Motion,
    b: MeshOperand<'_>,
    motion_b: &Motion,
    duration: f64,
    params: &ImpactParams,
) -> Result<Impact, MotionError> {
    checked(duration)?;
    work.steps = 0;
    Ok(match (a, b) {
        (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) => {
            Two { a, motion_a, b, motion_b }.find_first_contact(duration, params, work)
        }
        (MeshOperand::Mesh(a), MeshOperand::Convex(b)) => {
            Two { a, motion_a, b: &Whole(b), motion_b }.find_first_contact(duration, params, work)
        }
        (MeshOperand::Convex(a), MeshOperand::Mesh(b)) => {
            Two { a: &Whole(a), motion_a, b, motion_b }.find_first_contact(duration, params, work)
        }
        (MeshOperand::Convex(a), MeshOperand::Convex(b)) => {
            time_of_impact_with(work, a, motion_a, b, motion_b, duration, params)
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Mesh(b)) => {
            let mut pair = PlaneChase::new(a, motion_a, b, motion_b, duration);
            find_first_contact(&mut pair, duration, params, &mut work.steps)
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Convex(b)) => {
            let mut pair = PlaneChase::new(a, motion_a, b, motion_b, duration);
            find_first_contact(&mut pair, duration, params, &mut work.steps)
        }
        (MeshOperand::HalfSpace(_), MeshOperand::HalfSpace(_)) => {
            return Err(ProximityError::BothUnbounded.into());
        }
        (_, MeshOperand::HalfSpace(_)) => {
            mesh_time_of_impact(work, b, motion_b, a, motion_a, duration, params)?.swapped()
        }
    })
}

/// [`time_of_impact`] of two convex shapes; allocates nothing after the first questions.
pub fn time_of_impact_with(
    work: &mut ImpactWork,
    a: &ConvexShape,
    motion_a: &Motion,
    b: &ConvexShape,
    motion_b: &Motion,
    duration: f64,
    params: &ImpactParams,
) -> Impact {
    work.steps = 0;
    let mut pair = ConvexChase::new(a, motion_a, b, motion_b, duration, &mut work.cache);
    find_first_contact(&mut pair, duration, params, &mut work.steps)
}

/// The first contact of a pair.
pub(super) fn find_first_contact(
    pair: &mut impl Chase,
    duration: f64,
    params: &ImpactParams,
    steps: &mut u32,
) -> Impact {
    let tolerance = params.tolerance.max(4.0 * pair.rounding());
    let touching = params.min_separation + tolerance;
    let mut from = 0.0;
    let start = pair.gap(0.0);
    *steps += 1;
    if start.gap <= touching {
        // In contact: only closing in counts, until they have parted.
        let span = Span {
            from,
            to: duration,
            level: start.gap - 2.0 * tolerance,
            tolerance,
            release: touching + tolerance,
            max_steps: params.max_steps,
        };
        match advance(pair, &span, steps) {
            Advanced::Clear => return Impact::Clear,
            Advanced::Released { t } => from = t,
            Advanced::Limited { t, sample: gap } => return Impact::Limited { t, gap: gap.gap },
            Advanced::Near { t, sample: gap, .. } => {
                let rate = pair.rate(0.0, &start);
                let (t, gap) = if rate < 0.0 { (0.0, start) } else { (t, gap) };
                return Impact::At(FirstContact {
                    began_in_contact: true,
                    ..first_contact_at(pair, t, (t, true), &gap)
                });
            }
        }
    }
    let level = params.min_separation;
    let span =
        Span { from, to: duration, level, tolerance, release: f64::INFINITY, max_steps: params.max_steps };
    match advance(pair, &span, steps) {
        Advanced::Clear | Advanced::Released { .. } => Impact::Clear,
        Advanced::Limited { t, sample: gap } => Impact::Limited { t, gap: gap.gap },
        Advanced::Near { t, sample: gap, .. } => {
            let upper = touching_by(pair, t, &gap, duration, level, steps);
            Impact::At(first_contact_at(pair, t, upper, &gap))
        }
    }
}

pub(super) fn first_contact_at(
    pair: &impl Chase,
    t: f64,
    (t_upper, touches): (f64, bool),
    gap: &Gap,
) -> FirstContact {
    FirstContact {
        t,
        t_upper,
        touches,
        gap: gap.gap,
        gap_rate: pair.rate(t, gap),
        normal: gap.normal,
        point_a: gap.point_a,
        point_b: gap.point_b,
        began_in_contact: false,
        features: None,
    }
}

/// A time soon after `t` by which the pair touches, and whether it was seen to.
pub(super) fn touching_by(
    pair: &mut impl Chase,
    t: f64,
    gap: &Gap,
    duration: f64,
    level: f64,
    steps: &mut u32,
) -> (f64, bool) {
    let rounding = pair.rounding();
    if gap.upper <= level + rounding {
        return (t, true);
    }
    let closing = -pair.rate(t, gap);
    let left = (gap.gap - level + rounding) / closing;
    // Comparisons that fail for what does not close in.
    if !(closing > 0.0 && left.is_finite()) {
        return (t, false);
    }
    let mut ahead = 1.25 * left;
    for _ in 0..BRACKETS {
        let then = (t + ahead).min(duration);
        *steps += 1;
        if pair.gap(then).upper <= level + rounding {
            return (then, true);
        }
        ahead *= 2.0;
    }
    ((t + 4.0 * left).min(duration), false)
}
