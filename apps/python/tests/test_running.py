"""Bodies and fixed shapes that are added and removed while a world runs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import zerogap as zg

METHODS = [{"contact": "rigid"}, {}, {"method": "stepping"}, {"method": "silvia"}]


def world_with_floor(**settings: object) -> zg.World:
    world = zg.World(**settings)  # type: ignore[arg-type]
    world.fixed(zg.halfspace((0, 0, 1), 0))
    return world


@pytest.mark.parametrize("settings", METHODS)
def test_bodies_are_added_and_removed_during_a_run(settings: dict[str, str]) -> None:
    world = world_with_floor(**settings)
    first = world.body("first", zg.sphere(0.1), pose=zg.pose((0, 0, 0.1)))
    world.advance_to(0.1)
    second = world.body("second", zg.sphere(0.1), pose=zg.pose((1, 0, 0.5)), velocity=(0, 0, 1))
    assert (first, second) == (0, 1)
    assert world.poses.shape == (2, 7)
    assert world.velocities[second, 2] == 1.0
    world.advance_to(0.2)
    before = world.poses[second]
    world.remove("first")
    # Rows are those of the numbers, whoever is there.
    assert world.bodies.tolist() == [1]
    assert np.isnan(world.poses[first]).all() and np.isnan(world.velocities[first]).all()
    # The step that it lies in ends here now, which its state between the ends knows to the tolerance.
    assert np.allclose(world.poses[second], before, rtol=0, atol=1e-12)
    assert world.names == ["first", "second"]
    assert repr(world) == "<zerogap.World of 1 body at t = 0.2 s>"
    # The name is free again, the number is not.
    third = world.body("first", zg.sphere(0.1), pose=zg.pose((2, 0, 0.5)))
    assert third == 2
    world.advance_to(0.3)
    assert world.positions("first").shape == (7,)
    assert world.bodies.tolist() == [1, 2]


@pytest.mark.parametrize("settings", METHODS)
def test_what_is_refused_names_the_body_and_changes_nothing(settings: dict[str, str]) -> None:
    world = world_with_floor(**settings)
    world.body("arm", zg.sphere(0.1), pose=zg.pose((0, 0, 3)))
    world.body("wrist", zg.sphere(0.05), joint="revolute", axis=(1, 0, 0), parent="arm", child_frame=zg.pose((0, 0, 0.3)))
    world.body("crate", zg.box((0.2, 0.2, 0.2)), pose=zg.pose((1, 0, 0.1)))
    world.advance_to(0.1)
    before = world.hash
    with pytest.raises(ValueError, match="'arm' cannot be removed: 'wrist' hangs on it"):
        world.remove("arm")
    with pytest.raises(ValueError, match=r"'crate' and 'other' overlap by"):
        world.body("other", zg.box((0.2, 0.2, 0.2)), pose=zg.pose((1, 0, 0.15)))
    with pytest.raises(ValueError, match="there is a body called"):
        world.body("crate", zg.sphere(0.1), pose=zg.pose((5, 0, 5)))
    with pytest.raises(RuntimeError, match="bodies and fixed shapes can still be added and removed"):
        world.material("cork", 1e7, 0.1, 200.0)
    assert world.hash == before and world.bodies.tolist() == [0, 1, 2]
    world.remove("wrist")
    world.remove("arm")
    with pytest.raises(ValueError, match='body 0 \\("arm"\\) was removed'):
        world.set_force(0, (1, 0, 0))
    with pytest.raises(ValueError, match='no body is called "arm"; there are: crate'):
        world.positions("arm")
    with pytest.raises(ValueError, match="there is no body 7"):
        world.remove(7)


@pytest.mark.parametrize("settings", METHODS)
def test_fixed_shapes_come_and_go(settings: dict[str, str]) -> None:
    world = world_with_floor(**settings)
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
    shelf = world.fixed(zg.box((1, 1, 0.2)), name="shelf", pose=zg.pose((0, 0, 0.9)))
    world.advance_to(0.1)
    assert world.poses[0, 2] == pytest.approx(1.1, abs=1e-5)
    world.remove_fixed(shelf)
    (end,) = [event for event in world.events if event.kind == "contact_end"]
    assert end.t == 0.1 and end.bodies in (["ball", None], [None, "ball"])
    world.advance_to(0.2)
    assert world.poses[0, 2] == pytest.approx(1.1 - 0.5 * 9.81 * 0.01, abs=1e-3)
    with pytest.raises(ValueError, match=f"shape {shelf} is not the first of shapes that were fixed"):
        world.remove_fixed(shelf)
    assert world.fixed(zg.sphere(0.1), pose=zg.pose((3, 0, 1))) == shelf + 1


@pytest.mark.parametrize("settings", METHODS)
def test_a_pickled_world_with_changes_continues_with_the_same_bits(settings: dict[str, str]) -> None:
    world = world_with_floor(**settings)
    for k in range(3):
        # All at the same place, one after the other: at the start they would overlap.
        world.body(f"part {k}", zg.sphere(0.1), pose=zg.pose((0, 0, 0.5)), velocity=(1.5, 0, 0))
        world.advance_to(0.3 * (k + 1))
    world.remove("part 1")
    copy = pickle.loads(pickle.dumps(world))
    assert copy.bodies.tolist() == [0, 2] and copy.names == world.names
    for one in (world, copy):
        one.body("part 1", zg.sphere(0.1), pose=zg.pose((0, 0, 0.5)))
        one.advance_to(1.5)
    assert copy.hash == world.hash
    assert copy.events == world.events
    with pytest.raises(ValueError, match="overlap|removed|called"):
        copy.body("part 1", zg.sphere(0.1), pose=zg.pose((0, 0, 0.5)))


def test_a_state_saved_before_a_change_is_refused() -> None:
    world = world_with_floor(method="stepping")
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1)))
    saved = world.save()
    world.body("other", zg.sphere(0.1), pose=zg.pose((1, 0, 1)))
    with pytest.raises(ValueError, match="bodies or fixed shapes were added or removed since"):
        world.restore(saved)
    with pytest.raises(ValueError, match="other bodies"):
        world.restore(pickle.loads(pickle.dumps(saved)))


def test_a_function_of_the_user_sees_bodies_by_number_and_name() -> None:
    world = world_with_floor(method="stepping")
    seen: list[tuple[int, bool]] = []

    def height(view: zg.WorldView) -> float:
        gone = bool(np.isnan(view.poses[0]).all())
        seen.append((len(view.poses), gone))
        if gone:
            with pytest.raises(ValueError, match="was removed"):
                view.pose(0)
        return float(view.pose("ball").xyz[2]) - 0.3

    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1)))
    world.add_event(height, direction="falling")
    world.advance_to(0.1)
    world.body("next", zg.sphere(0.1), pose=zg.pose((1, 0, 5)))
    world.remove("ball")
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.5)))
    assert world.advance_to(1.0) == "stopped"
    assert seen[0] == (1, False) and seen[-1] == (3, True)
    assert world.time == pytest.approx(0.1 + (2 * 0.2 / 9.81) ** 0.5, abs=2e-3)
