"""The shortest way out of an overlap, and the closest features of polyhedra: known cases, agreement with the gap, and what is refused."""

import math

import numpy as np
import pytest
import zerogap as zg

CUBE = zg.box(size=(1, 1, 1))
SHELF = zg.box(size=(4, 4, 1))
EIGHTH = math.pi / 8
"""Half of an eighth of a turn: its sine and cosine make the quaternion of 45 degrees."""
ALONG_X = (math.sin(EIGHTH), 0, 0, math.cos(EIGHTH))
ALONG_Y = (0, math.sin(EIGHTH), 0, math.cos(EIGHTH))
HULLS = [zg.hull(np.random.default_rng(seed).normal(size=(12 * seed, 3)) * 0.4) for seed in (1, 2, 3)]
SOLIDS = [CUBE, zg.box(size=(0.5, 0.8, 1.2)), *HULLS]


def random_poses(count: int, seed: int, spread: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.hstack([random.uniform(-spread, spread, size=(count, 3)), random.normal(size=(count, 4))])


def points_of(shape: zg.Shape, feature: str) -> np.ndarray:
    """The corners of a feature, in the frame of its shape."""
    kind, number = feature.split()
    corners = {"vertex": lambda k: [k], "edge": lambda k: shape.edges[k], "face": lambda k: shape.faces[k]}
    return shape.vertices[corners[kind](int(number))]


@pytest.mark.parametrize(
    ("a", "pose_a", "b", "pose_b", "gap", "kind", "features"),
    [
        (SHELF, None, CUBE, zg.pose((0, 0, 0.9)), -0.1, "face of A", ("face 5", "face 4")),
        (SHELF, None, CUBE, zg.pose((0, 0, 1.2), ALONG_X), 0.7 - math.sqrt(0.5), "face of A", ("face 5", None)),
        (CUBE, zg.pose((0, 0, 1.2), ALONG_X), SHELF, None, 0.7 - math.sqrt(0.5), "face of B", (None, "face 5")),
        (CUBE, zg.pose((0, 0, 0), ALONG_X), CUBE, zg.pose((0, 0, 1.4), ALONG_Y), 1.4 - math.sqrt(2), "edges", None),
        (SHELF, None, zg.point((0, 0, 0.4)), None, -0.1, "face of A", ("face 5", "vertex 0")),
    ],
    ids=["face on face", "edge in face", "face in edge", "crossing edges", "point in box"],
)
def test_known_ways_out(a, pose_a, b, pose_b, gap, kind, features) -> None:
    way = zg.minimum_translation(a, b, pose_a, pose_b)
    assert way is not None
    assert way.gap == pytest.approx(gap, abs=1e-15) and way.kind == kind and way.normal_kind == "unique"
    sign = -1 if kind == "face of B" else 1
    assert np.allclose(way.normal, (0, 0, sign), atol=1e-15)
    if features is not None:
        assert all(wanted in (None, got) for wanted, got in zip(features, (way.feature_a, way.feature_b)))
    else:
        assert way.feature_a.startswith("edge") and way.feature_b.startswith("edge")


def test_the_way_out_is_the_gap_and_leads_out() -> None:
    random = np.random.default_rng(5)
    overlaps = 0
    for row in random_poses(200, seed=5, spread=0.6):
        a, b = SOLIDS[random.integers(len(SOLIDS))], SOLIDS[random.integers(len(SOLIDS))]
        found, way = zg.distance(a, b, pose_b=row), zg.minimum_translation(a, b, pose_b=row)
        if way is None:
            assert found.gap > 0
            continue
        overlaps += 1
        # Other bits may come of another way to prove it, no other value.
        assert way.gap == pytest.approx(found.gap, abs=1e-14) and np.allclose(way.normal, found.normal, atol=1e-12)
        assert way.distance.lower <= found.upper and found.lower <= way.distance.upper and way.distance.gap == way.gap
        out = zg.pose(row[:3] - way.gap * way.normal, row[3:])
        assert zg.distance(a, b, pose_b=out).gap == pytest.approx(0, abs=1e-14)
        # The direction is that of the face which is named.
        if way.kind == "face of A":
            p, q, r = points_of(a, way.feature_a)[:3]
            across = np.cross(q - p, r - q)
            assert np.allclose(across / np.linalg.norm(across), way.normal, atol=1e-12)
    assert overlaps > 50


def test_several_ways_out_are_told() -> None:
    assert zg.minimum_translation(CUBE, CUBE, pose_b=zg.pose((0.75, 0.75, 0))).normal_kind == "chosen"
    assert zg.minimum_translation(CUBE, CUBE, pose_b=zg.pose((2, 0, 0))) is None


@pytest.mark.parametrize("k", range(6))
def test_faces_of_a_box_have_one_name_everywhere(k: int) -> None:
    outward = np.zeros(3)
    outward[k // 2] = 1 if k % 2 else -1
    large = zg.box(size=(2, 2, 2))
    touching = zg.contacts(CUBE, large, pose_b=zg.pose(1.5 * outward))
    near = zg.closest_features(CUBE, large, pose_b=zg.pose(2 * outward))
    assert touching.feature_a == near.feature_a == f"face {k}"
    assert touching.feature_b == near.feature_b
    assert np.allclose(points_of(CUBE, f"face {k}") @ outward, 0.5)
    names = {a for a, _ in touching.features}
    assert names == {f"vertex {corner}" for corner in CUBE.faces[k]}


@pytest.mark.parametrize("k", range(12))
def test_edges_of_a_box_have_one_name_everywhere(k: int) -> None:
    middle = points_of(CUBE, f"edge {k}").mean(axis=0)
    # A plate that faces the edge: its lower face looks against the direction.
    outward = middle / np.linalg.norm(middle)
    plate = zg.hull(np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 0.2)]))
    half = np.array([*np.cross((0, 0, 1), outward), 1 + outward[2]])
    quat = half if np.linalg.norm(half) > 1e-9 else (1, 0, 0, 0)
    touching = zg.contacts(CUBE, plate, pose_b=zg.pose(middle, quat))
    near = zg.closest_features(CUBE, plate, pose_b=zg.pose(1.5 * middle, quat))
    assert len(touching) == 2 and touching.feature_a == near.feature_a == f"edge {k}"
    assert near.feature_b.startswith("face")


@pytest.mark.parametrize("a", SOLIDS, ids=lambda s: f"{s.kind}-{len(s.vertices)}")
@pytest.mark.parametrize("b", SOLIDS, ids=lambda s: f"{s.kind}-{len(s.vertices)}")
def test_the_closest_features_are_as_far_apart_as_the_shapes(a: zg.Shape, b: zg.Shape) -> None:
    for row in random_poses(20, seed=11, spread=2):
        pose = zg.pose(row[:3], row[3:])
        near, found = zg.closest_features(a, b, pose_b=row), zg.distance(a, b, pose_b=row)
        assert near.status == ("apart" if found.gap > 0 else "overlap")
        if near.status == "overlap":
            assert near.distance == 0 and near.feature_a is None and near.feature_b is None
            continue
        assert near.distance == pytest.approx(found.gap, abs=1e-14) and near.by_walk
        assert np.allclose(near.point_b - near.point_a, near.distance * near.normal, atol=1e-14)
        # All corners of the features lie in the supporting planes.
        assert np.allclose((points_of(a, near.feature_a) - near.point_a) @ near.normal, 0, atol=1e-11)
        assert np.allclose((pose @ points_of(b, near.feature_b) - near.point_b) @ near.normal, 0, atol=1e-11)


def test_a_walk_from_the_last_features_is_short_and_answers_the_same() -> None:
    a, b = zg.hull(np.random.default_rng(3).normal(size=(500, 3))), CUBE
    start, steps = None, [0, 0]
    for k in range(100):
        pose = zg.pose((4 * math.cos(0.01 * k), 4 * math.sin(0.01 * k), 0.3), (0, 0, 0.01 * k, 1))
        cold, warm = zg.closest_features(a, b, pose_b=pose), zg.closest_features(a, b, pose_b=pose, start=start)
        assert warm.distance == pytest.approx(cold.distance, abs=1e-14)
        assert (warm.feature_a, warm.feature_b) == (cold.feature_a, cold.feature_b)
        start, steps = warm.found, [steps[0] + cold.steps, steps[1] + warm.steps]
    assert steps[1] < 200 < steps[0]
    # A pair that neither has is no hindrance.
    assert zg.closest_features(a, b, pose_b=pose, start=2**64 - 1).distance == pytest.approx(cold.distance, abs=1e-14)


def test_answers_show_themselves_and_parts_go_by_their_hulls() -> None:
    near = zg.closest_features("part:gear", "part:gear", pose_b=zg.pose((0, 0, 0.02)))
    assert near.distance == pytest.approx(5e-3, abs=1e-15) and (near.feature_a, near.feature_b) != (None, None)
    assert repr(zg.closest_features(CUBE, CUBE)) == "<zerogap.ClosestFeatures: overlap>"
    way = zg.minimum_translation("part:gear", CUBE, pose_b=zg.pose((0.5, 0, 0)))
    assert way is not None and way.distance.a == "hull of part:gear, 120 vertices"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zg.minimum_translation(CUBE, zg.sphere(1)), "b is a sphere: this needs a shape of corners"),
        (lambda: zg.minimum_translation(CUBE.rounded(0.1), CUBE), "a is a rounded shape"),
        (lambda: zg.minimum_translation(zg.halfspace((0, 0, 1), 0), CUBE), "a is a half-space"),
        (lambda: zg.minimum_translation(CUBE, zg.parts.gear()), r"b: a mesh .*zg.hull\(mesh\)"),
        (lambda: zg.closest_features(CUBE, zg.cylinder(1, 1)), "b is a cylinder: this needs a polyhedron or a box"),
        (lambda: zg.closest_features(zg.halfspace((0, 0, 1), 0), CUBE), "a is a half-space"),
        (lambda: zg.closest_features(CUBE, zg.point((0, 0, 9))), "b is a point"),
        (lambda: zg.closest_features(CUBE, CUBE, pose_b=(1, 2, 3)), r"pose_b must be a pose"),
    ],
)
def test_what_has_no_such_answer_is_refused_with_the_reason(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_start_that_is_no_such_number_is_refused() -> None:
    for start in (-1, 2**64):
        with pytest.raises(OverflowError):
            zg.closest_features(CUBE, CUBE, start=start)
    with pytest.raises(TypeError):
        zg.closest_features(CUBE, CUBE, start="vertex 3")
