//! Which part of a cylinder, cone or frustum faces a direction: a cap, a line of its side, or a point of a rim.
//!
//! In: the two radii, half the length and a unit direction in the shape's own frame, with the axis along z. Out: the patch. Points of a
//! rim that are sampled are the same points of the body in every query; the one farthest along the direction is always among them,
//! under the name of the rim, so that a leaning cylinder keeps its lowest point and a lying one has two of them.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use zerogap_core::{Feature, Vec3, math};

use super::patch::{Corner, FACING, Patch};

/// Points of a rim that have names [-].
pub(super) const RIM_NAMES: usize = 64;

/// Directions across the axis shorter than this are rounding: the cap is not tilted [-].
const UPRIGHT: f64 = 1e-12;

/// Sine of the angle between two points of a rim below which they are one [-].
const SAME_POINT: f64 = 1e-9;

/// Cosine and sine of the angles of the named points.
pub(super) static RIM: LazyLock<[(f64, f64); RIM_NAMES]> = LazyLock::new(|| {
    // One octant, mirrored, so that points across from each other have the same digits.
    let eighth = |k: usize| math::sin_cos(TAU / RIM_NAMES as f64 * k as f64);
    let quarter = |k: usize| {
        if k <= 8 {
            eighth(k)
        } else {
            let (s, c) = eighth(16 - k);
            (c, s)
        }
    };
    std::array::from_fn(|k| {
        let (s, c) = quarter(k % 16);
        match k / 16 {
            0 => (c, s),
            1 => (-s, c),
            2 => (-c, -s),
            _ => (s, -c),
        }
    })
});

/// How many points a rim needs for the arcs between them to stay within `tolerance` of their chords, against the radius: a power of two from 4 to 64.
fn rim_samples(tolerance: f64) -> usize {
    let mut samples = 4;
    while samples < RIM_NAMES && 1.0 - RIM[RIM_NAMES / 2 / samples].0 > tolerance {
        samples *= 2;
    }
    samples
}

/// The patch of a frustum with these radii at -z and +z.
pub(super) fn revolved(radii: [f64; 2], half: f64, direction: &Vec3, arc_tolerance: f64, patch: &mut Patch) {
    let across = direction.xy().norm();
    let outward = if across > 0.0 { direction.xy() / across } else { nalgebra::Vector2::x() };
    let rim = |cap: usize| {
        let radial = outward * radii[cap];
        let name = if radii[cap] > 0.0 { Feature::Edge(cap as u32) } else { apex(cap) };
        (Vec3::new(radial.x, radial.y, if cap == 1 { half } else { -half }), name)
    };
    // How well the cap ahead and the side face the direction.
    let cap = usize::from(direction.z > 0.0);
    let slant = (radii[0] - radii[1]) / (2.0 * half);
    let of_side = (across + slant * direction.z) / (1.0 + slant * slant).sqrt();
    let of_cap = if radii[cap] > 0.0 { direction.z.abs() } else { 0.0 };
    if of_cap >= FACING && of_cap >= of_side {
        let lowest = (across > UPRIGHT).then_some((outward.x, outward.y));
        disc(cap, radii[cap], half, lowest, rim_samples(arc_tolerance), patch);
    } else if of_side >= FACING {
        patch.set_segment([rim(0), rim(1)], Feature::Surface(0));
        // A cone's side has another radius at every height and in every section: it counts as an edge.
        if slant == 0.0 {
            patch.corners.iter_mut().for_each(|corner| corner.round = radii[0]);
        }
    } else {
        let (low, high) = (rim(0), rim(1));
        let (point, name) = if direction.dot(&(high.0 - low.0)) > 0.0 { high } else { low };
        patch.set_point(point, name);
    }
}

/// The number of the first arc of a cap among the edges.
pub(super) fn first_arc(cap: usize) -> usize {
    2 + cap * 2 * RIM_NAMES
}

/// The name of a tip: all points of its rim are one.
fn apex(cap: usize) -> Feature {
    Feature::Vertex((cap * RIM_NAMES) as u32)
}

/// A cap: the sampled points of its rim in order, and the farthest one where the cap is tilted.
fn disc(cap: usize, radius: f64, half: f64, lowest: Option<(f64, f64)>, samples: usize, patch: &mut Patch) {
    let height = if cap == 1 { half } else { -half };
    let up = if cap == 1 { 1.0 } else { -1.0 };
    patch.start_polygon(Vec3::new(0.0, 0.0, up), Feature::Face(cap as u32));
    patch.rim = Some((Vec3::new(0.0, 0.0, height), radius));
    patch.rim_axes = [Vec3::x(), Vec3::y()];
    let step = RIM_NAMES / samples;
    // Arcs are named after the sample that they follow, those after the farthest point by a number of their own.
    let first_arc = first_arc(cap);
    let corner = |(x, y): (f64, f64), name: Feature, arc: usize| Corner {
        point: Vec3::new(radius * x, radius * y, height),
        name,
        side: Feature::Edge((first_arc + arc) as u32),
        round: 0.0,
    };
    for k in 0..samples {
        let (here, next) = (RIM[k * step], RIM[(k + 1) * step % RIM_NAMES]);
        let ahead = lowest.map(|at| (at, turn(here, at), turn(at, next)));
        match ahead {
            // Here is the farthest point.
            Some((at, from_here, _)) if from_here.abs() <= SAME_POINT && same_side(here, at) => {
                patch.corners.push(corner(at, Feature::Edge(cap as u32), RIM_NAMES + k * step));
            }
            _ => patch.corners.push(corner(
                here,
                Feature::Vertex((cap * RIM_NAMES + k * step) as u32),
                k * step,
            )),
        }
        // It lies between here and the next.
        if let Some((at, from_here, to_next)) = ahead
            && from_here > SAME_POINT
            && to_next > SAME_POINT
            && same_side(here, at)
        {
            patch.corners.push(corner(at, Feature::Edge(cap as u32), RIM_NAMES + k * step));
        }
    }
    if cap == 0 {
        patch.reverse();
    }
}

/// Sine of the angle from one point of the unit circle to another.
fn turn(p: (f64, f64), q: (f64, f64)) -> f64 {
    p.0 * q.1 - p.1 * q.0
}

/// Whether two points of the unit circle are less than a quarter apart, or just a quarter.
fn same_side(p: (f64, f64), q: (f64, f64)) -> bool {
    p.0 * q.0 + p.1 * q.1 >= -1e-9
}
