//! Tendons: a length made of joint positions, or of the way through points on bodies, with a spring and a damper along it.
//!
//! A spatial tendon runs straight from point to point; a pulley begins a branch whose length counts divided. Where it wraps a sphere or a cylinder, it touches it in two points that are points of that body at the
//! instant: the length does not change when they move along the surface, so the derivative is that of the straight parts.

use zerogap_core::{Pose, Vec3};

use super::{Evaluation, Site, Wrap};
use crate::multibody::joint::BodyId;
use crate::multibody::tree::Tree;
use crate::multibody::workspace::Workspace;

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
    /// A sphere or a cylinder, around which it leads between the sites before and after.
    Wrap(Wrap),
}

zerogap_core::store_enum!(PathPoint { 0 => Site(site), 1 => Pulley(divisor), 2 => Wrap(wrap) });

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
    /// The shortest and the largest length that it can have; an infinite one is no bound [m or rad].
    pub range: Option<[f64; 2]>,
}

zerogap_core::store_struct!(Tendon { path, stiffness, damping, relaxed, range });

/// A part: from a point of one body to one of another, with the divisor of its branch; or around a body, from a point of it to another one.
pub(super) struct Part {
    from: (Option<BodyId>, Vec3),
    to: (Option<BodyId>, Vec3),
    length: f64,
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
        Self { path, stiffness, damping, relaxed: [length; 2], range: None }
    }

    /// Whether its length is that of a way through points.
    pub(in crate::multibody) fn is_spatial(&self) -> bool {
        matches!(self.path, TendonPath::Points(_))
    }

    /// Every body that it is on.
    pub(in crate::multibody) fn bodies(&self) -> Vec<BodyId> {
        self.ends().flatten().collect()
    }

    /// The bodies of its points and joints, in order; none is the world.
    pub(in crate::multibody) fn ends(&self) -> impl Iterator<Item = Option<BodyId>> {
        let (terms, points): (&[_], &[_]) = match &self.path {
            TendonPath::Joints(terms) => (terms, &[]),
            TendonPath::Points(points) => (&[], points),
        };
        let of_points = points.iter().filter_map(|point| match point {
            PathPoint::Site(site) => Some(site.body),
            PathPoint::Pulley(_) => None,
            PathPoint::Wrap(wrap) => Some(wrap.at.body),
        });
        terms.iter().map(|term| Some(term.body)).chain(of_points)
    }

    pub(in crate::multibody) fn joints(&self) -> Vec<(BodyId, usize)> {
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
                PathPoint::Wrap(wrap) => wrap.radius,
            })),
        }
        numbers
    }

    /// Hands over the parts, in order, with sites where `place` puts them.
    fn each_part(points: &[PathPoint], place: impl Fn(&Site) -> Pose, mut visit: impl FnMut(Part)) {
        let (mut before, mut divisor, mut around) = (None, 1.0, None);
        for point in points {
            match point {
                PathPoint::Pulley(next) => (before, divisor, around) = (None, *next, None),
                PathPoint::Wrap(wrap) => around = Some(wrap),
                PathPoint::Site(site) => {
                    let here: (_, Vec3) = (site.body, place(site).translation());
                    let Some(mut from) = before.replace(here) else { continue };
                    let straight = |from: (Option<BodyId>, Vec3), to: (Option<BodyId>, Vec3)| {
                        // Between two points of one body nothing changes; the length counts all the same.
                        Part { from, to, length: (to.1 - from.1).norm(), divisor }
                    };
                    if let Some(wrap) = around.take() {
                        let side = wrap.side.map(|side| place(&side).translation());
                        if let Some(arc) = wrap.arc(&place(&wrap.at), from.1, here.1, side) {
                            let [on, off] = arc.points.map(|point| (wrap.at.body, point));
                            visit(straight(from, on));
                            visit(Part { from: on, to: off, length: arc.length, divisor });
                            from = off;
                        }
                    }
                    visit(straight(from, here));
                }
            }
        }
    }

    /// Its length [m or rad] and the rate of it.
    pub(super) fn length_and_rate(&self, at: &Evaluation<'_>) -> (f64, f64) {
        match &self.path {
            TendonPath::Joints(terms) => terms.iter().fold((0.0, 0.0), |(length, rate), term| {
                let (q, v, _) = at.joint(term.body, term.index);
                (length + term.coefficient * (q + term.reference), rate + term.coefficient * v)
            }),
            TendonPath::Points(points) => {
                let (mut length, mut rate) = (0.0, 0.0);
                Self::each_part(
                    points,
                    |site| site.place(at.ws),
                    |part| {
                        let ((a, from), (b, to)) = (part.from, part.to);
                        let apart = at.ws.point_velocity(b, to) - at.ws.point_velocity(a, from);
                        length += part.length / part.divisor;
                        rate += part.direction().dot(&apart) / part.divisor;
                    },
                );
                (length, rate)
            }
        }
    }

    /// Its length at positions of the joints [m or rad]; prescribed joints do not move.
    pub(in crate::multibody) fn length_at(&self, tree: &Tree, q: &[f64]) -> f64 {
        match &self.path {
            TendonPath::Joints(terms) => terms
                .iter()
                .map(|term| {
                    let place = tree.positions_of[tree.links[term.body.index()].v + term.index];
                    term.coefficient * (place.map_or(0.0, |place| q[place]) + term.reference)
                })
                .sum(),
            TendonPath::Points(points) => {
                let mut length = 0.0;
                let place =
                    |site: &Site| site.body.map_or(site.pose, |body| tree.pose_at(body, q) * site.pose);
                Self::each_part(points, place, |part| length += part.length / part.divisor);
                length
            }
        }
    }

    /// Adds a factor times the coefficients of the velocities in the rate of its length to a row.
    pub(in crate::multibody) fn add_row(&self, tree: &Tree, ws: &Workspace, factor: f64, row: &mut [f64]) {
        match &self.path {
            TendonPath::Joints(terms) => {
                for term in terms {
                    row[tree.links[term.body.index()].v + term.index] += factor * term.coefficient;
                }
            }
            TendonPath::Points(points) => Self::each_part(
                points,
                |site| site.place(ws),
                |part| {
                    let (along, share) = (part.direction(), factor / part.divisor);
                    tree.point_row(ws, part.to.0, part.to.1, along, share, row);
                    tree.point_row(ws, part.from.0, part.from.1, along, -share, row);
                },
            ),
        }
    }

    /// The second derivative of its length where no joint accelerates [m/s² or rad/s²]; where it wraps, as if the points in which it touches stayed on the body.
    pub(in crate::multibody) fn bias(&self, ws: &Workspace) -> f64 {
        let TendonPath::Points(points) = &self.path else { return 0.0 };
        let mut bias = 0.0;
        Self::each_part(
            points,
            |site| site.place(ws),
            |part| {
                let ((a, from), (b, to)) = (part.from, part.to);
                if a == b || part.length <= COINCIDENT {
                    return;
                }
                let along = part.direction();
                let apart = ws.point_velocity(b, to) - ws.point_velocity(a, from);
                let across = apart - along * along.dot(&apart);
                let bent = ws.point_bias(b, to) - ws.point_bias(a, from);
                bias += (along.dot(&bent) + across.norm_squared() / part.length) / part.divisor;
            },
        );
        bias
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
                let ws = at.ws;
                Self::each_part(
                    points,
                    |site| site.place(ws),
                    |part| {
                        let push = part.direction() * (force / part.divisor);
                        at.push(part.to.0, part.to.1, push);
                        at.push(part.from.0, part.from.1, -push);
                    },
                );
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
