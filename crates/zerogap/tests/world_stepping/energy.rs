//! No energy out of nothing, and momenta that stay.

use zerogap::core::random::Random;
use zerogap::world::World;
use zerogap_testkit::count;

use crate::scenes::{Kind, enclosed, falling};

/// Runs step by step and tells the largest gain of energy in a step against the energy at the start of the run, and the largest over any number of steps.
fn gains(world: &mut World, steps: usize, step: f64) -> (f64, f64, f64) {
    let energy = |world: &World| world.energy().total();
    let scale = energy(world);
    let (mut last, mut least) = (scale, scale);
    let (mut single, mut long) = (0.0_f64, 0.0_f64);
    for k in 1..=steps {
        world.advance_to(k as f64 * step).unwrap();
        let now = energy(world);
        single = single.max(now - last);
        long = long.max(now - least);
        last = now;
        least = least.min(now);
    }
    (single / scale, long / scale, least / scale)
}

#[test]
fn measure() {
    for (name, build) in [("enclosed", enclosed as fn(&Kind, &mut Random) -> World), ("falling", falling)] {
        for case in 0..count(60, 400) {
            let mut random = Random::new(case as u64);
            let kind = Kind::new(&mut random);
            let mut world = build(&kind, &mut random);
            let (single, long, least) = gains(&mut world, 300, kind.step);
            let missed = world.info().contacts.unwrap().missed;
            println!(
                "{name} {case} single {single:.1e} long {long:.1e} least {least:.2} missed {missed} {kind:?}"
            );
        }
    }
}
