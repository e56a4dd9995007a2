//! All collisions of a step between two meshes, in the order of their times.
//!
//! In: two meshes in motion. Out: every vertex-face and edge-edge collision, each with its first time.
//! Pairs of triangles that may collide come from the hierarchies (`pursuit`); their features are advanced one pair at a time, as rigid
//! bodies, so that no path is taken for straight. What several neighbouring features report of one and the same collision is reported once.

use std::cell::OnceCell;

use zerogap_core::{ContactId, Feature, Gap, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Point, Segment, Triangle};

use super::advance::Span;
use super::impact::{FirstContact, Impact, ImpactParams, ImpactWork, find_first_contact, first_contact_at};
use super::probe::{Chase, ConvexChase};
use super::pursuit::Two;
use super::{Motion, MotionError, checked};
use crate::mesh::MeshBody;

/// Meetings whose times differ by less than this part of the step may be one [-].
const SAME_TIME: f64 = 1e-9;

/// All collisions of two meshes within `duration` [s]: vertices with faces and edges with edges, by time.
///
/// Computes: for every pair of features that collide, its first [`FirstContact`], with both features. Those that begin in contact are reported at 0 if
///   they close in, and not at all if they rest, slide or part.
/// Order: by time, then by features. Meetings at one time and place whose features are neighbours on both meshes are one: the first of
///   them is kept.
/// Tolerance: as [`super::time_of_impact`], for each pair of features. A pair whose steps ran out is reported where it was last proven free.
/// Cost: that of [`super::mesh_time_of_impact`], and up to 15 pairs of features for each pair of triangles that collides.
/// Fails: `duration` must be a length of time.
pub fn step_collisions(
    work: &mut ImpactWork,
    a: &MeshBody,
    motion_a: &Motion,
    b: &MeshBody,
    motion_b: &Motion,
    duration: f64,
    params: &ImpactParams,
) -> Result<Vec<FirstContact>, MotionError> {
    checked(duration)?;
    work.steps = 0;
    let two = Two { a, motion_a, b, motion_b };
    let rounding = two.rounding(duration);
    let tolerance = params.tolerance.max(8.0 * rounding);
    let span = Span {
        from: 0.0,
        to: duration,
        level: params.min_separation + tolerance,
        tolerance,
        release: f64::INFINITY,
        max_steps: params.max_steps,
    };
    // Every pair of features once, whichever triangles it belongs to.
    let mut pairs: Vec<u64> = Vec::new();
    two.each_near(&span, rounding, &mut work.waiting, |i, j, _| {
        add_features(a, a.triangle(i), b, b.triangle(j), &mut pairs);
        f64::INFINITY
    });
    pairs.sort_unstable();
    pairs.dedup();
    let mut found: Vec<FirstContact> = Vec::new();
    let edges = [OnceCell::new(), OnceCell::new()];
    for id in pairs.into_iter().map(ContactId::unpacked) {
        let (shape_a, shape_b) = (shape(a, id.a), shape(b, id.b));
        let mut pair = ConvexChase::new(&shape_a, motion_a, &shape_b, motion_b, duration, &mut work.cache);
        let start = pair.gap(0.0);
        if start.gap <= span.level {
            // In contact: the orientation of the faces decides the inward direction.
            let normal = inward(&two, id, &edges).unwrap_or(start.normal);
            let contact = first_contact_at(&pair, 0.0, (0.0, true), &Gap { normal, ..start });
            if contact.gap_rate * duration < -tolerance {
                found.push(FirstContact { features: Some(id), began_in_contact: true, ..contact });
                continue;
            }
        }
        match find_first_contact(&mut pair, duration, params, &mut work.steps) {
            Impact::Clear => {}
            Impact::At(contact) => found.push(FirstContact { features: Some(id), ..contact }),
            Impact::Limited { t, .. } => {
                let gap = pair.gap(t);
                let contact = first_contact_at(&pair, t, (t, false), &gap);
                found.push(FirstContact { features: Some(id), ..contact });
            }
        }
    }
    // The features break ties, so that the order is always the same.
    let key = |contact: &FirstContact| contact.features.map_or(0, ContactId::packed);
    found.sort_by(|x, y| x.t.total_cmp(&y.t).then(key(x).cmp(&key(y))));
    Ok(merged(a, b, found, SAME_TIME * duration, 2.0 * tolerance))
}

/// Adds the pairs of features of two triangles.
fn add_features(a: &MeshBody, i: u32, b: &MeshBody, j: u32, pairs: &mut Vec<u64>) {
    let (joins_a, joins_b) = (a.joins(), b.joins());
    let corners =
        |body: &MeshBody, t: u32| body.mesh().triangles()[t as usize].map(|v| body.joins().vertex(v));
    let mut add = |a: Feature, b: Feature| pairs.push(ContactId { a, b }.packed());
    for v in corners(a, i) {
        add(Feature::Vertex(v), Feature::Face(j));
    }
    for w in corners(b, j) {
        add(Feature::Face(i), Feature::Vertex(w));
    }
    let edges = [joins_a.edges_of(i), joins_b.edges_of(j)];
    let known = |e: u32, count: usize| (e as usize) < count;
    if !known(edges[0][0], joins_a.edge_count()) || !known(edges[1][0], joins_b.edge_count()) {
        // A triangle with two corners in one place has no edges of its own: it collides as it is.
        add(Feature::Face(i), Feature::Face(j));
        return;
    }
    for e in edges[0] {
        for f in edges[1] {
            add(Feature::Edge(e), Feature::Edge(f));
        }
    }
}

/// The unit vector out of A and into B at the start, for features in contact, from the faces that are there; none where they have no area.
fn inward(
    two: &Two<'_, MeshBody, MeshBody>,
    id: ContactId,
    edges: &[OnceCell<Vec<Vec3>>; 2],
) -> Option<Vec3> {
    let Two { a, motion_a, b, motion_b } = two;
    let out_of = |body: &MeshBody, motion: &Motion, feature: Feature, edges: &OnceCell<Vec<Vec3>>| {
        let sum = match feature {
            Feature::Face(t) | Feature::Surface(t) => area(body, t),
            Feature::Edge(e) => edges.get_or_init(|| edge_areas(body))[e as usize],
            Feature::Vertex(_) => Vec3::zeros(),
        };
        motion.start().transform_vector(&sum)
    };
    let unit = |v: Vec3| {
        let length = v.norm();
        (length > 0.0).then(|| v / length)
    };
    match (id.a, id.b) {
        (Feature::Face(_), _) => unit(out_of(a, motion_a, id.a, &edges[0])),
        (_, Feature::Face(_)) => unit(-out_of(b, motion_b, id.b, &edges[1])),
        (Feature::Edge(e), Feature::Edge(f)) => {
            let along = |body: &MeshBody, motion: &Motion, e: u32| {
                let [v, w] = body.joins().edge(e);
                let at = |v: u32| body.mesh().vertices()[v as usize];
                motion.start().transform_vector(&(at(w) - at(v)))
            };
            let across = unit(along(a, motion_a, e).cross(&along(b, motion_b, f)))?;
            let out = out_of(a, motion_a, id.a, &edges[0]) - out_of(b, motion_b, id.b, &edges[1]);
            Some(if across.dot(&out) < 0.0 { -across } else { across })
        }
        _ => None,
    }
}

/// Twice the area of a triangle along its normal [m²].
fn area(body: &MeshBody, t: u32) -> Vec3 {
    let [a, b, c] = body.mesh().corners(t as usize);
    (b - a).cross(&(c - a))
}

/// The sum of [`area`] over the triangles on each edge [m²].
fn edge_areas(body: &MeshBody) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); body.joins().edge_count()];
    for t in 0..body.mesh().triangles().len() as u32 {
        for e in body.joins().edges_of(t) {
            if let Some(sum) = sums.get_mut(e as usize) {
                *sum += area(body, t);
            }
        }
    }
    sums
}

/// A feature of a mesh as a convex shape.
fn shape(body: &MeshBody, feature: Feature) -> ConvexShape {
    let at = |v: u32| body.mesh().vertices()[v as usize];
    // Coordinates of a mesh are checked when it is made.
    let shape = match feature {
        Feature::Vertex(v) => Point::new(at(v)).map(ConvexShape::from),
        Feature::Edge(e) => {
            let [v, w] = body.joins().edge(e);
            Segment::new(at(v), at(w)).map(ConvexShape::from)
        }
        Feature::Face(t) | Feature::Surface(t) => {
            let [a, b, c] = body.mesh().corners(t as usize);
            Triangle::new(a, b, c).map(ConvexShape::from)
        }
    };
    shape.unwrap_or_else(|_| Point::origin().into())
}

/// The vertices of a feature; the last ones repeat.
fn vertices(body: &MeshBody, feature: Feature) -> [u32; 3] {
    match feature {
        Feature::Vertex(v) => [v; 3],
        Feature::Edge(e) => {
            let [v, w] = body.joins().edge(e);
            [v, w, w]
        }
        Feature::Face(t) | Feature::Surface(t) => {
            body.mesh().triangles()[t as usize].map(|v| body.joins().vertex(v))
        }
    }
}

/// Leaves one of all meetings that are the same collision, seen by neighbouring features.
fn merged(a: &MeshBody, b: &MeshBody, found: Vec<FirstContact>, time: f64, near: f64) -> Vec<FirstContact> {
    let mut kept: Vec<FirstContact> = Vec::with_capacity(found.len());
    let touch = |body: &MeshBody, one: Feature, other: Feature| {
        let (one, other) = (vertices(body, one), vertices(body, other));
        one.iter().any(|v| other.contains(v))
    };
    for contact in found {
        let is_known = |known: &&FirstContact| {
            let (Some(one), Some(other)) = (known.features, contact.features) else { return false };
            let apart: Vec3 = known.point_a - contact.point_a;
            apart.norm() <= near && touch(a, one.a, other.a) && touch(b, one.b, other.b)
        };
        let mut recent = kept.iter().rev().take_while(|known| contact.t - known.t <= time);
        if recent.find(is_known).is_none() {
            kept.push(contact);
        }
    }
    kept
}
