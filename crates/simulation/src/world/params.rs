//! The settings of a world: gravity, and the method with what it uses.

use serde::Serialize;
use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::{MaterialPair, PairProperties};
use zerogap_contact::solve::{ImpactLaw, MAX_DIRECTIONS};
use zerogap_core::Vec3;
use zerogap_dynamics::integrate::{IntegratorKind, Tolerance};

use super::level::Level;
use super::placed::PlacedCollider;
use super::progress::check_step;
use super::shapes::PairId;
use super::{ErrorControl, MIN_CONTROLLED_STEP, StepForces, Stepping, WorldError};
use crate::settings::tables::{MAX_FUNCTIONS, MAX_MIDPOINT_ITERATIONS};
use crate::settings::{MAX_STEP, METHODS, SettingError};

/// How bodies that touch act on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactModel {
    /// Compliant: overlaps push.
    Elastic(NormalLaw),
    /// They do not: impulses at impacts, forces by complementarity while they rest and slide.
    Rigid(ImpactLaw),
}

zerogap_core::store_enum!(ContactModel { 0 => Elastic(law), 1 => Rigid(law) });

impl Default for ContactModel {
    fn default() -> Self {
        Self::Elastic(NormalLaw::default())
    }
}

/// How zero-crossing functions stand for pairs of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroFunctions {
    /// So many functions for the pairs with the smallest gaps; more when they turn out too few.
    Smallest(usize),
    /// One for all pairs in contact and one for all others.
    Two,
}

zerogap_core::store_enum!(ZeroFunctions { 0 => Smallest(count), 1 => Two });

impl Default for ZeroFunctions {
    fn default() -> Self {
        Self::Smallest(20)
    }
}

/// What answers bounded convex pairs in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NarrowPhase {
    /// The exact gap, and all contact points of a pair.
    #[default]
    Exact,
    /// Minkowski portal refinement: a gap with the right sign, never too small apart and never too large in overlap, and one contact point of a pair. For comparison.
    Mpr,
    /// V-Clip for polyhedra that are apart, the exact gap for all others: the same contacts, for comparison.
    VClip,
}

zerogap_core::store_enum!(NarrowPhase { 0 => Exact, 1 => Mpr, 2 => VClip });

/// The settings of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldParams {
    /// Acceleration of free fall [m/s²].
    pub gravity: Vec3,
    /// How the world advances in time, with all that this method uses.
    pub method: MethodParams,
}

zerogap_core::store_struct!(WorldParams { gravity, method });

impl Default for WorldParams {
    fn default() -> Self {
        Self::new(MethodParams::default())
    }
}

/// How a world advances in time. Each method has its settings and no others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MethodParams {
    /// An integrator with error control, and every event located in time; with time stepping for phases in which they crowd, by [`EventLocation::phases`].
    Events(EventLocation),
    /// Steps of one length with rigid contacts: stepping or SiLVIA, by [`Stepping::forces`].
    Stepping(Stepping),
}

zerogap_core::store_enum!(MethodParams { 0 => Events(events), 1 => Stepping(stepping) });

/// The method `auto`.
impl Default for MethodParams {
    fn default() -> Self {
        Self::Events(EventLocation { phases: true, ..EventLocation::default() })
    }
}

impl From<EventLocation> for MethodParams {
    fn from(events: EventLocation) -> Self {
        Self::Events(events)
    }
}

impl From<Stepping> for MethodParams {
    fn from(stepping: Stepping) -> Self {
        Self::Stepping(stepping)
    }
}

impl MethodParams {
    /// Returns the word for the method, of [`METHODS`].
    pub fn word(&self) -> &'static str {
        match self {
            Self::Events(EventLocation { phases: true, .. }) => "auto",
            Self::Events(_) => "events",
            Self::Stepping(Stepping { forces: StepForces::Coulomb, .. }) => "stepping",
            Self::Stepping(Stepping { forces: StepForces::Silvia, .. }) => "silvia",
        }
    }

    /// Returns the settings of another method for the same world: contacts that are rigid and the length of a step stay so, and a method of the same kind keeps its settings.
    pub fn by(&self, method: &str) -> Result<Self, SettingError> {
        let step = self.step();
        let narrow_phase = self.narrow_phase();
        let stepping =
            |forces| Stepping { forces, step, narrow_phase, ..self.stepping().copied().unwrap_or_default() };
        match method {
            "auto" | "events" => {
                let usual = || EventLocation { narrow_phase, step, ..EventLocation::new(self.contact()) };
                let own = self.events().copied().unwrap_or_else(usual);
                Ok(EventLocation { phases: method == "auto", ..own }.into())
            }
            "stepping" => Ok(stepping(StepForces::Coulomb).into()),
            // In which nothing sleeps, and steps have one length.
            "silvia" => {
                let Stepping { control, sleep, sleep_speed, .. } = Stepping::default();
                Ok(Stepping { control, sleep, sleep_speed, ..stepping(StepForces::Silvia) }.into())
            }
            other => {
                let word = other.to_owned();
                Err(SettingError::UnknownWord { key: "method", word, known: METHODS })
            }
        }
    }

    /// Returns the settings of event location, where that is the method.
    pub fn events(&self) -> Option<&EventLocation> {
        match self {
            Self::Events(events) => Some(events),
            Self::Stepping(_) => None,
        }
    }

    /// Returns the settings of steps of one length, where those are the method.
    pub fn stepping(&self) -> Option<&Stepping> {
        match self {
            Self::Events(_) => None,
            Self::Stepping(stepping) => Some(stepping),
        }
    }

    /// Returns the time by which [`World::step`](super::World::step) advances [s]: one step of stepping and silvia.
    pub fn step(&self) -> f64 {
        match self {
            Self::Events(events) => events.step,
            Self::Stepping(stepping) => stepping.step,
        }
    }

    /// Returns what answers bounded convex pairs.
    pub fn narrow_phase(&self) -> NarrowPhase {
        match self {
            Self::Events(events) => events.narrow_phase,
            Self::Stepping(stepping) => stepping.narrow_phase,
        }
    }

    /// Returns how contacts act: those of steps are rigid and follow Moreau's law.
    pub fn contact(&self) -> ContactModel {
        self.events().map_or(ContactModel::Rigid(ImpactLaw::Moreau), |events| events.contact)
    }
}

/// How events are located in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EventLocation {
    /// How bodies that touch act on each other.
    pub contact: ContactModel,
    /// How exact each step must be.
    pub tolerance: Tolerance,
    /// The integrator; `Auto` reviews the equations now and then and takes the cheaper one.
    pub integrator: IntegratorKind,
    /// How zero-crossing functions stand for pairs.
    pub functions: ZeroFunctions,
    /// What answers bounded convex pairs.
    pub narrow_phase: NarrowPhase,
    /// Longest step [s].
    pub max_step: f64,
    /// Time by which [`World::step`](super::World::step) advances [s]: the steps of the integrator follow its tolerance, and events are located within it.
    pub step: f64,
    /// Whether whole phases in which events of rigid contacts crowd, such as piles, are passed by time stepping with error control: the method `auto`, the default of [`MethodParams`].
    pub phases: bool,
}

zerogap_core::store_struct!(EventLocation {
    contact,
    tolerance,
    integrator,
    functions,
    narrow_phase,
    max_step,
    step,
    phases
});

impl Default for EventLocation {
    fn default() -> Self {
        Self::new(ContactModel::default())
    }
}

impl EventLocation {
    /// Returns the default settings with a contact model, for the method `events`: without phases of time stepping.
    pub fn new(contact: ContactModel) -> Self {
        Self {
            contact,
            tolerance: Tolerance::default(),
            integrator: IntegratorKind::Auto,
            functions: ZeroFunctions::default(),
            narrow_phase: NarrowPhase::default(),
            max_step: MAX_STEP,
            step: Stepping::default().step,
            phases: false,
        }
    }

    fn check(&self) -> Result<(), WorldError> {
        let Tolerance { relative, absolute } = self.tolerance;
        if !is_positive(relative) || relative >= 1.0 {
            return bad("relative tolerance", relative);
        }
        if !is_positive(absolute) || !absolute.is_finite() {
            return bad("absolute tolerance", absolute);
        }
        if !is_positive(self.max_step) {
            return bad("longest step", self.max_step);
        }
        check_step("longest step", self.max_step, 0.0)?;
        if !is_positive(self.step) || !self.step.is_finite() {
            return bad("step", self.step);
        }
        check_step("step", self.step, 0.0)?;
        if self.narrow_phase == NarrowPhase::Mpr && matches!(self.contact, ContactModel::Rigid(_)) {
            return Err(WorldError::RigidByMpr);
        }
        match self.functions {
            ZeroFunctions::Smallest(given) if given > MAX_FUNCTIONS => {
                let (what, limit) = ("zero-crossing functions of pairs", MAX_FUNCTIONS);
                Err(WorldError::TooMany { what, given, limit })
            }
            _ => Ok(()),
        }
    }
}

impl Stepping {
    fn check(&self) -> Result<(), WorldError> {
        if self.narrow_phase == NarrowPhase::Mpr {
            return Err(WorldError::RigidByMpr);
        }
        if self.midpoint_iterations > MAX_MIDPOINT_ITERATIONS {
            let (what, given) = ("midpoint iterations in a step", self.midpoint_iterations);
            return Err(WorldError::TooMany { what, given, limit: MAX_MIDPOINT_ITERATIONS });
        }
        if let Some(sides) = self.cone_sides {
            if sides < 3 || self.forces == StepForces::Silvia {
                return bad("number of sides of friction pyramids", sides as f64);
            }
            if sides > MAX_DIRECTIONS {
                let (what, limit) = ("sides of friction pyramids", MAX_DIRECTIONS);
                return Err(WorldError::TooMany { what, given: sides, limit });
            }
        }
        for (what, value) in [("step", self.step), ("tolerance of contacts", self.tolerance)] {
            if !is_positive(value) || !value.is_finite() {
                return bad(what, value);
            }
        }
        if !is_positive(self.sleep) {
            return bad("time at rest before bodies sleep", self.sleep);
        }
        if self.sleep.is_finite() && self.forces == StepForces::Silvia {
            return bad("time at rest before bodies sleep, which none do with silvia", self.sleep);
        }
        if !is_positive(self.sleep_speed) || !self.sleep_speed.is_finite() {
            return bad("speed below which bodies are at rest", self.sleep_speed);
        }
        self.control.map_or(Ok(()), |control| self.check_control(&control))?;
        check_step("step", self.step, 0.0)
    }

    fn check_control(&self, control: &ErrorControl) -> Result<(), WorldError> {
        if !is_positive(control.rtol) || control.rtol >= 1.0 {
            return bad("relative tolerance", control.rtol);
        }
        if !is_positive(control.max_step) || !control.max_step.is_finite() {
            return bad("longest step", control.max_step);
        }
        if self.forces == StepForces::Silvia {
            return bad("relative tolerance, which silvia does not have", control.rtol);
        }
        // They take contacts at another time than steps whose error is known.
        if self.midpoint_iterations > 0 {
            return bad("relative tolerance, which does not go with midpoint iterations", control.rtol);
        }
        if control.max_step < MIN_CONTROLLED_STEP {
            let (step, min) = (control.max_step, MIN_CONTROLLED_STEP);
            return Err(WorldError::StepTooShort { what: "longest step", step, min });
        }
        Ok(())
    }
}

/// Whether a number is above zero; NaN is not.
fn is_positive(x: f64) -> bool {
    x > 0.0
}

fn bad(what: &'static str, value: f64) -> Result<(), WorldError> {
    Err(WorldError::Setting { what, value })
}

impl WorldParams {
    /// Returns the default settings with a method: [`EventLocation`], [`Stepping`] or [`MethodParams`].
    pub fn new(method: impl Into<MethodParams>) -> Self {
        Self { gravity: Vec3::new(0.0, 0.0, -9.81), method: method.into() }
    }

    /// Whether the settings can be used.
    pub fn check(&self) -> Result<(), WorldError> {
        if let Some(value) = self.gravity.iter().find(|x| !x.is_finite()) {
            return bad("gravity", *value);
        }
        match &self.method {
            MethodParams::Events(events) => events.check(),
            MethodParams::Stepping(stepping) => stepping.check(),
        }
    }
}

/// What every two materials of a world do to each other, and which pairs have a half-space.
#[derive(Debug, Clone)]
pub(crate) struct PairTable {
    pub(crate) materials: usize,
    /// Names of the materials, by number.
    pub(crate) names: Vec<String>,
    /// Row-major, one table for each level that contacts have: with friction, with impacts, with neither. The latter two only where some shape has such a level.
    pub(crate) pairs: Vec<MaterialPair>,
    /// Pairs of a half-space and a shape that may touch it.
    pub(crate) with_half_spaces: Vec<PairId>,
}

impl PairTable {
    /// What two shapes do to each other: of their levels the lower one counts.
    pub(crate) fn of(&self, a: &PlacedCollider, b: &PlacedCollider) -> &MaterialPair {
        let table = match a.level.min(b.level) {
            Level::Friction => 0,
            Level::Impacts => 1,
            Level::Prescribed | Level::Kinematic | Level::Dynamic => 2,
        };
        &self.pairs[(table * self.materials + a.material) * self.materials + b.material]
    }

    /// Adds the tables of lower levels.
    pub(crate) fn add_levels(&mut self) {
        let smooth = |pair: &MaterialPair| {
            let properties = PairProperties {
                friction: 0.0,
                static_friction: None,
                directed: None,
                rolling: 0.0,
                spinning: 0.0,
                ..pair.properties
            };
            MaterialPair { properties, ..*pair }
        };
        let dead = |pair: &MaterialPair| {
            let properties = PairProperties { restitution: 0.0, ..pair.properties };
            MaterialPair { properties, ..*pair }
        };
        let with_impacts: Vec<MaterialPair> = self.pairs.iter().map(smooth).collect();
        let with_neither: Vec<MaterialPair> = with_impacts.iter().map(dead).collect();
        self.pairs.extend(with_impacts);
        self.pairs.extend(with_neither);
    }

    pub(crate) fn half_space_pairs(&self) -> impl Iterator<Item = PairId> + '_ {
        self.with_half_spaces.iter().copied()
    }
}
