// Support points of shapes and of the Minkowski difference of two: all that the reference algorithms know of a pair.
#pragma once

#include "vector.hpp"

namespace narrow {

// Spheres and capsules are handled as their core, a point or a segment; this radius is taken off the distance of the cores.
inline Real core_radius(const Shape& shape) {
  return shape.kind == SPHERE || shape.kind == CAPSULE ? (Real)shape.size[0] : 0;
}

// The farthest point of a disc of radius r at height z.
inline Vector rim(Real r, Vector d, Real z) {
  const Real l = sqrtl(d.x * d.x + d.y * d.y);
  return l > 0 ? Vector{r * d.x / l, r * d.y / l, z} : Vector{0, 0, z};
}

inline Vector support_of_convex(const Shape& shape, Vector d) {
  size_t best = 0;
  Real farthest = -HUGE_REAL;
  for (size_t i = 0; i < shape.vertex_count(); i++) {
    const double* v = &shape.vertices[3 * i];
    const Real along = d.x * v[0] + d.y * v[1] + d.z * v[2];
    if (along > farthest) {
      farthest = along;
      best = i;
    }
  }
  const double* v = &shape.vertices[3 * best];
  return {v[0], v[1], v[2]};
}

// The farthest point of a shape's core along d, in the shape's own frame.
inline Vector support_of_core(const Shape& shape, Vector d) {
  const double* p = shape.size;
  auto sign = [](Real v) { return v >= 0 ? (Real)1 : (Real)-1; };
  switch (shape.kind) {
    case SPHERE: return {0, 0, 0};
    case CAPSULE: return {0, 0, sign(d.z) * p[1]};
    case BOX: return {sign(d.x) * p[0], sign(d.y) * p[1], sign(d.z) * p[2]};
    case CYLINDER: return rim(p[0], d, sign(d.z) * p[1]);
    case CONE: {
      const Real at_base = p[0] * sqrtl(d.x * d.x + d.y * d.y) - p[1] * d.z;
      const Real at_apex = p[1] * d.z;
      return at_apex > at_base ? Vector{0, 0, p[1]} : rim(p[0], d, -(Real)p[1]);
    }
    case ELLIPSOID: {
      const Vector e = {p[0] * d.x, p[1] * d.y, p[2] * d.z};
      const Real l = length(e);
      if (l == 0) return {p[0], 0, 0};
      return {p[0] * e.x / l, p[1] * e.y / l, p[2] * e.z / l};
    }
    default: return support_of_convex(shape, d);
  }
}

// B - A, of the cores.
struct Difference {
  const Shape& a;
  const Shape& b;
  Placement place_a, place_b;

  Difference(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
      : a(a), b(b), place_a(pose_a), place_b(pose_b) {}

  // The farthest point along d.
  Vector support(Vector d) const {
    return place_b.point_to_world(support_of_core(b, place_b.direction_to_body(d))) -
           place_a.point_to_world(support_of_core(a, place_a.direction_to_body(-d)));
  }

  // How far the unit vector n, from A to B, separates the two: a lower bound of the signed distance.
  Real separation(Vector n) const { return dot(n, support(-n)); }
};

// A signed distance that is off by no more than `certified`, and its normal from A to B.
struct Distance {
  Real value, certified;
  Vector normal;
};

}  // namespace narrow
