// A convex hull that grows point by point, every face looked at each time: for reference polytopes and for the random hulls of the scenes.
#pragma once

#include <algorithm>
#include <set>

#include "vector.hpp"

namespace narrow {

struct GrowingHull {
  struct Face {
    int a, b, c;
    Vector normal;
    Real offset;
    bool seen = false;  // by the point being added
  };
  std::vector<Vector> points;
  std::vector<Face> faces;

  Face face(int a, int b, int c) const {
    const Vector n = unit(cross(points[b] - points[a], points[c] - points[a]));
    return {a, b, c, n, dot(n, points[a])};
  }

  // The tetrahedron of the first four points, whichever way round they stand.
  void start() {
    const Vector middle = 0.25L * (points[0] + points[1] + points[2] + points[3]);
    const Vector n = cross(points[1] - points[0], points[2] - points[0]);
    const bool flip = dot(n, middle - points[0]) > 0;
    const int triangles[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (const auto& t : triangles) faces.push_back(flip ? face(t[0], t[2], t[1]) : face(t[0], t[1], t[2]));
  }

  // Adds a point that lies more than `tolerance` outside some face; false when there is none.
  bool add(Vector point, Real tolerance) {
    // The rim of the seen faces: edges that are left when those that occur both ways are struck out.
    std::set<std::pair<int, int>> rim;
    bool outside = false;
    for (Face& f : faces) {
      if (dot(f.normal, point) - f.offset <= tolerance) continue;
      f.seen = true;
      outside = true;
      const int corners[3] = {f.a, f.b, f.c};
      for (int i = 0; i < 3; i++) {
        const int from = corners[i], to = corners[(i + 1) % 3];
        if (!rim.erase({to, from})) rim.insert({from, to});
      }
    }
    if (!outside) return false;
    const int index = points.size();
    points.push_back(point);
    faces.erase(std::remove_if(faces.begin(), faces.end(), [](const Face& f) { return f.seen; }), faces.end());
    for (const auto& [from, to] : rim) faces.push_back(face(from, to, index));
    return true;
  }
};

}  // namespace narrow
