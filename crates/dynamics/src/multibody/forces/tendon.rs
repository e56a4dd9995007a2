//! Tendons: a length made of joint positions, or of the way through points on bodies, with a spring and a damper along it.
//!
//! A spatial tendon runs straight from point to point; a pulley begins a branch whose length counts divided. Where it wraps a sphere or a cylinder, it touches it in two points that are points of that body at the
//! instant: the length does not change when they move along the surface, so the derivative is that of the straight parts.

use zerogap_core::Vec3;

use super::{Evaluation, Site};
use crate::multibody::joint::BodyId;

/// Points nearer than this have no direction between them [m].
const COINCIDENT: f64 = 1e-15;

/// A joint in a sum of positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointTerm {
    /// The body on the joint.
    pub body: BodyId,
    /// The degree of freedom.
    pub index: usize,
    /// Its factor.
    pub coefficient: f64,
    /// What a position of zero stands for [m or rad].
    pub reference: f64,
}

zerogap_core::store_struct!(JointTerm { body, index, coefficient, reference });

/// What a spatial tendon passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathPoint {
    /// A point on a body.
    Site(Site),
    /// A new branch, whose length counts divided by a number.
    Pulley(f64),
}

zerogap_core::store_enum!(PathPoint { 0 => Site(site), 1 => Pulley(divisor) });

/// What the length of a tendon is.
#[derive(Debug, Clone, PartialEq)]
pub enum TendonPath {
    /// A sum of joint positions.
    Joints(Vec<JointTerm>),
    /// A way through points.
    Points(Vec<PathPoint>),
}

zerogap_core::store_enum!(TendonPath { 0 => Joints(terms), 1 => Points(points) });

/// A tendon.
#[derive(Debug, Clone, PartialEq)]
pub struct Tendon {
    /// What its length is.
    pub path: TendonPath,
    /// Of the spring along it [N/m].
    pub stiffness: f64,
    /// Of the damper along it [N s/m].
    pub damping: f64,
    /// Between these lengths the spring is relaxed [m].
    pub relaxed: [f64; 2],
}

zerogap_core::store_struct!(Tendon { path, stiffness, damping, relaxed });

/// A straight part: from a point of one body to one of another, with the divisor of its branch.
struct Part {
    from: (Option<BodyId>, Vec3),
    to: (Option<BodyId>, Vec3),
    divisor: f64,
}

impl Part {
    fn direction(&self) -> Vec3 {
        let way = self.to.1 - self.from.1;
        let length = way.norm();
        if length > COINCIDENT { way / length } else { Vec3::x() }
    }
}

impl Tendon {
    /// A spring and a damper between two points, relaxed at a length [m].
    pub fn spring(a: Site, b: Site, stiffness: f64, damping: f64, length: f64) -> Self {
        let path = TendonPath::Points(vec![PathPoint::Site(a), PathPoint::Site(b)]);
        Self { path, stiffness, damping, relaxed: [length; 2] }
    }

    pub(super) fn bodies(&self) -> Vec<BodyId> {
        match &self.path {
            TendonPath::Joints(terms) => terms.iter().map(|term| term.body).collect(),
            TendonPath::Points(points) => points
                .iter()
                .filter_map(|point| match point {
                    PathPoint::Site(site) => site.body,
                    PathPoint::Pulley(_) => None,
                })
                .collect(),
        }
    }

    pub(super) fn joints(&self) -> Vec<(BodyId, usize)> {
        match &self.path {
            TendonPath::Joints(terms) => terms.iter().map(|term| (term.body, term.index)).collect(),
            TendonPath::Points(_) => Vec::new(),
        }
    }

    pub(super) fn numbers(&self) -> Vec<f64> {
        let mut numbers = vec![self.stiffness, self.damping];
        match &self.path {
            TendonPath::Joints(terms) => {
                numbers.extend(terms.iter().flat_map(|term| [term.coefficient, term.reference]));
            }
            TendonPath::Points(points) => numbers.extend(points.iter().map(|point| match point {
                PathPoint::Site(_) => 1.0,
                PathPoint::Pulley(divisor) => 1.0 / divisor,
            })),
        }
        numbers
    }

    /// The straight parts, in order.
    fn parts<'a>(points: &'a [PathPoint], at: &'a Evaluation<'_>) -> impl Iterator<Item = Part> + 'a {
        let (mut before, mut divisor) = (None, 1.0);
        points.iter().filter_map(move |point| match point {
            PathPoint::Pulley(next) => {
                (before, divisor) = (None, *next);
                None
            }
            PathPoint::Site(site) => {
                let here = (site.body, site.place(at.ws).translation());
                let from = before.replace(here)?;
                // Between two points of one body nothing changes; the length counts all the same.
                Some(Part { from, to: here, divisor })
            }
        })
    }

    /// Its length [m or rad] and the rate of it.
    pub(super) fn length_and_rate(&self, at: &Evaluation<'_>) -> (f64, f64) {
        match &self.path {
            TendonPath::Joints(terms) => terms.iter().fold((0.0, 0.0), |(length, rate), term| {
                let (q, v, _) = at.joint(term.body, term.index);
                (length + term.coefficient * (q + term.reference), rate + term.coefficient * v)
            }),
            TendonPath::Points(points) => Self::parts(points, at).fold((0.0, 0.0), |(length, rate), part| {
                let ((a, from), (b, to)) = (part.from, part.to);
                let apart = at.ws.point_velocity(b, to) - at.ws.point_velocity(a, from);
                let grows = part.direction().dot(&apart);
                (length + (to - from).norm() / part.divisor, rate + grows / part.divisor)
            }),
        }
    }

    /// Adds a force along the length: to joints by `joint` (body, index, velocity, effort, efforts), to bodies as forces.
    pub(super) fn pull(
        &self,
        force: f64,
        at: &mut Evaluation<'_>,
        mut joint: impl FnMut(BodyId, usize, usize, f64, &mut [f64]),
    ) {
        match &self.path {
            TendonPath::Joints(terms) => {
                for term in terms {
                    let k = at.joint(term.body, term.index).2;
                    joint(term.body, term.index, k, term.coefficient * force, at.effort);
                }
            }
            TendonPath::Points(points) => {
                let parts: Vec<Part> = Self::parts(points, at).collect();
                for part in parts {
                    let push = part.direction() * (force / part.divisor);
                    at.push(part.to.0, part.to.1, push);
                    at.push(part.from.0, part.from.1, -push);
                }
            }
        }
    }

    /// How far the spring is beyond where it is relaxed [m or rad].
    fn stretch(&self, length: f64) -> f64 {
        let [lower, upper] = self.relaxed;
        if length > upper { length - upper } else { (length - lower).min(0.0) }
    }

    /// Adds the forces of spring and damper.
    pub(super) fn add_passive(&self, at: &mut Evaluation<'_>) {
        if self.stiffness == 0.0 && self.damping == 0.0 {
            return;
        }
        let (length, rate) = self.length_and_rate(at);
        let force = -self.stiffness * self.stretch(length) - self.damping * rate;
        self.pull(force, at, |_, _, k, share, effort| effort[k] += share);
    }

    pub(super) fn energy(&self, at: &Evaluation<'_>) -> f64 {
        let stretch = self.stretch(self.length_and_rate(at).0);
        0.5 * self.stiffness * stretch * stretch
    }
}
