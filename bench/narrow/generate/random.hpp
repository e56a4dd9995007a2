// Seeded random numbers. The standard fixes the bits of the engine, and the rest is written out here: the same scenes everywhere.
#pragma once

#include <cmath>
#include <random>

#include "../scene.hpp"

namespace narrow {

class Random {
 public:
  explicit Random(uint64_t seed) : engine(seed) {}

  uint64_t bits() { return engine(); }

  double between(double low, double high) {
    return low + (high - low) * ((bits() >> 11) * (1.0 / 9007199254740992.0));
  }

  double normal() {
    const double u = between(1e-300, 1), v = between(0, 1);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
  }

  // A unit vector in any number of dimensions: all directions are equally likely.
  template <size_t N>
  void direction(double (&d)[N]) {
    double l = 0;
    for (double& x : d) {
      x = normal();
      l += x * x;
    }
    l = sqrt(l);
    for (double& x : d) x /= l;
  }

  // Turned at will, within a cube.
  Pose pose(double half_side) {
    Pose pose;
    direction(pose.q);
    for (double& x : pose.t) x = between(-half_side, half_side);
    return pose;
  }

  // One of these.
  uint32_t pick(const std::vector<uint32_t>& choices) { return choices[bits() % choices.size()]; }

 private:
  std::mt19937_64 engine;
};

}  // namespace narrow
