//! Stage 6: sensors and names of sites, joints, actuators and tendons to labels of a world, with numbers of links in place of bodies.

use std::collections::BTreeMap;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Site};
use zerogap_geometry::Shape;
use zerogap_simulation::world::{FrameQuantity, JointLabel, Labels, Sensor, SensorKind, SiteLabel, Zone};

use super::attributes::Attributes;
use super::bodies::Tables;
use super::document::{Answer, Attr};
use super::expand::{Flat, Item};
use super::forces::{Acting, body_of, unknown};
use super::options::Options;
use super::report::Report;

const SENSOR: [&str; 19] = [
    "name",
    "cutoff",
    "noise",
    "joint",
    "tendon",
    "actuator",
    "site",
    "body",
    "objtype",
    "objname",
    "reftype",
    "refname",
    "user",
    "class",
    "datatype",
    "needstage",
    "dim",
    "delay",
    "nsample",
];

/// Joints with one number.
const SINGLE: [&str; 2] = ["hinge", "slide"];

/// What sensors are read with.
struct Reader<'a> {
    tables: &'a Tables,
    actuators: BTreeMap<&'a str, usize>,
    tendons: BTreeMap<&'a str, usize>,
    options: &'a Options,
}

/// Reads the labels of a model.
pub(super) fn labels(
    flat: &Flat,
    tables: &Tables,
    acting: &Acting,
    options: &Options,
    report: &mut Report,
) -> Answer<Labels> {
    let numbered = |names: &[String]| names.iter().cloned().enumerate().collect::<Vec<_>>();
    let reader = Reader {
        tables,
        actuators: by_name(&acting.actuator_names),
        tendons: by_name(&acting.tendon_names),
        options,
    };
    let mut sensors = Vec::new();
    for item in flat.sections.get("sensor").into_iter().flatten().map(|item| &flat.items[*item]) {
        report.attributes(item, &SENSOR);
        let kind = reader.kind(item, report)?;
        let cutoff = item.number("cutoff")?.unwrap_or(0.0);
        sensors.push(Sensor { name: item.name().to_owned(), kind, cutoff });
    }
    let joints = tables.joints.iter().map(|joint| JointLabel {
        name: joint.name.clone(),
        body: body_of(joint.link),
        reference: joint.reference,
        ratings: [f64::INFINITY; 2],
    });
    let sites = tables.site_order.iter().filter_map(|name| {
        let (link, pose) = *tables.sites.get(name)?;
        Some(SiteLabel { name: name.clone(), site: Site { body: link.map(body_of), pose } })
    });
    Ok(Labels {
        joints: joints.collect(),
        sites: sites.collect(),
        actuators: numbered(&acting.actuator_names),
        tendons: numbered(&acting.tendon_names),
        sensors,
    })
}

/// Numbers by name.
fn by_name(names: &[String]) -> BTreeMap<&str, usize> {
    names.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect()
}

impl Reader<'_> {
    fn kind(&self, item: &Item, report: &mut Report) -> Answer<SensorKind> {
        let joint = |kinds: &[&str]| {
            let attr = item.needed("joint")?;
            let found = self.tables.joint_names.get(&*attr.value);
            let joint = &self.tables.joints
                [*found.ok_or_else(|| unknown("joint", attr, self.tables.joint_names.keys()))?];
            if kinds.contains(&joint.kind) {
                return Ok(body_of(joint.link));
            }
            let message = format!(
                "'{}' is a {} joint, and this sensor is for {}",
                attr.value,
                joint.kind,
                kinds.join(" or ")
            );
            Err(attr.spot.wrong(message))
        };
        let number = |name: &str, of: &BTreeMap<&str, usize>| {
            let attr = item.needed(name)?;
            of.get(&*attr.value).copied().ok_or_else(|| {
                let known: Vec<String> = of.keys().map(|name| (*name).to_owned()).collect();
                unknown(if name == "tendon" { "tendon" } else { "actuator" }, attr, known.iter())
            })
        };
        let site = || self.site(item.needed("site")?);
        let body = || {
            let attr = item.needed("body")?;
            match self.body(attr)? {
                Some(body) => Ok(body),
                None => Err(attr.spot.wrong("this sensor is of a body that moves, not of the world")),
            }
        };
        let frame = |quantity| self.frame(item, quantity, needs_axes(item));
        Ok(match &*item.tag {
            "jointpos" => SensorKind::JointPosition(joint(&SINGLE)?),
            "jointvel" => SensorKind::JointVelocity(joint(&SINGLE)?),
            "jointactuatorfrc" => SensorKind::JointActuatorForce(joint(&SINGLE)?),
            "ballquat" => SensorKind::BallQuaternion(joint(&["ball"])?),
            "ballangvel" => SensorKind::BallVelocity(joint(&["ball"])?),
            "tendonpos" => SensorKind::TendonPosition(number("tendon", &self.tendons)?),
            "tendonvel" => SensorKind::TendonVelocity(number("tendon", &self.tendons)?),
            "actuatorpos" => SensorKind::ActuatorPosition(number("actuator", &self.actuators)?),
            "actuatorvel" => SensorKind::ActuatorVelocity(number("actuator", &self.actuators)?),
            "actuatorfrc" => SensorKind::ActuatorForce(number("actuator", &self.actuators)?),
            "framepos" => frame(FrameQuantity::Position)?,
            "framequat" => frame(FrameQuantity::Quaternion)?,
            "framexaxis" => frame(FrameQuantity::Axis(0))?,
            "frameyaxis" => frame(FrameQuantity::Axis(1))?,
            "framezaxis" => frame(FrameQuantity::Axis(2))?,
            "framelinvel" => frame(FrameQuantity::LinearVelocity)?,
            "frameangvel" => frame(FrameQuantity::AngularVelocity)?,
            "framelinacc" => frame(FrameQuantity::LinearAcceleration)?,
            "frameangacc" => frame(FrameQuantity::AngularAcceleration)?,
            "gyro" => SensorKind::Gyro(site()?),
            "accelerometer" => SensorKind::Accelerometer(site()?),
            "velocimeter" => SensorKind::Velocimeter(site()?),
            "magnetometer" => SensorKind::Magnetometer { site: site()?, field: self.options.magnetic },
            "force" => SensorKind::Force(site()?),
            "torque" => SensorKind::Torque(site()?),
            "touch" => SensorKind::Touch(self.zone(item.needed("site")?)?),
            "rangefinder" if item.get("site").is_some() => SensorKind::Rangefinder(site()?),
            "subtreecom" => SensorKind::SubtreeCenter(body()?),
            "subtreelinvel" => SensorKind::SubtreeVelocity(body()?),
            "subtreeangmom" => SensorKind::SubtreeAngularMomentum(body()?),
            "e_potential" => SensorKind::PotentialEnergy,
            "e_kinetic" => SensorKind::KineticEnergy,
            "clock" => SensorKind::Clock,
            other => {
                report.unread(format!("<{other}> sensors"), &item.spot, "they have no value");
                SensorKind::Unread(other.to_owned())
            }
        })
    }

    fn site(&self, attr: &Attr) -> Answer<Site> {
        let found = self.tables.sites.get(&*attr.value);
        let (link, pose) = *found.ok_or_else(|| unknown("site", attr, self.tables.sites.keys()))?;
        Ok(Site { body: link.map(body_of), pose })
    }

    fn body(&self, attr: &Attr) -> Answer<Option<BodyId>> {
        let found = self.tables.body_names.get(&*attr.value);
        let body = *found.ok_or_else(|| unknown("body", attr, self.tables.body_names.keys()))?;
        Ok(self.tables.bodies[body].link.map(body_of))
    }

    /// The frame of an object: of a body its centre of mass, of an `xbody` its own.
    fn object(&self, item: &Item, kind: &Attr, name: &Attr, axes: bool) -> Answer<Site> {
        match &*kind.value {
            "site" => self.site(name),
            "xbody" => Ok(Site { body: self.body(name)?, pose: Pose::identity() }),
            "body" => {
                let body = self.tables.body_names.get(&*name.value).copied();
                let body = body.ok_or_else(|| unknown("body", name, self.tables.body_names.keys()))?;
                if axes {
                    let message = "the principal axes of a body have no order of their own, so objtype \"body\" has no such reading here";
                    return Err(kind
                        .spot
                        .wrong(message)
                        .with_help("write \"xbody\" for the axes of the body, or name a site"));
                }
                let record = &self.tables.bodies[body];
                let pose = Pose::from_translation(record.inertia.center);
                Ok(Site {
                    body: record.link.map(body_of),
                    pose: pose.map_err(|error| item.wrong(error.to_string()))?,
                })
            }
            "geom" => {
                let found = self.tables.geom_names.get(&*name.value);
                let (body, number) =
                    *found.ok_or_else(|| unknown("geom", name, self.tables.geom_names.keys()))?;
                let record = &self.tables.bodies[body];
                Ok(Site { body: record.link.map(body_of), pose: record.geoms[number].pose })
            }
            other => {
                let error =
                    kind.spot.wrong(format!("frames of kind \"{other}\" are not read by sensors here"));
                Err(error.with_help("write site, xbody, body or geom"))
            }
        }
    }

    fn frame(&self, item: &Item, quantity: FrameQuantity, axes: bool) -> Answer<SensorKind> {
        let frame = self.object(item, item.needed("objtype")?, item.needed("objname")?, axes)?;
        let reference = match item.get("refname") {
            Some(name) => Some(self.object(item, item.needed("reftype")?, name, true)?),
            None => None,
        };
        Ok(SensorKind::Frame { quantity, frame, reference })
    }

    /// What a touch sensor feels with.
    fn zone(&self, attr: &Attr) -> Answer<Zone> {
        let site = self.site(attr)?;
        let (kind, size) = &self.tables.site_zones[&*attr.value];
        let of = |k: usize| size.get(k).copied().unwrap_or(0.005);
        let shape = match kind.as_str() {
            "capsule" => Shape::capsule(of(0), 2.0 * of(1)),
            "cylinder" => Shape::cylinder(of(0), 2.0 * of(1)),
            "box" => Shape::cuboid(Vec3::new(of(0), of(1), of(2)) * 2.0),
            "ellipsoid" => Shape::ellipsoid(Vec3::new(of(0), of(1), of(2))),
            _ => Shape::sphere(of(0)),
        };
        let shape = shape.map_err(|error| attr.spot.wrong(error.to_string()))?;
        Ok(Zone::new(shape, site.body, site.pose))
    }
}

/// Whether a reading of a frame depends on its axes.
fn needs_axes(item: &Item) -> bool {
    matches!(&*item.tag, "framequat" | "framexaxis" | "frameyaxis" | "framezaxis")
}
