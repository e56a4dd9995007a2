//! Quasi-LMDs of an assembly of the published size: Merlhiot 2007, table 3.
//!
//! 26 bodies of our own parts, refined to edges of 5 mm: a mechanism (plate, crankshaft, rods, gear and pin in one) slides between rails, out of them, over a wall and down, until its pin is in a
//! hole. 25 pairs with the moving body are asked at each of 1000 poses, divided over all threads, as in the paper; the path is walked five times from anew, and the least time of each pose counts. Complexes are 1 mm apart where they touch and inflated by 0.5 mm each;
//! contacts up to 1 mm farther are listed. Columns: average, least and most milliseconds of a request, beside what table 3 says for four cores of 2005; contacts of a pose on average and at most, and
//! the part of the poses that has ten or more; thousands of node pairs tested for a request, which do not depend on how busy the machine is; time to build all bodies and bytes for each simplex.
//! `at rest` stays at one pose and trembles by a micrometre.
//! `no gauss` splits by position alone, `alternate` as published, `by class` as we do; `lists` keeps pairs of faces between poses; `checked` checks for complexes that intersect too.
//!
//! `-- 20` takes a coarser mesh (edge in mm) for all rows: for a quick run; `-- 20 4` row 4 alone.

use std::error::Error;
use std::time::Instant;

use rayon::prelude::*;
use zerogap_bench::Table;
use zerogap_core::{Pose, Vec3, math};
use zerogap_geometry::parts::by_name;
use zerogap_geometry::{Complex, ComplexOptions, TriangleMesh};
use zerogap_proximity::lmd::{
    ComplexBody, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, Splitting, quasi_contacts_into,
};

/// Poses of the path, and how often it is walked: the least time of each pose counts, so that other programs on the machine do not.
const POSES: usize = 1000;
const PASSES: usize = 5;
/// What the bodies are inflated by [m], how far complexes are apart where they touch [m], and the largest gap listed [m].
const DILATION: f64 = 0.5e-3;
const CLEARANCE: f64 = 1e-3;
const WITHIN: f64 = 1e-3;

/// The moving body and the fixed ones, as meshes where they are.
struct Scene {
    moving: TriangleMesh,
    fixed: Vec<TriangleMesh>,
}

type Outcome<T> = Result<T, Box<dyn Error>>;

fn part(name: &str, settings: &[(&str, &str)]) -> Outcome<TriangleMesh> {
    Ok(by_name(name, settings)?)
}

fn cuboid(low: [f64; 3], high: [f64; 3]) -> Outcome<TriangleMesh> {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let size = high - low;
    let text = size.iter().map(|x| format!("{x} m")).collect::<Vec<_>>();
    let settings = [("width", &*text[0]), ("depth", &*text[1]), ("height", &*text[2])];
    placed(part("box", &settings)?, 0.5 * (low + high), [0.0, 0.0, 1.0], 0.0)
}

fn placed(mesh: TriangleMesh, at: Vec3, axis: [f64; 3], degrees: f64) -> Outcome<TriangleMesh> {
    Ok(mesh.transformed(&Pose::from_axis_angle(at, axis.into(), degrees.to_radians())?)?)
}

/// A part scaled, rotated and placed.
fn scattered(name: &str, scale: f64, at: [f64; 3], axis: [f64; 3], degrees: f64) -> Outcome<TriangleMesh> {
    placed(part(name, &[])?.scaled(scale)?, at.into(), axis, degrees)
}

fn scene(edge: f64) -> Outcome<Scene> {
    let c = CLEARANCE;
    // The mechanism: a plate with a crankshaft, two rods and a gear on it, and a pin below.
    let pin =
        part("peg", &[("width", "40 mm"), ("length", "125 mm"), ("chamfer", "2 mm"), ("segments", "64")])?;
    let mechanism = [
        cuboid([-0.15, -0.1, -0.01], [0.15, 0.1, 0.01])?,
        placed(pin, Vec3::new(0.1, 0.0, -0.0675), [0.0, 0.0, 1.0], 0.0)?,
        scattered("crankshaft", 1.0, [-0.1, 0.0, 0.065], [0.0, 1.0, 0.0], 90.0)?,
        scattered("connecting-rod", 0.6, [-0.1, -0.05, 0.03], [0.0, 0.0, 1.0], 10.0)?,
        scattered("connecting-rod", 0.6, [-0.1, 0.05, 0.03], [0.0, 0.0, 1.0], -10.0)?,
        scattered("gear", 1.5, [0.1, 0.0, 0.04], [0.0, 0.0, 1.0], 0.0)?,
    ];
    let mut moving = mechanism[0].clone();
    for other in &mechanism[1..] {
        moving = moving.merged(other)?;
    }
    let mut fixed = Vec::new();
    // Rails above and below both borders of the plate, and guides beside it.
    for side in [-1.0, 1.0] {
        let across = |from: f64, to: f64| if side > 0.0 { (from, to) } else { (-to, -from) };
        let (near, far) = across(0.08, 0.13);
        fixed.push(cuboid([-0.1, near, 0.01 + c], [0.1, far, 0.05])?);
        fixed.push(cuboid([-0.1, near, -0.05], [0.1, far, -0.01 - c])?);
        let (near, far) = across(0.1 + c, 0.16);
        fixed.push(cuboid([-0.1, near, -0.0105], [0.1, far, 0.0105])?);
    }
    // What the pin goes into: a ring on a plate with a hole.
    let clearance = format!("{c} m");
    let plate = part(
        "hole-plate",
        &[
            ("peg_width", "40 mm"),
            ("clearance", &clearance),
            ("width", "0.4 m"),
            ("depth", "0.4 m"),
            ("thickness", "40 mm"),
            ("segments", "64"),
        ],
    )?;
    fixed.push(placed(plate, Vec3::new(0.36, 0.0, -0.165), [0.0, 0.0, 1.0], 0.0)?);
    let ring = format!("{} m", 0.02 + c + 0.006);
    let ring =
        part("torus", &[("major", &ring), ("minor", "6 mm"), ("segments", "96"), ("tube_segments", "32")])?;
    fixed.push(placed(ring, Vec3::new(0.36, 0.0, -0.138), [0.0, 0.0, 1.0], 0.0)?);
    // The body around it.
    fixed.push(cuboid([-0.2, -0.15, -0.28], [0.4, 0.15, -0.27])?);
    fixed.push(cuboid([-0.2, -0.15, 0.14], [0.4, 0.15, 0.15])?);
    for side in [-1.0, 1.0] {
        let y = 0.21 * side;
        fixed.push(cuboid([-0.3, y - 0.005, -0.1], [0.5, y + 0.005, 0.1])?);
    }
    for (k, (name, scale)) in [
        ("crankshaft", 1.2),
        ("connecting-rod", 1.6),
        ("gear", 3.0),
        ("torus", 2.2),
        ("cylinder", 2.4),
        ("crankshaft", 1.1),
        ("connecting-rod", 1.5),
        ("gear", 2.7),
        ("torus", 2.0),
        ("cylinder", 2.2),
        ("crankshaft", 1.0),
        ("connecting-rod", 1.4),
        ("gear", 2.5),
    ]
    .into_iter()
    .enumerate()
    {
        // Two rows above the hood and below the floor.
        let (row, place) = (k % 2, (k / 2) as f64);
        let z = if row == 0 { 0.3 } else { -0.4 };
        let at = [-0.6 + 0.25 * place, 0.1 * (place - 3.0), z];
        fixed.push(scattered(name, 0.7 * scale, at, [1.0, 0.3, 0.2 * place], 25.0 * place)?);
    }
    let fine = |mesh: &TriangleMesh| -> Outcome<TriangleMesh> { Ok(mesh.refined(edge)?.mesh) };
    Ok(Scene { moving: fine(&moving)?, fixed: fixed.iter().map(fine).collect::<Outcome<_>>()? })
}

/// Where the moving body is at a pose of the path: through the rails, out, and down into the hole, swaying by less than the clearance.
fn pose(k: usize) -> Outcome<Pose> {
    let t = k as f64;
    let x = if k < 640 { -0.28 + 0.54 * t / 640.0 } else { 0.26 };
    let z = if k < 640 { 0.0 } else { -0.122 * (t - 640.0) / (POSES as f64 - 640.0) };
    let sway = |period: f64, size: f64| size * math::sin(std::f64::consts::TAU * t / period);
    let at =
        Vec3::new(x + if k < 640 { 0.0 } else { sway(90.0, 2e-4) }, sway(70.0, 3e-4), z + sway(110.0, 2e-4));
    let axis = Vec3::new(sway(130.0, 1.0), math::cos(t / 40.0), sway(60.0, 1.0) + 1e-3);
    Ok(Pose::from_axis_angle(at, axis, sway(200.0, 1e-3))?)
}

/// At one place of the path, half-way into the hole, moved by up to a micrometre.
fn trembling(k: usize) -> Outcome<Pose> {
    let sway = |period: f64| 1e-6 * math::sin(k as f64 / period);
    let here = pose(800)?;
    Ok(Pose::new(here.translation() + Vec3::new(sway(3.0), sway(5.0), sway(7.0)), here.quaternion_xyzw())?)
}

/// One kind of query.
struct Row {
    name: &'static str,
    edge: f64,
    splitting: Splitting,
    reuse: bool,
    check: bool,
    /// Whether the body stays in the hole and trembles instead of following the path.
    rests: bool,
    paper: &'static str,
}

fn main() -> Outcome<()> {
    let only: Option<f64> = std::env::args().nth(1).map(|text| text.parse()).transpose()?;
    let chosen: Option<usize> = std::env::args().nth(2).map(|text| text.parse()).transpose()?;
    let mut table = Table::new(&[
        "hierarchy",
        "edge_mm",
        "triangles",
        "simplices",
        "avg_ms",
        "min_ms",
        "max_ms",
        "paper_ms",
        "kilotests",
        "most_kilotests",
        "contacts",
        "most",
        "ten_or_more",
        "build_s",
        "bytes/simplex",
    ]);
    let row = |name, edge, splitting, reuse, check, paper| Row {
        name,
        edge,
        splitting,
        reuse,
        check,
        rests: false,
        paper,
    };
    let rows = [
        row("no gauss", 10.0, Splitting::Position, false, false, "15.42/0.16/142.58"),
        row("alternate", 10.0, Splitting::Alternate, false, false, "14.00/0.30/45.04"),
        row("alternate", 5.0, Splitting::Alternate, false, false, "10.06/0.41/29.18"),
        row("by class", 10.0, Splitting::ByClass, false, false, ""),
        row("by class", 5.0, Splitting::ByClass, false, false, ""),
        row("by class lists", 5.0, Splitting::ByClass, true, false, ""),
        row("lists checked", 5.0, Splitting::ByClass, true, true, ""),
        Row { rests: true, ..row("at rest", 5.0, Splitting::ByClass, false, false, "") },
        Row { rests: true, ..row("at rest lists", 5.0, Splitting::ByClass, true, true, "") },
    ];
    let mut hashes: Vec<(u64, u64)> = Vec::new();
    let mut made: Option<(f64, Splitting, Bodies)> = None;
    for row in
        rows.into_iter().enumerate().filter(|(k, _)| chosen.is_none_or(|c| c == *k)).map(|(_, row)| row)
    {
        let edge = only.unwrap_or(row.edge);
        if !made.as_ref().is_some_and(|(e, s, _)| *e == edge && *s == row.splitting) {
            made = Some((edge, row.splitting, build(edge, row.splitting)?));
        }
        let Some((_, _, bodies)) = &made else { continue };
        let run = run(bodies, &row)?;
        // Every way must find the same contacts.
        let key = edge.to_bits() ^ u64::from(row.rests);
        if let Some((_, hash)) = hashes.iter().find(|(other, _)| *other == key) {
            assert_eq!(*hash, run.hash, "{} finds other contacts", row.name);
        }
        hashes.push((key, run.hash));
        let (least, most) = (
            run.times.iter().copied().fold(f64::INFINITY, f64::min),
            run.times.iter().copied().fold(0.0, f64::max),
        );
        table.push(vec![
            row.name.to_owned(),
            format!("{edge}"),
            bodies.triangles.to_string(),
            bodies.simplices.to_string(),
            format!("{:.3}", run.times.iter().sum::<f64>() / POSES as f64),
            format!("{least:.3}"),
            format!("{most:.3}"),
            row.paper.to_owned(),
            format!("{:.1}", 1e-3 * run.tests.iter().sum::<u64>() as f64 / POSES as f64),
            format!("{:.1}", 1e-3 * *run.tests.iter().max().unwrap_or(&0) as f64),
            format!("{:.1}", run.counts.iter().sum::<usize>() as f64 / POSES as f64),
            run.counts.iter().max().unwrap_or(&0).to_string(),
            format!("{:.2}", run.counts.iter().filter(|n| **n >= 10).count() as f64 / POSES as f64),
            format!("{:.1}", bodies.seconds),
            format!("{:.0}", bodies.bytes as f64 / bodies.simplices as f64),
        ]);
    }
    if only.is_none() {
        table.save("lmd")?;
    }
    Ok(())
}

struct Bodies {
    moving: ComplexBody,
    fixed: Vec<ComplexBody>,
    triangles: usize,
    simplices: usize,
    seconds: f64,
    bytes: usize,
}

fn build(edge: f64, splitting: Splitting) -> Outcome<Bodies> {
    let Scene { moving, fixed } = scene(1e-3 * edge)?;
    let triangles = moving.triangles().len() + fixed.iter().map(|mesh| mesh.triangles().len()).sum::<usize>();
    let clock = Instant::now();
    let options = ComplexOptions { dilation: DILATION, ..ComplexOptions::default() };
    let body = |mesh: &TriangleMesh| -> Outcome<ComplexBody> {
        Ok(ComplexBody::with_splitting(Complex::from_mesh(mesh, &options)?, splitting))
    };
    let moving = body(&moving)?;
    let fixed: Vec<ComplexBody> = fixed.iter().map(body).collect::<Outcome<_>>()?;
    let seconds = clock.elapsed().as_secs_f64();
    let all = || fixed.iter().chain([&moving]);
    let simplices = all().filter_map(ComplexBody::complex).map(Complex::face_count).sum();
    let bytes = all().map(ComplexBody::bytes).sum();
    Ok(Bodies { moving, fixed, triangles, simplices, seconds, bytes })
}

struct Run {
    times: Vec<f64>,
    counts: Vec<usize>,
    /// Pairs of nodes tested.
    tests: Vec<u64>,
    hash: u64,
}

fn run(bodies: &Bodies, row: &Row) -> Outcome<Run> {
    let params =
        QuasiParams { within: WITHIN, reuse: row.reuse, check_overlap: row.check, ..QuasiParams::default() };
    let mut pairs: Vec<(&ComplexBody, QuasiWork, Vec<QuasiContact>, QuasiStatus)> = bodies
        .fixed
        .iter()
        .map(|body| (body, QuasiWork::default(), Vec::new(), QuasiStatus::BothUnbounded))
        .collect();
    let mut result =
        Run { times: vec![f64::INFINITY; POSES], counts: vec![0; POSES], tests: vec![0; POSES], hash: 0 };
    let here = Pose::identity();
    for _ in 0..PASSES {
        for (_, work, _, _) in &mut pairs {
            *work = QuasiWork::default();
        }
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for k in 0..POSES {
            let pose = if row.rests { trembling(k)? } else { pose(k)? };
            let clock = Instant::now();
            pairs.par_iter_mut().with_max_len(1).for_each(|(body, work, contacts, status)| {
                *status = quasi_contacts_into(body, &here, &bodies.moving, &pose, &params, work, contacts);
            });
            result.times[k] = result.times[k].min(1e3 * clock.elapsed().as_secs_f64());
            result.tests[k] = pairs.iter().map(|pair| pair.1.node_tests()).sum();
            result.counts[k] = pairs.iter().map(|pair| pair.2.len()).sum();
            for (pair, (_, work, contacts, status)) in pairs.iter().enumerate() {
                let apart = matches!(status, QuasiStatus::Separated { .. });
                assert!(apart, "pose {k}, body {pair}: {:?}", work.overlaps().first());
                for contact in contacts {
                    for bits in [contact.contact.id.packed(), contact.distance.to_bits()] {
                        hash = (hash ^ bits).wrapping_mul(0x0100_0000_01b3_u64);
                    }
                }
            }
        }
        assert!(result.hash == 0 || result.hash == hash, "the second time is not like the first");
        result.hash = hash;
    }
    Ok(result)
}
