"""Draws docs/images/convergence.png and .svg: errors over the tolerance, for a motion without events and two with ten touches.

Run with matplotlib installed: ``python docs/images/convergence.py``. The numbers in convergence.csv beside it come from
``ZEROGAP_CSV=$PWD/docs/images/convergence.csv cargo test -p zerogap --test world_convergence``.
"""

import csv
import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HERE = Path(__file__).resolve().parent
TITLES = {
    "pendulum": "three-link pendulum\nno events",
    "rigid impacts": "uneven ball, rigid, with friction\nten impacts",
    "elastic impacts": "uneven ball, Hertz contact\nten touches",
}
METHODS = {"dop853": ("#c00000", "explicit"), "radau": ("#1f77b4", "implicit")}  # with colours and names
QUANTITIES = {"state_error": ("state at the end", "-", "o"), "time_error": ("times of events [s]", "--", "D")}


def slope(x: list[float], y: list[float]) -> float:
    """Of the line through the logarithms, by least squares."""
    x, y = [math.log(v) for v in x], [math.log(v) for v in y]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def read() -> dict[tuple[str, str], list[dict[str, float]]]:
    """Rows by case and method."""
    curves: dict[tuple[str, str], list[dict[str, float]]] = {}
    with (HERE / "convergence.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            key = row.pop("case"), row.pop("method")
            curves.setdefault(key, []).append({name: float(value) for name, value in row.items()})
    return curves


def draw(axes: plt.Axes, case: str, curves: dict[tuple[str, str], list[dict[str, float]]]) -> None:
    for method, (colour, _) in METHODS.items():
        rows = curves[case, method]
        tolerance = [row["rtol"] for row in rows]
        for quantity, (_, line, marker) in QUANTITIES.items():
            errors = [row[quantity] for row in rows]
            if not all(errors):
                continue
            look = dict(color=colour, linestyle=line, marker=marker, markersize=4, linewidth=1.4)
            look["markerfacecolor"] = colour if quantity == "state_error" else "white"
            axes.loglog(tolerance, errors, **look, label=f"slope {slope(tolerance, errors):.2f}")
    # What goes exactly with the tolerance.
    ends = [1e-10, 1e-4]
    axes.loglog(ends, ends, color="#999999", linewidth=1, linestyle=":")
    axes.set_title(TITLES[case], fontsize=10)
    axes.set_xlabel("relative tolerance [-]")
    axes.grid(True, which="major", linewidth=0.4)
    axes.minorticks_off()
    axes.set_xticks([1e-10, 1e-8, 1e-6, 1e-4])
    axes.set_ylim(1e-12, 1e-1)
    axes.legend(fontsize=8, loc="upper left", handlelength=2.6, framealpha=0.9, edgecolor="none", borderpad=0.3)


def main() -> None:
    plt.rcParams["svg.hashsalt"] = "convergence"
    curves = read()
    figure, panels = plt.subplots(1, 3, figsize=(10, 4.3), dpi=110, sharey=True)
    for axes, case in zip(panels, TITLES):
        draw(axes, case, curves)
    panels[2].text(1.6e-7, 4e-8, "error = tolerance", fontsize=8, color="#777777", rotation=32, rotation_mode="anchor")
    panels[0].set_ylabel("largest error [m, m/s, rad/s; s]")
    keys = [plt.Line2D([], [], color=colour, linewidth=3, label=f"{method} ({kind})") for method, (colour, kind) in METHODS.items()]
    for quantity, (name, line, marker) in QUANTITIES.items():
        fill = "#444444" if quantity == "state_error" else "white"
        keys.append(plt.Line2D([], [], color="#444444", linestyle=line, marker=marker, markersize=4, markerfacecolor=fill, label=name))
    figure.legend(handles=keys, loc="lower center", ncols=4, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    # No date and no version inside: the same numbers give the same file.
    figure.savefig(HERE / "convergence.png", metadata={"Software": None})
    figure.savefig(HERE / "convergence.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
