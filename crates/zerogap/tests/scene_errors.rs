//! Wrong scene files: what people see. `golden/scene-errors.txt` holds every message with its line, underlined place and help; a run with `ZEROGAP_BLESS=1` writes it, any
//! other run fails when a message has changed.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use zerogap::scene::{Scene, SceneError};

/// A body that is good, for scenes that are wrong elsewhere.
const BALL: &str = "[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\n";

/// A hinge that is good, but for the end of it.
const HINGE: &str = "[[bodies]]\nname = \"arm\"\nshape = \"box:1,0.1,0.1\"\njoint = { kind = \"revolute\", ";

/// Wrong scenes by what is wrong with them. `BALL` and `HINGE` stand for the texts above.
const SCENES: &[(&str, &str)] = &[
    ("a text without quotes", "name = falling ball\n"),
    ("a bracket that is not closed", "[world\ngravity = [0, 0, -9.81]\n"),
    ("the same key twice", "[world]\nrtol = 1e-6\nrtol = 1e-5\n"),
    ("an unknown table", "[wrold]\ngravity = [0, 0, -9.81]\n"),
    ("an unknown key without a near one", "BALLcolour = \"red\"\n"),
    ("an unknown key with a near one", "BALLvelocty = [0, 0, 1]\n"),
    ("one bracket for bodies", "[bodies]\nname = \"ball\"\nshape = \"sphere:0.1\"\n"),
    ("two brackets for the world", "[[world]]\ngravity = [0, 0, -9.81]\n"),
    ("a unit of the wrong kind", "[run]\nuntil = \"5 mm\"\n"),
    ("a unit that nobody knows", "BALLposition = [0, 0, \"3 furlongs\"]\n"),
    ("a unit for a plain number", "[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = \"0.3 N\"\n"),
    ("a unit that no joint has", "HINGEstiffness = \"5 kg\" }\n"),
    ("two numbers for a place", "BALLposition = [0, 1]\n"),
    ("one number for a direction", "[world]\ngravity = -9.81\n"),
    ("a number that is not finite", "[run]\nuntil = inf\n"),
    ("a time below zero", "[run]\nuntil = -1\n"),
    ("frames farther apart than the run is long", "[run]\nuntil = 1\nevery = \"2 s\"\n"),
    ("a word for yes", "[[fixed]]\nshape = \"box:1,1,1\"\ncollision = \"quasi-lmd\"\ninflate = \"yes\"\n"),
    ("overlaps that were allowed", "[world]\nallow_overlap = true\n"),
    ("a fate of overlaps that does not exist", "[world]\noverlaps = \"allow\"\n"),
    ("a contact model that does not exist", "[world]\ncontact = \"ridgid\"\n"),
    ("a stiffness that rigid contacts have no use for", "[world]\ncontact = \"rigid\"\nstiffness = 1e6\n"),
    ("a linear law without stiffness", "[world]\ncontact = \"linear\"\n"),
    ("a method that does not exist", "[world]\nmethod = \"steping\"\n"),
    ("an integrator in place of a method", "[world]\nmethod = \"dop853\"\n"),
    ("a method in place of an integrator", "[world]\nintegrator = \"stepping\"\n"),
    ("an integrator for steps", "[world]\nmethod = \"stepping\"\nintegrator = \"radau\"\n"),
    ("a tolerance of contacts for an integrator", "[world]\nintegrator = \"radau\"\ntolerance = 1e-9\n"),
    ("a tolerance of integrators for steps", "[world]\nmethod = \"stepping\"\natol = 1e-6\n"),
    ("a step and a tolerance for it", "[world]\nmethod = \"stepping\"\nstep = \"1 ms\"\nrtol = 1e-4\n"),
    ("a longest step for steps of one length", "[world]\nmethod = \"stepping\"\nmax_step = \"10 ms\"\n"),
    ("an elastic contact for steps", "[world]\nmethod = \"stepping\"\ncontact = \"hertz\"\n"),
    ("functions of events for steps", "[world]\nmethod = \"silvia\"\nzero_functions = 5\n"),
    (
        "friction for a method without",
        "[world]\nmethod = \"silvia\"\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.3\n",
    ),
    (
        "spinning resistance of contacts after Modia3D",
        "[world]\ncontact = \"modia3d\"\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.3\nspinning = 0.1\n",
    ),
    (
        "a direction of friction for events",
        "[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.3\nfriction_across = 0.1\nfriction_direction = [1, 0, 0]\n",
    ),
    (
        "friction across nothing",
        "[world]\nmethod = \"stepping\"\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction_across = 0.1\n",
    ),
    (
        "a direction of friction without length",
        "[world]\nmethod = \"stepping\"\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction_across = 0.1\nfriction_direction = [0, 0, 0]\n",
    ),
    (
        "a belt for a method without friction",
        "[world]\nmethod = \"silvia\"\n[[bodies]]\nname = \"belt\"\nshapes = [{ shape = \"box:1,1,1\", surface_velocity = [1, 0, 0] }]\n",
    ),
    (
        "a step too short for the end of the run",
        "[world]\nmethod = \"stepping\"\nstep = 1e-12\n[run]\nuntil = 1e6\nevery = 1e3\nBALL",
    ),
    ("an end of the run too late for its steps", "[run]\nuntil = 1e15\nevery = 1e10\nBALL"),
    ("a step of no length", "[world]\nmethod = \"silvia\"\nstep = 0\n"),
    ("a material that does not exist", "BALLmaterial = \"steal\"\n"),
    ("a material without density", "[materials.cheese]\nyoung_modulus = \"1 MPa\"\n"),
    ("a material in one line", "[materials]\ncheese = 900\n"),
    ("a pair of three", "[[pairs]]\nmaterials = [\"steel\", \"ice\", \"rubber\"]\n"),
    ("restitution above one", "[[pairs]]\nmaterials = [\"steel\", \"ice\"]\nrestitution = 1.2\n"),
    ("a body without a name", "[[bodies]]\nshape = \"sphere:0.1\"\n"),
    ("two bodies of one name", "BALLBALL"),
    ("a body without a shape", "[[bodies]]\nname = \"ball\"\n"),
    ("a shape that does not exist", "[[bodies]]\nname = \"ball\"\nshape = \"shpere:0.1\"\n"),
    ("a shape with a number missing", "[[fixed]]\nshape = \"box:1,2\"\n"),
    ("a shape with a bad number", "[[fixed]]\nshape = \"box:1,2,3kg\"\n"),
    ("a mesh file that is not there", "[[bodies]]\nname = \"bolt\"\nshape = \"bolt.obj\"\n"),
    ("a part that does not exist", "[[bodies]]\nname = \"bolt\"\nshape = \"part:bullt\"\n"),
    (
        "a surface velocity beside several shapes",
        "[[bodies]]\nname = \"belt\"\nsurface_velocity = [1, 0, 0]\nshapes = [{ shape = \"box:1,1,1\" }]\n",
    ),
    (
        "a dilation that no box has room for",
        "[[bodies]]\nname = \"pellet\"\nshape = \"box:0.1,0.1,0.1\"\ncollision = \"quasi-lmd\"\ndilation = 1\n",
    ),
    ("pieces of a shape", "BALLcollision = \"pieces\"\n"),
    ("oriented collision of a ball", "BALLcollision = \"oriented\"\n"),
    (
        "oriented collision by steps",
        "[world]\nmethod = \"stepping\"\n[[bodies]]\nname = \"box\"\nshape = \"box:1,1,1\"\ncollision = \"oriented\"\n",
    ),
    (
        "oriented collision with a ball",
        "[world]\ncontact = \"linear\"\nstiffness = 1e5\nBALL[[bodies]]\nname = \"box\"\nposition = [0, 0, 2]\nshape = \"box:1,1,1\"\ncollision = \"oriented\"\n",
    ),
    (
        "an angle for oriented collision",
        "[[bodies]]\nname = \"box\"\nshape = \"box:1,1,1\"\ncollision = \"oriented\"\nangular_tolerance = \"5 deg\"\n",
    ),
    ("mass and density", "BALLmass = 2\ndensity = 1000\n"),
    ("inertia without mass", "BALLinertia = [1, 1, 1]\n"),
    ("an inertia that no body has", "BALLmass = 1\ninertia = [1, 1, 5]\n"),
    ("a half-space that falls", "[[bodies]]\nname = \"ground\"\nshape = \"halfspace:0,0,1,0\"\n"),
    ("a rotation in degrees alone", "BALLrotation = \"30 deg\"\n"),
    ("a rotation about nothing", "BALLrotation = { axis = [0, 0, 0], angle = \"30 deg\" }\n"),
    ("a joint that does not exist", "BALLjoint = { kind = \"hinge\" }\n"),
    ("a joint on a body that is not there", "HINGEparent = \"base\" }\n"),
    ("a hinge with a limit in metres", "HINGEupper = \"5 mm\" }\n"),
    ("limits the wrong way round", "HINGElower = \"30 deg\", upper = \"-30 deg\" }\n"),
    ("a start beyond a limit", "HINGEupper = \"30 deg\", position = \"40 deg\" }\n"),
    ("a motor with no target", "HINGEmotor = { gain = 10 } }\n"),
    ("a place for a body on a joint", "HINGEat = [0, 0, 1] }\nposition = [0, 0, 1]\n"),
    ("a second axis for a hinge", "HINGEsecond_axis = [1, 0, 0] }\n"),
    ("a joint and a motion", "HINGEat = [0, 0, 1] }\nmotion = { heave = { amplitude = 1, period = 2 } }\n"),
    (
        "a motion without a period",
        "[[bodies]]\nname = \"deck\"\nshape = \"box:1,1,1\"\nmotion = { heave = { amplitude = 1 } }\n",
    ),
    (
        "a motion from a file that is not there",
        "[[bodies]]\nname = \"deck\"\nshape = \"box:1,1,1\"\nmotion = { csv = \"deck.csv\" }\n",
    ),
    ("a loop with one end", "BALL[[loops]]\na = \"ball\"\nb = \"ball\"\n"),
    ("bodies apart that are not there", "BALL[[exclude]]\nbodies = [\"ball\", \"bal\"]\n"),
    ("a robot file that is not there", "[robot]\nfile = \"arm.urdf\"\nbase = \"fixed\"\n"),
    (
        "bodies that overlap",
        "[[fixed]]\nname = \"floor\"\nshape = \"box:4,4,0.2\"\n\nBALLposition = [0, 0, 0.15]\n",
    ),
    (
        "pieces that overlap without a name",
        "[[fixed]]\nshape = \"box:4,4,0.2\"\n\nBALLposition = [0, 0, 0.197]\n",
    ),
    (
        "a swinging arm without mass",
        "[[bodies]]\nname = \"arm\"\nmass = 0\ninertia = [0, 0, 0]\njoint = { kind = \"revolute\" }\n",
    ),
];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/scene-errors.txt")
}

fn wrong(text: &str) -> SceneError {
    match Scene::parse(text, "scene", Path::new("")) {
        Err(error) => error,
        Ok(scene) => scene.build().map(drop).expect_err(text),
    }
}

#[test]
fn every_wrong_scene_gets_its_message() {
    let mut found = String::new();
    for (what, text) in SCENES {
        let text = text.replace("BALL", BALL).replace("HINGE", HINGE);
        let error = wrong(&text);
        assert!(error.span.is_some(), "{what} has no place: {error}");
        let _ = write!(found, "## {what}\n\n{}\n", error.report());
    }
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::create_dir_all(golden().parent().unwrap()).unwrap();
        std::fs::write(golden(), &found).unwrap();
    }
    let kept = std::fs::read_to_string(golden()).unwrap_or_default();
    assert!(kept == found, "the messages have changed; they are now\n{found}");
}

#[test]
fn there_are_at_least_forty_wrong_scenes() {
    assert!(SCENES.len() >= 40, "{}", SCENES.len());
}
