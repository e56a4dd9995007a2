//! One target against all initiators: which are evaluated, by which form, from which reference.
//!
//! In: the reference of one target, or none at the start, and where everything is now. Out: the same set of numbers for now, and the contacts.
//! Culling: a free initiator that one surface separated in the reference and separates now is neither inside now nor has it crossed the target, whatever the other surfaces say,
//! since every decision is made on the same rounded separations. So it is passed over, and its penetration bits are computed from its position if they are ever asked for.

use zerogap_core::facets::{Blocks, WORD, behind, point_of};
use zerogap_core::simd::{Block, LANES};
use zerogap_core::{Pose, Vec3};

use super::conditional::One;
use super::configuration::{ActiveContact, Configuration, DetectedContact, Scratch, Set, TouchKind};
use super::finish::finish;
use super::guards::Word;
use super::target::Entering;
use super::{Form, OrientedParams, SurfaceRule, Target};

/// No surface: the initiator is inside, in contact, or nothing is known of it.
const NONE: u32 = u32::MAX;

/// For each initiator a surface that separated it in the reference.
#[derive(Debug, Clone)]
pub(super) struct Witnesses(Vec<u32>);

impl Witnesses {
    pub(super) fn none(initiators: usize) -> Self {
        Self(vec![NONE; initiators])
    }

    /// Whether the surface of an initiator separates it at a point too.
    fn separates(&self, target: &Target, initiator: usize, point: &Vec3) -> bool {
        let surface = self.0[initiator];
        surface != NONE && target.separation(surface as usize, point) > 0.0
    }

    /// Finds new surfaces for those that were evaluated and lost theirs.
    pub(super) fn update(&mut self, target: &Target, set: &Set, form: Form) {
        for held in &set.active {
            self.0[held.initiator as usize] = NONE;
        }
        let per = if form == Form::Guards { WORD } else { 1 };
        let mut held = set.active.iter().peekable();
        for initiator in 0..self.0.len() {
            let is_held = held.next_if(|held| held.initiator as usize == initiator).is_some();
            if is_held || !set.is_known[initiator / per] {
                continue;
            }
            let point = set.point(initiator);
            if !self.separates(target, initiator, &point) {
                let (surface, separation) = target.nearest(&point);
                self.0[initiator] = if separation > 0.0 { surface as u32 } else { NONE };
            }
        }
    }
}

/// Points in the frame of a target, 64 to an entry; what is left of the last entry is zero.
fn localise(pose: &Pose, points: &[Vec3], at: &mut Vec<Blocks>) {
    at.resize(points.len().div_ceil(WORD), [Block([[0.0; LANES]; 3]); WORD / LANES]);
    let entering = Entering::new(pose);
    for (blocks, points) in at.iter_mut().zip(points.chunks(WORD)) {
        for (lane, point) in points.iter().enumerate() {
            let local = entering.point(point);
            let Block([x, y, z]) = &mut blocks[lane / LANES];
            (x[lane % LANES], y[lane % LANES], z[lane % LANES]) = (local.x, local.y, local.z);
        }
    }
}

/// Evaluates one target into its place of a configuration.
pub(super) fn evaluate_target(
    number: usize,
    target: &Target,
    pose: &Pose,
    points: &[Vec3],
    how: (OrientedParams, &Witnesses),
    reference: Option<&Set>,
    into: &mut Configuration,
) {
    let (set, scratch) = (&mut into.sets[number], &mut into.scratch);
    scratch.found.clear();
    localise(pose, points, &mut set.at);
    // Without a reference who is inside takes the nearest surface.
    let known = reference.filter(|_| how.0.rule == SurfaceRule::History);
    let tests = match how.0.form {
        Form::Guards => by_guards(target, points.len(), how, known, set, scratch),
        Form::Conditional => by_conditions(target, points.len(), how, known, set, scratch),
    };
    into.tests += tests as u64;
    // Without a reference nobody was in contact, and nobody has moved.
    let nobody = Set::default();
    finish(number, target, pose, reference.unwrap_or(&nobody), into);
}

/// The contacts of the initiators below a number, taken off the front.
fn take_below<'a>(held: &mut &'a [ActiveContact], end: usize) -> &'a [ActiveContact] {
    let count = held.partition_point(|held| (held.initiator as usize) < end);
    let (taken, rest) = held.split_at(count);
    *held = rest;
    taken
}

/// All initiators by the guard form; the number of tests.
fn by_guards(
    target: &Target,
    initiators: usize,
    (params, witnesses): (OrientedParams, &Witnesses),
    reference: Option<&Set>,
    set: &mut Set,
    scratch: &mut Scratch,
) -> usize {
    let surfaces = target.surfaces();
    let Set { at, words, is_known, .. } = set;
    words.resize(at.len() * surfaces, 0);
    is_known.clear();
    is_known.resize(at.len(), false);
    let mut held = reference.map_or(&[][..], |set| &set.active[..]);
    let (mut tests, mut was) = (0, std::mem::take(&mut scratch.was));
    was.resize(surfaces, 0);
    for (w, (now, rows)) in at.iter().zip(words.chunks_exact_mut(surfaces)).enumerate() {
        let first = w * WORD;
        let count = (initiators - first).min(WORD);
        let held = take_below(&mut held, first + count);
        let separates = |lane: usize| witnesses.separates(target, first + lane, &point_of(now, lane));
        if params.culling && held.is_empty() && (0..count).all(separates) {
            continue;
        }
        is_known[w] = true;
        tests += count * surfaces;
        behind(now, target.facets(), rows);
        let lanes = if count == WORD { u64::MAX } else { (1 << count) - 1 };
        // At the start the reference is the present: nothing has been lost.
        let (before, was) = match reference {
            None => {
                was.copy_from_slice(rows);
                (now, &was[..])
            }
            Some(set) if set.is_known[w] => (&set.at[w], &set.words[w * surfaces..(w + 1) * surfaces]),
            Some(set) => {
                behind(&set.at[w], target.facets(), &mut was);
                (&set.at[w], &was[..])
            }
        };
        let is_clipped = params.clipping;
        Word { target, first, lanes, before, now, is: rows, active: held, is_clipped }
            .configure(was, scratch);
    }
    scratch.was = was;
    tests
}

/// All initiators by the conditional form; the number of tests.
fn by_conditions(
    target: &Target,
    initiators: usize,
    (params, witnesses): (OrientedParams, &Witnesses),
    reference: Option<&Set>,
    set: &mut Set,
    scratch: &mut Scratch,
) -> usize {
    let surfaces = target.surfaces();
    let Set { at, flags, is_known, .. } = set;
    flags.resize(initiators * surfaces, false);
    is_known.clear();
    is_known.resize(initiators, false);
    let mut held = reference.map_or(&[][..], |set| &set.active[..]);
    let (mut tests, is_clipped) = (0, params.clipping);
    let penetration = |point: &Vec3, into: &mut [bool]| {
        for (facet, flag) in target.facets().iter().zip(into) {
            *flag = facet.separation(point) <= 0.0;
        }
    };
    for (j, row) in flags.chunks_exact_mut(surfaces).enumerate() {
        let now = point_of(&at[j / WORD], j % WORD);
        let held = take_below(&mut held, j + 1).first().map(|held| held.surface);
        if params.culling && held.is_none() && witnesses.separates(target, j, &now) {
            continue;
        }
        is_known[j] = true;
        tests += surfaces;
        penetration(&now, row);
        let is = &row[..];
        let (before, was) = match reference {
            None => (now, is),
            Some(set) if set.is_known[j] => (set.point(j), &set.flags[j * surfaces..(j + 1) * surfaces]),
            Some(set) => {
                scratch.flags.resize(surfaces, false);
                penetration(&set.point(j), &mut scratch.flags);
                (set.point(j), &scratch.flags[..])
            }
        };
        if let Some((surface, kind, is_inside)) =
            (One { target, before, now, was, is, active: held, is_clipped }).configure()
        {
            scratch.found.push(DetectedContact { initiator: j as u32, surface, kind, is_inside });
        }
    }
    debug_assert!(
        scratch.found.iter().all(|found| found.kind != TouchKind::Crossed || !found.is_inside),
        "who crossed the target is not inside"
    );
    tests
}
