"""Which surface was hit, driven from Python and from SciPy's integrator."""

import math

import numpy as np
import pytest
import zerogap as zg

PLATE = [(0, 0), (1, 0), (1, -0.02), (0, -0.02)]
TOP, RIGHT, BOTTOM = 0, 1, 2


@pytest.mark.parametrize("form", ["guards", "conditional"])
@pytest.mark.parametrize("culling", [True, False])
def test_a_point_that_sinks_into_a_plate_stays_on_its_top(form: str, culling: bool) -> None:
    way = [(0.4 + 0.5 * s, 0.005 - 0.02 * s) for s in np.linspace(0, 1, 101)]
    oriented = zg.Oriented([PLATE], [way[0]], form=form, culling=culling)
    wrong = 0
    for point in way[1:]:
        touches = oriented.commit([point])
        assert list(touches.surface) == ([TOP] if point[1] <= 0 else [])
        if len(touches):
            assert touches.gap[0] == pytest.approx(point[1])
            wrong += int(oriented.nearest([point])[0][0] == BOTTOM)
    assert wrong > 20  # the minimum translation says "bottom" from the middle on


def test_a_trial_changes_nothing_and_a_commit_does() -> None:
    oriented = zg.Oriented([PLATE], [(0.5, 0.01), (2, 0)])
    trial = oriented.evaluate([(0.5, -0.015), (2, 0)])
    assert trial.kind == ["hit"] and trial.inside.tolist() == [True]
    assert len(oriented.touches) == 0
    through = oriented.commit([(0.5, -0.1), (2, 0)])
    assert through.kind == ["crossed"] and through.initiator.tolist() == [0]
    released = oriented.commit([(0.5, 0.1), (2, 0)])
    assert len(released) == 0 and released.released.tolist() == [[0, 0, TOP]]


def test_targets_move_and_turn() -> None:
    oriented = zg.Oriented([PLATE], [(0, 0)], [(0, -0.5, 0)])
    touches = oriented.commit([(0, 0)], [(-0.5, 0.001, math.pi / 6 - math.pi / 6)])
    assert touches.surface.tolist() == [TOP] and touches.normal.shape == (1, 2)
    turned = zg.Oriented([PLATE], [(0, 0.2)], [(0, 0, 0.3)])
    assert turned.separations([(0, 0.2)], (0, 0, 0.3)).shape == (1, 4)
    assert turned.separations([(0, 0.2)], (0, 0, 0.3))[0, TOP] == pytest.approx(0.2 * math.cos(0.3))


def test_boxes_hulls_and_half_spaces_are_targets_in_space() -> None:
    targets = [zg.box((2, 2, 2)), zg.halfspace((0, 0, 1), -5)]
    oriented = zg.Oriented(targets, [(0.9, 0, 1.5)])
    assert oriented.surfaces == [6, 1]
    touches = oriented.commit([(0.95, 0, 0.5)])
    assert touches.surface.tolist() == [5] and touches.normal.tolist() == [[0, 0, 1]]
    assert oriented.nearest([(0.95, 0, 0.5)])[0][0] == 1
    assert repr(oriented) == "<zerogap.Oriented: 1 initiators against 2 targets in space>"


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="clockwise"):
        zg.Oriented([PLATE[::-1]], [(0, 1)])
    with pytest.raises(ValueError, match=r"targets\[1\] must be a shape, or corners"):
        zg.Oriented([PLATE, [1, 2, 3]], [(0, 1)])
    with pytest.raises(ValueError, match="all polygons"):
        zg.Oriented([PLATE, zg.box((1, 1, 1))], [(0, 1)])
    with pytest.raises(ValueError, match="curved"):
        zg.Oriented([zg.sphere(1)], [(0, 0, 1)])
    with pytest.raises(ValueError, match=r"shape \(n, 2\)"):
        zg.Oriented([PLATE], [(0, 0, 1)])
    oriented = zg.Oriented([PLATE], [(0, 1)])
    with pytest.raises(ValueError, match="2 were given"):
        oriented.commit([(0, 1), (0, 2)])
    with pytest.raises(ValueError, match="initiator 0 is at"):
        oriented.evaluate([(0, np.nan)])
    with pytest.raises(IndexError, match="no target 3"):
        oriented.nearest([(0, 1)], target=3)
    with pytest.raises(ValueError, match="guards or conditional"):
        zg.Oriented([PLATE], [(0, 1)], form="other")


def test_scipy_stops_at_contact_and_goes_on_from_there() -> None:
    """A ball on a spring-like plate, integrated by solve_ivp with the root functions as events."""
    integrate = pytest.importorskip("scipy.integrate")
    mass, stiffness, gravity, height = 1.0, 2e4, 9.81, 0.5
    oriented = zg.Oriented([PLATE], [(0.5, height)])

    def rhs(t: float, y: np.ndarray) -> list[float]:
        ay = -gravity
        # A trial of the integrator: it may be rejected, and the reference does not change.
        for gap, normal in zip(*(lambda found: (found.gap, found.normal))(oriented.evaluate([y[:2]]))):
            ay -= stiffness * gap * normal[1] / mass
        return [y[2], y[3], 0.0, ay]

    def event(k: int):  # noqa: ANN202
        def root(t: float, y: np.ndarray) -> float:
            return float(oriented.roots([y[:2]])[k])

        root.terminal, root.direction = True, -1
        return root

    t, y, touches, deepest = 0.0, np.array([0.5, height, 0.0, 0.0]), [], 0.0
    while t < 1.5:
        run = integrate.solve_ivp(rhs, (t, 1.5), y, events=[event(0), event(1)], rtol=1e-10, atol=1e-12)
        t, y = run.t[-1], run.y[:, -1]
        deepest = min(deepest, run.y[1].min())
        # The step ends at contact; a little further the point is on the other side.
        found = oriented.commit([y[:2] + 1e-13 * np.sign(y[3]) * np.array([0, 1])])
        if run.status == 1:
            touches.append((t, list(found.surface)))
    fall = math.sqrt(2 * height / gravity)
    assert touches[0][0] == pytest.approx(fall, abs=1e-9) and touches[0][1] == [TOP]
    # Contact of a spring under gravity lasts as long as this.
    w, v = math.sqrt(stiffness / mass), math.sqrt(2 * gravity * height)
    last = 2 / w * (math.pi - math.atan(v * w / gravity))
    assert touches[1][0] - touches[0][0] == pytest.approx(last, abs=1e-7) and touches[1][1] == []
    assert touches[2][0] - touches[1][0] == pytest.approx(2 * v / gravity, abs=1e-7)
    # It goes through the whole plate of 20 mm and is still pushed up by its top.
    assert deepest < -0.02


def test_a_named_scene_runs_and_the_landing_stays_on_the_top() -> None:
    run = zg.simulate("skid-landing", until=2.0, every=0.05)
    assert len(run.t) == 41 and "skid 1" in run.names
    touched = [event for event in run.events if event.kind == "contact_begin"]
    assert touched and all(event.bodies[0] == "deck top" for event in touched)
    with pytest.raises(ValueError, match="located events"):
        zg.simulate("skid-landing", method="stepping")
    assert zg.simulate("bouncing-ball", until=0.1).t[-1] == pytest.approx(0.1)


def test_what_is_no_number_is_refused_everywhere() -> None:
    oriented = zg.Oriented([PLATE], [(0.5, 0.01)])
    for ask in (oriented.evaluate, oriented.commit, oriented.nearest):
        with pytest.raises(ValueError, match="finite"):
            ask([(math.nan, 1)])
    assert len(oriented.touches) == 0


def test_a_world_meets_corners_by_the_surface_they_came_in_through() -> None:
    def fallen(collision: str) -> zg.World:
        world = zg.World(contact="linear", stiffness=4e3, damping_ratio=0.2)
        world.fixed(zg.box((4, 4, 0.02)), pose=zg.pose(xyz=(0, 0, -0.01)))
        world.body("sheet", zg.box((0.2, 0.2, 0.01)), collision=collision, pose=zg.pose(xyz=(0, 0, 0.2)))
        world.advance_to(3.0)
        return world

    sheet = fallen("oriented")
    weight = 8000 * 0.2 * 0.2 * 0.01 * 9.81
    assert sheet.poses[0, 2] == pytest.approx(0.005 - weight / (4 * 4e3), abs=1e-5)
    points = sheet.contact_points()
    assert points["features"] == [("face 5", f"vertex {corner}") for corner in range(4)]
    assert points["force"][:, 2].sum() == pytest.approx(weight, rel=1e-3)
    assert fallen("auto").poses[0, 2] < -1  # the nearest way out leads down
    with pytest.raises(ValueError, match='.angular_tolerance. has no meaning for collision = "oriented"'):
        zg.World().body("x", zg.box((1, 1, 1)), collision="oriented", angular_tolerance=0.1)
    with pytest.raises(ValueError, match="it has no corners"):
        zg.World().body("x", zg.sphere(1), collision="oriented")
    with pytest.raises(ValueError, match="it must be auto, hull, pieces, mesh, quasi-lmd, oriented"):
        zg.World().body("x", zg.sphere(1), collision="round")


def test_a_cantilever_bends_and_swings_as_the_closed_forms_say() -> None:
    e, area, second, density, length = 2.1e11, 2e-4, 0.02 * 1e-6 / 12, 7850.0, 1.5
    section = {"young_modulus": e, "area": area, "second_moment": second, "density": density}
    beam = zg.Beam.straight(length, 20, **section)
    beam.clamp(0)
    loads = np.zeros((21, 3))
    loads[-1, 1] = -10
    assert beam.deflection(loads)[-1, 1] == pytest.approx(-10 * length**3 / (3 * e * second), rel=1e-9)
    frequencies, shapes = beam.modes(3)
    exact = [r**2 * math.sqrt(e * second / (density * area)) / length**2 / (2 * math.pi) for r in (1.8751040687, 4.6940911330, 7.8547574382)]
    assert frequencies == pytest.approx(exact, rel=1e-3) and shapes.shape == (3, 21, 3)
    frame = zg.Beam([(0, 0), (0, 1), (1, 1)], [(0, 1), (1, 2)], **section)
    with pytest.raises(ValueError, match="supports do not hold"):
        frame.deflection(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="there is no node 7"):
        frame.clamp(7)
    with pytest.raises(ValueError, match=r"\(3, 3\)"):
        frame.deflection(np.zeros((2, 3)))


def test_the_matrices_of_the_paper() -> None:
    oriented = zg.Oriented([PLATE], [(0.5, 0.01)])
    found = oriented.matrices([(0.5, -0.005)])
    assert found["P"].all() and found["P"].shape == (4, 1)
    assert found["delta"][:, 0].tolist() == [1, 0, 0, 0] and found["C"][:, 0].tolist() == [True, False, False, False]
    assert found["S"].all() and not oriented.matrices([(1.5, -0.005)])["S"][TOP, 0]
    with pytest.raises(IndexError, match="no target 2"):
        oriented.matrices([(0.5, 0)], target=2)


def test_the_nearest_rule_pushes_out_below() -> None:
    """Figure 5: from the middle of the plate on the minimum translation says bottom."""
    for rule, surface, sign in (("history", TOP, 1), ("nearest", BOTTOM, -1)):
        oriented = zg.Oriented([PLATE], [(0.5, 0.005)], rule=rule)
        oriented.commit([(0.5, -0.005)])
        assert oriented.touches.surface.tolist() == [TOP]
        touches = oriented.commit([(0.5, -0.015)])
        assert touches.surface.tolist() == [surface]
        force, on_plate = oriented.forces([(0.5, -0.015)], stiffness=1e4)
        assert force[0, 1] * sign > 0 and on_plate[0, 1] == -force[0, 1]
    with pytest.raises(ValueError, match="history or nearest"):
        zg.Oriented([PLATE], [(0, 1)], rule="other")


def test_penalty_forces_are_springs_dampers_and_friction() -> None:
    box = zg.box((2, 2, 2))
    oriented = zg.Oriented([box], [(0.5, 0, 1.5), (0, 0, 3)])
    at = [(0.5, 0, 0.99), (0, 0, 3)]
    oriented.commit(at)
    force, on_target = oriented.forces(at, [(1, 0, -0.5), (0, 0, 0)], stiffness=1e4, damping=20, friction=0.3)
    assert force[0] == pytest.approx([-0.3 * 110, 0, 110]) and not force[1].any()
    assert on_target[0] == pytest.approx([33, 0, -110, 0, 33 * 0.99 + 110 * 0.5, 0])
    # A target that moves along with the point is not rubbed, and one that flees is not pulled.
    along, _ = oriented.forces(at, [(1, 0, 0), (0, 0, 0)], stiffness=1e4, friction=0.3, target_velocities=[(1, 0, 0, 0, 0, 0)])
    assert along[0] == pytest.approx([0, 0, 100])
    assert not oriented.forces(at, [(0, 0, 9), (0, 0, 0)], stiffness=1e4, damping=20)[0].any()
    with pytest.raises(ValueError, match="stiffness"):
        oriented.forces(at, stiffness=0)
    with pytest.raises(ValueError, match=r"shape \(1, 6\)"):
        oriented.forces(at, stiffness=1, target_velocities=[(1, 0, 0)])


def test_a_world_takes_the_nearest_surface_on_request() -> None:
    """A sheet that sinks through a thin shelf: the nearest rule lets it fall through."""

    def fallen(**rule: str) -> float:
        world = zg.World(contact="kelvin-voigt", stiffness=4e3, damping=10)
        world.fixed(zg.box((4, 4, 0.02)), pose=zg.pose(xyz=(0, 0, -0.01)))
        world.body("sheet", zg.box((0.2, 0.2, 0.01)), collision="oriented", pose=zg.pose(xyz=(0, 0, 0.2)), **rule)
        world.advance_to(1.5)
        return float(world.poses[0, 2])

    assert fallen() > -0.03 and fallen(rule="history") == fallen()
    assert fallen(rule="nearest") < -0.5
    with pytest.raises(ValueError, match="rule"):
        zg.World().body("x", zg.box((1, 1, 1)), rule="nearest")
