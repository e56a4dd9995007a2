//! A soak of the gap: many random pairs, and all that an answer promises checked of each.
//!
//! 70,000 pairs as a rule, ten million with `ZEROGAP_FULL=1` (in release mode: some minutes). Every fault is counted by family and kind, and
//! the first ones are shown with what is needed to place the pair again.

mod pair_checks;
mod soak_pairs;

use std::collections::BTreeMap;

use pair_checks::{
    CURVED, EXACT, distance, ensure, exact, form, is_exact, points_on_shapes, size, value, world,
};
use rayon::prelude::*;
use soak_pairs::{Drawn, FAMILIES};
use zerogap_core::{Gap, GapStatus};
use zerogap_proximity::convex::{MprParams, intersects, mpr, separation};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;
use zerogap_testkit::support_bounds::Bounds;

/// Pairs that share a generator [-].
const BATCH: usize = 1000;

/// One in this many pairs of polytopes is judged by exact arithmetic [-].
const EXACT_EVERY: usize = 50;

/// Widest bounds of an answer that got no further, against the size of the pair [-]: docs/distance.md tells the worst of ten million pairs, 6.5e-3.
const MAX_LIMITED_WIDTH: f64 = 1e-2;

/// At most one in this many answers about a family gets no further [-]: two of 10,000 at worst.
const LIMITED_EVERY: usize = 1000;

/// Faults that are shown in full [-].
const SHOWN: usize = 40;

/// A fault: family, kind, and the whole story.
struct Fault {
    kind: String,
    story: String,
}

/// All that an answer promises.
fn check(drawn: &Drawn, random: &mut Random, against_exact: bool) -> Result<(), String> {
    let Drawn { a, b, placed_gap } = drawn;
    let gap = distance(a, b);
    // Bounds that did not meet promise no more than themselves.
    let promised = if is_exact(a, b) { EXACT } else { CURVED };
    let shortfall = (gap.upper - gap.lower) / size(a, b);
    let relative = match gap.status {
        GapStatus::Limited => promised + shortfall,
        // Closed forms whose normal knows the gap to the tolerance only.
        GapStatus::Converged => promised + shortfall.min(CURVED),
        GapStatus::Exact | GapStatus::Farther => promised,
        GapStatus::LocalDepth | GapStatus::DepthUnknown => {
            return Err("convex shapes have one part".to_owned());
        }
    };
    form(a, b, &gap, relative)?;
    points_on_shapes(a, b, &gap, promised)?;

    // Swapping flips the normal, swaps the points and changes no other bit.
    let swapped = distance(b, a).swapped();
    ensure(Gap { iterations: gap.iterations, ..swapped } == gap, || format!("swapped it is {swapped:?}"))?;

    // The certificate: as narrow as promised, and no direction separates by more than its upper end.
    let (size, world) = (size(a, b), world(a, b));
    let width = (gap.upper - gap.lower) / size;
    let promised = match gap.status {
        GapStatus::Exact if is_exact(a, b) => 5e-14,
        GapStatus::Exact | GapStatus::Converged => 2.0 * CURVED,
        _ => MAX_LIMITED_WIDTH,
    };
    ensure(width <= promised, || format!("bounds {width:e} apart"))?;
    ensure(gap.status != GapStatus::Limited || !is_exact(a, b), || "limited".to_owned())?;
    ensure(gap.status != GapStatus::Farther, || "farther without a cutoff".to_owned())?;
    for nearness in [1e-8, 1e-3, 1.0] {
        let n = (gap.normal + random.direction() * nearness).normalize();
        let along = separation(&a.shape, &a.pose, &b.shape, &b.pose, &n);
        ensure(along <= gap.upper + 1e-15 * world, || format!("separated by {along} along {n:?}"))?;
    }

    // Portal refinement finds bounds of the same number.
    let other = mpr(&a.shape, &a.pose, &b.shape, &b.pose, &MprParams::default());
    let agrees = |lower: f64, upper: f64| other.lower <= upper && lower <= other.upper;
    ensure(agrees(gap.lower, gap.upper), || format!("portal refinement has {other:?}"))?;

    // The truth, where it is known.
    if against_exact && let Some(truth) = exact(a, b) {
        value(a, b, &gap, &truth, relative)?;
        ensure(agrees(truth.lower, truth.upper), || format!("of {truth:?} portal refinement has {other:?}"))?;
    }
    if let Some(placed) = *placed_gap {
        // The pose was rounded.
        let room = 4e-15 * world;
        let upper = if placed >= 0.0 { placed + room } else { f64::INFINITY };
        value(a, b, &gap, &Bounds { lower: placed - room, upper }, relative + room / size)?;
    }

    // The sign.
    let meet = intersects(&a.shape, &a.pose, &b.shape, &b.pose);
    ensure(!(meet && gap.lower > 0.0), || "intersects, but lower > 0".to_owned())?;
    ensure(meet || gap.upper >= 0.0, || "does not intersect, but upper < 0".to_owned())
}

/// What a batch has shown.
#[derive(Default)]
struct Soaked {
    faults: Vec<Fault>,
    /// Answers whose bounds did not meet, by family, with the width of the widest bounds against the size [-].
    limited: BTreeMap<&'static str, (usize, f64)>,
}

impl Soaked {
    fn note_limited(&mut self, family: &'static str, count: usize, width: f64) {
        let (known, widest) = self.limited.entry(family).or_default();
        (*known, *widest) = (*known + count, widest.max(width));
    }

    fn and(mut self, other: Self) -> Self {
        self.faults.extend(other.faults);
        for (family, (count, width)) in other.limited {
            self.note_limited(family, count, width);
        }
        self
    }
}

/// The faults of a batch.
fn soak(batch: usize) -> Soaked {
    let mut random = Random::new(batch as u64);
    let mut soaked = Soaked::default();
    for k in 0..BATCH {
        let (family, draw) = FAMILIES[k % FAMILIES.len()];
        let drawn = draw(&mut random);
        let checked = check(&drawn, &mut random, k.is_multiple_of(EXACT_EVERY));
        let Drawn { a, b, placed_gap } = &drawn;
        let gap = distance(a, b);
        if gap.status == GapStatus::Limited {
            soaked.note_limited(family, 1, (gap.upper - gap.lower) / size(a, b));
        }
        if let Err(fault) = checked {
            let words: String = fault.chars().filter(|c| c.is_alphabetic() || *c == ' ').take(40).collect();
            soaked.faults.push(Fault {
                kind: format!("{family}: {words}"),
                story: format!(
                    "{fault}: {gap:?}\n  of {a:?}\n  and {b:?}, placed at {placed_gap:?}, batch {batch}"
                ),
            });
        }
    }
    soaked
}

#[test]
fn every_answer_of_a_soak_keeps_its_promises() {
    let batches = count(70, 10_000);
    let soaked = (0..batches).into_par_iter().map(soak).reduce(Soaked::default, Soaked::and);
    let Soaked { faults, limited } = soaked;
    let drawn = batches * BATCH / FAMILIES.len();
    for (family, (count, width)) in &limited {
        println!("{family}: {count} of {drawn} limited, at most {width:.1e} of the size wide");
        assert!(count * LIMITED_EVERY <= drawn, "{family}: {count} of {drawn} limited");
    }
    let mut kinds: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for fault in &faults {
        kinds.entry(&fault.kind).or_default().push(&fault.story);
    }
    for (kind, stories) in &kinds {
        eprintln!("{:6}  {kind}", stories.len());
    }
    let first = kinds.values().flat_map(|stories| stories.iter().take(2)).take(SHOWN);
    let shown: Vec<&str> = first.copied().collect();
    assert!(faults.is_empty(), "{} of {} pairs:\n{}", faults.len(), batches * BATCH, shown.join("\n"));
    println!("{} pairs, none with a fault", batches * BATCH);
}
