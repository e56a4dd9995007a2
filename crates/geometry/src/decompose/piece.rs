//! A piece: the part of the solid inside a convex cell, known by its clipped surface.
//!
//! The hull of a piece is the hull of the clipped surface's corners and of the cell's corners inside the solid; no caps are needed.

use nalgebra::Matrix3;
use zerogap_core::Vec3;

use super::shell::{Feeler, Shell};
use super::solid::Solid;

/// The half-space `normal · x <= offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    /// Unit normal [-].
    pub(super) normal: Vec3,
    /// Offset along it [m].
    pub(super) offset: f64,
}

impl Plane {
    pub(super) fn through(point: Vec3, normal: Vec3) -> Self {
        Self { normal, offset: normal.dot(&point) }
    }

    pub(super) fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    pub(super) fn flipped(&self) -> Self {
        Self { normal: -self.normal, offset: -self.offset }
    }
}

/// A triangle of the solid clipped to the cell.
#[derive(Debug, Clone)]
struct Scrap {
    triangle: u32,
    corners: Vec<Vec3>,
}

/// The solid within a cell.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Triangles that lie in the cell entirely.
    whole: Vec<u32>,
    scraps: Vec<Scrap>,
    /// The half-spaces whose intersection is the cell.
    pub(super) cell: Vec<Plane>,
    /// Corners of the cell strictly inside the solid.
    inside: Vec<Vec3>,
}

impl Piece {
    /// The whole solid.
    pub(super) fn whole(solid: &Solid) -> Self {
        Self {
            whole: (0..solid.triangles.len() as u32).collect(),
            scraps: Vec::new(),
            cell: Vec::new(),
            inside: Vec::new(),
        }
    }

    /// The parts below and above a plane, if both have volume. Heights up to `even` [m] count as on the plane.
    pub(super) fn split(&self, solid: &Solid, plane: &Plane, even: f64) -> Option<[(Self, Shell); 2]> {
        let snap = |height: f64| if height.abs() <= even { 0.0 } else { height };
        let mut below =
            Self { whole: Vec::new(), scraps: Vec::new(), cell: self.cell.clone(), inside: Vec::new() };
        let mut above = below.clone();
        below.cell.push(*plane);
        above.cell.push(plane.flipped());
        let mut heights: Vec<f64> = Vec::with_capacity(8);
        let mut place = |triangle: u32, corners: &[Vec3], is_whole: bool| {
            heights.clear();
            heights.extend(corners.iter().map(|p| snap(plane.height(p))));
            let (low, high) = (heights.iter().any(|h| *h < 0.0), heights.iter().any(|h| *h > 0.0));
            // A face in the plane belongs to the side that its solid is on.
            let to_below = low || (!high && solid.normals[triangle as usize].dot(&plane.normal) > 0.0);
            for (side, wanted, sign) in [(&mut below, to_below, 1.0), (&mut above, high || !to_below, -1.0)] {
                if !wanted {
                } else if !(low && high) && is_whole {
                    side.whole.push(triangle);
                } else {
                    let corners = if low && high { clip(corners, &heights, sign) } else { corners.to_vec() };
                    side.scraps.push(Scrap { triangle, corners });
                }
            }
        };
        for &t in &self.whole {
            place(t, &solid.triangles[t as usize].map(|i| solid.vertices[i as usize]), true);
        }
        for scrap in &self.scraps {
            place(scrap.triangle, &scrap.corners, false);
        }
        for p in &self.inside {
            let height = snap(plane.height(p));
            if height <= 0.0 {
                below.inside.push(*p);
            }
            if height >= 0.0 {
                above.inside.push(*p);
            }
        }
        let fresh = self.fresh_corners(solid, plane, even);
        below.inside.extend(&fresh);
        above.inside.extend(&fresh);
        let shells = [below.shell(solid)?, above.shell(solid)?];
        let [first, second] = shells;
        Some([(below, first), (above, second)])
    }

    /// Corners that the plane makes with two planes of the cell, inside both the cell and the solid.
    fn fresh_corners(&self, solid: &Solid, plane: &Plane, even: f64) -> Vec<Vec3> {
        let mut corners = Vec::new();
        for (i, one) in self.cell.iter().enumerate() {
            for two in &self.cell[..i] {
                let rows = Matrix3::from_rows(&[
                    plane.normal.transpose(),
                    one.normal.transpose(),
                    two.normal.transpose(),
                ]);
                // Planes that hardly cross have no corner that matters.
                if rows.determinant().abs() < 1e-9 {
                    continue;
                }
                let Some(inverse) = rows.try_inverse() else { continue };
                let p = inverse * Vec3::new(plane.offset, one.offset, two.offset);
                // On the surface the clipped triangles have the corner already, and which side it counts for.
                if self.cell.iter().all(|other| other.height(&p) <= even)
                    && solid.nearest(&p).gap < -10.0 * even
                {
                    corners.push(p);
                }
            }
        }
        corners
    }

    /// The hull of this piece, if it has volume.
    pub(super) fn shell(&self, solid: &Solid) -> Option<Shell> {
        let mut points = self.inside.clone();
        let mut seen = vec![false; solid.vertices.len()];
        for &t in &self.whole {
            for index in solid.triangles[t as usize] {
                if !std::mem::replace(&mut seen[index as usize], true) {
                    points.push(solid.vertices[index as usize]);
                }
            }
        }
        points.extend(self.scraps.iter().flat_map(|scrap| &scrap.corners));
        Shell::around(&points)
    }

    /// The part of a segment inside the cell, if it is longer than `even` [m].
    pub(super) fn clip_segment(&self, [a, b]: &[Vec3; 2], even: f64) -> Option<[Vec3; 2]> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for plane in &self.cell {
            let (ha, hb) = (plane.height(a) - even, plane.height(b) - even);
            if ha > 0.0 && hb > 0.0 {
                return None;
            } else if ha > 0.0 {
                from = from.max(ha / (ha - hb));
            } else if hb > 0.0 {
                to = to.min(ha / (ha - hb));
            }
        }
        let inside = [a + (b - a) * from, a + (b - a) * to];
        (from < to && (inside[1] - inside[0]).norm() > even).then_some(inside)
    }

    /// Rays from concave edges of this piece into the open, spread evenly over the edges: hollows begin there, also those that no face
    /// of the hull crosses.
    pub(super) fn feelers(&self, solid: &Solid, max: usize, even: f64) -> Vec<Feeler> {
        let inside: Vec<Feeler> = solid
            .reflex
            .iter()
            .filter_map(|edge| {
                let [a, b] = self.clip_segment(&edge.ends, even)?;
                let direction = (edge.normals[0] + edge.normals[1]).try_normalize(0.0)?;
                Some(Feeler { foot: 0.5 * (a + b), direction })
            })
            .collect();
        let stride = inside.len().div_ceil(max.max(1)).max(1);
        inside.into_iter().step_by(stride).collect()
    }
}

/// The part of a convex polygon below the plane (`sign` 1) or above it (`sign` -1), from its corners' heights.
fn clip(corners: &[Vec3], heights: &[f64], sign: f64) -> Vec<Vec3> {
    let n = corners.len();
    let mut kept = Vec::with_capacity(n + 1);
    for i in 0..n {
        let j = (i + 1) % n;
        let (a, b) = (heights[i] * sign, heights[j] * sign);
        if a <= 0.0 {
            kept.push(corners[i]);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            // From the lower corner always, so that both sides and both neighbours get the same bits.
            let (p, q, hp, hq) = if heights[i] < 0.0 {
                (i, j, heights[i], heights[j])
            } else {
                (j, i, heights[j], heights[i])
            };
            kept.push(corners[p] + (corners[q] - corners[p]) * (hp / (hp - hq)));
        }
    }
    kept
}
