"""The compiled module; `import zerogap` re-exports what is public."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self, disjoint_base

__all__ = [
    "Beam",
    "BroadPhase",
    "Clearance",
    "ClosestFeatures",
    "Collisions",
    "Complex",
    "ContactCache",
    "ContactPlane",
    "Contacts",
    "Control",
    "CoulombSolution",
    "Decomposition",
    "Event",
    "Frame",
    "FrameRun",
    "FrameState",
    "Gap",
    "Gaps",
    "Impact",
    "Inspection",
    "Manifolds",
    "MassProperties",
    "Mesh",
    "MeshContacts",
    "MeshFileError",
    "MeshGap",
    "MeshSearch",
    "MinimumTranslation",
    "Motion",
    "MprGap",
    "Oriented",
    "PairCache",
    "Pose",
    "QuasiContacts",
    "Recording",
    "Run",
    "SavedWorld",
    "Scene",
    "Shape",
    "Topology",
    "Touches",
    "Track",
    "VerifyRow",
    "World",
    "WorldView",
    "ZeroCrossings",
    "__version__",
    "_contacts",
    "_event",
    "_gap",
    "_gaps",
    "_impact",
    "_inspection",
    "_landing",
    "_recording",
    "_run",
    "_saved_world",
    "_scene",
    "_topology",
    "_world",
    "box",
    "capsule",
    "clearance",
    "closest_features",
    "compound",
    "cone",
    "contact_plane",
    "contact_rows",
    "contacts",
    "contacts_many",
    "crossings",
    "cylinder",
    "decompose",
    "distance",
    "distance_many",
    "ellipsoid",
    "frustum",
    "halfspace",
    "height_field",
    "hull",
    "inspect",
    "intersects",
    "load",
    "mesh",
    "minimum_translation",
    "motion_box",
    "mpr",
    "mpr_many",
    "open",
    "pairs",
    "part",
    "part_names",
    "part_parameters",
    "point",
    "polygon",
    "pose",
    "refine",
    "safe_time",
    "scenes",
    "segment",
    "separation",
    "settings",
    "shape",
    "simulate",
    "solve_coulomb",
    "sphere",
    "step_collisions",
    "sweep_edge_edge",
    "sweep_vertex_face",
    "time_of_impact",
    "triangle",
    "user_shape",
    "verify",
]

__version__: str

# One point as a tuple gives one answer; everything else is taken as many points. (At run time an array of shape (3,) is one point too.)
_Point: TypeAlias = tuple[float, float, float]
_Points: TypeAlias = NDArray[Any] | Sequence[Sequence[float]] | Sequence[NDArray[Any]]

# A body that has a gap: a convex shape or half-space, a word that names one, or a file or part whose hull is meant.
_Body: TypeAlias = Shape | str | PathLike[str]
# Quantities: a number in SI, or a text with its unit, such as "5 cm".
_Length: TypeAlias = float | str
_Angle: TypeAlias = float | str
_Time: TypeAlias = float | str
_Mass: TypeAlias = float | str
_Density: TypeAlias = float | str
_Speed: TypeAlias = float | str
_Force: TypeAlias = float | str
_Torque: TypeAlias = float | str
_Pressure: TypeAlias = float | str
_Stiffness: TypeAlias = float | str
_Damping: TypeAlias = float | str
_Frequency: TypeAlias = float | str
# An angular quantity for a rotational joint, a linear one for a translational joint.
_Coordinate: TypeAlias = float | str
# A pose, the 7 numbers x y z qx qy qz qw, a matrix (4, 4) or (3, 3), or (xyz, quat).
_Pose: TypeAlias = Pose | ArrayLike | tuple[ArrayLike, ArrayLike]
# One pose, or one for each: a sequence of poses in any form, or an array of shape (n, 7) or (n, 4, 4).
_Poses: TypeAlias = _Pose | Sequence[_Pose]
_Oscillation: TypeAlias = tuple[float | str, _Frequency] | tuple[float | str, _Frequency, _Angle]

class MeshFileError(ValueError):
    path: str
    line: int | None
    message: str

@final
class Pose:
    @property
    def xyz(self) -> NDArray[np.float64]: ...
    @property
    def quat(self) -> NDArray[np.float64]: ...
    def matrix(self) -> NDArray[np.float64]: ...
    def inverse(self) -> Pose: ...
    @overload
    def __matmul__(self, other: Pose, /) -> Pose: ...
    @overload
    def __matmul__(self, other: ArrayLike, /) -> NDArray[np.float64]: ...
    def __rmatmul__(self, other: Pose, /) -> Pose: ...

@final
class MassProperties:
    @property
    def mass(self) -> float: ...
    @property
    def center(self) -> NDArray[np.float64]: ...
    @property
    def inertia(self) -> NDArray[np.float64]: ...
    @property
    def principal_moments(self) -> NDArray[np.float64]: ...
    def with_mass(self, mass: _Mass) -> MassProperties: ...
    def transformed(self, pose: _Pose) -> MassProperties: ...
    def __add__(self, other: MassProperties, /) -> MassProperties: ...
    def __radd__(self, other: int, /) -> MassProperties: ...

@final
class Shape:
    @property
    def kind(self) -> str: ...
    @property
    def volume(self) -> float: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> list[NDArray[np.uint32]]: ...
    @property
    def edges(self) -> NDArray[np.uint32]: ...
    def bounding_box(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def bounding_sphere(self) -> tuple[NDArray[np.float64], float]: ...
    def mass_properties(self, density: _Density = 1000.0) -> MassProperties: ...
    def support(self, directions: ArrayLike) -> NDArray[np.float64]: ...
    @overload
    def closest_point(self, points: _Point) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]: ...
    @overload
    def closest_point(
        self, points: _Points
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
    @overload
    def contains(self, points: _Point) -> bool: ...
    @overload
    def contains(self, points: _Points) -> NDArray[np.bool_]: ...
    @overload
    def cast_ray(self, origins: _Point, directions: _Point) -> tuple[float, NDArray[np.float64]]: ...
    @overload
    def cast_ray(self, origins: _Points, directions: _Point | _Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    @overload
    def cast_ray(self, origins: _Point, directions: _Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def rounded(self, radius: _Length) -> Shape: ...
    def smooth(self, exponent: int) -> Shape: ...
    def to_mesh(self) -> Mesh: ...

@final
class Mesh:
    def __new__(cls, vertices: ArrayLike, triangles: ArrayLike) -> Mesh: ...
    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def triangles(self) -> NDArray[np.uint32]: ...
    def topology(self) -> Topology: ...
    def repair(self, weld_tolerance: _Length = 0.0, drop_slivers: bool = False) -> Mesh: ...
    def components(self) -> list[Mesh]: ...
    def transformed(self, pose: _Pose) -> Mesh: ...
    def scaled(self, factor: float) -> Mesh: ...
    @overload
    def nearest_point(self, points: _Point) -> tuple[NDArray[np.float64], float, int]: ...
    @overload
    def nearest_point(self, points: _Points) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint32]]: ...
    @overload
    def winding_number(self, points: _Point) -> float: ...
    @overload
    def winding_number(self, points: _Points) -> NDArray[np.float64]: ...
    def shape(self) -> Shape: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class Topology:
    @property
    def summary(self) -> str: ...
    @property
    def triangles(self) -> int: ...
    @property
    def vertices(self) -> int: ...
    @property
    def welded_vertices(self) -> int: ...
    @property
    def components(self) -> int: ...
    @property
    def boundary_edges(self) -> int: ...
    @property
    def non_manifold_edges(self) -> int: ...
    @property
    def orientation_conflicts(self) -> int: ...
    @property
    def degenerate_triangles(self) -> int: ...
    @property
    def duplicate_triangles(self) -> int: ...
    @property
    def watertight(self) -> bool: ...
    @property
    def euler_characteristic(self) -> int: ...
    @property
    def signed_volume(self) -> float: ...
    @property
    def area(self) -> float: ...

@final
class Inspection:
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def format(self) -> str | None: ...
    @property
    def topology(self) -> Topology | None: ...
    @property
    def min(self) -> NDArray[np.float64] | None: ...
    @property
    def max(self) -> NDArray[np.float64] | None: ...
    @property
    def extent(self) -> NDArray[np.float64] | None: ...
    @property
    def density(self) -> float: ...
    @property
    def volume(self) -> float | None: ...
    @property
    def mass(self) -> float | None: ...
    @property
    def center(self) -> NDArray[np.float64] | None: ...
    @property
    def inertia(self) -> NDArray[np.float64] | None: ...
    @property
    def principal_moments(self) -> NDArray[np.float64] | None: ...
    @property
    def mass_error(self) -> str | None: ...

@final
class Decomposition:
    @property
    def pieces(self) -> list[Shape]: ...
    @property
    def concavity(self) -> float: ...
    @property
    def volume_excess(self) -> float: ...
    @property
    def reached(self) -> bool: ...

@final
class Gap:
    @property
    def gap(self) -> float: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def normal_kind(self) -> Literal["unique", "chosen"]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def status(self) -> Literal["exact", "converged", "farther", "limited", "local_depth", "depth_unknown"]: ...
    @property
    def iterations(self) -> int: ...
    @property
    def a(self) -> str: ...
    @property
    def b(self) -> str: ...

@final
class Gaps:
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def lower(self) -> NDArray[np.float64]: ...
    @property
    def upper(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def normal_unique(self) -> NDArray[np.bool_]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def status(self) -> NDArray[np.uint8]: ...
    @property
    def iterations(self) -> NDArray[np.uint32]: ...
    def __len__(self) -> int: ...

@final
class Impact:
    @property
    def status(self) -> Literal["hit", "clear", "limited"]: ...
    @property
    def hit(self) -> bool: ...
    @property
    def t(self) -> float: ...
    @property
    def t_upper(self) -> float: ...
    @property
    def touches(self) -> bool | None: ...
    @property
    def gap(self) -> float | None: ...
    @property
    def gap_rate(self) -> float | None: ...
    @property
    def normal(self) -> NDArray[np.float64] | None: ...
    @property
    def point_a(self) -> NDArray[np.float64] | None: ...
    @property
    def point_b(self) -> NDArray[np.float64] | None: ...
    @property
    def began_in_contact(self) -> bool | None: ...
    @property
    def features(self) -> tuple[str, str] | None: ...
    @property
    def steps(self) -> int: ...

@final
class Collisions:
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def t_upper(self) -> NDArray[np.float64]: ...
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def gap_rate(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def id(self) -> NDArray[np.uint64]: ...
    @property
    def features(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...

@final
class Clearance:
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def t(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def is_decided(self) -> bool: ...
    @property
    def steps(self) -> int: ...

@final
class PairCache:
    def __new__(cls) -> PairCache: ...
    def clear(self) -> None: ...

@final
class ContactCache:
    def __new__(cls) -> ContactCache: ...
    def clear(self) -> None: ...

@final
class Contacts:
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def id(self) -> NDArray[np.uint64]: ...
    @property
    def pieces(self) -> NDArray[np.int64]: ...
    @property
    def normal_kind(self) -> Literal["unique", "chosen"]: ...
    @property
    def features(self) -> list[tuple[str, str]]: ...
    @property
    def feature_a(self) -> str | None: ...
    @property
    def feature_b(self) -> str | None: ...
    @property
    def distance(self) -> Gap: ...
    def __len__(self) -> int: ...

@final
class Complex:
    def __new__(
        cls,
        body: _Body | Mesh | Complex | ArrayLike,
        *,
        tetrahedra: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        segments: ArrayLike | None = None,
        points: ArrayLike | None = None,
        dilation: _Length = 0.0,
        inset: bool = False,
        treat: Literal["auto", "volume", "shell"] = "auto",
        flat_angle: _Angle = 1e-3,
    ) -> Self: ...
    @property
    def summary(self) -> str: ...
    @property
    def parts(self) -> list[tuple[str, int, str]]: ...
    @property
    def classes(self) -> NDArray[np.uint64]: ...
    @property
    def repairs(self) -> list[tuple[str, list[int]]]: ...
    @property
    def dilation(self) -> float: ...
    @property
    def corner_error(self) -> float | None: ...
    @property
    def plane_error(self) -> float | None: ...
    def mass_properties(self, density: _Density) -> MassProperties: ...

@final
class QuasiContacts:
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def id(self) -> NDArray[np.uint64]: ...
    @property
    def distance(self) -> NDArray[np.float64]: ...
    @property
    def classes(self) -> NDArray[np.uint8]: ...
    @property
    def status(self) -> Literal["separated", "base intersecting"]: ...
    @property
    def base_distance(self) -> float | None: ...
    @property
    def overlaps(self) -> list[str]: ...
    @property
    def features(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...

@final
class MeshGap:
    @property
    def gap(self) -> float: ...
    @property
    def distance(self) -> float: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def normal_kind(self) -> Literal["unique", "chosen"]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def triangles(self) -> tuple[int, int]: ...
    @property
    def status(self) -> Literal["exact", "converged", "farther", "limited", "local_depth", "depth_unknown"]: ...
    @property
    def pops(self) -> int: ...
    @property
    def measured(self) -> int: ...
    @property
    def overlaps(self) -> MeshContacts: ...
    @property
    def depth_unknown(self) -> str | None: ...

@final
class MeshContacts:
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def id(self) -> NDArray[np.uint64]: ...
    @property
    def features(self) -> list[tuple[str, str]]: ...
    def __len__(self) -> int: ...

@final
class Manifolds:
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def id(self) -> NDArray[np.uint64]: ...
    @property
    def pieces(self) -> NDArray[np.int64]: ...
    @property
    def offset(self) -> NDArray[np.int64]: ...
    @property
    def features(self) -> list[tuple[str, str]]: ...
    @property
    def distance(self) -> Gaps: ...
    def __len__(self) -> int: ...

@final
class Beam:
    def __new__(
        cls,
        nodes: ArrayLike,
        elements: Sequence[Sequence[int]],
        *,
        young_modulus: _Pressure,
        area: float,
        second_moment: float,
        density: _Density,
    ) -> Beam: ...
    @staticmethod
    def straight(
        length: _Length,
        elements: int,
        *,
        young_modulus: _Pressure,
        area: float,
        second_moment: float,
        density: _Density,
    ) -> Beam: ...
    def hold(self, node: int, *, x: bool = False, y: bool = False, turn: bool = False) -> None: ...
    def clamp(self, node: int) -> None: ...
    def deflection(self, loads: ArrayLike) -> NDArray[np.float64]: ...
    def modes(
        self, count: int, mass: Literal["consistent", "lumped"] = "consistent"
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

@final
class Frame:
    def __new__(
        cls,
        nodes: ArrayLike,
        elements: ArrayLike,
        *,
        section: str | Mapping[str, float] | Sequence[str | Mapping[str, float]],
        young_modulus: _Pressure,
        density: _Density,
        poisson_ratio: float = 0.3,
        shear_modulus: _Pressure | None = None,
        up: ArrayLike | None = None,
        shear: bool = False,
        plane: Literal["xy", "yz", "zx"] | None = None,
        damping: tuple[float, float] = ...,
    ) -> Frame: ...
    def hold(
        self,
        node: int,
        *,
        x: bool = False,
        y: bool = False,
        z: bool = False,
        rx: bool = False,
        ry: bool = False,
        rz: bool = False,
    ) -> None: ...
    def clamp(self, node: int) -> None: ...
    def pin(self, node: int) -> None: ...
    def set_loads(
        self, nodal: ArrayLike | None = None, *, line: ArrayLike | None = None, gravity: ArrayLike | None = None
    ) -> None: ...
    def state(self, displacements: ArrayLike | None = None, velocities: ArrayLike | None = None) -> FrameState: ...
    def settle(self, state: FrameState | None = None, *, tolerance: float = 1e-10) -> FrameState: ...
    def modes(
        self, count: int, state: FrameState | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def simulate(
        self,
        until: _Time,
        step: _Time,
        *,
        state: FrameState | None = None,
        factor: tuple[Sequence[float], Sequence[float]] | None = None,
        every: _Time | None = None,
        spectral_radius: float = 0.9,
    ) -> FrameRun: ...
    def section_forces(self, state: FrameState) -> NDArray[np.float64]: ...
    def reactions(self, state: FrameState) -> NDArray[np.float64]: ...
    @property
    def mass(self) -> float: ...

@final
class FrameState:
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def quaternions(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def unstable(self) -> int: ...
    @property
    def iterations(self) -> int: ...

@final
class FrameRun:
    @property
    def times(self) -> NDArray[np.float64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def quaternions(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> NDArray[np.float64]: ...
    @property
    def state(self) -> FrameState: ...

@final
class Touches:
    @property
    def target(self) -> NDArray[np.uint32]: ...
    @property
    def initiator(self) -> NDArray[np.uint32]: ...
    @property
    def surface(self) -> NDArray[np.uint32]: ...
    @property
    def gap(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def kind(self) -> list[Literal["hit", "crossed", "kept", "handed-over", "inside"]]: ...
    @property
    def inside(self) -> NDArray[np.bool_]: ...
    @property
    def guess(self) -> NDArray[np.bool_]: ...
    @property
    def released(self) -> NDArray[np.uint32]: ...
    def __len__(self) -> int: ...

@final
class Oriented:
    def __new__(
        cls,
        targets: Sequence[Shape | ArrayLike],
        points: ArrayLike,
        poses: Sequence[Pose | ArrayLike] | None = None,
        *,
        form: Literal["guards", "conditional"] = "guards",
        culling: bool = True,
        clipping: bool = True,
        rule: Literal["history", "nearest"] = "history",
    ) -> Oriented: ...
    def evaluate(self, points: ArrayLike, poses: Sequence[Pose | ArrayLike] | None = None) -> Touches: ...
    def commit(self, points: ArrayLike, poses: Sequence[Pose | ArrayLike] | None = None) -> Touches: ...
    def reset(self, points: ArrayLike, poses: Sequence[Pose | ArrayLike] | None = None) -> None: ...
    def roots(
        self, points: ArrayLike, poses: Sequence[Pose | ArrayLike] | None = None
    ) -> NDArray[np.float64]: ...
    def forces(
        self,
        points: ArrayLike,
        velocities: ArrayLike | None = None,
        poses: Sequence[Pose | ArrayLike] | None = None,
        *,
        stiffness: float,
        damping: float = 0.0,
        friction: float = 0.0,
        target_velocities: ArrayLike | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def matrices(
        self, points: ArrayLike, poses: Sequence[Pose | ArrayLike] | None = None, *, target: int = 0
    ) -> dict[str, NDArray[Any]]: ...
    def separations(
        self, points: ArrayLike, pose: Pose | ArrayLike | None = None, *, target: int = 0
    ) -> NDArray[np.float64]: ...
    def nearest(
        self, points: ArrayLike, pose: Pose | ArrayLike | None = None, *, target: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    @property
    def touches(self) -> Touches: ...
    @property
    def initiators(self) -> int: ...
    @property
    def surfaces(self) -> list[int]: ...

@final
class ContactPlane:
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def offset(self) -> float: ...
    @property
    def gap(self) -> float: ...
    @property
    def normal_kind(self) -> str: ...
    @property
    def candidates(self) -> NDArray[np.float64]: ...
    @property
    def separations(self) -> list[float]: ...
    @property
    def kinds(self) -> list[str | None]: ...

@final
class MeshSearch:
    def __new__(
        cls,
        a: Mesh | Shape | str,
        b: Mesh | Shape | str,
        pose_a: Pose | ArrayLike | None = None,
        pose_b: Pose | ArrayLike | None = None,
        *,
        volume: Literal["oriented-boxes", "boxes", "balls", "14-dops", "18-dops", "26-dops"] = "oriented-boxes",
        split: Literal["surface-area", "longest", "smallest-volumes"] = "surface-area",
        leaf: int = 2,
        order: Literal["best-first", "depth-first"] = "best-first",
        absolute: _Length | None = None,
        relative: float | None = None,
        nearer_than: _Length | None = None,
        cutoff: _Length | None = None,
    ) -> MeshSearch: ...
    def advance(self, time: _Time | None = None, *, pairs: int | None = None) -> MeshGap: ...

@final
class ZeroCrossings:
    def __new__(
        cls,
        world: World,
        functions: int | Literal["two"] | None = None,
        *,
        hysteresis: _Length = 1e-8,
    ) -> ZeroCrossings: ...
    def reset(
        self, poses: ArrayLike, velocities: ArrayLike
    ) -> list[tuple[tuple[int, int], str, float | None]]: ...
    def distances(self, poses: ArrayLike) -> NDArray[np.float64]: ...
    def select(self, poses: ArrayLike) -> list[tuple[int, int]]: ...
    def commit(
        self, poses: ArrayLike, velocities: ArrayLike, crossed: Sequence[int] = ...
    ) -> list[tuple[tuple[int, int], str, float | None]]: ...
    def forces(self, poses: ArrayLike, velocities: ArrayLike) -> NDArray[np.float64]: ...
    @property
    def selected(self) -> list[tuple[int, int] | None]: ...
    @property
    def in_contact(self) -> list[tuple[int, int]]: ...
    def __len__(self) -> int: ...

@final
class BroadPhase:
    def __new__(
        cls, margin: _Length = 0.0, method: Literal["auto", "grid", "sweep", "tree"] = "auto"
    ) -> BroadPhase: ...
    def insert(
        self,
        min: ArrayLike,
        max: ArrayLike,
        body: int | None = None,
        groups: int = 4294967295,
        mask: int = 4294967295,
        fixed: bool = False,
    ) -> int: ...
    def insert_many(
        self,
        mins: ArrayLike,
        maxs: ArrayLike,
        body: int | None = None,
        groups: int = 4294967295,
        mask: int = 4294967295,
        fixed: bool = False,
    ) -> NDArray[np.int64]: ...
    def insert_half_space(
        self,
        normal: ArrayLike,
        offset: _Length,
        body: int | None = None,
        groups: int = 4294967295,
        mask: int = 4294967295,
        fixed: bool = True,
    ) -> int: ...
    def set(self, id: int, min: ArrayLike, max: ArrayLike) -> None: ...
    def set_many(self, ids: ArrayLike, mins: ArrayLike, maxs: ArrayLike) -> None: ...
    def remove(self, id: int) -> None: ...
    def body(self, id: int) -> int: ...
    def join(self, a: int, b: int) -> None: ...
    def part(self, a: int, b: int) -> None: ...
    def update(self) -> NDArray[np.int64]: ...
    @property
    def pairs(self) -> NDArray[np.int64]: ...
    @property
    def began(self) -> NDArray[np.int64]: ...
    @property
    def ended(self) -> NDArray[np.int64]: ...
    def overlapping(self, min: ArrayLike, max: ArrayLike) -> NDArray[np.int64]: ...
    def within(self, min: ArrayLike, max: ArrayLike, distance: _Length) -> NDArray[np.int64]: ...
    def nearest(
        self, min: ArrayLike, max: ArrayLike, k: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    def cast_ray(
        self, origin: ArrayLike, direction: ArrayLike, length: _Length
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    def __len__(self) -> int: ...

@final
class MinimumTranslation:
    @property
    def gap(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def normal_kind(self) -> Literal["unique", "chosen"]: ...
    @property
    def kind(self) -> Literal["face of A", "face of B", "edges"]: ...
    @property
    def feature_a(self) -> str: ...
    @property
    def feature_b(self) -> str: ...
    @property
    def distance(self) -> Gap: ...

@final
class ClosestFeatures:
    @property
    def distance(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def feature_a(self) -> str | None: ...
    @property
    def feature_b(self) -> str | None: ...
    @property
    def found(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def by_walk(self) -> bool: ...
    @property
    def status(self) -> Literal["apart", "overlap"]: ...

@final
class MprGap:
    @property
    def gap(self) -> float: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def normal(self) -> NDArray[np.float64]: ...
    @property
    def point_a(self) -> NDArray[np.float64]: ...
    @property
    def point_b(self) -> NDArray[np.float64]: ...
    @property
    def exit(self) -> str: ...
    @property
    def iterations(self) -> int: ...

class _Sparse(Protocol):
    def tocoo(self) -> Any: ...

@final
class CoulombSolution:
    @property
    def r(self) -> NDArray[np.float64]: ...
    @property
    def u(self) -> NDArray[np.float64]: ...
    @property
    def kinds(self) -> list[Literal["open", "sticks", "slides"]]: ...
    @property
    def status(self) -> Literal["solved", "limit", "infeasible"]: ...
    @property
    def certificate(self) -> NDArray[np.float64] | None: ...
    @property
    def min_impulse(self) -> float | None: ...
    @property
    def misses(self) -> dict[str, float]: ...
    @property
    def residual(self) -> float: ...
    @property
    def relative(self) -> float: ...
    @property
    def iterations(self) -> dict[str, int]: ...

@final
class VerifyRow:
    @property
    def group(self) -> str: ...
    @property
    def case(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def value(self) -> float: ...
    @property
    def expected(self) -> float | None: ...
    @property
    def tolerance(self) -> float | None: ...
    @property
    def at_most(self) -> float | None: ...
    @property
    def passed(self) -> bool: ...
    @property
    def is_timing(self) -> bool: ...
    @property
    def known_issue(self) -> int | None: ...
    @property
    def published(self) -> dict[str, float]: ...

@final
class Event:
    @property
    def t(self) -> float: ...
    @property
    def kind(
        self,
    ) -> Literal[
        "contact_begin",
        "contact_end",
        "impact",
        "settled",
        "stick",
        "slip",
        "limit_reached",
        "limit_left",
        "inconsistent",
        "indeterminate",
        "more_functions",
        "crossed",
        "scheduled",
        "handed_over",
        "sleep",
        "wake",
        "captured",
    ]: ...
    @property
    def shapes(self) -> tuple[int, int] | None: ...
    @property
    def bodies(self) -> list[str | None]: ...
    def keys(self) -> list[str]: ...
    def __getitem__(self, key: str, /) -> Any: ...
    def __eq__(self, value: object, /) -> bool: ...

@final
class Motion:
    @staticmethod
    def harmonic(
        pose: _Pose | None = None,
        *,
        surge: _Oscillation | None = None,
        sway: _Oscillation | None = None,
        heave: _Oscillation | None = None,
        roll: _Oscillation | None = None,
        pitch: _Oscillation | None = None,
        yaw: _Oscillation | None = None,
    ) -> Motion: ...
    @staticmethod
    def spline(
        t: ArrayLike, poses: ArrayLike | Sequence[_Pose], *, interpolation: Literal["linear", "monotone", "smooth"] | None = None
    ) -> Motion: ...
    @staticmethod
    def csv(
        path: str | PathLike[str], *, interpolation: Literal["linear", "monotone", "smooth"] | None = None
    ) -> Motion: ...
    @staticmethod
    def function(function: Callable[[float], _Pose], *, resolution: _Time = 1e-3) -> Motion: ...
    def at(self, t: _Time) -> tuple[Pose, NDArray[np.float64]]: ...

@final
class WorldView:
    @property
    def t(self) -> float: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def rates(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> dict[str, float]: ...
    def contacts(self) -> dict[str, NDArray[Any]]: ...
    def pose(self, body: str | int) -> Pose: ...
    def velocity(self, body: str | int) -> NDArray[np.float64]: ...
    def angular_velocity(self, body: str | int) -> NDArray[np.float64]: ...

@final
class Control:
    def __len__(self) -> int: ...
    def __getitem__(self, key: str | int | slice, /) -> Any: ...
    def __setitem__(self, key: str | int | slice, value: ArrayLike, /) -> None: ...
    def __iter__(self) -> Iterator[float]: ...
    def __array__(self, dtype: Any | None = None, copy: bool | None = None) -> NDArray[Any]: ...

@final
class SavedWorld:
    def to_bytes(self) -> bytes: ...
    @property
    def time(self) -> float: ...

@final
class World:
    def __new__(
        cls,
        *,
        # Settings of World, made from the tables of settings.
        gravity: ArrayLike | None = None,
        contact: Literal["hunt-crossley", "hertz", "linear", "kelvin-voigt", "modia3d", "rigid"] | None = None,
        stiffness: _Stiffness | None = None,
        damping: _Damping | None = None,
        damping_ratio: float | None = None,
        impact: Literal["moreau", "poisson", "newton", "sequential"] | None = None,
        method: Literal["auto", "events", "stepping", "silvia"] | None = None,
        integrator: Literal["auto", "dop853", "radau"] | None = None,
        step: _Time | None = None,
        tolerance: _Speed | None = None,
        patch_points: int | Literal["auto", "all"] | None = None,
        solver: Literal["cones", "lcp"] | None = None,
        cone_sides: int | None = None,
        midpoint_iterations: int | None = None,
        sleep: _Time | None = None,
        sleep_speed: _Speed | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        max_step: _Time | None = None,
        zero_functions: int | Literal["two"] | None = None,
        narrow_phase: Literal["exact", "mpr", "v-clip"] | None = None,
        overlaps: Literal["refuse", "separate", "exclude"] | None = None,
        assemble: bool | None = None,
        # End of settings.
    ) -> World: ...
    def material(self, name: str, young_modulus: _Pressure, poisson_ratio: float, density: _Density) -> None: ...
    def pair(
        self,
        a: str,
        b: str,
        *,
        # Settings of World.pair, made from the tables of settings.
        restitution: float | None = None,
        friction: float | None = None,
        static_friction: float | None = None,
        friction_across: float | None = None,
        friction_direction: ArrayLike | None = None,
        rolling: float | None = None,
        spinning: _Length | None = None,
        contact_radius: _Length | None = None,
        grip: float | None = None,
        # End of settings.
    ) -> None: ...
    def fixed(
        self,
        shape: Shape | Mesh | Complex,
        *,
        name: str = "",
        material: str | None = None,
        pose: _Pose | None = None,
        # Settings of World.fixed, made from the tables of settings.
        collision: Literal["auto", "hull", "pieces", "mesh", "quasi-lmd", "oriented"] | None = None,
        pieces: int | None = None,
        sides: Literal["closed", "one", "two"] | None = None,
        max_depth: _Length | None = None,
        thickness: _Length | None = None,
        angular_tolerance: _Angle | None = None,
        dilation: _Length | None = None,
        inflate: bool | None = None,
        rule: Literal["history", "nearest"] | None = None,
        surface_velocity: ArrayLike | None = None,
        # End of settings.
    ) -> int: ...
    def body(
        self,
        name: str,
        shapes: Shape
        | Mesh
        | Complex
        | Iterable[
            Shape
            | Mesh
            | Complex
            | tuple[Shape | Mesh | Complex, _Pose]
            | tuple[Shape | Mesh | Complex, _Pose, str]
            | Mapping[str, Any]
        ]
        | None = None,
        *,
        material: str | None = None,
        # Settings of World.body, made from the tables of settings.
        collision: Literal["auto", "hull", "pieces", "mesh", "quasi-lmd", "oriented"] | None = None,
        pieces: int | None = None,
        sides: Literal["closed", "one", "two"] | None = None,
        max_depth: _Length | None = None,
        thickness: _Length | None = None,
        angular_tolerance: _Angle | None = None,
        dilation: _Length | None = None,
        inflate: bool | None = None,
        rule: Literal["history", "nearest"] | None = None,
        surface_velocity: ArrayLike | None = None,
        # End of settings.
        joint: Literal[
            "free",
            "revolute",
            "prismatic",
            "cylindrical",
            "universal",
            "spherical",
            "planar",
            "fixed",
            "prescribed",
        ]
        | None = None,
        axis: ArrayLike | None = None,
        second_axis: ArrayLike | None = None,
        motion: Motion | None = None,
        parent: str | int | None = None,
        parent_frame: _Pose | None = None,
        child_frame: _Pose | None = None,
        pose: _Pose | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        positions: ArrayLike | None = None,
        rates: ArrayLike | None = None,
        mass: _Mass | MassProperties | None = None,
        center: ArrayLike | None = None,
        inertia: ArrayLike | None = None,
    ) -> int: ...
    def servo(
        self,
        body: str | int,
        motion: Motion,
        *,
        # Settings of World.servo, made from the tables of settings.
        force: _Force,
        torque: _Torque,
        response: _Time | None = None,
        # End of settings.
    ) -> None: ...
    def remove(self, body: int | str) -> None: ...
    def remove_fixed(self, shape: int) -> None: ...
    @property
    def bodies(self) -> NDArray[np.int64]: ...
    def dof(
        self,
        body: str | int,
        index: int = 0,
        *,
        # Settings of World.dof, made from the tables of settings.
        lower: _Coordinate | None = None,
        upper: _Coordinate | None = None,
        restitution: float | None = None,
        stiffness: _Coordinate | None = None,
        spring_reference: _Coordinate | None = None,
        damping: _Coordinate | None = None,
        armature: _Coordinate | None = None,
        friction: _Coordinate | None = None,
        # End of settings.
    ) -> None: ...
    def set_motor(
        self,
        body: str | int,
        index: int = 0,
        *,
        # Settings of World.set_motor, made from the tables of settings.
        effort: _Coordinate | None = None,
        speed: _Coordinate | None = None,
        position: _Coordinate | None = None,
        gain: _Coordinate | None = None,
        stiffness: _Coordinate | None = None,
        damping: _Coordinate | None = None,
        limit: _Coordinate | None = None,
        # End of settings.
    ) -> None: ...
    def close(
        self,
        a: str | int | None,
        b: str | int | None,
        *,
        kind: Literal["point", "revolute", "fixed", "distance"] = "point",
        frame_a: _Pose | None = None,
        frame_b: _Pose | None = None,
        axis: ArrayLike | None = None,
        length: _Length | None = None,
    ) -> int: ...
    def spring(
        self,
        a: str | int | None,
        b: str | int | None,
        *,
        at_a: ArrayLike | None = None,
        at_b: ArrayLike | None = None,
        # Settings of World.spring, made from the tables of settings.
        stiffness: _Stiffness | None = None,
        damping: _Damping | None = None,
        length: _Length | None = None,
        # End of settings.
    ) -> None: ...
    def bushing(
        self,
        a: str | int | None,
        b: str | int | None,
        *,
        frame_a: _Pose | None = None,
        frame_b: _Pose | None = None,
        # Settings of World.bushing, made from the tables of settings.
        stiffness: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        angular_stiffness: ArrayLike | None = None,
        angular_damping: ArrayLike | None = None,
        # End of settings.
    ) -> None: ...
    def frame(
        self,
        name: str,
        frame: Frame,
        *,
        joints: Sequence[tuple[Any, ...]] | None = None,
        masses: Sequence[tuple[int, float]] | None = None,
        pose: _Pose | None = None,
        velocity: ArrayLike | None = None,
        # Settings of World.frame, made from the tables of settings.
        contact: Literal["capsules", "spheres", "none"] | None = None,
        radius: _Length | None = None,
        material: str | None = None,
        settle: bool | None = None,
        spectral_radius: float | None = None,
        # End of settings.
    ) -> list[int]: ...
    def beam_forces(self) -> NDArray[np.float64]: ...
    def exclude(self, a: str | int | None, b: str | int | None) -> None: ...
    def add_force(self, body: str | int, function: Callable[[WorldView], ArrayLike]) -> None: ...
    def add_event(
        self,
        function: Callable[[WorldView], float],
        *,
        direction: Literal["rising", "falling", "both"] = "both",
        stop: bool = True,
    ) -> int: ...
    def advance_to(self, t: _Time) -> Literal["reached", "stopped"]: ...
    def step(self, n: int = 1) -> Literal["reached", "stopped"]: ...
    def set_controller(self, function: Callable[[World], object] | None, period: _Time | None = None) -> None: ...
    @property
    def q(self) -> NDArray[np.float64]: ...
    @q.setter
    def q(self, q: ArrayLike) -> None: ...
    @property
    def v(self) -> NDArray[np.float64]: ...
    @v.setter
    def v(self, v: ArrayLike) -> None: ...
    def set_state(self, q: ArrayLike, v: ArrayLike) -> None: ...
    def set_joint(
        self, joint: str | int, positions: ArrayLike | None = None, velocities: ArrayLike | None = None
    ) -> None: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def q_slices(self) -> dict[str, slice]: ...
    @property
    def v_slices(self) -> dict[str, slice]: ...
    @property
    def actuator_names(self) -> list[str]: ...
    @property
    def site_names(self) -> list[str]: ...
    @property
    def control(self) -> Control: ...
    @control.setter
    def control(self, control: ArrayLike | dict[str, float]) -> None: ...
    @property
    def activation(self) -> NDArray[np.float64]: ...
    @property
    def sensors(self) -> dict[str, Any]: ...
    def sensor(self, name: str) -> Any: ...
    @property
    def accelerations(self) -> NDArray[np.float64]: ...
    def mass_matrix(self) -> NDArray[np.float64]: ...
    def bias_forces(self) -> NDArray[np.float64]: ...
    def inverse_dynamics(self, a: ArrayLike, *, contacts: bool = False) -> NDArray[np.float64]: ...
    def jacobian(self, frame: str | int, point: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def jacobian_rate_times_v(self, frame: str | int, point: ArrayLike | None = None) -> NDArray[np.float64]: ...
    def frame_pose(self, frame: str | int) -> Pose: ...
    def forward_kinematics(self, q: ArrayLike) -> NDArray[np.float64]: ...
    def center_of_mass(self, body: str | int | None = None) -> NDArray[np.float64]: ...
    def momentum_about_center(
        self, body: str | int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def contact_force(self, a: str | int | None, b: str | int | None) -> NDArray[np.float64]: ...
    def to_mujoco(
        self, q: ArrayLike | None = None, v: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def from_mujoco(
        self, qpos: ArrayLike, qvel: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    def set_force(self, body: str | int, force: ArrayLike, torque: ArrayLike | None = None) -> None: ...
    def schedule(self, t: _Time) -> None: ...
    def save(self) -> SavedWorld: ...
    def restore(self, saved: SavedWorld | bytes) -> None: ...
    @property
    def time(self) -> float: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def assembly(self) -> list[tuple[str, float, float]]: ...
    @property
    def start_overlaps(self) -> dict[str, list[tuple[Any, ...]]]: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    def positions(self, body: str | int) -> NDArray[np.float64]: ...
    def rates(self, body: str | int) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> dict[str, float]: ...
    @property
    def momentum(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
    @property
    def loop_errors(self) -> NDArray[np.float64]: ...
    def contacts(self) -> dict[str, NDArray[Any]]: ...
    def contact_points(self) -> dict[str, Any]: ...
    def gap(self, a: str | int | None, b: str | int | None) -> Gap: ...
    def nearest(self, side: str | int | None) -> Gap | None: ...
    def gaps(self, within: _Length) -> dict[str, NDArray[Any]]: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def info(self) -> dict[str, Any]: ...
    @property
    def hash(self) -> int: ...

@final
class Track:
    @property
    def name(self) -> str: ...
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def xyz(self) -> NDArray[np.float64]: ...
    @property
    def quat(self) -> NDArray[np.float64]: ...
    @property
    def velocity(self) -> NDArray[np.float64]: ...
    @property
    def angular_velocity(self) -> NDArray[np.float64]: ...

@disjoint_base
class Recording:
    def __new__(cls, path: str | PathLike[str]) -> Self: ...
    @property
    def scene(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def bodies(self) -> list[str]: ...
    @property
    def shapes(self) -> list[str]: ...
    @property
    def every(self) -> float: ...
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def poses(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def energy(self) -> dict[str, NDArray[np.float64]]: ...
    @property
    def contacts(self) -> dict[str, NDArray[Any]]: ...
    @property
    def points(self) -> dict[str, Any]: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def info(self) -> dict[str, Any]: ...
    @property
    def hash(self) -> int | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def is_whole(self) -> bool: ...
    def __getitem__(self, key: str | int, /) -> Track: ...
    def __len__(self) -> int: ...
    def plot(
        self, path: str | PathLike[str], what: Literal["energy", "gaps", "forces", "touching", "steps", "overview"] = "overview"
    ) -> None: ...
    def to_html(self, path: str | PathLike[str]) -> None: ...
    def to_glb(self, path: str | PathLike[str]) -> None: ...
    def to_csv(self, folder: str | PathLike[str]) -> list[Path]: ...
    def to_npz(self, path: str | PathLike[str]) -> None: ...
    def save(self, path: str | PathLike[str]) -> None: ...

@final
class Run(Recording):
    @property
    def names(self) -> list[str]: ...
    @property
    def stopped(self) -> bool: ...

@final
class Scene:
    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def until(self) -> float: ...
    @property
    def every(self) -> float: ...
    @property
    def warnings(self) -> list[str]: ...
    def world(self) -> World: ...

def pose(
    xyz: ArrayLike | None = None,
    quat: Sequence[float] | NDArray[Any] | None = None,
    *,
    axis: ArrayLike | None = None,
    angle: _Angle | None = None,
    rpy: ArrayLike | None = None,
    matrix: ArrayLike | None = None,
) -> Pose: ...
def sphere(radius: _Length) -> Shape: ...
def ellipsoid(radii: ArrayLike) -> Shape: ...
def box(size: ArrayLike) -> Shape: ...
def capsule(radius: _Length, length: _Length) -> Shape: ...
def cylinder(radius: _Length, length: _Length) -> Shape: ...
def cone(radius: _Length, length: _Length) -> Shape: ...
def frustum(radius0: _Length, radius1: _Length, length: _Length) -> Shape: ...
def point(position: ArrayLike) -> Shape: ...
def segment(a: ArrayLike, b: ArrayLike) -> Shape: ...
def triangle(a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Shape: ...
def polygon(corners: ArrayLike) -> Shape: ...
def halfspace(normal: ArrayLike, offset: _Length, mass: MassProperties | None = None) -> Shape: ...
def height_field(
    heights: ArrayLike, spacing: Sequence[float], max_depth: _Length = 1.0
) -> Shape: ...
def compound(pieces: Sequence[Shape], poses: Sequence[_Pose] | NDArray[Any] | None = None) -> Shape: ...
def hull(points: ArrayLike | Mesh) -> Shape: ...
def shape(word: str) -> Shape: ...
def user_shape(
    support: Callable[[NDArray[np.float64]], ArrayLike],
    interior_point: ArrayLike,
    mass: MassProperties | None = None,
) -> Shape: ...
def mesh(
    path: str | PathLike[str], scale: _Length | None = None, repair: bool = False, format: str | None = None
) -> Mesh: ...
def inspect(
    body: str | PathLike[str] | Shape | Mesh, density: _Density = 1000.0, scale: _Length | None = None, repair: bool = False
) -> Inspection: ...
@overload
def distance(
    a: _Body,
    b: _Body,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    cutoff: _Length | None = None,
    tolerance: float | None = None,
    cache: PairCache | None = None,
    absolute: None = None,
    relative: None = None,
    nearer_than: None = None,
    budget: None = None,
    order: None = None,
) -> Gap: ...
@overload
def distance(
    a: Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    cutoff: _Length | None = None,
    tolerance: float | None = None,
    cache: PairCache | None = None,
    absolute: _Length | None = None,
    relative: float | None = None,
    nearer_than: _Length | None = None,
    budget: int | None = None,
    order: Literal["depth-first", "best-first"] | None = None,
) -> MeshGap: ...
@overload
def distance(
    a: _Body,
    b: Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    cutoff: _Length | None = None,
    tolerance: float | None = None,
    cache: PairCache | None = None,
    absolute: _Length | None = None,
    relative: float | None = None,
    nearer_than: _Length | None = None,
    budget: int | None = None,
    order: Literal["depth-first", "best-first"] | None = None,
) -> MeshGap: ...
def distance_many(
    a: _Body | Mesh | Iterable[_Body | Mesh],
    b: _Body | Mesh | Iterable[_Body | Mesh],
    poses_a: _Poses | None = None,
    poses_b: _Poses | None = None,
    *,
    index_a: ArrayLike | None = None,
    index_b: ArrayLike | None = None,
    cutoff: _Length | None = None,
    tolerance: float | None = None,
    threads: int | None = None,
) -> Gaps: ...
def contact_plane(
    a: Shape | str | PathLike[str],
    b: Shape | str | PathLike[str],
    pose_a: Pose | ArrayLike | None = None,
    pose_b: Pose | ArrayLike | None = None,
    *,
    tolerance: _Length = 1e-9,
) -> ContactPlane: ...
def contact_rows(
    contacts: Contacts | MeshContacts | QuasiContacts,
    pose_a: Pose | ArrayLike | None = None,
    pose_b: Pose | ArrayLike | None = None,
) -> NDArray[np.float64]: ...
def crossings(
    a: Mesh | Shape,
    b: Mesh | Shape,
    pose_a: Pose | ArrayLike | None = None,
    pose_b: Pose | ArrayLike | None = None,
) -> NDArray[np.uint32]: ...
@overload
def contacts(  # type: ignore[overload-overlap]
    a: _Body,
    b: _Body,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["manifold"] | None = None,
    angular_tolerance: None = None,
    dilation: None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> Contacts: ...
@overload
def contacts(
    a: Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["manifold"] | None = None,
    angular_tolerance: None = None,
    dilation: None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> MeshContacts: ...
@overload
def contacts(
    a: _Body,
    b: Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["manifold"] | None = None,
    angular_tolerance: None = None,
    dilation: None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> MeshContacts: ...
@overload
def contacts(
    a: _Body | Mesh | Complex,
    b: _Body | Mesh | Complex,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["quasi-lmd"],
    angular_tolerance: _Angle | None = None,
    dilation: _Length | None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> QuasiContacts: ...
@overload
def contacts(
    a: Complex,
    b: _Body | Mesh | Complex,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["quasi-lmd"] | None = None,
    angular_tolerance: _Angle | None = None,
    dilation: _Length | None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> QuasiContacts: ...
@overload
def contacts(
    a: _Body | Mesh,
    b: Complex,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    cache: ContactCache | None = None,
    method: Literal["quasi-lmd"] | None = None,
    angular_tolerance: _Angle | None = None,
    dilation: _Length | None = None,
    inset: bool = False,
    check_overlap: bool = True,
) -> QuasiContacts: ...
def contacts_many(
    a: _Body | Mesh | Iterable[_Body | Mesh],
    b: _Body | Mesh | Iterable[_Body | Mesh],
    poses_a: _Poses | None = None,
    poses_b: _Poses | None = None,
    *,
    index_a: ArrayLike | None = None,
    index_b: ArrayLike | None = None,
    within: _Length = 1e-3,
    at_most_four: bool = False,
    arc_tolerance: float = 0.08,
    tolerance: float = 1e-11,
    threads: int | None = None,
) -> Manifolds: ...
def minimum_translation(
    a: _Body, b: _Body, pose_a: _Pose | None = None, pose_b: _Pose | None = None
) -> MinimumTranslation | None: ...
def closest_features(
    a: _Body,
    b: _Body,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    start: int | None = None,
) -> ClosestFeatures: ...
def time_of_impact(
    a: _Body | Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    to_a: _Pose | None = None,
    to_b: _Pose | None = None,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    spin_a: ArrayLike | None = None,
    spin_b: ArrayLike | None = None,
    path_a: Iterable[tuple[_Time, _Pose]] | None = None,
    path_b: Iterable[tuple[_Time, _Pose]] | None = None,
    duration: _Time = 1.0,
    screw: bool = False,
    form: Literal["mesh", "hull"] = "mesh",
    tolerance: _Length = 1e-8,
    min_separation: _Length = 0.0,
) -> Impact: ...
def step_collisions(
    a: _Body | Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    to_a: _Pose | None = None,
    to_b: _Pose | None = None,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    spin_a: ArrayLike | None = None,
    spin_b: ArrayLike | None = None,
    duration: _Time = 1.0,
    screw: bool = False,
    tolerance: _Length = 1e-8,
) -> Collisions: ...
def clearance(
    a: _Body | Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    to_a: _Pose | None = None,
    to_b: _Pose | None = None,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    spin_a: ArrayLike | None = None,
    spin_b: ArrayLike | None = None,
    path_a: Iterable[tuple[_Time, _Pose]] | None = None,
    path_b: Iterable[tuple[_Time, _Pose]] | None = None,
    duration: _Time = 1.0,
    screw: bool = False,
    form: Literal["mesh", "hull"] = "mesh",
    tolerance: _Length = 1e-6,
    threshold: _Length | None = None,
    max_steps: int = 10_000,
) -> Clearance: ...
def refine(mesh: Mesh, edge: _Length) -> Mesh: ...
def safe_time(
    a: _Body | Mesh,
    b: _Body | Mesh,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    to_a: _Pose | None = None,
    to_b: _Pose | None = None,
    velocity_a: ArrayLike | None = None,
    velocity_b: ArrayLike | None = None,
    spin_a: ArrayLike | None = None,
    spin_b: ArrayLike | None = None,
    path_a: Iterable[tuple[_Time, _Pose]] | None = None,
    path_b: Iterable[tuple[_Time, _Pose]] | None = None,
    duration: _Time = 1.0,
    screw: bool = False,
    form: Literal["mesh", "hull"] = "mesh",
) -> float: ...
def sweep_vertex_face(
    start: ArrayLike,
    end: ArrayLike,
    face_start: ArrayLike,
    face_end: ArrayLike,
    *,
    tolerance: _Length = 1e-6,
    min_separation: _Length = 0.0,
) -> tuple[Any, NDArray[np.float64]]: ...
def sweep_edge_edge(
    a_start: ArrayLike,
    a_end: ArrayLike,
    b_start: ArrayLike,
    b_end: ArrayLike,
    *,
    tolerance: _Length = 1e-6,
    min_separation: _Length = 0.0,
) -> tuple[Any, NDArray[np.float64]]: ...
def intersects(
    a: _Body | Mesh, b: _Body | Mesh, pose_a: _Pose | None = None, pose_b: _Pose | None = None
) -> bool: ...
def mpr(
    a: _Body,
    b: _Body,
    pose_a: _Pose | None = None,
    pose_b: _Pose | None = None,
    *,
    tolerance: float | None = None,
    max_iterations: int | None = None,
) -> MprGap: ...
def mpr_many(
    a: _Body | Iterable[_Body],
    b: _Body | Iterable[_Body],
    poses_a: _Poses | None = None,
    poses_b: _Poses | None = None,
    *,
    index_a: ArrayLike | None = None,
    index_b: ArrayLike | None = None,
    tolerance: float | None = None,
    max_iterations: int | None = None,
    threads: int | None = None,
) -> Gaps: ...
@overload
def separation(
    a: _Body, b: _Body, direction: _Point, pose_a: _Pose | None = None, pose_b: _Pose | None = None
) -> float: ...
@overload
def separation(
    a: _Body, b: _Body, direction: _Points, pose_a: _Pose | None = None, pose_b: _Pose | None = None
) -> NDArray[np.float64]: ...
def motion_box(
    body: _Body | Mesh, start: _Pose, end: _Pose
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def pairs(
    aabb_min: ArrayLike,
    aabb_max: ArrayLike,
    margin: _Length = 0.0,
    method: Literal["auto", "grid", "sweep", "tree"] = "auto",
) -> NDArray[np.int64]: ...
def decompose(mesh: Mesh, max_concavity: _Length | None = None, max_pieces: int | None = None) -> Decomposition: ...
def solve_coulomb(
    W: ArrayLike | _Sparse,
    q: ArrayLike,
    mu: ArrayLike,
    tol: float = 1e-8,
    *,
    start: ArrayLike | None = None,
    cone_sides: int | None = None,
) -> CoulombSolution: ...
def verify(group: str | None = None, count: int | None = None) -> list[VerifyRow]: ...
def part_names() -> list[str]: ...
def part_parameters(name: str) -> list[tuple[str, str, str, str]]: ...
def part(name: str, settings: list[tuple[str, str]]) -> Mesh: ...
def load(
    path: str | PathLike[str],
    base: Literal["fixed", "free"] | None = None,
    *,
    packages: Mapping[str, str | PathLike[str]] | None = None,
    repair: bool = False,
    leave_out: bool = False,
    keyframe: str | None = None,
    ignore_overlaps: Literal["start"] | None = None,
) -> Scene: ...
def open(path: str | PathLike[str]) -> Recording: ...
def scenes() -> list[tuple[str, str]]: ...
@overload
def simulate(
    world: Scene | str | PathLike[str],
    until: _Time | None = None,
    every: _Time | None = None,
    *,
    max_wall: _Time | None = None,
    max_events: int | None = None,
    # Settings of simulate, made from the tables of settings.
    method: Literal["auto", "events", "stepping", "silvia"] | None = None,
    integrator: Literal["auto", "dop853", "radau"] | None = None,
    step: _Time | None = None,
    tolerance: _Speed | None = None,
    patch_points: int | Literal["auto", "all"] | None = None,
    solver: Literal["cones", "lcp"] | None = None,
    cone_sides: int | None = None,
    midpoint_iterations: int | None = None,
    sleep: _Time | None = None,
    sleep_speed: _Speed | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    max_step: _Time | None = None,
    zero_functions: int | Literal["two"] | None = None,
    narrow_phase: Literal["exact", "mpr", "v-clip"] | None = None,
    overlaps: Literal["refuse", "separate", "exclude"] | None = None,
    # End of settings.
) -> Run: ...
@overload
def simulate(
    world: World,
    until: _Time,
    every: _Time | None = None,
    *,
    max_wall: _Time | None = None,
    max_events: int | None = None,
) -> Run: ...
def settings() -> dict[str, list[dict[str, Any]]]: ...

# What copies are made by (`__reduce__`): not for users.
def _contacts(
    columns: tuple[
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.uint64],
        NDArray[np.int64],
    ],
    distance: Gap,
    rest: bytes,
) -> Contacts: ...
def _event(state: bytes) -> Event: ...
def _gap(state: bytes) -> Gap: ...
def _gaps(
    columns: tuple[
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.uint8],
        NDArray[np.uint32],
    ],
) -> Gaps: ...
def _impact(state: bytes) -> Impact: ...
def _inspection(state: bytes) -> Inspection: ...
def _landing(source: str, name: str, folder: str | PathLike[str]) -> Scene: ...
def _recording(bytes: bytes, events: list[Event]) -> Recording: ...
def _run(bytes: bytes, events: list[Event], stopped: bool) -> Run: ...
def _saved_world(bytes: bytes, of: int, time: float) -> SavedWorld: ...
def _scene(
    builder: bytes, words: tuple[str, str, str], times: tuple[float, float], warnings: list[str]
) -> Scene: ...
def _topology(state: bytes) -> Topology: ...
def _world(
    builder: bytes,
    functions: list[tuple[Callable[[WorldView], float], str, bool]],
    forces: list[tuple[Callable[[WorldView], ArrayLike], int]],
    state: tuple[bytes, bytes] | None,
    origin: tuple[str, str],
    number: int,
) -> World: ...
