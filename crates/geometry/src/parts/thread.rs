//! A bolt with a metric thread, and its nut.
//!
//! The profile is the basic one of ISO 68-1, right-handed: flanks of 60°, crests P/8 and roots P/4 wide, 5/8 of √3/2 P deep for a pitch P. The nut's is the same, moved outwards along the
//! radius by the clearance, which leaves half of it square to the flanks. Both have their axis along z and begin at z = 0, where the middle of the bolt's crest crosses the x axis, going
//! up by P for each turn about +z. So the nut fits where the two frames coincide, and wherever it is moved by z along and rotated by 2π z / P about the axis.
//! From there it can move by clearance/√3 along z in both directions before the flanks touch.
//!
//! The bolt's corners lie on the true surface, the nut's edges touch theirs from outside, and the flanks are cut along the diagonals that spare the other one, so that
//! tessellation adds to the gap; only at the end faces of the nut it can take up to 6e-4 of the pitch, times (16 / segments)².
//!
//! Simplified: sharp roots, no lead-in at the ends, a plain hexagon for the head and the nut.

use std::f64::consts::{PI, TAU};

use zerogap_core::{Vec3, math};

use super::outline::{Point2, circle_around};
use super::stack::{Section, Surface};
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

/// Equal steps of a pitch in which the profile has all its corners [-].
const STEPS: i64 = 16;
/// Corners of the profile over a pitch, in sixteenths of it from the middle of the crest; the first two bound the crest [-].
const CORNERS: [i64; 4] = [-1, 1, 6, 10];

part! {
    /// Bolt with a right-handed metric thread, axis along z, thread from z = 0 upwards, head with six sides below it.
    ThreadBolt named "thread-bolt" {
        /// Diameter over the crests [m].
        diameter: f64 [Length] = 8e-3,
        /// Rise for each turn [m].
        pitch: f64 [Length] = 1.25e-3,
        /// Turns of the thread; its length is as many pitches [-].
        turns: usize [Count] = 16,
        /// Width of the head across flats, 0 for none [m].
        head_width: f64 [Length] = 0.013,
        /// Height of the head; a bolt without one ignores it [m].
        head_height: f64 [Length] = 5.3e-3,
        /// Straight segments for each turn, a multiple of 16 [-].
        segments: usize [Count] = 32,
    }
}

part! {
    /// Nut with a right-handed metric thread, axis along z, from z = 0 upwards.
    ThreadNut named "thread-nut" {
        /// Diameter over the crests of the bolt [m].
        diameter: f64 [Length] = 8e-3,
        /// Rise for each turn [m].
        pitch: f64 [Length] = 1.25e-3,
        /// Turns of the thread; the nut is as many pitches high [-].
        turns: usize [Count] = 5,
        /// Gap along the radius between the bolt and the nut on its axis [m].
        clearance: f64 [Length] = 1e-4,
        /// Width across flats [m].
        width: f64 [Length] = 0.013,
        /// Straight segments for each turn, a multiple of 16 [-].
        segments: usize [Count] = 32,
    }
}

impl ThreadBolt {
    /// Radius at the roots [m].
    pub fn root_radius(&self) -> f64 {
        0.5 * self.diameter - thread_depth(self.pitch)
    }

    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        check_thread(part, self.diameter, self.pitch, self.turns, self.segments)?;
        check::not_negative(part, "head_width", self.head_width)?;
        check::positive(part, "head_height", self.head_height)?;
        let has_head = self.head_width > 0.0;
        check::require(
            part,
            "head_width",
            self.head_width,
            !has_head || self.head_width > self.diameter,
            || format!("it must be 0 for no head, or exceed the diameter {} m", self.diameter),
        )?;
        let thread = Helix {
            crest: 0.5 * self.diameter,
            root: self.root_radius(),
            pitch: self.pitch,
            turns: whole(self.turns),
            segments: whole(self.segments),
        };
        let mut surface = Surface::default();
        let ends = thread.wind(&mut surface, ThreadSide::Outside);
        if has_head {
            let outline = circle_around(0.5 * self.head_width, 6);
            let head = [-self.head_height, 0.0].map(|z| Section { z, outline: outline.clone() });
            let rings = surface.rings(&head);
            surface.cap(&outline, rings[0], false)?;
            surface.rise(&head, &rings)?;
            surface.ring_face(&outline, rings[1], &ends[0], true)?;
        } else {
            surface.loop_face(&ends[0], false)?;
        }
        surface.loop_face(&ends[1], true)?;
        surface.finish()
    }
}

impl ThreadNut {
    /// Genus 1.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        check_thread(part, self.diameter, self.pitch, self.turns, self.segments)?;
        check::not_negative(part, "clearance", self.clearance)?;
        check::positive(part, "width", self.width)?;
        // Edges touch the true circles from outside.
        let outward = |radius: f64| (radius + self.clearance) / math::cos(PI / self.segments as f64);
        let crest = outward(0.5 * self.diameter);
        check::require(part, "width", self.width, self.width > 2.0 * crest, || {
            format!("it must exceed the width of the hole, {} m", 2.0 * crest)
        })?;
        let thread = Helix {
            crest,
            root: outward(0.5 * self.diameter - thread_depth(self.pitch)),
            pitch: self.pitch,
            turns: whole(self.turns),
            segments: whole(self.segments),
        };
        let mut surface = Surface::default();
        let ends = thread.wind(&mut surface, ThreadSide::Inside);
        let outline = circle_around(0.5 * self.width, 6);
        let sides = [0.0, self.pitch * self.turns as f64].map(|z| Section { z, outline: outline.clone() });
        let rings = surface.rings(&sides);
        surface.rise(&sides, &rings)?;
        surface.ring_face(&outline, rings[0], &ends[0], false)?;
        surface.ring_face(&outline, rings[1], &ends[1], true)?;
        surface.finish()
    }
}

/// From the crests to the roots along the radius: 5/8 of the height of the profile's triangle [m].
fn thread_depth(pitch: f64) -> f64 {
    0.625 * (0.5 * 3.0_f64.sqrt()) * pitch
}

fn check_thread(
    part: &'static str,
    diameter: f64,
    pitch: f64,
    turns: usize,
    segments: usize,
) -> Result<(), GeometryError> {
    check::positive(part, "diameter", diameter)?;
    check::positive(part, "pitch", pitch)?;
    // Roots of at least a quarter of the radius, as far from real threads as any use could be.
    let max = 0.75 * 0.5 * diameter / thread_depth(1.0);
    check::require(part, "pitch", pitch, pitch < max, || {
        format!("it must be less than {max} m for the diameter {diameter} m")
    })?;
    check::count(part, "segments", segments, STEPS as usize, check::MAX_SEGMENTS)?;
    check::require(part, "segments", segments as f64, segments.is_multiple_of(STEPS as usize), || {
        String::from(
            "it must be a multiple of 16, so that corners of the profile meet the end faces in corners",
        )
    })?;
    check::count_times(part, ("turns", turns), 1, ("segments and corners of the profile", 4 * segments + 8))?;
    Ok(())
}

/// A count that the gate has passed.
#[expect(clippy::cast_possible_wrap, reason = "the gate lets at most MAX_COUNT pass")]
fn whole(count: usize) -> i64 {
    count as i64
}

/// Where the material of a thread is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThreadSide {
    /// Between the axis and the surface, as a bolt's; the surface faces outwards.
    Outside,
    /// Beyond the surface, as a nut's; the surface faces the axis.
    Inside,
}

/// The surface of a thread from z = 0 over whole turns.
struct Helix {
    /// Radius over the crests of the bolt's profile [m].
    crest: f64,
    /// Radius at its roots [m].
    root: f64,
    pitch: f64,
    turns: i64,
    segments: i64,
}

impl Helix {
    /// Adds the surface; gives the rings of its ends, lower and upper, counter-clockwise from above.
    ///
    /// Corners lie in half planes through the axis, `segments` of them, at heights that are multiples of pitch/segments: from one half plane to the next, every corner of
    /// the profile rises by one of these, and the end faces cut each strip between two corners in corners.
    fn wind(&self, surface: &mut Surface, side: ThreadSide) -> [Vec<u32>; 2] {
        let n = self.segments;
        let top = n * self.turns;
        // One column after the other, each as (height, vertex) from the bottom up.
        let mut columns: Vec<Vec<(i64, u32)>> = Vec::new();
        for i in 0..n {
            let (s, c) = math::sin_cos(TAU * i as f64 / n as f64);
            let mut heights: Vec<i64> = self
                .corner_heights(i)
                .map(|(height, _)| height)
                .filter(|height| (1..top).contains(height))
                .collect();
            heights.extend([0, top]);
            heights.sort_unstable();
            let column = heights.into_iter().map(|height| {
                let radius = self.radius(height - i);
                let vertex = surface.vertices.len() as u32;
                let z = self.pitch * height as f64 / n as f64;
                surface.vertices.push(Vec3::new(radius * c, radius * s, z));
                (height, vertex)
            });
            columns.push(column.collect());
        }
        let after = columns.iter().cycle().skip(1);
        for ((left, right), i) in columns.iter().zip(after).zip(0..) {
            for (low, width) in self.corner_heights(i) {
                let clip = |from: i64| (from.max(0), (from + width).min(top));
                let (l, r) = (clip(low), clip(low + 1));
                if l.0 > l.1 || r.0 > r.1 {
                    continue;
                }
                let at = |column: &[(i64, u32)], height: i64| {
                    let k = column.partition_point(|entry| entry.0 < height);
                    debug_assert!(column[k].0 == height, "every corner of a strip is in its column");
                    column[k].1
                };
                let quad = [at(left, l.0), at(right, r.0), at(right, r.1), at(left, l.1)];
                let [a, b, c, d] = quad;
                // Of the two diagonals one dips into the bolt, the other bulges out of it.
                let pair = match side {
                    ThreadSide::Outside => [[a, b, d], [b, c, d]],
                    ThreadSide::Inside => [[a, c, b], [a, d, c]],
                };
                let whole = |t: &[u32; 3]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
                surface.triangles.extend(pair.into_iter().filter(whole));
            }
        }
        let ring = |height: i64| {
            let find =
                |column: &Vec<(i64, u32)>| if height == 0 { column[0].1 } else { column[column.len() - 1].1 };
            columns.iter().map(find).collect()
        };
        [ring(0), ring(top)]
    }

    /// The corners of the profile in a column, with the height to the next one, from below the bottom to above the top [pitch/segments].
    fn corner_heights(&self, column: i64) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (n, unit) = (self.segments, self.segments / STEPS);
        (-2..=self.turns).flat_map(move |turn| {
            (0..4).map(move |k| {
                let next = if k < 3 { CORNERS[k + 1] } else { CORNERS[0] + STEPS };
                (column + turn * n + CORNERS[k] * unit, (next - CORNERS[k]) * unit)
            })
        })
    }

    /// Radius of the profile at a height above the middle of a crest [pitch/segments].
    fn radius(&self, height: i64) -> f64 {
        let n = self.segments;
        let unit = n / STEPS;
        // The profile is the same above and below the middle of the crest.
        let offset = height.rem_euclid(n);
        let offset = offset.min(n - offset);
        let (from, to) = (CORNERS[1] * unit, CORNERS[2] * unit);
        match offset {
            o if o <= from => self.crest,
            o if o >= to => self.root,
            o => self.crest + (self.root - self.crest) * ((o - from) as f64 / (to - from) as f64),
        }
    }
}

impl Surface {
    /// A plane face within a ring of vertices, counter-clockwise from above.
    fn loop_face(&mut self, ring: &[u32], up: bool) -> Result<(), GeometryError> {
        let outline = self.outline(ring);
        self.polygon(&outline, &[], up, |i| ring[i as usize])
    }

    /// A plane face between an outline, its vertices numbered from `first`, and a ring of vertices inside it.
    fn ring_face(
        &mut self,
        outer: &[Point2],
        first: u32,
        ring: &[u32],
        up: bool,
    ) -> Result<(), GeometryError> {
        let n = outer.len();
        let hole = self.outline(ring);
        self.polygon(outer, &[hole], up, |i| if (i as usize) < n { first + i } else { ring[i as usize - n] })
    }

    fn outline(&self, ring: &[u32]) -> Vec<Point2> {
        ring.iter().map(|&i| self.vertices[i as usize]).map(|p| [p.x, p.y]).collect()
    }
}
