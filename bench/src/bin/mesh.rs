//! The distance of meshes: ours beside coal, and every bounding volume beside the others.
//!
//! Bumpy tori and blobs of 1k to 1M triangles apart, bumpy tori linked as in a chain, and pairs of CAD parts from `../shared/data/meshes`, where that is there, apart and put together. Every query is
//! asked several times and the least time counts, as the processor gave it to the thread; a row is the median over its queries. coal runs from Python: the interpreter named by PEERS_PYTHON, or `python3`;
//! it is given the same corners and poses, builds `BVHModelOBBRSS` and answers `distance` with its own defaults; calling it costs about a microsecond. `worst_off` is the largest difference of the two
//! answers against the extent.
//!
//! `-- quick` leaves out 1M. `-- volumes` compares the bounding volumes, rules and orders instead.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use zerogap_bench::{Clock, Table, summarize};
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3, math};
use zerogap_geometry::TriangleMesh;
use zerogap_geometry::import::{ImportOptions, read_mesh};
use zerogap_proximity::bvh::{AxisBox, Ball, BoundingVolume, BuildParams, Dop, Obb, SplitRule};
use zerogap_proximity::mesh::{MeshBody, MeshDistanceParams, MeshWork, Order, surface_distance};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Times that a query is asked in a row, and rows of which the least counts.
const REPEAT: usize = 4;
const ROUNDS: usize = 3;

/// Two meshes and how they stand.
struct Row {
    name: String,
    a: Arc<TriangleMesh>,
    b: Arc<TriangleMesh>,
    poses: Vec<(Pose, Pose)>,
}

fn main() -> Result<()> {
    let word = std::env::args().nth(1).unwrap_or_default();
    let mut rows = tori(if word.is_empty() { 4 } else { 3 })?;
    rows.extend(parts()?);
    if word == "volumes" { volumes(&rows) } else { beside_coal(&rows) }
}

/// A grid of points, closed around u, and around v where asked, as triangles.
fn grid(nu: usize, nv: usize, closed: bool, point: impl Fn(f64, usize) -> Vec3) -> Result<Arc<TriangleMesh>> {
    let turn = std::f64::consts::TAU / nu as f64;
    let mut vertices = Vec::new();
    for j in 0..nv {
        // Single precision, as files of meshes have it.
        let round = |p: Vec3| p.map(|x| f64::from(x as f32));
        vertices.extend((0..nu).map(|i| round(point(turn * i as f64, j))));
    }
    let at = |i: usize, j: usize| ((j % nv) * nu + i % nu) as u32;
    let mut triangles = Vec::new();
    for j in 0..if closed { nv } else { nv - 1 } {
        for i in 0..nu {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1));
            triangles.extend([[a, b, d], [a, d, c]]);
        }
    }
    Ok(Arc::new(TriangleMesh::new(vertices, triangles)?))
}

fn torus(nu: usize, nv: usize, minor: f64) -> Result<Arc<TriangleMesh>> {
    grid(nu, nv, true, |u, j| {
        let v = std::f64::consts::TAU * j as f64 / nv as f64;
        let r = minor + 0.03 * math::sin(7.0 * u) * math::cos(5.0 * v);
        let across = 1.0 + r * math::cos(v);
        Vec3::new(across * math::cos(u), across * math::sin(u), r * math::sin(v))
    })
}

fn blob(nu: usize, nv: usize) -> Result<Arc<TriangleMesh>> {
    grid(nu, nv, false, |u, j| {
        let t = (j as f64 + 0.5) / nv as f64 * std::f64::consts::PI;
        let r = 1.0 + 0.1 * math::sin(5.0 * u) * math::sin(4.0 * t);
        Vec3::new(r * math::sin(t) * math::cos(u), r * math::sin(t) * math::sin(u), r * math::cos(t))
    })
}

/// Bumpy tori against bumpy balls apart, and linked tori, of growing size.
fn tori(sizes: usize) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, nu, nv) in
        [("1k", 32, 16), ("10k", 100, 50), ("100k", 316, 158), ("1M", 1000, 500)].into_iter().take(sizes)
    {
        let mut random = Random::new(7);
        let apart = (0..40).map(|_| {
            let here = Pose::new(Vec3::zeros(), random.quaternion_xyzw())?;
            let place = random.direction() * random.range(2.7, 4.0);
            Ok((here, Pose::new(place, random.quaternion_xyzw())?))
        });
        let poses = apart.collect::<Result<_>>()?;
        rows.push(Row { name: format!("apart {name}"), a: torus(nu, nv, 0.4)?, b: blob(nu, nv)?, poses });
        let linked = (0..20).map(|_| {
            let place = Vec3::x() + random.in_cube(0.1);
            Ok((
                Pose::identity(),
                Pose::from_axis_angle(
                    place,
                    Vec3::x(),
                    std::f64::consts::FRAC_PI_2 + random.range(-0.1, 0.1),
                )?,
            ))
        });
        let ring = torus(nu, nv, 0.3)?;
        let poses = linked.collect::<Result<_>>()?;
        rows.push(Row { name: format!("linked {name}"), a: ring.clone(), b: ring, poses });
    }
    Ok(rows)
}

/// Pairs of parts apart, and put together along their common axis.
fn parts() -> Result<Vec<Row>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/meshes");
    if !folder.is_dir() {
        println!("there is no folder shared/data/meshes beside the repository: its rows are left out");
        return Ok(Vec::new());
    }
    let mut rows = Vec::new();
    for (name, a, b) in [
        ("bolt and nut", "bolt_m16.obj", "nut_m16.obj"),
        ("cubesat middle and top", "cubesat_middle.stl", "cubesat_top.stl"),
        ("round hole and peg", "hole_round_8mm.obj", "peg_round_8mm.obj"),
        ("square hole and peg", "hole_rect_8mm.obj", "peg_rect_8mm.obj"),
    ] {
        let read = |file: &str| -> Result<Arc<TriangleMesh>> {
            Ok(Arc::new(read_mesh(folder.join(file), &ImportOptions::default())?.mesh))
        };
        let (a, b) = (read(a)?, read(b)?);
        let (bodies, boxes) = (
            [MeshBody::<Obb>::new(a.clone()), MeshBody::new(b.clone())],
            [a.bounding_box(), b.bounding_box()],
        );
        let size = boxes[0].diagonal() + boxes[1].diagonal();
        let mut work = MeshWork::default();
        let mut apart = |pose: &(Pose, Pose)| {
            let found = surface_distance(
                &bodies[0],
                &pose.0,
                &bodies[1],
                &pose.1,
                &MeshDistanceParams::default(),
                &mut work,
            );
            found.gap > 1e-9 * size
        };
        // Anywhere around, wherever they do not cross.
        let mut random = Random::new(9);
        let mut poses = Vec::new();
        while poses.len() < 20 {
            let turn = Pose::new(Vec3::zeros(), random.quaternion_xyzw())?;
            let place = boxes[0].center() + random.direction() * random.range(0.15, 0.6) * size
                - turn.transform_point(&boxes[1].center());
            poses.push((Pose::identity(), Pose::new(place, turn.quaternion_xyzw())?));
            if !apart(&poses[poses.len() - 1]) {
                poses.pop();
            }
        }
        rows.push(Row { name: format!("{name} apart"), a: a.clone(), b: b.clone(), poses });
        // One in the other or against it: middles over each other, at every height and angle that leaves a gap.
        let mut poses = Vec::new();
        for step in 0..4000 {
            let height = random.range(-0.5, 0.5) * (boxes[0].size().z + boxes[1].size().z);
            let turn = if name.contains("square") || name.contains("cubesat") {
                0.0
            } else {
                random.range(-3.2, 3.2)
            };
            let middle = boxes[0].center() + Vec3::z() * height;
            let turned = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), turn)?;
            let place = middle - turned.transform_point(&boxes[1].center());
            let pose = (Pose::identity(), Pose::new(place, turned.quaternion_xyzw())?);
            if poses.len() < 20 && apart(&pose) && step > 0 {
                poses.push(pose);
            }
        }
        if !poses.is_empty() {
            rows.push(Row { name: format!("{name} together"), a, b, poses });
        }
    }
    Ok(rows)
}

/// What one engine did on one row.
struct Outcome {
    /// Least time of each query [s].
    times: Vec<f64>,
    gaps: Vec<f64>,
    build: f64,
}

fn ours<V: BoundingVolume>(
    row: &Row,
    build: &BuildParams,
    params: &MeshDistanceParams,
) -> (Outcome, [f64; 3]) {
    let begin = std::time::Instant::now();
    let (a, b) = (MeshBody::<V>::with(row.a.clone(), build), MeshBody::<V>::with(row.b.clone(), build));
    let build = begin.elapsed().as_secs_f64();
    let mut work = MeshWork::default();
    let (mut outcome, mut pops, mut measured) = (Outcome { times: vec![], gaps: vec![], build }, 0, 0);
    for (pose_a, pose_b) in &row.poses {
        let mut least = f64::INFINITY;
        let mut ask = || surface_distance(&a, pose_a, &b, pose_b, params, &mut work);
        let found = ask();
        for _ in 0..ROUNDS {
            let clock = Clock::start();
            for _ in 0..REPEAT {
                std::hint::black_box(ask());
            }
            least = least.min(clock.elapsed() / REPEAT as f64);
        }
        outcome.times.push(least);
        outcome.gaps.push(found.gap);
        pops += found.pops;
        measured += found.measured;
    }
    let each = |count: u64| count as f64 / row.poses.len() as f64;
    let bytes = (a.bytes() + b.bytes()) as f64 / (row.a.triangles().len() + row.b.triangles().len()) as f64;
    (outcome, [each(pops), each(measured), bytes])
}

/// Has Python run coal over one row; none where it is not there.
fn coal(row: &Row) -> Result<Option<Outcome>> {
    let folder = std::env::temp_dir().join(format!("zerogap-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    for (name, mesh) in [("a", &row.a), ("b", &row.b)] {
        let mut file = std::io::BufWriter::new(std::fs::File::create(folder.join(name))?);
        for number in [mesh.vertices().len(), mesh.triangles().len()] {
            file.write_all(&(number as u64).to_le_bytes())?;
        }
        for number in mesh.vertices().iter().flat_map(|p| [p.x, p.y, p.z]) {
            file.write_all(&number.to_le_bytes())?;
        }
        for index in mesh.triangles().iter().flatten() {
            file.write_all(&u64::from(*index).to_le_bytes())?;
        }
    }
    let mut poses = String::new();
    for pose in row.poses.iter().flat_map(|(a, b)| [a, b]) {
        let (t, q) = (pose.translation(), pose.quaternion_xyzw());
        poses += &format!("{:?} {:?} {:?} {:?} {:?} {:?} {:?}\n", t.x, t.y, t.z, q[0], q[1], q[2], q[3]);
    }
    std::fs::write(folder.join("poses"), poses)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/mesh_coal.py");
    let python = std::env::var("PEERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python)
        .args([script.as_ref(), folder.as_os_str()])
        .args([REPEAT.to_string(), ROUNDS.to_string()])
        .output()?;
    std::fs::remove_dir_all(&folder)?;
    if !output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines();
    let build = lines.next().unwrap_or_default().parse()?;
    let mut outcome = Outcome { times: vec![], gaps: vec![], build };
    for line in lines {
        let (time, gap) = line.split_once(' ').ok_or("a line without two numbers")?;
        outcome.times.push(time.parse()?);
        outcome.gaps.push(gap.parse()?);
    }
    Ok(Some(outcome))
}

fn beside_coal(rows: &[Row]) -> Result<()> {
    let mut table = Table::new(&[
        "row",
        "triangles",
        "queries",
        "zerogap_us",
        "spread",
        "again_us",
        "coal_us",
        "coal/zerogap",
        "worst_off",
        "build_ms",
        "coal_build_ms",
        "bytes/triangle",
    ]);
    for row in rows {
        let params = MeshDistanceParams::default();
        let (found, [_, _, bytes]) = ours::<Obb>(row, &BuildParams::default(), &params);
        let (again, _) =
            ours::<Obb>(row, &BuildParams::default(), &MeshDistanceParams { coherent: true, ..params });
        let peer = coal(row)?;
        let time = summarize(found.times.clone());
        let size = row.a.bounding_box().diagonal() + row.b.bounding_box().diagonal();
        let cell = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |v| format!("{v:.digits$}"))
        };
        let off = peer.as_ref().map(|peer| {
            found.gaps.iter().zip(&peer.gaps).map(|(x, y)| (x - y).abs() / size).fold(0.0, f64::max)
        });
        let peer_time = peer.as_ref().map(|peer| summarize(peer.times.clone()).median);
        table.push(vec![
            row.name.clone(),
            (row.a.triangles().len() + row.b.triangles().len()).to_string(),
            row.poses.len().to_string(),
            format!("{:.1}", 1e6 * time.median),
            format!("{:.2}", time.spread),
            format!("{:.1}", 1e6 * summarize(again.times).median),
            cell(peer_time.map(|t| 1e6 * t), 1),
            cell(peer_time.map(|t| t / time.median), 1),
            off.map_or_else(|| "-".to_owned(), |off| format!("{off:.1e}")),
            format!("{:.1}", 1e3 * found.build),
            cell(peer.map(|peer| 1e3 * peer.build), 1),
            format!("{bytes:.0}"),
        ]);
    }
    table.save("mesh")?;
    Ok(())
}

fn volumes(rows: &[Row]) -> Result<()> {
    let mut table = Table::new(&[
        "row",
        "volume",
        "rule",
        "order",
        "median_us",
        "node_pairs",
        "triangle_pairs",
        "build_ms",
        "bytes/triangle",
    ]);
    for row in rows {
        for rule in [SplitRule::SurfaceArea, SplitRule::SmallestVolumes, SplitRule::Longest] {
            for order in [Order::DepthFirst, Order::BestFirst] {
                one::<Ball>(row, rule, order, &mut table);
                one::<AxisBox>(row, rule, order, &mut table);
                one::<Dop<7>>(row, rule, order, &mut table);
                one::<Dop<9>>(row, rule, order, &mut table);
                one::<Dop<13>>(row, rule, order, &mut table);
                one::<Obb>(row, rule, order, &mut table);
            }
        }
    }
    table.save("mesh-volumes")?;
    Ok(())
}

fn one<V: BoundingVolume>(row: &Row, rule: SplitRule, order: Order, table: &mut Table) {
    // The other rules with the two volumes that differ most: the rest lies between.
    if rule != SplitRule::SurfaceArea && V::NAME != Ball::NAME && V::NAME != Obb::NAME {
        return;
    }
    let short = Row {
        name: row.name.clone(),
        a: row.a.clone(),
        b: row.b.clone(),
        poses: row.poses.iter().take(10).copied().collect(),
    };
    let params = MeshDistanceParams { order, ..MeshDistanceParams::default() };
    let (found, [pops, measured, bytes]) =
        ours::<V>(&short, &BuildParams { rule, ..BuildParams::default() }, &params);
    table.push(vec![
        row.name.clone(),
        V::NAME.to_owned(),
        format!("{rule:?}"),
        format!("{order:?}"),
        format!("{:.1}", 1e6 * summarize(found.times).median),
        format!("{pops:.0}"),
        format!("{measured:.0}"),
        format!("{:.1}", 1e3 * found.build),
        format!("{bytes:.0}"),
    ]);
}
