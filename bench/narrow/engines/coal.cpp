// coal: headers and library from the Python packages `coal` and `cmeel-eigen`.
// Options: --tol T (both tolerances), --epa-it N (iterations of both algorithms).
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include "../runner.hpp"

struct Engine {
  const narrow::Scene& scene;
  std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;
  std::vector<coal::Transform3s> poses_a, poses_b;
  coal::DistanceRequest request;
  coal::DistanceResult result;
  bool warm = false;
  long last = -2;  // the pair asked for before this one

  Engine(const narrow::Scene& scene, const narrow::Options& options) : scene(scene) {
    request.gjk_tolerance = options.number("--tol", request.gjk_tolerance);
    request.epa_tolerance = options.number("--tol", request.epa_tolerance);
    if (options.has("--epa-it")) {
      const size_t iterations = (size_t)options.number("--epa-it", 0);
      request.epa_max_iterations = iterations;
      request.gjk_max_iterations = std::max<size_t>(128, iterations);
    }
    for (const narrow::Shape& shape : scene.shapes) shapes.push_back(build(shape));
    for (const narrow::Pair& pair : scene.pairs) {
      poses_a.push_back(transform(pair.pose_a));
      poses_b.push_back(transform(pair.pose_b));
    }
  }

  static std::shared_ptr<coal::CollisionGeometry> build(const narrow::Shape& shape) {
    const double* p = shape.size;
    switch (shape.kind) {
      case narrow::SPHERE: return std::make_shared<coal::Sphere>(p[0]);
      case narrow::CAPSULE: return std::make_shared<coal::Capsule>(p[0], 2 * p[1]);
      case narrow::BOX: return std::make_shared<coal::Box>(2 * p[0], 2 * p[1], 2 * p[2]);
      case narrow::CYLINDER: return std::make_shared<coal::Cylinder>(p[0], 2 * p[1]);
      case narrow::CONE: return std::make_shared<coal::Cone>(p[0], 2 * p[1]);
      case narrow::ELLIPSOID: return std::make_shared<coal::Ellipsoid>(p[0], p[1], p[2]);
      default: return build_convex(shape);
    }
  }

  static std::shared_ptr<coal::CollisionGeometry> build_convex(const narrow::Shape& shape) {
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (size_t i = 0; i < shape.vertex_count(); i++) {
      const double* v = &shape.vertices[3 * i];
      points->push_back(coal::Vec3s(v[0], v[1], v[2]));
    }
    for (size_t i = 0; i < shape.triangle_count(); i++) {
      const uint32_t* t = &shape.triangles[3 * i];
      triangles->push_back(coal::Triangle(t[0], t[1], t[2]));
    }
    return std::make_shared<coal::Convex<coal::Triangle>>(points, points->size(), triangles, triangles->size());
  }

  static coal::Transform3s transform(const narrow::Pose& pose) {
    double m[9];
    narrow::rotation_matrix(pose.q, m);
    coal::Matrix3s rotation;
    rotation << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
    return coal::Transform3s(rotation, coal::Vec3s(pose.t[0], pose.t[1], pose.t[2]));
  }

  bool supports(uint32_t) const { return true; }

  void begin_group(bool is_warm) {
    warm = is_warm;
    last = -2;
  }

  // Whether this pair is the one before it, moved a little.
  bool continues(uint32_t i) const {
    if (!warm || last != (long)i - 1) return false;
    return scene.pairs[i - 1].a == scene.pairs[i].a && scene.pairs[i - 1].b == scene.pairs[i].b;
  }

  double query(uint32_t i, double normal[3]) {
    if (continues(i)) {
      request.gjk_initial_guess = coal::CachedGuess;
      request.updateGuess(result);
    } else {
      request.gjk_initial_guess = coal::DefaultGuess;
      request.cached_support_func_guess.setZero();
    }
    last = i;
    result.clear();
    const narrow::Pair& pair = scene.pairs[i];
    const double distance = coal::distance(shapes[pair.a].get(), poses_a[i], shapes[pair.b].get(), poses_b[i],
                                           request, result);
    for (int k = 0; k < 3; k++) normal[k] = result.normal[k];
    return distance;
  }
};

int main(int argc, char** argv) { return narrow::run<Engine>(argc, argv); }
