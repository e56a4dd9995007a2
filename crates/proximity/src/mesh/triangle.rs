//! The distance of two triangles.
//!
//! In: corners of both in one frame. Out: the nearest points and which features hold them. Called for every pair of triangles that the hierarchy leaves, so
//! a quick estimate comes first, and only what can be the answer is refined.

use zerogap_core::Vec3;
use zerogap_geometry::nearest::on_triangle;

use super::crossing::triangles_cross;
use crate::convex::nearest_on_segments;

/// Edges whose squared sine is below this count as parallel in the quick estimate [-].
const PARALLEL: f64 = 1e-12;

/// What the quick estimate can be off by in the square of a distance, against the squared lengths of the edges [-]: for parallel edges, and for all others against
/// the squared distance of the corners.
const OFF_PARALLEL: f64 = 4e-12;
const OFF: f64 = 1e-14;

/// The nearest points of two triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrianglePair {
    /// Their distance [m]; 0 where the triangles cross.
    pub distance: f64,
    /// The point of A [m].
    pub point_a: Vec3,
    /// The point of B [m].
    pub point_b: Vec3,
    /// The corners of A that hold its point: one bit for a corner, two for an edge, three for the face.
    pub held_a: u8,
    /// The same of B.
    pub held_b: u8,
}

impl TrianglePair {
    /// The same pair seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            point_a: self.point_b,
            point_b: self.point_a,
            held_a: self.held_b,
            held_b: self.held_a,
            ..self
        }
    }
}

/// Which corners hold a point of the edge from corner `k` on.
#[inline]
fn held_by_edge(t: &[Vec3; 3], k: usize, point: &Vec3) -> u8 {
    let next = (k + 1) % 3;
    if *point == t[k] {
        1 << k
    } else if *point == t[next] {
        1 << next
    } else {
        (1 << k) | (1 << next)
    }
}

/// The nearest points of two triangles, triangles without area included.
///
/// Computes: distance [m] and points with `distance = |point_b - point_a|`; 0 where the triangles have a point in common.
/// Method: the least of 9 edges against edges, 6 corners against faces, and, exactly, whether they cross: edges and corners alone would miss that.
/// Tolerance: 1e-14 of the largest coordinate. Cost: some 100 to 300 ns; no allocation.
pub fn triangle_distance(a: &[Vec3; 3], b: &[Vec3; 3]) -> TrianglePair {
    let worst = TrianglePair { distance: f64::INFINITY, point_a: a[0], point_b: b[0], held_a: 1, held_b: 1 };
    let found = nearer_than(a, b, f64::INFINITY);
    // Lengths whose squares overflow: the corners are as good as any answer.
    found.unwrap_or(TrianglePair { distance: (b[0] - a[0]).norm(), ..worst })
}

/// [`triangle_distance`] where it may be less than `limit` [m]; none where it surely is not.
#[inline]
pub(super) fn nearer_than(a: &[Vec3; 3], b: &[Vec3; 3], limit: f64) -> Option<TrianglePair> {
    let estimate = QuickEstimate::new(a, b);
    let (least, off) = estimate.least();
    if least - off > limit * limit {
        return estimate.may_cross().then(|| crossed(a, b)).flatten();
    }
    if estimate.may_cross()
        && let Some(pair) = crossed(a, b)
    {
        return Some(pair);
    }
    estimate.careful(a, b, least + off)
}

/// The answer for triangles that cross.
#[cold]
fn crossed(a: &[Vec3; 3], b: &[Vec3; 3]) -> Option<TrianglePair> {
    if !triangles_cross(a, b) {
        return None;
    }
    let point = common_point(a, b);
    Some(TrianglePair { distance: 0.0, point_a: point, point_b: point, held_a: 7, held_b: 7 })
}

/// A point that two crossing triangles have in common, to rounding: where an edge of one passes the other nearest.
fn common_point(a: &[Vec3; 3], b: &[Vec3; 3]) -> Vec3 {
    let mut best = (f64::INFINITY, a[0]);
    for (edges, face) in [(a, b), (b, a)] {
        let n = (face[1] - face[0]).cross(&(face[2] - face[0]));
        for k in 0..3 {
            let (p, q) = (edges[k], edges[(k + 1) % 3]);
            let (from, to) = (n.dot(&(p - face[0])), n.dot(&(q - face[0])));
            let across = from - to;
            let t = if across.abs() > 0.0 { (from / across).clamp(0.0, 1.0) } else { 0.5 };
            let at = p + (q - p) * t;
            let off = (on_triangle(face, &at).point - at).norm_squared();
            if off < best.0 {
                best = (off, at);
            }
        }
    }
    best.1
}

/// Squared distances of pairs of edges, and 1 where they count as parallel.
#[inline]
fn edges(rows: &Rows) -> ([f64; LANES], [f64; LANES]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "a wider instruction set than the build assumes")]
        // SAFETY: the machine has it, as has just been asked.
        return unsafe { edges_avx2(rows) };
    }
    edges_of(rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn edges_avx2(rows: &Rows) -> ([f64; LANES], [f64; LANES]) {
    edges_of(rows)
}

/// Lane by lane, without a branch, so that lanes run side by side; every operation is rounded by itself, so that the bits are the same on every machine.
#[expect(clippy::inline_always, reason = "compiled for each instruction set that it is called from")]
#[inline(always)]
fn edges_of(rows: &Rows) -> ([f64; LANES], [f64; LANES]) {
    let (mut squared, mut parallel) = ([0.0; LANES], [0.0; LANES]);
    let within = |x: f64| if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 };
    for k in 0..LANES {
        let (ex, ey, ez) = (rows.e[0][k], rows.e[1][k], rows.e[2][k]);
        let (fx, fy, fz) = (rows.f[0][k], rows.f[1][k], rows.f[2][k]);
        let (dx, dy, dz) = (rows.d[0][k], rows.d[1][k], rows.d[2][k]);
        let (ee, ff) = (rows.ee[k], rows.ff[k]);
        let across = ex * fx + ey * fy + ez * fz;
        let (c, g) = (ex * dx + ey * dy + ez * dz, fx * dx + fy * dy + fz * dz);
        let determinant = ee * ff - across * across;
        let is_parallel = determinant <= PARALLEL * ee * ff;
        // Edges without length divide by zero: what is no number is taken for the start of the edge.
        let s = if is_parallel { 0.0 } else { within((across * g - c * ff) / determinant) };
        let t = within((across * s + g) / ff);
        let s = within((across * t - c) / ee);
        let (x, y, z) = (dx + ex * s - fx * t, dy + ey * s - fy * t, dz + ez * s - fz * t);
        squared[k] = x * x + y * y + z * z;
        parallel[k] = if is_parallel { 1.0 } else { 0.0 };
    }
    (squared, parallel)
}

/// The quick estimate of a pair: squared distances of all features, none of them refined.
struct QuickEstimate {
    /// Edge `i` of A and `j` of B at `3 i + j`.
    edges: [f64; 9],
    /// What each of these may be off by.
    edges_off: [f64; 9],
    /// Corner `k` of A over B's face, then corner `k` of B over A's face; infinite where it is beside.
    corners: [f64; 6],
    /// What these may be off by.
    off: f64,
    may_cross: bool,
}

/// Pairs of edges with room to fill whole registers; those beyond nine repeat the first.
const LANES: usize = 12;

/// Edges of A by pair of edges, edges of B, and corners of A less corners of B, coordinate by coordinate; and squared lengths of the edges.
#[repr(align(32))]
struct Rows {
    e: [[f64; LANES]; 3],
    f: [[f64; LANES]; 3],
    d: [[f64; LANES]; 3],
    ee: [f64; LANES],
    ff: [f64; LANES],
}

impl QuickEstimate {
    #[inline]
    fn new(a: &[Vec3; 3], b: &[Vec3; 3]) -> Self {
        let e = [a[1] - a[0], a[2] - a[1], a[0] - a[2]];
        let f = [b[1] - b[0], b[2] - b[1], b[0] - b[2]];
        let ee = [e[0].norm_squared(), e[1].norm_squared(), e[2].norm_squared()];
        let ff = [f[0].norm_squared(), f[1].norm_squared(), f[2].norm_squared()];
        // From corner j of B to corner i of A.
        let d: [Vec3; 9] = std::array::from_fn(|k| a[k / 3] - b[k % 3]);
        let size = (0..9).map(|k| d[k].norm_squared()).fold(0.0, f64::max);
        let longest = ee.iter().chain(&ff).fold(0.0_f64, |m, x| m.max(*x));
        let off = OFF * (size + longest);
        let pair = |k: usize| if k < 9 { (k / 3, k % 3) } else { (0, 0) };
        let mut rows = Rows {
            e: [[0.0; LANES]; 3],
            f: [[0.0; LANES]; 3],
            d: [[0.0; LANES]; 3],
            ee: std::array::from_fn(|k| ee[pair(k).0]),
            ff: std::array::from_fn(|k| ff[pair(k).1]),
        };
        for axis in 0..3 {
            for k in 0..LANES {
                let (i, j) = pair(k);
                rows.e[axis][k] = e[i][axis];
                rows.f[axis][k] = f[j][axis];
                rows.d[axis][k] = d[3 * i + j][axis];
            }
        }
        let (squared, parallel) = edges(&rows);
        let mut estimate = Self {
            edges: std::array::from_fn(|k| squared[k]),
            edges_off: std::array::from_fn(|k| off + parallel[k] * (OFF_PARALLEL * longest)),
            corners: [f64::INFINITY; 6],
            off,
            may_cross: true,
        };
        estimate.faces(&e, &f, &d, size, longest);
        estimate
    }

    /// Corners over faces, and whether a plane keeps the triangles apart.
    #[inline]
    fn faces(&mut self, e: &[Vec3; 3], f: &[Vec3; 3], d: &[Vec3; 9], size: f64, longest: f64) {
        let (na, nb) = (e[0].cross(&e[1]), f[0].cross(&f[1]));
        let (na2, nb2) = (na.norm_squared(), nb.norm_squared());
        let (mut low_a, mut high_a, mut low_b, mut high_b) =
            (f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY);
        let out_a = e.map(|e| e.cross(&na));
        let out_b = f.map(|f| f.cross(&nb));
        for k in 0..3 {
            // Corner k of A over B.
            let height = nb.dot(&d[3 * k]);
            low_a = low_a.min(height);
            high_a = high_a.max(height);
            if nb2 > 0.0 && (0..3).all(|j| out_b[j].dot(&d[3 * k + j]) <= 0.0) {
                self.corners[k] = height * height / nb2;
            }
            // Corner k of B over A.
            let height = -na.dot(&d[k]);
            low_b = low_b.min(height);
            high_b = high_b.max(height);
            if na2 > 0.0 && (0..3).all(|i| out_a[i].dot(&d[3 * i + k]) >= 0.0) {
                self.corners[3 + k] = height * height / na2;
            }
        }
        // Rounding of the heights; a plane that leaves the other triangle on one side by more keeps them apart.
        let room = |n2: f64| (1e-14 * n2.sqrt() + 1e-15 * longest) * size.sqrt();
        let (room_a, room_b) = (room(nb2), room(na2));
        let apart = low_a > room_a || high_a < -room_a || low_b > room_b || high_b < -room_b;
        self.may_cross = !apart;
    }

    /// The least squared distance of the quick estimate, and what it may be off by.
    #[inline]
    fn least(&self) -> (f64, f64) {
        let mut least = (f64::INFINITY, self.off);
        for k in 0..9 {
            if self.edges[k] - self.edges_off[k] < least.0 - least.1 {
                least = (self.edges[k], self.edges_off[k]);
            }
        }
        for squared in self.corners {
            if squared < least.0 {
                least = (squared, self.off);
            }
        }
        least
    }

    #[inline]
    fn may_cross(&self) -> bool {
        self.may_cross
    }

    /// The nearest points with all their digits, from the features that can be nearest: those within `most` of the quick estimate.
    fn careful(&self, a: &[Vec3; 3], b: &[Vec3; 3], most: f64) -> Option<TrianglePair> {
        let mut best: Option<TrianglePair> = None;
        let mut offer = |pair: TrianglePair| {
            if best.is_none_or(|b| pair.distance < b.distance) {
                best = Some(pair);
            }
        };
        for k in 0..9 {
            if self.edges[k] - self.edges_off[k] <= most {
                let (i, j) = (k / 3, k % 3);
                let near = nearest_on_segments(&[a[i], a[(i + 1) % 3]], &[b[j], b[(j + 1) % 3]]);
                offer(TrianglePair {
                    distance: near.gap,
                    point_a: near.point_a,
                    point_b: near.point_b,
                    held_a: held_by_edge(a, i, &near.point_a),
                    held_b: held_by_edge(b, j, &near.point_b),
                });
            }
        }
        let mask = |held: [bool; 3]| (0..3).map(|k| u8::from(held[k]) << k).sum::<u8>();
        for k in 0..3 {
            if self.corners[k] - self.off <= most {
                let on = on_triangle(b, &a[k]);
                let distance = (on.point - a[k]).norm();
                offer(TrianglePair {
                    distance,
                    point_a: a[k],
                    point_b: on.point,
                    held_a: 1 << k,
                    held_b: mask(on.held_by),
                });
            }
            if self.corners[3 + k] - self.off <= most {
                let on = on_triangle(a, &b[k]);
                let distance = (on.point - b[k]).norm();
                offer(TrianglePair {
                    distance,
                    point_a: on.point,
                    point_b: b[k],
                    held_a: mask(on.held_by),
                    held_b: 1 << k,
                });
            }
        }
        best
    }
}
