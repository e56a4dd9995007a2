"""A robot under position control in MuJoCo, for src/bin/robots.rs.

    python robots.py STEPS EVERY

Standard input: one line for each actuator with middle, amplitude, rate and phase of its target, an empty line, then the model. Standard output: the version, then for every EVERY steps, at whose start the targets are
set, one line with the time they took [s], the number of contacts, the warnings so far and the positions of all joints. Times are of the processor, on one thread.
"""

import sys
import time

import mujoco
import numpy as np

steps, every = int(sys.argv[1]), int(sys.argv[2])
swings = []
while line := sys.stdin.readline().strip():
    swings.append([float(word) for word in line.split()])
middle, amplitude, rate, phase = np.array(swings).T
model = mujoco.MjModel.from_xml_string(sys.stdin.read())
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
print(mujoco.__version__)
for look in range(steps // every):
    data.ctrl[:] = middle + amplitude * np.sin(2 * np.pi * rate * (look * every * model.opt.timestep) + phase)
    start = time.thread_time()
    mujoco.mj_step(model, data, nstep=every)
    taken = time.thread_time() - start
    warnings = sum(warning.number for warning in data.warning)
    print(repr(taken), data.ncon, warnings, " ".join(repr(float(value)) for value in data.qpos))
