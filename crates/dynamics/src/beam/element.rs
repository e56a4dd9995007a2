//! One element in its own axes: x along the beam, y across, turn about z, at its first node and at its second.

use nalgebra::SMatrix;

use super::Section;

/// A matrix over the six degrees of freedom of an element.
pub(super) type Matrix6 = SMatrix<f64, 6, 6>;

/// Stiffness of an element of a length [m]: bar and Euler-Bernoulli beam.
pub(super) fn stiffness(section: &Section, length: f64) -> Matrix6 {
    let Section { young_modulus: e, area, second_moment, .. } = *section;
    let (a, b) = (e * area / length, e * second_moment / length);
    let (c, d) = (6.0 * b / length, 12.0 * b / (length * length));
    Matrix6::from_row_slice(&[
        a,
        0.0,
        0.0,
        -a,
        0.0,
        0.0, //
        0.0,
        d,
        c,
        0.0,
        -d,
        c, //
        0.0,
        c,
        4.0 * b,
        0.0,
        -c,
        2.0 * b, //
        -a,
        0.0,
        0.0,
        a,
        0.0,
        0.0, //
        0.0,
        -d,
        -c,
        0.0,
        d,
        -c, //
        0.0,
        c,
        2.0 * b,
        0.0,
        -c,
        4.0 * b,
    ])
}

/// Mass with the shape functions of the stiffness: linear along, cubic across.
pub(super) fn consistent_mass(section: &Section, length: f64) -> Matrix6 {
    let m = section.density * section.area * length;
    let (a, b, l) = (m / 6.0, m / 420.0, length);
    let matrix = Matrix6::from_row_slice(&[
        2.0 * a,
        0.0,
        0.0,
        a,
        0.0,
        0.0, //
        0.0,
        156.0 * b,
        22.0 * l * b,
        0.0,
        54.0 * b,
        -13.0 * l * b, //
        0.0,
        22.0 * l * b,
        4.0 * l * l * b,
        0.0,
        13.0 * l * b,
        -3.0 * l * l * b, //
        a,
        0.0,
        0.0,
        2.0 * a,
        0.0,
        0.0, //
        0.0,
        54.0 * b,
        13.0 * l * b,
        0.0,
        156.0 * b,
        -22.0 * l * b, //
        0.0,
        -13.0 * l * b,
        -3.0 * l * l * b,
        0.0,
        -22.0 * l * b,
        4.0 * l * l * b,
    ]);
    debug_assert!((matrix - matrix.transpose()).amax() <= 0.0, "a mass matrix is symmetric");
    matrix
}

/// Half of the mass at each node, with the moment of inertia of a rod of half the length about its end.
pub(super) fn lumped_mass(section: &Section, length: f64) -> Matrix6 {
    let half = 0.5 * section.density * section.area * length;
    let turn = half * (0.5 * length) * (0.5 * length) / 3.0;
    Matrix6::from_diagonal(&[half, half, turn, half, half, turn].into())
}

/// A matrix of an element in the axes of the frame, from its own axes; the element runs along a unit vector.
pub(super) fn rotated(matrix: &Matrix6, [c, s]: [f64; 2]) -> Matrix6 {
    let mut turn = Matrix6::identity();
    for k in [0, 3] {
        (turn[(k, k)], turn[(k, k + 1)]) = (c, s);
        (turn[(k + 1, k)], turn[(k + 1, k + 1)]) = (-s, c);
    }
    turn.transpose() * matrix * turn
}
