//! The scenes of `scenes/frames`: fingers of spring steel that hold a ball, and a helicopter that lands on bending tubes.

use std::path::{Path, PathBuf};

use zerogap::scene::Scene;
use zerogap::world::World;

fn world(name: &str) -> World {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/frames");
    Scene::read(&folder.join(name)).unwrap().build().unwrap()
}

fn z_of(world: &World, name: &str) -> f64 {
    let number = world.names().iter().position(|own| own == name).unwrap();
    world.pose(world.bodies()[number]).translation().z
}

#[test]
fn flexible_fingers_lift_a_ball_and_hold_it_without_creep() {
    let mut world = world("flexible-gripper.toml");
    world.advance_to(2.5).unwrap();
    let lifted = z_of(&world, "ball");
    let finger = z_of(&world, "left finger.10");
    world.advance_to(4.0).unwrap();
    let crept = (z_of(&world, "ball") - lifted).abs();
    println!(
        "ball at {lifted}, creep {crept:e} m in 1.5 s; finger {:e}",
        z_of(&world, "left finger.10") - finger
    );
    assert!((lifted - 0.17).abs() < 5e-3, "{lifted}");
    assert!(crept < 1e-7, "{crept}");
}

#[test]
fn a_helicopter_lands_on_tubes_that_bend() {
    let mut world = world("skid-landing-3d.toml");
    let mut highest = 0.0_f64;
    for step in 1..=150 {
        world.advance_to(0.02 * f64::from(step)).unwrap();
        let forces = world.beam_forces();
        assert!(
            forces.iter().flatten().all(|end| end
                .force
                .iter()
                .chain(end.moment.iter())
                .all(|x| x.is_finite()))
        );
        highest = forces.iter().flatten().map(|end| end.moment.y.abs()).fold(highest, f64::max);
    }
    let fuselage = z_of(&world, "fuselage");
    println!("fuselage at {fuselage}, largest moment {highest} N m, {:?}", world.info().contacts);
    assert!((1.0..1.6).contains(&fuselage), "{fuselage}");
    assert!(highest > 500.0);
}
