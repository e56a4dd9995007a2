"""Parallel calls in processes that were forked or started after the parent used them."""

import multiprocessing
import os
import sys
import time

import numpy as np
import pytest

import zerogap as zg

# Long enough for a loaded machine; a deadlock waits for ever [s].
PATIENCE = 120


def poses(count, spread):
    """Random poses, the same in every process."""
    random = np.random.default_rng(7)
    rows = np.zeros((count, 7))
    rows[:, :3] = random.uniform(-spread, spread, (count, 3))
    rows[:, 3:] = random.normal(size=(count, 4))
    rows[:, 3:] /= np.linalg.norm(rows[:, 3:], axis=1, keepdims=True)
    return rows


def gaps():
    return zg.distance_many(zg.box((1, 2, 3)), zg.cylinder(0.5, 1), poses_b=poses(3000, 3)).gap.tobytes()


def manifolds():
    found = zg.contacts_many(zg.box((1, 2, 3)), zg.box((2, 1, 1)), poses_b=poses(3000, 2))
    return found.gap.tobytes()


def pairs():
    low = poses(20000, 10)[:, :3]
    return zg.pairs(low, low + 0.5).tobytes()


def wavy(cells):
    """An open sheet of 2 * cells² triangles."""
    x, y = np.meshgrid(*2 * [np.arange(cells + 1) / cells], indexing="ij")
    points = np.stack([x, y, 0.05 * np.sin(9 * x) * np.cos(7 * y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    one = np.stack([corner, corner + cells + 1, corner + 1], axis=-1)
    two = np.stack([corner + cells + 1, corner + cells + 2, corner + 1], axis=-1)
    return zg.Mesh(points, np.concatenate([one, two]))


def mesh_distance():
    # Enough triangles that building the hierarchy is shared among threads.
    sheet = wavy(60)
    return np.float64(zg.distance(sheet, sheet, pose_b=zg.pose((0.1, 0.2, 0.3))).gap).tobytes()


def complex_contacts():
    # Enough faces that building the tree is shared among threads.
    sheet = zg.Complex(wavy(80))
    return zg.contacts(sheet, sheet, pose_b=zg.pose((0.01, 0.02, 0.101)), within=0.01).gap.tobytes()


def sweeps():
    start = poses(20000, 1)[:, :3]
    face = np.broadcast_to([[-1.0, 0, 1], [1, 0, 1], [0, 0, -1]], (20000, 3, 3)).copy()
    hit, interval = zg.sweep_vertex_face(start, -start, face, face)
    return hit.tobytes() + interval.tobytes()


def stepping():
    world = zg.World(method="stepping")
    world.fixed(zg.halfspace((0, 0, 1), 0))
    for k in range(500):
        world.body(f"ball {k}", zg.sphere(0.1), pose=zg.pose((0.21 * (k % 25), 0.21 * (k // 25), 0.1)))
    world.advance_to(0.003)
    return world.poses.tobytes()


CALLS = [gaps, manifolds, pairs, mesh_distance, complex_contacts, sweeps, stepping]


def all_answers():
    return [call() for call in CALLS]


def wait_for(child, call):
    """Waits for a forked process, ends it where it hangs, and gives its exit code."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail(f"{call} hung in a forked process")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_a_forked_child_gives_the_bits_of_its_parent(call):
    expected = call()
    child = os.fork()
    if child == 0:
        # Never back into pytest from here.
        code = 2
        try:
            code = 0 if call() == expected else 1
        finally:
            os._exit(code)
    assert wait_for(child, call.__name__) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_grandchild_gives_the_bits_too_and_so_does_the_parent_afterwards():
    expected = gaps()
    child = os.fork()
    if child == 0:
        code = 2
        try:
            same = gaps() == expected
            grandchild = os.fork()
            if grandchild == 0:
                os._exit(0 if gaps() == expected else 1)
            code = 0 if same and wait_for(grandchild, "gaps") == 0 else 1
        finally:
            os._exit(code)
    assert wait_for(child, "gaps") == 0
    assert gaps() == expected


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_pools_of_every_start_method_give_the_bits_of_the_parent(method):
    expected = all_answers()
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = [pool.apply_async(all_answers) for _ in range(3)]
        for answer in answers:
            assert answer.get(timeout=PATIENCE) == expected


def test_the_choice_of_threads_holds_in_a_child_too():
    if not hasattr(os, "fork") or sys.platform == "darwin":
        pytest.skip("there is no safe fork here")
    expected = gaps()
    child = os.fork()
    if child == 0:
        code = 2
        try:
            few = zg.distance_many(
                zg.box((1, 2, 3)), zg.cylinder(0.5, 1), poses_b=poses(3000, 3), threads=2
            )
            code = 0 if few.gap.tobytes() == expected else 1
        finally:
            os._exit(code)
    assert wait_for(child, "gaps") == 0
