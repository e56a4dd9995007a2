"""How far a direction separates the two shapes of each pair, in 80-bit floating point."""

import numpy as np

import scene as sc

REAL = np.longdouble


def separations(scene: sc.Scene, normals: np.ndarray) -> np.ndarray:
    """s(n) = min n.b - max n.a for every pair and its normal from A to B [m]; NaN where the normal is not a direction."""
    normals = normals.astype(REAL)
    normals = normals / np.sqrt((normals * normals).sum(axis=1))[:, None]
    pairs = scene.pairs
    reach_a = reaches(scene, pairs["a"], pairs["pose_a"], normals)
    reach_b = reaches(scene, pairs["b"], pairs["pose_b"], -normals)
    # The difference of the translations first: far from the origin, it is exact where the translations times n are not.
    between = pairs["pose_b"]["t"].astype(REAL) - pairs["pose_a"]["t"].astype(REAL)
    return (normals * between).sum(axis=1) - reach_a - reach_b


def reaches(scene: sc.Scene, indices: np.ndarray, poses: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """How far each shape reaches along its unit direction, from its own origin [m]."""
    local = to_body(poses["q"].astype(REAL), directions)
    out = np.empty(len(indices), REAL)
    # Pairs of one shape together. Sorted, because scenes have thousands of shapes.
    order = np.argsort(indices, kind="stable")
    starts = np.flatnonzero(np.diff(indices[order], prepend=-1))
    for members in np.split(order, starts[1:]):
        out[members] = reach(scene.shapes[indices[members[0]]], local[members])
    return out


def reach(shape: sc.Shape, d: np.ndarray) -> np.ndarray:
    """Support function of one shape for unit directions in its own frame."""
    x, y, z = (REAL(size) for size in shape.size)
    sideways = np.sqrt(d[:, 0] ** 2 + d[:, 1] ** 2)
    match shape.kind:
        case sc.Kind.SPHERE:
            return np.full(len(d), x)
        case sc.Kind.CAPSULE:
            return y * np.abs(d[:, 2]) + x
        case sc.Kind.BOX:
            return x * np.abs(d[:, 0]) + y * np.abs(d[:, 1]) + z * np.abs(d[:, 2])
        case sc.Kind.CYLINDER:
            return x * sideways + y * np.abs(d[:, 2])
        case sc.Kind.CONE:
            return np.maximum(y * d[:, 2], x * sideways - y * d[:, 2])
        case sc.Kind.ELLIPSOID:
            return np.sqrt((x * d[:, 0]) ** 2 + (y * d[:, 1]) ** 2 + (z * d[:, 2]) ** 2)
        case _:
            return farthest(shape.vertices.astype(REAL), d)


def farthest(vertices: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Largest dot product with any vertex, some directions at a time: a table of all would be large."""
    out = np.empty(len(d), REAL)
    chunk = max(1, 1_000_000 // len(vertices))
    for start in range(0, len(d), chunk):
        part = d[start : start + chunk]
        along = sum(part[:, k, None] * vertices[None, :, k] for k in range(3))
        out[start : start + chunk] = along.max(axis=1)
    return out


def to_body(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Turns vectors from the world into the frames of quaternions (w x y z), which are normalised anew."""
    q = q / np.sqrt((q * q).sum(axis=1))[:, None]
    w, axis = q[:, :1], -q[:, 1:]
    # v + 2 u x (u x v + w v), with the axis turned round for the way back.
    return v + 2 * np.cross(axis, np.cross(axis, v) + w * v)
