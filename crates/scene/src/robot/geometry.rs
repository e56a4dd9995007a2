//! Meshes of robot files: found, scaled and taken by their convex hulls.

use std::path::{Path, PathBuf};

use zerogap_core::Vec3;
use zerogap_geometry::{GeometryError, MassProperties, Shape, TriangleMesh};
use zerogap_simulation::settings::hull;

use crate::error::SceneError;
use zerogap_geometry::target::{ReadOptions, Target};

/// How a robot file gives the unit of a mesh.
const UNIT: &str = "write scale=\"0.001 0.001 0.001\" at the mesh for millimetres";

/// A mesh file of a robot.
pub(super) struct RobotMesh {
    /// Its convex hull.
    pub(super) shape: Shape,
    /// Mass for a density of 1 kg/m³, or why it has none.
    pub(super) mass: Result<MassProperties, GeometryError>,
    /// What the user should know of the file.
    pub(super) warnings: Vec<String>,
}

/// Reads a mesh file and scales it.
pub(super) fn mesh(
    path: &Path,
    scale: [f64; 3],
    wrong: impl Fn(String) -> SceneError,
) -> Result<RobotMesh, SceneError> {
    // A scale is a unit.
    let unit = scale.iter().any(|factor| (factor - 1.0).abs() > 0.0).then_some(1.0);
    let options = ReadOptions { unit, repair: true, ..ReadOptions::default() };
    let target = Target::read(path, &options).map_err(|error| wrong(error.to_string()))?;
    let Target::Mesh { mesh, warnings, .. } = target else { return Err(wrong("this is no mesh".to_owned())) };
    let points: Vec<Vec3> = mesh.vertices().iter().map(|p| p.component_mul(&Vec3::from(scale))).collect();
    let shape = hull(&points).map_err(|error| wrong(error.to_string()))?;
    // A scale that turns the mesh inside out turns its triangles too.
    let is_mirrored = scale.iter().product::<f64>() < 0.0;
    let triangles = mesh.triangles().iter().map(|&[a, b, c]| if is_mirrored { [a, c, b] } else { [a, b, c] });
    let scaled = TriangleMesh::new(points, triangles.collect());
    let mass = scaled.and_then(|mesh| mesh.mass_properties(1.0));
    let warnings = warnings.iter().map(|warning| warning.with_advice(UNIT)).collect();
    Ok(RobotMesh { shape, mass, warnings })
}

/// The file of a URDF's `filename`: `package://NAME/PATH` is searched for in the folders above the URDF.
pub(super) fn urdf_file(folder: &Path, name: &str) -> PathBuf {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let Some(inner) = name.strip_prefix("package://") else { return folder.join(name) };
    let within = inner.split_once('/').map_or(inner, |(_, path)| path);
    let around = folder.ancestors().flat_map(|above| [above.join(inner), above.join(within)]);
    around.into_iter().find(|path| path.exists()).unwrap_or_else(|| folder.join(inner))
}
