// Vectors and placements in 80-bit floating point: eleven bits more than any engine under measurement.
#pragma once

#include <cmath>

#include "../scene.hpp"

namespace narrow {

using Real = long double;

constexpr Real HUGE_REAL = 1e300L;

struct Vector {
  Real x, y, z;
};

inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator-(Vector a) { return {-a.x, -a.y, -a.z}; }
inline Vector operator*(Real s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
inline bool operator==(Vector a, Vector b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline Real dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real length(Vector a) { return sqrtl(dot(a, a)); }
inline Vector unit(Vector a) {
  const Real l = length(a);
  return l > 0 ? (1 / l) * a : Vector{0, 0, 1};
}

// A pose as matrix and translation. The quaternion is normalised anew, in the longer format.
struct Placement {
  Real m[9];
  Vector t;

  explicit Placement(const Pose& pose) : t{pose.t[0], pose.t[1], pose.t[2]} {
    Real w = pose.q[0], x = pose.q[1], y = pose.q[2], z = pose.q[3];
    const Real l = sqrtl(w * w + x * x + y * y + z * z);
    w /= l;
    x /= l;
    y /= l;
    z /= l;
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - w * z);
    m[2] = 2 * (x * z + w * y);
    m[3] = 2 * (x * y + w * z);
    m[4] = 1 - 2 * (x * x + z * z);
    m[5] = 2 * (y * z - w * x);
    m[6] = 2 * (x * z - w * y);
    m[7] = 2 * (y * z + w * x);
    m[8] = 1 - 2 * (x * x + y * y);
  }

  Vector direction_to_world(Vector v) const {
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
            m[6] * v.x + m[7] * v.y + m[8] * v.z};
  }
  Vector direction_to_body(Vector v) const {
    return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z};
  }
  Vector point_to_world(Vector v) const { return direction_to_world(v) + t; }
};

}  // namespace narrow
