//! Moving vertex against moving face, moving edge against moving edge: never a miss.
//!
//! In: where the vertices are at the start and at the end of a step; each moves on a straight line at its own constant speed. Out: a
//! [`Sweep`]: proof that the two stay apart, or a time at which they are as near as the tolerance.
//!
//! The idea is that of inclusion tests (Wang, Ferguson, Schneider, Jiang, Attene and Panozzo 2021): the difference of the two features over an
//! interval of time lies in the convex hull of the differences of their corners at both ends. Unlike there, hulls are separated from the
//! origin along any direction, not along three axes: one direction then clears a whole interval of time, and time is rarely cut at all.
//! `bundle` holds the corner differences, `direction` proposes directions, which need not be right, `search` proves and cuts. Only sums and
//! products of the given numbers enter a proof, with a bound on their rounding.

mod bundle;
mod direction;
mod search;

use zerogap_core::Vec3;

use self::bundle::Bundle;
use super::MotionError;

/// Parameters of [`vertex_face`] and [`edge_edge`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepParams {
    /// Distance beyond the separation at which a collision is reported [m]. 0 selects the smallest that rounding allows.
    pub tolerance: f64,
    /// Distance that counts as touching [m].
    pub min_separation: f64,
    /// Maximum number of directions that are tried [-]; then the answer is [`SweepStatus::Limited`].
    pub budget: u32,
}

impl Default for SweepParams {
    fn default() -> Self {
        Self { tolerance: 1e-6, min_separation: 0.0, budget: 20_000 }
    }
}

/// Status of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SweepStatus {
    /// Proven: the two are farther apart than the separation at all times.
    Clear,
    /// At `t_upper` the two are no farther apart than separation, tolerance and rounding.
    Hit,
    /// The budget ended first: clear before `t_lower`, and nothing is known from there on.
    Limited,
}

impl SweepStatus {
    /// The status in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Clear => "clear",
            Self::Hit => "hit",
            Self::Limited => "limited",
        }
    }
}

/// Result for two moving features A and B in a step; times run from 0 at its start to 1 at its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// Status.
    pub status: SweepStatus,
    /// Proven: the two do not touch before [-]. 1 where they never do.
    pub t_lower: f64,
    /// The time of the hit [-]: where the two truly collide, they first do between `t_lower` and here, except for grazing contact at the level of rounding.
    /// 1 where they never do.
    pub t_upper: f64,
    /// Distance of the two at `t_lower` [m]; infinite where they stay clear.
    pub distance: f64,
    /// Unit vector from A to B at `t_lower` [-].
    pub normal: Vec3,
    /// Directions that were tried [-].
    pub steps: u32,
}

impl Sweep {
    /// Whether it must be taken as a collision: every answer that is not a proof of the opposite.
    pub fn is_hit(&self) -> bool {
        self.status != SweepStatus::Clear
    }

    pub(crate) fn clear(steps: u32) -> Self {
        Self {
            status: SweepStatus::Clear,
            t_lower: 1.0,
            t_upper: 1.0,
            distance: f64::INFINITY,
            normal: Vec3::z(),
            steps,
        }
    }
}

/// Whether a moving vertex A collides with a moving triangle B, and when.
///
/// Computes: proof that they stay farther apart than `min_separation`, or the first time at which that proof fails.
/// Frames: any one frame for all points.
/// Method: module text. Differs from the paper named there: directions instead of boxes, time advances instead of being bisected, and
///   the triangle is cut only where one direction does not serve all of it.
/// Tolerance: a contact is never missed, whatever the rounding. A hit is reported only if the two come within
///   `min_separation + tolerance`, plus 1e-13 of the largest distance between vertex and corners.
/// Cost: one pass over the corners where a plane of the axes separates; then 0.1 to 0.3 µs per direction, of which most queries need 1 to 6.
/// Fails: coordinates that are not numbers. Triangles without area are what they are: segments and points.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_proximity::motion::{SweepParams, vertex_face};
///
/// let face = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
/// let sweep = vertex_face(&Vec3::y(), &-Vec3::y(), &face, &face, &SweepParams::default())?;
/// assert!(sweep.is_hit());
/// assert!(sweep.t_lower <= 0.5 && 0.5 <= sweep.t_upper && sweep.t_upper - sweep.t_lower < 1e-9);
/// # Ok::<(), zerogap_proximity::motion::MotionError>(())
/// ```
pub fn vertex_face(
    start: &Vec3,
    end: &Vec3,
    face_start: &[Vec3; 3],
    face_end: &[Vec3; 3],
    params: &SweepParams,
) -> Result<Sweep, MotionError> {
    let (bundle, scale) = Bundle::of_vertex_face(start, end, face_start, face_end)?;
    Ok(search::search(bundle, scale, params))
}

/// Whether two moving edges A and B collide, and when. As [`vertex_face`] otherwise; edges of no length are points.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_proximity::motion::{SweepParams, edge_edge};
///
/// let (above, below) = ([Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0)], Vec3::new(0.0, 0.0, -2.0));
/// let across = [-Vec3::y(), Vec3::y()];
/// let sweep = edge_edge(&above, &above.map(|p| p + below), &across, &across, &SweepParams::default())?;
/// assert!(sweep.is_hit() && sweep.t_lower <= 0.5 && 0.5 <= sweep.t_upper);
/// let beside = above.map(|p| p + Vec3::new(0.0, 2.0, 0.0));
/// assert!(!edge_edge(&beside, &beside.map(|p| p + below), &across, &across, &SweepParams::default())?.is_hit());
/// # Ok::<(), zerogap_proximity::motion::MotionError>(())
/// ```
pub fn edge_edge(
    a_start: &[Vec3; 2],
    a_end: &[Vec3; 2],
    b_start: &[Vec3; 2],
    b_end: &[Vec3; 2],
    params: &SweepParams,
) -> Result<Sweep, MotionError> {
    let (bundle, scale) = Bundle::of_edge_edge(a_start, a_end, b_start, b_end)?;
    Ok(search::search(bundle, scale, params))
}
