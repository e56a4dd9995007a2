//! Geoms: what collides, what it weighs, and how it rubs.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::{MassProperties, Shape};

use super::assets::{Assets, Points};
use super::attributes::{Attributes, exactly, numbers};
use super::document::{Answer, Spot};
use super::expand::Item;
use super::report::Report;
use crate::robot::orientation;

/// Density of a geom where a model does not say [kg/m³].
const DENSITY: f64 = 1000.0;

/// How a geom rubs: sliding [-], spinning [m], rolling [m]; how many directions; and whose word counts.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(in crate::robot) struct Rubbing {
    pub(in crate::robot) friction: [f64; 3],
    pub(in crate::robot) directions: f64,
    pub(in crate::robot) priority: f64,
}

/// A geom in its body.
#[derive(Debug, Clone)]
pub(super) struct Geom {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) pose: Pose,
    /// Half sizes as the other program keeps them [m].
    pub(super) size: [f64; 3],
    /// What collides; none where it is only there to be seen.
    pub(super) shape: Option<Shape>,
    /// Bits of what it is, and of what it touches.
    pub(super) masks: [u32; 2],
    pub(super) rubbing: Rubbing,
    /// In the frame of the body.
    pub(super) mass: Option<MassProperties>,
    /// Why it has no mass, where it should.
    pub(super) no_mass: Option<String>,
    pub(super) group: f64,
    /// Coefficients of a fluid on its ellipsoid.
    pub(super) fluid: Option<[f64; 5]>,
    pub(super) spot: Spot,
}

const READ: [&str; 26] = [
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
    "friction",
    "condim",
    "priority",
    "hfield",
    "fluidshape",
    "fluidcoef",
    "pos",
    "quat",
    "axisangle",
    "euler",
    "xyaxes",
    "zaxis",
    "group",
    "shellinertia",
    "fitscale",
    "surfacevel",
];

impl Geom {
    #[expect(clippy::too_many_lines, reason = "one attribute after the other, each in a few lines")]
    pub(super) fn read(
        item: &Item,
        assets: &Assets<'_>,
        needs_mass: bool,
        is_paired: bool,
        report: &mut Report,
    ) -> Answer<Self> {
        report.attributes(item, &READ);
        let kind = item
            .text("type")
            .unwrap_or(if item.get("mesh").is_some() { "mesh" } else { "sphere" })
            .to_owned();
        let bit = |name: &str| -> Answer<u32> {
            let value = item.number(name)?.unwrap_or(1.0);
            Ok(value.clamp(f64::from(i32::MIN), f64::from(u32::MAX)) as i64 as u32)
        };
        let masks = [bit("contype")?, bit("conaffinity")?];
        let collides = masks != [0, 0] || is_paired;
        let (mut pose, length);
        match item.get("fromto") {
            None => (pose, length) = (item.place()?, None),
            Some(ends) => {
                let [a, b, c, d, e, f] = exactly(ends)?;
                let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
                let turn = orientation::from_z(from - to)
                    .ok_or_else(|| ends.spot.wrong("both ends of 'fromto' are the same"))?;
                let own =
                    Pose::new((from + to) * 0.5, turn).map_err(|error| ends.spot.wrong(error.to_string()))?;
                pose = item.frame * own;
                length = Some((to - from).norm());
            }
        }
        let mesh = match (&*kind, item.get("mesh")) {
            ("mesh", None) => return Err(item.missing("mesh")),
            ("hfield" | "plane", _) | (_, None) => None,
            (_, Some(name)) => Some((name, assets.mesh(name)?)),
        };
        let is_shell = item.truth("shellinertia")?.unwrap_or(false);
        let wants_mass = needs_mass && !matches!(&*kind, "plane" | "hfield");
        let (mut size, mut shape, mut unit_mass, mut no_mass) = ([0.0; 3], None, None, None);
        if let Some((name, mesh)) = mesh {
            if collides || wants_mass || kind != "mesh" {
                let points = mesh.points()?;
                for warning in points.warnings() {
                    report.say(warning.clone());
                }
                let own = if is_shell { "shell" } else { mesh.kind() };
                let mass = points.mass(own);
                if kind == "mesh" {
                    if collides {
                        shape = Some(points.hull().map_err(|error| name.spot.wrong(error))?);
                    }
                    match mass {
                        Ok(mass) => unit_mass = Some(mass),
                        Err(why) => no_mass = Some(format!("mesh '{}': {why}", name.value)),
                    }
                } else {
                    let mass = mass.map_err(|why| {
                        name.spot.wrong(format!("a {kind} cannot be fitted to mesh '{}': {why}", name.value))
                    })?;
                    let (own, fitted) = fit(points, &mass, &kind, item.settings.fit_boxes)
                        .ok_or_else(|| item.wrong(format!("a {kind} cannot be fitted to a mesh")))?;
                    pose = pose * own;
                    size = fitted;
                }
            }
        } else if kind == "hfield" {
            shape = Some(assets.field(item.needed("hfield")?)?);
        } else {
            size = sizes(item, &kind, length)?;
        }
        if mesh.is_none_or(|_| kind != "mesh") && kind != "hfield" {
            let own = primitive(&kind, size).ok_or_else(|| {
                item.wrong(format!("a geom of type '{kind}' cannot collide here"))
                    .with_help("write plane, sphere, capsule, cylinder, ellipsoid, box, mesh or hfield")
            })?;
            let own = own.map_err(|error| item.wrong(error.to_string()))?;
            if is_shell {
                report.missing("'shellinertia' of a geom that is no mesh is", item.spot());
            }
            if kind != "plane" {
                unit_mass = own.mass_properties(1.0).ok();
            }
            shape = Some(own);
        }
        let mass = match (item.number("mass")?, item.number("density")?) {
            (Some(mass), _) => unit_mass.map(|own| scaled(&own, mass / own.mass)),
            (None, density) => unit_mass.map(|own| scaled(&own, density.unwrap_or(DENSITY))),
        };
        let fluid = match item.text("fluidshape") {
            Some("ellipsoid") => Some(item.up_to("fluidcoef", [0.5, 0.25, 1.5, 1.0, 1.0])?),
            _ => None,
        };
        let directions = item.number("condim")?.unwrap_or(3.0);
        Ok(Self {
            name: item.name().to_owned(),
            mass: mass.map(|mass| mass.transformed(&pose)),
            no_mass: no_mass.filter(|_| needs_mass),
            kind,
            pose,
            size,
            shape: shape.filter(|_| collides),
            masks,
            rubbing: Rubbing {
                friction: item.up_to("friction", [1.0, 0.005, 0.0001])?,
                directions,
                priority: item.number("priority")?.unwrap_or(0.0),
            },
            group: item.number("group")?.unwrap_or(0.0),
            fluid,
            spot: item.spot.clone(),
        })
    }

    /// Half axes of the ellipsoid that a fluid takes it for [m].
    pub(super) fn half_axes(&self) -> Vec3 {
        let [a, b, c] = self.size;
        match &*self.kind {
            "sphere" => Vec3::new(a, a, a),
            "capsule" => Vec3::new(a, a, a + b),
            "cylinder" => Vec3::new(a, a, b),
            _ => Vec3::new(a, b, c),
        }
    }
}

fn scaled(own: &MassProperties, density: f64) -> MassProperties {
    MassProperties { mass: own.mass * density, inertia: own.inertia * density, ..*own }
}

/// Half sizes of a primitive.
fn sizes(item: &Item, kind: &str, length: Option<f64>) -> Answer<[f64; 3]> {
    let given = item.get("size").map(numbers).transpose()?.unwrap_or_default();
    let needed = match (kind, length) {
        ("plane", _) => return Ok([0.0; 3]),
        ("sphere", _) | (_, Some(_)) => 1,
        ("capsule" | "cylinder", None) => 2,
        _ => 3,
    };
    if given.is_empty() {
        return Err(item.missing("size"));
    }
    if given.len() < needed {
        return Err(item.wrong(format!("a {kind} needs more numbers in 'size' than {}", given.len())));
    }
    let at = |k: usize| given.get(k).copied().unwrap_or(0.0);
    // With two ends given, the length is theirs and the first size that across.
    Ok(match (kind, length) {
        ("capsule" | "cylinder", Some(length)) => [at(0), 0.5 * length, 0.0],
        ("ellipsoid" | "box", Some(length)) => [at(0), at(0), 0.5 * length],
        _ => [at(0), at(1), at(2)],
    })
}

/// The shape of a kind and half sizes; none for a kind that there is not.
fn primitive(kind: &str, [a, b, c]: [f64; 3]) -> Option<Result<Shape, zerogap_geometry::GeometryError>> {
    Some(match kind {
        "plane" => Shape::half_space(Vec3::z(), 0.0),
        "sphere" => Shape::sphere(a),
        "capsule" => Shape::capsule(a, 2.0 * b),
        "cylinder" => Shape::cylinder(a, 2.0 * b),
        "ellipsoid" => Shape::ellipsoid(Vec3::new(a, b, c)),
        "box" => Shape::cuboid(Vec3::new(2.0 * a, 2.0 * b, 2.0 * c)),
        _ => return None,
    })
}

/// The frame and half sizes of a primitive with the principal inertias of a mesh, or around its box in their axes.
fn fit(points: &Points, mass: &MassProperties, kind: &str, to_box: bool) -> Option<(Pose, [f64; 3])> {
    let (axes, moments) = orientation::principal(&mass.inertia);
    let mut frame = Pose::new(mass.center, orientation::quaternion(&axes)).ok()?;
    let sum = moments.sum();
    let mut half = moments.map(|moment| 0.5 * (6.0 * (0.5 * sum - moment).max(0.0) * 2.0 / mass.mass).sqrt());
    if to_box {
        let (mut low, mut high) = (Vec3::from_element(f64::INFINITY), Vec3::from_element(f64::NEG_INFINITY));
        for point in &points.vertices {
            let local = frame.inverse_transform_point(point);
            (low, high) = (low.inf(&local), high.sup(&local));
        }
        half = (high - low) * 0.5;
        frame = frame * Pose::from_translation((high + low) * 0.5).ok()?;
    }
    let (mean, wide) = (0.5 * (half.x + half.y), half.x.max(half.y));
    let across = if to_box { wide } else { mean };
    Some((
        frame,
        match kind {
            "sphere" if to_box => [half.max(), 0.0, 0.0],
            "sphere" => [half.sum() / 3.0, 0.0, 0.0],
            "capsule" => [across, (half.z - 0.5 * across).max(0.0), 0.0],
            "cylinder" => [across, half.z, 0.0],
            "ellipsoid" | "box" => half.into(),
            _ => return None,
        },
    ))
}
