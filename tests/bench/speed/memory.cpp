// A chip of 1,472 tiles whose programs use 50 KiB each: how long until it is loaded and started, what it holds of the
// host's memory, and what a snapshot costs behind a superstep that wrote 10 KiB a tile. A process for each backend.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "tb/model/program.h"
#include "tests/bench/figure.h"

using namespace tessera;
using test::Program;
using Clock = std::chrono::steady_clock;

namespace {

constexpr uint32_t kUsed = 50 * 1024, kWritten = 10 * 1024, kPlace = 0x80000;
constexpr unsigned kThreads = 2, kSnapshots = 5;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Writes kWritten bytes at kPlace, then waits for an internal sync, again and again, other words each time.
Program writes() {
  Program p;
  const uint32_t again = p.here();
  p.load_immediate(1, kPlace);
  p.load_immediate(2, kWritten / 4);
  const uint32_t loop = p.here();
  p.add(spec::Opcode::Add, {.rd = 3, .rs1 = 3, .rs2 = 2});
  p.add(spec::Opcode::Sw, {.rs1 = 1, .rs2 = 3, .imm = 0});
  p.add(spec::Opcode::Addi, {.rd = 1, .rs1 = 1, .imm = 4});
  p.add(spec::Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = -1});
  p.add(spec::Opcode::Bne, {.rs1 = 2, .rs2 = 0, .imm = static_cast<int>(loop - p.here())});
  p.add(spec::Opcode::Sync, {.rs1 = 0, .imm = spec::SyncZone::kInternal});
  p.add(spec::Opcode::Jal, {.rd = 0, .imm = static_cast<int>(again - p.here())});
  return p;
}

bool figures(bool rtl) {
  const auto machine = spec::load_machine("mk2");
  const std::string name = rtl ? "rtl-" : "model-";
  const auto start = Clock::now();
  const auto chip = rtl ? chip::make_rtl_chip_with(chip::FabricChoice::kEngine, machine, false, kThreads)
                        : chip::make_model_chip_with(machine, kThreads);
  const Program program = writes();
  std::vector<uint32_t> data((kUsed - 4 * program.words.size()) / 4);
  for (unsigned tile = 0; tile < machine.tiles(); ++tile) {
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint32_t>((i + 1) * 2654435761u + tile);
    chip->load(tile, program.base, program.words);
    chip->load(tile, kPlace, data);
  }
  chip->debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, program.base);
  const double started = seconds_since(start);
  uint64_t superstep = 0;
  const auto go_on = [&] {
    chip->stop_at_superstep(++superstep);
    if (chip->run(chip->cycle() + 1'000'000, 0).reason != chip::StopReason::kSuperstep)
      throw std::runtime_error("no superstep ends");
  };
  go_on();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  bool ok = print_figure(name + "mk2-started", started, "s until it is loaded and started", Goal::kAtMost, 20);
  ok &= print_figure(name + "mk2-memory", static_cast<double>(usage.ru_maxrss) / 1024, "MiB of the host", Goal::kAtMost,
                     rtl ? 500 : 250, {{"used by programs", machine.tiles() * (kUsed / 1024.0) / 1024}});
  std::shared_ptr<const chip::Snapshot> last = chip->snapshot();
  double took = 1e9, bytes = 0;
  for (unsigned n = 0; n < kSnapshots; ++n) {
    go_on();
    const auto begin = Clock::now();
    last = chip->snapshot();
    took = std::min(took, seconds_since(begin));
    bytes = std::max(bytes, static_cast<double>(last->bytes()));
  }
  ok &= print_figure(name + "mk2-snapshot-time", 1e3 * took, "ms", Goal::kAtMost, 50);
  ok &= print_figure(name + "mk2-snapshot", bytes / (1 << 20), "MiB", Goal::kAtMost, 20,
                     {{"written", machine.tiles() * (kWritten / 1024.0) / 1024}});
  return ok;
}

bool in_process(bool rtl) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork fails");
  if (child == 0) {
    bool ok = false;
    try {
      ok = figures(rtl);
    } catch (const std::exception& error) {
      std::cerr << "bench_speed_memory: " << error.what() << "\n";
    }
    std::cout.flush();
    ::_exit(ok ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main() try {
  const bool model = in_process(false), rtl = in_process(true);
  return model && rtl ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_speed_memory: " << error.what() << "\n";
  return 1;
}
