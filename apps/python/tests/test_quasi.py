"""Contacts by quasi-LMDs, complexes and refined meshes."""

from math import cos, radians, sin

import numpy as np
import pytest
import zerogap as zg

FLOOR = zg.halfspace((0, 0, 1), 0)
CUBE = zg.box(size=(1, 1, 1))


def tilted(degrees: float, height: float) -> zg.Pose:
    """A cube turned about y with its lowest corners at a height."""
    t = radians(degrees)
    return zg.pose(xyz=(0, 0, height + 0.5 * (cos(t) + sin(t))), quat=(0, sin(t / 2), 0, cos(t / 2)))


@pytest.mark.parametrize(("degrees", "count"), [(0, 4), (1e-9, 4), (4.99, 4), (5.01, 2)])
def test_a_cube_keeps_four_contacts_up_to_theta(degrees: float, count: int) -> None:
    found = zg.contacts(FLOOR, CUBE, pose_b=tilted(degrees, 0.1), within=1.0, method="quasi-lmd")
    assert isinstance(found, zg.QuasiContacts)
    assert len(found) == count and found.status == "separated"
    assert np.isclose(found.gap.min(), 0.1, atol=1e-13)
    assert found.base_distance == found.distance.min()
    assert found.classes.shape == (count, 2) and (found.classes == [6, 0]).all()
    assert np.allclose(found.point_b - found.point_a, found.gap[:, None] * found.normal, atol=1e-13)


def test_a_complex_is_made_once_and_asked_often() -> None:
    plate = zg.Complex(zg.parts.hole_plate(), dilation=2e-5, inset=True)
    peg = zg.Complex(zg.parts.peg(), dilation=2e-5, inset=True)
    for z in (0.0, 1e-3, 2e-3):
        found = zg.contacts(plate, peg, pose_b=zg.pose(xyz=(0, 0, z)), within=2e-4)
        assert len(found) == 96 and abs(found.gap.min() - 1e-4) < 1e-7
    assert plate.summary == "1 volume" and plate.parts[0][0] == "volume"
    assert plate.plane_error is not None and plate.plane_error < 1e-15
    assert plate.corner_error == pytest.approx(2e-5 * (3**0.5 - 1))
    assert plate.classes.tolist() == [8, 0, 108, 96, 0, 156, 208, 48]


def test_open_meshes_are_shells_and_say_why() -> None:
    triangle = zg.Complex(zg.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    assert triangle.parts == [("shell", 1, "3 edges with one triangle")]
    with pytest.raises(ValueError, match="a volume is required"):
        zg.Complex(zg.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), treat="volume")
    found = zg.contacts(triangle, zg.point((0.2, 0.2, -0.3)), within=1.0)
    assert len(found) == 1 and np.allclose(found.normal, [(0, 0, -1)])


def test_bodies_in_each_other_say_so() -> None:
    found = zg.contacts(CUBE, zg.box(size=(0.1, 0.1, 0.1)), angular_tolerance=0.1)
    assert found.status == "base intersecting" and found.base_distance is None
    assert found.overlaps == ["the part of B with vertex 0 is inside A"]


def test_bad_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="is curved"):
        zg.contacts(CUBE, zg.cylinder(1, 1), method="quasi-lmd")
    with pytest.raises(ValueError, match="angular_tolerance is -1"):
        zg.contacts(CUBE, CUBE, angular_tolerance=-1)
    with pytest.raises(ValueError, match="method is 'lmd'"):
        zg.contacts(CUBE, CUBE, method="lmd")  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="half-spaces"):
        zg.contacts(FLOOR, FLOOR, angular_tolerance=0.1)


def test_refined_meshes_have_short_edges() -> None:
    fine = zg.refine(zg.parts.gear(), edge=2e-3)
    corners = fine.vertices[fine.triangles]
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max() <= 2e-3
    assert fine.topology().watertight
    with pytest.raises(ValueError, match="longest edge"):
        zg.refine(fine, edge=-1)


def test_complexes_of_mixed_dimension_weigh_collide_and_move() -> None:
    corners = [(x, y, 0.1) for x, y in [(0, 0), (0.2, 0), (0.2, 0.2), (0, 0.2)]]
    feet = [(x, y, 0.0) for x, y, _ in corners]
    tray = zg.Complex(
        np.array(corners + feet),
        triangles=np.array([(0, 1, 2), (0, 2, 3)]),
        segments=[(0, 4), (1, 5), (2, 6), (3, 7)],
        dilation=2e-3,
    )
    assert tray.summary == "1 shell"
    mass = tray.mass_properties(1000)
    assert mass.mass == pytest.approx(1000 * (0.04 * 4e-3 + 0.4 * np.pi * 4e-6), rel=1e-13)
    found = zg.contacts(FLOOR, tray, pose_b=zg.pose((0, 0, 3e-3)), within=2e-3)
    assert len(found) == 4 and np.allclose(found.gap, 1e-3) and (found.classes == [6, 0]).all()
    world = zg.World(method="stepping")
    world.fixed(FLOOR)
    world.body("tray", tray, pose=zg.pose((0, 0, 0.012)))
    run = zg.simulate(world, until=1.0, every=0.5)
    assert run["tray"].xyz[-1, 2] == pytest.approx(2e-3, abs=1e-6)
    solid = zg.Complex([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], tetrahedra=[(0, 1, 2, 3)], points=[0])
    assert solid.summary == "1 volume" and solid.mass_properties(6).mass == pytest.approx(1)


def test_complexes_that_make_no_sense_are_refused() -> None:
    line = [(0, 0, 0), (1, 0, 0)]
    with pytest.raises(ValueError, match="names vertex 2"):
        zg.Complex(line, segments=[(0, 2)])
    with pytest.raises(ValueError, match=r"segments\[0\] must be 2 indices"):
        zg.Complex(line, segments=[(0, -1)])
    with pytest.raises(ValueError, match="rows of 3 indices"):
        zg.Complex(line, triangles=[0, 1, 2])
    with pytest.raises(ValueError, match="as thick as the dilation"):
        zg.Complex(line, segments=[(0, 1)]).mass_properties(1)
    world = zg.World(method="stepping")
    with pytest.raises(ValueError, match="quasi-lmd"):
        world.body("wire", zg.Complex(line, segments=[(0, 1)], dilation=0.1), collision="oriented")


def test_a_cache_of_complexes_changes_no_bit() -> None:
    plate = zg.Complex(zg.parts.hole_plate(), dilation=2e-5, inset=True)
    peg = zg.Complex(zg.parts.peg(), dilation=2e-5, inset=True)
    cache = zg.ContactCache()
    for k in range(30):
        pose = zg.pose((1e-6 * k, 0, 1e-5 * k))
        alone = zg.contacts(plate, peg, pose_b=pose, within=2e-4)
        kept = zg.contacts(plate, peg, pose_b=pose, within=2e-4, cache=cache)
        assert kept.status == alone.status and (kept.gap == alone.gap).all() and (kept.id == alone.id).all()
    inside = zg.contacts(CUBE, zg.Complex(zg.box(size=(0.1, 0.1, 0.1))), check_overlap=True)
    unasked = zg.contacts(CUBE, zg.Complex(zg.box(size=(0.1, 0.1, 0.1))), check_overlap=False)
    assert inside.status == "base intersecting" and unasked.status == "separated"
