// What a reader gives back is what the writer was told.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "inspect/trace/recorder.h"
#include "inspect/trace/trace_reader.h"
#include "synthetic_run.h"

namespace tessera::inspect::trace {
namespace {

const std::vector<uint32_t> kAll = {0, 1, 2, 3};

using Lanes = std::map<std::pair<uint32_t, uint8_t>, std::vector<std::string>>;

void record(const std::vector<Event>& events, const RecorderOptions& options, const spec::Machine& machine) {
  Recorder recorder(options, machine);
  for (const Event& e : events) tell(e, recorder);
  recorder.stands_at(events.back().cycle + 1);
  recorder.finish();
}

// One event for accesses that follow each other, as the recorder makes of them.
Lanes lanes_of(const std::vector<Event>& events, bool registers) {
  Lanes lanes;
  std::vector<Event> merged;
  for (const Event& e : events) {
    if (e.kind == EventKind::kDebugTime && !merged.empty() && merged.back().to == e.cycle) {
      merged.back().to = e.to;
      continue;
    }
    if (e.kind == EventKind::kDebugTime) merged.push_back(e);
  }
  for (const Event& e : merged) lanes[{e.tile, e.lane}].push_back(all_of(e));
  std::map<std::pair<uint32_t, uint8_t>, std::vector<Event>> rest;
  for (const Event& e : events)
    if (e.kind != EventKind::kDebugTime) rest[{e.tile, e.lane}].push_back(registers ? e : without_registers(e));
  for (auto& [key, list] : rest) {
    std::stable_sort(list.begin(), list.end(), [](const Event& a, const Event& b) { return a.cycle < b.cycle; });
    for (const Event& e : list) lanes[key].push_back(all_of(e));
  }
  return lanes;
}

Lanes read_lanes(const std::string& path, const Selection& selection = {},
                 std::optional<uint32_t> chip = std::nullopt) {
  TraceReader reader(path, chip);
  CHECK(reader.cut_off().empty());
  Lanes lanes;
  Event last;
  bool ordered = true;
  for (size_t run = 0; run < reader.runs().size(); ++run)
    reader.read(run, selection, [&](const Event& e) {
      ordered &= std::tie(last.cycle, last.tile, last.lane) <= std::tie(e.cycle, e.tile, e.lane);
      last = e;
      lanes[{e.tile, e.lane}].push_back(all_of(e));
    });
  CHECK(ordered);
  return lanes;
}

void check_equal(const Lanes& told, const Lanes& read) {
  for (const auto& [key, list] : told) {
    INFO("tile " << key.first << ", lane " << +key.second);
    const auto found = read.find(key);
    REQUIRE(found != read.end());
    REQUIRE(found->second.size() == list.size());
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i] != found->second[i]) {
        INFO("event " << i << " of " << list.size());
        REQUIRE(list[i] == found->second[i]);
      }
  }
  CHECK(told.size() == read.size());
}

TEST_CASE("random runs come back as they were, whatever a block's size") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const uint64_t first = seed_of_test(20);
  for (unsigned round = 0; round < rounds_of_test(12, 300); ++round) {
    const uint64_t seed = first + round;
    INFO("TESSERA_SEED=" << seed);
    const std::vector<Event> events = synthetic_run(machine, kAll, seed);
    TemporaryFile file;
    RecorderOptions options;
    options.path = file.path;
    options.registers = round % 2 == 1;
    options.block_events = round % 3 == 0 ? 1 : 1u << (8 + round % 10);
    record(events, options, machine);
    check_equal(lanes_of(events, options.registers), read_lanes(file.path));
  }
}

// The records of several files, each of one chip, as one file of all chips: a record of each in turn.
void join(const std::vector<std::string>& paths, const std::string& joined, bool close = true) {
  std::vector<std::unique_ptr<TraceFileReader>> files;
  Header header;
  size_t most = 0;
  for (const std::string& path : paths) {
    files.push_back(std::make_unique<TraceFileReader>(path));
    const Header& own = files.back()->header();
    if (files.size() == 1) header = own, header.chips.clear();
    header.chips.push_back(own.chips.front());
    most = std::max(most, files.back()->index().size());
  }
  TraceFileWriter writer(joined, header);
  for (size_t i = 0; i < most; ++i)
    for (const auto& file : files) {
      if (i >= file->index().size()) continue;
      const IndexEntry& entry = file->index()[i];
      if (entry.kind == RecordKind::kProgram)
        writer.program(entry.info.chip, file->program(entry));
      else
        writer.block(entry.info, file->body(entry));
    }
  if (close) writer.close(*files.front()->end());
}

TEST_CASE("a file of several chips gives back each chip's own events, programs and tiles") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const bool whole = GENERATE(true, false);
  std::vector<std::unique_ptr<TemporaryFile>> files;
  std::vector<std::vector<Event>> told;
  for (const uint32_t chip : {0u, 2u}) {
    told.push_back(synthetic_run(machine, kAll, seed_of_test(700 + chip)));
    files.push_back(std::make_unique<TemporaryFile>());
    Recorder recorder({.path = files.back()->path, .window = {}, .place = {chip, 3}, .block_events = 1}, machine);
    names::ProgramInfo program;
    program.title = "program of chip " + std::to_string(chip);
    recorder.program_changed(program);
    for (const Event& e : told.back()) tell(e, recorder);
    recorder.stands_at(told.back().back().cycle + 1);
    recorder.finish();
  }
  TemporaryFile both;
  join({files[0]->path, files[1]->path}, both.path, whole);
  for (const size_t i : {0u, 1u}) {
    const uint32_t chip = i == 0 ? 0 : 2;
    INFO("chip " << chip);
    TraceReader reader(both.path, chip);
    CHECK(reader.cut_off().empty() == whole);
    CHECK(reader.place().chip == chip);
    CHECK(reader.place().tile(3) == "chip " + std::to_string(chip) + " tile 3");
    CHECK(reader.chip().tiles == kAll);
    REQUIRE(reader.runs().size() == 1);
    CHECK(reader.runs()[0].program.title == "program of chip " + std::to_string(chip));
    if (whole) {
      check_equal(lanes_of(told[i], false), read_lanes(files[i]->path));
      check_equal(lanes_of(told[i], false), read_lanes(both.path, {}, chip));
    }
  }
  CHECK_THROWS_WITH(TraceReader(both.path, 1), "trace " + both.path + " does not hold chip 1");
}

TEST_CASE("a reader sees the tiles, lanes and cycles it asks for, from any block on") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const std::vector<Event> events = synthetic_run(machine, kAll, seed_of_test(500));
  TemporaryFile file;
  record(events, {.path = file.path, .window = {}, .block_events = 1}, machine);
  Selection selection;
  selection.tiles = {1, 3};
  selection.lanes = 1u << 2 | 1u << kLaneReceived | 1u << kLaneExchangeWrite;
  selection.from = events.back().cycle / 3;
  selection.to = events.back().cycle / 2;
  std::vector<Event> wanted;
  for (const Event& e : events)
    if (selection.wants(e.tile, e.lane) && e.cycle >= selection.from && e.cycle < selection.to) wanted.push_back(e);
  REQUIRE(wanted.size() > 100);
  check_equal(lanes_of(wanted, false), read_lanes(file.path, selection));
}

TEST_CASE("only the tiles of the window are in the file") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const std::vector<Event> events = synthetic_run(machine, kAll, seed_of_test(700));
  TemporaryFile file;
  RecorderOptions options;
  options.path = file.path;
  options.window.tiles = parse_tiles("2");
  record(events, options, machine);
  std::vector<Event> wanted;
  for (const Event& e : events)
    if (e.tile == 2 || e.tile == chip::kNoTile) wanted.push_back(e);
  check_equal(lanes_of(wanted, false), read_lanes(file.path));
}

TEST_CASE("a window of supersteps holds exactly those, and takes room for those only") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const std::vector<Event> events = synthetic_run(machine, kAll, seed_of_test(800));
  uint64_t begin = 0, end = 0;  // acknowledgements before and of the window
  for (const Event& e : events) {
    if (e.kind != EventKind::kSuperstep) continue;
    if (e.from == 6) begin = e.cycle;
    if (e.from == 9) end = e.cycle;
  }
  TemporaryFile file, whole;
  RecorderOptions options;
  options.path = file.path;
  options.window.from = parse_trigger("superstep:7");
  options.window.length = parse_length("3");
  record(events, options, machine);
  record(events, {.path = whole.path, .window = {}}, machine);
  std::vector<Event> wanted;
  for (const Event& e : events)
    if (e.cycle >= begin && e.cycle < end && e.kind != EventKind::kSuperstep && e.kind != EventKind::kSyncAcknowledge)
      wanted.push_back(e);
  Lanes read = read_lanes(file.path);
  read.erase({chip::kNoTile, kLanePorts});  // acknowledgements at the window's edges belong to both sides
  check_equal(lanes_of(wanted, false), read);
  CHECK(contents(file.path).size() * 4 < contents(whole.path).size());
}

TEST_CASE("a chip that is reset begins another run") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const std::vector<Event> first = synthetic_run(machine, kAll, 1, {.supersteps = 3}),
                           second = synthetic_run(machine, kAll, 2, {.supersteps = 4});
  TemporaryFile file;
  {
    Recorder recorder({.path = file.path, .window = {}}, machine);
    names::ProgramInfo program;
    program.title = "one";
    recorder.program_changed(program);
    for (const Event& e : first) tell(e, recorder);
    recorder.stands_at(first.back().cycle + 1);
    program.title = "two";
    recorder.program_changed(program);
    for (const Event& e : second) tell(e, recorder);
    recorder.stands_at(second.back().cycle + 1);
    for (const Event& e : first) tell(e, recorder);  // the same program, after a reset
    recorder.stands_at(first.back().cycle + 1);
    recorder.finish();
  }
  TraceReader reader(file.path);
  REQUIRE(reader.runs().size() == 3);
  CHECK(reader.runs()[0].program.title == "one");
  CHECK(reader.runs()[1].program.title == "two");
  CHECK(reader.runs()[2].program.title == "two");
  size_t events = 0;
  reader.read(2, {}, [&events](const Event&) { ++events; });
  size_t told = 0;
  for (const auto& [key, list] : lanes_of(first, false)) told += list.size();
  CHECK(events == told);
}

}  // namespace
}  // namespace tessera::inspect::trace
