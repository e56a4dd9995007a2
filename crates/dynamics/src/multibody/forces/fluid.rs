//! Forces of a fluid at rest or in a uniform wind on bodies: by their equivalent inertia boxes, or by ellipsoids on them.
//!
//! Method: the two models that the documentation of `MuJoCo` describes under "Fluid forces". A box with the mass and principal inertias of the body feels viscous resistance as a sphere of its mean
//! side, and drag on each face and each rotation. An ellipsoid feels drag of its projected area and its largest one, viscous resistance, the Kutta and Magnus lifts, and the forces of the fluid that it carries along.

use std::f64::consts::PI;

use zerogap_core::{Pose, Vec3};

use super::Evaluation;
use crate::multibody::joint::BodyId;

/// Squares of velocities below this have no direction.
const SMALLEST: f64 = 1e-15;

/// A fluid and what moves in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fluid {
    /// Density [kg/m³].
    pub density: f64,
    /// Viscosity [Pa s].
    pub viscosity: f64,
    /// Velocity of the fluid [m/s].
    pub wind: Vec3,
    /// What it acts on.
    pub bodies: Vec<FluidBody>,
}

zerogap_core::store_struct!(Fluid { density, viscosity, wind, bodies });

/// A body, or an ellipsoid on one, in a fluid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FluidBody {
    /// The body.
    pub body: BodyId,
    /// Centre and axes on the body.
    pub pose: Pose,
    /// Sides of the box, or half axes of the ellipsoid [m].
    pub size: Vec3,
    /// Coefficients of an ellipsoid; none for a box.
    pub ellipsoid: Option<EllipsoidDrag>,
}

zerogap_core::store_struct!(FluidBody { body, pose, size, ellipsoid });

/// Coefficients of an ellipsoid in a fluid [-].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EllipsoidDrag {
    /// Of the projected area.
    pub blunt: f64,
    /// Of the rest of the largest area.
    pub slender: f64,
    /// Of rotation.
    pub angular: f64,
    /// Of the Kutta lift.
    pub kutta: f64,
    /// Of the Magnus lift.
    pub magnus: f64,
}

zerogap_core::store_struct!(EllipsoidDrag { blunt, slender, angular, kutta, magnus });

impl Fluid {
    pub(super) fn add(&self, at: &mut Evaluation<'_>) {
        for one in &self.bodies {
            let place = *at.ws.pose(one.body) * one.pose;
            let center = place.translation();
            let velocity =
                place.inverse_transform_vector(&(at.ws.point_velocity(Some(one.body), center) - self.wind));
            let spin = place.inverse_transform_vector(&at.ws.angular_velocity(one.body));
            let (force, torque) = match &one.ellipsoid {
                None => self.on_box(&one.size, &velocity, &spin),
                Some(drag) => self.on_ellipsoid(&one.size, drag, &velocity, &spin),
            };
            at.push(Some(one.body), center, place.transform_vector(&force));
            at.twist(Some(one.body), place.transform_vector(&torque));
        }
    }

    fn on_box(&self, side: &Vec3, velocity: &Vec3, spin: &Vec3) -> (Vec3, Vec3) {
        let mean = side.sum() / 3.0;
        let mut force = velocity * (-3.0 * PI * mean * self.viscosity);
        let mut torque = spin * (-PI * mean * mean * mean * self.viscosity);
        for k in 0..3 {
            let (a, b) = (side[(k + 1) % 3], side[(k + 2) % 3]);
            force[k] -= 0.5 * self.density * a * b * velocity[k].abs() * velocity[k];
            torque[k] -= self.density * side[k] * (a.powi(4) + b.powi(4)) * spin[k].abs() * spin[k] / 64.0;
        }
        (force, torque)
    }

    fn on_ellipsoid(&self, half: &Vec3, drag: &EllipsoidDrag, velocity: &Vec3, spin: &Vec3) -> (Vec3, Vec3) {
        let (density, viscosity) = (self.density, self.viscosity);
        let volume = 4.0 / 3.0 * PI * half.product();
        let (longest, shortest) = (half.max(), half.min());
        let middle = half.sum() - longest - shortest;
        let largest_area = PI * longest * middle;

        // The fluid that is carried along: Lamb 1932, sec. 114 and 115.
        let (mass, inertia) = virtual_inertia(half);
        let momentum = velocity.component_mul(&mass) * density;
        let angular = spin.component_mul(&inertia) * density;
        let mut force = momentum.cross(spin);
        let mut torque = momentum.cross(velocity) + angular.cross(spin);

        // Lifts.
        force += spin.cross(velocity) * (drag.magnus * density * volume);
        let across = Vec3::new(half.y * half.z, half.z * half.x, half.x * half.y);
        let normal = velocity.component_mul(&across).component_mul(&across);
        let bottom = normal.norm_squared();
        let top = velocity.component_mul(&across).norm_squared();
        let area = PI * (bottom / top.max(SMALLEST)).sqrt();
        let speed = velocity.norm();
        let cosine = top / (speed * bottom).max(SMALLEST);
        let circulation = normal.cross(velocity) * (drag.kutta * density * cosine * area);
        force += circulation.cross(velocity);

        // Resistance.
        let diameter = 2.0 / 3.0 * half.sum();
        let most = |k: usize| {
            let (a, b) = (half[(k + 1) % 3], half[(k + 2) % 3]);
            8.0 / 15.0 * PI * half[k] * a.max(b).powi(4)
        };
        let moments = Vec3::new(most(0), most(1), most(2));
        let largest_moment = 8.0 / 15.0 * PI * middle * longest.powi(4);
        let slender = Vec3::from_element(largest_moment) - moments;
        let turning = spin.component_mul(&(moments * drag.angular + slender * drag.slender));
        let linear = viscosity * 3.0 * PI * diameter
            + density * speed * (area * drag.blunt + drag.slender * (largest_area - area));
        let rotary = viscosity * PI * diameter.powi(3) + density * turning.norm();
        force -= velocity * linear;
        torque -= spin * rotary;
        (force, torque)
    }
}

/// Volume and volume times square of length that an ellipsoid carries along, by axis.
fn virtual_inertia(half: &Vec3) -> (Vec3, Vec3) {
    let volume = 4.0 / 3.0 * PI * half.product();
    let kappa = Vec3::new(kappa(half, 0), kappa(half, 1), kappa(half, 2));
    let (mut mass, mut inertia) = (Vec3::zeros(), Vec3::zeros());
    for k in 0..3 {
        mass[k] = volume * kappa[k] / (2.0 - kappa[k]).max(SMALLEST);
        let (a, b) = ((k + 1) % 3, (k + 2) % 3);
        let (difference, sum) = (half[a].powi(2) - half[b].powi(2), half[a].powi(2) + half[b].powi(2));
        let factor = difference * difference * (kappa[b] - kappa[a]).abs()
            / (2.0 * difference + sum * (kappa[a] - kappa[b])).abs().max(SMALLEST);
        inertia[k] = volume * factor / 5.0;
    }
    (mass, inertia)
}

/// `x y z` times the integral of `1 / ((k² + s) sqrt((x² + s) (y² + s) (z² + s)))` over s from 0 to infinity.
///
/// Method: with `s = d² (u / (1 - u))²` for the longest half axis d the integrand is smooth on (0, 1): Gauss-Legendre rule of two points on each of 64 intervals. Tolerance: 1e-8 relative for ratios of axes up to 20.
fn kappa(half: &Vec3, k: usize) -> f64 {
    const INTERVALS: usize = 128;
    let longest = half.max();
    let at = |u: f64| {
        let w = u / (1.0 - u);
        let s = (longest * w).powi(2);
        let root = ((half.x.powi(2) + s) * (half.y.powi(2) + s) * (half.z.powi(2) + s)).sqrt();
        let slope = 2.0 * longest * longest * w / ((1.0 - u) * (1.0 - u));
        slope / ((half[k].powi(2) + s) * root)
    };
    let (h, offset) = (1.0 / INTERVALS as f64, 0.5 / 3.0_f64.sqrt());
    let sum: f64 = (0..INTERVALS)
        .map(|i| {
            let middle = (i as f64 + 0.5) * h;
            at(middle - offset * h) + at(middle + offset * h)
        })
        .sum();
    half.product() * sum * 0.5 * h
}
