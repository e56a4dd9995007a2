"""Draws docs/images/chain-energy.png and .svg: the energy of chains over a million steps of time stepping.

Run with matplotlib installed: ``python docs/images/chain-energy.py``. The numbers come from ``cargo run --release --bin energy`` in bench/, kept as
bench/results/amd-epyc-2-cores/chain-energy.csv.
"""

import csv
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "bench" / "results" / "amd-epyc-2-cores" / "chain-energy.csv"
COLOURS = ["#c00000", "#1f77b4", "#777777"]


def main() -> None:
    plt.rcParams["svg.hashsalt"] = "chain-energy"
    curves: dict[int, list[tuple[int, float]]] = {}
    with TABLE.open(newline="") as file:
        for row in csv.DictReader(file):
            curves.setdefault(int(row["links"]), []).append((int(row["step"]), float(row["off"])))
    figure, axes = plt.subplots(figsize=(9, 3.6), dpi=110)
    for colour, (links, points) in zip(COLOURS, curves.items()):
        steps, off = zip(*points)
        axes.plot(steps, off, color=colour, linewidth=1.1, label=f"{links} links")
    axes.set_xlabel("steps of 1 ms")
    axes.set_ylabel("energy less that at the start,\nover that of the swing [-]")
    axes.grid(True, linewidth=0.4)
    axes.legend(fontsize=9)
    figure.tight_layout()
    # No date and no version inside: the same numbers give the same file.
    figure.savefig(HERE / "chain-energy.png", metadata={"Software": None})
    figure.savefig(HERE / "chain-energy.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
