"""What terrain costs against a flat floor: processor time a step and memory, for docs/terrain.md.

    python terrain.py ZEROGAP [--large] [--rounds 3] [--steps 500]

Runs the command on scenes that it writes to a temporary folder: parts that fall and settle, four-legged bodies that stand and slide on their feet, and bullets of 8 mm at 30 m/s, by steps of 1 ms, on a half-space, on height
fields and on open meshes as terrain (`sides = "one"`) of the same hills. Times are of the processor (user), one thread; those of a run of a single step of the same scene are taken off, which are the reading of the file and the making of its
hierarchy, and shown beside. Grounds are run in turn, so that other load on the machine meets all alike; the least of the rounds counts. Nothing may come through: the lowest middle of a body is compared with the hills below it.
"""

import argparse
import csv
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

EXTENT = 20.0  # [m]
HILL = 0.15  # [m]


def height(x, y):
    return HILL * math.sin(1.3 * x) * math.cos(1.1 * y) + 0.1 * HILL * math.sin(9.0 * x + 5.0 * y)


def field(path, nodes):
    step = EXTENT / (nodes - 1)
    at = [k * step - 0.5 * EXTENT for k in range(nodes)]
    with open(path, "w") as file:
        for y in at:
            file.write(",".join(f"{height(x, y):.6g}" for x in at) + "\n")
    return f'shape = "heightfield:{path.name},{step!r},{step!r},1"'


def mesh(path, triangles):
    nodes = round(math.sqrt(triangles / 2)) + 1
    step = EXTENT / (nodes - 1)
    at = [k * step - 0.5 * EXTENT for k in range(nodes)]
    with open(path, "w") as file:
        for y in at:
            file.writelines(f"v {x:.9g} {y:.9g} {height(x, y):.9g}\n" for x in at)
        for j in range(nodes - 1):
            for i in range(nodes - 1):
                a = j * nodes + i + 1
                file.write(f"f {a} {a + 1} {a + nodes + 1}\nf {a} {a + nodes + 1} {a + nodes}\n")
    return f'shape = "{path.name}"\nscale = 1\ncollision = "mesh"\nsides = "one"\nmax_depth = "1 m"'


PARTS = ["box:0.1,0.08,0.06", "sphere:0.05", "capsule:0.03,0.1", "cylinder:0.05,0.08", "part:gear", "part:l-prism"]


def parts(rng):
    """50 parts, in no special orientation, half a metre apart."""
    for k in range(50):
        x, y = 0.5 * (k % 10) - 2.25, 0.5 * (k // 10) - 1.0
        axis = [rng.gauss(0, 1) for _ in range(3)]
        shape = PARTS[k % len(PARTS)]
        collision = 'collision = "mesh"\n' if shape.startswith("part:") else ""
        yield f"""[[bodies]]
name = "part {k}"
shape = "{shape}"
{collision}position = [{x}, {y}, {height(x, y) + 0.35}]
rotation = {{ axis = {axis}, angle = {rng.uniform(0, math.pi)} }}
"""


def walkers(_):
    """Ten bodies on four round feet each, set down at 0.3 m/s."""
    for k in range(10):
        x, y = 1.2 * (k % 5) - 2.4, 1.2 * (k // 5) - 0.6
        yield f'[[bodies]]\nname = "walker {k}"\nposition = [{x}, {y}, {height(x, y) + 0.6}]\nvelocity = [0.3, 0, 0]\n'
        yield '[[bodies.shapes]]\nshape = "box:0.5,0.2,0.1"\n'
        for side in (-1, 1):
            for end in (-1, 1):
                yield f'[[bodies.shapes]]\nshape = "capsule:0.02,0.26"\nposition = [{0.2 * end}, {0.12 * side}, -0.15]\n'


def bullets(rng):
    """50 balls of 8 mm that come down at 30 m/s."""
    for k in range(50):
        x, y = 0.4 * (k % 10) - 1.8, 0.4 * (k // 10) - 0.8
        yield f"""[[bodies]]
name = "bullet {k}"
shape = "sphere:0.004"
position = [{x}, {y}, {1.0 + rng.uniform(0, 1)}]
velocity = [{rng.uniform(-10, 10)}, 0, -28]
"""


def run(command, folder, scene, until):
    out = folder / "out"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = dict(os.environ, RAYON_NUM_THREADS="1")
    words = [command, "run", scene, "--out", out, "--overwrite", "--until", f"{until}", "--every", "0.1"]
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{scene}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, out


def peak(command, folder, scene):
    """Largest memory of a run [MB]."""
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], capture_output=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    words = [sys.executable, "-c", code, command, "run", scene, "--out", "out", "--overwrite", "--until", "0.02"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return int(done.stdout) / 1024


def depth(command, out, is_flat):
    """How far the middle of a body was below the ground at most [m], negative above it."""
    subprocess.run([command, "export", out, out / "tables"], capture_output=True, check=True)
    with open(out / "tables" / "bodies.csv") as file:
        rows = [[float(row[c]) for c in "xyz"] for row in csv.DictReader(file)]
    inside = [(x, y, z) for x, y, z in rows if max(abs(x), abs(y)) < 0.5 * EXTENT]
    return max((0.0 if is_flat else height(x, y)) - z for x, y, z in inside)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zerogap")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=500, help="of 1 ms")
    asked = parser.parse_args()
    command = str(Path(asked.zerogap).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        grounds = {"half-space": 'shape = "halfspace:0,0,1,0"'}
        for nodes in [100, 1000] + ([3000] if asked.large else []):
            grounds[f"field {nodes} x {nodes}"] = field(folder / f"f{nodes}.csv", nodes)
        for triangles in [10_000, 100_000] + ([1_000_000] if asked.large else []):
            grounds[f"mesh of {triangles:,}"] = mesh(folder / f"m{triangles}.obj", triangles)
        print(f"{'what':10} {'ground':20} {'ms a step':>10} {'ratio':>6} {'start [s]':>10} {'MB':>6} {'deepest [m]':>12}")
        for what, bodies in [("parts", parts), ("walkers", walkers), ("bullets", bullets)]:
            for number, text in enumerate(grounds.values()):
                head = '[world]\nmethod = "stepping"\nstep = "1 ms"\n[run]\nuntil = 1\n[[pairs]]\nmaterials = ["steel", "steel"]\nfriction = 0.5\nrestitution = 0.2\nrolling = 0.02\n'
                ground = f'[[fixed]]\nname = "ground"\n{text}\n'
                (folder / f"{what}{number}.toml").write_text(head + ground + "\n".join(bodies(random.Random(7))))
            least = {}
            for _ in range(asked.rounds):
                for number, ground in enumerate(grounds):
                    scene = f"{what}{number}.toml"
                    start, _ = run(command, folder, scene, 1e-3)
                    whole, out = run(command, folder, scene, asked.steps * 1e-3)
                    old = least.get(ground, (math.inf, math.inf, 0.0))
                    deepest = depth(command, out, number == 0)
                    least[ground] = (min(old[0], whole), min(old[1], start), max(old[2], deepest) if old[2] else deepest)
            flat = least["half-space"][0] - least["half-space"][1]
            for number, (ground, (whole, start, deepest)) in enumerate(least.items()):
                memory = peak(command, folder, f"{what}{number}.toml")
                spent = whole - start
                print(f"{what:10} {ground:20} {1e3 * spent / asked.steps:10.3f} {spent / flat:6.2f} {start:10.2f} {memory:6.0f} {deepest:12.4f}", flush=True)


main()
