// The reference: signed distance in 80-bit floating point, with a bound of its error.
//
// The signed distance is the largest separation over all directions. Apart, GJK gives a point (upper bound) and a plane (lower bound). In
// overlap, polytopes are searched completely, and curved shapes are enclosed from both sides.
#pragma once

#include "epa.hpp"
#include "gjk.hpp"
#include "sat.hpp"

namespace narrow {

inline bool is_polytope(const Shape& shape) { return shape.kind == BOX || shape.kind == CONVEX; }

inline Distance distance_of_cores(const Difference& difference) {
  Distance distance;
  const Shape &a = difference.a, &b = difference.b;
  if (a.kind == BOX && b.kind == BOX) {
    // The complete search is cheap here, and its sign is the more trustworthy one.
    distance = sat(difference);
    if (distance.value > 0) {
      Distance apart;
      if (gjk(difference, apart)) {
        distance = apart;
      } else {
        distance.certified = NAN;
      }
    }
    return distance;
  }
  if (gjk(difference, distance) || distance.value > 0) return distance;
  return is_polytope(a) && is_polytope(b) ? sat(difference) : epa(difference);
}

inline Distance reference(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  Distance distance = distance_of_cores(Difference(a, pose_a, b, pose_b));
  distance.value -= core_radius(a) + core_radius(b);
  return distance;
}

}  // namespace narrow
