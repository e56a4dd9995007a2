// Collects the shapes and pairs of one workload, computes the references, and writes both files.
#pragma once

#include <functional>

#include "../reference/reference.hpp"
#include "random.hpp"

namespace narrow {

inline Shape primitive(Kind kind, double x, double y = 0, double z = 0) {
  Shape shape;
  shape.kind = kind;
  shape.size[0] = x;
  shape.size[1] = y;
  shape.size[2] = z;
  return shape;
}

constexpr Pose IDENTITY{{1, 0, 0, 0}, {0, 0, 0}};

// The turn by an angle about a unit axis.
inline void set_turn(Pose& pose, double angle, const double axis[3]) {
  pose.q[0] = cos(angle / 2);
  for (int k = 0; k < 3; k++) pose.q[k + 1] = sin(angle / 2) * axis[k];
}

class Builder {
 public:
  Scene scene;
  Random random;

  explicit Builder(uint64_t seed) : random(seed) {}

  uint32_t add(const Shape& shape) {
    scene.shapes.push_back(shape);
    return scene.shapes.size() - 1;
  }

  uint32_t add_box(double x, double y, double z) { return add(primitive(BOX, x, y, z)); }

  void add_group(const std::string& name, const std::vector<Pair>& pairs) {
    scene.groups.push_back({name, (uint32_t)scene.pairs.size(), (uint32_t)pairs.size()});
    scene.pairs.insert(scene.pairs.end(), pairs.begin(), pairs.end());
  }

  void add_group(const std::string& name, int count, const std::function<Pair(int)>& make) {
    std::vector<Pair> pairs;
    for (int i = 0; i < count; i++) pairs.push_back(make(i));
    add_group(name, pairs);
  }

  Difference difference(const Pair& pair) const {
    return Difference(scene.shapes[pair.a], pair.pose_a, scene.shapes[pair.b], pair.pose_b);
  }

  // What the distance of the last group's pairs is known to be.
  void set_known(double distance) {
    const Group& group = scene.groups.back();
    known.resize(scene.pairs.size(), NAN);
    for (uint32_t i = group.first; i < group.first + group.count; i++) known[i] = distance;
  }

  // A hull whose points, on an ellipsoid, are all corners and all triangles its faces. Its coordinates fit into f32, so that engines
  // with short numbers see the same shape.
  Shape hull(int count, double rx, double ry, double rz) {
    Shape shape;
    while (!try_hull(count, rx, ry, rz, shape)) {
    }
    return shape;
  }

  // A hull of about unit size, some flatter than others.
  Shape stout_hull(int count) {
    // The shorter radius is drawn first.
    const double rz = random.between(0.4, 1);
    const double ry = random.between(0.6, 1);
    return hull(count, 1, ry, rz);
  }

  // B at a given distance along the normal of the two when they are 5 m apart. Exact apart; in overlap another direction may be
  // shorter.
  Pair at_gap(uint32_t a, uint32_t b, double gap) {
    Pair pair{a, b, random.pose(1), random.pose(1)};
    double d[3];
    random.direction(d);
    for (int k = 0; k < 3; k++) pair.pose_b.t[k] = pair.pose_a.t[k] + 5 * d[k];
    Distance apart;
    if (!gjk(difference(pair), apart)) {
      fprintf(stderr, "shapes are too large to be placed apart\n");
      exit(1);
    }
    const Real now = apart.value - core_radius(scene.shapes[a]) - core_radius(scene.shapes[b]);
    const Real step = gap - now;
    pair.pose_b.t[0] += (double)(step * apart.normal.x);
    pair.pose_b.t[1] += (double)(step * apart.normal.y);
    pair.pose_b.t[2] += (double)(step * apart.normal.z);
    return pair;
  }

  // Writes FOLDER/NAME.bin and FOLDER/NAME.ref.
  void write(const std::string& folder, const std::string& name) {
    std::vector<Distance> references(scene.pairs.size());
    known.resize(scene.pairs.size(), NAN);
#pragma omp parallel for schedule(dynamic, 8)
    for (size_t i = 0; i < scene.pairs.size(); i++) {
      const Pair& pair = scene.pairs[i];
      references[i] = std::isnan(known[i]) ? reference(scene.shapes[pair.a], pair.pose_a, scene.shapes[pair.b], pair.pose_b)
                                           : Distance{known[i], 0, {0, 0, 1}};
    }
    save(scene, folder + "/" + name + ".bin");
    FILE* file = open_or_exit(folder + "/" + name + ".ref", "wb");
    double worst = 0;
    int uncertified = 0;
    for (const Distance& distance : references) {
      const double numbers[2] = {(double)distance.value, (double)distance.certified};
      fwrite(numbers, sizeof numbers[0], 2, file);
      if (std::isnan(numbers[0]) || std::isnan(numbers[1])) {
        uncertified++;
      } else {
        worst = std::max(worst, numbers[1]);
      }
    }
    fclose(file);
    printf("%s: %zu shapes, %zu pairs, worst certified error %.2e, %d uncertified\n", name.c_str(), scene.shapes.size(),
           scene.pairs.size(), worst, uncertified);
  }

 private:
  std::vector<double> known;  // NaN where the reference has to be computed

  bool try_hull(int count, double rx, double ry, double rz, Shape& shape) {
    std::vector<Vector> points;
    for (int i = 0; i < count; i++) {
      double d[3];
      random.direction(d);
      points.push_back({(Real)(float)(d[0] * rx), (Real)(float)(d[1] * ry), (Real)(float)(d[2] * rz)});
    }
    const Real volume = dot(points[1] - points[0], cross(points[2] - points[0], points[3] - points[0]));
    if (fabsl(volume) < 1e-3L * rx * ry * rz) return false;
    GrowingHull hull;
    hull.points.assign(points.begin(), points.begin() + 4);
    hull.start();
    bool all_outside = true;
    for (int i = 4; i < count; i++) all_outside &= hull.add(points[i], 1e-15L);
    // The origin must lie well inside, so that shapes on each other's origin overlap.
    std::set<int> used;
    for (const GrowingHull::Face& face : hull.faces) {
      used.insert({face.a, face.b, face.c});
      if (face.offset < 0.02 * rz) return false;
    }
    if (!all_outside || (int)used.size() != count || (int)hull.faces.size() != 2 * count - 4) return false;
    shape.kind = CONVEX;
    for (const Vector& p : hull.points) shape.vertices.insert(shape.vertices.end(), {(double)p.x, (double)p.y, (double)p.z});
    for (const GrowingHull::Face& face : hull.faces) {
      shape.triangles.insert(shape.triangles.end(), {(uint32_t)face.a, (uint32_t)face.b, (uint32_t)face.c});
    }
    return true;
  }
};

}  // namespace narrow
