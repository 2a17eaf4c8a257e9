// The debugger: from the moment a breakpoint's instruction is executed in the forward run to registers on the user's
// prompt; chip cycles with and without stops; 1,000 random steps back and forth.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>
#include <vector>

#include "inspect/gdb/part.h"
#include "inspect/recorded_run.h"
#include "tb/chip/chip_programs.h"
#include "tests/bench/figure.h"
#include "tests/inspect/gdb/random_stops.h"
#include "tests/inspect/gdb/rsp_client.h"

using namespace tessera;
using namespace tessera::test;
using inspect::PartKind;
using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned kRounds = 24, kTurns = 60, kTile = 5;

struct Work {
  ChipProgram tiles;
  uint32_t stop = 0;  // pc, once a round
};

// Rounds of work for all six workers of all tiles, with a sync between.
Work busy_rounds(const spec::Machine& machine) {
  using Op = TileProgram::Op;
  Work work;
  for (unsigned t = 0; t < machine.tiles(); ++t) {
    TileProgram p;
    p.add(Op::Jal, {.rd = 0, .imm = 4 * 9});
    const uint32_t entry = p.here();
    p.csr_read(10, spec::Csr::Xvbase);
    p.add(Op::Addi, {.rd = 5, .rs1 = 0, .imm = kTurns});
    const uint32_t turn = p.here();
    p.add(Op::Lw, {.rd = 7, .rs1 = 10});
    p.add(Op::Mul, {.rd = 6, .rs1 = 7, .rs2 = 5});
    p.add(Op::Sw, {.rs1 = 10, .rs2 = 6, .imm = 4});
    p.add(Op::Addi, {.rd = 5, .rs1 = 5, .imm = -1});
    p.add(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = static_cast<int>(turn - p.here())});
    p.add(Op::Exit, {.rs1 = 10});
    p.li(9, kRounds);
    const uint32_t round = p.here();
    p.li(11, entry);
    p.li(12, kData);
    p.add(Op::Runall, {.rs1 = 11, .rs2 = 12, .imm = 16});
    p.sync(0);
    work.stop = p.here();
    p.add(Op::Addi, {.rd = 9, .rs1 = 9, .imm = -1});
    p.sync(2);
    p.add(Op::Bne, {.rs1 = 9, .rs2 = 0, .imm = static_cast<int>(round - p.here())});
    p.sync(4);
    p.trap(1);
    work.tiles.push_back(p);
  }
  return work;
}

// When the forward run has come to the breakpoint's instruction.
struct Hit : chip::Observer {
  uint32_t pc = 0;
  std::atomic<Clock::time_point> at{};
  bool wants(unsigned tile) const override { return tile == kTile; }
  void retire(unsigned, const chip::Retire& r) override {
    if (r.pc == pc) at = Clock::now();
  }
};

uint64_t run_to_end(chip::Chip& chip, const Work& work) {
  load_and_start(chip, work.tiles);
  return chip.run(~0ull, 0).cycle;
}

struct Latency {
  std::vector<double> seconds;
  uint64_t cycles = 0;
  std::string problem;
};

Latency stops(chip::Backend backend, const spec::Machine& machine, const Work& work) {
  const auto file = std::filesystem::temp_directory_path() / ("tessera-bench-gdb-" + std::to_string(::getpid()));
  inspect::RecordedRun run(chip::make_chip(backend, machine), "gdb=0;gdb-halt=true;gdb-file=" + file.string(),
                           [&](PartKind kind, const inspect::Options& options) -> std::unique_ptr<inspect::Part> {
                             return kind == PartKind::kGdb ? inspect::gdb::make_part(options, machine) : nullptr;
                           });
  unsigned port = 0;
  std::ifstream(file) >> port;
  std::filesystem::remove(file);
  Hit hit;
  hit.pc = work.stop;
  run.observe(&hit);
  Latency latency;
  std::thread user([&] {
    try {
      RspClient gdb(port);
      gdb.ask("Hgp" + std::to_string(kTile + 1) + ".1");
      char pc[9];
      std::snprintf(pc, sizeof pc, "%x", work.stop);
      gdb.ask(std::string("Z0,") + pc + ",4");
      for (unsigned n = 0; n < kRounds; ++n) {
        const std::string stop = gdb.ask("vCont;c");
        gdb.ask("g");
        const auto now = Clock::now();
        if (stop.find("swbreak") == std::string::npos) latency.problem = "no breakpoint: " + stop;
        latency.seconds.push_back(std::chrono::duration<double>(now - hit.at.load()).count());
        for (int step = 0; step < 3; ++step) gdb.ask("vCont;s:p" + std::to_string(kTile + 1) + ".1;c");
      }
      gdb.ask("D");
    } catch (const std::exception& e) {
      latency.problem = e.what();
    }
  });
  latency.cycles = run_to_end(run, work);
  run.finish_all();
  user.join();
  run.observe(nullptr);
  return latency;
}

struct AtEnd : inspect::Part {
  RandomStops* result = nullptr;
  Needs needs() const override { return {true, 2048, 2048}; }
  void at_boundary(inspect::Run& run, const chip::Stop& stop) override {
    if (stop.reason == chip::StopReason::kHostSync && result->made == 0) {
      inspect::gdb::Target target(run, stop);
      *result = random_stops(target, 1000, 3);
    }
  }
};

}  // namespace

int main() {
  const auto machine = spec::load_machine("mk2-16");
  const Work work = busy_rounds(machine);
  for (const auto backend : {chip::Backend::kModel, chip::Backend::kRtl}) {
    const std::string name = backend == chip::Backend::kModel ? "model" : "rtl";
    const auto chip = chip::make_chip(backend, machine);
    const uint64_t alone = run_to_end(*chip, work);
    const Latency latency = stops(backend, machine, work);
    if (!latency.problem.empty()) {
      std::cerr << name << ": " << latency.problem << "\n";
      return 1;
    }
    std::vector<double> sorted = latency.seconds;
    std::sort(sorted.begin(), sorted.end());
    print_figure("gdb-breakpoint-to-prompt-" + name, sorted[sorted.size() / 2], "s", Goal::kAtMost, 0.2,
                 {{"slowest", sorted.back()}, {"stops", sorted.size()}, {"machine", machine.name}});
    print_figure("gdb-cycles-changed-" + name,
                 static_cast<double>(std::max(latency.cycles, alone) - std::min(latency.cycles, alone)), "cycles",
                 Goal::kAtMost, 0, {{"cycles", alone}, {"stops and steps", 4 * kRounds}});
  }
  RandomStops result;
  inspect::RecordedRun run(chip::make_chip(chip::Backend::kModel, machine), "",
                           [&](PartKind kind, const inspect::Options&) -> std::unique_ptr<inspect::Part> {
                             if (kind != PartKind::kGdb) return nullptr;
                             auto part = std::make_unique<AtEnd>();
                             part->result = &result;
                             return part;
                           });
  run_to_end(run, work);
  print_figure("gdb-reverse-states-differing", result.differing, "of " + std::to_string(result.made) + " stops",
               Goal::kAtMost, 0);
  return result.made == 1000 ? 0 : 1;
}
