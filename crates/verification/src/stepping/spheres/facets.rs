//! Energy loss of a polygon that rolls on a polygon: it rotates about one point after another, and at each new point loses the part of its momentum that is not a rotation about it.
//!
//! In: two polygons in a plane, mass and inertia, and how fast the upper one turns. Out: energy after each change of the point, and when. Derivation: docs/derivations/rolling-polyhedra.md.

use std::f64::consts::PI;

use zerogap_core::math::{acos, atan2, cos, sin};

/// A point or vector of the plane: x to the right, z up [m].
type Point = [f64; 2];

/// Turns smaller than this are none [rad].
const NO_TURN: f64 = 1e-9;
/// Steps of the quadrature of each time, even [-].
const PIECES: usize = 64;

/// A polygon that rolls on another to the right, at the moment after a change of the point about which it turns.
pub(super) struct Wheel {
    /// Corners of the polygon, and those of the one it rolls on, in order around each.
    own: Vec<Point>,
    ground: Vec<Point>,
    center: Point,
    /// About which it turns.
    pivot: Point,
    /// Inertia about the centre over the mass [m²].
    gyration: f64,
    gravity: f64,
    /// Speed of turning, clockwise [rad/s].
    spin: f64,
    t: f64,
}

/// After a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Change {
    pub(super) t: f64,
    /// Energy per mass [J/kg], with heights from the start.
    pub(super) energy: f64,
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Turned clockwise about a point.
fn rotated(point: Point, about: Point, angle: f64) -> Point {
    let [x, z] = minus(point, about);
    let (c, s) = (cos(angle), sin(angle));
    [about[0] + c * x + s * z, about[1] - s * x + c * z]
}

/// A regular polygon about a centre with a side on top, clockwise from the left end of that side.
pub(super) fn regular(sides: usize, radius: f64, center: Point) -> Vec<Point> {
    (0..sides)
        .map(|side| {
            let angle = 2.0 * PI * (side as f64 - 0.5) / sides as f64;
            [center[0] + radius * sin(angle), center[1] + radius * cos(angle)]
        })
        .collect()
}

/// The first clockwise turn about `pivot` that brings `point` onto the segment, if any does.
fn contact_angle(point: Point, pivot: Point, (from, to): (Point, Point)) -> Option<f64> {
    let along = minus(to, from);
    let normal = [along[1], -along[0]];
    let arm = minus(point, pivot);
    // normal · rotated arm = normal · (from - pivot): a cosine of the turn.
    let (a, b) = (dot(normal, arm), normal[0] * arm[1] - normal[1] * arm[0]);
    let (size, phase) = ((a * a + b * b).sqrt(), atan2(b, a));
    let cosine = dot(normal, minus(from, pivot)) / size;
    // A point at the pivot stays there; a point too near reaches no other line.
    if dot(arm, arm) <= NO_TURN * NO_TURN || cosine.is_nan() || cosine.abs() > 1.0 {
        return None;
    }
    let half = acos(cosine);
    let tau = 2.0 * PI;
    let first = |angle: f64| {
        let angle = angle.rem_euclid(tau);
        let offset = minus(rotated(point, pivot, angle), from);
        let place = dot(offset, along) / dot(along, along);
        (angle > NO_TURN && angle < tau - NO_TURN && (-NO_TURN..=1.0 + NO_TURN).contains(&place))
            .then_some(angle)
    };
    [first(phase + half), first(phase - half)].into_iter().flatten().reduce(f64::min)
}

fn sides(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]))
}

impl Wheel {
    /// A wheel that stands with a side on the top side of the ground and rotates about the right end of their common segment.
    pub(super) fn new(
        (own, center): (Vec<Point>, Point),
        ground: Vec<Point>,
        pivot: Point,
        (gyration, gravity, spin): (f64, f64, f64),
    ) -> Self {
        Self { own, ground, center, pivot, gyration, gravity, spin, t: 0.0 }
    }

    /// Energy per mass [J/kg].
    pub(super) fn energy(&self) -> f64 {
        let arm = minus(self.center, self.pivot);
        0.5 * (self.gyration + dot(arm, arm)) * self.spin * self.spin + self.gravity * self.center[1]
    }

    /// Rotates until the next contact, and moves the pivot to it; none where the wheel lacks the energy to get there, or would lift off.
    pub(super) fn change(&mut self) -> Option<Change> {
        // The smallest rotation that brings a corner to a side of the other; of several at once the farthest from the pivot.
        let mut contacts: Vec<(f64, Point)> = Vec::new();
        for corner in &self.own {
            for side in sides(&self.ground) {
                let turn = contact_angle(*corner, self.pivot, side);
                contacts.extend(turn.map(|turn| (turn, rotated(*corner, self.pivot, turn))));
            }
        }
        for corner in &self.ground {
            for (from, to) in sides(&self.own) {
                // In the frame of the wheel the ground rotates in the opposite direction: mirrored, it is the same problem.
                let mirror = |point: Point| [-point[0], point[1]];
                let turn = contact_angle(mirror(*corner), mirror(self.pivot), (mirror(from), mirror(to)));
                contacts.extend(turn.map(|turn| (turn, *corner)));
            }
        }
        let first = contacts.iter().map(|(turn, _)| *turn).reduce(f64::min)?;
        let far = |point: Point| dot(minus(point, self.pivot), minus(point, self.pivot));
        let tied = contacts.iter().filter(|(turn, _)| *turn <= first + NO_TURN).map(|(_, point)| *point);
        let next = tied.max_by(|p, q| far(*p).total_cmp(&far(*q)))?;
        self.turn(first)?;

        // Only the momentum about the new point is left.
        let (old, new) = (minus(self.center, self.pivot), minus(self.center, next));
        self.spin *= (self.gyration + dot(old, new)) / (self.gyration + dot(new, new));
        self.pivot = next;
        Some(Change { t: self.t, energy: self.energy() })
    }

    /// Turns about the pivot by an angle, with the energy there is.
    fn turn(&mut self, angle: f64) -> Option<()> {
        let arm = minus(self.center, self.pivot);
        let inertia = self.gyration + dot(arm, arm);
        let energy = self.energy();
        let squared = |turn: f64| {
            let center = rotated(self.center, self.pivot, turn);
            2.0 * (energy - self.gravity * center[1]) / inertia
        };
        // Time is the integral of 1/spin, by Simpson's rule.
        let mut time = 0.0;
        for piece in 0..=PIECES {
            let turn = angle * piece as f64 / PIECES as f64;
            let spin = squared(turn);
            let lifts = spin * dot(arm, arm).sqrt() > self.gravity;
            if spin <= 0.0 || lifts {
                return None;
            }
            let weight = match piece {
                0 | PIECES => 1.0,
                _ if piece % 2 == 1 => 4.0,
                _ => 2.0,
            };
            time += weight / spin.sqrt() * angle / (3.0 * PIECES as f64);
        }
        self.spin = squared(angle).sqrt();
        self.t += time;
        self.center = rotated(self.center, self.pivot, angle);
        for corner in &mut self.own {
            *corner = rotated(*corner, self.pivot, angle);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On flat ground, the closed form of the rimless wheel: at each change the spin is multiplied by `(k + cos) / (k + 1)`, with `k` the squared gyration over the squared radius.
    #[test]
    fn on_flat_ground_a_polygon_is_a_rimless_wheel() {
        let (count, gyration, gravity) = (20, 0.4, 9.81);
        let below = cos(PI / count as f64);
        let center = [0.0, below];
        let own = regular(count, 1.0, center);
        let half = sin(PI / count as f64);
        let ground = vec![[-100.0, 0.0], [100.0, 0.0], [0.0, -100.0]];
        let mut wheel = Wheel::new((own, center), ground, [half, 0.0], (gyration, gravity, 2.0));
        let mut kinetic = wheel.energy() - gravity * below;
        let ratio = (gyration + cos(2.0 * PI / count as f64)) / (gyration + 1.0);
        for change in 1..6 {
            let made = wheel.change().unwrap();
            kinetic *= ratio * ratio;
            assert!((made.energy - gravity * below - kinetic).abs() < 1e-12);
            assert!((wheel.pivot[0] - half * f64::from(2 * change + 1)).abs() < 1e-12);
            assert!(wheel.pivot[1].abs() < 1e-12);
        }
    }

    #[test]
    fn a_slow_wheel_does_not_get_over_its_corner() {
        let center = [0.0, cos(PI / 6.0)];
        let ground = vec![[-100.0, 0.0], [100.0, 0.0], [0.0, -100.0]];
        let mut wheel = Wheel::new((regular(6, 1.0, center), center), ground, [0.5, 0.0], (0.4, 9.81, 0.1));
        assert_eq!(wheel.change(), None);
    }

    #[test]
    fn equal_polygons_roll_corner_on_corner() {
        let (count, radius) = (20, 0.9);
        let below = radius * cos(PI / count as f64);
        let (center, half) = ([0.0, 2.0 * below], radius * sin(PI / count as f64));
        let ground = regular(count, radius, [0.0, 0.0]);
        let mut wheel =
            Wheel::new((regular(count, radius, center), center), ground, [half, below], (0.4, 9.81, 1.0));
        let before = wheel.energy();
        let change = wheel.change().unwrap();
        // The next corner of the ground, which the wheel reaches after rotating by twice the outer angle.
        let angle = 3.0 * PI / count as f64;
        assert!((wheel.pivot[0] - radius * sin(angle)).abs() < 1e-12);
        assert!((wheel.pivot[1] - radius * cos(angle)).abs() < 1e-12);
        assert!(change.energy < before);
    }
}
