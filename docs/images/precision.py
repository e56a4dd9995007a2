"""Draws docs/images/precision.png and .svg: what an answer costs by how good it is, for located events, time stepping and rapier3d-f64.

Run with matplotlib installed: ``python docs/images/precision.py``. The numbers come from ``cargo run --release --bin precision`` in bench/, kept as
bench/results/amd-epyc-2-cores/precision.csv.
"""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "bench" / "results" / "amd-epyc-2-cores" / "precision.csv"
TITLES = {"bounce": "ball bounces, 1.9 s, restitution 0.9\nerror of its height", "roll": "ball slides, then rolls, 2 s, friction 0.2\nerror of its way"}
METHODS = {"events": ("#c00000", "o", "zerogap, located events"), "stepping": ("#1f77b4", "s", "zerogap, time stepping"), "rapier3d-f64": ("#777777", "D", "rapier3d-f64")}
# Errors below this are rounding.
FLOOR = 1e-16


def read() -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Times and errors by motion and method."""
    curves: dict[tuple[str, str], list[tuple[float, float]]] = {}
    with TABLE.open(newline="") as file:
        for row in csv.DictReader(file):
            point = float(row["time_ms"]), max(float(row["error_m"]), FLOOR)
            curves.setdefault((row["motion"], row["method"]), []).append(point)
    return curves


def main() -> None:
    plt.rcParams["svg.hashsalt"] = "precision"
    curves = read()
    figure, panels = plt.subplots(1, 2, figsize=(9, 4.2), dpi=110, sharey=True)
    for axes, (motion, title) in zip(panels, TITLES.items()):
        for method, (colour, marker, name) in METHODS.items():
            times, errors = zip(*curves[motion, method])
            axes.loglog(times, errors, color=colour, marker=marker, markersize=4.5, linewidth=1.4, label=name)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("time of the run [ms]")
        axes.set_ylim(1e-17, 1)
        axes.grid(True, which="major", linewidth=0.4)
        axes.minorticks_off()
    panels[0].set_ylabel("error at the end [m]")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=3, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    # No date and no version inside: the same numbers give the same file.
    figure.savefig(HERE / "precision.png", metadata={"Software": None})
    figure.savefig(HERE / "precision.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
