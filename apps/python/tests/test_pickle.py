"""Copies by pickle and copy have the bits of the original, also in a fresh process."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import zerogap as zg


def bits(value):
    """Everything that an object shows, in a form that compares bit by bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {key: bits(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [bits(item) for item in value]
    if isinstance(value, zg.Event):
        return bits(dict(value))
    if type(value).__module__ == "zerogap":
        names = [name for name in dir(value) if not name.startswith("_")]
        shown = {name: getattr(value, name) for name in names}
        return {name: bits(item) for name, item in shown.items() if not callable(item)} | {"repr": repr(value)}
    return value


def falling_ball(contact="rigid", **settings):
    world = zg.World(contact=contact, **settings)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.3)), velocity=(0.5, 0, 0))
    world.body("box", zg.box((0.2, 0.2, 0.2)), pose=zg.pose((1, 0, 0.3), (0.1, 0.2, 0, 1)))
    return world


def results():
    spread = np.random.default_rng(3).normal(size=(50, 7))
    poses = spread / np.linalg.norm(spread[:, 3:], axis=1, keepdims=True)
    cube, ball = zg.box((1, 1, 1)), zg.sphere(0.5)
    limited = zg.World(contact="rigid")
    limited.body("arm", zg.box((0.1, 0.1, 1)), joint="revolute", axis=(1, 0, 0), rates=[5.0])
    limited.dof("arm", lower=-0.5, upper=0.5)
    run = zg.simulate(limited, until=0.3)
    return {
        "Gap": zg.distance(cube, "sphere:0.5", pose_b=zg.pose((0.3, 0.1, 2))),
        "Gap of hulls": zg.distance("part:gear", ball),
        "Gaps": zg.distance_many(cube, ball, poses_b=poses),
        "Contacts": zg.contacts(cube, cube, pose_b=zg.pose((0.3, 0.2, 1.0))),
        "no Contacts": zg.contacts(cube, cube, pose_b=zg.pose((0.3, 0.2, 3.0))),
        "Impact": zg.time_of_impact(cube, ball, velocity_a=(1, 0, 0), pose_b=zg.pose((4, 0.2, 0))),
        "Impact of meshes": zg.time_of_impact(
            zg.parts.gear(), zg.parts.peg(), velocity_a=(1, 0, 0), pose_b=zg.pose((4, 0, 0)), duration=5.0
        ),
        "clear Impact": zg.time_of_impact(cube, ball, velocity_a=(-1, 0, 0), pose_b=zg.pose((4, 0.2, 0))),
        "Event": run.events[0],
        "Inspection": zg.inspect("part:gear"),
        "Inspection of a half-space": zg.inspect("halfspace:0,0,1,0"),
        "Topology": zg.inspect("part:gear").topology,
        "Run": zg.simulate(falling_ball(), until=0.6),
        "Run with limits": run,
        "Scene": zg.load("four-bar"),
        "Scene with pieces": zg.load("falling-parts"),
        "landing": zg.load("skid-landing"),
    }


@pytest.mark.parametrize("name", results())
def test_a_copy_of_a_result_has_the_same_bits(name):
    original = results()[name]
    for made in [pickle.loads(pickle.dumps(original)), copy.deepcopy(original), copy.copy(original)]:
        assert type(made) is type(original)
        assert bits(made) == bits(original)


def test_a_recording_comes_back_whole_and_cut_off(tmp_path):
    run = zg.simulate(falling_ball(), until=0.3)
    run.save(tmp_path)
    whole = zg.open(tmp_path)
    assert bits(pickle.loads(pickle.dumps(whole))) == bits(whole)
    file = tmp_path / "recording.zgr"
    file.write_bytes(file.read_bytes()[:-40])
    cut = zg.open(file)
    made = pickle.loads(pickle.dumps(cut))
    assert not made.is_whole and bits(made) == bits(cut)
    made.save(tmp_path / "again.zgr")
    assert bits(zg.open(tmp_path / "again.zgr")) == bits(cut)


def seen(world):
    contacts = [bits(world.contacts()), bits(world.contact_points())]
    counts = {key: world.info[key] for key in ("steps", "rejected", "redone", "events", "evaluations", "functions", "gaps")}
    return world.time, world.hash, bits(world.poses), bits(world.velocities), bits(world.events), contacts, counts


def jointed():
    world = zg.World(contact="rigid")
    world.fixed(zg.box((4, 4, 0.1)), pose=zg.pose((0, 0, -1.4)))
    world.material("oak", 1e10, 0.3, 700)
    world.pair("oak", "steel", restitution=0.2, friction=0.3)
    lift = zg.Motion.harmonic(heave=(0.1, 2.0))
    world.body("base", zg.sphere(0.05), motion=lift)
    world.body("arm", [(zg.box((0.1, 0.1, 0.8)), zg.pose((0, 0, -0.5)))], joint="revolute", axis=(1, 0, 0), parent="base")
    world.dof("arm", lower=-0.7, upper=0.7, damping=0.1)
    world.set_motor("arm", speed=2.0, gain=3.0)
    world.body("hull", zg.hull(np.random.default_rng(5).normal(size=(60, 3)) * 0.1), material="oak", pose=zg.pose((1, 0, -1)))
    world.body("rod", zg.capsule(0.05, 0.4), pose=zg.pose((-1, 0, -1), (0.3, 0.1, 0, 1)))
    world.close("rod", None, frame_a=zg.pose((0, 0, 0.2)), frame_b=zg.pose((-1, 0, -1)) @ zg.pose((0, 0, 0), (0.3, 0.1, 0, 1)) @ zg.pose((0, 0, 0.2)))
    world.exclude("arm", "hull")
    return world


def meshes():
    world = zg.World(contact="linear", stiffness=1e7, damping_ratio=0.5)
    world.fixed(zg.box((1, 1, 0.1)), collision="quasi-lmd")
    world.body("gear", zg.parts.gear().shape(), collision="quasi-lmd", pose=zg.pose((0, 0, 0.07)))
    return world


WORLDS = {
    "rigid": falling_ball,
    "hunt-crossley": lambda: falling_ball("hunt-crossley"),
    "radau": lambda: falling_ball("linear", stiffness=1e4, integrator="radau"),
    "two functions": lambda: falling_ball(zero_functions="two"),
    "stepping": lambda: falling_ball(method="stepping"),
    "silvia": lambda: falling_ball(method="silvia"),
    "jointed": jointed,
    "meshes": meshes,
    "scene": lambda: zg.load("falling-parts").world(),
}


@pytest.mark.parametrize("kind", WORLDS)
def test_a_copy_of_a_world_goes_on_with_the_same_bits(kind):
    world = WORLDS[kind]()
    fresh = pickle.loads(pickle.dumps(world))
    middle, end = (0.03, 0.05) if kind == "meshes" else (0.25, 0.5)
    world.advance_to(middle)
    fresh.advance_to(middle)
    assert seen(fresh) == seen(world)
    copies = [pickle.loads(pickle.dumps(world)), copy.deepcopy(world)]
    for made in copies:
        assert seen(made) == seen(world)
    world.advance_to(end)
    for made in [fresh, *copies]:
        made.advance_to(end)
        assert seen(made)[:5] == seen(world)[:5]


def test_motors_forces_and_schedules_set_during_a_run_are_in_the_copy():
    world = jointed()
    world.advance_to(0.1)
    world.set_motor("arm", effort=1.5)
    world.set_force("hull", (1, 2, 3), (0.1, 0, 0))
    world.schedule(0.15)
    made = pickle.loads(pickle.dumps(world))
    for one in (world, made):
        one.advance_to(0.3)
    assert seen(made) == seen(world)
    assert "scheduled" in [event.kind for event in made.events]


def test_a_saved_state_goes_back_to_a_copy_of_its_world_and_to_no_other():
    world = falling_ball()
    world.advance_to(0.2)
    saved = world.save()
    world.advance_to(0.5)
    made, state = pickle.loads(pickle.dumps((world, saved)))
    assert state.time == saved.time and repr(state) == repr(saved)
    for one, back in ((world, saved), (made, state), (world, state), (made, copy.deepcopy(saved))):
        one.restore(back)
        assert one.time == 0.2
        one.advance_to(0.5)
    assert seen(made)[:5] == seen(world)[:5]
    with pytest.raises(ValueError, match="another world"):
        falling_ball().restore(state)


def test_a_copy_that_is_built_on_is_another_world():
    world = falling_ball()
    made = copy.deepcopy(world)
    made.body("more", zg.sphere(0.1), pose=zg.pose((3, 0, 1)))
    assert made.names == ["ball", "box", "more"] and world.names == ["ball", "box"]
    with pytest.raises(ValueError, match="another world"):
        made.restore(world.save())


def height(view):
    return view.poses[0, 2] - 0.2


def test_functions_that_are_watched_are_copied_with_the_world():
    world = falling_ball()
    world.add_event(height, direction="falling")
    made = pickle.loads(pickle.dumps(world))
    assert world.advance_to(0.5) == made.advance_to(0.5) == "stopped"
    assert seen(made) == seen(world)
    other = falling_ball()
    other.add_event(lambda view: 1.0)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(other)


def test_what_cannot_be_copied_says_why():
    world = zg.World(contact="rigid")
    ball = zg.user_shape(lambda d: 0.1 * d / np.linalg.norm(d), (0, 0, 0), zg.sphere(0.1).mass_properties(1000))
    world.body("ball", ball)
    with pytest.raises(TypeError, match="a shape with a support function of the user cannot be copied to another process"):
        pickle.dumps(world)


def test_damaged_bytes_are_refused():
    function, arguments = falling_ball().__reduce__()
    with pytest.raises(ValueError, match="damaged or of another version"):
        function(arguments[0][:-5], *arguments[1:])
    other = arguments[0].replace(b"zerogap 0", b"zerogap 9", 1)
    with pytest.raises(ValueError, match=r"this was stored by zerogap 9"):
        function(other, *arguments[1:])


def test_a_scene_needs_none_of_its_files_again(tmp_path):
    mesh = tmp_path / "part.stl"
    zg.parts.gear().save(mesh)
    file = tmp_path / "scene.toml"
    file.write_text(
        '[world]\ncontact = "rigid"\n[[fixed]]\nshape = "halfspace:0,0,1,0"\n'
        '[[bodies]]\nname = "part"\nshape = "part.stl"\nposition = [0, 0, 0.1]\n'
    )
    scene = zg.load(file)
    stored = pickle.dumps(scene)
    mesh.unlink()
    file.unlink()
    made = pickle.loads(stored)
    one, other = zg.simulate(scene, until=0.4), zg.simulate(made, until=0.4)
    assert one.hash == other.hash and bits(one.poses) == bits(other.poses)


def test_copies_are_read_in_a_fresh_process(tmp_path):
    world = jointed()
    world.advance_to(0.2)
    kept = {name: value for name, value in results().items()}
    (tmp_path / "kept.pickle").write_bytes(pickle.dumps((world, world.save(), kept)))
    program = """
import pickle, sys
world, saved, kept = pickle.loads(open(sys.argv[1], "rb").read())
world.advance_to(0.4)
first = world.hash
world.restore(saved)
world.advance_to(0.4)
assert world.hash == first
print(first, kept["Run"].hash, kept["Gap"].gap.hex(), kept["Gaps"].gap.tobytes().hex())
"""
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "kept.pickle"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    world.advance_to(0.4)
    expected = [str(world.hash), str(kept["Run"].hash), kept["Gap"].gap.hex(), kept["Gaps"].gap.tobytes().hex()]
    assert done.stdout.split() == expected
