//! Forces of contact laws as functions of poses and velocities.
//!
//! In: poses and velocities of the bodies at a trial, and what each contact froze where it began. Out: a wrench on each body. Friction is smooth in the velocity: it falls to zero below a centimetre per second, so that it
//! needs no state; what has to stick for ever belongs into a world with a method of its own.

use zerogap_contact::law::{NormalLaw, friction, modia3d};
use zerogap_contact::material::MaterialPair;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::Wrench;

use super::{BodyVelocity, ClosedPair, ZeroCrossingError, ZeroCrossings};
use crate::world::contact_radius::rolling_arm;
use crate::world::method::events::elastic::{WITHIN, stiffness_fraction};
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::{PairId, ShapeId};

impl ZeroCrossings {
    /// Writes the force and the torque about the origin of each body, in world axes, of all pairs in contact [N, N m]. Nothing changes by asking.
    ///
    /// Computes: along the normal the law of the world with what it froze where contact began; across it Coulomb friction of the pair's coefficient, smooth in the velocity; resistance to rolling.
    /// Frames: the world. Both wrenches of a pair are of one force at one common point.
    /// Fails: where the world's contacts are rigid, and under the linear law, which needs masses: its damping in numbers is that of the Kelvin-Voigt law.
    pub fn forces(
        &self,
        poses: &[Pose],
        velocities: &[BodyVelocity],
        wrenches: &mut [Wrench],
    ) -> Result<(), ZeroCrossingError> {
        self.check_poses(poses)?;
        self.check_velocities(velocities)?;
        let (needed, given) = (self.bodies, wrenches.len());
        if needed != given {
            return Err(ZeroCrossingError::Count { what: "wrenches", needed, given });
        }
        match self.law {
            None => return Err(ZeroCrossingError::NoForces { why: "those of this world are rigid" }),
            Some(NormalLaw::Linear { .. }) => {
                let why = "the linear law needs the masses of bodies; give the damping in N s/m, by contact = \"kelvin-voigt\"";
                return Err(ZeroCrossingError::NoForces { why });
            }
            Some(_) => {}
        }
        wrenches.fill(Wrench::default());
        for (&pair, closed) in &self.closed {
            self.add_pair(pair, closed, (poses, velocities), wrenches)?;
        }
        Ok(())
    }

    fn add_pair(
        &self,
        pair: PairId,
        closed: &ClosedPair,
        (poses, velocities): (&[Pose], &[BodyVelocity]),
        wrenches: &mut [Wrench],
    ) -> Result<(), ZeroCrossingError> {
        let Some(law) = closed.force else { return Ok(()) };
        let (work, placed) = (&mut *self.work(), self.placed(pair, poses));
        placed.springs(WITHIN * placed.size(), closed.radius, work);
        if let Some(failure) = work.failure.take() {
            return Err(ZeroCrossingError::NarrowPhase { pair, error: failure.error });
        }
        let properties = &self.material_pair(pair).properties;
        let (mut load, mut along) = (0.0, Vec3::zeros());
        for (k, contact) in work.contacts.iter().enumerate().filter(|(_, contact)| contact.gap < 0.0) {
            let (normal, at) = (contact.normal, 0.5 * (contact.point_a + contact.point_b));
            let velocity = relative_velocity(&placed, poses, velocities, &at);
            let rate = normal.dot(&velocity);
            // Corners are springs of their own, however near they are to each other.
            let fraction =
                if placed.is_oriented() { 1.0 } else { stiffness_fraction(work, k, closed.radius) };
            let push = fraction * law.force(-contact.gap, -rate);
            let slip = velocity + placed.surface_velocity();
            let slip = slip - normal * normal.dot(&slip);
            let force = normal * push + modia3d::friction(properties.friction, push, &slip);
            (load, along) = (load + push, along + normal * push);
            add_wrench(&placed, poses, wrenches, |origin| Wrench {
                force,
                torque: (at - origin).cross(&force),
            });
        }
        let normal = along.try_normalize(f64::MIN_POSITIVE).unwrap_or_else(Vec3::zeros);
        let turning = angular(velocities, &placed, true) - angular(velocities, &placed, false);
        let torque = if self.law == Some(NormalLaw::Modia3d) {
            modia3d::rolling(properties.rolling, closed.radius, load, &turning)
        } else {
            let arm = rolling_arm(&placed, &normal, closed.radius, properties);
            let rolling = turning - normal * normal.dot(&turning);
            let against = friction::turning(arm, load, &rolling);
            against + friction::turning(properties.spinning, load, &(normal * normal.dot(&turning)))
        };
        add_wrench(&placed, poses, wrenches, |_| Wrench { force: Vec3::zeros(), torque });
        Ok(())
    }

    pub(super) fn material_pair(&self, pair: PairId) -> &MaterialPair {
        let shape = |shape: ShapeId| &self.shapes[shape.0 as usize];
        self.materials.of(shape(pair.a), shape(pair.b))
    }
}

/// The angular velocity of one of two shapes [rad/s].
fn angular(velocities: &[BodyVelocity], placed: &PlacedPair<'_>, is_of_b: bool) -> Vec3 {
    let body = if is_of_b { placed.b.body } else { placed.a.body };
    body.map_or(Vec3::zeros(), |body| velocities[body.index()].angular)
}

/// Adds a wrench on B about the origin of its body, and its opposite on A.
fn add_wrench(
    placed: &PlacedPair<'_>,
    poses: &[Pose],
    wrenches: &mut [Wrench],
    about: impl Fn(&Vec3) -> Wrench,
) {
    for (body, sign) in [(placed.a.body, -1.0), (placed.b.body, 1.0)] {
        let Some(body) = body else { continue };
        let wrench = about(&poses[body.index()].translation());
        let sum = &mut wrenches[body.index()];
        sum.force += wrench.force * sign;
        sum.torque += wrench.torque * sign;
    }
}

/// The velocity of B against A at a point of both [m/s].
pub(super) fn relative_velocity(
    placed: &PlacedPair<'_>,
    poses: &[Pose],
    velocities: &[BodyVelocity],
    point: &Vec3,
) -> Vec3 {
    let of = |body: Option<zerogap_dynamics::multibody::BodyId>| {
        body.map_or(Vec3::zeros(), |body| velocities[body.index()].at(&poses[body.index()], point))
    };
    of(placed.b.body) - of(placed.a.body)
}
