//! A scene from the text of a TOML file.
//!
//! In: text and the folder that its file names are relative to. Out: a [`Scene`], ready to run, or an error that knows the place. Tables are read in the order in which they can
//! refer to each other: materials, pairs, fixed shapes, bodies, loops.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::de::DeTable;
use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::{Material, PairProperties};
use zerogap_contact::solve::ImpactLaw;
use zerogap_core::Pose;
use zerogap_dynamics::integrate::{Method, Tolerance};
use zerogap_dynamics::multibody::{BodyId, Loop, LoopKind};

use super::error::SceneError;
use super::keys::SCENE;
use super::reader::{Table, Text, nearest};
use crate::world::{ContactModel, WorldBuilder, WorldParams, ZeroFunctions};

/// Time to run to where a file does not say [s].
const UNTIL: f64 = 5.0;

/// Time between frames where a file does not say [s].
const EVERY: f64 = 0.01;

/// A scene, ready to run.
#[derive(Debug)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// What it shows, in a line.
    pub about: String,
    /// The text that it was read from.
    pub source: String,
    /// The world.
    pub builder: WorldBuilder,
    /// Time to run to [s].
    pub until: f64,
    /// Time between frames [s].
    pub every: f64,
}

/// What the tables of a file share while it is read.
pub(super) struct Reading {
    pub(super) builder: WorldBuilder,
    pub(super) bodies: BTreeMap<String, BodyId>,
    /// The folder that file names are relative to.
    pub(super) folder: PathBuf,
}

impl Scene {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            SceneError::whole(format!("{} cannot be read: {error}", path.display())).in_file(Some(path))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        Self::parse(&text, &name, &folder).map_err(|error| error.in_file(Some(path)))
    }

    /// Reads a text; `name` is used where it has none, file names are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        let parsed = DeTable::parse(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            SceneError::at(at, format!("this is no TOML: {}", error.message()))
        })?;
        let top = Table::new(parsed.get_ref(), 0..0, &SCENE)?;
        let params = params(&top)?;
        let mut reading = Reading {
            builder: WorldBuilder::new(params),
            bodies: BTreeMap::new(),
            folder: folder.to_owned(),
        };
        if let Some(world) = top.table("world")? {
            reading.builder.allow_overlap(world.flag("allow_overlap")?);
        }
        reading.materials(&top)?;
        for table in top.tables("fixed")? {
            reading.fixed(&table)?;
        }
        for table in top.tables("bodies")? {
            reading.body(&table)?;
        }
        if let Some(table) = top.table("robot")? {
            return Err(SceneError::at(table.span, "robot files are not read yet"));
        }
        for table in top.tables("loops")? {
            reading.closure(&table)?;
        }
        for table in top.tables("apart")? {
            reading.apart(&table)?;
        }

        let (mut until, mut every) = (UNTIL, EVERY);
        if let Some(run) = top.table("run")? {
            until = positive(&run, "until")?.unwrap_or(until);
            every = positive(&run, "every")?.unwrap_or(every);
        }
        let own = top.text("name")?.map_or(name, |own| own.text).to_owned();
        let about = top.text("about")?.map_or("", |about| about.text).to_owned();
        Ok(Self { name: own, about, source: text.to_owned(), builder: reading.builder, until, every })
    }
}

/// A number above zero.
pub(super) fn positive(table: &Table<'_>, name: &str) -> Result<Option<f64>, SceneError> {
    let value = table.quantity(name)?;
    match value {
        Some(x) if x <= 0.0 => Err(SceneError::at(table.place(name), format!("'{name}' must be above zero"))),
        other => Ok(other),
    }
}

/// The settings of the world.
fn params(top: &Table<'_>) -> Result<WorldParams, SceneError> {
    let mut params = WorldParams::default();
    let Some(world) = top.table("world")? else { return Ok(params) };
    if let Some(gravity) = world.vector("gravity")? {
        params.gravity = gravity;
    }
    params.contact = contact(&world)?;
    params.method = match world.word("method")? {
        Some("dop853") => Method::Dop853,
        Some("radau") => Method::Radau,
        _ => Method::Auto,
    };
    let relative = positive(&world, "rtol")?.unwrap_or(params.tolerance.relative);
    params.tolerance = Tolerance { relative, absolute: positive(&world, "atol")?.unwrap_or(1e-3 * relative) };
    params.max_step = positive(&world, "max_step")?.unwrap_or(params.max_step);
    if world.is_text("zero_functions") {
        world.word("zero_functions")?;
        params.functions = ZeroFunctions::Two;
    } else if let Some(count) = world.count("zero_functions")? {
        params.functions = ZeroFunctions::Smallest(count);
    }
    params.check().map_err(|error| SceneError::at(world.span.clone(), error.to_string()))?;
    Ok(params)
}

/// The contact model, with no number that it has no use for.
fn contact(world: &Table<'_>) -> Result<ContactModel, SceneError> {
    let name = world.word("contact")?.unwrap_or("hunt-crossley");
    let used: &[&str] = match name {
        "linear" => &["stiffness", "damping_ratio"],
        "kelvin-voigt" => &["stiffness", "damping"],
        "rigid" => &["impact"],
        _ => &[],
    };
    for key in ["stiffness", "damping", "damping_ratio", "impact"] {
        if world.has(key) && !used.contains(&key) {
            let error =
                SceneError::at(world.place(key), format!("'{key}' has no meaning for contact = \"{name}\""));
            return Err(error.with_help("linear takes stiffness and damping_ratio, kelvin-voigt stiffness and damping, rigid takes impact"));
        }
    }
    let needed = |key: &str| positive(world, key)?.ok_or_else(|| world.missing(key));
    Ok(match name {
        "hertz" => ContactModel::Elastic(NormalLaw::Hertz),
        "linear" => ContactModel::Elastic(NormalLaw::Linear {
            stiffness: needed("stiffness")?,
            damping_ratio: world.quantity("damping_ratio")?.unwrap_or(1.0),
        }),
        "kelvin-voigt" => ContactModel::Elastic(NormalLaw::KelvinVoigt {
            stiffness: needed("stiffness")?,
            damping: world.quantity("damping")?.ok_or_else(|| world.missing("damping"))?,
        }),
        "modia3d" => ContactModel::Elastic(NormalLaw::Modia3d),
        "rigid" => ContactModel::Rigid(match world.word("impact")? {
            Some("poisson") => ImpactLaw::Poisson,
            Some("newton") => ImpactLaw::Newton,
            _ => ImpactLaw::Moreau,
        }),
        _ => ContactModel::Elastic(NormalLaw::HuntCrossley),
    })
}

impl Reading {
    /// Materials and what two of them do to each other.
    fn materials(&mut self, top: &Table<'_>) -> Result<(), SceneError> {
        for (name, table) in top.named("materials")? {
            let needed = |key: &str| table.quantity(key)?.ok_or_else(|| table.missing(key));
            let material = Material {
                young_modulus: needed("young_modulus")?,
                poisson_ratio: table.quantity("poisson_ratio")?.unwrap_or(0.3),
                density: needed("density")?,
            };
            let added = self.builder.material(name.text, material);
            added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        }
        for table in top.tables("pairs")? {
            let names = table.texts("materials")?.ok_or_else(|| table.missing("materials"))?;
            let [a, b] = &names[..] else {
                let message = format!("'materials' names {} materials, but a pair has two", names.len());
                return Err(SceneError::at(table.place("materials"), message));
            };
            for name in [a, b] {
                self.known_material(name)?;
            }
            let usual = PairProperties::default();
            let properties = PairProperties {
                restitution: table.quantity("restitution")?.unwrap_or(usual.restitution),
                friction: table.quantity("friction")?.unwrap_or(usual.friction),
                static_friction: table.quantity("static_friction")?,
                rolling: table.quantity("rolling")?.unwrap_or(usual.rolling),
                spinning: table.quantity("spinning")?.unwrap_or(usual.spinning),
                contact_radius: table.quantity("contact_radius")?,
                grip: None,
            };
            let added = self.builder.pair(a.text, b.text, properties);
            added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        }
        Ok(())
    }

    /// Refuses materials that nobody knows.
    pub(super) fn known_material(&self, name: &Text<'_>) -> Result<(), SceneError> {
        let known = self.builder.material_names();
        if known.contains(&name.text) {
            return Ok(());
        }
        let error = SceneError::at(name.span.clone(), format!("there is no material '{}'", name.text));
        Err(error.with_help(match nearest(name.text, &known) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("write [materials.{}], or one of {}", name.text, known.join(", ")),
        }))
    }

    /// A body by name; `world` is none.
    pub(super) fn known_body(&self, name: &Text<'_>) -> Result<Option<BodyId>, SceneError> {
        if name.text == "world" {
            return Ok(None);
        }
        if let Some(body) = self.bodies.get(name.text) {
            return Ok(Some(*body));
        }
        let known: Vec<&str> = self.bodies.keys().map(String::as_str).collect();
        let error =
            SceneError::at(name.span.clone(), format!("there is no body '{}' before this", name.text));
        Err(match nearest(name.text, &known) {
            Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
            None => error.with_help("bodies must stand before what refers to them"),
        })
    }

    fn closure(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let body = |key: &str| table.text(key)?.map_or(Ok(None), |name| self.known_body(&name));
        let frame = |key: &str| {
            let at = table.vector(key)?.unwrap_or_default();
            Pose::from_translation(at).map_err(|error| SceneError::at(table.place(key), error.to_string()))
        };
        let axis = table.vector("axis")?.unwrap_or(zerogap_core::Vec3::z());
        let kind = match table.word("kind")?.unwrap_or("point") {
            "revolute" => LoopKind::Revolute { axis },
            "fixed" => LoopKind::Fixed,
            "distance" => {
                LoopKind::Distance(positive(table, "length")?.ok_or_else(|| table.missing("length"))?)
            }
            _ => LoopKind::Point,
        };
        let closure =
            Loop { a: body("a")?, frame_a: frame("at_a")?, b: body("b")?, frame_b: frame("at_b")?, kind };
        let closed = self.builder.close(closure);
        closed.map(|_| ()).map_err(|error| SceneError::at(table.span.clone(), error.to_string()))
    }

    fn apart(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let names = table.texts("bodies")?.ok_or_else(|| table.missing("bodies"))?;
        let bodies = names.iter().map(|name| self.known_body(name)).collect::<Result<Vec<_>, _>>()?;
        for (k, a) in bodies.iter().enumerate() {
            for b in &bodies[..k] {
                self.builder.keep_apart(*a, *b);
            }
        }
        Ok(())
    }
}
