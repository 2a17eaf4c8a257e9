// What finding lives and giving addresses takes for 500,000 blocks and 100,000 steps.
#include <sys/resource.h>

#include <chrono>
#include <random>

#include "compiler/passes/memory/allocate.h"
#include "tests/bench/figure.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

constexpr std::uint32_t kTiles = 1472, kBlocks = 500'000, kSteps = 100'000, kBodies = 1'000, kFunctions = 100;

// Copies between blocks that were written before, in loops, and functions that are called between them.
ir::Program large_program() {
  std::mt19937 random(1);
  ir::Program program;
  program.tiles = kTiles;
  for (std::uint32_t block = 0; block < kBlocks; ++block)
    program.blocks.push_back({.tile = block % kTiles, .bytes = 8 + 8 * static_cast<std::uint32_t>(random() % 60)});
  program.bodies.resize(kBodies + 1);
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    ir::Exchange exchange{.name = "copy", .moves = {}};
    for (int i = 0; i < 5; ++i) {
      const auto from = static_cast<ir::BlockId>(random() % kBlocks);
      const ir::BlockId to = (from + kTiles * (1 + random() % 300)) % kBlocks / kTiles * kTiles + from % kTiles;
      if (to >= kBlocks || to == from) continue;
      exchange.moves.push_back({{from, 0}, {to, 0}, std::min(program.blocks[from].bytes, program.blocks[to].bytes)});
    }
    program.exchanges.push_back(std::move(exchange));
    program.bodies[step % kBodies].push_back({.kind = ir::StepKind::kCopy, .name = "copy", .index = step});
  }
  for (std::uint32_t body = 0; body < kBodies; ++body) {
    if (body < kFunctions) {
      program.functions.push_back(body);
      continue;
    }
    program.bodies[kBodies].push_back({.kind = ir::StepKind::kRepeat, .name = "repeat", .count = 2, .bodies = {body}});
    program.bodies[kBodies].push_back({.kind = ir::StepKind::kCall, .name = "call", .index = body % kFunctions});
  }
  program.entries.push_back({"main", false, kBodies});
  return program;
}

}  // namespace

int main() {
  const ir::Program program = large_program();
  ir::Blocks blocks = program.blocks;
  const Plans plans = plan_exchanges(program, blocks);
  const spec::Machine machine = spec::load_machine("mk2");
  Text text;
  text.text_end = machine.memory_base + 1000;
  text.data_base = machine.memory_end() - 16;
  const auto start = std::chrono::steady_clock::now();
  const Lives lives = find_lives(program, plans, blocks, true);
  const auto found = std::chrono::steady_clock::now();
  const Layout layout = allocate({}, machine, text, program, lives, blocks);
  const auto end = std::chrono::steady_clock::now();
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const nlohmann::json context = {{"blocks", blocks.size()}, {"steps", kSteps}, {"lives", lives.lives.size()}};
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  print_figure("lives-seconds", seconds(start, found), "s", Goal::kAtMost, 20, context);
  print_figure("lives-allocate-seconds", seconds(found, end), "s", Goal::kAtMost, 20, context);
  print_figure("lives-memory", static_cast<double>(used.ru_maxrss) / 1048576.0, "GiB", Goal::kAtMost, 1, context);
}
