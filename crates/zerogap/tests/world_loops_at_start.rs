//! Loops when a world is built: small errors stay or are closed, large moves are refused unless asked for.

use zerogap::scene::Scene;
use zerogap::world::World;

/// A parallelogram whose coupler hinge is tilted by `eps` [rad], with the crank off its position by `off` [rad].
fn linkage(eps: f64, off: f64, world: &str) -> Result<World, String> {
    let crank = -1.0 + off;
    let text = format!(
        r#"
        [world]
        gravity = [0, -9.81, 0]
        {world}
        [[bodies]]
        name = "crank"
        shapes = [{{ shape = "box:1,0.02,0.02", position = [0.5, 0, 0] }}]
        joint = {{ kind = "revolute", axis = [0, 0, 1], position = {crank:?} }}
        [[bodies]]
        name = "coupler"
        shapes = [{{ shape = "box:1,0.02,0.02", position = [0.5, 0, 0] }}]
        joint = {{ kind = "revolute", parent = "crank", axis = [0, {eps:?}, 1], parent_frame = {{ position = [1, 0, 0] }}, position = 1.0 }}
        [[bodies]]
        name = "rocker"
        shapes = [{{ shape = "box:1,0.02,0.02", position = [0.5, 0, 0] }}]
        joint = {{ kind = "revolute", axis = [0, 0, 1], parent_frame = {{ position = [1, 0, 0] }}, position = -1.0 }}
        [[loops]]
        a = "coupler"
        b = "rocker"
        at_a = [1, 0, 0]
        at_b = [1, 0, 0]
        kind = "revolute"
        axis = [0, 0, 1]
        [[exclude]]
        bodies = ["crank", "coupler", "rocker"]
        "#
    );
    let scene = Scene::parse(&text, "linkage", std::path::Path::new("")).map_err(|error| error.report())?;
    scene.build().map_err(|error| error.report())
}

#[test]
fn nearly_redundant_loops_stay_where_they_were() {
    for method in ["events", "stepping", "silvia"] {
        for eps in [0.0, 1e-12, 1e-9, 1e-6, 1e-5] {
            let mut world = linkage(eps, 0.0, &format!("method = \"{method}\"")).unwrap();
            let moved = world.assembly().iter().map(|one| one.angle.max(one.distance)).fold(0.0, f64::max);
            assert!(moved <= 3.0 * eps, "{method}, eps {eps:e}: moved by {moved:e}");
            // And they swing, from -1 rad down.
            let before = world.positions()[0];
            world.advance_to(0.1).unwrap();
            let swung = world.positions()[0] - before;
            assert!((-0.1..-0.01).contains(&swung), "{method}, eps {eps:e}: {swung}");
        }
    }
}

#[test]
fn large_moves_are_refused_unless_asked_for_and_reported() {
    let small = linkage(0.0, 5e-4, "").unwrap();
    assert!(!small.assembly().is_empty());
    let refused = linkage(0.0, 0.05, "").err().unwrap();
    assert!(refused.contains("closing the loops moves") && refused.contains("assemble = true"), "{refused}");
    let moved = linkage(0.0, 0.05, "assemble = true").unwrap();
    let farthest = moved.assembly().iter().map(|one| one.angle).fold(0.0, f64::max);
    assert!((0.005..0.05).contains(&farthest), "{:?}", moved.assembly());
    // Between the two an axis that is truly off: either it stays or it is refused, never moved in silence.
    for eps in [1e-4, 1e-3] {
        match linkage(eps, 0.0, "") {
            Ok(world) => assert!(world.assembly().iter().all(|one| one.angle.max(one.distance) < 2e-3)),
            Err(refused) => assert!(refused.contains("closing the loops moves"), "{refused}"),
        }
    }
}
