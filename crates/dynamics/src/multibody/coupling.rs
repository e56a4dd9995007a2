//! Couplings: a sum of joint positions that follows a polynomial of another one, as gears, mimicking joints and coupled tendons do.
//!
//! In: positions and velocities. Out: one condition `sum c q - p(sum d q) = 0` with its rate, row and bias, beside those of the loops.

use super::error::TreeError;
use super::forces::JointTerm;
use super::joint::BodyId;
use super::tree::Tree;
use super::workspace::Workspace;

/// A condition between positions of joints: the sum of `follows` is the polynomial, from the constant up, of the sum of `leads`. References of terms do not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Coupling {
    /// Joints that follow.
    pub follows: Vec<JointTerm>,
    /// Joints that lead; none: the constant alone counts.
    pub leads: Vec<JointTerm>,
    /// Coefficients of the polynomial.
    pub polynomial: [f64; 5],
}

zerogap_core::store_struct!(Coupling { follows, leads, polynomial });

/// The condition at an instant.
pub(super) struct CouplingRow {
    pub(super) error: f64,
    pub(super) rate: f64,
    pub(super) bias: f64,
    pub(super) is_angular: bool,
    slope: f64,
}

impl Coupling {
    fn terms(&self) -> impl Iterator<Item = &JointTerm> {
        self.follows.iter().chain(&self.leads)
    }

    /// Gives the bodies other numbers.
    pub fn renumber(&mut self, number: impl Fn(BodyId) -> BodyId) {
        for term in self.follows.iter_mut().chain(&mut self.leads) {
            term.body = number(term.body);
        }
    }

    /// Whether a joint of a body takes part.
    pub(super) fn holds(&self, body: BodyId) -> bool {
        self.terms().any(|term| term.body == body)
    }

    /// Pairs of bodies that it joins: all of them, in a chain.
    pub(super) fn ends(&self) -> impl Iterator<Item = [Option<BodyId>; 2]> + '_ {
        let next = self.terms().skip(1);
        self.terms().zip(next).map(|(a, b)| [Some(a.body), Some(b.body)])
    }

    /// Refuses joints that are not there or have no position, and numbers that are not finite.
    pub(super) fn check(&self, has_position: impl Fn(&JointTerm) -> bool) -> Result<(), TreeError> {
        let wrong = |reason, value| Err(TreeError::Force { reason, value });
        if self.follows.is_empty() {
            return wrong("a coupling needs a joint that follows", 0.0);
        }
        if let Some(term) = self.terms().find(|term| !has_position(term)) {
            return wrong("it couples a joint without such a position", f64::from(term.body.0));
        }
        let numbers = self.terms().map(|term| term.coefficient).chain(self.polynomial);
        match numbers.into_iter().find(|x| !x.is_finite()) {
            Some(value) => wrong("its numbers must be finite", value),
            None => Ok(()),
        }
    }

    /// The condition at the last update.
    pub(super) fn row(&self, tree: &Tree, ws: &Workspace) -> CouplingRow {
        let sum = |terms: &[JointTerm]| {
            terms.iter().fold((0.0, 0.0), |(position, rate), term| {
                let k = tree.links[term.body.index()].v + term.index;
                let q = tree.positions_of[k].map_or(0.0, |place| ws.coordinates[place]);
                (position + term.coefficient * q, rate + term.coefficient * ws.velocities[k])
            })
        };
        let ((y, dy), (x, dx)) = (sum(&self.follows), sum(&self.leads));
        let [a, b, c, d, e] = self.polynomial;
        let value = a + x * (b + x * (c + x * (d + x * e)));
        let slope = b + x * (2.0 * c + x * (3.0 * d + x * 4.0 * e));
        let second = 2.0 * c + x * (6.0 * d + x * 12.0 * e);
        let first = &self.follows[0];
        let is_angular = tree.rotates[tree.links[first.body.index()].v + first.index];
        CouplingRow { error: y - value, rate: dy - slope * dx, bias: -second * dx * dx, is_angular, slope }
    }

    /// Adds the coefficients of the velocities to a row.
    pub(super) fn write(&self, tree: &Tree, at: &CouplingRow, row: &mut [f64]) {
        for (terms, factor) in [(&self.follows, 1.0), (&self.leads, -at.slope)] {
            for term in terms {
                row[tree.links[term.body.index()].v + term.index] += factor * term.coefficient;
            }
        }
    }
}
