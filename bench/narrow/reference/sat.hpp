// Signed distance of two overlapping polytopes: the best of all directions that can be best. These are the normals of all faces, and the
// cross products of all edge pairs whose arcs meet on the sphere of normals.
#pragma once

#include <array>
#include <map>

#include "difference.hpp"

namespace narrow {

// Candidates this much worse than the best are not evaluated in full [m], arcs that miss each other by this much do not meet [-].
constexpr Real SAT_PRUNE = 1e-9L;

// Triangles of one face: their normals differ by rounding only, and the edge between them is none.
constexpr Real SAT_FLAT = 1e-12L;

// Parallel edges have no cross product.
constexpr Real SAT_PARALLEL = 1e-14L;

// A box as vertices and triangles.
inline Shape box_mesh(const double half[3]) {
  Shape shape;
  shape.kind = CONVEX;
  for (int corner = 0; corner < 8; corner++) {
    for (int axis = 0; axis < 3; axis++) shape.vertices.push_back((corner >> axis & 1) ? half[axis] : -half[axis]);
  }
  shape.triangles = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
  return shape;
}

// A polytope in the world, with what the search needs.
struct Polytope {
  struct Edge {
    int start, end;
    Vector normals[2];  // of the faces on both sides
  };
  std::vector<Vector> vertices, normals;
  std::vector<Real> offsets;  // of the faces along their normals
  std::vector<Edge> edges;

  Polytope(const Shape& shape, const Placement& place) {
    if (shape.kind == BOX) {
      build(box_mesh(shape.size), place);
    } else {
      build(shape, place);
    }
  }

 private:
  void build(const Shape& shape, const Placement& place) {
    const std::vector<int> renamed = merge_vertices(shape, place);
    std::map<std::pair<int, int>, int> face_of;
    for (size_t i = 0; i < shape.triangle_count(); i++) {
      const uint32_t* t = &shape.triangles[3 * i];
      const int a = renamed[t[0]], b = renamed[t[1]], c = renamed[t[2]];
      if (a == b || b == c || a == c) continue;
      const Vector n = unit(cross(vertices[b] - vertices[a], vertices[c] - vertices[a]));
      const int face = normals.size();
      normals.push_back(n);
      offsets.push_back(dot(n, vertices[a]));
      face_of[{a, b}] = face;
      face_of[{b, c}] = face;
      face_of[{c, a}] = face;
    }
    for (const auto& [edge, face] : face_of) {
      const auto [start, end] = edge;
      const auto other = face_of.find({end, start});
      if (start > end || other == face_of.end()) continue;
      const Vector n0 = normals[face], n1 = normals[other->second];
      if (length(cross(n0, n1)) < SAT_FLAT) continue;
      edges.push_back({start, end, {n0, n1}});
    }
  }

  // Vertices with the same coordinates become one: triangle soups have no edges otherwise.
  std::vector<int> merge_vertices(const Shape& shape, const Placement& place) {
    std::map<std::array<double, 3>, int> known;
    std::vector<int> renamed(shape.vertex_count());
    for (size_t i = 0; i < renamed.size(); i++) {
      const double* v = &shape.vertices[3 * i];
      const auto [entry, is_new] = known.insert({{v[0], v[1], v[2]}, (int)vertices.size()});
      if (is_new) vertices.push_back(place.point_to_world({v[0], v[1], v[2]}));
      renamed[i] = entry->second;
    }
    return renamed;
  }
};

// An edge as an arc on the sphere of normals. In double: it only decides what is evaluated in full.
struct Arc {
  struct Point {
    double x, y, z;
  };
  Point from, to, axis;
  int start, end;

  Arc(const Polytope::Edge& edge, Real sign) : start(edge.start), end(edge.end) {
    from = point(sign * edge.normals[0]);
    to = point(sign * edge.normals[1]);
    axis = {to.y * from.z - to.z * from.y, to.z * from.x - to.x * from.z, to.x * from.y - to.y * from.x};
    const double l = sqrt(along(axis, axis));
    axis = {axis.x / l, axis.y / l, axis.z / l};
  }

  // Whether the other arc lies wholly on one side of this one's plane.
  bool leaves_aside(const Arc& other) const {
    const double tolerance = (double)SAT_PRUNE;
    const double one = along(other.from, axis), two = along(other.to, axis);
    return (one > tolerance && two > tolerance) || (one < -tolerance && two < -tolerance);
  }

 private:
  static Point point(Vector v) { return {(double)v.x, (double)v.y, (double)v.z}; }
  static double along(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

struct SatSearch {
  const Difference& difference;
  Polytope a, b;
  Real best = -HUGE_REAL;
  Vector normal{0, 0, 1};

  explicit SatSearch(const Difference& difference)
      : difference(difference), a(difference.a, difference.place_a), b(difference.b, difference.place_b) {}

  void try_direction(Vector n) {
    const Real s = difference.separation(n);
    if (s > best) {
      best = s;
      normal = n;
    }
  }

  // The faces of one polytope against the vertices of the other; `sign` turns the normals to point from A to B.
  void try_faces(const Polytope& one, const Polytope& other, Real sign) {
    for (size_t i = 0; i < one.normals.size(); i++) {
      const Vector n = one.normals[i];
      Real least = HUGE_REAL;
      for (const Vector& vertex : other.vertices) {
        const Real d = dot(n, vertex);
        if (d >= least) continue;
        least = d;
        if (least - one.offsets[i] < best - SAT_PRUNE) break;
      }
      if (least - one.offsets[i] > best - SAT_PRUNE) try_direction(sign * n);
    }
  }

  void try_edges() {
    std::vector<Arc> arcs_a, arcs_b;
    for (const Polytope::Edge& edge : a.edges) arcs_a.emplace_back(edge, 1);
    for (const Polytope::Edge& edge : b.edges) arcs_b.emplace_back(edge, -1);
    for (const Arc& arc_a : arcs_a) {
      for (const Arc& arc_b : arcs_b) {
        if (!arc_a.leaves_aside(arc_b) && !arc_b.leaves_aside(arc_a)) try_edge_pair(arc_a, arc_b);
      }
    }
  }

  void try_edge_pair(const Arc& arc_a, const Arc& arc_b) {
    const Vector edge_a = a.vertices[arc_a.end] - a.vertices[arc_a.start];
    const Vector edge_b = b.vertices[arc_b.end] - b.vertices[arc_b.start];
    Vector n = cross(edge_a, edge_b);
    const Real l = length(n);
    if (l < SAT_PARALLEL * length(edge_a) * length(edge_b)) return;
    n = (1 / l) * n;
    const Real estimate = dot(n, b.vertices[arc_b.start] - a.vertices[arc_a.start]);
    if (estimate > best) try_direction(n);
    if (-estimate > best) try_direction(-n);
  }
};

inline Distance sat(const Difference& difference) {
  SatSearch search(difference);
  search.try_faces(search.a, search.b, 1);
  search.try_faces(search.b, search.a, -1);
  search.try_edges();
  return {search.best, 0, search.normal};
}

}  // namespace narrow
