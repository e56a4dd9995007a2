//! Pairs that meet by oriented collision: corners of one shape against the flat surfaces of another, each corner pushed by the surface that it came in through.
//!
//! In: poses at the start, at trials and after accepted steps. Out: gaps, contacts with a normal each, and one function of a pair in contact that falls through zero where a corner comes in, goes out or slides
//! over to another surface. The history is part of the discrete state: trials read it, accepted steps and events change it.

use std::sync::Arc;

use zerogap_core::{Contact, ContactId, Feature, Manifold, Pose, Vec3};
use zerogap_geometry::{ConvexShape, Shape};
use zerogap_proximity::oriented::{
    Oriented, OrientedError, OrientedParams, Target, Touch, TouchKind, local_point,
};

use super::WorldError;
use super::events::{Event, Happening};
use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::shapes::{PlacedPair, ShapeId};

/// The corners of a pair's shapes against the surfaces of each other, with their history: of one shape or of both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hits(Vec<Side>);

/// The corners of one shape against the surfaces of the other.
#[derive(Debug, Clone)]
struct Side {
    /// One target, with the corners as initiators.
    oriented: Oriented,
    /// Corners in the frame of their shape [m].
    corners: Arc<Vec<Vec3>>,
    /// Whether the corners are those of shape B.
    is_b: bool,
    /// Memory for the corners in the world [m].
    points: Vec<Vec3>,
}

/// The same contacts.
impl PartialEq for Side {
    fn eq(&self, other: &Self) -> bool {
        self.oriented.reference().touches() == other.oriented.reference().touches()
    }
}

/// A corner that slid over to another surface.
struct HandOver {
    from: u32,
    to: u32,
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

impl Side {
    /// Begins without history.
    fn begin(pair: &PlacedPair<'_>, corners: Arc<Vec<Vec3>>, is_b: bool) -> Result<Self, OrientedError> {
        let (pose, other, at) =
            if is_b { (&pair.pose_b, pair.a, pair.pose_a) } else { (&pair.pose_a, pair.b, pair.pose_b) };
        let points: Vec<Vec3> = corners.iter().map(|corner| pose.transform_point(corner)).collect();
        // Events are located, by functions and by following what is fast: the straight way between the ends of a long step must not count for the bent one.
        let params = OrientedParams { clipping: false, ..OrientedParams::default() };
        let oriented = Oriented::new(vec![Target::of_shape(&other.shape)?], &[at], &points, params)?;
        Ok(Self { oriented, corners, is_b, points })
    }

    /// Poses of the corners' shape and of the target.
    fn poses<'a>(&self, pair: &'a PlacedPair<'_>) -> (&'a Pose, &'a Pose) {
        if self.is_b { (&pair.pose_b, &pair.pose_a) } else { (&pair.pose_a, &pair.pose_b) }
    }

    fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| {
            let point = pose.transform_point(corner);
            let held = self.oriented.held_gap(0, j, target, &point);
            held.unwrap_or_else(|| self.oriented.targets()[0].nearest(&local_point(target, &point)).1)
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
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

    fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| {
            let [first, second] = self.oriented.roots_of(0, j, target, &pose.transform_point(corner));
            first.min(second)
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Takes the poses of a pair as the reference, and tells hand-overs; whether who touches what has changed.
    fn commit(&mut self, pair: &PlacedPair<'_>, tell: &mut Vec<HandOver>) -> bool {
        let (pose, target) = self.poses(pair);
        self.points.clear();
        self.points.extend(self.corners.iter().map(|corner| pose.transform_point(corner)));
        // A state that is not finite ends the run at its next step.
        let Ok(now) = self.oriented.commit(&[*target], &self.points) else { return false };
        tell.extend(now.touches().iter().filter_map(|touch| match touch.kind {
            TouchKind::HandedOver { from } => Some(HandOver { from, to: touch.surface }),
            _ => None,
        }));
        let is_new = |touch: &Touch| touch.kind != TouchKind::Kept;
        !now.releases().is_empty() || now.touches().iter().any(is_new)
    }
}

impl Hits {
    /// The smallest gap of a corner [m]: from its surface where it is in contact, otherwise the largest separation, which is no more than the distance.
    pub(crate) fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|side| side.gap(pair)).fold(f64::INFINITY, f64::min)
    }

    /// Writes the contacts of the reference at the poses of a pair.
    pub(crate) fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        manifold.contacts.clear();
        for side in &self.0 {
            side.contacts(pair, manifold);
        }
    }

    /// The smallest of the functions that fall through zero where the reference ends [m].
    pub(crate) fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|side| side.function(pair)).fold(f64::INFINITY, f64::min)
    }
}

impl Model {
    /// Begins the history of all pairs that meet by oriented collision.
    pub(crate) fn begin_hits(&mut self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(|placed| placed.corners.is_some());
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length"
                    .to_owned();
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), why });
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let mut all = std::collections::BTreeMap::new();
        for pair in self.all_pairs() {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let (mut sides, mut refused) = (Vec::new(), None);
            for (corners, is_b) in [(&placed.a.corners, false), (&placed.b.corners, true)] {
                let Some(corners) = corners else { continue };
                match Side::begin(&placed, corners.clone(), is_b) {
                    Ok(side) => sides.push(side),
                    Err(error) => refused = Some((if is_b { pair.a } else { pair.b }, error)),
                }
            }
            // Of two that were asked it is enough that one has surfaces.
            match refused {
                Some((shape, error)) if sides.is_empty() => {
                    return Err(WorldError::Oriented { shape, why: error.to_string() });
                }
                _ if sides.is_empty() => {}
                _ => drop(all.insert(pair, Hits(sides))),
            }
        }
        self.discrete.hits = all;
        Ok(())
    }

    /// Takes a state as the reference of all pairs that meet by oriented collision; whether who touches which surface has changed.
    pub(crate) fn commit_hits(&mut self, t: f64, y: &[f64]) -> bool {
        if self.discrete.hits.is_empty() {
            return false;
        }
        let (mut has_changed, mut handed) = (false, Vec::new());
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        for (&pair, Hits(sides)) in &mut self.discrete.hits {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            for side in sides {
                has_changed |= side.commit(&placed, &mut handed);
            }
            let told = handed.drain(..).map(|HandOver { from, to }| Event {
                t,
                what: Happening::HandedOver { pair, surface_from: from, surface: to },
            });
            self.events.extend(told);
        }
        has_changed
    }
}
