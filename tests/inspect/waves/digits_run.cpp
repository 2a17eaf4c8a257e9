#include "tests/inspect/waves/digits_run.h"

#include <algorithm>
#include <cstring>
#include <poplar/Target.hpp>
#include <stdexcept>

#include "compiler/passes/compile.h"
#include "inspect/waves/part.h"
#include "sw/poplar/impl.h"
#include "tests/programs/digits/network.h"

namespace tessera::test {
namespace {

// Cycles that a test waits for a host sync.
constexpr uint64_t kPatience = 5'000'000;

inspect::MakePart wave_parts(const spec::Machine& machine) {
  return [machine](inspect::PartKind kind, const inspect::Options& options) {
    return kind == inspect::PartKind::kWaves ? inspect::waves::make_part(options, machine) : nullptr;
  };
}

}  // namespace

DigitsRun::Compiled DigitsRun::compile(const std::string& machine) {
  Compiled made;
  made.machine = spec::load_machine(machine);
  made.digits = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", Network::kBatch);
  poplar::Graph graph(poplar::Target::createIPUTarget(1, made.machine.tiles(), "ipu2"));
  const Network network = build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", 1, 1.0f);
  std::vector<graph::ProgramRef> programs;
  for (const auto& program : network.programs) programs.push_back(poplar::detail::Access::program(program));
  const poplar::Graph& read = graph;
  made.executable = compiler::compile(poplar::detail::Access::graph(read), programs, made.machine);
  made.executable.chip().info.title = "digits";
  return made;
}

DigitsRun::DigitsRun(const Compiled& compiled, std::unique_ptr<chip::Chip> chip, const std::string& options)
    : compiled_(compiled),
      run_(std::move(chip), options, wave_parts(compiled.machine)),
      host_(compiled.executable.host.bytes / 4 + 1) {
  run_.attach(this);
}

void DigitsRun::load() {
  run_.set_program(compiled_.executable.chip().info, false);
  const image::Executable& executable = compiled_.executable;
  image::for_each_segment(executable.chip(), [&](uint32_t tile, const image::Segment& s) {
    run_.load(tile == image::kAllTiles ? chip::kNoTile : tile, s.address, s.words);
  });
  for (unsigned t = 0; t < executable.chip().tiles.size(); ++t)
    run_.debug_write(t, chip::DebugSpace::kControl, 0, 0, executable.chip().tiles[t].entry);
  wait_for_host_sync();
}

void DigitsRun::train(unsigned batches) {
  for (unsigned batch = 0; batch < batches; ++batch) run_program(Network::kTrainEpoch);
}

void DigitsRun::run_program(uint32_t program) {
  const spec::Machine& m = compiled_.machine;
  const uint64_t turn = 2 * m.pcie_latency + m.host_turnaround;
  run_.mark(run_.cycle() + turn, static_cast<uint16_t>(program + 1));
  for (;;) {
    wait_for_host_sync();
    const uint32_t event = host_.at(compiled_.executable.host.event_offset / 4);
    if (event == image::kEventDone) return;
    const image::HostLayout& host = compiled_.executable.host;
    for (const uint32_t stream : host.phases.at(event - 1)) serve(host.streams.at(stream));
    run_.mark(run_.cycle() + turn, 1);
  }
}

void DigitsRun::wait_for_host_sync() {
  const chip::Stop stop = run_.run(run_.cycle() + kPatience, 0);
  if (stop.reason != chip::StopReason::kHostSync)
    throw std::runtime_error("digits stopped in cycle " + std::to_string(stop.cycle) + ", reason " +
                             std::to_string(static_cast<int>(stop.reason)));
}

void DigitsRun::serve(const image::Stream& stream) {
  if (!image::is_to_device(stream.use)) return;
  const auto* data = stream.handle == "images" ? static_cast<const void*>(compiled_.digits.train_images.data())
                                               : compiled_.digits.train_labels.data();
  for (const image::HostPiece& piece : stream.pieces)
    std::memcpy(reinterpret_cast<char*>(host_.data()) + piece.host_offset,
                static_cast<const char*>(data) + piece.stream_offset, piece.bytes);
}

void DigitsRun::write(uint64_t, uint32_t host_address, std::span<const uint32_t> words) {
  std::copy(words.begin(), words.end(), host_.begin() + host_address / 4);
}

uint64_t DigitsRun::read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) {
  std::copy_n(host_.begin() + host_address / 4, words.size(), words.begin());
  const spec::Machine& m = compiled_.machine;
  return cycle + 2 * m.pcie_latency + m.host_turnaround +
         (words.size() + m.pcie_words_per_cycle - 1) / m.pcie_words_per_cycle;
}

}  // namespace tessera::test
