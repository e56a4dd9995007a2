"""Reads scene files; README.md states the format."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from pathlib import Path

import numpy as np


class Kind(IntEnum):
    SPHERE = 0
    CAPSULE = 1
    BOX = 2
    CYLINDER = 3
    CONE = 4
    ELLIPSOID = 5
    CONVEX = 6


MAGIC = b"ZGNARROW"
NAME_BYTES = 56

POSE = [("q", "<f8", 4), ("t", "<f8", 3)]
PAIR = np.dtype([("a", "<u4"), ("b", "<u4"), ("pose_a", POSE), ("pose_b", POSE)])


@dataclass
class Shape:
    kind: Kind
    size: tuple[float, float, float]
    vertices: np.ndarray

    def bounding_radius(self) -> float:
        """How far the shape reaches from its origin [m]."""
        x, y, _ = self.size
        match self.kind:
            case Kind.SPHERE:
                return x
            case Kind.CAPSULE:
                return x + y
            case Kind.BOX:
                return float(np.linalg.norm(self.size))
            case Kind.CYLINDER | Kind.CONE:
                return float(np.hypot(x, y))
            case Kind.ELLIPSOID:
                return max(self.size)
            case _:
                return float(np.linalg.norm(self.vertices, axis=1).max())


@dataclass
class Group:
    name: str
    first: int
    count: int


@dataclass
class Scene:
    shapes: list[Shape]
    groups: list[Group]
    pairs: np.ndarray  # of dtype PAIR

    @cached_property
    def sizes(self) -> np.ndarray:
        """The length that errors are measured against [m]: the larger bounding radius of each pair, and 1 for the boxes of W1."""
        if self.groups[0].name.startswith("W1"):
            return np.ones(len(self.pairs))
        radii = np.array([shape.bounding_radius() for shape in self.shapes])
        return np.maximum(radii[self.pairs["a"]], radii[self.pairs["b"]])


def load(path: Path) -> Scene:
    data = path.read_bytes()
    if not data.startswith(MAGIC):
        raise ValueError(f"{path} is not a scene file")
    offset = len(MAGIC)

    def unpack(form: str) -> tuple:
        nonlocal offset
        values = struct.unpack_from(form, data, offset)
        offset += struct.calcsize(form)
        return values

    _version, shape_count, group_count, pair_count = unpack("<4I")
    shapes = []
    for _ in range(shape_count):
        kind, vertex_count, triangle_count, _unused = unpack("<4I")
        size = unpack("<3d")
        vertices = np.frombuffer(data, "<f8", 3 * vertex_count, offset).reshape(-1, 3)
        offset += vertices.nbytes + 12 * triangle_count
        shapes.append(Shape(Kind(kind), size, vertices))
    groups = []
    for _ in range(group_count):
        name, first, count = unpack(f"<{NAME_BYTES}s2I")
        groups.append(Group(name.split(b"\0")[0].decode(), first, count))
    return Scene(shapes, groups, np.frombuffer(data, PAIR, pair_count, offset))
