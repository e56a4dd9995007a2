"""A setting that is left out means the same in a scene file and in Python.

Each case builds one world behind both doors with as little said as possible, runs it, and compares states, events and counts bit for bit.
"""

import json
from pathlib import Path

import pytest

import zerogap as zg

SCHEMA = Path(__file__).parents[3] / "docs" / "scene.schema.json"

BALL = """
[[fixed]]
shape = "halfspace:0,0,1,0"

[[bodies]]
name = "ball"
shape = "sphere:0.1"
position = [0, 0, 0.12]
velocity = [1, 0, 0]
"""


def ball(world):
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.12)), velocity=(1, 0, 0))
    return world




def limited():
    world = zg.World(contact="rigid")
    world.body("arm", zg.box((0.1, 0.1, 1)), joint="revolute", axis=(1, 0, 0), rates=[5.0])
    world.dof("arm", lower=-0.5, upper=0.5)
    return world


def sprung():
    world = zg.World(contact="rigid")
    world.body("arm", zg.box((0.1, 0.1, 1)), joint="prismatic", axis=(1, 0, 0), rates=[1.0])
    world.dof("arm", stiffness=100.0)
    return world


def driven(**motor):
    def build():
        world = zg.World(contact="rigid")
        world.body("arm", zg.box((0.1, 0.1, 1)), joint="revolute", axis=(1, 0, 0))
        world.set_motor("arm", **motor)
        return world

    return build


def carried():
    world = zg.World(contact="rigid")
    world.body("load", zg.box((0.1, 0.1, 0.1)))
    world.servo("load", zg.Motion.harmonic(heave=(0.1, 0.5)), force=50, torque=1)
    return world


POINTS = [(0.0, (0, 0, 0)), (0.1, (0, 0, 0.02)), (0.2, (0, 0, 0.02)), (0.3, (0, 0, 0))]


def lifted():
    world = zg.World(contact="rigid")
    motion = zg.Motion.spline([t for t, _ in POINTS], [place for _, place in POINTS])
    world.body("table", zg.box((1, 1, 0.1)), joint="prescribed", motion=motion)
    return world


def rocked():
    world = zg.World(contact="rigid")
    swings = {name: (0.1, 0.5) for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}
    world.body("table", zg.box((1, 1, 0.1)), joint="prescribed", motion=zg.Motion.harmonic(**swings))
    return world


def of_two_shapes():
    world = zg.World(contact="linear", stiffness=1e8)
    world.fixed(zg.box((1, 1, 0.1)), collision="quasi-lmd")
    ball, block = zg.box((0.1, 0.1, 0.1)), zg.box((0.1, 0.1, 0.1))
    world.body("dumbbell", [ball, (block, zg.pose((0.2, 0, 0)))], collision="quasi-lmd", pose=zg.pose((0, 0, 0.11)))
    return world


def in_own_material():
    world = zg.World(contact="rigid")
    world.material("oak", 1e10, 0.3, 700)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), material="oak", pose=zg.pose((0, 0, 0.12)), velocity=(1, 0, 0))
    return world


def paired():
    # A pair of which nothing is said but that it is there.
    world = zg.World(contact="rigid")
    world.pair("steel", "steel", restitution=0.1, friction=0.3)
    world.pair("steel", "steel")
    return ball(world)


def pyramids():
    # Round pairs that nothing is said of resist rolling, which pyramids do not know.
    world = zg.World(method="stepping", solver="lcp")
    world.pair("steel", "steel")
    return ball(world)


def inflated():
    world = zg.World(contact="linear", stiffness=1e8)
    world.fixed(zg.box((1, 1, 0.1)), collision="quasi-lmd")
    world.body("brick", zg.box((0.1, 0.1, 0.1)), collision="quasi-lmd", pose=zg.pose((0, 0, 0.11)))
    return world


def cornered():
    world = zg.World(contact="linear", stiffness=1e8)
    world.fixed(zg.box((1, 1, 0.1)), collision="oriented")
    world.body("brick", zg.box((0.1, 0.1, 0.1)), collision="oriented", pose=zg.pose((0, 0, 0.11)))
    world.body("block", [zg.box((0.1, 0.1, 0.1))], collision="oriented", pose=zg.pose((0.3, 0, 0.11)))
    return world


def closed():
    world = zg.World(contact="rigid")
    world.body("bob", zg.sphere(0.1), pose=zg.pose((1, 0, 0)))
    world.close("bob", None, frame_a=zg.pose((-1, 0, 0)))
    return world


def hung():
    world = zg.World(contact="rigid")
    world.body("bob", zg.sphere(0.1), pose=zg.pose((1, 0, 0)))
    world.spring(None, "bob", stiffness=50, length=0.5)
    return world


def mounted():
    world = zg.World(contact="rigid")
    world.body("bob", zg.sphere(0.1), angular_velocity=(1, 2, 0))
    world.bushing(None, "bob", stiffness=(100, 200, 300))
    return world


WORLD = '[world]\ncontact = "rigid"\n'
ARM = '[[bodies]]\nname = "arm"\nshape = "box:0.1,0.1,1"\n'

TABLE = '[[bodies]]\nname = "table"\nshape = "box:1,1,0.1"\n'

# Name: scene, the same in Python, and the settings whose defaults it depends on.
CASES = {
    "nothing said": (
        BALL,
        lambda: ball(zg.World()),
        {"world." + key for key in ("contact", "gravity", "rtol", "atol", "method", "integrator", "max_step", "zero_functions", "narrow_phase")},
    ),
    "rtol": ("[world]\nrtol = 1e-8\n" + BALL, lambda: ball(zg.World(rtol=1e-8)), {"world.atol"}),
    "rigid": (WORLD + BALL, lambda: ball(zg.World(contact="rigid")), {"world.impact"}),
    "linear": (
        '[world]\ncontact = "linear"\nstiffness = 1e4\n' + BALL,
        lambda: ball(zg.World(contact="linear", stiffness=1e4)),
        {"world.damping_ratio"},
    ),
    "kelvin-voigt": (
        '[world]\ncontact = "kelvin-voigt"\nstiffness = 1e4\ndamping = 5\n' + BALL,
        lambda: ball(zg.World(contact="kelvin-voigt", stiffness=1e4, damping=5)),
        set(),
    ),
    "hertz": ('[world]\ncontact = "hertz"\n' + BALL, lambda: ball(zg.World(contact="hertz")), set()),
    "pyramids": (
        '[world]\nmethod = "stepping"\nsolver = "lcp"\n[[pairs]]\nmaterials = ["steel", "steel"]\n' + BALL,
        pyramids,
        {"world.cone_sides"},
    ),
    "stepping": (
        '[world]\nmethod = "stepping"\n' + BALL,
        lambda: ball(zg.World(method="stepping")),
        {"world.step", "world.tolerance", "world.patch_points", "world.solver", "world.midpoint_iterations"},
    ),
    "sleeping": (
        '[world]\nmethod = "stepping"\nsleep = "50 ms"\n' + BALL,
        lambda: ball(zg.World(method="stepping", sleep="50 ms")),
        {"world.sleep_speed"},
    ),
    "silvia": ('[world]\nmethod = "silvia"\n' + BALL, lambda: ball(zg.World(method="silvia")), {"world.step"}),
    "pair": (
        WORLD
        + '[[pairs]]\nmaterials = ["steel", "steel"]\n'
        + BALL,
        paired,
        {"pairs." + key for key in ("restitution", "friction", "static_friction", "rolling", "rolling_length", "spinning", "contact_radius", "grip")},
    ),
    "own material": (
        WORLD
        + "[materials.oak]\nyoung_modulus = 1e10\ndensity = 700\n"
        + BALL.replace('"sphere:0.1"', '"sphere:0.1"\nmaterial = "oak"'),
        in_own_material,
        {"materials.NAME.poisson_ratio"},
    ),
    "material": (
        BALL,
        lambda: ball(zg.World()),
        {"bodies.material", "fixed.material", "bodies.mass", "bodies.rotation", "bodies.angular_velocity", "bodies.joint"},
    ),
    "at rest at the origin": (
        WORLD + '[[bodies]]\nname = "ball"\nshape = "sphere:0.1"\n',
        lambda: (lambda w: (w.body("ball", zg.sphere(0.1)), w)[1])(zg.World(contact="rigid")),
        {"bodies.position", "bodies.velocity"},
    ),
    "quasi-lmd": (
        '[world]\ncontact = "linear"\nstiffness = 1e8\n'
        '[[fixed]]\nshape = "box:1,1,0.1"\ncollision = "quasi-lmd"\n'
        '[[bodies]]\nname = "brick"\nshape = "box:0.1,0.1,0.1"\ncollision = "quasi-lmd"\nposition = [0, 0, 0.11]\n',
        inflated,
        {part + key for part in ("fixed.", "bodies.") for key in ("angular_tolerance", "dilation", "inflate", "surface_velocity")},
    ),
    "oriented": (
        '[world]\ncontact = "linear"\nstiffness = 1e8\n'
        '[[fixed]]\nshape = "box:1,1,0.1"\ncollision = "oriented"\n'
        '[[bodies]]\nname = "brick"\nshape = "box:0.1,0.1,0.1"\ncollision = "oriented"\nposition = [0, 0, 0.11]\n'
        '[[bodies]]\nname = "block"\nposition = [0.3, 0, 0.11]\n'
        '[[bodies.shapes]]\nshape = "box:0.1,0.1,0.1"\ncollision = "oriented"\n',
        cornered,
        {"fixed.rule", "bodies.rule", "bodies.shapes.rule"},
    ),
    "joint": (
        WORLD + ARM + 'joint = { kind = "revolute", axis = [1, 0, 0], speed = 5.0, lower = -0.5, upper = 0.5 }\n',
        limited,
        {"world.assemble"}
        | {"bodies.joint." + key for key in ("parent", "parent_frame", "child_frame", "position", "restitution", "damping")}
        | {"bodies.joint.armature", "bodies.joint.friction"},
    ),
    "spring": (
        WORLD + ARM + 'joint = { kind = "prismatic", axis = [1, 0, 0], speed = 1.0, stiffness = 100.0 }\n',
        sprung,
        {"bodies.joint." + key for key in ("spring_reference", "damping", "lower", "upper", "motor")},
    ),
    "motor for a position": (
        WORLD + ARM + 'joint = { kind = "revolute", axis = [1, 0, 0], motor = { position = 1.0, stiffness = 5.0 } }\n',
        driven(position=1.0, stiffness=5.0),
        {"bodies.joint.speed", "bodies.joint.stiffness", "bodies.joint.motor.damping", "bodies.joint.motor.limit"},
    ),
    "motor for a speed": (
        WORLD + ARM + 'joint = { kind = "revolute", axis = [1, 0, 0], motor = { speed = 1.0, gain = 5.0 } }\n',
        driven(speed=1.0, gain=5.0),
        {"bodies.joint.motor.limit"},
    ),
    "servo": (
        WORLD
        + '[[bodies]]\nname = "load"\nshape = "box:0.1,0.1,0.1"\n'
        + 'servo = { force = 50, torque = 1, motion = { heave = { amplitude = 0.1, period = 2.0 } } }\n',
        carried,
        {"bodies.servo.response", "bodies.motion.heave.phase", "bodies.motion.position", "bodies.motion.rotation"},
    ),
    "points": (
        WORLD
        + TABLE
        + "".join(f"[[bodies.motion.points]]\nt = {t}\nposition = {list(place)}\n" for t, place in POINTS),
        lifted,
        {"bodies.motion.interpolation", "bodies.motion.points.rotation"},
    ),
    "oscillations": (
        WORLD
        + TABLE
        + "[bodies.motion]\n"
        + "".join(f"{name} = {{ amplitude = 0.1, period = 2.0 }}\n" for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")),
        rocked,
        {"bodies.motion.heave.phase", "bodies.motion.roll.phase", "bodies.motion.position", "bodies.motion.rotation"},
    ),
    "two shapes": (
        '[world]\ncontact = "linear"\nstiffness = 1e8\n'
        '[[fixed]]\nshape = "box:1,1,0.1"\ncollision = "quasi-lmd"\n'
        '[[bodies]]\nname = "dumbbell"\nposition = [0, 0, 0.11]\n'
        '[[bodies.shapes]]\nshape = "box:0.1,0.1,0.1"\ncollision = "quasi-lmd"\n'
        '[[bodies.shapes]]\nshape = "box:0.1,0.1,0.1"\ncollision = "quasi-lmd"\nposition = [0.2, 0, 0]\n',
        of_two_shapes,
        {
            "bodies.shapes." + key
            for key in ("material", "position", "rotation", "angular_tolerance", "dilation", "inflate", "surface_velocity")
        },
    ),
    "loop": (
        WORLD
        + '[[bodies]]\nname = "bob"\nshape = "sphere:0.1"\nposition = [1, 0, 0]\n'
        + '[[loops]]\na = "bob"\nat_a = [-1, 0, 0]\n',
        closed,
        {"loops." + key for key in ("kind", "b", "at_b")},
    ),
    "spring between bodies": (
        WORLD
        + '[[bodies]]\nname = "bob"\nshape = "sphere:0.1"\nposition = [1, 0, 0]\n'
        + '[[springs]]\nb = "bob"\nstiffness = 50\nlength = 0.5\n',
        hung,
        {"springs." + key for key in ("a", "at_a", "at_b", "damping")},
    ),
    "bushing": (
        WORLD
        + '[[bodies]]\nname = "bob"\nshape = "sphere:0.1"\nangular_velocity = [1, 2, 0]\n'
        + '[[bushings]]\nb = "bob"\nstiffness = [100, 200, 300]\n',
        mounted,
        {"bushings." + key for key in ("a", "frame_a", "frame_b", "damping", "angular_stiffness", "angular_damping")},
    ),
}

# Settings that one door alone has, that must be given behind both, or whose default is that there is none.
EXEMPT = {
    "world": {"stiffness", "damping", "overlaps", "sleep", "level", "broad_phase"},
    # The effort of a run has no limit where none is given.
    "run": {"until", "max_wall", "max_events"},
    "materials.NAME": {"young_modulus", "density"},
    "pairs": {"materials", "friction_across", "friction_direction"},
    # How meshes and files are read: in Python a shape is made before it is given to a body.
    "fixed": {
        "name", "shape", "collision", "pieces", "sides", "max_depth", "thickness", "scale", "position", "rotation",
    },
    "bodies": {
        "name", "shape", "shapes", "collision", "pieces", "sides", "max_depth", "thickness", "scale", "density", "inertia", "products", "center",
        "motion", "servo", "level",
    },
    # Axes have a default in a scene and must be given in Python.
    "bodies.joint": {"kind", "axis", "second_axis"},
    "bodies.joint.motor": {"effort", "speed", "position", "gain", "stiffness"},
    "bodies.servo": {"force", "torque", "motion"},
    # Each kind of motion has a function of its own in Python; `points` and the oscillations are what is compared.
    "bodies.motion": {"csv", "points", "surge", "sway", "heave", "roll", "pitch", "yaw"},
    "bodies.motion.heave": {"amplitude", "period"},
    "bodies.motion.roll": {"amplitude", "period"},
    "bodies.motion.points": {"t", "position"},
    "bodies.shapes": {"name", "shape", "collision", "pieces", "sides", "max_depth", "thickness", "scale"},
    "loops": {"a", "at_a", "axis", "length"},
    # What makes one do something has no default.
    "springs": {"b", "stiffness", "length"},
    "bushings": {"b", "stiffness"},
    "exclude": {"bodies"},
    "bodies.joint.parent_frame": {"position", "rotation"},
    "rotation": {"axis", "angle"},
}  # fmt: skip


# Tables for which Python has no class: it loads a scene that has them.
OF_SCENES_ALONE = {"robot", "commands", "landing"}


def outcome(world):
    world.advance_to(0.3)
    info = world.info
    counts = {key: info[key] for key in ("steps", "rejected", "redone", "events", "evaluations", "functions", "gaps")}
    return world.hash, world.poses.tobytes(), [dict(event) for event in world.events], counts


@pytest.mark.parametrize("case", CASES)
def test_what_is_left_out_means_the_same_behind_both_doors(case, tmp_path):
    text, build, _ = CASES[case]
    file = tmp_path / "scene.toml"
    file.write_text(text)
    assert outcome(zg.load(file).world()) == outcome(build())


def test_frames_are_as_far_apart_behind_both_doors(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(BALL)
    assert zg.simulate(file, until=0.1).every == zg.simulate(ball(zg.World()), until=0.1).every


def test_a_linear_contact_is_critically_damped_unless_said_otherwise():
    critical = ball(zg.World(contact="linear", stiffness=1e4, damping_ratio=1))
    assert outcome(ball(zg.World(contact="linear", stiffness=1e4))) == outcome(critical)


def test_a_contact_that_needs_its_damping_says_so_behind_both_doors(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text('[world]\ncontact = "kelvin-voigt"\nstiffness = 1e4\n' + BALL)
    with pytest.raises(ValueError, match="damping"):
        zg.load(file)
    with pytest.raises(ValueError, match="contact = \"kelvin-voigt\" needs 'damping'"):
        zg.World(contact="kelvin-voigt", stiffness=1e4)


def test_every_setting_that_both_doors_have_is_compared():
    if not SCHEMA.exists():
        pytest.skip("the schema of scenes is not here")
    sections = json.loads(SCHEMA.read_text())["definitions"]
    covered = set().union(*(keys for _, _, keys in CASES.values())) | {"run.every"}
    for section in sections:
        if section.partition(".")[0] in OF_SCENES_ALONE:
            continue
        # A table that nobody has thought of has no exempt keys: all of it must be compared.
        keys, exempt = set(sections[section]["properties"]), EXEMPT.get(section, set())
        compared = {key for key in keys if f"{section}.{key}" in covered}
        assert compared | exempt == keys, f"{section}: {sorted(keys ^ (compared | exempt))} are not compared"
    assert set(EXEMPT) <= set(sections) and OF_SCENES_ALONE <= set(sections)
    unknown = {key for key in covered if key.rpartition(".")[2] not in sections[key.rpartition(".")[0]]["properties"]}
    assert not unknown
