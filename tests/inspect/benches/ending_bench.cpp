// A bench whose tiles loop for ever, and which ends as its argument says:
//   ending_bench never|throws|observer|exits|twice|again|budget|pair [OPTIONS]
//   never     runs until somebody ends it; says "running" on standard output when it is well under way
//   throws    runs for a while, and nobody catches what it throws; observer: the same, out of an observer
//   exits     runs for a while and calls exit(7)
//   budget    stops for its budget, and says what the chip tells of that
//   pair      is two chips in lockstep, and a fault in the right one ends it
//   twice     makes two chips with the same options; again: one after the other
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "inspect/bench/bench_options.h"
#include "inspect/bench/inspected_chip.h"
#include "inspect/faults/fault_injector.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/engine/backend.h"
#include "sim/engine/lockstep_chip.h"

using namespace tessera;

namespace {

constexpr uint64_t kWhile = 5000;

struct Thrower : chip::Observer {
  unsigned left = 100;
  void retire(unsigned, const chip::Retire&) override {
    if (--left == 0) throw std::runtime_error("the observer has seen enough");
  }
};

struct Announcer : chip::Observer {
  unsigned left = 150'000;  // some boundaries later
  void retire(unsigned, const chip::Retire&) override {
    if (left != 0 && --left == 0) std::puts("running"), std::fflush(stdout);
  }
};

void start(chip::Chip& chip) {
  const uint32_t at = chip.machine().memory_base;
  const uint32_t loop[] = {spec::encode(spec::Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1}),
                           spec::encode(spec::Opcode::Jal, {.imm = -4})};
  chip.load(chip::kNoTile, at, loop);
  chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, at);
}

struct Bench {
  explicit Bench(const std::string& options) : chip(chip::make_backend, "model", spec::load_machine("mk2-4"), options) {
    start(chip);
  }
  inspect::InspectedChip chip;
};

void run_pair(const std::string& options) {
  const auto machine = spec::load_machine("mk2-4");
  const auto faults = inspect::parse_faults("register tile=1 context=0 name=t0 bit=3 cycle=900", machine);
  auto right = inspect::make_faulty_chip(chip::make_chip(chip::Backend::kModel, machine), faults);
  inspect::InspectedChip pair(
      chip::make_lockstep_chip(chip::make_chip(chip::Backend::kModel, machine), std::move(right)), options);
  start(pair);
  pair.run(kWhile, 0);
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string options = inspect::take_options(argc, argv);
  const std::string end = argc == 2 ? argv[1] : "";
  try {
    if (end == "pair") run_pair(options);
    if (end == "again") Bench(options).chip.run(kWhile, 0);
    Bench bench(options);
    if (end == "twice") Bench other(options);
    if (end == "never") {
      Announcer announcer;
      bench.chip.observe(&announcer);
      bench.chip.run(~0ull, 0);
    }
    if (end == "again") bench.chip.run(kWhile, 0);
    if (end == "budget") {
      bench.chip.run(~0ull, kWhile);
      std::fprintf(stderr, "%s\n", bench.chip.explain_failure().c_str());
    }
    if (end == "exits") {
      bench.chip.run(kWhile, 0);
      std::exit(7);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ending_bench: %s\n", error.what());
    return 1;
  }
  if (end != "throws" && end != "observer") return 0;
  Bench bench(options);
  Thrower thrower;
  if (end == "observer") bench.chip.observe(&thrower);
  bench.chip.run(kWhile, 0);
  throw std::runtime_error("nobody catches this");
}
