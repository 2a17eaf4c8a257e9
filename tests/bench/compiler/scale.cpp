// Compiling at size: time and memory. Each case is compiled by a process of its own, so that its memory is its own:
// this program starts itself with the case's name, a number of threads and the gibibytes that the process has had
// before.
//
// How fast a system hands out pages is not the compiler's: on a virtual machine, whose host takes free memory back, the
// same run has waited 0.4 s for them or 2 s, and twice as many have cost eight times that. So what compares two runs is
// measured in processes that have had their memory before; time and memory of one alone in a process that has not.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <thread>

#include "compiler/passes/compile.h"
#include "tests/bench/figure.h"
#include "tests/bench/turns.h"
#include "tests/compiler/codelet_source.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Case {
  GraphBuilder builder;
  ProgramRef program;
};

// Every vertex adds three elements from other tiles to one of its own.
Case vertices(std::uint32_t tiles, std::size_t count) {
  Case c{GraphBuilder(tiles), nullptr};
  add_codelets(c.builder, R"(
    struct Sum : Vertex {
      Input<float> a, b, c; Output<float> out;
      bool compute() { *out = *a + *b + *c; return true; }
    };)");
  const std::size_t each = (count + tiles - 1) / tiles;
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) parts.push_back({each, tile});
  const TensorRef x = c.builder.variable("x", ElementType::kFloat, parts);
  const TensorRef y = c.builder.variable("y", ElementType::kFloat, parts);
  const auto set = add_compute_set(c.builder, "sum");
  const auto at = [&](const TensorRef& t, std::size_t i) {
    const std::size_t element = i % (each * tiles);
    return TensorRef{t.type, t.view.slice(0, element, element + 1)};
  };
  for (std::size_t v = 0; v < count; ++v)
    add_vertex(c.builder, set, "Sum", static_cast<std::uint32_t>(v / each),
               {{"a", at(x, v)}, {"b", at(x, v + each)}, {"c", at(x, v + 7 * each + 3)}, {"out", at(y, v)}});
  c.program = execute(set);
  return c;
}

// Compute sets one after the other, each of a vertex on each of `used` tiles.
Case compute_sets(std::uint32_t tiles, std::size_t count, std::uint32_t used) {
  Case c{GraphBuilder(tiles), nullptr};
  add_codelets(c.builder, R"(
    struct More : Vertex {
      InOut<Vector<int>> x;
      bool compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] += 1; return true; }
    };)");
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) parts.push_back({4, tile});
  const TensorRef x = c.builder.variable("x", ElementType::kInt, parts);
  std::vector<ProgramRef> steps;
  for (std::size_t s = 0; s < count; ++s) {
    const auto set = add_compute_set(c.builder, "more");
    for (std::uint32_t n = 0; n < used; ++n) {
      const auto tile = static_cast<std::uint32_t>((s * 7 + n * (tiles / used)) % tiles);
      add_vertex(c.builder, set, "More", tile, {{"x", {x.type, x.view.slice(0, 4 * tile, 4 * tile + 4)}}});
    }
    steps.push_back(execute(set));
  }
  c.program = sequence(std::move(steps));
  return c;
}

const std::map<std::string, std::function<Case(const spec::Machine&)>> kCases = {
    {"vertices", [](const spec::Machine& m) { return vertices(m.tiles(), 1'000'000); }},
    {"twice-the-vertices", [](const spec::Machine& m) { return vertices(m.tiles(), 2'000'000); }},
    {"compute-sets", [](const spec::Machine& m) { return compute_sets(m.tiles(), 10'000, 50); }},
};

struct Cost {
  double seconds = 0, processor = 0;  // of the compiler alone
  double megabytes = 0;               // of the process, graph included
};

rusage usage() {
  rusage now{};
  getrusage(RUSAGE_SELF, &now);
  return now;
}
double processor_seconds() {
  const rusage now = usage();
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(now.ru_utime) + seconds(now.ru_stime);
}

// From here on the process keeps what it frees, and so many bytes of it to begin with: the first page of each costs
// more than what is computed on it. A thread takes its memory from a heap of its own, which the next thread takes over;
// a block that is never freed keeps it.
void take_memory(std::size_t bytes) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  std::vector<char>(bytes, 1);
  std::thread([] {
    constexpr std::size_t kHeap = std::size_t{48} << 20;  // of the 64 MiB that glibc makes one of
    static std::vector<std::vector<char>> kept;
    std::vector<std::vector<char>> heaps;
    for (int n = 0; n < 4; ++n) {
      heaps.emplace_back(kHeap, 1);
      kept.emplace_back(4096, 1);
    }
  }).join();
}

// What the child prints.
int compile_case(const std::string& name, unsigned threads, unsigned gibibytes) {
  const spec::Machine machine = spec::load_machine("mk2");
  const Case c = kCases.at(name)(machine);
  if (gibibytes > 0) take_memory(std::size_t{gibibytes} << 30);
  const double before = processor_seconds();
  const auto begin = std::chrono::steady_clock::now();
  compiler::GraphCompileOptions options;
  options.threads = threads;
  compiler::compile(c.builder.graph, {c.program}, machine, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << seconds.count() << " " << processor_seconds() - before << " "
            << static_cast<double>(usage().ru_maxrss) / 1024 << "\n";
  return 0;
}

FILE* begin_case(const std::string& name, unsigned threads, unsigned gibibytes) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return popen(("'" + self + "' " + name + " " + std::to_string(threads) + " " + std::to_string(gibibytes)).c_str(),
               "r");
}

Cost end_case(FILE* child, const std::string& name) {
  Cost cost;
  const bool read =
      child != nullptr && std::fscanf(child, "%lf %lf %lf", &cost.seconds, &cost.processor, &cost.megabytes) == 3;
  if (child == nullptr || pclose(child) != 0 || !read) throw std::runtime_error("case " + name + " was not compiled");
  return cost;
}

Cost cost_of(const std::string& name, unsigned threads, unsigned gibibytes = 0) {
  return end_case(begin_case(name, threads, gibibytes), name);
}

// The slower of two processes that compile the case at once, each on one thread.
double seconds_beside_another(const std::string& name, unsigned gibibytes) {
  FILE* const one = begin_case(name, 1, gibibytes);
  FILE* const other = begin_case(name, 1, gibibytes);
  const double seconds = end_case(one, name).seconds;
  return std::max(seconds, end_case(other, name).seconds);
}

// The most of some turns, in compilations a second of time and of processor time.
struct BestCost {
  Best wall, processor;
  void turn(const std::string& name, unsigned threads, unsigned gibibytes) {
    const Cost one = cost_of(name, threads, gibibytes);
    wall.take(1 / one.seconds);
    processor.take(1 / one.processor);
  }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 4)
    return compile_case(argv[1], static_cast<unsigned>(std::stoul(argv[2])),
                        static_cast<unsigned>(std::stoul(argv[3])));
  const Cost alone = cost_of("vertices", 1);
  print_figure("compiler_vertices_time", alone.seconds, "s", Goal::kAtMost, 60,
               {{"machine", "mk2"}, {"vertices", 1e6}});
  print_figure("compiler_vertices_memory", alone.megabytes / 1024, "GiB", Goal::kAtMost, 4,
               {{"machine", "mk2"}, {"vertices", 1e6}});
  BestCost once, shared, twice;  // with a gibibyte for each million vertices
  Best beside;                   // of one thread beside another process: what two threads can hope for on this machine
  turns_until_steady({&once.wall, &once.processor, &shared.wall, &twice.processor}, [&] {
    once.turn("vertices", 1, 1);
    shared.turn("vertices", 2, 1);
    twice.turn("twice-the-vertices", 1, 2);
    beside.take(1 / seconds_beside_another("vertices", 1));
  });
  print_figure("compiler_vertices_twice", once.processor.value() / twice.processor.value(),
               "times the processor time, pages at hand", Goal::kAtMost, 2.2,
               {{"machine", "mk2"}, {"processor", 1 / twice.processor.value()}});
  print_figure("compiler_vertices_threads", shared.wall.value() / once.wall.value(),
               "times as fast on two threads as on one, pages at hand", Goal::kAtLeast, 1.6,
               {{"machine", "mk2"},
                {"vertices", 1e6},
                {"seconds", 1 / shared.wall.value()},
                {"processor", 1 / shared.processor.value()},
                {"two processes", 2 * beside.value() / once.wall.value()}});
  const Cost sets = cost_of("compute-sets", 1);
  print_figure("compiler_compute_sets_memory", sets.megabytes / 1024, "GiB", Goal::kAtMost, 1,
               {{"machine", "mk2"}, {"compute sets", 1e4}, {"tiles of each", 50}, {"seconds", sets.seconds}});
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
