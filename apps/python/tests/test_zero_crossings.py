"""Zero-crossing functions and contact forces of a world's shapes, driven by integrators of others."""

import math

import numpy as np
import pytest
import zerogap as zg

G = 9.81
STILL = np.zeros(6)


def ball_over_floor(**settings: object) -> tuple[zg.World, float]:
    world = zg.World(**settings)
    world.pair("steel", "steel", restitution=0.8, friction=0.0) if settings.get("contact") == "hunt-crossley" else None
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.3)))
    return world, zg.sphere(0.1).mass_properties(8000.0).mass


def pose(z: float) -> list[list[float]]:
    return [[0, 0, z, 0, 0, 0, 1]]


def velocity(v: float) -> list[list[float]]:
    return [[0, 0, v, 0, 0, 0]]


def test_functions_signs_and_changes() -> None:
    world, _ = ball_over_floor(contact="hertz")
    functions = zg.ZeroCrossings(world, functions=3)
    assert len(functions) == 3 and functions.reset(pose(0.3), velocity(0)) == []
    assert functions.selected == [(0, 1), None, None] and functions.in_contact == []
    assert functions.distances(pose(0.3)) == pytest.approx([0.2 + 1e-8, 1, 1])
    assert functions.distances(pose(0.09))[0] == pytest.approx(-0.01 + 1e-8)  # a trial
    assert functions.select(pose(0.2)) == [] and functions.select(pose(0.09)) == [(0, 1)]
    assert functions.commit(pose(0.09), velocity(-1)) == [((0, 1), "begin", 1.0)]
    assert functions.in_contact == [(0, 1)] and functions.distances(pose(0.09))[0] == pytest.approx(-0.01 - 1e-8)
    assert functions.forces(pose(0.09), velocity(0))[0, 2] > 0
    assert functions.commit(pose(0.2), velocity(1)) == [((0, 1), "end", None)]
    assert not functions.forces(pose(0.09), velocity(0)).any()
    assert repr(functions) == "<zerogap.ZeroCrossings: 3 functions of 1 bodies>"


def test_what_cannot_be_is_refused() -> None:
    world, _ = ball_over_floor()
    with pytest.raises(TypeError, match='a whole number from 1 or "two"'):
        zg.ZeroCrossings(world, functions=0)
    with pytest.raises(ValueError, match="hysteresis"):
        zg.ZeroCrossings(world, hysteresis=-1.0)
    functions = zg.ZeroCrossings(world, hysteresis="1 um")
    with pytest.raises(ValueError, match=r"poses must have shape \(n, 7\), not \(1, 3\)"):
        functions.distances([[0, 0, 1]])
    with pytest.raises(ValueError, match="0 poses were given: there must be 1"):
        functions.distances([])
    with pytest.raises(ValueError, match="velocity of body 0 is not finite"):
        functions.reset(pose(1), velocity(math.nan))


def by_scipy(functions: zg.ZeroCrossings, rhs, y: np.ndarray, until: float, poses, velocities):  # noqa: ANN001, ANN201
    """Integrates with solve_ivp from event to event; returns the times of changes and the end."""
    integrate = pytest.importorskip("scipy.integrate")
    t, changes = 0.0, [(0.0, change) for change in functions.reset(poses(y), velocities(y))]
    for _ in range(100):

        def event(k: int):  # noqa: ANN202
            def z(t: float, y: np.ndarray) -> float:
                return float(functions.distances(poses(y))[k])

            z.terminal = True
            return z

        run = integrate.solve_ivp(
            rhs, (t, until), y, method="DOP853", events=[event(k) for k in range(len(functions))], rtol=1e-10, atol=1e-12
        )
        t, y = run.t[-1], run.y[:, -1]
        crossed = [k for k, times in enumerate(run.t_events) if len(times)]
        changes += [(t, change) for change in functions.commit(poses(y), velocities(y), crossed)]
        if t >= until:
            break
    return changes, y


def test_scipy_bounces_a_ball() -> None:
    """Hertz' law keeps the energy: bounces come at the times of the closed form."""
    world, mass = ball_over_floor(contact="hertz", rtol=1e-10)
    functions = zg.ZeroCrossings(world, "two")

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [y[1], functions.forces(pose(y[0]), velocity(y[1]))[0, 2] / mass - G]

    changes, end = by_scipy(functions, rhs, np.array([0.3, 0.0]), 1.5, lambda y: pose(y[0]), lambda y: velocity(y[1]))
    begins = [t for t, change in changes if change[1] == "begin"]
    fall = math.sqrt(2 * 0.2 / G)
    assert begins[0] == pytest.approx(fall, abs=1e-7)
    ends = [t for t, change in changes if change[1] == "end"]
    assert begins[1] - ends[0] == pytest.approx(2 * fall, abs=1e-6) and len(begins) >= 3
    # The same by the world itself.
    world.advance_to(1.5)
    assert end[0] == pytest.approx(world.poses[0, 2], abs=2e-5)


def test_restitution_is_delivered_in_scipy() -> None:
    world, mass = ball_over_floor(contact="hunt-crossley")
    functions = zg.ZeroCrossings(world, "two")

    def rhs(t: float, y: np.ndarray) -> list[float]:
        return [y[1], functions.forces(pose(y[0]), velocity(y[1]))[0, 2] / mass - G]

    changes, _ = by_scipy(functions, rhs, np.array([0.3, 0.0]), 0.8, lambda y: pose(y[0]), lambda y: velocity(y[1]))
    begins = [(t, change[2]) for t, change in changes if change[1] == "begin"]
    assert begins[1][1] / begins[0][1] == pytest.approx(0.8, abs=1e-3)


def free_motion(y: np.ndarray, wrenches: np.ndarray, masses: list[zg.MassProperties]) -> np.ndarray:
    """Newton's and Euler's equations of free bodies: rows of pose (7) and velocity (6)."""
    rows, out = y.reshape(-1, 13), np.zeros((len(masses), 13))
    for row, into, wrench, own in zip(rows, out, wrenches, masses):
        x, yy, z, w = q = row[3:7] / np.linalg.norm(row[3:7])
        rotation = np.array(
            [
                [1 - 2 * (yy * yy + z * z), 2 * (x * yy - z * w), 2 * (x * z + yy * w)],
                [2 * (x * yy + z * w), 1 - 2 * (x * x + z * z), 2 * (yy * z - x * w)],
                [2 * (x * z - yy * w), 2 * (yy * z + x * w), 1 - 2 * (x * x + yy * yy)],
            ]
        )
        inertia, omega = rotation @ own.inertia @ rotation.T, row[10:13]
        into[:3] = row[7:10]
        into[3:7] = 0.5 * np.concatenate([q[3] * omega + np.cross(omega, q[:3]), [-omega @ q[:3]]])
        into[7:10] = wrench[:3] / own.mass + [0, 0, -G]
        into[10:13] = np.linalg.solve(inertia, wrench[3:] - np.cross(omega, inertia @ omega))
    return out.ravel()


def test_scipy_drops_parts_as_the_world_does() -> None:
    """Three of the paper's shapes on a table and on each other: SciPy beside located events."""
    pytest.importorskip("scipy.integrate")
    world = zg.World(contact="modia3d", rtol=1e-9)
    world.pair("steel", "steel", restitution=0.7, friction=0.0)
    world.fixed(zg.box((2, 2, 0.2)), pose=zg.pose((0, 0, -0.1)))
    shapes = [zg.sphere(0.1), zg.cylinder(0.05, 0.2), zg.ellipsoid((0.1, 0.15, 0.2))]
    starts = [(0, 0, 0.12), (0.02, 0.5, 0.3), (0.5, 0.1, 0.3)]
    for k, (shape, start) in enumerate(zip(shapes, starts)):
        world.body(f"part {k}", shape, pose=zg.pose(start))
    masses = [shape.mass_properties(8000.0) for shape in shapes]
    functions = zg.ZeroCrossings(world, "two")
    y0 = np.hstack([world.poses, world.velocities]).ravel()

    def poses(y: np.ndarray) -> np.ndarray:
        return y.reshape(-1, 13)[:, :7]

    def velocities(y: np.ndarray) -> np.ndarray:
        return y.reshape(-1, 13)[:, 7:]

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        return free_motion(y, functions.forces(poses(y), velocities(y)), masses)

    changes, end = by_scipy(functions, rhs, y0, 0.12, poses, velocities)
    world.advance_to(0.12)
    assert {change[1] for _, change in changes} == {"begin", "end"}
    assert end.reshape(-1, 13)[:, :3] == pytest.approx(world.poses[:, :3], abs=1e-4)


def test_a_dae_solver_bounces_the_pendulum() -> None:
    """A ball on a rod, in Cartesian coordinates with the force of the rod as an algebraic variable: IDA locates where it hits a wall."""
    sundae = pytest.importorskip("sksundae.ida")
    length, radius = 1.0, 0.1
    world = zg.World(contact="hertz")
    world.fixed(zg.halfspace((1, 0, 0), -radius))  # touched where the rod hangs straight down
    world.body("ball", zg.sphere(radius), pose=zg.pose((length, 0, 0)))
    mass = zg.sphere(radius).mass_properties(8000.0).mass
    functions = zg.ZeroCrossings(world, functions=2)

    def poses(y: np.ndarray) -> list[list[float]]:
        return [[y[0], 0, y[1], 0, 0, 0, 1]]

    def velocities(y: np.ndarray) -> list[list[float]]:
        return [[y[2], 0, y[3], 0, 0, 0]]

    def residual(t: float, y: np.ndarray, yp: np.ndarray, res: np.ndarray) -> None:
        x, z, u, w, pull = y
        force = functions.forces(poses(y), velocities(y))[0]
        res[0], res[1] = yp[0] - u, yp[1] - w
        res[2] = mass * yp[2] - force[0] + pull * x
        res[3] = mass * yp[3] - force[2] + mass * G + pull * z
        # The length of the rod, differentiated twice: index 1.
        ax, az = (force[0] - pull * x) / mass, (force[2] - pull * z) / mass - G
        res[4] = u * u + w * w + x * ax + z * az

    def events(t: float, y: np.ndarray, yp: np.ndarray, z: np.ndarray) -> None:
        z[:] = functions.distances(poses(y))

    events.terminal = [True] * len(functions)
    events.direction = [0] * len(functions)

    def consistent(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, z, u, w, _ = y
        force = functions.forces(poses(y), velocities(y))[0]
        pull = mass * (u * u + w * w + (x * force[0] + z * force[2]) / mass - z * G) / (x * x + z * z)
        y = np.array([x, z, u, w, pull])
        return y, np.array([u, w, (force[0] - pull * x) / mass, (force[2] - pull * z) / mass - G, 0.0])

    t, y, begins, ends = 0.0, np.array([length, 0.0, 0.0, 0.0, 0.0]), [], []
    functions.reset(poses(y), velocities(y))
    for _ in range(8):
        solver = sundae.IDA(
            residual, rtol=1e-7, atol=1e-9, algebraic_idx=[4], eventsfn=events, num_events=len(functions), first_step=1e-9, max_num_steps=5000
        )
        y, yp = consistent(y)
        solution = solver.solve(np.array([t, 2.0]), y, yp)
        y = np.array(solution.y[-1])
        t = float(solution.t[-1])
        crossed = [] if solution.i_events is None else np.flatnonzero(solution.i_events[-1]).tolist()
        for _, kind, speed in functions.commit(poses(y), velocities(y), crossed):
            (begins if kind == "begin" else ends).append((t, speed))
        if t >= 2.0:
            break
    # A quarter of the period from rest at 90 degrees: K(1/2) sqrt(l/g), with the speed of the fall.
    quarter = 1.8540746773013719 * math.sqrt(length / G)
    assert begins[0][0] == pytest.approx(quarter, abs=1e-5)
    assert begins[0][1] == pytest.approx(math.sqrt(2 * G * length), rel=1e-5)
    # Hertz' law gives the speed back: it comes again after half a period and at the same speed.
    assert begins[1][0] - ends[0][0] == pytest.approx(2 * quarter, abs=1e-4)
    assert begins[1][1] == pytest.approx(begins[0][1], rel=5e-4)
    assert math.hypot(y[0], y[1]) == pytest.approx(length, abs=1e-4)
