//! Real meshes in a folder beside the repository, where it is there: every file against the table that came with it.

use std::path::{Path, PathBuf};

use zerogap_geometry::import::{ImportOptions, read_mesh};

/// The folder of meshes; none where it is absent.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    folder.join("README.md").is_file().then_some(folder)
}

/// Whether the table may show `found` as `shown`: it rounds to 1e-5 first and to four significant digits then.
fn shows(found: f64, shown: f64) -> bool {
    let scientific = format!("{shown:e}");
    let exponent: i32 = scientific.split_once('e').map_or(0, |(_, exponent)| exponent.parse().unwrap());
    let half_digit = 0.5 * 10_f64.powi(exponent - 3);
    (found - shown).abs() <= half_digit.max(0.5e-5) * (1.0 + 1e-9)
}

#[test]
fn every_mesh_is_what_its_table_says() {
    let Some(folder) = folder() else {
        println!("skipped: ../shared/data/meshes is not here; other tests cover the readers and the report");
        return;
    };
    let table = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| file"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() >= 20, "the table has only {} rows", rows.len());
    for row in rows {
        let path = folder.join(row[0]);
        let imported = read_mesh(&path, &ImportOptions::default()).unwrap();
        let report = imported.mesh.topology();
        let size = imported.mesh.bounding_box().size();
        assert_eq!(report.triangles.to_string(), row[3], "triangles of {}", row[0]);
        assert_eq!(report.welded_vertices.to_string(), row[4], "welded vertices of {}", row[0]);
        assert_eq!(report.components.to_string(), row[5], "components of {}", row[0]);
        assert_eq!(report.summary(), row[6], "topology of {}", row[0]);
        let extents: Vec<f64> = row[7].split(" x ").map(|number| number.parse().unwrap()).collect();
        assert_eq!(extents.len(), 3);
        for (found, &shown) in size.iter().zip(&extents) {
            assert!(shows(*found, shown), "extent of {}: {size:?} against {extents:?}", row[0]);
        }
        // What the table calls closed has a positive volume, so it is solid to every later question.
        if report.watertight {
            let mass = imported.mesh.mass_properties(1000.0).unwrap();
            assert!(mass.mass > 0.0 && mass.principal_moments().min() > 0.0, "{}: {mass:?}", row[0]);
        }
        println!(
            "{}: {} triangles, {} welded, {} unused, {}, χ = {}",
            row[0],
            report.triangles,
            report.welded_vertices,
            report.unused_vertices,
            report.summary(),
            report.euler_characteristic
        );
    }
}
