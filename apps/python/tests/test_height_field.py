"""Height fields: terrain from arrays and files, in queries and worlds."""

import numpy as np
import pytest
import zerogap as zg


def hills(seed=0, side=25):
    return 0.1 * np.random.default_rng(seed).random((side, side))


def test_the_gap_is_that_of_the_mesh_of_the_field():
    field = zg.height_field(hills(), spacing=(0.1, 0.2), max_depth="50 cm")
    assert field.kind == "height field"
    mesh = field.to_mesh()
    rng = np.random.default_rng(1)
    for _ in range(20):
        at = zg.pose(rng.uniform((-1, -2, 0), (1, 2, 0.5)))
        ball = zg.sphere(0.05)
        found = zg.distance(field, ball, pose_b=at)
        assert found.gap == pytest.approx(zg.distance(mesh, ball, pose_b=at).gap, abs=1e-12)


def test_rows_run_along_y_and_columns_along_x():
    heights = np.zeros((3, 4))
    heights[2, 0] = 1.0                                    # the last row, the first column
    field = zg.height_field(heights, spacing=(1, 1))
    assert zg.distance(field, zg.point((-1.5, 1.0, 2.0))).gap == pytest.approx(1.0, abs=1e-12)
    assert zg.distance(field, zg.point((1.5, -1.0, 2.0))).gap == pytest.approx(2.0, abs=1e-12)


@pytest.mark.parametrize("method", ["stepping", "events"])
def test_a_box_comes_to_rest_on_terrain(method):
    world = zg.World(method=method)
    world.pair("steel", "steel", friction=0.6, restitution=0.0)
    world.fixed(zg.height_field(np.zeros((21, 21)), spacing=(0.1, 0.1)))
    box = world.body("box", zg.box(size=(0.2, 0.2, 0.1)), pose=zg.pose((0.03, 0.02, 0.06)))
    world.advance_to(1.0)
    assert world.poses[0, 2] == pytest.approx(0.05, abs=1e-4)
    assert np.abs(world.velocities).max() < 1e-3


def test_bad_heights_are_refused():
    with pytest.raises(ValueError, match="1 x 5 nodes"):
        zg.height_field(np.zeros((5, 1)), spacing=(1, 1))
    with pytest.raises(ValueError):
        zg.height_field([[0, np.nan], [0, 0]], spacing=(1, 1))
    with pytest.raises(ValueError):
        zg.height_field(np.zeros((3, 3)), spacing=(1, 0))
    with pytest.raises(TypeError):
        zg.height_field(np.zeros(3), spacing=(1, 1))


def test_a_file_is_terrain_of_a_scene(tmp_path):
    np.savetxt(tmp_path / "hills.csv", np.full((5, 5), 0.25), delimiter=",")
    scene = tmp_path / "scene.toml"
    scene.write_text(
        '[world]\nmethod = "stepping"\n[run]\nuntil = 0.5\n[[fixed]]\nshape = "heightfield:hills.csv,1,1,2"\n'
        '[[bodies]]\nname = "ball"\nshapes = [{ shape = "sphere:0.1" }]\nposition = [0.2, 0.1, 0.4]\n'
    )
    run = zg.simulate(zg.load(scene), until=1.0)
    assert run["ball"].xyz[-1, 2] == pytest.approx(0.35, abs=1e-3)
