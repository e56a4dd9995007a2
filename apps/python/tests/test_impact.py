"""Time of impact, clearance, safe time, and sweeps of moving vertices, faces and edges."""

import numpy as np
import pytest

import zerogap as zg

FACE = np.array([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, -1.0]])


def test_a_bullet_does_not_pass_a_sheet_of_paper() -> None:
    shot = zg.time_of_impact("box:1,1,1e-4", "sphere:0.5mm", pose_b=zg.pose(xyz=(0, 0, 5)), velocity_b=(0, 0, -1000), duration=1e-2)
    exact = (5 - 0.5e-3 - 0.5e-4) / 1000
    assert shot.status == "hit" and shot.hit and shot.touches
    assert shot.t <= exact <= shot.t_upper and shot.t_upper - shot.t < 1e-10
    assert shot.normal is not None and np.allclose(shot.normal, [0, 0, 1])
    assert shot.gap_rate is not None and abs(shot.gap_rate + 1000) < 1e-6
    past = zg.time_of_impact("box:1,1,1e-4", "sphere:0.5mm", pose_b=zg.pose(xyz=(0.51, 0, 5)), velocity_b=(0, 0, -1000), duration=1e-2)
    assert past.status == "clear" and past.t == 1e-2 and past.normal is None


def test_meshes_are_taken_as_they_are_or_by_their_hulls() -> None:
    ring = zg.parts.torus(major="40 mm", minor="10 mm")
    fall = dict(pose_b=zg.pose(xyz=(0, 0, 0.2)), to_b=zg.pose(xyz=(0, 0, -0.2)), duration=0.4)
    assert zg.time_of_impact(ring, "sphere:10mm", **fall).status == "clear"
    hull = zg.time_of_impact(ring, "sphere:10mm", form="hull", **fall)
    assert hull.status == "hit" and abs(hull.t - 0.18) < 1e-3
    wide = zg.time_of_impact(ring, zg.sphere(0.035), **fall)
    assert wide.hit and wide.features is not None and wide.features[0].split()[0] in ("vertex", "edge", "face")
    near = zg.clearance(ring, "sphere:10mm", tolerance=1e-4, **fall)
    assert near.is_decided and near.lower <= 0.02 <= near.upper + 1e-3 and near.upper - near.lower < 3e-4


def test_ways_of_moving() -> None:
    ball, post = zg.sphere(0.1), zg.cylinder(0.1, 2.0)
    start = zg.pose(xyz=(1, 0, 0))
    quarter = zg.pose(xyz=(0, 1, 0), quat=(0, 0, 1, 1))
    # Along the chord the ball comes nearer to the post than round it.
    chord = zg.clearance(post, ball, pose_b=start, to_b=quarter)
    screw = zg.clearance(post, ball, pose_b=start, to_b=quarter, screw=True)
    assert abs(chord.upper - (np.sqrt(0.5) - 0.2)) < 1e-5 and abs(screw.upper - 0.8) < 1e-5
    way = [(1.0, zg.pose(xyz=(1, 3, 0))), (2.0, zg.pose(xyz=(0, 3, 0))), (3.0, zg.pose(xyz=(0, 0, 0)))]
    found = zg.time_of_impact(post, ball, pose_b=start, path_b=way)
    assert found.hit and abs(found.t - (2 + 2.8 / 3)) < 1e-6
    with pytest.raises(ValueError, match="one of these"):
        zg.time_of_impact(post, ball, to_b=start, velocity_b=(1, 0, 0))
    with pytest.raises(ValueError, match="not after its start"):
        zg.time_of_impact(post, ball, path_b=[(1.0, start), (1.0, start)])
    with pytest.raises(ValueError, match="'mesh' or 'hull'"):
        zg.time_of_impact(post, ball, form="solid")  # type: ignore[arg-type]


def test_safe_time_is_never_beyond_the_impact() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        moves = dict(pose_b=zg.pose(xyz=rng.uniform(2, 3, 3)), velocity_b=-rng.uniform(1, 4, 3), spin_b=rng.uniform(-3, 3, 3))
        safe = zg.safe_time("box:1,1,1", "box:1,2,0.5", **moves)
        found = zg.time_of_impact("box:1,1,1", "box:1,2,0.5", duration=2.0, **moves)
        assert 0 < safe <= found.t_upper


def test_contact_at_the_start_counts_when_it_closes_in() -> None:
    on = zg.pose(xyz=(0, 0, 1))
    assert zg.time_of_impact("box:1,1,1", "box:1,1,1", pose_b=on, velocity_b=(1, 0, 0)).status == "clear"
    pressed = zg.time_of_impact("box:1,1,1", "box:1,1,1", pose_b=on, velocity_b=(0, 0, -1))
    assert pressed.t == 0 and pressed.began_in_contact


def test_one_vertex_and_one_edge() -> None:
    hit, interval = zg.sweep_vertex_face([0, 1, 0], [0, -1, 0], FACE, FACE)
    assert hit is True and interval.shape == (2,) and interval[0] <= 0.5 <= interval[1]
    hit, interval = zg.sweep_vertex_face([2, 1, 0], [2, -1, 0], FACE, FACE)
    assert hit is False and list(interval) == [1, 1]
    above, across = np.array([[-1, 0, 1], [1, 0, 1]]), np.array([[0, -1, 0], [0, 1, 0]])
    hit, interval = zg.sweep_edge_edge(above, above - [0, 0, 2], across, across)
    assert hit is True and interval[0] <= 0.5 <= interval[1]
    parallel = np.array([[-1, 0, 0], [1, 0, 0]])
    hit, interval = zg.sweep_edge_edge(above, above - [0, 0, 2], parallel, parallel)
    assert hit is True and interval[0] <= 0.5 <= interval[1]


def test_many_at_once_are_as_each_alone() -> None:
    rng = np.random.default_rng(1)
    v0, v1 = rng.uniform(-1, 1, (2, 5000, 3))
    f0, f1 = rng.uniform(-1, 1, (2, 5000, 3, 3))
    hit, interval = zg.sweep_vertex_face(v0, v1, f0, f1)
    assert hit.dtype == bool and hit.shape == (5000,) and interval.shape == (5000, 2)
    assert 100 < hit.sum() < 2000 and np.all(interval[:, 0] <= interval[:, 1])
    for k in range(0, 5000, 97):
        one, times = zg.sweep_vertex_face(v0[k], v1[k], f0[k], f1[k])
        assert one == hit[k] and np.array_equal(times, interval[k])
    e0, e1, g0, g1 = rng.uniform(-1, 1, (4, 5000, 2, 3))
    hit, interval = zg.sweep_edge_edge(e0, e1, g0, g1)
    assert 300 < hit.sum() < 3000
    # A separation only adds hits.
    wider, _ = zg.sweep_edge_edge(e0, e1, g0, g1, min_separation=0.05)
    assert np.all(wider[hit]) and wider.sum() > hit.sum()
    none, times = zg.sweep_edge_edge(np.zeros((0, 2, 3)), np.zeros((0, 2, 3)), np.zeros((0, 2, 3)), np.zeros((0, 2, 3)))
    assert none.shape == (0,) and times.shape == (0, 2)


def test_coordinates_of_any_size_are_answered_and_what_is_no_number_is_refused() -> None:
    for scale in [1e-150, 1e-9, 1e9, 1e150]:
        hit, interval = zg.sweep_vertex_face(np.array([0, 1, 0]) * scale, np.array([0, -1, 0]) * scale, FACE * scale, FACE * scale, tolerance=1e-6 * scale)
        assert hit and interval[0] <= 0.5 <= interval[1]
    with pytest.raises(ValueError, match="question 1"):
        zg.sweep_vertex_face([[0, 1, 0], [0, np.nan, 0]], np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match=r"face_start must have shape \(n, 3, 3\)"):
        zg.sweep_vertex_face(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 2, 3)), np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match="equally many"):
        zg.sweep_vertex_face(np.zeros((2, 3)), np.zeros((3, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3, 3)))
    with pytest.raises(ValueError, match="length of 0 or more"):
        zg.sweep_vertex_face([0, 1, 0], [0, -1, 0], FACE, FACE, tolerance=-1)


def test_every_collision_of_a_step_by_its_features() -> None:
    cube = zg.parts.box(width=1, depth=1, height=1)
    fall = dict(pose_b=zg.pose(xyz=(0.25, 0.125, 1.5)), velocity_b=(0, 0, -1))
    found = zg.step_collisions(cube, cube, duration=0.6, **fall)
    assert len(found) > 0 and np.all(np.diff(found.t) >= 0)
    assert found.t[0] == pytest.approx(zg.time_of_impact(cube, cube, duration=0.6, **fall).t, abs=1e-8)
    # Two sides that lie on each other: corners on faces and edges across edges, all at once.
    at_once = found.t < 0.5 + 1e-6
    assert {tuple(word.split()[0] for word in pair) for pair in found.features[: at_once.sum()]} >= {("vertex", "face"), ("face", "vertex"), ("edge", "edge")}
    assert np.allclose(found.normal[at_once], (0, 0, 1)) and np.allclose(found.gap_rate[at_once], -1)
    assert found.id.shape == found.t.shape == found.t_upper.shape and found.point_a.shape == (len(found), 3)
    assert repr(found) == f"<zerogap.Collisions: {len(found)} pairs of features>"
    assert len(zg.step_collisions(cube, cube, duration=0.4, **fall)) == 0
    with pytest.raises(ValueError, match="not both meshes"):
        zg.step_collisions(cube, "sphere:1")
    with pytest.raises(ValueError, match="tolerance is -1"):
        zg.step_collisions(cube, cube, tolerance=-1)
