"""A pile of boxes in MuJoCo, for src/bin/pile.rs: centres on standard input, one a line; the time taken, the end speed and all sampled poses on standard output."""

import sys
import time

import mujoco
import numpy as np

step, steps, look, edge, friction = (float(word) for word in sys.argv[1:6])
centers = np.loadtxt(sys.stdin, ndmin=2)
half = 0.5 * edge
bodies = "".join(
    f'<body pos="{x!r} {y!r} {z!r}"><freejoint/><geom type="box" size="{half} {half} {half}" mass="1"/></body>'
    for x, y, z in centers.tolist()
)
model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{step}" gravity="0 0 -9.81"/>
  <size memory="1G"/>
  <default><geom friction="{friction} 0.005 0.0001"/></default>
  <worldbody><geom type="plane" size="50 50 1"/>{bodies}</worldbody>
</mujoco>""")
data = mujoco.MjData(model)
wall, poses = 0.0, []
for _ in range(int(steps) // int(look)):
    begin = time.perf_counter()
    mujoco.mj_step(model, data, nstep=int(look))
    wall += time.perf_counter() - begin
    poses.append(data.qpos.copy())
velocities = data.qvel.reshape(-1, 6)
fastest = (np.linalg.norm(velocities[:, :3], axis=1) + np.linalg.norm(velocities[:, 3:], axis=1) * edge * 0.75**0.5).max()
print(mujoco.__version__, wall, fastest)
for row in poses:
    print(" ".join(repr(float(value)) for value in row))
