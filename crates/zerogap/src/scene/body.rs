//! Bodies and shapes of a scene file.

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Inertia, Joint, JointKind, Motor};
use zerogap_geometry::shape::Compound;
use zerogap_geometry::{
    DecomposeParams, GeometryError, Hull, MassProperties, Shape, TriangleMesh, convex_hull, decompose,
};

use super::error::SceneError;
use super::file::Reading;
use super::reader::{Table, Text};
use crate::target::{ReadOptions, Target};
use crate::world::{BodyDef, ShapeDef};

/// Convex pieces of a mesh where a file does not say [-].
const PIECES: usize = 16;

/// How far convex pieces may stick out of a mesh, against its diagonal [-], as long as there are pieces left.
const CONCAVITY: f64 = 0.005;

/// A shape with the mass that it has, which for a mesh is that of the mesh and not of what collides.
struct Weighed {
    def: ShapeDef,
    /// For a density of 1 kg/m³, in the frame of the body.
    mass: Option<MassProperties>,
}

impl Reading {
    /// A shape that never moves.
    pub(super) fn fixed(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let shape = self.shape(table, None)?;
        let placed = self.builder.fixed(shape.def);
        placed.map(|_| ()).map_err(|error| SceneError::at(table.span.clone(), error.to_string()))
    }

    /// A body that moves.
    pub(super) fn body(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let name = table.text("name")?.ok_or_else(|| table.missing("name"))?;
        if self.bodies.contains_key(name.text) || name.text == "world" {
            let message = format!("there is a body '{}' already", name.text);
            return Err(SceneError::at(name.span, message).with_help("give every body a name of its own"));
        }
        let shapes = self.shapes_of(table)?;
        let joint = self.joint(table)?;
        let is_free = matches!(joint.joint.kind, JointKind::Free) && !table.has("joint");
        let is_driven = matches!(joint.joint.kind, JointKind::Prescribed(_) | JointKind::Fixed);
        let inertia = if is_driven { None } else { self.inertia(table, &shapes)? };
        let mut def = BodyDef { inertia, ..BodyDef::new(joint.joint) }.named(name.text);
        for shape in shapes {
            def.shapes.push(shape.def);
        }
        if is_free {
            let pose = table.pose("position", "rotation")?;
            let start = BodyDef::free(pose);
            (def.positions, def.joint) = (start.positions, start.joint);
            let velocity = table.vector("velocity")?.unwrap_or_default();
            let turning =
                pose.inverse_transform_vector(&table.vector("angular_velocity")?.unwrap_or_default());
            def = def.moving(&[velocity.x, velocity.y, velocity.z, turning.x, turning.y, turning.z]);
        } else {
            for key in ["position", "rotation", "velocity", "angular_velocity"] {
                if table.has(key) {
                    let message =
                        format!("'{key}' is where a free body starts, but '{}' is not free", name.text);
                    let error = SceneError::at(table.place(key), message);
                    return Err(error.with_help("say where the joint is with 'at' and how it starts with 'position' or 'angle' in 'joint'"));
                }
            }
            (def.positions, def.velocities) = (joint.positions, joint.velocities);
            if let Some(dof) = joint.dof {
                def = def.with_dof(0, dof);
            }
        }
        let added = self.builder.body(def);
        let body = added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        self.bodies.insert(name.text.to_owned(), body);
        Ok(())
    }

    fn shapes_of(&self, table: &Table<'_>) -> Result<Vec<Weighed>, SceneError> {
        let several = table.tables("shapes")?;
        if table.has("shape") && !several.is_empty() {
            let error = SceneError::at(table.place("shapes"), "a body has either 'shape' or 'shapes'");
            return Err(error);
        }
        if table.has("shape") {
            return Ok(vec![self.shape(table, Some(Pose::identity()))?]);
        }
        let material = table.text("material")?;
        several.iter().map(|shape| self.shape_of(shape, None, material.as_ref())).collect()
    }

    fn shape(&self, table: &Table<'_>, pose: Option<Pose>) -> Result<Weighed, SceneError> {
        self.shape_of(table, pose, None)
    }

    /// One shape; `pose` is where it is if not where its table says.
    fn shape_of(
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
        let material = material.map_or("steel", |material| material.text);
        let pose = match pose {
            Some(pose) => pose,
            None => table.pose("position", "rotation")?,
        };
        let unit = super::file::positive(table, "scale")?.unwrap_or(1.0);
        let path = self.folder.join(word.text);
        let is_file = !word.text.contains(':') || path.exists();
        let options = ReadOptions { unit, repair: true, ..ReadOptions::default() };
        let target =
            if is_file { Target::read(&path, &options) } else { Target::resolve(word.text, &options) };
        let target = target.map_err(|error| SceneError::at(word.span.clone(), error.to_string()))?;
        let (shape, mass) = match target {
            Target::Shape(shape) => {
                for key in ["collision", "pieces"] {
                    if table.has(key) {
                        let message = format!("'{key}' is for meshes, but '{}' is a shape", word.text);
                        return Err(SceneError::at(table.place(key), message));
                    }
                }
                let mass = shape.mass_properties(1.0).ok();
                (shape, mass)
            }
            Target::Mesh { mesh, .. } => {
                let mass = mesh.mass_properties(1.0).ok();
                (self.colliding(table, &mesh, &word)?, mass)
            }
        };
        let mass = mass.map(|mass| mass.transformed(&pose));
        Ok(Weighed { def: ShapeDef::new(shape, material).at(pose), mass })
    }

    /// What of a mesh collides.
    fn colliding(
        &self,
        table: &Table<'_>,
        mesh: &TriangleMesh,
        word: &Text<'_>,
    ) -> Result<Shape, SceneError> {
        let wrong = |error: GeometryError| SceneError::at(word.span.clone(), error.to_string());
        if table.word("collision")?.unwrap_or("hull") == "hull" {
            if table.has("pieces") {
                return Err(SceneError::at(table.place("pieces"), "'pieces' needs collision = \"pieces\""));
            }
            return match convex_hull(mesh.vertices()).map_err(wrong)? {
                Hull::Polyhedron(hull) => Ok(hull.into()),
                Hull::Polygon(flat) => Ok(flat.into()),
                Hull::Point(_) | Hull::Segment(_) => {
                    Err(SceneError::at(word.span.clone(), "all points of this mesh lie on a line"))
                }
            };
        }
        let fine = CONCAVITY * mesh.bounding_box().diagonal();
        let max_pieces = table.count("pieces")?.unwrap_or(PIECES);
        let pieces = decompose(mesh, &DecomposeParams { max_pieces, ..DecomposeParams::new(fine) });
        let pieces = pieces.map_err(wrong)?.pieces;
        let placed = pieces.into_iter().map(|piece| (Pose::identity(), piece.into())).collect();
        Ok(Compound::new(placed).map_err(wrong)?.into())
    }

    /// Mass and inertia where the file gives them, or where they follow from shapes and a density.
    fn inertia(&self, table: &Table<'_>, shapes: &[Weighed]) -> Result<Option<Inertia>, SceneError> {
        let mass = super::file::positive(table, "mass")?;
        let density = super::file::positive(table, "density")?;
        if mass.is_some() && density.is_some() {
            return Err(SceneError::at(table.place("density"), "a body has either 'mass' or 'density'"));
        }
        if let Some(moments) = table.vector("inertia")? {
            let mass = mass.ok_or_else(|| table.missing("mass"))?;
            let center = table.vector("center")?.unwrap_or_default();
            return Ok(Some(Inertia { mass, center, inertia: Mat3::from_diagonal(&moments) }));
        }
        if table.has("center") {
            return Err(SceneError::at(table.place("center"), "'center' needs 'mass' and 'inertia'"));
        }
        let mut all = MassProperties::zero();
        for shape in shapes {
            let Some(own) = shape.mass else {
                let error = SceneError::at(table.span.clone(), "a shape of this body has no volume");
                return Err(error.with_help("give the body 'mass' and 'inertia'"));
            };
            let density = match density {
                Some(density) => density,
                None => self
                    .builder
                    .density(&shape.def.material)
                    .map_err(|error| SceneError::whole(error.to_string()))?,
            };
            let scaled = MassProperties { mass: own.mass * density, inertia: own.inertia * density, ..own };
            all = all.combined(&scaled);
        }
        if all.mass == 0.0 {
            let error = SceneError::at(table.span.clone(), "this body has neither shapes nor mass");
            return Err(error.with_help("give it a 'shape', or 'mass' and 'inertia'"));
        }
        let factor = mass.map_or(1.0, |mass| mass / all.mass);
        Ok(Some(Inertia { mass: all.mass * factor, center: all.center, inertia: all.inertia * factor }))
    }

    fn joint(&self, table: &Table<'_>) -> Result<Jointed, SceneError> {
        if let Some(motion) = table.table("motion")? {
            if table.has("joint") {
                return Err(SceneError::at(table.place("motion"), "a body has either 'joint' or 'motion'"));
            }
            let kind = JointKind::Prescribed(super::motion::motion(&motion, &self.folder)?);
            return Ok(Jointed::of(Joint::new(None, kind)));
        }
        if !table.has("joint") {
            return Ok(Jointed::of(Joint::new(None, JointKind::Free)));
        }
        if table.is_text("joint") {
            let kind = if table.word("joint")? == Some("fixed") { JointKind::Fixed } else { JointKind::Free };
            return Ok(Jointed::of(Joint::new(None, kind)));
        }
        let Some(joint) = table.table("joint")? else { return Err(table.missing("joint")) };
        jointed(&joint, |name| self.known_body(name))
    }
}

/// A joint and how it starts.
struct Jointed {
    joint: Joint,
    positions: Option<Vec<f64>>,
    velocities: Option<Vec<f64>>,
    dof: Option<Dof>,
}

impl Jointed {
    fn of(joint: Joint) -> Self {
        Self { joint, positions: None, velocities: None, dof: None }
    }
}

fn jointed<'a>(
    table: &Table<'a>,
    body: impl Fn(&Text<'a>) -> Result<Option<zerogap_dynamics::multibody::BodyId>, SceneError>,
) -> Result<Jointed, SceneError> {
    let axis = table.vector("axis")?.unwrap_or(Vec3::z());
    let word = table.word("kind")?.ok_or_else(|| table.missing("kind"))?;
    let (kind, coordinates) = match word {
        "fixed" => (JointKind::Fixed, 0),
        "revolute" => (JointKind::Revolute { axis }, 1),
        "prismatic" => (JointKind::Prismatic { axis }, 1),
        "cylindrical" => (JointKind::Cylindrical { axis }, 2),
        "universal" => {
            let second = table.vector("second_axis")?.unwrap_or(Vec3::y());
            (JointKind::Universal { first: axis, second }, 2)
        }
        "spherical" => (JointKind::Spherical, 3),
        "planar" => (JointKind::Planar { normal: axis }, 3),
        _ => (JointKind::Free, 6),
    };
    let parent = table.text("parent")?.map_or(Ok(None), |name| body(&name))?;
    let on = Pose::from_translation(table.vector("on")?.unwrap_or_default())
        .map_err(|error| SceneError::at(table.place("on"), error.to_string()))?;
    let joint = Joint::new(parent, kind).at(table.pose("at", "turned")?).on(on);
    if coordinates != 1 {
        let only = [
            "position",
            "angle",
            "speed",
            "lower",
            "upper",
            "restitution",
            "stiffness",
            "rest",
            "damping",
            "motor",
        ];
        if let Some(key) = only.into_iter().find(|key| table.has(key)) {
            let message = format!("'{key}' is for revolute and prismatic joints, but this one is {word}");
            return Err(SceneError::at(table.place(key), message));
        }
        return Ok(Jointed::of(joint));
    }
    if table.has("position") && table.has("angle") {
        return Err(SceneError::at(table.place("angle"), "a joint starts at either 'position' or 'angle'"));
    }
    let start = table.quantity("angle")?.or(table.quantity("position")?);
    let usual = Dof::default();
    let dof = Dof {
        lower: table.quantity("lower")?,
        upper: table.quantity("upper")?,
        restitution: table.quantity("restitution")?.unwrap_or(usual.restitution),
        stiffness: table.quantity("stiffness")?.unwrap_or(usual.stiffness),
        rest: table.quantity("rest")?.unwrap_or(usual.rest),
        damping: table.quantity("damping")?.unwrap_or(usual.damping),
        motor: table.table("motor")?.map_or(Ok(Motor::Off), |motor| self::motor(&motor))?,
    };
    Ok(Jointed {
        joint,
        positions: start.map(|start| vec![start]),
        velocities: table.quantity("speed")?.map(|speed| vec![speed]),
        dof: Some(dof),
    })
}

fn motor(table: &Table<'_>) -> Result<Motor, SceneError> {
    let limit = table.quantity("limit")?.unwrap_or(f64::INFINITY);
    let wanted = ["effort", "speed", "position"].into_iter().filter(|key| table.has(key)).count();
    if wanted != 1 {
        let error = SceneError::at(table.span.clone(), "a motor has one of 'effort', 'speed' and 'position'");
        return Err(error);
    }
    if let Some(effort) = table.quantity("effort")? {
        return Ok(Motor::Effort(effort));
    }
    if let Some(target) = table.quantity("speed")? {
        let gain = table.quantity("gain")?.ok_or_else(|| table.missing("gain"))?;
        return Ok(Motor::Velocity { target, gain, limit });
    }
    let target = table.quantity("position")?.ok_or_else(|| table.missing("position"))?;
    let stiffness = table.quantity("stiffness")?.ok_or_else(|| table.missing("stiffness"))?;
    Ok(Motor::Position { target, stiffness, damping: table.quantity("damping")?.unwrap_or(0.0), limit })
}
