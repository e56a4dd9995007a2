//! Meshes of robot files: found, scaled and taken by their convex hulls.

use std::path::{Path, PathBuf};

use zerogap_core::Vec3;
use zerogap_geometry::Shape;
use zerogap_simulation::settings::hull;

use crate::error::SceneError;
use zerogap_geometry::target::{ReadOptions, Target};

/// How a robot file gives the unit of a mesh.
const UNIT: &str = "write scale=\"0.001 0.001 0.001\" at the mesh for millimetres";

/// A mesh file of a robot.
pub(super) struct RobotMesh {
    /// Its convex hull.
    pub(super) shape: Shape,
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
    let warnings = warnings.iter().map(|warning| warning.with_advice(UNIT)).collect();
    Ok(RobotMesh { shape, warnings })
}

/// The file of a URDF's `filename`: `package://NAME/PATH` is searched for in the folders given for packages, in those of ROS, and in the folders above the URDF.
pub(super) fn urdf_file(folder: &Path, name: &str, packages: &[(String, PathBuf)]) -> PathBuf {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let Some(inner) = name.strip_prefix("package://").or(name.strip_prefix("model://")) else {
        return folder.join(name);
    };
    let (package, within) = inner.split_once('/').unwrap_or((inner, ""));
    let given = packages.iter().filter(|(known, _)| known == package).map(|(_, folder)| folder.join(within));
    let listed = ["ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"].into_iter().filter_map(std::env::var_os);
    let listed: Vec<PathBuf> =
        listed.flat_map(|list| std::env::split_paths(&list).collect::<Vec<_>>()).collect();
    let ros =
        listed.iter().flat_map(|root| [root.join(inner), root.join("share").join(inner), root.join(within)]);
    let around = folder.ancestors().flat_map(|above| [above.join(inner), above.join(within)]);
    let mut all = given.chain(ros).chain(around);
    all.find(|path| path.is_file()).unwrap_or_else(|| folder.join(inner))
}

/// What to do about a mesh of a URDF that cannot be read.
pub(super) fn advice(name: &str) -> String {
    if name.to_ascii_lowercase().ends_with(".dae") {
        return "COLLADA files are not read: convert the mesh to .obj or .stl, such as by meshlabserver -i part.dae -o part.stl or in Blender, and change the name here".to_owned();
    }
    match name.strip_prefix("package://").and_then(|inner| inner.split('/').next()) {
        Some(package) => format!(
            "say where the package is: --package {package}=FOLDER, packages = [\"{package}=FOLDER\"] in [robot], ROS_PACKAGE_PATH, or a folder of that name above the URDF"
        ),
        None => "a file name is relative to the URDF".to_owned(),
    }
}
