"""Levels of abstraction of worlds and bodies."""

import pytest
import zerogap as zg


def press(level: str | None = None, of_block: str | None = None) -> zg.World:
    """A block that a servo leads through a table, and a ball that falls beside it."""
    world = zg.World(method="stepping", **({} if level is None else {"level": level}))
    world.pair("steel", "steel", restitution=0.5, friction=0.5)
    world.fixed(zg.box((4, 4, 0.2)), pose=zg.pose((0, 0, -0.1)))
    world.body("block", zg.box((0.1, 0.1, 0.1)), pose=zg.pose((0, 0, 0.2)))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((1, 0, 0.3)), velocity=(1, 0, 0))
    down = zg.Motion.spline([0.0, 0.5, 1.0], [[0, 0, z, 0, 0, 0, 1] for z in (0.2, -0.2, -0.2)])
    world.servo("block", down, force=20, torque=5)
    if of_block is not None:
        world.set_level("block", of_block)
    return world


def test_levels_of_a_world() -> None:
    ends = {}
    for level in ("prescribed", "kinematic", "dynamic", "impacts", "friction"):
        world = press(level)
        world.advance_to(1.0)
        ends[level] = world.poses[:, 2], world.velocities[1, 0]
    assert abs(ends["prescribed"][0][0] + 0.2) < 1e-9 and ends["prescribed"][0][1] == 0.3
    assert abs(ends["kinematic"][0][0] - 0.05) < 1e-4 and ends["kinematic"][0][1] == 0.3
    assert abs(ends["dynamic"][0][1] - 0.1) < 1e-3 and abs(ends["dynamic"][1] - 1) < 1e-6
    assert abs(ends["impacts"][1] - 1) < 1e-6
    assert ends["friction"][1] < 0.8


def test_the_level_of_a_body() -> None:
    world = press(of_block="kinematic")
    world.advance_to(1.0)
    assert abs(world.poses[0, 2] - 0.05) < 1e-4 and world.poses[1, 0] > 1.1
    with pytest.raises(ValueError, match="level"):
        press("static")
    with pytest.raises(ValueError, match="level"):
        press(of_block="static")
    with pytest.raises(ValueError, match="steps of one length"):
        world = zg.World(level="kinematic")
        world.body("ball", zg.sphere(0.1))
        world.advance_to(0.1)


def test_scenes_and_runs_take_a_level() -> None:
    scene = zg.load("screwdriver")
    run = zg.simulate(scene, until=0.02, level="kinematic")
    assert run.info["step_times"]["first"] > 0 and run.info["step_times"]["slowest"] > 0


def test_every_broad_phase_gives_the_same_run() -> None:
    hashes = {zg.simulate("box-tower", until=0.1, broad_phase=word).hash for word in ("auto", "grid", "sweep", "tree")}
    assert len(hashes) == 1
    with pytest.raises(ValueError, match="broad_phase"):
        zg.World(broad_phase="quadtree")


def test_pairs_come_in_the_order_in_which_they_can_touch() -> None:
    phase = zg.BroadPhase(margin=10.0)
    phase.insert_many([[0, 0, 0], [3, 0, 0], [6, 0, 0]], [[1, 1, 1], [4, 1, 1], [7, 1, 1]])
    phase.update()
    pairs, times = phase.by_urgency([0.0, 1.0, 4.0])
    assert pairs.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert times.tolist() == [2 / 5, 5 / 4, 2.0]
    with pytest.raises(ValueError, match="speeds has 2 entries"):
        phase.by_urgency([0.0, 1.0])
