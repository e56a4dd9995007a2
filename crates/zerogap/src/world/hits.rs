//! Pairs that meet by oriented collision: corners of one shape against the flat surfaces of another, each corner pushed by the surface that it came in through.
//!
//! In: poses at the start, at trials and after accepted steps. Out: gaps, contacts with a normal each, and one function of a pair in contact that falls through zero where a corner comes in, goes out or slides
//! over to another surface. The history is part of the discrete state: trials read it, accepted steps and events change it.

use std::sync::Arc;

use zerogap_core::{Contact, ContactId, Feature, Manifold, Pose, Vec3};
use zerogap_geometry::{ConvexShape, Shape};
use zerogap_proximity::oriented::{
    Configuration, Oriented, OrientedParams, Target, Touch, TouchKind, local_point,
};

use super::WorldError;
use super::events::Happening;
use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::shapes::{PairId, Placed, PlacedPair, ShapeId};

/// The corners of one shape of a pair against the surfaces of the other, with their history.
#[derive(Debug, Clone)]
pub(crate) struct Hits {
    oriented: Oriented,
    /// Corners in the frame of their shape [m].
    corners: Arc<Vec<Vec3>>,
    /// Whether the corners are B's.
    is_b: bool,
}

/// The same contacts.
impl PartialEq for Hits {
    fn eq(&self, other: &Self) -> bool {
        self.oriented.reference().touches() == other.oriented.reference().touches()
    }
}

/// The corners of a shape that is asked to be met by oriented collision; none where it has none.
pub(crate) fn corners_of(shape: &Shape) -> Option<Arc<Vec<Vec3>>> {
    let corners = match shape {
        Shape::Convex(ConvexShape::Point(point)) => vec![point.position()],
        Shape::Convex(ConvexShape::Segment(segment)) => segment.ends().to_vec(),
        Shape::Convex(ConvexShape::Triangle(triangle)) => triangle.corners().to_vec(),
        Shape::Convex(ConvexShape::Polygon(polygon)) => polygon.corners().to_vec(),
        Shape::Convex(ConvexShape::Cuboid(cuboid)) => cuboid.corners().to_vec(),
        Shape::Convex(ConvexShape::Polyhedron(polyhedron)) => polyhedron.vertices().to_vec(),
        _ => return None,
    };
    Some(Arc::new(corners))
}

impl Hits {
    /// Poses of the corners' shape and of the target.
    fn poses<'a>(&self, pair: &'a PlacedPair<'_>) -> (&'a Pose, &'a Pose) {
        if self.is_b { (&pair.pose_b, &pair.pose_a) } else { (&pair.pose_a, &pair.pose_b) }
    }

    /// The corners in the world [m].
    fn points(&self, pair: &PlacedPair<'_>) -> Vec<Vec3> {
        let (pose, _) = self.poses(pair);
        self.corners.iter().map(|corner| pose.transform_point(corner)).collect()
    }

    /// The smallest gap of a corner [m]: from its surface where it is in contact, otherwise the largest separation.
    pub(crate) fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| {
            let point = pose.transform_point(corner);
            let held = self.oriented.held_gap(0, j, target, &point);
            held.unwrap_or_else(|| self.oriented.targets()[0].nearest(&local_point(target, &point)).1)
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Writes the contacts of the reference at the poses of a pair.
    pub(crate) fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        manifold.contacts.clear();
        let (pose, target) = self.poses(pair);
        for touch in self.oriented.reference().touches() {
            let j = touch.initiator as usize;
            let point = pose.transform_point(&self.corners[j]);
            let Some(gap) = self.oriented.held_gap(0, j, target, &point) else { continue };
            let facet = &self.oriented.targets()[0].facets()[touch.surface as usize];
            let outward = target.transform_vector(&facet.normal);
            let (corner, surface) = (Feature::Vertex(touch.initiator), Feature::Face(touch.surface));
            // From A to B: outward of a target that is A.
            let contact = Contact {
                gap,
                normal: outward,
                point_a: point - outward * gap,
                point_b: point,
                id: ContactId { a: surface, b: corner },
            };
            manifold.contacts.push(if self.is_b { contact } else { contact.swapped() });
        }
    }

    /// The smallest of the functions that fall through zero where the reference ends [m].
    pub(crate) fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        let (_, target) = self.poses(pair);
        let mut roots = vec![0.0; self.oriented.root_count()];
        match self.oriented.roots(&[*target], &self.points(pair), &mut roots) {
            Ok(()) => roots.into_iter().fold(f64::INFINITY, f64::min),
            // A state without numbers has crossed nothing.
            Err(_) => f64::NAN,
        }
    }

    /// Whether a commit at these poses would change who touches what.
    fn would_change(&self, pair: &PlacedPair<'_>, trial: &mut Configuration) -> bool {
        let (_, target) = self.poses(pair);
        let evaluated = self.oriented.evaluate(&[*target], &self.points(pair), trial);
        let same = |(a, b): (&Touch, &Touch)| (a.initiator, a.surface) == (b.initiator, b.surface);
        let (now, before) = (trial.touches(), self.oriented.reference().touches());
        evaluated.is_ok() && !(now.len() == before.len() && now.iter().zip(before).all(same))
    }

    /// Takes these poses as the reference; the hand-overs, as surfaces from and to.
    fn commit(&mut self, pair: &PlacedPair<'_>) -> Vec<(u32, u32)> {
        let (points, target) = (self.points(pair), *self.poses(pair).1);
        let handed = |touch: &Touch| match touch.kind {
            TouchKind::HandedOver { from } => Some((from, touch.surface)),
            _ => None,
        };
        // A state that is not finite ends the run at its next step.
        let committed = self.oriented.commit(&[target], &points);
        committed.map_or_else(|_| Vec::new(), |found| found.touches().iter().filter_map(handed).collect())
    }
}

/// Which shape of a pair gives the corners, where one was asked to; of two that were, the later one.
fn corners_of_pair(shapes: &[Placed], pair: PairId) -> Option<(ShapeId, ShapeId)> {
    let has = |shape: ShapeId| shapes[shape.0 as usize].corners.is_some();
    match (has(pair.a), has(pair.b)) {
        (_, true) => Some((pair.b, pair.a)),
        (true, false) => Some((pair.a, pair.b)),
        (false, false) => None,
    }
}

impl Model {
    /// Begins the history of all pairs that meet by oriented collision.
    pub(crate) fn begin_hits(&mut self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(|placed| placed.corners.is_some());
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why = "it needs a contact model that gives way, and a method with located events".to_owned();
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), why });
        }
        let pairs: Vec<PairId> = self.all_pairs().collect();
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        for pair in pairs {
            let Some((first, other)) = corners_of_pair(&self.shapes, pair) else { continue };
            let (from, to) = (&self.shapes[first.0 as usize], &self.shapes[other.0 as usize]);
            let Some(corners) = from.corners.clone() else { continue };
            let refused = |error: zerogap_proximity::oriented::OrientedError| WorldError::Oriented {
                shape: other,
                why: error.to_string(),
            };
            let target = Target::of_shape(&to.shape).map_err(refused)?;
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let (pose, at) =
                if first == pair.b { (placed.pose_b, placed.pose_a) } else { (placed.pose_a, placed.pose_b) };
            let points: Vec<Vec3> = corners.iter().map(|corner| pose.transform_point(corner)).collect();
            let oriented =
                Oriented::new(vec![target], &[at], &points, OrientedParams::default()).map_err(refused)?;
            self.discrete.hits.insert(pair, Hits { oriented, corners, is_b: first == pair.b });
        }
        Ok(())
    }

    /// Whether who touches which surface is not what it was.
    pub(crate) fn hits_would_change(&self, t: f64, y: &[f64]) -> bool {
        if self.discrete.hits.is_empty() {
            return false;
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let mut trial = Configuration::new();
        let changes = |(pair, hits): (&PairId, &Hits)| {
            hits.would_change(&PlacedPair::new(&self.shapes, *pair, &scratch.ws), &mut trial)
        };
        self.discrete.hits.iter().any(changes)
    }

    /// Takes a state as the reference of all pairs that meet by oriented collision.
    pub(crate) fn commit_hits(&mut self, t: f64, y: &[f64]) {
        if self.discrete.hits.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.discrete.hits);
        {
            let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
            self.locate_bodies(t, y, scratch);
        }
        for (pair, hits) in &mut all {
            let handed = {
                let scratch = self.scratch.borrow();
                hits.commit(&PlacedPair::new(&self.shapes, *pair, &scratch.ws))
            };
            for (surface_from, surface) in handed {
                self.note(t, Happening::HandedOver { pair: *pair, surface_from, surface });
            }
        }
        self.discrete.hits = all;
    }
}
