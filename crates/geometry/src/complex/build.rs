//! The faces of a complex, joined to each other, from prepared triangles and given edges and points.

use std::borrow::Cow;

use zerogap_core::error::{check_coordinates, check_length};
use zerogap_core::{Aabb, Vec3};

use super::classify::classify;
use super::inset::inset;
use super::prepass::prepare;
use super::report::ComplexReport;
use super::{Complex, ComplexError, ComplexOptions};
use crate::GeometryError;

/// Which things each thing has, in flat arrays.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    /// From (owner, item) pairs; the items of an owner keep their order.
    pub(super) fn new(owners: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; owners + 1];
        for (owner, _) in pairs.clone() {
            starts[owner as usize + 1] += 1;
        }
        for k in 0..owners {
            starts[k + 1] += starts[k];
        }
        let mut next = starts.clone();
        let mut items = vec![0; starts[owners] as usize];
        for (owner, item) in pairs {
            items[next[owner as usize] as usize] = item;
            next[owner as usize] += 1;
        }
        Self { starts, items }
    }

    /// Bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.items)
    }

    /// The items of one owner.
    pub(super) fn row(&self, owner: usize) -> &[u32] {
        &self.items[self.starts[owner] as usize..self.starts[owner + 1] as usize]
    }
}

/// Simplices that share vertices: what a complex is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Simplices {
    /// Vertex positions [m].
    pub vertices: Vec<Vec3>,
    /// Triangles, counter-clockwise seen from outside where they bound a volume.
    pub triangles: Vec<[u32; 3]>,
    /// Edges that are not sides of triangles, or are: each counts once.
    pub edges: Vec<[u32; 2]>,
    /// Points.
    pub points: Vec<u32>,
    /// Tetrahedra of solids: their boundary collides, and what lies inside is never in contact and gets no face.
    pub tetrahedra: Vec<[u32; 4]>,
}

zerogap_core::store_struct!(Simplices { vertices, triangles, edges, points, tetrahedra });

impl Simplices {
    /// Returns how many there are, of all dimensions.
    pub fn count(&self) -> usize {
        self.triangles.len() + self.edges.len() + self.points.len() + self.tetrahedra.len()
    }

    /// Checks that every coordinate is usable and every index exists.
    fn check(&self) -> Result<(), ComplexError> {
        for p in &self.vertices {
            check_coordinates("a vertex", *p).map_err(GeometryError::from)?;
        }
        let vertices = self.vertices.len();
        let missing = |what: &'static str, index: usize, named: &[u32]| {
            let vertex = named.iter().copied().find(|&v| v as usize >= vertices);
            vertex.map_or(Ok(()), |vertex| Err(ComplexError::NoSuchVertex { what, index, vertex, vertices }))
        };
        for (k, corners) in self.triangles.iter().enumerate() {
            missing("triangle", k, corners)?;
        }
        for (k, ends) in self.edges.iter().enumerate() {
            missing("edge", k, ends)?;
        }
        for (k, point) in self.points.iter().enumerate() {
            missing("point", k, &[*point])?;
        }
        for (k, corners) in self.tetrahedra.iter().enumerate() {
            missing("tetrahedron", k, corners)?;
        }
        let is_empty = self.triangles.is_empty() && self.edges.is_empty() && self.points.is_empty();
        if is_empty && self.tetrahedra.is_empty() {
            return Err(GeometryError::Empty { what: "the complex" }.into());
        }
        Ok(())
    }

    /// The triangles, with those that belong to one tetrahedron only, facing outward.
    fn surface(&self) -> Result<Cow<'_, [[u32; 3]]>, ComplexError> {
        if self.tetrahedra.is_empty() {
            return Ok(Cow::Borrowed(&self.triangles));
        }
        let mut sides: Vec<([u32; 3], [u32; 3])> = Vec::with_capacity(4 * self.tetrahedra.len());
        for (tetrahedron, corners) in self.tetrahedra.iter().enumerate() {
            let [a, b, c, d] = corners.map(|v| self.vertices[v as usize]);
            let volume = (b - a).cross(&(c - a)).dot(&(d - a));
            if volume == 0.0 || !volume.is_finite() {
                return Err(ComplexError::DegenerateTetrahedron { tetrahedron });
            }
            let [a, b, c, d] = *corners;
            // Outward for a positive volume; reversed otherwise.
            for side in [[a, c, b], [a, b, d], [b, c, d], [c, a, d]] {
                let [p, q, r] = side;
                let outward = if volume > 0.0 { side } else { [p, r, q] };
                let mut sorted = side;
                sorted.sort_unstable();
                sides.push((sorted, outward));
            }
        }
        sides.sort_unstable();
        let outer = sides.chunk_by(|s, t| s.0 == t.0).filter(|run| run.len() == 1).map(|run| run[0].1);
        Ok(Cow::Owned(self.triangles.iter().copied().chain(outer).collect()))
    }
}

impl Complex {
    /// From simplices of any dimension together.
    ///
    /// Steps: weld equal positions, mend or drop triangles without area, drop repeated ones, orient neighbours consistently, separate volumes from
    /// shells part by part, move volumes inward, if requested, list all faces and judge each by its polar cone.
    /// Cost: O(n log n). Fails: unusable numbers, edges without length, and what the options refuse.
    pub fn new(simplices: &Simplices, options: &ComplexOptions) -> Result<Self, ComplexError> {
        simplices.check()?;
        let dilation = check_length("the dilation", options.dilation).map_err(GeometryError::from)?;
        let flat_angle = check_length("the flat angle", options.flat_angle).map_err(GeometryError::from)?;
        let mut report = ComplexReport::default();
        let mut prepared = prepare(&simplices.vertices, &simplices.surface()?, options, &mut report)?;
        let welded = |v: u32| prepared.welded[v as usize];
        let mut given = Vec::with_capacity(simplices.edges.len());
        for (edge, &[a, b]) in simplices.edges.iter().enumerate() {
            if welded(a) == welded(b) {
                let [x, y, z] = simplices.vertices[a as usize].into();
                return Err(ComplexError::DegenerateEdge { edge, x, y, z });
            }
            given.push([welded(a).min(welded(b)), welded(a).max(welded(b))]);
        }
        let points: Vec<u32> = simplices.points.iter().map(|&v| welded(v)).collect();
        if prepared.triangles.is_empty() && given.is_empty() && points.is_empty() {
            return Err(GeometryError::Empty { what: "the complex, without triangles of no area," }.into());
        }
        if options.inset && dilation > 0.0 {
            report.inset = Some(inset(&mut prepared, &mut report, dilation)?);
        }

        // Every edge once, ascending: its place in this list is its number.
        let mut edges = given.clone();
        for &[a, b, c] in &prepared.triangles {
            edges.extend([(a, b), (b, c), (c, a)].map(|(p, q)| [p.min(q), p.max(q)]));
        }
        edges.sort_unstable();
        edges.dedup();
        let corners = |(k, triangle): (usize, &[u32; 3])| triangle.map(|v| (v, k as u32));
        let around =
            Rows::new(prepared.vertices.len(), prepared.triangles.iter().enumerate().flat_map(corners));
        let mut complex = Self {
            around,
            bounds: Aabb::empty(),
            wires: Vec::new(),
            used: Vec::new(),
            faces: Vec::new(),
            directions: Vec::new(),
            vertices: prepared.vertices,
            edges,
            triangles: prepared.triangles,
            part_of: prepared.part_of,
            dilation,
            report,
        };
        classify(&mut complex, &points, flat_angle, options.extreme_only);
        let used = complex.vertices.iter().zip(&complex.used).filter(|(_, used)| **used).map(|(p, _)| p);
        complex.bounds = Aabb::from_points(used);
        Ok(complex)
    }
}
