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

constexpr const char* kSum = R"(
    struct Sum : Vertex {
      Input<Vector<float>> in; Output<float> out;
      void compute() { float s = 0; for (unsigned i = 0; i < in.size(); ++i) s += in[i]; *out = s; }
    };)";

// Workers' instructions of one tile: the longest time in which there is none, once they have begun.
struct PauseWatch : chip::Observer {
  unsigned tile = 0;
  std::uint64_t last = 0, longest = 0;

  void retire(unsigned of, const chip::Retire& r) override {
    if (of != tile || r.context == 0) return;
    if (last != 0 && r.cycle > last) longest = std::max(longest, r.cycle - last);
    last = std::max(last, r.cycle);
  }
};

// Two compute sets: how long tile 2, which computes in both, stands still between them. `phase`: what tile 0 computes
// in the first, tile 1 reads in the second; else tile 1 reads something of its own.
std::uint64_t pause(const spec::Machine& machine, bool phase, bool skip_syncs) {
  GraphBuilder b(machine.tiles());
  add_codelets(b, kSum);
  const auto on = [&](const char* name, std::size_t elements, std::uint32_t tile) {
    return b.variable(name, ElementType::kFloat, {{elements, tile}});
  };
  const TensorRef many = on("many", 400, 0), few = on("few", 40, 2), own = on("own", 1, 1);
  const TensorRef sum = on("sum", 1, 0), first = on("first", 1, 2), second = on("second", 1, 2),
                  read = on("read", 1, 1);
  const auto before = add_compute_set(b, "before"), after = add_compute_set(b, "after");
  add_vertex(b, before, "Sum", 0, {{"in", many}, {"out", sum}});
  add_vertex(b, before, "Sum", 2, {{"in", few}, {"out", first}});
  add_vertex(b, after, "Sum", 1, {{"in", phase ? sum : own}, {"out", read}});
  add_vertex(b, after, "Sum", 2, {{"in", few}, {"out", second}});
  compiler::CompileOptions options;
  options.optimise.skip_syncs = skip_syncs;
  ProgramRunner runner(compiler::compile(b.graph, {sequence({execute(before), execute(after)})}, machine, options),
                       machine);
  PauseWatch watch;
  watch.tile = 2;
  runner.chip().observe(&watch);
  runner.run(0);
  return watch.longest;
}

}  // namespace

std::uint64_t phase_overhead(const spec::Machine& machine) {
  GraphBuilder b(machine.tiles());
  add_codelets(b, kSum);
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

SkippedPhase skipped_phase(const spec::Machine& machine) {
  const std::uint64_t none = pause(machine, false, true);
  return {pause(machine, true, true) - none, pause(machine, true, false) - none};
}

spec::Machine mk2_16_with_mk2_sync() {
  spec::Machine machine = spec::load_machine("mk2-16");
  const spec::Machine large = spec::load_machine("mk2");
  machine.sync_request = large.sync_request;
  machine.sync_acknowledge = large.sync_acknowledge;
  return machine;
}

}  // namespace tessera::test
