"""Draws docs/images/quasi-lmd.png: the contacts of a leaning peg in its hole, and how many a tilted cube has.

Run with the package and matplotlib installed: ``python docs/images/quasi-lmd.py``. Every point and count is an answer of ``zg.contacts``.
"""

from math import cos, radians, sin
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import zerogap as zg
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

HERE = Path(__file__).resolve().parent
STEEL, BRASS = "#7f9fc4", "#e2a765"
TILT = 1.5  # of the peg [deg]


def turned(xyz, axis, degrees) -> zg.Pose:
    half = radians(degrees) / 2
    return zg.pose(xyz=xyz, quat=(*(sin(half) * np.array(axis, float)), cos(half)))


def sharp_edges(mesh: zg.Mesh) -> np.ndarray:
    """The edges whose triangles are not flat against each other, as segments."""
    vertices, triangles = mesh.vertices, mesh.triangles
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    sides: dict[tuple[int, int], list[int]] = {}
    for t, triangle in enumerate(triangles):
        for k in range(3):
            pair = tuple(sorted((int(triangle[k]), int(triangle[(k + 1) % 3]))))
            sides.setdefault(pair, []).append(t)
    bent = [pair for pair, owners in sides.items() if len(owners) != 2 or normals[owners[0]] @ normals[owners[1]] < 0.99]
    return np.array([vertices[list(pair)] for pair in bent])


def peg_in_hole(axes) -> None:
    size = {"section": "rectangular"}
    plate = zg.parts.hole_plate(**size, peg_width="20 mm", peg_depth="20 mm", clearance="1 mm", thickness="20 mm")
    peg = zg.parts.peg(**size, width="20 mm", depth="20 mm", length="50 mm", chamfer="0 mm")
    pose = turned((0, 0, 0.02), (0, 1, 0), TILT)
    found = zg.contacts(plate, peg, pose_b=pose, within=4e-3, method="quasi-lmd")
    for mesh, colour, alpha in ((plate, BRASS, 0.22), (peg.transformed(pose), STEEL, 0.25)):
        axes.add_collection3d(Poly3DCollection(1e3 * mesh.vertices[mesh.triangles], facecolors=colour, alpha=alpha))
        axes.add_collection3d(Line3DCollection(1e3 * sharp_edges(mesh), colors="#444444", linewidths=0.7))
    points = 1e3 * 0.5 * (found.point_a + found.point_b)
    dots = axes.scatter(*points.T, c=1e3 * found.gap, cmap="plasma_r", s=55, depthshade=False, edgecolors="black", linewidths=0.6, zorder=10)
    for p, n in zip(points, found.normal):
        axes.plot(*np.c_[p - 3.5 * n, p + 3.5 * n], color="#a00000", linewidth=1)
    axes.set_title(f"a peg leaning by {TILT}°: {len(found)} contacts")
    axes.set_box_aspect((60, 60, 62))
    axes.set(xlim=(-30, 30), ylim=(-30, 30), zlim=(-14, 48))
    axes.set_axis_off()
    axes.view_init(24, -64)
    axes.figure.colorbar(dots, ax=axes, label="gap [mm]", shrink=0.6, pad=0.0)


def cube_on_plane(axes) -> None:
    floor, cube = zg.halfspace((0, 0, 1), 0), zg.Complex(zg.box(size=(1, 1, 1)))
    tilts = np.concatenate([[0.0], np.geomspace(1e-7, 8, 600)])
    for angular_tolerance, style in ((5.0, "-"), (2.0, "--"), (0.0, ":")):
        counts = []
        for tilt in tilts:
            t = radians(tilt)
            height = 0.1 + 0.5 * (cos(t) + sin(t))
            found = zg.contacts(floor, cube, pose_b=turned((0, 0, height), (0, 1, 0), tilt), within=1.0, angular_tolerance=radians(angular_tolerance))
            counts.append(len(found))
        name = "local minima alone (θ = 0)" if angular_tolerance == 0 else f"quasi-LMDs, θ = {angular_tolerance:g}°"
        axes.plot(np.maximum(tilts, 1e-8), counts, style, label=name, linewidth=2)
    axes.set_xscale("log")
    axes.set(xlabel="tilt of the cube [deg]", ylabel="contacts", ylim=(0, 5), yticks=range(6), title="a cube over a plane")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower left")


def main() -> None:
    figure = plt.figure(figsize=(12, 5))
    peg_in_hole(figure.add_subplot(1, 2, 1, projection="3d"))
    cube_on_plane(figure.add_subplot(1, 2, 2))
    figure.tight_layout()
    figure.savefig(HERE / "quasi-lmd.png", dpi=110)


if __name__ == "__main__":
    main()
