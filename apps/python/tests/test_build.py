"""Building worlds: many bodies, and files that are nested without end."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import zerogap as zg


def grid(count: int) -> np.ndarray:
    side = int(np.ceil(count ** (1 / 3)))
    return 0.3 * np.stack(np.unravel_index(np.arange(count), (side, side, side)), axis=1)


@pytest.mark.parametrize("method", ["events", "stepping"])
def test_many_separate_balls_are_built_without_exact_gaps(method: str) -> None:
    world = zg.World() if method == "events" else zg.World(method="stepping")
    world.fixed(zg.halfspace((0, 0, 1), -1))
    ball = zg.sphere(0.1)
    places = grid(5000)
    for k, place in enumerate(places):
        world.body(f"b{k}", ball, pose=zg.pose(place))
    assert world.info["start_gaps"] == 0
    np.testing.assert_array_equal(world.poses[:, :3], places)


@pytest.mark.parametrize(
    ("kind", "count", "said"),
    [("body", 5000, "5000 bodies"), ("body", 30000, "nested more than 10000 deep"), ("default", 20000, "nested more than 100 deep")],
)
def test_deeply_nested_robots_do_not_end_the_interpreter(tmp_path: Path, kind: str, count: int, said: str) -> None:
    bodies = "".join(
        f'<body name="b{k}" pos="0.1 0 0"><joint axis="0 1 0"/><geom size="0.01"/>' for k in range(count if kind == "body" else 1)
    )
    ends = "</body>" * (count if kind == "body" else 1)
    classes = "".join(f'<default class="c{k}">' for k in range(count if kind == "default" else 0))
    classes += "</default>" * (count if kind == "default" else 0)
    file = tmp_path / "deep.xml"
    file.write_text(f"<mujoco>{classes}<worldbody>{bodies}{ends}</worldbody></mujoco>")
    program = (
        "import sys, zerogap as zg\n"
        "try:\n    print(len(zg.load(sys.argv[1]).world().names), 'bodies')\n"
        "except ValueError as error:\n    print(error)\n"
    )
    # A program of its own: a stack that overflows would take this one with it.
    run = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert said in run.stdout
