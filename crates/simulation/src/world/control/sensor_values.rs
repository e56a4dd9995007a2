//! The values of sensors at the time reached.
//!
//! In: a world. Out: the values of each sensor, in the order of their files. Accelerations, and so accelerometers, force and torque sensors, are those of [`World::accelerations`]; forces of contacts are those of [`World::contact_points`].

use zerogap_core::nalgebra::Quaternion;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Site, Workspace, Wrench};
use zerogap_geometry::shape::Ray;

use super::equations::place;
use super::labels::unknown;
use super::sensors::{FrameQuantity, Sensor, SensorKind, Zone};
use crate::world::{ContactPoint, World, WorldError};

/// Beyond this a rangefinder sees nothing [m]: a ray along a plane meets it there by rounding alone.
const FARTHEST: f64 = 1e6;

/// What sensors read from, found once for all of them.
struct Instant<'a> {
    world: &'a World,
    ws: &'a Workspace,
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    /// Empty where no sensor needs them.
    accelerations: &'a [f64],
    /// Loads that bodies take over their joints, at their origins; empty where no sensor needs them.
    loads: &'a [Wrench],
    points: &'a [ContactPoint],
    actuator_efforts: &'a [f64],
}

impl World {
    /// Returns the values of all sensors, in the order of [`super::Labels::sensors`]. Those on bodies that were removed, and kinds that are not evaluated, are not numbers.
    pub fn sensor_values(&self) -> Vec<Vec<f64>> {
        let sensors: Vec<&Sensor> = self.labels().sensors.iter().collect();
        self.read_sensors(&sensors)
    }

    /// Returns the values of a sensor by name.
    pub fn sensor(&self, name: &str) -> Result<Vec<f64>, WorldError> {
        let sensors = &self.labels().sensors;
        let found = sensors.iter().find(|sensor| sensor.name == name).ok_or_else(|| {
            let names = sensors.iter().map(|sensor| sensor.name.clone()).filter(|name| !name.is_empty());
            unknown("sensor", name, names.collect())
        })?;
        Ok(self.read_sensors(&[found]).remove(0))
    }

    fn read_sensors(&self, sensors: &[&Sensor]) -> Vec<Vec<f64>> {
        let needs = |needed: fn(&SensorKind) -> bool| sensors.iter().any(|sensor| needed(&sensor.kind));
        let accelerations =
            if needs(SensorKind::needs_accelerations) { self.accelerations() } else { Vec::new() };
        let needs_loads = needs(|kind| matches!(kind, SensorKind::Force(_) | SensorKind::Torque(_)));
        let outer = if needs_loads { self.outer_wrenches() } else { Vec::new() };
        let needs_points = needs(|kind| matches!(kind, SensorKind::Touch(_)));
        let points = if needs_points { self.contact_points() } else { Vec::new() };
        let tree = self.tree();
        let (t, q, v) = (self.time(), self.positions(), self.velocities());
        self.with_places(|ws| {
            let loads = if needs_loads { tree.joint_loads(ws, &outer, &accelerations) } else { Vec::new() };
            let mut actuator_efforts = vec![0.0; v.len()];
            if needs(|kind| matches!(kind, SensorKind::JointActuatorForce(_))) {
                tree.add_actuator_efforts(t, (q, v), ws, &mut actuator_efforts);
            }
            let instant = Instant {
                world: self,
                ws,
                t,
                q,
                v,
                accelerations: &accelerations,
                loads: &loads,
                points: &points,
                actuator_efforts: &actuator_efforts,
            };
            sensors.iter().map(|sensor| instant.read(sensor)).collect()
        })
    }
}

impl Instant<'_> {
    /// The values of a sensor, bounded.
    fn read(&self, sensor: &Sensor) -> Vec<f64> {
        let kind = &sensor.kind;
        if kind.bodies().into_iter().any(|body| self.world.check_body(body).is_err()) {
            return vec![f64::NAN; kind.len()];
        }
        let mut values = self.values(kind);
        let is_direction = matches!(
            kind,
            SensorKind::BallQuaternion(_)
                | SensorKind::Frame { quantity: FrameQuantity::Quaternion | FrameQuantity::Axis(_), .. }
        );
        if sensor.cutoff > 0.0 && !is_direction {
            for x in &mut values {
                *x = x.max(-sensor.cutoff).min(sensor.cutoff);
            }
        }
        values
    }

    fn values(&self, kind: &SensorKind) -> Vec<f64> {
        let tree = self.world.tree();
        let (first_q, first_v) = (|body| tree.q_range(body).start, |body| tree.v_range(body).start);
        let tendon = |number| tree.tendon_values(number, (self.q, self.v), self.ws).unwrap_or_default();
        let actuator =
            |number| tree.actuator_values(number, self.t, (self.q, self.v), self.ws).unwrap_or_default();
        match kind {
            SensorKind::JointPosition(body) => {
                vec![self.q[first_q(*body)] + self.world.joint_reference(*body)]
            }
            SensorKind::JointVelocity(body) => vec![self.v[first_v(*body)]],
            SensorKind::JointActuatorForce(body) => vec![self.actuator_efforts[first_v(*body)]],
            SensorKind::BallQuaternion(body) => {
                let q = &self.q[tree.q_range(*body)];
                let unit = Quaternion::new(q[3], q[0], q[1], q[2]).normalize();
                vec![unit.w, unit.i, unit.j, unit.k]
            }
            SensorKind::BallVelocity(body) => self.v[tree.v_range(*body)].to_vec(),
            SensorKind::TendonPosition(number) => vec![tendon(*number).0],
            SensorKind::TendonVelocity(number) => vec![tendon(*number).1],
            SensorKind::ActuatorPosition(number) => vec![actuator(*number).length],
            SensorKind::ActuatorVelocity(number) => vec![actuator(*number).rate],
            SensorKind::ActuatorForce(number) => vec![actuator(*number).force],
            SensorKind::Frame { quantity, frame, reference } => {
                self.frame(*quantity, frame, reference.as_ref())
            }
            SensorKind::Gyro(site) => self.in_axes(site, self.spin(site)),
            SensorKind::Accelerometer(site) => self.in_axes(site, self.felt_acceleration(site)),
            SensorKind::Velocimeter(site) => self.in_axes(site, self.velocity(site)),
            SensorKind::Magnetometer { site, field } => self.in_axes(site, *field),
            SensorKind::Force(site) => self.in_axes(site, self.load(site).force),
            SensorKind::Torque(site) => self.in_axes(site, self.load(site).torque),
            SensorKind::Touch(zone) => vec![self.touch(zone)],
            SensorKind::Rangefinder(site) => vec![self.range(site)],
            SensorKind::SubtreeCenter(body) => {
                let center = tree.center_of_mass(self.ws, Some(*body));
                listed(center.map_or_else(|| self.ws.pose(*body).translation(), |(_, center)| center))
            }
            SensorKind::SubtreeVelocity(body) => {
                let mass = tree.center_of_mass(self.ws, Some(*body)).map_or(1.0, |(mass, _)| mass);
                listed(tree.momentum_under(self.ws, Some(*body)).0 / mass)
            }
            SensorKind::SubtreeAngularMomentum(body) => listed(tree.momentum_under(self.ws, Some(*body)).1),
            SensorKind::KineticEnergy => vec![tree.energy(self.ws, self.q).kinetic],
            SensorKind::PotentialEnergy => {
                let energy = tree.energy(self.ws, self.q);
                vec![energy.gravity + energy.springs]
            }
            SensorKind::Clock => vec![self.t],
            SensorKind::Unread(_) => vec![f64::NAN],
        }
    }

    fn in_axes(&self, site: &Site, vector: Vec3) -> Vec<f64> {
        listed(place(site, self.ws).inverse_transform_vector(&vector))
    }

    fn spin(&self, site: &Site) -> Vec3 {
        site.body.map_or_else(Vec3::zeros, |body| self.ws.angular_velocity(body))
    }

    fn velocity(&self, site: &Site) -> Vec3 {
        self.ws.point_velocity(site.body, place(site, self.ws).translation())
    }

    /// The acceleration of the origin of a frame.
    fn acceleration(&self, site: &Site) -> Vec3 {
        let at = place(site, self.ws).translation();
        let mut sum = self.ws.point_bias(site.body, at);
        self.world.tree().each_point_velocity(self.ws, site.body, at, |k, velocity| {
            sum += velocity * self.accelerations[k];
        });
        sum
    }

    /// The same as an accelerometer feels it.
    fn felt_acceleration(&self, site: &Site) -> Vec3 {
        self.acceleration(site) - self.world.tree().gravity()
    }

    fn angular_acceleration(&self, site: &Site) -> Vec3 {
        let mut sum = site.body.map_or_else(Vec3::zeros, |body| self.ws.bias_angular(body));
        self.world.tree().each_angular_velocity(self.ws, site.body, |k, velocity| {
            sum += velocity * self.accelerations[k];
        });
        sum
    }

    fn frame(&self, quantity: FrameQuantity, frame: &Site, reference: Option<&Site>) -> Vec<f64> {
        let pose = place(frame, self.ws);
        let from = reference.map_or_else(Pose::identity, |site| place(site, self.ws));
        let seen = |vector: Vec3| listed(from.inverse_transform_vector(&vector));
        let zero = Vec3::zeros();
        match quantity {
            FrameQuantity::Position => seen(pose.translation() - from.translation()),
            FrameQuantity::Quaternion => {
                let [x, y, z, w] = (from.inverse() * pose).quaternion_xyzw();
                vec![w, x, y, z]
            }
            FrameQuantity::Axis(axis) => {
                let unit = [Vec3::x(), Vec3::y(), Vec3::z()][usize::from(axis.min(2))];
                seen(pose.transform_vector(&unit))
            }
            FrameQuantity::LinearVelocity => {
                let carried =
                    reference.map_or(zero, |site| self.ws.point_velocity(site.body, pose.translation()));
                seen(self.velocity(frame) - carried)
            }
            FrameQuantity::AngularVelocity => {
                seen(self.spin(frame) - reference.map_or(zero, |site| self.spin(site)))
            }
            FrameQuantity::LinearAcceleration => listed(self.felt_acceleration(frame)),
            FrameQuantity::AngularAcceleration => listed(self.angular_acceleration(frame)),
        }
    }

    /// What the body of a site takes over its joint, about the site.
    fn load(&self, site: &Site) -> Wrench {
        let Some(body) = site.body else { return Wrench::ZERO };
        let origin = self.ws.pose(body).translation();
        self.loads[body.index()].about(&(origin - place(site, self.ws).translation()))
    }

    /// Sum of the normal forces that a zone feels: those at whose point it is, or towards which they push.
    fn touch(&self, zone: &Zone) -> f64 {
        let at = place(&zone.place, self.ws);
        let mut sum = 0.0;
        for point in self.points {
            let [a, b] = [point.pair.a, point.pair.b].map(|shape| self.world.body_of(shape));
            let outwards = match zone.place.body {
                body if body == a => point.normal,
                body if body == b => -point.normal,
                _ => continue,
            };
            let push = point.force.dot(&point.normal);
            if push <= 0.0 {
                continue;
            }
            let ray =
                Ray::new(at.inverse_transform_point(&point.point), at.inverse_transform_vector(&outwards));
            let is_felt = ray.ok().and_then(|ray| zone.shape.cast_ray(&ray).ok().flatten()).is_some();
            sum += if is_felt { push } else { 0.0 };
        }
        sum
    }

    /// The distance along the z axis of a site to the first shape that is not on its body.
    fn range(&self, site: &Site) -> f64 {
        let at = place(site, self.ws);
        let (origin, direction) = (at.translation(), at.transform_vector(&Vec3::z()));
        let mut nearest = f64::INFINITY;
        for (shape, body, pose, _) in self.world.placed_shapes() {
            if body == site.body || body.is_some_and(|body| self.world.check_body(body).is_err()) {
                continue;
            }
            let shape_at = self.pose_of(body) * *pose;
            let ray = Ray::new(
                shape_at.inverse_transform_point(&origin),
                shape_at.inverse_transform_vector(&direction),
            );
            if let Some(hit) = ray.ok().and_then(|ray| shape.cast_ray(&ray).ok().flatten()) {
                nearest = nearest.min(hit.distance);
            }
        }
        if nearest < FARTHEST { nearest } else { -1.0 }
    }

    fn pose_of(&self, body: Option<BodyId>) -> Pose {
        body.map_or_else(Pose::identity, |body| *self.ws.pose(body))
    }
}

fn listed(vector: Vec3) -> Vec<f64> {
    vector.iter().copied().collect()
}
