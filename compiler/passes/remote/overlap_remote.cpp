#include "compiler/passes/remote/overlap_remote.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/ir/accesses.h"
#include "compiler/passes/phases/touched_spans.h"
#include "compiler/passes/remote/row_owners.h"

namespace tessera::compiler {
namespace {

using ir::StepKind;

// Transfers that wait for their place: what they touch.
class Waiting {
 public:
  explicit Waiting(const ir::Program& program) : program_(program) {}

  bool any() const { return !step_.transfers.empty(); }

  // Whether the step may run before those that wait.
  bool independent(const ir::Accesses& step) const {
    return !touched_.meets(step.reads, [](const Touched& t) { return t.written; }) &&
           !touched_.meets(step.writes, [](const Touched& t) { return t.read || t.written; }) &&
           !touched_.meets(step.may_write, [](const Touched& t) { return t.read || t.written; });
  }

  // Whether one more transfer may be of the same step.
  bool may_join(const ir::Step& step) const {
    if (!any()) return true;
    for (const std::uint32_t added : step.transfers) {
      std::vector<std::uint32_t> same = {added};
      bool writes = is_write(added);
      for (const std::uint32_t waiting : step_.transfers) {
        if (rows(waiting).buffer != rows(added).buffer) continue;
        same.push_back(waiting);
        writes |= is_write(waiting);
      }
      if (writes && !have_same_owners(program_, same, [](std::uint32_t tile) { return tile; })) return false;
    }
    return independent(ir::own_accesses(program_, step));
  }

  void add(ir::Step&& step) {
    const ir::Accesses accesses = ir::own_accesses(program_, step);
    touched_.touch(accesses.reads, &Touched::read);
    touched_.touch(accesses.writes, &Touched::written);
    if (!any()) {
      step_ = std::move(step);
      return;
    }
    step_.name += " + " + step.name;
    step_.transfers.insert(step_.transfers.end(), step.transfers.begin(), step.transfers.end());
  }

  void leave(ir::Body& to) {
    if (!any()) return;
    to.push_back(std::exchange(step_, {}));
    touched_ = {};
  }

 private:
  using Touched = TouchedSpans::Touched;

  const ir::RemoteRows& rows(std::uint32_t transfer) const { return program_.host_transfers[transfer].remote; }
  bool is_write(std::uint32_t transfer) const { return !ir::is_to_device(program_.host.streams[transfer].use); }

  const ir::Program& program_;
  ir::Step step_{};
  TouchedSpans touched_;
};

ir::Body ordered(const ir::Program& program, ir::Body&& steps) {
  ir::Body result;
  Waiting waiting(program);
  for (ir::Step& step : steps) {
    if (step.kind == StepKind::kRemote) {
      if (!waiting.may_join(step)) waiting.leave(result);
      waiting.add(std::move(step));
      continue;
    }
    const bool passes = (step.kind == StepKind::kCopy || step.kind == StepKind::kUndef) &&
                        waiting.independent(ir::own_accesses(program, step));
    if (!passes) waiting.leave(result);
    result.push_back(std::move(step));
  }
  waiting.leave(result);
  return result;
}

}  // namespace

ir::Program overlap_remote(ir::Program program) {
  for (std::size_t body = 0; body < program.bodies.size(); ++body) {
    const ir::Body& steps = program.bodies[body];
    if (std::ranges::find(steps, StepKind::kRemote, &ir::Step::kind) == steps.end()) continue;
    program.bodies[body] = ordered(program, std::move(program.bodies[body]));
  }
  return program;
}

}  // namespace tessera::compiler
