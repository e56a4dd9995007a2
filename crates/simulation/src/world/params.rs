//! What a world can be told.

use serde::Serialize;
use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::MaterialPair;
use zerogap_contact::solve::ImpactLaw;
use zerogap_core::Vec3;
use zerogap_dynamics::integrate::{Method, Tolerance};

use super::progress::check_step;
use super::shapes::PairId;
use super::{Stepping, WorldError};

/// Most zero-crossing functions of pairs to begin with [-]; they take memory and time in every step.
const MAX_FUNCTIONS: usize = 1_000_000;

/// Most midpoint iterations of a step [-]; two or three are enough.
const MAX_MIDPOINT_ITERATIONS: usize = 1000;

/// How bodies that touch act on each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ContactModel {
    /// They give way: overlaps push.
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

/// The settings of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldParams {
    /// Acceleration of free fall [m/s²].
    pub gravity: Vec3,
    /// How bodies that touch act on each other.
    pub contact: ContactModel,
    /// How exact each step must be.
    pub tolerance: Tolerance,
    /// The integrator; `Auto` looks at the equations now and then and takes the cheaper one.
    pub method: Method,
    /// How zero-crossing functions stand for pairs.
    pub functions: ZeroFunctions,
    /// Longest step [s].
    pub max_step: f64,
    /// Steps of one length with rigid contacts, in place of contact model, integrator and located events.
    pub stepping: Option<Stepping>,
}

zerogap_core::store_struct!(WorldParams {
    gravity,
    contact,
    tolerance,
    method,
    functions,
    max_step,
    stepping
});

impl Default for WorldParams {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            contact: ContactModel::default(),
            tolerance: Tolerance::default(),
            method: Method::Auto,
            functions: ZeroFunctions::default(),
            max_step: 0.1,
            stepping: None,
        }
    }
}

impl WorldParams {
    /// Whether the settings can be used.
    pub fn check(&self) -> Result<(), WorldError> {
        let bad = |what, value| Err(WorldError::Setting { what, value });
        let is_positive = |x: f64| x > 0.0;
        if let Some(value) = self.gravity.iter().find(|x| !x.is_finite()) {
            return bad("gravity", *value);
        }
        if !is_positive(self.tolerance.relative) || self.tolerance.relative >= 1.0 {
            return bad("relative tolerance", self.tolerance.relative);
        }
        if !is_positive(self.tolerance.absolute) || !self.tolerance.absolute.is_finite() {
            return bad("absolute tolerance", self.tolerance.absolute);
        }
        if !is_positive(self.max_step) {
            return bad("longest step", self.max_step);
        }
        check_step("longest step", self.max_step, 0.0)?;
        if let ZeroFunctions::Smallest(given) = self.functions
            && given > MAX_FUNCTIONS
        {
            let (what, limit) = ("zero-crossing functions of pairs", MAX_FUNCTIONS);
            return Err(WorldError::TooMany { what, given, limit });
        }
        if let Some(stepping) = &self.stepping {
            if stepping.midpoint_iterations > MAX_MIDPOINT_ITERATIONS {
                let (what, given) = ("midpoint iterations in a step", stepping.midpoint_iterations);
                return Err(WorldError::TooMany { what, given, limit: MAX_MIDPOINT_ITERATIONS });
            }
            for (what, value) in [("step", stepping.step), ("tolerance of contacts", stepping.tolerance)] {
                if !is_positive(value) || !value.is_finite() {
                    return bad(what, value);
                }
            }
            check_step("step", stepping.step, 0.0)?;
        }
        Ok(())
    }
}

/// What every two materials of a world do to each other, and which pairs have a half-space.
#[derive(Debug, Clone)]
pub(crate) struct PairTable {
    pub(crate) materials: usize,
    /// Names of the materials, by number.
    pub(crate) names: Vec<String>,
    /// Row-major.
    pub(crate) pairs: Vec<MaterialPair>,
    /// Pairs of a half-space and a shape that may touch it.
    pub(crate) with_half_spaces: Vec<PairId>,
}

impl PairTable {
    pub(crate) fn of(&self, a: usize, b: usize) -> &MaterialPair {
        &self.pairs[a * self.materials + b]
    }

    pub(crate) fn half_space_pairs(&self) -> impl Iterator<Item = PairId> + '_ {
        self.with_half_spaces.iter().copied()
    }
}
