#include "compiler/passes/phases/merge_host_phases.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "compiler/ir/accesses.h"
#include "compiler/passes/phases/touched_spans.h"

namespace tessera::compiler {
namespace {

using ir::StepKind;

bool copies_stream(const ir::Program& program, const ir::Step& step) {
  return step.kind == StepKind::kHost && std::all_of(step.transfers.begin(), step.transfers.end(), [&](auto transfer) {
           const ir::StreamUse use = program.host.streams[transfer].use;
           return use == ir::StreamUse::kToDevice || use == ir::StreamUse::kFromDevice;
         });
}

// The host phase that transfers of one body may join.
class OpenPhase {
 public:
  OpenPhase(const ir::Program& program, std::size_t index, const ir::Step& step) : program_(program), index_(index) {
    add(step, ir::own_accesses(program, step));
  }

  std::size_t index() const { return index_; }  // of the step in its body

  // Whether the host copy may run in the phase, which then has it.
  bool takes(const ir::Step& step) {
    if (std::any_of(step.transfers.begin(), step.transfers.end(), [&](auto t) { return handles_.contains(handle(t)); }))
      return false;
    const ir::Accesses accesses = ir::own_accesses(program_, step);
    if (touched_.meets(accesses.reads, [](const Touched& t) { return t.written; }) ||
        touched_.meets(accesses.writes, [](const Touched& t) { return t.read || t.written; }))
      return false;
    add(step, accesses);
    return true;
  }

  // A step that stands behind the phase, and over which others may move.
  void pass(const ir::Step& step) {
    const ir::Accesses accesses = ir::own_accesses(program_, step);
    touched_.touch(accesses.reads, &Touched::read);
    touched_.touch(accesses.writes, &Touched::written);
  }

 private:
  using Touched = TouchedSpans::Touched;

  const std::string& handle(std::uint32_t transfer) const { return program_.host.streams[transfer].handle; }

  void add(const ir::Step& step, const ir::Accesses& accesses) {
    for (const std::uint32_t transfer : step.transfers) handles_.insert(handle(transfer));
    touched_.touch(accesses.writes, &Touched::written);
  }

  const ir::Program& program_;
  std::size_t index_;
  std::set<std::string> handles_;
  // Bytes that the phase brings, and those of the steps behind it. What the phase takes has left before anything comes.
  TouchedSpans touched_;
};

ir::Body merged(const ir::Program& program, ir::Body&& steps) {
  ir::Body result;
  std::optional<OpenPhase> open;
  for (ir::Step& step : steps) {
    if (copies_stream(program, step)) {
      if (open && open->takes(step)) {
        ir::Step& phase = result[open->index()];
        phase.transfers.insert(phase.transfers.end(), step.transfers.begin(), step.transfers.end());
        phase.name += " + " + step.name;
        continue;
      }
      open.emplace(program, result.size(), step);
    } else if (step.kind != StepKind::kCopy && step.kind != StepKind::kUndef) {
      open.reset();
    } else if (open) {
      open->pass(step);
    }
    result.push_back(std::move(step));
  }
  return result;
}

}  // namespace

ir::Program merge_host_phases(ir::Program program) {
  for (std::size_t body = 0; body < program.bodies.size(); ++body)
    program.bodies[body] = merged(program, std::move(program.bodies[body]));
  return program;
}

}  // namespace tessera::compiler
