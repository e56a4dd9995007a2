"""Draws docs/images/impact.png: a blade and a ball that comes in from the side, and the gap between them up to the impact.

Run with zerogap and matplotlib installed: ``python docs/images/impact.py``.
"""

from pathlib import Path

import matplotlib
import numpy as np

import zerogap as zg

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import Circle, Polygon

HERE = Path(__file__).resolve().parent
BLADE, BALL = zg.box(size=(1.0, 0.06, 0.06)), zg.sphere(0.03)
SPIN, SPEED, START, DURATION = 12.0, 0.25, 0.62, 1.0


def blade_at(t: float) -> zg.Pose:
    return zg.pose(quat=(0, 0, np.sin(0.5 * SPIN * t), np.cos(0.5 * SPIN * t)))


def ball_at(t: float) -> zg.Pose:
    return zg.pose(xyz=(START - SPEED * t, 0, 0))


def gap(t: float) -> float:
    return zg.distance(BLADE, BALL, blade_at(t), ball_at(t)).gap


def motion(t: float = 0.0) -> dict:
    return dict(pose_a=blade_at(t), pose_b=ball_at(t), spin_a=(0, 0, SPIN), velocity_b=(-SPEED, 0, 0))


def main() -> None:
    found = zg.time_of_impact(BLADE, BALL, duration=DURATION, **motion())
    assert found.hit
    # Plain advancement for comparison: the safe time of every place, over and over.
    plain = [0.0]
    while plain[-1] < found.t and len(plain) < 200:
        step = zg.safe_time(BLADE, BALL, **motion(plain[-1]))
        if step < 1e-6:
            break
        plain.append(plain[-1] + step)
    figure, (scene, graph) = plt.subplots(1, 2, figsize=(10, 4.2), dpi=110, width_ratios=(1, 1.35))
    corners = np.array([(-0.5, -0.03, 0), (0.5, -0.03, 0), (0.5, 0.03, 0), (-0.5, 0.03, 0)])
    for t in np.append(np.linspace(0, found.t, 9)[:-1], found.t):
        last = t == found.t
        look = dict(facecolor="#c00000" if last else "none", edgecolor="#c00000" if last else "#999999", linewidth=0.8)
        scene.add_patch(Polygon((blade_at(t) @ corners)[:, :2], alpha=0.9 if last else 0.6, **look))
        look = dict(facecolor="#1f77b4" if last else "none", edgecolor="#1f77b4" if last else "#999999", linewidth=0.8)
        scene.add_patch(Circle(ball_at(t).xyz[:2], 0.03, alpha=0.9 if last else 0.6, **look))
    scene.annotate("", (START - 0.2, -0.12), (START, -0.12), arrowprops=dict(arrowstyle="->", color="#1f77b4"))
    scene.set_xlim(-0.6, 0.75)
    scene.set_ylim(-0.6, 0.6)
    scene.set_aspect("equal")
    scene.axis("off")
    scene.set_title(f"the blade hits at {found.t:.4f} s, after {SPIN * found.t / (2 * np.pi):.2f} turns", fontsize=10)
    times = np.linspace(0, DURATION, 1200)
    gaps = np.array([gap(t) for t in times])
    graph.axvspan(0, found.t, facecolor="#e8f2e4", edgecolor="#a8c49a", linewidth=0.6, label=f"proven free: {found.steps} gaps asked for")
    graph.plot(times, gaps, color="#333333", linewidth=1.4, label="gap")
    graph.plot(plain, [gap(t) for t in plain], ".", color="#1f77b4", markersize=4, label=f"by safe times alone: {len(plain)} gaps to within 1 µs")
    graph.axvline(found.t, color="#c00000", linewidth=1.2)
    graph.axhline(0, color="#333333", linewidth=0.6)
    graph.set_xlabel("time [s]")
    graph.set_ylabel("gap [m]")
    graph.set_xlim(0, DURATION)
    graph.set_ylim(top=0.75)
    graph.legend(fontsize=8, frameon=False, loc="upper right")
    figure.tight_layout()
    figure.savefig(HERE / "impact.png", metadata={"Software": None})


if __name__ == "__main__":
    main()
