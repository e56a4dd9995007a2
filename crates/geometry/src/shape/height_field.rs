//! Heights over a grid, and the solid below them: terrain.
//!
//! In: the heights of the nodes of a rectangular grid. Out: the surface of two triangles per cell, parts of the solid as closed meshes ([`HeightField::patch`]), and what a
//! [`Shape`](super::Shape) answers. Nothing is kept but the heights, so that a field of a million nodes takes 8 MB.

use zerogap_core::error::{check_coordinates, check_positive_length};
use zerogap_core::{Aabb, Vec3};

use super::{Ray, RayHit, SurfacePoint};
use crate::{GeometryError, TriangleMesh};

/// Largest number of nodes [-]: features are numbered with 30 bits, and a node stands for six of them at most.
pub const MAX_NODES: usize = 100_000_000;

/// Heights over a rectangular grid, and everything below them down to a flat base.
///
/// The middle of the grid is the origin, columns run along x and rows along y, heights along z. The cell between the nodes `(i, j)` and `(i + 1, j + 1)` has two triangles, divided by the diagonal between these two.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_geometry::shape::HeightField;
///
/// // A ridge along y, 2 m high, on a grid of 1 m.
/// let field = HeightField::new([3, 2], [1.0, 1.0], vec![0.0, 2.0, 0.0, 0.0, 2.0, 0.0], 1.0)?;
/// assert_eq!(field.height_at(0.0, 0.25), Some(2.0));
/// assert_eq!(field.height_at(0.5, 0.0), Some(1.0));
/// assert_eq!(field.height_at(1.5, 0.0), None);
/// assert!(field.contains(&Vec3::new(0.5, 0.0, 0.9)) && !field.contains(&Vec3::new(0.5, 0.0, 1.1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    /// Nodes along x and y.
    nodes: [usize; 2],
    /// Distance of nodes along x and y [m].
    spacing: [f64; 2],
    /// Heights of the nodes, row after row [m].
    heights: Vec<f64>,
    /// How far the base lies below the lowest node [m].
    max_depth: f64,
    lowest: f64,
    highest: f64,
}

zerogap_core::store_struct!(HeightField { nodes, spacing, heights, max_depth, lowest, highest } check |it| check_parts(it.nodes, it.spacing, &it.heights, it.max_depth));

/// Cells of a height field: along x, then along y.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cells {
    /// Columns of cells, the first and one more than the last.
    pub x: [usize; 2],
    /// Rows of cells.
    pub y: [usize; 2],
}

impl Cells {
    /// Returns how many there are.
    pub fn count(&self) -> usize {
        (self.x[1] - self.x[0]) * (self.y[1] - self.y[0])
    }
}

fn check_parts(
    nodes: [usize; 2],
    spacing: [f64; 2],
    heights: &[f64],
    max_depth: f64,
) -> Result<(), GeometryError> {
    let [columns, rows] = nodes;
    let count = columns.checked_mul(rows).filter(|count| *count <= MAX_NODES);
    if columns < 2 || rows < 2 || count.is_none() {
        return Err(GeometryError::GridSize { columns, rows });
    }
    if count != Some(heights.len()) {
        return Err(GeometryError::GridHeights { columns, rows, heights: heights.len() });
    }
    check_positive_length("the spacing of a height field", spacing[0])?;
    check_positive_length("the spacing of a height field", spacing[1])?;
    check_positive_length("the depth of a height field", max_depth)?;
    let half = |axis: usize| 0.5 * spacing[axis] * (nodes[axis] - 1) as f64;
    for height in heights {
        check_coordinates("a node of a height field", Vec3::new(half(0), half(1), *height))?;
    }
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    check_coordinates("the base of a height field", Vec3::new(0.0, 0.0, lowest - max_depth))?;
    Ok(())
}

impl HeightField {
    /// Makes a field of `[columns, rows]` nodes with their distances along x and y [m] and their heights, row after row along x [m]; the base is flat and lies `max_depth` [m] below the lowest node.
    ///
    /// Fails: fewer than two columns or rows, more than [`MAX_NODES`] nodes, another number of heights, heights that are no lengths, a spacing or depth that is not positive.
    pub fn new(
        nodes: [usize; 2],
        spacing: [f64; 2],
        heights: Vec<f64>,
        max_depth: f64,
    ) -> Result<Self, GeometryError> {
        check_parts(nodes, spacing, &heights, max_depth)?;
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self { nodes, spacing, heights, max_depth, lowest, highest })
    }

    /// Returns the number of nodes along x and y.
    pub fn nodes(&self) -> [usize; 2] {
        self.nodes
    }

    /// Returns the distance of nodes along x and y [m].
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// Returns the heights of the nodes, row after row [m].
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Returns how far the base lies below the lowest node [m].
    pub fn max_depth(&self) -> f64 {
        self.max_depth
    }

    /// Returns the height of the flat base [m].
    pub fn base(&self) -> f64 {
        self.lowest - self.max_depth
    }

    /// Returns the number of a node, by column and row.
    pub fn number(&self, i: usize, j: usize) -> usize {
        j * self.nodes[0] + i
    }

    /// Returns where a node is [m].
    pub fn node(&self, i: usize, j: usize) -> Vec3 {
        Vec3::new(self.along(0, i), self.along(1, j), self.heights[self.number(i, j)])
    }

    /// Returns all cells.
    pub fn cells(&self) -> Cells {
        Cells { x: [0, self.nodes[0] - 1], y: [0, self.nodes[1] - 1] }
    }

    /// Returns the box around the solid [m].
    pub fn bounding_box(&self) -> Aabb {
        let min = Vec3::new(self.along(0, 0), self.along(1, 0), self.base());
        Aabb { min, max: Vec3::new(-min.x, -min.y, self.highest) }
    }

    /// Returns the volume of the solid [m³].
    pub fn volume(&self) -> f64 {
        // Over both triangles of a cell, the heights of the ends of the diagonal count twice.
        let all = self.cells();
        let mut sum = 0.0;
        for j in all.y[0]..all.y[1] {
            for i in all.x[0]..all.x[1] {
                let h = |di: usize, dj: usize| self.heights[self.number(i + di, j + dj)] - self.base();
                sum += (2.0 * (h(0, 0) + h(1, 1)) + h(1, 0) + h(0, 1)) / 6.0;
            }
        }
        sum * self.spacing[0] * self.spacing[1]
    }

    /// Returns the height of the surface over a point of the base [m]; none beside the field.
    pub fn height_at(&self, x: f64, y: f64) -> Option<f64> {
        let (i, u) = self.cell_along(0, x)?;
        let (j, v) = self.cell_along(1, y)?;
        let h = |di: usize, dj: usize| self.heights[self.number(i + di, j + dj)];
        let (from, to) = (h(0, 0), h(1, 1));
        Some(if u >= v {
            from + u * (h(1, 0) - from) + v * (to - h(1, 0))
        } else {
            from + v * (h(0, 1) - from) + u * (to - h(0, 1))
        })
    }

    /// Returns whether a point lies in the solid or on its surface.
    pub fn contains(&self, point: &Vec3) -> bool {
        point.z >= self.base() && self.height_at(point.x, point.y).is_some_and(|height| point.z <= height)
    }

    /// Returns the lowest and the highest node of some cells [m].
    pub fn height_range(&self, cells: &Cells) -> [f64; 2] {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for j in cells.y[0]..=cells.y[1] {
            for height in &self.heights[self.number(cells.x[0], j)..=self.number(cells.x[1], j)] {
                range = [range[0].min(*height), range[1].max(*height)];
            }
        }
        range
    }

    /// Returns the cells under a box that is inflated by `margin` [m]; none where all of them are beside the field.
    pub fn cells_under(&self, bounds: &Aabb, margin: f64) -> Option<Cells> {
        let along = |axis: usize| {
            let last = self.nodes[axis] - 2;
            let place = |x: f64| (x - self.along(axis, 0)) / self.spacing[axis];
            let (from, to) = (place(bounds.min[axis] - margin), place(bounds.max[axis] + margin));
            // Not a number is beside the field too.
            let is_over = to >= 0.0 && from <= (last + 1) as f64;
            // A number that is too large or negative becomes the nearest index.
            is_over.then(|| [(from as usize).min(last), (to as usize).min(last) + 1])
        };
        Some(Cells { x: along(0)?, y: along(1)? })
    }

    /// Returns the part of the solid under some cells as a closed mesh: the triangles of the surface cell after cell, then two for each side of its border, around it and starting at the first node, then those of the base.
    ///
    /// Vertices are the nodes row after row, then the points of the base below those of the border, then the middle of the base.
    pub fn patch(&self, cells: &Cells) -> TriangleMesh {
        let [columns, rows] = [cells.x[1] - cells.x[0] + 1, cells.y[1] - cells.y[0] + 1];
        let local = |i: usize, j: usize| (j * columns + i) as u32;
        let mut vertices = Vec::with_capacity(columns * rows + 2 * (columns + rows));
        for j in 0..rows {
            vertices.extend((0..columns).map(|i| self.node(cells.x[0] + i, cells.y[0] + j)));
        }
        let mut triangles = Vec::with_capacity(2 * cells.count() + 6 * (columns + rows));
        for j in 0..rows - 1 {
            for i in 0..columns - 1 {
                let [a, b, c, d] = [local(i, j), local(i + 1, j), local(i + 1, j + 1), local(i, j + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let ring = border(columns, rows);
        let below = vertices.len() as u32;
        let base = self.base();
        for &(i, j) in &ring {
            let above = vertices[local(i, j) as usize];
            vertices.push(Vec3::new(above.x, above.y, base));
        }
        let middle = vertices.len() as u32;
        let (from, to) = (vertices[0], vertices[local(columns - 1, rows - 1) as usize]);
        vertices.push(Vec3::new(0.5 * (from.x + to.x), 0.5 * (from.y + to.y), base));
        let sides = ring.len();
        let side = |k: usize| {
            let next = (k + 1) % sides;
            let top = |k: usize| local(ring[k].0, ring[k].1);
            (top(k), top(next), below + k as u32, below + next as u32)
        };
        for (a, b, under_a, under_b) in (0..sides).map(side) {
            triangles.extend([[under_a, under_b, b], [under_a, b, a]]);
        }
        triangles.extend((0..sides).map(side).map(|(_, _, under_a, under_b)| [middle, under_b, under_a]));
        TriangleMesh::from_parts(vertices, triangles)
    }

    /// Returns a field with at most `max_nodes` nodes or so over the same rectangle, for pictures: every k-th column and row, with the last ones moved to the border.
    #[must_use]
    pub fn coarsened(&self, max_nodes: usize) -> Self {
        let total = self.nodes[0] * self.nodes[1];
        let skip =
            (1..=self.nodes[0].max(self.nodes[1])).find(|k| total / (k * k) <= max_nodes.max(4)).unwrap_or(1);
        let cells = |axis: usize| ((self.nodes[axis] - 1) / skip).max(1);
        let (columns, rows) = (cells(0), cells(1));
        // Nodes are spread evenly, so that the rectangle stays what it was.
        let source = |axis: usize, k: usize, of: usize| k * (self.nodes[axis] - 1) / of;
        let heights = (0..=rows).flat_map(|j| {
            (0..=columns).map(move |i| self.heights[self.number(source(0, i, columns), source(1, j, rows))])
        });
        let spacing = |axis: usize, of: usize| self.spacing[axis] * (self.nodes[axis] - 1) as f64 / of as f64;
        let heights: Vec<f64> = heights.collect();
        Self {
            nodes: [columns + 1, rows + 1],
            spacing: [spacing(0, columns), spacing(1, rows)],
            heights,
            ..*self
        }
    }

    /// Returns the point of the surface of the solid nearest to `point`, with the signed gap.
    pub fn closest_point(&self, point: &Vec3) -> Result<SurfacePoint, GeometryError> {
        check_coordinates("a point", *point)?;
        // No farther than the surface at the nearest place of the grid.
        let bounds = self.bounding_box();
        let beside = |axis: usize| point[axis].clamp(bounds.min[axis], bounds.max[axis]);
        let (x, y) = (beside(0), beside(1));
        let surface = Vec3::new(x, y, self.height_at(x, y).unwrap_or(self.highest));
        let reach = (surface - point).norm() + self.spacing[0].max(self.spacing[1]);
        let near = Aabb { min: *point, max: *point };
        let cells = self.cells_under(&near, reach).unwrap_or_else(|| self.cells());
        self.patch(&cells).closest_point(point)
    }

    /// Returns where a ray first hits the surface of the solid.
    pub fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        // The part of the ray in the box around the solid, and the cells under it.
        let bounds = self.bounding_box().expanded(1e-9 * self.bounding_box().diagonal());
        let (mut from, mut to) = (0.0_f64, f64::INFINITY);
        for axis in 0..3 {
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            let ends = [bounds.min[axis], bounds.max[axis]].map(|end| (end - origin) / direction);
            if direction != 0.0 {
                (from, to) = (from.max(ends[0].min(ends[1])), to.min(ends[0].max(ends[1])));
            } else if !(bounds.min[axis]..=bounds.max[axis]).contains(&origin) {
                return None;
            }
        }
        if from > to {
            return None;
        }
        let under = Aabb::from_points(&[from, to].map(|t| ray.origin + ray.direction * t));
        let cells = self.cells_under(&under, self.spacing[0].max(self.spacing[1]))?;
        self.patch(&cells).cast_ray(ray).map(RayHit::from)
    }

    /// The coordinate of a column or row [m].
    fn along(&self, axis: usize, index: usize) -> f64 {
        (index as f64 - 0.5 * (self.nodes[axis] - 1) as f64) * self.spacing[axis]
    }

    /// The column or row of cells that a coordinate lies in, and where in it, from 0 to 1.
    fn cell_along(&self, axis: usize, x: f64) -> Option<(usize, f64)> {
        let at = (x - self.along(axis, 0)) / self.spacing[axis];
        let last = self.nodes[axis] - 2;
        if !(at >= 0.0 && at <= (last + 1) as f64) {
            return None;
        }
        let cell = (at as usize).min(last);
        Some((cell, at - cell as f64))
    }
}

/// The nodes of the border of a grid, counter-clockwise seen from above and starting at the first.
pub fn border(columns: usize, rows: usize) -> Vec<(usize, usize)> {
    let (right, back) = (columns - 1, rows - 1);
    let first = (0..right).map(|i| (i, 0)).chain((0..back).map(move |j| (right, j)));
    let second = (1..=right).rev().map(move |i| (i, back)).chain((1..=back).rev().map(|j| (0, j)));
    first.chain(second).collect()
}
