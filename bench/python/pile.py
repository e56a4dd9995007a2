"""A scene of contact in MuJoCo, for src/bin/pile.rs.

    python pile.py STEPS LOOK WALL [POSES]

Standard input: one line with the reach of every body [m], then the model. Standard output: the version, then for every LOOK steps one line with the time they took [s], the speed of the fastest point [m/s] and
the number of contacts, and one line with the poses of all bodies (x y z qx qy qz qw) unless POSES is 0. The run ends after WALL seconds at most. Times are of the processor, on one thread.
"""

import sys
import time

import mujoco
import numpy as np

steps, look, wall = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
has_poses = len(sys.argv) < 5 or sys.argv[4] != "0"
reach = np.array(sys.stdin.readline().split(), float)
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
bodies = np.array([model.body(f"b{k}").id for k in range(len(reach))])


def fastest():
    """The speed that no point of any body exceeds [m/s], and everything in its place."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    spin, linear = data.cvel[bodies, :3], data.cvel[bodies, 3:]
    # Velocities are given at the centre of mass of the tree.
    arm = data.xpos[bodies] - data.subtree_com[model.body_rootid[bodies]]
    speed = np.linalg.norm(linear + np.cross(spin, arm), axis=1) + np.linalg.norm(spin, axis=1) * reach
    return speed.max()


print(mujoco.__version__)
begin = time.perf_counter()
for _ in range(steps // look):
    if time.perf_counter() - begin > wall:
        break
    start = time.thread_time()
    mujoco.mj_step(model, data, nstep=look)
    taken = time.thread_time() - start
    contacts = data.ncon
    print(repr(taken), repr(float(fastest())), contacts)
    if has_poses:
        # Quaternions as (x, y, z, w).
        rows = np.hstack([data.xpos[bodies], data.xquat[bodies][:, [1, 2, 3, 0]]])
        print(" ".join(repr(float(value)) for value in rows.ravel()))
