#!/usr/bin/env python3
"""Says where zerogap is faster than the peers and where it falls short, from the CSV files that `run` keeps.

    verdict.py [FOLDER] [--any R] [--accurate R] [--warm R]

FOLDER is bench/results/<machine>; it may be left out where there is one machine only. A group of W1 or W2 is ok when the fastest peer of
all needs at least `--any` times as long, and the fastest peer that is right to 1e-12 at least `--accurate` times. A group of W5 is ok when
the cold query needs at least `--warm` times as long as the warm one.
"""

import argparse
import csv
import sys
from pathlib import Path

# A peer is right when no answer is off by more than this part of the size [-].
ACCURATE = 1e-12

OURS, OURS_COLD = "zerogap", "zerogap-cold"


def read(folder: Path, workload: str) -> dict[str, dict[str, dict[str, str]]]:
    """Rows by group, then by engine, in the order of the file."""
    groups: dict[str, dict[str, dict[str, str]]] = {}
    path = folder / f"narrow-{workload}.csv"
    if path.exists():
        with path.open(newline="") as file:
            for row in csv.DictReader(file):
                groups.setdefault(row["group"], {})[row["engine"]] = row
    return groups


def fastest(rows: list[dict[str, str]]) -> dict[str, str] | None:
    return min(rows, key=lambda row: float(row["ns"]), default=None)


def is_accurate(row: dict[str, str]) -> bool:
    """Right to rounding, in every pair."""
    no_trouble = row["wrong_sign"] == "0" and row["missing"] == "0" and row["failures"] == "0/0/0"
    return no_trouble and float(row["max_error"]) <= ACCURATE


def against_peers(folder: Path, want_any: float, want_accurate: float) -> bool:
    print(f"| group | {OURS} ns | fastest peer | ns | ratio | fastest right to {ACCURATE:g} | ns | ratio | verdict |")
    print("|---|---|---|---|---|---|---|---|---|")
    all_ok = True
    for workload in ("w1", "w2"):
        for group, engines in read(folder, workload).items():
            if OURS not in engines:
                continue
            ours = float(engines[OURS]["ns"])
            peers = [row for engine, row in engines.items() if not engine.startswith(OURS)]
            cells, ok = [], True
            choices = [(fastest(peers), want_any), (fastest(list(filter(is_accurate, peers))), want_accurate)]
            for peer, wanted in choices:
                if peer is None:
                    # Nobody to be compared with is no shortfall.
                    cells += ["none", "", ""]
                    continue
                ratio = float(peer["ns"]) / ours
                cells += [peer["engine"], f"{float(peer['ns']):.0f}", f"{ratio:.2f}"]
                ok = ok and ratio >= wanted
            all_ok = all_ok and ok
            print(f"| {group} | {ours:.0f} | " + " | ".join(cells) + f" | {'ok' if ok else 'short'} |")
    return all_ok


def warm_against_cold(folder: Path, want_warm: float) -> bool:
    print("\n| group | warm ns | cold ns | cold/warm | verdict |")
    print("|---|---|---|---|---|")
    all_ok = True
    for group, engines in read(folder, "w5").items():
        if OURS not in engines or OURS_COLD not in engines:
            continue
        warm, cold = float(engines[OURS]["ns"]), float(engines[OURS_COLD]["ns"])
        ok = cold / warm >= want_warm
        all_ok = all_ok and ok
        print(f"| {group} | {warm:.0f} | {cold:.0f} | {cold / warm:.2f} | {'ok' if ok else 'short'} |")
    return all_ok


def only_machine() -> Path:
    results = Path(__file__).parent.parent / "results"
    folders = sorted({path.parent for path in results.glob("*/narrow-*.csv")})
    if len(folders) != 1:
        sys.exit(f"name the folder: {len(folders)} machines have results under {results}")
    return folders[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--any", type=float, default=1.0)
    parser.add_argument("--accurate", type=float, default=1.0)
    parser.add_argument("--warm", type=float, default=1.0)
    options = parser.parse_args()
    folder = options.folder or only_machine()
    faster = against_peers(folder, options.any, options.accurate)
    warmer = warm_against_cold(folder, options.warm)
    sys.exit(0 if faster and warmer else 1)


if __name__ == "__main__":
    main()
