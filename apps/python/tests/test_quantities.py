"""A quantity is a number in SI or a text with its unit, wherever a number is taken."""

import numpy as np
import pytest

import zerogap as zg


@pytest.mark.parametrize(
    ("with_units", "in_si"),
    [
        (lambda: zg.sphere("5 cm"), lambda: zg.sphere(5 * 1e-2)),
        (lambda: zg.box(("10 mm", 0.02, "0.03")), lambda: zg.box((10 * 1e-3, 0.02, 0.03))),
        (lambda: zg.capsule("1 in", length="2 dm"), lambda: zg.capsule(0.0254, 2 * 1e-1)),
        (lambda: zg.segment(("1 mm", 0, 0), (0, "1 ft", 0)), lambda: zg.segment((1e-3, 0, 0), (0, 0.3048, 0))),
        (lambda: zg.halfspace((0, 0, 1), "-3 mm"), lambda: zg.halfspace((0, 0, 1), -3 * 1e-3)),
        (lambda: zg.sphere(1).rounded("2 mm"), lambda: zg.sphere(1).rounded(2 * 1e-3)),
        (lambda: zg.hull([["1 m", 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]), lambda: zg.hull([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])),
        (lambda: zg.sphere(1).mass_properties("1 g/cm3"), lambda: zg.sphere(1).mass_properties(1000)),
        (lambda: zg.pose(("1 mm", 0, 0)), lambda: zg.pose((1e-3, 0, 0))),
    ],
)
def test_a_text_with_a_unit_is_the_number_in_si(with_units, in_si):
    assert with_units() == in_si()


def test_queries_take_lengths_and_times_with_units():
    ball, floor = zg.sphere("10 cm"), zg.halfspace((0, 0, 1), 0)
    above = zg.pose((0, 0, "30 cm"))
    assert zg.distance(floor, ball, pose_b=above, cutoff="1 m").gap == pytest.approx(0.2)
    assert len(zg.contacts(floor, ball, pose_b=zg.pose((0, 0, 0.1005)), within="1 mm")) == 1
    assert len(zg.contacts(floor, ball, pose_b=zg.pose((0, 0, 0.1005)), within="0.1 mm")) == 0
    hit = zg.time_of_impact(floor, ball, pose_b=above, velocity_b=(0, 0, "-1 cm/s"), duration="1 min")
    assert hit.t == pytest.approx(20.0, abs=1e-6)
    assert ball.contains(("99 mm", 0, 0)) and not ball.contains(("101 mm", 0, 0))


def falling(**settings):
    world = zg.World(contact="rigid", **settings)
    world.fixed(zg.halfspace((0, 0, 1), 0))
    return world


def test_a_world_runs_the_same_with_units_and_in_si():
    texts = falling(gravity=(0, 0, "-9.81 m/s2"), method="stepping", step="2 ms", tolerance="1e-9 m/s")
    texts.material("oak", "11 GPa", 0.3, "0.7 g/cm3")
    texts.body("ball", zg.sphere("10 cm"), material="oak", pose=zg.pose((0, 0, "50 cm")), velocity=("1 km/h", 0, 0), angular_velocity=("90 deg/s", 0, 0))
    texts.body("load", zg.sphere("10 cm"), mass="250 g", pose=zg.pose((1, 0, "50 cm")))
    numbers = falling(gravity=(0, 0, -9.81), method="stepping", step=2 * 1e-3, tolerance=1e-9)
    numbers.material("oak", 11 * 1e9, 0.3, 0.7 * 1e3)
    numbers.body("ball", zg.sphere(10 * 1e-2), material="oak", pose=zg.pose((0, 0, 50 * 1e-2)), velocity=(1 / 3.6, 0, 0), angular_velocity=(90 * (np.pi / 180), 0, 0))
    numbers.body("load", zg.sphere(10 * 1e-2), mass=250 * 1e-3, pose=zg.pose((1, 0, 50 * 1e-2)))
    texts.advance_to("500 ms")
    numbers.advance_to(0.5)
    assert texts.hash == numbers.hash
    assert zg.simulate(texts, until="0.01 min", every="50 ms").t[-1] == pytest.approx(0.6)


@pytest.mark.parametrize(("joint", "unit", "other"), [("revolute", "deg", "mm"), ("prismatic", "mm", "deg")])
def test_a_joint_takes_angles_where_it_turns_and_lengths_where_it_slides(joint, unit, other):
    world = zg.World(contact="rigid")
    world.body("arm", zg.box((0.1, 0.1, 1)), joint=joint, axis=(1, 0, 0), positions=[f"10 {unit}"], rates=[f"1 {unit}/s"])
    size = np.pi / 180 if unit == "deg" else 1e-3
    assert world.positions("arm") == pytest.approx([10 * size])
    assert world.rates("arm") == pytest.approx([size])
    world.dof("arm", lower=f"-20 {unit}", upper=f"20 {unit}")
    with pytest.raises(ValueError, match=f"upper: '20 {other}' is not"):
        world.dof("arm", upper=f"20 {other}")
    with pytest.raises(ValueError, match=r"positions\[0\]: '1 kg' is not"):
        world.body("other", zg.sphere(0.1), joint=joint, axis=(1, 0, 0), positions=["1 kg"])
    world.set_motor("arm", position=f"5 {unit}", stiffness=100, damping=10)
    with pytest.raises(ValueError, match=f"position: '5 {other}' is not"):
        world.set_motor("arm", position=f"5 {other}", stiffness=100)


def test_oscillations_take_units():
    deck = zg.Motion.harmonic(heave=("50 cm", "0.2 Hz"), roll=("3 deg", 0.1, "90 deg"))
    plain = zg.Motion.harmonic(heave=(0.5, 0.2), roll=(3 * (np.pi / 180), 0.1, 90 * (np.pi / 180)))
    assert deck.at("1 s")[0] == plain.at(1.0)[0]
    with pytest.raises(ValueError, match="amplitude of roll: '3 mm' is not an angle"):
        zg.Motion.harmonic(roll=("3 mm", 0.1))


@pytest.mark.parametrize(
    ("argument", "given", "expected", "call"),
    [
        ("radius", "5 kg", "length", lambda: zg.sphere("5 kg")),
        (r"size\[1\]", "2 s", "length", lambda: zg.box((1, "2 s", 3))),
        ("angle", "30 mm", "angle", lambda: zg.pose(axis=(0, 0, 1), angle="30 mm")),
        ("density", "7 kg", "density", lambda: zg.sphere(1).mass_properties("7 kg")),
        ("t", "2 m", "time", lambda: zg.World().advance_to("2 m")),
        ("step", "1 mm", "time", lambda: zg.World(method="stepping", step="1 mm")),
        ("until", "2 kg", "time", lambda: zg.simulate("bouncing-ball", until="2 kg")),
        ("mass", "2 m", "mass", lambda: zg.World().body("a", zg.sphere(1), mass="2 m")),
        ("force", "2 kg", "force", lambda: zg.World().servo("a", zg.Motion.harmonic(), force="2 kg", torque=1)),
        ("radius", "five cm", "length", lambda: zg.sphere("five cm")),
        ("radius", "nan m", "length", lambda: zg.sphere("nan m")),
    ],
)
def test_another_unit_is_refused_with_argument_value_and_what_is_expected(argument, given, expected, call):
    with pytest.raises(ValueError, match=f"{argument}: '{given}' is not an? {expected}.*write a number"):
        call()


def test_what_is_neither_number_nor_text_is_a_type_error():
    with pytest.raises(TypeError, match="radius must be a number or a text with a unit .length., not NoneType"):
        zg.sphere(None)
    with pytest.raises(TypeError, match="t must be a number or a text with a unit .time., not list"):
        zg.World().advance_to([1, 2])


ANGLE = 0.7
WAYS = {
    "quat": {"quat": (0, 0, np.sin(ANGLE / 2), np.cos(ANGLE / 2))},
    "axis and angle": {"axis": (0, 0, 5), "angle": ANGLE},
    "angle with a unit": {"axis": (0, 0, 1), "angle": f"{np.degrees(ANGLE)} deg"},
    "rpy": {"rpy": (0, 0, ANGLE)},
    "matrix": {"matrix": [[np.cos(ANGLE), -np.sin(ANGLE), 0], [np.sin(ANGLE), np.cos(ANGLE), 0], [0, 0, 1]]},
}


@pytest.mark.parametrize("rotation", WAYS.values(), ids=WAYS)
def test_a_pose_takes_its_rotation_in_every_form(rotation):
    pose = zg.pose((1, 2, 3), **rotation)
    assert pose.xyz == pytest.approx([1, 2, 3], abs=0)
    assert pose @ (1, 0, 0) == pytest.approx([1 + np.cos(ANGLE), 2 + np.sin(ANGLE), 3], abs=1e-15)


def test_roll_pitch_and_yaw_are_those_of_urdf():
    one = zg.pose(rpy=("10 deg", "20 deg", "30 deg"))
    turn = [zg.pose(axis=axis, angle=angle) for axis, angle in [((0, 0, 1), "30 deg"), ((0, 1, 0), "20 deg"), ((1, 0, 0), "10 deg")]]
    assert one.matrix() == pytest.approx((turn[0] @ turn[1] @ turn[2]).matrix(), abs=1e-15)


def test_a_pose_is_taken_in_any_form_wherever_one_is_taken():
    pose = zg.pose((0.1, 0.2, 3), rpy=(0.1, 0.2, 0.3))
    forms = [pose, np.r_[pose.xyz, pose.quat], pose.matrix(), (pose.xyz, pose.quat), (("10 cm", 0.2, 3), pose.matrix()[:3, :3]), [list(pose.xyz), list(pose.quat)]]
    cube, floor = zg.box((1, 1, 1)), zg.halfspace((0, 0, 1), 0)
    gap = zg.distance(floor, cube, pose_b=pose).gap
    for form in forms:
        assert zg.distance(floor, cube, pose_b=form).gap == pytest.approx(gap, abs=1e-15)
        assert zg.distance_many(floor, cube, poses_b=form).gap == pytest.approx([gap], abs=1e-15)
        assert zg.compound([cube], poses=[form]).bounding_box()[0] == pytest.approx(zg.compound([cube], poses=[pose]).bounding_box()[0])
        assert cube.mass_properties().transformed(form).center == pytest.approx(pose.xyz)
        assert cube.to_mesh().transformed(form).vertices == pytest.approx(pose @ cube.to_mesh().vertices)
        assert zg.time_of_impact(floor, cube, pose_b=form, velocity_b=(0, 0, -1), duration=9).t == pytest.approx(gap, abs=1e-6)
        world = falling()
        world.fixed(cube, pose=form)
        world.body("cube", [(cube, form)], pose=form)
        assert world.poses[0] == pytest.approx(np.r_[pose.xyz, pose.quat])
        assert zg.Motion.harmonic(form).at(0)[0].matrix() == pytest.approx(pose.matrix())
        assert zg.Motion.function(lambda t, form=form: form).at(0)[0].matrix() == pytest.approx(pose.matrix())
        assert zg.Motion.spline([0, 1], [form, form]).at(0.5)[0].matrix() == pytest.approx(pose.matrix())
    assert zg.distance_many(floor, cube, poses_b=forms).gap == pytest.approx([gap] * len(forms), abs=1e-15)
    assert zg.distance_many(floor, cube, poses_b=np.stack([pose.matrix()] * 3)).gap == pytest.approx([gap] * 3, abs=1e-15)


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("one rotation, not quat and rpy", lambda: zg.pose(quat=(0, 0, 0, 1), rpy=(0, 0, 0))),
        ("axis needs an angle", lambda: zg.pose(axis=(0, 0, 1))),
        ("angle needs an axis", lambda: zg.pose(angle=1)),
        ("leave xyz out", lambda: zg.pose((1, 2, 3), matrix=np.eye(4))),
        ("not a rotation matrix.*determinant", lambda: zg.pose(matrix=np.diag([1, 1, -1]))),
        ("not a rotation matrix", lambda: zg.pose(matrix=2 * np.eye(3))),
        ("last row of a pose is 0 0 0 1", lambda: zg.pose(matrix=np.ones((4, 4)))),
        (r"shape \(3, 3\) or \(4, 4\), not \(2, 2\)", lambda: zg.pose(matrix=np.eye(2))),
        (r"pose_b must be a pose, 7 numbers.*not an array of shape \(6,\)", lambda: zg.distance(zg.sphere(1), zg.sphere(1), pose_b=[0] * 6)),
        (r"pose_b: .*not a rotation matrix", lambda: zg.distance(zg.sphere(1), zg.sphere(1), pose_b=np.diag([1, 1, 2, 1]))),
        (r"pose_b\[1\] must be a quaternion", lambda: zg.distance(zg.sphere(1), zg.sphere(1), pose_b=((0, 0, 0), (0, 0, 1)))),
    ],
)
def test_what_is_no_pose_is_refused_with_the_reason(message, call):
    with pytest.raises(ValueError, match=message):
        call()
