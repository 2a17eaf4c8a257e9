// The first difference of two traces is found and told, whatever it is.
#include "inspect/trace/difference.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "inspect/trace/recorder.h"
#include "synthetic_run.h"

namespace tessera::inspect::trace {
namespace {

using Catch::Matchers::ContainsText;

const std::vector<uint32_t> kAll = {0, 1, 2, 3};

struct Traced {
  explicit Traced(const std::vector<Event>& events, const std::string& tiles = "all", uint64_t block_events = 1u << 12,
                  bool registers = false) {
    const spec::Machine machine = spec::load_machine("mk2-4");
    RecorderOptions options;
    options.path = file.path;
    options.window.tiles = parse_tiles(tiles);
    options.registers = registers;
    options.block_events = block_events;
    Recorder recorder(options, machine);
    for (const Event& e : events) tell(e, recorder);
    recorder.stands_at(events.back().cycle + 1);
    recorder.finish();
    reader.emplace(file.path);
  }
  TemporaryFile file;
  std::optional<TraceReader> reader;
};

std::vector<Event> synthetic(uint64_t seed) { return synthetic_run(spec::load_machine("mk2-4"), kAll, seed); }

// Number `n` of the retire events for which `holds` holds.
template <class Holds>
size_t pick(const std::vector<Event>& events, size_t n, const Holds& holds) {
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == EventKind::kRetire && holds(events[i]) && n-- == 0) return i;
  throw std::logic_error("no such event");
}

TEST_CASE("equal runs are equal, however they were cut into blocks") {
  const std::vector<Event> events = synthetic(30);
  Traced a(events), b(events, "all", 1);
  const Comparison result = compare(*a.reader, *b.reader);
  CHECK_FALSE(result.difference);
  CHECK(result.notes.empty());
  CHECK(result.events > 10000);
}

TEST_CASE("planted differences are found at their place") {
  const std::vector<Event> events = synthetic(31);
  Traced original(events);
  const uint64_t seed = seed_of_test(9);
  for (unsigned round = 0; round < rounds_of_test(24, 400); ++round) {
    const size_t n = (seed * 7919 + round * 1543) % 4000;
    std::vector<Event> changed = events;
    std::string expected;
    size_t at = 0;
    switch (round % 4) {
      case 0:  // a stored value
        at = pick(events, n % 400, [](const Event& e) { return e.retire.mem_write; });
        changed[at].retire.mem_data ^= 1ull << 8 * std::countr_zero(changed[at].retire.mem_strobe);
        expected = "they differ in: value stored";
        break;
      case 1:  // an instruction that is missing
        at = pick(events, n, [](const Event&) { return true; });
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
        expected = "only " + original.file.path + " has this";
        break;
      case 2: {  // from somewhere on a context is late
        at = pick(events, n, [](const Event& e) { return e.context != 0; });
        const Event first = events[at];
        for (size_t i = at; i < changed.size(); ++i)
          if (changed[i].kind == EventKind::kRetire && changed[i].tile == first.tile && changed[i].lane == first.lane) {
            changed[i].cycle += 6;
            changed[i].retire.cycle += 6;
          }
        expected = "only " + original.file.path + " has this";
        break;
      }
      default:  // another flag
        at = pick(events, n, [](const Event&) { return true; });
        changed[at].retire.flags ^= 4;
        expected = "they differ in: float flags";
    }
    INFO("TESSERA_SEED=" << seed << ", round " << round << ", planted: " << all_of(events[at]));
    Traced other(changed);
    const Comparison result = compare(*original.reader, *other.reader);
    REQUIRE(result.difference);
    INFO(result.difference->text);
    CHECK(result.difference->event.cycle == events[at].cycle);
    CHECK(result.difference->event.tile == events[at].tile);
    CHECK(result.difference->event.lane == events[at].lane);
    CHECK_THAT(result.difference->text, ContainsText(expected));
    CHECK_THAT(result.difference->text, ContainsText("cycle " + std::to_string(events[at].cycle) + ", superstep "));
    // The other way round it is the same place.
    const Comparison back = compare(*other.reader, *original.reader);
    REQUIRE(back.difference);
    CHECK(back.difference->event.cycle == events[at].cycle);
    CHECK(back.difference->event.lane == events[at].lane);
  }
}

TEST_CASE("traces of different tiles are compared in those that both hold") {
  std::vector<Event> events = synthetic(32);
  Traced a(events, "0-2"), b(events, "1-3");
  const Comparison equal = compare(*a.reader, *b.reader);
  CHECK_FALSE(equal.difference);
  REQUIRE(equal.notes.size() == 1);
  CHECK(equal.notes.front() == "compared are the 2 tiles that both hold, of 3 and 3");
  // What differs on a tile that one lacks is not seen, on a common one it is.
  for (const uint32_t tile : {3u, 2u}) {
    std::vector<Event> changed = events;
    changed[pick(events, 500, [tile](const Event& e) { return e.tile == tile; })].retire.flags ^= 1;
    Traced other(changed, "1-3");
    CHECK(compare(*a.reader, *other.reader).difference.has_value() == (tile == 2));
  }
  Traced lonely(events, "3");
  CHECK_THROWS_WITH(compare(*a.reader, *lonely.reader), ContainsText("have no tile in common"));
}

TEST_CASE("register values count when both hold them") {
  const std::vector<Event> events = synthetic(33);
  std::vector<Event> changed = events;
  const size_t at = pick(events, 700, [](const Event& e) { return e.retire.reg_write && !e.retire.reg_float; });
  changed[at].retire.reg_data ^= 0x40;
  Traced a(events, "all", 4096, true), b(changed, "all", 4096, true), without(changed);
  const Comparison result = compare(*a.reader, *b.reader);
  REQUIRE(result.difference);
  CHECK_THAT(result.difference->text, ContainsText("they differ in: register values"));
  const Comparison blind = compare(*a.reader, *without.reader);
  CHECK_FALSE(blind.difference);
  CHECK(blind.notes == std::vector<std::string>{"register values are not compared: only one holds them"});
}

}  // namespace
}  // namespace tessera::inspect::trace
