//! Penalty forces on points that have hit targets: what drives the reaction in Schock and Langlois.
//!
//! In: a configuration of [`zerogap_proximity::oriented::Oriented`], a trial or the reference, and velocities. Out: a force on each initiator along the normal of the surface that it came in through, in proportion to its depth below *that* surface, damped, with smooth friction; and the opposite on the targets.

use zerogap_contact::law::{Begin, LawError, NormalLaw, modia3d};
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::Wrench;
use zerogap_proximity::oriented::Configuration;

use crate::world::BodyVelocity;

/// A spring, a damper and friction at each initiator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltyLaw {
    /// Along the normal [N/m].
    pub stiffness: f64,
    /// Along the normal [N s/m]; the force never pulls.
    pub damping: f64,
    /// Coefficient of friction along the surface [-]: smooth in the velocity, it falls to zero below 0.01 m/s.
    pub friction: f64,
}

/// Forces on initiators, and what they do to targets.
#[derive(Debug, Clone, PartialEq)]
pub struct PenaltyForces {
    /// On each initiator, in world axes [N].
    pub initiators: Vec<Vec3>,
    /// On each target: force [N] and torque about its origin [N m], in world axes.
    pub targets: Vec<Wrench>,
}

/// Returns the forces of all contacts of a configuration.
///
/// Computes: on each initiator in contact `n max(0, -k gap - d n·v) + friction`, v its velocity against the target at the point.
/// Frames: the world.
/// Tolerance: 4 ulp of the larger of spring and damper. Momentum and angular momentum are kept to rounding: initiator and target act on each other at the initiator.
/// Fails: a stiffness that is not positive, or a negative damping.
///
/// # Panics
/// Where there are fewer poses or velocities than targets or initiators.
///
/// ```
/// use zerogap::oriented::{PenaltyLaw, penalty_forces};
/// use zerogap::proximity::oriented::{Oriented, OrientedParams, Target};
/// use zerogap::world::BodyVelocity;
/// use zerogap::{Pose, Vec3};
///
/// // A plate of 20 mm and a point that has sunk three quarters through it: it is pushed up still.
/// let plate = Target::polygon(&[[0.0, 0.02], [1.0, 0.02], [1.0, 0.0], [0.0, 0.0]])?;
/// let (still, at) = ([Pose::identity()], |y: f64| [Vec3::new(0.5, y, 0.0)]);
/// let mut oriented = Oriented::new(vec![plate], &still, &at(0.03), OrientedParams::default())?;
/// oriented.commit(&still, &at(0.005))?;
/// let law = PenaltyLaw { stiffness: 1e5, damping: 0.0, friction: 0.0 };
/// let motions = [BodyVelocity::default()];
/// let forces = penalty_forces(oriented.reference(), &law, (&still, &motions), (&at(0.005), &[Vec3::zeros()]))?;
/// assert!((forces.initiators[0] - Vec3::new(0.0, 1500.0, 0.0)).norm() < 1e-9);
/// assert_eq!(forces.targets[0].force, -forces.initiators[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penalty_forces(
    configuration: &Configuration,
    law: &PenaltyLaw,
    (poses, motions): (&[Pose], &[BodyVelocity]),
    (points, velocities): (&[Vec3], &[Vec3]),
) -> Result<PenaltyForces, LawError> {
    let PenaltyLaw { stiffness, damping, friction } = *law;
    let spring = NormalLaw::KelvinVoigt { stiffness, damping }.checked()?.begin(&Begin {
        approach: 0.0,
        stiffness_modulus: 0.0,
        radius: 0.0,
        effective_mass: 0.0,
        restitution: 0.0,
    });
    let mut forces = PenaltyForces {
        initiators: vec![Vec3::zeros(); points.len()],
        targets: vec![Wrench::default(); poses.len()],
    };
    for touch in configuration.touches() {
        let (target, initiator) = (touch.target as usize, touch.initiator as usize);
        let (point, motion) = (points[initiator], &motions[target]);
        let arm = point - poses[target].translation();
        let velocity = velocities[initiator] - (motion.linear + motion.angular.cross(&arm));
        let along = touch.normal.dot(&velocity);
        let push = spring.force(-touch.gap, -along);
        let slip = velocity - touch.normal * along;
        let force = touch.normal * push + modia3d::friction(friction, push, &slip);
        forces.initiators[initiator] += force;
        forces.targets[target].force -= force;
        forces.targets[target].torque -= arm.cross(&force);
    }
    Ok(forces)
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::shape::Cuboid;
    use zerogap_proximity::oriented::{Oriented, OrientedParams, Target};
    use zerogap_testkit::random::Random;

    use super::*;

    #[test]
    fn points_and_targets_push_each_other_alike() {
        let mut random = Random::new(4);
        let cube = || Target::cuboid(&Cuboid::new(Vec3::new(1.0, 0.8, 0.6)).unwrap());
        let law = PenaltyLaw { stiffness: 1e4, damping: 30.0, friction: 0.4 };
        let mut pushed = 0;
        for _ in 0..50 {
            let pose = |random: &mut Random| {
                Pose::from_axis_angle(
                    random.in_cube(0.4),
                    random.in_cube(1.0) + Vec3::z() * 2.0,
                    random.range(0.0, 3.0),
                )
                .unwrap()
            };
            let poses = [pose(&mut random), pose(&mut random)];
            let motions =
                [0; 2].map(|_| BodyVelocity { linear: random.in_cube(1.0), angular: random.in_cube(2.0) });
            let points: Vec<Vec3> = (0..20).map(|_| random.in_cube(0.8)).collect();
            let velocities: Vec<Vec3> = (0..20).map(|_| random.in_cube(1.0)).collect();
            let params = OrientedParams::default();
            let oriented = Oriented::new(vec![cube(), cube()], &poses, &points, params).unwrap();
            let found = oriented.reference();
            let forces = penalty_forces(found, &law, (&poses, &motions), (&points, &velocities)).unwrap();
            let force: Vec3 =
                forces.initiators.iter().sum::<Vec3>() + forces.targets.iter().map(|w| w.force).sum::<Vec3>();
            let torque: Vec3 = forces.initiators.iter().zip(&points).map(|(f, p)| p.cross(f)).sum::<Vec3>()
                + forces
                    .targets
                    .iter()
                    .zip(&poses)
                    .map(|(w, p)| w.torque + p.translation().cross(&w.force))
                    .sum::<Vec3>();
            let size: f64 = forces.initiators.iter().map(Vec3::norm).sum();
            assert!(force.norm() <= 1e-12 * size && torque.norm() <= 1e-12 * size);
            pushed += usize::from(size > 0.0);
            // Never a pull: each contact pushes out of the surface that it is on.
            for touch in found.touches().iter().filter(|touch| touch.target == 0) {
                let alone = found.touches().iter().filter(|t| t.initiator == touch.initiator).count() == 1;
                let along = forces.initiators[touch.initiator as usize].dot(&touch.normal);
                assert!(!alone || along >= 0.0);
            }
        }
        assert!(pushed > 30);
        assert!(
            penalty_forces(
                &Configuration::new(),
                &PenaltyLaw { stiffness: 0.0, ..law },
                (&[], &[]),
                (&[], &[])
            )
            .is_err()
        );
    }
}
