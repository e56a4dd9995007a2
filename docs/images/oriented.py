"""Draws docs/images/oriented.png: oriented collision against the minimum translation, in three checks and over 10,000 ways; and docs/images/touchdown.png: a landing by the phase of the heave.

Run with matplotlib and the zerogap package installed: ``python docs/images/oriented.py``. The curves come from docs/images/oriented.csv (``ZEROGAP_FULL=1 ZEROGAP_BLESS=1 cargo test -p zerogap-proximity --test
oriented_trajectories``) and docs/images/touchdown.csv (``cargo run --release --example touchdown_phase``); surfaces are answers of the library.
"""

import csv
import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import zerogap as zg

HERE = Path(__file__).resolve().parent
KEPT, NEAREST = "#1f77b4", "#c00000"


def walk(corners: list[tuple[float, float]], start: tuple[float, float], end: tuple[float, float], steps: int = 400) -> list[tuple[np.ndarray, int | None, int]]:
    """Points of a straight way, the surface that is kept and the nearest one."""
    way = [np.array(start) + s * (np.array(end) - np.array(start)) for s in np.linspace(0, 1, steps)]
    oriented = zg.Oriented([corners], [way[0]])
    found = []
    for point in way[1:]:
        touches = oriented.commit([point])
        kept = int(touches.surface[0]) if len(touches) else None
        found.append((point, kept, int(oriented.nearest([point])[0][0])))
    return found


def check(axes: plt.Axes, title: str, corners: list[tuple[float, float]], start: tuple[float, float], end: tuple[float, float], window: tuple[float, float, float, float], arrow: float) -> None:
    closed = [*corners, corners[0]]
    axes.fill(*zip(*closed), color="#e8e6e0")
    axes.plot(*zip(*closed), color="#555555", linewidth=1.2)
    found = walk(corners, start, end)
    points = np.array([point for point, _, _ in found])
    axes.plot(points[:, 0], points[:, 1], color="#999999", linewidth=1)
    held = [entry for entry in found if entry[1] is not None]
    for point, kept, nearest in held[:: max(1, len(held) // 7)]:
        for surface, colour in ((kept, KEPT), (nearest, NEAREST)):
            a, b = np.array(corners[surface]), np.array(corners[(surface + 1) % len(corners)])
            t = (b - a) / np.linalg.norm(b - a)
            n = np.array([-t[1], t[0]])
            if colour == NEAREST and nearest == kept:
                continue
            axes.annotate("", point + arrow * n, point, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0})
        axes.plot(*point, marker="o", markersize=2.5, color="#222222")
    axes.set_xlim(window[0], window[1])
    axes.set_ylim(window[2], window[3])
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_title(title, fontsize=9)
    axes.set_xticks([])
    axes.set_yticks([])


def rates(axes: plt.Axes) -> None:
    with (HERE / "oriented.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = [float(row["step"]) for row in rows]
    curves = [
        ("ever", "minimum translation, at some point inside", NEAREST, "--"),
        ("nearest", "minimum translation, at the first point inside", NEAREST, "-"),
        ("history", "history, by steps", KEPT, "-"),
    ]
    for column, name, colour, style in curves:
        values = [float(row[column]) for row in rows]
        shown = [(s, v) for s, v in zip(steps, values) if v > 0]
        axes.loglog(*zip(*shown), color=colour, linestyle=style, marker="o", markersize=3.5, label=name)
        if len(shown) < len(values) and column == "history":
            s = steps[len(shown)]
            axes.annotate("0 of 10,000\nfrom here on", (s, 2e-5), fontsize=7.5, color=colour, ha="center")
    axes.plot(steps, [1.2e-5] * len(steps), color="#2c7a3f", marker="s", markersize=3.5, label="history, entries located: 0 of 10,000")
    axes.set_xlabel("step [s]; a way takes 1 s", fontsize=8)
    axes.set_title("share of ways with another surface than exact intersection", fontsize=9)
    axes.set_ylim(8e-6, 1.5)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, loc="center right")
    axes.tick_params(labelsize=7.5)


def checks() -> None:
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.5), dpi=110, width_ratios=[1, 1, 1, 1.6])
    plate = [(0.0, 0.0), (0.12, 0.0), (0.12, -0.02), (0.0, -0.02)]
    angle = math.radians(30)
    way = (math.cos(angle), -math.sin(angle))
    start, end = (0.03 - 0.012 * way[0], -0.012 * way[1]), (0.03 + 0.03 * way[0], 0.03 * way[1])
    check(panels[0], "plate of 20 mm, entered at 30°", plate, start, end, (0.0, 0.09, -0.03, 0.03), 0.012)
    square = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    check(panels[1], "square, entered next to a corner", square, (1.0, 1.002), (0.995, 0.992), (0.99, 1.004, 0.99, 1.004), 0.0025)
    h = math.tan(math.radians(10))
    wedge = [(0.0, 0.0), (1.0, h), (1.0, -h)]
    check(panels[2], "wedge of 20°, through one flank and out", wedge, (0.32, 0.12), (0.36, -0.11), (0.1, 0.6, -0.16, 0.16), 0.07)
    panels[0].plot([], [], color=KEPT, label="surface that was hit")
    panels[0].plot([], [], color=NEAREST, label="nearest surface, where it is another")
    panels[0].legend(fontsize=7, loc="upper left")
    rates(panels[3])
    figure.tight_layout()
    figure.savefig(HERE / "oriented.png")


def touchdown() -> None:
    with (HERE / "touchdown.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    phase = [float(row["phase_deg"]) for row in rows]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), dpi=110)
    left.plot(phase, [float(row["approach_m_s"]) for row in rows], color=KEPT, marker="o", markersize=3.5)
    left.set_title("speed at which the first skid meets the deck [m/s]", fontsize=9)
    right.plot(phase, [float(row["largest_force_kN"]) for row in rows], color=NEAREST, marker="o", markersize=3.5)
    right.set_title("largest force on a skid in the 3 s after [kN]", fontsize=9)
    for axes in (left, right):
        axes.set_xlabel("phase of the heave at the start [°]", fontsize=8)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.tick_params(labelsize=8)
    figure.tight_layout()
    figure.savefig(HERE / "touchdown.png")


if __name__ == "__main__":
    checks()
    touchdown()
