//! A thousand boxes drift through a room and bounce off its walls: how many pairs there are, which begin and end, and how few pairs of boxes that is.
//!
//! Run with `cargo run --release --example pairs`.

use zerogap::core::random::Random;
use zerogap::{Aabb, BoxId, BroadError, BroadParams, BroadPhase, Filter, Vec3};

/// How many boxes there are [-].
const COUNT: u32 = 1_000;

/// Half a side of the room [m].
const ROOM: f64 = 5.0;

/// Sampling interval [s].
const STEP: f64 = 1.0 / 60.0;

/// A box and its velocity.
struct Drifter {
    center: Vec3,
    size: Vec3,
    velocity: Vec3,
}

impl Drifter {
    fn random(random: &mut Random) -> Self {
        Self {
            center: random.in_cube(ROOM),
            size: random.in_cube(0.2).add_scalar(0.3),
            velocity: random.in_cube(1.0),
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_center_size(self.center, self.size)
    }

    /// Drifts for a step; at the walls it reverses.
    fn drift(&mut self) {
        self.center += STEP * self.velocity;
        for k in 0..3 {
            if self.center[k].abs() > ROOM {
                self.velocity[k] = -self.velocity[k].abs() * self.center[k].signum();
            }
        }
    }
}

fn main() -> Result<(), BroadError> {
    let mut random = Random::new(1);
    let mut drifters: Vec<Drifter> = (0..COUNT).map(|_| Drifter::random(&mut random)).collect();
    let mut phase = BroadPhase::new(BroadParams::default());
    let ids: Vec<BoxId> = drifters
        .iter()
        .zip(0..COUNT)
        .map(|(drifter, body)| phase.insert(drifter.bounds(), Filter::of_body(body)))
        .collect::<Result<_, _>>()?;

    println!("all pairs of {COUNT} boxes: {}", COUNT * (COUNT - 1) / 2);
    println!("   time  pairs  began  ended");
    let (mut began, mut ended, mut total) = (0, 0, 0);
    for step in 0..=300 {
        for (drifter, id) in drifters.iter_mut().zip(&ids) {
            drifter.drift();
            phase.set(*id, drifter.bounds())?;
        }
        let pairs = phase.update().len();
        began += phase.began().len();
        ended += phase.ended().len();
        total += phase.began().len();
        total -= phase.ended().len();
        assert_eq!(pairs, total, "what began and did not end is what there is");
        if step % 30 == 0 {
            println!("{:5.1} s  {pairs:5}  {began:5}  {ended:5}", f64::from(step) * STEP);
            (began, ended) = (0, 0);
        }
    }

    // Who is near the middle of the room, and which boxes a ray through it hits.
    let middle = Aabb::from_center_size(Vec3::zeros(), Vec3::repeat(0.1));
    for near in phase.nearest(&middle, 3) {
        println!("box {} is {:.3} m from the middle", near.id.0, near.distance);
    }
    let hits = phase.cast_ray(&Vec3::new(-ROOM, 0.0, 0.0), &Vec3::x(), 2.0 * ROOM);
    println!("a ray along x hits {} boxes", hits.len());
    Ok(())
}
