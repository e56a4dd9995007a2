"""Distances of two meshes in coal, for src/bin/mesh.rs: a folder with both meshes and the poses in; the build time, then the least time and the distance of every query out."""

import pathlib
import sys
import time

import coal
import eigenpy
import numpy as np

folder, repeat, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])


def load(name):
    data = (folder / name).read_bytes()
    points, triangles = np.frombuffer(data, dtype="<u8", count=2)
    corners = np.frombuffer(data, dtype="<f8", offset=16, count=3 * points).reshape(-1, 3)
    indices = np.frombuffer(data, dtype="<u8", offset=16 + 24 * int(points), count=3 * triangles).reshape(-1, 3)
    vectors, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for corner in corners:
        vectors.append(corner)
    for a, b, c in indices.tolist():
        faces.append(coal.Triangle(a, b, c))
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(vectors))
    model.addSubModel(vectors, faces)
    begin = time.perf_counter()
    model.endModel()
    return model, time.perf_counter() - begin


def pose(numbers):
    x, y, z, qx, qy, qz, qw = numbers
    return coal.Transform3s(eigenpy.Quaternion(qw, qx, qy, qz).toRotationMatrix(), np.array([x, y, z]))


(a, build_a), (b, build_b) = load("a"), load("b")
print(build_a + build_b)
poses = [pose(row) for row in np.loadtxt(folder / "poses", ndmin=2)]
for pose_a, pose_b in zip(poses[0::2], poses[1::2]):
    least = float("inf")
    for _ in range(rounds):
        begin = time.thread_time()
        for _ in range(repeat):
            request, result = coal.DistanceRequest(), coal.DistanceResult()
            gap = coal.distance(a, pose_a, b, pose_b, request, result)
        least = min(least, (time.thread_time() - begin) / repeat)
    print(repr(least), repr(float(gap)))
