"""Prescribed motions, conveyors and joint limits."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import zerogap as zg

METHODS = {"events": {"contact": "rigid"}, "stepping": {"method": "stepping"}}


def test_a_motion_through_points_does_not_overshoot_by_default() -> None:
    t, z = [0.0, 1.0, 2.0], [0.12, 0.12, 0.32]
    poses = [(0, 0, height) for height in z]
    heights = {
        word: np.array([motion.at(s)[0].xyz[2] for s in np.linspace(0, 2, 401)])
        for word, motion in [
            ("default", zg.Motion.spline(t, poses)),
            ("linear", zg.Motion.spline(t, poses, interpolation="linear")),
            ("smooth", zg.Motion.spline(t, poses, interpolation="smooth")),
        ]
    }
    assert heights["default"].min() == 0.12 and heights["default"].max() == 0.32
    assert np.abs(heights["linear"] - np.interp(np.linspace(0, 2, 401), t, z)).max() < 1e-15
    assert heights["smooth"].min() < 0.119
    with pytest.raises(ValueError, match='interpolation "cubic" is not known'):
        zg.Motion.spline(t, poses, interpolation="cubic")  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_a_body_follows_a_function_of_time(method: str) -> None:
    w = 2.0

    def pose(t: float) -> zg.Pose:
        return zg.pose((0.2 * math.cos(w * t), 0.2 * math.sin(w * t), 0.0), quat=(0, 0, math.sin(w * t / 2), math.cos(w * t / 2)))

    motion = zg.Motion.function(pose)
    _, velocity = motion.at(0.3)
    assert np.abs(velocity - (-0.4 * math.sin(0.6), 0.4 * math.cos(0.6), 0, 0, 0, w)).max() < 1e-10
    world = zg.World(**METHODS[method])  # type: ignore[arg-type]
    world.pair("steel", "steel", friction=0.5, restitution=0.0)
    world.body("table", zg.box(size=(1, 1, 0.1)), motion=motion)
    cup = world.body("cup", zg.box(size=(0.1, 0.1, 0.1)), pose=zg.pose((0.2, 0, 0.1)), velocity=(0, 0.4, 0), angular_velocity=(0, 0, w))
    world.advance_to(1.0)
    assert np.abs(world.poses[0, :3] - pose(1.0).xyz).max() < 1e-12
    assert np.abs(world.poses[cup, :3] - (0.2 * math.cos(w), 0.2 * math.sin(w), 0.1)).max() < 2e-5


def test_what_a_function_raises_ends_the_run() -> None:
    def broken(t: float) -> tuple[float, float, float]:
        if t > 0.5:
            raise KeyError("no more")
        return (t, 0.0, 0.0)

    world = zg.World(method="stepping")
    world.body("sled", zg.sphere(0.1), motion=zg.Motion.function(broken))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 5, 0)))
    with pytest.raises(KeyError, match="no more"):
        world.advance_to(1.0)
    with pytest.raises(TypeError, match="callable"):
        zg.Motion.function(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="resolution is 0"):
        zg.Motion.function(broken, resolution=0.0)
    with pytest.raises(TypeError, match="returned is None"):
        zg.Motion.function(lambda t: None)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("pose", [(0, math.nan, 0), (0, math.inf, 0), (0, 0, math.nan, 1, 0, 0, 0)])
def test_a_pose_that_is_not_a_number_is_a_value_error(pose: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="pose that the function of a motion returned"):
        zg.Motion.function(lambda t: pose)


@pytest.mark.parametrize("settings", [*METHODS.values(), {"contact": "hunt-crossley"}])
def test_a_conveyor_carries_a_parcel(settings: dict[str, str]) -> None:
    world = zg.World(**settings)  # type: ignore[arg-type]
    world.pair("steel", "steel", friction=0.4, restitution=0.0)
    world.fixed(zg.box(size=(4, 1, 0.1)), surface_velocity=(0.5, 0, 0))
    parcel = world.body("parcel", zg.box(size=(0.1, 0.1, 0.1)), pose=zg.pose((0, 0, 0.1)))
    world.advance_to(1.0)
    assert world.velocities[parcel, 0] == pytest.approx(0.5, abs=1e-4)
    assert world.poses[parcel, 0] == pytest.approx(0.5 - 0.25 / (2 * 0.4 * 9.81), abs=1e-3)


def test_one_shape_of_a_body_has_a_name_and_a_surface_velocity_of_its_own() -> None:
    world = zg.World(method="stepping")
    world.pair("steel", "steel", friction=0.4, restitution=0.0)
    plate = zg.box(size=(4, 1, 0.1))
    belt = {"shape": plate, "pose": zg.pose((0, 2, 0)), "name": "belt", "surface_velocity": (0.5, 0, 0)}
    world.body("machine", [plate, belt], joint="fixed")
    block = zg.box(size=(0.1, 0.1, 0.1))
    still = world.body("still", block, pose=zg.pose((0, 0, 0.1)))
    carried = world.body("carried", block, pose=zg.pose((0, 2, 0.1)))
    world.advance_to(1.0)
    assert world.velocities[carried, 0] == pytest.approx(0.5, abs=1e-4)
    assert world.velocities[still, 0] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(ValueError, match=r'shapes\[0\] has no key "nmae": the keys are shape, pose'):
        zg.World().body("machine", [{"shape": plate, "nmae": "belt"}])
    with pytest.raises(TypeError, match=r'shapes\[1\] has no "shape"'):
        zg.World().body("machine", [plate, {"name": "belt"}])


def test_refusals_name_shapes() -> None:
    world = zg.World(method="stepping")
    with pytest.raises(ValueError, match="'plate' cannot collide by quasi-LMDs"):
        world.fixed(zg.box(size=(0.1, 0.1, 0.1)), name="plate", collision="quasi-lmd", dilation=1.0)
    with pytest.raises(ValueError, match="'pellet' cannot collide by quasi-LMDs"):
        world.body("pellet", zg.box(size=(0.1, 0.1, 0.1)), collision="quasi-lmd", dilation=1.0)
    world.fixed(zg.box(size=(1, 1, 1)), name="floor")
    world.body("brick", zg.box(size=(1, 1, 1)), pose=zg.pose((0, 0, 0.5)))
    with pytest.raises(ValueError, match="'floor' and 'brick' overlap"):
        world.advance_to(0.1)


def test_a_folder_named_as_a_built_in_scene_does_not_hide_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "domino-row").mkdir()
    monkeypatch.chdir(tmp_path)
    assert zg.load("domino-row").name == "domino-row"


def test_silvia_refuses_a_surface_velocity() -> None:
    world = zg.World(method="silvia")
    with pytest.raises(ValueError, match="'surface_velocity' has no meaning for method = \"silvia\""):
        world.body("belt", zg.box(size=(1, 1, 0.1)), surface_velocity=(0.5, 0, 0))
    belt = {"shape": zg.box(size=(1, 1, 0.1)), "surface_velocity": (0.5, 0, 0)}
    with pytest.raises(ValueError, match="'surface_velocity' has no meaning for method = \"silvia\""):
        world.body("belt", [belt])


def test_a_dof_changes_only_what_is_given() -> None:
    world = zg.World(gravity=(1, 0, 0), contact="rigid")
    world.body("drawer", zg.box(size=(0.1, 0.1, 0.1)), joint="prismatic", axis=(1, 0, 0))
    world.dof("drawer", lower=-0.1, upper=0.2)
    world.set_motor("drawer", effort=1.0)
    world.dof("drawer", damping=0.1)
    world.advance_to(3.0)
    assert world.positions("drawer") == pytest.approx([0.2], abs=1e-9)
    # A limit at infinity is none.
    free = zg.World(gravity=(1, 0, 0))
    free.body("drawer", zg.box(size=(0.1, 0.1, 0.1)), joint="prismatic", axis=(1, 0, 0))
    free.dof("drawer", lower=-0.1, upper=0.2)
    free.dof("drawer", upper=math.inf)
    free.advance_to(3.0)
    assert free.positions("drawer")[0] == pytest.approx(4.5, rel=1e-6)


def test_a_dof_of_a_scene_keeps_its_limits(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "drawer.toml"
    path.write_text(
        """
[world]
gravity = [1, 0, 0]
contact = "rigid"
[[bodies]]
name = "drawer"
shape = "box:0.1,0.1,0.1"
joint = { kind = "prismatic", axis = [1, 0, 0], lower = 0, upper = 0.2 }
"""
    )
    world = zg.load(path).world()
    world.dof("drawer", damping=0.1)
    world.advance_to(3.0)
    assert world.positions("drawer") == pytest.approx([0.2], abs=1e-9)


def test_a_joint_that_starts_outside_its_limits_is_refused() -> None:
    world = zg.World()
    world.body("drawer", zg.box(size=(0.1, 0.1, 0.1)), joint="prismatic", axis=(1, 0, 0), positions=0.7)
    world.dof("drawer", lower=0.0, upper=0.5)
    with pytest.raises(ValueError, match="drawer starts at 0.7 .* from 0 to 0.5"):
        world.advance_to(0.1)
