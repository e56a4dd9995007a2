//! Stage 3: bodies, joints and inertias to links.
//!
//! In: a [`Flat`] model. Out: links, parents first, in the order of the file, with tables that find joints, sites and geoms by name. A body with several joints becomes a chain of links without mass, one for
//! each joint but the last.

use std::collections::{BTreeMap, BTreeSet};

use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{Dof, Inertia, JointKind};
use zerogap_geometry::MassProperties;
use zerogap_simulation::world::BodyDef;

use super::assets::Assets;
use super::attributes::{Attributes, exactly, numbers};
use super::document::{Answer, Spot};
use super::expand::{Flat, Item};
use super::geoms::Geom;
use super::report::Report;
use crate::robot::{Link, Without, orientation};

/// A joint by its link.
#[derive(Debug, Clone)]
pub(super) struct JointRecord {
    pub(super) name: String,
    pub(super) link: usize,
    pub(super) kind: &'static str,
    /// What a position of zero stands for [m or rad].
    pub(super) reference: f64,
    pub(super) range: Option<[f64; 2]>,
    /// Of ball joints: the largest angle [rad].
    pub(super) turn_limit: Option<f64>,
    pub(super) effort_range: Option<[f64; 2]>,
    /// Of ball and free joints: their spring, and where it is relaxed.
    pub(super) spring: Option<f64>,
    pub(super) spot: Spot,
}

/// A body of the model.
#[derive(Debug, Clone)]
pub(super) struct BodyRecord {
    pub(super) name: String,
    /// None: the world.
    pub(super) link: Option<usize>,
    pub(super) parent: Option<usize>,
    /// What moves as one with it; none: with the world.
    pub(super) welded: Option<usize>,
    pub(super) pose: Pose,
    pub(super) geoms: Vec<Geom>,
    pub(super) inertia: Inertia,
    pub(super) gravcomp: f64,
    pub(super) is_mocap: bool,
}

/// Everything of a model by name. The first body is the world.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) bodies: Vec<BodyRecord>,
    pub(super) joints: Vec<JointRecord>,
    pub(super) links: Vec<Link>,
    pub(super) body_names: BTreeMap<String, usize>,
    pub(super) joint_names: BTreeMap<String, usize>,
    /// Link and place of each site.
    pub(super) sites: BTreeMap<String, (Option<usize>, Pose)>,
    /// The shape of each site that touch sensors may feel with: its type and size.
    pub(super) site_zones: BTreeMap<String, (String, Vec<f64>)>,
    /// Sites by name, in the order of the file.
    pub(super) site_order: Vec<String>,
    /// Body and number in it of each geom with a name.
    pub(super) geom_names: BTreeMap<String, (usize, usize)>,
    /// Geoms that pairs name: they touch whatever their bits say.
    pub(super) paired: BTreeSet<String>,
}

const BODY: [&str; 12] = [
    "name",
    "childclass",
    "pos",
    "quat",
    "axisangle",
    "euler",
    "xyaxes",
    "zaxis",
    "mocap",
    "gravcomp",
    "user",
    "sleep",
];

const JOINT: [&str; 24] = [
    "name",
    "class",
    "type",
    "pos",
    "axis",
    "range",
    "limited",
    "ref",
    "springref",
    "stiffness",
    "damping",
    "armature",
    "frictionloss",
    "actuatorfrcrange",
    "actuatorfrclimited",
    "actuatorgravcomp",
    "springdamper",
    "group",
    "user",
    "margin",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
];

impl Tables {
    /// Reads all bodies.
    pub(super) fn read(
        flat: &Flat,
        assets: &Assets<'_>,
        base: &Pose,
        without: Without,
        report: &mut Report,
    ) -> Answer<Self> {
        let mut tables = Self::default();
        for item in flat.sections.get("contact").into_iter().flatten().map(|item| &flat.items[*item]) {
            tables
                .paired
                .extend(["geom1", "geom2"].into_iter().filter_map(|name| item.text(name)).map(str::to_owned));
        }
        tables.bodies.push(BodyRecord {
            name: "world".to_owned(),
            link: None,
            parent: None,
            welded: None,
            pose: Pose::identity(),
            geoms: Vec::new(),
            inertia: Inertia::none(),
            gravcomp: 0.0,
            is_mocap: false,
        });
        tables.body_names.insert("world".to_owned(), 0);
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        for item in &flat.world {
            match &*flat.items[*item].tag {
                "body" => waiting.push((*item, 0)),
                _ => tables.part(flat, *item, 0, assets, false, base, report)?,
            }
        }
        waiting.reverse();
        while let Some((item, parent)) = waiting.pop() {
            let (body, inner) = tables.body(flat, item, parent, assets, base, without, report)?;
            waiting.extend(inner.into_iter().rev().map(|inner| (inner, body)));
        }
        tables.adjust(flat);
        Ok(tables)
    }

    /// Reads what stands in a body besides joints and bodies.
    #[expect(clippy::too_many_arguments, reason = "what a body is read with")]
    fn part(
        &mut self,
        flat: &Flat,
        item: usize,
        body: usize,
        assets: &Assets<'_>,
        needs_mass: bool,
        base: &Pose,
        report: &mut Report,
    ) -> Answer<()> {
        let item = &flat.items[item];
        match &*item.tag {
            "geom" => {
                let mut geom =
                    Geom::read(item, assets, needs_mass, self.paired.contains(item.name()), report)?;
                if body == 0 {
                    geom.pose = *base * geom.pose;
                }
                if !geom.name.is_empty() {
                    self.geom_names.insert(geom.name.clone(), (body, self.bodies[body].geoms.len()));
                }
                self.bodies[body].geoms.push(geom);
            }
            "site" => {
                let link = self.bodies[body].link;
                let mut pose = match item.get("fromto") {
                    None => item.place()?,
                    Some(ends) => {
                        let [a, b, c, d, e, f] = exactly(ends)?;
                        let middle = (Vec3::new(a, b, c) + Vec3::new(d, e, f)) * 0.5;
                        item.frame
                            * Pose::from_translation(middle).map_err(|error| item.wrong(error.to_string()))?
                    }
                };
                if body == 0 {
                    pose = *base * pose;
                }
                if !item.name().is_empty() {
                    let name = item.name().to_owned();
                    let kind = item.text("type").unwrap_or("sphere").to_owned();
                    let mut size = item.get("size").map(numbers).transpose()?.unwrap_or_default();
                    // Of the ends of a site its length follows.
                    if let Some(ends) = item.get("fromto") {
                        let [a, b, c, d, e, f] = exactly(ends)?;
                        let half = 0.5 * (Vec3::new(d, e, f) - Vec3::new(a, b, c)).norm();
                        size.truncate(1);
                        size.push(half);
                    }
                    self.site_zones.insert(name.clone(), (kind, size));
                    self.site_order.push(name.clone());
                    self.sites.insert(name, (link, pose));
                }
            }
            "camera" | "light" => report.pass_over(format!("<{}>", item.tag)),
            "composite" | "flexcomp" => {
                let message = format!("<{}> is not read, and the bodies in it would be lost", item.tag);
                return Err(item
                    .wrong(message)
                    .with_help("flexible and composite bodies are not modelled here"));
            }
            "plugin" => {
                return Err(item
                    .wrong("plugins are not run here")
                    .with_help("take a model without <plugin>"));
            }
            other => {
                let known = [
                    "body",
                    "geom",
                    "joint",
                    "freejoint",
                    "inertial",
                    "site",
                    "frame",
                    "attach",
                    "replicate",
                ];
                let meant = zerogap_core::text::nearest(other, &known);
                let meant = meant.map_or(String::new(), |meant| format!(" (did you mean <{meant}>?)"));
                report.unread(format!("<{other}>{meant}"), item.spot(), "");
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "what a body is read with")]
    fn body(
        &mut self,
        flat: &Flat,
        number: usize,
        parent: usize,
        assets: &Assets<'_>,
        base: &Pose,
        without: Without,
        report: &mut Report,
    ) -> Answer<(usize, Vec<usize>)> {
        let item = &flat.items[number];
        report.attributes(item, &BODY);
        let count = self.links.len();
        let name = if item.name().is_empty() { format!("body {count}") } else { item.name().to_owned() };
        let own = item.place()?;
        let pose = if parent == 0 { *base * own } else { own };
        let above = self.bodies[parent].link;
        let (mut joints, mut inertial, mut inner, mut parts) = (Vec::new(), None, Vec::new(), Vec::new());
        for child in &item.children {
            match &*flat.items[*child].tag {
                "joint" | "freejoint" => joints.push(&flat.items[*child]),
                "inertial" => inertial = Some(&flat.items[*child]),
                "body" => inner.push(*child),
                _ => parts.push(*child),
            }
        }
        // One link for each joint: the last is the body itself, the others have no mass and stand where the body stands.
        let (mut at, mut link_parent) = (pose, above);
        for (k, joint) in joints.iter().enumerate().take(joints.len().saturating_sub(1)) {
            let mut link = Link::new(&format!("{name} before joint {}", k + 2), &item.spot, link_parent, at);
            self.joint(joint, &mut link, flat, without, report)?;
            if matches!(link.kind, JointKind::Free) {
                return Err(joint.wrong("a free joint must be the only one of its body"));
            }
            (link_parent, at) = (Some(self.links.len()), Pose::identity());
            self.links.push(link);
        }
        let mut link = Link::new(&name, &item.spot, link_parent, at);
        if let Some(joint) = joints.last() {
            self.joint(joint, &mut link, flat, without, report)?;
            if matches!(link.kind, JointKind::Free) && (joints.len() > 1 || above.is_some()) {
                return Err(joint.wrong("a free joint must be the only one of a body right in <worldbody>"));
            }
        }
        let body = self.bodies.len();
        if self.body_names.insert(name.clone(), body).is_some() {
            return Err(item.wrong(format!("there is a body '{name}' already")));
        }
        let link_number = self.links.len();
        self.links.push(link);
        let has_joint = !joints.is_empty();
        self.bodies.push(BodyRecord {
            name,
            link: Some(link_number),
            parent: Some(parent),
            welded: if has_joint { Some(body) } else { self.bodies[parent].welded },
            pose: own,
            geoms: Vec::new(),
            inertia: Inertia::none(),
            gravcomp: item.number("gravcomp")?.unwrap_or(0.0),
            is_mocap: item.truth("mocap")?.unwrap_or(false),
        });
        let settings = &item.settings;
        let from_geoms = match settings.inertia_from_geoms {
            None => inertial.is_none(),
            Some(always) => always,
        };
        for part in parts {
            self.part(flat, part, body, assets, from_geoms, base, report)?;
        }
        let inertia = if from_geoms {
            let [low, high] = settings.inertia_groups;
            let counted = self.bodies[body].geoms.iter().filter(|geom| (low..=high).contains(&geom.group));
            let all = counted.clone().filter_map(|geom| geom.mass);
            let all = all.fold(MassProperties::zero(), |all, own| all.combined(&own));
            for why in counted.filter_map(|geom| geom.no_mass.as_ref()) {
                report.say(format!("body '{}' has no mass of a geom: {why}", self.bodies[body].name));
            }
            Inertia { mass: all.mass, center: all.center, inertia: all.inertia }
        } else {
            inertial.map_or(Ok(Inertia::none()), inertia_of)?
        };
        self.bodies[body].inertia = inertia;
        Ok((body, inner))
    }

    /// Puts a joint under a link.
    fn joint(
        &mut self,
        item: &Item,
        link: &mut Link,
        flat: &Flat,
        without: Without,
        report: &mut Report,
    ) -> Answer<()> {
        report.attributes(item, &JOINT);
        let is_free = &*item.tag == "freejoint";
        let kind = if is_free { "free" } else { item.text("type").unwrap_or("hinge") };
        let settings = &flat.settings;
        let settings =
            if std::sync::Arc::ptr_eq(settings, &item.settings) { settings } else { &item.settings };
        let turned = item.frame.rotation_matrix();
        let axis = Vec3::from(item.numbers::<3>("axis")?.unwrap_or([0.0, 0.0, 1.0]));
        let axis = if turned == Mat3::identity() { axis } else { turned * axis };
        let place = Vec3::from(item.numbers::<3>("pos")?.unwrap_or_default());
        let place = item.frame.transform_point(&place);
        let at = Pose::from_translation(place).map_err(|error| item.wrong(error.to_string()))?;
        let (joint, unit, count, word) = match kind {
            "free" => (JointKind::Free, 1.0, 6, "free"),
            "ball" => (JointKind::Spherical, settings.angle, 3, "ball"),
            "hinge" => (JointKind::Revolute { axis }, settings.angle, 1, "hinge"),
            "slide" => (JointKind::Prismatic { axis }, 1.0, 1, "slide"),
            other => {
                let error = item.get("type").map_or_else(
                    || item.wrong("?"),
                    |attr| attr.spot.wrong(format!("'{other}' is no type of joint")),
                );
                return Err(error.with_help("write hinge, slide, ball or free"));
            }
        };
        if word == "free" {
            link.positions = BodyDef::free(link.at).positions;
            link.at = Pose::identity();
        } else {
            link.at = link.at * at;
            link.on = at;
        }
        let number = |name: &str| item.number(name).map(|x| x.unwrap_or(0.0));
        // Lists of numbers are polynomials, of which only the linear term is a spring or a damper.
        let mut linear = |name: &str| -> Answer<f64> {
            let list = item.up_to::<3>(name, [0.0; 3])?;
            if list[1] != 0.0 || list[2] != 0.0 {
                report.missing(format!("the nonlinear part of '{name}' of a joint is"), item.spot());
            }
            Ok(list[0])
        };
        let (mut dof, mut reference, mut spring) = (Dof::default(), 0.0, None);
        let (mut range, mut turn_limit) = (None, None);
        if !is_free {
            let (stiffness, damping) = (linear("stiffness")?, linear("damping")?);
            dof.damping = damping;
            dof.armature = number("armature")?;
            dof.friction = if without.joint_friction { 0.0 } else { number("frictionloss")? };
            range = item.range("limited", "range", settings)?;
            if item.get("springdamper").is_some() {
                report.missing("'springdamper' of a joint is", item.spot());
            }
            if count == 1 {
                // Where the model stands, the coordinate is `ref`; here it is zero.
                reference = number("ref")? * unit;
                dof.stiffness = stiffness;
                dof.spring_reference = number("springref")? * unit - reference;
                range = range.map(|range| range.map(|x| x * unit));
                if let Some([lower, upper]) = range.filter(|_| !without.limits) {
                    (dof.lower, dof.upper) = (Some(lower - reference), Some(upper - reference));
                }
            } else {
                spring = Some(stiffness).filter(|stiffness| *stiffness > 0.0);
                let largest = range.map(|[low, high]| low.max(high) * unit);
                turn_limit = largest.filter(|_| !without.limits && word == "ball");
            }
        }
        link.kind = joint;
        link.dofs = (0..count).map(|index| (index, dof)).filter(|(_, dof)| *dof != Dof::default()).collect();
        let record = JointRecord {
            name: item.name().to_owned(),
            link: self.links.len(),
            kind: word,
            reference,
            range,
            turn_limit,
            effort_range: item.range("actuatorfrclimited", "actuatorfrcrange", settings)?,
            spring,
            spot: item.spot.clone(),
        };
        if !record.name.is_empty()
            && self.joint_names.insert(record.name.clone(), self.joints.len()).is_some()
        {
            return Err(item.wrong(format!("there is a joint '{}' already", record.name)));
        }
        self.joints.push(record);
        Ok(())
    }

    /// Changes masses and inertias as `<compiler>` asks.
    fn adjust(&mut self, flat: &Flat) {
        let settings = &flat.settings;
        for body in &mut self.bodies[1..] {
            let inertia = &mut body.inertia;
            inertia.mass = inertia.mass.max(settings.bound_mass);
            let (axes, mut moments) = orientation::principal(&inertia.inertia);
            let is_broken = moments[0] > (moments[1] + moments[2]) * (1.0 + 1e-12);
            if moments.min() < settings.bound_inertia || (settings.balance_inertia && is_broken) {
                moments = moments.map(|moment| moment.max(settings.bound_inertia));
                if settings.balance_inertia && moments[0] > moments[1] + moments[2] {
                    moments = Vec3::from_element(moments.sum() / 3.0);
                }
                inertia.inertia = axes * Mat3::from_diagonal(&moments) * axes.transpose();
            }
        }
        if let Some(wanted) = settings.total_mass {
            let all: f64 = self.bodies.iter().map(|body| body.inertia.mass).sum();
            if all > 0.0 {
                for body in &mut self.bodies {
                    body.inertia.mass *= wanted / all;
                    body.inertia.inertia *= wanted / all;
                }
            }
        }
        for body in &self.bodies {
            if let Some(link) = body.link {
                self.links[link].inertia = body.inertia;
            }
        }
    }
}

/// An `<inertial>`.
fn inertia_of(item: &Item) -> Answer<Inertia> {
    let [mass] = exactly(item.needed("mass")?)?;
    let pose = item.place()?;
    let inertia = match (item.get("diaginertia"), item.get("fullinertia")) {
        (Some(diagonal), None) => Mat3::from_diagonal(&Vec3::from(exactly::<3>(diagonal)?)),
        (None, Some(full)) => {
            let [xx, yy, zz, xy, xz, yz] = exactly(full)?;
            Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
        }
        _ => {
            let error = item.wrong("<inertial> needs one of 'diaginertia' and 'fullinertia'");
            return Err(error.with_help("write diaginertia=\"xx yy zz\""));
        }
    };
    let r = pose.rotation_matrix();
    // An unturned frame keeps its bits.
    let inertia = if r == Mat3::identity() { inertia } else { r * inertia * r.transpose() };
    Ok(Inertia { mass, center: pose.translation(), inertia })
}
