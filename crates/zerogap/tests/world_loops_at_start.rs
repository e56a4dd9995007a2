//! Loops when a world is built: small errors stay or are closed, large moves are refused unless asked for.

use std::fmt::Write as _;

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

/// The product of two quaternions (w, x, y, z).
fn product([aw, ax, ay, az]: [f64; 4], [bw, bx, by, bz]: [f64; 4]) -> [f64; 4] {
    [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]
}

/// A parallelogram in a tilted plane as MJCF, with numbers of so many digits: cranks of length one on a coupler, closed by `equality`, which gets the number of each crank but the first.
fn tilted_linkage(cranks: usize, digits: usize, equality: impl Fn(usize) -> String) -> String {
    // The plane: turned by 1.1 rad about (1, 2, 0.5).
    let length = (1.0_f64 + 4.0 + 0.25).sqrt();
    let (s, c) = zerogap::core::math::sin_cos(0.55);
    let plane = [c, s / length, 2.0 * s / length, 0.5 * s / length];
    let about_z = |angle: f64| {
        let (s, c) = zerogap::core::math::sin_cos(0.5 * angle);
        [c, 0.0, 0.0, s]
    };
    let quat = |q: [f64; 4]| q.map(|x| format!("{x:.digits$}")).join(" ");
    let turned = |x: f64| {
        let [w, i, j, k] = plane;
        let v = product(product(plane, [0.0, x, 0.0, 0.0]), [w, -i, -j, -k]);
        [v[1], v[2], v[3]].map(|x| format!("{x:.digits$}")).join(" ")
    };
    let geom = |x: f64| {
        format!(
            "<joint axis=\"0 0 1\"/><geom type=\"capsule\" fromto=\"0 0 0 {x} 0 0\" size=\"0.02\" contype=\"0\" conaffinity=\"0\"/>"
        )
    };
    let angle = -1.0;
    let span = (cranks - 1) as f64;
    let mut text = format!(
        "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"crank\" quat=\"{}\">{}<body name=\"coupler\" pos=\"1 0 0\" quat=\"{}\">{}",
        quat(product(plane, about_z(angle))),
        geom(1.0),
        quat(about_z(-angle)),
        geom(span)
    );
    for k in 1..cranks {
        let _ = write!(text, "<site name=\"coupler{k}\" pos=\"{k} 0 0\"/>");
    }
    text += "</body></body>";
    for k in 1..cranks {
        let _ = write!(
            text,
            "<body name=\"rocker{k}\" pos=\"{}\" quat=\"{}\">{}<site name=\"tip{k}\" pos=\"1 0 0\"/></body>",
            turned(k as f64),
            quat(product(plane, about_z(angle))),
            geom(1.0)
        );
    }
    let closed: String = (1..cranks).map(equality).collect();
    text + "</worldbody><equality>" + &closed + "</equality></mujoco>"
}

#[test]
fn chains_that_mjcf_closes_stay_and_swing_though_their_files_are_rounded() {
    let anchors = |k: usize| format!("<connect body1=\"coupler\" body2=\"rocker{k}\" anchor=\"{k} 0 0\"/>");
    // Two points on the axis of the hinge: five conditions where two would do.
    let hinges = |k: usize| {
        let point = |z: f64| format!("<connect body1=\"coupler\" body2=\"rocker{k}\" anchor=\"{k} 0 {z}\"/>");
        point(-0.1) + &point(0.1)
    };
    let sites = |k: usize| format!("<connect site1=\"coupler{k}\" site2=\"tip{k}\"/>");
    let closed: [(&str, &dyn Fn(usize) -> String); 3] =
        [("anchors", &anchors), ("hinges", &hinges), ("sites", &sites)];
    for (name, equality) in closed {
        for cranks in [2, 3] {
            let swing = |digits: usize, method: &str| {
                let file = std::env::temp_dir()
                    .join(format!("zerogap-closed-{}-{name}-{cranks}-{digits}.xml", std::process::id()));
                std::fs::write(&file, tilted_linkage(cranks, digits, equality)).unwrap();
                let text =
                    format!("[world]\nmethod = \"{method}\"\n[robot]\nfile = \"{}\"\n", file.display());
                let scene = Scene::parse(&text, "closed", std::path::Path::new("")).unwrap();
                let mut world = scene.build().unwrap_or_else(|error| panic!("{}", error.report()));
                let moved =
                    world.assembly().iter().map(|one| one.angle.max(one.distance)).fold(0.0, f64::max);
                let (start, from) = (world.energy().total(), world.positions()[0]);
                let (mut turned, mut lost) = (0.0_f64, 0.0_f64);
                for k in 1..=10 {
                    world.advance_to(0.05 * f64::from(k)).unwrap();
                    turned = turned.max((world.positions()[0] - from).abs());
                    lost = lost.max((world.energy().total() - start).abs());
                }
                println!(
                    "{name}, {cranks} cranks, {digits} digits, {method}: moved {moved:e}, {turned} rad, energy {lost:e} of {start}"
                );
                (moved, lost / world.energy().kinetic.max(1e-3), world.positions()[0])
            };
            for method in ["stepping", "events"] {
                let (moved, lost, exact) = swing(17, method);
                assert!(moved < 1e-12 && lost < 1e-4, "{name}, {cranks}, {method}: {moved:e}, {lost:e}");
                let (moved, lost, angle) = swing(6, method);
                assert!(moved < 1e-5, "{name}, {cranks} cranks, {method}: moved by {moved:e}");
                assert!(lost < 1e-4, "{name}, {cranks} cranks, {method}: {lost:e} of the motion");
                assert!((angle - exact).abs() < 1e-4, "{name}, {cranks} cranks, {method}: {angle} {exact}");
                assert!((angle).abs() > 0.05, "{name}, {cranks} cranks, {method}: {angle}");
            }
        }
    }
}
