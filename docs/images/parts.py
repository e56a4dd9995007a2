"""Draws docs/images/parts.png, generated parts above and convex pieces of the same parts below, a little apart, and docs/images/fits.png, parts
that go into each other.

Run with the package installed: ``python docs/images/parts.py``. A z-buffer over numpy arrays is all it takes.
"""

import struct
import zlib
from pathlib import Path

import numpy as np
import zerogap as zg

TILE = 440  # pixels of one picture, before it is shrunk
SHRINK = 2  # pixels that become one, for smooth edges
LIGHT = np.array([-0.35, 0.55, 0.75]) / np.linalg.norm([-0.35, 0.55, 0.75])  # as the viewer sees it
STEEL = np.array([0.62, 0.68, 0.75])
BACKGROUND = np.array([1.0, 1.0, 1.0])


def view(turn: float, tilt: float) -> np.ndarray:
    """Rows: right, up, towards the viewer."""
    c, s, ct, st = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    right = np.array([c, s, 0])
    towards = np.array([s * ct, -c * ct, st])
    return np.array([right, np.cross(towards, right), towards])


def draw(bodies: list[tuple[np.ndarray, np.ndarray, np.ndarray]], camera: np.ndarray) -> np.ndarray:
    """A square picture of bodies, each with vertices, triangles and a colour."""
    points = np.vstack([vertices for vertices, _, _ in bodies]) @ camera.T
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    scale = 0.88 * TILE / max(high - low)
    middle = (low + high) / 2
    image = np.tile(BACKGROUND, (TILE, TILE, 1))
    depth = np.full((TILE, TILE), -np.inf)
    for vertices, triangles, colour in bodies:
        seen = vertices @ camera.T
        screen = np.c_[(seen[:, :2] - middle) * scale * (1, -1) + TILE / 2, seen[:, 2]]
        for corners, world in zip(screen[triangles], vertices[triangles]):
            normal = np.cross(world[1] - world[0], world[2] - world[0])
            length = np.linalg.norm(normal)
            if length == 0 or normal @ camera[2] <= 0:
                continue
            shade = 0.35 + 0.65 * max(0.0, float(normal @ (camera.T @ LIGHT)) / length)
            fill(image, depth, corners, np.clip(colour * shade, 0, 1))
    return image


def fill(image: np.ndarray, depth: np.ndarray, corners: np.ndarray, colour: np.ndarray) -> None:
    """One triangle into the picture, where it is the nearest so far."""
    x0, y0 = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1, TILE)
    if x0 >= x1 or y0 >= y1:
        return
    x, y = np.meshgrid(np.arange(x0, x1) + 0.5, np.arange(y0, y1) + 0.5)
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if area == 0:
        return
    u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area
    v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area
    w = 1 - u - v
    z = u * az + v * bz + w * cz
    window = (slice(y0, y1), slice(x0, x1))
    nearer = (u >= -1e-9) & (v >= -1e-9) & (w >= -1e-9) & (z > depth[window])
    depth[window][nearer] = z[nearer]
    image[window][nearer] = colour


def solid(mesh: zg.Mesh, colour: np.ndarray = STEEL) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return mesh.vertices, mesh.triangles.astype(int), colour


def pieces(mesh: zg.Mesh, concavity: float, spread: float) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The convex pieces, moved apart from the middle and coloured round the circle of hues."""
    found = zg.decompose(mesh, max_concavity=concavity).pieces
    middle = mesh.vertices.mean(axis=0)
    bodies = []
    for k, piece in enumerate(found):
        hue = 2 * np.pi * k * 0.381966
        colour = 0.62 + 0.3 * np.cos(hue - np.array([0, 2.1, 4.2]))
        vertices, triangles, _ = solid(piece.to_mesh())
        bodies.append((vertices + spread * (vertices.mean(axis=0) - middle), triangles, colour))
    return bodies


def png(image: np.ndarray) -> bytes:
    """An 8-bit RGB picture as a PNG file."""
    rows = np.round(255 * image).astype(np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def save(image: np.ndarray, name: str) -> None:
    """Shrinks a picture and writes it beside this file."""
    height, width, _ = image.shape
    small = image.reshape(height // SHRINK, SHRINK, width // SHRINK, SHRINK, 3).mean(axis=(1, 3))
    Path(__file__).with_name(name).write_bytes(png(small))


def fits() -> None:
    """Each part over the one it goes into, the nut on its bolt."""
    brass = np.array([0.86, 0.72, 0.42])

    def lifted(mesh: zg.Mesh, height: float) -> zg.Mesh:
        return mesh.transformed(zg.pose(xyz=(0, 0, height)))

    rise = 12.4e-3  # where the nut is screwed to: any height, with the turn that belongs to it
    turn = np.pi * rise / 1.25e-3
    nut = zg.parts.thread_nut(segments=64).transformed(zg.pose(xyz=(0, 0, rise), quat=(0, 0, np.sin(turn), np.cos(turn))))
    bolt = zg.parts.countersunk_bolt(socket="5 mm", segments=64)
    peg = zg.parts.peg(section="rectangular", chamfer="2 mm")
    tiles = [
        ([solid(peg.transformed(zg.pose(xyz=(0, 0, 0.05)))), solid(zg.parts.hole_plate(section="rectangular", floor="5 mm"), brass)], (0.6, 0.55)),
        ([solid(lifted(bolt, 0.033)), solid(zg.parts.countersunk_plate(segments=64), brass)], (0.5, 0.6)),
        ([solid(lifted(zg.parts.crosshead_driver(length="6 mm"), 6.5e-3)), solid(zg.parts.crosshead_screw(length="3 mm"), brass)], (0.5, 0.62)),
        ([solid(zg.parts.thread_bolt(turns=20, segments=64)), solid(nut, brass)], (0.5, 0.45)),
    ]
    save(np.hstack([draw(bodies, view(*angles)) for bodies, angles in tiles]), "fits.png")


def main() -> None:
    gear = zg.parts.gear(teeth=16, module="3 mm")
    rod = zg.parts.connecting_rod()
    crankshaft = zg.parts.crankshaft(throws=2)
    plate = zg.parts.hole_plate()
    above = [(gear, (0.5, 0.7)), (rod, (0.3, 0.7)), (crankshaft.transformed(zg.pose(quat=(0, 1, 0, 1))), (0.5, 0.5)), (plate, (0.5, 0.7))]
    tiles = [draw([solid(mesh)], view(*angles)) for mesh, angles in above]
    limits = [2e-3, 3e-3, 2e-3, 2e-3]
    below = [draw(pieces(mesh, limit, 0.25), view(*angles)) for (mesh, angles), limit in zip(above, limits)]
    image = np.vstack([np.hstack(tiles), np.hstack(below)])
    save(image, "parts.png")
    fits()


if __name__ == "__main__":
    main()
