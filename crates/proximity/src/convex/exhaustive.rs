//! The exhaustive method for polytopes: all pairs of features.
//!
//! In: the difference of two polytopes. Out: the gap between two features of theirs, with the best separation that any of the candidate
//! directions shows. Slow, and only called where a search was stopped by rounding: bodies that are far thinner in one
//! direction than in another.

use zerogap_core::Vec3;
use zerogap_core::math::unit_normal;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::resolve::{Resolved, inner_weights, resolve};
use super::segment_segment::nearest_points;

/// Corners, edges and faces of a polytope by the names of their corners.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// Names are 0 up to this.
    pub(crate) corners: u32,
    /// Two corners each; a single point counts as an edge of no length.
    pub(crate) edges: Vec<[u32; 2]>,
    /// Three corners of each face, counter-clockwise, a flat body having both sides; all triangles of its surface.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// The gap by all features.
///
/// Method: the separating axis theorem in full for overlap; apart, the nearest of all pairs of edges and of corners over faces.
/// Tolerance: 8 ulp of the extent.
/// Cost: O(edges² + corners × faces); allocates.
pub(crate) fn by_all_features<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    width: f64,
) -> Option<Bounded> {
    let (of_a, of_b) = (difference.a.features(), difference.b.features());
    if of_a.edges.len() * of_b.edges.len() > MAX_PAIRS {
        return None;
    }
    let mut nearest = Nearest { ties: Vec::new(), width };
    nearest.of_edges(difference, &of_a, &of_b);
    nearest.of_corners_over_faces(difference, &of_a, &of_b);
    let apart = nearest.borne_out(difference);
    if let Some(apart) = apart
        && apart.found.gap > width
        && apart.found.gap - apart.lower <= width
    {
        return Some(apart);
    }
    // The nearest features do not bear their distance out: the bodies overlap, or some direction shows that they do not.
    let (deepest, separation) = deepest(difference, &of_a, &of_b, width)?;
    match apart {
        Some(apart) if separation.max(apart.lower) > width => {
            let better = if separation > apart.lower { deepest.normal } else { apart.found.normal };
            let found = Resolved { normal: better, ..apart.found };
            Some(Bounded { found, lower: separation.max(apart.lower) })
        }
        _ => Some(Bounded { found: deepest, lower: separation }),
    }
}

/// Pairs of features at the same distance that are kept [-]: those at one corner.
const MAX_TIES: usize = 256;

/// More pairs of edges than this are not checked [-]: they would take longer than a tenth of a second.
const MAX_PAIRS: usize = 1_000_000;

/// A gap whose own value bounds it from above.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounded {
    /// The gap between two features.
    pub(crate) found: Resolved,
    /// Separation along the normal [m].
    pub(crate) lower: f64,
}

/// Two features that may be the nearest.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    gap: f64,
    point_a: Vec3,
    /// Unit vectors of which one should separate the bodies by the gap; zero where there are fewer.
    normals: [Vec3; 4],
}

/// The nearest pairs of features so far, all within `width` of the nearest.
struct Nearest {
    ties: Vec<Candidate>,
    width: f64,
}

impl Nearest {
    fn offer(&mut self, gap: f64, point_a: Vec3, normals: impl IntoIterator<Item = Vec3>) {
        let smallest = self.ties.first().map_or(f64::INFINITY, |first| first.gap);
        if gap > smallest + self.width || (self.ties.len() >= MAX_TIES && gap >= smallest) {
            return;
        }
        let mut candidate = Candidate { gap, point_a, normals: [Vec3::zeros(); 4] };
        for (place, normal) in candidate.normals.iter_mut().zip(normals) {
            *place = normal;
        }
        if gap < smallest {
            let limit = gap + self.width;
            self.ties.retain(|other| other.gap <= limit);
            self.ties.insert(0, candidate);
        } else {
            self.ties.push(candidate);
        }
    }

    /// Of the ties with a normal that separates the bodies by their distance, to the width, the one whose normal is nearest to the line between its points;
    /// else the tie and normal that separate them best. Other normals fit the distance to rounding, but not the points.
    fn borne_out<A: Body, B: Body>(&self, difference: &mut Difference<'_, A, B>) -> Option<Bounded> {
        let (mut fitting, mut beside): (Option<Bounded>, f64) = (None, f64::INFINITY);
        let mut best: Option<Bounded> = None;
        for tie in &self.ties {
            for normal in tie.normals.iter().filter(|normal| normal.norm_squared() > 0.5) {
                let lower = normal.dot(&difference.support(&-normal).w);
                let found = Resolved { gap: tie.gap, normal: *normal, point_a: tie.point_a };
                let bounded = Bounded { found, lower };
                // The first normal is the line between the points.
                let turn = (normal - tie.normals[0]).norm();
                if tie.gap - lower <= self.width && turn < beside {
                    (fitting, beside) = (Some(bounded), turn);
                }
                if best.is_none_or(|best| lower > best.lower) {
                    best = Some(bounded);
                }
            }
        }
        fitting.or(best)
    }

    fn of_edges<A: Body, B: Body>(
        &mut self,
        difference: &Difference<'_, A, B>,
        of_a: &Features,
        of_b: &Features,
    ) {
        let placed = |edge: &[u32; 2]| edge.map(|name| difference.point_b(name));
        let ends_b: Vec<[Vec3; 2]> = of_b.edges.iter().map(placed).collect();
        for edge in &of_a.edges {
            let ends_a = edge.map(|name| difference.a.vertex(name));
            for ends in &ends_b {
                let near = nearest_points(&ends_a, ends);
                self.offer(near.gap, near.point_a, near.normals());
            }
        }
    }

    fn of_corners_over_faces<A: Body, B: Body>(
        &mut self,
        difference: &Difference<'_, A, B>,
        of_a: &Features,
        of_b: &Features,
    ) {
        for triangle in &of_a.triangles {
            let corners = triangle.map(|name| difference.a.vertex(name));
            let Some(normal) = unit_normal(&corners) else { continue };
            for name in 0..of_b.corners {
                let b = difference.point_b(name);
                let height = normal.dot(&(b - corners[0]));
                if height >= 0.0 && inner_weights(&corners, &b).is_some() {
                    self.offer(height, b - normal * height, [normal]);
                }
            }
        }
        for triangle in &of_b.triangles {
            let corners = triangle.map(|name| difference.point_b(name));
            let Some(normal) = unit_normal(&corners) else { continue };
            for name in 0..of_a.corners {
                let a = difference.a.vertex(name);
                let height = normal.dot(&(a - corners[0]));
                if height >= 0.0 && inner_weights(&corners, &a).is_some() {
                    self.offer(height, a, [-normal]);
                }
            }
        }
    }
}

/// A direction, how far it separates, and the corners of the features that it comes from.
struct SeparatingDirection {
    separation: f64,
    normal: Vec3,
    corners: [[u32; 2]; 3],
}

/// The direction of least overlap so far; and the best one whose features are the nearest along it.
///
/// Edges on the far side of a prism, parallel to those in contact, have the same direction: their points would be those of the far side. The cross product of nearly
/// parallel edges is off by so much that no features seem to be the nearest: then the direction counts all the same.
#[derive(Default)]
struct Deepest {
    any: Option<SeparatingDirection>,
    fitting: Option<SeparatingDirection>,
}

impl Deepest {
    fn separation(&self) -> f64 {
        self.any.as_ref().map_or(f64::NEG_INFINITY, |candidate| candidate.separation)
    }

    /// Offers a direction; `corners` names the corners of the features it comes from, given the supporting corner, and how far apart these features are along it at
    /// most, if they may be others than the nearest.
    fn offer<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        normal: Vec3,
        width: f64,
        corners: impl Fn(&Corner) -> ([[u32; 2]; 3], Option<f64>),
    ) {
        let tip = difference.support(&-normal);
        let separation = normal.dot(&tip.w);
        let (corners, apart) = corners(&tip);
        let beats = |candidate: &Option<SeparatingDirection>| {
            candidate.as_ref().is_none_or(|candidate| separation > candidate.separation)
        };
        if apart.is_none_or(|apart| apart - separation <= width) && beats(&self.fitting) {
            self.fitting = Some(SeparatingDirection { separation, normal, corners });
        }
        if beats(&self.any) {
            self.any = Some(SeparatingDirection { separation, normal, corners });
        }
    }

    /// The best direction, with the points of one that fits where there is one as good to `width`.
    fn best(self, width: f64) -> Option<SeparatingDirection> {
        let any = self.any?;
        Some(self.fitting.filter(|candidate| candidate.separation >= any.separation - width).unwrap_or(any))
    }
}

/// The direction of least overlap among the normals of all faces and across all pairs of edges.
fn deepest<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    of_a: &Features,
    of_b: &Features,
    width: f64,
) -> Option<(Resolved, f64)> {
    let mut best = Deepest::default();
    for &[p, q, r] in &of_a.triangles {
        let Some(normal) = unit_normal(&[p, q, r].map(|name| difference.a.vertex(name))) else { continue };
        best.offer(difference, normal, width, |tip| ([p, q, r].map(|name| [name, tip.name_b]), None));
    }
    for &[p, q, r] in &of_b.triangles {
        let local = unit_normal(&[p, q, r].map(|name| difference.b.vertex(name)));
        let Some(normal) = local.map(|n| -difference.rotated_from_b(&n)) else { continue };
        best.offer(difference, normal, width, |tip| ([p, q, r].map(|name| [tip.name_a, name]), None));
    }
    let rotated =
        |[p, q]: &[u32; 2]| difference.rotated_from_b(&(difference.b.vertex(*q) - difference.b.vertex(*p)));
    let along_b: Vec<Vec3> = of_b.edges.iter().map(rotated).collect();
    for &[p, q] in &of_a.edges {
        let along_a = difference.a.vertex(q) - difference.a.vertex(p);
        for (&[s, t], along) in of_b.edges.iter().zip(&along_b) {
            let cross = along_a.cross(along);
            let length = cross.norm();
            if length == 0.0 {
                continue;
            }
            let between = difference.corner(p, s).w;
            for normal in [cross / length, -cross / length] {
                // The bodies are no farther apart along it than these two edges.
                let apart = normal.dot(&between);
                if apart > best.separation() - width {
                    let corners = [[p, s], [q, s], [p, t]];
                    best.offer(difference, normal, width, |_| (corners, Some(apart)));
                }
            }
        }
    }
    let SeparatingDirection { separation, normal, corners } = best.best(width)?;
    let corners = corners.map(|[name_a, name_b]| difference.corner(name_a, name_b));
    let exact = resolve(difference, &corners, &normal).filter(|found| (found.normal - normal).norm() <= SAME);
    let point_a = exact.map_or(corners[0].a, |found| found.point_a);
    Some((Resolved { gap: separation, normal, point_a }, separation))
}

/// Normals that differ by less than this are one [-].
const SAME: f64 = 1e-6;
