"""Collision detection and contact for physics simulation, with gaps one can trust.

Lengths are metres, angles radians, quaternions (x, y, z, w). One point is an array of shape (3,), many are (n, 3); what comes
back has the shape of what went in.

>>> import zerogap as zg
>>> gear = zg.parts.gear(teeth=24, module="2 mm")
>>> gear.topology().summary
'closed manifold'
"""

from . import parts
from ._status import GapStatus
from ._zerogap import (
    Decomposition,
    Gap,
    Gaps,
    Inspection,
    MassProperties,
    Mesh,
    MeshFileError,
    MprGap,
    Pose,
    Shape,
    Topology,
    __version__,
    box,
    capsule,
    compound,
    cone,
    cylinder,
    decompose,
    distance,
    distance_many,
    ellipsoid,
    frustum,
    halfspace,
    hull,
    inspect,
    intersects,
    mesh,
    mpr,
    point,
    polygon,
    pose,
    segment,
    separation,
    shape,
    sphere,
    triangle,
    user_shape,
)

__all__ = [
    "Decomposition",
    "Gap",
    "GapStatus",
    "Gaps",
    "Inspection",
    "MassProperties",
    "Mesh",
    "MeshFileError",
    "MprGap",
    "Pose",
    "Shape",
    "Topology",
    "__version__",
    "box",
    "capsule",
    "compound",
    "cone",
    "cylinder",
    "decompose",
    "distance",
    "distance_many",
    "ellipsoid",
    "frustum",
    "halfspace",
    "hull",
    "inspect",
    "intersects",
    "mesh",
    "mpr",
    "parts",
    "point",
    "polygon",
    "pose",
    "segment",
    "separation",
    "shape",
    "sphere",
    "triangle",
    "user_shape",
]
