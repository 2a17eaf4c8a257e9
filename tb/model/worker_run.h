// A model tile whose worker 0 runs a program; registers are set before the start.
#pragma once

#include "model_run.h"

namespace tessera::test {

struct WorkerRun : ModelRun {
  static constexpr uint32_t kWorker = 0x50000;  // code of the worker, an element of its own

  static Program launcher() {
    Program p;
    p.load_immediate(1, kWorker);
    p.add(spec::Opcode::Run, {.rs1 = 1, .rs2 = 0});
    p.add(spec::Opcode::Sync, {.imm = 0});
    p.add(spec::Opcode::Ebreak);
    return p;
  }
  static Program worker() {
    Program p;
    p.base = kWorker;
    return p;
  }

  explicit WorkerRun(const Program& supervisor = launcher()) : ModelRun(supervisor) {}

  uint32_t& x(unsigned number) { return tile.state().contexts[1].x[number]; }
  uint64_t& f(unsigned number) { return floats().f[number]; }
  model::FloatContext& floats() { return tile.state().floats[1]; }
  model::Memory& memory() { return tile.state().memory; }

  // Runs the worker to the end of the supervisor's program, or to an exception.
  void run(const Program& program) {
    load(program);
    start(0x4C000);
    while (!out.exception && in.cycle < 5000) step();
  }
  // Records of the worker.
  std::vector<chip::Retire> retired() const {
    std::vector<chip::Retire> list;
    for (const auto& r : records)
      if (r.context == 1) list.push_back(r);
    return list;
  }
  unsigned cause() const { return tile.exception().cause; }  // 1: the ebreak after the worker's exit
};

}  // namespace tessera::test
