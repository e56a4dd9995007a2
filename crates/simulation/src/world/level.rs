//! Levels of abstraction: how much of mechanics a body takes part in, from a path that it follows to dynamics with impacts and friction.
//!
//! In: a level of the world and of single bodies, and what the bodies are. Out: bodies that only follow their motion become prescribed before the world is put together; of the others, which are kinematic (the step makes their
//! velocities, [`super::method`]), and which pairs of shapes have restitution and friction ([`super::params::PairTable`]).
//!
//! Method: Lennerz, Schömer and Warken 1999, sec. 4.

use std::collections::BTreeMap;

use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Joint, JointKind, Motor, Tree};

use super::build::{BodyDef, WorldBuilder};
use super::params::{MethodParams, WorldParams};
use super::stored::Said;
use super::{Servo, WorldError};
use crate::settings::SettingError;

/// Levels of abstraction, by name; the first is the default.
pub const LEVELS: &[&str] = &["friction", "impacts", "dynamic", "kinematic", "prescribed"];

/// How much of mechanics a body takes part in. Each level has all of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    /// It follows the motion of its servo exactly, or stays where it is, and pushes what is in its way.
    Prescribed,
    /// It follows its servo within contacts, joints and loops, without inertia and weight. Time stepping and SiLVIA alone.
    Kinematic,
    /// It has inertia and weight; contacts neither bounce nor rub.
    Dynamic,
    /// Contacts bounce.
    Impacts,
    /// Contacts bounce and rub.
    #[default]
    Friction,
}

zerogap_core::store_enum!(Level { 0 => Prescribed, 1 => Kinematic, 2 => Dynamic, 3 => Impacts, 4 => Friction });

impl Level {
    /// Returns what a word stands for, of [`LEVELS`].
    pub fn by_word(word: &str) -> Result<Self, SettingError> {
        match word {
            "prescribed" => Ok(Self::Prescribed),
            "kinematic" => Ok(Self::Kinematic),
            "dynamic" => Ok(Self::Dynamic),
            "impacts" => Ok(Self::Impacts),
            "friction" => Ok(Self::Friction),
            other => Err(SettingError::UnknownWord { key: "level", word: other.to_owned(), known: LEVELS }),
        }
    }

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prescribed => "prescribed",
            Self::Kinematic => "kinematic",
            Self::Dynamic => "dynamic",
            Self::Impacts => "impacts",
            Self::Friction => "friction",
        }
    }

    /// Returns the level of its contacts: what follows a motion has no say in how others bounce and rub on it.
    pub(super) fn of_contacts(self) -> Self {
        match self {
            Self::Prescribed | Self::Friction => Self::Friction,
            Self::Kinematic | Self::Dynamic => Self::Dynamic,
            Self::Impacts => Self::Impacts,
        }
    }
}

/// The level of a world, and of bodies that have one of their own.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    pub(super) world: Level,
    pub(super) bodies: BTreeMap<BodyId, Level>,
}

impl Levels {
    /// Returns the level of a body.
    pub(super) fn of(&self, body: BodyId) -> Level {
        self.bodies.get(&body).copied().unwrap_or(self.world)
    }

    /// The kinematic bodies, ascending.
    ///
    /// Fails: where the method has none; where kinematic bodies are joined to others; where springs, dampers or motors act on them, which mean nothing without inertia.
    pub(super) fn kinematic(
        &self,
        params: &WorldParams,
        tree: &Tree,
        names: &[String],
    ) -> Result<Vec<BodyId>, WorldError> {
        let is_kinematic = |body: BodyId| self.of(body) == Level::Kinematic && !tree.v_range(body).is_empty();
        let bodies: Vec<BodyId> = tree.body_ids().filter(|body| is_kinematic(*body)).collect();
        let refused = |body: BodyId, why: &'static str| {
            Err(WorldError::Level { body: names[body.index()].clone(), level: "kinematic", why })
        };
        for body in &bodies {
            let has_length = matches!(&params.method, MethodParams::Stepping(own) if own.control.is_none());
            if !has_length {
                return refused(
                    *body,
                    "only steps of one length have such bodies: take method = \"stepping\" or \"silvia\", without 'rtol'",
                );
            }
            let joined = tree.parent(*body).into_iter().chain(tree.children(*body));
            let by_loops = tree.loops_of(*body).flat_map(|closure| {
                tree.body_ids().filter(move |other| tree.loops_of(*other).any(|own| own == closure))
            });
            let is_other = |other: &BodyId| !tree.v_range(*other).is_empty() && !is_kinematic(*other);
            if joined.chain(by_loops).any(|other| is_other(&other)) {
                return refused(
                    *body,
                    "bodies that joints and loops connect are all of this level, or none is",
                );
            }
            for index in 0..tree.v_range(*body).len() {
                let dof = tree.dof(*body, index)?;
                if dof.stiffness > 0.0 || dof.damping > 0.0 || dof.friction > 0.0 || dof.motor != Motor::Off {
                    return refused(
                        *body,
                        "its joint has a spring, a damper, friction or a motor, which mean nothing without inertia",
                    );
                }
            }
        }
        Ok(bodies)
    }
}

impl WorldBuilder {
    /// Sets the level of abstraction of all bodies that have none of their own.
    pub fn set_level(&mut self, level: Level) {
        self.levels.world = level;
        self.said.push(Said::Level(None, level));
    }

    /// Returns the level of bodies that have none of their own.
    pub fn level(&self) -> Level {
        self.levels.world
    }

    /// Sets the level of abstraction of a body.
    pub fn set_body_level(&mut self, body: BodyId, level: Level) -> Result<(), WorldError> {
        self.known_body(body)?;
        self.levels.bodies.insert(body, level);
        self.said.push(Said::Level(Some(body), level));
        Ok(())
    }

    /// The same builder with bodies at the level `prescribed` on prescribed joints: along the motion of their servo, or where they start. Those that hang on joints that move are refused.
    pub(super) fn prescribe(mut self) -> Result<Self, WorldError> {
        let all = (0..self.names.len() as u32).map(BodyId);
        if !all.clone().any(|body| self.levels.of(body) == Level::Prescribed) {
            return Ok(self);
        }
        let levels = std::mem::take(&mut self.levels);
        let is_prescribed = |body: &BodyId| levels.of(*body) == Level::Prescribed;
        let (mut servos, mut starts) = (BTreeMap::new(), BTreeMap::new());
        for said in &self.said {
            match said {
                Said::Servo(body, servo) => _ = servos.insert(*body, servo.clone()),
                Said::Start(body, Some(positions), _) => _ = starts.insert(*body, positions.clone()),
                _ => {}
            }
        }
        let mut builder = Self::new(*self.params());
        let mut bodies = all;
        for said in std::mem::take(&mut self.said) {
            match said {
                Said::Body(def) => {
                    let Some(body) = bodies.next() else { break };
                    let def = if is_prescribed(&body) {
                        prescribed(*def, servos.get(&body), starts.get(&body))?
                    } else {
                        *def
                    };
                    builder.body(def)?;
                }
                Said::RemovedBody(..) => {
                    bodies.next();
                    builder.repeat(said)?;
                }
                Said::Servo(body, _) | Said::Start(body, ..) | Said::Dof(body, ..)
                    if is_prescribed(&body) => {}
                other => builder.repeat(other)?,
            }
        }
        builder.broad_phase = self.broad_phase;
        (builder.users, builder.user_forces) = (self.users, self.user_forces);
        Ok(builder)
    }
}

/// A body that follows the motion of a servo, or stays where it starts; others that cannot move stay as they are.
fn prescribed(def: BodyDef, servo: Option<&Servo>, start: Option<&Vec<f64>>) -> Result<BodyDef, WorldError> {
    if matches!(def.joint.kind, JointKind::Prescribed(_) | JointKind::Fixed) {
        return Ok(def);
    }
    let refused = |why: &'static str| WorldError::Level { body: def.name.clone(), level: "prescribed", why };
    let is_free = matches!(def.joint.kind, JointKind::Free)
        && def.joint.parent.is_none()
        && def.joint.parent_frame == Pose::identity()
        && def.joint.child_frame == Pose::identity();
    if !is_free {
        return Err(refused("it hangs on a joint: give it a motion, or take the level \"kinematic\""));
    }
    let joint = if let Some(servo) = servo {
        Joint::new(None, JointKind::Prescribed(servo.motion.clone()))
    } else {
        let at = match start.or(def.positions.as_ref()).map(Vec::as_slice) {
            Some([x, y, z, qx, qy, qz, qw]) => {
                let at = Pose::new(Vec3::new(*x, *y, *z), [*qx, *qy, *qz, *qw]);
                at.map_err(|_| refused("its start is no pose"))?
            }
            _ => Pose::identity(),
        };
        Joint::new(None, JointKind::Fixed).parent_frame(at)
    };
    Ok(BodyDef { joint, positions: None, velocities: None, dofs: Vec::new(), ..def })
}
