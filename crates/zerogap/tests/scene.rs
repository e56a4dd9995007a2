//! Scene files: what they may say, and what is said about those that are wrong.

use std::path::Path;

use zerogap::dynamics::integrate::IntegratorKind;
use zerogap::scene::Scene;
use zerogap::world::{EventLocation, MethodParams, StepForces, Stepping};

#[test]
fn an_unknown_key_is_underlined_and_the_nearest_is_told() {
    let text = "[world]\ngravity = [0, 0, -9.81]\nrtoll = 1e-6\n";
    let error = Scene::parse(text, "x", Path::new("")).unwrap_err();
    assert_eq!(error.to_string(), "[world] has no key 'rtoll'");
    assert_eq!(error.help.as_deref(), Some("did you mean 'rtol'?"));
    assert_eq!(error.line(), Some((3, "rtoll = 1e-6", 0..5)));
}

fn method_of(world: &str) -> MethodParams {
    let scene = Scene::parse(&format!("[world]\n{world}"), "x", Path::new("")).unwrap();
    scene.builder.params().method
}

#[test]
fn a_scene_names_its_method_and_integrator() {
    assert_eq!(method_of(""), MethodParams::default());
    assert_eq!(method_of("method = \"auto\"\n"), MethodParams::default());
    assert_eq!(method_of("method = \"events\"\n"), EventLocation::default().into());
    let radau = EventLocation { integrator: IntegratorKind::Radau, phases: true, ..EventLocation::default() };
    assert_eq!(method_of("integrator = \"radau\"\n"), radau.into());
    assert_eq!(method_of("method = \"stepping\"\ncontact = \"rigid\"\n"), Stepping::default().into());
    let told = method_of("method = \"silvia\"\nstep = \"2 ms\"\ntolerance = \"1e-8 m/s\"\n");
    let forces = StepForces::Silvia;
    assert_eq!(told, Stepping { forces, step: 2e-3, tolerance: 1e-8, ..Stepping::default() }.into());
}

#[test]
fn a_scene_may_go_by_steps() {
    for (method, height) in [("stepping", 0.1..0.5), ("silvia", 0.1 - 1e-9..0.1 + 1e-9)] {
        let text = format!(
            "[world]\nmethod = \"{method}\"\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n\
             [[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 0.5]\n"
        );
        let mut world = Scene::parse(&text, "x", Path::new("")).unwrap().build().unwrap();
        world.advance_to(0.5).unwrap();
        // After half a second one has bounced, the other lies.
        let z = world.positions()[2];
        assert!(height.contains(&z), "{method}: {z}");
        assert_eq!(world.info().contacts.unwrap().unconverged, 0);
    }
}

fn lift(interpolation: &str) -> String {
    format!(
        "[[bodies]]\nname = \"lift\"\nshape = \"box:1,1,0.1\"\nmotion = {{ {interpolation} points = [\
         {{ t = 0, position = [0, 0, 0.12] }}, {{ t = 1, position = [0, 0, 0.12] }}, {{ t = 2, position = [0, 0, 0.32] }}] }}\n"
    )
}

#[test]
fn a_motion_through_points_does_not_overshoot_unless_it_shall_be_smooth() {
    for (word, overshoots) in [
        ("", false),
        ("interpolation = \"monotone\",", false),
        ("interpolation = \"linear\",", false),
        ("interpolation = \"smooth\",", true),
    ] {
        let mut world = Scene::parse(&lift(word), "x", Path::new("")).unwrap().build().unwrap();
        let frames = world.record_to(2.0, 0.01).unwrap();
        let lowest = frames.iter().map(|frame| frame.poses[0].translation().z).fold(1.0, f64::min);
        assert!((lowest < 0.119) == overshoots && (overshoots || lowest >= 0.12), "{word}: {lowest}");
    }
    let error = Scene::parse(&lift("interpolation = \"cubic\","), "x", Path::new("")).unwrap_err();
    assert!(error.to_string().contains("cubic"), "{error}");
}

#[test]
fn a_scene_has_conveyors() {
    let belt = "shape = \"box:4,1,0.1\"\nsurface_velocity = [\"0.5 m/s\", 0, 0]\n";
    let parcel = "[[bodies]]\nname = \"parcel\"\nshape = \"box:0.1,0.1,0.1\"\nposition = [0, 0, 0.1]\n";
    let on_body = "[[bodies]]\nname = \"belt\"\njoint = { kind = \"fixed\" }\n";
    for (world, place) in [
        ("method = \"stepping\"\n", "[[fixed]]\n"),
        ("contact = \"rigid\"\n", "[[fixed]]\n"),
        ("contact = \"hunt-crossley\"\n", "[[fixed]]\n"),
        ("method = \"stepping\"\n", on_body),
    ] {
        let text = format!("[world]\n{world}{place}{belt}{parcel}");
        let mut world = Scene::parse(&text, "x", Path::new("")).unwrap().build().unwrap();
        world.advance_to(1.0).unwrap();
        let parcel = zerogap::dynamics::multibody::BodyId(world.names().len() as u32 - 1);
        let speed = world.velocity(parcel).x;
        assert!((speed - 0.5).abs() < 1e-4, "{text}: {speed}");
    }
    let text = format!("[world]\nmethod = \"silvia\"\n[[fixed]]\nname = \"belt\"\n{belt}{parcel}");
    let error = Scene::parse(&text, "x", Path::new("")).err().unwrap();
    let expected = "'surface_velocity' has no meaning for method = \"silvia\"";
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn a_joint_that_starts_outside_its_limits_is_refused_at_its_place() {
    let text = "[[bodies]]\nname = \"drawer\"\nshape = \"box:0.1,0.1,0.1\"\n\
                joint = { kind = \"prismatic\", lower = 0, upper = \"50 cm\", position = \"70 cm\" }\n";
    let error = Scene::parse(text, "x", Path::new("")).unwrap_err();
    let place = error.span.clone().unwrap();
    assert!(error.to_string().contains("beyond its limit 'upper'"), "{error}");
    assert_eq!(&text[place], "\"70 cm\"");
}
