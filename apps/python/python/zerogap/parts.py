"""Generated parts: closed meshes from a few numbers.

Lengths are metres, angles radians, or texts with a unit such as ``"2 mm"`` or ``"20 deg"``. A parameter that is left out keeps
the part's default, which :func:`parameters` tells.

>>> import zerogap as zg
>>> zg.parts.gear(teeth=24, module="2 mm").topology().watertight
True
>>> zg.parts.parameters("torus")[0]
Parameter(name='major', default='0.04', unit='m', doc='Radius of the circle in the middle of the tube [m].')
"""

from typing import NamedTuple

from . import _zerogap
from ._zerogap import Mesh

Length = float | str
Angle = float | str


class Parameter(NamedTuple):
    """What a part can be told."""

    name: str
    default: str
    unit: str
    doc: str


def names() -> list[str]:
    """The names of all parts."""
    return _zerogap.part_names()


def parameters(name: str) -> list[Parameter]:
    """The parameters of a part with their defaults."""
    return [Parameter(*row) for row in _zerogap.part_parameters(name)]


def make(name: str, **settings: float | str | None) -> Mesh:
    """A part by name; settings that are None keep their defaults.

    >>> import zerogap as zg
    >>> len(zg.parts.make("sphere", vertices=100).vertices)
    100
    """
    given = [(key, str(value)) for key, value in settings.items() if value is not None]
    return _zerogap.part(name, given)


def box(
    *,
    width: Length | None = None,
    depth: Length | None = None,
    height: Length | None = None,
) -> Mesh:
    """Box about the origin."""
    return make("box", width=width, depth=depth, height=height)


def prism(
    *,
    sides: int | None = None,
    radius: Length | None = None,
    height: Length | None = None,
) -> Mesh:
    """Regular prism about the origin, axis along z, one corner on the x axis."""
    return make("prism", sides=sides, radius=radius, height=height)


def cylinder(
    *,
    radius: Length | None = None,
    length: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Tessellated cylinder or disc about the origin, axis along z, corners on the true surface."""
    return make("cylinder", radius=radius, length=length, segments=segments)


def sphere(
    *,
    radius: Length | None = None,
    vertices: int | None = None,
) -> Mesh:
    """Convex tessellated sphere about the origin with exactly the given number of vertices, nearly evenly spread."""
    return make("sphere", radius=radius, vertices=vertices)


def icosphere(
    *,
    radius: Length | None = None,
    subdivisions: int | None = None,
) -> Mesh:
    """Sphere about the origin by repeated quartering of an icosahedron's faces, corners on the true surface."""
    return make("icosphere", radius=radius, subdivisions=subdivisions)


def uv_sphere(
    *,
    radius: Length | None = None,
    segments: int | None = None,
    bands: int | None = None,
) -> Mesh:
    """Sphere about the origin as a grid of longitude and latitude, corners on the true surface."""
    return make("uv-sphere", radius=radius, segments=segments, bands=bands)


def torus(
    *,
    major: Length | None = None,
    minor: Length | None = None,
    segments: int | None = None,
    tube_segments: int | None = None,
) -> Mesh:
    """Torus about the origin, axis along z, corners on the true surface."""
    return make("torus", major=major, minor=minor, segments=segments, tube_segments=tube_segments)


def gear(
    *,
    module: Length | None = None,
    teeth: int | None = None,
    pressure_angle: Angle | None = None,
    face_width: Length | None = None,
    bore: Length | None = None,
    addendum: float | None = None,
    clearance: float | None = None,
    backlash: Length | None = None,
    flank_segments: int | None = None,
    land_segments: int | None = None,
    bore_segments: int | None = None,
) -> Mesh:
    """Spur gear about the origin, axis along z, one tooth centred on the x axis."""
    return make(
        "gear",
        module=module,
        teeth=teeth,
        pressure_angle=pressure_angle,
        face_width=face_width,
        bore=bore,
        addendum=addendum,
        clearance=clearance,
        backlash=backlash,
        flank_segments=flank_segments,
        land_segments=land_segments,
        bore_segments=bore_segments,
    )


def connecting_rod(
    *,
    length: Length | None = None,
    big_radius: Length | None = None,
    big_bore: Length | None = None,
    small_radius: Length | None = None,
    small_bore: Length | None = None,
    big_width: Length | None = None,
    small_width: Length | None = None,
    thickness: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Connecting rod: big eye at the origin, small eye on the x axis, bores along z."""
    return make(
        "connecting-rod",
        length=length,
        big_radius=big_radius,
        big_bore=big_bore,
        small_radius=small_radius,
        small_bore=small_bore,
        big_width=big_width,
        small_width=small_width,
        thickness=thickness,
        segments=segments,
    )


def crankshaft(
    *,
    throws: int | None = None,
    phase: Angle | None = None,
    radius: Length | None = None,
    journal_radius: Length | None = None,
    journal_length: Length | None = None,
    pin_radius: Length | None = None,
    pin_length: Length | None = None,
    web_radius: Length | None = None,
    web_pin_radius: Length | None = None,
    web_thickness: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Crankshaft: main journals on the z axis, starting at z = 0, each throw two webs and a pin; the first pin lies towards +x."""
    return make(
        "crankshaft",
        throws=throws,
        phase=phase,
        radius=radius,
        journal_radius=journal_radius,
        journal_length=journal_length,
        pin_radius=pin_radius,
        pin_length=pin_length,
        web_radius=web_radius,
        web_pin_radius=web_pin_radius,
        web_thickness=web_thickness,
        segments=segments,
    )


def peg(
    *,
    section: str | None = None,
    width: Length | None = None,
    depth: Length | None = None,
    length: Length | None = None,
    chamfer: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Peg about the origin, axis along z, with a chamfer of 45° at its lower end."""
    return make("peg", section=section, width=width, depth=depth, length=length, chamfer=chamfer, segments=segments)


def hole_plate(
    *,
    section: str | None = None,
    peg_width: Length | None = None,
    peg_depth: Length | None = None,
    clearance: Length | None = None,
    width: Length | None = None,
    depth: Length | None = None,
    thickness: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Plate about the origin with a hole along z for a peg of the stated size."""
    return make(
        "hole-plate",
        section=section,
        peg_width=peg_width,
        peg_depth=peg_depth,
        clearance=clearance,
        width=width,
        depth=depth,
        thickness=thickness,
        segments=segments,
    )
