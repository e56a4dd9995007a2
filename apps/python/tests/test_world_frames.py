"""Frames of flexible beams as members of worlds."""

import numpy as np
import pytest

import zerogap as zg

YOUNG = 210e9
DENSITY = 7850.0


def rod(count=8, clamped=True):
    nodes = np.linspace((0, 0, 0), (1, 0, 0), count + 1)
    elements = [(k, k + 1) for k in range(count)]
    frame = zg.Frame(nodes, elements, section="rod:10mm", young_modulus=YOUNG, density=DENSITY)
    if clamped:
        frame.clamp(0)
    return frame


def test_a_settled_cantilever_hangs_as_the_frame_by_itself():
    frame = rod()
    world = zg.World(method="stepping")
    nodes = world.frame("rod", frame, settle=True)
    frame.set_loads(gravity=(0, 0, -9.81))
    alone = frame.settle()
    assert np.abs(world.poses[nodes, :3] - alone.positions).max() < 2e-6
    world.advance_to(0.2)
    assert np.abs(world.poses[nodes, :3] - alone.positions).max() < 2e-6
    forces = world.beam_forces()
    weight = DENSITY * np.pi * 0.005**2 * 9.81
    assert forces.shape == (8, 2, 6)
    assert abs(abs(forces[0, 0, 4]) - 0.5 * weight) < 0.02 * weight
    # The free end carries nothing but half an element.
    assert np.abs(forces[-1, 1]).max() < 0.1 * weight


def test_joints_masses_and_contact():
    world = zg.World(method="stepping")
    world.fixed(zg.halfspace((0, 0, 1), 0), material="steel")
    block = world.body("block", zg.box((0.1, 0.1, 0.1)), pose=zg.pose(xyz=(0, 0, 0.5)))
    nodes = world.frame(
        "leg",
        rod(4, clamped=False),
        joints=[(0, "block", "fixed")],
        masses=[(4, 0.2)],
        pose=zg.pose(xyz=(0, 0, 0.4)),
        velocity=(0, 0, 0),
    )
    assert world.names[nodes[0]] == "leg.0"
    world.advance_to(0.5)
    assert world.poses[block, 2] < 0.4
    assert world.poses[nodes, 2].min() > 0.004


def test_what_is_wrong_is_said():
    world = zg.World(method="stepping")
    with pytest.raises(ValueError, match="node 9"):
        world.frame("rod", rod(), joints=[(9, None)])
    with pytest.raises(ValueError, match="joint of a frame"):
        world.frame("rod", rod(clamped=False), joints=[(0, None, "glued")])
    square = zg.Frame(
        [(0, 0, 0), (1, 0, 0)], [(0, 1)], section="rectangle:20mm,2mm", young_modulus=YOUNG, density=DENSITY
    )
    with pytest.raises(ValueError, match="radius"):
        world.frame("strip", square)
    world.frame("rod", rod())
    with pytest.raises(ValueError, match="already"):
        world.frame("rod", rod())
