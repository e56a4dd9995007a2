//! Frames of flexible beams, from `[[frames]]`.

use zerogap_core::Vec3;
use zerogap_core::files;
use zerogap_dynamics::beam::Rayleigh;
use zerogap_dynamics::beam::frame::{CrossSection, Frame, FrameElement, FrameError, FrameMaterial, polyline};
use zerogap_simulation::settings::{POISSON_RATIO, Source, read_frame};
use zerogap_simulation::world::{FrameDef, FrameJoint, FrameJointKind};

use super::error::SceneError;
use super::file::Reading;
use super::places::Place;
use super::reader::Table;
use super::values::Text;

/// Ends of members nearer to each other than this are one node [m].
const SAME: f64 = 1e-6;

/// Elements of all members together at most [-]: more are a mistake of a factor.
const MAX_ELEMENTS: usize = 100_000;

/// What elements of members have where these do not say.
#[derive(Clone, Copy)]
struct Usual {
    section: Option<CrossSection>,
    young_modulus: Option<f64>,
    poisson_ratio: f64,
    density: Option<f64>,
}

/// Nodes and elements so far.
#[derive(Default)]
struct Net {
    nodes: Vec<Vec3>,
    elements: Vec<FrameElement>,
}

impl Net {
    /// The node at a place, which is added where there is none.
    fn node(&mut self, at: Vec3) -> usize {
        self.find(at).unwrap_or_else(|| {
            self.nodes.push(at);
            self.nodes.len() - 1
        })
    }

    fn find(&self, at: Vec3) -> Option<usize> {
        self.nodes.iter().position(|node| (node - at).norm() <= SAME)
    }
}

impl Reading {
    /// A frame of beams.
    pub(super) fn frame(&mut self, table: &Table<'_>) -> Result<(), SceneError> {
        let name = table.text("name")?.ok_or_else(|| table.missing("name"))?;
        let here = |error: String| SceneError::at(table.span.clone(), error);
        let usual = Usual {
            section: section(table)?,
            young_modulus: table.quantity("young_modulus")?,
            poisson_ratio: table.quantity("poisson_ratio")?.unwrap_or(POISSON_RATIO),
            density: table.quantity("density")?,
        };
        let mut net = Net::default();
        for member in table.tables("members")? {
            self.member(&member, usual, &mut net)?;
        }
        if net.elements.is_empty() {
            return Err(table.missing("members"));
        }
        let mut frame =
            Frame::new(net.nodes.clone(), net.elements.clone()).map_err(|error| here(error.to_string()))?;
        let damping = table.numbers("damping")?.unwrap_or_else(|| vec![0.0; 2]);
        let damping = Rayleigh { mass: damping[0], stiffness: damping[1] };
        frame.set_damping(damping).map_err(|error| table.wrong("damping", error.to_string()))?;

        let at_node = |part: &Table<'_>| {
            let at = part.vector("at")?.ok_or_else(|| part.missing("at"))?;
            net.find(at).ok_or_else(|| {
                let message = format!("no node of '{}' is at ({}, {}, {})", name.text, at.x, at.y, at.z);
                part.wrong("at", message).with_help("nodes are at both ends of members and of their elements")
            })
        };
        let mut joints = Vec::new();
        for joint in table.tables("joints")? {
            let body = joint.text("body")?.map_or(Ok(None), |name| self.known_body(&name))?;
            let kind = match joint.word("kind")?.unwrap_or("fixed") {
                "hinge" => FrameJointKind::Hinge { axis: joint.direction("axis")?.unwrap_or(Vec3::y()) },
                "ball" => FrameJointKind::Ball,
                _ => FrameJointKind::Fixed,
            };
            joints.push(FrameJoint { node: at_node(&joint)?, body, kind });
            joint.finish("a joint of a frame")?;
        }
        let mut masses = Vec::new();
        for mass in table.tables("masses")? {
            masses.push((at_node(&mass)?, mass.needed("mass")?));
            mass.finish("a mass of a frame")?;
        }
        let settings = read_frame(table, &frame)?;
        if let Some(material) = table.text("material")? {
            self.known_material(&material)?;
        }
        let def = FrameDef {
            name: name.text.to_owned(),
            frame,
            pose: table.pose("position", "rotation")?,
            velocity: table.vector("velocity")?.unwrap_or_default(),
            joints,
            masses,
            contact: settings.contact,
            settle: settings.settle,
            spectral_radius: settings.spectral_radius,
        };
        table.finish("a frame")?;
        if let Some(twice) = (0..def.frame.nodes().len())
            .map(|node| format!("{}.{node}", name.text))
            .find(|node| self.bodies.contains_key(node))
        {
            let message =
                format!("there is a body '{twice}' already, and nodes of the frame have such names");
            return Err(SceneError::at(name.span, message).with_help("give every frame a name of its own"));
        }
        let before = self.builder.shape_count();
        let parts = self.builder.frame(&def).map_err(|error| here(error.to_string()))?;
        let place = |name: String| Place { name, span: table.span.clone(), origin: None };
        for (node, body) in parts.nodes.iter().enumerate() {
            let own = format!("{}.{node}", name.text);
            self.places.bodies.push(place(own.clone()));
            self.bodies.insert(own, *body);
        }
        for _ in before..self.builder.shape_count() {
            self.places.shapes.push(place(name.text.to_owned()));
        }
        Ok(())
    }

    /// Elements of a member: between two points, or along a line from a file.
    fn member(&self, table: &Table<'_>, usual: Usual, net: &mut Net) -> Result<(), SceneError> {
        let points = match table.text("file")? {
            Some(file) => self.line(&file)?,
            None => {
                let end = |key: &str| table.vector(key)?.ok_or_else(|| table.missing(key));
                vec![end("from")?, end("to")?]
            }
        };
        let each = table.whole("elements")?.unwrap_or(1);
        if (points.len() - 1).saturating_mul(each).saturating_add(net.elements.len()) > MAX_ELEMENTS {
            let message = format!("a frame has {MAX_ELEMENTS} elements at most");
            return Err(table.wrong("elements", message));
        }
        let section = section(table)?.or(usual.section).ok_or_else(|| table.missing("section"))?;
        let young_modulus = table.quantity("young_modulus")?.or(usual.young_modulus);
        let density = table.quantity("density")?.or(usual.density);
        let material = FrameMaterial::isotropic(
            young_modulus.ok_or_else(|| table.missing("young_modulus"))?,
            table.quantity("poisson_ratio")?.unwrap_or(usual.poisson_ratio),
            density.ok_or_else(|| table.missing("density"))?,
        );
        let up = table.direction("up")?;
        let shear = table.yes("shear")?;
        table.finish("a member of a frame")?;
        for ends in points.windows(2) {
            let mut from = net.node(ends[0]);
            for k in 1..=each {
                let to = net.node(ends[0] + (ends[1] - ends[0]) * (k as f64 / each as f64));
                net.elements.push(FrameElement { nodes: [from, to], section, material, up, shear });
                from = to;
            }
        }
        Ok(())
    }

    /// The points of a line in a file.
    fn line(&self, file: &Text<'_>) -> Result<Vec<Vec3>, SceneError> {
        let path = self.folder.join(file.text);
        let wrong = |message: String| SceneError::at(file.span.clone(), message);
        let text = files::read_text(&path, files::MAX_SCENE).map_err(|error| {
            wrong(format!("{} cannot be read: {error}", path.display()))
                .with_help("file names are relative to the folder of the scene file")
        })?;
        let is_obj = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("obj"));
        let read = if is_obj { polyline::from_obj(&text) } else { polyline::from_csv(&text) };
        read.map_err(|error| wrong(format!("{}: {error}", path.display())))
    }
}

/// The section of a table.
fn section(table: &Table<'_>) -> Result<Option<CrossSection>, SceneError> {
    let Some(text) = table.text("section")? else { return Ok(None) };
    let parsed: Result<CrossSection, FrameError> = text.text.parse();
    parsed.map(Some).map_err(|error| SceneError::at(text.span.clone(), error.to_string()))
}
