// Functional points are counted where they happen, and only there.
#include <catch2/catch.hpp>
#include <sstream>

#include "directed_programs.h"
#include "rtl/spec/machine.h"
#include "tb/random/pair_run.h"
#include "watched_model.h"

using namespace tessera;

namespace {

uint64_t hits(const test::FunctionalPoints& points) {
  uint64_t n = 0;
  for (const auto& point : points.points()) n += point.count != 0;
  return n;
}

// Runs programs on two models, one of them watched.
void run(test::FunctionalPoints& points, const std::vector<test::RandomProgram>& programs) {
  const auto machine = spec::load_machine("mk2-16");
  model::ModelTile left(machine, 3);
  test::WatchedModel right(machine, 3, points);
  test::PairRun<model::ModelTile, test::WatchedModel> pair(left, right, 3);
  for (const auto& program : programs) {
    pair.run(program);
    CHECK(pair.report() == "");
  }
}

}  // namespace

TEST_CASE("every instruction has a point in each kind of context that may execute it") {
  test::FunctionalPoints points;
  CHECK(hits(points) == 0);
  CHECK(points.count("instruction add in a worker") == 0);
  CHECK(points.count("instruction add in the supervisor") == 0);
  CHECK(points.count("instruction f16v4add in a worker") == 0);
  CHECK_THROWS(points.count("instruction f16v4add in the supervisor"));
  CHECK(points.count("instruction runall in the supervisor") == 0);
  CHECK_THROWS(points.count("instruction runall in a worker"));
}

TEST_CASE("directed programs hit what they are for, and not what they do not do") {
  test::FunctionalPoints points;
  run(points, test::directed_programs());
  for (const char* name :
       {"exception: pc of a worker", "exception: stack of a worker", "instruction fence.i in a worker",
        "trap: division by zero in a scalar division", "trap: overflow in a special function",
        "clash: address 1 of a paced step with a fetch", "clash: address 2 of a stream access with a fetch",
        "port: clash of the read of a packet", "port: clash of a word of a packet", "port: config by a received word",
        "port: config by a word of a packet", "repeat: cleared by start", "repeat: exit in a body",
        "rounding: f16 division and root up by frm, inexact", "f8: scale of sums largest",
        "illegal: rounding mode 6"}) {
    INFO(name);
    CHECK(points.count(name) != 0);
  }
  CHECK(points.count("instruction f32v2grand in a worker") == 0);
  CHECK(points.count("slots: workers 0 1 2 3 4 5, the supervisor issues") == 0);
  CHECK(hits(points) < points.points().size() / 2);
}

TEST_CASE("random programs hit nearly all of the rest") {
  test::FunctionalPoints points;
  run(points, {test::random_program(1, 16), test::random_program(2, 16)});
  CHECK(hits(points) > points.points().size() / 2);
  std::ostringstream text;
  points.write(text);
  const auto lines = text.str();
  CHECK(lines.find("0 instruction ") != std::string::npos);
  CHECK(static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n')) == points.points().size());
}
