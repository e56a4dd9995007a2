//! The curves of a recording.
//!
//! In: a recording. Out: [`Panel`]s with an axis and curves each, and the [`Marks`] of its events. Curves are in the order of time; where a pair is not in contact its curve has a hole.

use std::collections::BTreeMap;

use plotters::style::RGBColor;

use super::axis::Axis;
use crate::picture::replay;
use crate::record::Recording;
use zerogap_simulation::world::{ContactForce, PairId};

/// Maximum number of plotted pairs [-]: more colours cannot be distinguished.
const MAX_PAIRS: usize = 8;

/// The minimum span of an axis of gaps [m]: below it is the rounding of a gap.
const MIN_GAP_SPAN: f64 = 2e-12;

/// Forces of which the largest is this many times the middle one are plotted on a logarithmic axis [-].
const WIDE: f64 = 100.0;

/// Decades of a logarithmic axis at most: of forces, of steps [-].
const FORCE_DECADES: f64 = 8.0;
const STEP_DECADES: f64 = 16.0;

/// Letters of a name at most [-].
const LONGEST_NAME: usize = 28;

pub(super) const INK: RGBColor = RGBColor(0x24, 0x28, 0x2e);
const KINETIC: RGBColor = RGBColor(0xd2, 0x93, 0x5f);
const GRAVITY: RGBColor = RGBColor(0x5f, 0x8f, 0xae);
const SPRINGS: RGBColor = RGBColor(0x7b, 0xa3, 0x7f);
const STEP: RGBColor = RGBColor(0x2f, 0x8f, 0x89);
const PAIRS: [RGBColor; MAX_PAIRS] = [
    RGBColor(0x2d, 0x6e, 0x8e),
    RGBColor(0xd9, 0x82, 0x3b),
    RGBColor(0x5d, 0x9a, 0x68),
    RGBColor(0x92, 0x76, 0xb5),
    RGBColor(0xd1, 0x49, 0x5b),
    RGBColor(0x4f, 0xb3, 0xbf),
    RGBColor(0x9a, 0x6a, 0x4a),
    RGBColor(0xb5, 0xa1, 0x42),
];

/// Kinds of events and their colours, in the order of the legend; as in the replay.
const KINDS: [(&str, RGBColor); 9] = [
    ("contact_begin", RGBColor(0x3f, 0x8f, 0xbf)),
    ("contact_end", RGBColor(0x86, 0xb3, 0xc9)),
    ("impact", RGBColor(0xd1, 0x49, 0x5b)),
    ("settled", RGBColor(0x92, 0x83, 0xb5)),
    ("stick", RGBColor(0x5d, 0x9a, 0x68)),
    ("slip", RGBColor(0xe0, 0x9f, 0x3e)),
    ("limit", RGBColor(0xa8, 0x60, 0x3f)),
    ("captured", RGBColor(0x6b, 0x4f, 0x8a)),
    ("other", RGBColor(0x8b, 0x8f, 0x96)),
];

/// One curve: times and values in order, none for a hole.
pub(super) struct Curve {
    pub(super) label: String,
    pub(super) color: RGBColor,
    /// Width [px].
    pub(super) width: f64,
    pub(super) points: Vec<(f64, Option<f64>)>,
}

/// Curves that share an axis.
pub(super) struct Panel {
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) curves: Vec<Curve>,
    pub(super) axis: Axis,
    /// Additional note in the legend.
    pub(super) note: String,
    /// Text where there is no curve.
    pub(super) empty: &'static str,
    /// Values hold until the next: drawn as stairs.
    pub(super) is_stairs: bool,
}

/// Events of one kind.
pub(super) struct Marks {
    pub(super) kind: &'static str,
    pub(super) color: RGBColor,
    pub(super) times: Vec<f64>,
}

fn values(curves: &[Curve]) -> impl Iterator<Item = f64> + '_ {
    curves.iter().flat_map(|curve| &curve.points).filter_map(|point| point.1)
}

/// The axis of time of all panels.
pub(super) fn time_axis(recording: &Recording) -> Axis {
    Axis::time(
        recording.frames.iter().map(|frame| frame.t).chain(recording.events.iter().map(|event| event.t)),
    )
}

/// Energies.
pub(super) fn energy(recording: &Recording) -> Panel {
    let curve = |label: &str,
                 color: RGBColor,
                 width: f64,
                 value: &dyn Fn(&zerogap_simulation::world::Frame) -> f64| Curve {
        label: label.to_owned(),
        color,
        width,
        points: recording.frames.iter().map(|f| (f.t, Some(value(f)).filter(|x| x.is_finite()))).collect(),
    };
    let mut curves = vec![
        curve("kinetic", KINETIC, 1.8, &|f| f.energy.kinetic),
        curve("gravity", GRAVITY, 1.8, &|f| f.energy.gravity),
        curve("springs", SPRINGS, 1.8, &|f| f.energy.springs),
        curve("total", INK, 1.5, &|f| f.energy.total()),
    ];
    // Without springs there is nothing to see of them.
    if curves[2].points.iter().all(|point| point.1.is_none_or(|x| x == 0.0)) {
        curves.remove(2);
    }
    let axis = Axis::linear(values(&curves), 0.0);
    let empty = "no frames were recorded";
    Panel { title: "Energy", unit: "J", curves, axis, note: String::new(), empty, is_stairs: false }
}

/// Smallest gaps of pairs in contact.
pub(super) fn gaps(recording: &Recording) -> Panel {
    let (curves, note) = pairs(recording, |contact| contact.gap);
    let axis = Axis::linear(values(&curves).chain([0.0]), MIN_GAP_SPAN);
    Panel { title: "Smallest gap", unit: "m", curves, axis, note, empty: NO_CONTACT, is_stairs: false }
}

/// Normal forces of pairs in contact.
pub(super) fn forces(recording: &Recording) -> Panel {
    let (curves, note) = pairs(recording, |contact| contact.normal_force);
    let mut positive: Vec<f64> = values(&curves).filter(|&x| x > 0.0).collect();
    positive.sort_by(f64::total_cmp);
    let middle = positive.get(positive.len() / 2).copied().unwrap_or(1.0);
    let is_wide = positive.last().is_some_and(|largest| *largest > WIDE * middle);
    let axis = if is_wide {
        Axis::logarithmic(values(&curves), FORCE_DECADES)
    } else {
        // From zero, so that a steady force is a level line.
        Axis::linear(values(&curves).chain([0.0]), 0.0)
    };
    Panel { title: "Normal force", unit: "N", curves, axis, note, empty: NO_CONTACT, is_stairs: false }
}

const NO_CONTACT: &str = "no pair was in contact in any frame";

/// Which pairs are in contact: each has a level of its own, from below in the order of the legend.
pub(super) fn touching(recording: &Recording) -> Panel {
    let (mut curves, note) = pairs(recording, |contact| if contact.gap.is_finite() { 0.0 } else { f64::NAN });
    for (level, curve) in curves.iter_mut().enumerate() {
        curve.width = 5.0;
        curve.points.iter_mut().for_each(|point| point.1 = point.1.map(|_| level as f64 + 1.0));
    }
    let axis = Axis::linear([0.0, curves.len() as f64 + 0.5].into_iter(), 0.0);
    Panel { title: "Pairs in contact", unit: "-", curves, axis, note, empty: NO_CONTACT, is_stairs: true }
}

/// Lengths of steps.
pub(super) fn steps(recording: &Recording) -> Panel {
    let points = recording.frames.iter().map(|f| (f.t, Some(f.step).filter(|x| x.is_finite() && *x > 0.0)));
    let curves = vec![Curve { label: String::new(), color: STEP, width: 1.6, points: points.collect() }];
    let axis = Axis::logarithmic(values(&curves), STEP_DECADES);
    let empty = "no steps were recorded";
    Panel { title: "Step size", unit: "s", curves, axis, note: String::new(), empty, is_stairs: true }
}

/// Values of the pairs with the largest forces, and a note where there are more pairs.
fn pairs(recording: &Recording, value: impl Fn(&ContactForce) -> f64) -> (Vec<Curve>, String) {
    let mut loads: BTreeMap<PairId, f64> = BTreeMap::new();
    for contact in recording.frames.iter().flat_map(|frame| &frame.contacts) {
        let force = contact.normal_force;
        *loads.entry(contact.pair).or_default() += if force.is_finite() { force.abs() } else { 0.0 };
    }
    // Equal loads stay in the order of pairs.
    let mut ranked: Vec<(PairId, f64)> = loads.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let all = ranked.len();
    ranked.truncate(MAX_PAIRS);
    let curve = |(&(pair, _), color): (&(PairId, f64), RGBColor)| Curve {
        label: label(pair, recording),
        color,
        width: 1.8,
        points: recording
            .frames
            .iter()
            .map(|frame| {
                let of_pair = frame.contacts.iter().filter(|contact| contact.pair == pair);
                (frame.t, of_pair.map(&value).find(|x| x.is_finite()))
            })
            .collect(),
    };
    let note =
        if all > ranked.len() { format!("{} of {all} pairs, by load", ranked.len()) } else { String::new() };
    (ranked.iter().zip(PAIRS).map(curve).collect(), note)
}

/// A pair by the names of its bodies.
fn label(pair: PairId, recording: &Recording) -> String {
    let name = |shape| shortened(&replay::name(shape, &recording.head));
    format!("{} – {}", name(pair.b), name(pair.a))
}

/// A name that is not too long for a legend.
pub(super) fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}

/// The events by kind; only kinds that occurred.
pub(super) fn marks(recording: &Recording) -> Vec<Marks> {
    let mut marks: Vec<Marks> =
        KINDS.iter().map(|&(kind, color)| Marks { kind, color, times: Vec::new() }).collect();
    for event in recording.events.iter().filter(|event| event.t.is_finite()) {
        let kind = replay::page_event(event, &recording.head).kind;
        if let Some(of_kind) = marks.iter_mut().find(|of_kind| of_kind.kind == kind) {
            of_kind.times.push(event.t);
        }
    }
    marks.retain(|of_kind| !of_kind.times.is_empty());
    marks
}
