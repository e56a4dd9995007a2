"""Meshes, hulls, decomposition, parts and files."""

import inspect
import math
from pathlib import Path

import numpy as np
import pytest
import zerogap as zg


def cube() -> zg.Mesh:
    return zg.hull([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]).to_mesh()


def test_the_hull_of_a_cube_has_square_faces() -> None:
    hull = zg.hull([(x, y, z) for x in (0, 0.5, 1) for y in (0, 0.5, 1) for z in (0, 0.5, 1)])
    assert hull.kind == "polyhedron"
    assert hull.vertices.shape == (8, 3) and hull.edges.shape == (12, 2)
    assert len(hull.faces) == 6 and all(len(face) == 4 for face in hull.faces)
    assert hull.volume == pytest.approx(1, rel=1e-14)


@pytest.mark.parametrize(
    ("points", "kind"),
    [
        ([(1, 2, 3)] * 4, "point"),
        ([(0, 0, 0), (1, 1, 1), (0.5, 0.5, 0.5)], "segment"),
        ([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 0)], "polygon"),
    ],
)
def test_flat_points_have_flat_hulls(points, kind) -> None:
    assert zg.hull(points).kind == kind


def test_meshes_keep_what_they_are_given() -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=np.float32)
    mesh = zg.Mesh(vertices, [[0, 1, 2]])
    assert mesh.vertices.dtype == np.float64 and np.array_equal(mesh.vertices, vertices)
    assert np.array_equal(mesh.triangles, [[0, 1, 2]])
    topology = mesh.topology()
    assert topology.boundary_edges == 3 and not topology.watertight
    with pytest.raises(ValueError, match="boundary|one side"):
        mesh.shape().mass_properties()


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        ([[0, 0, 0]], [[0, 1, 2]], "vertex 1"),
        ([[0, 0, 0]], [[0, -1, 2]], "-1"),
        ([[0, 0, math.nan]], [[0, 0, 0]], r"vertices\[0\]"),
        ([[0, 0, 0]], [[0, 0]], r"\(1, 2\)"),
        ([[0, 0, 0]], [[0, 0, 0.5]], "whole numbers"),
        ([[0, 0, 0]], [0, 0, 0], r"\(3,\)"),
        ([[0, 0, 0]], np.zeros((0, 3), dtype=int), "empty"),
    ],
)
def test_bad_meshes_are_refused(vertices, triangles, message) -> None:
    with pytest.raises(ValueError, match=message):
        zg.Mesh(vertices, triangles)


@pytest.mark.parametrize("extension", ["obj", "stl", "ply", "glb"])
def test_files_round_trip(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"cube.{extension}"
    cube().save(path)
    back = zg.mesh(path, scale=2)
    assert back.topology().watertight
    assert back.shape().mass_properties(density=1).mass == pytest.approx(8, rel=1e-12)


def test_errors_in_files_point_at_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\nv 1 0 zero\n")
    with pytest.raises(zg.MeshFileError, match="bad.obj:2") as caught:
        zg.mesh(path)
    assert caught.value.line == 2 and Path(caught.value.path) == path
    with pytest.raises(FileNotFoundError, match="missing.obj"):
        zg.mesh(tmp_path / "missing.obj")
    with pytest.raises(ValueError, match="x.foo"):
        cube().save(tmp_path / "x.foo")
    with pytest.raises(ValueError, match="scale"):
        zg.mesh(path, scale=0)


def test_the_format_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "cube.part"
    cube().save(tmp_path / "cube.obj")
    (tmp_path / "cube.obj").rename(path)
    assert zg.mesh(path, format="obj") == cube()
    with pytest.raises(ValueError, match="'xyz' is not a format"):
        zg.mesh(path, format="xyz")


def test_open_meshes_have_nearest_points_without_a_side() -> None:
    plate = zg.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9]], [[0, 1, 2], [0, 0, 3]])
    point, distance, triangle = plate.nearest_point((0.25, 0.25, -2))
    assert (distance, triangle) == (2, 0) and np.allclose(point, (0.25, 0.25, 0))
    points, distances, triangles = plate.nearest_point([[0.2, 0.2, -1], [9, 9, 10]])
    assert points.shape == (2, 3) and distances.shape == (2,) and list(triangles) == [0, 1]


def test_repair_turns_a_soup_into_a_solid() -> None:
    mesh = cube()
    soup = mesh.vertices[mesh.triangles].reshape(-1, 3)
    triangles = np.arange(len(soup)).reshape(-1, 3)
    triangles[0] = triangles[0][::-1]
    broken = zg.Mesh(soup, triangles)
    assert broken.topology().orientation_conflicts == 3
    fixed = broken.repair()
    assert fixed.topology().watertight and len(fixed.vertices) == 8
    assert fixed.topology().signed_volume == pytest.approx(1, rel=1e-14)


def test_mesh_shapes_answer_where_they_are() -> None:
    shape = cube().shape()
    point, gap, normal = shape.closest_point((0.5, 0.5, 1.5))
    assert gap == pytest.approx(0.5) and np.allclose(normal, (0, 0, 1)) and np.allclose(point, (0.5, 0.5, 1))
    assert shape.contains((0.5, 0.5, 0.5)) is True
    assert shape.cast_ray((0.5, 0.4, 5), (0, 0, -1))[0] == pytest.approx(4)


def test_components_and_motion() -> None:
    both = np.vstack([cube().vertices, cube().vertices + 3])
    mesh = zg.Mesh(both, np.vstack([cube().triangles, cube().triangles + 8]))
    assert len(mesh.components()) == 2
    moved = mesh.transformed(zg.pose((1, 0, 0))).scaled(2)
    assert np.allclose(moved.vertices, 2 * (both + (1, 0, 0)))


def test_decomposition_of_an_l_gives_two_boxes() -> None:
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)
    bottom, top = np.c_[outline, np.zeros(6)], np.c_[outline, np.ones(6)]
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    sides = [t for i in range(6) for t in ((i, (i + 1) % 6, (i + 1) % 6 + 6), (i, (i + 1) % 6 + 6, i + 6))]
    mesh = zg.Mesh(np.vstack([bottom, top]), [c[::-1] for c in caps] + [tuple(i + 6 for i in c) for c in caps] + sides)
    assert mesh.topology().watertight
    result = zg.decompose(mesh, max_concavity=0.01)
    assert len(result.pieces) == 2
    assert sum(piece.volume for piece in result.pieces) == pytest.approx(3, rel=1e-12)
    assert result.concavity <= 0.01 and result.reached


@pytest.mark.parametrize("name", zg.parts.names())
def test_every_part_is_a_closed_solid(name: str) -> None:
    report = zg.inspect(f"part:{name}", density=7850)
    assert report.topology is not None and report.topology.watertight
    assert report.mass is not None and report.mass > 0
    function = getattr(zg.parts, name.replace("-", "_"))
    assert np.array_equal(function().vertices, zg.parts.make(name).vertices)
    # The typed functions list exactly the parameters that the part has.
    assert list(inspect.signature(function).parameters) == [p.name for p in zg.parts.parameters(name)]


def test_parts_take_numbers_and_units() -> None:
    assert np.array_equal(zg.parts.gear(module=0.003, teeth=17).vertices, zg.parts.gear(module="3 mm", teeth=17).vertices)
    with pytest.raises(ValueError, match="did you mean 'teeth'"):
        zg.parts.make("gear", tooth=3)
    with pytest.raises(ValueError, match="teeth"):
        zg.parts.gear(teeth=1)


def volume(mesh: zg.Mesh) -> float:
    return mesh.topology().signed_volume


def test_parts_that_fit_have_the_sizes_they_state() -> None:
    hexagon, area = 2 * 3**0.5 / 4, 0.5 * 32 * np.sin(2 * np.pi / 32)
    flat, socket = zg.parts.countersunk_bolt(), zg.parts.countersunk_bolt(socket="5 mm", socket_depth="2 mm")
    assert flat.vertices[:, 2].max() == 0 and flat.vertices[:, 2].min() == -0.03
    assert volume(flat) - volume(socket) == pytest.approx(hexagon * 5e-3**2 * 2e-3, rel=1e-9)
    # The hole is the bolt moved outwards: its mouth is 2 * 0.1 mm wider than the head.
    plate = zg.parts.countersunk_plate(clearance="0.1 mm", segments=32)
    mouth = plate.vertices[(plate.vertices[:, 2] == 0) & (np.hypot(*plate.vertices[:, :2].T) < 0.01)]
    assert np.hypot(*mouth[:, :2].T) * np.cos(np.pi / 32) == pytest.approx(np.full(32, 8.1e-3), rel=1e-12)
    screw, driver = zg.parts.crosshead_screw(), zg.parts.crosshead_driver(clearance="0.05 mm")
    assert len(screw.triangles) == 206 and len(driver.triangles) == 174
    # In the seat, the driver's tip stays above the bottom of the recess.
    lowest = screw.vertices[np.argmin(np.hypot(*screw.vertices[:, :2].T)), 2]
    assert lowest < driver.vertices[:, 2].min() < -2e-3
    # A millimetre of thread is lighter than the cylinder over its crests, heavier than the one at its roots.
    rod = volume(zg.parts.thread_bolt(turns=8, head_width=0)) / 8 / 1.25e-3 / area
    assert 3.33e-3**2 < rod < 4e-3**2
    assert volume(zg.parts.hole_plate(floor="5 mm")) > volume(zg.parts.hole_plate())
    assert volume(zg.parts.l_prism(width=3, depth=4, height=2, leg=1)) == pytest.approx(12, rel=1e-12)
    for wrong, word in [
        (lambda: zg.parts.thread_nut(segments=20), "multiple of 16"),
        (lambda: zg.parts.crosshead_driver(clearance="1 mm"), "third"),
        (lambda: zg.parts.l_prism(leg=1), "less than the width"),
    ]:
        with pytest.raises(ValueError, match=word):
            wrong()


def test_inspect_takes_files_words_shapes_and_meshes(tmp_path: Path) -> None:
    path = tmp_path / "cube.obj"
    cube().save(path)
    for body in (path, str(path), cube(), "box:1,1,1", zg.box(size=(1, 1, 1))):
        report = zg.inspect(body, density=5)
        assert report.mass == pytest.approx(5, rel=1e-14)
        assert np.allclose(report.extent, (1, 1, 1))
        assert np.allclose(report.inertia, np.eye(3) * 5 / 6)
