"""Draws calm.png: a cube at rest by all its quasi-LMDs and by its deepest point alone.

    cargo run --release --example calm > calm.csv
    python docs/images/calm.py calm.csv
"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rows = list(csv.DictReader(open(sys.argv[1])))
column = lambda name: [float(row[name]) for row in rows]
t = column("t")
figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), constrained_layout=True)
floor = lambda values: [max(abs(v), 1e-16) for v in values]
for axis, what, unit in [(axes[0], "tilt", "tilt [rad]"), (axes[1], "height", "height above rest [m]")]:
    axis.semilogy(t, floor(column(f"single_{what}")), color="#c0392b", lw=0.8, label="deepest point alone")
    axis.semilogy(t, floor(column(what)), color="#2471a3", lw=1.2, label="quasi-LMDs")
    axis.set_xlabel("time [s]")
    axis.set_ylabel(unit)
    axis.grid(alpha=0.3)
axes[0].legend(loc="center right")
figure.savefig(pathlib.Path(__file__).with_name("calm.png"), dpi=110)
