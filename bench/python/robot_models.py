"""Robot models that are left to themselves: time stepping beside MuJoCo, model by model in one run.

    python robot_models.py DRIVER FOLDER [PART]

DRIVER is the test binary `robots_by_stepping`, FOLDER the folder of the models; PART chooses models by a part of their names. Both engines run two seconds at the step of the file (1 ms for a URDF), motors off, with the floor that
the driver puts under free bases; MuJoCo with its defaults otherwise. Standard output: one line for each model, then the medians. Times are of the processor, on one thread; our driver loads the model first, outside of the time.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import mujoco


def text_of(path: Path) -> str:
    """The text of a URDF with names of packages as folders, and what MuJoCo needs to take it."""
    text = path.read_text()

    def found(match: re.Match) -> str:
        for folder in path.parents:
            if (folder / match[1]).is_dir():
                return str(folder / match[1])
        return match[0]

    text = re.sub(r"package://([^/\"]+)", found, text)
    compiler = '<mujoco><compiler strippath="false" discardvisual="true" fusestatic="false" balanceinertia="true" boundmass="1e-6" boundinertia="1e-9"/></mujoco>'
    return re.sub(r"(<robot[^>]*>)", lambda match: match[1] + compiler, text, count=1)


def spec_of(path: Path, row: dict) -> mujoco.MjSpec:
    if path.suffix != ".urdf":
        return mujoco.MjSpec.from_file(str(path))
    os.chdir(path.parent)
    spec = mujoco.MjSpec.from_string(text_of(path))
    if row["floor"] is not None:
        for body in spec.worldbody.bodies:
            body.add_freejoint()
    return spec


def seconds_of_mujoco(path: Path, row: dict) -> float:
    spec = spec_of(path, row)
    if row["floor"] is not None:
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=[0, 0, row["floor"]])
    model = spec.compile()
    model.opt.timestep = row["step"]
    model.actuator_gainprm[:] = 0
    model.actuator_biasprm[:] = 0
    data = mujoco.MjData(model)
    start = time.thread_time()
    mujoco.mj_step(model, data, nstep=row["steps"])
    return time.thread_time() - start


driver, folder = sys.argv[1], Path(sys.argv[2])
part = sys.argv[3] if len(sys.argv) > 3 else ""
files = sorted(path for ending in ("xml", "urdf") for path in folder.rglob(f"*.{ending}"))
ratios = []
for path in files:
    name = str(path.relative_to(folder))
    if part not in name:
        continue
    asked = {**os.environ, "ZEROGAP_ROBOT": name, "ZEROGAP_ROWS": "1", "RAYON_NUM_THREADS": "1"}
    asked.setdefault("ZEROGAP_SECONDS", "2")
    done = subprocess.run([driver, "--nocapture"], env=asked, capture_output=True, text=True)
    rows = [json.loads(line[4:]) for line in done.stdout.splitlines() if line.startswith("ROW ")]
    for row in (row for row in rows if row["file"] == name):
        try:
            own = seconds_of_mujoco(path, row)
            beside = f"{own:.3f}"
        except Exception as error:
            own, beside = None, f"refused: {str(error).splitlines()[0][:60]}"
        ratio = own / row["seconds"] if own and not row["wrong"] else None
        if ratio:
            ratios.append(ratio)
        print(f"{name},{row['step']},{row['steps']},{row['seconds']:.3f},{beside},{'' if ratio is None else f'{ratio:.2f}'},{row['gained']:.1e},{row['unconverged']},{row['solves']},{row['wrong'] or ''}", flush=True)
    if not rows:
        print(f"{name},,,,,,,,,{[line for line in done.stdout.splitlines() if 'refused' in line][:1] or done.stderr[-200:]}", flush=True)
if ratios:
    print(f"median of MuJoCo's time over ours: {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}, {len(ratios)} models")
