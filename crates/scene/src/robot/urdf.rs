//! URDF: links and joints.
//!
//! In: `<robot>` and what its root is. Out: links in an order in which parents come first, siblings in the order of their joints in the file.

use std::collections::BTreeMap;
use std::sync::Arc;

use roxmltree::Node;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Coupling, Dof, Inertia, JointKind, JointTerm};
use zerogap_geometry::Shape;

use super::mjcf::Rubbing;
use super::mjcf::document::Spot;
use super::repair;
use super::xml::{
    Answer, Notes, attribute, child, children, exactly, name_place, needed, wrong, wrong_attribute,
};
use super::{Base, BodyFacts, Context, Link, Robot, geometry, orientation};
use crate::places::Origin;
use zerogap_simulation::world::{BodyDef, JointLabel, ShapeDef};

/// How surfaces rub: a URDF says nothing of it, so it is what MJCF takes where a model does not say.
const USUAL: Rubbing = Rubbing { friction: [1.0, 0.005, 0.0001], directions: 3.0, priority: 0.0 };

/// The name by which a URDF may refer to what stands still without a link of that name.
const WORLD: &str = "world";

/// Reads `<robot>`: bodies, then joints that mimic others, then what never touches.
pub(super) fn read(
    root: &Node<'_, '_>,
    base: Base,
    context: &Context<'_>,
    robot: &mut Robot,
    origin: &Arc<Origin>,
) -> Answer<()> {
    refuse_xacro(root, origin)?;
    let mut notes = Notes::new(&origin.file, &origin.text);
    let mimics = links(root, base, context, robot, (&mut notes, origin))?;
    robot.description.equalities = mimics.len();
    if !robot.without.equalities {
        couple(robot, &mimics)?;
    }
    let material = context.options.material.clone().unwrap_or_else(|| robot.material_of(USUAL));
    for link in &mut robot.links {
        if robot.without.contacts {
            link.shapes.clear();
        }
        for shape in &mut link.shapes {
            shape.material.clone_from(&material);
        }
    }
    keep_neighbours_apart(robot);
    repair::weights(robot, context.options.repair)?;
    robot.warnings.extend(notes.finish());
    Ok(())
}

/// Says how to expand a file with macros.
fn refuse_xacro(root: &Node<'_, '_>, origin: &Origin) -> Answer<()> {
    let is_macro =
        |node: &Node<'_, '_>| node.tag_name().namespace().is_some_and(|space| space.contains("xacro"));
    let Some(first) = root.descendants().find(|node| node.is_element() && is_macro(node)) else {
        return Ok(());
    };
    let name = origin.file.file_name().map_or("robot".into(), |name| name.to_string_lossy().into_owned());
    let plain = name.trim_end_matches(".xacro").trim_end_matches(".urdf").to_owned() + ".urdf";
    let plain = if plain == name { format!("expanded-{name}") } else { plain };
    let error = wrong(&first, "this file has xacro macros, which are expanded before a robot is loaded");
    Err(error.with_help(format!(
        "expand it with ROS: xacro {name} > {plain} (or pip install xacro), then load {plain}"
    )))
}

/// A joint that follows another: its link, the joint that leads, the factor and the offset.
struct Mimic {
    link: usize,
    leader: String,
    factor: f64,
    offset: f64,
    spot: Spot,
}

/// Couples joints that mimic others.
fn couple(robot: &mut Robot, mimics: &[Mimic]) -> Answer<()> {
    for mimic in mimics {
        let found = robot.description.joints.iter().position(|(name, _)| *name == mimic.leader);
        let leader = found.and_then(|joint| robot.joint_links.get(joint).copied());
        let has_one = |link: usize| {
            matches!(robot.links[link].kind, JointKind::Revolute { .. } | JointKind::Prismatic { .. })
        };
        let Some(leader) = leader.filter(|link| has_one(*link) && has_one(mimic.link)) else {
            let message = format!(
                "a joint can mimic a revolute, continuous or prismatic joint, and '{}' is none",
                mimic.leader
            );
            return Err(mimic
                .spot
                .wrong(message)
                .with_help("write the name of such a joint, or leave <mimic> out"));
        };
        let term = |link: usize| {
            vec![JointTerm { body: BodyId(link as u32), index: 0, coefficient: 1.0, reference: 0.0 }]
        };
        let polynomial = [mimic.offset, mimic.factor, 0.0, 0.0, 0.0];
        let coupling = Coupling { follows: term(mimic.link), leads: term(leader), polynomial };
        robot.couplings.push((coupling, mimic.spot.clone()));
    }
    Ok(())
}

/// Keeps links apart that move as one, and those that hang on each other, with all that is fixed to either.
fn keep_neighbours_apart(robot: &mut Robot) {
    let mut root = Vec::with_capacity(robot.links.len());
    for (number, link) in robot.links.iter().enumerate() {
        let is_fixed = matches!(link.kind, JointKind::Fixed);
        // Parents come first.
        let own = match link.parent {
            Some(parent) if is_fixed => root[parent],
            None if is_fixed => None,
            _ => Some(number),
        };
        root.push(own);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let has_shapes = |number: usize| !robot.links[number].shapes.is_empty();
    for number in (0..root.len()).filter(|number| has_shapes(*number)) {
        if let Some(root) = root[number] {
            groups.entry(root).or_default().push(number);
        }
    }
    let mut apart = Vec::new();
    for (first, members) in &groups {
        let above =
            robot.links[*first].parent.and_then(|parent| root[parent]).and_then(|above| groups.get(&above));
        for (k, a) in members.iter().enumerate() {
            apart.extend(
                members[k + 1..].iter().chain(above.into_iter().flatten()).map(|b| (Some(*a), Some(*b))),
            );
        }
    }
    robot.apart.extend(apart);
}

/// Reads links and joints; joints that mimic others are left to be coupled.
#[expect(clippy::too_many_lines, reason = "checks of the tree, one after the other")]
fn links(
    root: &Node<'_, '_>,
    base: Base,
    context: &Context<'_>,
    robot: &mut Robot,
    (notes, origin): (&mut Notes<'_>, &Arc<Origin>),
) -> Answer<Vec<Mimic>> {
    notes.attributes(root, &["name", "version"], &[]);
    let spot_of = |node: &Node<'_, '_>| Spot { origin: origin.clone(), span: name_place(node) };
    let (mut links, mut joints) = (BTreeMap::new(), Vec::new());
    let mut order: Vec<&str> = Vec::new();
    for node in children(root) {
        match node.tag_name().name() {
            "link" => {
                let name = needed(&node, "name")?;
                if links.insert(name.value(), node).is_some() {
                    return Err(wrong_attribute(
                        &name,
                        format!("there is a link '{}' already", name.value()),
                    ));
                }
                order.push(name.value());
            }
            "joint" => joints.push(Named::read(&node, notes)?),
            "material" => notes.looks(&node),
            "transmission" => notes.element(&node, "motors are set in a scene file or by a program"),
            "gazebo" => notes.element(&node, "it is for Gazebo"),
            _ => notes.element(&node, ""),
        }
    }
    for joint in &joints {
        for end in [&joint.parent, &joint.child] {
            let is_world = end.value() == WORLD && std::ptr::eq(end, &raw const joint.parent);
            if !(is_world || links.contains_key(end.value())) {
                let error = wrong_attribute(end, format!("there is no link '{}'", end.value()));
                let names: Vec<&str> = links.keys().map(|name| &**name).collect();
                return Err(match zerogap_core::text::nearest(end.value(), &names) {
                    Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
                    None => error,
                });
            }
        }
    }
    let hung: BTreeMap<&str, &Named<'_, '_>> =
        joints.iter().rev().map(|joint| (joint.child.value(), joint)).collect();
    if let Some(second) = joints.iter().find(|joint| !std::ptr::eq(hung[joint.child.value()], *joint)) {
        let message = format!("'{}' hangs on two joints: a robot is a tree", second.child.value());
        return Err(wrong_attribute(&second.child, message));
    }
    let mut roots: Vec<&str> = order.iter().copied().filter(|name| !hung.contains_key(name)).collect();
    let hangs_on_world =
        !links.contains_key(WORLD) && joints.iter().any(|joint| joint.parent.value() == WORLD);
    if hangs_on_world {
        roots.push(WORLD);
    }
    let &[first] = &roots[..] else {
        let message =
            format!("a robot has one link that hangs on no joint, and this one has {}", roots.len());
        let help = if roots.is_empty() {
            "its joints form a cycle".to_owned()
        } else {
            format!("these are {}", roots.join(", "))
        };
        return Err(wrong(root, message).with_help(help));
    };

    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for joint in joints.iter().rev() {
        below.entry(joint.parent.value()).or_default().push(joint.child.value());
    }

    // Parents first; of several children the first in the file.
    let mut numbers = BTreeMap::new();
    let mut waiting = vec![first];
    let (mut mimics, mut facts) = (Vec::new(), BTreeMap::new());
    while let Some(name) = waiting.pop() {
        let Some(node) = links.get(name) else {
            // What stands still without a link of its own.
            waiting.extend(below.get(name).into_iter().flatten());
            continue;
        };
        let mut link =
            self::link(node, &spot_of(node), context, (notes, &mut robot.description.collision_geoms))?;
        match hung.get(name) {
            Some(joint) => {
                link.parent = numbers.get(joint.parent.value()).copied();
                let (kind, dof) = joint.kind(notes)?;
                link.kind = kind;
                if let Some(mut dof) = dof {
                    if robot.without.limits {
                        (dof.lower, dof.upper) = (None, None);
                    }
                    if robot.without.joint_friction {
                        dof.friction = 0.0;
                    }
                    link.dofs = vec![(0, dof)];
                }
                let at = place(&joint.node, notes)?;
                link.at = if link.parent.is_none() { context.pose * at } else { at };
                if matches!(link.kind, JointKind::Free) {
                    link.positions = BodyDef::free(link.at).positions.filter(|_| link.parent.is_none());
                    if link.parent.is_none() {
                        link.at = Pose::identity();
                    }
                }
                if !matches!(link.kind, JointKind::Fixed) {
                    let kind = joint.node.attribute("type").unwrap_or_default().to_owned();
                    robot
                        .description
                        .joints
                        .push((joint.node.attribute("name").unwrap_or_default().to_owned(), kind));
                    robot.joint_links.push(robot.links.len());
                    robot.description.references.push(0.0);
                    robot.labels.joints.push(JointLabel {
                        name: joint.node.attribute("name").unwrap_or_default().to_owned(),
                        body: BodyId(robot.links.len() as u32),
                        reference: 0.0,
                        ratings: joint.ratings()?,
                    });
                    mimics.extend(joint.mimic(robot.links.len(), origin)?);
                }
            }
            None if base == Base::Fixed => link.at = context.pose,
            None => {
                link.kind = JointKind::Free;
                link.positions = BodyDef::free(context.pose).positions;
            }
        }
        numbers.insert(name, robot.links.len());
        robot.description.positions += position_count(&link.kind);
        robot.description.velocities += link.kind.rotations().len();
        // What is called the world is no body of the robot.
        if name == WORLD && link.parent.is_none() {
            facts.insert(name, 0);
        } else {
            facts.insert(name, robot.description.bodies.len() + 1);
            let parent = hung.get(name).and_then(|joint| facts.get(joint.parent.value())).copied();
            robot.description.bodies.push(BodyFacts {
                name: name.to_owned(),
                parent: parent.unwrap_or(0),
                mass: link.inertia.mass,
                center: link.inertia.center,
                inertia: link.inertia.inertia,
            });
        }
        robot.description.geoms += link.shapes.len();
        robot.links.push(link);
        waiting.extend(below.get(name).into_iter().flatten());
    }
    match order.iter().find(|name| !numbers.contains_key(**name)) {
        Some(left) => {
            Err(wrong(&links[left], format!("'{left}' does not hang on '{first}': its joints form a cycle")))
        }
        None => Ok(mimics),
    }
}

/// Positions of a joint [-].
fn position_count(kind: &JointKind) -> usize {
    match kind {
        JointKind::Free => 7,
        JointKind::Spherical => 4,
        other => other.rotations().len(),
    }
}

/// A joint with its two ends.
struct Named<'a, 'i> {
    node: Node<'a, 'i>,
    parent: roxmltree::Attribute<'a, 'i>,
    child: roxmltree::Attribute<'a, 'i>,
}

impl<'a, 'i> Named<'a, 'i> {
    fn read(node: &Node<'a, 'i>, notes: &mut Notes<'_>) -> Answer<Self> {
        notes.attributes(node, &["name", "type"], &[]);
        let end = |name: &str| {
            let help = format!("write <{name} link=\"NAME\"/> in it");
            let end = child(node, name)
                .ok_or_else(|| wrong(node, format!("<joint> needs a <{name}>")).with_help(help))?;
            needed(&end, "link")
        };
        for inner in children(node) {
            match inner.tag_name().name() {
                "parent" | "child" | "origin" | "axis" | "limit" | "dynamics" | "mimic" => {}
                "calibration" | "safety_controller" => notes.element(&inner, "it is for controllers"),
                _ => notes.element(&inner, ""),
            }
        }
        Ok(Self { node: *node, parent: end("parent")?, child: end("child")? })
    }

    /// The kind of joint and what acts on it.
    fn kind(&self, notes: &mut Notes<'_>) -> Answer<(JointKind, Option<Dof>)> {
        let node = &self.node;
        let word = needed(node, "type")?;
        // The axis of what does not move says nothing.
        match word.value() {
            "fixed" => return Ok((JointKind::Fixed, None)),
            "floating" => return Ok((JointKind::Free, None)),
            _ => {}
        }
        let axis = match child(node, "axis") {
            Some(axis) => {
                let xyz = needed(&axis, "xyz")?;
                let direction = Vec3::from(exactly::<3>(&xyz)?);
                if direction.norm() == 0.0 {
                    return Err(wrong_attribute(&xyz, "an axis is a direction, and 0 0 0 is none"));
                }
                direction
            }
            None => Vec3::x(),
        };
        let kind = match word.value() {
            "planar" => return Ok((JointKind::Planar { normal: axis }, None)),
            "revolute" | "continuous" => JointKind::Revolute { axis },
            "prismatic" => JointKind::Prismatic { axis },
            other => {
                let message = format!("'{other}' is no type of joint");
                let help = "write fixed, revolute, continuous, prismatic, planar or floating";
                return Err(wrong_attribute(&word, message).with_help(help));
            }
        };
        let mut dof = Dof::default();
        let number = |node: &Node<'_, '_>, name: &str| {
            attribute(node, name).map_or(Ok(0.0), |number| exactly::<1>(&number).map(|[x]| x))
        };
        if word.value() != "continuous" {
            let name = node.attribute("name").unwrap_or_default();
            match child(node, "limit") {
                None => notes.say(format!("joint '{name}' has no <limit> and moves without bounds")),
                Some(limit) => {
                    let (lower, upper) = (number(&limit, "lower")?, number(&limit, "upper")?);
                    #[expect(clippy::float_cmp, reason = "numbers as they are written")]
                    if lower == upper {
                        notes.say(format!(
                            "joint '{name}' has equal limits, which stand for none: it moves without bounds"
                        ));
                    } else {
                        (dof.lower, dof.upper) = (Some(lower), Some(upper));
                    }
                }
            }
        }
        if let Some(dynamics) = child(node, "dynamics") {
            dof.damping = number(&dynamics, "damping")?;
            dof.friction = number(&dynamics, "friction")?;
        }
        Ok((kind, Some(dof)))
    }

    /// What its motor is rated for: effort and speed. Zero, which many files have where nothing is known, is nothing said.
    fn ratings(&self) -> Answer<[f64; 2]> {
        let Some(limit) = child(&self.node, "limit") else { return Ok([f64::INFINITY; 2]) };
        let rating = |name: &str| -> Answer<f64> {
            let value = attribute(&limit, name).map(|number| exactly::<1>(&number)).transpose()?;
            Ok(value.map(|[x]| x).filter(|x| *x > 0.0).unwrap_or(f64::INFINITY))
        };
        Ok([rating("effort")?, rating("velocity")?])
    }

    /// What the joint of a link mimics.
    fn mimic(&self, link: usize, origin: &Arc<Origin>) -> Answer<Option<Mimic>> {
        let Some(node) = child(&self.node, "mimic") else { return Ok(None) };
        let number = |name: &str, usual: f64| {
            attribute(&node, name).map_or(Ok(usual), |number| exactly::<1>(&number).map(|[x]| x))
        };
        let leader = needed(&node, "joint")?.value().to_owned();
        let spot = Spot { origin: origin.clone(), span: name_place(&node) };
        Ok(Some(Mimic {
            link,
            leader,
            factor: number("multiplier", 1.0)?,
            offset: number("offset", 0.0)?,
            spot,
        }))
    }
}

/// A link on a joint that is still to be filled in.
fn link(
    node: &Node<'_, '_>,
    spot: &Spot,
    context: &Context<'_>,
    (notes, kinds): (&mut Notes<'_>, &mut BTreeMap<String, usize>),
) -> Answer<Link> {
    notes.attributes(node, &["name"], &["type"]);
    let name = node.attribute("name").unwrap_or_default();
    let mut link = Link::new(name, spot, None, Pose::identity());
    for inner in children(node) {
        match inner.tag_name().name() {
            "inertial" => {
                link.inertia =
                    repair::inertia(self::inertia(&inner, notes)?, name, (&inner, notes), context)?;
            }
            "collision" => {
                let pose = place(&inner, notes)?;
                let Some(shape) = collision(&inner, name, context, notes)? else { continue };
                let kind = child(&inner, "geometry").and_then(|geometry| children(&geometry).next());
                let kind = kind.map_or("", |kind| kind.tag_name().name()).to_owned();
                *kinds.entry(kind).or_default() += 1;
                let shape = ShapeDef::new(shape, "").at(pose);
                link.shapes.push(shape.named(inner.attribute("name").unwrap_or_default()));
            }
            "visual" => notes.looks(&inner),
            _ => notes.element(&inner, ""),
        }
    }
    Ok(link)
}

/// `<origin xyz rpy>`: rotated about x, then y, then z of the frame around it.
fn place(node: &Node<'_, '_>, notes: &mut Notes<'_>) -> Answer<Pose> {
    let Some(origin) = child(node, "origin") else { return Ok(Pose::identity()) };
    notes.attributes(&origin, &["xyz", "rpy"], &[]);
    let three = |name: &str| attribute(&origin, name).map_or(Ok([0.0; 3]), |three| exactly::<3>(&three));
    let ([roll, pitch, yaw], place) = (three("rpy")?, Vec3::from(three("xyz")?));
    let turns = [(Vec3::z(), yaw), (Vec3::y(), pitch), (Vec3::x(), roll)];
    orientation::turned(place, &turns).map_err(|error| wrong(&origin, error.to_string()))
}

fn inertia(node: &Node<'_, '_>, notes: &mut Notes<'_>) -> Answer<Inertia> {
    let inner = |name: &str| {
        let help = match name {
            "mass" => "write <mass value=\"1\"/> in it",
            _ => "write <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/> in it",
        };
        child(node, name).ok_or_else(|| wrong(node, format!("<inertial> needs a <{name}>")).with_help(help))
    };
    let [mass] = exactly(&needed(&inner("mass")?, "value")?)?;
    let moments = inner("inertia")?;
    let diagonal = |name: &str| exactly::<1>(&needed(&moments, name)?).map(|[x]| x);
    let product = |name: &str| attribute(&moments, name).map_or(Ok(0.0), |x| exactly::<1>(&x).map(|[x]| x));
    let (xy, xz, yz) = (product("ixy")?, product("ixz")?, product("iyz")?);
    let matrix = Mat3::new(diagonal("ixx")?, xy, xz, xy, diagonal("iyy")?, yz, xz, yz, diagonal("izz")?);
    let pose = place(node, notes)?;
    let r = pose.rotation_matrix();
    // An unturned frame keeps its bits.
    let matrix = if r == Mat3::identity() { matrix } else { r * matrix * r.transpose() };
    Ok(Inertia { mass, center: pose.translation(), inertia: matrix })
}

/// The shape of a `<collision>`; none where it has no size and may be left out.
fn collision(
    node: &Node<'_, '_>,
    link: &str,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Answer<Option<Shape>> {
    let geometry = child(node, "geometry").and_then(|geometry| children(&geometry).next());
    let geometry = geometry.ok_or_else(|| {
        wrong(node, "<collision> needs a <geometry> with a shape in it")
            .with_help("write <geometry><box size=\"1 1 1\"/></geometry>")
    })?;
    let number = |name: &str| exactly::<1>(&needed(&geometry, name)?).map(|[x]| x);
    if repair::has_no_size(&geometry, link, context, notes)? {
        return Ok(None);
    }
    let shape = match geometry.tag_name().name() {
        "box" => Shape::cuboid(Vec3::from(exactly::<3>(&needed(&geometry, "size")?)?)),
        "sphere" => Shape::sphere(number("radius")?),
        "cylinder" => Shape::cylinder(number("radius")?, number("length")?),
        "capsule" => Shape::capsule(number("radius")?, number("length")?),
        "mesh" => {
            let name = needed(&geometry, "filename")?;
            let scale = attribute(&geometry, "scale").map_or(Ok([1.0; 3]), |scale| exactly::<3>(&scale))?;
            let path = geometry::urdf_file(context.folder, name.value(), &context.options.packages);
            let wrong =
                |message: String| wrong_attribute(&name, message).with_help(geometry::advice(name.value()));
            let mesh = geometry::mesh(&path, scale, wrong)?;
            for warning in mesh.warnings {
                notes.say(warning);
            }
            return Ok(Some(mesh.shape));
        }
        other => {
            let error = wrong(&geometry, format!("<{other}> is no shape that can collide"));
            return Err(error.with_help("write <box>, <sphere>, <cylinder>, <capsule> or <mesh>"));
        }
    };
    shape.map(Some).map_err(|error| wrong(&geometry, error.to_string()))
}
