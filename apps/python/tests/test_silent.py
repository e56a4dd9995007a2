"""What used to change nothing or something else without a word is refused or warned of."""

import warnings

import numpy as np
import pytest

import zerogap as zg


def box_obj(size, more=""):
    mesh = zg.hull([[x, y, z] for x in (0, size) for y in (0, size) for z in (0, size)]).to_mesh()
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles]
    return "\n".join(lines) + "\n" + more


def falling_ball():
    world = zg.World(contact="rigid")
    world.fixed(zg.halfspace((0, 0, 1), 0))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.1)))
    return world


def test_arrays_that_show_a_state_cannot_be_written_to():
    world = falling_ball()
    world.advance_to(0.1)
    arrays = {
        "poses": world.poses,
        "velocities": world.velocities,
        "positions": world.positions("ball"),
        "rates": world.rates("ball"),
        "momentum": world.momentum[0],
        "angular momentum": world.momentum[1],
        **{f"contacts {name}": rows for name, rows in world.contacts().items()},
    }
    run = zg.simulate(world, until=0.2)
    arrays |= {"t": run.t, "run poses": run.poses, "run velocities": run.velocities, "energy": run.energy["total"]}
    arrays |= {f"run contacts {name}": rows for name, rows in run.contacts.items()}
    track = run["ball"]
    arrays |= {"track": track.poses, "xyz": track.xyz, "quat": track.quat, "velocity": track.velocity}
    for name, array in arrays.items():
        assert not array.flags.writeable, name
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    # A copy is the reader's own.
    own = world.poses.copy()
    own[0, 2] = 1
    assert world.poses[0, 2] != 1


def test_what_a_watched_function_sees_cannot_be_written_to():
    seen = []

    def height(view):
        seen.extend([view.poses, view.velocities, view.positions, view.rates, view.velocity(0), view.angular_velocity(0)])
        return view.poses[0, 2] - 0.05

    world = falling_ball()
    world.add_event(height)
    world.advance_to(0.01)
    assert seen and not any(array.flags.writeable for array in seen)


def test_a_landing_has_no_world_and_says_how_to_run_it():
    scene = zg.load("skid-landing")
    with pytest.raises(ValueError, match=r"skid-landing is a landing.*zg\.simulate\(scene\)"):
        scene.world()
    assert len(zg.simulate(scene, until=0.02)) > 1


def test_a_mesh_in_millimetres_read_as_metres_is_warned_of(tmp_path):
    file = tmp_path / "bracket.obj"
    file.write_text(box_obj(55))
    message = r"bracket\.obj is 55 x 55 x 55 m .* zg\.mesh\(path, scale=1e-3\)"
    with pytest.warns(UserWarning, match=message):
        zg.mesh(file)
    with pytest.warns(UserWarning, match=message):
        zg.inspect(file)
    with pytest.warns(UserWarning, match=message):
        zg.distance(file, "sphere:1")
    with pytest.warns(UserWarning, match=message):
        zg.Complex(file)
    with pytest.warns(UserWarning, match=message):
        zg.time_of_impact(file, "sphere:1", velocity_a=(1, 0, 0), pose_b=zg.pose((100, 0, 0)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert zg.mesh(file, scale=1e-3).vertices.max() == 0.055
        assert zg.mesh(file, scale=1).vertices.max() == 55
        zg.inspect(file, scale=1e-3)


def test_lines_and_points_that_are_left_out_are_counted(tmp_path):
    file = tmp_path / "mixed.obj"
    file.write_text(box_obj(1, "l 1 2\nl 2 3 4\np 5\n"))
    with pytest.warns(UserWarning, match=r"mixed\.obj: 2 lines and 1 point left out"):
        zg.mesh(file)


def test_an_open_mesh_of_a_scene_is_refused_by_name(tmp_path):
    mesh = zg.hull(np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)).to_mesh()
    zg.Mesh(mesh.vertices, mesh.triangles[:-2]).save(tmp_path / "open.stl")
    (tmp_path / "scene.toml").write_text('[[bodies]]\nname = "part"\nshape = "open.stl"\n')
    with pytest.raises(ValueError, match="'open.stl': the surface is not a closed manifold"):
        zg.load(tmp_path / "scene.toml")
