"""Draws docs/images/gap.svg: two bodies apart and in overlap, with gap, normal and points as the library finds them.

Run with the package installed: ``python docs/images/gap.py``. The bodies are thick plates seen from above.
"""

from pathlib import Path

import numpy as np
import zerogap as zg

SCALE = 90  # pixels per metre
THICKNESS = 10.0  # of the plates [m]: so thick that the way out lies in the plane of the picture
CORNERS_A = np.array([(-1.2, -0.6), (0.5, -0.9), (0.9, 0.1), (0.2, 0.9), (-0.9, 0.7)])
CORNERS_B = np.array([(-0.9, 0.0), (0.2, -0.8), (0.9, 0.2), (0.3, 0.9)])
STYLE = """text { font: 15px sans-serif; fill: #222 } .a { fill: #9db7d5 } .b { fill: #e8b98a; fill-opacity: 0.75 }
.a, .b { stroke: #444; stroke-width: 1.2 } .n { stroke: #b00; stroke-width: 2.2; marker-end: url(#head) } .g { stroke: #222; stroke-dasharray: 4 3 }"""


def plate(corners: np.ndarray) -> zg.Shape:
    return zg.hull([(x, y, z) for x, y in corners for z in (-THICKNESS / 2, THICKNESS / 2)])


def scene(place: tuple[float, float], left: float, title: str) -> list[str]:
    """One half of the picture."""
    found = zg.distance(plate(CORNERS_A), plate(CORNERS_B), pose_b=zg.pose(xyz=(*place, 0)))

    def at(p: np.ndarray) -> tuple[float, float]:
        return left + SCALE * (p[0] + 1.4), SCALE * (1.45 - p[1])

    def polygon(corners: np.ndarray, kind: str) -> str:
        points = " ".join("{:.1f},{:.1f}".format(*at(corner)) for corner in corners)
        return f'<polygon class="{kind}" points="{points}"/>'

    def line(p: np.ndarray, q: np.ndarray, kind: str) -> str:
        return '<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>'.format(kind, *at(p), *at(q))

    def label(p: np.ndarray, text: str, dx: float, dy: float, anchor: str = "start") -> str:
        x, y = at(p)
        return f'<text x="{x + dx:.1f}" y="{y + dy:.1f}" text-anchor="{anchor}">{text}</text>'

    a, b, n = found.point_a[:2], found.point_b[:2], found.normal[:2]
    # Apart the arrow would hide the line between the points: it starts beyond it.
    start = b if found.gap > 0 else a
    return [
        polygon(CORNERS_A, "a"),
        polygon(CORNERS_B + place, "b"),
        line(start, start + 0.5 * n, "n"),
        line(a, b, "g"),
        *('<circle cx="{:.1f}" cy="{:.1f}" r="3.5"/>'.format(*at(p)) for p in (a, b)),
        label(start + 0.5 * n, "normal", 8, 4),
        label(a, "point_a", *((-8, 5, "end") if found.gap > 0 else (-6, -8, "end"))),
        label(b, "point_b", *((0, 20, "middle") if found.gap > 0 else (-8, 5, "end"))),
        label(np.array([-0.8, -0.3]), "A", 0, 0),
        label(np.array(place) + (0.2, -0.4), "B", 0, 0),
        label(np.array([-1.3, -1.35]), f"{title}: gap = {found.gap:.3f} m", 0, 0),
    ]


def main() -> None:
    lines = [*scene((2.3, 0.25), 0, "apart"), *scene((1.35, 0.25), 430, "overlap")]
    head = '<marker id="head" markerWidth="8" markerHeight="8" refX="5" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#b00"/></marker>'
    body = "\n".join(lines)
    text = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 270" width="780" height="270">
<style>{STYLE}</style><defs>{head}</defs><rect width="780" height="270" fill="white"/>
{body}
</svg>
"""
    Path(__file__).with_name("gap.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
