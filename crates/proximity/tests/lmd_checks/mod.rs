//! Bodies and comparisons for the tests of quasi-LMDs.
#![allow(dead_code, reason = "each test binary uses some of them")]

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::complex::{Simplices, Treatment};
use zerogap_geometry::{Complex, ComplexOptions};
use zerogap_proximity::lmd::{
    ComplexBody, QuasiContact, QuasiParams, QuasiStatus, QuasiWork, quasi_contacts_brute, quasi_contacts_into,
};
use zerogap_testkit::solids::{self, Arrays};

/// A body of triangles, volume or shell as they are.
pub(crate) fn body(arrays: Arrays) -> ComplexBody {
    with(arrays, &ComplexOptions::default())
}

/// A body of triangles that is a shell.
pub(crate) fn shell(arrays: Arrays) -> ComplexBody {
    with(arrays, &ComplexOptions { treatment: Treatment::Shell, ..ComplexOptions::default() })
}

pub(crate) fn with((vertices, triangles): Arrays, options: &ComplexOptions) -> ComplexBody {
    let simplices = Simplices { vertices, triangles, ..Simplices::default() };
    ComplexBody::new(Complex::new(&simplices, options).unwrap())
}

/// A polyline, or a point.
pub(crate) fn line(points: &[[f64; 3]]) -> ComplexBody {
    let vertices: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
    let edges = (1..vertices.len() as u32).map(|k| [k - 1, k]).collect();
    let points = if vertices.len() == 1 { vec![0] } else { vec![] };
    let simplices = Simplices { vertices, edges, points, ..Simplices::default() };
    ComplexBody::new(Complex::new(&simplices, &ComplexOptions::default()).unwrap())
}

/// One big triangle in the plane z = 0.
pub(crate) fn plane() -> ComplexBody {
    let corners = [[-100.0, -100.0, 0.0], [200.0, -100.0, 0.0], [-100.0, 200.0, 0.0]];
    body((corners.map(Vec3::from).to_vec(), vec![[0, 1, 2]]))
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// Turned by degrees about an axis, with its lowest vertex at a height.
pub(crate) fn turned_to_height(body: &ComplexBody, axis: [f64; 3], degrees: f64, height: f64) -> Pose {
    let turned = Pose::from_axis_angle(Vec3::zeros(), axis.into(), degrees.to_radians()).unwrap();
    let vertices = body.complex().unwrap().vertices().iter();
    let lowest = vertices.map(|p| turned.transform_point(p).z).fold(f64::INFINITY, f64::min);
    Pose::from_axis_angle(Vec3::new(0.0, 0.0, height - lowest), axis.into(), degrees.to_radians()).unwrap()
}

pub(crate) fn degrees(angular_tolerance: f64) -> QuasiParams {
    QuasiParams { angular_tolerance: angular_tolerance.to_radians(), ..QuasiParams::default() }
}

pub(crate) fn within(cutoff: f64) -> QuasiParams {
    QuasiParams { within: cutoff, ..QuasiParams::default() }
}

/// What a query found: contacts, status, and how many there were before merging.
pub(crate) struct FoundContact {
    pub(crate) contacts: Vec<QuasiContact>,
    pub(crate) status: QuasiStatus,
    pub(crate) raw: usize,
    pub(crate) work: QuasiWork,
}

impl FoundContact {
    pub(crate) fn count(&self) -> usize {
        self.contacts.len()
    }

    /// Distances, ascending.
    pub(crate) fn distances(&self) -> Vec<f64> {
        let mut distances: Vec<f64> = self.contacts.iter().map(|c| c.distance).collect();
        distances.sort_by(f64::total_cmp);
        distances
    }

    /// How many contacts have these classes.
    pub(crate) fn of_classes(&self, a: u8, b: u8) -> usize {
        self.contacts.iter().filter(|c| c.classes == [a, b]).count()
    }

    pub(crate) fn least(&self) -> f64 {
        self.distances()[0]
    }

    #[track_caller]
    pub(crate) fn has_distances(&self, expected: &[f64], tolerance: f64) {
        let found = self.distances();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= tolerance, "{found} against {expected}");
        }
    }
}

/// A query, checked against all pairs of faces and for what every answer must hold.
#[track_caller]
pub(crate) fn find(
    a: &ComplexBody,
    pose_a: &Pose,
    b: &ComplexBody,
    pose_b: &Pose,
    params: &QuasiParams,
) -> FoundContact {
    let (mut work, mut contacts) = (QuasiWork::default(), Vec::new());
    let status = quasi_contacts_into(a, pose_a, b, pose_b, params, &mut work, &mut contacts);
    if a.complex().is_some() && b.complex().is_some() {
        assert_eq!(contacts, quasi_contacts_brute(a, pose_a, b, pose_b, params), "all pairs of faces");
    }
    for contact in &contacts {
        let c = &contact.contact;
        assert!((c.normal.norm() - 1.0).abs() < 1e-14);
        assert!(
            (contact.base_b - contact.base_a - c.normal * contact.distance).amax() < 1e-12,
            "{contact:?}"
        );
        assert!((c.point_b - c.point_a - c.normal * c.gap).amax() < 1e-12, "{contact:?}");
        assert!((c.gap - (contact.distance - a.dilation() - b.dilation())).abs() < 1e-15);
        let same = contact.at(a, pose_a, b, pose_b).unwrap();
        assert!((same.distance - contact.distance).abs() < 1e-13, "{contact:?} {same:?}");
        assert!((same.normal - c.normal).amax() < 1e-12 / contact.distance, "{contact:?} {same:?}");
    }
    FoundContact { raw: work.raw_count(), contacts, status, work }
}

/// A body of each family, at most a few hundred faces each.
pub(crate) fn families() -> Vec<(&'static str, ComplexBody)> {
    vec![
        ("cube", body(solids::cube())),
        ("octahedron", body(solids::octahedron())),
        ("icosphere", body(solids::icosphere(1))),
        ("L prism", body(solids::l_prism(1.0))),
        ("block with a hole", body(solids::block_with_hole(1.0, 0.5, 1.0, None))),
        ("block with a pocket", body(solids::block_with_hole(1.0, 0.5, 1.0, Some(0.3)))),
        ("shell", shell(solids::grid(1.5, 1.0, 3, 2))),
        ("closed shell", shell(solids::cube())),
        ("polyline", line(&[[-1.0, 0.0, 0.0], [0.0, 0.3, 0.1], [0.5, 0.4, 0.8], [1.0, -0.5, 0.2]])),
        ("point", line(&[[0.1, 0.2, 0.3]])),
    ]
}
