//! Zero-crossing functions of pairs of shapes, and forces of contact laws, for any integrator.
//!
//! In: the shapes, materials and contact law of a [`World`], and the poses of its bodies from a caller who integrates them. Out: a fixed number of functions that cross zero where contact begins and ends
//! ([`ZeroCrossings::distances`]), and the forces of contacts as functions of poses and velocities ([`ZeroCrossings::forces`]).
//!
//! The protocol is that of [`zerogap_proximity::oriented::Oriented`]: trials take `&self` and leave no trace, accepted steps are committed. Shapes with `collision = "oriented"` take part in it with the
//! history of which surface each corner came in through.

mod contacts;
mod error;
mod forces;
mod functions;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use zerogap_contact::law::{NormalForce, NormalLaw};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::event::select::Places;
use zerogap_proximity::oriented::OrientedHistory;

pub use error::ZeroCrossingError;

use super::gaps::PlacedShapes;
use super::pair_contacts::ContactWork;
use super::params::PairTable;
use super::placed::PlacedCollider;
use super::placed_pair::PlacedPair;
use super::shapes::{PairId, ShapeId};
use super::{ContactModel, World, ZeroFunctions};

/// What a function without a pair holds: it never crosses zero [m].
const UNUSED: f64 = 1.0;

/// Settings of zero-crossing functions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZeroCrossingParams {
    /// How the functions stand for pairs.
    pub functions: ZeroFunctions,
    /// Contact begins at an overlap of this size and ends at a gap of it [m], so that a pair that rests at a gap of nothing does not begin and end contact for ever. An integrator has to locate a crossing
    /// to half of it.
    pub hysteresis: f64,
}

impl Default for ZeroCrossingParams {
    /// Twenty functions, and a hysteresis of 10 nm.
    fn default() -> Self {
        Self { functions: ZeroFunctions::default(), hysteresis: 1e-8 }
    }
}

/// How a body moves.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyVelocity {
    /// Velocity of the body's origin [m/s].
    pub linear: Vec3,
    /// Angular velocity in world axes [rad/s].
    pub angular: Vec3,
}

impl BodyVelocity {
    /// The velocity of a point of the body [m/s].
    fn at(&self, pose: &Pose, point: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(&(point - pose.translation()))
    }
}

/// A contact that began or ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactChange {
    /// The two shapes.
    pub pair: PairId,
    /// The speed at which the surfaces approached where contact began [m/s]; none where it ended.
    pub began: Option<f64>,
    /// Whether a function stood for the pair. One that did not crossed zero unseen at some time of the step: take shorter steps, or more functions.
    pub was_selected: bool,
}

/// A pair in contact, with what was frozen where contact began.
#[derive(Debug, Clone, Copy)]
struct ClosedPair {
    /// None where the world's contacts are rigid.
    force: Option<NormalForce>,
    /// Effective radius [m].
    radius: f64,
}

/// Which pairs the functions stand for.
#[derive(Debug, Clone)]
enum Slots {
    /// A fixed number of functions for the pairs with the smallest gaps.
    Places(Places<PairId>),
    /// One for all separated pairs, one for all pairs in contact.
    Two,
}

/// Zero-crossing functions of the pairs of shapes of a world, and the forces of its contacts, for any integrator.
///
/// Computes: for each pair that has a function its gap [m], plus the hysteresis while it is separated and minus the hysteresis while it is in contact: positive apart, negative in contact, and crossing zero where that changes.
/// Frames: poses are those of the world's bodies, in the order of adding, whatever joints the world has.
/// Method: Neumayr and Otter 2017, section 5: `selectContactPairs!` is [`ZeroCrossings::select`], `getDistances!` is [`ZeroCrossings::distances`]. Differs from it: pairs are ordered by gap and name; signs have a hysteresis; too few functions are added by
///   [`ZeroCrossings::commit`], which reports pairs that crossed zero without one; and gaps are exact.
/// Cost: a distance of boxes for every pair that may touch, and a gap for each pair that is near enough to have a function.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::Shape;
/// use zerogap_simulation::world::{
///     BodyDef, BodyVelocity, ShapeDef, WorldBuilder, WorldParams, ZeroCrossingParams, ZeroCrossings,
/// };
///
/// let mut builder = WorldBuilder::new(WorldParams::default());
/// builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
/// let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.0))?;
/// builder.body(BodyDef::free(start).with(Shape::sphere(0.1)?, "steel"))?;
/// let mut functions = ZeroCrossings::new(&builder.build()?, ZeroCrossingParams::default())?;
///
/// let at = |z: f64| [Pose::from_translation(Vec3::new(0.0, 0.0, z)).unwrap_or_default()];
/// let falling = [zerogap_simulation::world::BodyVelocity { linear: Vec3::new(0.0, 0.0, -2.0), ..Default::default() }];
/// functions.reset(&at(1.0), &falling)?;
///
/// // A trial of the integrator: the ball would be in the floor by 1 mm. Nothing changes by asking.
/// let mut z = vec![0.0; functions.len()];
/// functions.distances(&at(0.099), &mut z)?;
/// assert!((z[0] + 1e-3 - 1e-8).abs() < 1e-12 && z[1] == 1.0);
///
/// // The step that the integrator accepts ends where the function is zero: contact begins, and a force pushes.
/// let changes = functions.commit(&at(0.1 - 1e-8), &falling, &[0])?;
/// assert_eq!(changes[0].began, Some(2.0));
/// let mut forces = vec![Default::default(); functions.bodies()];
/// functions.forces(&at(0.099), &falling, &mut forces)?;
/// assert!(forces[0].force.z > 1e3 && forces[0].torque.norm() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ZeroCrossings {
    shapes: Vec<PlacedCollider>,
    /// Bodies of the world, those that were removed included [-].
    bodies: usize,
    /// Pairs that may touch, ascending.
    pairs: Vec<PairId>,
    materials: PairTable,
    /// None where the world's contacts are rigid.
    law: Option<NormalLaw>,
    hysteresis: f64,
    slots: Slots,
    closed: BTreeMap<PairId, ClosedPair>,
    histories: BTreeMap<PairId, OrientedHistory>,
    /// Memory alone: no answer depends on what it was used for before.
    work: Mutex<ContactWork>,
}

impl ZeroCrossings {
    /// Takes shapes, materials, contact law and excluded pairs of a world as it is now, with nothing in contact until [`ZeroCrossings::reset`].
    ///
    /// Fails: on a hysteresis that is not positive.
    pub fn new(world: &World, params: ZeroCrossingParams) -> Result<Self, ZeroCrossingError> {
        let ZeroCrossingParams { functions, hysteresis } = params;
        let is_usable = hysteresis > 0.0 && hysteresis.is_finite();
        if !is_usable {
            return Err(ZeroCrossingError::Hysteresis { value: hysteresis });
        }
        let model = &world.model;
        let count = model.shapes.len();
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let pairs = all
            .filter(|(a, b)| model.can_meet(*a, *b))
            .map(|(a, b)| PairId::new(ShapeId(a as u32), ShapeId(b as u32)))
            .collect();
        let law = match world.recipe.params().method.contact() {
            ContactModel::Elastic(law) => Some(law),
            ContactModel::Rigid(_) => None,
        };
        let slots = match functions {
            ZeroFunctions::Smallest(count) => Slots::Places(Places::new(count)),
            ZeroFunctions::Two => Slots::Two,
        };
        Ok(Self {
            shapes: model.shapes.clone(),
            bodies: model.names.len(),
            pairs,
            materials: model.pairs.clone(),
            law,
            hysteresis,
            slots,
            closed: BTreeMap::new(),
            histories: BTreeMap::new(),
            work: Mutex::default(),
        })
    }

    /// How many functions there are [-]: as many as were asked for, until [`ZeroCrossings::commit`] finds that more are needed.
    pub fn len(&self) -> usize {
        match &self.slots {
            Slots::Places(places) => places.len(),
            Slots::Two => 2,
        }
    }

    /// Never: there is always a function.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many bodies there are, and poses are asked for [-].
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// The pairs that the functions stand for, by function; none where a function is unused, and for both of two.
    pub fn selected(&self) -> Vec<Option<PairId>> {
        let mut selected = vec![None; self.len()];
        if let Slots::Places(places) = &self.slots {
            for (slot, pair) in selected.iter_mut().zip(places.chosen()) {
                *slot = Some(pair);
            }
        }
        selected
    }

    /// The pairs that are in contact, ascending.
    pub fn in_contact(&self) -> impl ExactSizeIterator<Item = PairId> + '_ {
        self.closed.keys().copied()
    }

    /// The shapes of a pair at poses of the bodies, with the history of the pair.
    fn placed(&self, pair: PairId, poses: &[Pose]) -> PlacedPair<'_> {
        let pose = |body: zerogap_dynamics::multibody::BodyId| poses[body.index()];
        let placed = PlacedShapes { shapes: &self.shapes, t: 0.0, pose: &pose };
        let at = [pair.a, pair.b].map(|shape| placed.pose_of(shape));
        PlacedPair::at(&self.shapes, pair, at).with_history(self.histories.get(&pair))
    }

    /// The pairs that may touch and are separated, with lower bounds of their gaps by their boxes [m], nearest first.
    fn separated(&self, poses: &[Pose]) -> Vec<(f64, PairId)> {
        let pose = |body: zerogap_dynamics::multibody::BodyId| poses[body.index()];
        let placed = PlacedShapes { shapes: &self.shapes, t: 0.0, pose: &pose };
        let separated = self.pairs.iter().filter(|pair| !self.closed.contains_key(pair));
        let mut found: Vec<(f64, PairId)> =
            separated.map(|pair| (placed.bound(pair.a.0 as usize, pair.b.0 as usize), *pair)).collect();
        found.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found
    }

    fn work(&self) -> MutexGuard<'_, ContactWork> {
        // What a panic of another thread left there is memory alone.
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_poses(&self, poses: &[Pose]) -> Result<(), ZeroCrossingError> {
        let (needed, given) = (self.bodies, poses.len());
        if needed != given {
            return Err(ZeroCrossingError::Count { what: "poses", needed, given });
        }
        let is_finite = |pose: &Pose| pose.translation().iter().all(|x| x.is_finite());
        match poses.iter().position(|pose| !is_finite(pose)) {
            Some(body) => Err(ZeroCrossingError::NotFinite { what: "pose", body }),
            None => Ok(()),
        }
    }

    fn check_velocities(&self, velocities: &[BodyVelocity]) -> Result<(), ZeroCrossingError> {
        let (needed, given) = (self.bodies, velocities.len());
        if needed != given {
            return Err(ZeroCrossingError::Count { what: "velocities", needed, given });
        }
        let is_finite = |v: &BodyVelocity| v.linear.iter().chain(&v.angular).all(|x| x.is_finite());
        match velocities.iter().position(|velocity| !is_finite(velocity)) {
            Some(body) => Err(ZeroCrossingError::NotFinite { what: "velocity", body }),
            None => Ok(()),
        }
    }
}
