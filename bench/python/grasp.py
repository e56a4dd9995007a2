"""The arm of scenes/robots that picks, carries, shakes and holds a box, in MuJoCo: how far the box moves against the pads.

    python grasp.py SCENES/robots [SECONDS]

With the defaults, with elliptic cones and an impratio of 10, and with ten noslip iterations as well; each with the armature that the file has, and without any. `carried` is from the grip at 1.4 s to the end of shaking at 7 s, `crept` over the
seconds of holding after that, 60 by default.
"""

import sys
from pathlib import Path

import mujoco
import numpy as np

folder = Path(sys.argv[1])
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
course = np.genfromtxt(folder / "picks-box.csv", delimiter=",", skip_header=1)


def run(settings: dict, has_armature: bool) -> str:
    model = mujoco.MjModel.from_xml_path(str(folder / "gripper-arm.xml"))
    for name, value in settings.items():
        setattr(model.opt, name, value)
    if not has_armature:
        model.dof_armature[:] = 0
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    left, right, box = (model.body(name).id for name in ("left", "right", "box"))

    def grasp() -> np.ndarray:
        middle = (data.xpos[left] + data.xpos[right]) / 2
        return data.xmat[left].reshape(3, 3).T @ (data.xpos[box] - middle)

    places = []
    for until in (1.4, 7.0, 7.0 + seconds):
        while data.time < until - 1e-9:
            data.ctrl[:] = [np.interp(data.time, course[:, 0], column) for column in course[:, 1:].T]
            mujoco.mj_step(model, data)
        places.append(grasp())
    carried, crept = (1e3 * np.linalg.norm(b - a) for a, b in zip(places, places[1:]))
    is_held = data.xpos[box][2] > 0.1
    return f"carried {carried:.3f} mm, crept {crept:.4f} mm in {seconds:g} s" if is_held else "lost"


elliptic = {"cone": mujoco.mjtCone.mjCONE_ELLIPTIC, "impratio": 10}
print("MuJoCo", mujoco.__version__)
for has_armature in (True, False):
    print("armature of the file" if has_armature else "without armature")
    for name, settings in (("defaults", {}), ("elliptic, impratio 10", elliptic), ("and noslip 10", {**elliptic, "noslip_iterations": 10})):
        print(f"  {name}: {run(settings, has_armature)}")
