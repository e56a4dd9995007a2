#!/usr/bin/env python3
"""Scores the answers of engines to one scene against its reference: one row per group and engine.

    score.py SCENE.bin SCENE.ref NAME=PREFIX ... [--csv FILE --machine NAME --commit HASH]

README.md says what the columns mean.
"""

import argparse
import csv
import warnings
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

import scene as sc
import support

# Pairs whose reference is known no better than this are left out [m].
CERTIFIED = 1e-9

# A wrong sign counts where the bodies are farther apart, or deeper, than this part of their size [-].
SIGN_COUNTS = 1e-9

# A normal has to separate by the gap, up to this part of the size [-].
NORMAL_TOLERANCE = 1e-12

# Rounding of the reference itself: some units in the last place of an 80-bit number, against the coordinates that enter [-].
REFERENCE_ROUNDING = 1e-18

# Rounding of the reference when it is written as f64, against itself [-].
STORED_ROUNDING = 2.0**-53

# No distance of a scene is as large: engines write such numbers when they have none [m].
NO_DISTANCE = 1e100

ANSWERED, NO_ANSWER, SKIPPED, EXCEPTION, HUNG, CRASHED = range(6)


@dataclass
class Row:
    """One line of the table; the names are the columns of the CSV file."""

    group: str
    engine: str
    n: int
    ns: float
    mean_error: float
    p999_error: float
    max_error: float
    wrong_sign: int
    missing: int
    failures: str
    bounds_missed: int | None
    normals_missed: int | None


class Reference:
    """Exact distances, each known to some precision."""

    def __init__(self, path: Path, scene: sc.Scene):
        values = np.fromfile(path).reshape(-1, 2)
        # A negative error says that rounding in a flat simplex has put the upper bound, which is the distance written, below the lower
        # one. The lower one is a separation and can be trusted; by how much they are the wrong way round tells how far to trust it.
        crossed = np.minimum(values[:, 1], 0)
        self.distance, self.certified = values[:, 0] - crossed, np.abs(values[:, 1])
        self.usable = np.isfinite(values).all(axis=1) & (self.certified < CERTIFIED)
        translations = [np.linalg.norm(scene.pairs[pose]["t"], axis=1) for pose in ("pose_a", "pose_b")]
        coordinates = scene.sizes + sum(translations)
        self.rounding = REFERENCE_ROUNDING * coordinates + STORED_ROUNDING * np.abs(self.distance)


class Answers:
    """What one engine wrote."""

    def __init__(self, name: str, prefix: str, scene: sc.Scene):
        self.name = name
        results = np.fromfile(prefix + ".res").reshape(-1, 5)
        self.distance, self.normal, self.status = results[:, 0].copy(), results[:, 1:4], results[:, 4].copy()
        lines = Path(prefix + ".time").read_text().splitlines()
        self.times = {group: float(ns) for group, ns in (line.split("\t") for line in lines)}
        # +infinity means "apart, no distance offered" and keeps its sign; other huge numbers mean nothing.
        nonsense = (np.abs(self.distance) > NO_DISTANCE) & (self.distance != np.inf)
        self.status[nonsense] = NO_ANSWER
        self.distance[nonsense] = np.nan
        self.bounds = self.separation = None
        if Path(prefix + ".bounds").exists():
            self.bounds = np.fromfile(prefix + ".bounds").reshape(-1, 2)
            self.separation = support.separations(scene, self.normal)


def score(scene: sc.Scene, reference: Reference, answers: Answers, group: sc.Group) -> Row | None:
    """The row of an engine in a group; None where it was not asked."""
    index = np.arange(group.first, group.first + group.count)
    index = index[reference.usable[index] & (answers.status[index] != SKIPPED)]
    if not len(index):
        return None
    exact, certified = reference.distance[index], reference.certified[index]
    size, distance, status = scene.sizes[index], answers.distance[index], answers.status[index]

    # What the reference cannot tell is not held against the engine.
    finite = np.isfinite(distance)
    error = (np.maximum(0, np.abs(distance - exact) - certified) / size)[finite]
    mean, p999, worst = (error.mean(), np.quantile(error, 0.999), error.max()) if len(error) else (np.nan,) * 3

    apart_but_deep = (distance > 0) & (exact < -SIGN_COUNTS * size)
    deep_but_apart = (distance < 0) & (exact > SIGN_COUNTS * size)
    failures = [int((status == kind).sum()) for kind in (EXCEPTION, HUNG, CRASHED)]

    bounds_missed = normals_missed = None
    if answers.bounds is not None:
        lower, upper = answers.bounds[index].T
        slack = certified + reference.rounding[index]
        # Written so that bounds that are not numbers miss.
        bounds_missed = int((~((lower <= exact + slack) & (upper >= exact - slack))).sum())
        enough = answers.separation[index] >= distance - NORMAL_TOLERANCE * size
        normals_missed = int((~enough).sum())

    return Row(
        group=group.name,
        engine=answers.name,
        n=len(index),
        ns=answers.times.get(group.name, np.nan),
        mean_error=mean,
        p999_error=p999,
        max_error=worst,
        wrong_sign=int((apart_but_deep | deep_but_apart).sum()),
        missing=int((status == NO_ANSWER).sum()),
        failures="/".join(map(str, failures)),
        bounds_missed=bounds_missed,
        normals_missed=normals_missed,
    )


def shown(value: object) -> str:
    """A cell of the table or the CSV file."""
    if value is None:
        return ""
    return f"{value:.2e}" if isinstance(value, float) else str(value)


def cells(row: Row) -> list[str]:
    out = [shown(getattr(row, field.name)) for field in fields(Row)]
    out[3] = f"{row.ns:.1f}"
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scene", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("engines", nargs="+", metavar="NAME=PREFIX")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--machine", default="")
    parser.add_argument("--commit", default="")
    options = parser.parse_args()
    # Engines without an answer have NaN, which is counted and needs no warning.
    warnings.filterwarnings("ignore", category=RuntimeWarning)

    scene = sc.load(options.scene)
    reference = Reference(options.reference, scene)
    left_out = int((~reference.usable).sum())
    if left_out:
        print(f"{left_out} pairs are left out: their reference is known no better than {CERTIFIED} m")
    engines = [Answers(*engine.split("=", 1), scene) for engine in options.engines]
    rows = [score(scene, reference, engine, group) for group in scene.groups for engine in engines]
    rows = [row for row in rows if row]

    names = [field.name for field in fields(Row)]
    print("| " + " | ".join(names) + " |")
    print("|---" * len(names) + "|")
    for row in rows:
        print("| " + " | ".join(cells(row)) + " |")

    if options.csv:
        options.csv.parent.mkdir(parents=True, exist_ok=True)
        with options.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*names, "machine", "commit"])
            writer.writerows([*cells(row), options.machine, options.commit] for row in rows)


if __name__ == "__main__":
    main()
