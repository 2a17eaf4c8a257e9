// A bench whose tiles loop for ever, and which ends as its argument says:
//   ending_bench never|throws|observer|exits|twice|again [OPTIONS]
//   never     runs until somebody ends it; says "running" on standard output when it is well under way
//   throws    runs for a while, and nobody catches what it throws; observer: the same, out of an observer
//   exits     runs for a while and calls exit(7)
//   twice     makes two chips with the same options; again: one after the other
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "inspect/bench/bench_options.h"
#include "inspect/bench/inspected_chip.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/engine/backend.h"

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

struct Bench {
  explicit Bench(const std::string& options) : chip(chip::make_backend, "model", spec::load_machine("mk2-4"), options) {
    const uint32_t at = chip.machine().memory_base;
    const uint32_t loop[] = {spec::encode(spec::Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1}),
                             spec::encode(spec::Opcode::Jal, {.imm = -4})};
    chip.load(chip::kNoTile, at, loop);
    chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, at);
  }
  inspect::InspectedChip chip;
};

}  // namespace

int main(int argc, char* argv[]) {
  const std::string options = inspect::take_options(argc, argv);
  const std::string end = argc == 2 ? argv[1] : "";
  try {
    if (end == "again") Bench(options).chip.run(kWhile, 0);
    Bench bench(options);
    if (end == "twice") Bench other(options);
    if (end == "never") {
      Announcer announcer;
      bench.chip.observe(&announcer);
      bench.chip.run(~0ull, 0);
    }
    if (end == "again") bench.chip.run(kWhile, 0);
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
