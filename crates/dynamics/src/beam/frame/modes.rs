//! Natural frequencies and shapes of small vibrations about a state of equilibrium.
//!
//! In: a frame, a state, the loads that hold it there. Out: the lowest modes of `K x = ω² M x`, with the tangent stiffness `K` and the consistent mass `M` there, so that tension stiffens and compression softens.
//! Method: subspace iteration (Bathe 1971) on the factored `K + s M`, with a projection on the subspace in each round. A shift `s` is taken only where supports leave the frame loose, or where a pivot
//! vanishes at a critical load. Cost: linear in the elements, times the square of the number of modes.

use zerogap_core::nalgebra::{Cholesky, DMatrix};
use zerogap_core::random::Random;

use super::block_matrix::{BlockMatrix, Vector6};
use super::element::Matrix12;
use super::statics::LOOSE;
use super::{Frame, FrameError, FrameLoads, FrameState, NODE_FREEDOMS};
use crate::beam::modes::symmetric_eigen;

/// First shift against the largest ratio of stiffness to mass on the diagonal [-]: far above what rounding leaves of a motion without strain.
const SHIFT: f64 = 1e-12;

/// A shift is no smaller than this, in the same measure [-].
const MIN_SHIFT: f64 = 1e-15;

/// Rounds at most [-]: ten are usual.
const ROUNDS: usize = 200;

/// Relative change of the eigenvalues at which they are done [-].
const DONE: f64 = 1e-12;

/// Vectors beyond those that are asked for [-].
const GUARD: usize = 8;

/// The lowest modes of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameModes {
    /// Squares of the angular frequencies, ascending [rad²/s²]; negative where the state is unstable.
    pub eigenvalues: Vec<f64>,
    /// Angular frequencies [rad/s], zero where the square is not positive.
    pub angular_frequencies: Vec<f64>,
    /// For each of them the displacements and rotations of all nodes, of modal mass 1 kg, with the largest entry positive.
    pub shapes: Vec<Vec<[f64; NODE_FREEDOMS]>>,
}

impl Frame {
    /// The lowest `count` modes about a state of equilibrium under loads, or all where there are fewer.
    ///
    /// Tolerance: 1e-6 of the eigenvalue of the finite elements; beam, ring and portal frame within 0.1 % of theory (`tests/frame_modes.rs`).
    /// Fails: where every degree of freedom is fixed, or a node has no element.
    pub fn modes(
        &self,
        state: &FrameState,
        loads: &FrameLoads,
        count: usize,
    ) -> Result<FrameModes, FrameError> {
        self.check_state(state)?;
        loads.check(self)?;
        self.has_free()?;
        let free = self.fixed.iter().flatten().filter(|fixed| !**fixed).count();
        let count = count.min(free);
        if count == 0 {
            return Ok(FrameModes { eigenvalues: vec![], angular_frequencies: vec![], shapes: vec![] });
        }
        let mass: Vec<Matrix12> = (0..self.elements.len()).map(|e| self.element_mass(state, e)).collect();
        let shifted = |shift: f64| {
            let mut matrix = BlockMatrix::zeros(&self.structure);
            self.add_tangent(&mut matrix, state, loads, [0.0, 1.0]);
            for (element, mass) in mass.iter().enumerate() {
                self.scatter_matrix(&mut matrix, element, &(shift * mass));
            }
            matrix.fix(&self.structure, |node, k| self.fixed[node][k]);
            matrix
        };
        let stiffest = self.stiffest(&shifted(0.0), &mass)?;
        let mut shift = 0.0;
        let mut factor = shifted(shift);
        if factor.factor(&self.structure).smallest < LOOSE {
            shift = SHIFT * stiffest;
            factor = shifted(shift);
            factor.factor(&self.structure);
        }

        let size = free.min((2 * count).max(count + GUARD));
        let mut random = Random::new(1);
        let mut vectors: Vec<Vec<Vector6>> = (0..size)
            .map(|_| {
                let mut v: Vec<Vector6> =
                    self.nodes.iter().map(|_| Vector6::from_fn(|_, _| random.range(-1.0, 1.0))).collect();
                self.keep_free(&mut v);
                v
            })
            .collect();
        let mut values = vec![0.0; size];
        for round in 0..ROUNDS {
            // Solve, and project stiffness and mass on the solutions.
            let loaded: Vec<Vec<Vector6>> = vectors.iter().map(|v| self.times_mass(&mass, v)).collect();
            let mut solved = loaded.clone();
            for v in &mut solved {
                factor.solve(&self.structure, v);
            }
            let massed: Vec<Vec<Vector6>> = solved.iter().map(|v| self.times_mass(&mass, v)).collect();
            let mut images = [solved, massed, loaded];
            orthonormalise(&mut images);
            let [solved, massed, loaded] = images;
            let stiffness = symmetric(size, |k, l| dot(&solved[k], &loaded[l]));
            let masses = symmetric(size, |k, l| dot(&solved[k], &massed[l]));
            let Some((found, combinations)) = small_eigen(stiffness, masses) else {
                return Err(FrameError::Loose { node: 0 });
            };
            vectors = combinations
                .iter()
                .map(|c| {
                    let mut sum = vec![Vector6::zeros(); self.nodes.len()];
                    for (weight, v) in c.iter().zip(&solved) {
                        sum.iter_mut().zip(v).for_each(|(sum, v)| *sum += *weight * v);
                    }
                    sum
                })
                .collect();
            let change = |k: usize| (found[k] - values[k]).abs() <= DONE * found[k].abs().max(shift);
            let done = round > 0 && (0..count).all(change);
            values = found;
            if done {
                break;
            }
            // A shift far above the wanted values slows the rounds down: take one of their size.
            let highest = (values[count - 1] - shift).abs().max(MIN_SHIFT * stiffest);
            if round % 5 == 4 && shift > 10.0 * highest {
                for value in &mut values {
                    *value += highest - shift;
                }
                shift = highest;
                factor = shifted(shift);
                factor.factor(&self.structure);
            }
        }
        let eigenvalues: Vec<f64> = values.iter().take(count).map(|value| value - shift).collect();
        let angular_frequencies = eigenvalues.iter().map(|value| value.max(0.0).sqrt()).collect();
        let shapes = vectors.iter().take(count).map(|v| oriented(v)).collect();
        Ok(FrameModes { eigenvalues, angular_frequencies, shapes })
    }

    /// The largest ratio of stiffness to mass on the diagonal.
    fn stiffest(&self, stiffness: &BlockMatrix, mass: &[Matrix12]) -> Result<f64, FrameError> {
        let mut sum = BlockMatrix::zeros(&self.structure);
        for (element, mass) in mass.iter().enumerate() {
            self.scatter_matrix(&mut sum, element, mass);
        }
        let mut largest: f64 = 0.0;
        for (node, fixed) in self.fixed.iter().enumerate() {
            for k in (0..NODE_FREEDOMS).filter(|k| !fixed[*k]) {
                let mass = sum.diagonal(&self.structure, node)[(k, k)];
                let has_mass = mass > 0.0;
                if !has_mass {
                    return Err(FrameError::Loose { node });
                }
                largest = largest.max(stiffness.diagonal(&self.structure, node)[(k, k)].abs() / mass);
            }
        }
        Ok(largest)
    }

    fn times_mass(&self, mass: &[Matrix12], v: &[Vector6]) -> Vec<Vector6> {
        let mut product = vec![Vector6::zeros(); v.len()];
        for (element, mass) in mass.iter().enumerate() {
            let mut both = super::element::Vector12::zeros();
            for (end, node) in self.elements[element].nodes.into_iter().enumerate() {
                both.fixed_rows_mut::<6>(6 * end).copy_from(&v[node]);
            }
            self.scatter(&mut product, element, &(mass * both));
        }
        self.keep_free(&mut product);
        product
    }
}

fn dot(a: &[Vector6], b: &[Vector6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(b)).sum()
}

/// Makes vectors orthonormal in the mass, and applies the same to what mass and stiffness make of them: near a critical load all solutions lean to one vector.
fn orthonormalise(images: &mut [Vec<Vec<Vector6>>; 3]) {
    for k in 0..images[0].len() {
        // Twice is enough (Kahan and Parlett).
        for _ in 0..2 {
            for j in 0..k {
                let part = dot(&images[0][j], &images[1][k]);
                for of in images.iter_mut() {
                    let (done, rest) = of.split_at_mut(k);
                    rest[0].iter_mut().zip(&done[j]).for_each(|(v, of)| *v -= part * of);
                }
            }
            let scale = 1.0 / dot(&images[0][k], &images[1][k]).sqrt();
            for v in images.iter_mut().flat_map(|of| &mut of[k]) {
                *v *= scale;
            }
        }
    }
}

fn symmetric(size: usize, of: impl Fn(usize, usize) -> f64) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(size, size);
    for k in 0..size {
        for l in 0..=k {
            let entry = 0.5 * (of(k, l) + of(l, k));
            matrix[(k, l)] = entry;
            matrix[(l, k)] = entry;
        }
    }
    matrix
}

/// Eigenvalues, ascending, and combinations of the vectors that belong to them, of a small stiffness and mass.
fn small_eigen(mut stiffness: DMatrix<f64>, mass: DMatrix<f64>) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let lower = Cholesky::new(mass)?.l();
    lower.solve_lower_triangular_mut(&mut stiffness);
    stiffness.transpose_mut();
    lower.solve_lower_triangular_mut(&mut stiffness);
    let (values, vectors) = symmetric_eigen((&stiffness + stiffness.transpose()) * 0.5);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let combination = |&k: &usize| {
        let mut y = vectors.column(k).into_owned();
        lower.tr_solve_lower_triangular_mut(&mut y);
        y.as_slice().to_vec()
    };
    Some((order.iter().map(|&k| values[k]).collect(), order.iter().map(combination).collect()))
}

/// A shape with its largest entry positive.
fn oriented(shape: &[Vector6]) -> Vec<[f64; NODE_FREEDOMS]> {
    let largest =
        shape.iter().flat_map(|v| v.iter()).fold(0.0, |a: f64, b| if b.abs() > a.abs() { *b } else { a });
    let sign = if largest < 0.0 { -1.0 } else { 1.0 };
    shape.iter().map(|v| std::array::from_fn(|k| sign * v[k])).collect()
}
