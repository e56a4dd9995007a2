//! MJCF: settings of a model and its tree of bodies.
//!
//! In: `<mujoco>`. Out: fixed shapes of the world and links, parents first, in the order of the file. A body with several joints becomes a chain of links without mass, one for
//! each joint but the last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use roxmltree::Node;
use zerogap_core::{Pose, Vec3};

use super::mjcf_body::Bodies;
use super::mjcf_defaults::Defaults;
use super::xml::{Answer, Notes, attribute, children, exactly, needed, truth, wrong, wrong_attribute};
use super::{Context, Robot, orientation};

/// Degrees, the unit of angles where a model does not say [rad].
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// What `<compiler>` says.
pub(super) struct Compiler {
    /// Size of the unit of angles [rad].
    pub(super) angle: f64,
    /// Axes of Euler angles, and whether each turn is in the frame that the ones before have made.
    euler: Vec<(Vec3, bool)>,
    pub(super) autolimits: bool,
    /// Whether geoms give the inertia even where there is an `<inertial>`; never; or only where there is none.
    pub(super) inertia_from_geoms: Option<bool>,
    meshes: PathBuf,
}

/// A mesh of `<asset>`.
pub(super) struct Asset {
    pub(super) path: PathBuf,
    pub(super) scale: [f64; 3],
}

/// Reads `<mujoco>`.
pub(super) fn read(
    root: &Node<'_, '_>,
    context: &Context<'_>,
    robot: &mut Robot,
    notes: &mut Notes<'_>,
) -> Answer<()> {
    notes.attributes(root, &["model"], &[]);
    robot.name = attribute(root, "model").map_or(String::new(), |name| name.value().to_owned());
    if let Some(include) = root.descendants().find(|node| node.has_tag_name("include")) {
        let error = wrong(&include, "files in files are not read");
        return Err(error.with_help("put the contents of the other file in place of <include>"));
    }
    let named = |name: &'static str| children(root).filter(move |node| node.has_tag_name(name));
    let mut compiler = Compiler::new(context.folder);
    for node in named("compiler") {
        compiler.read(&node, notes)?;
    }
    let defaults = Defaults::read(root, notes)?;
    let mut assets = BTreeMap::new();
    for node in named("asset").flat_map(|asset| children(&asset).collect::<Vec<_>>()) {
        match node.tag_name().name() {
            "mesh" => {
                let element = defaults.element(node, None)?;
                notes.attributes(&node, &["name", "file", "scale", "class"], &[]);
                let file = needed(&node, "file")?;
                let stem =
                    Path::new(file.value()).file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let name = attribute(&node, "name").map(|name| name.value().to_owned());
                let scale = element.attribute("scale").map_or(Ok([1.0; 3]), |scale| exactly::<3>(&scale))?;
                let path = compiler.meshes.join(file.value());
                assets.insert(name.or(stem).unwrap_or_default(), Asset { path, scale });
            }
            "texture" | "material" => notes.looks(&node),
            _ => notes.element(&node, ""),
        }
    }
    for node in named("option") {
        if let Some(gravity) = attribute(&node, "gravity") {
            robot.gravity = Some(Vec3::from(exactly::<3>(&gravity)?));
        }
        notes.attributes(&node, &["gravity"], &[]);
    }
    // MuJoCo's own, where the model does not say.
    robot.gravity.get_or_insert(Vec3::new(0.0, 0.0, -9.81));
    let mut bodies = Bodies::new(context, &compiler, &defaults, &assets, robot);
    for node in named("worldbody") {
        bodies.world(&node, notes)?;
    }
    let names = bodies.names;
    for node in children(root) {
        match node.tag_name().name() {
            "compiler" | "default" | "asset" | "option" | "worldbody" => {}
            "contact" => exclusions(&node, &names, robot, notes)?,
            "visual" | "statistic" | "size" | "custom" => notes.looks(&node),
            "actuator" => notes.element(&node, "motors are set in a scene file or by a program"),
            "sensor" | "keyframe" => notes.element(&node, "the start is that of the bodies"),
            "equality" => notes.element(&node, "loops are closed by [[loops]] of a scene file"),
            _ => notes.element(&node, ""),
        }
    }
    Ok(())
}

/// `<contact>`: bodies that never touch.
fn exclusions(
    node: &Node<'_, '_>,
    names: &BTreeMap<String, usize>,
    robot: &mut Robot,
    notes: &mut Notes<'_>,
) -> Answer<()> {
    for inner in children(node) {
        if !inner.has_tag_name("exclude") {
            notes.element(&inner, "friction and restitution are those of [[pairs]] of a scene file");
            continue;
        }
        notes.attributes(&inner, &["name", "body1", "body2"], &[]);
        let body = |name: &str| {
            let body = needed(&inner, name)?;
            match (body.value(), names.get(body.value())) {
                ("world", _) => Ok(None),
                (_, Some(number)) => Ok(Some(*number)),
                (other, None) => Err(wrong_attribute(&body, format!("there is no body '{other}'"))),
            }
        };
        robot.apart.push((body("body1")?, body("body2")?));
    }
    Ok(())
}

impl Compiler {
    fn new(folder: &Path) -> Self {
        let euler = [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| (axis, true)).to_vec();
        Self { angle: DEGREE, euler, autolimits: true, inertia_from_geoms: None, meshes: folder.to_owned() }
    }

    fn read(&mut self, node: &Node<'_, '_>, notes: &mut Notes<'_>) -> Answer<()> {
        let read =
            ["angle", "coordinate", "eulerseq", "autolimits", "inertiafromgeom", "meshdir", "assetdir"];
        notes.attributes(node, &read, &["texturedir", "discardvisual", "strippath"]);
        for attribute in node.attributes() {
            let value = attribute.value();
            let wrong = |help: &str| {
                let message = format!("'{}' cannot be \"{value}\"", attribute.name());
                Err(wrong_attribute(&attribute, message).with_help(format!("write {help}")))
            };
            match (attribute.name(), value) {
                ("angle", "degree") => self.angle = DEGREE,
                ("angle", "radian") => self.angle = 1.0,
                ("angle", _) => return wrong("degree or radian"),
                ("coordinate", "local") => {}
                ("coordinate", _) => return wrong("local: places are those in the body around them"),
                ("eulerseq", letters) => match letters.chars().map(euler_axis).collect::<Option<Vec<_>>>() {
                    Some(axes) if axes.len() == 3 => self.euler = axes,
                    _ => return wrong("three letters of x, y, z, X, Y, Z"),
                },
                ("autolimits", _) => self.autolimits = truth(&attribute)?,
                ("inertiafromgeom", "auto") => self.inertia_from_geoms = None,
                ("inertiafromgeom", _) => self.inertia_from_geoms = Some(truth(&attribute)?),
                ("meshdir" | "assetdir", folder) => self.meshes = self.meshes.join(folder),
                _ => {}
            }
        }
        Ok(())
    }

    /// The pose of an element: `pos`, and one of `quat`, `axisangle`, `euler`, `xyaxes` and `zaxis`.
    pub(super) fn pose<'a, 'i: 'a>(
        &self,
        node: &Node<'a, 'i>,
        find: impl Fn(&str) -> Option<roxmltree::Attribute<'a, 'i>>,
    ) -> Answer<Pose> {
        let place = find("pos").map_or(Ok([0.0; 3]), |pos| exactly::<3>(&pos)).map(Vec3::from)?;
        let ways = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
        let mut given = ways.into_iter().filter_map(&find);
        let Some(way) = given.next() else {
            return Pose::from_translation(place).map_err(|error| wrong(node, error.to_string()));
        };
        if let Some(second) = given.next() {
            let message = format!("'{}' and '{}' both give its orientation", way.name(), second.name());
            return Err(wrong_attribute(&second, message).with_help("leave one of them out"));
        }
        let quaternion = match way.name() {
            "quat" => exactly::<4>(&way).map(|[w, x, y, z]| Some([x, y, z, w]))?,
            "axisangle" => {
                let [x, y, z, angle] = exactly(&way)?;
                orientation::about(Vec3::new(x, y, z), angle * self.angle)
            }
            "euler" => {
                let angles = exactly::<3>(&way)?;
                let mut turns = Vec::new();
                // A turn about an axis that stands still comes before all others.
                for ((axis, is_inner), angle) in self.euler.iter().zip(angles) {
                    let at = if *is_inner { turns.len() } else { 0 };
                    turns.insert(at, (*axis, angle * self.angle));
                }
                return orientation::turned(place, &turns)
                    .map_err(|error| wrong_attribute(&way, error.to_string()));
            }
            "xyaxes" => {
                let [a, b, c, d, e, f] = exactly(&way)?;
                orientation::from_x_and_y(Vec3::new(a, b, c), Vec3::new(d, e, f))
            }
            _ => orientation::from_z(Vec3::from(exactly::<3>(&way)?)),
        };
        let no_turn = || wrong_attribute(&way, format!("'{}' is no orientation", way.name()));
        Pose::new(place, quaternion.ok_or_else(no_turn)?).map_err(|_| no_turn())
    }
}

/// The axis of a letter of `eulerseq`: small letters turn with the body, capitals stand still.
fn euler_axis(letter: char) -> Option<(Vec3, bool)> {
    let axis = match letter.to_ascii_lowercase() {
        'x' => Vec3::x(),
        'y' => Vec3::y(),
        'z' => Vec3::z(),
        _ => return None,
    };
    Some((axis, letter.is_lowercase()))
}
