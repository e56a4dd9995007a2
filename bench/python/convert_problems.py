"""Contact problems kept as numpy archives, written as text for src/bin/solvers.rs.

    python python/convert_problems.py [FOLDER] [OUT]

FOLDER holds `*.npz` (default: ../../shared/data/contact-problems beside the repository), OUT gets `<name>.txt` in the format of `contact::cone::body_text` (default: bench/library/captured). Each body is a
group of six velocities, linear then angular about its centre of mass; each contact is a block of rows n, t1, t2. The impulses are those of the step before, brought inside their cones as time stepping does it.
"""

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-4  # what the problems were captured with [m/s]


def tangents(n):
    """Two unit vectors across a unit vector, right-handed with it."""
    axis = np.eye(3)[np.argmin(np.abs(n))]
    t1 = np.cross(n, axis)
    t1 /= np.linalg.norm(t1)
    return t1, np.cross(n, t1)


def onto_cone(r, mu):
    """The nearest impulse (n, t1, t2) in a cone of friction."""
    normal, across = r[0], np.hypot(r[1], r[2])
    if across <= mu * normal:
        return r
    if normal <= -mu * across:
        return np.zeros(3)
    kept = (normal + mu * across) / (1.0 + mu * mu)
    return np.array([kept, mu * kept * r[1] / across, mu * kept * r[2] / across])


def words(values):
    """Numbers that read back to the same bits."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


def convert(data, label):
    """The text of one problem."""
    x, mass, inertia, free = data["x"], data["mass"], data["inertia"], data["vfree"]
    lines = ["contact-problem 1", f"label {label}", f"tolerance {TOLERANCE!r}", f"groups {len(x)}"]
    for m, i, v in zip(mass, inertia, free):
        block = np.zeros((6, 6))
        block[:3, :3] = m * np.eye(3)
        block[3:, 3:] = 0.5 * (i + i.T)
        lines.append(f"6 {words(block)} {words(v)}")
    lines.append(f"blocks {len(data['body'])}")
    for (a, b), point, normal, bias, mu, warm in zip(
        data["body"], data["point"], data["normal"], data["bias"], data["mu"], data["warm"]
    ):
        frame = np.stack([normal, *tangents(normal)])
        impulse = onto_cone(frame @ warm, mu)
        sides = [(int(body), sign) for body, sign in ((a, -1.0), (b, 1.0)) if body >= 0]
        line = f"contact {float(mu)!r} {float(bias)!r} 0.0 0.0 {words(impulse)} {len(sides)}"
        for body, sign in sides:
            rows = sign * np.hstack([frame, np.cross(point - x[body], frame)])
            line += f" {body} {words(rows)}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[2] / "shared/data/contact-problems"
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parent / "library/captured"
    files = sorted(folder.glob("*.npz"))
    if not files:
        print(f"no problems in {folder}: nothing to convert")
        return
    out.mkdir(parents=True, exist_ok=True)
    for file in files:
        with np.load(file) as data:
            (out / file.with_suffix(".txt").name).write_text(convert(data, file.stem))
    print(f"wrote {len(files)} problems to {out}")


if __name__ == "__main__":
    main()
