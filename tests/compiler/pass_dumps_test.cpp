// What each pass makes of a small graph, as text.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/ir/text.h"
#include "compiler/passes/compile.h"
#include "compiler/passes/control/emit_control.h"
#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/exchange/schedule_exchange.h"
#include "compiler/passes/lower/lower_programs.h"
#include "compiler/passes/vertices/emit_state.h"
#include "tests/compiler/graph_builder.h"

using namespace tessera;
using namespace tessera::test;
using namespace tessera::compiler;

namespace {

// Tile 0 has four words and a scalar; every other tile wants the words, tile 1 the scalar three times.
struct Sharing : GraphBuilder {
  ProgramRef share;

  Sharing() : GraphBuilder(4) {
    const TensorRef words = variable("words", ElementType::kUnsignedInt, {{4, 0}});
    const TensorRef everywhere = variable("everywhere", ElementType::kUnsignedInt, {{4, 1}, {4, 2}, {4, 0}});
    const TensorRef scalar = variable("scalar", ElementType::kChar, {{1, 0}});
    const TensorRef filled = variable("filled", ElementType::kChar, {{3, 1}});
    const std::array<std::size_t, 2> row{1, 4};
    const TensorRef three{words.type, words.view.reshape(row).broadcast(0, 3).flatten()};
    const TensorRef repeated{scalar.type, scalar.view.broadcast(0, 3)};
    share = program(graph::Repeat{2, sequence({copy(three, everywhere), copy(repeated, filled)})}, "sharing");
  }
};

struct Passes {
  Sharing graph;
  spec::Machine machine = spec::load_machine("mk2-4");
  ir::Program program = lower_programs(graph.graph, {graph.share}, machine.tiles());
  ir::Blocks blocks = program.blocks;
};

}  // namespace

TEST_CASE("lower_programs resolves tensors to places") {
  const Passes p;
  CHECK(ir::print(p.program) == R"ir(tiles 4
host event 0 bytes 4
block 0 tile 0 variable 16 align 8 variable 0
block 1 tile 1 variable 16 align 8 copied variable 1
block 2 tile 2 variable 16 align 8 copied variable 1
block 3 tile 0 variable 16 align 8 copied variable 1
block 4 tile 0 variable 1 align 8 variable 2
block 5 tile 1 variable 3 align 8 copied variable 3
exchange 0 "Copy(words, everywhere)"
  0:0+0 -> 1:1+0 x 16
  0:0+0 -> 2:2+0 x 16
  0:0+0 -> 0:3+0 x 16
exchange 1 "Copy(scalar, filled)"
  0:4+0 -> 1:5+0 x 1
  0:4+0 -> 1:5+1 x 1
  0:4+0 -> 1:5+2 x 1
body 0
  phase 0 "Copy(words, everywhere)"
  phase 1 "Copy(scalar, filled)"
body 1
  repeat 2 bodies 0 "Repeat 'sharing'"
entry body 1 "sharing"
)ir");
}

TEST_CASE("plan_exchange sends once what several tiles or places need") {
  Passes p;
  const Plans plans = plan_exchanges(p.program, p.blocks);
  CHECK(dump(p.program, plans, p.blocks) == R"(exchange 0 Copy(words, everywhere)
  send 0:0+0 x 4 to 0:3+0 1:1+0 2:2+0
exchange 1 Copy(scalar, filled)
  send 0:4+0 x 1 to 1:6+0
  after 1:6+0 -> 1:5+0 x 1, 3 times by 0 -> 1
)");
}

TEST_CASE("schedule_exchange times a send and its receives by the latency between the tiles") {
  Passes p;
  const ExchangePlan plan = plan_exchange(p.program.exchanges[0], p.blocks);
  const int to0 = p.machine.receive_offset(0, 0), to1 = p.machine.receive_offset(0, 1),
            to2 = p.machine.receive_offset(0, 2);
  const Schedule schedule = schedule_exchange(plan.traffic, p.machine);
  std::ostringstream expected;
  expected << "schedule of " << std::max(p.machine.latency(0, 1), p.machine.latency(0, 2)) + 6 << " cycles\n"
           << "tile 0 @0 send block 0+0 x 4\n"
           << "tile 0 @" << to0 << " receive block 3+0 x 4 from tile 0\n"
           << "tile 1 @" << to1 << " receive block 1+0 x 4 from tile 0\n"
           << "tile 2 @" << to2 << " receive block 2+0 x 4 from tile 0\n";
  CHECK(dump(schedule) == expected.str());
}

TEST_CASE("emit_control leaves out what a tile has no part in, but no sync") {
  Passes p;
  const Plans plans = plan_exchanges(p.program, p.blocks);
  std::vector<Schedule> schedules;
  for (const ExchangePlan& plan : plans.exchanges) schedules.push_back(schedule_exchange(plan.traffic, p.machine));
  const Text text = link_text(p.graph.graph, p.program, p.machine);
  const State state = emit_state(p.graph.graph, text, p.program, plans, schedules, p.blocks, 2);
  const ControlCode code = emit_control({p.program, plans, schedules, text, state}, {}, p.blocks, 1);
  CHECK(dump(code, 3) == R"(control code of tile 3
waiting for the host:
  lui tp, 0x0
  addi tp, tp, 0  # block 19+0
  sync 4
  csrrs t0, xmark, zero
  sh2add t0, t0, tp
  lw t0, 8(t0)
  jalr ra, 0(t0)
waiting for the host:
  sync 3
  jal zero, 0x8
Repeat 'sharing':
  sw ra, 16(tp)
Repeat 'sharing':
  addi t0, zero, 2
  sw t0, 20(tp)
Copy(words, everywhere):
  sans 0
Copy(scalar, filled):
  sync 2
Repeat 'sharing':
  lw t0, 20(tp)
  addi t0, t0, -1
  sw t0, 20(tp)
  bne t0, zero, 0x30
  lw ra, 16(tp)
  jalr zero, 0(ra)
)");
}

TEST_CASE("compile leaves a dump of each pass and reports progress") {
  const Sharing graph;
  const auto folder = std::filesystem::temp_directory_path() / "tessera-pass-dumps-test";
  std::filesystem::remove_all(folder);
  std::vector<std::string> passes;
  compiler::GraphCompileOptions options;
  options.dump_directory = folder.string();
  options.progress = [&](unsigned done, unsigned total, const std::string& pass) {
    CHECK(done == passes.size());
    CHECK(total == 14);
    passes.push_back(pass);
  };
  compiler::compile(graph.graph, {graph.share}, spec::load_machine("mk2-4"), options);
  CHECK(passes.size() == 15);
  CHECK(passes.front() == "validate");
  for (const char* name :
       {"02-lower_programs.txt", "03-merge_host_phases.txt", "04-merge_phases.txt", "10-schedule_exchange.txt",
        "12-emit_control.txt", "13-allocate.txt", "14-build_image.txt"}) {
    INFO(name);
    CHECK(std::filesystem::file_size(folder / name) > 50);
  }
  std::filesystem::remove_all(folder);
}
