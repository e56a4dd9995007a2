"""Springs, bushings and forces of the user between bodies, and event functions that see what acts."""

import math
import pickle

import numpy as np
import pytest

import zerogap as zg

G = 9.81


def floating(**settings):
    return zg.World(gravity=(0, 0, 0), contact="rigid", rtol=1e-10, **settings)


def test_a_spring_between_two_bodies_has_the_frequency_of_their_reduced_mass():
    world = floating()
    a = world.body("a", zg.sphere(0.1), mass=2)
    b = world.body("b", zg.sphere(0.1), mass=3, pose=zg.pose((1.1, 0, 0)))
    world.spring("a", "b", stiffness="80 N/m", length=1)
    world.advance_to(1.0)
    distance = world.poses[b, 0] - world.poses[a, 0]
    assert distance == pytest.approx(1 + 0.1 * math.cos(math.sqrt(80 / 1.2)), abs=1e-8)
    assert world.energy["springs"] == pytest.approx(0.5 * 80 * (distance - 1) ** 2, abs=1e-10)


def test_a_bushing_holds_a_body_to_the_world_along_each_axis():
    world = floating()
    body = world.body("body", zg.sphere(0.1), mass=1, velocity=(1, 1, 1))
    world.bushing(None, "body", stiffness=(4, 9, 16))
    world.advance_to(0.7)
    assert world.poses[body, :3] == pytest.approx([math.sin(k * 0.7) / k for k in (2, 3, 4)], abs=1e-8)


def test_elements_that_cannot_be_are_refused():
    world = floating()
    world.body("body", zg.sphere(0.1))
    for add, message in [
        (lambda: world.spring("body", "body", stiffness=1, length=1), "both ends"),
        (lambda: world.spring(None, None, stiffness=1, length=1), "both ends"),
        (lambda: world.spring("body", None, stiffness=1), "length"),
        (lambda: world.spring("body", None, stiffness=-1, length=1), "stiffness"),
        (lambda: world.spring("body", None, length=1), "does nothing"),
        (lambda: world.bushing("body", None), "does nothing"),
        (lambda: world.bushing("body", None, damping=(1, 2, -3)), "damping"),
        (lambda: world.spring("other", None, stiffness=1, length=1), "other"),
    ]:
        with pytest.raises(ValueError, match=message):
            add()
    with pytest.raises(TypeError, match="stifness"):
        world.spring("body", None, stifness=1, length=1)
    world.advance_to(0.1)
    with pytest.raises(RuntimeError, match="has started"):
        world.spring("body", None, stiffness=1, length=1)


def drag(view):
    return -0.5 * view.velocity("ball")


@pytest.mark.parametrize("settings", [{}, {"method": "stepping"}])
def test_a_force_is_a_function_of_time_and_state_from_when_it_is_added(settings):
    world = zg.World(gravity=(0, 0, 0), **settings)
    ball = world.body("ball", zg.sphere(0.1), mass=1, velocity=(1, 0, 0))
    world.advance_to(0.5)
    world.add_force("ball", drag)
    made = pickle.loads(pickle.dumps(world))
    world.advance_to(2.5)
    assert world.velocities[ball, 0] == pytest.approx(math.exp(-1), abs=3e-4)
    made.advance_to(2.5)
    assert made.hash == world.hash
    # It goes with its body.
    world.remove("ball")
    world.advance_to(3.0)
    assert pickle.loads(pickle.dumps(world)).time == 3.0


def test_a_force_function_may_return_a_torque_too():
    world = floating()
    ball = world.body("ball", zg.sphere(0.1), mass=1)
    world.add_force(ball, lambda view: ((math.cos(view.t), 0, 0), np.array([0, 0, 0.004])))
    world.advance_to(1.0)
    assert world.velocities[ball, 0] == pytest.approx(math.sin(1), abs=1e-8)
    assert world.velocities[ball, 5] == pytest.approx(1.0, abs=1e-8)


def test_what_a_force_function_raises_ends_the_run():
    def run(function):
        world = floating()
        world.body("ball", zg.sphere(0.1))
        world.add_force("ball", function)
        world.advance_to(1.0)

    def broken(view):
        if view.t > 0.2:
            raise ZeroDivisionError("on purpose")
        return (0, 0, 0)

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        run(broken)
    for wrong in [lambda view: 1.0, lambda view: None, lambda view: (1, 2), lambda view: "up"]:
        with pytest.raises(ValueError, match="must return a force of 3 numbers"):
            run(wrong)
    with pytest.raises(ValueError, match="the force function returned"):
        run(lambda view: (math.nan, 0, 0))
    with pytest.raises(RuntimeError, match="cannot see contact forces"):
        run(lambda view: view.contacts() and (0, 0, 0))
    with pytest.raises(ValueError, match="callable"):
        floating().add_force("ball", (1, 2, 3))


def pressed(**settings):
    world = zg.World(**settings)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("press", zg.box((0.2, 0.2, 0.2)), pose=zg.pose((0, 0, 0.1)), mass=2)
    world.add_force("press", lambda view: (0, 0, -10 * view.t))
    return world


@pytest.mark.parametrize("settings, error", [({"contact": "rigid"}, 1e-8), ({"method": "stepping"}, 3e-3)])
def test_event_functions_see_contact_forces_and_are_added_during_a_run(settings, error):
    world = pressed(**settings)
    world.advance_to(0.5)
    number = world.add_event(lambda view: view.contacts()["normal_force"].sum() - 2 * G - 15, direction="rising")
    assert number == 0
    assert world.advance_to(10.0) == "stopped"
    assert world.time == pytest.approx(1.5, abs=error)
    assert world.events[-1].kind == "crossed"


def test_event_functions_see_energy():
    world = zg.World()
    world.body("ball", zg.sphere(0.1), mass=2)
    world.add_event(lambda view: view.energy["kinetic"] - 16)
    assert world.advance_to(5.0) == "stopped"
    assert world.time == pytest.approx(4 / G, abs=1e-9)
