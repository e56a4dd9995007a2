//! Robots: URDF and MJCF files to bodies of a world.
//!
//! In: the text of a file. Out: a [`Robot`], which [`Reading::robot`] adds to the scene around it. What a file contains beyond the supported subset is an error where bodies
//! would be lost, and otherwise a warning with its name and line; docs/scenes.md lists both.

mod geometry;
mod mjcf;
mod mjcf_body;
mod mjcf_defaults;
mod orientation;
mod urdf;
mod xml;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Inertia, Joint, JointKind};

use super::error::SceneError;
use super::file::Reading;
use super::places::{Origin, Place};
use zerogap_simulation::world::{BodyDef, ShapeDef};

/// What the root of a URDF is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// It stands still.
    Fixed,
    /// It moves freely.
    Free,
}

/// A link with the joint that it hangs on.
#[derive(Debug)]
struct Link {
    name: String,
    span: Range<usize>,
    /// A link before this one; none: the world.
    parent: Option<usize>,
    kind: JointKind,
    /// The joint in the parent and on the link.
    at: Pose,
    on: Pose,
    dof: Option<Dof>,
    /// Where it starts; none: where the joint frames coincide.
    positions: Option<Vec<f64>>,
    inertia: Inertia,
    shapes: Vec<ShapeDef>,
}

/// What a file says, in the order in which it can be added to a world.
#[derive(Debug)]
pub(super) struct Robot {
    pub(super) name: String,
    pub(super) gravity: Option<Vec3>,
    fixed: Vec<(String, Range<usize>, ShapeDef)>,
    links: Vec<Link>,
    /// Links that never touch each other.
    apart: Vec<(Option<usize>, Option<usize>)>,
    warnings: Vec<String>,
    origin: Arc<Origin>,
}

/// What the files have in common while they are read.
struct Context<'a> {
    folder: &'a Path,
    material: &'a str,
    /// Where the whole is.
    pose: Pose,
}

impl Robot {
    /// Reads a file.
    pub(super) fn read(
        path: &Path,
        text: &str,
        base: Option<Base>,
        material: &str,
        pose: Pose,
    ) -> Result<Self, SceneError> {
        // MJCF files are never larger than a few megabytes; entities that grow without bound are refused by the parser itself.
        let document = roxmltree::Document::parse(text).map_err(|error| {
            SceneError::at(xml::place_of(text, error.pos()), format!("this is not XML: {error}"))
        })?;
        let root = document.root_element();
        let origin = Arc::new(Origin { file: path.to_owned(), text: text.to_owned() });
        let mut robot = Self {
            name: String::new(),
            gravity: None,
            fixed: Vec::new(),
            links: Vec::new(),
            apart: Vec::new(),
            warnings: Vec::new(),
            origin,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let context = Context { folder, material, pose };
        let mut notes = xml::Notes::new(path, text);
        match (root.tag_name().name(), base) {
            ("robot", Some(base)) => urdf::read(&root, base, &context, &mut robot, &mut notes)?,
            ("robot", None) => {
                let error = SceneError::at(
                    xml::name_place(&root),
                    "a URDF does not specify whether its base is fixed or free",
                );
                return Err(error.with_help("specify --base fixed or --base free on the command line, or base = \"fixed\" or base = \"free\" in [robot] of a scene"));
            }
            ("mujoco", None) => mjcf::read(&root, &context, &mut robot, &mut notes)?,
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
        robot.warnings = notes.finish();
        Ok(robot)
    }
}

impl Reading {
    /// Adds a robot.
    pub(super) fn robot(&mut self, robot: &mut Robot) -> Result<(), SceneError> {
        let place = |name: &str, span: &Range<usize>| Place {
            name: name.to_owned(),
            span: span.clone(),
            origin: Some(robot.origin.clone()),
        };
        for (name, span, def) in robot.fixed.drain(..) {
            self.place_shape(&place(&name, &span), &def);
            self.builder.fixed(def.named(&name)).map_err(|error| self.places.explain(&error))?;
        }
        let mut bodies = Vec::with_capacity(robot.links.len());
        for link in robot.links.drain(..) {
            let place = place(&link.name, &link.span);
            if self.bodies.contains_key(&link.name) || link.name == "world" && link.parent.is_some() {
                let message = format!("there is a body '{}' already", link.name);
                return Err(self
                    .places
                    .at(Some(&place), message)
                    .with_help("give every body a name of its own"));
            }
            let parent = link.parent.and_then(|parent: usize| bodies.get(parent).copied());
            let joint = Joint::new(parent, link.kind).parent_frame(link.at).child_frame(link.on);
            let is_driven = self.is_driven(&joint);
            let mut def = BodyDef::new(joint).named(&link.name).with_inertia(link.inertia);
            def.positions = link.positions;
            def.shapes = link.shapes;
            if let Some(dof) = link.dof {
                def = def.with_dof(0, dof);
            }
            self.add(place, def, is_driven)?;
            bodies.extend(self.bodies.get(&link.name).copied());
        }
        for (a, b) in robot.apart.drain(..) {
            let body = |link: Option<usize>| link.and_then(|link| bodies.get(link).copied());
            self.builder.exclude(body(a), body(b));
        }
        self.warnings.append(&mut robot.warnings);
        Ok(())
    }
}
