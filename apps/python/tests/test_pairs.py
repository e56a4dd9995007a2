"""Pairs of boxes: as looking at all of them gives, for every method; filters, events, questions, and what is refused."""

import threading

import numpy as np
import pytest
import zerogap as zg

METHODS = ["auto", "grid", "sweep", "tree"]


def random_boxes(count: int, seed: int, spread: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    """Boxes with sizes over a factor of 2**10, some flat, some twice, some on a lattice so that faces touch."""
    random = np.random.default_rng(seed)
    mins = random.uniform(-spread, spread, size=(count, 3))
    sizes = random.uniform(size=(count, 3)) * 2.0 ** -random.integers(0, 11, size=(count, 1))
    mins[::5] = np.round(4 * mins[::5]) / 4
    sizes[::5] = 0.25
    sizes[::7, 2] = 0
    mins[1::9], sizes[1::9] = mins[0], sizes[0]
    return mins, mins + sizes


def all_pairs(mins: np.ndarray, maxs: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """Looks at all of them."""
    shares = np.all((mins[:, None] <= maxs[None] + margin) & (mins[None] <= maxs[:, None] + margin), axis=2)
    return np.argwhere(np.triu(shares, 1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [0, 1, 2, 30, 300])
def test_pairs_are_those_of_looking_at_all(method: str, count: int) -> None:
    mins, maxs = random_boxes(count, 1) if count > 1 else (np.zeros((count, 3)), np.ones((count, 3)))
    found = zg.pairs(mins, maxs, method=method)
    assert found.dtype == np.int64 and found.shape[1:] == (2,)
    assert np.array_equal(found, all_pairs(mins, maxs).reshape(-1, 2))
    assert count < 300 or len(found) > 100


@pytest.mark.parametrize("method", METHODS)
def test_a_margin_makes_pairs_of_what_is_near(method: str) -> None:
    mins, maxs = random_boxes(200, 2)
    wanted = all_pairs(mins, maxs, 0.125)
    assert np.array_equal(zg.pairs(mins, maxs, margin=0.125, method=method), wanted)
    assert len(wanted) > len(all_pairs(mins, maxs))


@pytest.mark.parametrize("method", METHODS)
def test_moving_boxes_begin_and_end_pairs(method: str) -> None:
    random = np.random.default_rng(3)
    mins, maxs = random_boxes(250, 3)
    phase = zg.BroadPhase(method=method)
    ids = phase.insert_many(mins, maxs)
    assert np.array_equal(ids, np.arange(250)) and len(phase) == 250
    last: set[tuple[int, int]] = set()
    for step in range(20):
        pairs = phase.update()
        assert np.array_equal(pairs, all_pairs(mins, maxs)), step
        assert np.array_equal(pairs, phase.pairs)
        now = {tuple(row) for row in pairs.tolist()}
        assert phase.began.tolist() == [list(pair) for pair in sorted(now - last)]
        assert phase.ended.tolist() == [list(pair) for pair in sorted(last - now)]
        last = now
        moving = random.choice(250, size=250 if step % 3 == 0 else 20, replace=False)
        by = random.normal(size=(len(moving), 3)) * 0.1
        mins[moving] += by
        maxs[moving] += by
        phase.set_many(moving, mins[moving], maxs[moving])


def test_boxes_are_set_and_removed_and_their_ids_given_again() -> None:
    phase = zg.BroadPhase()
    a, b, c = (phase.insert((k, 0, 0), (k + 1, 1, 1)) for k in range(3))
    assert phase.update().tolist() == [[a, b], [b, c]]
    phase.remove(b)
    assert phase.update().tolist() == [] and phase.ended.tolist() == [[a, b], [b, c]]
    assert len(phase) == 2
    assert phase.insert((0.5, 0, 0), (0.6, 1, 1)) == b
    phase.set(c, (9, 9, 9), (9, 9, 9))
    assert phase.update().tolist() == [[a, b]]
    assert repr(phase) == "<BroadPhase of 3 boxes, 1 pair>"


def test_bodies_groups_and_fixed_boxes_choose_who_pairs() -> None:
    unit = ((0, 0, 0), (1, 1, 1))

    def pairs_of(*given: dict) -> int:
        phase = zg.BroadPhase()
        for words in given:
            phase.insert(*unit, **words)
        return len(phase.update())

    assert pairs_of({}, {}) == 1
    assert pairs_of({"body": 3}, {"body": 3}) == 0
    assert pairs_of({"body": 3}, {"body": 4}, {}) == 3
    assert pairs_of({"fixed": True}, {"fixed": True}, {}) == 2
    assert pairs_of({"groups": 1, "mask": 2}, {"groups": 2, "mask": 1}) == 1
    assert pairs_of({"groups": 1, "mask": 2}, {"groups": 4, "mask": 1}) == 0


def test_joined_bodies_do_not_pair_until_they_part() -> None:
    phase = zg.BroadPhase()
    a = phase.insert((0, 0, 0), (1, 1, 1), body=7)
    b = phase.insert((0, 0, 0), (1, 1, 1))
    assert phase.body(a) == 7 and phase.body(b) >= 2**31
    phase.join(phase.body(b), 7)
    assert len(phase.update()) == 0
    # Another box under the same id is another body, which no joint binds.
    old = phase.body(b)
    phase.remove(b)
    assert len(phase.update()) == 0
    assert phase.insert((0, 0, 0), (1, 1, 1)) == b and phase.body(b) != old
    assert phase.update().tolist() == [[a, b]]
    phase.join(7, phase.body(b))
    assert phase.update().tolist() == [] and phase.ended.tolist() == [[a, b]]
    phase.part(7, phase.body(b))
    assert phase.update().tolist() == [[a, b]]


def test_half_spaces_pair_with_what_reaches_into_them() -> None:
    phase = zg.BroadPhase()
    floor = phase.insert_half_space((0, 0, 2), 2)
    ids = phase.insert_many([[0, 0, 0.5], [5, 0, 1], [9, 0, 1.5]], [[1, 1, 2], [6, 1, 2], [10, 1, 2]])
    phase.insert((20, 0, 0), (21, 1, 1), fixed=True)
    assert phase.update().tolist() == [[floor, ids[0]], [floor, ids[1]]]
    with pytest.raises(ValueError, match="id is 0: that is a half-space"):
        phase.set(floor, (0, 0, 0), (1, 1, 1))
    phase.remove(floor)
    assert len(phase.update()) == 0 and len(phase.ended) == 2


def test_questions_are_answered_as_by_looking_at_all() -> None:
    mins, maxs = random_boxes(300, 5)
    phase = zg.BroadPhase(margin=0.0)
    phase.insert_many(mins, maxs)
    phase.update()
    random = np.random.default_rng(6)
    for _ in range(20):
        low = random.uniform(-3, 3, size=3)
        high = low + random.uniform(size=3)
        apart = np.linalg.norm(np.maximum(0, np.maximum(mins - high, low - maxs)), axis=1)
        assert phase.overlapping(low, high).tolist() == np.flatnonzero(apart == 0).tolist()
        found = phase.within(low, high, 0.4)
        assert set(np.flatnonzero(apart < 0.4 - 1e-12)) <= set(found) <= set(np.flatnonzero(apart < 0.4 + 1e-12))
        ids, distances = phase.nearest(low, high, 7)
        assert len(ids) == 7 and np.allclose(distances, np.sort(apart)[:7], atol=1e-12)
        assert np.allclose(distances, apart[ids], atol=1e-12)
        direction = random.normal(size=3)
        ids, distances = phase.cast_ray(low, 3 * direction, 2.5)
        unit = direction / np.linalg.norm(direction)
        with np.errstate(divide="ignore"):
            ends = np.sort([(mins - low) / unit, (maxs - low) / unit], axis=0)
        enters, leaves = np.maximum(0, ends[0].max(axis=1)), ends[1].min(axis=1)
        assert set(ids) == set(np.flatnonzero((enters <= leaves) & (enters <= 2.5)))
        assert np.allclose(distances, enters[ids], atol=1e-12) and np.all(np.diff(distances) >= 0)


def test_what_is_no_box_is_refused_with_its_row() -> None:
    phase = zg.BroadPhase()
    phase.insert((0, 0, 0), (1, 1, 1))
    low, high = np.zeros((3, 3)), np.ones((3, 3))
    bad = high.copy()
    bad[1, 2] = -1
    for wrong in (lambda: zg.pairs(low, bad), lambda: phase.insert_many(low, bad)):
        with pytest.raises(ValueError, match=r"\[1\] is \(0, 0, 0\), beyond .*\[1\] at \(1, 1, -1\)"):
            wrong()
    bad[1, 2] = np.nan
    for wrong in (lambda: zg.pairs(low, bad), lambda: phase.set_many([0, 0, 0], low, bad)):
        with pytest.raises(ValueError, match=r"maxs?\[1\] is \(1, 1, NaN\)"):
            wrong()
    assert len(phase) == 1
    with pytest.raises(ValueError, match="min is .* beyond max"):
        phase.set(0, (2, 0, 0), (1, 1, 1))
    with pytest.raises(ValueError, match="aabb_min has 3 rows and aabb_max 2"):
        zg.pairs(low, high[:2])
    with pytest.raises(ValueError, match="ids has 2 rows and mins 3"):
        phase.set_many([0, 0], low, high)
    with pytest.raises(KeyError, match=r"ids\[1\] is 7: there is no such box"):
        phase.set_many([0, 7], low[:2], high[:2])
    for wrong in (lambda: phase.remove(-1), lambda: phase.set(1, low[0], high[0]), lambda: phase.body(5)):
        with pytest.raises(KeyError, match="there is no such box"):
            wrong()


def test_settings_that_mean_nothing_are_refused() -> None:
    for margin in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="margin is"):
            zg.BroadPhase(margin=margin)
    with pytest.raises(ValueError, match="unknown method 'octree': the methods are auto, grid, sweep, tree"):
        zg.pairs(np.zeros((1, 3)), np.ones((1, 3)), method="octree")
    phase = zg.BroadPhase()
    with pytest.raises(ValueError, match=r"body is 2147483648: it must be less than 2\*\*31"):
        phase.insert((0, 0, 0), (1, 1, 1), body=2**31)
    with pytest.raises(ValueError, match="half-space 0 has no plane"):
        phase.insert_half_space((0, 0, 0), 1)
    with pytest.raises(ValueError, match="direction is"):
        phase.cast_ray((0, 0, 0), (0, 0, 0), 1)
    with pytest.raises(ValueError, match="distance is -1"):
        phase.within((0, 0, 0), (1, 1, 1), -1)


def test_one_thread_at_a_time_and_no_deadlock() -> None:
    mins, maxs = random_boxes(5000, 8, spread=20)
    phase = zg.BroadPhase()
    phase.insert_many(mins, maxs)
    problems: list[BaseException] = []

    def ask() -> None:
        for _ in range(20):
            try:
                phase.set(0, mins[0], maxs[0])
                phase.update()
            except RuntimeError as error:
                assert "in use by another thread" in str(error)
            except BaseException as error:  # noqa: BLE001
                problems.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not problems and not any(thread.is_alive() for thread in threads)
    assert np.array_equal(phase.update(), all_pairs(mins, maxs))


def test_a_motion_box_holds_the_body_all_the_way() -> None:
    rng = np.random.default_rng(26)
    blade = zg.box(size=(2, 0.2, 0.1))
    for _ in range(50):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        shift, angle = rng.uniform(-1, 1, 3), rng.uniform(0, 3.1)
        turned = [zg.pose(shift * t, (*(axis * np.sin(0.5 * angle * t)), np.cos(0.5 * angle * t))) for t in np.linspace(0, 1, 21)]
        low, high = zg.motion_box(blade, turned[0], turned[-1])
        for pose in turned:
            corners = pose @ blade.vertices
            assert (corners >= low).all() and (corners <= high).all()
    low, high = zg.motion_box(zg.parts.box(), zg.pose(), zg.pose((1, 0, 0)))
    assert high[0] - low[0] > 1
    with pytest.raises(ValueError, match="half-space"):
        zg.motion_box(zg.halfspace((0, 0, 1), 0), zg.pose(), zg.pose())
