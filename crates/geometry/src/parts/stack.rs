//! Solids made of plane outlines along z: extrusion with holes, stacks of sections with steps and tapers, and recesses in their top.
//!
//! In: outlines in either sense of rotation. Out: closed outward meshes; vertices section by section from the bottom up.

use std::cmp::Ordering;

use zerogap_core::Vec3;

use super::outline::{Point2, doubled_area};
use super::triangulate::triangulate;
use super::{PartError, check};
use crate::{GeometryError, TriangleMesh};

/// An outline at a height.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Height [m].
    pub z: f64,
    /// Closed outline without a repeated last point [m].
    pub outline: Vec<Point2>,
}

/// The prism over an outline with holes, from `low` to `high` [m]. Genus: the number of holes.
pub fn extrude(
    outer: &[Point2],
    holes: &[Vec<Point2>],
    low: f64,
    high: f64,
) -> Result<TriangleMesh, GeometryError> {
    if low >= high || !low.is_finite() || !high.is_finite() {
        return Err(refuse(format!("heights {low} and {high} m do not rise")).into());
    }
    let cap = triangulate(outer, holes)?;
    let rings: Vec<&[Point2]> = std::iter::once(outer).chain(holes.iter().map(Vec::as_slice)).collect();
    let points: Vec<Point2> = rings.iter().copied().flatten().copied().collect();
    let n = points.len() as u32;
    let mut vertices: Vec<Vec3> = points.iter().map(|p| Vec3::new(p[0], p[1], low)).collect();
    vertices.extend(points.iter().map(|p| Vec3::new(p[0], p[1], high)));
    // The lower cap faces down, the upper one up.
    let mut triangles: Vec<[u32; 3]> = cap.iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(cap.iter().map(|t| t.map(|i| i + n)));
    let mut first = 0;
    for (k, ring) in rings.iter().enumerate() {
        // Walls follow the material on their left: the outline counter-clockwise, holes clockwise.
        let forward = (doubled_area(ring) > 0.0) == (k == 0);
        wall(&mut triangles, first, first + n, ring.len() as u32, forward);
        first += ring.len() as u32;
    }
    check::surface(vertices, triangles)
}

/// A solid from sections in rising order.
///
/// Two neighbouring sections at different heights must have the same number of points and are joined point by point (a straight or
/// tapered wall); two at the same height form a step and one outline must lie strictly inside the other.
pub fn stack(sections: &[Section]) -> Result<TriangleMesh, GeometryError> {
    let [bottom, .., top] = sections else {
        return Err(refuse(format!("{} sections make no solid", sections.len())).into());
    };
    if let Some(outline) = sections.iter().map(|s| &s.outline).find(|outline| doubled_area(outline) <= 0.0) {
        return Err(refuse(format!(
            "a section with {} points does not run counter-clockwise",
            outline.len()
        ))
        .into());
    }
    let mut surface = Surface::default();
    let rings = surface.rings(sections);
    surface.cap(&bottom.outline, rings[0], false)?;
    surface.rise(sections, &rings)?;
    surface.cap(&top.outline, rings[rings.len() - 1], true)?;
    surface.finish()
}

/// A solid from sections in rising order, as by [`stack`], with a recess in its top face.
///
/// The recess has sections too, all with the same number of points, in falling order from the height of the top face; it ends in a plane floor, or, with a tip, in a
/// point on the axis at that height [m]. It must lie strictly inside the solid: that is the caller's part.
pub(super) fn recessed(
    sections: &[Section],
    recess: &[Section],
    tip: Option<f64>,
) -> Result<TriangleMesh, GeometryError> {
    let ([bottom, .., top], [mouth, .., floor]) = (sections, recess) else {
        return Err(refuse(format!(
            "{} sections with a recess of {} make no solid",
            sections.len(),
            recess.len()
        ))
        .into());
    };
    let mut surface = Surface::default();
    let rings = surface.rings(sections);
    let wells = surface.rings(recess);
    surface.cap(&bottom.outline, rings[0], false)?;
    surface.rise(sections, &rings)?;
    surface.ledge(&top.outline, rings[rings.len() - 1], &mouth.outline, wells[0], true)?;
    for (pair, well) in recess.windows(2).zip(wells.windows(2)) {
        wall(&mut surface.triangles, well[1], well[0], pair[0].outline.len() as u32, false);
    }
    let last = wells[wells.len() - 1];
    match tip {
        None => surface.cap(&floor.outline, last, true)?,
        Some(height) => surface.fan(height, last, floor.outline.len() as u32, true),
    }
    surface.finish()
}

/// A surface under construction.
#[derive(Default)]
pub(super) struct Surface {
    /// Corners so far [m].
    pub(super) vertices: Vec<Vec3>,
    /// Triangles so far, outward.
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Adds the corners of sections, in their order; gives the first number of each.
    pub(super) fn rings(&mut self, sections: &[Section]) -> Vec<u32> {
        let add = |section: &Section| {
            let first = self.vertices.len() as u32;
            self.vertices.extend(section.outline.iter().map(|p| Vec3::new(p[0], p[1], section.z)));
            first
        };
        sections.iter().map(add).collect()
    }

    /// Closes a ring with a plane face, facing up or down.
    pub(super) fn cap(&mut self, outline: &[Point2], first: u32, up: bool) -> Result<(), GeometryError> {
        self.polygon(outline, &[], up, |i| first + i)
    }

    /// The plane face between two rings at the same height, facing up or down.
    pub(super) fn ledge(
        &mut self,
        outer: &[Point2],
        outer_first: u32,
        inner: &Vec<Point2>,
        inner_first: u32,
        up: bool,
    ) -> Result<(), GeometryError> {
        let n = outer.len() as u32;
        let place = |i: u32| if i < n { outer_first + i } else { inner_first + i - n };
        self.polygon(outer, std::slice::from_ref(inner), up, place)
    }

    /// A plane face over corners that `place` numbers: those of the outline, then those of the holes.
    pub(super) fn polygon(
        &mut self,
        outer: &[Point2],
        holes: &[Vec<Point2>],
        up: bool,
        place: impl Fn(u32) -> u32,
    ) -> Result<(), GeometryError> {
        let cut = triangulate(outer, holes)?;
        self.triangles.extend(cut.into_iter().map(|t| {
            let [a, b, c] = t.map(&place);
            if up { [a, b, c] } else { [a, c, b] }
        }));
        Ok(())
    }

    /// Joins a ring of n points, counter-clockwise from above, to a point on the axis: a pit seen from above, or a tip seen from below.
    pub(super) fn fan(&mut self, height: f64, first: u32, n: u32, up: bool) {
        let tip = self.vertices.len() as u32;
        self.vertices.push(Vec3::new(0.0, 0.0, height));
        for i in 0..n {
            let (a, b) = (first + i, first + (i + 1) % n);
            self.triangles.push(if up { [tip, a, b] } else { [tip, b, a] });
        }
    }

    /// The walls and steps between neighbouring sections, facing away from the axis.
    pub(super) fn rise(&mut self, sections: &[Section], rings: &[u32]) -> Result<(), GeometryError> {
        for (pair, ring) in sections.windows(2).zip(rings.windows(2)) {
            let (below, above) = (&pair[0], &pair[1]);
            let (n, m) = (below.outline.len() as u32, above.outline.len() as u32);
            match below.z.partial_cmp(&above.z) {
                Some(Ordering::Less) if n == m => wall(&mut self.triangles, ring[0], ring[1], n, true),
                Some(Ordering::Less) => {
                    return Err(refuse(format!("a wall cannot join sections of {n} and {m} points")).into());
                }
                Some(Ordering::Equal) => {
                    // The larger outline's ledge is open to the side where the smaller one continues.
                    let areas = [doubled_area(&below.outline), doubled_area(&above.outline)];
                    let narrowing = areas[0] > areas[1];
                    if !narrowing && areas[0] >= areas[1] {
                        return Err(refuse(format!(
                            "two sections at the height {} m enclose the same area: one must lie inside the other, or the step between \
                             them is too small for its place",
                            below.z
                        ))
                        .into());
                    }
                    let [outer, inner] = if narrowing { [below, above] } else { [above, below] };
                    let [outer_ring, inner_ring] =
                        if narrowing { [ring[0], ring[1]] } else { [ring[1], ring[0]] };
                    self.ledge(&outer.outline, outer_ring, &inner.outline, inner_ring, narrowing)?;
                }
                _ => {
                    return Err(refuse(format!("heights {} and {} m do not rise", below.z, above.z)).into());
                }
            }
        }
        Ok(())
    }

    /// The mesh, if none of its triangles is too thin.
    pub(super) fn finish(self) -> Result<TriangleMesh, GeometryError> {
        check::surface(self.vertices, self.triangles)
    }
}

fn refuse(reason: String) -> PartError {
    PartError::Outline { reason }
}

/// Two triangles per edge between ring `low` and ring `high` of n points each.
pub(super) fn wall(triangles: &mut Vec<[u32; 3]>, low: u32, high: u32, n: u32, forward: bool) {
    for i in 0..n {
        let j = (i + 1) % n;
        let (from, to) = if forward { (i, j) } else { (j, i) };
        triangles.push([low + from, low + to, high + to]);
        triangles.push([low + from, high + to, high + from]);
    }
}
