//! The accuracy of the gap, shape by shape: worst error against the best oracle, apart, touching and in overlap.
//!
//! `docs/accuracy-table.md` is this table. A run with `ZEROGAP_BLESS=1` writes it; any other run fails when it is out of date, or when an
//! error is larger than promised.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "some of the shapes are used here")]
mod shape_zoo;

mod pair_checks;

use std::fmt::Write;
use std::path::PathBuf;

use pair_checks::{
    CURVED, EXACT, PlacedShape, check_form, check_value, distance, is_exact, oracle, random_pose, set_apart,
    size,
};
use shape_zoo::zoo;
use zerogap_core::{Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_testkit::random::Random;
use zerogap_testkit::support_bounds::Bounds;

/// The shapes of the table.
const SHAPES: [&str; 15] = [
    "point",
    "segment",
    "triangle",
    "polygon",
    "box",
    "polyhedron",
    "sphere",
    "capsule",
    "rounded box",
    "cylinder",
    "cone",
    "frustum",
    "ellipsoid",
    "rounded cylinder",
    "user hull",
];

/// Pairs per cell with an oracle that costs little.
const MANY: usize = 12;

/// Pairs per cell with bounds from support points.
const FEW: usize = 2;

/// Widest bounds that may judge a cell, against the size [-].
const JUDGE: f64 = 1e-12;

/// Errors below this are shown as this, against the size: a few roundings of the poses [-].
const FLOOR: f64 = 1e-15;

#[derive(Clone, Copy, PartialEq)]
enum Regime {
    Apart,
    Touching,
    Overlap,
}

/// A pair of the regime, and the gap that it has.
fn draw(
    regime: Regime,
    a: &ConvexShape,
    b: &ConvexShape,
    random: &mut Random,
) -> (PlacedShape, PlacedShape, Bounds) {
    let a = PlacedShape::new(a.clone(), random_pose(random, 1.0));
    let b = PlacedShape::new(b.clone(), random_pose(random, 1.0));
    if regime == Regime::Overlap {
        // An inner point of A and one of B, each the middle of four surface points, fall together. Off the axes: there many ways out are
        // equally short, and bounds from support points stay wide.
        let mut on_the_way =
            |placed: &PlacedShape| (0..4).map(|_| placed.support(&random.direction())).sum::<Vec3>() / 4.0;
        let shift = on_the_way(&a) - on_the_way(&b);
        let pose = Pose::new(b.pose.translation() + shift, b.pose.quaternion_xyzw()).unwrap();
        let b = PlacedShape::new(b.shape, pose);
        let truth = oracle(&a, &b);
        // A wide interval would hide errors: such a pair is drawn again.
        if truth.upper - truth.lower > JUDGE * size(&a, &b) {
            return draw(regime, &a.shape, &b.shape, random);
        }
        return (a, b, truth);
    }
    // The nearest points are chosen first: support points along one direction, as far apart as wanted.
    let gap = if regime == Regime::Touching { 0.0 } else { random.range(0.01, 2.0) };
    let b = set_apart(&a, &b, &random.direction(), gap);
    let truth = if is_exact(&a, &b) { oracle(&a, &b) } else { Bounds { lower: gap, upper: gap } };
    (a, b, truth)
}

/// The worst error of a cell, against the size [-].
fn worst(regime: Regime, names: [&str; 2], shapes: [&ConvexShape; 2], seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let probe = |shape: &ConvexShape| PlacedShape::new(shape.clone(), Pose::identity());
    let exact = is_exact(&probe(shapes[0]), &probe(shapes[1]));
    let cases = if exact || regime != Regime::Overlap { MANY } else { FEW };
    let mut worst = 0.0_f64;
    for case in 0..cases {
        let (a, b, truth) = draw(regime, shapes[0], shapes[1], &mut random);
        let gap = distance(&a, &b);
        let name = format!("{} and {}, case {case}", names[0], names[1]);
        let promised = if exact { EXACT } else { CURVED };
        check_form(&name, &a, &b, &gap, promised);
        check_value(&name, &a, &b, &gap, &truth, promised);
        worst = worst.max(truth.error(gap.gap) / size(&a, &b));
    }
    worst
}

/// Rounded up to a power of ten.
fn power_of_ten(error: f64) -> String {
    let exponent = (-20..=0).find(|k| error <= format!("1e{k}").parse().unwrap_or(0.0));
    exponent.map_or_else(|| "more than 1".to_owned(), |k| format!("1e{k}"))
}

/// One table of all pairs.
fn table(regime: Regime) -> String {
    let all = zoo(1.0);
    let shape = |name: &str| &all.iter().find(|(other, _)| *other == name).expect("a shape of the zoo").1;
    let mut text = format!(
        "| |{}|\n|---|{}\n",
        SHAPES.map(|name| format!(" {name} ")).join("|"),
        "---|".repeat(SHAPES.len())
    );
    for (i, row) in SHAPES.iter().enumerate() {
        write!(text, "| {row} |").unwrap();
        for (j, column) in SHAPES.iter().enumerate() {
            if j < i {
                text.push_str(" |");
                continue;
            }
            let error = worst(regime, [row, column], [shape(row), shape(column)], (100 * i + j) as u64);
            write!(text, " {} |", power_of_ten(error.max(FLOOR))).unwrap();
        }
        text.push('\n');
    }
    text
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/accuracy-table.md")
}

/// Heading and table of each regime, under one introduction.
fn document(tables: &[String; 3]) -> String {
    format!(
        "# Accuracy of the gap\n\n\
         Largest `|gap - exact|` found for each pair of shapes, against the size of the pair (how far both reach from their origins, plus the\n\
         distance of the origins), rounded up to a power of ten; {FLOOR:e} stands for anything smaller. Written by\n\
         `ZEROGAP_BLESS=1 cargo test -p zerogap-proximity --test characterize`, which fails without the variable when this page is out of date.\n\n\
         Not in the table: shapes thinner than a thousandth of their size, and larger samples; the other tests hold the promised {EXACT:e}\n\
         (polytopes, balls, capsules, and these rounded) and {CURVED:e} (all other shapes) there.\n\n\
         The judge is exact arithmetic for polytopes, rounded or not; elsewhere, apart and touching, pairs built from chosen nearest points, and in\n\
         overlap bounds from support points less than {JUDGE:e} apart. Pairs where these do not come together, such as two\n\
         bodies on one axis, are drawn again and so left out; `peers_failures.rs` holds closed forms for a few of them.\n\n\
         ## Apart\n\n{}\n## Touching\n\n{}\n## In overlap\n\nFlat shapes run through each other: their gap is 0.\n\n{}",
        tables[0], tables[1], tables[2]
    )
}

#[test]
fn the_accuracy_table_is_up_to_date() {
    let tables = std::thread::scope(|scope| {
        let regimes = [Regime::Apart, Regime::Touching, Regime::Overlap];
        let workers = regimes.map(|regime| scope.spawn(move || table(regime)));
        workers.map(|worker| worker.join().expect("every cell within its promise"))
    });
    let found = document(&tables);
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::write(path(), &found).unwrap();
    }
    let kept = std::fs::read_to_string(path()).unwrap_or_default();
    assert!(kept == found, "docs/accuracy-table.md is out of date; the table is now\n{found}");
}

#[test]
fn errors_are_rounded_up_to_powers_of_ten() {
    for (error, expected) in
        [(1e-15, "1e-15"), (1.01e-15, "1e-14"), (9e-12, "1e-11"), (0.5, "1e0"), (7.0, "more than 1")]
    {
        assert_eq!(power_of_ten(error), expected);
    }
    let apart = set_apart(
        &PlacedShape::at(zoo(1.0)[4].1.clone(), 0.0, 0.0, 0.0),
        &PlacedShape::at(zoo(1.0)[4].1.clone(), 5.0, 0.0, 0.0),
        &Vec3::x(),
        0.5,
    );
    assert!((apart.pose.translation() - Vec3::new(1.9, 0.0, 0.0)).norm() < 1e-15);
}
