//! Shapes of a scene: from a word, a mesh file or a part to what collides, and the mass that goes with it.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::shape::{Compound, WordErrorKind};
use zerogap_geometry::{
    DecomposeParams, GeometryError, Hull, MassProperties, Shape, TriangleMesh, convex_hull, decompose,
};

use super::error::SceneError;
use super::file::Reading;
use super::places::Place;
use super::reader::Table;
use super::values::Text;
use zerogap_geometry::target::{ReadOptions, Target, TargetError};
use zerogap_simulation::world::settings::MATERIAL;
use zerogap_simulation::world::{Collision, QuasiLmd, ShapeDef};

/// Convex pieces of a mesh where a file does not say [-].
const PIECES: usize = 16;

/// How far convex pieces may stick out of a mesh, against its diagonal [-], as long as there are pieces left.
const CONCAVITY: f64 = 0.005;

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
        let material = material.map_or(MATERIAL, |material| material.text);
        let pose = match pose {
            Some(pose) => pose,
            None => table.pose("position", "rotation")?,
        };
        let path = self.folder.join(word.text);
        let is_file = !word.text.contains(':') || path.exists();
        let unit = if is_file { table.positive("scale")? } else { None };
        let options = ReadOptions { unit, repair: true, ..ReadOptions::default() };
        let target =
            if is_file { Target::read(&path, &options) } else { Target::resolve(word.text, &options) };
        let (shape, mass, warnings) = match target.map_err(|error| unusable(&word, &error))? {
            Target::Shape(shape) => {
                let is_for_shapes = matches!(table.word("collision")?, Some("quasi-lmd" | "oriented"));
                for key in ["collision", "pieces", "scale"] {
                    if table.has(key) && !(is_for_shapes && key == "collision") {
                        let message = format!("'{key}' is for meshes, but '{}' is a shape", word.text);
                        return Err(table.wrong(key, message).with_help("leave it out"));
                    }
                }
                let mass = shape.mass_properties(1.0);
                (shape, mass, Vec::new())
            }
            Target::Mesh { mesh, warnings, .. } => {
                if !is_file && table.has("scale") {
                    let message =
                        "'scale' is for mesh files; a part is made in the size that it is asked for";
                    return Err(table
                        .wrong("scale", message)
                        .with_help("leave it out, or set sizes of the part, such as part:gear,module=2mm"));
                }
                (colliding(table, &mesh, &word)?, mesh.mass_properties(1.0), warnings)
            }
        };
        let mass =
            mass.map(|mass| mass.transformed(&pose)).map_err(|error| format!("'{}': {error}", word.text));
        let warnings = warnings.iter().map(|warning| warning.with_advice(UNIT)).collect();
        let surface_velocity = table.vector("surface_velocity")?.unwrap_or_default();
        let def =
            ShapeDef::new(shape, material).at(pose).colliding(meeting(table)?).running(surface_velocity);
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
        TargetError::Mesh { .. } => SceneError::at(word.span.clone(), error.to_string()),
    }
}

/// How a shape meets others.
fn meeting(table: &Table<'_>) -> Result<Collision, SceneError> {
    if table.word("collision")? == Some("quasi-lmd") {
        let usual = QuasiLmd::default();
        return Ok(Collision::QuasiLmd(QuasiLmd {
            theta: table.quantity("theta")?.unwrap_or(usual.theta),
            dilation: table.quantity("dilation")?.unwrap_or(usual.dilation),
            inset: !table.flag("grown")?,
        }));
    }
    match ["theta", "dilation", "grown"].into_iter().find(|key| table.has(key)) {
        Some(key) => Err(table
            .wrong(key, format!("'{key}' needs collision = \"quasi-lmd\""))
            .with_help(format!("write collision = \"quasi-lmd\", or leave '{key}' out"))),
        None if table.word("collision")? == Some("oriented") => Ok(Collision::Oriented),
        None => Ok(Collision::Exact),
    }
}

/// What of a mesh collides.
fn colliding(table: &Table<'_>, mesh: &TriangleMesh, word: &Text<'_>) -> Result<Shape, SceneError> {
    let wrong = |error: GeometryError| {
        SceneError::at(word.span.clone(), format!("'{}' cannot collide: {error}", word.text))
    };
    let way = table.word("collision")?.unwrap_or("hull");
    if way != "pieces" && table.has("pieces") {
        let error = table.wrong("pieces", "'pieces' needs collision = \"pieces\"");
        return Err(error.with_help("write collision = \"pieces\", or leave 'pieces' out"));
    }
    match way {
        "hull" | "oriented" => return hull(mesh.vertices()).map_err(wrong),
        "mesh" | "quasi-lmd" => return Ok(mesh.clone().into()),
        _ => {}
    }
    let max_pieces = table.count("pieces")?.unwrap_or(PIECES);
    if max_pieces == 0 {
        return Err(table.wrong("pieces", "'pieces' must be one or more"));
    }
    let fine = CONCAVITY * mesh.bounding_box().diagonal();
    let pieces = decompose(mesh, &DecomposeParams { max_pieces, ..DecomposeParams::new(fine) });
    let pieces = pieces.map_err(wrong)?.pieces;
    let placed = pieces.into_iter().map(|piece| (Pose::identity(), piece.into())).collect();
    Ok(Compound::new(placed).map_err(wrong)?.into())
}

/// The convex hull of points, as far as it can collide.
pub(super) fn hull(points: &[Vec3]) -> Result<Shape, GeometryError> {
    Ok(match convex_hull(points)? {
        Hull::Polyhedron(hull) => hull.into(),
        Hull::Polygon(flat) => flat.into(),
        Hull::Segment([a, b]) => Shape::segment(a, b)?,
        Hull::Point(point) => Shape::point(point)?,
    })
}
