"""Draws oriented-speed.png: tests of an initiator against a surface per second, by form and number of initiators.

    python docs/images/oriented-speed.py
"""

import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

here = pathlib.Path(__file__).parent
rows = list(csv.DictReader(open(here / "../../bench/results/amd-epyc-2-cores/oriented.csv")))
figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True, constrained_layout=True)
ways = [
    ("conditional_M/s", "o-", "#c0392b", "by conditions (Algorithm 1)"),
    ("guards_M/s", "s-", "#2471a3", "by guards (Algorithm 2)"),
    ("culled_M/s", "^-", "#7fb3d5", "by guards, with culling"),
]
for axis, reach, title in zip(axes, ["2.5", "25"], ["one in 8 inside", "one in 800 inside"]):
    of = [row for row in rows if row["reach"] == reach]
    for name, mark, color, label in ways:
        axis.loglog([int(r["initiators"]) for r in of], [float(r[name]) for r in of], mark, color=color, label=label)
    axis.set_title(title, fontsize=10)
    axis.set_xlabel("initiators [-]")
    axis.grid(alpha=0.3)
axes[0].set_ylabel("tests per second [millions]")
axes[0].legend(fontsize=8)
figure.savefig(here / "oriented-speed.png", dpi=110)
