//! Real meshes in a folder beside the repository, where it is there: each against the others, clean or dirty, without a panic.

use std::path::Path;

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::import::{ImportOptions, read_mesh};
use zerogap_geometry::{Complex, ComplexOptions};
use zerogap_proximity::lmd::{ComplexBody, QuasiParams, QuasiStatus, quasi_contacts};

#[test]
fn every_shared_mesh_meets_the_next_one() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!(
            "skipped: ../shared/data/meshes is not here; generated and dirty meshes are tested elsewhere"
        );
        return;
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "obj" || e == "stl"));
    paths.sort();
    // All scaled to a size of 0.1 m, so that any two can meet.
    let bodies: Vec<(String, ComplexBody)> = paths
        .iter()
        .map(|path| {
            let mesh = read_mesh(path, &ImportOptions::default()).unwrap().mesh;
            let mesh = mesh.scaled(0.1 / mesh.bounding_box().diagonal()).unwrap();
            let complex = Complex::from_mesh(&mesh, &ComplexOptions::default()).unwrap();
            (path.file_name().unwrap().display().to_string(), ComplexBody::new(complex))
        })
        .collect();
    let params = QuasiParams { within: 2e-3, ..QuasiParams::default() };
    for (k, (name, a)) in bodies.iter().enumerate() {
        let (other, b) = &bodies[(k + 1) % bodies.len()];
        let (mut contacts, mut crossing) = (0, 0);
        let (box_a, box_b) = (a.complex().unwrap().bounding_box(), b.complex().unwrap().bounding_box());
        for step in 0..6 {
            // From beside each other to into each other, along x.
            let apart = box_a.max.x - box_b.min.x + 1e-3 - 1e-3 * f64::from(step * step);
            let middle = box_a.center() - box_b.center();
            let pose = Pose::from_translation(Vec3::new(apart, middle.y, middle.z)).unwrap();
            let (found, status) = quasi_contacts(a, &Pose::identity(), b, &pose, &params);
            contacts += found.len();
            crossing += usize::from(status == QuasiStatus::BaseIntersecting);
            let least = found.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
            assert!(found.iter().all(|c| c.distance.is_finite()));
            if step == 0 {
                assert_eq!(status, QuasiStatus::Separated { base_distance: least.min(params.within) });
            }
        }
        println!("{name} and {other}: {contacts} contacts in six places, {crossing} of them crossing");
    }
}
