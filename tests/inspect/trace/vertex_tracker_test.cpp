// Which vertex a context is in, from records alone.
#include "inspect/trace/vertex_tracker.h"

#include <catch2/catch.hpp>

namespace tessera::inspect::trace {
namespace {

constexpr uint32_t kCall = 0x4c010, kEntry = 0x4c100, kOther = 0x4c200;
constexpr uint32_t kExitWord = 0x0004a00b & ~0x200000u;

names::Name name(names::ProgramInfo& program, const std::string& text) {
  program.names.push_back(text);
  return static_cast<names::Name>(program.names.size() - 1);
}

names::ProgramInfo program_of_two() {
  names::ProgramInfo program;
  program.symbols.push_back({0x4c000, 0x40, name(program, "__tessera_worker")});
  program.symbols.push_back({kEntry, 0x80, name(program, "__vertex_Scale")});
  program.symbols.push_back({kOther, 0x80, name(program, "__vertex_Add")});
  names::Vertex vertex;
  vertex.tile = 1;
  vertex.address = 0x80000;
  vertex.bytes = 16;
  vertex.id = 7;
  program.vertices.push_back(vertex);
  return program;
}

chip::Retire at(unsigned context, uint32_t pc, uint64_t cycle, uint32_t instruction = 0x13) {
  chip::Retire r;
  r.valid = true;
  r.context = static_cast<uint8_t>(context);
  r.pc = pc;
  r.cycle = cycle;
  r.instruction = instruction;
  return r;
}
chip::Retire write_a0(chip::Retire r, uint32_t value) {
  r.reg_write = true;
  r.reg = 10;
  r.reg_data = value;
  return r;
}

using Change = VertexTracker::Change;

TEST_CASE("a vertex is entered at its codelet with its state in a0, and left behind the call") {
  const names::ProgramInfo program = program_of_two();
  VertexTracker tracker(program, 2);
  CHECK(tracker.retire(1, write_a0(at(2, kCall - 8, 0), 0x80000)) == Change::kNone);
  CHECK(tracker.retire(1, at(2, kCall, 6)) == Change::kNone);
  CHECK(tracker.running(1, 2).entry == 0);
  CHECK(tracker.retire(1, at(2, kEntry, 12)) == Change::kEntered);
  REQUIRE(tracker.running(1, 2).vertex != nullptr);
  CHECK(tracker.running(1, 2).vertex->id == 7);
  CHECK(tracker.running(1, 2).since == 12);
  CHECK(tracker.running(1, 3).entry == 0);
  // Its own writes of a0 and its loops change nothing.
  CHECK(tracker.retire(1, write_a0(at(2, kEntry + 4, 18), 5)) == Change::kNone);
  CHECK(tracker.retire(1, at(2, kEntry, 24)) == Change::kNone);
  CHECK(tracker.running(1, 2).state == 0x80000);
  CHECK(tracker.retire(1, at(2, kCall + 4, 30)) == Change::kLeft);
  CHECK(tracker.running(1, 2).vertex->id == 7);  // still told
  CHECK(tracker.retire(1, at(2, kCall + 8, 36)) == Change::kNone);
  CHECK(tracker.running(1, 2).entry == 0);
}

TEST_CASE("exit leaves, and a state that no vertex has is told without one") {
  const names::ProgramInfo program = program_of_two();
  VertexTracker tracker(program, 2);
  tracker.retire(0, write_a0(at(1, kCall - 4, 0), 0x80000));  // tile 0 has no vertex there
  tracker.retire(0, at(1, kCall, 6));
  CHECK(tracker.retire(0, at(1, kOther, 12)) == Change::kEntered);
  CHECK(tracker.running(0, 1).vertex == nullptr);
  CHECK(tracker.running(0, 1).entry == kOther);
  CHECK(tracker.retire(0, at(1, kOther + 4, 18, kExitWord)) == Change::kLeft);
  // An address inside a state is not the state's beginning.
  tracker.retire(1, write_a0(at(1, kCall - 4, 24), 0x80008));
  tracker.retire(1, at(1, kCall, 30));
  tracker.retire(1, at(1, kEntry, 36));
  CHECK(tracker.running(1, 1).vertex == nullptr);
}

TEST_CASE("one vertex after another, and the supervisor's own") {
  const names::ProgramInfo program = program_of_two();
  VertexTracker tracker(program, 2);
  for (const unsigned context : {0u, 6u}) {
    for (unsigned turn = 0; turn < 3; ++turn) {
      chip::Retire load = at(context, kCall - 4, 0);
      load.base_write = true;  // a0 as an updated address register
      load.base = 10;
      load.base_data = 0x80000;
      tracker.retire(1, load);
      tracker.retire(1, at(context, kCall, 6));
      CHECK(tracker.retire(1, at(context, turn % 2 == 0 ? kEntry : kOther, 12)) == Change::kEntered);
      CHECK(tracker.running(1, context).vertex->id == 7);
      CHECK(tracker.retire(1, at(context, kCall + 4, 18)) == Change::kLeft);
    }
  }
}

}  // namespace
}  // namespace tessera::inspect::trace
