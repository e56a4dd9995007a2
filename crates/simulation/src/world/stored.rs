//! Worlds as bytes: the calls that a builder received, and the state of a world, to be made again in another process with the same bits.
//!
//! In: a builder or a world. Out: bytes that the same version of zerogap reads back. Functions of the user are code and not stored: the caller that reads the bytes adds
//! them again in the same order. Motions and shapes that are functions, and the contact history of oriented collision, are refused by name.

use std::time::Duration;

use zerogap_contact::material::{Material, PairProperties};
use zerogap_core::store::{Reader, Store, StoreError, Writer, from_bytes, to_bytes};
use zerogap_dynamics::multibody::{BodyId, Coupling, Dof, Forces, Loop, Motor, Tree};

use super::control::{Command, Labels};
use super::level::Level;
use super::servo::Servo;
use super::shapes::PairId;
use super::start_overlaps::Overlaps;
use super::{BodyDef, Saved, ShapeDef, World, WorldBuilder, WorldError, WorldParams};

/// The first bytes of everything stored here: other versions are refused.
const VERSION: &str = concat!("zerogap ", env!("CARGO_PKG_VERSION"));

/// Maximum number of limits of one joint: two of each degree of freedom [-].
const MAX_LIMITS: usize = 12;

/// A call that a builder received.
#[derive(Debug, Clone)]
pub(super) enum Said {
    Material(String, Material),
    Pair(String, String, PairProperties),
    Fixed(ShapeDef),
    Body(Box<BodyDef>),
    Dof(BodyId, usize, Dof),
    Close(Loop),
    KeepApart(Option<BodyId>, Option<BodyId>),
    Servo(BodyId, Servo),
    Overlaps(Overlaps),
    KeepGroupApart(Vec<Option<BodyId>>),
    /// A body that was removed: its name, the names of its shapes, how many limits its joint had, and when [s].
    RemovedBody(String, Vec<String>, usize, f64),
    /// Fixed shapes that were removed, by name.
    RemovedFixed(Vec<String>),
    /// Pairs of shapes that never touch since they overlapped.
    ExcludePairs(Vec<PairId>),
    /// Whether loops may be closed by any move.
    Assemble(bool),
    Forces(Box<Forces>),
    Couple(Box<Coupling>),
    /// Whether methods without dry friction of joints leave it out.
    FrictionOptional(bool),
    Label(Box<Labels>),
    Command(Box<Command>),
    /// Bodies whose overlaps at the start are excluded.
    ExcludeOverlapsOf(Vec<BodyId>),
    Start(BodyId, Option<Vec<f64>>, Option<Vec<f64>>),
    /// The level of abstraction of a body, or of all that have none of their own.
    Level(Option<BodyId>, Level),
}

zerogap_core::store_enum!(Said {
    0 => Material(name, material),
    1 => Pair(a, b, properties),
    2 => Fixed(shape),
    3 => Body(def),
    4 => Dof(body, index, dof),
    5 => Close(closure),
    6 => KeepApart(a, b),
    7 => Servo(body, servo),
    8 => Overlaps(overlaps),
    9 => KeepGroupApart(bodies),
    10 => RemovedBody(name, shapes, limits, t),
    11 => RemovedFixed(shapes),
    12 => ExcludePairs(pairs),
    13 => Assemble(may_assemble),
    14 => Forces(forces),
    15 => Couple(coupling),
    16 => FrictionOptional(is_optional),
    17 => Start(body, positions, velocities),
    18 => Label(labels),
    19 => Command(command),
    20 => ExcludeOverlapsOf(bodies),
    21 => Level(body, level),
});

/// Why a world cannot be made from bytes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StoredError {
    /// The bytes cannot be written or read.
    #[error(transparent)]
    Bytes(#[from] StoreError),
    /// What they say is refused.
    #[error(transparent)]
    World(#[from] WorldError),
    /// They are of another version of zerogap.
    #[error("this was stored by {found}, and this is {VERSION}: store it again")]
    Version {
        /// The version that wrote them.
        found: String,
    },
    /// The state is of another world.
    #[error("this state is of another world, or of this one with other bodies")]
    OtherWorld,
}

/// Reads what follows the version.
fn versioned<T: Store>(bytes: &[u8]) -> Result<T, StoredError> {
    let found = String::take(&mut Reader::new(bytes))?;
    if found != VERSION {
        return Err(StoredError::Version { found });
    }
    let (_, value): (String, T) = from_bytes(bytes)?;
    Ok(value)
}

impl WorldBuilder {
    /// Returns all calls that it received, but for functions of the user.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        Ok(to_bytes(&(VERSION.to_owned(), (*self.params(), self.said.clone())))?)
    }

    /// Makes a builder that received the same calls; functions of the user are to be added again, in the same order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        let (params, said): (WorldParams, Vec<Said>) = versioned(bytes)?;
        let mut builder = Self::new(params);
        for said in said {
            builder.repeat(said)?;
        }
        Ok(builder)
    }

    /// Makes a call again.
    pub(super) fn repeat(&mut self, said: Said) -> Result<(), WorldError> {
        match said {
            Said::Material(name, material) => self.material(&name, material)?,
            Said::Pair(a, b, properties) => self.pair(&a, &b, properties)?,
            Said::Fixed(shape) => self.fixed(shape).map(|_| ())?,
            Said::Body(def) => self.body(*def).map(|_| ())?,
            Said::Dof(body, index, dof) => self.dof(body, index, dof)?,
            Said::Close(closure) => self.close(closure).map(|_| ())?,
            Said::KeepApart(a, b) => self.exclude(a, b),
            Said::Servo(body, servo) => self.servo(body, servo)?,
            Said::Overlaps(overlaps) => self.set_overlaps(overlaps),
            Said::Assemble(may_assemble) => self.set_assemble(may_assemble),
            Said::Forces(forces) => self.forces(*forces)?,
            Said::Couple(coupling) => self.couple(*coupling)?,
            Said::FrictionOptional(is_optional) => self.set_friction_optional(is_optional),
            Said::Start(body, positions, velocities) => {
                self.known_body(body)?;
                self.start(body, positions, velocities);
            }
            Said::ExcludeOverlapsOf(bodies) => self.exclude_overlaps_of(&bodies),
            Said::Label(labels) => self.label(*labels)?,
            Said::Command(command) => self.command(*command)?,
            Said::ExcludePairs(pairs) => self.exclude_pairs(pairs),
            Said::KeepGroupApart(bodies) => self.exclude_group(&bodies),
            Said::RemovedBody(name, shapes, limits, t) => {
                self.push_removed_body(name, shapes, limits.min(MAX_LIMITS), t);
            }
            Said::RemovedFixed(shapes) => self.push_removed_fixed(shapes),
            Said::Level(None, level) => self.set_level(level),
            Said::Level(Some(body), level) => self.set_body_level(body, level)?,
        }
        Ok(())
    }

    /// Makes the world that a state, as bytes, is of: one that has run, also where bodies were added and removed meanwhile. What touches or overlaps at the start of its bodies does not matter.
    pub fn resume(self, state: &[u8]) -> Result<World, StoredError> {
        let mut world = self.build_at_rest()?;
        let saved = world.saved_from_bytes(state)?;
        world.restore(&saved)?;
        Ok(world)
    }

    /// Returns the names of its bodies, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl Saved {
    /// Returns the state as bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        Ok(to_bytes(&(VERSION.to_owned(), self))?)
    }
}

/// Everything but the tree, of which motors, controls and the jumps that were passed alone can change during a run.
impl Store for &Saved {
    fn put(&self, out: &mut Writer) {
        let Saved { method, gaps, shapes, removed, applied, scheduled, events, step_origin, ticks, tree } =
            self;
        method.put(out);
        gaps.put(out);
        shapes.put(out);
        removed.put(out);
        applied.put(out);
        scheduled.put(out);
        events.put(out);
        step_origin.put(out);
        ticks.put(out);
        motors(tree).put(out);
        tree.next_jump().put(out);
        tree.control_states().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Err(from.expected("reference"))
    }
}

/// What drives each degree of freedom, body by body.
fn motors(tree: &Tree) -> Vec<(BodyId, usize, Motor)> {
    let bodies = (0..tree.bodies() as u32).map(BodyId);
    let of_body = |body| (0..tree.v_range(body).len()).map(move |index| (body, index));
    let motor = |(body, index)| Some((body, index, tree.dof(body, index).ok()?.motor));
    bodies.flat_map(of_body).filter_map(motor).collect()
}

/// A state without the tree of its world.
struct Loose {
    saved: Box<dyn FnOnce(Tree) -> Saved>,
    motors: Vec<(BodyId, usize, Motor)>,
    /// The next jump of a prescribed velocity [s].
    next_jump: f64,
    /// Controls of actuators, with their activations.
    controls: Vec<[f64; 3]>,
}

impl Store for Loose {
    fn put(&self, out: &mut Writer) {
        out.refuse("a state without its world");
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let (method, gaps, shapes) = (Store::take(from)?, Store::take(from)?, Store::take(from)?);
        let (removed, applied) = (Store::take(from)?, Store::take(from)?);
        let (scheduled, events, step_origin) = (Store::take(from)?, Store::take(from)?, Store::take(from)?);
        let ticks = Store::take(from)?;
        let (motors, next_jump, controls) = (Store::take(from)?, Store::take(from)?, Store::take(from)?);
        let saved = move |tree| Saved {
            method,
            gaps,
            shapes,
            removed,
            applied,
            scheduled,
            events,
            step_origin,
            ticks,
            tree,
        };
        Ok(Self { saved: Box::new(saved), motors, next_jump, controls })
    }
}

impl World {
    /// Reads a state of this world, or of one made by the same builder.
    pub fn saved_from_bytes(&self, bytes: &[u8]) -> Result<Saved, StoredError> {
        let Loose { saved, motors, next_jump, controls } = versioned(bytes)?;
        let mut tree = self.model.tree.clone();
        for (body, index, motor) in motors {
            tree.set_motor(body, index, motor).map_err(|_| StoredError::OtherWorld)?;
        }
        let is_finite = controls.iter().flatten().all(|x| x.is_finite());
        if !(is_finite && tree.restore_controls(&controls)) {
            return Err(StoredError::OtherWorld);
        }
        tree.set_next_jump(next_jump);
        let saved = saved(tree);
        let has_jump = saved.tree.next_jump().total_cmp(&next_jump).is_eq();
        if !(has_jump && self.may_have(&saved)) {
            return Err(StoredError::OtherWorld);
        }
        let misfit = |what: &'static str| {
            let why = format!("it does not fit this world in its {what}");
            StoreError::Invalid { what: "state", at: bytes.len(), why }
        };
        saved.check(&self.model, self.method.as_ref()).map_err(misfit)?;
        Ok(saved)
    }

    /// Whether a state has the bodies, joints, limits and shapes of this world, and its method.
    fn may_have(&self, saved: &Saved) -> bool {
        self.has_bodies_of(saved) && self.method.may_have(&self.model, &saved.method)
    }

    /// Returns the calls that would make a world of its bodies as they are now, those added and removed during the run included, but for functions of the user; [`WorldBuilder::from_bytes`] reads them.
    /// With a state ([`Saved::to_bytes`]), [`WorldBuilder::resume`] makes the world again.
    pub fn builder_to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        self.recipe.to_bytes()
    }

    /// Returns what integrators have done so far, and the time that was taken, as bytes.
    pub fn cost_to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        let info = self.method.integrator_info();
        Ok(to_bytes(&(VERSION.to_owned(), (info, self.wall.as_secs_f64())))?)
    }

    /// Counts what integrators of another process have done.
    pub fn add_cost(&mut self, bytes: &[u8]) -> Result<(), StoredError> {
        let (info, wall): (_, f64) = versioned(bytes)?;
        self.method.add_integrator_info(&info);
        self.wall += Duration::try_from_secs_f64(wall).unwrap_or_default();
        Ok(())
    }
}
