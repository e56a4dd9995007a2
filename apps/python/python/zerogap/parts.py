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
    """Parameters of a part."""

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
    floor: Length | None = None,
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
        floor=floor,
        segments=segments,
    )


def l_prism(
    *,
    width: Length | None = None,
    depth: Length | None = None,
    height: Length | None = None,
    leg: Length | None = None,
) -> Mesh:
    """Prism over an L of six corners, axis along z, the middle of its box at the origin, its corner towards -x and -y."""
    return make("l-prism", width=width, depth=depth, height=height, leg=leg)


def countersunk_bolt(
    *,
    diameter: Length | None = None,
    length: Length | None = None,
    head_diameter: Length | None = None,
    chamfer: Length | None = None,
    socket: Length | None = None,
    socket_depth: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Countersunk bolt (90°), axis along z, top of the head at z = 0, shank towards -z with a chamfer of 45° at its end."""
    return make(
        "countersunk-bolt",
        diameter=diameter,
        length=length,
        head_diameter=head_diameter,
        chamfer=chamfer,
        socket=socket,
        socket_depth=socket_depth,
        segments=segments,
    )


def countersunk_plate(
    *,
    bolt_diameter: Length | None = None,
    head_diameter: Length | None = None,
    clearance: Length | None = None,
    width: Length | None = None,
    depth: Length | None = None,
    thickness: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Plate with a countersunk through hole along z for a countersunk bolt of the stated size, its upper face at z = 0, the hole about the origin.

    The bolt is flush with the plate where their frames coincide; let go, it sinks by the clearance.
    """
    return make(
        "countersunk-plate",
        bolt_diameter=bolt_diameter,
        head_diameter=head_diameter,
        clearance=clearance,
        width=width,
        depth=depth,
        thickness=thickness,
        segments=segments,
    )


def crosshead_screw(
    *,
    diameter: Length | None = None,
    length: Length | None = None,
    head_diameter: Length | None = None,
    head_height: Length | None = None,
    wing_diameter: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Screw with a cross recess (ISO 4757 H2) in a flat pan head, axis along z, top of the head at z = 0, wings along x and y, plain shank
    towards -z.
    """
    return make(
        "crosshead-screw",
        diameter=diameter,
        length=length,
        head_diameter=head_diameter,
        head_height=head_height,
        wing_diameter=wing_diameter,
        segments=segments,
    )


def crosshead_driver(
    *,
    wing_diameter: Length | None = None,
    clearance: Length | None = None,
    wing_height: Length | None = None,
    shaft_diameter: Length | None = None,
    length: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Driver for a cross recess (ISO 4757 H2), axis along z, wings along x and y, tip towards -z.

    It is in its seat where its frame coincides with the screw's, or differs by quarter turns about z; pushed on, it sinks by 2.24 times the
    clearance until the ends of its wings wedge.
    """
    return make(
        "crosshead-driver",
        wing_diameter=wing_diameter,
        clearance=clearance,
        wing_height=wing_height,
        shaft_diameter=shaft_diameter,
        length=length,
        segments=segments,
    )


def thread_bolt(
    *,
    diameter: Length | None = None,
    pitch: Length | None = None,
    turns: int | None = None,
    head_width: Length | None = None,
    head_height: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Bolt with a right-handed metric thread, axis along z, thread from z = 0 upwards, head with six sides below it."""
    return make(
        "thread-bolt",
        diameter=diameter,
        pitch=pitch,
        turns=turns,
        head_width=head_width,
        head_height=head_height,
        segments=segments,
    )


def thread_nut(
    *,
    diameter: Length | None = None,
    pitch: Length | None = None,
    turns: int | None = None,
    clearance: Length | None = None,
    width: Length | None = None,
    segments: int | None = None,
) -> Mesh:
    """Nut with a right-handed metric thread, axis along z, from z = 0 upwards.

    It fits its bolt where their frames coincide, and wherever it is moved by z along and rotated by 2π z / pitch about the axis.
    """
    return make(
        "thread-nut",
        diameter=diameter,
        pitch=pitch,
        turns=turns,
        clearance=clearance,
        width=width,
        segments=segments,
    )
