//! The 15 separating axes of two boxes.
//!
//! In: two boxes in one frame. Out: how far each axis separates them, the best axis, and its rivals. Laid out so that three axes are
//! measured at once by vector instructions. Axes count in fixed order: faces of A, faces of B, then edges of A with edges of B.
#![allow(
    non_snake_case,
    reason = "monogram notation: R_AB holds the axes of B in A, p_AB is the centre of B in A"
)]

use zerogap_core::Vec3;

use super::box_features::Boxes;

/// Squared sine of the angle of two edges below which their common normal needs care [-]: the quick formula would lose digits.
const NEARLY_PARALLEL: f64 = 1e-6;

/// Four lanes, of which the last is idle: three axes at once in a form that compilers turn into vector instructions.
type Lanes = [f64; 4];

/// Which axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// The normal of a face of A.
    FaceA(usize),
    /// The normal of a face of B.
    FaceB(usize),
    /// The common normal of an edge of A and one of B.
    Edges(usize, usize),
}

impl Axis {
    /// From group and lane.
    #[inline]
    fn of(index: u32) -> Self {
        let lane = (index & 3) as usize;
        match index >> 2 {
            0 => Self::FaceA(lane),
            1 => Self::FaceB(lane),
            group => Self::Edges(group as usize - 2, lane),
        }
    }

    /// Group and lane as one number.
    #[inline]
    fn index(self) -> usize {
        match self {
            Self::FaceA(i) => i,
            Self::FaceB(j) => 4 + j,
            Self::Edges(i, j) => 8 + 4 * i + j,
        }
    }

    /// The unit vector along the axis from A to B, in A and in B; `None` for edges that are parallel.
    #[inline]
    pub(super) fn normal(self, boxes: &Boxes) -> Option<(Vec3, Vec3)> {
        let (n_A, n_B) = match self {
            Self::FaceA(i) => {
                (Vec3::from_fn(|k, _| if k == i { 1.0 } else { 0.0 }), boxes.R_AB.row(i).transpose())
            }
            Self::FaceB(j) => {
                (boxes.R_AB.column(j).into_owned(), Vec3::from_fn(|k, _| if k == j { 1.0 } else { 0.0 }))
            }
            Self::Edges(i, j) => {
                let n = across(boxes, i, j)?;
                (n, boxes.R_AB.tr_mul(&n))
            }
        };
        Some(if n_A.dot(&boxes.p_AB) < 0.0 { (-n_A, -n_B) } else { (n_A, n_B) })
    }
}

/// The unit vector across edge `i` of A and edge `j` of B, on either side; `None` for edges that are parallel.
///
/// Exactly perpendicular to A's edge, and to B's within rounding however small the angle of the two is.
#[inline]
fn across(boxes: &Boxes, i: usize, j: usize) -> Option<Vec3> {
    let (k, m) = ((i + 1) % 3, (i + 2) % 3);
    let edge = boxes.R_AB.column(j);
    let sine2 = edge[k] * edge[k] + edge[m] * edge[m];
    if sine2 < f64::MIN_POSITIVE {
        return None;
    }
    let sine = sine2.sqrt();
    let mut n = Vec3::zeros();
    n[k] = -edge[m] / sine;
    n[m] = edge[k] / sine;
    Some(n)
}

/// The larger of two numbers, neither of which is NaN: one instruction, where `f64::max` takes five.
#[inline]
fn larger(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// The separation that a signed square stands for.
#[inline]
fn root(square: f64) -> f64 {
    square.abs().sqrt().copysign(square)
}

/// How far each axis separates the boxes, as signed squares: they compare like the separations and save the edges their square roots.
#[derive(Debug)]
pub(super) struct Axes {
    squares: [Lanes; 5],
}

impl Axes {
    /// The faces; the edges come with [`Axes::add_edges`].
    #[inline]
    pub(super) fn of_faces(boxes: &Boxes) -> Self {
        let Boxes { half_a, half_b, R_AB: R, p_AB: p, q_BB: q } = boxes;
        let mut squares = [[f64::NEG_INFINITY; 4]; 5];
        for i in 0..3 {
            let reach = R[(i, 0)].abs() * half_b.x + R[(i, 1)].abs() * half_b.y + R[(i, 2)].abs() * half_b.z;
            let apart = (p[i].abs() - half_a[i]) - reach;
            squares[0][i] = apart * apart.abs();
        }
        for j in 0..3 {
            let reach = R[(0, j)].abs() * half_a.x + R[(1, j)].abs() * half_a.y + R[(2, j)].abs() * half_a.z;
            let apart = (q[j].abs() - half_b[j]) - reach;
            squares[1][j] = apart * apart.abs();
        }
        Self { squares }
    }

    /// The nine pairs of edges.
    #[inline]
    pub(super) fn add_edges(&mut self, boxes: &Boxes) {
        let Boxes { half_a, half_b, R_AB: R, p_AB: p, .. } = boxes;
        // Rows of R with an idle lane; infinite half sizes there keep it out of every maximum.
        let rows: [Lanes; 3] = std::array::from_fn(|i| [R[(i, 0)], R[(i, 1)], R[(i, 2)], 1.0]);
        let sizes: [Lanes; 3] = std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j].abs()));
        let half_1 = [half_b.y, half_b.z, half_b.x, f64::INFINITY];
        let half_2 = [half_b.z, half_b.x, half_b.y, f64::INFINITY];
        let mut smallest = [1.0; 4];
        for i in 0..3 {
            let (k, m) = ((i + 1) % 3, (i + 2) % 3);
            let own = &sizes[i];
            let own_1 = [own[1], own[2], own[0], 1.0];
            let own_2 = [own[2], own[0], own[1], 1.0];
            let row = &mut self.squares[2 + i];
            for j in 0..4 {
                let along = (p[m] * rows[k][j] - p[k] * rows[m][j]).abs();
                let reach_a = half_a[k] * sizes[m][j] + half_a[m] * sizes[k][j];
                let reach_b = half_1[j] * own_2[j] + half_2[j] * own_1[j];
                let sine2 = rows[k][j] * rows[k][j] + rows[m][j] * rows[m][j];
                let apart = (along - reach_a) - reach_b;
                row[j] = apart * apart.abs() / larger(sine2, NEARLY_PARALLEL);
                smallest[j] = if sine2 < smallest[j] { sine2 } else { smallest[j] };
            }
        }
        if smallest.iter().any(|sine2| *sine2 < NEARLY_PARALLEL) {
            self.redo_nearly_parallel(boxes);
        }
    }

    /// Pairs of edges that are nearly parallel, measured along the unit normal itself.
    ///
    /// Any direction gives a true separation, so a normal that has lost digits does no harm, and a face of the Minkowski difference that is
    /// thinner than a rounding is not missed by more than that.
    #[cold]
    fn redo_nearly_parallel(&mut self, boxes: &Boxes) {
        for i in 0..3 {
            for j in 0..3 {
                let edge = boxes.R_AB.column(j);
                let (k, m) = ((i + 1) % 3, (i + 2) % 3);
                if edge[k] * edge[k] + edge[m] * edge[m] < NEARLY_PARALLEL {
                    self.squares[2 + i][j] =
                        Axis::Edges(i, j).normal(boxes).map_or(f64::NEG_INFINITY, |(n_A, n_B)| {
                            let apart = boxes.separation(&n_A, &n_B);
                            apart * apart.abs()
                        });
                }
            }
        }
    }

    /// The largest separation [m] and the first axis that has it.
    #[inline]
    pub(super) fn best(&self) -> (f64, Axis) {
        let mut top = self.squares[0];
        for row in &self.squares[1..] {
            for (largest, square) in top.iter_mut().zip(row) {
                *largest = larger(*square, *largest);
            }
        }
        let best = larger(larger(top[0], top[1]), larger(top[2], top[3]));
        (root(best), Axis::of(self.at_least(best).trailing_zeros().min(18)))
    }

    /// The best of the faces alone: separation [m] and axis.
    #[inline]
    pub(super) fn best_face(&self) -> (f64, Axis) {
        let [a, b, ..] = &self.squares;
        let top: Lanes = std::array::from_fn(|j| larger(a[j], b[j]));
        let best = larger(larger(top[0], top[1]), larger(top[2], top[3]));
        (root(best), Axis::of((self.at_least(best) & 0xff).trailing_zeros().min(6)))
    }

    /// One bit for each axis whose signed square is no smaller.
    #[inline]
    fn at_least(&self, square: f64) -> u32 {
        let mut bits = 0;
        for (group, row) in self.squares.iter().enumerate() {
            for (lane, value) in row.iter().enumerate() {
                bits |= u32::from(*value >= square) << (4 * group + lane);
            }
        }
        bits
    }

    /// Whether some axis but the given one separates by at least `floor` [m].
    #[inline]
    pub(super) fn has_rival(&self, axis: Axis, floor: f64) -> bool {
        self.at_least(floor * floor.abs()) & !(1 << axis.index()) != 0
    }

    /// The axes that separate by at least `floor` [m].
    pub(super) fn rivals(&self, floor: f64) -> impl Iterator<Item = Axis> {
        let bits = self.at_least(floor * floor.abs());
        (0..20).filter(move |index| bits >> index & 1 == 1).map(Axis::of)
    }
}
