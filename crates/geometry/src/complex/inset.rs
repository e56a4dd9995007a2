//! Moving the surfaces of volumes inward, so that growing them by the same radius gives the original back.

use zerogap_core::math::angle_between;
use zerogap_core::{Mat3, Vec3};

use super::ComplexError;
use super::prepass::Prepared;
use super::report::{ComplexReport, InsetReport, PartKind};

/// Directions in which the planes at a vertex differ by less than this, against the largest, are left alone [rad²]: moving along them would follow noise.
const WEAK: f64 = 1e-4;

/// How often the moves of vertices are halved whose triangles would turn over [-]; after that they stay where they are.
const HALVINGS: usize = 20;

/// Moves every vertex of a volume so that the planes of its triangles come in by `distance` [m].
///
/// Method: each vertex takes the shortest move that brings all its planes in, in the sense of least squares weighted by corner angle; with up to
///   three different planes it is exact. Where a triangle would turn over its corners move by less, and the report lists it.
/// Fails: where a whole part is too thin.
pub(super) fn inset(
    prepared: &mut Prepared,
    report: &mut ComplexReport,
    distance: f64,
) -> Result<InsetReport, ComplexError> {
    let Prepared { vertices, triangles, part_of, sources, .. } = prepared;
    let parts = &report.parts;
    let solids: Vec<usize> =
        (0..triangles.len()).filter(|&t| parts[part_of[t] as usize].kind != PartKind::Shell).collect();
    let corners = |points: &[Vec3], t: usize| triangles[t].map(|k| points[k as usize]);
    let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(&(c - a)).normalize();
    let normals: Vec<Vec3> = (0..triangles.len()).map(|t| normal(corners(vertices, t))).collect();
    let mut matrix = vec![Mat3::zeros(); vertices.len()];
    let mut right = vec![Vec3::zeros(); vertices.len()];
    for &t in &solids {
        let points = corners(vertices, t);
        for k in 0..3 {
            let (p, q, r) = (points[k], points[(k + 1) % 3], points[(k + 2) % 3]);
            let weight = angle_between(&(q - p), &(r - p));
            let n = normals[t];
            let vertex = triangles[t][k] as usize;
            matrix[vertex] += n * n.transpose() * weight;
            right[vertex] -= n * (weight * distance);
        }
    }
    let mut moves: Vec<Vec3> = matrix.iter().zip(&right).map(|(m, b)| shortest_solution(m, b)).collect();
    let moved_by = |moves: &[Vec3]| -> Vec<Vec3> { vertices.iter().zip(moves).map(|(p, d)| p + d).collect() };
    // The corners of a triangle that turned over: the ends of edges that did, or all; none of one that is kept.
    let turned_over = |moved: &[Vec3], t: usize| -> Vec<u32> {
        let (before, after) = (corners(vertices, t), corners(moved, t));
        // A part thinner than the inset comes out point-reflected: its normals are right, its edges are not.
        let kept = |k: usize| (after[(k + 1) % 3] - after[k]).dot(&(before[(k + 1) % 3] - before[k])) > 0.0;
        // Normals that vanish are no numbers and fail the comparison too.
        let keeps_side = normal(after).dot(&normals[t]) > 0.0;
        let all_kept = (0..3).all(kept);
        let is_end = |k: &usize| if all_kept { !keeps_side } else { !(kept(*k) && kept((k + 2) % 3)) };
        (0..3).filter(is_end).map(|k| triangles[t][k]).collect()
    };

    let mut moved = moved_by(&moves);
    let mut is_reduced = vec![false; vertices.len()];
    for halving in 0..=HALVINGS {
        let mut over: Vec<u32> = solids.iter().flat_map(|&t| turned_over(&moved, t)).collect();
        if over.is_empty() {
            break;
        }
        over.sort_unstable();
        over.dedup();
        for vertex in over {
            let vertex = vertex as usize;
            moves[vertex] *= if halving < HALVINGS { 0.5 } else { 0.0 };
            is_reduced[vertex] = true;
        }
        moved = moved_by(&moves);
    }
    let has_full_corner = |t: usize| triangles[t].iter().any(|k| !is_reduced[*k as usize]);
    for number in 0..parts.len() {
        let mut own = solids.iter().copied().filter(|&t| part_of[t] as usize == number);
        if !own.clone().any(has_full_corner)
            && let Some(first) = own.next()
        {
            return Err(ComplexError::Inset { distance, triangle: sources[first] });
        }
    }

    let mut result = InsetReport { distance, corner_error: 0.0, plane_error: 0.0 };
    for &t in &solids {
        if triangles[t].iter().any(|k| is_reduced[*k as usize]) {
            report.reduced.push(sources[t]);
        }
        for k in triangles[t] {
            let step = moves[k as usize];
            result.plane_error = result.plane_error.max((normals[t].dot(&step) + distance).abs());
            result.corner_error = result.corner_error.max((step.norm() - distance).abs());
        }
    }
    report.reduced.sort_unstable();
    *vertices = moved;
    Ok(result)
}

/// The shortest least-squares solution of a symmetric system; directions that it hardly determines get nothing.
fn shortest_solution(matrix: &Mat3, right: &Vec3) -> Vec3 {
    let eigen = matrix.symmetric_eigen();
    let largest = eigen.eigenvalues.max();
    let mut solution = Vec3::zeros();
    for k in 0..3 {
        let value = eigen.eigenvalues[k];
        if value > WEAK * largest && value > 0.0 {
            let axis = eigen.eigenvectors.column(k).into_owned();
            solution += axis * (axis.dot(right) / value);
        }
    }
    solution
}
