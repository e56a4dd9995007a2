//! How smooth contacts for forces are along a motion, pair by pair: second differences of gap, normal and centre of pressure.
//!
//! `docs/smoothness-table.md` is this table. A run with `ZEROGAP_BLESS=1` writes it; any other run fails when it is out of date.

use std::fmt::Write;
use std::path::PathBuf;

use zerogap_core::{Manifold, Pose, Vec3};
use zerogap_geometry::shape::{Capsule, Cuboid, Cylinder, Ellipsoid, Frustum, Rounded, Sphere};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ContactParams, contacts_into, distance};
use zerogap_testkit::random::Random;

/// Size of one step of a motion, against the size of the shapes, about 1 m [-]: its square is below rounding.
const STEP: f64 = 1e-8;

/// Overlap of the shapes [m].
const DEPTH: f64 = 1e-3;

/// Random motions of a pair [-].
const MOTIONS: usize = 1000;

/// Of the motions of a pair this part is as smooth as the table says [-]: the others pass from one feature to another.
const PART: f64 = 0.95;

/// Second differences below this are shown as this [-]: some roundings.
const FLOOR: f64 = 1e-15;

/// A quantity of a contact.
#[derive(Clone, Copy)]
enum Quantity {
    Gap,
    Normal,
    Center,
}

fn shapes() -> Vec<(&'static str, ConvexShape)> {
    let cuboid = |x: f64, y: f64, z: f64| ConvexShape::from(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let mut random = Random::new(9);
    let points: Vec<Vec3> = (0..24).map(|_| random.direction()).collect();
    vec![
        ("box", cuboid(1.0, 0.8, 0.6)),
        ("hull", Polyhedron::from_points(&points).unwrap().into()),
        ("sphere", Sphere::new(0.5).unwrap().into()),
        ("capsule", Capsule::new(0.3, 0.8).unwrap().into()),
        ("rounded box", Rounded::new(cuboid(0.8, 0.6, 0.5), 0.1).unwrap().into()),
        ("cylinder", Cylinder::new(0.4, 1.0).unwrap().into()),
        ("cone", Frustum::new(0.5, 0.0, 1.0).unwrap().into()),
        ("frustum", Frustum::new(0.5, 0.25, 0.8).unwrap().into()),
        ("ellipsoid", Ellipsoid::new(Vec3::new(0.6, 0.4, 0.3)).unwrap().into()),
    ]
}

/// Gap, normal, and the mean of the contact points by the force of linear springs.
fn sample(a: &ConvexShape, b: &ConvexShape, pose: &Pose, manifold: &mut Manifold) -> [Vec3; 3] {
    let params = ContactParams { quadrature: Some(0.05), ..ContactParams::within(1e-6) };
    contacts_into(a, &Pose::identity(), b, pose, &params, manifold);
    let (mut load, mut center) = (0.0, Vec3::zeros());
    for (k, contact) in manifold.contacts.iter().enumerate() {
        let force = manifold.weights.get(k).copied().unwrap_or(1.0) * (-contact.gap).max(0.0);
        load += force;
        center += contact.point_a * force;
    }
    [Vec3::new(manifold.gap.gap, 0.0, 0.0), manifold.normal, center / load]
}

/// The second differences of the three quantities that all but a few of the random motions of a pair stay below [m, -, m].
fn second_differences(a: &ConvexShape, b: &ConvexShape, seed: u64) -> [f64; 3] {
    let mut random = Random::new(seed);
    let mut manifold = Manifold::default();
    let mut found: [Vec<f64>; 3] = Default::default();
    for _ in 0..MOTIONS {
        // Just in overlap, by a move along the normal of a pair that is apart.
        let (away, turned) = (random.direction() * 3.0, random.quaternion_xyzw());
        let apart = Pose::new(away, turned).unwrap();
        let gap = distance(a, &Pose::identity(), b, &apart);
        let start = away - gap.normal * (gap.gap + DEPTH);
        let (velocity, rotation) = (random.direction() * STEP, random.direction() * STEP);
        let at = |k: f64| {
            let spin = Pose::from_axis_angle(Vec3::zeros(), rotation, k * STEP).unwrap();
            let q = (spin.rotation() * apart.rotation()).quaternion().coords;
            Pose::new(start + velocity * k, [q.x, q.y, q.z, q.w]).unwrap()
        };
        let samples = [-1.0, 0.0, 1.0].map(|k| sample(a, b, &at(k), &mut manifold));
        for (k, found) in found.iter_mut().enumerate() {
            found.push((samples[0][k] - 2.0 * samples[1][k] + samples[2][k]).norm());
        }
    }
    found.map(|mut values| {
        values.sort_by(f64::total_cmp);
        values[(PART * values.len() as f64) as usize]
    })
}

/// Rounded up to a power of ten.
fn power_of_ten(value: f64) -> String {
    let exponent = (-20..=0).find(|k| value <= format!("1e{k}").parse().unwrap_or(0.0));
    exponent.map_or_else(|| "more than 1".to_owned(), |k| format!("1e{k}"))
}

fn table(quantity: Quantity, cells: &[Vec<[f64; 3]>], names: &[&str]) -> String {
    let header: Vec<String> = names.iter().map(|name| format!(" {name} ")).collect();
    let mut text = format!("| |{}|\n|---|{}\n", header.join("|"), "---|".repeat(names.len()));
    for (row, name) in names.iter().enumerate() {
        write!(text, "| {name} |").unwrap();
        for column in 0..names.len() {
            if column < row {
                text.push_str(" |");
            } else {
                write!(text, " {} |", power_of_ten(cells[row][column - row][quantity as usize].max(FLOOR)))
                    .unwrap();
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_table_of_smoothness_is_up_to_date() {
    let all = shapes();
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let cell = |i: usize, j: usize| second_differences(&all[i].1, &all[j].1, (100 * i + j) as u64);
    let cells: Vec<Vec<[f64; 3]>> =
        (0..all.len()).map(|i| (i..all.len()).map(|j| cell(i, j)).collect()).collect();
    let found = format!(
        "# Smoothness of contacts for forces\n\n\
         Second differences of three quantities of a contact along {MOTIONS} random motions of two shapes of about 1 m that overlap by {DEPTH:e} m, in steps of {STEP:e} m and rad, whose square is below rounding:\n\
         what is left is how far the quantity is from a smooth one. {:.0} of 100 motions stay below the number, rounded up to a power of ten; {FLOOR:e} stands for anything smaller. The others pass from one feature to another.\n\
         Contacts are those of elastic forces (`ContactParams::quadrature`). Written by `ZEROGAP_BLESS=1 cargo test -p zerogap-proximity --test smoothness`, which fails without the variable when this page is out of date.\n\n\
         ## Gap [m]\n\n{}\n## Normal\n\n{}\n## Centre of pressure of linear springs [m]\n\n{}",
        100.0 * PART,
        table(Quantity::Gap, &cells, &names),
        table(Quantity::Normal, &cells, &names),
        table(Quantity::Center, &cells, &names)
    );
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/smoothness-table.md");
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == found, "docs/smoothness-table.md is out of date; the table is now\n{found}");
}
