//! Stage 4: tendons, actuators and equalities to force elements, couplings and loops.

use std::collections::BTreeMap;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{
    Activation, Actuator, BodyId, Coupling, EllipsoidDrag, Fluid, FluidBody, Forces, Joint, JointKind,
    JointTerm, Loop, LoopKind, PathPoint, RotationSpring, Site, Tendon, TendonPath, Transmission, Tree,
    TreeBuilder, Wrap,
};

use super::attributes::{Attributes, numbers};
use super::bodies::{JointRecord, Tables};
use super::document::{Answer, Attr, Spot};
use super::expand::{Flat, Item};
use super::options::Options;
use super::report::Report;
use crate::robot::{Without, orientation};

/// Everything that acts in a model, with numbers of links in place of bodies.
#[derive(Debug, Default)]
pub(super) struct Acting {
    pub(super) forces: Forces,
    pub(super) couplings: Vec<(Coupling, Spot)>,
    pub(super) loops: Vec<(Loop, Spot)>,
    pub(super) tendon_names: Vec<String>,
    pub(super) actuator_names: Vec<String>,
    pub(super) equalities: usize,
    pub(super) activations: usize,
}

/// Reads what acts.
pub(super) struct Reader<'a> {
    flat: &'a Flat,
    tables: &'a Tables,
    base: Pose,
    without: Without,
    acting: Acting,
    tendons: BTreeMap<String, (usize, Option<[f64; 2]>)>,
}

const TENDON: [&str; 18] = [
    "name",
    "class",
    "group",
    "limited",
    "range",
    "stiffness",
    "damping",
    "springlength",
    "frictionloss",
    "armature",
    "actuatorfrcrange",
    "actuatorfrclimited",
    "width",
    "material",
    "rgba",
    "solreflimit",
    "solimplimit",
    "margin",
];

const ACTUATOR: [&str; 44] = [
    "name",
    "class",
    "group",
    "joint",
    "jointinparent",
    "tendon",
    "site",
    "refsite",
    "body",
    "slidersite",
    "cranksite",
    "cranklength",
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "actrange",
    "actlimited",
    "actdim",
    "actearly",
    "lengthrange",
    "dyntype",
    "gaintype",
    "biastype",
    "dynprm",
    "gainprm",
    "biasprm",
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "inheritrange",
    "gain",
    "area",
    "diameter",
    "bias",
    "user",
    "nsample",
    "interp",
    "delay",
    "armature",
    "damping",
    "ctrl",
];

pub(super) fn body_of(link: usize) -> BodyId {
    BodyId(link as u32)
}

/// Reads tendons, actuators and equalities.
pub(super) fn read(
    flat: &Flat,
    tables: &Tables,
    base: &Pose,
    options: &Options,
    without: Without,
    report: &mut Report,
) -> Answer<Acting> {
    let mut reader =
        Reader { flat, tables, base: *base, without, acting: Acting::default(), tendons: BTreeMap::new() };
    reader.joints(report);
    reader.fluid(options, report);
    let at_start = tree_of(tables);
    for item in reader.section("tendon") {
        reader.tendon(item, at_start.as_ref(), report)?;
    }
    for item in reader.section("actuator") {
        reader.actuator(item, at_start.as_ref(), report)?;
    }
    for item in reader.section("equality") {
        reader.acting.equalities += 1;
        if item.truth("active")? == Some(false) {
            report.unread(
                format!("an inactive <{}>", item.tag),
                &item.spot,
                "equalities cannot be switched on later",
            );
        } else if !without.equalities {
            reader.equality(item)?;
        }
    }
    Ok(reader.acting)
}

/// The tree of the links, for lengths and inertias where the model stands; none where it has no inertia.
fn tree_of(tables: &Tables) -> Option<Tree> {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    for link in &tables.links {
        let joint = Joint::new(link.parent.map(body_of), link.kind.clone())
            .parent_frame(link.at)
            .child_frame(link.on);
        builder.body_with(link.inertia, joint, &link.dofs).ok()?;
    }
    builder.build().ok()
}

/// Positions of a tree where its model stands.
fn start_of(tree: &Tree, tables: &Tables) -> Vec<f64> {
    let mut q = vec![0.0; tree.positions()];
    for (number, link) in tables.links.iter().enumerate() {
        if let Some(positions) = &link.positions {
            q[tree.q_range(body_of(number))].copy_from_slice(positions);
        }
    }
    tree.normalise(&mut q);
    q
}

impl<'a> Reader<'a> {
    fn section(&self, name: &str) -> Vec<&'a Item> {
        let flat = self.flat;
        flat.sections.get(name).into_iter().flatten().map(|item| &flat.items[*item]).collect()
    }

    fn joint(&self, attr: &Attr) -> Answer<&'a JointRecord> {
        let number = self.tables.joint_names.get(&*attr.value);
        let tables = self.tables;
        number
            .map(|number| &tables.joints[*number])
            .ok_or_else(|| unknown("joint", attr, self.tables.joint_names.keys()))
    }

    fn site(&self, attr: &Attr) -> Answer<Site> {
        let found = self.tables.sites.get(&*attr.value);
        let (link, pose) = *found.ok_or_else(|| unknown("site", attr, self.tables.sites.keys()))?;
        Ok(Site { body: link.map(body_of), pose })
    }

    fn link(&self, attr: &Attr) -> Answer<(usize, Option<BodyId>)> {
        let found = self.tables.body_names.get(&*attr.value);
        let body = *found.ok_or_else(|| unknown("body", attr, self.tables.body_names.keys()))?;
        Ok((body, self.tables.bodies[body].link.map(body_of)))
    }

    /// A joint with one degree of freedom as a term of a sum.
    fn term(&self, attr: &Attr, coefficient: f64) -> Answer<JointTerm> {
        let joint = self.joint(attr)?;
        if !matches!(joint.kind, "hinge" | "slide") {
            let message =
                format!("'{}' is a {} joint, but this needs a hinge or a slide", attr.value, joint.kind);
            return Err(attr.spot.wrong(message));
        }
        Ok(JointTerm { body: body_of(joint.link), index: 0, coefficient, reference: joint.reference })
    }

    /// Springs of ball and free joints, limits of the effort of actuators, and bodies whose weight is carried.
    fn joints(&mut self, report: &mut Report) {
        for joint in &self.tables.joints {
            if let Some(stiffness) = joint.spring {
                let link = &self.tables.links[joint.link];
                let reference = match (&link.kind, &link.positions) {
                    (JointKind::Free, Some(p)) => {
                        Pose::new(Vec3::new(p[0], p[1], p[2]), [p[3], p[4], p[5], p[6]]).unwrap_or_default()
                    }
                    _ => Pose::identity(),
                };
                let body = body_of(joint.link);
                self.acting.forces.springs.push(RotationSpring {
                    body,
                    stiffness,
                    shift_stiffness: stiffness,
                    reference,
                });
            }
            if let Some(largest) = joint.turn_limit {
                self.acting.forces.turn_limits.push((body_of(joint.link), largest));
            }
            if let Some(range) = joint.effort_range {
                if matches!(joint.kind, "hinge" | "slide") {
                    self.acting.forces.effort_limits.push((body_of(joint.link), 0, range));
                } else {
                    report.missing("'actuatorfrcrange' of a ball or free joint is", &joint.spot);
                }
            }
        }
        for body in &self.tables.bodies {
            if let Some(link) = body.link.filter(|_| body.gravcomp != 0.0) {
                self.acting.forces.weight_compensation.push((body_of(link), body.gravcomp));
            }
        }
    }

    /// What a fluid acts on: the ellipsoids of a body, or its inertia box where it has none.
    fn fluid(&mut self, options: &Options, report: &mut Report) {
        if options.density == 0.0 && options.viscosity == 0.0 {
            return;
        }
        let mut bodies = Vec::new();
        for body in &self.tables.bodies {
            let Some(link) = body.link.filter(|_| body.inertia.mass > 0.0) else { continue };
            let wet: Vec<_> = body.geoms.iter().filter_map(|geom| Some((geom, geom.fluid?))).collect();
            for (geom, [blunt, slender, angular, kutta, magnus]) in &wet {
                if geom.kind == "mesh" {
                    report.missing("the fluid around a mesh geom is", &geom.spot);
                    continue;
                }
                let ellipsoid = Some(EllipsoidDrag {
                    blunt: *blunt,
                    slender: *slender,
                    angular: *angular,
                    kutta: *kutta,
                    magnus: *magnus,
                });
                bodies.push(FluidBody {
                    body: body_of(link),
                    pose: geom.pose,
                    size: geom.half_axes(),
                    ellipsoid,
                });
            }
            if wet.is_empty() {
                let (axes, moments) = orientation::principal(&body.inertia.inertia);
                let side = |k: usize| {
                    let rest = moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k];
                    (rest.max(1e-15) / body.inertia.mass * 6.0).sqrt()
                };
                let size = Vec3::new(side(0), side(1), side(2));
                if let Ok(pose) = Pose::new(body.inertia.center, orientation::quaternion(&axes)) {
                    bodies.push(FluidBody { body: body_of(link), pose, size, ellipsoid: None });
                }
            }
        }
        let Options { density, viscosity, wind, .. } = *options;
        self.acting.forces.fluid = Some(Fluid { density, viscosity, wind, bodies });
    }

    fn tendon(&mut self, item: &Item, tree: Option<&Tree>, report: &mut Report) -> Answer<()> {
        report.attributes(item, &TENDON);
        let inner = item.children.iter().map(|child| &self.flat.items[*child]);
        let (mut terms, mut points) = (Vec::new(), Vec::new());
        for part in inner {
            match (&*item.tag, &*part.tag) {
                ("fixed", "joint") => {
                    terms.push(self.term(part.needed("joint")?, part.number("coef")?.unwrap_or(1.0))?);
                }
                ("spatial", "site") => points.push(PathPoint::Site(self.site(part.needed("site")?)?)),
                ("spatial", "pulley") => {
                    let divisor = part.needed("divisor")?;
                    let Some(value) = part.number("divisor")?.filter(|x| *x > 0.0) else {
                        return Err(divisor.spot.wrong("'divisor' must be above zero"));
                    };
                    points.push(PathPoint::Pulley(value));
                }
                ("spatial", "geom") => points.push(PathPoint::Wrap(self.wrap(part)?)),
                (_, other) => return Err(part.wrong(format!("a <{}> tendon has no <{other}>", item.tag))),
            }
        }
        let stiffness = item.up_to::<3>("stiffness", [0.0; 3])?[0];
        let damping = item.up_to::<3>("damping", [0.0; 3])?[0];
        let range = item.range("limited", "range", &item.settings)?;
        let name = item.name().to_owned();
        let what = if name.is_empty() { "a tendon".to_owned() } else { format!("tendon '{name}'") };
        if item.number("frictionloss")?.is_some_and(|x| x > 0.0) && !self.without.joint_friction {
            report.missing(format!("the dry friction of {what} is"), &item.spot);
        }
        if item.number("armature")?.is_some_and(|x| x > 0.0) {
            report.missing(format!("the armature of {what} is"), &item.spot);
        }
        if item.range("actuatorfrclimited", "actuatorfrcrange", &item.settings)?.is_some() {
            report.missing(format!("the limit of the force of actuators on {what} is"), &item.spot);
        }
        let path = if &*item.tag == "fixed" { TendonPath::Joints(terms) } else { TendonPath::Points(points) };
        let held = range.filter(|_| !self.without.limits);
        let mut tendon = Tendon { path, stiffness, damping, relaxed: [0.0; 2], range: held };
        tendon.relaxed = match item.get("springlength").map(numbers).transpose()?.as_deref() {
            Some([both]) if *both >= 0.0 => [*both; 2],
            Some([low, high]) => [*low, *high],
            _ => [self.length_at_start(&tendon, tree, item)?; 2],
        };
        if let Some([low, high]) = tendon.range {
            let start = self.length_at_start(&tendon, tree, item)?;
            if start < low || start > high {
                tendon.range = Some([low.min(start), high.max(start)]);
                report.say(format!(
                    "{}: {what} starts with a length of {start}, outside of its range from {low} to {high}: its range reaches there",
                    item.spot.line()
                ));
            }
        }
        if !name.is_empty() {
            self.tendons.insert(name.clone(), (self.acting.forces.tendons.len(), range));
        }
        self.acting.tendon_names.push(name);
        self.acting.forces.tendons.push(tendon);
        Ok(())
    }

    /// What a tendon wraps.
    fn wrap(&self, item: &Item) -> Answer<Wrap> {
        let attr = item.needed("geom")?;
        let found = self
            .tables
            .bodies
            .iter()
            .find_map(|body| Some((body, body.geoms.iter().find(|geom| geom.name == *attr.value)?)));
        let Some((body, geom)) = found else {
            let names: Vec<String> = self
                .tables
                .bodies
                .iter()
                .flat_map(|body| &body.geoms)
                .map(|geom| geom.name.clone())
                .collect();
            return Err(unknown("geom", attr, names.iter()));
        };
        let is_cylinder = match &*geom.kind {
            "sphere" => false,
            "cylinder" => true,
            other => {
                let message = format!("a tendon cannot wrap geom '{}', which is a {other}", attr.value);
                return Err(attr.spot.wrong(message).with_help("wrap a sphere or a cylinder"));
            }
        };
        let radius = geom.half_axes().x;
        let at = Site { body: body.link.map(body_of), pose: geom.pose };
        let side = item.get("sidesite").map(|attr| self.site(attr)).transpose()?;
        if let (Some(side), Some(attr)) = (side, item.get("sidesite")) {
            let place = at.pose.inverse_transform_point(&side.pose.translation());
            let far = if is_cylinder { place.xy().norm() } else { place.norm() };
            if side.body == at.body && far < radius {
                return Err(attr.spot.wrong(format!(
                    "'{}' is inside geom '{}': tendons that run inside of a surface are not modelled here",
                    attr.value, geom.name
                )));
            }
        }
        Ok(Wrap { at, radius, is_cylinder, side })
    }

    fn length_at_start(&self, tendon: &Tendon, tree: Option<&Tree>, item: &Item) -> Answer<f64> {
        let Some(tree) = tree else { return Ok(0.0) };
        let (q, v, mut ws) = (start_of(tree, self.tables), vec![0.0; tree.velocities()], tree.workspace());
        tree.update(0.0, &q, &v, &mut ws);
        tree.tendon_length(tendon, &q, &ws).map_err(|error| item.wrong(error.to_string()))
    }

    fn actuator(&mut self, item: &Item, tree: Option<&Tree>, report: &mut Report) -> Answer<()> {
        if matches!(&*item.tag, "muscle" | "plugin" | "dcmotor") {
            let error = item.wrong(format!("<{}> actuators are not modelled here", item.tag));
            return Err(error.with_help("take <general>, <motor>, <position> or <velocity> in its place"));
        }
        report.attributes(item, &ACTUATOR);
        let mut one = Actuator::new(self.transmission(item)?);
        one.gear = item.up_to("gear", one.gear)?;
        let number = |name: &str, usual: f64| item.number(name).map(|x| x.unwrap_or(usual));
        let gains = item.up_to::<10>("gainprm", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        let biases = item.up_to::<10>("biasprm", [0.0; 10])?;
        let dynamics = item.up_to::<10>("dynprm", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
        let wrong_type = |name: &str, help: &str| {
            let attr = item.needed(name)?;
            let error =
                attr.spot.wrong(format!("actuators of {name} \"{}\" are not modelled here", attr.value));
            Err(error.with_help(format!("write {help}")))
        };
        match &*item.tag {
            "general" => {
                one.gain = match item.text("gaintype").unwrap_or("fixed") {
                    "fixed" => [gains[0], 0.0, 0.0],
                    "affine" => [gains[0], gains[1], gains[2]],
                    _ => return wrong_type("gaintype", "fixed or affine"),
                };
                one.bias = match item.text("biastype").unwrap_or("none") {
                    "none" => [0.0; 3],
                    "affine" => [biases[0], biases[1], biases[2]],
                    _ => return wrong_type("biastype", "none or affine"),
                };
                one.activation = match item.text("dyntype").unwrap_or("none") {
                    "none" => Activation::None,
                    "integrator" => Activation::Integrator,
                    "filter" | "filterexact" => Activation::Filter(dynamics[0]),
                    _ => return wrong_type("dyntype", "none, integrator or filter"),
                };
            }
            "position" | "intvelocity" => {
                let kp = number("kp", 1.0)?;
                one.gain = [kp, 0.0, 0.0];
                one.bias = [0.0, -kp, -number("kv", 0.0)?];
                if let Some(ratio) = item.number("dampratio")?.filter(|ratio| *ratio > 0.0) {
                    one.bias[2] = -2.0 * ratio * (kp * self.inertia_along(&one, tree)).sqrt();
                }
                if &*item.tag == "intvelocity" {
                    one.activation = Activation::Integrator;
                } else if let Some(time) = item.number("timeconst")?.filter(|time| *time > 0.0) {
                    one.activation = Activation::Filter(time);
                }
            }
            "velocity" => {
                let kv = number("kv", 1.0)?;
                (one.gain, one.bias) = ([kv, 0.0, 0.0], [0.0, 0.0, -kv]);
            }
            "damper" => one.gain = [0.0, 0.0, -number("kv", 1.0)?],
            "cylinder" => {
                let diameter = item.number("diameter")?;
                let area = diameter.map_or(number("area", 1.0)?, |d| std::f64::consts::FRAC_PI_4 * d * d);
                one.gain = [area, 0.0, 0.0];
                one.bias = item.up_to("bias", [0.0; 3])?;
                one.activation = Activation::Filter(number("timeconst", 1.0)?);
            }
            "adhesion" => one.gain = [number("gain", 1.0)?, 0.0, 0.0],
            _ => {}
        }
        one.control_range = item.range("ctrllimited", "ctrlrange", &item.settings)?;
        one.force_range = item.range("forcelimited", "forcerange", &item.settings)?;
        one.activation_range = item.range("actlimited", "actrange", &item.settings)?;
        if let Some(part) = item.number("inheritrange")?.filter(|part| *part > 0.0)
            && let Some([low, high]) = self.target_range(item)?
        {
            let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * part);
            let range = Some([middle - half, middle + half]);
            if &*item.tag == "intvelocity" { one.activation_range = range } else { one.control_range = range }
        }
        if matches!(one.transmission, Transmission::Joint6 { .. })
            && (one.bias[1] != 0.0 || one.gain[1] != 0.0)
        {
            report.missing("the length of a ball or free joint under an actuator is", &item.spot);
        }
        for name in ["armature", "damping", "delay"] {
            if item.up_to::<3>(name, [0.0; 3])?.iter().any(|x| *x != 0.0) {
                report.missing(format!("'{name}' of an actuator is"), &item.spot);
            }
        }
        if self.without.actuators {
            (one.gain, one.bias) = ([0.0; 3], [0.0; 3]);
        }
        if one.activation != Activation::None {
            self.acting.activations += 1;
        }
        self.acting.actuator_names.push(item.name().to_owned());
        self.acting.forces.actuators.push(one);
        Ok(())
    }

    fn transmission(&self, item: &Item) -> Answer<Transmission> {
        if let Some(attr) = item.get("joint").or(item.get("jointinparent")) {
            let joint = self.joint(attr)?;
            let body = body_of(joint.link);
            return Ok(match joint.kind {
                "hinge" | "slide" => Transmission::Joint { body, index: 0, reference: joint.reference },
                _ => Transmission::Joint6 { body },
            });
        }
        if let Some(attr) = item.get("tendon") {
            let found = self.tendons.get(&*attr.value);
            return found
                .map(|(number, _)| Transmission::Tendon(*number))
                .ok_or_else(|| unknown("tendon", attr, self.tendons.keys()));
        }
        if let Some(attr) = item.get("cranksite") {
            let rod = item.number("cranklength")?.unwrap_or(0.0);
            let (crank, slider) = (self.site(attr)?, self.site(item.needed("slidersite")?)?);
            return Ok(Transmission::SliderCrank { crank, slider, rod });
        }
        if let Some(attr) = item.get("site") {
            let reference = item.get("refsite").map(|attr| self.site(attr)).transpose()?;
            return Ok(Transmission::Site { site: self.site(attr)?, reference });
        }
        if let Some(attr) = item.get("body") {
            return Ok(match self.link(attr)?.1 {
                Some(body) => Transmission::Adhesion { body },
                None => return Err(attr.spot.wrong("the world does not move, so nothing can act on it")),
            });
        }
        let error = item.wrong(format!("<{}> acts on nothing", item.tag));
        Err(error.with_help("write joint=\"...\", tendon=\"...\", site=\"...\" or body=\"...\""))
    }

    /// The range of the joint or tendon that an actuator acts on.
    fn target_range(&self, item: &Item) -> Answer<Option<[f64; 2]>> {
        if let Some(attr) = item.get("joint") {
            return Ok(self.joint(attr)?.range);
        }
        Ok(item.get("tendon").and_then(|attr| self.tendons.get(&*attr.value)).and_then(|(_, range)| *range))
    }

    /// Inertia along what an actuator acts on, where the model stands, with all joints free [kg or kg m²].
    fn inertia_along(&self, one: &Actuator, tree: Option<&Tree>) -> f64 {
        let Some(tree) = tree else { return 0.0 };
        let (q, mut row, mut ws) =
            (start_of(tree, self.tables), vec![0.0; tree.velocities()], tree.workspace());
        tree.update(0.0, &q, &row, &mut ws);
        let mut add = |body: BodyId, index: usize, factor: f64| {
            row[tree.v_range(body).start + index] += factor * one.gear[0];
        };
        match one.transmission {
            Transmission::Joint { body, index, .. } => add(body, index, 1.0),
            Transmission::Tendon(tendon) => match &self.acting.forces.tendons[tendon].path {
                TendonPath::Joints(terms) => {
                    for term in terms {
                        add(term.body, term.index, term.coefficient);
                    }
                }
                TendonPath::Points(_) => {}
            },
            _ => {}
        }
        let mut answer = vec![0.0; row.len()];
        tree.inverse_mass_times(&mut ws, &row, &mut answer);
        let mobility: f64 = row.iter().zip(&answer).map(|(a, b)| a * b).sum();
        if mobility > 0.0 { 1.0 / mobility } else { 0.0 }
    }

    fn equality(&mut self, item: &Item) -> Answer<()> {
        let spot = item.spot.clone();
        match &*item.tag {
            "connect" | "weld" => {
                let kind = if &*item.tag == "weld" { LoopKind::Fixed } else { LoopKind::Point };
                let (a, b) = if let Some(first) = item.get("site1") {
                    (self.site(first)?, self.site(item.needed("site2")?)?)
                } else {
                    self.bodies_together(item)?
                };
                if a.body == b.body {
                    return Err(item.wrong("both ends are on the same body"));
                }
                let closed = Loop { a: a.body, frame_a: a.pose, b: b.body, frame_b: b.pose, kind };
                self.acting.loops.push((closed, spot));
            }
            "joint" => {
                let follows = vec![self.term(item.needed("joint1")?, 1.0)?];
                let leads = item.get("joint2").map(|attr| self.term(attr, 1.0)).transpose()?;
                let polynomial = item.up_to("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])?;
                let coupling = Coupling { follows, leads: leads.into_iter().collect(), polynomial };
                self.acting.couplings.push((coupling, spot));
            }
            "tendon" => {
                let terms = |attr: &Attr| {
                    let found = self.tendons.get(&*attr.value);
                    let (number, _) = found.ok_or_else(|| unknown("tendon", attr, self.tendons.keys()))?;
                    match &self.acting.forces.tendons[*number].path {
                        TendonPath::Joints(terms) => Ok(terms.clone()),
                        TendonPath::Points(_) => {
                            let error = attr.spot.wrong(format!(
                                "'{}' runs through points: only sums of joints are held rigidly",
                                attr.value
                            ));
                            Err(error.with_help("take a <fixed> tendon, or leave the equality out"))
                        }
                    }
                };
                let follows = terms(item.needed("tendon1")?)?;
                let leads = item.get("tendon2").map(terms).transpose()?.unwrap_or_default();
                let polynomial = item.up_to("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])?;
                self.acting.couplings.push((Coupling { follows, leads, polynomial }, spot));
            }
            other => {
                let error = item.wrong(format!("<{other}> equalities are not modelled here"));
                return Err(error.with_help("take <connect>, <weld>, <joint> or <tendon>"));
            }
        }
        Ok(())
    }

    /// The frames of two bodies that an equality holds together where they stand.
    fn bodies_together(&self, item: &Item) -> Answer<(Site, Site)> {
        let (first, link_a) = self.link(item.needed("body1")?)?;
        let (second, link_b) = item.get("body2").map_or(Ok((0, None)), |attr| self.link(attr))?;
        let frame = if &*item.tag == "connect" {
            let Some(anchor) = item.numbers::<3>("anchor")? else { return Err(item.missing("anchor")) };
            Pose::from_translation(Vec3::from(anchor)).map_err(|error| item.wrong(error.to_string()))?
        } else {
            Pose::identity()
        };
        // Where the second body stands in the first: as the model has it, or as it is given.
        let given = item.numbers::<7>("relpose")?.filter(|relpose| relpose[3..].iter().any(|x| *x != 0.0));
        let relative = match given {
            Some([x, y, z, w, i, j, k]) => {
                Pose::new(Vec3::new(x, y, z), [i, j, k, w]).map_err(|error| item.wrong(error.to_string()))?
            }
            None => self.at_start(first).inverse() * self.at_start(second),
        };
        let (in_a, in_b) = if &*item.tag == "connect" {
            (frame, relative.inverse() * frame)
        } else {
            (relative, Pose::identity())
        };
        let in_world = |body: usize, pose: Pose| if body == 0 { self.base * pose } else { pose };
        Ok((
            Site { body: link_a, pose: in_world(first, in_a) },
            Site { body: link_b, pose: in_world(second, in_b) },
        ))
    }

    /// Where a body stands in the model.
    fn at_start(&self, body: usize) -> Pose {
        let (mut pose, mut at) = (Pose::identity(), Some(body));
        while let Some(number) = at {
            pose = self.tables.bodies[number].pose * pose;
            at = self.tables.bodies[number].parent;
        }
        pose
    }
}

pub(super) fn unknown<'n>(
    what: &str,
    attr: &Attr,
    known: impl Iterator<Item = &'n String>,
) -> crate::error::SceneError {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let error = attr.spot.wrong(format!("there is no {what} '{}'", attr.value));
    match zerogap_core::text::nearest(&attr.value, &known) {
        Some(meant) => error.with_help(format!("did you mean '{meant}'?")),
        None => error,
    }
}
