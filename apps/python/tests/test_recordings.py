"""Scenes, runs of them and their recordings: what is saved is what was simulated, bit for bit."""

import json
import signal
import threading
from pathlib import Path

import numpy as np
import pytest
import zerogap as zg

BALL = """
description = "A ball falls."

[world]
contact = "rigid"

[run]
until = "1 s"
every = "50 ms"

[[fixed]]
shape = "box:4,4,0.2"
position = [0, 0, -0.1]

[[bodies]]
name = "ball"
shape = "sphere:5cm"
position = [0, 0, 1]
"""

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><origin xyz="0 0 -0.5"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="10"/>
  </joint>
</robot>
"""


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


@pytest.fixture(scope="module")
def run() -> zg.Run:
    return zg.simulate(zg.load("bouncing-ball"))


def test_a_built_in_scene_is_loaded_by_name_and_runs_as_it_says() -> None:
    scene = zg.load("bouncing-ball")
    assert (scene.name, scene.until, scene.every, scene.warnings) == ("bouncing-ball", 10.0, 0.02, [])
    run = zg.simulate(scene)
    assert len(run) == 501 and run.t[-1] == pytest.approx(10.0, abs=1e-12)
    assert run.scene == "bouncing-ball" and run.source == scene.source and run.names == run.bodies == ["ball"]
    assert np.abs(run["ball"].xyz[-1] - (0, 0, 0.1)).max() < 1e-9  # at rest on the floor
    again = zg.simulate(scene)  # every run begins at the start
    assert again.hash == run.hash and same_bits(again.poses, run.poses)


def test_all_built_in_scenes_are_named_and_told() -> None:
    names = [name for name, _ in zg.scenes()]
    assert "newtons-cradle" in names and len(set(names)) == len(names)
    assert all(about for _, about in zg.scenes())


def test_a_scene_from_a_file_and_its_world_go_the_same_way(tmp_path: Path) -> None:
    file = tmp_path / "ball.toml"
    file.write_text(BALL)
    scene = zg.load(file)
    assert (scene.name, scene.description, scene.until, scene.every) == ("ball", "A ball falls.", 1.0, 0.05)
    world = scene.world()
    own = zg.simulate(world, until=1.0, every=0.05)
    run = zg.simulate(scene)
    assert world.hash == own.hash == run.hash and same_bits(own.poses, run.poses)
    falling = run.t < 0.4
    assert np.abs(run["ball"].xyz[falling, 2] - (1 - 0.5 * 9.81 * run.t[falling] ** 2)).max() < 1e-9


def test_what_is_added_to_the_world_of_a_scene_keeps_what_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(URDF)
    world = zg.load(file, base="fixed").world()
    world.set_motor("rod", effort=50.0)  # before the start: the limits of the joint stay
    run = zg.simulate(world, until=2.0)
    reached = [event for event in run.events if event.kind == "limit_reached"]
    assert reached and reached[0].bodies == ["rod"] and reached[0]["side"] == "upper"
    assert np.abs(run["rod"].quat[:, 1]).max() <= np.sin(0.5) + 1e-6
    # Joints are not in files: the number of the limit is.
    run.save(tmp_path)
    (read, *_) = [event for event in zg.open(tmp_path).events if event.kind == "limit_reached"]
    assert (read.t, read["limit"], read["approach"]) == (reached[0].t, reached[0]["limit"], reached[0]["approach"])
    assert read.bodies == [] and "side" not in read.keys()


def test_the_base_of_a_robot_is_fixed_or_free_and_must_be_said(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(URDF)
    with pytest.raises(ValueError, match="fixed"):
        zg.load(file)
    with pytest.raises(ValueError, match='base is "flying"'):
        zg.load(file, base="flying")
    with pytest.raises(ValueError, match="base"):
        zg.load("bouncing-ball", base="free")


def test_a_run_of_a_scene_can_be_interrupted(sigint_raises: None) -> None:
    threading.Timer(0.2, signal.raise_signal, args=(signal.SIGINT,)).start()
    with pytest.raises(KeyboardInterrupt):
        zg.simulate(zg.load("heaving-deck"), until=1e6, every=10.0)


def test_a_function_that_is_watched_ends_the_run_of_a_scene_and_the_recording_says_so(tmp_path: Path) -> None:
    world = zg.load("bouncing-ball").world()
    world.add_event(lambda view: view.pose("ball").xyz[2] - 0.5, direction="falling", stop=True)
    run = zg.simulate(world, until=5.0)
    assert run.stopped and run.poses[0, 0, 2] > 0.5 and run.source == ""  # the text does not tell of the function
    run.save(tmp_path)
    read = zg.open(tmp_path)
    assert read.is_whole and read.reason == run.reason == "stopped by the user" and read.hash == world.hash
    assert read.events[-1].kind == "crossed" and world.poses[0, 2] == pytest.approx(0.5, abs=1e-9)


def test_a_bad_scene_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(BALL.replace('shape = "sphere:5cm"', 'shap = "sphere:5cm"'))
    number = file.read_text().splitlines().index('shap = "sphere:5cm"') + 1
    with pytest.raises(ValueError) as caught:
        zg.load(file)
    text = str(caught.value)
    assert f"bad.toml:{number}" in text and f'{number} | shap = "sphere:5cm"' in text and "^^^^" in text and "help: " in text


def test_a_world_that_cannot_start_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(BALL.replace("position = [0, 0, 1]", "position = [0, 0, 0]"))
    with pytest.raises(ValueError, match="ball"):
        zg.simulate(zg.load(file))


def test_a_file_that_is_not_there_is_told_with_the_scenes_that_are() -> None:
    with pytest.raises(FileNotFoundError, match="newtons-cradle"):
        zg.load("no-such-scene")
    with pytest.raises(FileNotFoundError, match="nowhere.zgr"):
        zg.open("nowhere.zgr")


def test_a_world_needs_a_time_and_other_things_are_not_simulated() -> None:
    with pytest.raises(TypeError, match="until"):
        zg.simulate(zg.World())
    with pytest.raises(TypeError, match="not int"):
        zg.simulate(3, until=1.0)


def test_a_scene_goes_by_the_method_that_is_told(tmp_path: Path) -> None:
    ball = zg.load("bouncing-ball")
    assert "contacts" not in zg.simulate(ball, until=0.1).info
    for method in ("stepping", "silvia"):
        run = zg.simulate(ball, until=0.6, method=method, step=2e-3)
        assert run.info["steps"] == 300 and run.info["contacts"]["unconverged"] == 0
        assert len(zg.simulate(ball, until=0.6, method=method).info["contacts"]) == 5

    file = tmp_path / "stepped.toml"
    file.write_text('[world]\nmethod = "silvia"\nstep = "5 ms"\n[[bodies]]\nname = "ball"\nshape = "sphere:5cm"\n')
    scene = zg.load(file)
    assert zg.simulate(scene, until=0.1).info["steps"] == 20
    assert zg.simulate(scene, until=0.1, step=1e-3).info["steps"] == 100
    assert "normal forces" in zg.simulate(scene, until=0.1, step=1e-3).info["method"][0]
    assert "friction cones" in zg.simulate(scene, until=0.1, method="stepping").info["method"][0]
    assert "contacts" not in zg.simulate(scene, until=0.1, method="events").info


def test_words_about_steps_that_have_no_meaning_are_refused() -> None:
    ball = zg.load("bouncing-ball")
    for words, text in (
        ({"step": 1e-3}, "'step' has no meaning for method"),
        ({"method": "events", "step": 1e-3}, "'step' has no meaning for method"),
        ({"method": "euler"}, "it must be auto, events, stepping, silvia"),
        ({"method": "silvia", "step": -1.0}, "'step' is -1 s: it must be above 0"),
    ):
        with pytest.raises(ValueError, match=text):
            zg.simulate(ball, until=0.1, **words)


def test_a_saved_run_is_read_back_bit_for_bit(run: zg.Run, tmp_path: Path) -> None:
    run.save(tmp_path / "ball.zgr")
    read = zg.open(tmp_path / "ball.zgr")
    assert type(read) is zg.Recording and isinstance(run, zg.Recording) and read.is_whole
    assert (read.scene, read.source, read.bodies, read.every) == (run.scene, run.source, run.bodies, run.every)
    assert read.hash == run.hash and read.hash is not None and read.reason == run.reason == ""
    for name in ("t", "poses", "velocities"):
        assert same_bits(getattr(read, name), getattr(run, name)), name
    for name in ("energy", "contacts"):
        mine, own = getattr(read, name), getattr(run, name)
        assert mine.keys() == own.keys()
        assert all(same_bits(mine[key], own[key]) for key in own), name
    assert len(run.contacts["frame"]) > 10 and set(map(tuple, run.contacts["bodies"])) == {(-1, 0)}
    assert run.events and read.events == run.events and read.info == run.info
    assert same_bits(read["ball"].xyz, run["ball"].xyz)
    # A copy is the same file; the folder of a run will do as well.
    read.save(tmp_path)
    assert (tmp_path / "recording.zgr").read_bytes() == (tmp_path / "ball.zgr").read_bytes()
    assert zg.Recording(str(tmp_path)).hash == run.hash


def test_a_run_that_goes_on_records_its_own_part(tmp_path: Path) -> None:
    world = zg.load("bouncing-ball").world()
    first, second = zg.simulate(world, until=1.0), zg.simulate(world, until=2.0)
    second.save(tmp_path / "second.zgr")
    read = zg.open(tmp_path / "second.zgr")
    assert read.t[0] == first.t[-1] == 1.0 and same_bits(read.poses, second.poses)
    assert all(event.t >= 1.0 for event in read.events) and read.events == second.events


def test_a_recording_that_was_cut_off_is_read_as_far_as_it_goes(run: zg.Run, tmp_path: Path) -> None:
    file = tmp_path / "cut.zgr"
    run.save(file)
    file.write_bytes(file.read_bytes()[:-10])
    cut = zg.open(file)
    assert not cut.is_whole and cut.hash is None and cut.info == {} and "cut off" in repr(cut)
    assert same_bits(cut.poses, run.poses)
    cut.save(tmp_path / "copy.zgr")
    assert not zg.open(tmp_path / "copy.zgr").is_whole


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.zgr"
    file.write_text("nothing of the kind, though long enough to be one")
    with pytest.raises(ValueError, match="text.zgr"):
        zg.open(file)


def test_npz_and_csv_hold_the_same_numbers(run: zg.Run, tmp_path: Path) -> None:
    run.to_npz(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as read:
        assert same_bits(read["t"], run.t) and same_bits(read["poses"], run.poses)
        assert same_bits(np.concatenate([read["velocities"], read["angular_velocities"]], axis=2), run.velocities)
        parts = [run.energy[name] for name in ("kinetic", "gravity", "springs")]
        assert same_bits(read["energy"], np.stack(parts, axis=1))
        assert list(read["bodies"]) == run.bodies
        assert np.array_equal(read["contact_frame"], run.contacts["frame"])
        assert same_bits(read["contact_gap"], run.contacts["gap"])
        assert same_bits(read["event_t"], np.array([event.t for event in run.events]))
    files = run.to_csv(tmp_path / "tables")
    assert sorted(file.name for file in files) == ["bodies.csv", "contacts.csv", "energy.csv", "events.csv", "points.csv", "shapes.csv"]
    table = np.genfromtxt(tmp_path / "tables" / "bodies.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert same_bits(np.ascontiguousarray(table["z"]), np.ascontiguousarray(run.poses[:, 0, 2]))


def test_pictures_are_what_their_names_say(run: zg.Run, tmp_path: Path) -> None:
    run.to_html(tmp_path / "ball.html")
    page = (tmp_path / "ball.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html") and "bouncing-ball" in page
    run.to_glb(tmp_path / "ball.glb")
    glb = (tmp_path / "ball.glb").read_bytes()
    length = int.from_bytes(glb[12:16], "little")
    assert glb[:4] == b"glTF" and int.from_bytes(glb[8:12], "little") == len(glb)
    assert json.loads(glb[20 : 20 + length])["animations"]
    for what in ("overview", "energy", "gaps", "forces", "touching", "steps"):
        run.plot(tmp_path / f"{what}.png", what)
        assert (tmp_path / f"{what}.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    run.plot(tmp_path / "energy.svg", what="energy")
    assert "<svg" in (tmp_path / "energy.svg").read_text(encoding="utf-8")
    # A recording draws what its run draws.
    run.save(tmp_path)
    zg.open(tmp_path).plot(tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == (tmp_path / "overview.png").read_bytes()


def test_pictures_that_cannot_be_made_are_refused(run: zg.Run, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="energy, gaps, forces, touching, steps, overview"):
        run.plot(tmp_path / "a.png", what="colours")
    with pytest.raises(ValueError, match=".png or .svg"):
        run.plot(tmp_path / "a.jpg")
    with pytest.raises(FileNotFoundError, match="no-folder"):
        run.to_html(tmp_path / "no-folder" / "a.html")
    with pytest.raises(FileNotFoundError, match="no-folder"):
        run.save(tmp_path / "no-folder" / "a.zgr")


def test_settings_with_which_time_does_not_advance_are_refused() -> None:
    ball = zg.load("bouncing-ball")
    with pytest.raises(ValueError, match="time does not advance"):
        zg.simulate(ball, until=1.0, method="stepping", step=1e-300)
    with pytest.raises(ValueError, match="time does not advance"):
        zg.simulate(ball, until=1e300, every=1e299)
    with pytest.raises(ValueError, match="frames"):
        zg.simulate(ball, until=1.0, every=1e-300)


def test_a_misspelt_scene_is_told_with_the_name_that_was_meant() -> None:
    with pytest.raises(FileNotFoundError, match="did you mean 'domino-row'"):
        zg.load("domno-row")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no device without an end")
def test_devices_without_an_end_are_refused() -> None:
    with pytest.raises(ValueError, match="not text"):
        zg.load("/dev/zero")
    with pytest.raises(OSError, match="not text"):
        zg.Motion.csv("/dev/zero")
    with pytest.raises(ValueError, match="not a recording"):
        zg.open("/dev/zero")


BOX = """
[run]
until = "0.5 s"
every = "50 ms"

[[fixed]]
name = "table"
shape = "box:4,4,0.2"
position = [0, 0, -0.1]

[[bodies]]
name = "box"
shapes = [{ name = "lid", shape = "box:0.4,0.2,0.1", position = [0, 0, 0.05] }]
"""


@pytest.mark.parametrize("method", ["events", "stepping", "silvia"])
def test_contact_points_and_names_are_in_runs_files_and_archives(tmp_path: Path, method: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(BOX)
    run = zg.simulate(zg.load(file), method=method)
    assert run.shapes == ["table", "lid"] and run.bodies == ["box"]
    points = run.points
    last = points["frame"] == len(run) - 1
    assert last.sum() >= 3  # corners of the box, not one resultant in its middle
    corners = np.abs(points["point"][last])
    assert np.abs(corners[:, 0] - 0.2).max() < 1e-6 and np.abs(corners[:, 1] - 0.1).max() < 1e-6
    assert points["bodies"][last].tolist() == [[-1, 0]] * int(last.sum())
    pairs = run.contacts["frame"] == len(run) - 1
    force = run.contacts["normal_force"][pairs] @ run.contacts["normal"][pairs] + run.contacts["friction_force"][pairs].sum(axis=0)
    assert np.abs(points["force"][last].sum(axis=0) - force).max() < 1e-9 * np.abs(force).max()
    run.save(tmp_path / "box.zgr")
    read = zg.open(tmp_path / "box.zgr")
    assert read.shapes == run.shapes and read.points["features"] == points["features"]
    assert all(same_bits(read.points[key], points[key]) for key in points if key != "features")
    run.to_npz(tmp_path / "box.npz")
    with np.load(tmp_path / "box.npz") as arrays:
        assert arrays["shapes"].tolist() == ["table", "lid"] and arrays["shape_body"].tolist() == [-1, 0]
        assert same_bits(arrays["point_force"], points["force"])
        assert arrays["shapes"][arrays["point_pair"][-1]].tolist() == ["table", "lid"]
    table = next(path for path in run.to_csv(tmp_path / "tables") if path.name == "points.csv")
    header, first = table.read_text().splitlines()[:2]
    row = dict(zip(header.split(","), first.split(","), strict=True))
    assert (row["shape_a"], row["shape_b"], row["body_a"], row["body_b"]) == ("table", "lid", "world", "box")


def test_a_fixed_shape_of_a_world_has_the_name_that_it_is_given() -> None:
    world = zg.World()
    world.fixed(zg.halfspace((0, 0, 1), 0), name="ground")
    world.fixed(zg.sphere(0.1), pose=zg.pose((5, 0, 0.1)))
    world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 0.1)))
    assert zg.simulate(world, until=0.01).shapes == ["ground", "fixed shape 1", "ball"]
