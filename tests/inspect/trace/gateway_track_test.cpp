// Packets to remote memory have a track of their own in a Perfetto trace, the gateway's.
#include <catch2/catch.hpp>

#include "inspect/trace/perfetto.h"
#include "inspect/trace/recorder.h"
#include "inspect/trace/trace_reader.h"
#include "perfetto_check.h"
#include "sim/engine/model_chip.h"
#include "synthetic_run.h"
#include "tb/chip/chip_programs.h"

namespace tessera::inspect::trace {
namespace {

ShownTrace shown_of(const test::ChipProgram& program) {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const TemporaryFile file, shown(".json.gz");
  RecorderOptions options;
  options.path = file.path;
  Recorder recorder(options, machine);
  test::HostMemory memory(machine);
  const auto chip = chip::make_model_chip(machine);
  chip->attach(&memory);
  chip->observe(&recorder);
  test::load_and_start(*chip, program);
  REQUIRE(chip->run(1'000'000, 0).reason == chip::StopReason::kHostSync);
  recorder.stands_at(chip->cycle());
  recorder.finish();
  TraceReader reader(file.path);
  write_perfetto(reader, 0, {}, shown.path);
  return check_perfetto(shown.path);
}

TEST_CASE("packets to remote memory are on the gateway's track, those to the host on the host's") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const ShownTrace mixed = shown_of(test::mixed_memory_program(machine, 19));
  CHECK(mixed.wrong == "");
  for (const std::string track : {"gateway/transfers to remote memory", "host/transfers to the host"}) {
    INFO(track);
    REQUIRE(mixed.tracks.contains(track));
    CHECK(mixed.tracks.at(track).size() == 4);  // two tiles write and read
  }
  CHECK(mixed.tracks.at("host/transfers to tiles").size() == 4);
  CHECK_FALSE(shown_of(test::host_memory_program(machine, 19)).tracks.contains("gateway/transfers to remote memory"));
}

}  // namespace
}  // namespace tessera::inspect::trace
