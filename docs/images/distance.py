"""Draws docs/images/distance.png: largest error and time per query over the number of vertices, zerogap and its peers.

Run with matplotlib installed: ``python docs/images/distance.py [FOLDER]``. FOLDER is bench/results/<machine>, where ``bench/narrow/run``
keeps narrow-w2.csv; it may be left out where there is one machine only.
"""

import csv
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "bench" / "results"
REGIMES = {"deep": "-", "disjoint": "--"}  # with their line styles
COLOURS = {"zerogap": "#c00000", "parry": "#1f77b4", "coal": "#2ca02c", "coal-tight": "#98df8a", "mujoco": "#9467bd", "mujoco-it1000": "#c5b0d5"}
LEAST_ERROR = 1e-17  # where an error of 0 is drawn, relative to the size [-]


def only_machine() -> Path:
    folders = sorted(path.parent for path in RESULTS.glob("*/narrow-w2.csv"))
    if len(folders) != 1:
        sys.exit(f"name the folder: {len(folders)} machines have a narrow-w2.csv under {RESULTS}")
    return folders[0]


def read(path: Path) -> dict[tuple[str, str], list[tuple[int, float, float]]]:
    """Vertices, largest error and time [µs] by engine and regime."""
    curves: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            group = re.search(r"V=(\d+)/(\w+)", row["group"])
            if group and group[2] in REGIMES:
                point = (int(group[1]), max(float(row["max_error"]), LEAST_ERROR), 1e-3 * float(row["ns"]))
                curves.setdefault((row["engine"], group[2]), []).append(point)
    return {key: sorted(points) for key, points in curves.items()}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else only_machine()
    curves = read(folder / "narrow-w2.csv")
    if not curves:
        sys.exit(f"no rows such as W2/V=8/deep in {folder / 'narrow-w2.csv'}")
    figure, (errors, times) = plt.subplots(1, 2, figsize=(10, 4.2), dpi=110)
    for (engine, regime), points in curves.items():
        vertices, error, time = zip(*points)
        look = dict(color=COLOURS.get(engine, "#777777"), linestyle=REGIMES[regime], marker="o", markersize=3)
        look["linewidth"] = 2.2 if engine == "zerogap" else 1.2
        errors.loglog(vertices, error, **look)
        times.loglog(vertices, time, **look, label=f"{engine}, {regime}")
    errors.set_ylabel("largest error / size [-]")
    times.set_ylabel("time per query [µs]")
    for axes in (errors, times):
        axes.set_xlabel("vertices of each hull")
        axes.grid(True, which="major", linewidth=0.4)
    figure.legend(*times.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(0.8, 0.5), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0, 0.8, 1))
    # No date and no version inside: the same numbers give the same file.
    figure.savefig(HERE / "distance.png", metadata={"Software": None})


if __name__ == "__main__":
    main()
