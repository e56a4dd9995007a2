"""Distances and contacts of meshes as they are."""

import numpy as np
import pytest
import zerogap as zg

PLATE, PEG = zg.parts.hole_plate(), zg.parts.peg()


def test_a_peg_in_its_hole_is_apart_and_pushed_aside_it_overlaps() -> None:
    inside = zg.distance(PLATE, PEG)
    assert isinstance(inside, zg.MeshGap)
    assert inside.gap == pytest.approx(1e-4, abs=1e-12) and inside.status == "exact"
    assert inside.lower <= inside.gap <= inside.upper and len(inside.overlaps) == 0
    assert np.allclose(inside.point_b - inside.point_a, inside.gap * inside.normal, atol=1e-14)
    assert zg.distance(zg.hull(PLATE), zg.hull(PEG)).gap < -0.01
    aside = zg.distance(PLATE, PEG, pose_b=zg.pose(xyz=(3e-4, 0, 0)))
    assert aside.gap < -1e-4 and aside.distance == 0 and aside.gap == aside.overlaps.gap.min()
    assert not zg.intersects(PLATE, PEG) and zg.intersects(PLATE, PEG, pose_b=zg.pose(xyz=(3e-4, 0, 0)))


def test_a_rod_through_a_plate_has_a_depth_with_bounds() -> None:
    plate = zg.parts.box(width=1, depth=1, height=0.02)
    rod = zg.parts.box(width=0.1, depth=0.1, height=2)
    for z in np.linspace(-1, 1, 21):
        found = zg.distance(plate, rod, pose_b=zg.pose(xyz=(0.07, 0.03, z)))
        assert found.lower <= found.gap <= found.upper and found.gap < -1e-4, found
        assert found.status == "local_depth" and found.distance == 0
    bars = zg.parts.box(width=4, depth=1, height=1), zg.parts.box(width=1, depth=4, height=1)
    crossed = zg.distance(*bars)
    assert crossed.status != "exact" and crossed.lower <= crossed.gap <= crossed.upper < -1e-3


def test_bounds_hold_at_every_budget_and_only_improve() -> None:
    ring = zg.parts.torus(major=1, minor=0.25)
    link = zg.pose(xyz=(1, 0, 0), quat=(0.5**0.5, 0, 0, 0.5**0.5))
    exact = zg.distance(ring, ring, pose_b=link)
    assert exact.gap == pytest.approx(0.5, abs=0.02)
    lower, upper = 0.0, np.inf
    for budget in (1, 10, 100, 1000, 10**6):
        found = zg.distance(ring, ring, pose_b=link, budget=budget, order="best-first")
        assert lower <= found.lower <= exact.gap + 1e-14 and exact.gap <= found.upper <= upper
        lower, upper = found.lower, found.upper
    assert found.status == "exact"
    rough = zg.distance(ring, ring, pose_b=link, relative=0.1, order="best-first")
    assert rough.upper <= 1.1 * rough.lower + 1e-12
    assert zg.distance(ring, ring, pose_b=link, cutoff=0.1).status == "farther"
    assert zg.distance(ring, ring, pose_b=link, nearer_than=0.7).gap < 0.7


def test_contacts_have_normals_of_their_own_and_lasting_names() -> None:
    cube = zg.parts.box(width=1, depth=1, height=1)
    found = zg.contacts(cube, cube, pose_b=zg.pose(xyz=(0.25, 0.125, 0.999)))
    assert isinstance(found, zg.MeshContacts) and len(found) == 4
    assert np.allclose(found.gap, -1e-3, atol=1e-12) and np.allclose(found.normal, [0, 0, 1])
    again = zg.contacts(cube, cube, pose_b=zg.pose(xyz=(0.2501, 0.1251, 0.9991)))
    assert np.array_equal(found.id, again.id) and found.features == again.features
    floor = zg.contacts(zg.halfspace((0, 0, 1), 0), cube, pose_b=zg.pose(xyz=(0, 0, 0.5)))
    assert len(floor) == 4 and np.allclose(floor.gap, 0, atol=1e-15)
    ball = zg.contacts(cube, "sphere:0.5", pose_b=zg.pose(xyz=(0.1, 0.2, 0.999)))
    assert len(ball) == 1 and ball.gap[0] == pytest.approx(-1e-3, abs=1e-12)


def test_open_meshes_say_what_they_cannot_tell() -> None:
    sheet = zg.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    turned = zg.pose(xyz=(0, 0, 0), quat=(0.5**0.5, 0, 0, 0.5**0.5))
    crossing = zg.distance(sheet, sheet, pose_b=turned)
    assert crossing.distance == 0 and "closed mesh" in (crossing.depth_unknown or "")
    with pytest.raises(ValueError, match="needs a closed mesh"):
        zg.contacts(sheet, sheet, pose_b=turned)


def test_points_are_inside_where_the_winding_number_says_so() -> None:
    ring = zg.parts.torus(major=1, minor=0.3)
    assert ring.winding_number((1, 0, 0)) == 1 and ring.winding_number((0, 0, 0)) == 0
    points = np.random.default_rng(1).uniform(-1.5, 1.5, size=(200, 3))
    inside = ring.winding_number(points) > 0.5
    around = np.hypot(np.hypot(points[:, 0], points[:, 1]) - 1, points[:, 2])
    clear = abs(around - 0.3) > 0.02
    assert np.array_equal(inside[clear], around[clear] < 0.3)
