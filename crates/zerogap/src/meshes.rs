//! Distances and contacts of meshes as they are, of bodies given by name: as every interface reports them.
//!
//! In: target strings, poses and parameters. Out: [`MeshMeasured`] and [`MeshTouched`], the same for the command (as a sheet or JSON) and for Python. Meshes are not replaced by their hulls here;
//! other shapes stay what they are.

use std::sync::Arc;

use serde::Serialize;
use zerogap_core::{GapStatus, Pose};
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{ConvexShape, Shape, TriangleMesh};
use zerogap_proximity::ProximityError;
use zerogap_proximity::bvh::{BuildParams, SplitRule};
use zerogap_proximity::mesh::{
    AnytimeDistance, MeshBody, MeshContactParams, MeshDistance, MeshDistanceParams, MeshError, MeshGap,
    MeshOperand, MeshVolume, MeshWork, Overlap, crossing_pairs_into, mesh_contacts_into, mesh_gap,
};

use crate::contacts::ContactPoint;
use crate::distance::Read;
use zerogap_geometry::target::{ReadOptions, Target, TargetError};

/// A body of a mesh query.
#[derive(Debug, Clone)]
pub enum Solid {
    /// A mesh with its hierarchy.
    Mesh(Arc<MeshBody>),
    /// A convex shape.
    Convex(ConvexShape),
    /// A half-space.
    HalfSpace(HalfSpace),
}

impl Solid {
    /// A mesh with its hierarchy.
    pub fn of_mesh(mesh: impl Into<Arc<TriangleMesh>>) -> Self {
        Self::Mesh(Arc::new(MeshBody::new(mesh)))
    }

    /// A shape as it is, a mesh among them; compounds have no single surface.
    pub fn of_shape(shape: Shape) -> Result<Self, ProximityError> {
        match shape {
            Shape::Mesh(mesh) => Ok(Self::of_mesh(mesh)),
            Shape::Convex(shape) => Ok(Self::Convex(shape)),
            Shape::HalfSpace(shape) => Ok(Self::HalfSpace(shape)),
            Shape::HeightField(field) => Ok(Self::of_mesh(field.patch(&field.cells()))),
            Shape::Complex(_) => Err(ProximityError::NotConvex { shape: "complex" }),
            Shape::Compound(_) => Err(ProximityError::NotConvex { shape: "compound" }),
        }
    }

    /// Returns it as an operand of a mesh query.
    pub fn side(&self) -> MeshOperand<'_> {
        match self {
            Self::Mesh(body) => MeshOperand::Mesh(body),
            Self::Convex(shape) => MeshOperand::Convex(shape),
            Self::HalfSpace(shape) => MeshOperand::HalfSpace(shape),
        }
    }
}

/// A resolved target, with meshes as they are.
#[derive(Debug, Clone)]
pub struct MeshTarget {
    /// Collision geometry.
    pub solid: Solid,
    /// Source of the body.
    pub read: Read,
}

/// Why a target cannot be used in a mesh query.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshTargetError {
    /// The string names no target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// It has no single surface.
    #[error("{name}: {error}")]
    Shape {
        /// The target string.
        name: String,
        /// Why.
        error: ProximityError,
    },
}

impl MeshTarget {
    /// Resolves a target: a mesh file or part as it is, or a shape.
    pub fn resolve(word: &str, options: &ReadOptions) -> Result<Self, MeshTargetError> {
        match Target::resolve(word, options)? {
            Target::Mesh { mesh, format, warnings } => {
                let format = format.map(|f| f.to_string());
                let read = Read { format, warnings, ..Read::new(word, "mesh") };
                Ok(Self { solid: Solid::of_mesh(mesh), read })
            }
            Target::Complex { complex, warnings, .. } => {
                let read = Read { warnings, ..Read::new(word, "complex") };
                let solid = Solid::of_shape(Shape::Complex(complex))
                    .map_err(|error| MeshTargetError::Shape { name: word.to_owned(), error })?;
                Ok(Self { solid, read })
            }
            Target::Shape(shape) => {
                let read = Read::new(word, shape.kind());
                let solid = Solid::of_shape(shape)
                    .map_err(|error| MeshTargetError::Shape { name: word.to_owned(), error })?;
                Ok(Self { solid, read })
            }
        }
    }
}

/// Signed distance of two bodies. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshMeasured {
    /// Signed distance [m]: that of the surfaces apart, minus the local depth of the deepest region in overlap, and `upper` where no depth was found.
    pub gap: f64,
    /// Distance of the surfaces [m]: 0 where they cross.
    pub distance: f64,
    /// Lower bound of the exact signed distance [m]: in overlap, minus the length of the shortest separating translation.
    pub lower: f64,
    /// Upper bound of the exact signed distance [m].
    pub upper: f64,
    /// Unit vector from A to B [-].
    pub normal: [f64; 3],
    /// `unique` or `chosen`.
    pub normal_kind: &'static str,
    /// The point of A [m]: the nearest apart, the deepest in overlap.
    pub point_a: [f64; 3],
    /// The point of B [m].
    pub point_b: [f64; 3],
    /// The triangles that hold the nearest points of the surfaces, by the meshes' numbers.
    pub triangles: [u32; 2],
    /// `exact`, `converged`, `farther` or `limited`; in overlap `local_depth`, or `depth_unknown` where the surfaces cross and no depth was found.
    pub status: &'static str,
    /// Visited pairs of nodes of the hierarchies [-].
    pub pops: u64,
    /// Pairs of triangles that were measured [-].
    pub measured: u64,
    /// The regions in which two meshes overlap, each by its deepest point.
    pub overlaps: Vec<ContactPoint>,
    /// Why the depth is unknown, where surfaces cross.
    pub depth_unknown: Option<String>,
}

/// A measured pair with what was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshNamed<T> {
    /// The answer.
    #[serde(flatten)]
    pub answer: T,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
}

/// Gap of two bodies: distance with bounds, and where meshes overlap the depths of all regions; see [`mesh_gap`].
pub fn measure(
    a: &Solid,
    pose_a: &Pose,
    b: &Solid,
    pose_b: &Pose,
    params: &MeshDistanceParams,
    work: &mut MeshWork,
) -> Result<(MeshMeasured, Vec<Overlap>), MeshError> {
    let mut overlaps = Vec::new();
    let found = mesh_gap(a.side(), pose_a, b.side(), pose_b, params, work, &mut overlaps)?;
    let MeshGap { gap, surfaces, unknown } = &found;
    let report = MeshMeasured {
        gap: gap.gap,
        distance: surfaces.gap.max(0.0),
        lower: gap.lower,
        upper: gap.upper,
        normal: gap.normal.into(),
        normal_kind: gap.normal_kind.word(),
        point_a: gap.point_a.into(),
        point_b: gap.point_b.into(),
        triangles: surfaces.triangles,
        status: gap.status.word(),
        pops: surfaces.pops,
        measured: surfaces.measured,
        overlaps: overlaps.iter().map(|overlap| (&overlap.contact).into()).collect(),
        depth_unknown: unknown.as_ref().map(ToString::to_string),
    };
    Ok((report, overlaps))
}

/// A question about surfaces for a body that is no mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a budget of time, a bounding volume and a split rule are for two meshes, and {body} is none")]
pub struct NotAMesh {
    /// `a` or `b`.
    pub body: &'static str,
}

/// Begins a search for the distance of two meshes that can be left and resumed, with hierarchies of a kind.
///
/// Fails: bodies that are no meshes.
pub fn search_surfaces(
    [a, b]: [&Solid; 2],
    poses: [Pose; 2],
    (volume, build): (MeshVolume, &BuildParams),
    params: MeshDistanceParams,
) -> Result<AnytimeDistance, NotAMesh> {
    let mesh = |solid: &Solid, body| match solid {
        Solid::Mesh(mesh) => Ok(Arc::clone(mesh.mesh())),
        _ => Err(NotAMesh { body }),
    };
    Ok(AnytimeDistance::new([mesh(a, "a")?, mesh(b, "b")?], poses, volume, build, params))
}

/// Returns a distance of surfaces as it is reported. Where surfaces cross it says no more than that: how deep bodies overlap is asked without a budget of time.
pub fn measured_surfaces(found: &MeshDistance) -> MeshMeasured {
    let crosses = found.gap <= 0.0;
    let depth_unknown =
        crosses.then(|| "a search for the distance of surfaces ends where they cross".to_owned());
    MeshMeasured {
        gap: found.gap,
        distance: found.gap.max(0.0),
        lower: if crosses { f64::NEG_INFINITY } else { found.lower },
        upper: found.upper,
        normal: found.normal.into(),
        normal_kind: found.normal_kind.word(),
        point_a: found.point_a.into(),
        point_b: found.point_b.into(),
        triangles: found.triangles,
        status: if crosses { GapStatus::DepthUnknown } else { found.status }.word(),
        pops: found.pops,
        measured: found.measured,
        overlaps: Vec::new(),
        depth_unknown,
    }
}

/// The rules by which hierarchies part triangles, by name; the first is the default.
pub const SPLITS: [(&str, SplitRule); 3] = [
    ("surface-area", SplitRule::SurfaceArea),
    ("longest", SplitRule::Longest),
    ("smallest-volumes", SplitRule::SmallestVolumes),
];

/// Returns all pairs of triangles of two meshes that have a point in common, by the meshes' numbers, ascending; touching counts, and every answer is exact for the coordinates as they are.
///
/// Fails: bodies that are no meshes.
pub fn crossings([a, b]: [&Solid; 2], [pose_a, pose_b]: [&Pose; 2]) -> Result<Vec<[u32; 2]>, NotAMesh> {
    let (Solid::Mesh(a), Solid::Mesh(b)) = (a, b) else {
        return Err(NotAMesh { body: if matches!(a, Solid::Mesh(_)) { "b" } else { "a" } });
    };
    let mut pairs = Vec::new();
    crossing_pairs_into(a, pose_a, b, pose_b, &mut MeshWork::default(), &mut pairs);
    Ok(pairs)
}

/// The contacts of two bodies, meshes as they are. The names of the fields are the keys of the JSON that the command prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeshTouched {
    /// The contacts in ascending order of their keys, each with a normal of its own.
    pub contacts: Vec<ContactPoint>,
    /// Source of A.
    pub a: Read,
    /// Source of B.
    pub b: Read,
}

/// Returns the contacts of two named bodies.
pub fn touch(
    a: &MeshTarget,
    pose_a: &Pose,
    b: &MeshTarget,
    pose_b: &Pose,
    params: &MeshContactParams,
) -> Result<MeshTouched, MeshError> {
    let mut contacts = Vec::new();
    let mut work = MeshWork::default();
    mesh_contacts_into(a.solid.side(), pose_a, b.solid.side(), pose_b, params, &mut work, &mut contacts)?;
    Ok(MeshTouched {
        contacts: contacts.iter().map(Into::into).collect(),
        a: a.read.clone(),
        b: b.read.clone(),
    })
}

#[cfg(test)]
mod tests {
    use zerogap_core::Vec3;
    use zerogap_geometry::parts::by_name;
    use zerogap_geometry::{ConvexShape, Polyhedron};

    use super::*;

    fn body(word: &str) -> MeshTarget {
        MeshTarget::resolve(word, &ReadOptions::default()).unwrap()
    }

    fn ask(a: &str, b: &str, pose: &Pose) -> MeshMeasured {
        let (a, b) = (body(a), body(b));
        let params = MeshDistanceParams::default();
        measure(&a.solid, &Pose::identity(), &b.solid, pose, &params, &mut MeshWork::default()).unwrap().0
    }

    #[test]
    fn a_peg_in_its_hole_is_apart_where_hulls_would_overlap() {
        let inside = ask("part:hole-plate", "part:peg", &Pose::identity());
        assert!((inside.gap - 1e-4).abs() < 1e-12, "{inside:?}");
        assert!(inside.overlaps.is_empty() && inside.status == "exact");
        // Pushed into the wall: as deep as it was pushed, less the clearance.
        let aside =
            ask("part:hole-plate", "part:peg", &Pose::from_translation(Vec3::new(3e-4, 0.0, 0.0)).unwrap());
        assert!((aside.gap + 2e-4).abs() < 5e-5 && aside.distance == 0.0, "{aside:?}");
    }

    /// A box as a mesh.
    fn block(x: f64, y: f64, z: f64) -> Solid {
        let [x, y, z] = [x, y, z].map(|side| side.to_string());
        Solid::of_mesh(by_name("box", &[("width", &x), ("depth", &y), ("height", &z)]).unwrap())
    }

    /// The exact gap of two convex meshes: that of their hulls [m].
    fn exact(a: &Solid, pose_a: &Pose, b: &Solid, pose_b: &Pose) -> f64 {
        let [a, b] = [a, b].map(|solid| {
            let Solid::Mesh(body) = solid else { panic!("a mesh") };
            ConvexShape::from(Polyhedron::from_mesh(body.mesh()).unwrap())
        });
        zerogap_proximity::convex::distance(&a, pose_a, &b, pose_b).gap
    }

    /// Invariants of every answer in overlap; `exact` is minus the length of the shortest separating translation [m].
    fn check_overlap(found: &MeshMeasured, exact: f64, story: &str) {
        assert!(found.gap < 0.0 && found.distance == 0.0, "{story}: {found:?}");
        assert!(found.lower <= exact + 1e-14 && exact - 1e-14 <= found.upper, "{story}: {exact}, {found:?}");
        assert!(matches!(found.status, "local_depth" | "depth_unknown"), "{story}: {found:?}");
        for k in 0..3 {
            let rest = found.point_b[k] - found.point_a[k] - found.gap * found.normal[k];
            assert!(rest.abs() < 1e-12, "{story}: {found:?}");
        }
    }

    #[test]
    fn a_rod_through_a_plate_is_never_said_to_touch_it() {
        let plate = block(1.0, 1.0, 0.02);
        let round = [("radius", "0.05"), ("length", "2")];
        let rods = [block(0.1, 0.1, 2.0), Solid::of_mesh(by_name("cylinder", &round).unwrap())];
        let turn = Pose::from_axis_angle(Vec3::new(0.1, -0.2, 0.3), Vec3::new(1.0, 2.0, 3.0), 0.7).unwrap();
        for (k, rod) in rods.iter().enumerate() {
            let Solid::Mesh(body) = rod else { panic!("a mesh") };
            let half = body.mesh().bounding_box().size().z / 2.0;
            for step in 0..40 {
                // Slid in from above, through, and out below.
                let z = 0.9 * half * (1.0 - f64::from(step) * 0.05);
                for tilt in [0.0, 0.3] {
                    let at = Pose::from_axis_angle(Vec3::new(0.07, 0.03, z), Vec3::x(), tilt).unwrap();
                    for by in [Pose::identity(), turn] {
                        let params = MeshDistanceParams::default();
                        let mut work = MeshWork::default();
                        let found = measure(&plate, &by, rod, &(by * at), &params, &mut work).unwrap().0;
                        let back = measure(rod, &(by * at), &plate, &by, &params, &mut work).unwrap().0;
                        let exact = exact(&plate, &by, rod, &(by * at));
                        check_overlap(&found, exact, &format!("rod {k} at {z}, tilt {tilt}"));
                        check_overlap(&back, exact, &format!("rod {k} at {z}, tilt {tilt}, swapped"));
                    }
                }
            }
        }
    }

    #[test]
    fn flush_bars_that_cross_overlap_and_flush_boxes_on_each_other_touch() {
        let ask = |a: &Solid, b: &Solid, pose: &Pose| {
            let params = MeshDistanceParams::default();
            measure(a, &Pose::identity(), b, pose, &params, &mut MeshWork::default()).unwrap().0
        };
        // A cross of two bars of one thickness: no vertex of one is inside the other, and all sides are flush.
        let crossed = ask(&block(4.0, 1.0, 1.0), &block(1.0, 4.0, 1.0), &Pose::identity());
        check_overlap(&crossed, -1.0, "crossed bars");
        assert!(crossed.lower <= -1.0 && crossed.upper < -1e-3, "{crossed:?}");
        // One on the other: they touch.
        let up = |z: f64| Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap();
        let stacked = ask(&block(1.0, 1.0, 1.0), &block(1.0, 1.0, 1.0), &up(1.0));
        assert!(stacked.gap == 0.0 && stacked.status == "exact", "{stacked:?}");
        assert!(stacked.lower <= 0.0 && stacked.lower > -1e-10 && stacked.upper < 1e-10, "{stacked:?}");
        // By a tenth in each other.
        let pressed = ask(&block(1.0, 1.0, 1.0), &block(1.0, 1.0, 1.0), &up(0.9));
        check_overlap(&pressed, -0.1, "flush boxes in each other");
        assert!((pressed.gap + 0.1).abs() < 1e-12 && (pressed.lower + 0.1).abs() < 1e-12, "{pressed:?}");
    }

    #[test]
    fn shapes_and_meshes_mix_and_pieces_are_refused() {
        let above = Pose::from_translation(Vec3::new(0.0, 0.0, 0.04)).unwrap();
        let ball = ask("part:box", "sphere:1cm", &above);
        assert!((ball.gap - 0.01).abs() < 1e-15, "{ball:?}");
        let floor = ask("halfspace:0,0,1,0", "part:box", &above);
        assert!((floor.gap - 0.02).abs() < 1e-15, "{floor:?}");
        let deep =
            ask("part:box", "sphere:1cm", &Pose::from_translation(Vec3::new(0.0, 0.0, 0.025)).unwrap());
        assert!((deep.gap + 0.005).abs() < 1e-12, "{deep:?}");
        let pieces = zerogap_geometry::assembly::names().next().unwrap();
        let refused = MeshTarget::resolve(&format!("assembly:{pieces}"), &ReadOptions::default());
        assert!(matches!(refused, Err(MeshTargetError::Shape { .. })));
    }
}
