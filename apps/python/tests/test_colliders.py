"""Meshes and compounds in every question about pairs, one pair or many."""

import copy
import pickle

import numpy as np
import pytest

import zerogap as zg

BALL = zg.sphere(0.1)
DUMBBELL = zg.compound([zg.sphere(0.5), zg.box((1, 1, 1))], [zg.pose((-2, 0, 0)), zg.pose((2, 0, 0))])


def heights(*z: float) -> np.ndarray:
    poses = np.zeros((len(z), 7))
    poses[:, 2], poses[:, 6] = z, 1
    return poses


def test_a_compound_is_as_far_away_as_its_nearest_piece() -> None:
    beside = zg.pose((1, 0, 0))
    found = zg.distance(DUMBBELL, BALL, pose_b=beside)
    assert found.gap == pytest.approx(0.4, abs=1e-14) and found.status == "exact"
    assert found.lower <= 0.4 <= found.upper
    assert not zg.intersects(DUMBBELL, BALL, pose_b=beside)
    deep = zg.distance(DUMBBELL, BALL, pose_b=zg.pose((2, 0, 0.45)))
    assert deep.gap == pytest.approx(-0.15, abs=1e-14) and deep.status == "local_depth"
    assert deep.lower <= deep.gap <= deep.upper
    assert zg.intersects(DUMBBELL, BALL, pose_b=zg.pose((2, 0, 0.45)))


def test_contacts_of_a_compound_say_which_pieces_touch() -> None:
    floor = zg.halfspace((0, 0, 1), 0)
    found = zg.contacts(floor, DUMBBELL, pose_b=zg.pose((0, 0, 0.5)))
    assert found.pieces.tolist() == [[0, 0]] + [[0, 1]] * 4
    assert np.abs(found.gap).max() < 1e-14
    many = zg.contacts_many(floor, DUMBBELL, poses_b=heights(0.5, 2.0))
    assert many.offset.tolist() == [0, 5, 5]
    assert np.array_equal(many.pieces, found.pieces) and np.array_equal(many.gap, found.gap)
    for copied in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert np.array_equal(copied.pieces, found.pieces)


def test_many_pairs_of_meshes_have_the_gaps_of_each_alone() -> None:
    ring = zg.parts.torus(major="40 mm", minor="10 mm")
    poses = heights(0.0, 0.0, 0.05, 0.2)
    poses[1, 0] = 0.035
    for threads in (1, 2):
        many = zg.distance_many([ring, DUMBBELL], zg.sphere(0.01), poses_b=poses, index_a=[0, 0, 0, 1], threads=threads)
        for k in (0, 2):
            assert many.gap[k] == zg.distance(ring, zg.sphere(0.01), pose_b=poses[k]).gap
        assert many.gap[0] == pytest.approx(0.02, abs=5e-4)     # through the hole
        assert many.gap[1] < 0 and many.status[1] == zg.GapStatus.LOCAL_DEPTH
        alone = zg.distance(ring, zg.sphere(0.01), pose_b=poses[1])
        assert (many.gap[1], many.lower[1], many.upper[1]) == (alone.gap, alone.lower, alone.upper)
        assert alone.status == "local_depth" and alone.lower <= alone.gap <= alone.upper
        assert many.gap[3] == zg.distance(DUMBBELL, zg.sphere(0.01), pose_b=poses[3]).gap


def test_what_the_table_refuses_is_an_error_with_its_reason() -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
    sheet = zg.Mesh(vertices, [[0, 1, 2]])
    assert zg.distance_many(sheet, BALL, poses_b=heights(0.5)).gap[0] == pytest.approx(0.4, abs=1e-14)
    with pytest.raises(ValueError, match="pair 0: an open mesh and a convex shape have no contacts"):
        zg.contacts_many(sheet, BALL, poses_b=heights(0.05))
