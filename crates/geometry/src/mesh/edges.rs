//! The edges of a welded mesh, sorted, with the triangles on them.
//!
//! In: triangles over welded points. Out: one entry per side of each triangle, grouped by edge in ascending order of the two
//! points and, within an edge, in ascending order of triangle.

use zerogap_core::disjoint_sets::DisjointSets;

/// Whether two corners of a triangle fell onto one point; such a triangle has no edges.
pub(crate) fn is_collapsed([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

/// One side of one triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeSide {
    /// Lower and higher point of the edge, packed so that one comparison sorts them.
    key: u64,
    /// The triangle.
    pub(crate) triangle: u32,
    /// Whether the triangle runs from the lower to the higher point.
    pub(crate) forward: bool,
}

impl EdgeSide {
    /// The two points, lower first.
    pub(crate) fn points(&self) -> [u32; 2] {
        [(self.key >> 32) as u32, self.key as u32]
    }
}

/// All sides of all triangles that did not collapse.
pub(crate) struct Edges(Vec<EdgeSide>);

impl Edges {
    /// Sorts the sides of `triangles`, which are given over welded points.
    pub(crate) fn new(triangles: &[[u32; 3]]) -> Self {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
            if is_collapsed([a, b, c]) {
                continue;
            }
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let key = (u64::from(from.min(to)) << 32) | u64::from(from.max(to));
                sides.push(EdgeSide { key, triangle: triangle as u32, forward: from < to });
            }
        }
        sides.sort_unstable();
        Self(sides)
    }

    /// The sides of each edge, one slice per edge.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[EdgeSide]> {
        self.0.chunk_by(|a, b| a.key == b.key)
    }
}

/// Which set each triangle belongs to, numbered by first appearance, and how many there are; none for collapsed triangles.
pub(crate) struct Parts {
    pub(crate) of_triangle: Vec<Option<u32>>,
    pub(crate) count: usize,
}

impl Parts {
    /// Numbers the sets that `name` distinguishes.
    fn new(triangles: &[[u32; 3]], names: usize, mut name: impl FnMut(usize) -> usize) -> Self {
        let mut number: Vec<Option<u32>> = vec![None; names];
        let mut count = 0;
        let of_triangle = triangles.iter().enumerate().map(|(t, &corners)| {
            (!is_collapsed(corners)).then(|| {
                *number[name(t)].get_or_insert_with(|| {
                    count += 1;
                    count - 1
                })
            })
        });
        Self { of_triangle: of_triangle.collect(), count: count as usize }
    }
}

/// Components: triangles that share a welded point are connected. `points` is how many there are.
pub(crate) fn components(triangles: &[[u32; 3]], points: usize) -> Parts {
    let mut sets = DisjointSets::new(points);
    for &[a, b, c] in triangles.iter().filter(|corners| !is_collapsed(**corners)) {
        sets.join(a as usize, b as usize);
        sets.join(b as usize, c as usize);
    }
    Parts::new(triangles, points, |t| sets.find(triangles[t][0] as usize))
}

/// Shells: triangles that share an edge are connected; a shared point alone joins nothing.
pub(crate) fn shells(triangles: &[[u32; 3]], edges: &Edges) -> Parts {
    joined_across(triangles, edges.iter())
}

/// The triangles of each shell, ascending; shells in the order of their first triangle. Collapsed triangles are in none.
pub(crate) fn shell_members(triangles: &[[u32; 3]]) -> Vec<Vec<usize>> {
    let parts = shells(triangles, &Edges::new(triangles));
    let mut members = vec![Vec::new(); parts.count];
    for (triangle, part) in parts.of_triangle.iter().enumerate() {
        if let Some(part) = part {
            members[*part as usize].push(triangle);
        }
    }
    members
}

/// Patches: triangles are connected through edges that have exactly two triangles. Solids that touch along an edge are two.
pub(crate) fn patches(triangles: &[[u32; 3]], edges: &Edges) -> Parts {
    joined_across(triangles, edges.iter().filter(|sides| sides.len() == 2))
}

fn joined_across<'e>(triangles: &[[u32; 3]], edges: impl Iterator<Item = &'e [EdgeSide]>) -> Parts {
    let mut sets = DisjointSets::new(triangles.len());
    for pair in edges.flat_map(|sides| sides.windows(2)) {
        sets.join(pair[0].triangle as usize, pair[1].triangle as usize);
    }
    Parts::new(triangles, triangles.len(), |t| sets.find(t))
}
