//! Motions one after another: the path through a planner's waypoints.
//!
//! In: poses with times. Out: a [`Path`], and the first contact ([`path_time_of_impact`]) and the clearance ([`path_clearance`]) along two of them.

use zerogap_core::Pose;

use super::clearance::{Clearance, ClearanceParams};
use super::impact::{FirstContact, Impact, ImpactParams, ImpactWork, mesh_time_of_impact};
use super::surfaces::mesh_clearance;
use super::{Motion, MotionError};
use crate::mesh::MeshOperand;

/// Motions one after another, from time 0 on; after the last one the body stays where it is.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_proximity::motion::Path;
///
/// let at = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.0));
/// let path = Path::through(at(0.0, 0.0)?, &[(1.0, at(2.0, 0.0)?), (2.0, at(2.0, 3.0)?)])?;
/// assert_eq!(path.pose(0.5).translation(), Vec3::new(1.0, 0.0, 0.0));
/// assert_eq!(path.pose(1.5).translation(), Vec3::new(2.0, 1.5, 0.0));
/// assert_eq!(path.duration(), 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Each motion with the time at which it ends; its own time begins where the one before ends.
    pieces: Vec<(f64, Motion)>,
}

impl Path {
    /// A body that stays where it is.
    pub fn fixed(pose: Pose) -> Self {
        Self { pieces: vec![(0.0, Motion::fixed(pose))] }
    }

    /// One motion for a length of time [s].
    pub fn of(motion: Motion, duration: f64) -> Result<Self, MotionError> {
        Self::new(vec![(duration, motion)])
    }

    /// From motions, each with the time at which it ends [s].
    pub fn new(pieces: Vec<(f64, Motion)>) -> Result<Self, MotionError> {
        let mut start = 0.0;
        for (piece, &(end, _)) in pieces.iter().enumerate() {
            // A first motion of no duration is a pose.
            let is_pose = piece == 0 && end == 0.0;
            let is_later = end > start && end.is_finite();
            if !is_pose && !is_later {
                return Err(MotionError::Order { piece, start, end });
            }
            start = end;
        }
        if pieces.is_empty() {
            return Err(MotionError::Time { what: "the duration of a path without motions", value: 0.0 });
        }
        Ok(Self { pieces })
    }

    /// From a pose at time 0 through others, each with its time [s]: origins on straight lines, turning about one axis between two poses.
    pub fn through(start: Pose, poses: &[(f64, Pose)]) -> Result<Self, MotionError> {
        let (mut from, mut time) = (start, 0.0);
        let mut pieces = Vec::with_capacity(poses.len());
        for (piece, &(end, pose)) in poses.iter().enumerate() {
            if !(end > time && end.is_finite()) {
                return Err(MotionError::Order { piece, start: time, end });
            }
            pieces.push((end, Motion::between(from, pose, end - time)?));
            (from, time) = (pose, end);
        }
        if pieces.is_empty() { Ok(Self::fixed(start)) } else { Self::new(pieces) }
    }

    /// The same path of a part that is fixed to the body: `pose` is the part's pose in the body's frame.
    #[must_use]
    pub fn of_part(&self, pose: &Pose) -> Self {
        Self { pieces: self.pieces.iter().map(|(end, motion)| (*end, motion.of_part(pose))).collect() }
    }

    /// The motion at the start.
    pub fn first(&self) -> &Motion {
        &self.pieces[0].1
    }

    /// Returns the end of the last motion [s].
    pub fn duration(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.0)
    }

    /// The pose at a time [s].
    pub fn pose(&self, t: f64) -> Pose {
        let (start, _, motion) = self.piece_at(t);
        motion.pose(t - start)
    }

    /// The motion at a time, with the times at which it begins and ends [s]; the later one where two meet.
    fn piece_at(&self, t: f64) -> (f64, f64, Motion) {
        let mut start = 0.0;
        for &(end, motion) in &self.pieces {
            if t < end {
                return (start, end, motion);
            }
            start = end;
        }
        let (end, last) = self.pieces[self.pieces.len() - 1];
        let before = self.pieces.len().checked_sub(2).map_or(0.0, |k| self.pieces[k].0);
        (end, f64::INFINITY, Motion::fixed(last.pose(end - before)))
    }
}

/// The spans of time in which neither path changes its motion: start, end, and both motions from there.
fn spans(a: &Path, b: &Path) -> Vec<(f64, f64, Motion, Motion)> {
    let last = a.duration().max(b.duration());
    let mut spans = Vec::new();
    let mut from = 0.0;
    loop {
        let ((start_a, end_a, motion_a), (start_b, end_b, motion_b)) = (a.piece_at(from), b.piece_at(from));
        let to = end_a.min(end_b).min(last);
        spans.push((from, to, motion_a.from(from - start_a), motion_b.from(from - start_b)));
        if to >= last {
            return spans;
        }
        from = to;
    }
}

/// Returns the first time of impact of two bodies on two paths: see [`super::time_of_impact`] and [`mesh_time_of_impact`].
pub fn path_time_of_impact(
    work: &mut ImpactWork,
    a: MeshOperand<'_>,
    path_a: &Path,
    b: MeshOperand<'_>,
    path_b: &Path,
    params: &ImpactParams,
) -> Result<Impact, MotionError> {
    let mut steps = 0;
    let found = first_along(path_a, path_b, |motion_a, motion_b, duration| {
        let found = mesh_time_of_impact(work, a, motion_a, b, motion_b, duration, params);
        steps += work.steps;
        found
    });
    work.steps = steps;
    found
}

/// Returns the first contact along two paths; `ask` returns that of each span of time in which neither changes its motion, from both motions and its length [s].
pub(crate) fn first_along<E>(
    path_a: &Path,
    path_b: &Path,
    mut ask: impl FnMut(&Motion, &Motion, f64) -> Result<Impact, E>,
) -> Result<Impact, E> {
    for (from, to, motion_a, motion_b) in spans(path_a, path_b) {
        match ask(&motion_a, &motion_b, to - from)? {
            Impact::Clear => {}
            Impact::Limited { t, gap } => return Ok(Impact::Limited { t: from + t, gap }),
            // Contact at the start of a later motion counts like any other.
            Impact::At(contact) => {
                return Ok(Impact::At(FirstContact {
                    t: from + contact.t,
                    t_upper: from + contact.t_upper,
                    began_in_contact: contact.began_in_contact && from == 0.0,
                    ..contact
                }));
            }
        }
    }
    Ok(Impact::Clear)
}

/// Returns the minimum clearance of two bodies on two paths: see [`super::clearance()`].
pub fn path_clearance(
    a: MeshOperand<'_>,
    path_a: &Path,
    b: MeshOperand<'_>,
    path_b: &Path,
    params: &ClearanceParams,
) -> Result<Clearance, MotionError> {
    let mut all: Option<Clearance> = None;
    for (from, to, motion_a, motion_b) in spans(path_a, path_b) {
        let found = mesh_clearance(a, &motion_a, b, &motion_b, to - from, params)?;
        let found = Clearance { t: from + found.t, ..found };
        all = Some(all.map_or(found, |before| before.and(&found)));
        // Known to be too near already.
        if all.zip(params.threshold).is_some_and(|(all, threshold)| all.upper < threshold) {
            break;
        }
    }
    all.ok_or(MotionError::Time { what: "the duration of the paths", value: 0.0 })
}
