"""Gaps of two shapes: closed forms, the certificate, many pairs at once, and what is refused."""

import math
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
import zerogap as zg

BOX = zg.box(size=(2, 2, 2))
FLOOR = zg.halfspace((0, 0, 1), 0)
SHAPES = [
    BOX,
    zg.sphere(0.7),
    zg.capsule(0.3, 1),
    zg.cylinder(0.5, 1),
    zg.cone(0.6, 1.5),
    zg.ellipsoid((0.5, 0.8, 1.1)),
    zg.hull(np.random.default_rng(4).normal(size=(40, 3))),
    zg.box(size=(1, 2, 1)).rounded(0.1),
    zg.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
]


def random_poses(count: int, seed: int, spread: float = 2.0) -> np.ndarray:
    random = np.random.default_rng(seed)
    return np.hstack([random.uniform(-spread, spread, size=(count, 3)), random.normal(size=(count, 4))])


@pytest.mark.parametrize(
    ("a", "b", "place", "gap", "normal"),
    [
        (zg.sphere(1), zg.sphere(2), (0, 5, 0), 2, (0, 1, 0)),
        (zg.sphere(1), zg.sphere(2), (0, 2.5, 0), -0.5, (0, 1, 0)),
        (BOX, BOX, (2.5, 0.3, 0), 0.5, (1, 0, 0)),
        (BOX, BOX, (0.2, -1.9, 0.1), -0.1, (0, -1, 0)),
        (BOX, zg.sphere(0.5), (0, 0, -2), 0.5, (0, 0, -1)),
        (FLOOR, zg.capsule(0.5, 1), (7, 7, 3), 2, (0, 0, 1)),
        (zg.point((0, 0, 0)), zg.point((0, 0, 0)), (3, 4, 0), 5, (0.6, 0.8, 0)),
    ],
)
def test_gaps_match_closed_forms(a, b, place, gap, normal) -> None:
    found = zg.distance(a, b, pose_b=zg.pose(xyz=place))
    assert found.gap == pytest.approx(gap, abs=1e-14)
    assert np.allclose(found.normal, normal, atol=1e-14)
    assert found.lower <= gap <= found.upper
    assert found.normal_kind == "unique" and found.status == "exact"
    assert zg.intersects(a, b, pose_b=zg.pose(xyz=place)) is (gap <= 0)


@pytest.mark.parametrize("a", SHAPES, ids=lambda s: s.kind)
@pytest.mark.parametrize("b", [*SHAPES, FLOOR], ids=lambda s: s.kind)
def test_points_bounds_and_swap_hold_for_every_pair(a: zg.Shape, b: zg.Shape) -> None:
    for row in random_poses(5, seed=8):
        one = zg.distance(a, b, pose_b=row)
        assert one.lower <= one.gap <= one.upper
        assert np.allclose(one.point_b - one.point_a, one.gap * one.normal, atol=1e-13)
        assert np.linalg.norm(one.normal) == pytest.approx(1, abs=1e-14)
        other = zg.distance(b, a, pose_a=row)
        assert other.gap == one.gap and np.array_equal(other.normal, -one.normal)
        assert np.array_equal(other.point_a, one.point_b)
        if b is not FLOOR:
            # Every direction proves a lower bound, and the normal the best one.
            random = np.random.default_rng(5).normal(size=(50, 3))
            assert np.all(zg.separation(a, b, random, pose_b=row) <= one.upper)
            along = zg.separation(a, b, tuple(one.normal), pose_b=row)
            assert one.lower <= along <= one.upper
            cheap = zg.mpr(a, b, pose_b=row)
            assert cheap.lower <= one.upper and one.lower <= cheap.upper


def test_poses_are_poses_or_seven_numbers() -> None:
    turned = zg.pose(xyz=(3, 0, 0), quat=(0, 0, 1, 1))
    wanted = zg.distance(BOX, zg.cone(1, 2), pose_b=turned).gap
    numbers = [*turned.xyz, *turned.quat]
    assert zg.distance(BOX, zg.cone(1, 2), pose_b=numbers).gap == wanted
    assert zg.distance(BOX, zg.cone(1, 2), None, np.array(numbers)).gap == wanted
    assert zg.distance(BOX, zg.cone(1, 2), turned.inverse()).gap == pytest.approx(wanted, abs=1e-14)


def test_words_and_paths_mean_what_they_mean_on_the_command_line(tmp_path: Path) -> None:
    assert zg.distance("box:2,2,2", "sphere:50cm", pose_b=zg.pose((0, 0, 2))).gap == 0.5
    plate = zg.parts.hole_plate(section="rectangular")
    plate.save(tmp_path / "plate.obj")
    found = zg.distance(tmp_path / "plate.obj", zg.point((0, 0, 0)))
    assert found.gap == pytest.approx(zg.distance(zg.hull(plate), zg.point((0, 0, 0))).gap, abs=1e-15)
    assert found.a.startswith("hull of ") and found.a.endswith("plate.obj, 8 vertices")
    assert found.b == "point:0,0,0"
    with pytest.raises(FileNotFoundError):
        zg.distance(tmp_path / "nothing.stl", BOX)


def test_cutoffs_end_searches_and_tolerances_bound_them() -> None:
    a, b = zg.ellipsoid((1, 2, 3)), zg.cone(1, 2)
    far = zg.distance(a, b, pose_b=zg.pose((20, 1, 0)), cutoff=1.0)
    assert far.status == "farther" and far.lower > 1
    assert zg.distance(a, b, pose_b=zg.pose((20, 1, 0)), cutoff=math.inf).status != "farther"
    coarse, fine = (zg.distance(a, b, pose_b=zg.pose((1, 1, 0.3)), tolerance=t) for t in (1e-3, 1e-10))
    assert coarse.upper - coarse.lower > fine.upper - fine.lower
    assert coarse.lower <= fine.upper and fine.lower <= coarse.upper


def test_a_gap_shows_itself() -> None:
    shown = repr(zg.distance(BOX, zg.sphere(0.5), pose_b=zg.pose((0, 0, 2))))
    assert shown.startswith("<zerogap.Gap: 0.5 m along (0, 0, 1), exact, between 0.49999")
    assert "on portal" in repr(zg.mpr(BOX, zg.sphere(0.5), pose_b=zg.pose((0, 0, 2))))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zg.distance(FLOOR, FLOOR), "two half-spaces"),
        (lambda: zg.distance(BOX, BOX, budget=3), "neither a nor b"),
        (lambda: zg.distance(zg.parts.gear(), BOX, order="any"), "order is 'any'"),
        (lambda: zg.distance(zg.parts.gear(), BOX, absolute=-1.0), "absolute is -1"),
        (lambda: zg.distance("bxo:1,2,3", BOX), "bxo"),
        (lambda: zg.distance(BOX, BOX, pose_a=(1, 2, 3)), r"pose_a must be a pose.*\(3,\)"),
        (lambda: zg.distance(BOX, BOX, pose_b=(0, 0, math.nan, 0, 0, 0, 1)), "pose_b: .*NaN"),
        (lambda: zg.distance(BOX, BOX, pose_b=(0, 0, 0, 0, 0, 0, 0)), "pose_b: quaternion"),
        (lambda: zg.distance(BOX, BOX, cutoff=-1), "cutoff is -1"),
        (lambda: zg.distance(BOX, BOX, cutoff=math.nan), "cutoff is NaN"),
        (lambda: zg.distance(BOX, BOX, tolerance=2), "tolerance is 2"),
        (lambda: zg.mpr(BOX, FLOOR), "b is a half-space"),
        (lambda: zg.mpr(BOX, BOX, tolerance=-1), "tolerance is -1"),
        (lambda: zg.separation(BOX, BOX, (0, 0, 0)), "direction"),
        (lambda: zg.separation(BOX, BOX, [(0, 0, 1), (0, 0, 0)]), "row 1: direction"),
        (lambda: zg.separation(BOX, FLOOR, (0, 0, 1)), "b is a half-space"),
    ],
)
def test_what_has_no_gap_is_refused_with_the_reason(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_what_is_no_body_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="a must be a shape"):
        zg.distance(3, BOX)
    with pytest.raises(TypeError, match="pose_a must be a pose"):
        zg.distance(BOX, BOX, pose_a="here")
    with pytest.raises(TypeError, match="b must be a shape or a sequence"):
        zg.distance_many(BOX, 3)
    with pytest.raises(TypeError, match="poses_a must be a sequence of poses, not object"):
        zg.distance_many(BOX, BOX, poses_a=object())
    with pytest.raises(TypeError, match=r"poses_a\[1\] must be a pose"):
        zg.distance_many(BOX, BOX, poses_a=[zg.pose(), "here"])


def same_bits(one: zg.Gaps, other: zg.Gaps) -> bool:
    names = ["gap", "lower", "upper", "normal", "point_a", "point_b", "status", "normal_unique", "iterations"]
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names)


def test_many_pairs_have_the_bits_of_each_alone_for_any_number_of_threads() -> None:
    count = 3000
    shapes = [*SHAPES, FLOOR]
    random = np.random.default_rng(2)
    index_a, index_b = random.integers(0, len(SHAPES), count), random.integers(0, len(shapes), count)
    poses_a, poses_b = random_poses(count, seed=3), random_poses(count, seed=4)
    arguments = dict(poses_a=poses_a, poses_b=poses_b, index_a=index_a, index_b=index_b)
    many = zg.distance_many(SHAPES, shapes, **arguments)
    assert same_bits(many, zg.distance_many(SHAPES, shapes, threads=1, **arguments))
    assert same_bits(many, zg.distance_many(SHAPES, shapes, threads=2, **arguments))
    assert same_bits(many, zg.distance_many(SHAPES, shapes, threads=7, **arguments))
    assert len(many) == count and many.normal.shape == (count, 3) and many.gap.shape == (count,)
    assert many.status.dtype == np.uint8 and many.normal_unique.dtype == np.bool_
    for k in range(0, count, 17):
        one = zg.distance(SHAPES[index_a[k]], shapes[index_b[k]], poses_a[k], poses_b[k])
        assert (one.gap, one.lower, one.upper) == (many.gap[k], many.lower[k], many.upper[k])
        assert np.array_equal(one.normal, many.normal[k]) and np.array_equal(one.point_a, many.point_a[k])
        assert np.array_equal(one.point_b, many.point_b[k]) and one.iterations == many.iterations[k]
        assert zg.GapStatus(many.status[k]).name.lower() == one.status
        assert many.normal_unique[k] == (one.normal_kind == "unique")


def test_swapping_many_flips_normals_and_swaps_points() -> None:
    poses_a, poses_b = random_poses(500, seed=5), random_poses(500, seed=6)
    there = zg.distance_many(BOX, SHAPES[6], poses_a, poses_b)
    back = zg.distance_many(SHAPES[6], BOX, poses_b, poses_a)
    assert np.array_equal(there.gap, back.gap) and np.array_equal(there.normal, -back.normal)
    assert np.array_equal(there.point_a, back.point_b) and np.array_equal(there.point_b, back.point_a)


def test_one_pose_or_none_goes_with_all_pairs() -> None:
    poses = random_poses(20, seed=7)
    place = zg.pose((0.5, 0, 0), (0, 0, 1, 1))
    seven = np.array([*place.xyz, *place.quat])
    wanted = zg.distance_many(BOX, BOX, np.tile(seven, (20, 1)), poses)
    assert same_bits(zg.distance_many(BOX, BOX, place, poses), wanted)
    assert same_bits(zg.distance_many(BOX, BOX, seven, poses), wanted)
    identity = np.tile([0, 0, 0, 0, 0, 0, 1], (20, 1))  # whole numbers will do
    assert same_bits(zg.distance_many(BOX, BOX, None, poses), zg.distance_many(BOX, BOX, identity, poses))
    assert len(zg.distance_many(BOX, BOX)) == 1
    assert len(zg.distance_many(BOX, BOX, poses[:0])) == 0
    assert zg.distance_many([], []).normal.shape == (0, 3)


def test_arrays_in_any_layout_give_the_same_answers() -> None:
    poses = random_poses(50, seed=9)
    wanted = zg.distance_many(BOX, SHAPES[3], None, poses)
    assert same_bits(zg.distance_many(BOX, SHAPES[3], None, np.asfortranarray(poses)), wanted)
    assert same_bits(zg.distance_many(BOX, SHAPES[3], None, poses.repeat(2, axis=0)[::2]), wanted)
    assert same_bits(zg.distance_many(BOX, SHAPES[3], None, poses.tolist()), wanted)


def test_sequences_go_pair_by_pair_or_by_index() -> None:
    poses = random_poses(len(SHAPES), seed=10)
    paired = zg.distance_many(SHAPES, BOX, poses)
    assert same_bits(paired, zg.distance_many(SHAPES, [BOX], poses, index_b=np.zeros(len(SHAPES), dtype=np.uint8)))
    assert same_bits(paired, zg.distance_many(SHAPES, BOX, poses, index_a=list(range(len(SHAPES)))))
    turned = zg.distance_many(SHAPES, "box:2,2,2", poses[::-1], index_a=np.arange(len(SHAPES))[::-1])
    assert np.array_equal(turned.gap, paired.gap[::-1])


POSES = random_poses(5, seed=11)


def broken(row: int, column: int, value: float) -> np.ndarray:
    poses = POSES.copy()
    poses[row, column] = value
    return poses


def without_rotation(row: int) -> np.ndarray:
    poses = POSES.copy()
    poses[row, 3:] = 0
    return poses


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: zg.distance_many(BOX, BOX, broken(3, 1, math.nan)), r"poses_a\[3\]: .*NaN"),
        (lambda: zg.distance_many(BOX, BOX, POSES, broken(2, 0, math.inf)), r"poses_b\[2\]: .*inf"),
        (lambda: zg.distance_many(BOX, BOX, POSES, broken(2, 5, math.nan)), r"poses_b\[2\]: quaternion"),
        (lambda: zg.distance_many(BOX, BOX, without_rotation(4)), r"poses_a\[4\]: quaternion"),
        (lambda: zg.distance_many(BOX, BOX, POSES[:, :3]), r"poses_a must be .*\(5, 3\)"),
        (lambda: zg.distance_many(BOX, BOX, POSES, POSES[:4]), "poses_a speaks of 5 pairs and poses_b of 4"),
        (lambda: zg.distance_many([BOX] * 3, BOX, POSES), "a speaks of 3 pairs and poses_a of 5"),
        (lambda: zg.distance_many([BOX], BOX, index_a=[0, 0, 1]), r"index_a\[2\] is 1: there are 1"),
        (lambda: zg.distance_many(BOX, [BOX], index_b=[0, -1]), r"index_b\[1\] is -1"),
        (lambda: zg.distance_many(BOX, BOX, index_b=[0.5]), "whole numbers"),
        (lambda: zg.distance_many(BOX, BOX, index_b=[[0]]), r"\(n,\), not \(1, 1\)"),
        (lambda: zg.distance_many([BOX, FLOOR], FLOOR), "pair 1: two half-spaces"),
        (lambda: zg.distance_many(BOX, BOX, threads=0), "threads is 0"),
        (lambda: zg.distance_many(BOX, BOX, cutoff=-1), "cutoff is -1"),
    ],
)
def test_bad_rows_are_refused_by_their_index(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_the_first_bad_row_is_named_in_a_long_array() -> None:
    poses = random_poses(40_000, seed=12)
    poses[[39_000, 30_001, 35_000], 2] = np.nan
    with pytest.raises(ValueError, match=r"poses_a\[30001\]"):
        zg.distance_many(BOX, BOX, poses)


def test_cutoffs_reach_every_pair() -> None:
    poses = random_poses(1000, seed=13, spread=20)
    near = zg.distance_many(SHAPES[6], BOX, poses, cutoff=1.0)
    exact = zg.distance_many(SHAPES[6], BOX, poses)
    farther = near.status == zg.GapStatus.FARTHER
    assert farther.any() and np.all(near.lower[farther] > 1) and np.all(exact.gap[farther] > 1)
    assert np.array_equal(near.gap[~farther], exact.gap[~farther])


def test_other_threads_run_while_gaps_are_found() -> None:
    poses = random_poses(50_000, seed=14)
    done, ticks = threading.Event(), []

    def work() -> None:
        zg.distance_many(SHAPES[6], SHAPES[6], poses, threads=1)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.wait(1e-4):
        ticks.append(None)
    worker.join()
    assert len(ticks) > 3


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the test needs a timer that interrupts")
def test_a_long_call_can_be_interrupted() -> None:
    poses = random_poses(2_000_000, seed=16)  # some seconds, if nobody stopped it

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(KeyboardInterrupt):
            zg.distance_many(SHAPES[6], SHAPES[4], poses, threads=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_shapes_given_by_functions_have_gaps_and_raise_what_they_raise() -> None:
    cube = zg.user_shape(lambda d: np.where(d >= 0, 1.0, -1.0), interior_point=(0, 0, 0))
    poses = random_poses(20, seed=15)
    user = zg.distance_many(cube, zg.sphere(0.5), None, poses)
    assert np.allclose(user.gap, zg.distance_many(BOX, zg.sphere(0.5), None, poses).gap, atol=1e-9)
    assert zg.distance(cube, FLOOR, zg.pose((0, 0, 3))).gap == 2

    calls = []

    def moody(direction: np.ndarray) -> np.ndarray:
        calls.append(direction)
        if len(calls) > 5:
            raise RuntimeError("had enough")
        return np.where(direction >= 0, 1.0, -1.0)

    for question in (
        lambda shape: zg.distance(shape, SHAPES[6], pose_b=poses[0]),
        lambda shape: zg.distance_many(shape.rounded(0.1), SHAPES[6], None, poses),
        lambda shape: zg.mpr(shape, SHAPES[6], pose_b=poses[0]),
    ):
        calls.clear()
        shape = zg.user_shape(moody, (0, 0, 0))
        with pytest.raises(RuntimeError, match="had enough"):
            question(shape)


def test_witness_points_of_boxes_that_touch_in_a_corner_lie_on_the_boxes() -> None:
    cube = zg.box((1, 1, 1))
    here = zg.pose((0, 0, 0), (0.3, 0.1, 0, 1))
    for step in [(1, -1, 1), (1, 1, 0), (0, -1, 1), (1, 1, 1), (-1, 0, -1)]:
        there = here @ zg.pose(step)
        found = zg.distance(cube, cube, here, there)
        for pose, point in [(here, found.point_a), (there, found.point_b)]:
            assert np.all(np.abs(pose.inverse() @ point) <= 0.5 + 1e-13), found


def test_many_pairs_by_portal_refinement_have_the_bits_of_each_alone() -> None:
    shapes = [zg.box(size=(1, 2, 3)), zg.ellipsoid((0.5, 0.7, 0.9)), zg.cone(0.5, 1), zg.hull(np.eye(3).tolist() + [[0, 0, 0]])]
    rng = np.random.default_rng(26)
    poses = np.concatenate([rng.uniform(-1.5, 1.5, (200, 3)), rng.normal(size=(200, 4))], axis=1)
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1)[:, None]
    index_a, index_b = np.arange(200) % 4, np.arange(200) // 4 % 4
    found = zg.mpr_many(shapes, shapes, poses_b=poses, index_a=index_a, index_b=index_b)
    for k in range(200):
        alone = zg.mpr(shapes[index_a[k]], shapes[index_b[k]], pose_b=zg.pose(poses[k, :3], poses[k, 3:]))
        assert (found.gap[k], found.lower[k], found.upper[k]) == (alone.gap, alone.lower, alone.upper)
        assert found.lower[k] <= found.gap[k] <= found.upper[k]
    exact = zg.distance_many(shapes, shapes, poses_b=poses, index_a=index_a, index_b=index_b)
    assert ((found.gap > 0) == (exact.gap > 0)).all() and (found.gap < 0).any() and (found.gap > 0).any()
    with pytest.raises(ValueError, match="no convex shape"):
        zg.mpr_many(zg.halfspace((0, 0, 1), 0), shapes)
