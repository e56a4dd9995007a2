// The scene file that every engine is given (format: README.md), its reader and its writer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace narrow {

// Axes of revolution are z, the origin is the middle.
enum Kind : uint32_t {
  SPHERE = 0,     // size: radius
  CAPSULE = 1,    // size: radius, half length of the straight part
  BOX = 2,        // size: half side lengths
  CYLINDER = 3,   // size: radius, half length
  CONE = 4,       // size: radius, half length; apex at +z
  ELLIPSOID = 5,  // size: radii
  CONVEX = 6,     // vertices and outward triangles
};

struct Shape {
  uint32_t kind = 0;
  double size[3] = {0, 0, 0};
  std::vector<double> vertices;     // three numbers each
  std::vector<uint32_t> triangles;  // three indices each

  size_t vertex_count() const { return vertices.size() / 3; }
  size_t triangle_count() const { return triangles.size() / 3; }
};

struct Pose {
  double q[4];  // unit quaternion, w x y z
  double t[3];
};

// Pairs [first, first + count) under one name.
struct Group {
  std::string name;
  uint32_t first, count;
};

struct Pair {
  uint32_t a, b;
  Pose pose_a, pose_b;
};

struct Scene {
  std::vector<Shape> shapes;
  std::vector<Group> groups;
  std::vector<Pair> pairs;
};

constexpr char MAGIC[] = "ZGNARROW";
constexpr size_t MAGIC_BYTES = 8;
constexpr size_t NAME_BYTES = 56;

// Rotation matrix of a unit quaternion, by rows.
inline void rotation_matrix(const double q[4], double m[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
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

inline FILE* open_or_exit(const std::string& path, const char* mode) {
  FILE* file = fopen(path.c_str(), mode);
  if (!file) {
    perror(path.c_str());
    exit(1);
  }
  return file;
}

inline void save(const Scene& scene, const std::string& path) {
  FILE* file = open_or_exit(path, "wb");
  auto write = [&](const auto* data, size_t count) { fwrite(data, sizeof *data, count, file); };
  write(MAGIC, MAGIC_BYTES);
  const uint32_t header[4] = {1, (uint32_t)scene.shapes.size(), (uint32_t)scene.groups.size(),
                              (uint32_t)scene.pairs.size()};
  write(header, 4);
  for (const Shape& shape : scene.shapes) {
    const uint32_t counts[4] = {shape.kind, (uint32_t)shape.vertex_count(), (uint32_t)shape.triangle_count(), 0};
    write(counts, 4);
    write(shape.size, 3);
    write(shape.vertices.data(), shape.vertices.size());
    write(shape.triangles.data(), shape.triangles.size());
  }
  for (const Group& group : scene.groups) {
    char name[NAME_BYTES] = {0};
    strncpy(name, group.name.c_str(), NAME_BYTES - 1);
    const uint32_t range[2] = {group.first, group.count};
    write(name, NAME_BYTES);
    write(range, 2);
  }
  for (const Pair& pair : scene.pairs) {
    const uint32_t shapes[2] = {pair.a, pair.b};
    write(shapes, 2);
    for (const Pose* pose : {&pair.pose_a, &pair.pose_b}) {
      write(pose->q, 4);
      write(pose->t, 3);
    }
  }
  fclose(file);
}

inline Scene load(const std::string& path) {
  FILE* file = open_or_exit(path, "rb");
  auto read = [&](auto* data, size_t count) {
    if (fread(data, sizeof *data, count, file) != count) {
      fprintf(stderr, "%s ends early\n", path.c_str());
      exit(1);
    }
  };
  char magic[MAGIC_BYTES];
  read(magic, MAGIC_BYTES);
  if (memcmp(magic, MAGIC, MAGIC_BYTES) != 0) {
    fprintf(stderr, "%s is not a scene file\n", path.c_str());
    exit(1);
  }
  uint32_t header[4];
  read(header, 4);
  Scene scene;
  scene.shapes.resize(header[1]);
  scene.groups.resize(header[2]);
  scene.pairs.resize(header[3]);
  for (Shape& shape : scene.shapes) {
    uint32_t counts[4];
    read(counts, 4);
    shape.kind = counts[0];
    shape.vertices.resize(3 * counts[1]);
    shape.triangles.resize(3 * counts[2]);
    read(shape.size, 3);
    read(shape.vertices.data(), shape.vertices.size());
    read(shape.triangles.data(), shape.triangles.size());
  }
  for (Group& group : scene.groups) {
    char name[NAME_BYTES];
    read(name, NAME_BYTES);
    group.name = name;
    read(&group.first, 1);
    read(&group.count, 1);
  }
  for (Pair& pair : scene.pairs) {
    read(&pair.a, 1);
    read(&pair.b, 1);
    for (Pose* pose : {&pair.pose_a, &pair.pose_b}) {
      read(pose->q, 4);
      read(pose->t, 3);
    }
  }
  fclose(file);
  return scene;
}

}  // namespace narrow
