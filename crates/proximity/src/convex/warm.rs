//! Warm start for two polyhedra that have moved a little: from where the last search ended.
//!
//! In: the difference and what the last query left behind. Out: the gap, with the bits that a cold search gives. A warm answer counts only
//! where the pair of features that gave it is settled: no other vertex, and in overlap no other face, comes so near that a search from
//! elsewhere could have ended there. Everything else is searched for again.

use zerogap_core::{Gap, GapStatus, Vec3};
use zerogap_geometry::Polyhedron;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::general::{self, Ask, End, Trace};
use super::grow::Polytope;
use super::resolve::{resolve, weights_at};
use super::simplex::{Nearest, Simplex};

/// By how much a feature must stand out, against the extent [-]: far above rounding, far below what motion does in a step.
const MARGIN: f64 = 1e-9;

/// Weights of the nearest point below this put it on the border of its feature [-].
const INNER: f64 = 1e-6;

/// The polytope of an overlap with more corners than this is not worth following [-].
const MAX_CORNERS: usize = 200;

/// Steps of growth after which a search from the start is quicker [-].
const MAX_STEPS: u32 = 8;

/// Maximum number of queries that are searched from the start after warm starts were of no use [-]: faces that lie on each other have no settled features,
/// and stay so for many steps. Each miss in a row doubles the pause.
const LONGEST_PAUSE: u8 = 15;

/// What a query leaves for the next one.
#[derive(Debug, Default)]
pub(crate) struct Warm {
    last: Last,
    polytope: Polytope,
    /// How many queries from now on are not worth a warm start.
    pause: u8,
    /// How many were not after the last miss.
    last_pause: u8,
}

/// How the last query ended.
#[derive(Debug, Clone, Copy, Default)]
enum Last {
    /// With nothing to start from.
    #[default]
    Cold,
    /// Apart: names of the corners of the nearest simplex.
    Apart { names: [[u32; 2]; 3], count: usize },
    /// In overlap, with the polytope.
    Overlap,
}

impl Warm {
    /// Forgets the last query; keeps the memory.
    pub(crate) fn forget(&mut self) {
        self.last = Last::Cold;
        (self.pause, self.last_pause) = (0, 0);
    }
}

/// The gap of two polyhedra, in A's frame; the same bits as [`general::distance`], whatever `warm` holds.
pub(crate) fn distance(
    difference: &mut Difference<'_, Polyhedron, Polyhedron>,
    ask: &Ask,
    warm: &mut Warm,
) -> Gap {
    if warm.pause > 0 {
        warm.pause -= 1;
        return general::distance(difference, ask);
    }
    let gap = match warm.last {
        Last::Cold => return cold(difference, ask, warm),
        Last::Apart { names, count } => from_simplex(difference, ask, &names[..count], warm),
        Last::Overlap => from_polytope(difference, ask, warm),
    };
    if let Some(gap) = gap {
        warm.last_pause = 0;
        return gap;
    }
    warm.pause = warm.last_pause;
    warm.last_pause = (2 * warm.last_pause + 1).min(LONGEST_PAUSE);
    cold(difference, ask, warm)
}

/// Searches again, and remembers.
fn cold(difference: &mut Difference<'_, Polyhedron, Polyhedron>, ask: &Ask, warm: &mut Warm) -> Gap {
    let mut trace = Trace { memory: Some(&mut warm.polytope), end: End::Nowhere };
    let gap = general::distance_with(difference, ask, &mut trace);
    let end = trace.end;
    warm.remember(&end);
    gap
}

impl Warm {
    fn remember(&mut self, end: &End) {
        self.last = match end {
            End::Nowhere => Last::Cold,
            End::Apart(simplex) => {
                let mut names = [[0; 2]; 3];
                for (place, corner) in names.iter_mut().zip(simplex.corners()) {
                    *place = [corner.name_a, corner.name_b];
                }
                Last::Apart { names, count: simplex.corners().len().min(3) }
            }
            End::Overlap(_) => {
                self.polytope.tidy();
                if self.polytope.corner_count() <= MAX_CORNERS { Last::Overlap } else { Last::Cold }
            }
        };
    }
}

/// Walks on from the last nearest simplex.
fn from_simplex(
    difference: &mut Difference<'_, Polyhedron, Polyhedron>,
    ask: &Ask,
    names: &[[u32; 2]],
    warm: &mut Warm,
) -> Option<Gap> {
    let (first, second) = (difference.a.corner_count(), difference.b.corner_count());
    if names.iter().any(|[a, b]| *a >= first || *b >= second) {
        return None;
    }
    let corner = |[a, b]: [u32; 2]| difference.corner(a, b);
    let mut simplex = Simplex::new(corner(names[0]));
    let mut v = simplex.corners()[0].w;
    if let [_, inner @ .., last] = names {
        for &name in inner {
            simplex.push(corner(name));
        }
        let last = corner(*last);
        // Where the nearest point has left the inside, it may be on any part.
        let part = match simplex.nearest_with(&last) {
            Nearest::Outside(part) if part.holds_all(simplex.corners().len()) => part,
            Nearest::Outside(_) => simplex.careful_nearest_with(&last),
            Nearest::Inside => return None,
        };
        simplex.take(&part, &last);
        v = part.point;
    }
    if let Some(gap) = same_features(difference, ask, &simplex, &v) {
        warm.remember(&End::Apart(simplex));
        return Some(gap);
    }
    let mut trace = Trace { memory: Some(&mut warm.polytope), end: End::Nowhere };
    let gap = general::search(difference, ask, simplex, v, -v, &mut trace);
    let end = trace.end;
    let settled = match &end {
        End::Apart(simplex) => {
            gap.gap > MARGIN * ask.extent
                && is_settled(difference, simplex.corners(), &gap.normal, ask.extent)
        }
        _ => false,
    };
    if !settled || gap.status != GapStatus::Exact || gap.upper >= ask.cutoff {
        return None;
    }
    warm.remember(&end);
    Some(gap)
}

/// The gap where the last features are still the nearest: where they stand out, no vertex of the bodies lies beyond them.
fn same_features(
    difference: &Difference<'_, Polyhedron, Polyhedron>,
    ask: &Ask,
    simplex: &Simplex,
    v: &Vec3,
) -> Option<Gap> {
    let corners = simplex.corners();
    let distance = v.norm();
    if distance <= MARGIN * ask.extent {
        return None;
    }
    let found = resolve(difference, corners, &(v / distance))?;
    let gap = general::apart(&found, found.gap, found.gap, difference, ask);
    let is_near = gap.gap > MARGIN * ask.extent && gap.upper < ask.cutoff;
    (is_near && is_settled(difference, corners, &found.normal, ask.extent)).then_some(gap)
}

/// Grows on from the last polytope.
fn from_polytope(
    difference: &mut Difference<'_, Polyhedron, Polyhedron>,
    ask: &Ask,
    warm: &mut Warm,
) -> Option<Gap> {
    let goal = general::goal(difference, ask);
    if !warm.polytope.follow(difference, &goal) {
        return None;
    }
    let mut translation = warm.polytope.run(difference, &goal, MAX_STEPS);
    if !translation.converged {
        return None;
    }
    let contested = warm.polytope.is_contested(&translation.outward, translation.reach + MARGIN * ask.extent);
    let mut trace = Trace::default();
    let gap = general::out(difference, &mut translation, &goal, ask, &mut trace);
    let settled = match &trace.end {
        End::Overlap(corners) => !contested && is_settled(difference, corners, &gap.normal, ask.extent),
        _ => false,
    };
    if !settled || gap.status != GapStatus::Exact || gap.gap > -MARGIN * ask.extent || gap.upper >= ask.cutoff
    {
        return None;
    }
    let end = trace.end;
    warm.remember(&end);
    Some(gap)
}

/// Whether the features of some corners stand out: every search that ends at all ends with them.
fn is_settled(
    difference: &Difference<'_, Polyhedron, Polyhedron>,
    corners: &[Corner],
    normal: &Vec3,
    extent: f64,
) -> bool {
    let (of_a, of_b) =
        (Names::of(corners, |corner| corner.name_a), Names::of(corners, |corner| corner.name_b));
    let margin = MARGIN * extent;
    // A vertex against a vertex, an edge or a face, or two edges that cross; anything else is parallel features.
    let crossing = of_a.count == 2 && of_b.count == 2 && corners.len() == 3;
    let is_pair =
        crossing || (of_a.count.min(of_b.count) == 1 && of_a.count.max(of_b.count) == corners.len());
    is_pair
        && (crossing || has_inner_foot(corners))
        && (!crossing || cross_inside(difference, &of_a, &of_b))
        && stands_out(difference.a, &of_a, normal, margin)
        && stands_out(difference.b, &of_b, &-difference.rotated_to_b(normal), margin)
}

/// Different names among a few corners.
struct Names {
    names: [u32; 3],
    count: usize,
}

impl Names {
    fn of(corners: &[Corner], name: impl Fn(&Corner) -> u32) -> Self {
        let mut found = Self { names: [0; 3], count: 0 };
        for corner in corners {
            let name = name(corner);
            if !found.all().contains(&name) {
                found.names[found.count] = name;
                found.count += 1;
            }
        }
        found
    }

    fn all(&self) -> &[u32] {
        &self.names[..self.count]
    }
}

/// Whether the foot of the origin lies well inside the corners' simplex.
fn has_inner_foot(corners: &[Corner]) -> bool {
    match corners {
        [_] => true,
        [p, q] => {
            let e = q.w - p.w;
            let part = -p.w.dot(&e) / e.norm_squared();
            part > INNER && part < 1.0 - INNER
        }
        [p, q, r] => weights_at(&[p.w, q.w, r.w], &foot(p, q, r)).iter().all(|weight| *weight > INNER),
        _ => false,
    }
}

/// The foot of the origin on the plane of three corners.
fn foot(p: &Corner, q: &Corner, r: &Corner) -> Vec3 {
    let normal = (q.w - p.w).cross(&(r.w - p.w));
    normal * (normal.dot(&p.w) / normal.norm_squared())
}

/// Whether two edges pass each other well between their ends, seen along their common perpendicular.
fn cross_inside(difference: &Difference<'_, Polyhedron, Polyhedron>, of_a: &Names, of_b: &Names) -> bool {
    let [a0, a1] = [0, 1].map(|k| difference.a.vertex(of_a.names[k]));
    let [b0, b1] = [0, 1].map(|k| difference.point_b(of_b.names[k]));
    let (e, f, between) = (a1 - a0, b1 - b0, b0 - a0);
    let cross = e.cross(&f);
    let squared = cross.norm_squared();
    let (t, u) = (between.cross(&f).dot(&cross) / squared, between.cross(&e).dot(&cross) / squared);
    [t, u].iter().all(|part| *part > INNER && *part < 1.0 - INNER)
}

/// Whether all neighbours of a feature's vertices lie below it by a margin, along a direction in the body's frame.
fn stands_out(body: &Polyhedron, feature: &Names, direction: &Vec3, margin: f64) -> bool {
    let own = match *feature.all() {
        [p, q, r] => match body.common_face([p, q, r]) {
            Some(face) => body.face_vertices(face),
            None => return false,
        },
        _ => feature.all(),
    };
    let vertices = body.vertices();
    own.iter().all(|&name| {
        let here = vertices[name as usize];
        let below = |other: u32| direction.dot(&(here - vertices[other as usize])) > margin;
        body.neighbors(name as usize).iter().all(|&other| below(other) || own.contains(&other))
    })
}
