"""Frames of beam elements in space, against closed forms."""

import math

import numpy as np
import pytest
import zerogap as zg

LENGTH = 1.5
YOUNG = 2.1e11
SECOND = 0.02 * 0.01**3 / 12


def strip(count: int = 20, **more: object) -> zg.Frame:
    nodes = np.linspace((0, 0, 0), (LENGTH, 0, 0), count + 1)
    given = {"section": "rectangle:20mm,10mm", "young_modulus": "210 GPa", "density": 7850, **more}
    frame = zg.Frame(nodes, np.stack([np.arange(count), np.arange(count) + 1], axis=1), **given)
    frame.clamp(0)
    return frame


def tip(count: int, **load: float) -> np.ndarray:
    loads = np.zeros((count + 1, 6))
    for name, value in load.items():
        loads[count, ["x", "y", "z", "rx", "ry", "rz"].index(name)] = value
    return loads


def test_a_small_force_bends_a_cantilever_as_the_closed_form_says() -> None:
    frame = strip()
    frame.set_loads(tip(20, z=1e-2))
    state = frame.settle()
    assert state.positions[20, 2] == pytest.approx(1e-2 * LENGTH**3 / (3 * YOUNG * SECOND), rel=1e-6)
    assert state.unstable == 0 and state.iterations > 0 and state.quaternions.shape == (21, 4)
    assert frame.reactions(state)[0] == pytest.approx([0, 0, -1e-2, 0, 1e-2 * LENGTH, 0], abs=1e-6)
    ends = frame.section_forces(state)
    assert ends.shape == (20, 2, 6) and abs(ends[0, 0, 4]) == pytest.approx(1e-2 * LENGTH, rel=1e-5)
    assert frame.mass == pytest.approx(7850 * 2e-4 * LENGTH)


def test_a_moment_rolls_a_thin_strip_into_a_circle() -> None:
    frame = strip(section="rectangle:20mm,1mm")
    frame.set_loads(tip(20, ry=-2 * math.pi * YOUNG * 0.02 * 1e-9 / 12 / LENGTH))
    assert np.abs(frame.settle().positions[20]).max() < 1e-6


def test_modes_are_those_of_theory_and_fall_under_compression() -> None:
    frame = strip()
    frequencies, shapes = frame.modes(2)
    unit = math.sqrt(YOUNG * SECOND / (7850 * 2e-4)) / LENGTH**2 / (2 * math.pi)
    assert frequencies[0] == pytest.approx(1.8751040687**2 * unit, rel=1e-4)
    assert shapes.shape == (2, 21, 6)
    euler = math.pi**2 * YOUNG * SECOND / (4 * LENGTH**2)
    frame.set_loads(tip(20, x=-0.9 * euler))
    assert frame.modes(1, frame.settle())[0][0] < 0.4 * frequencies[0]
    frame.set_loads(tip(20, x=-1.1 * euler))
    beyond = frame.settle()
    assert beyond.unstable == 1 and frame.modes(1, beyond)[0][0] == 0


def test_a_run_swings_at_its_frequency_and_keeps_its_energy() -> None:
    frame = strip(8)
    frequencies, shapes = frame.modes(1)
    start = frame.state(velocities=0.01 * shapes[0])
    run = frame.simulate(3 / frequencies[0], 0.005 / frequencies[0], state=start, spectral_radius=1.0)
    assert run.times[-1] == pytest.approx(3 / frequencies[0]) and run.positions.shape == (601, 9, 3)
    assert run.energy.sum(axis=1) == pytest.approx(run.energy[0].sum(), rel=1e-3)
    z = run.positions[:, 8, 2]
    expected = np.abs(z).max() * np.sin(2 * math.pi * frequencies[0] * run.times) * np.sign(z[10])
    assert np.abs(z - expected).max() < 0.01 * np.abs(z).max()
    assert run.quaternions.shape == (601, 9, 4) and run.state.velocities.shape == (9, 6)


def test_factors_and_every_shape_a_run() -> None:
    frame = strip(4, damping=(50.0, 0.0))
    frame.set_loads(tip(4, z=10))
    run = frame.simulate("1 s", "5 ms", factor=([0, 0.1, 0.5], [0, 1, 2]), every=0.1)
    assert run.times == pytest.approx(np.linspace(0, 1, 11))
    frame.set_loads(tip(4, z=20))
    assert run.positions[-1] == pytest.approx(frame.settle().positions, abs=1e-4)


def test_a_plane_frame_of_two_sections_stays_in_its_plane() -> None:
    nodes = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    frame = zg.Frame(
        nodes, [(0, 1), (1, 2), (2, 3)], section=["tube:50mm,3mm", "i:0.1,0.2,0.0085,0.0056", "tube:50mm,3mm"],
        young_modulus=YOUNG, density=7850, plane="zx", shear=True,
    )
    frame.pin(0)
    frame.clamp(3)
    frame.set_loads(line=[(0, 0, 0), (0, 1e3, -1e3), (0, 0, 0)], gravity=(0, 0, -9.81))
    state = frame.settle()
    assert np.all(state.positions[:, 1] == 0)
    # Whatever holds the frame carries its weight and the load along z.
    assert frame.reactions(state)[:, 2].sum() == pytest.approx(1e3 + 9.81 * frame.mass, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: strip(section="pipe:1,2"), 'section "pipe:1,2": it must be rod:DIAMETER'),
        (lambda: strip(section={"area": 1e-4}), 'section has no "second_moment_y"'),
        (lambda: strip(section=["rod:0.01"]), "1 sections for 20 elements"),
        (lambda: strip(plane="xz"), 'plane is "xz": it must be xy, yz or zx'),
        (lambda: strip(up=(1, 0, 0)), "`up` of element 0"),
        (lambda: strip(young_modulus=-1), "Young's modulus of element 0 is -1"),
        (lambda: strip(damping=(-1, 0)), "damping in proportion to mass is -1"),
        (lambda: zg.Frame([(0, 0, 0), (1, 0, 0)], [(0, 1, 2)], section="rod:0.01", young_modulus=YOUNG, density=1), "elements must be pairs"),
        (lambda: strip().clamp(21), "there is no node 21"),
        (lambda: strip().set_loads(np.zeros((20, 6))), r"nodal must have shape \(21, 6\), not \(20, 6\)"),
        (lambda: strip().set_loads(line=np.zeros((21, 3))), r"line must have shape \(20, 3\), not \(21, 3\)"),
        (lambda: strip().simulate(1, 0), "step is 0 s"),
        (lambda: strip().simulate(-1, 0.1), "until is -1 s"),
        (lambda: strip().simulate(1, 0.1, factor=([0, 0], [1, 1])), "factor has 2 times and 2 values"),
        (lambda: strip().simulate(1, 0.1, spectral_radius=2), "the spectral radius is 2"),
        (lambda: zg.Frame([(0, 0, 0), (1, 0, 0)], [(0, 1)], section="rod:0.01", young_modulus=YOUNG, density=1).settle(), "supports do not hold"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
