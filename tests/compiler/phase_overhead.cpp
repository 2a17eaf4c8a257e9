#include "tests/compiler/phase_overhead.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/passes/compile.h"
#include "rtl/spec/instructions.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

namespace tessera::test {
namespace {

struct PhaseWatch : chip::Observer {
  std::uint64_t last_sync = 0, start = 0, last_word = 0, first_worker = 0;

  void retire(unsigned, const chip::Retire& r) override {
    if (r.context == 0 && spec::decode(r.instruction) == spec::Opcode::Sync &&
        spec::sync_operand_of(r.instruction).zone == spec::SyncZone::kInternal)
      last_sync = std::max(last_sync, r.cycle);
    if (r.context != 0 && start != 0 && r.cycle > start && (first_worker == 0 || r.cycle < first_worker))
      first_worker = r.cycle;
  }
  void port_write(unsigned, const chip::PortWrite& w) override {
    if (!w.packet) last_word = std::max(last_word, w.cycle);
  }
  void superstep(std::uint64_t, std::uint64_t cycle) override { start = cycle + 1; }

  std::uint64_t overhead() const { return first_worker - last_sync - (last_word + 1 - start); }
};

}  // namespace

std::uint64_t phase_overhead(const spec::Machine& machine) {
  GraphBuilder b(machine.tiles());
  add_codelets(b, R"(
    struct Sum : Vertex {
      Input<Vector<float>> in; Output<float> out;
      void compute() { float s = 0; for (unsigned i = 0; i < in.size(); ++i) s += in[i]; *out = s; }
    };)");
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile) parts.push_back({20, tile});
  const TensorRef in = b.variable("in", ElementType::kFloat, parts);
  const TensorRef out = b.variable("out", ElementType::kFloat, {{1, machine.tiles() / 2}});
  const auto set = add_compute_set(b, "sum");
  add_vertex(b, set, "Sum", machine.tiles() / 2, {{"in", in}, {"out", out}});
  ProgramRunner runner(compiler::compile(b.graph, {execute(set)}, machine), machine);
  PhaseWatch watch;
  runner.chip().observe(&watch);
  runner.run(0);
  if (watch.first_worker <= watch.last_word) throw std::logic_error("a worker began before the phase had ended");
  return watch.overhead();
}

spec::Machine mk2_16_with_mk2_sync() {
  spec::Machine machine = spec::load_machine("mk2-16");
  const spec::Machine large = spec::load_machine("mk2");
  machine.sync_request = large.sync_request;
  machine.sync_acknowledge = large.sync_acknowledge;
  return machine;
}

}  // namespace tessera::test
