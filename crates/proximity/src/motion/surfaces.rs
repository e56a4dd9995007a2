//! Clearance and safe times of meshes as they are.
//!
//! In: meshes and other bodies in motion. Out: what `clearance` gives for convex shapes. Meshes are surfaces here: inside one another they are as far
//! apart as their surfaces.

use zerogap_core::Gap;
use zerogap_geometry::shape::HalfSpace;

use super::clearance::{
    Chased, Clearance, ClearanceParams, Watched, min_gap, safe, safe_over_plane, safe_time,
};
use super::over::OverWork;
use super::parts::Whole;
use super::probe::{Chase, ConvexChase, PlaneChase, ROUNDINGS, Supported};
use super::pursuit::Two;
use super::reach::Reach;
use super::{Motion, MotionError, checked};
use crate::ProximityError;
use crate::convex::PairCache;
use crate::mesh::{MeshBody, MeshDistance, MeshDistanceParams, MeshOperand, MeshWork, mesh_distance};

/// [`super::clearance()`] of bodies of which one or both may be meshes, each a surface.
///
/// Meshes have no one direction that separates them: over a span of time every pair of triangles that is near has its own. Fast turns near each
/// other take many spans; ask for no more digits than are needed, or for a `threshold`.
pub fn mesh_clearance(
    a: MeshOperand<'_>,
    motion_a: &Motion,
    b: MeshOperand<'_>,
    motion_b: &Motion,
    duration: f64,
    params: &ClearanceParams,
) -> Result<Clearance, MotionError> {
    checked(duration)?;
    let mut cache = PairCache::default();
    Ok(match (a, b) {
        (MeshOperand::HalfSpace(a), MeshOperand::Mesh(b)) => {
            min_gap(&mut Chased(PlaneChase::new(a, motion_a, b, motion_b, duration)), duration, params)
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Convex(b)) => {
            min_gap(&mut Chased(PlaneChase::new(a, motion_a, b, motion_b, duration)), duration, params)
        }
        (MeshOperand::HalfSpace(_), MeshOperand::HalfSpace(_)) => {
            return Err(ProximityError::BothUnbounded.into());
        }
        (_, MeshOperand::HalfSpace(_)) => {
            mesh_clearance(b, motion_b, a, motion_a, duration, params)?.swapped()
        }
        (MeshOperand::Convex(a), MeshOperand::Convex(b)) => {
            let pair = ConvexChase::new(a, motion_a, b, motion_b, duration, &mut cache);
            min_gap(&mut Chased(pair), duration, params)
        }
        _ => min_gap(&mut Surfaces::new(a, motion_a, b, motion_b, duration), duration, params),
    })
}

/// [`super::safe_time()`] of bodies of which one or both may be meshes, each a surface.
pub fn mesh_safe_time(
    a: MeshOperand<'_>,
    motion_a: &Motion,
    b: MeshOperand<'_>,
    motion_b: &Motion,
) -> Result<f64, MotionError> {
    let over_plane = |plane: &HalfSpace, motion_a: &Motion, body: &MeshBody, motion_b: &Motion| {
        let mut pair = PlaneChase::new(plane, motion_a, body, motion_b, 0.0);
        let gap = pair.gap(0.0);
        safe_over_plane(&pair, motion_a, gap.lower - pair.rounding(), &gap.normal)
    };
    Ok(match (a, b) {
        (MeshOperand::HalfSpace(a), MeshOperand::Mesh(b)) => over_plane(a, motion_a, b, motion_b),
        (MeshOperand::Mesh(a), MeshOperand::HalfSpace(b)) => over_plane(b, motion_b, a, motion_a),
        (MeshOperand::Mesh(_), _) | (_, MeshOperand::Mesh(_)) => {
            let mut pair = Surfaces::new(a, motion_a, b, motion_b, 0.0);
            let lower = pair.gap(0.0).lower - pair.rounding();
            safe(lower, pair.speed)
        }
        (MeshOperand::Convex(a), MeshOperand::Convex(b)) => {
            safe_time(&a.clone().into(), motion_a, &b.clone().into(), motion_b)?
        }
        (MeshOperand::HalfSpace(a), MeshOperand::Convex(b)) => {
            safe_time(&(*a).into(), motion_a, &b.clone().into(), motion_b)?
        }
        (MeshOperand::Convex(a), MeshOperand::HalfSpace(b)) => {
            safe_time(&a.clone().into(), motion_a, &(*b).into(), motion_b)?
        }
        (MeshOperand::HalfSpace(_), MeshOperand::HalfSpace(_)) => {
            return Err(ProximityError::BothUnbounded.into());
        }
    })
}

/// Two bodies as surfaces, at least one of which is a mesh, and no half-space.
struct Surfaces<'a> {
    a: MeshOperand<'a>,
    motion_a: &'a Motion,
    b: MeshOperand<'a>,
    motion_b: &'a Motion,
    /// Largest speed at which two points come nearer [m/s].
    speed: f64,
    rounding: f64,
    work: MeshWork,
    over: OverWork,
}

impl<'a> Surfaces<'a> {
    fn new(
        a: MeshOperand<'a>,
        motion_a: &'a Motion,
        b: MeshOperand<'a>,
        motion_b: &'a Motion,
        duration: f64,
    ) -> Self {
        let reach = |side: MeshOperand<'_>, motion: &Motion| match side {
            MeshOperand::Mesh(mesh) => Supported::reach(mesh, motion, duration),
            MeshOperand::Convex(shape) => Supported::reach(shape, motion, duration),
            MeshOperand::HalfSpace(_) => Reach::of_points([], 0.0, motion, duration),
        };
        let (reach_a, reach_b) = (reach(a, motion_a), reach(b, motion_b));
        let straight = (motion_b.velocity() - motion_a.velocity()).norm();
        let speed = straight + reach_a.any_speed() + reach_b.any_speed();
        let rounding = ROUNDINGS * (reach_a.coordinates + reach_b.coordinates);
        Self {
            a,
            motion_a,
            b,
            motion_b,
            speed,
            rounding,
            work: MeshWork::default(),
            over: OverWork::default(),
        }
    }
}

impl Watched for Surfaces<'_> {
    fn gap(&mut self, t: f64) -> Gap {
        let params = MeshDistanceParams { coherent: true, ..MeshDistanceParams::default() };
        let (pose_a, pose_b) = (self.motion_a.pose(t), self.motion_b.pose(t));
        let found = mesh_distance(self.a, &pose_a, self.b, &pose_b, &params, &mut self.work);
        // No half-spaces here, which alone are rejected.
        let Ok(found) = found else { return Gap { gap: 0.0, lower: 0.0, upper: 0.0, ..Gap::farthest() } };
        let MeshDistance { gap, lower, upper, normal, normal_kind, point_a, point_b, status, .. } = found;
        Gap { gap, lower, upper, normal, normal_kind, point_a, point_b, status, iterations: 0 }
    }

    fn min_over(&mut self, from: f64, to: f64, middle: &Gap, enough: f64) -> f64 {
        // By the speed of the fastest points; then, where that is not enough, direction by direction. Surfaces have no depth.
        let (motion_a, motion_b) = (self.motion_a, self.motion_b);
        let by_speed = (middle.lower - self.rounding - 0.5 * self.speed * (to - from)).max(0.0);
        if by_speed >= enough {
            return by_speed;
        }
        let (rounding, over) = (self.rounding, &mut self.over);
        let by_direction = match (self.a, self.b) {
            (MeshOperand::Mesh(a), MeshOperand::Mesh(b)) => {
                Two { a, motion_a, b, motion_b }.min_over(from, to, rounding, enough, over)
            }
            (MeshOperand::Mesh(a), MeshOperand::Convex(b)) => {
                Two { a, motion_a, b: &Whole(b), motion_b }.min_over(from, to, rounding, enough, over)
            }
            (MeshOperand::Convex(a), MeshOperand::Mesh(b)) => {
                Two { a: &Whole(a), motion_a, b, motion_b }.min_over(from, to, rounding, enough, over)
            }
            _ => 0.0,
        };
        by_speed.max(by_direction)
    }

    fn rounding(&self) -> f64 {
        self.rounding
    }
}
