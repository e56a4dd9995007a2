//! Shapes of a scene: from a word, a mesh file or a part to what collides, and its mass.

use std::sync::Arc;

use zerogap_core::Pose;
use zerogap_geometry::shape::WordErrorKind;
use zerogap_geometry::{MassProperties, Shape};

use super::error::SceneError;
use super::file::Reading;
use super::places::Place;
use super::reader::Table;
use super::values::Text;
use zerogap_geometry::target::{ReadOptions, Target, TargetError};
use zerogap_simulation::settings::{CollisionError, DEFAULT_MATERIAL, Source, read_collision};
use zerogap_simulation::world::ShapeDef;

/// A shape with the mass that it has, which for a mesh is that of the mesh and not of what collides.
pub(super) struct Weighed {
    pub(super) def: ShapeDef,
    /// For a density of 1 kg/m³, in the frame of the body; or why there is none, with the name of the shape.
    pub(super) mass: Result<MassProperties, String>,
    /// What the user should know of its file.
    pub(super) warnings: Vec<String>,
}

/// How a scene gives the unit of a mesh.
const UNIT: &str = "write scale = \"1 mm\" for millimetres, or scale = 1 where these are metres";

impl Reading {
    /// A shape that never moves.
    pub(super) fn fixed(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let mut shape = self.shape(table, None, None)?;
        self.warnings.append(&mut shape.warnings);
        let name = table.text("name")?.or(table.text("shape")?).map_or("", |name| name.text);
        table.finish("a fixed shape")?;
        self.place_shape(
            &Place { name: name.to_owned(), span: table.span.clone(), origin: None },
            &shape.def,
        );
        let placed = self.builder.fixed(shape.def.named(name));
        placed.map(|_| ()).map_err(|error| self.places.explain(&error))
    }

    /// Remembers where the pieces of a shape come from.
    pub(super) fn place_shape(&mut self, place: &Place, def: &ShapeDef) {
        let pieces = match &def.shape {
            Shape::Compound(compound) => compound.pieces().len(),
            _ => 1,
        };
        self.places.shapes.extend(std::iter::repeat_n(place.clone(), pieces));
    }

    /// One shape. `pose` is where it is if not where its table says, `usual` is its material if it has none of its own.
    pub(super) fn shape(
        &self,
        table: &Table<'_>,
        pose: Option<Pose>,
        usual: Option<&Text<'_>>,
    ) -> Result<Weighed, SceneError> {
        let word = table.text("shape")?.ok_or_else(|| table.missing("shape"))?;
        let own = table.text("material")?;
        let material = own.as_ref().or(usual);
        if let Some(material) = material {
            self.known_material(material)?;
        }
        let material = material.map_or(DEFAULT_MATERIAL, |material| material.text);
        let pose = match pose {
            Some(pose) => pose,
            None => table.pose("position", "rotation")?,
        };
        let path = self.folder.join(word.text);
        let is_file = !word.text.contains(':') || path.exists();
        let unit = if is_file { table.quantity("scale")? } else { None };
        let settings = read_collision(table, &self.selected())?;
        // Lines and points of a file collide by quasi-LMDs alone.
        let complex = settings.collision == "quasi-lmd";
        let options = ReadOptions { unit, repair: true, complex, ..ReadOptions::default() };
        let target = Target::resolve_in(&self.folder, word.text, &options);
        let refuse = |error: CollisionError| cannot_collide(table, &word, &error);
        let (shape, collision, mass, warnings) = match target.map_err(|error| unusable(&word, &error))? {
            Target::Shape(shape) => {
                let collision = settings.of_shape(&shape).map_err(refuse)?;
                if table.has("scale") {
                    return Err(refuse(CollisionError::ForMeshes { key: "scale" }));
                }
                let mass = collision.mass_properties(&shape, 1.0);
                (shape, collision, mass, Vec::new())
            }
            Target::Complex { complex, warnings, .. } => {
                let shape = Shape::Complex(complex);
                let collision = settings.of_shape(&shape).map_err(refuse)?;
                let mass = collision.mass_properties(&shape, 1.0);
                (shape, collision, mass, warnings)
            }
            Target::Mesh { mesh, warnings, .. } => {
                if !is_file && table.has("scale") {
                    let message =
                        "'scale' is for mesh files; a part is made in the size that it is asked for";
                    return Err(table
                        .wrong("scale", message)
                        .with_help("leave it out, or set sizes of the part, such as part:gear,module=2mm"));
                }
                let mesh = Arc::new(mesh);
                let (shape, collision) = settings.of_mesh(&mesh).map_err(refuse)?;
                (shape, collision, collision.mass_properties(&Shape::Mesh(mesh), 1.0), warnings)
            }
        };
        let mass =
            mass.map(|mass| mass.transformed(&pose)).map_err(|error| format!("'{}': {error}", word.text));
        let warnings = warnings.iter().map(|warning| warning.with_advice(UNIT)).collect();
        let def =
            ShapeDef::new(shape, material).at(pose).colliding(collision).running(settings.surface_velocity);
        Ok(Weighed { def, mass, warnings })
    }
}

/// What is wrong with a word, at the part of it that is wrong.
fn unusable(word: &Text<'_>, error: &TargetError) -> SceneError {
    match error {
        TargetError::Word(error) => {
            let message = match error.kind {
                WordErrorKind::UnknownShape => format!("'{}' is neither a shape nor a file", word.text),
                _ => format!("the shape '{}' cannot be made: {}", word.text, error.expected),
            };
            let help = match error.kind {
                WordErrorKind::UnknownShape => format!("{}; for example {}", error.expected, error.example),
                _ => format!("for example {}", error.example),
            };
            SceneError::at(word.part(&error.span), message).with_help(help)
        }
        TargetError::Part { error, span } => {
            let message = format!("the part '{}' cannot be made: {error}", word.text);
            SceneError::at(word.part(span), message)
                .with_help("'zerogap part' lists the parts, 'zerogap part NAME' the parameters of one")
        }
        TargetError::Assembly { span, .. } => SceneError::at(word.part(span), error.to_string())
            .with_help("write the name of one of them, or take a shape such as box:1,2,3"),
        TargetError::File(error) => {
            let help = match error.help() {
                Some(help) => help.to_owned(),
                None => "a shape is a word such as box:1,2,3, a part such as part:gear, or a mesh file (.obj, .stl, .ply, .glb) relative to the folder of the scene".to_owned(),
            };
            SceneError::at(word.span.clone(), error.to_string()).with_help(help)
        }
        TargetError::Mesh { .. } | TargetError::Complex { .. } => {
            SceneError::at(word.span.clone(), error.to_string())
        }
    }
}

/// What is wrong with the collision settings of a shape, at its key.
fn cannot_collide(table: &Table<'_>, word: &Text<'_>, error: &CollisionError) -> SceneError {
    match error {
        CollisionError::ForMeshes { key } => {
            let message = format!("'{key}' is for meshes, but '{}' is a shape", word.text);
            table.wrong(key, message).with_help("leave it out")
        }
        CollisionError::Geometry(error) => {
            SceneError::at(word.span.clone(), format!("'{}' cannot collide: {error}", word.text))
        }
    }
}
