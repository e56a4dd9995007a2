//! A scene from the text of a TOML file.
//!
//! In: text and the folder that its file names are relative to. Out: a [`Scene`], ready to run, or an error that knows the place. Tables are read in the order in which they can
//! refer to each other: materials, pairs, fixed shapes, bodies, frames, loops, springs and bushings.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeTable;
use zerogap_core::text::nearest;
use zerogap_core::{Pose, Vec3, files};
use zerogap_dynamics::multibody::{BodyId, Loop, LoopKind};

use super::error::SceneError;
use super::keys::SCENE;
use super::landing::landing;
use super::places::{Origin, Place, Places};
use super::reader::Table;
use super::robot::{Base, JointStart, Robot, RobotDescription, RobotOptions, Surfaces};
use super::unused::refuse_unused;
use super::values::Text;
use zerogap_simulation::Simulation;
use zerogap_simulation::landing::{Landing, LandingParams};
use zerogap_simulation::settings::{
    FRAME_INTERVAL, Selected, Source, UNTIL, read_material, read_overlaps, read_pair, read_world, selected,
};
use zerogap_simulation::world::{
    Effort, MethodParams, Overlaps, World, WorldBuilder, WorldParams, check_frames, check_step,
};

/// A scene, ready to run.
#[derive(Debug)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// What it shows, in a line.
    pub description: String,
    /// The text that it was read from.
    pub source: String,
    /// The world; without bodies where the scene is a landing.
    pub builder: WorldBuilder,
    /// The landing, in place of a world.
    pub landing: Option<LandingParams>,
    /// Time to run to [s].
    pub until: f64,
    /// Time between frames [s].
    pub every: f64,
    /// How much effort a run may take.
    pub effort: Effort,
    /// Names and places of what is in it.
    pub places: Places,
    /// What in the files was not taken up, a sentence each.
    pub warnings: Vec<String>,
    /// What the robots of the scene contain, in their order.
    pub robots: Vec<RobotDescription>,
}

/// What the tables of a file share while it is read.
pub(super) struct Reading {
    pub(super) builder: WorldBuilder,
    pub(super) bodies: BTreeMap<String, BodyId>,
    /// Bodies that nothing can move: fixed or prescribed.
    pub(super) driven: BTreeSet<BodyId>,
    pub(super) places: Places,
    pub(super) warnings: Vec<String>,
    /// What the robots of the scene contain.
    pub(super) robots: Vec<RobotDescription>,
    /// Materials of the robots.
    pub(super) surfaces: Surfaces,
    /// The folder that file names are relative to.
    pub(super) folder: PathBuf,
}

impl Scene {
    /// Reads a file: a scene (.toml) or an MJCF model (.xml). A URDF needs [`Scene::read_robot`], which says what holds its base.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        Self::read_robot(path, None)
    }

    /// Reads a file of any kind; `base` is what the root of a URDF is, and is only for URDF.
    pub fn read_robot(path: &Path, base: Option<Base>) -> Result<Self, SceneError> {
        Self::read_with(path, &RobotOptions { base, ..RobotOptions::default() })
    }

    /// Reads a file of any kind; the options are for robots that are run as they are.
    pub fn read_with(path: &Path, options: &RobotOptions) -> Result<Self, SceneError> {
        let text = files::read_text(path, files::MAX_SCENE).map_err(|error| {
            let error = SceneError::whole(format!("{} cannot be read: {error}", path.display()));
            SceneError { file: Some(path.to_owned()), ..error }
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let read = match (extension.as_deref(), options.base) {
            (Some("urdf" | "xml" | "xacro"), _) => Self::robot_alone(path, &text, &name, &folder, options),
            (_, None) if options.is_for_robots() => {
                Err(SceneError::whole("how a robot is read is set in [robot] of the scene file")
                    .with_help("write packages, repair, leave_out, keyframe and ignore_overlaps in [robot]"))
            }
            (_, None) => Self::parse_at(&text, &name, &folder, Some(path)),
            (_, Some(_)) => Err(SceneError::whole("'base' is set in [robot] of the scene file")
                .with_help("write base = \"fixed\" or base = \"free\" in [robot]")),
        };
        read.map_err(|error| error.within(Some(path), &text))
    }

    /// Reads a text; `name` is used where it has none, file names are relative to `folder`.
    pub fn parse(text: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        Self::parse_at(text, name, folder, None).map_err(|error| error.within(None, text))
    }

    fn parse_at(text: &str, name: &str, folder: &Path, path: Option<&Path>) -> Result<Self, SceneError> {
        let parsed = DeTable::parse(text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            let (message, help) = match error.message() {
                "duplicate key" => {
                    ("this stands in the file already".to_owned(), "leave one of the two out; several of a kind are a list, with [[two brackets]]")
                }
                other => (
                    format!("this line is not TOML: {other}"),
                    "a line is a [table], a [[table of a list]], key = value, or a # comment; texts stand in quotes",
                ),
            };
            SceneError::at(at, message).with_help(help)
        })?;
        let top = Table::top(parsed.get_ref(), &SCENE)?;
        let mut robots = Vec::new();
        for table in top.table("robot")?.into_iter().chain(top.tables("robots")?) {
            let robot = robot(&table, folder)?;
            robots.push((table, robot));
        }
        let base = WorldParams::default();
        // The first robot that says something of the world decides.
        let gravity = robots.iter().find_map(|(_, robot)| robot.gravity).unwrap_or(base.gravity);
        let base = WorldParams { gravity, ..base };
        let world = top.table("world")?;
        let mut params = world.as_ref().map_or(Ok(base), |world| read_world(world, &base))?;
        if let Some(step) = robots.iter().find_map(|(_, robot)| robot.timestep)
            && !world.as_ref().is_some_and(|world| world.has("step"))
        {
            take_step(&mut params, step);
        }
        refuse_unused(parsed.get_ref(), &selected(&params.method))?;
        let landing = landing(&top, &params, folder)?;
        let mut reading = Reading::new(params, folder, path, text);
        if let Some(world) = &world {
            reading.builder.set_overlaps(read_overlaps(world, Overlaps::default())?);
            reading.builder.set_assemble(world.yes("assemble")?);
        }
        reading.materials(&top)?;
        for table in top.tables("fixed")? {
            reading.fixed(&table)?;
        }
        for (table, robot) in &mut robots {
            if let Some(material) = table.text("material")? {
                reading.known_material(&material)?;
            }
            if robot.gravity.is_some_and(|own| own != gravity)
                && !world.as_ref().is_some_and(|world| world.has("gravity"))
            {
                let message = format!(
                    "robot '{}' asks for another gravity than the first one, which counts",
                    robot.description.name
                );
                reading.warnings.push(message);
            }
            reading.robot(robot)?;
        }
        for table in top.tables("bodies")? {
            reading.body(&table)?;
        }
        for table in top.tables("frames")? {
            reading.frame(&table)?;
        }
        for table in top.tables("loops")? {
            reading.closure(&table)?;
        }
        for table in top.tables("springs")? {
            reading.spring(&table)?;
        }
        for table in top.tables("bushings")? {
            reading.bushing(&table)?;
        }
        for table in top.tables("exclude")? {
            reading.exclude(&table)?;
        }
        for table in top.tables("commands")? {
            reading.command(&table)?;
        }
        let own = top.text("name")?.map_or(name, |own| own.text).to_owned();
        let description = top.text("description")?.map_or("", |description| description.text).to_owned();
        let (mut until, mut every, mut effort) = (UNTIL, FRAME_INTERVAL, Effort::default());
        if let Some(run) = top.table("run")? {
            until = run.quantity("until")?.unwrap_or(until);
            every = run.quantity("every")?.unwrap_or(every);
            effort = Effort::new(run.quantity("max_wall")?, run.whole("max_events")?);
            if every > until {
                let message = "'every' is longer than 'until': there would be no frame but the first";
                return Err(run.wrong("every", message).with_help("write a shorter time, such as \"10 ms\""));
            }
            check_frames(0.0, until, every).map_err(|error| {
                run.wrong("every", error.to_string()).with_help("write a longer time, such as \"10 ms\"")
            })?;
        }
        check_steps(&top, &params.method, landing.as_ref(), until)?;
        top.finish("a scene")?;
        if landing.is_none() {
            reading.warn_without_bodies();
        }
        Ok(Self { landing, effort, ..reading.scene(own, description, until, every) })
    }

    /// A robot without a scene around it.
    fn robot_alone(
        path: &Path,
        text: &str,
        name: &str,
        folder: &Path,
        options: &RobotOptions,
    ) -> Result<Self, SceneError> {
        let mut robot = Robot::read(path, text, options, Pose::identity())?;
        let params = WorldParams::default();
        let mut params = WorldParams { gravity: robot.gravity.unwrap_or(params.gravity), ..params };
        if let Some(step) = robot.timestep {
            take_step(&mut params, step);
        }
        let mut reading = Reading::new(params, folder, Some(path), text);
        reading.robot(&mut robot)?;
        reading.warn_without_bodies();
        let own = &reading.robots[0].name;
        let name = if own.is_empty() { name.to_owned() } else { own.clone() };
        Ok(reading.scene(name, String::new(), UNTIL, FRAME_INTERVAL))
    }

    /// The world at time zero; errors name the item and its place in the file. A landing has none: see [`Scene::simulation`].
    pub fn build(self) -> Result<World, SceneError> {
        if self.landing.is_some() {
            let error = SceneError::whole("this scene is a landing, which has no world of bodies");
            return Err(error.with_help("run it as it is"));
        }
        self.builder.build().map_err(|error| self.places.explain(&error))
    }
}

impl Scene {
    /// Returns the folder that its file names are relative to; empty for a scene that is in no file.
    pub fn folder(&self) -> &Path {
        let origin = self.places.source.as_ref();
        origin.and_then(|origin| origin.file.parent()).unwrap_or(Path::new(""))
    }

    /// The world or the landing at time zero; errors name the item and its place in the file.
    pub fn simulation(self) -> Result<Simulation, SceneError> {
        match self.landing.clone() {
            None => {
                let effort = self.effort;
                self.build().map(|mut world| {
                    world.limit_effort(effort);
                    Simulation::from(world)
                })
            }
            Some(params) => {
                let landed = Landing::new(params).map_err(|error| self.places.at(None, error.to_string()));
                landed.map(Simulation::from)
            }
        }
    }
}

/// Takes the step that a robot asks for [s].
fn take_step(params: &mut WorldParams, step: f64) {
    match &mut params.method {
        MethodParams::Events(events) => events.step = step,
        MethodParams::Stepping(stepping) => stepping.step = step,
    }
}

/// Refuses steps that are too short for time to advance to the end of the run [s].
fn check_steps(
    top: &Table<'_>,
    method: &MethodParams,
    landing: Option<&LandingParams>,
    until: f64,
) -> Result<(), SceneError> {
    let (key, what, step) = match (method, landing) {
        (_, Some(landing)) => ("max_step", "longest step", landing.max_step),
        (MethodParams::Stepping(stepping), _) => ("step", "step", stepping.step),
        (MethodParams::Events(events), _) => ("max_step", "longest step", events.max_step),
    };
    let Err(error) = check_step(what, step, until) else { return Ok(()) };
    let help = "write a longer step or an earlier end: time is stored with 16 digits";
    // Where the step is the default, it is the end of the run that is too far.
    let place = match top.table("world")?.filter(|world| world.has(key)) {
        Some(world) => world.wrong(key, error.to_string()),
        None => match top.table("run")? {
            Some(run) => run.wrong("until", error.to_string()),
            None => SceneError::whole(error.to_string()),
        },
    };
    Err(place.with_help(help))
}

/// Folders of packages: `NAME=FOLDER`, relative to the scene.
fn packages(table: &Table<'_>, folder: &Path) -> Result<Vec<(String, PathBuf)>, SceneError> {
    let list = table.texts("packages")?.unwrap_or_default();
    list.iter()
        .map(|text| match text.text.split_once('=') {
            Some((name, path)) => Ok((name.trim().to_owned(), folder.join(path.trim()))),
            None => Err(SceneError::at(text.span.clone(), format!("'{}' names no folder", text.text))
                .with_help("write packages = [\"NAME=FOLDER\"]")),
        })
        .collect()
}

/// How joints of a robot start.
fn starts(table: &Table<'_>) -> Result<Vec<JointStart>, SceneError> {
    let mut starts = Vec::new();
    for start in table.tables("start")? {
        let joint = start.text("joint")?.ok_or_else(|| start.missing("joint"))?.text.to_owned();
        // Whether it turns is known when the robot is read; a text with a unit says it.
        let either = |key: &'static str| {
            start.coordinate(key, true).or_else(|error| start.coordinate(key, false).map_err(|_| error))
        };
        starts.push(JointStart { joint, position: either("position")?, speed: either("speed")? });
    }
    Ok(starts)
}

/// The robot that a table names.
fn robot(table: &Table<'_>, folder: &Path) -> Result<Robot, SceneError> {
    let file = table.text("file")?.ok_or_else(|| table.missing("file"))?;
    let base = match table.word("base")? {
        Some("fixed") => Some(Base::Fixed),
        Some(_) => Some(Base::Free),
        None => None,
    };
    let path = folder.join(file.text);
    let options = RobotOptions {
        base,
        material: table.text("material")?.map(|material| material.text.to_owned()),
        repair: table.yes("repair")?,
        keyframe: table.text("keyframe")?.map(|name| name.text.to_owned()),
        packages: packages(table, folder)?,
        leave_out: table.yes("leave_out")?,
        prefix: table.text("prefix")?.map_or(String::new(), |prefix| prefix.text.to_owned()),
        without_self_collision: table.has("self_collision") && !table.yes("self_collision")?,
        ignore_overlaps: table.word("ignore_overlaps")?.is_some(),
        starts: starts(table)?,
        ..RobotOptions::default()
    };
    let pose = table.pose("position", "rotation")?;
    let text = files::read_text(&path, files::MAX_SCENE).map_err(|error| {
        SceneError::at(file.span.clone(), format!("{} cannot be read: {error}", path.display()))
            .with_help("file names are relative to the folder of the scene file")
    })?;
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("urdf")) && base.is_none() {
        return Err(table.missing("base").with_help(
            "write base = \"fixed\" if the root of the robot stands still, base = \"free\" if it moves",
        ));
    }
    let read = Robot::read(&path, &text, &options, pose);
    read.map_err(|error| error.within(Some(&path), &text))
}

impl Reading {
    fn new(params: WorldParams, folder: &Path, path: Option<&Path>, text: &str) -> Self {
        let file = path.map_or(PathBuf::new(), Path::to_owned);
        let source = Some(Arc::new(Origin { file, text: text.to_owned() }));
        Self {
            builder: WorldBuilder::new(params),
            bodies: BTreeMap::new(),
            driven: BTreeSet::new(),
            places: Places { source, ..Places::default() },
            warnings: Vec::new(),
            robots: Vec::new(),
            surfaces: Surfaces::default(),
            folder: folder.to_owned(),
        }
    }

    fn scene(self, name: String, description: String, until: f64, every: f64) -> Scene {
        let source = self.places.source.as_ref().map_or(String::new(), |origin| origin.text.clone());
        let Self { builder, places, warnings, robots, .. } = self;
        Scene {
            name,
            description,
            source,
            builder,
            landing: None,
            until,
            every,
            effort: Effort::default(),
            places,
            warnings,
            robots,
        }
    }

    /// Says that there is nothing to simulate.
    fn warn_without_bodies(&mut self) {
        if self.bodies.is_empty() {
            self.warnings.push("the scene has no bodies: nothing will move".to_owned());
        }
    }

    /// Materials and what two of them do to each other.
    fn materials(&mut self, top: &Table<'_>) -> Result<(), SceneError> {
        for (name, table) in top.named("materials")? {
            let material = read_material(&table)?;
            table.finish("a material")?;
            let added = self.builder.material(name.text, material);
            added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        }
        for table in top.tables("pairs")? {
            let names = table.texts("materials")?.ok_or_else(|| table.missing("materials"))?;
            let [a, b] = &names[..] else {
                let message = format!("'materials' names {} materials, but a pair has two", names.len());
                return Err(table.wrong("materials", message).with_help(
                    "write two names, such as [\"steel\", \"rubber\"]; the same one twice is fine",
                ));
            };
            for name in [a, b] {
                self.known_material(name)?;
            }
            let properties = read_pair(&table, &self.selected())?;
            table.finish("a pair")?;
            let added = self.builder.pair(a.text, b.text, properties);
            added.map_err(|error| SceneError::at(table.span.clone(), error.to_string()))?;
        }
        Ok(())
    }

    /// The words that decide which settings of pairs and shapes have an effect.
    pub(super) fn selected(&self) -> [Selected; 2] {
        selected(&self.builder.params().method)
    }

    /// Refuses unknown materials.
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
        let name_of = |key: &str| Ok(table.text(key)?.map_or("world", |name| name.text));
        let frame = |key: &str| {
            let at = table.vector(key)?.unwrap_or_default();
            Pose::from_translation(at).map_err(|error| SceneError::at(table.place(key), error.to_string()))
        };
        let word = table.word("kind")?.unwrap_or("point");
        let kind = match word {
            "revolute" => LoopKind::Revolute { axis: table.direction("axis")?.unwrap_or(Vec3::z()) },
            "fixed" => LoopKind::Fixed,
            "distance" => LoopKind::Distance(table.needed("length")?),
            _ => LoopKind::Point,
        };
        let closure =
            Loop { a: body("a")?, frame_a: frame("at_a")?, b: body("b")?, frame_b: frame("at_b")?, kind };
        if closure.a == closure.b {
            let error = SceneError::at(
                table.span.clone(),
                "a loop joins two bodies, and both ends of this one are on the same",
            );
            return Err(error
                .with_help("write the names of two bodies as 'a' and 'b'; without a name it is the world"));
        }
        table.finish(&format!("a loop of kind \"{word}\""))?;
        let name = format!("the loop of '{}' and '{}'", name_of("a")?, name_of("b")?);
        self.places.loops.push(Place { name, span: table.span.clone(), origin: None });
        let closed = self.builder.close(closure);
        closed.map(|_| ()).map_err(|error| self.places.explain(&error))
    }

    fn exclude(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let names = table.texts("bodies")?.ok_or_else(|| table.missing("bodies"))?;
        if names.len() < 2 {
            let message =
                format!("[[exclude]] needs at least two bodies, but 'bodies' names {}", names.len());
            return Err(table.wrong("bodies", message).with_help("write the names of two bodies or more"));
        }
        let bodies = names.iter().map(|name| self.known_body(name)).collect::<Result<Vec<_>, _>>()?;
        match bodies[..] {
            [a, b] => self.builder.exclude(a, b),
            _ => self.builder.exclude_group(&bodies),
        }
        Ok(())
    }
}
