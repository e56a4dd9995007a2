// W4: exact contact, shapes on each other, flat and thin ones, extreme sizes, all but parallel faces, repeated vertices, far from the origin.
// Most cases exist twice: for boxes, which engines know by name, and for the same boxes as hulls.
#pragma once

#include "workloads.hpp"

namespace narrow {

// The same surface with three vertices of its own for every triangle.
inline Shape soup(const Shape& shape) {
  Shape soup;
  soup.kind = CONVEX;
  for (size_t i = 0; i < shape.triangles.size(); i++) {
    for (int c = 0; c < 3; c++) soup.vertices.push_back(shape.vertices[3 * shape.triangles[i] + c]);
    soup.triangles.push_back(i);
  }
  return soup;
}

struct Degenerate {
  Builder& builder;
  Random& random;

  explicit Degenerate(Builder& builder) : builder(builder), random(builder.random) {}

  void group(const std::string& name, int count, const std::function<Pair(int)>& make) {
    builder.add_group("W4/" + name, count, make);
  }

  // Two of a shape, placed at will.
  std::function<Pair(int)> anywhere(uint32_t shape, double within) {
    return [=](int) { return Pair{shape, shape, random.pose(within), random.pose(within)}; };
  }

  // Along the axes, at a given distance of the middles along one of them, shifted at will along the others.
  std::function<Pair(int)> face_to_face(uint32_t shape, double distance) {
    return [=](int i) {
      Pair pair{shape, shape, IDENTITY, IDENTITY};
      for (double& x : pair.pose_b.t) x = random.between(-1.5, 1.5);
      pair.pose_b.t[i % 3] = i & 1 ? distance : -distance;
      return pair;
    };
  }

  // On top of each other, without any shift.
  std::function<Pair(int)> stacked(uint32_t shape) {
    return [=](int i) {
      Pair pair{shape, shape, IDENTITY, IDENTITY};
      pair.pose_b.t[i % 3] = (i & 1 ? 1 : -1) * 1.999;
      return pair;
    };
  }

  // The same shape in the same place.
  std::function<Pair(int)> identical(uint32_t shape) {
    return [=](int i) {
      Pair pair{shape, shape, IDENTITY, IDENTITY};
      if (i) pair.pose_a = pair.pose_b = random.pose(1);
      return pair;
    };
  }

  // Faces 1e-8 rad off parallel, 1 mm apart or 1 mm deep.
  std::function<Pair(int)> all_but_parallel(uint32_t shape) {
    return [=](int i) {
      Pair pair{shape, shape, IDENTITY, IDENTITY};
      double axis[3];
      random.direction(axis);
      set_turn(pair.pose_b, 1e-8, axis);
      pair.pose_b.t[0] = random.between(-1.5, 1.5);
      pair.pose_b.t[1] = random.between(-1.5, 1.5);
      pair.pose_b.t[2] = 2 + (i & 1 ? 1 : -1) * 1e-3;
      return pair;
    };
  }

  void contact_of_boxes(uint32_t box, uint32_t box_hull) {
    group("box face touch exact", 200, face_to_face(box, 2));
    group("boxhull face touch exact", 200, face_to_face(box_hull, 2));
    group("box aligned overlap 0.1", 200, face_to_face(box, 1.9));
    group("boxhull aligned overlap 0.1", 200, face_to_face(box_hull, 1.9));
    group("box stacked exact (centred) overlap 0.001", 6, stacked(box));
    group("boxhull stacked exact (centred) overlap 0.001", 6, stacked(box_hull));
  }

  void shapes_on_themselves(uint32_t box, uint32_t box_hull, uint32_t hull50) {
    group("concentric identical box", 50, identical(box));
    group("concentric identical boxhull", 50, identical(box_hull));
    group("concentric identical hull50", 50, identical(hull50));
    // Closed forms: twice the smallest half width. The reference would converge slowly where every direction is as good.
    const std::vector<std::pair<Shape, double>> curved = {{primitive(SPHERE, .7), 1.4},
                                                          {primitive(CAPSULE, .4, .6), .8},
                                                          {primitive(CYLINDER, .5, .8), 1.0},
                                                          {primitive(ELLIPSOID, 1, .8, .6), 1.2}};
    std::vector<uint32_t> ids;
    for (const auto& [shape, depth] : curved) ids.push_back(builder.add(shape));
    for (size_t i = 0; i < curved.size(); i++) {
      const auto& [shape, depth] = curved[i];
      group(std::string("concentric identical ") + KIND_NAMES[shape.kind], 20, identical(ids[i]));
      builder.set_known(-depth);
    }
  }

  void flat_and_thin() {
    const uint32_t flat = builder.add_box(1, 1, 1e-4);
    const uint32_t flat_hull = builder.add(box_mesh(builder.scene.shapes[flat].size));
    group("flat box 1e4 random overlap+disjoint", 500, anywhere(flat, .7));
    group("flat boxhull 1e4 random overlap+disjoint", 500, anywhere(flat_hull, .7));
    group("flat box 1e4 near parallel", 500, [&](int) {
      Pair pair{flat, flat, IDENTITY, IDENTITY};
      double axis[3];
      random.direction(axis);
      const double angle = 1e-5 * random.between(0, 1);
      set_turn(pair.pose_b, angle, axis);
      pair.pose_b.t[0] = random.between(-1, 1);
      pair.pose_b.t[1] = random.between(-1, 1);
      pair.pose_b.t[2] = random.between(-4e-4, 4e-4);
      return pair;
    });
    const uint32_t needle = builder.add(builder.hull(20, 1, 1e-3, 1e-3));
    group("needle hull 1e3", 500, [&](int i) {
      if (i & 1) return Pair{needle, needle, random.pose(.3), random.pose(.3)};
      return builder.at_gap(needle, needle, (i & 2 ? 1 : -1) * 1e-4);
    });
  }

  void tiny_and_huge(uint32_t hull20) {
    for (double scale : {1e-3, 1e4}) {
      Shape scaled = builder.scene.shapes[hull20];
      for (double& x : scaled.vertices) x = (float)(x * scale);
      const uint32_t hull = builder.add(scaled);
      const uint32_t box = builder.add_box(scale, scale, scale);
      char name[64];
      snprintf(name, sizeof name, "scale %g", scale);
      group(name + std::string(" box"), 500, anywhere(box, 1.6 * scale));
      group(name + std::string(" hull20"), 500, anywhere(hull, .8 * scale));
    }
  }

  void repeated_vertices(uint32_t box_hull, uint32_t hull50) {
    const uint32_t box_soup = builder.add(soup(builder.scene.shapes[box_hull]));
    group("duplicated vertices boxhull (36 v soup)", 500, anywhere(box_soup, 1.6));
    const uint32_t hull_soup = builder.add(soup(builder.scene.shapes[hull50]));
    group("duplicated vertices hull50 (288 v soup)", 500, anywhere(hull_soup, .8));
  }

  void unlike_sizes() {
    const uint32_t large = builder.add_box(100, 100, 100);
    const uint32_t small = builder.add_box(.01, .01, .01);
    group("size ratio 1e4 boxes near contact", 500, [&](int i) {
      Pair pair{large, small, IDENTITY, random.pose(50)};
      pair.pose_b.t[i % 3] = 100 + random.between(-.02, .03);
      return pair;
    });
  }

  void far_from_the_origin(uint32_t box) {
    group("far from origin 1e5 boxes", 500, [&](int) {
      Pair pair{box, box, random.pose(2), random.pose(2)};
      for (int c = 0; c < 3; c++) {
        pair.pose_a.t[c] += 1e5;
        pair.pose_b.t[c] += 1e5;
      }
      return pair;
    });
  }

  void all() {
    const uint32_t box = builder.add_box(1, 1, 1);
    const uint32_t box_hull = builder.add(box_mesh(builder.scene.shapes[box].size));
    const uint32_t hull50 = builder.add(builder.hull(50, 1, .8, .6));
    const uint32_t hull20 = builder.add(builder.hull(20, 1, .8, .6));
    contact_of_boxes(box, box_hull);
    shapes_on_themselves(box, box_hull, hull50);
    flat_and_thin();
    tiny_and_huge(hull20);
    group("box 1e-8 rad off parallel gap +-1e-3", 500, all_but_parallel(box));
    group("boxhull 1e-8 rad off parallel gap +-1e-3", 500, all_but_parallel(box_hull));
    repeated_vertices(box_hull, hull50);
    unlike_sizes();
    far_from_the_origin(box);
  }
};

inline void degenerate(Builder& builder) { Degenerate(builder).all(); }

}  // namespace narrow
