//! How the triangles of a mesh join: edges, what lies on both sides of each, and which corners are neighbours.
//!
//! In: a mesh. Out: lists that depend on its order alone. Vertices at equal positions are one, named by the lowest of them; edges are numbered in the order of
//! their two vertices, lower first.

use zerogap_core::Vec3;
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
    /// Whether every edge is run through equally often both ways, and the volume inside is positive.
    closed: bool,
}

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
            edges.push(edge);
            opposite_start.push(opposite.len() as u32);
        }
        let mut ways: Vec<(u32, u32)> = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]).collect();
        ways.sort_unstable();
        let neighbours_start = starts(mesh.vertices().len(), ways.iter().map(|way| way.0));
        let neighbours = ways.iter().map(|way| way.1).collect();
        let closed = balanced && !edges.is_empty() && mesh.signed_volume() > 0.0;
        Self { first, edges, of_triangle, opposite_start, opposite, neighbours_start, neighbours, closed }
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

    /// The neighbours of a vertex along edges, ascending; none for one that is not the first at its position.
    #[inline]
    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.neighbours_start[v as usize] as usize..self.neighbours_start[v as usize + 1] as usize]
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
