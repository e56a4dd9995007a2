"""Gaps between the bodies of a world: between two, to the nearest, of all pairs within a distance."""

import numpy as np
import pytest
import zerogap as zg


def balls() -> zg.World:
    world = zg.World(contact="rigid")
    world.fixed(zg.halfspace((0, 0, 1), 0), name="floor")
    for k, x in enumerate((0.0, 0.5, 1.5)):
        world.body(f"ball {k}", zg.sphere(0.1), pose=zg.pose((x, 0, 0.6)))
    return world


def test_the_gap_of_two_bodies_has_normal_points_and_names() -> None:
    world = balls()
    gap = world.gap("ball 0", 1)
    assert gap.gap == pytest.approx(0.3, abs=1e-15)
    np.testing.assert_allclose(gap.normal, (1, 0, 0), atol=1e-15)
    np.testing.assert_allclose(gap.point_b - gap.point_a, gap.gap * gap.normal, atol=1e-15)
    assert gap.lower <= 0.3 <= gap.upper and (gap.a, gap.b) == ("ball 0", "ball 1")
    swapped = world.gap("ball 1", "ball 0")
    np.testing.assert_array_equal(swapped.normal, -gap.normal)
    for floor in ("floor", "world", None):
        assert world.gap("ball 2", floor).gap == pytest.approx(0.5, abs=1e-15)


def test_the_nearest_and_all_within_a_distance() -> None:
    world = balls()
    nearest = world.nearest("ball 2")
    assert nearest is not None and (nearest.a, nearest.b) == ("ball 2", "floor")
    gaps = world.gaps("40 cm")
    assert gaps["bodies"].tolist() == [[0, 1]] and gaps["shapes"].tolist() == [[1, 2]]
    np.testing.assert_allclose(gaps["gap"], [0.3], atol=1e-15)
    assert all(len(gaps[key]) == 1 for key in ("lower", "upper", "normal", "point_a", "point_b"))
    assert len(world.gaps(10.0)["gap"]) == 6
    world.advance_to(0.1)
    fallen = 0.5 * 9.81 * 0.1**2
    assert world.gap("floor", "ball 0").gap == pytest.approx(0.5 - fallen, abs=1e-12)
    alone = zg.World()
    alone.body("ball", zg.sphere(0.1))
    assert alone.nearest("ball") is None and len(alone.gaps(1.0)["gap"]) == 0


def test_what_has_no_gap_is_an_error_that_names_what_there_is() -> None:
    world = balls()
    with pytest.raises(ValueError, match="no body or shape is called 'bal'; there are: world, ball 0"):
        world.gap("bal", "ball 0")
    with pytest.raises(ValueError, match="no two shapes to measure between 'ball 0' and 'ball 0'"):
        world.gap("ball 0", "ball 0")
    with pytest.raises(ValueError):
        world.gap(7, 0)
    with pytest.raises(ValueError):
        world.gaps(float("inf"))
