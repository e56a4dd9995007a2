"""Contact planes, rows of contacts, searches in slices and crossings, against plain answers."""

import numpy as np
import pytest
import zerogap as zg

CUBE = zg.box((1, 1, 1))


@pytest.mark.parametrize(("at", "count"), [((0.2, 0.1, 1), 1), ((1, 0.1, 1), 2), ((1, 1, 1), 3), ((0, 0, 0), 6)])
def test_ties_have_all_their_normals(at: tuple[float, float, float], count: int) -> None:
    plane = zg.contact_plane(CUBE, CUBE, pose_b=zg.pose(at))
    assert plane.candidates.shape == (count, 3) and len(plane.kinds) == count
    assert plane.separations == pytest.approx([plane.gap] * count, abs=1e-12)
    assert np.linalg.norm(plane.normal) == pytest.approx(1)


def test_planes_of_others() -> None:
    ball = zg.contact_plane(CUBE, zg.sphere(0.5), pose_b=zg.pose((0, 0, 1.5)))
    assert ball.kinds == [None] and ball.offset == pytest.approx(0.75) and ball.normal_kind == "unique"
    with pytest.raises(ValueError, match="tolerance"):
        zg.contact_plane(CUBE, CUBE, tolerance=-1)


@pytest.mark.parametrize("method", ["manifold", "quasi-lmd"])
def test_rows_are_derivatives_of_gaps(method: str) -> None:
    slab, at, h = zg.box((4, 4, 1)), np.array([0.3, 0.2, 1.05]), 1e-6
    velocity, spin = np.array([0.4, -0.3, -1.0]), np.array([0.2, 0.1, 0.7])

    def found(t: float):  # noqa: ANN202
        angle = np.linalg.norm(spin) * t
        axis = spin / np.linalg.norm(spin)
        pose = zg.pose(tuple(at + velocity * t), quat=tuple([*(axis * np.sin(angle / 2)), np.cos(angle / 2)]))
        return zg.contacts(slab, CUBE, pose_b=pose, within=0.2, method=method), pose

    now, pose = found(0.0)
    rates = zg.contact_rows(now, pose_b=pose) @ np.concatenate([np.zeros(6), velocity, spin])
    before, after = found(-h)[0], found(h)[0]
    assert len(now) == len(before) == len(after) >= 4
    assert rates == pytest.approx((after.gap - before.gap) / (2 * h), abs=1e-6)
    with pytest.raises(TypeError, match="what zg.contacts returned"):
        zg.contact_rows([1, 2, 3])


def test_slices_narrow_the_bounds_whatever_the_hierarchy() -> None:
    gear = zg.parts.gear(teeth=24, module="2 mm")
    beside = zg.pose(("60 mm", "5 mm", "3 mm"))
    exact = zg.distance(gear, gear, pose_b=beside).distance
    for volume in ("oriented-boxes", "boxes", "balls", "14-dops", "18-dops", "26-dops"):
        for split in ("surface-area", "longest", "smallest-volumes"):
            search = zg.MeshSearch(gear, gear, pose_b=beside, volume=volume, split=split, leaf=3)
            first = search.advance(pairs=10)
            assert first.status == "limited" and first.lower <= exact <= first.upper and first.pops <= 10
            last = search.advance("10 s")
            assert last.status == "exact" and last.distance == pytest.approx(exact, abs=1e-12)
            assert first.lower <= last.lower and last.upper <= first.upper
    inside = zg.MeshSearch(gear, gear, pose_b=zg.pose(("10 mm", 0, 0))).advance()
    assert inside.status == "depth_unknown" and inside.distance == 0 and inside.lower == -np.inf
    with pytest.raises(ValueError, match='volume is "round"'):
        zg.MeshSearch(gear, gear, volume="round")
    with pytest.raises(ValueError, match="two meshes, and b is none"):
        zg.MeshSearch(gear, CUBE)
    with pytest.raises(ValueError, match="time is -1"):
        zg.MeshSearch(gear, gear).advance(-1)


def test_crossings_are_all_pairs_that_cross() -> None:
    box = zg.parts.box(width=1, depth=1, height=1)
    assert zg.crossings(box, box, pose_b=zg.pose((2, 0, 0))).shape == (0, 2)
    pairs = zg.crossings(box, box, pose_b=zg.pose((0.5, 0.3, 0.2)))
    assert len(pairs) > 6 and pairs.tolist() == sorted(pairs.tolist())
    with pytest.raises(ValueError, match="a is none"):
        zg.crossings(CUBE, box)


def test_smooth_hulls_hold_their_corners_and_weigh_a_little_more() -> None:
    sharp = zg.shape("polysphere:200,1")
    assert sharp.vertices.shape == (200, 3) and np.linalg.norm(sharp.vertices, axis=1) == pytest.approx(np.ones(200))
    assert [0, 0, -1] in sharp.vertices.tolist()
    volumes = [sharp.smooth(p).mass_properties(1.0).mass for p in (20, 80)]
    assert sharp.mass_properties(1.0).mass < volumes[1] < volumes[0]
    word = zg.shape("smooth:80,polysphere:200,1")
    assert word.mass_properties(1.0).mass == volumes[1]
    for wrong, why in (("smooth:2,box:1,1,1", "3 or more"), ("smooth:x,box:1,1,1", "exponent"), ("polysphere:3,1", "from 4"), ("smooth:9,sphere:1", "corners")):
        with pytest.raises(ValueError, match=why):
            zg.shape(wrong)
