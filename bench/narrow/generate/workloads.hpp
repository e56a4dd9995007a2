// W1 boxes, W2 hulls, W3 primitives, W5 coherent motion. W4, the degenerate cases, has a file of its own.
//
// Every random draw stands in a statement of its own: C++ leaves the order of function arguments open, and the scenes must not depend on it.
#pragma once

#include "builder.hpp"

namespace narrow {

// What the kinds of primitives are called in group names.
constexpr const char* KIND_NAMES[] = {"sphere", "capsule", "box", "cylinder", "cone", "ellipsoid"};
constexpr int PRIMITIVES = 6;

// Random pairs of 2 m cubes, about half of them overlapping.
inline void boxes(Builder& builder) {
  const uint32_t box = builder.add_box(1, 1, 1);
  std::vector<Pair> overlapping, disjoint;
  for (int i = 0; i < 100000; i++) {
    const Pair pair{box, box, builder.random.pose(2), builder.random.pose(2)};
    (sat(builder.difference(pair)).value < 0 ? overlapping : disjoint).push_back(pair);
  }
  builder.add_group("W1/boxes/overlap", overlapping);
  builder.add_group("W1/boxes/disjoint", disjoint);
}

// Two of these hulls at a gap that is drawn first.
inline Pair hulls_at(Builder& builder, const std::vector<uint32_t>& hulls, double gap) {
  const uint32_t b = builder.random.pick(hulls);
  const uint32_t a = builder.random.pick(hulls);
  return builder.at_gap(a, b, gap);
}

// Random hulls of 8 to 1000 vertices at four kinds of gaps.
inline void hulls(Builder& builder) {
  Random& random = builder.random;
  for (int vertices : {8, 20, 50, 100, 200, 500, 1000}) {
    std::vector<uint32_t> ids;
    for (int i = 0; i < 10; i++) ids.push_back(builder.add(builder.stout_hull(vertices)));
    const int count = vertices <= 200 ? 1000 : 300;
    const std::string name = "W2/V=" + std::to_string(vertices);
    builder.add_group(name + "/disjoint", count, [&](int) { return hulls_at(builder, ids, random.between(0.1, 2)); });
    builder.add_group(name + "/near", count, [&](int i) {
      const double size = pow(10, random.between(-9, -3));
      return hulls_at(builder, ids, (i & 1 ? 1 : -1) * size);
    });
    builder.add_group(name + "/shallow", count, [&](int) { return hulls_at(builder, ids, -random.between(1e-3, 0.05)); });
    builder.add_group(name + "/deep", count, [&](int) {
      const uint32_t a = random.pick(ids);
      const uint32_t b = random.pick(ids);
      return Pair{a, b, random.pose(0.2), random.pose(0.2)};
    });
  }
}

// A primitive with sizes from 0.3 to 1; the last size is drawn first.
inline Shape random_primitive(Random& random, int kind) {
  const double z = kind == BOX || kind == ELLIPSOID ? random.between(0.3, 1) : 0;
  const double y = kind == SPHERE ? 0 : random.between(0.3, 1);
  const double x = random.between(0.3, 1);
  return primitive((Kind)kind, x, y, z);
}

// All pairs of kinds of primitives, every second one apart by up to 1 m, the others drawn together until most overlap.
inline void primitives(Builder& builder) {
  Random& random = builder.random;
  for (int kind_a = 0; kind_a < PRIMITIVES; kind_a++) {
    for (int kind_b = kind_a; kind_b < PRIMITIVES; kind_b++) {
      std::vector<Pair> overlapping, disjoint;
      for (int k = 0; k < 100; k++) {
        const uint32_t a = builder.add(random_primitive(random, kind_a));
        const uint32_t b = builder.add(random_primitive(random, kind_b));
        const bool apart = k % 2;
        Pair pair = builder.at_gap(a, b, apart ? random.between(0, 1) : 0.5);
        if (!apart) {
          const double closer = random.between(0.1, 0.75);
          for (int c = 0; c < 3; c++) {
            pair.pose_b.t[c] = pair.pose_a.t[c] + closer * (pair.pose_b.t[c] - pair.pose_a.t[c]);
          }
        }
        Distance distance;
        const bool is_disjoint = gjk(builder.difference(pair), distance) &&
                                 distance.value > core_radius(builder.scene.shapes[a]) + core_radius(builder.scene.shapes[b]);
        (is_disjoint ? disjoint : overlapping).push_back(pair);
      }
      const std::string name = std::string("W3/") + KIND_NAMES[kind_a] + "-" + KIND_NAMES[kind_b];
      builder.add_group(name + "/overlap", overlapping);
      builder.add_group(name + "/disjoint", disjoint);
    }
  }
}

// Turns a pose by 0.01 rad about an axis and moves it by 0.5 mm along another direction.
inline void step(Pose& pose, const double axis[3], const double velocity[3]) {
  const double angle = 0.01, *q = pose.q;
  const double dq[4] = {cos(angle / 2), sin(angle / 2) * axis[0], sin(angle / 2) * axis[1], sin(angle / 2) * axis[2]};
  const double r[4] = {dq[0] * q[0] - dq[1] * q[1] - dq[2] * q[2] - dq[3] * q[3],
                       dq[0] * q[1] + dq[1] * q[0] + dq[2] * q[3] - dq[3] * q[2],
                       dq[0] * q[2] - dq[1] * q[3] + dq[2] * q[0] + dq[3] * q[1],
                       dq[0] * q[3] + dq[1] * q[2] - dq[2] * q[1] + dq[3] * q[0]};
  const double l = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (int c = 0; c < 4; c++) pose.q[c] = r[c] / l;
  for (int c = 0; c < 3; c++) pose.t[c] += 0.0005 * velocity[c];
}

// Motions of 100 steps each, from a random gap on.
inline void motions(Builder& builder, const std::string& name, const std::vector<uint32_t>& ids, double low, double high,
                    int sequences) {
  std::vector<Pair> pairs;
  for (int sequence = 0; sequence < sequences; sequence++) {
    Pair pair = hulls_at(builder, ids, builder.random.between(low, high));
    double axis[3], velocity[3];
    builder.random.direction(axis);
    builder.random.direction(velocity);
    for (int k = 0; k < 100; k++) {
      pairs.push_back(pair);
      step(pair.pose_b, axis, velocity);
    }
  }
  builder.add_group(name, pairs);
}

inline void coherent_motion(Builder& builder) {
  auto both = [&](const std::string& what, const std::vector<uint32_t>& ids, int sequences) {
    motions(builder, "W5/coherent/" + what + "/disjoint", ids, .05, .2, sequences);
    motions(builder, "W5/coherent/" + what + "/contact", ids, -.05, -.01, sequences);
  };
  both("box", {builder.add_box(1, .8, .6)}, 20);
  for (int vertices : {20, 50, 200, 1000}) {
    std::vector<uint32_t> ids;
    for (int i = 0; i < 10; i++) ids.push_back(builder.add(builder.stout_hull(vertices)));
    both("V=" + std::to_string(vertices), ids, vertices == 1000 ? 4 : 20);
  }
}

}  // namespace narrow
