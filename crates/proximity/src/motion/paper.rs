//! The dynamic tests of Lennerz, Schömer and Warken 1999, as they are: fast, for small steps, and neither conservative nor complete.
//!
//! In: corner positions at the start and the end of a step. Out: a [`Crossing`] or none. Kept for comparison and for reproducing results of
//! that paper. They take the distance of a vertex from a face, or of two lines, as linear in time, which it is not; on random queries
//! with large motions they miss every third collision (`docs/impact.md` has the counts). [`super::vertex_face`] and [`super::edge_edge`] miss none.

use zerogap_core::Vec3;
use zerogap_core::math::unit_normal;

use super::cubic::roots;

/// Sides of a face from which a vertex may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    /// From where its corners turn counter-clockwise alone.
    One,
    /// From both.
    Both,
}

/// A collision that the tests find.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Time, from 0 at the start of the step to 1 at its end [-].
    pub t: f64,
    /// Point of the collision [m].
    pub point: Vec3,
    /// Unit normal of the face, or across both edges [-].
    pub normal: Vec3,
}

/// A vertex against a face (section 3.1 of the paper).
///
/// The distances from the face's plane at the start and the end make a line; where it crosses zero, the vertex must project into the face.
pub fn vertex_face(
    start: &Vec3,
    end: &Vec3,
    face_start: &[Vec3; 3],
    face_end: &[Vec3; 3],
    sides: Sides,
) -> Option<Crossing> {
    let (n0, n1) = (unit_normal(face_start)?, unit_normal(face_end)?);
    let (d0, d1) = (n0.dot(&(start - face_start[0])), n1.dot(&(end - face_end[0])));
    // Approaching, from the front; or, with both sides, from behind as well.
    let from_front = d0 > d1 && d0 >= 0.0;
    let from_behind = sides == Sides::Both && d0 < d1 && d0 <= 0.0;
    let t = d0 / (d0 - d1);
    if !((from_front || from_behind) && (0.0..=1.0).contains(&t)) {
        return None;
    }
    let vertex = start + (end - start) * t;
    let face: [Vec3; 3] = std::array::from_fn(|k| face_start[k] + (face_end[k] - face_start[k]) * t);
    let n = unit_normal(&face)?;
    // In the prism over the face.
    let is_inside = (0..3).all(|k| {
        let (from, to) = (face[k], face[(k + 1) % 3]);
        n.cross(&(to - from)).dot(&(vertex - from)) >= 0.0
    });
    is_inside.then_some(Crossing { t, point: vertex, normal: n })
}

/// An edge against an edge (section 3.2 of the paper). Each edge comes with a face on it: its two ends, then the third corner.
///
/// Times at which the ends of the first edge lie on different sides of the second one's face; at both ends of each such time, the
/// distance of the two lines; where the line between these crosses zero, both nearest points must lie on the edges. Where the ends of the first edge never change
/// sides and are not on different ones either, the roles are swapped.
pub fn edge_edge(
    a_start: &[Vec3; 3],
    a_end: &[Vec3; 3],
    b_start: &[Vec3; 3],
    b_end: &[Vec3; 3],
) -> Option<Crossing> {
    let found = through_face(a_start, a_end, b_start, b_end);
    let back = || through_face(b_start, b_end, a_start, a_end);
    match found {
        Through::Crossing(crossing) => Some(crossing),
        Through::NotFound => None,
        Through::NeverAcross => match back() {
            Through::Crossing(crossing) => Some(Crossing { normal: -crossing.normal, ..crossing }),
            _ => None,
        },
    }
}

/// How a test through one face ended.
enum Through {
    Crossing(Crossing),
    NotFound,
    /// The ends are never on different sides.
    NeverAcross,
}

fn through_face(a_start: &[Vec3; 3], a_end: &[Vec3; 3], b_start: &[Vec3; 3], b_end: &[Vec3; 3]) -> Through {
    // Heights of A's ends over B's face, cubic in time with a normal of any length.
    let heights = [0, 1].map(|k| {
        let from = [b_start[1] - b_start[0], b_start[2] - b_start[0], a_start[k] - b_start[0]];
        let to = [b_end[1] - b_end[0], b_end[2] - b_end[0], a_end[k] - b_end[0]];
        determinant(&from, &to)
    });
    let mut borders = vec![0.0, 1.0];
    for height in &heights {
        borders.extend_from_slice(roots(height).as_slice());
    }
    borders.sort_by(f64::total_cmp);
    let value = |c: &[f64; 4], t: f64| ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
    let mut is_across = false;
    for window in borders.windows(2) {
        let (t1, t2) = (window[0], window[1]);
        let middle = 0.5 * (t1 + t2);
        // A comparison of signs, which do not change in between.
        if t1 >= t2 || value(&heights[0], middle) * value(&heights[1], middle) >= 0.0 {
            continue;
        }
        is_across = true;
        let at = |t: f64| {
            let place =
                |start: &[Vec3; 3], end: &[Vec3; 3]| [0, 1].map(|k| start[k] + (end[k] - start[k]) * t);
            (place(a_start, a_end), place(b_start, b_end))
        };
        let (Some(d1), Some(d2)) = (line_distance(&at(t1)), line_distance(&at(t2))) else { continue };
        if d1 * d2 > 0.0 {
            continue;
        }
        // Both zero: in contact all the while.
        let part = if d1 == 0.0 { 0.0 } else { d1 / (d1 - d2) };
        let t = t1 + (t2 - t1) * part;
        if let Some((point, normal)) = between_ends(&at(t)) {
            return Through::Crossing(Crossing { t, point, normal });
        }
    }
    if is_across { Through::NotFound } else { Through::NeverAcross }
}

/// Two edges at one time.
type Edges = ([Vec3; 2], [Vec3; 2]);

/// Signed distance of the lines through two edges; none for parallel ones.
fn line_distance((a, b): &Edges) -> Option<f64> {
    let across = (a[1] - a[0]).cross(&(b[1] - b[0]));
    let length = across.norm();
    let distance = across.dot(&(a[0] - b[0])) / length;
    distance.is_finite().then_some(distance)
}

/// The nearest point of the first line and the direction across, if both nearest points lie between the ends.
fn between_ends((a, b): &Edges) -> Option<(Vec3, Vec3)> {
    let (e, f, d) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let across = e.cross(&f);
    let squared = across.norm_squared();
    let (u, v) = (d.cross(&f).dot(&across) / squared, d.cross(&e).dot(&across) / squared);
    let range = 0.0..=1.0;
    (range.contains(&u) && range.contains(&v)).then(|| (a[0] + e * u, across / squared.sqrt()))
}

/// Coefficients of the determinant of three vectors that each move from one place to another, linear in time.
fn determinant(from: &[Vec3; 3], to: &[Vec3; 3]) -> [f64; 4] {
    let step: [Vec3; 3] = std::array::from_fn(|k| to[k] - from[k]);
    let of = |u: &Vec3, v: &Vec3, w: &Vec3| u.cross(v).dot(w);
    let [u, v, w] = from;
    let [x, y, z] = &step;
    [
        of(u, v, w),
        of(x, v, w) + of(u, y, w) + of(u, v, z),
        of(x, y, w) + of(x, v, z) + of(u, y, z),
        of(x, y, z),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [Vec3; 3] = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];

    fn falls(from: Vec3, to: Vec3, sides: Sides) -> Option<f64> {
        vertex_face(&from, &to, &FACE, &FACE, sides).map(|crossing| crossing.t)
    }

    #[test]
    fn a_vertex_meets_a_face_from_the_sides_that_were_asked_for() {
        let y = Vec3::y();
        assert_eq!(falls(y, -y, Sides::One), Some(0.5));
        assert_eq!(falls(y, Vec3::zeros(), Sides::One), Some(1.0));
        assert_eq!(falls(-y, y, Sides::One), None);
        assert_eq!(falls(-y, y, Sides::Both), Some(0.5));
        let beside = Vec3::new(2.0, 0.0, 0.0);
        assert_eq!(falls(beside + y, beside - y, Sides::Both), None);
    }

    #[test]
    fn edges_cross_in_the_middle() {
        let b = [-Vec3::y(), Vec3::y(), Vec3::new(0.1, 0.0, -1.0)];
        let a = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 2.0)];
        let down = |p: Vec3| p - Vec3::z() * 2.0;
        let crossing = edge_edge(&a, &a.map(down), &b, &b).unwrap();
        assert!((crossing.t - 0.5).abs() < 1e-15 && crossing.point.amax() < 1e-15);
        assert!((crossing.normal.z.abs() - 1.0).abs() < 1e-15);
        let beside = a.map(|p| p + 2.0 * Vec3::y());
        assert_eq!(edge_edge(&beside, &beside.map(down), &b, &b), None);
    }

    #[test]
    fn a_determinant_of_moving_vectors_has_its_values() {
        let from = [Vec3::new(1.0, 2.0, 0.5), Vec3::new(0.0, -1.0, 2.0), Vec3::new(3.0, 0.2, 0.1)];
        let to = [Vec3::new(0.3, 2.0, 1.5), Vec3::new(1.0, 1.0, 2.5), Vec3::new(-3.0, 0.7, 0.1)];
        let c = determinant(&from, &to);
        for t in [0.0, 0.3, 1.0] {
            let at: [Vec3; 3] = std::array::from_fn(|k| from[k] + (to[k] - from[k]) * t);
            let value = ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
            assert!((value - at[0].cross(&at[1]).dot(&at[2])).abs() < 1e-12);
        }
    }
}
