//! Bodies of mixed dimension in worlds: wires that hang on wires, sheets with poles from OBJ files, their mass and their rest.

use std::f64::consts::PI;
use std::path::{Path, PathBuf};

use zerogap::scene::Scene;
use zerogap::world::World;

/// A tray of two triangles with a leg at each corner and a point below its middle; all corners are joints of both.
const TRAY: &str = "v 0 0 0.1\nv 0.2 0 0.1\nv 0.2 0.2 0.1\nv 0 0.2 0.1\n\
                    v 0 0 0\nv 0.2 0 0\nv 0.2 0.2 0\nv 0 0.2 0\nv 0.1 0.1 0.02\n\
                    f 1 2 3\nf 1 3 4\nl 1 5\nl 2 6\nl 3 7\nl 4 8\np 9\n";

const FLOOR: &str =
    "[world]\nmethod = \"stepping\"\nstep = \"1 ms\"\n\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("zerogap-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("tray.obj"), TRAY).unwrap();
    folder
}

fn world(folder: &Path, text: &str) -> Result<World, String> {
    let scene = Scene::parse(text, "scene.toml", folder).map_err(|error| error.to_string())?;
    scene.build().map_err(|error| error.to_string())
}

fn height(world: &World) -> f64 {
    world.body_states()[0].0.translation().z
}

#[test]
fn a_tray_on_legs_from_an_obj_file_weighs_and_stands_as_it_should() {
    let folder = folder("tray");
    let tray = "\n[[bodies]]\nname = \"tray\"\nshape = \"tray.obj\"\ncollision = \"quasi-lmd\"\ndilation = \"2 mm\"\nscale = 1\ndensity = 1000\nposition = [0, 0, 0.012]\n";
    let mut world = world(&folder, &format!("{FLOOR}{tray}")).unwrap();
    let inertia = world.tree().inertia(world.bodies()[0]);
    let (sheet, legs) = (1000.0 * 0.04 * 4e-3, 1000.0 * 0.4 * PI * 4e-6);
    let point = 1000.0 * 4.0 / 3.0 * PI * 8e-9;
    assert!((inertia.mass - (sheet + legs + point)).abs() < 1e-12, "{inertia:?}");
    let middle = (sheet * 0.1 + legs * 0.05 + point * 0.02) / inertia.mass;
    assert!((inertia.center.z - middle).abs() < 1e-12 && (inertia.center.x - 0.1).abs() < 1e-12);
    world.advance_to(1.0).unwrap();
    // It stands on the ends of its four legs, each rounded off by the dilation.
    assert!((height(&world) - 2e-3).abs() < 1e-6, "{}", height(&world));
    let (_, v, w) = world.body_states()[0];
    assert!(v.norm() < 1e-6 && w.norm() < 1e-6, "{v} {w}");

    // As a mesh its legs are left out with a warning, and as a body of its hull it has no word of lines.
    let hull = tray
        .replace("collision = \"quasi-lmd\"\ndilation = \"2 mm\"\n", "mass = 1\ninertia = [1, 1, 1]\n")
        .replace("density = 1000\n", "");
    let text = format!("{FLOOR}{hull}");
    let scene = Scene::parse(&text, "scene.toml", &folder).unwrap();
    assert!(scene.warnings.iter().any(|text| text.contains("4 lines and 1 point left out")));
}

#[test]
fn a_hanger_of_wire_hangs_on_a_wire() {
    let wires = "[world]\nmethod = \"stepping\"\nstep = \"1 ms\"\n\n[[fixed]]\nshape = \"polyline:0,-1,0,0,1,0,0,2,-1\"\ncollision = \"quasi-lmd\"\ndilation = \"1 cm\"\n\n[[bodies]]\nname = \"hanger\"\nshape = \"polyline:-0.1,0,-0.2,-0.1,0,0,0.1,0,0,0.1,0,-0.2\"\ncollision = \"quasi-lmd\"\ndilation = \"5 mm\"\ndensity = 7800\nposition = [0, 0, 0.02]\n";
    let mut world = world(&folder("hanger"), wires).unwrap();
    let mass = world.tree().inertia(world.bodies()[0]).mass;
    assert!((mass - 7800.0 * 0.6 * PI * 25e-6).abs() < 1e-12, "{mass}");
    world.advance_to(1.0).unwrap();
    // Two crossing edges: the axes stay apart by the sum of the radii.
    assert!((height(&world) - 0.015).abs() < 1e-6, "{}", height(&world));
}

#[test]
fn an_open_mesh_weighs_twice_its_dilation_and_a_wire_without_one_is_refused() {
    let folder = folder("sheet");
    std::fs::write(folder.join("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
        .unwrap();
    let body = |shape: &str, more: &str| {
        format!(
            "{FLOOR}\n[[bodies]]\nname = \"body\"\nshape = \"{shape}\"\ncollision = \"quasi-lmd\"\ndensity = 500\nposition = [0, 0, 1]\n{more}"
        )
    };
    let sheet = world(&folder, &body("sheet.obj", "scale = 1\ndilation = \"1 mm\"\n")).unwrap();
    let mass = sheet.tree().inertia(sheet.bodies()[0]).mass;
    assert!((mass - 1.0).abs() < 1e-12, "{mass}");
    let thin = world(&folder, &body("polyline:0,0,0,1,0,0,1,1,0", "dilation = 0\n")).err().unwrap();
    assert!(thin.contains("as thick as the dilation"), "{thin}");
    let pieces = body("polyline:0,0,0,1,0,0,1,1,0", "").replace("quasi-lmd", "mesh");
    assert!(world(&folder, &pieces).err().unwrap().contains("for meshes"));
}
