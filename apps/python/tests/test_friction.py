"""Friction problems given by their matrix."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zerogap as zg

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data" / "friction"


class Coordinates:
    """A sparse matrix as its coordinates, with nothing of scipy."""

    def __init__(self, row: Any, col: Any, data: Any, shape: tuple[int, int]) -> None:
        self.row, self.col, self.data, self.shape = row, col, data, shape

    def tocoo(self) -> "Coordinates":
        return self


def sparse(dense: np.ndarray) -> Coordinates:
    row, col = np.nonzero(dense)
    return Coordinates(row, col, dense[row, col], dense.shape)


def random_problem(seed: int, contacts: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """More rows than degrees of freedom."""
    random = np.random.default_rng(seed)
    jacobian = random.uniform(-1, 1, (3 * contacts, 12))
    return jacobian @ jacobian.T, jacobian @ random.uniform(-1, 1, 12)


def residual(W: np.ndarray, q: np.ndarray, mu: np.ndarray, r: np.ndarray) -> float:
    """The definition, contact by contact."""
    u = (W @ r + q).reshape(-1, 3)
    r = r.reshape(-1, 3)
    missed = []
    for k in range(len(mu)):
        x = r[k] - u[k] - [mu[k] * np.hypot(u[k, 1], u[k, 2]), 0, 0]
        length = np.hypot(x[1], x[2])
        if length <= mu[k] * x[0]:
            p = x
        elif mu[k] * length <= -x[0]:
            p = np.zeros(3)
        else:
            height = (x[0] + mu[k] * length) / (1 + mu[k] ** 2)
            p = np.array([height, *(mu[k] * height / length * x[1:])])
        missed.append(r[k] - p)
    return float(np.linalg.norm(missed) / max(1, np.linalg.norm(q)))


@pytest.mark.parametrize("seed", range(8))
def test_the_residual_is_that_of_its_definition(seed: int) -> None:
    W, q = random_problem(seed)
    mu = np.linspace(0, 1, 12)
    found = zg.solve_coulomb(W, q, mu, tol=1e-9)
    assert found.status == "solved"
    assert found.residual <= 1e-9 and found.relative <= 1e-9
    assert residual(W, q, mu, found.r) == pytest.approx(found.residual, abs=1e-12)
    np.testing.assert_allclose(found.u, W @ found.r + q, atol=1e-12)
    # Impulses lie in their cones.
    r = found.r.reshape(-1, 3)
    assert (np.hypot(r[:, 1], r[:, 2]) <= mu * r[:, 0] + 1e-14).all()


def test_sparse_matrices_and_shapes_make_no_difference() -> None:
    W, q = random_problem(1)
    dense = zg.solve_coulomb(W, q, 0.3)
    thin = zg.solve_coulomb(sparse(W), q.reshape(-1, 3), np.full(12, 0.3))
    assert thin.r.shape == thin.u.shape == (12, 3)
    np.testing.assert_array_equal(dense.r, thin.r.ravel())
    assert dense.kinds == thin.kinds and len(dense.kinds) == 12
    # Entries of one place are summed.
    twice = Coordinates([0, 0, 1, 2], [0, 0, 1, 2], [0.5, 0.5, 1, 1], (3, 3))
    np.testing.assert_allclose(zg.solve_coulomb(twice, [-1, 0, 0], 0.5).r, [1, 0, 0])


def test_scipy_is_welcome() -> None:
    scipy = pytest.importorskip("scipy.sparse")
    W, q = random_problem(2)
    np.testing.assert_array_equal(zg.solve_coulomb(scipy.csc_matrix(W), q, 0.5).r, zg.solve_coulomb(W, q, 0.5).r)


def test_contacts_say_what_they_do() -> None:
    q = [1, 1, 0, -1, 2, 0, -1, 0.2, 0]
    found = zg.solve_coulomb(np.eye(9), q, 0.5)
    assert found.kinds == ["open", "slides", "sticks"]
    np.testing.assert_allclose(found.r, [0, 0, 0, 1, -0.5, 0, 1, -0.2, 0], atol=1e-12)
    assert repr(found).startswith("<zerogap.CoulombSolution: 3 contacts, solved, residual ")
    assert set(found.iterations) == {"sweeps", "newton"}


def test_a_good_start_leaves_nothing_to_do() -> None:
    W, q = random_problem(3)
    first = zg.solve_coulomb(W, q, 0.5)
    again = zg.solve_coulomb(W, q, 0.5, start=first.r)
    assert again.iterations == {"sweeps": 0, "newton": 0}


def test_what_cannot_be_solved_is_flagged() -> None:
    found = zg.solve_coulomb(np.zeros((3, 3)), [-1, 0, 0], 0.5)
    assert found.status == "infeasible" and found.residual > 0.1
    assert np.isfinite(found.r).all()
    np.testing.assert_array_equal(found.certificate, [1, 0, 0])
    assert found.min_impulse == np.inf
    none = zg.solve_coulomb(np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    assert none.status == "solved" and none.r.shape == (0,)


@pytest.mark.parametrize("mu", [0, 0.5, 1e3, 1e8, 1e12, np.inf])
def test_a_slipping_mass_never_goes_into_the_ground_whatever_the_friction_is(mu: float) -> None:
    found = zg.solve_coulomb(np.eye(3), [-1, 2, 0], mu)
    assert found.status == "solved" and found.certificate is None and found.min_impulse is None
    np.testing.assert_allclose(found.r, [1, -min(mu, 2), 0], atol=1e-8)
    assert found.u[0] >= -1e-8 and max(found.misses.values()) <= 2e-8
    assert list(found.misses) == ["approach", "cone", "complementarity", "friction"]


def test_walls_that_close_on_a_mass_are_infeasible_with_a_certificate() -> None:
    normals = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    W, q = normals @ normals.T, np.array([[-1, 0.1, 0], [-1, 0.1, 0]])
    found = zg.solve_coulomb(W, q, 0.4)
    assert found.status == "infeasible"
    y = found.certificate
    assert y is not None and y.shape == q.shape and (y[:, 0] >= 0).all() and (y[:, 1:] == 0).all()
    np.testing.assert_allclose(W.T @ y.ravel(), 0, atol=1e-12)
    assert abs((q * y).sum() + 1) < 1e-12


@pytest.mark.parametrize(
    ("W", "q", "mu", "said"),
    [
        (np.eye(3), [1, 2], 0.5, r"q must have shape \(3n,\) or \(n, 3\), not \(2,\)"),
        (np.eye(4), [1, 2, 3], 0.5, r"W must have shape \(3, 3\), not \(4, 4\)"),
        (np.eye(3), [1, 2, 3], [0.5, 0.5], r"mu must be one number or have shape \(1,\), not \(2,\)"),
        (np.eye(3), [1, np.nan, 3], 0.5, "entry 1 of q is NaN"),
        (np.full((3, 3), np.inf), [1, 2, 3], 0.5, "of W is"),
        (np.eye(3), [1, 2, 3], -0.5, "contact 0 has friction -0.5"),
        (Coordinates([-1], [0], [1.0], (3, 3)), [1, 2, 3], 0.5, "outside"),
        (Coordinates([0], [0, 1], [1.0], (3, 3)), [1, 2, 3], 0.5, "2 columns"),
    ],
)
def test_bad_input_is_refused_with_its_values(W: Any, q: Any, mu: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        zg.solve_coulomb(W, q, mu)


def test_bad_tolerances_and_starts_are_refused() -> None:
    with pytest.raises(ValueError, match="tol is"):
        zg.solve_coulomb(np.eye(3), [1, 2, 3], 0.5, tol=-1)
    with pytest.raises(ValueError, match="start must be"):
        zg.solve_coulomb(np.eye(3), [1, 2, 3], 0.5, start=[0, 0])


def test_a_problem_of_the_library_is_solved() -> None:
    path = SHARED / "Capsules-i101-404.txt"
    if not path.exists():
        pytest.skip("no friction problems beside the repository")
    words = path.read_text().split()
    contacts, count = int(words[1]), int(words[2])
    entries = np.array(words[3 : 3 + 3 * count], float).reshape(-1, 3)
    rest = np.array(words[3 + 3 * count :], float)
    q, mu = rest[: 3 * contacts], rest[3 * contacts :]
    W = Coordinates(entries[:, 0].astype(int), entries[:, 1].astype(int), entries[:, 2], (3 * contacts, 3 * contacts))
    found = zg.solve_coulomb(W, q, mu)
    assert found.status == "solved" and found.residual <= 1e-8


def test_pyramids_push_along_the_nearest_side() -> None:
    slides = [-1, 2 * np.cos(0.3), 2 * np.sin(0.3)]
    four = zg.solve_coulomb(np.eye(3), slides, 0.5, cone_sides=4)
    assert four.status == "solved" and four.kinds == ["slides"]
    assert np.allclose(four.r, [1, -0.5, 0], atol=1e-12)
    assert four.misses["friction"] > 0.1 and four.misses["cone"] < 1e-12
    many = zg.solve_coulomb(np.eye(3), slides, 0.5, cone_sides=1000)
    assert np.allclose(many.r, zg.solve_coulomb(np.eye(3), slides, 0.5).r, atol=2e-3)
    with pytest.raises(ValueError, match="cone_sides is 2: it must be from 3 to 1000"):
        zg.solve_coulomb(np.eye(3), slides, 0.5, cone_sides=2)


def test_worlds_slide_along_sides_of_pyramids() -> None:
    def end(**settings: object) -> np.ndarray:
        world = zg.World(method="stepping", **settings)
        world.pair("steel", "steel", friction=0.5, restitution=0)
        world.fixed(zg.halfspace((0, 0, 1), 0))
        velocity = (3 * np.cos(0.35), 3 * np.sin(0.35), 0)
        world.body("box", zg.box(size=(0.2, 0.2, 0.02)), pose=zg.pose((0, 0, 0.01)), velocity=velocity)
        run = zg.simulate(world, until=0.3, every=0.1)
        assert run.info["contacts"]["unconverged"] == 0
        return run["box"].xyz[-1]

    round_cones, four, many = end(), end(solver="lcp", cone_sides=4), end(solver="lcp", cone_sides=64)
    angle = np.arctan2(round_cones[1], round_cones[0])
    assert angle == pytest.approx(0.35, abs=1e-6)
    assert abs(np.arctan2(four[1], four[0]) - angle) > 0.03
    assert np.abs(many - round_cones).max() < 0.05 * np.abs(four - round_cones).max()
    with pytest.raises(ValueError, match="cone_sides"):
        zg.World(method="stepping", cone_sides=4)
