//! URDF: links and joints.
//!
//! In: `<robot>` and what its root is. Out: links in an order in which parents come first, siblings in the order of their joints in the file.

use std::collections::BTreeMap;

use roxmltree::Node;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Inertia, JointKind};
use zerogap_geometry::Shape;

use super::xml::{
    Answer, Notes, attribute, child, children, exactly, name_place, needed, wrong, wrong_attribute,
};
use super::{Base, Context, Link, Robot, geometry, orientation};
use zerogap_simulation::world::{BodyDef, ShapeDef};

/// Reads `<robot>`.
pub(super) fn read(
    root: &Node<'_, '_>,
    base: Base,
    context: &Context<'_>,
    robot: &mut Robot,
    notes: &mut Notes<'_>,
) -> Answer<()> {
    notes.attributes(root, &["name", "version"], &[]);
    robot.name = attribute(root, "name").map_or(String::new(), |name| name.value().to_owned());
    let (mut links, mut joints) = (BTreeMap::new(), Vec::new());
    let mut order = Vec::new();
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
            if !links.contains_key(end.value()) {
                return Err(wrong_attribute(end, format!("there is no link '{}'", end.value())));
            }
        }
    }
    let hung: BTreeMap<&str, &Named<'_, '_>> =
        joints.iter().rev().map(|joint| (joint.child.value(), joint)).collect();
    if let Some(second) = joints.iter().find(|joint| !std::ptr::eq(hung[joint.child.value()], *joint)) {
        let message = format!("'{}' hangs on two joints: a robot is a tree", second.child.value());
        return Err(wrong_attribute(&second.child, message));
    }
    let roots: Vec<&str> = order.iter().copied().filter(|name| !hung.contains_key(name)).collect();
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
    while let Some(name) = waiting.pop() {
        let node = links[name];
        let mut link = self::link(&node, name, context, notes)?;
        match hung.get(name) {
            Some(joint) => {
                link.parent = numbers.get(joint.parent.value()).copied();
                (link.kind, link.dof) = joint.kind(notes)?;
                link.at = origin(&joint.node, notes)?;
            }
            None if base == Base::Fixed => link.at = context.pose,
            None => {
                link.kind = JointKind::Free;
                link.positions = BodyDef::free(context.pose).positions;
            }
        }
        numbers.insert(name, robot.links.len());
        robot.links.push(link);
        waiting.extend(below.get(name).into_iter().flatten());
    }
    match order.iter().find(|name| !numbers.contains_key(**name)) {
        Some(left) => {
            Err(wrong(&links[left], format!("'{left}' does not hang on '{first}': its joints form a cycle")))
        }
        None => Ok(()),
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
                "parent" | "child" | "origin" | "axis" | "limit" | "dynamics" => {}
                "mimic" => notes.element(&inner, "the joint moves on its own"),
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
            "fixed" => return Ok((JointKind::Fixed, None)),
            "floating" => return Ok((JointKind::Free, None)),
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
            let help = "write <limit lower=\"-1\" upper=\"1\" .../> in it, or type=\"continuous\" for a hinge without limits";
            let limit = child(node, "limit").ok_or_else(|| {
                wrong(node, format!("a {} joint needs a <limit>", word.value())).with_help(help)
            })?;
            dof.lower = Some(number(&limit, "lower")?);
            dof.upper = Some(number(&limit, "upper")?);
        }
        if let Some(limit) = child(node, "limit") {
            for name in ["effort", "velocity"] {
                if let Some(rating) = attribute(&limit, name) {
                    notes.unread(
                        format!("'{name}' of <limit>"),
                        &rating.range(),
                        "it rates a motor, and there is none",
                    );
                }
            }
        }
        if let Some(dynamics) = child(node, "dynamics") {
            dof.damping = number(&dynamics, "damping")?;
            if let Some(friction) = attribute(&dynamics, "friction")
                && exactly::<1>(&friction)? != [0.0]
            {
                notes.unread(
                    "'friction' of <dynamics>".to_owned(),
                    &friction.range(),
                    "joints have no dry friction",
                );
            }
        }
        Ok((kind, Some(dof)))
    }
}

/// A link on a joint that is still to be filled in.
fn link(node: &Node<'_, '_>, name: &str, context: &Context<'_>, notes: &mut Notes<'_>) -> Answer<Link> {
    notes.attributes(node, &["name"], &["type"]);
    let (mut inertia, mut shapes) = (Inertia::none(), Vec::new());
    for inner in children(node) {
        match inner.tag_name().name() {
            "inertial" => inertia = self::inertia(&inner, notes)?,
            "collision" => {
                let pose = origin(&inner, notes)?;
                let shape = ShapeDef::new(collision(&inner, context, notes)?, context.material).at(pose);
                shapes.push(shape.named(inner.attribute("name").unwrap_or_default()));
            }
            "visual" => notes.looks(&inner),
            _ => notes.element(&inner, ""),
        }
    }
    Ok(Link {
        name: name.to_owned(),
        span: name_place(node),
        parent: None,
        kind: JointKind::Fixed,
        at: Pose::identity(),
        on: Pose::identity(),
        dof: None,
        positions: None,
        inertia,
        shapes,
    })
}

/// `<origin xyz rpy>`: rotated about x, then y, then z of the frame around it.
fn origin(node: &Node<'_, '_>, notes: &mut Notes<'_>) -> Answer<Pose> {
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
    let pose = origin(node, notes)?;
    let r = pose.rotation_matrix();
    // An unturned frame keeps its bits.
    let matrix = if r == Mat3::identity() { matrix } else { r * matrix * r.transpose() };
    Ok(Inertia { mass, center: pose.translation(), inertia: matrix })
}

fn collision(node: &Node<'_, '_>, context: &Context<'_>, notes: &mut Notes<'_>) -> Answer<Shape> {
    let geometry = child(node, "geometry").and_then(|geometry| children(&geometry).next());
    let geometry = geometry.ok_or_else(|| {
        wrong(node, "<collision> needs a <geometry> with a shape in it")
            .with_help("write <geometry><box size=\"1 1 1\"/></geometry>")
    })?;
    let number = |name: &str| exactly::<1>(&needed(&geometry, name)?).map(|[x]| x);
    let shape = match geometry.tag_name().name() {
        "box" => Shape::cuboid(Vec3::from(exactly::<3>(&needed(&geometry, "size")?)?)),
        "sphere" => Shape::sphere(number("radius")?),
        "cylinder" => Shape::cylinder(number("radius")?, number("length")?),
        "capsule" => Shape::capsule(number("radius")?, number("length")?),
        "mesh" => {
            let name = needed(&geometry, "filename")?;
            let scale = attribute(&geometry, "scale").map_or(Ok([1.0; 3]), |scale| exactly::<3>(&scale))?;
            let path = geometry::urdf_file(context.folder, name.value());
            let wrong = |message: String| {
                wrong_attribute(&name, message).with_help("a file name is relative to the URDF; package://NAME/... is resolved in the folders above it")
            };
            let mesh = geometry::mesh(&path, scale, wrong)?;
            for warning in mesh.warnings {
                notes.say(warning);
            }
            return Ok(mesh.shape);
        }
        other => {
            let error = wrong(&geometry, format!("<{other}> is no shape that can collide"));
            return Err(error.with_help("write <box>, <sphere>, <cylinder>, <capsule> or <mesh>"));
        }
    };
    shape.map_err(|error| wrong(&geometry, error.to_string()))
}
