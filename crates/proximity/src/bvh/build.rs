//! Building a hierarchy from the top down.
//!
//! In: triangles and a rule for where to part them. Out: [`Bvh`]. Large parts are built side by side on all cores; what is built depends on the
//! triangles and the rule alone, so the bits are the same for any number of threads.

use zerogap_core::{Mat3, Vec3};

use super::principal::principal;
use super::tree::{Bvh, Node};
use super::volume::{BoundingVolume, Frame};
use zerogap_core::threads::in_pool;

/// Parts with more triangles than this are built as tasks of their own [-].
const TASK: usize = 2048;

/// Bins of the surface-area rule [-]: twice as many change little.
const BINS: usize = 16;

/// Volumes are compared when inflated by this on every side, so that flat ones differ [units]: a thousandth of the mesh.
const FLAT: f64 = 1e-3;

/// Rule for splitting a set of triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SplitRule {
    /// Square to the longest principal axis, through the mean of the triangles' middles.
    Longest,
    /// Lennerz, Schömer and Warken 1999: of the three planes through the mean square to a principal axis, the one whose two volumes have the smallest sum.
    SmallestVolumes,
    /// Of 16 places along each coordinate axis the one with the least sum of surface times triangles: quickest to build, and to search in most cases.
    #[default]
    SurfaceArea,
}

/// Parameters of the construction of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildParams {
    /// Split rule.
    pub rule: SplitRule,
    /// Maximum number of triangles of a leaf [-]; from 1 up.
    pub leaf: u32,
}

impl Default for BuildParams {
    fn default() -> Self {
        Self { rule: SplitRule::default(), leaf: 2 }
    }
}

/// The corners of the box around triangles [m].
pub(super) fn bounds<'t>(triangles: impl Iterator<Item = &'t [Vec3; 3]>) -> (Vec3, Vec3) {
    triangles
        .flatten()
        .fold((Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)), |(low, high), p| {
            (low.inf(p), high.sup(p))
        })
}

impl<V: BoundingVolume> Bvh<V> {
    /// The hierarchy of some triangles [m]; of none, a single empty leaf.
    pub fn build(triangles: &[[Vec3; 3]], params: &BuildParams) -> Self {
        if triangles.is_empty() {
            let frame = Frame { origin: Vec3::zeros(), unit: 1.0 };
            return Self::packed(frame, vec![Node { volume: V::fit(&[]), first: 0, count: 0 }], vec![]);
        }
        let (low, high) = bounds(triangles.iter());
        let frame = Frame::around(&low, &high);
        let mut corners: Vec<[Vec3; 3]> = Vec::with_capacity(triangles.len());
        let mut ids: Vec<u32> = (0..triangles.len() as u32).collect();
        corners.extend(triangles.iter().map(|t| t.map(|p| frame.place(&p))));
        let params = BuildParams { leaf: params.leaf.max(1), ..*params };
        let part = Subtree::<V>::build(&mut corners, &mut ids, 0, params);
        let mut nodes = part.rest;
        nodes.insert(0, part.root);
        Self::packed(frame, nodes, ids)
    }
}

/// A tree in the making: its root, and all others in order, with children counted from the first of them.
struct Subtree<V> {
    root: Node<V>,
    /// Children are numbered from 1: 0 is the root.
    rest: Vec<Node<V>>,
}

impl<V: BoundingVolume> Subtree<V> {
    /// The tree of some triangles, which are sorted into tree order; `start` is where they begin in that order.
    fn build(corners: &mut [[Vec3; 3]], ids: &mut [u32], start: u32, params: BuildParams) -> Self {
        if corners.len() <= TASK {
            let mut rest = Vec::with_capacity(2 * corners.len() / params.leaf as usize + 2);
            let root = grow::<V>(corners, ids, start, params, &mut rest);
            return Self { root, rest };
        }
        let volume = V::fit(corners);
        let at = part(corners, ids, params, |half| V::fit(half).volume(FLAT));
        let (left, right) = corners.split_at_mut(at);
        let (left_ids, right_ids) = ids.split_at_mut(at);
        let (left, right) = in_pool(|| {
            rayon::join(
                || Self::build(left, left_ids, start, params),
                || Self::build(right, right_ids, start + at as u32, params),
            )
        });
        // Both roots first, then all of the left, then all of the right.
        let mut rest = Vec::with_capacity(2 + left.rest.len() + right.rest.len());
        let shift = |mut node: Node<V>, by: u32| {
            if !node.is_leaf() {
                node.first += by;
            }
            node
        };
        let (to_left, to_right) = (2, 2 + left.rest.len() as u32);
        rest.push(shift(left.root, to_left));
        rest.push(shift(right.root, to_right));
        rest.extend(left.rest.into_iter().map(|node| shift(node, to_left)));
        rest.extend(right.rest.into_iter().map(|node| shift(node, to_right)));
        Self { root: Node { volume, first: 1, count: 0 }, rest }
    }
}

/// Builds the tree of a small set into `rest` and returns its root.
fn grow<V: BoundingVolume>(
    corners: &mut [[Vec3; 3]],
    ids: &mut [u32],
    start: u32,
    params: BuildParams,
    rest: &mut Vec<Node<V>>,
) -> Node<V> {
    let volume = V::fit(corners);
    if corners.len() <= params.leaf as usize {
        return Node { volume, first: start, count: corners.len() as u32 };
    }
    let at = part(corners, ids, params, |half| V::fit(half).volume(FLAT));
    let (left, right) = corners.split_at_mut(at);
    let (left_ids, right_ids) = ids.split_at_mut(at);
    // Two places side by side, filled when the children are known.
    let first = rest.len();
    let empty = Node { volume, first: 0, count: 0 };
    rest.extend([empty, empty]);
    rest[first] = grow(left, left_ids, start, params, rest);
    rest[first + 1] = grow(right, right_ids, start + at as u32, params, rest);
    Node { volume, first: first as u32 + 1, count: 0 }
}

/// Parts triangles in two, neither empty, and sorts them accordingly; returns how many are in the first.
fn part(
    corners: &mut [[Vec3; 3]],
    ids: &mut [u32],
    params: BuildParams,
    volume: impl Fn(&[[Vec3; 3]]) -> f64,
) -> usize {
    let middle = |t: &[Vec3; 3]| t[0] + t[1] + t[2];
    let mean = || corners.iter().map(middle).sum::<Vec3>() / corners.len() as f64;
    let planes: Option<(Vec3, f64)> = match params.rule {
        SplitRule::SurfaceArea => by_surface(corners),
        SplitRule::Longest => {
            let (axes, mean) = (principal(corners).axes, mean());
            columns(&axes).map(|n| (n, n.dot(&mean))).find(|plane| parts(corners, plane))
        }
        SplitRule::SmallestVolumes => {
            let (axes, mean) = (principal(corners).axes, mean());
            let mut best: Option<(f64, (Vec3, f64))> = None;
            for plane in columns(&axes).map(|n| (n, n.dot(&mean))).filter(|plane| parts(corners, plane)) {
                let (left, right): (Vec<_>, Vec<_>) =
                    corners.iter().copied().partition(|t| plane.0.dot(&middle(t)) <= plane.1);
                let sum = volume(&left) + volume(&right);
                if best.is_none_or(|(smallest, _)| sum < smallest) {
                    best = Some((sum, plane));
                }
            }
            best.map(|(_, plane)| plane)
        }
    };
    let Some((n, height)) = planes else {
        // All middles in one place: the order of the mesh decides.
        return corners.len() / 2;
    };
    // From both ends to the middle: as few moves as there can be.
    let (mut low, mut high) = (0, corners.len());
    while low < high {
        if n.dot(&middle(&corners[low])) <= height {
            low += 1;
        } else {
            high -= 1;
            corners.swap(low, high);
            ids.swap(low, high);
        }
    }
    low
}

fn columns(m: &Mat3) -> impl Iterator<Item = Vec3> + use<> {
    let m = *m;
    (0..3).map(move |k| m.column(k).into())
}

/// Whether a plane leaves triangles on both sides. Planes are for the sum of the three corners.
fn parts(corners: &[[Vec3; 3]], (n, height): &(Vec3, f64)) -> bool {
    let mut sides = [false; 2];
    for t in corners {
        sides[usize::from(n.dot(&(t[0] + t[1] + t[2])) > *height)] = true;
        if sides[0] && sides[1] {
            return true;
        }
    }
    false
}

/// Triangles in a bin, and the corners of the box around them.
#[derive(Clone, Copy)]
struct Bin {
    count: usize,
    low: Vec3,
    high: Vec3,
}

impl Bin {
    const EMPTY: Self = Self {
        count: 0,
        low: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        high: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    #[inline]
    fn with(&self, other: &Self) -> Self {
        Self {
            count: self.count + other.count,
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// Triangles times half the surface of their box.
    fn cost(&self) -> f64 {
        let s = self.high - self.low;
        if self.count == 0 { 0.0 } else { self.count as f64 * (s.x * s.y + s.y * s.z + s.z * s.x) }
    }
}

/// The plane along a coordinate axis with the least sum of surface times triangles.
fn by_surface(corners: &[[Vec3; 3]]) -> Option<(Vec3, f64)> {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for t in corners {
        let middle = t[0] + t[1] + t[2];
        low = low.inf(&middle);
        high = high.sup(&middle);
    }
    // Small sets have no use for many bins.
    let count = if corners.len() <= 8 { 8 } else { BINS };
    let width = high - low;
    let scale = width.map(|w| if w > 0.0 { count as f64 / w } else { 0.0 });
    let mut bins = [[Bin::EMPTY; BINS]; 3];
    for t in corners {
        let middle = t[0] + t[1] + t[2];
        let own = Bin { count: 1, low: t[0].inf(&t[1]).inf(&t[2]), high: t[0].sup(&t[1]).sup(&t[2]) };
        for (axis, bins) in bins.iter_mut().enumerate() {
            let bin = (((middle[axis] - low[axis]) * scale[axis]) as usize).min(count - 1);
            bins[bin] = bins[bin].with(&own);
        }
    }
    let mut best: Option<(f64, (Vec3, f64))> = None;
    for axis in (0..3).filter(|axis| width[*axis] > 0.0) {
        // Everything right of each place, then everything left of it in the same pass.
        let mut right = [Bin::EMPTY; BINS + 1];
        for at in (1..count).rev() {
            right[at] = right[at + 1].with(&bins[axis][at]);
        }
        let mut left = Bin::EMPTY;
        for at in 1..count {
            left = left.with(&bins[axis][at - 1]);
            let sum = left.cost() + right[at].cost();
            if left.count > 0 && right[at].count > 0 && best.is_none_or(|(smallest, _)| sum < smallest) {
                let height = low[axis] + width[axis] * (at as f64 / count as f64);
                let normal = Vec3::from_fn(|k, _| if k == axis { 1.0 } else { 0.0 });
                best = Some((sum, (normal, height)));
            }
        }
    }
    best.map(|(_, plane)| plane).filter(|plane| parts(corners, plane))
}
