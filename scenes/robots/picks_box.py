"""Runs the arm that picks a box, and prints what its pads carry and how far the box creeps against them."""

from pathlib import Path

import numpy as np

import zerogap as zg

world = zg.load(Path(__file__).parent / "picks-box.toml").world()


def grasp() -> np.ndarray:
    """Where the box is against the middle of the pads, in axes of the left one [m]."""
    left, right, held = (world.frame_pose(name) for name in ("left", "right", "box"))
    return np.asarray(left.inverse() @ held.xyz) - np.asarray(left.inverse() @ ((left.xyz + right.xyz) / 2))


world.advance_to(7.0)
before = grasp()
world.advance_to(17.0)
for pad in ("left", "right"):
    print(f"the {pad} pad carries {world.contact_force(pad, 'box').round(3)} N")
print(f"the box crept by {np.linalg.norm(grasp() - before):.1e} m in 10 s")
