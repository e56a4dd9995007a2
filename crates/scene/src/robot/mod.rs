//! Robots: URDF and MJCF files to bodies of a world.
//!
//! In: the text of a file. Out: a [`Robot`], which [`Reading::robot`] adds to the scene around it. What a file contains beyond the supported subset is an error where bodies
//! would be lost or the motion would be another one, and otherwise a warning with its name and line; docs/robots.md lists both.

mod description;
mod geometry;
mod mjcf;
mod orientation;
mod repair;
mod units;
mod urdf;
mod xml;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zerogap_contact::material::{Material, PairProperties};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Coupling, Dof, Forces, Inertia, Joint, JointKind, Loop};

pub use description::{BodyFacts, Keyframe, RobotDescription};

use super::error::SceneError;
use super::file::Reading;
use super::places::{Origin, Place};
use mjcf::Rubbing;
use mjcf::document::Spot;
use mjcf::report::Report;
use xml::Named;
use zerogap_simulation::world::{BodyDef, Labels, PairId, ShapeDef, ShapeId};

/// What the root of a URDF is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// It stands still.
    Fixed,
    /// It moves freely.
    Free,
}

/// What of a robot is left out on purpose, for comparisons and tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "things that are left out one by one")]
pub struct Without {
    /// Shapes that collide.
    pub contacts: bool,
    /// Limits of joints and tendons.
    pub limits: bool,
    /// Equalities and mimicking joints.
    pub equalities: bool,
    /// Dry friction of joints.
    pub joint_friction: bool,
    /// Forces of actuators: they are there, and do nothing.
    pub actuators: bool,
}

impl Without {
    /// Without all but the actuators: what is left agrees between programs.
    pub fn all() -> Self {
        Self { contacts: true, limits: true, equalities: true, joint_friction: true, actuators: false }
    }
}

/// How a robot file is read.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "switches by their names")]
pub struct RobotOptions {
    /// What the root of a URDF is; an MJCF model says it by itself.
    pub base: Option<Base>,
    /// Folders of packages by name, for `package://` in a URDF.
    pub packages: Vec<(String, PathBuf)>,
    /// Whether links of a URDF with masses, inertias or sizes that cannot be are mended, with a warning for each.
    pub repair: bool,
    /// Whether physics that is not modelled here is left out with a warning, in place of an error.
    pub leave_out: bool,
    /// What is left out on purpose.
    pub without: Without,
    /// Material of all shapes; none takes the friction of the file.
    pub material: Option<String>,
    /// The keyframe of an MJCF model to start from.
    pub keyframe: Option<String>,
    /// What names of bodies, shapes, joints, sites, actuators, tendons and sensors begin with in the world.
    pub prefix: String,
    /// How joints start, after the keyframe.
    pub starts: Vec<JointStart>,
    /// Whether its bodies never touch each other.
    pub without_self_collision: bool,
    /// Whether pairs of its shapes, and of these with others, that overlap at the start never touch.
    pub ignore_overlaps: bool,
}

/// How a joint of a robot starts.
#[derive(Debug, Clone, PartialEq)]
pub struct JointStart {
    /// Its name in the file.
    pub joint: String,
    /// Its position, counted as in the file [m or rad].
    pub position: Option<f64>,
    /// Its speed [m/s or rad/s].
    pub speed: Option<f64>,
}

impl RobotOptions {
    /// Whether anything but the base is set.
    pub(super) fn is_for_robots(&self) -> bool {
        self.repair
            || self.leave_out
            || self.keyframe.is_some()
            || self.material.is_some()
            || self.ignore_overlaps
            || !self.packages.is_empty()
            || self.without != Without::default()
    }
}

/// A link with the joint that it hangs on.
#[derive(Debug)]
struct Link {
    name: String,
    spot: Spot,
    /// A link before this one; none: the world.
    parent: Option<usize>,
    kind: JointKind,
    /// The joint in the parent and on the link.
    at: Pose,
    on: Pose,
    dofs: Vec<(usize, Dof)>,
    /// Where it starts; none: where the joint frames coincide.
    positions: Option<Vec<f64>>,
    inertia: Inertia,
    shapes: Vec<ShapeDef>,
}

impl Link {
    /// A link on nothing yet.
    fn new(name: &str, spot: &Spot, parent: Option<usize>, at: Pose) -> Self {
        Self {
            name: name.to_owned(),
            spot: spot.clone(),
            parent,
            kind: JointKind::Fixed,
            at,
            on: Pose::identity(),
            dofs: Vec::new(),
            positions: None,
            inertia: Inertia::none(),
            shapes: Vec::new(),
        }
    }
}

/// What shapes touch: bits of what each is, and of what it touches.
#[derive(Debug, Default)]
struct Shapes {
    fixed: Vec<ShapeBits>,
    of_links: BTreeMap<usize, Vec<ShapeBits>>,
}

/// Bits of what a shape is and of what it touches, and the pairs that name it.
#[derive(Debug, Clone, Default)]
struct ShapeBits {
    bits: [u32; 2],
    pairs: Vec<usize>,
}

impl ShapeBits {
    fn meets(&self, other: &Self) -> bool {
        let meets = self.bits[0] & other.bits[1] != 0 || other.bits[0] & self.bits[1] != 0;
        meets || self.pairs.iter().any(|pair| other.pairs.contains(pair))
    }
}

/// Two geoms that touch whatever their bits say, and how they rub.
#[derive(Debug, Clone)]
struct NamedPair {
    geoms: [String; 2],
    rubbing: Rubbing,
}

/// What a file says, in the order in which it can be added to a world.
#[derive(Debug)]
pub(super) struct Robot {
    pub(super) description: RobotDescription,
    pub(super) gravity: Option<Vec3>,
    /// The step that the file asks for [s].
    pub(super) timestep: Option<f64>,
    fixed: Vec<(Named, ShapeDef)>,
    links: Vec<Link>,
    /// Links that never touch each other.
    apart: Vec<(Option<usize>, Option<usize>)>,
    shapes: Shapes,
    /// Materials by how they rub.
    materials: Vec<(String, Rubbing)>,
    pairs: Vec<NamedPair>,
    forces: Forces,
    /// Names of joints, sites, actuators and tendons, and sensors, with numbers of links in place of bodies.
    labels: Labels,
    couplings: Vec<(Coupling, Spot)>,
    loops: Vec<(Loop, Spot)>,
    without: Without,
    /// The link of each joint of the description.
    joint_links: Vec<usize>,
    keyframe: Option<String>,
    prefix: String,
    starts: Vec<JointStart>,
    without_self_collision: bool,
    ignore_overlaps: bool,
    /// Warnings beside those of the report.
    warnings: Vec<String>,
    report: Report,
}

/// What the files have in common while they are read.
struct Context<'a> {
    folder: &'a Path,
    options: &'a RobotOptions,
    /// Where the whole is.
    pose: Pose,
}

impl Robot {
    /// Reads a file.
    pub(super) fn read(
        path: &Path,
        text: &str,
        options: &RobotOptions,
        pose: Pose,
    ) -> Result<Self, SceneError> {
        // MJCF files are never larger than a few megabytes; entities that grow without bound are refused by the parser itself.
        let document = roxmltree::Document::parse(text).map_err(|error| {
            SceneError::at(xml::place_of(text, error.pos()), format!("this is not XML: {error}"))
        })?;
        let root = document.root_element();
        let mut robot = Self {
            description: RobotDescription::default(),
            gravity: None,
            timestep: None,
            fixed: Vec::new(),
            links: Vec::new(),
            apart: Vec::new(),
            shapes: Shapes::default(),
            materials: Vec::new(),
            pairs: Vec::new(),
            forces: Forces::default(),
            labels: Labels::default(),
            couplings: Vec::new(),
            loops: Vec::new(),
            without: options.without,
            joint_links: Vec::new(),
            keyframe: options.keyframe.clone(),
            prefix: options.prefix.clone(),
            starts: options.starts.clone(),
            without_self_collision: options.without_self_collision,
            ignore_overlaps: options.ignore_overlaps,
            warnings: Vec::new(),
            report: Report::default(),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let context = Context { folder, options, pose };
        match (root.tag_name().name(), options.base) {
            ("robot", Some(base)) => {
                let origin = Arc::new(Origin { file: path.to_owned(), text: text.to_owned() });
                urdf::read(&root, base, &context, &mut robot, &origin)?;
            }
            ("robot", None) => {
                let error = SceneError::at(
                    xml::name_place(&root),
                    "a URDF does not specify whether its base is fixed or free",
                );
                return Err(error.with_help("specify --base fixed or --base free on the command line, or base = \"fixed\" or base = \"free\" in [robot] of a scene"));
            }
            ("mujoco", None) => mjcf::read(path, text, &context, &mut robot)?,
            ("mujoco", Some(_)) => {
                let error = SceneError::at(
                    xml::name_place(&root),
                    "an MJCF model defines its own base: 'base' is for URDF",
                );
                return Err(error.with_help("leave 'base' out"));
            }
            (other, _) => {
                let message = format!("<{other}> is neither a URDF (<robot>) nor an MJCF model (<mujoco>)");
                return Err(SceneError::at(xml::name_place(&root), message));
            }
        }
        let name = root.attribute("name").or(root.attribute("model")).unwrap_or_default();
        name.clone_into(&mut robot.description.name);
        let angles = if root.tag_name().name() == "robot" {
            "a URDF counts angles in radians"
        } else {
            "if they are degrees, write <compiler angle=\"degree\"/>"
        };
        let doubts: Vec<String> = units::doubts(&robot.links, angles).collect();
        robot.warnings.extend(doubts);
        robot.refuse_absent(options.leave_out)?;
        Ok(robot)
    }

    /// Refuses a model with physics that is not modelled here, unless it may be left out.
    fn refuse_absent(&self, may_leave_out: bool) -> Result<(), SceneError> {
        let mut absent = self.report.absent();
        let Some((what, spot, _)) = absent.next().filter(|_| !may_leave_out) else { return Ok(()) };
        let more: Vec<String> = absent.map(|(what, spot, _)| format!("{}: {what}", spot.line())).collect();
        let error =
            spot.wrong(format!("{what} not modelled here, and the model would move otherwise than it says"));
        let also = if more.is_empty() { String::new() } else { format!("; also {}", more.join(", ")) };
        Err(error.with_help(format!("set leave_out = true in [robot] to load the model without it{also}")))
    }

    /// The material of a shape that rubs so.
    fn material_of(&mut self, rubbing: Rubbing) -> String {
        if let Some((name, _)) = self.materials.iter().find(|(_, known)| *known == rubbing) {
            return name.clone();
        }
        let name = format!("robot surface {}", self.materials.len() + 1);
        self.materials.push((name.clone(), rubbing));
        name
    }
}

/// What the names of materials of geoms that pairs name begin with.
const SURFACE_OF: &str = "robot surface of ";

/// The name of the material of a geom that a pair names.
fn pair_material(geom: &str) -> String {
    format!("{SURFACE_OF}{geom}")
}

/// Materials of all robots of a scene by how they rub.
#[derive(Debug, Default)]
pub(super) struct Surfaces(Vec<(String, Rubbing)>);

/// How two geoms rub on each other: the one of higher priority decides, else the larger numbers count.
fn merged(a: &Rubbing, b: &Rubbing) -> Rubbing {
    match a.priority.total_cmp(&b.priority) {
        std::cmp::Ordering::Greater => *a,
        std::cmp::Ordering::Less => *b,
        std::cmp::Ordering::Equal => Rubbing {
            friction: std::array::from_fn(|k| a.friction[k].max(b.friction[k])),
            directions: a.directions.max(b.directions),
            priority: a.priority,
        },
    }
}

/// What two materials do to each other whose shapes rub so. Nothing bounces.
fn properties(one: &Rubbing) -> PairProperties {
    // Coefficients of the file are the lever arms of the torques; spinning here is that of the friction force.
    let [sliding, torsional, rolling] = one.friction;
    let friction = if one.directions > 1.0 { sliding } else { 0.0 };
    PairProperties {
        restitution: 0.0,
        friction,
        spinning: if one.directions > 3.0 && friction > 0.0 { torsional / friction } else { 0.0 },
        rolling_length: if one.directions > 4.0 { rolling } else { 0.0 },
        ..PairProperties::default()
    }
}

impl Reading {
    /// Adds a robot.
    pub(super) fn robot(&mut self, robot: &mut Robot) -> Result<(), SceneError> {
        let place = |name: &str, spot: &Spot| Place {
            name: name.to_owned(),
            span: spot.span.clone(),
            origin: Some(spot.origin.clone()),
        };
        let renamed = self.robot_materials(robot)?;
        let prefixed = |name: &str| match name {
            "" => String::new(),
            name => format!("{}{name}", robot.prefix),
        };
        let placed = |def: ShapeDef| {
            let (name, material) = (prefixed(&def.name), renamed.get(&def.material).cloned());
            ShapeDef { name, material: material.unwrap_or(def.material), ..def }
        };
        for pair in &robot.pairs {
            let [a, b] = [0, 1].map(|k| pair_material(&prefixed(&pair.geoms[k])));
            if self.builder.material_names().contains(&a.as_str())
                && self.builder.material_names().contains(&b.as_str())
            {
                let done = self.builder.pair(&a, &b, properties(&pair.rubbing));
                done.map_err(|error| SceneError::whole(error.to_string()))?;
            }
        }
        let mut masks: Vec<(ShapeId, Option<usize>, ShapeBits)> = Vec::new();
        let next_shape = |reading: &Self| ShapeId(reading.builder.shape_count() as u32);
        for (k, (named, def)) in robot.fixed.drain(..).enumerate() {
            let name = prefixed(&named.name);
            self.place_shape(&place(&name, &named.spot), &def);
            let id = next_shape(self);
            self.builder.fixed(placed(def).named(&name)).map_err(|error| self.places.explain(&error))?;
            masks.extend(robot.shapes.fixed.get(k).map(|bits| (id, None, bits.clone())));
        }
        let mut bodies: Vec<BodyId> = Vec::with_capacity(robot.links.len());
        for (number, link) in robot.links.drain(..).enumerate() {
            let name = prefixed(&link.name);
            let place = place(&name, &link.spot);
            if self.bodies.contains_key(&name) || name == "world" && link.parent.is_some() {
                let message = format!("there is a body '{name}' already");
                let help = if self.robots.is_empty() {
                    "give every body a name of its own"
                } else {
                    "write a 'prefix' in [[robots]], such as prefix = \"left/\", so that every body has a name of its own"
                };
                return Err(self.places.at(Some(&place), message).with_help(help));
            }
            let parent = link.parent.and_then(|parent: usize| bodies.get(parent).copied());
            let joint = Joint::new(parent, link.kind).parent_frame(link.at).child_frame(link.on);
            let is_driven = self.is_driven(&joint);
            let mut def = BodyDef::new(joint).named(&name).with_inertia(link.inertia);
            def.positions = link.positions;
            def.shapes = link.shapes.into_iter().map(placed).collect();
            def.dofs = link.dofs;
            let first = next_shape(self).0;
            let body = self.add(place, def, is_driven)?;
            bodies.push(body);
            let of_link = robot.shapes.of_links.get(&number).into_iter().flatten().enumerate();
            masks.extend(of_link.map(|(k, bits)| (ShapeId(first + k as u32), Some(number), bits.clone())));
        }
        let body = |link: Option<usize>| link.and_then(|link| bodies.get(link).copied());
        for (a, b) in robot.apart.drain(..) {
            self.builder.exclude(body(a), body(b));
        }
        self.robot_masks(&masks);

        // Numbers of links are those of bodies from the first one on.
        let first = bodies.first().map_or(0, |body| body.0);
        let shifted = |body: BodyId| BodyId(body.0 + first);
        robot.forces.renumber(shifted);
        robot.description.joint_bodies =
            robot.joint_links.iter().filter_map(|link| bodies.get(*link).copied()).collect();
        if let Some(name) = robot.keyframe.take() {
            self.start_at(robot, &name)?;
        }
        let (tendons, actuators) = self.builder.force_counts();
        self.builder
            .forces(std::mem::take(&mut robot.forces))
            .map_err(|error| self.places.explain(&error))?;
        self.robot_labels(robot, &bodies, [tendons, actuators])?;
        if !(robot.couplings.is_empty() && robot.loops.is_empty()) {
            // Equalities of files are soft, or bind joints whose zero they exclude: they start apart as often as not.
            self.builder.set_assemble(true);
        }
        for (mut coupling, spot) in robot.couplings.drain(..) {
            coupling.renumber(shifted);
            self.builder.couple(coupling).map_err(|error| spot.wrong(error.to_string()))?;
        }
        for (closed, spot) in robot.loops.drain(..) {
            let closed = Loop { a: closed.a.map(shifted), b: closed.b.map(shifted), ..closed };
            self.places.loops.push(Place {
                name: "an equality".to_owned(),
                span: spot.span.clone(),
                origin: Some(spot.origin.clone()),
            });
            self.builder.close(closed).map_err(|error| spot.wrong(error.to_string()))?;
        }
        self.builder.set_friction_optional(true);
        self.warnings.append(&mut robot.warnings);
        self.warnings.append(&mut std::mem::take(&mut robot.report).finish());
        self.robots.push(std::mem::take(&mut robot.description));
        Ok(())
    }

    /// Adds the materials of a robot, and what every two of them and of those of robots before do to each other. Returns their names in the world by those in the robot: shapes that rub alike share one.
    fn robot_materials(&mut self, robot: &Robot) -> Result<BTreeMap<String, String>, SceneError> {
        let wrong = |error: zerogap_simulation::world::WorldError| SceneError::whole(error.to_string());
        let usual = Material { young_modulus: 2e11, poisson_ratio: 0.3, density: 1000.0 };
        let mut renamed = BTreeMap::new();
        for (own, rubbing) in &robot.materials {
            let geom = own.strip_prefix(SURFACE_OF);
            let known =
                self.surfaces.0.iter().find(|(name, known)| {
                    geom.is_none() && !name.starts_with(SURFACE_OF) && known == rubbing
                });
            if let Some((name, _)) = known {
                renamed.insert(own.clone(), name.clone());
                continue;
            }
            let name = match geom {
                Some(geom) => pair_material(&format!("{}{geom}", robot.prefix)),
                None => format!("robot surface {}", self.surfaces.0.len() + 1),
            };
            self.builder.material(&name, usual).map_err(wrong)?;
            self.surfaces.0.push((name.clone(), *rubbing));
            for (other, of_other) in &self.surfaces.0 {
                self.builder.pair(other, &name, properties(&merged(of_other, rubbing))).map_err(wrong)?;
            }
            renamed.insert(own.clone(), name);
        }
        Ok(renamed)
    }

    /// Adds the names of a robot, has its joints start as the scene says, and leaves out what its bodies shall not touch.
    fn robot_labels(
        &mut self,
        robot: &mut Robot,
        bodies: &[BodyId],
        counts: [usize; 2],
    ) -> Result<(), SceneError> {
        let first = bodies.first().map_or(0, |body| body.0);
        let mut labels = std::mem::take(&mut robot.labels);
        labels.renumber(|body| BodyId(body.0 + first), counts);
        self.start_joints(robot, &labels)?;
        labels.prefix(&robot.prefix);
        if robot.without_self_collision {
            let members: Vec<Option<BodyId>> = bodies.iter().copied().map(Some).collect();
            self.builder.exclude_group(&members);
        }
        if robot.ignore_overlaps {
            self.builder.exclude_overlaps_of(bodies);
        }
        self.builder.label(labels).map_err(|error| self.places.explain(&error))
    }

    /// Has joints start as the scene says; labels have the names of the file.
    fn start_joints(&mut self, robot: &Robot, labels: &Labels) -> Result<(), SceneError> {
        for JointStart { joint, position, speed } in &robot.starts {
            let label = labels.joints.iter().find(|label| label.name == *joint).ok_or_else(|| {
                let known: Vec<&str> = labels.joints.iter().map(|label| label.name.as_str()).collect();
                let error = SceneError::whole(format!("the robot has no joint '{joint}'"));
                match zerogap_core::text::nearest(joint, &known) {
                    Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
                    None => error.with_help(format!("it has {}", known.join(", "))),
                }
            })?;
            let kind = robot.description.joints.iter().find(|(name, _)| name == joint);
            let is_single = kind
                .is_some_and(|(_, kind)| !matches!(kind.as_str(), "free" | "floating" | "ball" | "planar"));
            if !is_single {
                let message =
                    format!("joint '{joint}' has several numbers, and 'start' is for hinges and slides");
                return Err(SceneError::whole(message).with_help("place a free robot by its own position"));
            }
            let position = position.map(|position| vec![position - label.reference]);
            self.builder.start(label.body, position, speed.map(|speed| vec![speed]));
        }
        Ok(())
    }

    /// Keeps shapes apart whose bits do not meet.
    fn robot_masks(&mut self, masks: &[(ShapeId, Option<usize>, ShapeBits)]) {
        let mut kinds: Vec<[u32; 2]> = masks.iter().map(|(_, _, touched)| touched.bits).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let kinds: Vec<_> = kinds.into_iter().map(|bits| ShapeBits { bits, pairs: Vec::new() }).collect();
        if kinds.iter().all(|a| kinds.iter().all(|b| a.meets(b))) {
            return;
        }
        let mut excluded = Vec::new();
        for (k, (a, of_a, touched_a)) in masks.iter().enumerate() {
            for (b, of_b, touched_b) in &masks[k + 1..] {
                if of_a != of_b && !touched_a.meets(touched_b) {
                    excluded.push(PairId::new(*a, *b));
                }
            }
        }
        self.builder.exclude_shapes(excluded);
    }

    /// Has a robot start as a keyframe of its file says.
    fn start_at(&mut self, robot: &mut Robot, name: &str) -> Result<(), SceneError> {
        let description = &robot.description;
        let Some(key) = description.keyframes.iter().find(|key| key.name == name) else {
            let known: Vec<&str> = description.keyframes.iter().map(|key| key.name.as_str()).collect();
            let error = SceneError::whole(format!("the robot has no keyframe '{name}'"));
            return Err(error.with_help(if known.is_empty() {
                "it has none at all: leave 'keyframe' out".to_owned()
            } else {
                format!("write one of {}", known.join(", "))
            }));
        };
        let fits = |what: &str| {
            SceneError::whole(format!("keyframe '{name}' has another number of {what} than the model"))
        };
        if !key.positions.is_empty() {
            for (body, positions) in
                description.joint_positions(&key.positions).ok_or_else(|| fits("positions"))?
            {
                self.builder.start(body, Some(positions), None);
            }
        }
        if !key.velocities.is_empty() {
            for (body, velocities) in
                description.joint_velocities(&key.velocities).ok_or_else(|| fits("velocities"))?
            {
                self.builder.start(body, None, Some(velocities));
            }
        }
        for (actuator, control) in robot.forces.actuators.iter_mut().zip(&key.controls) {
            actuator.control = *control;
        }
        Ok(())
    }
}
