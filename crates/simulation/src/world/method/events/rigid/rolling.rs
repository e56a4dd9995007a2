//! How a contact point wanders over two surfaces that roll and slide on each other.
//!
//! In: how curved both surfaces are at the contact, and how their bodies move. Out: the velocity of the contact point over either surface and the rate of
//! the normal. A ball that rolls has zero velocity at its contact but not zero acceleration there; what the contact point's own motion adds to the
//! acceleration of the gap is what keeps it closed.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;
use zerogap_geometry::shape::{Flat, SurfaceRadii};

/// Pivots smaller than this against the largest mean that the surfaces do not determine the contact point: a face on a face [-].
const SINGULAR: f64 = 1e-9;

/// One surface at a contact, in world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    pub(crate) radii: SurfaceRadii,
    /// Angular velocity of its body [rad/s].
    pub(crate) turning: Vec3,
}

/// The motion of a contact point.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Wandering {
    /// Velocity of the contact point over A, and over B [m/s].
    pub(crate) over_a: Vec3,
    pub(crate) over_b: Vec3,
    /// Rate of the normal in the world [1/s].
    pub(crate) normal_rate: Vec3,
}

/// Computes the motion of the contact point of two surfaces that touch.
///
/// Computes: `c_A`, `c_B` and the rate `w` of the normal, from `c_A - c_B = slip` (one point of space), `c_A = R_A (w - ω_A × n)` and
///   `c_B = -R_B (w - ω_B × n)`, with R the matrix of radii of each surface.
/// Frames: world axes; `normal` from A to B.
/// Method: contact kinematics of Montana 1988, written with radii in place of curvatures, so that corners (radius 0) are as simple as balls; along a
///   direction in which a surface is flat the normal cannot turn against it, and the point may wander at a rate that is an unknown of its own.
/// Fails: where both surfaces have the same curvature, or both are corners, the point is taken to stay with B.
pub(crate) fn wandering(normal: &Vec3, slip: &Vec3, a: &Surface, b: &Surface) -> Wandering {
    let (t1, t2) = tangents(normal);
    solved(normal, [t1, t2], slip, a, b).unwrap_or_else(|| {
        // The point stays where it is on B.
        let slip = slip - normal * normal.dot(slip);
        Wandering { over_a: slip, over_b: Vec3::zeros(), normal_rate: a.turning.cross(normal) }
    })
}

fn solved(normal: &Vec3, basis: [Vec3; 2], slip: &Vec3, a: &Surface, b: &Surface) -> Option<Wandering> {
    let in_plane = |v: &Vec3| [basis[0].dot(v), basis[1].dot(v)];
    let radii = |s: &Surface| basis.map(|row| in_plane(&(s.radii.radii * row)));
    let turned = |s: &Surface| in_plane(&s.turning.cross(normal));
    let flats = |s: &Surface| match s.radii.flat {
        Flat::None => (0, [[0.0; 2]; 2]),
        Flat::Along(direction) => {
            let d = in_plane(&direction);
            let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
            (1, [[d[0] / length, d[1] / length], [0.0; 2]])
        }
        Flat::All => (2, [[1.0, 0.0], [0.0, 1.0]]),
    };
    let (radii_a, radii_b, turned_a, turned_b) = (radii(a), radii(b), turned(a), turned(b));
    let ((count_a, flats_a), (count_b, flats_b)) = (flats(a), flats(b));
    let slip = in_plane(slip);

    // Unknowns: the rate of the normal times a length, then the wandering along flat directions of A and of B.
    let size = radii_a.iter().chain(&radii_b).flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let size = if size > 0.0 { size } else { 1.0 };
    let count = 2 + count_a + count_b;
    let mut system = [[0.0; 7]; 6];
    for k in 0..2 {
        let row = &mut system[k];
        row[6] = slip[k];
        for j in 0..2 {
            row[j] = (radii_a[k][j] + radii_b[k][j]) / size;
            row[6] += radii_a[k][j] * turned_a[j] + radii_b[k][j] * turned_b[j];
        }
        for (f, flat) in flats_a.iter().take(count_a).enumerate() {
            row[2 + f] = flat[k];
        }
        for (f, flat) in flats_b.iter().take(count_b).enumerate() {
            row[2 + count_a + f] = -flat[k];
        }
    }
    let tied = flats_a.iter().take(count_a).map(|flat| (flat, turned_a));
    for (k, (flat, turned)) in
        tied.chain(flats_b.iter().take(count_b).map(|flat| (flat, turned_b))).enumerate()
    {
        let row = &mut system[2 + k];
        row[..2].copy_from_slice(flat);
        row[6] = size * (flat[0] * turned[0] + flat[1] * turned[1]);
    }
    let x = eliminated(&mut system, count)?;

    // Back to space.
    let rate = [x[0] / size, x[1] / size];
    let over = |radii: &[[f64; 2]; 2], turned: [f64; 2], sign: f64, flats: &[[f64; 2]], from: usize| {
        let mut v = [0.0; 2];
        for k in 0..2 {
            v[k] = sign * (0..2).map(|j| radii[k][j] * (rate[j] - turned[j])).sum::<f64>();
            v[k] += flats.iter().enumerate().map(|(f, flat)| x[from + f] * flat[k]).sum::<f64>();
        }
        basis[0] * v[0] + basis[1] * v[1]
    };
    Some(Wandering {
        over_a: over(&radii_a, turned_a, 1.0, &flats_a[..count_a], 2),
        over_b: over(&radii_b, turned_b, -1.0, &flats_b[..count_b], 2 + count_a),
        normal_rate: basis[0] * rate[0] + basis[1] * rate[1],
    })
}

/// Gaussian elimination with full pivoting of the first `count` rows and columns; the right-hand side is column 6.
fn eliminated(system: &mut [[f64; 7]; 6], count: usize) -> Option<[f64; 6]> {
    let mut columns = [0, 1, 2, 3, 4, 5];
    let mut largest = 0.0_f64;
    for k in 0..count {
        let pivots = (k..count).flat_map(|r| (k..count).map(move |c| (r, c)));
        let (r, c) = pivots.fold((k, k), |best, at| {
            if system[at.0][at.1].abs() > system[best.0][best.1].abs() { at } else { best }
        });
        system.swap(k, r);
        columns.swap(k, c);
        for row in system.iter_mut() {
            row.swap(k, c);
        }
        let pivot = system[k][k];
        largest = largest.max(pivot.abs());
        // Zero is singular whatever the largest is.
        if pivot == 0.0 || pivot.abs() <= SINGULAR * largest {
            return None;
        }
        for below in k + 1..count {
            let factor = system[below][k] / pivot;
            for j in (k..count).chain([6]) {
                system[below][j] -= factor * system[k][j];
            }
        }
    }
    let mut x = [0.0; 6];
    for k in (0..count).rev() {
        let known: f64 = (k + 1..count).map(|j| system[k][j] * x[columns[j]]).sum();
        x[columns[k]] = (system[k][6] - known) / system[k][k];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use zerogap_core::Mat3;

    use super::*;

    fn ball(radius: f64, turning: Vec3) -> Surface {
        let n = Vec3::z();
        let radii = (Mat3::identity() - n * n.transpose()) * radius;
        Surface { radii: SurfaceRadii { radii, flat: Flat::None }, turning }
    }

    fn flat(flat: Flat, turning: Vec3) -> Surface {
        Surface { radii: SurfaceRadii { radii: Mat3::zeros(), flat }, turning }
    }

    #[test]
    fn a_rolling_ball_leaves_the_same_path_on_the_floor_and_on_itself() {
        // Floor A, ball B of radius 0.5 above it, rolling along x: ω = v/r about y.
        let w = wandering(
            &Vec3::z(),
            &Vec3::zeros(),
            &flat(Flat::All, Vec3::zeros()),
            &ball(0.5, Vec3::new(0.0, 4.0, 0.0)),
        );
        assert!((w.over_a - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-14, "{w:?}");
        assert!((w.over_b - w.over_a).norm() < 1e-14 && w.normal_rate.norm() < 1e-14);
    }

    #[test]
    fn a_sliding_ball_keeps_its_contact_point_and_the_floor_sees_it_move() {
        let slip = Vec3::new(3.0, 0.0, 0.0);
        let w = wandering(&Vec3::z(), &slip, &flat(Flat::All, Vec3::zeros()), &ball(0.5, Vec3::zeros()));
        assert!((w.over_a - slip).norm() < 1e-14 && w.over_b.norm() < 1e-14);
    }

    #[test]
    fn a_ball_that_slides_on_a_ball_turns_the_normal() {
        // B (radius 1) slides on A (radius 2) at speed 3 without turning: its centre goes round at 3/3 = 1 rad/s.
        let w = wandering(
            &Vec3::z(),
            &Vec3::new(3.0, 0.0, 0.0),
            &ball(2.0, Vec3::zeros()),
            &ball(1.0, Vec3::zeros()),
        );
        assert!((w.normal_rate - Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-14, "{w:?}");
        assert!((w.over_a - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-14);
        assert!((w.over_b - Vec3::new(-1.0, 0.0, 0.0)).norm() < 1e-14);
    }

    #[test]
    fn crossed_edges_meet_where_both_lines_pass() {
        // A along x, B along y, B moves along (1, 1): the crossing moves along A by 1 and along B by -1.
        let w = wandering(
            &Vec3::z(),
            &Vec3::new(1.0, 1.0, 0.0),
            &flat(Flat::Along(Vec3::x()), Vec3::zeros()),
            &flat(Flat::Along(Vec3::y()), Vec3::zeros()),
        );
        assert!((w.over_a - Vec3::x()).norm() < 1e-14 && (w.over_b + Vec3::y()).norm() < 1e-14, "{w:?}");
    }

    #[test]
    fn faces_on_faces_and_corners_on_corners_keep_the_point_on_b() {
        let slip = Vec3::new(0.3, -0.2, 0.0);
        for kind in [Flat::All, Flat::None, Flat::Along(Vec3::x())] {
            let w = wandering(&Vec3::z(), &slip, &flat(kind, Vec3::x()), &flat(kind, Vec3::zeros()));
            assert!((w.over_a - slip).norm() < 1e-14 && w.over_b.norm() < 1e-14, "{kind:?}");
        }
    }
}
