// Writes the scenes and their references: generate FOLDER [workloads, default 12345] [seed offset, default 0].
#include "degenerate.hpp"

struct Workload {
  char digit;
  uint64_t seed;
  void (*fill)(narrow::Builder&);
};

constexpr Workload WORKLOADS[] = {
    {'1', 101, narrow::boxes},      {'2', 202, narrow::hulls},           {'3', 303, narrow::primitives},
    {'4', 404, narrow::degenerate}, {'5', 505, narrow::coherent_motion},
};

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const std::string wanted = argc > 2 ? argv[2] : "12345";
  const uint64_t offset = argc > 3 ? strtoull(argv[3], nullptr, 10) : 0;
  for (const Workload& workload : WORKLOADS) {
    if (wanted.find(workload.digit) == std::string::npos) continue;
    narrow::Builder builder(workload.seed + offset);
    workload.fill(builder);
    builder.write(folder, std::string("w") + workload.digit);
  }
}
