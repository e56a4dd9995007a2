"""Draws docs/images/contacts.png: contact manifolds of many pairs, as the library finds them.

Run with the package and matplotlib installed: ``python docs/images/contacts.py``. Every point, gap, normal and name in the picture is an answer
of ``zg.contacts``; only the outlines of round bodies are drawn from polygons.
"""

from dataclasses import dataclass
from math import cos, pi, radians, sin, sqrt
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import zerogap as zg
from matplotlib.colors import LinearSegmentedColormap, Normalize

HERE = Path(__file__).resolve().parent
COLOUR_A, COLOUR_B, NORMAL = "#7f9fc4", "#e2a765", "#a00000"
GAPS = LinearSegmentedColormap.from_list("gaps", ["#c8102e", "#ffe14d", "#1757b8"])  # overlap, touching, apart
LARGEST_GAP = 0.15  # that the colours tell [m]
NEAR = 0.3  # contacts up to this gap are drawn [m]
FACETS = 64  # of the outlines of round bodies
PROPORTION = 1.15  # width of a panel against its height
SHARP = cos(radians(20))  # edges whose faces turn by more are drawn
LIGHT = np.array([-0.35, 0.45, 0.82])  # as the viewer sees it


@dataclass
class Body:
    """A shape in a place, with the faces to draw it by."""

    shape: zg.Shape
    pose: zg.Pose
    vertices: np.ndarray
    faces: list[np.ndarray]


@dataclass
class Panel:
    """Two bodies, a title and where they are looked at from; with the line of their centres where that misleads."""

    title: str
    a: Body
    b: Body
    turn: float = 0.55
    tilt: float = 0.38
    shows_centres: bool = False


def turned(axis: tuple[float, float, float], degrees: float) -> np.ndarray:
    """A quaternion."""
    half = radians(degrees) / 2
    return np.array([*(sin(half) * np.array(axis) / np.linalg.norm(axis)), cos(half)])


def solid(shape: zg.Shape, xyz=(0, 0, 0), quat=(0, 0, 0, 1)) -> Body:
    """A box or a hull."""
    return Body(shape, zg.pose(xyz, quat), shape.vertices, [face.astype(int) for face in shape.faces])


def round_body(shape: zg.Shape, outline: zg.Shape, xyz=(0, 0, 0), quat=(0, 0, 0, 1)) -> Body:
    """A round shape, drawn by the faces of a hull."""
    drawn = solid(outline, xyz, quat)
    return Body(shape, drawn.pose, drawn.vertices, drawn.faces)


def box(x: float, y: float, z: float, **place) -> Body:
    return solid(zg.box(size=(x, y, z)), **place)


def circle(radius: float, height: float) -> list[tuple[float, float, float]]:
    angles = 2 * pi * np.arange(FACETS) / FACETS
    return [(radius * cos(t), radius * sin(t), height) for t in angles]


def can(radius: float, length: float, **place) -> Body:
    rims = circle(radius, -length / 2) + circle(radius, length / 2)
    return round_body(zg.cylinder(radius, length), zg.hull(rims), **place)


def pill(radius: float, length: float, **place) -> Body:
    rings = np.linspace(0, pi / 2, 10)
    ends = [p for t in rings for s in (-1, 1) for p in circle(radius * cos(t), s * (length / 2 + radius * sin(t)))]
    return round_body(zg.capsule(radius, length), zg.hull(ends), **place)


def football(radius: float, **place) -> Body:
    """A truncated icosahedron that stands on a pentagon."""
    golden = (1 + sqrt(5)) / 2
    signs = [np.array((a, b, c)) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    seeds = [(0, 1, 3 * golden), (1, 2 + golden, 2 * golden), (golden, 2, 2 * golden + 1)]
    points = np.unique([np.roll(s * p, k) for p in seeds for s in signs for k in range(3)], axis=0)
    hull = zg.hull(points)
    pentagon = next(face for face in hull.faces if len(face) == 5)
    return solid(zg.hull(radius * on_face(points, hull.vertices[pentagon]) / np.linalg.norm(points[0])), **place)


def on_face(points: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Points turned so that the face of a body about the origin looks down."""
    down = face.mean(axis=0) / np.linalg.norm(face.mean(axis=0))
    along = (face[1] - face[0]) / np.linalg.norm(face[1] - face[0])
    return points @ np.array([along, np.cross(-down, along), -down]).T


def tetrahedron_and_octahedron() -> tuple[Body, Body]:
    """A tetrahedron on the upper face of an octahedron, turned a little."""
    eight = np.vstack([np.eye(3), -np.eye(3)])
    eight = on_face(eight, -np.eye(3))
    four = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) * 0.45
    four = on_face(four, four[[0, 2, 1]])
    height = eight[:, 2].max() - four[:, 2].min()
    return solid(zg.hull(eight)), solid(zg.hull(four), xyz=(0, 0, height), quat=turned((0, 0, 1), 22))


def panels() -> list[Panel]:
    edge, table = turned((1, 0, 0), 45), box(2.4, 2.0, 0.4, xyz=(0, 0, -0.2))
    lean, lying = turned((0, 1, 0), 8), turned((0, 1, 0), 90)
    # How high the middle of a leaning body is: half its width and half its height, both leaning.
    leaning = 0.6 * sin(radians(8)) + 0.5 * cos(radians(8))
    ball = -football(0.8).vertices[:, 2].min()
    return [
        Panel("box on box", box(1, 1, 0.8), box(1, 1, 0.8, xyz=(0, 0, 0.8))),
        Panel("turned by 45°", box(1, 1, 0.8), box(1, 1, 0.8, xyz=(0, 0, 0.8), quat=turned((0, 0, 1), 45))),
        Panel("shifted", box(1, 1, 0.8), box(1, 1, 0.8, xyz=(0.45, 0.3, 0.8))),
        Panel("small on large", table, box(0.8, 0.8, 0.8, xyz=(-0.2, 0.1, 0.4), quat=turned((0, 0, 1), 25))),
        Panel("edge on face", table, box(1.2, 0.8, 0.8, xyz=(0, 0, 0.4 * sqrt(2)), quat=edge)),
        Panel("crossing edges", box(1.4, 0.7, 0.7, quat=edge), box(0.7, 1.4, 0.7, xyz=(0, 0, 0.7 * sqrt(2)), quat=turned((0, 1, 0), 45))),
        Panel("box tilted by 8°", table, box(1.2, 1.2, 1.0, xyz=(0, 0, leaning), quat=lean)),
        Panel("tetrahedron on octahedron", *tetrahedron_and_octahedron()),
        Panel("truncated icosahedron", table, football(0.8, xyz=(0, 0, ball))),
        Panel("standing cylinder", table, can(0.6, 1, xyz=(0, 0, 0.5))),
        Panel("cylinder leaning by 8°", table, can(0.6, 1, xyz=(0, 0, leaning), quat=lean)),
        Panel("over the edge of a table", table, can(0.6, 1, xyz=(1.0, 0, 0.5)), turn=-0.45),
        Panel("lying cylinder", table, can(0.45, 1.5, xyz=(0, 0, 0.45), quat=lying)),
        Panel("lying capsule", table, pill(0.4, 1, xyz=(0, 0, 0.4), quat=lying)),
        Panel("pressed into an edge", box(1.6, 1.6, 0.8), box(0.6, 0.6, 0.6, xyz=(0.8, 0, 0.6), quat=turned((0, 1, 0), 5)), turn=-0.45),
        Panel("sunk into a long box", box(4, 1.1, 0.9), football(0.75, xyz=(1.2, 0, 0.34 + ball), quat=turned((1, 2, 0), 3)), shows_centres=True),
    ]


def view(turn: float, tilt: float) -> np.ndarray:
    """Rows: right, up, towards the viewer."""
    c, s, ct, st = cos(turn), sin(turn), cos(tilt), sin(tilt)
    right, towards = np.array([c, s, 0]), np.array([s * ct, -c * ct, st])
    return np.array([right, np.cross(towards, right), towards])


def draw_body(axes, body: Body, camera: np.ndarray, colour: str) -> None:
    """Faces that look at the viewer as tinted glass; sharp edges and the outline, thin where they are behind."""
    points = (body.pose @ body.vertices) @ camera.T
    base = np.array(matplotlib.colors.to_rgb(colour))
    normals = []
    for face in body.faces:
        p, q, r = points[face[0]], points[face[1]], points[face[2]]
        normal = np.cross(q - p, r - q)
        normals.append(normal / np.linalg.norm(normal))
    sides: dict[tuple[int, int], list[int]] = {}
    for k, face in enumerate(body.faces):
        for start, end in zip(face, np.roll(face, -1)):
            sides.setdefault((min(start, end), max(start, end)), []).append(k)
    for (start, end), (left, right) in sides.items():
        front = [normals[k][2] > 1e-9 for k in (left, right)]
        if not any(front) and normals[left] @ normals[right] < SHARP:
            axes.plot(*points[[start, end], :2].T, color=0.6 * base, linewidth=0.6, linestyle=(0, (3, 2)), alpha=0.7)
    for outline, normal in regions(body.faces, normals, sides):
        shade = 0.75 + 0.35 * max(0.0, float(normal @ LIGHT))
        axes.fill(*points[outline, :2].T, color=np.clip(base * shade, 0, 1), alpha=0.42, linewidth=0)
    for (start, end), (left, right) in sides.items():
        front = [normals[k][2] > 1e-9 for k in (left, right)]
        is_outline = front[0] != front[1]
        if is_outline or (all(front) and normals[left] @ normals[right] < SHARP):
            axes.plot(*points[[start, end], :2].T, color=0.45 * base, linewidth=1.1, solid_capstyle="round")


def regions(faces: list[np.ndarray], normals: list[np.ndarray], sides: dict) -> list[tuple[list[int], np.ndarray]]:
    """The faces that look at the viewer, those without a sharp edge between them as one: outlines and mean normals."""
    region = {k: k for k in range(len(faces)) if normals[k][2] > 1e-9}
    for left, right in sides.values():
        if left in region and right in region and normals[left] @ normals[right] >= SHARP:
            old, new = region[left], region[right]
            region = {k: new if r == old else r for k, r in region.items()}
    found = []
    for name in sorted(set(region.values())):
        members = [k for k, r in region.items() if r == name]
        steps = {(s, e) for k in members for s, e in zip(faces[k], np.roll(faces[k], -1))}
        border = dict((s, e) for s, e in steps if (e, s) not in steps)
        outline = [next(iter(border))]
        while len(outline) < len(border):
            outline.append(border[outline[-1]])
        mean = np.mean([normals[k] for k in members], axis=0)
        found.append((outline, mean / np.linalg.norm(mean)))
    return found


def draw(axes, panel: Panel) -> None:
    found = zg.contacts(panel.a.shape, panel.b.shape, panel.a.pose, panel.b.pose, within=NEAR)
    camera = view(panel.turn, panel.tilt)
    draw_body(axes, panel.a, camera, COLOUR_A)
    draw_body(axes, panel.b, camera, COLOUR_B)

    # The manifold, and its points with the way from A to B.
    on_a, on_b = found.point_a @ camera.T, found.point_b @ camera.T
    if len(found) > 1:
        axes.fill(*on_a[:, :2].T, facecolor="#ffffff", edgecolor="#222222", linewidth=1.0, alpha=0.55)
    for p, q in zip(on_a, on_b):
        axes.plot(*np.array([p, q])[:, :2].T, color="#222222", linewidth=1.2)
    axes.scatter(*on_a[:, :2].T, c=found.gap, cmap=GAPS, norm=Normalize(-LARGEST_GAP, LARGEST_GAP), s=38, edgecolors="#111111", linewidths=0.8, zorder=5)

    if panel.shows_centres:
        centres = np.array([panel.a.pose.xyz, panel.b.pose.xyz]) @ camera.T
        axes.plot(*centres[:, :2].T, color="#555555", linewidth=1.2, linestyle=":", marker="x", markersize=5)

    # The normal, from the middle of the manifold.
    start = found.point_a.mean(axis=0) @ camera.T
    end = (found.point_a.mean(axis=0) + 0.75 * found.normal[0]) @ camera.T
    arrow = dict(arrowstyle="-|>", color=NORMAL, linewidth=2.0, mutation_scale=13, shrinkA=0, shrinkB=0)
    axes.annotate("", end[:2], start[:2], arrowprops=arrow, zorder=6)

    everything = np.vstack([(body.pose @ body.vertices) @ camera.T for body in (panel.a, panel.b)] + [end[None]])
    low, high = everything[:, :2].min(axis=0), everything[:, :2].max(axis=0)
    (x, y), (width, height) = (low + high) / 2, 1.06 * (high - low)
    half = max(width, height * PROPORTION) / 2
    axes.set(xlim=(x - half, x + half), ylim=(y - half / PROPORTION, y + half / PROPORTION), aspect="equal")
    axes.axis("off")
    count = "1 point" if len(found) == 1 else f"{len(found)} points"
    axes.set_title(panel.title, fontsize=11, fontweight="bold", y=-0.07, pad=0)
    axes.text(0.5, -0.165, f"{count}, {found.feature_a} on {found.feature_b}", transform=axes.transAxes, ha="center", fontsize=9.5, color="#333333")


def main() -> None:
    plt.rcParams["font.family"] = "DejaVu Sans"
    figure, grid = plt.subplots(4, 4, figsize=(12, 12), dpi=100)
    for axes, panel in zip(grid.flat, panels(), strict=True):
        draw(axes, panel)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.995, bottom=0.1, wspace=0.04, hspace=0.2)
    bar = figure.add_axes((0.3, 0.035, 0.4, 0.012))
    scale = plt.cm.ScalarMappable(Normalize(-LARGEST_GAP, LARGEST_GAP), GAPS)
    figure.colorbar(scale, cax=bar, orientation="horizontal", ticks=[-LARGEST_GAP, 0, LARGEST_GAP])
    bar.set_xticklabels([f"overlap {LARGEST_GAP} m", "gap 0: touching", f"apart {LARGEST_GAP} m"], fontsize=10)
    # No date and no version inside: the same answers give the same file.
    figure.savefig(HERE / "contacts.png", metadata={"Software": None}, pil_kwargs={"optimize": True})


if __name__ == "__main__":
    main()
