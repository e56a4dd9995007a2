"""Shapes answer the questions that every convex shape answers; closed forms are the oracle."""

import copy
import math
import pickle

import numpy as np
import pytest
import zerogap as zg

CONVEX = [
    zg.sphere(0.5),
    zg.ellipsoid((1, 2, 3)),
    zg.box(size=(1, 2, 3)),
    zg.capsule(0.3, 1.0),
    zg.cylinder(0.4, 1.2),
    zg.cone(0.5, 1.0),
    zg.frustum(0.5, 0.2, 1.0),
    zg.point((1, 2, 3)),
    zg.segment((0, 0, 0), (1, 0, 0)),
    zg.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    zg.polygon([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]),
    zg.box(size=(1, 1, 1)).rounded(0.1),
    zg.hull(np.random.default_rng(1).normal(size=(100, 3))),
]


@pytest.mark.parametrize("shape", CONVEX, ids=lambda s: s.kind)
def test_support_points_reach_farthest_and_stay_in_the_box(shape: zg.Shape) -> None:
    directions = np.random.default_rng(7).normal(size=(200, 3))
    points = shape.support(directions)
    assert points.shape == (200, 3)
    low, high = shape.bounding_box()
    assert np.all(points >= low - 1e-12) and np.all(points <= high + 1e-12)
    # No support point of another direction reaches farther along this one.
    reach = directions @ points.T
    assert np.all(np.diag(reach)[:, None] >= reach - 1e-12)
    center, radius = shape.bounding_sphere()
    assert np.all(np.linalg.norm(points - center, axis=1) <= radius + 1e-12)


@pytest.mark.parametrize("shape", CONVEX, ids=lambda s: s.kind)
def test_the_closest_point_lies_along_the_normal(shape: zg.Shape) -> None:
    points = 3 * np.random.default_rng(3).normal(size=(100, 3))
    surface, gap, normal = shape.closest_point(points)
    assert np.allclose(points - surface, gap[:, None] * normal, atol=1e-12)
    assert np.allclose(np.linalg.norm(normal, axis=1), 1, atol=1e-12)
    assert np.array_equal(shape.contains(points), gap <= 0)


def test_one_point_in_gives_one_answer_out() -> None:
    ball = zg.sphere(2)
    point, gap, normal = ball.closest_point((0, 0, 5))
    assert point.shape == (3,) and isinstance(gap, float)
    assert gap == 3 and tuple(normal) == (0, 0, 1) and tuple(point) == (0, 0, 2)
    assert ball.contains((0, 0, 1)) is True
    assert ball.support([0, 0, 1]).shape == (3,)


def test_volumes_and_masses_match_closed_forms() -> None:
    assert zg.sphere(2).volume == pytest.approx(4 / 3 * math.pi * 8, rel=1e-14)
    m = zg.cylinder(0.5, 2).mass_properties(density=100)
    assert m.mass == pytest.approx(100 * math.pi * 0.5, rel=1e-14)
    expected = np.diag([m.mass * (3 * 0.25 + 4) / 12, m.mass * (3 * 0.25 + 4) / 12, m.mass * 0.125])
    assert np.allclose(m.inertia, expected, rtol=1e-13, atol=1e-12)
    plate = zg.polygon([(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]).mass_properties(density=3)
    assert plate.mass == pytest.approx(6, rel=1e-14) and np.allclose(plate.center, (1, 0.5, 0))


def test_rays_hit_and_miss() -> None:
    box = zg.box(size=(2, 2, 2))
    distance, normal = box.cast_ray([(-5, 0, 0), (-5, 3, 0)], [(1, 0, 0), (1, 0, 0)])
    assert distance[0] == 4 and math.isinf(distance[1])
    assert tuple(normal[0]) == (-1, 0, 0) and tuple(normal[1]) == (0, 0, 0)
    assert np.array_equal(box.cast_ray([(-5, 0, 0), (-4, 0, 0)], (1, 0, 0))[0], [4, 3])
    with pytest.raises(ValueError, match="2 origins and 3 directions"):
        box.cast_ray(np.zeros((2, 3)), np.ones((3, 3)))


def test_half_spaces_are_unbounded_and_say_so() -> None:
    floor = zg.halfspace((0, 0, 2), 0.5)
    _, gap, normal = floor.closest_point((0, 0, 2))
    assert gap == 1.5 and tuple(normal) == (0, 0, 1)
    with pytest.raises(ValueError, match="half-space"):
        floor.bounding_box()
    with pytest.raises(ValueError, match="half-space"):
        floor.mass_properties()
    given = zg.box(size=(10, 10, 1)).mass_properties()
    assert zg.halfspace((0, 0, 1), 0, mass=given).rounded(0.1).mass_properties() == given


def test_compounds_add_up() -> None:
    dumbbell = zg.compound([zg.sphere(1), zg.sphere(1)], [zg.pose((-2, 0, 0)), zg.pose((2, 0, 0))])
    m = dumbbell.mass_properties(density=1)
    assert m.mass == pytest.approx(8 / 3 * math.pi, rel=1e-14)
    assert np.allclose(m.center, 0, atol=1e-15)
    total = sum([zg.sphere(1).mass_properties(), zg.sphere(1).mass_properties()])
    assert total == zg.sphere(1).mass_properties() + zg.sphere(1).mass_properties()
    with pytest.raises(ValueError, match="1 pieces and 2 poses"):
        zg.compound([zg.sphere(1)], [zg.pose(), zg.pose()])


def test_words_make_the_shapes_they_name() -> None:
    assert zg.shape("box:20mm,1cm,0.5").volume == pytest.approx(0.02 * 0.01 * 0.5, rel=1e-14)
    assert "box:1,2,3" in repr(zg.box(size=(1, 2, 3)))
    with pytest.raises(ValueError, match="bxo"):
        zg.shape("bxo:1,2,3")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: zg.sphere(-1), "-1"),
        (lambda: zg.sphere(math.nan), "NaN"),
        (lambda: zg.box(size=(1, 2)), "3 numbers"),
        (lambda: zg.box(size=(1, math.inf, 1)), "inf"),
        (lambda: zg.sphere(1).contains([[1, 2]]), r"\(1, 2\)"),
        (lambda: zg.sphere(1).contains([[0, 0, 0], [0, math.nan, 0]]), r"points\[1\]"),
        (lambda: zg.pose(quat=(0, 0, 0, 0)), "quaternion"),
        (lambda: zg.hull(np.zeros((0, 3))), "empty"),
        (lambda: zg.sphere(1).faces, "faces"),
        (lambda: zg.box(size=1), "shape"),
        (lambda: zg.inspect(zg.sphere(1), density=-1), "-1"),
        (lambda: zg.inspect(zg.sphere(1), scale=2), "scale and repair"),
        (lambda: zg.sphere(1).mass_properties(density=-3), "-3"),
    ],
)
def test_bad_input_is_refused_with_its_values(make, message) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_poses_chain_and_move_points() -> None:
    quarter = zg.pose(xyz=(1, 0, 0), quat=(0, 0, 1, 1))
    assert np.allclose(quarter @ (1, 0, 0), (1, 1, 0))
    assert np.allclose((quarter @ quarter.inverse()) @ [[1, 2, 3]], [[1, 2, 3]])
    assert np.allclose(quarter.matrix() @ (1, 0, 0, 1), (1, 1, 0, 1))
    assert np.allclose(quarter.quat, np.array([0, 0, 1, 1]) / math.sqrt(2))


def unit_cube(direction: np.ndarray) -> np.ndarray:
    return np.where(direction >= 0, 0.5, -0.5)


def test_a_shape_given_by_a_function_answers_like_the_shape_it_describes() -> None:
    user = zg.user_shape(unit_cube, interior_point=(0, 0, 0))
    exact = zg.box(size=(1, 1, 1))
    points = 2 * np.random.default_rng(5).normal(size=(50, 3))
    assert np.allclose(user.closest_point(points)[1], exact.closest_point(points)[1], atol=1e-9)
    assert np.allclose(user.bounding_box(), exact.bounding_box())
    with pytest.raises(ValueError, match="user-defined"):
        user.mass_properties()
    with pytest.raises(ValueError, match="user-defined"):
        user.volume  # noqa: B018
    assert zg.cone(1, 2).kind == "cone" and zg.frustum(1, 0.5, 2).kind == "frustum"
    weighed = zg.user_shape(unit_cube, (0, 0, 0), mass=exact.mass_properties(density=1))
    assert weighed.mass_properties(density=7).mass == pytest.approx(7, rel=1e-14)


def test_what_a_support_function_raises_reaches_the_caller() -> None:
    def moody(direction: np.ndarray) -> np.ndarray:
        if direction[1] > 0:
            raise RuntimeError("not that way")
        return np.zeros(3)

    shape = zg.user_shape(moody, interior_point=(0, 0, 0))
    with pytest.raises(RuntimeError, match="not that way"):
        shape.support((0, 1, 0))
    assert tuple(shape.support((0, -1, 0))) == (0, 0, 0)
    nan = zg.user_shape(lambda d: np.full(3, np.nan if d[0] < 0 else 0.0), (0, 0, 0))
    with pytest.raises(ValueError, match="support function returned"):
        nan.support((-1, 0, 0))
    with pytest.raises(ValueError, match="function of one direction"):
        zg.user_shape(3, (0, 0, 0))


@pytest.mark.parametrize(
    "thing",
    [*CONVEX, zg.halfspace((1, 2, 3), 0.1), zg.parts.gear(), zg.pose((1, 2, 3), (1, 2, 3, 4))],
    ids=lambda t: getattr(t, "kind", type(t).__name__),
)
def test_copies_are_equal_to_the_bit(thing: object) -> None:
    assert copy.deepcopy(thing) == thing
    assert pickle.loads(pickle.dumps(thing)) == thing
    assert thing != "something else"


def test_what_cannot_be_copied_says_so() -> None:
    with pytest.raises(TypeError, match="compound cannot be copied"):
        copy.copy(zg.compound([zg.sphere(1)]))
