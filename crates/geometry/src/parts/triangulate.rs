//! Triangles of a plane polygon with holes.
//!
//! In: one outline and its holes, in either sense of rotation. Out: counter-clockwise triangles over the outline's points followed
//! by the holes' points, none of zero area, no point added. The same input gives the same triangles in the same order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use robust::Coord;

use super::PartError;
use super::outline::{Point2, doubled_area};

/// Area that the triangles may miss, relative to the outline's area [-]: far above the rounding of the sums, far below any crossing.
const AREA_TOLERANCE: f64 = 1e-9;

/// Triangulates a polygon with holes by clipping ears, then flips edges until every triangle's circle is empty.
///
/// Computes: index triples into `outer` followed by the points of each hole.
/// Method: each hole is joined to the outline by the shortest visible bridge from its rightmost point; ears are clipped
///   shortest diagonal first (Meisters 1975), which halves round outlines evenly; Lawson flips then make the result constrained Delaunay, so
///   slivers appear only where the outline forces them. Every sidedness question is answered exactly.
/// Tolerance: none for the topology; the area is checked to 1e-9 relative as a check against outlines that cross themselves.
/// Cost: O(n²) at worst (bridges and flips); ear clipping alone O(n r) for n points of which r are not convex; ears check only those in their range of x. Release build: a
///   gear of 2e5 points 0.7 s, a plate with a hole of 1e5 2 s, a rod's outline and bores of 4e4 1.5 s.
/// Fails: `PartError::Outline` when the outlines cross or touch each other, or have fewer than 3 points.
pub fn triangulate(outer: &[Point2], holes: &[Vec<Point2>]) -> Result<Vec<[u32; 3]>, PartError> {
    let mut polygon = Polygon::new(outer, holes)?;
    let expected = polygon.doubled_area;
    let mut pending = polygon.holes_by_reach();
    while let Some(hole) = pending.pop() {
        polygon.bridge(&hole, &pending)?;
    }
    let mut triangles = polygon.clip_ears()?;
    // Overlapping triangles or missed ones show up in the area.
    let found: f64 = triangles.iter().map(|t| polygon.doubled_area_of(*t)).sum();
    if (found - expected).abs() > AREA_TOLERANCE * expected {
        return Err(refuse(format!(
            "its triangles cover {found} instead of {expected} (relative units): it crosses itself"
        )));
    }
    flip_to_delaunay(&polygon.points, &mut triangles);
    Ok(triangles)
}

fn refuse(reason: String) -> PartError {
    PartError::Outline { reason }
}

/// Sign of the turn a → b → c: positive to the left. Exact.
fn turn(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> f64 {
    robust::orient2d(a, b, c)
}

fn same(a: Coord<f64>, b: Coord<f64>) -> bool {
    (a.x, a.y) == (b.x, b.y)
}

/// Points scaled by a power of two, and the outline that ears are clipped from, as a ring of point indices.
struct Polygon {
    points: Vec<Coord<f64>>,
    ring: Vec<u32>,
    holes: Vec<Vec<u32>>,
    doubled_area: f64,
}

impl Polygon {
    fn new(outer: &[Point2], holes: &[Vec<Point2>]) -> Result<Self, PartError> {
        let all = || std::iter::once(outer).chain(holes.iter().map(Vec::as_slice));
        if let Some(short) = all().find(|outline| outline.len() < 3) {
            return Err(refuse(format!("{} points enclose nothing", short.len())));
        }
        let size = all().flatten().flatten().fold(0.0_f64, |m, c| m.max(c.abs()));
        if !(size > 0.0 && all().flatten().flatten().all(|c| c.is_finite())) {
            return Err(refuse(format!("its largest coordinate is {size}")));
        }
        // A power of two near the size: scaling by it is exact and keeps the exact predicates clear of underflow.
        let scale = f64::from_bits(((2046 - ((size.to_bits() >> 52) & 0x7ff)).max(1)) << 52);
        let scaled: Vec<Vec<Point2>> =
            all().map(|outline| outline.iter().map(|p| [p[0] * scale, p[1] * scale]).collect()).collect();
        let areas: Vec<f64> = scaled.iter().map(|outline| doubled_area(outline)).collect();
        // The outline runs counter-clockwise, holes run clockwise: the material is always on the left.
        let mut first = 0;
        let mut rings = Vec::new();
        for (k, outline) in scaled.iter().enumerate() {
            let mut ring: Vec<u32> = (first..first + outline.len() as u32).collect();
            if (areas[k] < 0.0) == (k == 0) {
                ring.reverse();
            }
            first += outline.len() as u32;
            rings.push(ring);
        }
        let doubled_area = areas[0].abs() - areas[1..].iter().map(|a| a.abs()).sum::<f64>();
        if doubled_area.is_nan() || doubled_area <= 0.0 {
            return Err(refuse(format!(
                "it encloses {} (relative units), its holes {}",
                areas[0].abs(),
                areas[0].abs() - doubled_area
            )));
        }
        let points = scaled.into_iter().flatten().map(|p| Coord { x: p[0], y: p[1] }).collect();
        let ring = rings.remove(0);
        Ok(Self { points, ring, holes: rings, doubled_area })
    }

    fn at(&self, index: u32) -> Coord<f64> {
        self.points[index as usize]
    }

    fn doubled_area_of(&self, [a, b, c]: [u32; 3]) -> f64 {
        turn(self.at(a), self.at(b), self.at(c))
    }

    /// Holes rotated so that their rightmost point comes first, sorted so that the farthest right is last.
    fn holes_by_reach(&self) -> Vec<Vec<u32>> {
        let reach = |&i: &u32| (self.at(i).x, self.at(i).y);
        let ascending = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        let mut holes: Vec<Vec<u32>> = self.holes.clone();
        for hole in &mut holes {
            let right = (0..hole.len()).max_by(|&a, &b| ascending(reach(&hole[a]), reach(&hole[b])));
            hole.rotate_left(right.unwrap_or(0));
        }
        holes.sort_by(|a, b| ascending(reach(&a[0]), reach(&b[0])).then(b[0].cmp(&a[0])));
        holes
    }

    /// Joins a hole to the ring by the shortest unobstructed segment from its first point.
    fn bridge(&mut self, hole: &[u32], others: &[Vec<u32>]) -> Result<(), PartError> {
        let start = self.at(hole[0]);
        let n = self.ring.len();
        let mut slots: Vec<(f64, usize)> = (0..n)
            .map(|slot| {
                let p = self.at(self.ring[slot]);
                ((p.x - start.x) * (p.x - start.x) + (p.y - start.y) * (p.y - start.y), slot)
            })
            .collect();
        slots.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let edges = |ring: &[u32]| -> Vec<[Coord<f64>; 2]> {
            (0..ring.len()).map(|k| [self.at(ring[k]), self.at(ring[(k + 1) % ring.len()])]).collect()
        };
        let mut walls = edges(&self.ring);
        walls.extend(edges(hole));
        walls.extend(others.iter().flat_map(|other| edges(other)));
        let visible = slots.iter().map(|&(_, slot)| slot).find(|&slot| {
            let end = self.at(self.ring[slot]);
            let (before, after) =
                (self.at(self.ring[(slot + n - 1) % n]), self.at(self.ring[(slot + 1) % n]));
            in_cone(before, end, after, start) && !walls.iter().any(|&[a, b]| blocks(start, end, a, b))
        });
        let Some(slot) = visible else {
            return Err(refuse(format!(
                "the hole that starts with point {} cannot be reached from the outline without crossing it",
                hole[0]
            )));
        };
        // Out along the bridge, round the hole, back along the bridge.
        let mut detour = hole.to_vec();
        detour.push(hole[0]);
        detour.push(self.ring[slot]);
        let at = slot + 1;
        self.ring.splice(at..at, detour);
        Ok(())
    }

    fn clip_ears(&self) -> Result<Vec<[u32; 3]>, PartError> {
        let n = self.ring.len();
        let mut clip = Clip {
            points: self.ring.iter().map(|&index| self.at(index)).collect(),
            next: (0..n).map(|k| (k + 1) % n).collect(),
            previous: (0..n).map(|k| (k + n - 1) % n).collect(),
            stamp: vec![0; n],
            blunt: Vec::new(),
            is_blunt: vec![false; n],
            queue: BinaryHeap::new(),
        };
        clip.is_blunt = (0..n).map(|k| clip.turn_at(k) <= 0.0).collect();
        clip.blunt = (0..n).filter(|&k| clip.is_blunt[k]).collect();
        clip.blunt.sort_by(|&a, &b| clip.points[a].x.total_cmp(&clip.points[b].x).then(a.cmp(&b)));
        let mut alive: Vec<usize> = (0..n).collect();
        let mut triangles = Vec::with_capacity(n - 2);
        let mut left = n;
        while left > 3 {
            // An ear rejected because a point lay in it may be free now: all are checked again until a round finds none.
            alive.retain(|&k| clip.stamp[k] != usize::MAX);
            for &k in &alive {
                clip.ask(k);
            }
            clip.forget_sharp();
            let (before, mut forget_at) = (left, left / 2);
            while left > 3 {
                if left <= forget_at {
                    clip.forget_sharp();
                    forget_at = left / 2;
                }
                let Some(Reverse((_, k, stamp))) = clip.queue.pop() else { break };
                if clip.stamp[k] != stamp || !clip.is_ear(k) {
                    continue;
                }
                let (u, w) = (clip.previous[k], clip.next[k]);
                triangles.push([self.ring[u], self.ring[k], self.ring[w]]);
                clip.remove(k);
                left -= 1;
            }
            if left == before {
                return Err(refuse(format!(
                    "{left} of its {n} points allow no triangle: it crosses or touches itself"
                )));
            }
        }
        if let Some(&k) = alive.iter().find(|&&k| clip.stamp[k] != usize::MAX) {
            if clip.turn_at(k) <= 0.0 {
                return Err(refuse(String::from("three of its points that remain lie on a line")));
            }
            triangles.push([self.ring[clip.previous[k]], self.ring[k], self.ring[clip.next[k]]]);
        }
        Ok(triangles)
    }
}

/// The state of ear clipping: a linked ring and the queue of ears by length of their diagonal.
struct Clip {
    points: Vec<Coord<f64>>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// Counts changes of a corner's neighbours; `usize::MAX` once clipped.
    stamp: Vec<usize>,
    /// Corners that may block an ear, by x: those that do not turn left, and some that no longer count.
    blunt: Vec<usize>,
    is_blunt: Vec<bool>,
    queue: BinaryHeap<Reverse<(u64, usize, usize)>>,
}

impl Clip {
    fn turn_at(&self, k: usize) -> f64 {
        turn(self.points[self.previous[k]], self.points[k], self.points[self.next[k]])
    }

    /// Puts a corner on the queue if it turns left.
    fn ask(&mut self, k: usize) {
        if !self.is_blunt[k] {
            let (u, w) = (self.points[self.previous[k]], self.points[self.next[k]]);
            let squared = (u.x - w.x) * (u.x - w.x) + (u.y - w.y) * (u.y - w.y);
            // Bits of non-negative numbers sort as the numbers do.
            self.queue.push(Reverse((squared.to_bits(), k, self.stamp[k])));
        }
    }

    /// Whether the diagonal across corner k runs inside the polygon and the triangle holds no other corner.
    ///
    /// Corners that coincide with the triangle's (bridges double them) are excused: the cone tests settle them.
    fn is_ear(&self, k: usize) -> bool {
        let (iu, iw) = (self.previous[k], self.next[k]);
        let (u, v, w) = (self.points[iu], self.points[k], self.points[iw]);
        if self.is_blunt[k]
            || !in_cone(self.points[self.previous[iu]], u, v, w)
            || !in_cone(v, w, self.points[self.next[iw]], u)
        {
            return false;
        }
        let (low_x, high_x) = (u.x.min(v.x).min(w.x), u.x.max(v.x).max(w.x));
        let (low_y, high_y) = (u.y.min(v.y).min(w.y), u.y.max(v.y).max(w.y));
        let from = self.blunt.partition_point(|&b| self.points[b].x < low_x);
        !self.blunt[from..].iter().take_while(|&&b| self.points[b].x <= high_x).any(|&b| {
            let p = self.points[b];
            self.is_blunt[b]
                && p.y >= low_y
                && p.y <= high_y
                && !(same(p, u) || same(p, v) || same(p, w))
                && turn(u, v, p) >= 0.0
                && turn(v, w, p) >= 0.0
                && turn(w, u, p) >= 0.0
        })
    }

    /// Drops corners from the list of blunt ones that are clipped or turn left by now.
    fn forget_sharp(&mut self) {
        let is_blunt = &self.is_blunt;
        self.blunt.retain(|&b| is_blunt[b]);
    }

    fn remove(&mut self, k: usize) {
        let (u, w) = (self.previous[k], self.next[k]);
        self.next[u] = w;
        self.previous[w] = u;
        self.stamp[k] = usize::MAX;
        self.is_blunt[k] = false;
        // Clipping only narrows the angles beside it, so no corner ever joins the blunt ones.
        for corner in [u, w] {
            self.stamp[corner] += 1;
            self.is_blunt[corner] = self.turn_at(corner) <= 0.0;
            self.ask(corner);
        }
    }
}

/// Whether the direction from corner `b` towards `target` points strictly into the polygon, which lies left of a → b → c.
fn in_cone(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>, target: Coord<f64>) -> bool {
    if turn(a, b, c) > 0.0 {
        turn(a, b, target) > 0.0 && turn(b, c, target) > 0.0
    } else {
        turn(a, b, target) > 0.0 || turn(b, c, target) > 0.0
    }
}

/// Whether wall a-b touches the segment p-q other than at a shared end.
fn blocks(p: Coord<f64>, q: Coord<f64>, a: Coord<f64>, b: Coord<f64>) -> bool {
    let on_segment = |x: Coord<f64>| {
        turn(p, q, x) == 0.0
            && x.x >= p.x.min(q.x)
            && x.x <= p.x.max(q.x)
            && x.y >= p.y.min(q.y)
            && x.y <= p.y.max(q.y)
    };
    let shared = |x: Coord<f64>| same(x, p) || same(x, q);
    match (shared(a), shared(b)) {
        (true, true) => true,
        (true, false) => on_segment(b),
        (false, true) => on_segment(a),
        (false, false) => {
            let (sa, sb) = (turn(p, q, a), turn(p, q, b));
            let (sp, sq) = (turn(a, b, p), turn(a, b, q));
            on_segment(a)
                || on_segment(b)
                || (((sa > 0.0) != (sb > 0.0)) && ((sp > 0.0) != (sq > 0.0)) && sa != 0.0 && sb != 0.0)
        }
    }
}

/// Flips inner edges whose neighbours lie in each other's circle. Ends: each flip lowers the lifted surface, and the test is exact.
fn flip_to_delaunay(points: &[Coord<f64>], triangles: &mut [[u32; 3]]) {
    let mut owner: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let sides = |t: [u32; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    for (k, t) in triangles.iter().enumerate() {
        for side in sides(*t) {
            owner.insert(side, k);
        }
    }
    let mut stack: Vec<(u32, u32)> = owner.keys().filter(|(a, b)| a < b).copied().collect();
    while let Some((a, b)) = stack.pop() {
        let (Some(&left), Some(&right)) = (owner.get(&(a, b)), owner.get(&(b, a))) else { continue };
        let apex = |t: [u32; 3]| t.into_iter().find(|&i| i != a && i != b);
        let (Some(c), Some(d)) = (apex(triangles[left]), apex(triangles[right])) else { continue };
        let at = |i: u32| points[i as usize];
        if robust::incircle(at(a), at(b), at(c), at(d)) <= 0.0 {
            continue;
        }
        owner.remove(&(a, b));
        owner.remove(&(b, a));
        triangles[left] = [c, a, d];
        triangles[right] = [d, b, c];
        for k in [left, right] {
            for side in sides(triangles[k]) {
                owner.insert(side, k);
                stack.push(side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::outline::{circle, rectangle};
    use super::*;

    fn area(points: &[Point2], triangles: &[[u32; 3]]) -> f64 {
        triangles
            .iter()
            .map(|t| {
                let p = t.map(|i| points[i as usize]);
                let doubled = doubled_area(&p);
                assert!(doubled > 0.0, "{p:?}");
                0.5 * doubled
            })
            .sum()
    }

    #[test]
    fn an_outline_with_h_holes_and_n_points_gets_n_plus_2h_minus_2_triangles() {
        let outer = rectangle(10.0, 6.0);
        let mut holes: Vec<Vec<Point2>> = Vec::new();
        // A grid of holes with equal coordinates: bridges meet at the same corners again and again.
        for i in 0..4 {
            for j in 0..2 {
                holes.push(circle([-3.0 + 2.0 * f64::from(i), -1.5 + 3.0 * f64::from(j)], 0.75, 8, 0.0));
                let triangles = triangulate(&outer, &holes).unwrap();
                let points: Vec<Point2> = outer.iter().chain(holes.iter().flatten()).copied().collect();
                assert_eq!(triangles.len(), points.len() + 2 * holes.len() - 2);
                let hole = 0.5 * doubled_area(&holes[0]);
                assert!((area(&points, &triangles) - 60.0 + hole * holes.len() as f64).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn points_in_the_middle_of_straight_edges_make_no_flat_triangles() {
        let comb = vec![
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [3.0, 0.0],
            [3.0, 1.0],
            [3.0, 2.0],
            [2.0, 2.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ];
        let triangles = triangulate(&comb, &[]).unwrap();
        assert_eq!(triangles.len(), comb.len() - 2);
        assert!((area(&comb, &triangles) - 5.0).abs() < 1e-15);
    }

    #[test]
    fn the_sense_and_the_scale_of_the_outline_do_not_matter() {
        for scale in [1e-9, 1.0, 1e9] {
            let mut outer = rectangle(2.0 * scale, 2.0 * scale);
            let hole = circle([0.1 * scale, 0.0], 0.5 * scale, 12, 0.1);
            let one = triangulate(&outer, std::slice::from_ref(&hole)).unwrap();
            outer.reverse();
            let mut rotated = hole.clone();
            rotated.reverse();
            let two = triangulate(&outer, std::slice::from_ref(&rotated)).unwrap();
            assert_eq!((one.len(), two.len()), (16, 16));
            let points: Vec<Point2> = outer.iter().chain(&rotated).copied().collect();
            let expected = 4.0 * scale * scale + 0.5 * doubled_area(&rotated);
            assert!((area(&points, &two) / expected - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn outlines_that_cross_themselves_are_refused() {
        let bow = vec![[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]];
        assert!(triangulate(&bow, &[]).is_err());
        let outer = rectangle(1.0, 1.0);
        assert!(triangulate(&outer, &[circle([0.0, 0.0], 0.8, 16, 0.0)]).is_err());
        assert!(triangulate(&outer, &[circle([3.0, 0.0], 0.2, 16, 0.0)]).is_err());
        assert!(triangulate(&[[0.0, 0.0], [1.0, 0.0]], &[]).is_err());
        assert!(triangulate(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]], &[]).is_err());
        assert!(triangulate(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], &[]).is_err());
    }
}
