//! The question and its answer: all quasi-LMDs of two bodies.

use std::f64::consts::PI;

use zerogap_core::{Contact, ContactId, Feature, Pose, Vec3};
use zerogap_geometry::shape::HalfSpace;

use super::body::{ComplexBody, Form};
use super::merge::Merge;
use super::motion::Relative;
use super::search::{Body, FaceContacts, Question, Search};
use super::traverse::Stack;
use super::{cross, plane};

/// Parameters of quasi-LMD queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasiParams {
    /// The angle by which bodies may rotate before the contact is lost [rad].
    pub angular_tolerance: f64,
    /// The largest gap that is listed [m]: of the inflated bodies, so that both dilations come on top for the complexes.
    pub within: f64,
    /// Slack of every comparison of directions [rad].
    pub angle_tolerance: f64,
    /// Tolerance of points outside a face, in barycentric coordinates [-].
    pub inside_tolerance: f64,
    /// The sine of the angle below which two edges count as parallel [-].
    pub parallel_tolerance: f64,
    /// Contacts whose points agree within this much of the smaller body are one [-].
    pub merge_tolerance: f64,
    /// Whether to detect complexes that intersect. It costs little where bodies move by less than their distance from query to query.
    pub check_overlap: bool,
    /// Whether lists of faces that may collide are kept from query to query where bodies move little. It changes no answer.
    pub reuse: bool,
    /// Whether a walk over large hierarchies is divided over threads. It changes no answer; pays from some 100 000 faces on.
    pub parallel: bool,
}

impl Default for QuasiParams {
    fn default() -> Self {
        Self {
            angular_tolerance: 5.0 * PI / 180.0,
            within: f64::INFINITY,
            angle_tolerance: 1e-6,
            inside_tolerance: 1e-9,
            parallel_tolerance: 1e-8,
            merge_tolerance: 1e-7,
            check_overlap: true,
            reuse: true,
            parallel: false,
        }
    }
}

/// One quasi-LMD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuasiContact {
    /// Gap, normal and points of the inflated bodies, world frame.
    pub contact: Contact,
    /// Distance of the two complexes here [m]; the gap is this less both dilations.
    pub distance: f64,
    /// Classes of the two faces: see [`zerogap_geometry::Complex::class`].
    pub classes: [u8; 2],
    /// The point of A's complex [m].
    pub base_a: Vec3,
    /// The point of B's complex [m].
    pub base_b: Vec3,
    /// Sign of the normal along the direction that both faces define.
    pub(super) side: f64,
}

/// Intersection of two complexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlap {
    /// Two faces cross or touch.
    Crossing(ContactId),
    /// A part of A, which has this vertex, lies inside a volume of B.
    AInsideB(Feature),
    /// A part of B, which has this vertex, lies inside a volume of A.
    BInsideA(Feature),
}

impl Overlap {
    /// Two faces that cross or touch.
    pub(super) fn crossing(a: Feature, b: Feature) -> Self {
        Self::Crossing(ContactId { a, b })
    }
}

/// Status of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum QuasiStatus {
    /// The complexes are apart by at least this distance [m]: exactly it where a contact is listed, and at most the cutoff of the query otherwise.
    ///
    /// Bodies whose points move by less in a step stay apart.
    Separated {
        /// Lower bound of the distance of the complexes [m].
        base_distance: f64,
    },
    /// The complexes intersect: contacts are missing or have the wrong direction. [`QuasiWork::overlaps`] lists where.
    BaseIntersecting,
    /// Two half-spaces have no contacts.
    BothUnbounded,
}

/// Memory of queries, and what the last one on the same pair found out. Any workspace serves any pair, and none changes an answer.
#[derive(Debug, Clone, Default)]
pub struct QuasiWork {
    stack: Stack,
    search: Search,
    found: FaceContacts,
    merge: Merge,
    last: Option<Last>,
    raw_count: usize,
}

/// The last query.
#[derive(Debug, Clone, Copy)]
struct Last {
    names: [u64; 2],
    relative: Relative,
    /// Lower bound of the distance of the complexes there [m]; none where it is not known.
    distance: Option<f64>,
}

impl QuasiWork {
    /// Returns the intersections of the complexes of the last query, ascending.
    pub fn overlaps(&self) -> &[Overlap] {
        &self.found.overlaps
    }

    /// Pairs of nodes that the last query tested for contacts; none where a list was kept, and for half-spaces.
    pub fn node_tests(&self) -> u64 {
        self.search.tested
    }

    /// Contacts of the last query before equal ones were merged.
    pub fn raw_count(&self) -> usize {
        self.raw_count
    }
}

/// All quasi-LMDs of two bodies, in new memory: see [`quasi_contacts_into`].
pub fn quasi_contacts(
    a: &ComplexBody,
    pose_a: &Pose,
    b: &ComplexBody,
    pose_b: &Pose,
    params: &QuasiParams,
) -> (Vec<QuasiContact>, QuasiStatus) {
    let mut contacts = Vec::new();
    let status = quasi_contacts_into(a, pose_a, b, pose_b, params, &mut QuasiWork::default(), &mut contacts);
    (contacts, status)
}

/// All quasi-LMDs of two bodies with a gap of at most `params.within`, into a list whose memory is used again.
///
/// Computes: for each pair of faces that supports one the distance, normal and points; equal ones merged.
/// Frames: works in the frame of A; answers in the world.
/// Method: Merlhiot 2007, sections 6.3 and 6.4; see [`crate::lmd`] for departures.
/// Tolerance: points within 1e-12 of the bodies' size and distance; a contact at the edge of the angular tolerance or of a face may come or go by rounding.
/// Cost: no allocation once the memory has grown.
/// Fails: [`QuasiStatus::BaseIntersecting`] where the complexes are not apart; finite input never gives NaN.
/// Order: by face of A, then of B: vertices, edges, triangles.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::{Cuboid, HalfSpace};
/// use zerogap_geometry::{Complex, ComplexOptions, ConvexShape};
/// use zerogap_proximity::lmd::{ComplexBody, QuasiParams, quasi_contacts};
///
/// // A cube with rounded edges, 1 mm above the floor and tilted by two degrees: still four contacts.
/// let cube = ConvexShape::from(Cuboid::new(Vec3::new(1.0, 1.0, 1.0))?);
/// let cube = ComplexBody::new(Complex::from_shape(&cube, &ComplexOptions { dilation: 1e-3, ..Default::default() })?);
/// let floor = ComplexBody::half_space(HalfSpace::new(Vec3::z(), 0.0)?, 0.0)?;
/// let tilted = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 0.52), Vec3::y(), 2_f64.to_radians())?;
/// let params = QuasiParams { within: 0.1, ..QuasiParams::default() };
/// let (contacts, _) = quasi_contacts(&floor, &Pose::identity(), &cube, &tilted, &params);
/// assert_eq!(contacts.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn quasi_contacts_into(
    a: &ComplexBody,
    pose_a: &Pose,
    b: &ComplexBody,
    pose_b: &Pose,
    params: &QuasiParams,
    work: &mut QuasiWork,
    contacts: &mut Vec<QuasiContact>,
) -> QuasiStatus {
    contacts.clear();
    work.found.clear();
    work.raw_count = 0;
    let relative = between(pose_a, pose_b);
    let cutoff = params.within + a.dilation() + b.dilation();
    let names = [a.name, b.name];
    let last = work.last.take().filter(|last| last.names == names);
    if last.is_none() {
        work.search.forget();
    }
    let apart = last.and_then(|last| {
        let (shift, _) = relative.moved_since(&last.relative, a, b)?;
        last.distance.filter(|distance| shift < *distance)
    });
    let check = params.check_overlap && apart.is_none();
    // The frame in which points are computed: that of a half-space, or else that of A.
    let frame = match (&a.form, &b.form) {
        (Form::HalfSpace { .. }, Form::HalfSpace { .. }) => return QuasiStatus::BothUnbounded,
        (
            Form::Bounded { complex: one, tree: tree_a, parts: parts_a, .. },
            Form::Bounded { complex: two, tree: tree_b, parts: parts_b, .. },
        ) => {
            let (body_a, body_b) = (Body { complex: one, tree: tree_a }, Body { complex: two, tree: tree_b });
            let ask = Question { a: body_a, b: body_b, relative: &relative, params, cutoff };
            if check {
                cross::find(&ask, parts_a, parts_b, &mut work.stack, &mut work.found.overlaps);
            }
            work.search.run(&ask, last.as_ref().map(|last| &last.relative), &mut work.found);
            pose_a
        }
        (Form::HalfSpace { plane, .. }, Form::Bounded { complex, tree, .. }) => {
            on_plane(Body { complex, tree }, &relative, plane, params, cutoff, true, check, work);
            pose_a
        }
        (Form::Bounded { complex, tree, .. }, Form::HalfSpace { plane, .. }) => {
            on_plane(Body { complex, tree }, &relative.inverse(), plane, params, cutoff, false, check, work);
            pose_b
        }
    };
    finish(a, b, frame, params, work, contacts);
    // The smallest quasi-LMD is the distance of the complexes; where none is listed they are farther apart than requested.
    let base_distance = contacts.iter().map(|contact| contact.distance).fold(cutoff, f64::min);
    let separated = work.found.overlaps.is_empty();
    let distance = (separated && params.check_overlap).then_some(base_distance);
    work.last = Some(Last { names, relative, distance });
    if separated { QuasiStatus::Separated { base_distance } } else { QuasiStatus::BaseIntersecting }
}

/// B's placement in the frame of A.
pub(super) fn between(pose_a: &Pose, pose_b: &Pose) -> Relative {
    let to_a = pose_a.rotation_matrix().transpose();
    Relative {
        rotation: to_a * pose_b.rotation_matrix(),
        translation: to_a * (pose_b.translation() - pose_a.translation()),
    }
}

/// A complex, placed in the frame of a half-space, against its plane.
#[expect(clippy::too_many_arguments, reason = "the half of a query that both orders of the bodies share")]
fn on_plane(
    body: Body<'_>,
    at: &Relative,
    half_space: &HalfSpace,
    params: &QuasiParams,
    cutoff: f64,
    plane_first: bool,
    check: bool,
    work: &mut QuasiWork,
) {
    let FaceContacts { raw, overlaps } = &mut work.found;
    if check {
        cross::below(body.complex, at, half_space, |vertex| {
            let (vertex, face) = (Feature::Vertex(vertex), Feature::Face(0));
            let (a, b) = if plane_first { (face, vertex) } else { (vertex, face) };
            overlaps.push(Overlap::crossing(a, b));
        });
    }
    plane::find(body, at, half_space, params, cutoff, plane_first, &mut work.stack, raw);
}

/// Merges, sorts and turns into world coordinates.
fn finish(
    a: &ComplexBody,
    b: &ComplexBody,
    frame: &Pose,
    params: &QuasiParams,
    work: &mut QuasiWork,
    contacts: &mut Vec<QuasiContact>,
) {
    work.found.overlaps.sort_unstable();
    work.found.overlaps.dedup();
    work.raw_count = work.found.raw.len();
    work.merge.run(&mut work.found.raw, params.merge_tolerance * size(a, b));
    let (rotation, translation) = (frame.rotation_matrix(), frame.translation());
    let (grown_a, grown_b) = (a.dilation(), b.dilation());
    contacts.extend(work.found.raw.iter().map(|raw| {
        let normal = rotation * ((raw.points[1] - raw.points[0]) / raw.distance);
        let [base_a, base_b] = raw.points.map(|p| rotation * p + translation);
        QuasiContact {
            contact: Contact {
                gap: raw.distance - grown_a - grown_b,
                normal,
                point_a: base_a + normal * grown_a,
                point_b: base_b - normal * grown_b,
                id: ContactId { a: a.feature(raw.faces[0]), b: b.feature(raw.faces[1]) },
            },
            distance: raw.distance,
            classes: raw.classes,
            base_a,
            base_b,
            side: raw.side,
        }
    }));
}

/// Merged and sorted contacts, from those of all pairs of faces.
pub(super) fn finished(
    a: &ComplexBody,
    b: &ComplexBody,
    frame: &Pose,
    params: &QuasiParams,
    found: FaceContacts,
) -> Vec<QuasiContact> {
    let mut work = QuasiWork { found, ..QuasiWork::default() };
    let mut contacts = Vec::new();
    finish(a, b, frame, params, &mut work, &mut contacts);
    contacts
}

/// The smaller size of two bodies that have one [m].
fn size(a: &ComplexBody, b: &ComplexBody) -> f64 {
    let sizes = [a, b].map(|body| body.complex().map_or(0.0, |complex| complex.bounding_box().diagonal()));
    let smallest = sizes.into_iter().filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 0.0 }
}
