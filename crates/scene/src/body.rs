//! Bodies of a scene file.

use zerogap_core::{Mat3, Pose};
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap_geometry::{MassProperties, Shape};

use super::error::SceneError;
use super::file::Reading;
use super::joint::{Jointed, jointed};
use super::places::Place;
use super::reader::Table;
use super::shape::Weighed;
use zerogap_simulation::settings::{Source, read_level};
use zerogap_simulation::world::{BodyDef, Level};

/// Keys that stand beside the one shape of a body, and in the tables of several.
const OF_ONE_SHAPE: [&str; 10] = [
    "collision",
    "pieces",
    "sides",
    "max_depth",
    "thickness",
    "angular_tolerance",
    "dilation",
    "inflate",
    "scale",
    "surface_velocity",
];

impl Reading {
    /// A body that moves.
    pub(super) fn body(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let name = table.text("name")?.ok_or_else(|| table.missing("name"))?;
        if name.text.is_empty() || name.text == "world" {
            let message = format!("'{}' cannot be the name of a body", name.text);
            return Err(SceneError::at(name.span, message)
                .with_help("write another name; \"world\" is all that is fixed"));
        }
        if self.bodies.contains_key(name.text) {
            let message = format!("there is a body '{}' already", name.text);
            return Err(SceneError::at(name.span, message).with_help("give every body a name of its own"));
        }
        let mut shapes = self.shapes_of(table)?;
        for shape in &mut shapes {
            self.warnings.append(&mut shape.warnings);
        }
        let joint = self.joint(table)?;
        let is_driven = self.is_driven(&joint.joint);
        if let (false, Some(plane)) =
            (is_driven, shapes.iter().find(|shape| matches!(shape.def.shape, Shape::HalfSpace(_))))
        {
            debug_assert!(plane.mass.is_err());
            let message = format!("'{}' has a half-space, which has no end and cannot move", name.text);
            return Err(table
                .wrong("shape", message)
                .with_help("write the half-space as [[fixed]], or take a box"));
        }
        let is_free = matches!(joint.joint.kind, JointKind::Free)
            && joint.joint.parent.is_none()
            && !table_joint(table);
        let servo =
            table.table("servo")?.map(|servo| super::motion::servo(&servo, &self.folder)).transpose()?;
        let level = read_level(table, self.builder.level())?;
        if servo.is_some() && !is_free && level != Level::Kinematic {
            let message = format!("a servo can hold a body that is free, but '{}' is not free", name.text);
            let help = "leave 'servo' or the joint out, or set level = \"kinematic\"";
            return Err(table.wrong("servo", message).with_help(help));
        }
        let inertia = if is_driven { None } else { self.inertia(table, &shapes)? };
        let mut def = BodyDef { inertia, ..BodyDef::new(joint.joint) }.named(name.text);
        if is_free {
            let pose = table.pose("position", "rotation")?;
            def.positions = BodyDef::free(pose).positions;
            let velocity = table.vector("velocity")?.unwrap_or_default();
            let turning =
                pose.inverse_transform_vector(&table.vector("angular_velocity")?.unwrap_or_default());
            def = def.moving(&[velocity.x, velocity.y, velocity.z, turning.x, turning.y, turning.z]);
        } else {
            refuse_start(table, name.text)?;
            (def.positions, def.velocities) = (joint.positions, joint.velocities);
            if let Some(dof) = joint.dof {
                def = def.with_dof(0, dof);
            }
        }
        table.finish(&format!(
            "'{}', which {}",
            name.text,
            if is_driven { "nothing can move" } else { "moves" }
        ))?;
        let place = Place { name: name.text.to_owned(), span: table.span.clone(), origin: None };
        def.shapes = shapes.into_iter().map(|shape| shape.def).collect();
        let body = self.add(place, def, is_driven)?;
        if table.has("level") {
            self.builder.set_body_level(body, level).map_err(|error| self.places.explain(&error))?;
        }
        if let Some(servo) = servo {
            self.builder.servo(body, servo).map_err(|error| self.places.explain(&error))?;
        }
        Ok(())
    }

    /// Adds a body and remembers where it comes from.
    pub(super) fn add(&mut self, place: Place, def: BodyDef, is_driven: bool) -> Result<BodyId, SceneError> {
        for shape in &def.shapes {
            self.place_shape(&place, shape);
        }
        self.places.bodies.push(place.clone());
        let body = self.builder.body(def).map_err(|error| self.places.explain(&error))?;
        self.bodies.insert(place.name, body);
        if is_driven {
            self.driven.insert(body);
        }
        Ok(body)
    }

    /// Whether nothing can move what hangs on a joint.
    pub(super) fn is_driven(&self, joint: &Joint) -> bool {
        let is_stiff = matches!(joint.kind, JointKind::Prescribed(_) | JointKind::Fixed);
        is_stiff && joint.parent.is_none_or(|parent: BodyId| self.driven.contains(&parent))
    }

    fn shapes_of(&self, table: &Table<'_>) -> Result<Vec<Weighed>, SceneError> {
        let several = table.tables("shapes")?;
        if table.has("shape") && table.has("shapes") {
            let error = table.wrong("shapes", "a body has either 'shape' or 'shapes', and this one has both");
            return Err(error.with_help("put the one shape into [[bodies.shapes]] with the others"));
        }
        if table.has("shape") {
            return Ok(vec![self.shape(table, Some(Pose::identity()), None)?]);
        }
        if let Some(key) = OF_ONE_SHAPE.into_iter().find(|key| table.has(key) && table.has("shapes")) {
            let message =
                format!("'{key}' belongs to a shape, and the shapes of this body stand in 'shapes'");
            let help = format!("write '{key}' in each [[bodies.shapes]] that it is for");
            return Err(table.wrong(key, message).with_help(help));
        }
        let material = table.text("material")?;
        if let Some(material) = &material {
            self.known_material(material)?;
        }
        let shape = |shape: &Table<'_>| {
            let mut weighed = self.shape(shape, None, material.as_ref())?;
            if let Some(name) = shape.text("name")? {
                name.text.clone_into(&mut weighed.def.name);
            }
            shape.finish("this shape")?;
            Ok(weighed)
        };
        several.iter().map(shape).collect()
    }

    /// Mass and inertia where the file gives them, or where they follow from shapes and a density.
    fn inertia(&self, table: &Table<'_>, shapes: &[Weighed]) -> Result<Option<Inertia>, SceneError> {
        let (mass, density) = (table.quantity("mass")?, table.quantity("density")?);
        if mass.is_some() && density.is_some() {
            let error =
                table.wrong("density", "a body has either 'mass' or 'density', and this one has both");
            return Err(error.with_help("leave one of them out"));
        }
        if let Some(moments) = table.vector("inertia")? {
            let mass = mass.ok_or_else(|| {
                table.wrong("inertia", "'inertia' needs 'mass'").with_help("write mass = \"2 kg\" beside it")
            })?;
            let center = table.vector("center")?.unwrap_or_default();
            let products = table.vector("products")?.unwrap_or_default();
            let mut inertia = Mat3::from_diagonal(&moments);
            for (k, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                (inertia[(i, j)], inertia[(j, i)]) = (products[k], products[k]);
            }
            return Ok(Some(Inertia { mass, center, inertia }));
        }
        for key in ["center", "products"] {
            if table.has(key) {
                let error = table.wrong(key, format!("'{key}' needs 'mass' and 'inertia'"));
                return Err(error
                    .with_help("write both, or leave it out: a body without them has those of its shapes"));
            }
        }
        let mut all = MassProperties::zero();
        for shape in shapes {
            let own = shape.mass.as_ref().map_err(|why| {
                let message = format!("a shape of this body has no mass of its own: {why}");
                SceneError::at(table.span.clone(), message).with_help("give the body 'mass' and 'inertia'")
            })?;
            let density = match density {
                Some(density) => density,
                None => self
                    .builder
                    .density(&shape.def.material)
                    .map_err(|error| SceneError::whole(error.to_string()))?,
            };
            let scaled = MassProperties { mass: own.mass * density, inertia: own.inertia * density, ..*own };
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
                let error =
                    table.wrong("motion", "a body has either 'joint' or 'motion', and this one has both");
                return Err(error.with_help("leave one of them out"));
            }
            let kind = JointKind::Prescribed(super::motion::motion(&motion, &self.folder)?);
            return Ok(Jointed::of(Joint::new(None, kind)));
        }
        if !table_joint(table) {
            let is_fixed = table.word("joint")? == Some("fixed");
            if is_fixed {
                let at = table.pose("position", "rotation")?;
                return Ok(Jointed::of(Joint::new(None, JointKind::Fixed).parent_frame(at)));
            }
            return Ok(Jointed::of(Joint::new(None, JointKind::Free)));
        }
        let Some(joint) = table.table("joint")? else { return Err(table.missing("joint")) };
        jointed(&joint, |name| self.known_body(name))
    }
}

/// Whether a body has a joint of its own, and not just a word for it.
fn table_joint(table: &Table<'_>) -> bool {
    table.has("joint") && !table.is_text("joint")
}

/// Refuses what only a free body can have.
fn refuse_start(table: &Table<'_>, name: &str) -> Result<(), SceneError> {
    // A body that is fixed in the world has a place, but never a velocity.
    let keys = ["position", "rotation", "velocity", "angular_velocity"];
    let keys = if table.is_text("joint") { &keys[2..] } else { &keys[..] };
    let key = keys.iter().find(|key| table.has(key));
    let Some(key) = key else { return Ok(()) };
    let message = format!("'{key}' is for bodies that start free, but '{name}' is not free");
    Err(table.wrong(key, message).with_help(if table.is_text("joint") {
        "leave it out: what is fixed does not move"
    } else if table.has("motion") {
        "write it in 'motion'"
    } else {
        "write where the joint is as 'at', and how it starts as 'position' and 'speed', in 'joint'"
    }))
}
