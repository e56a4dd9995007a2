//! The shortest translation that separates two overlapping convex polyhedra, by trying every axis: Cheng Yi and Drumwright's algorithms
//! 1 and 2, as plain as they are printed.
//!
//! In: vertices, outward face normals and edge directions of both in one frame. Out: disjoint, or the gap with normal, plane and axis. Axes are
//! tried in the order faces of A, faces of B, edges of A times edges of B; of equally good ones with the same direction the first is named.
//! The paper's normal points from B to A, ours from A to B.

use zerogap_core::Vec3;
use zerogap_core::double::DoubleVec;

/// Unit directions that differ by less in every component are one [-]: half the digits.
const SAME_DIRECTION: f64 = 1e-7;

/// A convex polyhedron as plain arrays.
#[derive(Debug, Clone, Copy)]
pub struct PolyhedronArrays<'a> {
    /// Corners [m].
    pub vertices: &'a [Vec3],
    /// Outward unit normals of the faces [-].
    pub normals: &'a [Vec3],
    /// Along the edges, of any positive length.
    pub edges: &'a [Vec3],
}

/// What two polyhedra are found to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sat {
    /// An axis separates them.
    Disjoint,
    /// They overlap or touch.
    Overlap(Translation),
}

/// The shortest translation that separates two polyhedra.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation {
    /// The paper's sigma: minus the length of the translation [m].
    pub gap: f64,
    /// Unit vector from A to B: moving B by `-gap * normal` separates the two [-].
    pub normal: Vec3,
    /// The contact plane is `normal · x = offset` [m]: half-way between the deepest vertices.
    pub offset: f64,
    /// The first axis of this direction that shows it within the tolerance.
    pub axis: Axis,
    /// Whether no axis of another direction is as good within the tolerance.
    pub is_unique: bool,
}

/// Where an axis comes from, by the place in the given arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Across a face of A.
    FaceOfA(usize),
    /// Across a face of B.
    FaceOfB(usize),
    /// Across an edge of A and one of B.
    Edges(usize, usize),
}

/// Where a set of points begins and ends along a direction, and the points there.
#[derive(Debug, Clone, Copy)]
pub struct Projection {
    /// The smallest height [m].
    pub min: f64,
    /// The largest height [m].
    pub max: f64,
    /// The first point of the smallest height.
    pub lowest: Vec3,
    /// The first point of the largest height.
    pub highest: Vec3,
}

/// The paper's PROJECT: extreme heights of vertices along a direction. Without vertices the heights are infinite.
pub fn project(vertices: &[Vec3], direction: &Vec3) -> Projection {
    let (min, max) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut found = Projection { min, max, lowest: Vec3::zeros(), highest: Vec3::zeros() };
    for vertex in vertices {
        let height = vertex.dot(direction);
        if height < found.min {
            (found.min, found.lowest) = (height, *vertex);
        }
        if height > found.max {
            (found.max, found.highest) = (height, *vertex);
        }
    }
    found
}

/// The paper's FIND-MTLD.
///
/// Computes: the least overlap of the projections on all face normals and edge products.
/// Tolerance: a few roundings of the largest coordinate, provided that `edges` are to rounding along the vertices' differences. Differs from the
///   paper: cross products are formed with twice the digits, so nearly parallel edges do not amplify rounding.
/// `tolerance` [m]: axes whose overlap is larger by no more are equally good.
/// Cost: grows with the third power of the number of features.
pub fn find_mtld(a: &PolyhedronArrays<'_>, b: &PolyhedronArrays<'_>, tolerance: f64) -> Sat {
    let mut best: Option<Translation> = None;
    let mut tried: Vec<(Axis, f64, Vec3)> = Vec::new();
    for (axis, v) in axes(a, b) {
        let (of_a, of_b) = (project(a.vertices, &v), project(b.vertices, &v));
        let (o1, o2) = (of_a.max - of_b.min, of_b.max - of_a.min);
        if o1 < 0.0 || o2 < 0.0 {
            return Sat::Disjoint;
        }
        tried.extend([(axis, o1, v), (axis, o2, -v)]);
        if best.is_some_and(|best| o1.min(o2) > -best.gap) {
            continue;
        }
        let (overlap, normal, p_a, p_b) =
            if o1 < o2 { (o1, v, of_a.highest, of_b.lowest) } else { (o2, -v, of_a.lowest, of_b.highest) };
        let offset = 0.5 * normal.dot(&(p_a + p_b));
        best = Some(Translation { gap: -overlap, normal, offset, axis, is_unique: false });
    }
    let Some(best) = best else { return Sat::Disjoint };
    // Rounding may favour an edge pair over the face that it lies in: the face is meant. Other directions that do as well are rivals.
    let as_good = || tried.iter().filter(|(_, overlap, _)| *overlap <= tolerance - best.gap);
    let is_same = |v: &Vec3| (v - best.normal).amax() <= SAME_DIRECTION;
    // A face is deepest along its outward normal; in the opposite direction its axis stands for another feature.
    let is_named = |axis: Axis| match axis {
        Axis::FaceOfA(i) => is_same(&a.normals[i]),
        Axis::FaceOfB(j) => is_same(&-b.normals[j]),
        Axis::Edges(..) => true,
    };
    let axis = as_good().find(|(axis, _, v)| is_same(v) && is_named(*axis));
    let axis = axis.map_or(best.axis, |(axis, _, _)| *axis);
    let is_unique = as_good().all(|(_, _, v)| is_same(v));
    Sat::Overlap(Translation { axis, is_unique, ..best })
}

/// All axes of the test, as unit vectors; products of parallel edges are none.
fn axes<'a>(
    a: &'a PolyhedronArrays<'_>,
    b: &'a PolyhedronArrays<'_>,
) -> impl Iterator<Item = (Axis, Vec3)> + 'a {
    let of_a = a.normals.iter().enumerate().map(|(i, n)| (Axis::FaceOfA(i), *n));
    let of_b = b.normals.iter().enumerate().map(|(j, n)| (Axis::FaceOfB(j), *n));
    let products = a.edges.iter().enumerate().flat_map(|(i, e)| {
        b.edges.iter().enumerate().filter_map(move |(j, f)| {
            let product = DoubleVec::from(e).cross(&DoubleVec::from(f)).round();
            Some((Axis::Edges(i, j), product.try_normalize(0.0)?))
        })
    });
    of_a.chain(of_b).chain(products)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The box of half size 1 about a point, with its axes along the columns x, y, z.
    fn cube(at: Vec3, axes: [Vec3; 3]) -> (Vec<Vec3>, Vec<Vec3>) {
        let side = |bits: usize, k: usize| if bits >> k & 1 == 1 { axes[k] } else { -axes[k] };
        let vertices = (0..8).map(|bits| at + side(bits, 0) + side(bits, 1) + side(bits, 2)).collect();
        (vertices, axes.iter().flat_map(|n| [*n, -n]).collect())
    }

    const STRAIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn cubes(at: Vec3, axes_b: [Vec3; 3]) -> Sat {
        let axes_a = STRAIGHT.map(Vec3::from);
        let ((va, na), (vb, nb)) = (cube(Vec3::zeros(), axes_a), cube(at, axes_b));
        let a = PolyhedronArrays { vertices: &va, normals: &na, edges: &axes_a };
        let b = PolyhedronArrays { vertices: &vb, normals: &nb, edges: &axes_b };
        find_mtld(&a, &b, 1e-9)
    }

    fn overlap(at: Vec3, axes_b: [Vec3; 3]) -> Translation {
        match cubes(at, axes_b) {
            Sat::Overlap(found) => found,
            Sat::Disjoint => panic!("{at:?} overlaps"),
        }
    }

    #[test]
    fn a_face_that_is_least_deep_gives_gap_normal_and_plane() {
        let found = overlap(Vec3::new(0.2, -1.75, 0.3), STRAIGHT.map(Vec3::from));
        assert_eq!((found.gap, found.normal, found.offset), (-0.25, -Vec3::y(), 0.875));
        assert!(found.is_unique && found.axis == Axis::FaceOfA(3));
        assert_eq!(cubes(Vec3::new(0.0, 2.5, 0.0), STRAIGHT.map(Vec3::from)), Sat::Disjoint);
    }

    #[test]
    fn crossed_edges_that_are_least_deep_are_found() {
        // A's edge along z over x = y = 1 against B's, which crosses it square to the diagonal.
        let (s, up) = (0.5_f64.sqrt(), Vec3::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0));
        let side = Vec3::new(-s, s, 0.0);
        let axes_b = [(up + Vec3::z()) * s, (up - Vec3::z()) * s, side];
        let reach = 2.0 * 2.0_f64.sqrt();
        let found = overlap(up * (reach - 0.125), axes_b);
        assert!((found.gap + 0.125).abs() < 1e-15 && (found.normal - up).amax() < 1e-15, "{found:?}");
        assert!(matches!(found.axis, Axis::Edges(2, 2)) && found.is_unique, "{found:?}");
        assert!((found.offset - (0.5 * reach - 0.0625)).abs() < 1e-15, "{found:?}");
    }

    #[test]
    fn equally_short_ways_out_are_told() {
        let centred = overlap(Vec3::zeros(), STRAIGHT.map(Vec3::from));
        assert!(!centred.is_unique && (centred.gap + 2.0).abs() < 1e-15);
        let diagonal = overlap(Vec3::new(1.5, 1.5, 0.1), STRAIGHT.map(Vec3::from));
        assert!(!diagonal.is_unique && (diagonal.gap + 0.5).abs() < 1e-15);
        let touching = overlap(Vec3::new(2.0, 0.5, 0.1), STRAIGHT.map(Vec3::from));
        assert!(touching.is_unique && touching.gap.abs() < 1e-15 && touching.normal == Vec3::x());
    }
}
