"""Draws oriented.png: how often the surface that was hit is taken for another one, and how hard a landing is by the phase of the heave.

    python docs/images/oriented.py
"""

import csv
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

here = pathlib.Path(__file__).parent
rows = list(csv.DictReader(open(here / "oriented.csv")))
step = [float(row["step"]) for row in rows]
share = lambda name: [100 * float(row[name]) for row in rows]
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), constrained_layout=True)
left.semilogx(step, share("ever"), "s-", color="#c0392b", label="nearest surface, at some point inside")
left.semilogx(step, share("nearest"), "o-", color="#e59866", label="nearest surface, at the first point inside")
left.semilogx(step, share("history"), "^-", color="#2471a3", label="oriented, by steps")
left.semilogx(step, share("located"), "k--", label="oriented, entries located")
left.set_xlabel("step [s]")
left.set_ylabel("wrong surface [% of ways]")
left.legend(fontsize=8)
left.grid(alpha=0.3)
landings = list(csv.DictReader(open(here / "touchdown.csv")))
right.plot([float(row["phase_deg"]) for row in landings], [float(row["largest_force_kN"]) for row in landings], color="#2471a3")
right.set_xlabel("phase of the heave at the start [deg]")
right.set_ylabel("largest force on a skid [kN]")
right.set_ylim(bottom=0)
right.grid(alpha=0.3)
figure.savefig(here / "oriented.png", dpi=110)
