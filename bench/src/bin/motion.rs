//! Moving features and bodies: sweeps of vertices, faces and edges, and times of impact beside parry3d-f64.
//!
//! Sweeps: `random` has corners anywhere in a cube at both ends; `near` has features of size 1 that move by a tenth and whose boxes overlap, as a hierarchy
//! leaves them. `paper` are the tests of Lennerz, Schömer and Warken. Impacts: bodies of size 1 that fly at each other and turn; `missed` counts
//! motions that ours meets (with bodies seen to overlap just after) and the peer does not, `late` those that it meets more than 1e-4 s after ours. Meshes: bumpy rings as triangles.

use std::error::Error;
use std::hint::black_box;

use parry3d_f64::math::{Pose as PeerPose, Rotation, Vector};
use parry3d_f64::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
use parry3d_f64::shape::SharedShape;
use zerogap_bench::{Clock, Table, summarize};
use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron, TriangleMesh, parts};
use zerogap_proximity::mesh::{MeshBody, MeshOperand};
use zerogap_proximity::motion::paper::{self, Sides};
use zerogap_proximity::motion::{
    Impact, ImpactParams, ImpactWork, Motion, Sweep, SweepParams, edge_edge, mesh_time_of_impact, vertex_face,
};
use zerogap_testkit::random::Random;

/// Features swept, and motions of each pair.
const SWEEPS: usize = 100_000;
const MOTIONS: usize = 2_000;
const MESH_MOTIONS: usize = 40;

/// Motions of two meshes that the peer is asked: it takes seconds for each.
const PEER_MESH_MOTIONS: usize = 3;

/// Four points at the start and at the end.
type Query = [Vec3; 8];

fn main() -> Result<(), Box<dyn Error>> {
    sweeps()?;
    impacts()
}

fn sweeps() -> Result<(), Box<dyn Error>> {
    let mut table =
        Table::new(&["test", "queries", "hits", "ns", "ns_of_misses", "steps", "paper_ns", "spread"]);
    let params = SweepParams::default();
    for kind in ["random", "near"] {
        let mut random = Random::new(3);
        let queries: Vec<Query> = (0..SWEEPS).map(|k| query(&mut random, kind, 1 + k % 2)).collect();
        let vertices: Vec<&Query> = queries.iter().step_by(2).collect();
        let edges: Vec<&Query> = queries.iter().skip(1).step_by(2).collect();
        let face = |q: &Query| vertex_face(&q[0], &q[4], &[q[1], q[2], q[3]], &[q[5], q[6], q[7]], &params);
        let edge = |q: &Query| edge_edge(&[q[0], q[1]], &[q[4], q[5]], &[q[2], q[3]], &[q[6], q[7]], &params);
        let paper_face = |q: &Query| {
            paper::vertex_face(&q[0], &q[4], &[q[1], q[2], q[3]], &[q[5], q[6], q[7]], Sides::Both).is_some()
        };
        let paper_edge = |q: &Query| {
            let wing = |k: usize| [q[k], q[k + 1], q[k] + Vec3::new(0.3, 0.5, 0.7)];
            paper::edge_edge(&wing(0), &wing(4), &wing(2), &wing(6)).is_some()
        };
        row(&mut table, &format!("vertex-face {kind}"), &vertices, |q| face(q).expect("numbers"), paper_face);
        row(&mut table, &format!("edge-edge {kind}"), &edges, |q| edge(q).expect("numbers"), paper_edge);
    }
    table.save("motion-sweeps")?;
    Ok(())
}

fn row(
    table: &mut Table,
    name: &str,
    queries: &[&Query],
    ask: impl Fn(&Query) -> Sweep,
    peer: impl Fn(&Query) -> bool,
) {
    let answers: Vec<Sweep> = queries.iter().map(|q| ask(q)).collect();
    let misses: Vec<&Query> =
        queries.iter().zip(&answers).filter(|(_, sweep)| !sweep.is_hit()).map(|(q, _)| *q).collect();
    let time = |set: &[&Query], ask: &dyn Fn(&Query)| {
        let run = || {
            let clock = Clock::start();
            set.iter().for_each(|q| ask(q));
            clock.elapsed() / set.len() as f64
        };
        summarize((0..9).map(|_| run()).collect())
    };
    let ours = |q: &Query| {
        black_box(ask(q));
    };
    let all = time(queries, &ours);
    let clear = time(&misses, &ours);
    let theirs = time(queries, &|q| {
        black_box(peer(q));
    });
    let steps = answers.iter().map(|sweep| u64::from(sweep.steps)).sum::<u64>() as f64 / queries.len() as f64;
    table.push(vec![
        name.to_owned(),
        queries.len().to_string(),
        (queries.len() - misses.len()).to_string(),
        format!("{:.0}", 1e9 * all.median),
        format!("{:.0}", 1e9 * clear.median),
        format!("{steps:.2}"),
        format!("{:.0}", 1e9 * theirs.median),
        format!("{:.3}", all.spread),
    ]);
}

/// A vertex and a face (`first` is 1), or two edges (2).
fn query(random: &mut Random, kind: &str, first: usize) -> Query {
    loop {
        let mut q: Query = std::array::from_fn(|_| random.in_cube(1.0));
        if kind == "random" {
            return q;
        }
        let drift = [random.in_cube(0.1), random.in_cube(0.1)];
        for k in 0..4 {
            q[k + 4] = q[k] + drift[usize::from(k >= first)] + random.in_cube(0.02);
        }
        let cover = |from: usize, to: usize| Aabb::from_points((from..to).flat_map(|k| [&q[k], &q[k + 4]]));
        if cover(0, first).overlaps(&cover(first, 4)) {
            return q;
        }
    }
}

/// A body for both.
struct Body {
    name: String,
    ours: Ours,
    peer: SharedShape,
}

enum Ours {
    Convex(ConvexShape),
    Mesh(Box<MeshBody>),
}

impl Body {
    fn side(&self) -> MeshOperand<'_> {
        match &self.ours {
            Ours::Convex(shape) => MeshOperand::Convex(shape),
            Ours::Mesh(mesh) => MeshOperand::Mesh(mesh),
        }
    }
}

fn convex(name: &str, shape: ConvexShape, peer: SharedShape) -> Body {
    Body { name: name.to_owned(), ours: Ours::Convex(shape), peer }
}

fn hull(count: usize, seed: u64) -> Result<Body, Box<dyn Error>> {
    let mut random = Random::new(seed);
    let points: Vec<Vec3> = (0..count).map(|_| 0.5 * random.direction()).collect();
    let peer: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let peer = SharedShape::convex_hull(&peer).ok_or("the peer makes no hull")?;
    Ok(convex(&format!("hull{count}"), Polyhedron::from_points(&points)?.into(), peer))
}

fn ring(triangles: usize) -> Result<Body, Box<dyn Error>> {
    // Twice as many segments round as along.
    let sides = ((triangles / 4) as f64).sqrt().round() as usize;
    let (round, along) = ((2 * sides).to_string(), sides.to_string());
    let settings =
        [("major", "0.4"), ("minor", "0.1"), ("segments", round.as_str()), ("tube_segments", along.as_str())];
    let mesh: TriangleMesh = parts::by_name("torus", &settings)?;
    let vertices: Vec<Vector> = mesh.vertices().iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let peer = SharedShape::trimesh(vertices, mesh.triangles().to_vec())?;
    let name = format!("ring{}", mesh.triangles().len());
    Ok(Body { name, ours: Ours::Mesh(Box::new(MeshBody::new(mesh))), peer })
}

fn impacts() -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(&[
        "a",
        "b",
        "spin",
        "motions",
        "hits",
        "ours_us",
        "gaps",
        "parry_us",
        "parry/ours",
        "missed",
        "late",
        "spread",
    ]);
    let cube = || {
        Ok::<_, Box<dyn Error>>(convex(
            "box",
            Cuboid::new(Vec3::repeat(0.6))?.into(),
            SharedShape::cuboid(0.3, 0.3, 0.3),
        ))
    };
    let ball = convex("ball", Sphere::new(0.4)?.into(), SharedShape::ball(0.4));
    let capsule = convex("capsule", Capsule::new(0.2, 0.6)?.into(), SharedShape::capsule_z(0.3, 0.2));
    let pairs = [
        (convex("ball", Sphere::new(0.4)?.into(), SharedShape::ball(0.4)), ball, MOTIONS),
        (cube()?, cube()?, MOTIONS),
        (cube()?, capsule, MOTIONS),
        (hull(50, 1)?, hull(50, 2)?, MOTIONS),
        (hull(500, 1)?, hull(500, 2)?, MOTIONS / 4),
        (ring(1_000)?, cube()?, MESH_MOTIONS),
        (ring(1_000)?, ring(1_000)?, MESH_MOTIONS),
        (ring(10_000)?, ring(10_000)?, MESH_MOTIONS),
    ];
    for (a, b, count) in &pairs {
        for spin in [0.5, 10.0] {
            pair(&mut table, a, b, *count, spin);
        }
    }
    table.save("motion-impacts")?;
    Ok(())
}

fn pair(table: &mut Table, a: &Body, b: &Body, count: usize, spin: f64) {
    let mut random = Random::new(5);
    let motions: Vec<[Motion; 2]> = (0..count)
        .map(|_| {
            let side = random.direction();
            [0.0, 1.0].map(|sign: f64| {
                let place = side * (2.0 * sign - 1.0) * 1.2;
                let pose = Pose::new(place, random.quaternion_xyzw()).expect("a pose");
                let aim = -2.0 * place + random.in_cube(0.6);
                Motion::new(pose, aim, spin * random.in_ball()).expect("a motion")
            })
        })
        .collect();
    let (params, mut work) = (ImpactParams::default(), ImpactWork::default());
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut mine, mut gaps) = (Vec::new(), 0_u64);
    for pass in 0..4 {
        let clock = Clock::start();
        for [motion_a, motion_b] in &motions {
            let found = mesh_time_of_impact(&mut work, a.side(), motion_a, b.side(), motion_b, 1.0, &params)
                .expect("both are bounded");
            if pass == 0 {
                mine.push(found);
                gaps += u64::from(work.steps);
            }
        }
        if pass > 0 {
            ours.push(clock.elapsed() / count as f64);
        }
    }
    let mut peer_found = Vec::new();
    let passes = if count <= MESH_MOTIONS { 1 } else { 3 };
    let both_meshes = matches!((&a.ours, &b.ours), (Ours::Mesh(_), Ours::Mesh(_)));
    let asked = if both_meshes { PEER_MESH_MOTIONS } else { count };
    for pass in 0..passes {
        let clock = Clock::start();
        for [motion_a, motion_b] in &motions[..asked] {
            let (m, n) = (peer_motion(motion_a), peer_motion(motion_b));
            let hit = cast_shapes_nonlinear(&m, &*a.peer, &n, &*b.peer, 0.0, 1.0, true);
            let hit = hit.ok().flatten().map(|hit| hit.time_of_impact);
            if pass == 0 {
                peer_found.push(hit);
            }
        }
        theirs.push(clock.elapsed() / asked as f64);
    }
    let (ours, theirs) = (summarize(ours), summarize(theirs));
    let hits = mine.iter().filter(|found| found.first_contact().is_some()).count();
    let (mut missed, mut late) = (0, 0);
    for (found, peer) in mine.iter().zip(&peer_found) {
        if let Impact::At(contact) = found {
            missed += usize::from(peer.is_none() && contact.touches);
            late += usize::from(peer.is_some_and(|t| t > contact.t_upper + 1e-4));
        }
    }
    table.push(vec![
        a.name.clone(),
        b.name.clone(),
        format!("{spin}"),
        count.to_string(),
        hits.to_string(),
        format!("{:.2}", 1e6 * ours.median),
        format!("{:.1}", gaps as f64 / count as f64),
        format!("{:.2}", 1e6 * theirs.median),
        format!("{:.2}", theirs.median / ours.median),
        missed.to_string(),
        late.to_string(),
        format!("{:.3}", ours.spread),
    ]);
}

fn peer_motion(motion: &Motion) -> NonlinearRigidMotion {
    let (p, [x, y, z, w]) = (motion.start().translation(), motion.start().quaternion_xyzw());
    let pose = PeerPose::from_parts(Vector::new(p.x, p.y, p.z), Rotation::from_xyzw(x, y, z, w));
    let (v, s) = (motion.velocity(), motion.spin());
    NonlinearRigidMotion::new(pose, Vector::ZERO, Vector::new(v.x, v.y, v.z), Vector::new(s.x, s.y, s.z))
}
