// Files that were cut off are read up to where they are whole; damaged ones are refused in one line.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "inspect/trace/recorder.h"
#include "inspect/trace/trace_reader.h"
#include "synthetic_run.h"

namespace tessera::inspect::trace {
namespace {

using Catch::Matchers::ContainsText;

std::vector<char> small_trace(uint64_t seed) {
  const spec::Machine machine = spec::load_machine("mk2-4");
  TemporaryFile file;
  Recorder recorder({.path = file.path, .window = {}, .block_events = 1}, machine);
  names::ProgramInfo program;
  program.title = "small";
  recorder.program_changed(program);
  const std::vector<Event> events = synthetic_run(machine, {0, 1, 2, 3}, seed, {.supersteps = 5, .instructions = 20});
  for (const Event& e : events) tell(e, recorder);
  recorder.stands_at(events.back().cycle + 1);
  recorder.finish();
  return contents(file.path);
}

struct Outcome {
  std::vector<std::string> events;
  std::string cut_off, error;
};

Outcome read_all(const std::string& path) {
  Outcome outcome;
  try {
    TraceReader reader(path);
    outcome.cut_off = reader.cut_off();
    for (size_t run = 0; run < reader.runs().size(); ++run)
      reader.read(run, {}, [&](const Event& e) { outcome.events.push_back(all_of(e)); });
  } catch (const TraceError& e) {
    outcome.error = e.what();
  }
  return outcome;
}

TEST_CASE("a file that is cut off anywhere gives its whole blocks and one line that says so") {
  const std::vector<char> whole = small_trace(3);
  TemporaryFile file;
  write(file.path, whole);
  const Outcome all = read_all(file.path);
  REQUIRE(all.error.empty());
  REQUIRE(all.cut_off.empty());
  std::mt19937_64 random(seed_of_test(4));
  size_t most = 0;
  for (unsigned round = 0; round < rounds_of_test(150, 5000); ++round) {
    const size_t bytes = random() % whole.size();
    INFO(bytes << " of " << whole.size() << " bytes");
    write(file.path, {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)});
    const Outcome cut = read_all(file.path);
    if (!cut.error.empty()) {  // not even the header
      CHECK(cut.events.empty());
      CHECK_THAT(cut.error, ContainsText("no trace") || ContainsText("cut off in its header"));
      CHECK_THAT(cut.error, ContainsText(file.path));
      continue;
    }
    REQUIRE_THAT(cut.cut_off, ContainsText("is cut off, its run did not end") && ContainsText(file.path));
    REQUIRE(cut.cut_off.find('\n') == std::string::npos);
    REQUIRE(cut.events.size() <= all.events.size());
    CHECK(std::equal(cut.events.begin(), cut.events.end(), all.events.begin()));
    most = std::max(most, cut.events.size());
  }
  CHECK(most > all.events.size() / 2);
}

TEST_CASE("every flipped bit is noticed") {
  const std::vector<char> whole = small_trace(5);
  TemporaryFile file;
  write(file.path, whole);
  const Outcome all = read_all(file.path);
  std::mt19937_64 random(seed_of_test(6));
  for (unsigned round = 0; round < rounds_of_test(400, 20000); ++round) {
    const size_t bit = random() % (8 * whole.size());
    INFO("bit " << bit << " of " << 8 * whole.size());
    std::vector<char> damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    write(file.path, damaged);
    const Outcome outcome = read_all(file.path);
    REQUIRE((!outcome.error.empty() || !outcome.cut_off.empty()));
    const std::string& told = outcome.error.empty() ? outcome.cut_off : outcome.error;
    CHECK_THAT(told, ContainsText(file.path));
    CHECK(told.find('\n') == std::string::npos);
    CHECK(outcome.events.size() <= all.events.size());
  }
}

TEST_CASE("a damaged block is named, those before it are given") {
  std::vector<char> bytes = small_trace(7);
  TemporaryFile file;
  write(file.path, bytes);
  IndexEntry third;
  {
    TraceReader reader(file.path);
    REQUIRE(reader.runs().at(0).blocks.size() >= 4);
    third = reader.runs()[0].blocks[2];
  }
  bytes[third.offset + third.bytes / 2] = static_cast<char>(bytes[third.offset + third.bytes / 2] ^ 0x10);
  write(file.path, bytes);
  const Outcome outcome = read_all(file.path);
  CHECK_FALSE(outcome.events.empty());
  CHECK_THAT(outcome.error,
             ContainsText("is damaged: the block of supersteps 2 to 2") && ContainsText("its digest does not fit"));
}

TEST_CASE("what is no trace, of another format or another machine says so") {
  TemporaryFile file;
  write(file.path, {'h', 'e', 'l', 'l', 'o', ' ', 'w', 'o', 'r', 'l', 'd', '!', '\n'});
  CHECK_THAT(read_all(file.path).error, ContainsText("is no trace of this tool"));
  CHECK_THAT(read_all(file.path + ".none").error, ContainsText("cannot be read"));
  std::vector<char> bytes = small_trace(8);
  bytes[8] = 99;
  write(file.path, bytes);
  CHECK_THAT(read_all(file.path).error,
             ContainsText("has format 99, this tool reads format " + std::to_string(kVersion)));
}

TEST_CASE("a trace that cannot be written is refused when the run begins") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  CHECK_THROWS_WITH(Recorder({.path = "/nowhere/out.trace", .window = {}}, machine),
                    ContainsText("trace /nowhere/out.trace cannot be written"));
}

}  // namespace
}  // namespace tessera::inspect::trace
