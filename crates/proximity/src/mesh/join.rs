//! How the triangles of a mesh join: edges, what lies on both sides of each, and which corners are neighbours.
//!
//! In: a mesh. Out: lists that depend on its order alone. Vertices at equal positions are one, named by the lowest of them; edges are numbered in the order of
//! their two vertices, lower first.

use zerogap_core::math::unit_normal;
use zerogap_core::{Feature, Vec3};
use zerogap_geometry::TriangleMesh;

/// No edge: of triangles with two corners in one place.
pub(super) const NO_EDGE: u32 = u32::MAX;

/// How the triangles of a mesh join.
#[derive(Debug)]
pub(crate) struct Joins {
    /// The lowest vertex at the position of each.
    first: Vec<u32>,
    /// Two vertices of each edge, lower first, in ascending order.
    edges: Vec<[u32; 2]>,
    /// Edges of each triangle: from its corner 0 to 1, 1 to 2, 2 to 0.
    of_triangle: Vec<[u32; 3]>,
    /// Corners opposite each edge, one for each triangle on it: where they start in `opposite`.
    opposite_start: Vec<u32>,
    opposite: Vec<u32>,
    /// Neighbours of each vertex along edges: where they start in `neighbours`.
    neighbours_start: Vec<u32>,
    neighbours: Vec<u32>,
    /// Edges where the surface bends or ends.
    sharp: Vec<bool>,
    /// Vertices where edges that are sharp meet, other than two in one line.
    corner: Vec<bool>,
    /// The first triangle of each edge and of each vertex, and of each vertex the first sharp edge.
    edge_triangle: Vec<u32>,
    vertex_triangle: Vec<u32>,
    vertex_edge: Vec<u32>,
    /// Triangles around each vertex: where they start in `around`.
    around_start: Vec<u32>,
    around: Vec<u32>,
    /// Which part that hangs together along edges each vertex is in, and the first vertex of each part.
    part: Vec<u32>,
    part_first: Vec<u32>,
    /// Whether every edge is run through equally often both ways, and the volume inside is positive.
    closed: bool,
}

/// Sine of the angle between two faces, and of the bend between two edges, below which they go on straight [-].
const STRAIGHT: f64 = 1e-6;

/// Where each of `count` keys starts in a list of `(key, value)` sorted by key.
fn starts(count: usize, keys: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0_u32; count + 1];
    for key in keys {
        starts[key as usize + 1] += 1;
    }
    for k in 0..count {
        starts[k + 1] += starts[k];
    }
    starts
}

impl Joins {
    pub(super) fn new(mesh: &TriangleMesh) -> Self {
        let first = mesh.first_at_position();
        let mut sides: Vec<(u64, u32, u8)> = Vec::with_capacity(3 * mesh.triangles().len());
        for (t, corners) in mesh.triangles().iter().enumerate() {
            let corners = corners.map(|v| first[v as usize]);
            if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
                continue;
            }
            for k in 0..3 {
                let (from, to) = (corners[k], corners[(k + 1) % 3]);
                let key = (u64::from(from.min(to)) << 32) | u64::from(from.max(to));
                sides.push((key, t as u32, k as u8));
            }
        }
        sides.sort_unstable();
        let mut of_triangle = vec![[NO_EDGE; 3]; mesh.triangles().len()];
        let (mut edges, mut opposite_start, mut opposite) = (Vec::new(), vec![0_u32], Vec::new());
        let mut edge_triangle = Vec::new();
        let mut vertex_triangle = vec![u32::MAX; mesh.vertices().len()];
        let mut balanced = true;
        for run in sides.chunk_by(|a, b| a.0 == b.0) {
            let (key, number) = (run[0].0, edges.len() as u32);
            let edge = [(key >> 32) as u32, key as u32];
            let mut sense = 0_i64;
            for &(_, t, k) in run {
                let corners = mesh.triangles()[t as usize].map(|v| first[v as usize]);
                of_triangle[t as usize][k as usize] = number;
                opposite.push(corners[(k as usize + 2) % 3]);
                sense += if corners[k as usize] == edge[0] { 1 } else { -1 };
            }
            balanced &= sense == 0;
            for v in edge {
                let own = &mut vertex_triangle[v as usize];
                *own = run[0].1.min(*own);
            }
            edge_triangle.push(run[0].1);
            edges.push(edge);
            opposite_start.push(opposite.len() as u32);
        }
        let mut ways: Vec<(u32, u32)> = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]).collect();
        ways.sort_unstable();
        let neighbours_start = starts(mesh.vertices().len(), ways.iter().map(|way| way.0));
        let neighbours = ways.iter().map(|way| way.1).collect();
        let mut corners: Vec<(u32, u32)> = (0_u32..)
            .zip(mesh.triangles())
            .flat_map(|(t, corners)| corners.map(|v| (first[v as usize], t)))
            .collect();
        corners.sort_unstable();
        corners.dedup();
        let around_start = starts(mesh.vertices().len(), corners.iter().map(|corner| corner.0));
        let around = corners.iter().map(|corner| corner.1).collect();
        let closed = balanced && !edges.is_empty() && mesh.signed_volume() > 0.0;
        let mut joins = Self {
            first,
            edges,
            of_triangle,
            opposite_start,
            opposite,
            neighbours_start,
            neighbours,
            sharp: Vec::new(),
            corner: Vec::new(),
            edge_triangle,
            vertex_triangle,
            vertex_edge: Vec::new(),
            around_start,
            around,
            part: Vec::new(),
            part_first: Vec::new(),
            closed,
        };
        joins.find_corners(mesh.vertices());
        joins.find_parts();
        joins
    }

    /// Marks where the surface bends: sharp edges, and the vertices at which they do not just go on.
    fn find_corners(&mut self, vertices: &[Vec3]) {
        let at = |v: u32| vertices[v as usize];
        let unit = |v: Vec3| {
            let length = v.norm();
            (length > 0.0).then(|| v / length)
        };
        self.sharp = (0..self.edges.len() as u32)
            .map(|e| {
                let [v, w] = self.edge(e);
                let &[o, q] = self.opposite(e) else { return true };
                let along = at(w) - at(v);
                let (one, other) = (unit(along.cross(&(at(o) - at(v)))), unit(along.cross(&(at(q) - at(v)))));
                // The two go on straight where their normals, seen from the edge, are opposite.
                !matches!((one, other), (Some(m), Some(n)) if m.dot(&n) < 0.0 && m.cross(&n).norm() < STRAIGHT)
            })
            .collect();
        let mut count = vec![0_u32; vertices.len()];
        let mut sum = vec![Vec3::zeros(); vertices.len()];
        self.vertex_edge = vec![NO_EDGE; vertices.len()];
        for (e, &[v, w]) in self.edges.iter().enumerate().filter(|(e, _)| self.sharp[*e]) {
            for end in [v, w] {
                let own = &mut self.vertex_edge[end as usize];
                *own = (e as u32).min(*own);
            }
            let along = unit(at(w) - at(v)).unwrap_or_else(Vec3::zeros);
            count[v as usize] += 1;
            count[w as usize] += 1;
            sum[v as usize] += along;
            sum[w as usize] -= along;
        }
        self.corner = count
            .iter()
            .zip(&sum)
            .map(|(count, sum)| *count > 0 && !(*count == 2 && sum.norm() < STRAIGHT))
            .collect();
    }

    /// Numbers the parts that hang together along edges by their first vertices.
    fn find_parts(&mut self) {
        self.part = vec![u32::MAX; self.first.len()];
        let mut stack = Vec::new();
        for v in 0..self.first.len() as u32 {
            if self.part[v as usize] != u32::MAX || self.neighbours(v).is_empty() {
                continue;
            }
            let number = self.part_first.len() as u32;
            self.part_first.push(v);
            self.part[v as usize] = number;
            stack.push(v);
            while let Some(u) = stack.pop() {
                for k in self.neighbours_start[u as usize]..self.neighbours_start[u as usize + 1] {
                    let w = self.neighbours[k as usize];
                    if self.part[w as usize] == u32::MAX {
                        self.part[w as usize] = number;
                        stack.push(w);
                    }
                }
            }
        }
    }

    /// Whether the surface bends or ends at an edge.
    #[inline]
    pub(super) fn is_sharp(&self, e: u32) -> bool {
        self.sharp[e as usize]
    }

    /// Whether a vertex is a corner: neither inside a flat part nor inside a straight edge.
    #[inline]
    pub(super) fn is_corner(&self, v: u32) -> bool {
        self.corner[v as usize]
    }

    /// The part that a vertex hangs together with; none for one that no triangle with edges uses.
    #[inline]
    pub(super) fn part(&self, v: u32) -> Option<u32> {
        Some(self.part[v as usize]).filter(|part| *part != u32::MAX)
    }

    /// The first vertex of each part.
    pub(super) fn parts(&self) -> &[u32] {
        &self.part_first
    }

    /// The feature of a triangle that some of its corners hold: a bit for each.
    pub(super) fn feature(&self, mesh: &TriangleMesh, triangle: u32, held: u8) -> Feature {
        let corners = mesh.triangles()[triangle as usize];
        let edge = |k: usize| match self.edges_of(triangle)[k] {
            NO_EDGE => Feature::Face(triangle),
            e => Feature::Edge(e),
        };
        match held {
            1 => Feature::Vertex(self.vertex(corners[0])),
            2 => Feature::Vertex(self.vertex(corners[1])),
            4 => Feature::Vertex(self.vertex(corners[2])),
            3 => edge(0),
            6 => edge(1),
            5 => edge(2),
            _ => Feature::Face(triangle),
        }
    }

    /// The feature that a feature is part of where it bends nothing: an edge inside a flat part is its face, a vertex inside a flat part or a straight edge is that. The first
    /// triangle or edge of those around names it, so that neighbours agree.
    pub(super) fn settled(&self, feature: Feature) -> Feature {
        match feature {
            Feature::Edge(e) if !self.is_sharp(e) => Feature::Face(self.edge_triangle[e as usize]),
            Feature::Vertex(v) if !self.is_corner(v) => {
                match (self.vertex_edge[v as usize], self.vertex_triangle[v as usize]) {
                    (NO_EDGE, u32::MAX) => feature,
                    (NO_EDGE, t) => Feature::Face(t),
                    (e, _) => Feature::Edge(e),
                }
            }
            other => other,
        }
    }

    /// Whether the surface falls away against `n` from one of its features, but for `slope` of the way; faces always do.
    pub(super) fn leads(&self, vertices: &[Vec3], feature: Feature, n: &Vec3, slope: f64) -> bool {
        match feature {
            Feature::Vertex(v) => self.vertex_leads(vertices, v, n, slope),
            Feature::Edge(e) => self.edge_leads(vertices, e, n, slope),
            _ => true,
        }
    }

    /// Whether the surface bounds a volume and faces outward.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// The name of a vertex: the lowest at its position.
    #[inline]
    pub(crate) fn vertex(&self, v: u32) -> u32 {
        self.first[v as usize]
    }

    /// How many edges there are.
    pub(crate) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The two vertices of an edge.
    #[inline]
    pub(crate) fn edge(&self, e: u32) -> [u32; 2] {
        self.edges[e as usize]
    }

    /// The edges of a triangle, [`NO_EDGE`] where it has none.
    #[inline]
    pub(crate) fn edges_of(&self, triangle: u32) -> [u32; 3] {
        self.of_triangle[triangle as usize]
    }

    /// The corners opposite an edge, one for each triangle on it.
    #[inline]
    pub(super) fn opposite(&self, e: u32) -> &[u32] {
        &self.opposite[self.opposite_start[e as usize] as usize..self.opposite_start[e as usize + 1] as usize]
    }

    /// The first triangle on an edge.
    #[inline]
    pub(super) fn first_triangle_on(&self, e: u32) -> u32 {
        self.edge_triangle[e as usize]
    }

    /// The first triangle around a vertex.
    #[inline]
    pub(super) fn first_triangle_around(&self, v: u32) -> u32 {
        self.around(v).first().copied().unwrap_or(u32::MAX)
    }

    /// The edges of a triangle, and of those that go on in its plane across one of them.
    pub(super) fn edges_of_face(&self, t: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        let flat = self.edges_of(t).into_iter().filter(|e| *e != NO_EDGE && !self.is_sharp(*e));
        let next = flat.flat_map(move |e| {
            let around = self.around(self.edge(e)[0]).iter().copied();
            around.filter(move |other| *other != t && self.edges_of(*other).contains(&e))
        });
        std::iter::once(t).chain(next).flat_map(|t| self.edges_of(t))
    }

    /// The triangles around a vertex, ascending; none for one that is not the first at its position.
    #[inline]
    pub(super) fn around(&self, v: u32) -> &[u32] {
        &self.around[self.around_start[v as usize] as usize..self.around_start[v as usize + 1] as usize]
    }

    /// The neighbours of a vertex along edges, ascending; none for one that is not the first at its position.
    #[inline]
    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours
            [self.neighbours_start[v as usize] as usize..self.neighbours_start[v as usize + 1] as usize]
    }

    /// Returns whether the surface falls away from a vertex under the plane of each of its faces: the tip of a convex corner, not the end of a notch.
    pub(super) fn is_convex_at(&self, mesh: &TriangleMesh, v: u32) -> bool {
        let p = mesh.vertices()[v as usize];
        self.around(v).iter().filter_map(|t| unit_normal(&mesh.corners(*t as usize))).all(|normal| {
            self.neighbours(v).iter().all(|w| {
                let way = mesh.vertices()[*w as usize] - p;
                normal.dot(&way) <= STRAIGHT * way.norm()
            })
        })
    }

    /// Whether a vertex is as far along `n` as its neighbours, but for `slope` of the way to them.
    pub(super) fn vertex_leads(&self, vertices: &[Vec3], v: u32, n: &Vec3, slope: f64) -> bool {
        let p = vertices[v as usize];
        self.neighbours(v).iter().all(|&w| {
            let way = vertices[w as usize] - p;
            way.dot(n) <= slope * way.norm()
        })
    }

    /// Whether the triangles on an edge fall away from it against `n`, but for `slope` of the way.
    pub(super) fn edge_leads(&self, vertices: &[Vec3], e: u32, n: &Vec3, slope: f64) -> bool {
        let [v, w] = self.edge(e);
        let (p, along) = (vertices[v as usize], vertices[w as usize] - vertices[v as usize]);
        let squared = along.norm_squared();
        self.opposite(e).iter().all(|&o| {
            let way = vertices[o as usize] - p;
            // Square to the edge: the way into the triangle.
            let way = if squared > 0.0 { way - along * (way.dot(&along) / squared) } else { way };
            way.dot(n) <= slope * way.norm()
        })
    }
}
