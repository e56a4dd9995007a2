//! Two faces: where their affine hulls are nearest, and whether that is a quasi-LMD.
//!
//! In: simplices in one frame with their classes and cones. Out: the two points, or nothing. Merlhiot 2007, section 6.3, with closed
//! inequalities. Works in the frame of A; same bits every time.

use zerogap_core::math::{angle_between, sin};
use zerogap_core::{Mat3, Vec3};
use zerogap_geometry::Complex;
use zerogap_geometry::complex::Simplex;

use super::query::QuasiParams;
use super::table::{compatible, leaning};

/// The nearest points of two affine hulls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Nearest {
    /// The point of the first [m].
    pub(super) point: Vec3,
    /// From it to the point of the second, perpendicular to both [m].
    pub(super) offset: Vec3,
    /// By how much the points are inside their faces, in barycentric coordinates [-]: negative outside.
    pub(super) inside: f64,
    /// The sign of the offset along the direction that both faces define, for a vertex and a triangle and for two edges; 1 otherwise.
    pub(super) side: f64,
}

impl Nearest {
    /// The same seen from the second.
    fn swapped(self) -> Self {
        Self { point: self.point + self.offset, offset: -self.offset, ..self }
    }
}

/// The nearest points of the affine hulls of two simplices; none where they are not unique, or for an edge or triangle against a triangle.
pub(super) fn nearest(first: &Simplex, second: &Simplex, parallel: f64) -> Option<Nearest> {
    match (first, second) {
        (Simplex::Point([p]), Simplex::Point([q])) => {
            Some(Nearest { point: *p, offset: q - p, inside: 1.0, side: 1.0 })
        }
        (Simplex::Point([p]), Simplex::Segment(edge)) => point_edge(p, edge),
        (Simplex::Segment(edge), Simplex::Point([q])) => point_edge(q, edge).map(Nearest::swapped),
        (Simplex::Point([p]), Simplex::Triangle(corners)) => point_triangle(p, corners),
        (Simplex::Triangle(corners), Simplex::Point([q])) => point_triangle(q, corners).map(Nearest::swapped),
        (Simplex::Segment(first), Simplex::Segment(second)) => edge_edge(first, second, parallel),
        _ => None,
    }
}

fn point_edge(p: &Vec3, [a, b]: &[Vec3; 2]) -> Option<Nearest> {
    let along = b - a;
    let squared = along.norm_squared();
    let (from_a, from_b) = (along.dot(&(p - a)), along.dot(&(p - b)));
    // Measured from the nearer end, where fewer digits cancel, and made perpendicular once more.
    let rough = if from_a <= -from_b {
        a - p + along * (from_a / squared)
    } else {
        b - p + along * (from_b / squared)
    };
    let offset = rough - along * (along.dot(&rough) / squared);
    let inside = from_a.min(-from_b) / squared;
    offset.x.is_finite().then_some(Nearest { point: *p, offset, inside, side: 1.0 })
}

fn point_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Option<Nearest> {
    let n = (b - a).cross(&(c - a));
    let squared = n.norm_squared();
    let height = n.dot(&(p - a)) / squared;
    let offset = n * -height;
    let q = p + offset;
    let (qa, qb, qc) = (a - q, b - q, c - q);
    let weights = [qb.cross(&qc), qc.cross(&qa), qa.cross(&qb)].map(|area| area.dot(&n) / squared);
    let inside = weights[0].min(weights[1]).min(weights[2]);
    inside.is_finite().then_some(Nearest { point: *p, offset, inside, side: 1.0_f64.copysign(height) })
}

fn edge_edge([a1, b1]: &[Vec3; 2], [a2, b2]: &[Vec3; 2], parallel: f64) -> Option<Nearest> {
    let (d1, d2, r) = (b1 - a1, b2 - a2, a2 - a1);
    let across = d1.cross(&d2);
    let squared = across.norm_squared();
    if squared <= parallel * parallel * d1.norm_squared() * d2.norm_squared() {
        return None;
    }
    let s = r.cross(&d2).dot(&across) / squared;
    let t = r.cross(&d1).dot(&across) / squared;
    let height = r.dot(&across) / squared;
    let inside = s.min(1.0 - s).min(t).min(1.0 - t);
    inside.is_finite().then(|| Nearest {
        point: a1 + d1 * s,
        offset: across * height,
        inside,
        side: 1.0_f64.copysign(height),
    })
}

/// What two faces make.
pub(super) enum Verdict {
    /// No quasi-LMD.
    Nothing,
    /// They touch: the base complexes are not apart.
    Touch,
    /// A quasi-LMD: the points of both in the frame of A and their distance.
    Hit(Nearest, f64),
}

/// Whether two faces make a quasi-LMD; `r` and `t` place the second complex in the frame of the first.
pub(super) fn judge(
    (a, face_a): (&Complex, u32),
    (b, face_b): (&Complex, u32),
    (r, t): (&Mat3, &Vec3),
    params: &QuasiParams,
    cutoff: f64,
) -> Verdict {
    let (one, two) = (a.face(face_a), b.face(face_b));
    let (mask_a, mask_b) = (1 << one.class, 1 << two.class);
    if !compatible(mask_a, mask_b) {
        return Verdict::Nothing;
    }
    let moved = b.simplex(face_b).map(|p| r * p + t);
    let Some(found) = nearest(&a.simplex(face_a), &moved, params.parallel_tolerance) else {
        return Verdict::Nothing;
    };
    if found.inside < -params.inside_tolerance {
        return Verdict::Nothing;
    }
    let distance = found.offset.norm();
    if distance > cutoff || distance.is_nan() {
        return Verdict::Nothing;
    }
    if distance == 0.0 {
        return Verdict::Touch;
    }
    let (lean_a, lean_b) = leaning(mask_a, mask_b);
    let slack = |leans: bool| if leans { params.angular_tolerance } else { 0.0 };
    let z = found.offset / distance;
    if points_out(a, face_a, &z, slack(lean_a), params.angle_tolerance)
        && points_out(b, face_b, &-r.tr_mul(&z), slack(lean_b), params.angle_tolerance)
    {
        Verdict::Hit(found, distance)
    } else {
        Verdict::Nothing
    }
}

/// Whether a direction lies in the polar cone of a face when that is widened by `slack` [rad].
pub(super) fn points_out(complex: &Complex, face: u32, z: &Vec3, slack: f64, tolerance: f64) -> bool {
    let limit = sin(slack) + tolerance;
    let this = complex.face(face);
    complex.directions(face).iter().all(|u| z.dot(u) <= limit)
        && (this.half >= std::f64::consts::PI
            || angle_between(z, &this.axis) <= this.half + slack + tolerance)
}
