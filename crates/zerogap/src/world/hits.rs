//! Pairs that meet by oriented collision: corners of one shape against the flat surfaces of another, each corner pushed by the surface that it came in through.
//!
//! In: poses at the start, at trials and after accepted steps. Out: gaps, contacts with a normal each, and one function of a pair in contact that falls through zero where a corner comes in, goes out or slides
//! over to another surface. The history is part of the discrete state: trials read it, accepted steps and events change it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use zerogap_core::facets::Facet;
use zerogap_core::{Contact, ContactId, Feature, Manifold, Pose, Vec3};
use zerogap_dynamics::multibody::Workspace;
use zerogap_geometry::{ConvexShape, Shape};
use zerogap_proximity::oriented::{
    Form, Oriented, OrientedError, OrientedParams, Target, Touch, TouchKind, local_point,
};

use super::WorldError;
use super::discrete::Discrete;
use super::events::{Event, Happening};
use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::rigid::points::TOUCH;
use super::shapes::{PairId, Placed, PlacedPair, ShapeId};

/// Surfaces are moved outwards by this share of the size of the smaller shape [-]: corners that lie in the plane of a neighbouring surface, as in a stack of equal boxes, are inside it whatever rounding and the
/// errors of integration say. Neither forces nor, as a rule, times of touching know of it: see [`Probe::free_separation`].
const SKIN: f64 = 1e-7;

/// Surfaces of two targets are one where they lie in one plane, by this share of the size of the smaller shape [-] and as a sine.
const FLUSH: f64 = 1e-6;

/// From this number of corners on they are looked at 64 at a time [-]: see `bench/results/*/oriented.csv`.
const MANY: usize = 16;

/// The corners of a pair's shapes against the surfaces of each other, with their history: of one shape or of both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hits(Vec<Probe>);

/// The corners of one shape against the surfaces of the other.
#[derive(Debug, Clone)]
struct Probe {
    /// One target, with the corners as initiators.
    oriented: Oriented,
    /// Corners in the frame of their shape [m].
    corners: Arc<Vec<Vec3>>,
    /// Whether the corners are those of shape B.
    is_b: bool,
    /// How far the surfaces of the target were moved outwards [m].
    skin: f64,
    /// Memory for the corners in the world [m].
    points: Vec<Vec3>,
}

/// The same contacts.
impl PartialEq for Probe {
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

impl Probe {
    /// Begins as if every corner had just come from the middle of its shape: so the surface of one that touches several is the one that its shape lies on. One that is deep inside takes the nearest.
    fn begin(pair: &PlacedPair<'_>, corners: Arc<Vec<Vec3>>, is_b: bool) -> Result<Self, OrientedError> {
        let (pose, other, at) =
            if is_b { (&pair.pose_b, pair.a, pair.pose_a) } else { (&pair.pose_a, pair.b, pair.pose_b) };
        let skin = SKIN * pair.size();
        let target = Target::of_shape(&other.shape)?.grown(skin);
        let middle = corners.iter().sum::<Vec3>() / corners.len() as f64;
        let moved = |corner: &Vec3| {
            let inwards = (middle - corner).try_normalize(f64::MIN_POSITIVE).unwrap_or_default();
            pose.transform_point(&(corner + inwards * (4.0 * skin)))
        };
        let mut points: Vec<Vec3> = corners.iter().map(moved).collect();
        let form = if corners.len() < MANY { Form::Conditional } else { Form::Guards };
        // Events are located, by functions and by following what is fast: the straight way between the ends of a long step must not count for the bent one.
        let params = OrientedParams { form, clipping: false, ..OrientedParams::default() };
        let mut oriented = Oriented::new(vec![target], &[at], &points, params)?;
        points.clear();
        points.extend(corners.iter().map(|corner| pose.transform_point(corner)));
        oriented.commit(&[at], &points)?;
        Ok(Self { oriented, corners, is_b, skin, points })
    }

    /// How far a corner that is in contact with nothing is from contact [m]: the largest separation, from surfaces themselves where they separated it before, and from surfaces moved outwards where they did not.
    fn free_separation(&self, corner: usize, target: &Pose, point: &Vec3) -> f64 {
        let (before, now) = (self.oriented.reference_point(0, corner), local_point(target, point));
        let of = |facet: &Facet| {
            let skin = if facet.separation(&before) > 0.0 { self.skin } else { 0.0 };
            facet.separation(&now) + skin
        };
        self.oriented.targets()[0].facets().iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }

    fn free_gap(&self, pair: &PlacedPair<'_>) -> f64 {
        let (pose, target) = self.poses(pair);
        let of = |(j, corner): (usize, &Vec3)| match self.oriented.reference().surface(0, j) {
            Some(_) => f64::INFINITY,
            None => self.free_separation(j, target, &pose.transform_point(corner)),
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
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
            held.unwrap_or_else(|| self.free_separation(j, target, &point))
        };
        self.corners.iter().enumerate().map(of).fold(f64::INFINITY, f64::min)
    }

    fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        let (pose, target) = self.poses(pair);
        for touch in self.oriented.reference().touches() {
            let j = touch.initiator as usize;
            let point = pose.transform_point(&self.corners[j]);
            let Some(gap) = self.oriented.held_gap(0, j, target, &point) else { continue };
            // Force begins at the surface itself.
            let gap = gap + self.skin;
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
            let point = pose.transform_point(corner);
            if self.oriented.reference().surface(0, j).is_none() {
                return self.free_separation(j, target, &point);
            }
            let [outside, off_span] = self.oriented.roots_of(0, j, target, &point);
            outside.min(off_span)
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
    /// Begins the history of a pair; none where neither shape was asked to be met by its corners.
    fn begin(pair: &PlacedPair<'_>) -> Result<Option<Self>, WorldError> {
        let (mut probes, mut refused) = (Vec::new(), None);
        for (corners, is_b) in [(&pair.a.corners, false), (&pair.b.corners, true)] {
            let Some(corners) = corners else { continue };
            match Probe::begin(pair, corners.clone(), is_b) {
                Ok(probe) => probes.push(probe),
                Err(error) => {
                    let PairId { a, b } = pair.id;
                    let (shape, by) = if is_b { (a, Some(b)) } else { (b, Some(a)) };
                    refused = Some(WorldError::Oriented { shape, by, why: error.to_string() });
                }
            }
        }
        // Of two that were asked it is enough that one has surfaces.
        match refused {
            Some(error) if probes.is_empty() => Err(error),
            _ if probes.is_empty() => Ok(None),
            _ => Ok(Some(Self(probes))),
        }
    }

    /// The smallest gap of a corner [m]: from its surface where it is in contact, otherwise the largest separation, which is no more than the distance.
    pub(crate) fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.gap(pair)).fold(f64::INFINITY, f64::min)
    }

    /// The smallest separation of a corner that is in contact with nothing [m].
    pub(crate) fn free_gap(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.free_gap(pair)).fold(f64::INFINITY, f64::min)
    }

    /// Half the width of what is hit, where it is thinnest [m]: no corner is inside for a shorter way than twice that.
    pub(crate) fn thickness(&self, pair: &PlacedPair<'_>) -> f64 {
        let of = |probe: &Probe| if probe.is_b { pair.a.thickness } else { pair.b.thickness };
        self.0.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Writes the contacts of the reference at the poses of a pair.
    pub(crate) fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        manifold.contacts.clear();
        for probe in &self.0 {
            probe.contacts(pair, manifold);
        }
    }

    /// The smallest of the functions that fall through zero where the reference ends [m].
    pub(crate) fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.function(pair)).fold(f64::INFINITY, f64::min)
    }
}

impl Model {
    /// Begins the history of pairs that touch at the start, and refuses pairs that cannot meet by oriented collision.
    pub(crate) fn begin_hits(&mut self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(|placed| placed.corners.is_some());
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length";
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), by: None, why: why.to_owned() });
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let mut all = BTreeMap::new();
        for pair in self.all_pairs() {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let touch = TOUCH * placed.size();
            if let Some(hits) = Hits::begin(&placed)?
                && placed.gap(2.0 * touch) <= touch
            {
                all.insert(pair, hits);
            }
        }
        self.discrete.hits = all;
        Ok(())
    }

    /// Keeps the history of pairs that are near each other in a step, and begins that of pairs that have come near: who is far is inside of nothing and needs none. `pairs` is sorted.
    pub(crate) fn renew_hits(&mut self, t: f64, y: &[f64], pairs: &[PairId]) {
        if !self.shapes.iter().any(|placed| placed.corners.is_some()) {
            return;
        }
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let hits = &mut self.discrete.hits;
        hits.retain(|pair, _| pairs.binary_search(pair).is_ok());
        for &pair in pairs {
            if let Entry::Vacant(place) = hits.entry(pair) {
                // Pairs that cannot be were refused at the start.
                let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
                if let Ok(Some(begun)) = Hits::begin(&placed) {
                    place.insert(begun);
                }
            }
        }
    }

    /// Takes a state as the reference of all pairs that meet by oriented collision; whether who touches which surface has changed.
    pub(crate) fn commit_hits(&mut self, t: f64, y: &[f64]) -> bool {
        if self.discrete.hits.is_empty() {
            return false;
        }
        let (mut has_changed, mut handed) = (false, Vec::new());
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        for (&pair, Hits(probes)) in &mut self.discrete.hits {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            for probe in probes {
                has_changed |= probe.commit(&placed, &mut handed);
            }
            let told = handed.drain(..).map(|HandOver { from, to }| Event {
                t,
                what: Happening::HandedOver { pair, surface_from: from, surface: to },
            });
            self.events.extend(told);
        }
        if has_changed {
            self.discrete.join_flush_surfaces(&self.shapes, &scratch.ws);
        }
        has_changed
    }
}

impl Discrete {
    /// A corner that slides from one target into the side of the next, where both have surfaces in one plane, goes on in that plane: a floor of tiles is one floor.
    fn join_flush_surfaces(&mut self, shapes: &[Placed], ws: &Workspace) {
        let mut all: Vec<CornerTouch> = Vec::new();
        for (&pair, Hits(probes)) in &self.hits {
            for (number, probe) in probes.iter().enumerate() {
                let shape = if probe.is_b { pair.b } else { pair.a };
                let touches = probe.oriented.reference().touches();
                all.extend(touches.iter().map(|&touch| CornerTouch { shape, pair, number, touch }));
            }
        }
        for new in all.iter().filter(|one| one.touch.kind == TouchKind::Hit) {
            let Some(Hits(probes)) = self.hits.get_mut(&new.pair) else { continue };
            let placed = PlacedPair::new(shapes, new.pair, ws);
            let (size, probe) = (placed.size(), &mut probes[new.number]);
            let at = *probe.poses(&placed).1;
            let same_corner = |old: &&CornerTouch| {
                (old.shape, old.touch.initiator) == (new.shape, new.touch.initiator)
                    && old.pair != new.pair
                    && old.touch.kind != TouchKind::Hit
            };
            let mut flush = all.iter().filter(same_corner).filter_map(|old| {
                let (normal, foot) =
                    (at.inverse_transform_vector(&old.touch.normal), local_point(&at, &old.touch.point));
                probe.oriented.targets()[0].facets().iter().position(|facet| {
                    facet.normal.dot(&normal) > 0.0
                        && facet.normal.cross(&normal).norm() < FLUSH
                        && facet.separation(&foot).abs() < FLUSH * size
                })
            });
            if let Some(surface) = flush.next() {
                drop(flush);
                probe.oriented.take_surface(0, new.touch.initiator as usize, surface, &at);
            }
        }
    }
}

/// A corner in contact.
struct CornerTouch {
    /// Whose corner.
    shape: ShapeId,
    /// Of which pair.
    pair: PairId,
    /// Which of the pair's probes.
    number: usize,
    touch: Touch,
}
