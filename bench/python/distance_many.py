#!/usr/bin/env python3
"""Gaps of random box pairs from Python: zerogap's one call for all of them beside a loop over coal, the fastest that coal offers there.

    distance_many.py [--pairs N] [--loop N]

Boxes of 2 m, turned at random, with translations of -2 to 2 m along each axis. Prints pairs per second, the ratio to coal, and the
largest difference of the two answers; appends the rows to bench/results/<machine>/python.csv. Needs the packages zerogap and numpy; coal
(`pip install coal`) is left out with a line that says so where it is missing. Times mean something on an idle machine only.
"""

import argparse
import csv
import os
import re
import subprocess
import time
from pathlib import Path

import numpy as np
import zerogap as zg

SIZE = 2.0  # side length of every box [m]
SPREAD = 2.0  # largest coordinate of a centre [m]
REPETITIONS = 5  # of which the fastest counts

BENCH = Path(__file__).resolve().parents[1]


def random_poses(count: int, seed: int) -> np.ndarray:
    """Rows x y z qx qy qz qw."""
    random = np.random.default_rng(seed)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    return np.hstack([random.uniform(-SPREAD, SPREAD, size=(count, 3)), turns])


def fastest(question) -> tuple[float, object]:
    """The least time of some repetitions [s], and the last answer."""
    times = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        answer = question()
        times.append(time.perf_counter() - began)
    return min(times), answer


def ours(poses_a: np.ndarray, poses_b: np.ndarray, threads: int) -> tuple[float, np.ndarray]:
    box = zg.box(size=(SIZE, SIZE, SIZE))
    seconds, gaps = fastest(lambda: zg.distance_many(box, box, poses_a, poses_b, threads=threads))
    return seconds, gaps.gap


def coals(coal, poses_a: np.ndarray, poses_b: np.ndarray) -> tuple[float, np.ndarray]:
    """A loop over coal.distance; transforms are made beforehand and objects used again, as a careful user would do."""
    box = coal.Box(SIZE, SIZE, SIZE)

    def transforms(poses: np.ndarray) -> list:
        return [coal.Transform3s(zg.pose(quat=row[3:]).matrix()[:3, :3], row[:3]) for row in poses]

    pairs = list(zip(transforms(poses_a), transforms(poses_b)))
    request, result = coal.DistanceRequest(), coal.DistanceResult()

    def loop() -> np.ndarray:
        gaps = np.empty(len(pairs))
        for k, (a, b) in enumerate(pairs):
            result.clear()
            gaps[k] = coal.distance(box, a, box, b, request, result)
        return gaps

    return fastest(loop)


def machine() -> str:
    """The processor's name and core count as one lower-case word, as the other benchmarks write it."""
    names = re.findall(r"^model name\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    words = re.findall(r"[a-z0-9]+", (names[0] if names else os.uname().machine).lower())
    return "-".join([*words, str(len(os.sched_getaffinity(0))), "cores"])


def commit() -> str:
    """The commit of the sources, with + where they have changed since."""
    def git(*words: str) -> str:
        return subprocess.run(["git", "-C", str(BENCH), *words], capture_output=True, text=True, check=False).stdout.strip()

    changed = git("status", "--porcelain", "--", "..", ":!results")
    return (git("rev-parse", "--short=10", "HEAD") or "unknown") + ("+" if changed else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--loop", type=int, default=20_000, help="pairs of the loop over coal")
    options = parser.parse_args()
    poses_a, poses_b = random_poses(options.pairs, 1), random_poses(options.pairs, 2)
    try:
        import coal
    except ImportError:
        coal = None
        print("coal is not installed: only zerogap is timed (pip install coal)")

    rows = []
    for threads in (1, 2):
        seconds, gaps = ours(poses_a, poses_b, threads)
        rows.append(["zerogap.distance_many", threads, options.pairs, options.pairs / seconds])
    if coal:
        count = min(options.loop, options.pairs)
        seconds, theirs = coals(coal, poses_a[:count], poses_b[:count])
        rows.append(["coal.distance loop", 1, count, count / seconds])
        difference = float(np.abs(theirs - gaps[:count]).max())
    else:
        difference = float("nan")

    loop_rate = rows[-1][3] if coal else float("nan")
    print(f"{'engine':<24}{'threads':>8}{'pairs':>10}{'pairs/s':>14}{'ratio to coal':>16}")
    for engine, threads, pairs, rate in rows:
        print(f"{engine:<24}{threads:>8}{pairs:>10}{rate:>14.3e}{rate / loop_rate:>16.1f}")
    if coal:
        print(f"largest difference of the two answers: {difference:.2e} m")

    path = BENCH / "results" / machine() / "python.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(["engine", "threads", "pairs", "pairs_per_s", "ratio_to_coal", "max_difference_m", "commit"])
        for engine, threads, pairs, rate in rows:
            writer.writerow([engine, threads, pairs, f"{rate:.4g}", f"{rate / loop_rate:.4g}", f"{difference:.3g}", commit()])
    print(f"appended to results/{path.parent.name}/{path.name}")


if __name__ == "__main__":
    main()
