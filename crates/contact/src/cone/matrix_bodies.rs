//! A problem given by its matrix, as a problem of bodies.
//!
//! In: a [`MatrixProblem`]. Out: a [`BodyProblem`] with the same contacts, `u = J v + q` for velocities `v` of unit mass and `W = J J^T`. The interior point method of time steps works on velocities of bodies; by this
//! it solves what sweeps and Newton's method on impulses leave unsolved.

use super::Delassus;
use super::bodies::BodyProblem;
use super::matrix::MatrixProblem;

/// Contacts up to which the factor is made; it is dense [-].
const MAX_CONTACTS: usize = 200;
/// Pivots below this fraction of the largest entry are rounding [-].
const PIVOT: f64 = 1e-13;

/// The contacts of a problem on one group of velocities; none where there are too many or `W` is zero.
///
/// Computes: `J` with `J J^T = W`, as many columns as `W` has rank.
/// Method: Cholesky with the largest pivot first, of the symmetric part of `W`.
/// Cost: rows times the square of the rank.
/// Fails: where `W` is not positive semidefinite, what lies below rounding is left out; answers have to be measured with the problem itself.
pub(super) fn as_bodies(problem: &MatrixProblem) -> Option<BodyProblem> {
    let n = problem.q().len();
    if problem.contacts() > MAX_CONTACTS {
        return None;
    }
    let mut w = vec![0.0; n * n];
    for (row, column, value) in problem.entries() {
        w[row * n + column] += 0.5 * value;
        w[column * n + row] += 0.5 * value;
    }
    let mut left: Vec<f64> = (0..n).map(|k| w[k * n + k]).collect();
    let largest = left.iter().copied().fold(0.0, f64::max);
    // Columns of J, one after another.
    let mut columns: Vec<Vec<f64>> = Vec::new();
    while columns.len() < n {
        let pivot = (0..n).fold(0, |best, k| if left[k] > left[best] { k } else { best });
        if left[pivot] <= PIVOT * largest {
            break;
        }
        let length = left[pivot].sqrt();
        let mut column = w[pivot * n..][..n].to_vec();
        for before in &columns {
            let factor = before[pivot];
            column.iter_mut().zip(before).for_each(|(own, other)| *own -= factor * other);
        }
        for (own, left) in column.iter_mut().zip(&mut left) {
            *own /= length;
            *left -= *own * *own;
        }
        left[pivot] = 0.0;
        columns.push(column);
    }
    let rank = columns.len();
    if rank == 0 {
        return None;
    }
    let mut bodies = BodyProblem::default();
    let unit: Vec<f64> = (0..rank * rank).map(|k| if k % (rank + 1) == 0 { 1.0 } else { 0.0 }).collect();
    let group = bodies.add_group(&unit, &vec![0.0; rank]);
    for (contact, law) in problem.blocks().iter().enumerate() {
        let rows = 3 * contact..3 * contact + 3;
        bodies.add_block(*law, &problem.q()[rows.clone()]);
        let own: Vec<f64> = rows.flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        bodies.add_side(group, &own);
    }
    Some(bodies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn velocities_under_impulses_are_those_of_the_matrix() {
        let mut random = Random::new(3);
        for contacts in 1..8 {
            // Rank four at most.
            let n = 3 * contacts;
            let j: Vec<f64> = (0..4 * n).map(|_| random.range(-1.0, 1.0)).collect();
            let dot = |a: usize, b: usize| (0..4).map(|k| j[4 * a + k] * j[4 * b + k]).sum::<f64>();
            let entries = (0..n * n).map(|k| (k / n, k % n, dot(k / n, k % n)));
            let q: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
            let problem = MatrixProblem::new(entries, q, &vec![0.5; contacts]).unwrap();
            let bodies = as_bodies(&problem).unwrap();
            assert_eq!(bodies.state_len(), n.min(4));
            let impulses: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
            let (mut state, mut expected) = (vec![0.0; bodies.state_len()], vec![0.0; n]);
            bodies.begin(&impulses, &mut state);
            problem.respond(&impulses, &mut expected);
            for contact in 0..contacts {
                let found = bodies.response(contact, &state);
                for k in 0..3 {
                    assert!((found[k] - expected[3 * contact + k]).abs() < 1e-12, "{contacts} {contact}");
                }
            }
        }
        assert!(as_bodies(&MatrixProblem::new([], vec![1.0, 0.0, 0.0], &[0.5]).unwrap()).is_none());
    }
}
