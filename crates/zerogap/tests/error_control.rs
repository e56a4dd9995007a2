//! Time stepping whose steps follow their error: it converges with `rtol`, also across impacts, and needs fewer solves than steps of one length.

use zerogap::Pose;
use zerogap::scene::{Scene, built_in};
use zerogap::world::{ErrorControl, EventKind, Stepping, World};

/// Measured until this long after the first impact [s].
const AFTER: f64 = 0.05;

fn scene_text(name: &str) -> String {
    if let Some((_, text)) = built_in().iter().find(|(known, _)| *known == name) {
        return (*text).to_owned();
    }
    let path = format!("{}/../../scenes/precision/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn world(name: &str, stepping: Stepping) -> World {
    let mut scene = Scene::parse(&scene_text(name), name, std::path::Path::new("")).unwrap();
    scene.builder.set_method(stepping);
    scene.builder.build().unwrap()
}

fn controlled(rtol: f64) -> Stepping {
    Stepping { control: Some(ErrorControl { rtol, max_step: 0.1 }), tolerance: 1e-11, ..Stepping::default() }
}

fn first_impact(world: &mut World) -> f64 {
    loop {
        world.advance_to(world.time() + 0.02).unwrap();
        let hit = world.events().iter().find(|event| match event.what {
            EventKind::Impact { impulse, .. } => impulse > 1e-6,
            _ => false,
        });
        if let Some(event) = hit {
            return event.t;
        }
        assert!(world.time() < 2.0);
    }
}

fn poses(world: &World) -> Vec<Pose> {
    world.body_states().iter().map(|state| state.0).collect()
}

fn distance(a: &[Pose], b: &[Pose]) -> f64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a.translation() - b.translation()).norm() + 0.1 * a.rotation_vector_from(b).norm())
        .fold(0.0, f64::max)
}

#[test]
#[ignore = "a table"]
fn table() {
    let names = std::env::var("SCENES").unwrap_or("ball,slope,box-tower,card-house,pile,gripper".into());
    let finest: i32 = std::env::var("FINEST").map_or(6, |x| x.parse().unwrap());
    for name in names.split(',') {
        let mut probe = world(name, controlled(1e-4));
        let until = first_impact(&mut probe) + AFTER;
        println!("{name}: until {until}");
        let run = |stepping| {
            let mut world = world(name, stepping);
            let begin = std::time::Instant::now();
            world.advance_to(until).unwrap();
            let info = world.info();
            (
                poses(&world),
                info.steps,
                info.rejected,
                info.contacts.unwrap(),
                info.unresolved,
                begin.elapsed().as_secs_f64(),
            )
        };
        let runs: Vec<_> = (2..=finest + 2).map(|k| run(controlled(10f64.powi(-k)))).collect();
        for (k, pair) in runs.iter().zip(runs.iter().skip(2)).enumerate() {
            let (a, b) = pair;
            println!(
                "  rtol 1e-{}: error {:.2e} steps {} rejected {} solves {} unconverged {} unresolved {:?} {:.2} s",
                k + 2,
                distance(&a.0, &b.0),
                a.1,
                a.2,
                a.3.solves,
                a.3.unconverged,
                a.4,
                a.5
            );
        }
        let best = &runs[runs.len() - 1];
        println!(
            "  finest: steps {} rejected {} solves {} {:?} {:.2} s",
            best.1, best.2, best.3.solves, best.4, best.5
        );
        for step in [1e-2, 1e-3, 1e-4, 1e-5] {
            let a = run(Stepping { step, tolerance: 1e-11, ..Stepping::default() });
            println!(
                "  step {step:.0e}: error {:.2e} steps {} solves {} {:.2} s",
                distance(&a.0, &best.0),
                a.1,
                a.3.solves,
                a.5
            );
        }
    }
}
