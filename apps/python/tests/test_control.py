"""Control from Python: coordinates, controls, equations of motion, sensors, and controllers at exact times."""

from pathlib import Path

import numpy as np
import pytest

import zerogap as zg

ARM = """<mujoco model="arm"><compiler angle="radian"/>
<worldbody><body name="upper"><joint name="shoulder" axis="0 1 0" ref="0.5" damping="5"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/>
  <body name="lower" pos="0 0 -1"><joint name="elbow" type="ball" damping="5"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/><site name="tip" pos="0 0 -1"/></body></body></worldbody>
<actuator><motor name="lift" joint="shoulder" ctrlrange="-50 50" ctrllimited="true"/><motor name="spin" joint="elbow" gear="0 0 1"/></actuator>
<sensor><jointpos name="angle" joint="shoulder"/><gyro name="gyro" site="tip"/></sensor></mujoco>"""


@pytest.fixture
def world(tmp_path: Path) -> zg.World:
    (tmp_path / "arm.xml").write_text(ARM)
    return zg.load(tmp_path / "arm.xml").world()


def test_coordinates_are_read_and_set_by_arrays_and_by_names(world: zg.World) -> None:
    assert world.joint_names == ["shoulder", "elbow"]
    assert world.q_slices == {"shoulder": slice(0, 1, 1), "elbow": slice(1, 5, 1)}
    assert world.v_slices == {"shoulder": slice(0, 1, 1), "elbow": slice(1, 4, 1)}
    world.q = [0.3, 0, 0, 0, 2]
    world.v = np.array([1.0, 0.1, 0.2, 0.3])
    assert world.q == pytest.approx([0.3, 0, 0, 0, 1])
    world.set_joint("shoulder", -0.2, 2.0)
    world.set_joint("lower", velocities=[0, 0, 1])
    assert world.q[0] == -0.2 and list(world.v) == [2.0, 0, 0, 1]
    with pytest.raises(ValueError, match="there are 5 positions here, not 2"):
        world.q = [1, 2]
    with pytest.raises(ValueError, match="did you mean 'shoulder'"):
        world.set_joint("shoulders", 1.0)
    with pytest.raises(TypeError, match="q must be a list or an array of numbers, not str"):
        world.q = "zero"  # type: ignore[assignment]
    qpos, qvel = world.to_mujoco()
    assert qpos == pytest.approx([0.3, 1, 0, 0, 0]) and list(qvel) == list(world.v)
    q, v = world.from_mujoco(qpos, qvel)
    assert q == pytest.approx(world.q) and list(v) == list(world.v)


def test_controls_by_name_number_and_slice(world: zg.World) -> None:
    assert world.actuator_names == ["lift", "spin"] and len(world.control) == 2
    world.control["lift"] = 3.0
    world.control[1] = -1.0
    assert list(world.control) == [3.0, -1.0] and world.control["spin"] == -1.0
    assert np.asarray(world.control) * 2 == pytest.approx([6, -2])
    world.control[:] = [80.0, 0.5]
    assert world.activation == pytest.approx([50.0, 0.5])
    world.control = {"spin": 0.25}
    assert list(world.control[:]) == [80.0, 0.25]
    world.control = [1, 2]
    assert repr(world.control) == "<zerogap.Control lift: 1, spin: 2>"
    with pytest.raises(ValueError, match="there is no actuator 'lit': did you mean 'lift'"):
        world.control["lit"] = 1.0
    with pytest.raises(ValueError, match="finite"):
        world.control[0] = np.nan
    with pytest.raises(IndexError):
        world.control[2] = 1.0
    assert list(world.control) == [1, 2]


def test_equations_of_motion_agree_with_each_other(world: zg.World) -> None:
    world.set_state([0.4, 0.1, -0.2, 0.3, 0.9], [1.0, -0.5, 0.7, 0.2])
    m, h, v = world.mass_matrix(), world.bias_forces(), world.v
    assert m == pytest.approx(m.T) and 0.5 * v @ m @ v == pytest.approx(world.energy["kinetic"], rel=1e-13)
    world.control["lift"] = 7.0
    effort = m @ world.accelerations + h
    assert effort == pytest.approx(np.array([7, 0, 0, 0]) - 5 * v, abs=1e-10)
    a = np.array([1.0, 2.0, 3.0, 4.0])
    assert world.inverse_dynamics(a) == pytest.approx(m @ a + h, rel=1e-12)
    jacobian = world.jacobian("tip", (0.1, 0, 0))
    assert jacobian.shape == (6, 4)
    assert (jacobian @ v)[3:] == pytest.approx(world.velocities[1, 3:])
    # Along the motion the Jacobian changes at its rate.
    q, step = world.q, 1e-6
    products = []
    for sign in (1, -1):
        world.set_state(q, v)
        turn = zg.pose(axis=v[1:], angle=float(sign * step * np.linalg.norm(v[1:])))
        turned = (zg.pose(quat=q[1:]) @ turn).quat
        world.q = [q[0] + sign * step * v[0], *turned]
        products.append(world.jacobian("tip", (0.1, 0, 0)) @ v)
    world.set_state(q, v)
    assert world.jacobian_rate_times_v("tip", (0.1, 0, 0)) == pytest.approx((products[0] - products[1]) / (2 * step), abs=1e-6)
    assert world.forward_kinematics(q) == pytest.approx(world.poses)
    assert world.frame_pose("tip").xyz == pytest.approx((world.frame_pose("lower") @ zg.pose((0, 0, -1))).xyz)
    assert world.center_of_mass().shape == (3,) and world.momentum_about_center("lower")[0].shape == (3,)


def test_sensors_have_names(world: zg.World) -> None:
    world.set_joint("shoulder", 0.25, 2.0)
    assert world.sensors["angle"] == 0.75 and world.sensor("gyro") == pytest.approx([0, 2, 0])
    with pytest.raises(ValueError, match="there is no sensor 'gyr': did you mean 'gyro'"):
        world.sensor("gyr")


@pytest.mark.parametrize("method", ["events", "stepping"])
def test_a_controller_is_called_with_the_world_at_exact_times(tmp_path: Path, method: str) -> None:
    (tmp_path / "arm.xml").write_text(ARM)
    (tmp_path / "arm.toml").write_text(f'[world]\nmethod = "{method}"\ncontact = "rigid"\n[[robots]]\nfile = "arm.xml"\n')
    world = zg.load(tmp_path / "arm.toml").world()
    times: list[float] = []

    def hold(world: zg.World) -> None:
        times.append(world.time)
        world.control["lift"] = float(200 * (0.2 - world.q[0]) - 40 * world.v[0] + world.bias_forces()[0])

    world.set_controller(hold, "2 ms")
    assert world.step(100) == "reached"
    assert times == pytest.approx(np.arange(50) * 0.002, abs=1e-15)
    run = zg.simulate(world, until=0.5, every=0.05)
    assert len(times) == 250 and run.t == pytest.approx(np.arange(9) * 0.05 + 0.1)
    world.advance_to(3.0)
    assert world.q[0] == pytest.approx(0.2, abs=0.02)
    # What it raises ends the run, where it was raised.
    world.set_controller(lambda w: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        world.step()
    world.set_controller(lambda w: w.advance_to(9.0))
    with pytest.raises(RuntimeError, match="a controller cannot run the world that calls it"):
        world.step()
    world.set_controller(None)
    world.step()


def test_states_as_bytes_continue_with_the_same_bits(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(ARM)
    make = lambda: zg.load(tmp_path / "arm.xml").world()  # noqa: E731
    world, other = make(), make()
    world.control["lift"] = 5.0
    world.advance_to(0.2)
    data = world.save().to_bytes()
    world.advance_to(0.4)
    other.restore(data)
    assert other.time == 0.2 and list(other.control) == [5.0, 0.0]
    other.advance_to(0.4)
    assert other.hash == world.hash
    with pytest.raises(TypeError, match="a SavedWorld or its bytes"):
        world.restore("bytes")  # type: ignore[arg-type]
