//! Every pair of collider kinds in every method: the table of colliders says which are answered, and a world asks as the table says.

use zerogap::contact::solve::ImpactLaw;
use zerogap::geometry::shape::{Compound, Cuboid, HeightField};
use zerogap::geometry::{TriangleMesh, parts};
use zerogap::proximity::collider::ColliderKind;
use zerogap::proximity::collider::table::{Cell, Question, cell};
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, Collision, ContactModel, EventKind, EventLocation, QuasiLmd, ShapeDef, StepForces, Stepping,
    World, WorldBuilder, WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

/// Side of the boxes [m].
const SIDE: f64 = 0.1;

/// How far the upper shape falls [m].
const FALL: f64 = 1e-3;

/// Time that worlds run for [s]: seven times that of the fall.
const UNTIL: f64 = 0.1;

fn at(z: f64) -> Pose {
    Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap()
}

/// Events with elastic and with rigid contacts, steps by friction cones and by SiLVIA's forces.
fn methods() -> [(&'static str, WorldParams); 4] {
    let by_steps = |forces| WorldParams::new(Stepping { forces, step: 1e-3, ..Stepping::default() });
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    [
        ("events, elastic", WorldParams::default()),
        ("events, rigid", WorldParams::new(EventLocation::new(rigid))),
        ("stepping", by_steps(StepForces::Coulomb)),
        ("silvia", by_steps(StepForces::Silvia)),
    ]
}

fn box_mesh() -> TriangleMesh {
    parts::by_name("box", &[("width", "0.1 m"), ("depth", "0.1 m"), ("height", "0.1 m")]).unwrap()
}

/// A box, or everything below the plane of its upper side, that collides as a kind.
fn shape_of(kind: ColliderKind) -> ShapeDef {
    let cube = || ShapeDef::new(Shape::cuboid(Vec3::repeat(SIDE)).unwrap(), "steel");
    match kind {
        ColliderKind::Convex => cube(),
        ColliderKind::HalfSpace => ShapeDef::new(Shape::half_space(Vec3::z(), 0.5 * SIDE).unwrap(), "steel"),
        ColliderKind::Compound => {
            let piece = |x: f64| {
                let half = Cuboid::new(Vec3::new(0.5 * SIDE, SIDE, SIDE)).unwrap();
                (Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap(), half.into())
            };
            let pieces = vec![piece(-0.25 * SIDE), piece(0.25 * SIDE)];
            ShapeDef::new(Compound::new(pieces).unwrap().into(), "steel")
        }
        ColliderKind::Mesh => ShapeDef::new(box_mesh().into(), "steel"),
        ColliderKind::OpenMesh => {
            let mesh = box_mesh();
            let triangles = mesh.triangles()[1..].to_vec();
            ShapeDef::new(TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap().into(), "steel")
        }
        ColliderKind::Complex => {
            let quasi = QuasiLmd { dilation: Some(1e-3), ..QuasiLmd::default() };
            cube().colliding(Collision::QuasiLmd(quasi))
        }
        ColliderKind::Oriented => cube().colliding(Collision::Oriented),
        ColliderKind::HeightField => {
            let field = HeightField::new([2, 2], [SIDE, SIDE], vec![0.5 * SIDE; 4], SIDE).unwrap();
            ShapeDef::new(field.into(), "steel")
        }
    }
}

/// A body above a fixed shape; `lower` and `upper` are their names.
fn falling(
    params: WorldParams,
    upper: ShapeDef,
    lower: ShapeDef,
) -> Result<World, Box<(WorldError, String)>> {
    let mut builder = WorldBuilder::new(params);
    let result = builder
        .fixed(lower.named("lower"))
        .and_then(|_| builder.body(BodyDef::free(at(SIDE + FALL)).named("upper").with_shape(upper)));
    let named = |error: WorldError, builder: &WorldBuilder| {
        let message = error.with_names(|shape| builder.shape_name(shape));
        Box::new((error, message))
    };
    match result {
        Ok(_) => builder.clone().build().map_err(|error| named(error, &builder)),
        Err(error) => Err(named(error, &builder)),
    }
}

/// As what two shapes of these kinds meet: oriented counts before complex, and complex before the shapes as they are. A half-space or compound among complexes or oriented shapes is one of them.
fn met_as(a: ColliderKind, b: ColliderKind) -> (ColliderKind, ColliderKind) {
    for kind in [ColliderKind::Oriented, ColliderKind::Complex] {
        if a == kind || b == kind {
            return (kind, kind);
        }
    }
    (a, b)
}

#[test]
fn every_pair_that_the_table_answers_is_met_in_every_method_and_the_others_are_refused_by_name() {
    let (mut met, mut refused) = (0, 0);
    for upper in ColliderKind::ALL {
        for lower in ColliderKind::ALL {
            let (above, below) = (shape_of(upper), shape_of(lower));
            // Half-spaces and height fields are no bodies that fall.
            if [ColliderKind::HalfSpace, ColliderKind::HeightField].contains(&upper) {
                continue;
            }
            for (method, params) in methods() {
                let name = format!("{upper} on {lower}, {method}");
                let (a, b) = met_as(upper, lower);
                let is_answered = |question| matches!(cell(a, b, question), Cell::Answered { .. });
                let is_oriented = a == ColliderKind::Oriented;
                let is_open = [upper, lower].contains(&ColliderKind::OpenMesh);
                // Corners need surfaces that are flat as a whole, and contacts that give way.
                let has_mesh =
                    [upper, lower].contains(&ColliderKind::Mesh) || lower == ColliderKind::HeightField;
                let can_be_oriented = method == "events, elastic" && !has_mesh;
                let is_expected = is_answered(Question::Gap)
                    && is_answered(Question::Contacts)
                    && !is_open
                    && (!is_oriented || can_be_oriented);
                match falling(params, above.clone(), below.clone()) {
                    Ok(mut world) => {
                        assert!(is_expected, "{name}: built, though the table refuses it");
                        world.advance_to(UNTIL).unwrap_or_else(|error| panic!("{name}: {error}"));
                        let is_touch = |what: &EventKind| matches!(what, EventKind::ContactBegin { .. });
                        assert!(world.events().iter().any(|event| is_touch(&event.what)), "{name}: no touch");
                        let height =
                            world.pose(zerogap::dynamics::multibody::BodyId(0)).translation().z - SIDE;
                        assert!(height > -1e-4 && height < FALL, "{name}: at {height} m");
                        met += 1;
                    }
                    Err(refusal) => {
                        let (error, message) = *refusal;
                        assert!(!is_expected, "{name}: {message}");
                        let is_named = message.contains("'lower'") || message.contains("'upper'");
                        assert!(is_named, "{name}: {message}");
                        match error {
                            WorldError::CannotCollide { reason, kind, .. } => {
                                assert_eq!(kind, ColliderKind::OpenMesh, "{name}");
                                let own = cell(kind, kind, Question::Contacts);
                                assert_eq!(own, Cell::Refused { reason }, "{name}");
                            }
                            WorldError::Oriented { .. } => assert!(is_oriented, "{name}: {message}"),
                            other => panic!("{name}: {other}"),
                        }
                        refused += 1;
                    }
                }
            }
        }
    }
    println!("{met} met, {refused} refused");
    assert!(met >= 60 && refused >= 40, "{met} met, {refused} refused");
}

#[test]
fn a_mesh_whose_triangles_face_inward_is_refused_by_the_name_of_its_body() {
    let mesh = box_mesh();
    let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    let inward = TriangleMesh::new(mesh.vertices().to_vec(), turned).unwrap();
    let mut builder = WorldBuilder::new(WorldParams::default());
    let body = BodyDef::free(at(1.0)).named("shell").with_shape(ShapeDef::new(inward.into(), "steel"));
    let message = builder.body(body).unwrap_err().to_string();
    assert!(message.starts_with("'shell' collides as an open mesh"), "{message}");
    assert!(message.contains("face inward"), "{message}");
}

#[test]
fn a_scene_with_an_open_mesh_is_refused_where_it_stands_with_a_hint() {
    let folder = std::env::temp_dir().join(format!("zerogap-open-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(
        folder.join("open.obj"),
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n",
    )
    .unwrap();
    let text = "[[fixed]]\nname = \"bracket\"\nshape = \"open.obj\"\ncollision = \"mesh\"\n";
    let built = Scene::parse(text, "x", &folder).and_then(|scene| scene.build().map(drop));
    std::fs::remove_dir_all(&folder).unwrap();
    let report = built.unwrap_err().report();
    assert!(report.contains("'bracket' collides as an open mesh"), "{report}");
    assert!(report.contains("quasi-lmd"), "{report}");
}
