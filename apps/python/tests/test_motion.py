"""Bodies that move and touch, against closed forms."""

import math
import pickle
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import zerogap as zg

G = 9.81


def bouncing(restitution: float = 0.9, contact: str = "rigid") -> zg.World:
    world = zg.World(contact=contact)
    world.pair("steel", "steel", restitution=restitution, friction=0.0)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
    return world


def of_kind(events: list[zg.Event], kind: str) -> list[zg.Event]:
    return [event for event in events if event.kind == kind]


def test_a_ball_bounces_when_it_must_and_comes_to_rest() -> None:
    e, first = 0.9, math.sqrt(2 / G)
    run = zg.simulate(bouncing(e), until=10.0, every=0.1)
    touched = of_kind(run.events, "contact_begin")
    expected = first + 2 * first * np.cumsum([0.0] + [e**k for k in range(1, 20)])
    assert np.abs([event.t for event in touched[:20]] - expected).max() < 1e-9
    assert touched[0].bodies == [None, "ball"] and touched[0].shapes == (0, 1)
    assert touched[0]["approach"] == pytest.approx(G * first, rel=1e-9)
    (settled,) = of_kind(run.events, "settled")
    assert settled["limit"] == pytest.approx(first * (1 + e) / (1 - e), abs=1e-9)

    assert run.poses.shape == (101, 1, 7) and run.velocities.shape == (101, 1, 6) and len(run) == 101
    assert np.abs(run.t - 0.1 * np.arange(101)).max() < 1e-14
    falling = run.t < first
    assert np.abs(run["ball"].xyz[falling, 2] - (1.1 - 0.5 * G * run.t[falling] ** 2)).max() < 1e-12
    assert np.abs(run["ball"].xyz[-1] - (0, 0, 0.1)).max() < 1e-12
    assert np.all(np.diff(run.energy["total"]) < 1e-9 * run.energy["total"][0])
    assert run.info["steps"] > 0 and run.info["time_fractions"]["dynamics"] > 0
    last = run.contacts["frame"] == 100
    mass = run.energy["gravity"][0] / (G * 1.1)
    assert run.contacts["normal_force"][last] == pytest.approx([mass * G], rel=1e-9)


def test_frames_do_not_change_the_run() -> None:
    hashes = set()
    for every in (None, 0.1, 0.013, 1e-3):
        world = bouncing()
        if every is None:
            world.advance_to(3.0)
        else:
            zg.simulate(world, until=3.0, every=every)
        hashes.add(world.hash)
    assert len(hashes) == 1


def test_the_last_frame_is_at_the_end() -> None:
    run = zg.simulate(bouncing(), until=0.3, every=0.1)
    assert len(run) == 4 and run.t[-1] == pytest.approx(0.3, abs=1e-15)


@pytest.mark.parametrize(
    "words",
    [
        {"contact": "hunt-crossley"},
        {"contact": "hertz"},
        {"contact": "modia3d"},
        {"contact": "linear", "stiffness": 1e6, "damping_ratio": 0.1},
        {"contact": "kelvin-voigt", "stiffness": 1e6, "damping": 100.0},
        {"contact": "rigid", "impact": "poisson"},
        {"contact": "rigid", "impact": "sequential", "method": "auto"},
        {"contact": "rigid", "impact": "newton", "zero_functions": "two"},
        {"contact": "hunt-crossley", "integrator": "radau", "zero_functions": 3},
    ],
    ids=str,
)
def test_every_contact_model_bounces_a_ball(words: dict) -> None:
    world = zg.World(rtol=1e-9, atol=1e-12, gravity=(0, 0, 0), **words)
    # The damping of the others says what is lost.
    has_restitution = words["contact"] in ("hunt-crossley", "modia3d", "rigid")
    world.pair("steel", "steel", friction=0.2, **({"restitution": 0.8} if has_restitution else {}))
    world.fixed(zg.halfspace((0, 0, 1), 0))
    ball = world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.3)), velocity=(0, 0, -2), mass=1.0)
    world.advance_to(0.2)
    (first,) = of_kind(world.events, "contact_begin")
    assert first.t == pytest.approx(0.1, abs=1e-12)
    # A rigid contact that bounces lasts no time; others end.
    assert len(of_kind(world.events, "contact_end")) == (words["contact"] != "rigid")
    restitution = world.velocities[ball, 2] / 2
    known = {"hertz": 1.0, "hunt-crossley": 0.8, "rigid": 0.8}
    if words["contact"] in known:
        assert restitution == pytest.approx(known[words["contact"]], abs=1e-6)
    else:
        # Each has damping of its own, and loses some speed.
        assert 0.1 < restitution < 0.95


def deck(peak: float, frequency: float) -> tuple[zg.World, float]:
    """A ball on a deck that heaves with this largest acceleration [m/s²]; also the angular frequency."""
    w = 2 * math.pi * frequency
    world = zg.World(contact="rigid", rtol=1e-9, atol=1e-12)
    world.pair("steel", "steel", restitution=0.0, friction=0.5)
    heave = zg.Motion.harmonic(zg.pose((0, 0, -0.5)), heave=(peak / w**2, frequency))
    world.body("deck", zg.box(size=(4, 4, 1)), motion=heave)
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.1)), velocity=(0, 0, peak / w))
    return world, w


def test_a_ball_rides_a_deck_that_falls_more_slowly_than_it() -> None:
    world, _ = deck(peak=0.9 * G, frequency=1.0)
    run = zg.simulate(world, until=3.0)
    assert not of_kind(run.events, "contact_end")
    gap = run["ball"].xyz[:, 2] - run["deck"].xyz[:, 2] - 0.6
    assert np.abs(gap).max() < 1e-9
    mass = 8000 * 4 / 3 * math.pi * 1e-3
    force = mass * (G - 0.9 * G * np.sin(2 * math.pi * run.t))
    # One pair in contact at every frame: the deck carries what gravity and its acceleration ask for.
    assert len(run.contacts["frame"]) == len(run)
    assert np.abs(run.contacts["normal_force"] / force - 1).max() < 1e-6


def test_a_ball_leaves_a_deck_that_falls_faster_when_it_must() -> None:
    world, w = deck(peak=2 * G, frequency=1.0)
    run = zg.simulate(world, until=1.5)
    leaves = math.asin(0.5) / w
    (first, *_) = of_kind(run.events, "contact_end")
    assert first.t == pytest.approx(leaves, abs=1e-8)
    # It flies until the deck meets it again.
    height, speed = 2 * G / w**2 * 0.5, 2 * G / w * math.cos(w * leaves)

    def gap(t: float) -> float:
        flight = t - leaves
        return height + speed * flight - 0.5 * G * flight**2 - 2 * G / w**2 * math.sin(w * t)

    low, high = leaves + 0.3, leaves + 1.0
    assert gap(low) > 0 > gap(high)
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    lands = next(event for event in of_kind(run.events, "contact_begin") if event.t > leaves)
    assert lands.t == pytest.approx(low, abs=1e-7)


def test_a_motion_through_samples_is_followed(tmp_path) -> None:
    t = np.linspace(0, 2, 21)
    xyz = np.stack([np.sin(t) ** 3, 0 * t, t * (2 - t)], axis=1)
    poses = np.hstack([xyz, np.tile([0, 0, 0, 1.0], (21, 1))])
    path = tmp_path / "motion.csv"
    path.write_text("t,x,y,z,roll,pitch,yaw\n" + "".join(f"{a},{b[0]!r},0,{b[2]!r},0,0,0\n" for a, b in zip(t.tolist(), xyz.tolist())))
    for motion in (zg.Motion.spline(t, xyz), zg.Motion.spline(t, poses), zg.Motion.csv(path)):
        world = zg.World()
        body = world.body("hand", zg.sphere(0.1), motion=motion)
        world.advance_to(1.3)
        assert np.abs(world.poses[body, :3] - xyz[13]).max() < 1e-12
        pose, velocity = motion.at(1.3)
        assert np.abs(world.velocities[body] - velocity).max() < 1e-12 and np.abs(pose.xyz - xyz[13]).max() < 1e-12


def test_angular_velocities_are_in_world_axes() -> None:
    world = zg.World(gravity=(0, 0, 0))
    turned = zg.pose((1, 2, 3), quat=(0, math.sin(0.6), 0, math.cos(0.6)))
    world.body("top", zg.cylinder(0.2, 0.1), pose=turned, velocity=(1, 0, 0), angular_velocity=(0.1, 0.2, 3))
    assert np.abs(world.velocities[0] - (1, 0, 0, 0.1, 0.2, 3)).max() < 1e-15
    before = world.momentum[1]
    world.advance_to(1.0)
    assert np.abs(world.momentum[1] - before).max() < 1e-9 * np.linalg.norm(before)


def four_bar() -> zg.World:
    """Crank 0.2 m, coupler 0.5 m and rocker 0.4 m between pivots 0.5 m apart; a stop in the way of the coupler."""
    world = zg.World(contact="rigid", rtol=1e-9, atol=1e-12)
    world.pair("steel", "steel", restitution=0.5, friction=0.0)
    y = (0, 1, 0)
    # All links lie along their own x axis from their first pin.
    bar = lambda length: [(zg.box(size=(length, 0.02, 0.02)), zg.pose((length / 2, 0, 0)))]  # noqa: E731
    angle = math.pi / 2
    a, b, c, d = 0.2, 0.5, 0.4, 0.5
    # Where coupler and rocker meet, from the circles about their pins.
    p = np.array([0.0, a])
    ground = np.array([d, 0.0])
    apart = np.linalg.norm(ground - p)
    along = (b**2 - c**2 + apart**2) / (2 * apart)
    up = np.array([a, d]) / apart
    meet = p + along * (ground - p) / apart + math.sqrt(b**2 - along**2) * up
    coupler = -math.atan2(*(meet - p)[::-1])
    rocker = -math.atan2(*(meet - ground)[::-1])
    world.body("crank", bar(a), joint="revolute", axis=y, positions=-angle)
    world.body("coupler", bar(b), joint="revolute", axis=y, parent="crank", parent_frame=zg.pose((a, 0, 0)), positions=coupler + angle)
    world.body("rocker", bar(c), joint="revolute", axis=y, parent_frame=zg.pose((d, 0, 0)), positions=rocker)
    world.close("coupler", "rocker", frame_a=zg.pose((b, 0, 0)), frame_b=zg.pose((c, 0, 0)), kind="point")
    world.exclude("crank", "rocker")
    world.fixed(zg.sphere(0.05), pose=zg.pose((0, 0, 0.08)))
    world.exclude(None, "crank")
    world.exclude(None, "rocker")
    return world


def test_a_four_bar_linkage_hits_a_stop_and_stays_closed() -> None:
    world = four_bar()
    energies, errors = [world.energy["total"]], []
    for t in np.linspace(0, 2, 201)[1:]:
        world.advance_to(t)
        energies.append(world.energy["total"])
        errors.append(np.abs(world.loop_errors).max())
    touched = of_kind(world.events, "contact_begin")
    assert touched and set(touched[0].bodies) == {None, "coupler"}
    assert max(errors) < 1e-9
    scale = max(energies) - min(energies)
    assert scale > 0 and np.diff(energies).max() < 1e-7 * scale
    # Between impacts nothing is lost, at an impact what it says is.
    lost = sum(event["loss"] for event in of_kind(world.events, "impact"))
    assert energies[0] - energies[-1] == pytest.approx(lost, rel=1e-6)


def test_motors_are_set_between_calls() -> None:
    world = zg.World(gravity=(0, 0, 0), rtol=1e-9, atol=1e-12)
    world.body("wheel", zg.cylinder(0.1, 0.05), joint="revolute", axis=(0, 0, 1), mass=2.0)
    inertia = 0.5 * 2.0 * 0.1**2
    world.set_motor("wheel", effort=0.3)
    world.advance_to(1.0)
    assert world.rates("wheel") == pytest.approx([0.3 / inertia], rel=1e-9)
    world.set_motor("wheel")
    world.advance_to(2.0)
    assert world.rates("wheel") == pytest.approx([0.3 / inertia], rel=1e-9)
    world.set_motor(0, speed=-5.0, gain=0.2)
    world.advance_to(2.1)
    expected = -5.0 + (30.0 + 5.0) * math.exp(-0.2 / inertia * 0.1)
    assert world.rates("wheel") == pytest.approx([expected], rel=1e-6)
    assert world.positions("wheel").shape == (1,)


def test_forces_and_schedules_take_effect_when_told() -> None:
    world = zg.World(gravity=(0, 0, 0))
    ball = world.body("ball", zg.sphere(0.1), mass=2.0)
    world.schedule(0.5)
    world.set_force("ball", (4, 0, 0))
    world.advance_to(1.0)
    assert [event.t for event in of_kind(world.events, "scheduled")] == [0.5]
    assert world.velocities[ball, 0] == pytest.approx(2.0, rel=1e-12)


def test_limits_and_springs_act_on_joints() -> None:
    world = zg.World(contact="rigid", gravity=(0, 0, 0), rtol=1e-10, atol=1e-13)
    world.body("slider", zg.box(size=(0.1, 0.1, 0.1)), joint="prismatic", axis=(1, 0, 0), mass=1.0, rates=1.0)
    world.dof("slider", upper=0.25, restitution=0.5, stiffness=4.0)
    world.advance_to(0.3)
    # x = sin(2 t) / 2 comes to 0.25 at pi / 12 with a speed of cos(pi / 6).
    (reached,) = of_kind(world.events, "limit_reached")
    assert reached.bodies == ["slider"] and reached["side"] == "upper" and reached["dof"] == 0
    assert reached.t == pytest.approx(math.pi / 12, abs=1e-9)
    assert reached["approach"] == pytest.approx(math.cos(math.pi / 6), rel=1e-8)
    energy = world.energy
    assert energy["total"] == pytest.approx(0.5 * 0.25 * 0.75 + 2 * 0.25**2, rel=1e-8) and energy["springs"] > 0


def test_a_watched_function_stops_a_run() -> None:
    world = bouncing()
    seen: list[zg.WorldView] = []

    def height(view: zg.WorldView) -> float:
        seen.append(view)
        return view.pose("ball").xyz[2] - 0.6

    number = world.add_event(height, direction="falling")
    assert world.advance_to(5.0) == "stopped"
    assert world.time == pytest.approx(math.sqrt(1.0 / G), abs=1e-10)
    assert [(event["function"], event.t) for event in of_kind(world.events, "crossed")] == [(number, world.time)]
    view = seen[-1]
    assert view.poses.shape == (1, 7) and view.velocity("ball")[2] == view.velocities[0, 2]
    # It goes on from there: the next fall through that height is after the first bounce.
    assert world.advance_to(1.0) == "reached"
    run = zg.simulate(world, until=5.0)
    first = math.sqrt(2 / G)
    assert run.stopped and run.t[0] == 1.0
    assert world.time == pytest.approx(first + 0.9 * first + math.sqrt(2 * (0.81 - 0.5) / G), abs=1e-9)
    assert [event.kind for event in run.events] == ["crossed"]


def test_a_function_that_raises_ends_the_run_with_its_exception() -> None:
    world = bouncing()

    def broken(view: zg.WorldView) -> float:
        if view.t > 0.2:
            raise ZeroDivisionError("on purpose")
        return 1.0

    world.add_event(broken)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        world.advance_to(50.0)
    world = bouncing()
    world.add_event(lambda view: math.nan)
    with pytest.raises(ValueError, match="returned NaN"):
        world.advance_to(1.0)
    # A world cannot be asked from inside of its own run; the view can.
    world = bouncing()
    world.add_event(lambda view: world.time)
    with pytest.raises(RuntimeError, match="running"):
        world.advance_to(1.0)


def test_saved_states_come_back_bit_for_bit() -> None:
    world = bouncing()
    world.advance_to(0.4)
    saved = world.save()
    world.advance_to(3.0)
    there, events = world.hash, len(world.events)
    world.restore(saved)
    assert world.time == saved.time == 0.4 and not world.events
    world.advance_to(3.0)
    assert world.hash == there and len(world.events) == events
    with pytest.raises(ValueError, match="another world"):
        bouncing().restore(saved)


def test_reading_does_not_settle_a_world() -> None:
    world = zg.World()
    world.body("first", zg.sphere(0.1))
    assert world.poses.shape == (1, 7) and world.time == 0.0
    world.body("second", zg.sphere(0.1), pose=zg.pose((1, 0, 0)))
    assert world.names == ["first", "second"] and world.poses.shape == (2, 7)
    world.advance_to(0.1)
    with pytest.raises(RuntimeError, match="has started"):
        world.material("cork", 1e7, 0.1, 200.0)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda w: w.body("ball", zg.sphere(1)), ValueError, 'a body called "ball" already'),
        (lambda w: w.body("", zg.sphere(1)), ValueError, "needs a name"),
        (lambda w: w.body("b", zg.sphere(1), joint="hinge"), ValueError, 'joint is "hinge"'),
        (lambda w: w.body("b", zg.sphere(1), joint="revolute"), ValueError, "needs an axis"),
        (lambda w: w.body("b", zg.sphere(1), axis=(0, 0, 1)), ValueError, "a free joint takes no axis"),
        (lambda w: w.body("b", zg.sphere(1), joint="revolute", axis=(0, 0, 0)), ValueError, "axis"),
        (lambda w: w.body("b", zg.sphere(1), joint="planar", axis=(0, 0, 1), positions=[1, 2]), ValueError, "2 positions, but its joint has 3"),
        (lambda w: w.body("b", zg.sphere(1), joint="spherical", pose=zg.pose()), ValueError, "are for free bodies"),
        (lambda w: w.body("b", zg.sphere(1), material="cheese"), ValueError, 'no material is called "cheese"'),
        (lambda w: w.body("b", zg.Mesh(np.eye(3), [[0, 1, 2]]).shape(), mass=1, inertia=(1, 1, 1)), ValueError, "with holes"),
        (lambda w: w.body("b", zg.halfspace((0, 0, 1), 0)), ValueError, "half-space"),
        (lambda w: w.body("b"), ValueError, "has no mass"),
        (lambda w: w.body("b", zg.sphere(1), mass=-1.0), ValueError, "-1"),
        (lambda w: w.body("b", mass=1.0, inertia=(1, 1, 5)), ValueError, "no mass has it"),
        (lambda w: w.body("b", 3), TypeError, "shapes must be"),
        (lambda w: w.body("b", zg.sphere(1), parent="nobody"), ValueError, 'no body is called "nobody"; there are: ball'),
        (lambda w: w.dof(7), ValueError, "there is no body 7"),
        (lambda w: w.dof("ball", 6), ValueError, "no degree of freedom 6"),
        (lambda w: w.dof("ball", lower=1, upper=0), ValueError, "'upper' is 0, below 'lower', which is 1"),
        (lambda w: w.set_motor("ball", effort=1, speed=2), ValueError, "one of 'effort', 'speed' and 'position'"),
        (lambda w: w.set_motor("ball", speed=2), ValueError, "a motor with 'speed' needs 'gain'"),
        (lambda w: w.set_motor("ball", effort=math.inf), ValueError, "'effort' is inf N: it must be a finite number"),
        (lambda w: w.close("ball", "ball"), ValueError, "same body"),
        (lambda w: w.close("ball", None, kind="distance"), ValueError, "needs a length"),
        (lambda w: w.pair("steel", "steel", restitution=2), ValueError, "'restitution' is 2: it must be from 0 to 1"),
        (lambda w: w.material("x", -1, 0.3, 1), ValueError, "young_modulus is -1"),
        (lambda w: w.add_event(3), ValueError, "callable"),
        (lambda w: w.add_event(lambda v: 1.0, direction="up"), ValueError, 'direction is "up"'),
        (lambda w: w.advance_to(math.nan), ValueError, "time to run to"),
        (lambda w: (w.advance_to(0.2), w.advance_to(0.1)), ValueError, "is at t = 0.2 s, which is after 0.1 s"),
        (lambda w: w.set_force("ball", (0, 0, math.inf)), ValueError, "force"),
        (lambda w: w.schedule(-1), ValueError, "scheduled time is -1"),
        (lambda w: zg.simulate(w, until=1, every=0), ValueError, "time between frames is 0"),
        (lambda w: zg.simulate(w, until=0.1)["cube"], KeyError, "no body is called"),
        (lambda w: zg.World(contact="soft"), ValueError, '\'contact\' is "soft"'),
        (lambda w: zg.World(contact="linear"), ValueError, 'contact = "linear" needs \'stiffness\''),
        (lambda w: zg.World(contact="rigid", stiffness=1.0), ValueError, '\'stiffness\' has no meaning for contact = "rigid"'),
        (lambda w: zg.World(contact="linear", stiffness=-1.0), ValueError, "'stiffness' is -1 N/m: it must be above 0"),
        (lambda w: zg.World(rtol=0), ValueError, "'rtol' is 0: it must be above 0 and below 1"),
        (lambda w: zg.World(method="euler"), ValueError, '\'method\' is "euler": it must be auto, events, stepping, silvia'),
        (lambda w: zg.World(method="radau"), ValueError, 'write integrator = "radau"'),
        (lambda w: zg.World(method="silvia", integrator="radau"), ValueError, "'integrator' has no meaning for method = \"silvia\""),
        (lambda w: zg.simulate("bouncing-ball", method="stepping", integrator="radau"), ValueError, "'integrator' has no meaning"),
        (lambda w: zg.simulate("bouncing-ball", step=1e-3), ValueError, "'step' has no meaning for method = \"events\""),
        (lambda w: zg.World(step=0), ValueError, "'step' is 0 s: it must be above 0"),
        (lambda w: zg.World(integrator="radau", tolerance=1e-9), ValueError, "'tolerance' has no meaning"),
        (lambda w: zg.World(method="silvia", step=0), ValueError, "'step' is 0 s: it must be above 0"),
        (lambda w: zg.World(method="stepping", tolerance=-1), ValueError, "'tolerance' is -1 m/s: it must be above 0"),
        (lambda w: zg.simulate(w, until=1, method="silvia"), TypeError, "settings of the method are for scenes"),
        (lambda w: zg.World(rtoll=1e-6), TypeError, "did you mean 'rtol'?"),
        (lambda w: w.pair("steel", "steel", fricton=1), TypeError, "did you mean 'friction'?"),
        (lambda w: w.pair("steel", "steel", static_friction=0.1), ValueError, "'static_friction' has no meaning for contact = \"rigid\""),
        (lambda w: w.pair("steel", "steel", friction="0.3 N"), ValueError, "friction"),
        (lambda w: w.fixed(zg.sphere(1), pieces=3), ValueError, "'pieces' has no meaning for collision = \"auto\""),
        (lambda w: zg.World(contact=3), TypeError, "contact must be a str, not int"),
        (lambda w: zg.World(overlaps="yes"), ValueError, "it must be refuse, separate, exclude"),
        (lambda w: zg.World(zero_functions=0), ValueError, "'zero_functions' is 0: it must be from 1 to 1000000"),
        (lambda w: zg.World(gravity=(0, 0)), ValueError, "gravity must be 3 numbers"),
        (lambda w: zg.Motion.spline([0, 0], np.zeros((2, 3))), ValueError, "time"),
        (lambda w: zg.Motion.spline([0, 1], np.zeros((2, 4))), ValueError, "must have shape"),
        (lambda w: zg.Motion.csv("no-such-file.csv"), FileNotFoundError, "no-such-file"),
    ],
)
def test_bad_input_is_refused_in_words(call, error: type, text: str) -> None:
    world = bouncing()
    with pytest.raises(error) as raised:
        call(world)
    assert text in str(raised.value)
    # What was refused has left nothing behind.
    assert world.names == ["ball"] and world.poses.shape == (1, 7)


def test_steps_of_one_length_rub_and_bounce() -> None:
    world = zg.World(method="stepping", step=1e-3, tolerance=1e-10)
    world.pair("steel", "steel", restitution=0.5, friction=0.3)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("box", zg.box((1, 1, 1)), pose=zg.pose((0, 0, 0.5)), velocity=(2, 0, 0))
    run = zg.simulate(world, until=0.5, every=0.1)
    assert run.velocities[-1, 0, 0] == pytest.approx(2 - 0.3 * G * 0.5, abs=1e-6)
    contacts = run.info["contacts"]
    assert run.info["steps"] == 500 and contacts["unconverged"] == 0 and contacts["solves"] >= 500
    assert contacts["residual"] <= 1e-10 and "friction cones" in run.info["method"][0]


def test_bodies_at_rest_sleep_until_something_moves_them() -> None:
    world = zg.World(method="stepping", sleep="50 ms", sleep_speed="2 mm/s")
    world.fixed(zg.halfspace((0, 0, 1), 0))
    boxes = [world.body(f"box {k}", zg.box((0.2, 0.2, 0.2)), pose=zg.pose((k, 0, 0.1))) for k in range(2)]
    run = zg.simulate(world, until=0.2, every=0.1)
    assert run.info["sleeping"] == 2
    assert [(event.kind, event.bodies) for event in run.events if event.kind == "sleep"] == [
        ("sleep", ["box 0"]),
        ("sleep", ["box 1"]),
    ]
    before, forces = world.poses.copy(), world.contacts()["normal_force"]
    world.advance_to(0.3)
    assert (world.poses == before).all() and (world.velocities == 0).all()
    assert world.contacts()["normal_force"] == pytest.approx(forces, rel=1e-12)
    copy = pickle.loads(pickle.dumps(world))
    for each in (world, copy):
        each.set_force(boxes[1], (0, 0, 1e4))
        each.advance_to(0.4)
        assert each.info["sleeping"] == 1 and each.velocities[1, 2] > 1 and (each.poses[0] == before[0]).all()
    assert copy.hash == world.hash
    assert "sleeping" not in zg.World(method="stepping").info
    for settings, message in [
        ({"sleep": 0}, "'sleep' is 0 s: it must be above 0"),
        ({"sleep_speed": 1e-3}, "nothing sleeps"),
        ({"method": "silvia", "sleep": 1}, "'sleep' has no meaning"),
    ]:
        with pytest.raises(ValueError, match=message):
            zg.World(**{"method": "stepping", **settings})


def test_forces_after_silvia_neither_rub_nor_bounce() -> None:
    world = zg.World(method="silvia", step=0.01)
    with pytest.raises(ValueError, match="'friction' has no meaning for method = \"silvia\""):
        world.pair("steel", "steel", friction=0.7)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("box", zg.box((1, 1, 1)), mass=1.0, pose=zg.pose((0, 0, 0.501)), velocity=(2, 0, -1))
    world.advance_to(0.01)
    assert world.velocities[0, 2] == pytest.approx(-0.1, abs=1e-9)
    run = zg.simulate(world, until=0.5, every=0.1)
    assert run.velocities[-1, 0, :3] == pytest.approx((2, 0, 0), abs=1e-8)
    assert run.poses[-1, 0, 2] == pytest.approx(0.5, abs=1e-10)
    assert run.contacts["normal_force"][-1] == pytest.approx(G, rel=1e-6)
    contacts = run.info["contacts"]
    assert contacts["unconverged"] == 0 and contacts["newton"] > 0 and "normal forces" in run.info["method"][0]
    assert [event.kind for event in world.events] == ["contact_begin"]


def test_rigid_shapes_may_not_overlap_at_the_start() -> None:
    world = zg.World(contact="rigid")
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1))
    with pytest.raises(ValueError, match="overlap by 0.1"):
        world.advance_to(1.0)


def busy() -> zg.World:
    """A world that takes about a second: many small steps."""
    world = zg.World(contact="rigid", max_step=1e-5)
    world.body("ball", zg.sphere(0.1))
    return world


def test_runs_leave_the_interpreter_to_others() -> None:
    world = busy()
    counted, done = 0, threading.Event()

    def go() -> None:
        world.advance_to(0.5)
        done.set()

    thread = threading.Thread(target=go)
    thread.start()
    asked = 0
    while not done.is_set():
        counted += 1
        if counted % 1000 == 0:
            try:
                world.time
            except RuntimeError as error:
                assert "running" in str(error)
                asked += 1
            time.sleep(0)
    thread.join()
    # The loop went round while the other thread was computing.
    assert asked > 1 and world.time == 0.5


def test_two_worlds_in_two_threads_give_what_they_give_alone() -> None:
    alone = bouncing()
    alone.advance_to(10.0)
    worlds = [bouncing() for _ in range(2)]
    threads = [threading.Thread(target=world.advance_to, args=(10.0,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {world.hash for world in worlds} == {alone.hash}


def test_a_run_can_be_interrupted(sigint_raises: None) -> None:
    world = busy()
    timer = threading.Timer(0.2, signal.raise_signal, args=(signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        world.advance_to(1000.0)
    reached = world.time
    assert 0 < reached < 1000.0
    world.advance_to(reached + 1e-3)
    assert world.poses[0, 2] == pytest.approx(-0.5 * G * world.time**2, rel=1e-9)


def test_a_cube_met_by_quasi_lmds_keeps_its_four_contacts():
    world = zg.World(method="stepping", step=1e-3)
    world.fixed(zg.halfspace((0, 0, 1), 0.0))
    cube = zg.parts.box(width=0.1, depth=0.1, height=0.1).shape()
    world.body("cube", cube, collision="quasi-lmd", dilation=1e-5, pose=zg.pose(xyz=(0, 0, 0.0501)))
    world.advance_to(0.1)
    points = world.contact_points()
    assert points["gap"].shape == (4,) and points["normal"].shape == (4, 3)
    before = points["id"]
    world.advance_to(0.5)
    points = world.contact_points()
    assert np.array_equal(points["id"], before)
    assert abs(points["force"][:, 2].sum() - 8000 * 1e-3 * 9.81) < 1e-4


def test_a_mesh_is_met_by_its_triangles():
    world = zg.World(method="stepping", step=1e-3)
    world.fixed(zg.halfspace((0, 0, 1), 0.0))
    world.body("part", zg.parts.l_prism().shape(), pose=zg.pose(xyz=(0, 0, 0.0101)))
    world.advance_to(0.3)
    assert abs(world.poses[0][2] - 0.01) < 1e-7


def test_a_hand_presses_with_its_strength():
    world = zg.World(method="stepping", step=1e-3)
    world.fixed(zg.halfspace((0, 0, 1), 0.0))
    world.body("box", zg.box(size=(0.1, 0.1, 0.1)), pose=zg.pose(xyz=(0, 0, 0.06)))
    down = [[0, 0, 0.06, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1]]
    world.servo("box", zg.Motion.spline([0.0, 0.5], down), force=3.0, torque=1.0)
    world.advance_to(1.5)
    assert abs(world.contacts()["normal_force"].sum() - 3.0) < 1e-4


def test_words_of_collisions_are_checked():
    world = zg.World()
    with pytest.raises(ValueError, match='.collision. is "convex": it must be auto, hull'):
        world.fixed(zg.box(size=(1, 1, 1)), collision="convex")
    with pytest.raises(ValueError, match="quasi-lmd"):
        world.fixed(zg.box(size=(1, 1, 1)), angular_tolerance=0.1)


def rough(slope: float = 0.0, downhill: tuple[float, float] = (1, 0), **settings: object) -> zg.World:
    """A world by steps in which gravity points down a slope, with a floor of concrete."""
    angle = math.atan(slope)
    x, y = downhill
    gravity = (G * math.sin(angle) * x, G * math.sin(angle) * y, -G * math.cos(angle))
    world = zg.World(method="stepping", gravity=gravity)
    world.pair("rubber", "concrete", restitution=0.0, **settings)  # type: ignore[arg-type]
    world.fixed(zg.halfspace((0, 0, 1), 0), material="concrete")
    return world


def test_steps_know_rolling_spinning_static_and_directed_friction() -> None:
    # A ball rolls 7 v^2 / (10 c g) and spins for I w / (s mu m g).
    world = rough(friction=0.5, rolling=0.05, spinning="2 mm")
    velocity = {"velocity": (1, 0, 0), "angular_velocity": (0, 10, 3)}
    world.body("ball", zg.sphere(0.1), material="rubber", pose=zg.pose((0, 0, 0.1)), **velocity)  # type: ignore[arg-type]
    slows = 2e-3 * 0.5 * G / (0.4 * 0.1**2)
    world.advance_to(0.5)
    assert world.velocities[0, 5] == pytest.approx(3 - 0.5 * slows, abs=1e-4)
    world.advance_to(4.0)
    assert world.poses[0, 0] == pytest.approx(7 / (10 * 0.05 * G), abs=1e-5)
    assert np.abs(world.velocities).max() < 1e-9

    def moved(**settings: object) -> float:
        world = rough(**settings)  # type: ignore[arg-type]
        world.body("block", zg.box((0.4, 0.4, 0.1)), material="rubber", pose=zg.pose((0, 0, 0.05)))
        world.advance_to(0.2)
        return float(np.linalg.norm(world.poses[0, :2]))

    assert moved(slope=0.59, friction=0.4, static_friction=0.6) < 1e-9
    assert moved(slope=0.61, friction=0.4, static_friction=0.6) > 0.01
    grain = {"friction": 0.8, "friction_across": 0.2, "friction_direction": (1, 0, 0)}
    assert moved(slope=0.5, downhill=(1, 0), **grain) < 1e-9
    assert moved(slope=0.5, downhill=(0, 1), **grain) > 0.01

    with pytest.raises(ValueError, match="'friction_across' needs 'friction_direction'"):
        rough(friction_across=0.2)
    with pytest.raises(ValueError, match="'friction_across' has no meaning for method = \"auto\""):
        zg.World().pair("rubber", "concrete", friction_across=0.2, friction_direction=(1, 0, 0))


@pytest.mark.parametrize("method", ["events", "stepping", "silvia"])
def test_steps_are_one_run_in_every_method(method: str) -> None:
    def dropped(**settings: Any) -> zg.World:
        world = zg.World(method=method, **settings)
        world.fixed(zg.halfspace((0, 0, 1), 0))
        world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.3)))
        return world

    whole, cut, many = dropped(), dropped(), dropped()
    whole.advance_to(0.5)
    for k in range(500):
        assert cut.step() == "reached"
        assert cut.time == (k + 1) * 1e-3
        assert np.isfinite(cut.poses).all()
    assert many.step(500) == "reached"
    assert cut.time == many.time == 0.5
    assert cut.hash == many.hash == whole.hash
    # A length of its own; from a time that is not on its grid; into a copy.
    world = dropped(step="3 ms")
    world.advance_to(0.0017)
    world.step()
    twin = pickle.loads(pickle.dumps(world))
    for one in (world, twin):
        for _ in range(99):
            one.step()
    assert world.time == twin.time == 0.0017 + 100 * 3e-3
    plain = dropped(step="3 ms")
    plain.advance_to(0.0017 + 100 * 3e-3)
    assert world.hash == twin.hash == plain.hash
    with pytest.raises((OverflowError, TypeError)):
        world.step(-1)


def test_overlaps_at_the_start_are_refused_separated_or_excluded() -> None:
    def cubes(**settings: Any) -> zg.World:
        world = zg.World(method="stepping", **settings)
        world.fixed(zg.halfspace((0, 0, 1), 0), name="floor")
        for name, z in (("lower", 0.1), ("upper", 0.27)):
            world.body(name, zg.box((0.2, 0.2, 0.2)), pose=zg.pose((0, 0, z)))
        return world

    with pytest.raises(ValueError, match="overlap"):
        cubes().advance_to(0.1)
    separated = cubes(overlaps="separate")
    ((name, distance, angle),) = separated.start_overlaps["moved"]
    assert name == "upper"
    assert distance == pytest.approx(0.03, abs=1e-6) and angle < 1e-6
    excluded = cubes(overlaps="exclude")
    ((a, b, overlap),) = excluded.start_overlaps["excluded"]
    assert (a, b) == ("lower", "upper") and overlap == pytest.approx(0.03)
    twin = pickle.loads(pickle.dumps(excluded))
    for world in (excluded, twin):
        world.advance_to(1.0)
        assert world.poses[1, 2] == pytest.approx(0.1, abs=0.01)  # on the floor, within the other one
    assert twin.hash == excluded.hash
    with pytest.raises((TypeError, ValueError), match="allow_overlap"):
        cubes(allow_overlap=True)
