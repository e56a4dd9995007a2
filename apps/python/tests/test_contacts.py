"""Contacts of two shapes: known manifolds, names that last, caches, many pairs at once, and what is refused."""

import math

import numpy as np
import pytest
import zerogap as zg

BOX = zg.box(size=(1, 1, 1))
FLOOR = zg.halfspace((0, 0, 1), 0)
LYING = (0, 1, 0, 1)
"""A quarter turn about y: the axis of a shape along x."""
SHAPES = [
    BOX,
    zg.sphere(0.5),
    zg.capsule(0.2, 1),
    zg.cylinder(0.4, 1),
    zg.cone(0.5, 1),
    zg.hull(np.random.default_rng(4).normal(size=(40, 3)) * 0.4),
    zg.box(size=(0.8, 1, 0.6)).rounded(0.1),
    zg.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
]
COLUMNS = ["gap", "normal", "point_a", "point_b", "id"]


def at(x: float, y: float, z: float, angle: float = 0.0) -> zg.Pose:
    """A place, turned about the vertical by an angle."""
    return zg.pose(xyz=(x, y, z), quat=(0, 0, math.sin(angle / 2), math.cos(angle / 2)))


def random_poses(count: int, seed: int, spread: float) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.hstack([random.uniform(-spread, spread, size=(count, 3)), random.normal(size=(count, 4))])


@pytest.mark.parametrize(
    ("a", "b", "pose", "count", "features"),
    [
        (BOX, BOX, at(0.5, 0, 1), 4, ("face 5", "face 4")),
        (BOX, BOX, at(0, 0, 1, math.pi / 4), 8, ("face 5", "face 4")),
        (BOX, zg.capsule(0.1, 0.5), zg.pose((0, 0, 0.6), LYING), 2, ("face 5", "edge 0")),
        (BOX, zg.sphere(0.5), at(0, 0, 1), 1, ("face 5", "surface 0")),
        (FLOOR, zg.cylinder(0.5, 1), at(0, 0, 0.5), 8, ("face 0", "face 0")),
        (BOX, zg.cylinder(0.2, 1), zg.pose((0, 0, 0.7), LYING), 2, None),
    ],
    ids=["box on box", "turned box", "lying capsule", "sphere", "standing cylinder", "lying cylinder"],
)
def test_known_manifolds(a, b, pose, count, features) -> None:
    found = zg.contacts(a, b, pose_b=pose)
    assert len(found) == count
    assert np.allclose(found.gap, 0, atol=1e-13)
    assert np.allclose(found.normal, [(0, 0, 1)] * count, atol=1e-13)
    assert np.allclose(found.point_a, found.point_b, atol=1e-13)
    assert np.allclose(found.point_a[:, 2], 0.5 if a is BOX else 0, atol=1e-13)
    if features is not None:
        assert (found.feature_a, found.feature_b) == features


def test_the_corners_of_a_box_on_a_box_are_where_they_must_be() -> None:
    found = zg.contacts(BOX, BOX, pose_b=at(0.5, 0.25, 1))
    wanted = {(x, y, 0.5) for x in (0, 0.5) for y in (-0.25, 0.5)}
    assert {tuple(row) for row in found.point_a.tolist()} == wanted


def test_arrays_have_their_shapes_and_types() -> None:
    for found, count in ((zg.contacts(BOX, BOX, pose_b=at(0, 0, 1)), 4), (zg.contacts(BOX, BOX, pose_b=at(0, 0, 2)), 0)):
        assert found.gap.shape == found.id.shape == (count,) and found.gap.dtype == np.float64
        assert found.normal.shape == found.point_a.shape == found.point_b.shape == (count, 3)
        assert found.id.dtype == np.uint64 and len(np.unique(found.id)) == count
        assert len(found.features) == len(found) == count


def test_ids_hold_the_features() -> None:
    found = zg.contacts(BOX, BOX, pose_b=at(0.5, 0, 1))
    kinds = ["vertex", "edge", "face", "surface"]

    def word(packed: int) -> str:
        return f"{kinds[packed >> 30]} {packed & (2**30 - 1)}"

    assert found.features == [(word(int(i) >> 32), word(int(i) & (2**32 - 1))) for i in found.id]
    assert ("vertex 7", "face 4") in found.features


@pytest.mark.parametrize("a", SHAPES, ids=lambda s: s.kind)
@pytest.mark.parametrize("b", [*SHAPES, FLOOR], ids=lambda s: s.kind)
def test_points_gaps_and_swap_hold_for_every_pair(a: zg.Shape, b: zg.Shape) -> None:
    for row in random_poses(5, seed=8, spread=0.6):
        one = zg.contacts(a, b, pose_b=row, within=0.3)
        alone = zg.distance(a, b, pose_b=row, cutoff=0.3)
        # A face may prove the gap in place of the search: both certificates hold the exact value.
        assert one.distance.lower <= alone.upper and alone.lower <= one.distance.upper
        assert one.distance.gap == pytest.approx(alone.gap, abs=1e-10)
        if len(one) == 0:
            assert one.feature_a is None and one.distance.upper > 0.3
            continue
        assert np.allclose(one.point_b - one.point_a, one.gap[:, None] * one.normal, atol=1e-13)
        # One contact has the gap of the shapes, and none is deeper, to the certificate of curved shapes.
        assert one.gap.min() == pytest.approx(alone.gap, abs=1e-9)
        assert one.gap.max() <= 0.3
        other = zg.contacts(b, a, pose_a=row, within=0.3)
        assert np.array_equal(other.gap, one.gap) and np.array_equal(other.normal, -one.normal)
        assert np.array_equal(other.point_a, one.point_b) and (other.feature_a, other.feature_b) == (one.feature_b, one.feature_a)


def test_names_stay_while_a_box_slides() -> None:
    def names(x: float) -> list[int]:
        return zg.contacts(BOX, BOX, pose_b=at(x, 0.2, 1)).id.tolist()

    first = names(0.1)
    assert all(names(0.1 + 0.01 * k) == first for k in range(1, 80))
    # Past the other edge other features meet.
    assert set(names(-0.1)) != set(first)


def test_a_cache_changes_no_gap_and_no_contact_of_a_slide() -> None:
    cache = zg.ContactCache()
    a, b = SHAPES[5], SHAPES[6]
    for step in range(100):
        pose = at(0.01 * step, 0.1, 0.9 - 0.003 * step, 0.02 * step)
        cold, warm = zg.contacts(a, b, pose_b=pose, within=0.5), zg.contacts(a, b, pose_b=pose, within=0.5, cache=cache)
        assert warm.distance.gap == cold.distance.gap
        assert warm.gap.min(initial=np.inf) == cold.gap.min(initial=np.inf)
        if warm.distance.normal_kind == "unique":
            assert all(np.array_equal(getattr(warm, name), getattr(cold, name)) for name in COLUMNS)
    cache.clear()
    assert zg.contacts(a, b, pose_b=pose, within=0.5, cache=cache).distance.gap == cold.distance.gap


def test_a_cache_keeps_a_normal_that_could_be_another() -> None:
    cache = zg.ContactCache()
    # The box comes from above and then meets the edge, where two normals are equally good.
    for z in (1.0005, 1.0):
        found = zg.contacts(BOX, BOX, pose_b=at(0.9999 if z > 1 else 1.0, 0, z), cache=cache)
        assert np.array_equal(found.normal[0], (0, 0, 1))
    assert found.distance.normal_kind == "chosen"


def test_margins_decide_which_contacts_count() -> None:
    tilted = zg.pose(xyz=(0, 0, 1.01), quat=(0, math.sin(0.005), 0, math.cos(0.005)))
    counts = [len(zg.contacts(BOX, BOX, pose_b=tilted, within=within)) for within in (1e-3, 8e-3, 0.1, math.inf)]
    assert counts == [0, 2, 4, 4]
    assert len(zg.contacts(BOX, BOX, pose_b=at(0, 0, 1), within=0)) == 4


def test_rims_and_four_points() -> None:
    disc = zg.cylinder(0.5, 1)
    assert len(zg.contacts(FLOOR, disc, pose_b=at(0, 0, 0.5), arc_tolerance=0.01)) == 32
    assert len(zg.contacts(FLOOR, disc, pose_b=at(0, 0, 0.5), at_most_four=True)) == 4
    assert len(zg.contacts(BOX, BOX, pose_b=at(0, 0, 1, math.pi / 4), at_most_four=True)) == 4


def test_words_and_meshes_are_what_they_are_for_distance(tmp_path) -> None:
    assert len(zg.contacts("box:1,1,1", "box:1,1,1", pose_b=at(0, 0, 1))) == 4
    zg.parts.hole_plate(section="rectangular").save(tmp_path / "plate.obj")
    found = zg.contacts(tmp_path / "plate.obj", FLOOR, zg.pose((0, 0, 0.01)))
    assert len(found) == 4 and found.distance.a.endswith("plate.obj, 8 vertices")


def test_contacts_show_themselves() -> None:
    near, far = (zg.contacts(BOX, BOX, pose_b=at(0.5, 0, z)) for z in (1, 1.5))
    assert repr(near) == "<zerogap.Contacts: 4 points, face 5 on face 4, gap 0 m along (0, 0, 1)>"
    assert repr(far).startswith("<zerogap.Contacts: none, apart by at least 0.")
    assert repr(zg.contacts_many(BOX, BOX, poses_b=at(0, 0, 1))) == "<zerogap.Manifolds of 1 pairs with 4 contacts>"


def test_many_pairs_have_the_bits_of_each_alone_for_any_number_of_threads() -> None:
    count = 2000
    shapes = [*SHAPES, FLOOR]
    random = np.random.default_rng(2)
    index_a, index_b = random.integers(0, len(SHAPES), count), random.integers(0, len(shapes), count)
    poses_a, poses_b = random_poses(count, seed=3, spread=0.5), random_poses(count, seed=4, spread=0.5)
    arguments = dict(poses_a=poses_a, poses_b=poses_b, index_a=index_a, index_b=index_b, within=0.2)
    many = zg.contacts_many(SHAPES, shapes, **arguments)
    assert len(many) == count and many.offset.shape == (count + 1,) and many.offset.dtype == np.int64
    assert many.offset[0] == 0 and many.offset[-1] == len(many.gap) == len(many.features)
    assert np.diff(many.offset).min() == 0 and np.diff(many.offset).max() >= 4
    for threads in (1, 2, 7):
        again = zg.contacts_many(SHAPES, shapes, threads=threads, **arguments)
        assert all(getattr(again, n).tobytes() == getattr(many, n).tobytes() for n in [*COLUMNS, "offset"])
        assert np.array_equal(again.distance.gap, many.distance.gap)
    features = many.features
    for k in range(0, count, 7):
        one = zg.contacts(SHAPES[index_a[k]], shapes[index_b[k]], poses_a[k], poses_b[k], within=0.2)
        rows = slice(many.offset[k], many.offset[k + 1])
        assert all(np.array_equal(getattr(one, name), getattr(many, name)[rows]) for name in COLUMNS)
        assert one.features == features[rows]
        assert one.distance.gap == many.distance.gap[k]


def test_no_pairs_and_no_contacts_are_answers() -> None:
    none = zg.contacts_many([], [])
    assert len(none) == 0 and none.offset.tolist() == [0] and none.normal.shape == (0, 3)
    far = zg.contacts_many(BOX, BOX, poses_b=np.tile([5, 0, 0, 0, 0, 0, 1], (3, 1)))
    assert far.offset.tolist() == [0, 0, 0, 0] and far.point_a.shape == (0, 3)
    assert np.all(far.distance.status == zg.GapStatus.FARTHER)


BAD = np.array([[0, 0, 0, 0, 0, 0, 1], [0, 0, math.nan, 0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zg.contacts(FLOOR, FLOOR), "two half-spaces"),
        (lambda: zg.contacts(zg.parts.gear(), BOX, within=-1.0), "within is -1"),
        (lambda: zg.contacts("bxo:1,2,3", BOX), "bxo"),
        (lambda: zg.contacts(BOX, BOX, pose_a=(1, 2, 3)), r"pose_a must be a pose.*\(3,\)"),
        (lambda: zg.contacts(BOX, BOX, within=-1e-3), "within is -0.001: it must be a length of 0 or more"),
        (lambda: zg.contacts(BOX, BOX, within=math.nan), "within is NaN"),
        (lambda: zg.contacts(BOX, BOX, arc_tolerance=1.5), "arc_tolerance is 1.5"),
        (lambda: zg.contacts(BOX, BOX, tolerance=math.nan), "tolerance is NaN"),
        (lambda: zg.contacts_many(BOX, BOX, BAD), r"poses_a\[1\]: .*NaN"),
        (lambda: zg.contacts_many(BOX, BOX, BAD[:1].repeat(3, 0), BAD), "poses_a speaks of 3 pairs and poses_b of 2"),
        (lambda: zg.contacts_many([BOX, FLOOR], FLOOR), "pair 1: two half-spaces"),
        (lambda: zg.contacts_many(BOX, BOX, within=-1), "within is -1"),
        (lambda: zg.contacts_many(BOX, BOX, threads=0), "threads is 0"),
    ],
)
def test_what_has_no_contacts_is_refused_with_the_reason(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_caches_of_the_other_kind_are_type_errors() -> None:
    with pytest.raises(TypeError, match="cache"):
        zg.contacts(BOX, BOX, cache=zg.PairCache())
    with pytest.raises(TypeError, match="cache"):
        zg.distance(BOX, BOX, cache=zg.ContactCache())


def test_a_cache_for_distances_changes_no_answer() -> None:
    cache = zg.PairCache()
    ball = zg.hull(np.random.default_rng(6).normal(size=(300, 3)) * 0.3)
    iterations = [0, 0]
    for step in range(200):
        pose = at(1.5 - 0.01 * step, 0.1, 0.2, 0.01 * step)
        cold, warm = zg.distance(ball, SHAPES[5], pose_b=pose), zg.distance(ball, SHAPES[5], pose_b=pose, cache=cache)
        assert (warm.gap, warm.lower, warm.upper) == (cold.gap, cold.lower, cold.upper)
        assert np.array_equal(warm.normal, cold.normal) and np.array_equal(warm.point_a, cold.point_a)
        iterations[0] += cold.iterations
        iterations[1] += warm.iterations
    assert iterations[1] < iterations[0]
    cache.clear()
    assert zg.distance(FLOOR, BOX, pose_b=at(0, 0, 1), cache=cache).gap == 0.5


def test_support_functions_raise_through_a_cache_and_may_not_use_it() -> None:
    cache, calls = zg.ContactCache(), []

    def corner(direction: np.ndarray) -> np.ndarray:
        return np.where(direction >= 0, 0.5, -0.5)

    def greedy(direction: np.ndarray) -> np.ndarray:
        calls.append(direction)
        if len(calls) > 1:
            zg.contacts(BOX, BOX, cache=cache)
        return corner(direction)

    cube = zg.user_shape(corner, interior_point=(0, 0, 0))
    assert zg.contacts(FLOOR, cube, pose_b=at(0, 0, 0.5), cache=cache).distance.gap == pytest.approx(0, abs=1e-12)
    many = zg.contacts_many(FLOOR, cube, poses_b=np.tile([0, 0, 0.5, 0, 0, 0, 1], (3, 1)))
    assert len(many) == 3 and np.all(np.diff(many.offset) >= 1)
    with pytest.raises(RuntimeError, match="in use by another question"):
        zg.contacts(SHAPES[5], zg.user_shape(greedy, interior_point=(0, 0, 0)), pose_b=at(0, 0, 0.9), cache=cache)
    # What failed leaves a cache that works.
    assert len(zg.contacts(BOX, BOX, pose_b=at(0, 0, 1), cache=cache)) == 4
