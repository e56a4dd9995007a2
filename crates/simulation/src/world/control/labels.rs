//! Names of what robots have beside bodies: joints, sites, actuators, tendons and sensors.
//!
//! In: the labels of each robot, from a reader of files. Out: joints, actuators and frames by name. What has no label is called as its body, or `actuator 3`.

use std::ops::Range;

use zerogap_core::Pose;
use zerogap_core::text::nearest;
use zerogap_dynamics::multibody::{BodyId, JointKind, Site};

use super::sensors::Sensor;
use crate::world::stored::Said;
use crate::world::{World, WorldBuilder, WorldError};

/// The name of the joint that a body hangs on.
#[derive(Debug, Clone, PartialEq)]
pub struct JointLabel {
    /// Its name.
    pub name: String,
    /// The body on it.
    pub body: BodyId,
    /// What a position of zero stands for in the file that it came from [m or rad].
    pub reference: f64,
    /// What its motor is rated for: the largest effort [N or N m] and the largest speed [m/s or rad/s]; infinity where nothing is said.
    pub ratings: [f64; 2],
}

zerogap_core::store_struct!(JointLabel { name, body, reference, ratings });

/// A frame with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteLabel {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub site: Site,
}

zerogap_core::store_struct!(SiteLabel { name, site });

/// Names of what robots have beside bodies, with the numbers of a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Labels {
    /// Joints, in the order of their files.
    pub joints: Vec<JointLabel>,
    /// Sites.
    pub sites: Vec<SiteLabel>,
    /// Actuators by number.
    pub actuators: Vec<(usize, String)>,
    /// Tendons by number.
    pub tendons: Vec<(usize, String)>,
    /// Sensors, in the order of their files.
    pub sensors: Vec<Sensor>,
}

zerogap_core::store_struct!(Labels { joints, sites, actuators, tendons, sensors });

/// A joint that moves: its name and where its coordinates stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointInfo {
    /// Its name: that of its file, or that of the body on it.
    pub name: String,
    /// The body on it.
    pub body: BodyId,
    /// Where its positions stand.
    pub positions: Range<usize>,
    /// Where its velocities stand.
    pub velocities: Range<usize>,
}

impl WorldBuilder {
    /// Names of joints, sites, actuators and tendons, and the sensors, that were added.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Adds names of joints, sites, actuators and tendons, and sensors. Bodies and forces are to be added before.
    ///
    /// Fails: where a label names a body, an actuator or a tendon that was not added.
    pub fn label(&mut self, labels: Labels) -> Result<(), WorldError> {
        for body in labels.bodies() {
            self.known_body(body)?;
        }
        let (tendons, actuators) = self.force_counts();
        let named = labels.actuators.iter().map(|(number, _)| (*number, actuators, "actuator"));
        let named = named.chain(labels.tendons.iter().map(|(number, _)| (*number, tendons, "tendon")));
        let sensed = labels.sensors.iter().filter_map(|sensor| match sensor.kind.force_number() {
            Some(("actuator", number)) => Some((number, actuators, "actuator")),
            Some((_, number)) => Some((number, tendons, "tendon")),
            None => None,
        });
        if let Some((number, known, what)) = named.chain(sensed).find(|(number, known, _)| number >= known) {
            return Err(WorldError::NoForce { what, number, known });
        }
        self.said.push(Said::Label(Box::new(labels.clone())));
        let Labels { joints, sites, actuators, tendons, sensors } = labels;
        self.labels.joints.extend(joints);
        self.labels.sites.extend(sites);
        self.labels.actuators.extend(actuators);
        self.labels.tendons.extend(tendons);
        self.labels.sensors.extend(sensors);
        Ok(())
    }
}

impl Labels {
    /// Puts something before all names.
    pub fn prefix(&mut self, prefix: &str) {
        let joints = self.joints.iter_mut().map(|joint| &mut joint.name);
        let sites = self.sites.iter_mut().map(|site| &mut site.name);
        let actuators = self.actuators.iter_mut().map(|(_, name)| name);
        let tendons = self.tendons.iter_mut().map(|(_, name)| name);
        let sensors = self.sensors.iter_mut().map(|sensor| &mut sensor.name);
        for name in joints.chain(sites).chain(actuators).chain(tendons).chain(sensors) {
            if !name.is_empty() {
                name.insert_str(0, prefix);
            }
        }
    }

    /// Gives bodies other numbers, and tendons and actuators those behind so many that there are.
    pub fn renumber(&mut self, number: impl Fn(BodyId) -> BodyId + Copy, [tendons, actuators]: [usize; 2]) {
        self.joints.iter_mut().for_each(|joint| joint.body = number(joint.body));
        self.sites.iter_mut().for_each(|site| site.site.body = site.site.body.map(number));
        self.actuators.iter_mut().for_each(|(own, _)| *own += actuators);
        self.tendons.iter_mut().for_each(|(own, _)| *own += tendons);
        self.sensors.iter_mut().for_each(|sensor| sensor.kind.renumber(number, [tendons, actuators]));
    }

    fn bodies(&self) -> impl Iterator<Item = BodyId> + '_ {
        let joints = self.joints.iter().map(|joint| joint.body);
        let sites = self.sites.iter().filter_map(|site| site.site.body);
        joints.chain(sites).chain(self.sensors.iter().flat_map(|sensor| sensor.kind.bodies()))
    }
}

impl World {
    /// Names of joints, sites, actuators and tendons, and the sensors, as they were added.
    pub fn labels(&self) -> &Labels {
        &self.recipe.labels
    }

    /// Returns the joints that move, in the order of their coordinates.
    pub fn joints(&self) -> Vec<JointInfo> {
        let tree = self.tree();
        let moving = self.bodies().iter().copied().filter(|body| !tree.v_range(*body).is_empty());
        let joints = moving.map(|body| {
            let label =
                self.labels().joints.iter().find(|label| label.body == body && !label.name.is_empty());
            let name = label.map_or(&self.names()[body.index()], |label| &label.name).clone();
            JointInfo { name, body, positions: tree.q_range(body), velocities: tree.v_range(body) }
        });
        joints.collect()
    }

    /// Returns a joint by its name, or by the name of the body on it.
    pub fn joint_named(&self, name: &str) -> Result<JointInfo, WorldError> {
        let joints = self.joints();
        let of_body = |joint: &&JointInfo| self.names()[joint.body.index()] == name;
        let found = joints.iter().find(|joint| joint.name == name).or_else(|| joints.iter().find(of_body));
        found
            .cloned()
            .ok_or_else(|| unknown("joint", name, joints.into_iter().map(|joint| joint.name).collect()))
    }

    /// Returns the names of the actuators, in the order of their controls.
    pub fn actuator_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            (0..self.forces().actuators.len()).map(|number| format!("actuator {number}")).collect();
        for (number, name) in &self.labels().actuators {
            if let Some(own) = names.get_mut(*number).filter(|_| !name.is_empty()) {
                own.clone_from(name);
            }
        }
        names
    }

    /// Returns the number of an actuator by its name.
    pub fn actuator_named(&self, name: &str) -> Result<usize, WorldError> {
        let names = self.actuator_names();
        let found = names.iter().position(|known| known == name);
        found.ok_or_else(|| unknown("actuator", name, names))
    }

    /// Returns the frame of a body, or of a site, by name; `world` is the world's. A body comes before a site of the same name.
    pub fn frame_named(&self, name: &str) -> Result<Site, WorldError> {
        let is_there = |body: &BodyId| self.names()[body.index()] == name;
        if let Some(body) = self.bodies().iter().copied().find(is_there) {
            return Ok(Site { body: Some(body), pose: Pose::identity() });
        }
        if let Some(label) = self.labels().sites.iter().find(|label| label.name == name) {
            if let Some(body) = label.site.body {
                self.check_body(body)?;
            }
            return Ok(label.site);
        }
        if name == "world" {
            return Ok(Site { body: None, pose: Pose::identity() });
        }
        let bodies = self.bodies().iter().map(|body| self.names()[body.index()].clone());
        let sites = self.labels().sites.iter().map(|label| label.name.clone());
        Err(unknown("body or site", name, bodies.chain(sites).collect()))
    }

    /// What a position of zero of a joint stands for in its file [m or rad].
    pub(super) fn joint_reference(&self, body: BodyId) -> f64 {
        let is_single =
            matches!(self.tree().joint(body), JointKind::Revolute { .. } | JointKind::Prismatic { .. });
        let label = self.labels().joints.iter().find(|label| label.body == body);
        label.filter(|_| is_single).map_or(0.0, |label| label.reference)
    }
}

/// A name that nothing has.
pub(super) fn unknown(what: &'static str, name: &str, known: Vec<String>) -> WorldError {
    let meant = {
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        nearest(name, &names).map(str::to_owned)
    };
    WorldError::NoName { what, name: name.to_owned(), meant, known }
}
