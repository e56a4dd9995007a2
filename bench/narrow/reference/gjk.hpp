// Distance of disjoint cores by the algorithm of Gilbert, Johnson and Keerthi, the nearest point of each simplex found by trying all its
// faces: slow, and without any case distinction that could be wrong.
#pragma once

#include <algorithm>

#include "difference.hpp"

namespace narrow {

constexpr int GJK_STEPS = 3000;

// Bounds that agree to this, relative to the size, agree to rounding.
constexpr Real GJK_MEET = 2e-19L;

// A nearest point this near, relative to the size, is the origin.
constexpr Real GJK_ZERO = 1e-18L;

// The distance must shrink by more than this part, or the step counts as a stall; so many stalls in a row are the end.
constexpr Real GJK_SHRINK = 1e-19L;
constexpr int GJK_STALLS = 8;

// The point nearest to the origin of the affine hull of k points, if it lies in their convex hull.
inline bool nearest_of_face(const Vector* q, int k, Vector& nearest) {
  switch (k) {
    case 1: nearest = q[0]; return true;
    case 2: {
      const Vector e = q[1] - q[0];
      const Real ee = dot(e, e);
      if (ee == 0) return false;
      const Real t = -dot(q[0], e) / ee;
      nearest = q[0] + t * e;
      return t >= 0 && t <= 1;
    }
    case 3: {
      const Vector e = q[1] - q[0], f = q[2] - q[0], n = cross(e, f);
      const Real nn = dot(n, n);
      if (nn < 1e-36L * dot(e, e) * dot(f, f)) return false;
      const Real l0 = dot(n, cross(q[1], q[2])), l1 = dot(n, cross(q[2], q[0])), l2 = dot(n, cross(q[0], q[1]));
      nearest = (dot(n, q[0]) / nn) * n;
      return l0 >= 0 && l1 >= 0 && l2 >= 0;
    }
    default: {
      const Real volume = dot(q[1] - q[0], cross(q[2] - q[0], q[3] - q[0]));
      if (volume == 0) return false;
      const Real l0 = dot(q[1], cross(q[2], q[3])) / volume, l1 = -dot(q[0], cross(q[2], q[3])) / volume,
                 l2 = dot(q[0], cross(q[1], q[3])) / volume, l3 = -dot(q[0], cross(q[1], q[2])) / volume;
      nearest = {0, 0, 0};
      return l0 >= 0 && l1 >= 0 && l2 >= 0 && l3 >= 0;
    }
  }
}

// Reduces a simplex to the face that holds its point nearest to the origin, which is returned.
inline Vector reduce(std::vector<Vector>& simplex) {
  const int count = simplex.size();
  Real least = HUGE_REAL;
  Vector best{};
  std::vector<Vector> best_face;
  for (int mask = 1; mask < (1 << count); mask++) {
    Vector face[4];
    int k = 0;
    for (int i = 0; i < count; i++) {
      if (!(mask >> i & 1)) continue;
      if (k < 4) face[k] = simplex[i];
      k++;
    }
    Vector nearest;
    if (k > 4 || !nearest_of_face(face, k, nearest)) continue;
    const Real distance = length(nearest);
    if (distance < least) {
      least = distance;
      best = nearest;
      best_face.assign(face, face + k);
    }
  }
  simplex = best_face;
  return best;
}

// True when the cores are apart; then the distance is the length of a point of the difference, and the certificate the rest between
// that and the best separation found. False when they meet: value 0 when they touch to rounding, -1 when they overlap.
inline bool gjk(const Difference& difference, Distance& out) {
  Vector v = difference.support({1, 0, 0});
  std::vector<Vector> simplex = {v};
  Vector normal{0, 0, 1};
  Real lower = -HUGE_REAL, previous = HUGE_REAL, size = 1e-30L;
  int stalls = 0;
  for (int step = 0; step < GJK_STEPS; step++) {
    const Real l = length(v);
    size = std::max(size, l);
    if (l < GJK_ZERO * size) {
      out = {0, 0, normal};
      return false;
    }
    // The plane through the support point bounds the distance from below.
    const Vector n = (1 / l) * v;
    const Vector w = difference.support(-n);
    const Real s = dot(n, w);
    size = std::max(size, length(w));
    if (s > lower) {
      lower = s;
      normal = n;
    }
    if (l - lower <= GJK_MEET * size) break;
    if (std::find(simplex.begin(), simplex.end(), w) != simplex.end()) break;
    if (l >= previous * (1 - GJK_SHRINK)) {
      if (++stalls > GJK_STALLS) break;
    } else {
      stalls = 0;
    }
    previous = std::min(previous, l);
    simplex.push_back(w);
    v = reduce(simplex);
    if (simplex.size() == 4) {
      out = {-1, 0, normal};
      return false;
    }
  }
  const Real l = length(v);
  if (lower <= 0) {
    out = {l < 1e-17L * size ? (Real)0 : (Real)-1, l, normal};
    return false;
  }
  out = {l, l - lower, normal};
  return true;
}

}  // namespace narrow
