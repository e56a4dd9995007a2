// MuJoCo's mj_geomDistance: headers and library from the Python package `mujoco`.
// Options: --tol T, --iters N. There is no cone. Mesh vertices are f32 inside, and moved to their middle when the model is compiled.
#include <mujoco/mujoco.h>

#include "../runner.hpp"

// Gaps up to this are reported [m]: beyond all that occur.
constexpr double FARTHEST = 1e7;

// Position and rotation matrix of one geom, as mjData holds them.
struct Frame {
  double position[3], rotation[9];
};

struct Engine {
  const narrow::Scene& scene;
  mjModel* model;
  mjData* data;
  // Every shape becomes two geoms, so that it can meet itself; -1 where there is none.
  std::vector<int> geoms_a, geoms_b;
  std::vector<Frame> frames_a, frames_b;

  Engine(const narrow::Scene& scene, const narrow::Options& options)
      : scene(scene), geoms_a(scene.shapes.size(), -1), geoms_b(scene.shapes.size(), -1) {
    compile();
    model->opt.ccd_tolerance = options.number("--tol", model->opt.ccd_tolerance);
    model->opt.ccd_iterations = (int)options.number("--iters", model->opt.ccd_iterations);
    fprintf(stderr, "mujoco %s, ccd_tolerance %g, ccd_iterations %d\n", mj_versionString(),
            model->opt.ccd_tolerance, model->opt.ccd_iterations);
    for (const narrow::Pair& pair : scene.pairs) {
      frames_a.push_back(frame(pair.pose_a, geoms_a[pair.a]));
      frames_b.push_back(frame(pair.pose_b, geoms_b[pair.b]));
    }
  }

  void compile() {
    mjSpec* spec = mj_makeSpec();
    mjsBody* world = mjs_findBody(spec, "world");
    int geoms = 0;
    for (size_t k = 0; k < scene.shapes.size(); k++) {
      const narrow::Shape& shape = scene.shapes[k];
      if (shape.kind == narrow::CONE) continue;
      const std::string mesh = "m" + std::to_string(k);
      if (shape.kind == narrow::CONVEX) add_mesh(spec, shape, mesh);
      add_geom(world, shape, mesh);
      geoms_a[k] = geoms++;
      add_geom(world, shape, mesh);
      geoms_b[k] = geoms++;
    }
    model = mj_compile(spec, nullptr);
    if (!model) {
      fprintf(stderr, "the model does not compile: %s\n", mjs_getError(spec));
      exit(1);
    }
    data = mj_makeData(model);
  }

  static void add_mesh(mjSpec* spec, const narrow::Shape& shape, const std::string& name) {
    mjsMesh* mesh = mjs_addMesh(spec, nullptr);
    mjs_setName(mesh->element, name.c_str());
    const std::vector<float> vertices(shape.vertices.begin(), shape.vertices.end());
    const std::vector<int> triangles(shape.triangles.begin(), shape.triangles.end());
    mjs_setFloat(mesh->uservert, vertices.data(), vertices.size());
    mjs_setInt(mesh->userface, triangles.data(), triangles.size());
    mesh->maxhullvert = -1;  // all of them
  }

  static void add_geom(mjsBody* world, const narrow::Shape& shape, const std::string& mesh) {
    mjsGeom* geom = mjs_addGeom(world, nullptr);
    switch (shape.kind) {
      case narrow::SPHERE: geom->type = mjGEOM_SPHERE; break;
      case narrow::CAPSULE: geom->type = mjGEOM_CAPSULE; break;
      case narrow::BOX: geom->type = mjGEOM_BOX; break;
      case narrow::CYLINDER: geom->type = mjGEOM_CYLINDER; break;
      case narrow::ELLIPSOID: geom->type = mjGEOM_ELLIPSOID; break;
      default:
        geom->type = mjGEOM_MESH;
        mjs_setString(geom->meshname, mesh.c_str());
    }
    for (int k = 0; k < 3; k++) geom->size[k] = shape.size[k];
  }

  // Where a geom stands when its shape has this pose: the compiler may have moved and turned a mesh in its body.
  Frame frame(const narrow::Pose& pose, int geom) const {
    Frame frame{};
    if (geom < 0) return frame;
    double rotation[4], offset[3];
    mju_mulQuat(rotation, pose.q, model->geom_quat + 4 * geom);
    mju_rotVecQuat(offset, model->geom_pos + 3 * geom, pose.q);
    for (int k = 0; k < 3; k++) frame.position[k] = offset[k] + pose.t[k];
    mju_quat2Mat(frame.rotation, rotation);
    return frame;
  }

  bool supports(uint32_t i) const {
    return geoms_a[scene.pairs[i].a] >= 0 && geoms_b[scene.pairs[i].b] >= 0;
  }

  // The library keeps no knowledge from query to query.
  void begin_group(bool) {}

  double query(uint32_t i, double normal[3]) {
    const narrow::Pair& pair = scene.pairs[i];
    const int a = geoms_a[pair.a], b = geoms_b[pair.b];
    place(a, frames_a[i]);
    place(b, frames_b[i]);
    double ends[6];
    const double distance = mj_geomDistance(model, data, a, b, FARTHEST, ends);
    const double v[3] = {ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]};
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0) {
      for (int k = 0; k < 3; k++) normal[k] = v[k] / (distance < 0 ? -length : length);
    }
    return distance;
  }

  void place(int geom, const Frame& frame) {
    memcpy(data->geom_xpos + 3 * geom, frame.position, sizeof frame.position);
    memcpy(data->geom_xmat + 9 * geom, frame.rotation, sizeof frame.rotation);
  }
};

int main(int argc, char** argv) { return narrow::run<Engine>(argc, argv); }
