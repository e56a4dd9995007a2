//! MJCF: bodies, joints, geoms and inertias.

use std::collections::BTreeMap;

use roxmltree::{Attribute, Node};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Inertia, JointKind};
use zerogap_geometry::{MassProperties, Shape};

use super::mjcf::{Asset, Compiler};
use super::mjcf_defaults::{Defaults, Element};
use super::xml::{
    Answer, Notes, attribute, children, exactly, missing, name_place, needed, numbers, truth, wrong,
    wrong_attribute,
};
use super::{Context, Link, Robot, geometry, orientation};
use zerogap_simulation::world::{BodyDef, ShapeDef};

/// Bodies in bodies at most [-].
const MAX_BODY_NESTING: usize = 10_000;

/// Density of a geom where a model does not say [kg/m³].
const DENSITY: f64 = 1000.0;

/// Attributes that give an orientation or a position.
const POSE: [&str; 6] = ["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Bodies of a model as they are read.
pub(super) struct Bodies<'r, 'a, 'i> {
    context: &'r Context<'r>,
    compiler: &'r Compiler,
    defaults: &'r Defaults<'a, 'i>,
    assets: &'r BTreeMap<String, Asset>,
    robot: &'r mut Robot,
    /// Numbers of links by the names of their bodies.
    pub(super) names: BTreeMap<String, usize>,
}

/// Where a body hangs.
#[derive(Clone, Copy)]
struct Above<'a> {
    link: Option<usize>,
    /// The body around it, in the link.
    pose: Pose,
    childclass: Option<&'a str>,
}

/// A geom: what collides, and what it weighs.
struct Geom {
    shape: Option<ShapeDef>,
    mass: Option<MassProperties>,
    /// Why the mass is that of a convex hull, where a mesh encloses no volume.
    hull_mass: Option<String>,
}

impl<'r, 'a, 'i> Bodies<'r, 'a, 'i> {
    pub(super) fn new(
        context: &'r Context<'r>,
        compiler: &'r Compiler,
        defaults: &'r Defaults<'a, 'i>,
        assets: &'r BTreeMap<String, Asset>,
        robot: &'r mut Robot,
    ) -> Self {
        Self { context, compiler, defaults, assets, robot, names: BTreeMap::new() }
    }

    /// Reads `<worldbody>`.
    pub(super) fn world(&mut self, node: &Node<'a, 'i>, notes: &mut Notes<'_>) -> Answer<()> {
        for inner in children(node) {
            match inner.tag_name().name() {
                "geom" => {
                    let pose = self.context.pose;
                    if let Some(shape) = self.geom(&inner, None, notes)?.shape {
                        let name = inner.attribute("name").unwrap_or("geom of the world").to_owned();
                        let at = pose * shape.pose;
                        self.robot.fixed.push((name, name_place(&inner), shape.at(at)));
                    }
                }
                "body" => {
                    let above = Above { link: None, pose: self.context.pose, childclass: None };
                    self.tree(inner, above, notes)?;
                }
                _ => other(&inner, notes)?,
            }
        }
        Ok(())
    }

    /// Reads a body with all that hang on it, parents first, in the order of the file. Not by recursion: a chain may be nested deeper than the stack is.
    fn tree(&mut self, node: Node<'a, 'i>, above: Above<'a>, notes: &mut Notes<'_>) -> Answer<()> {
        let mut waiting = vec![(node, above, 1)];
        while let Some((node, above, depth)) = waiting.pop() {
            if depth > MAX_BODY_NESTING {
                let message = format!("bodies are nested more than {MAX_BODY_NESTING} deep here");
                return Err(wrong(&node, message).with_help("write a shorter chain"));
            }
            let (inner, here) = self.body(&node, above, notes)?;
            waiting.extend(inner.into_iter().rev().map(|inner| (inner, here, depth + 1)));
        }
        Ok(())
    }

    /// Reads a body by itself; the bodies in it, and where they hang.
    fn body(
        &mut self,
        node: &Node<'a, 'i>,
        above: Above<'a>,
        notes: &mut Notes<'_>,
    ) -> Answer<(Vec<Node<'a, 'i>>, Above<'a>)> {
        let read: Vec<&str> = POSE.into_iter().chain(["name", "childclass"]).collect();
        notes.attributes(node, &read, &["user"]);
        let childclass = attribute(node, "childclass").map(|class| class.value()).or(above.childclass);
        let name = attribute(node, "name")
            .map_or_else(|| format!("body {}", self.robot.links.len()), |name| name.value().to_owned());
        let pose = above.pose * self.compiler.pose(node, |name| attribute(node, name))?;
        let (mut joints, mut geoms, mut inertial, mut inner_bodies) =
            (Vec::new(), Vec::new(), None, Vec::new());
        for inner in children(node) {
            match inner.tag_name().name() {
                "joint" | "freejoint" => joints.push(inner),
                "geom" => geoms.push(self.geom(&inner, childclass, notes)?),
                "inertial" => inertial = Some(inner),
                "body" => inner_bodies.push(inner),
                _ => other(&inner, notes)?,
            }
        }
        let inertia = self.inertia(inertial.as_ref(), &geoms, (&name, notes))?;

        // One link for each joint: the last is the body itself, the others have no mass and stand where the body stands.
        let (mut parent, mut at) = (above.link, pose);
        for (k, joint) in joints.iter().enumerate().take(joints.len().saturating_sub(1)) {
            let mut link = link_at(&format!("{name} before joint {}", k + 2), node, parent, at);
            self.joint(joint, &mut link, childclass, notes)?;
            if matches!(link.kind, JointKind::Free) {
                return Err(wrong(joint, "a free joint must be the only one of its body"));
            }
            (parent, at) = (Some(self.robot.links.len()), Pose::identity());
            self.robot.links.push(link);
        }
        let mut link = link_at(&name, node, parent, at);
        if let Some(joint) = joints.last() {
            self.joint(joint, &mut link, childclass, notes)?;
            if matches!(link.kind, JointKind::Free) && (joints.len() > 1 || above.link.is_some()) {
                return Err(wrong(joint, "a free joint must be the only one of a body right in <worldbody>"));
            }
        }
        link.inertia = inertia;
        link.shapes = geoms.into_iter().filter_map(|geom| geom.shape).collect();
        let number = self.robot.links.len();
        // Links between a body and the one around it are no parents to it that could be left out.
        if joints.len() > 1 && above.link.is_some() {
            self.robot.apart.push((above.link, Some(number)));
        }
        if self.names.insert(name.clone(), number).is_some() {
            return Err(wrong(node, format!("there is a body '{name}' already")));
        }
        self.robot.links.push(link);
        Ok((inner_bodies, Above { link: Some(number), pose: Pose::identity(), childclass }))
    }

    /// Puts a joint under a link.
    fn joint(
        &self,
        node: &Node<'a, 'i>,
        link: &mut Link,
        childclass: Option<&'a str>,
        notes: &mut Notes<'_>,
    ) -> Answer<()> {
        let element = self.defaults.element(*node, childclass)?;
        let free = |link: &mut Link| {
            link.positions = BodyDef::free(link.at).positions;
            (link.kind, link.at) = (JointKind::Free, Pose::identity());
        };
        let only = [
            "name",
            "type",
            "class",
            "pos",
            "axis",
            "range",
            "limited",
            "stiffness",
            "springref",
            "damping",
            "ref",
        ];
        for source in element.sources() {
            notes.attributes(&source, &only, &["group"]);
        }
        if node.has_tag_name("freejoint") {
            free(link);
            return Ok(());
        }
        let number =
            |name: &str| element.attribute(name).map_or(Ok(0.0), |number| exactly::<1>(&number).map(|[x]| x));
        let three = |name: &str, usual: Vec3| {
            element.attribute(name).map_or(Ok(usual), |three| exactly::<3>(&three).map(Vec3::from))
        };
        let axis = three("axis", Vec3::z())?;
        if axis.norm() == 0.0 {
            return Err(wrong(node, "the axis of this joint is 0 0 0, which is no direction"));
        }
        let word = element.attribute("type");
        let (kind, unit) = match word.as_ref().map_or("hinge", Attribute::value) {
            "hinge" => (JointKind::Revolute { axis }, self.compiler.angle),
            "slide" => (JointKind::Prismatic { axis }, 1.0),
            "ball" => (JointKind::Spherical, 1.0),
            "free" => {
                free(link);
                return Ok(());
            }
            other => {
                let error = wrong(node, format!("'{other}' is no type of joint"));
                return Err(error.with_help("write hinge, slide, ball or free"));
            }
        };
        let on = Pose::from_translation(three("pos", Vec3::zeros())?)
            .map_err(|error| wrong(node, error.to_string()))?;
        (link.at, link.on) = (link.at * on, on);
        if matches!(kind, JointKind::Spherical) {
            for name in ["range", "stiffness", "springref", "damping", "ref"] {
                if let Some(unused) = element.attribute(name) {
                    notes.unread(
                        format!("'{name}' of a ball joint"),
                        &unused.range(),
                        "ball joints support no limits, springs or dampers",
                    );
                }
            }
            link.kind = kind;
            return Ok(());
        }
        // Where the model stands, the coordinate is `ref`; here it is zero.
        let shift = number("ref")? * unit;
        let mut dof = Dof {
            stiffness: number("stiffness")?,
            spring_reference: number("springref")? * unit - shift,
            damping: number("damping")?,
            ..Dof::default()
        };
        let range = element.attribute("range");
        let is_limited = match element.attribute("limited") {
            Some(limited) if limited.value() != "auto" => truth(&limited)?,
            _ => range.is_some() && self.compiler.autolimits,
        };
        if is_limited {
            let range = range.ok_or_else(|| missing(node, "range"))?;
            let [lower, upper] = exactly(&range)?;
            (dof.lower, dof.upper) = (Some(lower * unit - shift), Some(upper * unit - shift));
        }
        (link.kind, link.dof) = (kind, Some(dof));
        Ok(())
    }

    /// Mass and inertia of a body: its own, or those of its geoms.
    fn inertia(
        &self,
        inertial: Option<&Node<'_, '_>>,
        geoms: &[Geom],
        (body, notes): (&str, &mut Notes<'_>),
    ) -> Answer<Inertia> {
        let own = inertial.filter(|_| self.compiler.inertia_from_geoms != Some(true));
        let Some(node) = own else {
            let all = geoms.iter().filter_map(|geom| geom.mass);
            let all = all.fold(MassProperties::zero(), |all, own| all.combined(&own));
            let is_wanted = self.compiler.inertia_from_geoms != Some(false);
            let own = Inertia { mass: all.mass, center: all.center, inertia: all.inertia };
            for why in geoms.iter().filter_map(|geom| geom.hull_mass.as_ref()).filter(|_| is_wanted) {
                notes.say(format!(
                    "body '{body}' has the mass of a convex hull: {why}; give it an <inertial>"
                ));
            }
            return Ok(if is_wanted { own } else { Inertia::none() });
        };
        let [mass] = exactly(&needed(node, "mass")?)?;
        let pose = self.compiler.pose(node, |name| attribute(node, name))?;
        let inertia = match (attribute(node, "diaginertia"), attribute(node, "fullinertia")) {
            (Some(diagonal), None) => Mat3::from_diagonal(&Vec3::from(exactly::<3>(&diagonal)?)),
            (None, Some(full)) => {
                let [xx, yy, zz, xy, xz, yz] = exactly(&full)?;
                Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
            }
            _ => {
                let error = wrong(node, "<inertial> needs one of 'diaginertia' and 'fullinertia'");
                return Err(error.with_help("write diaginertia=\"xx yy zz\""));
            }
        };
        let r = pose.rotation_matrix();
        // An unturned frame keeps its bits.
        let inertia = if r == Mat3::identity() { inertia } else { r * inertia * r.transpose() };
        Ok(Inertia { mass, center: pose.translation(), inertia })
    }

    fn geom(&self, node: &Node<'a, 'i>, childclass: Option<&'a str>, notes: &mut Notes<'_>) -> Answer<Geom> {
        let element = self.defaults.element(*node, childclass)?;
        let read: Vec<&str> = POSE
            .into_iter()
            .chain([
                "name",
                "class",
                "type",
                "size",
                "fromto",
                "mass",
                "density",
                "mesh",
                "contype",
                "conaffinity",
            ])
            .collect();
        for source in element.sources() {
            notes.attributes(&source, &read, &["rgba", "material", "group", "user"]);
        }
        let number =
            |name: &str| element.attribute(name).map(|number| exactly::<1>(&number).map(|[x]| x)).transpose();
        let kind = element.attribute("type").map_or("sphere", |kind| kind.value());
        let (pose, length) = self.geom_pose(&element)?;
        let (shape, mesh) = self.geom_shape(&element, kind, length, notes)?;
        let (volume, hull_mass) = match mesh {
            Some(Ok(volume)) => (Some(volume), None),
            // What encloses no volume is weighed by its hull, and the user is told.
            Some(Err(why)) => (shape.mass_properties(1.0).ok(), Some(why)),
            None if kind == "plane" => (None, None),
            None => (shape.mass_properties(1.0).ok(), None),
        };
        let mass = match (number("mass")?, number("density")?) {
            (Some(mass), _) => volume.map(|own| scaled(&own, mass / own.mass)),
            (None, density) => volume.map(|own| scaled(&own, density.unwrap_or(DENSITY))),
        };
        // Two bits that are both zero are MuJoCo's way to say that a geom is only there to be seen.
        let bits = [number("contype")?.unwrap_or(1.0), number("conaffinity")?.unwrap_or(1.0)];
        let is_seen_only = bits == [0.0, 0.0];
        if !is_seen_only && bits.iter().any(|bit| (bit - 1.0).abs() > 0.0) {
            let why = "geoms collide unless both are 0";
            notes.unread(
                "a 'contype' or 'conaffinity' other than 0 and 1 of <geom>".to_owned(),
                &name_place(node),
                why,
            );
        }
        let name = node.attribute("name").unwrap_or_default();
        let shape = ShapeDef::new(shape, self.context.material).at(pose).named(name);
        let mass = mass.map(|mass| mass.transformed(&pose));
        Ok(Geom { shape: (!is_seen_only).then_some(shape), mass, hull_mass })
    }

    /// Where a geom is, and its length where two ends are given.
    fn geom_pose(&self, element: &Element<'_, 'a, 'i>) -> Answer<(Pose, Option<f64>)> {
        let Some(ends) = element.attribute("fromto") else {
            return Ok((self.compiler.pose(&element.node, |name| element.attribute(name))?, None));
        };
        let [a, b, c, d, e, f] = exactly(&ends)?;
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        let turn = orientation::from_z(from - to)
            .ok_or_else(|| wrong_attribute(&ends, "both ends of 'fromto' are the same"))?;
        let pose =
            Pose::new((from + to) * 0.5, turn).map_err(|error| wrong_attribute(&ends, error.to_string()))?;
        Ok((pose, Some((to - from).norm())))
    }

    /// The shape of a geom and, of a mesh, its mass for a density of 1 kg/m³ or why it has none.
    fn geom_shape(
        &self,
        element: &Element<'_, 'a, 'i>,
        kind: &str,
        length: Option<f64>,
        notes: &mut Notes<'_>,
    ) -> Answer<(Shape, Option<Result<MassProperties, String>>)> {
        let node = &element.node;
        if kind == "mesh" {
            let name = element.attribute("mesh").ok_or_else(|| missing(node, "mesh"))?;
            let asset = self.assets.get(name.value());
            let asset = asset.ok_or_else(|| {
                wrong_attribute(&name, format!("there is no mesh '{}' in <asset>", name.value()))
            })?;
            let mesh = geometry::mesh(&asset.path, asset.scale, |message| wrong_attribute(&name, message))?;
            for warning in mesh.warnings {
                notes.say(warning);
            }
            let mass = mesh.mass.map_err(|error| format!("mesh '{}': {error}", name.value()));
            return Ok((mesh.shape, Some(mass)));
        }
        let size = match element.attribute("size") {
            Some(size) => numbers(&size)?,
            None if kind == "plane" => Vec::new(),
            None => return Err(missing(node, "size")),
        };
        let at = |k: usize| {
            size.get(k).copied().ok_or_else(|| {
                wrong(node, format!("a {kind} needs more numbers in 'size' than {}", size.len()))
            })
        };
        // With two ends given, the length is theirs and sizes are those across.
        let long = |k: usize| length.map_or_else(|| at(k).map(|half| 2.0 * half), Ok);
        let across = |k: usize| if length.is_some() && size.len() == 1 { at(0) } else { at(k) };
        let shape = match kind {
            "plane" => Shape::half_space(Vec3::z(), 0.0),
            "sphere" => Shape::sphere(at(0)?),
            "capsule" => Shape::capsule(at(0)?, long(1)?),
            "cylinder" => Shape::cylinder(at(0)?, long(1)?),
            "ellipsoid" => Shape::ellipsoid(Vec3::new(across(0)?, across(1)?, 0.5 * long(2)?)),
            "box" => Shape::cuboid(Vec3::new(2.0 * across(0)?, 2.0 * across(1)?, long(2)?)),
            other => {
                let error = wrong(node, format!("a geom of type '{other}' cannot collide here"));
                return Err(error.with_help("write plane, sphere, capsule, cylinder, ellipsoid, box or mesh"));
            }
        };
        Ok((shape.map_err(|error| wrong(node, error.to_string()))?, None))
    }
}

/// A link on nothing yet.
fn link_at(name: &str, node: &Node<'_, '_>, parent: Option<usize>, at: Pose) -> Link {
    Link {
        name: name.to_owned(),
        span: name_place(node),
        parent,
        kind: JointKind::Fixed,
        at,
        on: Pose::identity(),
        dof: None,
        positions: None,
        inertia: Inertia::none(),
        shapes: Vec::new(),
    }
}

fn scaled(own: &MassProperties, density: f64) -> MassProperties {
    MassProperties { mass: own.mass * density, inertia: own.inertia * density, ..*own }
}

/// Elements of a body that are neither joints, geoms, inertias nor bodies.
fn other(node: &Node<'_, '_>, notes: &mut Notes<'_>) -> Answer<()> {
    let name = node.tag_name().name();
    match name {
        "site" | "camera" | "light" => notes.looks(node),
        "frame" | "replicate" | "composite" | "flexcomp" | "attach" => {
            let message = format!("<{name}> is not read, and the bodies in it would be lost");
            let help = "write its bodies out; MuJoCo saves a model with all of them in place";
            return Err(wrong(node, message).with_help(help));
        }
        _ => notes.element(node, ""),
    }
    Ok(())
}
