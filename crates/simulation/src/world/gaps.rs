//! Gaps between bodies as they stand, for clearance and path planning.
//!
//! In: the poses of all bodies, and what to measure between. Out: exact gaps with normal, witness points and bounds, of the colliders by which the shapes collide. A world is as it was afterwards: nothing here is seen by a run.

use std::cmp::Ordering;
use std::fmt;

use zerogap_core::{Aabb, Gap, GapStatus, Pose};
use zerogap_dynamics::multibody::BodyId;
use zerogap_geometry::Shape;
use zerogap_proximity::DistanceParams;
use zerogap_proximity::broad::{BroadParams, BroadPhase, Filter};
use zerogap_proximity::collider::{self, ColliderCache, ColliderError};

use super::frames::{Frame, name_of_shape};
use super::model::Model;
use super::pairs::broad_number;
use super::placed::PlacedCollider;
use super::placed_pair::PlacedPair;
use super::shapes::{PairId, ShapeId};
use super::{World, WorldError};

/// Rounding of a box against its largest coordinate [-].
const BOX_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The name of all that is fixed in the world, unless a body is called so.
pub const FIXED: &str = "world";

/// Names that an error lists at most [-].
const MAX_NAMES: usize = 20;

/// One side of a gap in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapSide {
    /// One shape.
    Shape(ShapeId),
    /// All shapes of a body.
    Body(BodyId),
    /// All that is fixed in the world.
    Fixed,
}

impl From<ShapeId> for GapSide {
    fn from(shape: ShapeId) -> Self {
        Self::Shape(shape)
    }
}

impl From<BodyId> for GapSide {
    fn from(body: BodyId) -> Self {
        Self::Body(body)
    }
}

impl fmt::Display for GapSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(shape) => write!(f, "shape {}", shape.0),
            Self::Body(body) => write!(f, "body {}", body.0),
            Self::Fixed => f.write_str("what is fixed"),
        }
    }
}

/// The gap of two shapes of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeGap {
    /// The shape on the first side.
    pub a: ShapeId,
    /// The shape on the second side.
    pub b: ShapeId,
    /// Their gap, in world axes.
    pub gap: Gap,
}

impl World {
    /// Returns the smallest gap between two sides as they stand, whether or not they can touch.
    ///
    /// Computes: the gap [m] of the nearest two shapes, with normal from the first side to the second, witness points and bounds; in overlap that of the two that overlap most.
    /// Method: [`collider::gap`] on the colliders by which the shapes collide, nearest boxes first; the others are left out by their boxes.
    /// Tolerance: that of [`collider::gap`].
    /// Cost: pairs whose boxes are nearer than the smallest gap are measured, all others cost a distance of boxes.
    /// Fails: without two shapes to measure between; where the narrow phase has no answer.
    ///
    /// ```
    /// use zerogap_simulation::world::{BodyDef, GapSide, ShapeDef, WorldBuilder, WorldParams};
    /// use zerogap_core::{Pose, Vec3};
    /// use zerogap_geometry::Shape;
    ///
    /// let mut builder = WorldBuilder::new(WorldParams::default());
    /// builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
    /// let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1))?;
    /// let ball = builder.body(BodyDef::free(start).with(Shape::sphere(0.1)?, "steel"))?;
    /// let world = builder.build()?;
    /// let found = world.gap(ball, GapSide::Fixed)?;
    /// assert!((found.gap.gap - 1.0).abs() < 1e-15);
    /// assert_eq!(found.gap.normal, -Vec3::z());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gap(&self, a: impl Into<GapSide>, b: impl Into<GapSide>) -> Result<ShapeGap, WorldError> {
        self.with_state(|ws| self.model.gap(self.time(), &|body| *ws.pose(body), (a.into(), b.into())))
    }

    /// Returns the smallest gap between a side and all shapes that it may touch; none where there are no such shapes. Shapes of bodies that a joint connects, and others that are excluded from contact, do not count.
    pub fn nearest(&self, side: impl Into<GapSide>) -> Result<Option<ShapeGap>, WorldError> {
        let side = side.into();
        self.model.check_side(side)?;
        self.with_state(|ws| self.model.nearest(self.time(), &|body| *ws.pose(body), side))
    }

    /// Returns the gaps of all pairs of shapes that may touch and are no farther apart than a distance [m], by pair; the smaller number is the first side.
    pub fn gaps(&self, within: f64) -> Result<Vec<ShapeGap>, WorldError> {
        if !within.is_finite() {
            return Err(WorldError::Setting {
                what: "distance within which gaps are asked for",
                value: within,
            });
        }
        self.with_state(|ws| self.model.gaps_within(self.time(), &|body| *ws.pose(body), within))
    }

    /// Returns the side of a name: a body, or a shape ([`World::shape_name`]), or [`FIXED`].
    ///
    /// Fails: with the names that there are.
    pub fn side_named(&self, name: &str) -> Result<GapSide, WorldError> {
        self.model.side_named(name)
    }

    /// Returns what measures gaps between chosen sides in the frames of a run of this world, as its bodies are now.
    ///
    /// Fails: as [`World::gap`].
    pub fn gap_probe(&self, sides: &[(GapSide, GapSide)]) -> Result<GapProbe, WorldError> {
        for &(a, b) in sides {
            self.gap(a, b)?;
        }
        let (shapes, sides) = (self.model.shapes.clone(), sides.to_vec());
        Ok(GapProbe { shapes, sides, cache: ColliderCache::default() })
    }
}

/// Gaps between chosen sides, frame by frame.
pub struct GapProbe {
    shapes: Vec<PlacedCollider>,
    sides: Vec<(GapSide, GapSide)>,
    cache: ColliderCache,
}

impl GapProbe {
    /// Returns the smallest gap between each two sides where the bodies are in a frame; none where a body is not there.
    ///
    /// Fails: where the narrow phase has no answer.
    pub fn gaps(&mut self, frame: &Frame) -> Result<Vec<Option<ShapeGap>>, WorldError> {
        let pose = |body: BodyId| frame.pose(body).unwrap_or_default();
        let placed = PlacedShapes { shapes: &self.shapes, t: frame.t, pose: &pose };
        let is_there = |side: GapSide| match side {
            GapSide::Shape(shape) => {
                placed.shapes[shape.0 as usize].body.is_none_or(|body| frame.pose(body).is_some())
            }
            GapSide::Body(body) => frame.pose(body).is_some(),
            GapSide::Fixed => true,
        };
        let gap = |&(a, b): &(GapSide, GapSide)| {
            if !(is_there(a) && is_there(b)) {
                return Ok(None);
            }
            placed.least(placed.pairs_between(a, b).into_iter(), &mut self.cache)
        };
        self.sides.iter().map(gap).collect()
    }
}

/// Two shapes and a lower bound of their gap by their boxes [m].
struct Candidate {
    a: usize,
    b: usize,
    bound: f64,
}

impl Candidate {
    fn order(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then((self.a, self.b).cmp(&(other.a, other.b)))
    }
}

impl Model {
    /// The side of a name.
    pub(super) fn side_named(&self, name: &str) -> Result<GapSide, WorldError> {
        let bodies = || self.bodies.iter().map(|body| (*body, self.names[body.index()].as_str()));
        if let Some((body, _)) = bodies().find(|(_, own)| *own == name) {
            return Ok(body.into());
        }
        if name == FIXED {
            return Ok(GapSide::Fixed);
        }
        let shapes = || {
            let all = self.shapes.iter().enumerate().filter(|(_, placed)| !placed.is_removed);
            all.map(|(index, placed)| {
                let (shape, body) = (ShapeId(index as u32), placed.body);
                let body = body.map(|body| self.names[body.index()].as_str());
                (shape, name_of_shape(shape, &placed.name, body))
            })
        };
        if let Some((shape, _)) = shapes().find(|(_, own)| own == name) {
            return Ok(shape.into());
        }
        let mut known = vec![FIXED.to_owned()];
        for name in bodies().map(|(_, name)| name.to_owned()).chain(shapes().map(|(_, name)| name)) {
            if known.len() < MAX_NAMES && !known.contains(&name) {
                known.push(name);
            }
        }
        Err(WorldError::NoSide { name: name.to_owned(), known })
    }

    /// The smallest gap between two sides, with the poses of bodies.
    pub(super) fn gap(
        &self,
        t: f64,
        pose: &dyn Fn(BodyId) -> Pose,
        (a, b): (GapSide, GapSide),
    ) -> Result<ShapeGap, WorldError> {
        self.check_side(a)?;
        self.check_side(b)?;
        let placed = PlacedShapes { shapes: &self.shapes, t, pose };
        let found = placed.least(placed.pairs_between(a, b).into_iter(), &mut self.gap_cache.borrow_mut())?;
        found.ok_or_else(|| WorldError::NothingBetween { a: self.name_of_side(a), b: self.name_of_side(b) })
    }

    fn nearest(
        &self,
        t: f64,
        pose: &dyn Fn(BodyId) -> Pose,
        side: GapSide,
    ) -> Result<Option<ShapeGap>, WorldError> {
        let placed = PlacedShapes { shapes: &self.shapes, t, pose };
        let own = placed.shapes_of(side);
        let pairs = own.iter().flat_map(|&i| (0..self.shapes.len()).map(move |j| (i, j)));
        let pairs = pairs.filter(|&(i, j)| own.binary_search(&j).is_err() && self.can_meet(i, j));
        placed.least(pairs, &mut self.gap_cache.borrow_mut())
    }

    fn gaps_within(
        &self,
        t: f64,
        pose: &dyn Fn(BodyId) -> Pose,
        within: f64,
    ) -> Result<Vec<ShapeGap>, WorldError> {
        let placed = PlacedShapes { shapes: &self.shapes, t, pose };
        let mut pairs = self.boxes_within(&placed, within)?;
        pairs.extend(self.pairs.with_half_spaces.iter().copied());
        pairs.retain(|pair| self.can_meet(pair.a.0 as usize, pair.b.0 as usize));
        pairs.sort_unstable();
        let params = DistanceParams { cutoff: within.max(0.0), ..DistanceParams::default() };
        let cache = &mut *self.gap_cache.borrow_mut();
        let mut found = Vec::new();
        for PairId { a, b } in pairs {
            let one = placed.measure((a.0 as usize, b.0 as usize), &params, cache)?;
            if one.gap.status != GapStatus::Farther && one.gap.gap <= within {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// The pairs of shapes whose boxes are no farther apart than a distance [m], and perhaps some more.
    fn boxes_within(&self, placed: &PlacedShapes<'_>, within: f64) -> Result<Vec<PairId>, WorldError> {
        let mut broad = BroadPhase::new(BroadParams { margin: 0.0, ..BroadParams::default() });
        let mut shapes = Vec::new();
        for (index, one) in self.shapes.iter().enumerate().filter(|(_, one)| !one.is_removed) {
            let Some(bounds) = placed.box_of(index) else { continue };
            let filter = Filter::of_body(broad_number(one.body));
            let filter = if self.is_driven(one.body) { filter.fixed() } else { filter };
            let shape = ShapeId(index as u32);
            let inserted = broad.insert(bounds.expanded(0.5 * within.max(0.0)), filter);
            inserted.map_err(|error| WorldError::BoundingBox { shape, error })?;
            shapes.push(shape);
        }
        let pairs = broad.update().iter();
        Ok(pairs.map(|pair| PairId::new(shapes[pair.a.0 as usize], shapes[pair.b.0 as usize])).collect())
    }

    /// Whether two shapes can touch, and were not excluded from it.
    pub(super) fn can_meet(&self, a: usize, b: usize) -> bool {
        let pair = PairId::new(ShapeId(a as u32), ShapeId(b as u32));
        self.may_touch(a, b) && !self.boxes.is_excluded(pair)
    }

    /// Refuses bodies and shapes that there are not.
    fn check_side(&self, side: GapSide) -> Result<(), WorldError> {
        match side {
            GapSide::Body(body) => self.check_body(body),
            GapSide::Shape(shape) => match self.shapes.get(shape.0 as usize) {
                Some(placed) if !placed.is_removed => Ok(()),
                _ => Err(WorldError::NoShape { shape: shape.0 }),
            },
            GapSide::Fixed => Ok(()),
        }
    }

    fn name_of_side(&self, side: GapSide) -> String {
        match side {
            GapSide::Body(body) => format!("'{}'", self.names[body.index()]),
            GapSide::Shape(_) | GapSide::Fixed => side.to_string(),
        }
    }
}

/// Shapes where bodies are at an instant.
pub(super) struct PlacedShapes<'a> {
    pub(super) shapes: &'a [PlacedCollider],
    /// When [s].
    pub(super) t: f64,
    pub(super) pose: &'a dyn Fn(BodyId) -> Pose,
}

impl PlacedShapes<'_> {
    /// The smallest gap of some pairs of shapes, the first one of each on the first side; of equal ones that of the pair whose boxes are nearer, then of the smaller numbers.
    fn least(
        &self,
        pairs: impl Iterator<Item = (usize, usize)>,
        cache: &mut ColliderCache,
    ) -> Result<Option<ShapeGap>, WorldError> {
        let mut candidates: Vec<Candidate> =
            pairs.map(|(a, b)| Candidate { a, b, bound: self.bound(a, b) }).collect();
        candidates.sort_unstable_by(Candidate::order);
        let mut best: Option<ShapeGap> = None;
        for Candidate { a, b, bound } in candidates {
            let least = best.map_or(f64::INFINITY, |best| best.gap.gap);
            if bound > least {
                break;
            }
            let cutoff = best.map_or(f64::INFINITY, |best| best.gap.upper.max(0.0));
            let params = DistanceParams { cutoff, ..DistanceParams::default() };
            let found = self.measure((a, b), &params, cache)?;
            if best.is_none() || found.gap.status != GapStatus::Farther && found.gap.gap < least {
                best = Some(found);
            }
        }
        Ok(best)
    }

    /// The gap of two shapes, with the normal from the first to the second.
    fn measure(
        &self,
        (a, b): (usize, usize),
        params: &DistanceParams,
        cache: &mut ColliderCache,
    ) -> Result<ShapeGap, WorldError> {
        let [a, b] = [a, b].map(|index| ShapeId(index as u32));
        let pair = PairId::new(a, b);
        let placed = PlacedPair::at(self.shapes, pair, [pair.a, pair.b].map(|shape| self.pose_of(shape)));
        let gap = collider::gap(&placed.colliders(), params, cache);
        let gap = gap.and_then(|gap| ColliderError::check(gap.gap).map(|_| gap));
        let gap = gap.map_err(|error| WorldError::NarrowPhase { t: self.t, pair, error })?;
        Ok(ShapeGap { a, b, gap: if pair.a == a { gap } else { gap.swapped() } })
    }

    /// A lower bound of the gap of two shapes by their boxes [m]; minus infinity where the boxes say nothing.
    pub(super) fn bound(&self, a: usize, b: usize) -> f64 {
        let distance = match (self.box_of(a), self.box_of(b)) {
            (Some(a), Some(b)) => a.distance(&b),
            (Some(bounds), None) => self.height_above(b, &bounds),
            (None, Some(bounds)) => self.height_above(a, &bounds),
            (None, None) => 0.0,
        };
        if distance > 0.0 { distance } else { f64::NEG_INFINITY }
    }

    /// How far a box is from a half-space at least [m].
    fn height_above(&self, half_space: usize, bounds: &Aabb) -> f64 {
        let Shape::HalfSpace(shape) = &self.shapes[half_space].shape else { return 0.0 };
        let pose = self.pose_of(ShapeId(half_space as u32));
        let normal = pose.transform_vector(&shape.normal());
        let reach = 0.5 * normal.abs().dot(&bounds.size());
        let rounding = BOX_ROUNDING * (bounds.center().norm() + pose.translation().norm());
        normal.dot(&(bounds.center() - pose.translation())) - shape.offset() - reach - rounding
    }

    /// The box around a shape, rounded outwards; none for a half-space.
    fn box_of(&self, index: usize) -> Option<Aabb> {
        let placed = &self.shapes[index];
        let bounds = placed.bounds?;
        let bounds = placed.body.map_or(bounds, |body| bounds.transformed(&(self.pose)(body)));
        let largest = bounds.min.amax().max(bounds.max.amax());
        Some(bounds.expanded(BOX_ROUNDING * largest))
    }

    pub(super) fn pose_of(&self, shape: ShapeId) -> Pose {
        let placed = &self.shapes[shape.0 as usize];
        placed.body.map_or(placed.at, |body| (self.pose)(body) * placed.at)
    }

    /// All pairs of a shape on one side and another one on the other side.
    fn pairs_between(&self, a: GapSide, b: GapSide) -> Vec<(usize, usize)> {
        let others = self.shapes_of(b);
        let pairs = self.shapes_of(a).into_iter().flat_map(|i| others.iter().map(move |&j| (i, j)));
        pairs.filter(|(i, j)| i != j).collect()
    }

    /// The shapes of a side that there are, ascending.
    fn shapes_of(&self, side: GapSide) -> Vec<usize> {
        let is_of = |index: usize, body: Option<BodyId>| match side {
            GapSide::Shape(shape) => index == shape.0 as usize,
            GapSide::Body(of) => body == Some(of),
            GapSide::Fixed => body.is_none(),
        };
        let all = self.shapes.iter().enumerate().filter(|(_, placed)| !placed.is_removed);
        all.filter(|(index, placed)| is_of(*index, placed.body)).map(|(index, _)| index).collect()
    }
}
