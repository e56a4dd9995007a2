// Signed distance of overlapping curved shapes: a polytope inside the difference grows towards the face nearest to the origin.
#pragma once

#include "difference.hpp"
#include "hull.hpp"

namespace narrow {

constexpr int EPA_STEPS = 600;

// Bounds that agree to this are good enough [m], growth by less than this is none [m], points nearer to a face lie in it [m].
constexpr Real EPA_MEET = 1e-12L;
constexpr Real EPA_GROWTH = 1e-17L;
constexpr Real EPA_IN_FACE = 1e-19L;

// A first tetrahedron thinner than this is no start.
constexpr Real EPA_THIN = 1e-14L;

inline Distance epa(const Difference& difference) {
  GrowingHull hull;
  for (const Vector& d : {Vector{1, 1, 1}, Vector{-1, -1, 1}, Vector{-1, 1, -1}, Vector{1, -1, -1}}) {
    hull.points.push_back(difference.support(d));
  }
  const Vector e = hull.points[1] - hull.points[0], f = hull.points[2] - hull.points[0];
  const Real volume = dot(e, cross(f, hull.points[3] - hull.points[0]));
  if (fabsl(volume) < EPA_THIN * powl(length(e) + length(f), 3)) return {NAN, NAN, {0, 0, 1}};
  hull.start();

  // The nearest face bounds the depth from below, the plane through its support point from above.
  Real upper = HUGE_REAL, lower = 0;
  Vector normal{0, 0, 1};
  for (int step = 0; step < EPA_STEPS; step++) {
    const GrowingHull::Face nearest = *std::min_element(
        hull.faces.begin(), hull.faces.end(), [](const auto& one, const auto& two) { return one.offset < two.offset; });
    lower = nearest.offset;
    const Vector w = difference.support(nearest.normal);
    const Real depth = dot(nearest.normal, w);
    if (depth < upper) {
      upper = depth;
      normal = nearest.normal;
    }
    if (upper - lower < EPA_MEET || depth - lower < EPA_GROWTH) break;
    if (!hull.add(w, EPA_IN_FACE)) break;
  }
  return {-upper, upper - lower, -normal};
}

}  // namespace narrow
