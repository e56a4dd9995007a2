//! Times of impact of bodies given by target strings, and the report that every interface returns.
//!
//! In: target strings or shapes, motions and parameters. Out: an [`ImpactReport`] for the command (as a sheet or JSON) and for Python, a [`Passed`] for
//! clearances. Meshes and parts are taken as they are, each a surface, or by their convex hulls; assemblies piece by piece.

use std::sync::Arc;

use serde::Serialize;
use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_geometry::{Shape, TriangleMesh, convex_hull};
use zerogap_proximity::collider::{
    self, Collider, ColliderCache, ColliderError, clearance_along, first_touch_along,
};
use zerogap_proximity::mesh::MeshBody;
use zerogap_proximity::motion::{
    Clearance, ClearanceParams, FirstContact, Impact, ImpactParams, ImpactWork, MotionError, Path,
    step_collisions,
};

use crate::contacts::Features;
use crate::distance::Read;
use zerogap_geometry::target::{ReadOptions, Target, TargetError};

/// Collision geometry of meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// As they are: surfaces.
    #[default]
    Mesh,
    /// By their convex hulls, which are solid.
    Hull,
}

/// A moving body.
#[derive(Debug, Clone)]
pub struct Mover {
    /// The collider.
    pub collider: Collider,
    /// Source of the body.
    pub read: Read,
}

impl Mover {
    /// Resolves a target to a moving body.
    pub fn resolve(word: &str, options: &ReadOptions, form: Form) -> Result<Self, TargetError> {
        match Target::resolve(word, options)? {
            Target::Shape(shape) => Ok(Self::of_shape(word, &shape)),
            Target::Complex { complex, .. } => Ok(Self::of_shape(word, &Shape::Complex(complex))),
            Target::Mesh { mesh, format, warnings } => {
                let mover =
                    Self::of_mesh(word, Arc::new(mesh), form, format.map(|format| format.to_string()))?;
                Ok(Self { read: Read { warnings, ..mover.read }, ..mover })
            }
        }
    }

    /// A shape as it is.
    pub fn of_shape(name: &str, shape: &Shape) -> Self {
        Self { collider: Collider::from_shape(shape.clone()), read: Read::new(name, shape.kind()) }
    }

    /// A mesh, or its hull.
    pub fn of_mesh(
        name: &str,
        mesh: Arc<TriangleMesh>,
        form: Form,
        format: Option<String>,
    ) -> Result<Self, TargetError> {
        if form == Form::Mesh {
            let ready = Self::of_ready_mesh(name, Arc::new(MeshBody::new(mesh)));
            return Ok(Self { read: Read { format, ..ready.read }, ..ready });
        }
        let hull = convex_hull(&mesh.used_vertices())
            .map_err(|error| TargetError::Mesh { name: name.to_owned(), error })?;
        let vertices = Some(hull.vertices().len());
        let read = Read { format, vertices, ..Read::new(name, "hull") };
        Ok(Self { collider: Collider::Convex(hull.into()), read })
    }

    /// A mesh with its hierarchy, made before.
    pub fn of_ready_mesh(name: &str, body: Arc<MeshBody>) -> Self {
        Self { collider: Collider::Mesh(body), read: Read::new(name, "mesh") }
    }

    /// The mesh, if it is one and nothing else.
    pub fn mesh(&self) -> Option<&MeshBody> {
        match &self.collider {
            Collider::Mesh(body) => Some(body),
            _ => None,
        }
    }
}

/// Impact of two moving bodies. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactReport {
    /// `clear`, `hit` or `limited`.
    pub status: &'static str,
    /// Proven free before this time [s]; the time of impact at a hit.
    pub t: f64,
    /// Upper bound of the time of contact, extrapolated with the approach speed at `t` [s]; `t` where they do not approach.
    pub t_upper: f64,
    /// Duration of the motion [s].
    pub duration: f64,
    /// Lower bound of the time to contact from the start, by the bound on their speeds alone [s]; null where they never come nearer.
    pub safe_time: Option<f64>,
    /// Gap queries [-].
    pub steps: u32,
    /// Time and place of the impact; none where there is no impact.
    pub first_contact: Option<FirstContactReport>,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
}

impl Store for ImpactReport {
    fn put(&self, out: &mut Writer) {
        let Self { status, t, t_upper, duration, safe_time, steps, first_contact, a, b } = self;
        (*status).to_owned().put(out);
        [*t, *t_upper, *duration].put(out);
        safe_time.put(out);
        steps.put(out);
        first_contact.put(out);
        a.put(out);
        b.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let word = String::take(from)?;
        let status = ["clear", "hit", "limited"].into_iter().find(|known| *known == word);
        let status = status.ok_or_else(|| from.expected("status"))?;
        let [t, t_upper, duration] = Store::take(from)?;
        let (safe_time, steps, first_contact) = (Store::take(from)?, Store::take(from)?, Store::take(from)?);
        let (a, b) = Store::take(from)?;
        Ok(Self { status, t, t_upper, duration, safe_time, steps, first_contact, a, b })
    }
}

/// Time and place of an impact of two bodies, or of two of their features.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstContactReport {
    /// Proven free before this time [s].
    pub t: f64,
    /// Upper bound of the time of contact [s].
    pub t_upper: f64,
    /// Whether contact was confirmed at `t_upper`.
    pub touches: bool,
    /// Gap at `t` [m].
    pub gap: f64,
    /// Rate of the gap at `t` [m/s]; negative where the bodies approach.
    pub gap_rate: f64,
    /// Unit vector from A to B at `t` [-].
    pub normal: [f64; 3],
    /// The nearest point of A at `t` [m].
    pub point_a: [f64; 3],
    /// The nearest point of B at `t` [m].
    pub point_b: [f64; 3],
    /// Whether they were in contact at the start.
    pub began_in_contact: bool,
    /// The colliding features of meshes.
    pub features: Option<Features>,
}

zerogap_core::store_struct!(FirstContactReport {
    t,
    t_upper,
    touches,
    gap,
    gap_rate,
    normal,
    point_a,
    point_b,
    began_in_contact,
    features
});

impl From<&FirstContact> for FirstContactReport {
    fn from(first_contact: &FirstContact) -> Self {
        Self {
            t: first_contact.t,
            t_upper: first_contact.t_upper,
            touches: first_contact.touches,
            gap: first_contact.gap,
            gap_rate: first_contact.gap_rate,
            normal: first_contact.normal.into(),
            point_a: first_contact.point_a.into(),
            point_b: first_contact.point_b.into(),
            began_in_contact: first_contact.began_in_contact,
            features: first_contact.features.map(Features::from),
        }
    }
}

/// Minimum clearance of two moving bodies, as the command prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Passed {
    /// Lower bound of the minimum gap [m].
    pub lower: f64,
    /// Upper bound of the minimum gap [m]: the gap at `t`.
    pub upper: f64,
    /// Time of the minimum [s].
    pub t: f64,
    /// Unit vector from A to B at `t` [-].
    pub normal: [f64; 3],
    /// The nearest point of A at `t` [m].
    pub point_a: [f64; 3],
    /// The nearest point of B at `t` [m].
    pub point_b: [f64; 3],
    /// Whether the bounds converged within the step limit.
    pub is_decided: bool,
    /// Gap queries [-].
    pub steps: u32,
}

impl From<&Clearance> for Passed {
    fn from(found: &Clearance) -> Self {
        Self {
            lower: found.lower,
            upper: found.upper,
            t: found.t,
            normal: found.normal.into(),
            point_a: found.point_a.into(),
            point_b: found.point_b.into(),
            is_decided: found.is_decided,
            steps: found.steps,
        }
    }
}

/// Returns the first time of impact of two bodies on their paths; see [`zerogap_proximity::collider::first_touch_along`].
///
/// ```
/// use zerogap::impact::{Form, Mover, first_impact};
/// use zerogap::proximity::motion::{ImpactParams, Motion, Path};
/// use zerogap::target::ReadOptions;
/// use zerogap::{Pose, Vec3};
///
/// // A gear drops on its side on the floor.
/// let read = |word: &str| Mover::resolve(word, &ReadOptions::default(), Form::Mesh);
/// let (floor, gear) = (read("halfspace:0,0,1,0")?, read("part:gear")?);
/// let above = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0))?;
/// let falling = Path::of(Motion::new(above, Vec3::new(0.0, 0.0, -2.0), Vec3::new(3.0, 0.0, 0.0))?, 1.0)?;
/// let found = first_impact(&floor, &Path::fixed(Pose::identity()), &gear, &falling, &ImpactParams::default())?;
/// assert_eq!(found.status, "hit");
/// assert!(found.t > 0.45 && found.t < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_impact(
    a: &Mover,
    path_a: &Path,
    b: &Mover,
    path_b: &Path,
    params: &ImpactParams,
) -> Result<ImpactReport, ColliderError> {
    let duration = path_a.duration().max(path_b.duration());
    let mut cache = ColliderCache::default();
    let first = first_touch_along(&a.collider, path_a, &b.collider, path_b, params, &mut cache)?;
    let (status, t_upper) = match &first {
        Impact::Clear => ("clear", duration),
        Impact::At(contact) => ("hit", contact.t_upper),
        Impact::Limited { .. } => ("limited", duration),
    };
    Ok(ImpactReport {
        status,
        t: first.free_until(duration),
        t_upper,
        duration,
        safe_time: Some(safe_time(a, path_a, b, path_b)?).filter(|time| time.is_finite()),
        steps: cache.steps(),
        first_contact: first.first_contact().map(FirstContactReport::from),
        a: a.read.clone(),
        b: b.read.clone(),
    })
}

/// Returns the minimum clearance of two bodies on their paths; see [`zerogap_proximity::motion::clearance()`].
pub fn nearest_pass(
    a: &Mover,
    path_a: &Path,
    b: &Mover,
    path_b: &Path,
    params: &ClearanceParams,
) -> Result<Clearance, ColliderError> {
    clearance_along(&a.collider, path_a, &b.collider, path_b, params)
}

/// Returns a lower bound of the time to contact of two bodies at the start of their paths [s]; see [`zerogap_proximity::motion::safe_time`].
///
/// Beyond the first motion of either path nothing is claimed.
pub fn safe_time(a: &Mover, path_a: &Path, b: &Mover, path_b: &Path) -> Result<f64, ColliderError> {
    collider::safe_time(&a.collider, path_a.first(), &b.collider, path_b.first())
}

/// Returns all collisions of two meshes on the first motion of their paths, by time; None where one of the two is not a mesh.
pub fn all_collisions(
    a: &Mover,
    path_a: &Path,
    b: &Mover,
    path_b: &Path,
    params: &ImpactParams,
) -> Option<Result<Vec<FirstContact>, MotionError>> {
    let (mesh_a, mesh_b) = a.mesh().zip(b.mesh())?;
    let duration = path_a.duration().max(path_b.duration());
    let mut work = ImpactWork::default();
    Some(step_collisions(&mut work, mesh_a, path_a.first(), mesh_b, path_b.first(), duration, params))
}

#[cfg(test)]
mod tests {
    use zerogap_core::{Pose, Vec3};
    use zerogap_proximity::motion::Motion;

    use super::*;

    fn read(word: &str) -> Mover {
        Mover::resolve(word, &ReadOptions::default(), Form::Mesh).unwrap()
    }

    #[test]
    fn a_ball_goes_through_a_ring_as_a_mesh_and_meets_its_hull() {
        let ball = read("sphere:10mm");
        let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.2)).unwrap();
        let falling =
            Path::of(Motion::new(above, Vec3::new(0.0, 0.0, -1.0), Vec3::zeros()).unwrap(), 0.4).unwrap();
        let still = Path::fixed(Pose::identity());
        let word = "part:torus,major=40mm,minor=10mm";
        let ring = read(word);
        let found = first_impact(&ring, &still, &ball, &falling, &ImpactParams::default()).unwrap();
        assert_eq!((found.status, found.t, found.a.kind.as_str()), ("clear", 0.4, "mesh"));
        let near = nearest_pass(&ring, &still, &ball, &falling, &ClearanceParams::default()).unwrap();
        assert!((near.upper - 0.02).abs() < 1e-3 && (near.t - 0.2).abs() < 0.01, "{near:?}");
        let hull = Mover::resolve(word, &ReadOptions::default(), Form::Hull).unwrap();
        let found = first_impact(&hull, &still, &ball, &falling, &ImpactParams::default()).unwrap();
        assert_eq!((found.status, found.a.kind.as_str()), ("hit", "hull"));
        assert!((found.t - 0.18).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn an_assembly_meets_with_the_piece_that_comes_first() {
        let rod = read("assembly:connecting-rod");
        let floor = read("halfspace:0,0,1,0");
        let above = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0)).unwrap();
        let motion = Motion::new(above, Vec3::new(0.0, 0.0, -1.0), Vec3::new(4.0, 1.0, 0.0)).unwrap();
        let falling = Path::of(motion, 2.0).unwrap();
        let still = Path::fixed(Pose::identity());
        let found = first_impact(&floor, &still, &rod, &falling, &ImpactParams::default()).unwrap();
        assert_eq!(found.status, "hit");
        let shape = Target::resolve("assembly:connecting-rod", &ReadOptions::default()).unwrap();
        let Target::Shape(Shape::Compound(compound)) = shape else { panic!("an assembly has pieces") };
        let lowest = |t: f64| {
            let gaps = compound.pieces().iter().map(|(pose, piece)| {
                let pose = motion.pose(t) * *pose;
                let plane = Shape::half_space(Vec3::z(), 0.0).unwrap().into();
                crate::distance(
                    &plane,
                    &Pose::identity(),
                    &piece.clone().into(),
                    &pose,
                    &crate::DistanceParams::default(),
                )
                .unwrap()
                .gap
            });
            gaps.fold(f64::INFINITY, f64::min)
        };
        assert!((0.0..=1.1e-8).contains(&lowest(found.t)), "{} {found:?}", lowest(found.t));
        assert!((0..100).all(|k| lowest(found.t * f64::from(k) / 100.0) > 0.0));
    }
}
