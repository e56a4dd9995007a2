//! The part of a height field that a partner can touch.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use zerogap_core::{Aabb, Feature};
use zerogap_geometry::shape::{Cells, HeightField, border};

use crate::collider::Collider;
use crate::mesh::MeshBody;

/// Cells along each side of a tile [-]. Patches consist of whole tiles, so that a partner that moves a little keeps its patch.
const TILE: usize = 8;

/// Cells of all patches that are kept [-]; 60 MB or so. One patch is kept however large it is.
const MAX_KEPT: usize = 100_000;

/// A height field made ready for questions.
#[derive(Debug)]
pub struct HeightFieldBody {
    field: Arc<HeightField>,
    kept: Mutex<Kept>,
}

/// The patches that were used last.
#[derive(Debug, Default)]
struct Kept {
    patches: BTreeMap<Cells, (u64, Arc<Patch>)>,
    /// Cells of all of them, and how many questions there were.
    cells: usize,
    clock: u64,
}

/// Part of a height field as a mesh.
#[derive(Debug)]
pub(crate) struct Patch {
    pub(crate) collider: Collider,
    cells: Cells,
    /// Nodes of the whole field along x and y.
    nodes: [usize; 2],
    /// The nodes of its border, in order around it.
    ring: Vec<(usize, usize)>,
}

impl HeightFieldBody {
    /// Makes a field ready for questions. Cost: none; patches are made when they are asked for.
    pub fn new(field: impl Into<Arc<HeightField>>) -> Self {
        Self { field: field.into(), kept: Mutex::default() }
    }

    /// Returns the field.
    pub fn field(&self) -> &Arc<HeightField> {
        &self.field
    }

    /// Returns the patch that has every point of the solid within `reach` [m] of a box, given in the field's frame, and every point of its surface that is nearest to a point of the box; none where nothing is within reach.
    pub(crate) fn patch_near(&self, bounds: &Aabb, reach: f64) -> Option<Arc<Patch>> {
        let field = &self.field;
        // What is below the surface is nearer to it than it is deep, so that the walls of the patch are farther away.
        let under = field.cells_under(bounds, 0.0);
        let depth = under.map_or(0.0, |cells| (field.height_range(&cells)[1] - bounds.min.z).max(0.0));
        let cells = field.cells_under(bounds, reach)?;
        let is_near =
            bounds.min.z - reach <= field.height_range(&cells)[1] && bounds.max.z + reach >= field.base();
        // A cell more, so that the triangles around every feature within reach are there.
        let [dx, dy] = field.spacing();
        let cells = field.cells_under(bounds, reach + depth + dx.max(dy)).filter(|_| is_near)?;
        Some(self.patch(&self.whole_tiles(&cells)))
    }

    /// Returns the whole field as one patch.
    pub(crate) fn whole(&self) -> Arc<Patch> {
        self.patch(&self.field.cells())
    }

    fn whole_tiles(&self, cells: &Cells) -> Cells {
        let all = self.field.cells();
        let along = |own: [usize; 2], all: [usize; 2]| {
            [own[0] / TILE * TILE, (own[1].div_ceil(TILE) * TILE).min(all[1])]
        };
        Cells { x: along(cells.x, all.x), y: along(cells.y, all.y) }
    }

    fn patch(&self, cells: &Cells) -> Arc<Patch> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let now = kept.clock;
        if let Some((used, patch)) = kept.patches.get_mut(cells) {
            *used = now;
            return Arc::clone(patch);
        }
        // Others may go on while it is made; who makes it twice makes the same.
        drop(kept);
        let patch = Arc::new(Patch::new(&self.field, cells));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let before = kept.patches.insert(cells.clone(), (now, Arc::clone(&patch)));
        kept.cells += if before.is_none() { cells.count() } else { 0 };
        while kept.cells > MAX_KEPT && kept.patches.len() > 1 {
            let oldest = kept.patches.iter().min_by_key(|(_, (used, _))| *used);
            let Some(oldest) = oldest.map(|(cells, _)| cells.clone()) else { break };
            kept.patches.remove(&oldest);
            kept.cells -= oldest.count();
        }
        patch
    }
}

impl Patch {
    fn new(field: &HeightField, cells: &Cells) -> Self {
        let ring = border(cells.x[1] - cells.x[0] + 1, cells.y[1] - cells.y[0] + 1);
        let collider = Collider::Mesh(Arc::new(MeshBody::new(field.patch(cells))));
        Self { collider, cells: cells.clone(), nodes: field.nodes(), ring }
    }

    /// Returns a feature by its number in the whole field.
    ///
    /// Of the nodes come first the surface, then what stands on the border and in the base: vertices `n` and `N + n`, edges `3 n + k` (along x, along y, diagonal) and `3 N + 3 n + k` (down, along the base, others), faces
    /// `2 n + k` and `2 N + 3 n + k` for the node `n` of `N` where they begin.
    pub(crate) fn renamed(&self, feature: Feature) -> Feature {
        let all = self.nodes[0] * self.nodes[1];
        let name = |index: usize| u32::try_from(index).unwrap_or(u32::MAX >> 2);
        match feature {
            Feature::Vertex(v) => {
                let (node, is_top) = self.node_of(v);
                Feature::Vertex(name(if is_top { node } else { all + node }))
            }
            Feature::Edge(e) => {
                let Collider::Mesh(body) = &self.collider else { return feature };
                let [v, w] = body.joins().edge(e);
                let [(a, a_on_top), (b, b_on_top)] = [v, w].map(|v| self.node_of(v));
                let kind = if a_on_top && b_on_top {
                    // Lower nodes come first: the next one is in the same row or in the next.
                    return Feature::Edge(name(
                        3 * a
                            + match b - a {
                                1 => 0,
                                step if step == self.nodes[0] => 1,
                                _ => 2,
                            },
                    ));
                } else if a == b {
                    0
                } else if a_on_top == b_on_top {
                    1
                } else {
                    2
                };
                Feature::Edge(name(3 * all + 3 * a.min(b) + kind))
            }
            Feature::Face(t) => {
                let t = t as usize;
                let top = 2 * self.cells.count();
                if t < top {
                    let columns = self.cells.x[1] - self.cells.x[0];
                    let (i, j) = (t / 2 % columns, t / 2 / columns);
                    return Feature::Face(name(2 * self.number(i, j) + t % 2));
                }
                let (side, kind) = if t < top + 2 * self.ring.len() {
                    ((t - top) / 2, (t - top) % 2)
                } else {
                    (t - top - 2 * self.ring.len(), 2)
                };
                Feature::Face(name(2 * all + 3 * self.ring_node(side) + kind))
            }
            Feature::Surface(_) => feature,
        }
    }

    /// The node of the whole field that a vertex of the patch is or lies below, and whether it is that node.
    fn node_of(&self, vertex: u32) -> (usize, bool) {
        let columns = self.cells.x[1] - self.cells.x[0] + 1;
        let rows = self.cells.y[1] - self.cells.y[0] + 1;
        let v = vertex as usize;
        if v < columns * rows {
            (self.number(v % columns, v / columns), true)
        } else {
            (self.ring_node(v - columns * rows), false)
        }
    }

    /// The node above a point of the base; the middle of the base goes by the first node.
    fn ring_node(&self, k: usize) -> usize {
        let &(i, j) = self.ring.get(k).unwrap_or(&self.ring[0]);
        self.number(i, j)
    }

    fn number(&self, i: usize, j: usize) -> usize {
        (self.cells.y[0] + j) * self.nodes[0] + self.cells.x[0] + i
    }
}
