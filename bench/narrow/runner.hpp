// Times one engine on one scene, in the same way for every engine that is written in C++. bench/src/narrow/runner.rs is the Rust twin.
//
//   struct Engine {
//     Engine(const Scene&, const Options&);  // builds native shapes and poses, untimed
//     bool supports(uint32_t pair);          // whether it knows both shapes
//     void begin_group(bool warm);           // warm: consecutive pairs are one pair in motion, knowledge may be carried on
//     double query(uint32_t pair, double normal[3]);  // signed distance and normal from A to B; NaN when there is none
//   };
//   int main(int argc, char** argv) { return narrow::run<Engine>(argc, argv); }
//
// Command line: SCENE.bin PREFIX [--reps N] [--only TEXT] [--cold] [--NAME VALUE of the engine ...]
// Writes PREFIX.res and PREFIX.time, see README.md.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <limits>
#include <map>

#include "scene.hpp"

namespace narrow {

constexpr double NONE = std::numeric_limits<double>::quiet_NaN();

// A query longer than this counts as a hang [s].
constexpr unsigned HANG = 2;

// A group with more failures than this is given up: each hang costs seconds.
constexpr int MOST_FAILURES = 20;

// A batch longer than this is not repeated [ns].
constexpr double LONG_BATCH = 4e9;

// The numbers stand in the result file.
enum Status { ANSWERED = 0, NO_ANSWER = 1, SKIPPED = 2, EXCEPTION = 3, HUNG = 4, CRASHED = 5 };

struct Options {
  std::string scene, prefix;
  bool cold = false;
  std::map<std::string, std::string> values;

  Options(int argc, char** argv) : scene(argv[1]), prefix(argv[2]) {
    for (int i = 3; i < argc; i++) {
      if (!strcmp(argv[i], "--cold")) {
        cold = true;
      } else if (i + 1 < argc) {
        values[argv[i]] = argv[i + 1];
        i++;
      }
    }
  }

  bool has(const char* name) const { return values.count(name) > 0; }
  std::string text(const char* name) const { return has(name) ? values.at(name) : ""; }
  double number(const char* name, double otherwise) const {
    return has(name) ? atof(values.at(name).c_str()) : otherwise;
  }
};

// Hangs and crashes arrive as signals; while a query runs, they jump back to the loop.
inline sigjmp_buf back_to_loop;
inline volatile sig_atomic_t in_query = 0;

inline void on_signal(int signal) {
  if (in_query) siglongjmp(back_to_loop, signal);
  _exit(128 + signal);
}

inline void catch_signals() {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  action.sa_flags = SA_NODEFER;
  for (int signal : {SIGALRM, SIGSEGV, SIGFPE, SIGABRT}) sigaction(signal, &action, nullptr);
}

// Distance, normal, status.
using Result = std::array<double, 5>;

// One query under guard.
template <class Engine>
Result guarded_query(Engine& engine, uint32_t pair) {
  double normal[3] = {NONE, NONE, NONE};
  // Volatile, because a jump back leaves registers undefined.
  volatile double distance = NONE;
  volatile double status = ANSWERED;
  const int signal = sigsetjmp(back_to_loop, 1);
  if (signal == 0) {
    in_query = 1;
    alarm(HANG);
    try {
      distance = engine.query(pair, normal);
    } catch (...) {
      status = EXCEPTION;
    }
  } else {
    status = signal == SIGALRM ? HUNG : CRASHED;
  }
  alarm(0);
  in_query = 0;
  if (status == ANSWERED && std::isnan((double)distance)) status = NO_ANSWER;
  return {distance, normal[0], normal[1], normal[2], status};
}

// The untimed first pass: what each query answers, and which ones can be timed.
template <class Engine>
std::vector<uint32_t> answer_group(Engine& engine, const Group& group, bool warm, std::vector<Result>& results) {
  std::vector<uint32_t> answered;
  int failures = 0;
  engine.begin_group(warm);
  for (uint32_t pair = group.first; pair < group.first + group.count; pair++) {
    if (!engine.supports(pair)) continue;
    results[pair] = guarded_query(engine, pair);
    if (results[pair][4] < EXCEPTION) {
      answered.push_back(pair);
    } else if (++failures > MOST_FAILURES) {
      break;
    }
  }
  return answered;
}

// Nanoseconds per query: the least mean over the repetitions, because other programs can only add to it.
template <class Engine>
double time_group(Engine& engine, const std::vector<uint32_t>& pairs, bool warm, int repetitions) {
  if (pairs.empty()) return NONE;
  double best = std::numeric_limits<double>::max();
  for (int repetition = 0; repetition < repetitions; repetition++) {
    engine.begin_group(warm);
    volatile double sink = 0;
    double normal[3];
    const auto start = std::chrono::steady_clock::now();
    for (uint32_t pair : pairs) sink = sink + engine.query(pair, normal);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count() / pairs.size());
    if (elapsed.count() > LONG_BATCH) break;
  }
  return best;
}

template <class Engine>
int run(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s SCENE.bin PREFIX [--reps N] [--only TEXT] [--cold]\n", argv[0]);
    return 2;
  }
  const Options options(argc, argv);
  const Scene scene = load(options.scene);
  Engine engine(scene, options);
  const int repetitions = (int)options.number("--reps", 5);
  const std::string only = options.text("--only");

  std::vector<Result> results(scene.pairs.size(), {NONE, NONE, NONE, NONE, SKIPPED});
  catch_signals();
  FILE* times = open_or_exit(options.prefix + ".time", "w");
  for (const Group& group : scene.groups) {
    if (group.name.find(only) == std::string::npos) continue;
    const bool warm = !options.cold && group.name.find("coherent") != std::string::npos;
    const std::vector<uint32_t> answered = answer_group(engine, group, warm, results);
    fprintf(times, "%s\t%.1f\n", group.name.c_str(), time_group(engine, answered, warm, repetitions));
    fflush(times);
  }
  fclose(times);

  FILE* file = open_or_exit(options.prefix + ".res", "wb");
  fwrite(results.data(), sizeof results[0], results.size(), file);
  fclose(file);
  // A library that was jumped out of may not survive its own destructors.
  fflush(nullptr);
  _exit(0);
}

}  // namespace narrow
