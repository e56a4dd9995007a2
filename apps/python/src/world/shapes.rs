//! The shapes of a body: shapes and meshes with how they collide, from what a caller passed.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::core::units::Dimension;
use zerogap::world::ShapeDef;
use zerogap::world::settings::{CollisionError, CollisionSettings};
use zerogap::{Shape, TriangleMesh, Vec3};

use crate::arrays::{Triple, triple};
use crate::mesh::PyMesh;
use crate::pose::pose_of;
use crate::quantity::{FromQuantity, arg};
use crate::shape::PyShape;

/// A shape as it collides, and the mesh that weighs in its place, where something else of a mesh collides.
pub(crate) struct Weighed {
    pub(crate) def: ShapeDef,
    pub(crate) mesh: Option<Arc<TriangleMesh>>,
}

/// What a caller says of how shapes collide, in keywords or in the dict of one shape.
#[derive(Clone, Default)]
pub(crate) struct CollisionWords {
    pub(crate) collision: Option<String>,
    pub(crate) pieces: Option<usize>,
    pub(crate) angular_tolerance: Option<f64>,
    pub(crate) dilation: Option<f64>,
    pub(crate) inflate: bool,
}

impl CollisionWords {
    fn settings(&self) -> CollisionSettings<'_> {
        let Self { collision, pieces, angular_tolerance, dilation, inflate } = self;
        CollisionSettings {
            collision: collision.as_deref(),
            pieces: *pieces,
            angular_tolerance: *angular_tolerance,
            dilation: *dilation,
            inflate: *inflate,
        }
    }
}

/// What all shapes of a body have where they do not say otherwise.
pub(crate) struct Usual<'a> {
    pub(crate) material: &'a str,
    pub(crate) words: CollisionWords,
    pub(crate) surface_velocity: Vec3,
}

impl Usual<'_> {
    /// A shape or mesh as it collides; `what` names it.
    pub(crate) fn shape(
        &self,
        what: &str,
        given: &Bound<'_, PyAny>,
        words: &CollisionWords,
    ) -> PyResult<Weighed> {
        let (py, settings) = (given.py(), words.settings());
        let refuse = |error: CollisionError| refused(what, &error);
        let of_mesh = |mesh: &Arc<TriangleMesh>| py.detach(|| settings.of_mesh(mesh)).map_err(refuse);
        let (shape, collision, mesh) = if let Ok(mesh) = given.cast::<PyMesh>() {
            let mesh = Arc::clone(&mesh.get().mesh);
            let (shape, collision) = of_mesh(&mesh)?;
            (shape, collision, Some(mesh))
        } else if let Ok(shape) = given.cast::<PyShape>() {
            match &shape.get().shape {
                // A shape that is a mesh collides as what it is, until a word says otherwise.
                Shape::Mesh(mesh) if !matches!(settings.collision, None | Some("auto")) => {
                    let (shape, collision) = of_mesh(mesh)?;
                    (shape, collision, Some(Arc::clone(mesh)))
                }
                shape => (shape.clone(), settings.of_shape().map_err(refuse)?, None),
            }
        } else {
            let kind = given.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{what} must be a shape or a mesh, not {kind}")));
        };
        let def = ShapeDef::new(shape, self.material).colliding(collision).running(self.surface_velocity);
        Ok(Weighed { def, mesh })
    }

    /// The shapes of a body: one shape or mesh, or a list of them, (shape, pose), (shape, pose, material) and dicts.
    pub(crate) fn shapes(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Weighed>> {
        let Some(given) = given else { return Ok(Vec::new()) };
        let is_one = given.is_instance_of::<PyShape>() || given.is_instance_of::<PyMesh>();
        if is_one {
            return Ok(vec![self.shape("shapes", given, &self.words)?]);
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
        if item.is_instance_of::<PyShape>() || item.is_instance_of::<PyMesh>() {
            return self.shape(what, item, &self.words);
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
        if !(shape.is_instance_of::<PyShape>() || shape.is_instance_of::<PyMesh>()) {
            return Err(refuse());
        }
        let mut one = self.shape(what, &shape, &self.words)?;
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
        let has_words = WORDS.iter().any(|key| given.contains(key).unwrap_or(false));
        let words = if has_words { own_words(what, given)? } else { self.words.clone() };
        let mut one = self.shape(&format!("{what}[\"shape\"]"), &shape, &words)?;
        for (key, value) in given.iter() {
            let key: String = key.extract().map_err(|_| refuse(&format!(": the keys are {SHAPE_KEYS}")))?;
            let place = format!("{what}[\"{key}\"]");
            let text = || value.extract().map_err(|_| PyTypeError::new_err(format!("{place} must be a str")));
            match key.as_str() {
                "pose" => one.def.pose = pose_of(&place, &value)?,
                "material" => one.def.material = text()?,
                "name" => one.def.name = text()?,
                "surface_velocity" => {
                    let velocity = Triple::from_quantity(&place, Dimension::Speed, &value)?;
                    one.def.surface_velocity = triple(&place, &velocity)?;
                }
                other if other == "shape" || WORDS.contains(&other) => {}
                other => {
                    let message = format!("{what} has no key \"{other}\": the keys are {SHAPE_KEYS}");
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        Ok(one)
    }
}

/// The keys of a shape given by a dict.
const SHAPE_KEYS: &str = "shape, pose, material, name, surface_velocity, collision, pieces, angular_tolerance, dilation and inflate";

/// Those of them that say how it collides.
const WORDS: [&str; 5] = ["collision", "pieces", "angular_tolerance", "dilation", "inflate"];

fn own_words(what: &str, given: &Bound<'_, PyDict>) -> PyResult<CollisionWords> {
    Ok(CollisionWords {
        collision: word(what, given, "collision", |value| value.extract())?,
        pieces: word(what, given, "pieces", |value| value.extract())?,
        angular_tolerance: word(what, given, "angular_tolerance", arg::angular_tolerance)?,
        dilation: word(what, given, "dilation", arg::dilation)?,
        inflate: word(what, given, "inflate", |value| value.extract())?.unwrap_or(false),
    })
}

/// The value of a key, where it is given; what is wrong with it is told with its place.
fn word<'py, T>(
    what: &str,
    given: &Bound<'py, PyDict>,
    key: &str,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Option<T>> {
    let Some(value) = given.get_item(key)? else { return Ok(None) };
    read(&value).map(Some).map_err(|error| {
        let message = format!("{what}[\"{key}\"]: {}", error.value(given.py()));
        if error.is_instance_of::<PyTypeError>(given.py()) {
            return PyTypeError::new_err(message);
        }
        PyValueError::new_err(message)
    })
}

/// What is wrong with the way in which a shape is to collide.
fn refused(what: &str, error: &CollisionError) -> PyErr {
    PyValueError::new_err(match error {
        CollisionError::Word(error) => error.to_string(),
        CollisionError::ForMeshes { key: "collision" } => format!(
            "{what} is no mesh: \"hull\", \"pieces\" and \"mesh\" are for meshes; a shape collides as what it is (\"auto\"), or by \"quasi-lmd\" or \"oriented\""
        ),
        CollisionError::ForMeshes { key } => format!("{what} is no mesh: {key} is for meshes"),
        CollisionError::Needs { key, collision } => format!("{key} needs collision=\"{collision}\""),
        CollisionError::NoPieces => "pieces must be one or more".to_owned(),
        CollisionError::Geometry(error) => format!("{what} cannot collide: {error}"),
    })
}
