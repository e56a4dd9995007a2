//! Parts of an engine fall on a box: counts, energy, and the same bits however often and with however many threads.

use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::{falling_parts, many_falling_parts};
use zerogap::world::{EventKind, World, WorldParams};

/// Bodies rest when no point of them moves faster than this [m/s].
const REST: f64 = 1e-3;

fn energy(world: &World) -> f64 {
    let energy = world.energy();
    energy.kinetic + energy.gravity + energy.springs
}

fn many() -> World {
    many_falling_parts(WorldParams::default()).unwrap().build().unwrap()
}

#[test]
fn figure_nine_has_79_shapes_with_651_pairs_and_a_floor() {
    let world = many();
    let pieces = [70, 6, 1, 1, 1];
    assert_eq!(world.names().len(), pieces.len());
    let total: usize = pieces.iter().sum();
    let squares: usize = pieces.iter().map(|n| n * n).sum();
    assert_eq!((total, (total * total - squares) / 2), (79, 651));
    // One more for each with the floor.
    assert_eq!(world.pairs(), 651 + 79);
    // Nothing touches at the start.
    assert!(world.contacts().is_empty() && world.events().is_empty());
}

#[test]
fn parts_that_fall_touch_lose_energy_and_never_sink() {
    let mut world = many();
    let start = energy(&world);
    let mut last = start;
    for _ in 0..5 {
        world.advance_to(world.time() + 0.04).unwrap();
        // Contacts hold some of it for a moment and give it back.
        let now = energy(&world);
        assert!(now < last + 0.02 * start, "{last} {now} at {}", world.time());
        last = now;
        for contact in world.contacts() {
            assert!(contact.gap > -1e-3, "{contact:?}");
            assert!(contact.normal_force >= 0.0);
        }
    }
    assert!(last < 0.98 * start);
    let touched = world.events().iter().filter(|event| matches!(event.what, EventKind::ContactBegin { .. }));
    assert!(touched.count() > 10);
}

#[test]
fn two_runs_and_any_number_of_threads_give_the_same_bits() {
    let run = || {
        let mut world = many();
        world.advance_to(0.18).unwrap();
        (world.hash(), world.events().to_vec())
    };
    let expected = run();
    assert!(!expected.1.is_empty());
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(run), expected, "{threads} threads");
    }
}

#[test]
fn falling_parts_come_to_rest() {
    // To rest in full; otherwise the first impacts alone.
    let is_full = std::env::var_os("ZEROGAP_FULL").is_some();
    let longest = if is_full { 20.0 } else { 0.3 };
    for builder in [falling_parts(WorldParams::default()), many_falling_parts(WorldParams::default())] {
        let mut world = builder.unwrap().build().unwrap();
        while world.time() < longest && (world.fastest() > REST || world.time() < 0.05) {
            world.advance_to(world.time() + 0.1).unwrap();
        }
        assert!(
            world.fastest() < if is_full { REST } else { 10.0 },
            "{} at {}",
            world.fastest(),
            world.time()
        );
        // Nobody has fallen through the floor or off it.
        for body in 0..world.names().len() as u32 {
            assert!(world.pose(BodyId(body)).translation().z > 0.0);
        }
    }
}
