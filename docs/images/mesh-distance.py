"""Draws docs/images/mesh-distance.png: bounds that close over a search, and the time of a query by bounding volume.

Run with matplotlib and zerogap installed: ``python docs/images/mesh-distance.py [FOLDER]``. FOLDER is bench/results/<machine>, where ``cargo run --release --bin mesh -- volumes`` keeps
mesh-volumes.csv; it may be left out where there is one machine only.
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import zerogap as zg

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "bench" / "results"
SIZES = {"1k": 1e3, "10k": 1e4, "100k": 1e5}
COLOURS = {"obb": "#c00000", "sphere": "#1f77b4", "aabb": "#2ca02c", "14-dop": "#9467bd", "18-dop": "#8c564b", "26-dop": "#e377c2"}


def only_machine() -> Path:
    folders = sorted(path.parent for path in RESULTS.glob("*/mesh-volumes.csv"))
    if len(folders) != 1:
        sys.exit(f"name the folder: {len(folders)} machines have a mesh-volumes.csv under {RESULTS}")
    return folders[0]


def bounds(order: str) -> tuple[list[int], list[float], list[float]]:
    """Lower and upper bound [mm] of a crankshaft beside a connecting rod after ever more pairs of nodes."""
    a, b = zg.parts.crankshaft(), zg.parts.connecting_rod()
    pose = zg.pose(xyz=(0.02, 0.11, 0.05), quat=(0.3, 0.2, 0.1, 0.9))
    budgets, lower, upper = [], [], []
    budget = 1
    while True:
        found = zg.distance(a, b, pose_b=pose, budget=budget, order=order)
        budgets.append(budget)
        lower.append(1e3 * found.lower)
        upper.append(1e3 * found.upper)
        if found.status == "exact":
            return budgets, lower, upper
        budget = max(budget + 1, int(1.15 * budget))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else only_machine()
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.2), dpi=110)
    for order, style in (("best-first", "-"), ("depth-first", "--")):
        budgets, lower, upper = bounds(order)
        left.semilogx(budgets, upper, style, color="#c00000", label=f"upper, {order}")
        left.semilogx(budgets, lower, style, color="#1f77b4", label=f"lower, {order}")
        if order == "best-first":
            left.fill_between(budgets, lower, upper, color="#999999", alpha=0.2, linewidth=0)
    left.set_xlabel("pairs of nodes looked at")
    left.set_ylabel("distance of crankshaft and rod [mm]")
    left.set_ylim(bottom=0)
    left.legend(fontsize=8, frameon=False)
    with (folder / "mesh-volumes.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["rule"] == "SurfaceArea" and row["order"] == "DepthFirst"]
    for kind, style in (("apart", "-"), ("linked", "--")):
        for volume, colour in COLOURS.items():
            points = [
                (SIZES[row["row"].split()[1]], float(row["median_us"]))
                for row in rows
                if row["volume"] == volume and row["row"].split()[0] == kind and row["row"].split()[1] in SIZES
            ]
            right.loglog(*zip(*sorted(points)), style, color=colour, marker="o", markersize=3, label=volume if kind == "apart" else None)
    right.set_xlabel("triangles of each mesh (bumpy tori; apart, and dashed linked)")
    right.set_ylabel("time per query [µs]")
    right.legend(fontsize=8, frameon=False)
    for axes in (left, right):
        axes.grid(True, which="major", linewidth=0.4)
    figure.tight_layout()
    figure.savefig(HERE / "mesh-distance.png")
    print(f"wrote {HERE / 'mesh-distance.png'}")


if __name__ == "__main__":
    main()
