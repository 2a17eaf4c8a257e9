// Loads of what nobody has written, and accesses of what is not the vertex's, are told in plain builds of codelets when
// the run is checked, on model and RTL; other runs hear nothing of them.
#include <catch2/catch.hpp>

#include "sim/engine/model_chip.h"
#include "tests/compiler/codelet_source.h"
#include "tests/inspect/failures/codelet_file.h"
#include "tests/inspect/failures/planted.h"
#ifdef TESSERA_HAS_RTL
#include "sim/engine/rtl_chip.h"
#endif

using namespace tessera;
using namespace tessera::test;

namespace {

struct Row {
  const char* codelet;
  std::vector<std::string> told;
};

const std::vector<Row> kRows = {
    {"ReadsUnwritten", {"load of 4 bytes", "element 2 of input 'nowhere' (net/w[2]), which nobody has written"}},
    {"AddsToOutput", {"load of 4 bytes", "element 0 of output 'out' (net/y[0]), which nobody has written"}},
    {"ReadsStack", {"load of 4 bytes", "in the stack of worker 0, which nobody has written"}},
    {"WalksPastEnd",
     {"store of 4 bytes", "just beyond the end of output 'out' (net/y[0..3]", "which is not the vertex's"}},
    {"WritesInput", {"store of 4 bytes", "element 2 of input 'in' (net/x[2]), which is not the vertex's"}},
    {"ReadsNeighbour", {"load of 4 bytes", "net/z[0], which is not the vertex's"}},
};

struct Scene {
  Planted p;
  TensorRef x, w, y;
};

// Four ints follow the eight of x in memory.
Scene scene(const std::string& codelet, const std::vector<std::uint32_t>& x = {1, 2, 3, 4, 5, 6, 7, 8}) {
  Scene s;
  Planted& p = s.p;
  p.name = codelet;
  p.watch = true;
  GraphBuilder& b = p.builder;
  add_codelet_file(b, MEMORY_CODELETS);
  const auto ints = [&](const std::string& name, unsigned count) {
    return b.variable(name, graph::ElementType::kInt, {{count, 1}});
  };
  s.x = ints("net/x", 8), s.w = ints("net/w", 4), s.y = ints("net/y", 4);
  const TensorRef z = ints("net/z", 4);
  b.initial(z, {0, 0, 0, 0});
  b.initial(s.x, x);
  const auto set = add_compute_set(b, "set");
  const auto id = add_vertex(b, set, codelet, 1, {{"in", s.x}, {"nowhere", s.w}, {"out", s.y}});
  set_state(b, id, "n", 2);
  p.programs = {sequence({execute(set), copy(z, ints("net/copy", 4))})};
  return s;
}

Planted planted(const Row& row) {
  Planted p = std::move(scene(row.codelet).p);
  p.tile = "Tile 1";
  p.context = "worker 0: failed check";
  p.vertex = "vertex 0 of codelet '" + p.name + "' in compute set 'set'";
  p.line = "memory_codelets.cpp:" + std::to_string(marked_line(MEMORY_CODELETS, "planted: " + p.name));
  p.more = row.told;
  return p;
}

}  // namespace

TEST_CASE("an access of memory that is wrong is told with field, element, vertex and line") {
  for (const Row& row : kRows) {
    const Planted p = planted(row);
    const Told told = tell(p, chip::make_model_chip, "");
    INFO(row.codelet << "\n" << told.report);
    CHECK(told.missing == std::vector<std::string>{});
#ifdef TESSERA_HAS_RTL
    CHECK(tell(p, chip::make_rtl_chip, "").report == told.report);
#endif
  }
}

TEST_CASE("what nobody has written stays so when it is copied on its tile") {
  Scene s = scene("Nothing");
  s.p.programs = {sequence({copy(s.w, slice(s.x, 4, 8)), s.p.programs[0]})};
  const Told told = tell(s.p, chip::make_model_chip, "");
  INFO(told.report);
  CHECK(told.report.find("element 7 of input 'in' (net/x[7]), which nobody has written") != std::string::npos);
}

// Zeros are not loaded, and what most tiles have in common is loaded to all.
TEST_CASE("what the program gives a value counts as written, and nothing else") {
  Scene s = scene("Nothing", std::vector<std::uint32_t>(8, 0));
  s.p.check = "nothing is wrong";
  CHECK_NOTHROW(tell(s.p, chip::make_model_chip, ""));

  s = scene("ReadsUnwritten");
  for (const unsigned other : {0u, 2u, 3u}) {
    const TensorRef full =
        s.p.builder.variable("net/full" + std::to_string(other), graph::ElementType::kInt, {{400, other}});
    s.p.builder.initial(full, std::vector<std::uint32_t>(400, 7));
    s.p.programs = {sequence({s.p.programs[0], copy(slice(full, 0, 100), slice(full, 200, 300))})};
  }
  const Told told = tell(s.p, chip::make_model_chip, "");
  INFO(told.report);
  CHECK(told.report.find("(net/w[2]), which nobody has written") != std::string::npos);
}

TEST_CASE("a run without mistakes comes to its end, and a run that is not checked always") {
  for (const Row& row : kRows) {
    for (const bool watch : {false, true}) {
      Planted p = std::move(scene(watch ? "Nothing" : row.codelet).p);
      p.watch = watch;
      p.check = "nothing is wrong";  // it runs to its end
      CHECK_NOTHROW(tell(p, chip::make_model_chip, ""));
    }
  }
}
