//! The shapes of a body: shapes and meshes with how they collide, from what a caller passed.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::settings::tables::COLLISION;
use zerogap::settings::{
    CollisionError, CollisionSettings, DEFAULT_MATERIAL, Selected, Source, read_collision, selected,
};
use zerogap::world::{MethodParams, ShapeDef};
use zerogap::{Shape, TriangleMesh};

use crate::mesh::PyMesh;
use crate::pose::pose_of;
use crate::quasi::PyComplex;
use crate::settings::Keywords;
use crate::shape::PyShape;

/// A shape as it collides, and the mesh that weighs in its place, where something else of a mesh collides.
pub(crate) struct Weighed {
    pub(crate) def: ShapeDef,
    pub(crate) mesh: Option<Arc<TriangleMesh>>,
}

/// What all shapes of a body have where they do not say otherwise.
pub(crate) struct Usual<'a> {
    material: &'a str,
    pub(crate) collision: CollisionSettings,
    /// The method of the world, with its contact model.
    selected: [Selected; 2],
}

impl<'a> Usual<'a> {
    /// Reads the keywords that all shapes share.
    pub(crate) fn new(
        material: Option<&'a str>,
        settings: &Keywords<'_, '_>,
        method: &MethodParams,
    ) -> PyResult<Self> {
        let selected = selected(method);
        let collision = read_collision(settings, &selected)?;
        Ok(Self { material: material.unwrap_or(DEFAULT_MATERIAL), collision, selected })
    }
}

impl Usual<'_> {
    /// A shape or mesh as it collides; `what` names it.
    pub(crate) fn shape(
        &self,
        what: &str,
        given: &Bound<'_, PyAny>,
        settings: &CollisionSettings,
    ) -> PyResult<Weighed> {
        let py = given.py();
        let refuse = |error: CollisionError| refused(what, &error);
        let of_mesh = |mesh: &Arc<TriangleMesh>| py.detach(|| settings.of_mesh(mesh)).map_err(refuse);
        let (shape, collision, mesh) = if let Ok(mesh) = given.cast::<PyMesh>() {
            let mesh = Arc::clone(&mesh.get().mesh);
            let (shape, collision) = of_mesh(&mesh)?;
            (shape, collision, Some(mesh))
        } else if let Ok(shape) = given.cast::<PyShape>() {
            match &shape.get().shape {
                // A shape that is a mesh collides as what it is, until a word says otherwise.
                Shape::Mesh(mesh) if settings.collision != "auto" => {
                    let (shape, collision) = of_mesh(mesh)?;
                    (shape, collision, Some(Arc::clone(mesh)))
                }
                shape => (shape.clone(), settings.of_shape(shape).map_err(refuse)?, None),
            }
        } else if let Ok(complex) = given.cast::<PyComplex>() {
            let (shape, collision) = complex.get().as_shape(what, settings)?;
            (shape, collision, None)
        } else {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{what} must be a shape, a mesh or a complex, not {kind}"
            )));
        };
        let def = ShapeDef::new(shape, self.material).colliding(collision).running(settings.surface_velocity);
        Ok(Weighed { def, mesh })
    }

    /// The shapes of a body: one shape or mesh, or a list of them, (shape, pose), (shape, pose, material) and dicts.
    pub(crate) fn shapes(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Weighed>> {
        let Some(given) = given else { return Ok(Vec::new()) };
        if is_one(given) {
            return Ok(vec![self.shape("shapes", given, &self.collision)?]);
        }
        let Ok(items) = given.try_iter() else {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "shapes must be a shape or mesh, or a list of them, not {kind}"
            )));
        };
        items.enumerate().map(|(index, item)| self.item(&format!("shapes[{index}]"), &item?)).collect()
    }

    fn item(&self, what: &str, item: &Bound<'_, PyAny>) -> PyResult<Weighed> {
        if is_one(item) {
            return self.shape(what, item, &self.collision);
        }
        if let Ok(dict) = item.cast::<PyDict>() {
            return self.dict(what, dict);
        }
        let refuse = || {
            let kinds = "a shape or mesh, (shape, pose), (shape, pose, material) or a dict";
            PyTypeError::new_err(format!("{what} must be {kinds}"))
        };
        let material: Option<String> = match item.len() {
            Ok(2) => None,
            Ok(3) => Some(item.get_item(2)?.extract().map_err(|_| refuse())?),
            _ => return Err(refuse()),
        };
        let shape = item.get_item(0)?;
        if !is_one(&shape) {
            return Err(refuse());
        }
        let mut one = self.shape(what, &shape, &self.collision)?;
        one.def.pose = pose_of(&format!("the pose of {what}"), &item.get_item(1)?)?;
        if let Some(material) = material {
            one.def.material = material;
        }
        Ok(one)
    }

    /// A shape given by a dict.
    fn dict(&self, what: &str, given: &Bound<'_, PyDict>) -> PyResult<Weighed> {
        let refuse = |message: &str| PyTypeError::new_err(format!("{what}{message}"));
        let shape = given.get_item("shape")?.ok_or_else(|| refuse(" has no \"shape\""))?;
        // A way to collide of its own comes with numbers of its own.
        let before = format!("{what}[\"");
        let own = Keywords::of_dict(&COLLISION, given, &before);
        let mut collision = if COLLIDES.iter().any(|key| own.has(key)) {
            read_collision(&own, &self.selected)?
        } else {
            self.collision
        };
        if own.has("surface_velocity") {
            own.refuse_unused(&self.selected)?;
            collision.surface_velocity = own.vector("surface_velocity")?.unwrap_or_default();
        }
        let mut one = self.shape(&format!("{what}[\"shape\"]"), &shape, &collision)?;
        for (key, value) in given.iter() {
            let key: String =
                key.extract().map_err(|_| refuse(&format!(": the keys are {}", shape_keys())))?;
            let place = format!("{what}[\"{key}\"]");
            let text = || value.extract().map_err(|_| PyTypeError::new_err(format!("{place} must be a str")));
            match key.as_str() {
                "pose" => one.def.pose = pose_of(&place, &value)?,
                "material" => one.def.material = text()?,
                "name" => one.def.name = text()?,
                other if other == "shape" || COLLISION.key(other).is_some() => {}
                other => {
                    let keys = shape_keys();
                    let message = format!("{what} has no key \"{other}\": the keys are {keys}");
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        Ok(one)
    }
}

/// Whether it is one shape, mesh or complex.
fn is_one(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PyShape>()
        || given.is_instance_of::<PyMesh>()
        || given.is_instance_of::<PyComplex>()
}

/// The keys of a shape given by a dict.
fn shape_keys() -> String {
    format!("shape, pose, material, name, {}", COLLISION.names().join(", "))
}

/// Those of them that say how it collides.
const COLLIDES: [&str; 8] =
    ["collision", "pieces", "sides", "max_depth", "thickness", "angular_tolerance", "dilation", "inflate"];

/// What is wrong with the collision settings of a shape.
fn refused(what: &str, error: &CollisionError) -> PyErr {
    PyValueError::new_err(match error {
        CollisionError::ForMeshes { key: "collision" } => format!(
            "{what} is no mesh: \"hull\", \"pieces\" and \"mesh\" are for meshes; a shape collides as what it is (\"auto\"), or by \"quasi-lmd\" or \"oriented\""
        ),
        CollisionError::ForMeshes { key } => format!("{what} is no mesh: {key} is for meshes"),
        CollisionError::Geometry(error) => format!("{what} cannot collide: {error}"),
    })
}
