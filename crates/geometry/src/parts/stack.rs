//! Solids made of plane outlines along z: extrusion with holes, and stacks of sections with steps and tapers.
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
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut starts = Vec::new();
    for section in sections {
        starts.push(vertices.len() as u32);
        vertices.extend(section.outline.iter().map(|p| Vec3::new(p[0], p[1], section.z)));
    }
    let mut triangles: Vec<[u32; 3]> =
        triangulate(&bottom.outline, &[])?.iter().map(|&[a, b, c]| [a, c, b]).collect();
    for (k, pair) in sections.windows(2).enumerate() {
        let (below, above) = (&pair[0], &pair[1]);
        let (n, m) = (below.outline.len() as u32, above.outline.len() as u32);
        match below.z.partial_cmp(&above.z) {
            Some(Ordering::Less) if n == m => wall(&mut triangles, starts[k], starts[k + 1], n, true),
            Some(Ordering::Less) => {
                return Err(refuse(format!("a wall cannot join sections of {n} and {m} points")).into());
            }
            Some(Ordering::Equal) => {
                // The larger outline's ledge is open to the side where the smaller one continues.
                let areas = [doubled_area(&below.outline), doubled_area(&above.outline)];
                let narrowing = areas[0] > areas[1];
                if !narrowing && areas[0] >= areas[1] {
                    return Err(refuse(format!(
                        "two sections at the height {} m enclose the same area: one must lie inside the other, or the step between them \
                         is too small for its place",
                        below.z
                    ))
                    .into());
                }
                let (outer, inner) = if narrowing { (below, above) } else { (above, below) };
                let ledge = triangulate(&outer.outline, std::slice::from_ref(&inner.outline))?;
                let (outer_start, inner_start) =
                    if narrowing { (starts[k], starts[k + 1]) } else { (starts[k + 1], starts[k]) };
                let outer_len = outer.outline.len() as u32;
                let place =
                    |i: u32| if i < outer_len { outer_start + i } else { inner_start + i - outer_len };
                triangles.extend(ledge.iter().map(|t| {
                    let [a, b, c] = t.map(place);
                    if narrowing { [a, b, c] } else { [a, c, b] }
                }));
            }
            _ => return Err(refuse(format!("heights {} and {} m do not rise", below.z, above.z)).into()),
        }
    }
    let last = starts[starts.len() - 1];
    triangles.extend(triangulate(&top.outline, &[])?.iter().map(|t| t.map(|i| i + last)));
    check::surface(vertices, triangles)
}

fn refuse(reason: String) -> PartError {
    PartError::Outline { reason }
}

/// Two triangles per edge between ring `low` and ring `high` of n points each.
fn wall(triangles: &mut Vec<[u32; 3]>, low: u32, high: u32, n: u32, forward: bool) {
    for i in 0..n {
        let j = (i + 1) % n;
        let (from, to) = if forward { (i, j) } else { (j, i) };
        triangles.push([low + from, low + to, high + to]);
        triangles.push([low + from, high + to, high + from]);
    }
}
