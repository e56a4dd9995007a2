//! `import zerogap`: a thin face over the `zerogap` library, numpy in and out.
//!
//! One file per noun. Everything heavy runs with the interpreter released.

#![expect(clippy::needless_pass_by_value, reason = "Python passes its arguments")]

mod arrays;
mod beam;
mod body;
mod broad;
mod cache;
mod collisions;
mod columns;
mod contacts;
mod decompose;
mod distance;
mod error;
mod features;
mod frame;
mod friction;
mod gaps;
mod impact;
mod inspect;
mod manifolds;
mod many;
mod mass;
mod mesh;
mod meshes;
mod moving;
mod oriented;
mod parts;
mod pickle;
mod plane;
mod pose;
mod quantity;
mod quasi;
mod search;
mod settings;
mod shape;
mod sweep;
mod translation;
mod user;
mod verify;
mod world;

use pyo3::prelude::*;

/// Something of the public module by name, for copying and pickling.
pub(crate) fn public<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("zerogap")?.getattr(name)
}

#[pymodule]
fn _zerogap(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("MeshFileError", module.py().get_type::<error::MeshFileError>())?;
    add_classes(module)?;
    add_functions(module)?;
    add_makers(module)
}

fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<beam::PyBeam>()?;
    module.add_class::<broad::PyBroadPhase>()?;
    module.add_class::<cache::PyContactCache>()?;
    module.add_class::<cache::PyPairCache>()?;
    module.add_class::<contacts::PyContacts>()?;
    module.add_class::<decompose::PyDecomposition>()?;
    module.add_class::<distance::PyGap>()?;
    module.add_class::<distance::PyMprGap>()?;
    module.add_class::<features::PyClosestFeatures>()?;
    module.add_class::<friction::PyCoulombSolution>()?;
    module.add_class::<collisions::PyCollisions>()?;
    module.add_class::<frame::PyFrame>()?;
    module.add_class::<frame::PyFrameRun>()?;
    module.add_class::<frame::PyFrameState>()?;
    module.add_class::<impact::PyClearance>()?;
    module.add_class::<impact::PyImpact>()?;
    module.add_class::<inspect::PyInspection>()?;
    module.add_class::<inspect::PyTopology>()?;
    module.add_class::<gaps::PyGaps>()?;
    module.add_class::<manifolds::PyManifolds>()?;
    module.add_class::<mass::PyMassProperties>()?;
    module.add_class::<mesh::PyMesh>()?;
    module.add_class::<meshes::PyMeshContacts>()?;
    module.add_class::<meshes::PyMeshGap>()?;
    module.add_class::<oriented::PyOriented>()?;
    module.add_class::<oriented::PyTouches>()?;
    module.add_class::<plane::PyContactPlane>()?;
    module.add_class::<pose::PyPose>()?;
    module.add_class::<search::PyMeshSearch>()?;
    module.add_class::<quasi::PyComplex>()?;
    module.add_class::<quasi::PyQuasiContacts>()?;
    module.add_class::<shape::PyShape>()?;
    module.add_class::<translation::PyMinimumTranslation>()?;
    module.add_class::<verify::PyVerifyRow>()?;
    module.add_class::<world::PyControl>()?;
    module.add_class::<world::PyEvent>()?;
    module.add_class::<world::PyMotion>()?;
    module.add_class::<world::PyRecording>()?;
    module.add_class::<world::PyRun>()?;
    module.add_class::<world::PySavedWorld>()?;
    module.add_class::<world::PyScene>()?;
    module.add_class::<world::PyTrack>()?;
    module.add_class::<world::PyView>()?;
    module.add_class::<world::PyWorld>()?;
    module.add_class::<world::PyWorldView>()?;
    module.add_class::<world::PyZeroCrossings>()
}

fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(broad::find_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(contacts::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(decompose::decompose, module)?)?;
    module.add_function(wrap_pyfunction!(distance::distance, module)?)?;
    module.add_function(wrap_pyfunction!(distance::intersects, module)?)?;
    module.add_function(wrap_pyfunction!(distance::mpr, module)?)?;
    module.add_function(wrap_pyfunction!(many::mpr_many, module)?)?;
    module.add_function(wrap_pyfunction!(broad::motion_box, module)?)?;
    module.add_function(wrap_pyfunction!(distance::separation, module)?)?;
    module.add_function(wrap_pyfunction!(features::closest_features, module)?)?;
    module.add_function(wrap_pyfunction!(friction::solve_coulomb, module)?)?;
    module.add_function(wrap_pyfunction!(collisions::step_collisions, module)?)?;
    module.add_function(wrap_pyfunction!(impact::clearance, module)?)?;
    module.add_function(wrap_pyfunction!(impact::safe_time, module)?)?;
    module.add_function(wrap_pyfunction!(impact::time_of_impact, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::inspect, module)?)?;
    module.add_function(wrap_pyfunction!(manifolds::contacts_many, module)?)?;
    module.add_function(wrap_pyfunction!(many::distance_many, module)?)?;
    module.add_function(wrap_pyfunction!(mesh::mesh, module)?)?;
    module.add_function(wrap_pyfunction!(parts::part, module)?)?;
    module.add_function(wrap_pyfunction!(parts::part_names, module)?)?;
    module.add_function(wrap_pyfunction!(parts::part_parameters, module)?)?;
    module.add_function(wrap_pyfunction!(plane::contact_plane, module)?)?;
    module.add_function(wrap_pyfunction!(plane::contact_rows, module)?)?;
    module.add_function(wrap_pyfunction!(pose::pose, module)?)?;
    module.add_function(wrap_pyfunction!(search::crossings, module)?)?;
    module.add_function(wrap_pyfunction!(quasi::refine, module)?)?;
    module.add_function(wrap_pyfunction!(shape::capsule, module)?)?;
    module.add_function(wrap_pyfunction!(shape::compound, module)?)?;
    module.add_function(wrap_pyfunction!(shape::cone, module)?)?;
    module.add_function(wrap_pyfunction!(shape::cuboid, module)?)?;
    module.add_function(wrap_pyfunction!(shape::cylinder, module)?)?;
    module.add_function(wrap_pyfunction!(shape::ellipsoid, module)?)?;
    module.add_function(wrap_pyfunction!(shape::frustum, module)?)?;
    module.add_function(wrap_pyfunction!(shape::halfspace, module)?)?;
    module.add_function(wrap_pyfunction!(shape::height_field, module)?)?;
    module.add_function(wrap_pyfunction!(shape::hull, module)?)?;
    module.add_function(wrap_pyfunction!(shape::point, module)?)?;
    module.add_function(wrap_pyfunction!(shape::polygon, module)?)?;
    module.add_function(wrap_pyfunction!(shape::segment, module)?)?;
    module.add_function(wrap_pyfunction!(shape::shape, module)?)?;
    module.add_function(wrap_pyfunction!(shape::sphere, module)?)?;
    module.add_function(wrap_pyfunction!(shape::triangle, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_edge_edge, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep_vertex_face, module)?)?;
    module.add_function(wrap_pyfunction!(translation::minimum_translation, module)?)?;
    module.add_function(wrap_pyfunction!(user::user_shape, module)?)?;
    module.add_function(wrap_pyfunction!(verify::verify, module)?)?;
    module.add_function(wrap_pyfunction!(world::load, module)?)?;
    module.add_function(wrap_pyfunction!(world::open, module)?)?;
    module.add_function(wrap_pyfunction!(world::scenes, module)?)?;
    module.add_function(wrap_pyfunction!(world::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(world::live::view, module)?)?;
    module.add_function(wrap_pyfunction!(settings::settings, module)?)?;
    Ok(())
}

/// Adds what copies are made by, which is not for users.
fn add_makers(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(contacts::_contacts, module)?)?;
    module.add_function(wrap_pyfunction!(distance::_gap, module)?)?;
    module.add_function(wrap_pyfunction!(gaps::_gaps, module)?)?;
    module.add_function(wrap_pyfunction!(impact::_impact, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::_inspection, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::_topology, module)?)?;
    module.add_function(wrap_pyfunction!(world::_event, module)?)?;
    module.add_function(wrap_pyfunction!(world::_landing, module)?)?;
    module.add_function(wrap_pyfunction!(world::_recording, module)?)?;
    module.add_function(wrap_pyfunction!(world::_run, module)?)?;
    module.add_function(wrap_pyfunction!(world::_saved_world, module)?)?;
    module.add_function(wrap_pyfunction!(world::_scene, module)?)?;
    module.add_function(wrap_pyfunction!(world::_world, module)?)?;
    Ok(())
}
