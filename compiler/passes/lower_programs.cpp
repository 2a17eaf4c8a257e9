#include "compiler/passes/lower_programs.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/passes/lower_host.h"
#include "compiler/passes/lower_vertices.h"
#include "compiler/passes/storage.h"
#include "rtl/spec/numbers.h"

namespace tessera::compiler {
namespace {

using graph::ProgramRef;

class ProgramLowering {
 public:
  ProgramLowering(const graph::Graph& graph, std::uint32_t tiles) : graph_(graph) {
    lowered_.tiles = tiles;
    lowered_.host.event_offset = 0;
    lowered_.host.bytes = 4;
    lowered_.functions.assign(graph.functions.size(), kNone);
    computes_.assign(graph.compute_sets.size(), kNone);
    storage_.emplace(graph, lowered_);
  }

  Lowered run(const std::vector<ProgramRef>& programs) {
    for (const ProgramRef& program : programs) {
      lowered_.programs.push_back({program->name, false});
      lowered_.program_bodies.push_back(body(program));
    }
    for (const graph::HostHandle& handle : graph_.host_writes) add_handle(handle, image::StreamUse::kHostWrite);
    for (const graph::HostHandle& handle : graph_.host_reads) add_handle(handle, image::StreamUse::kHostRead);
    return std::move(lowered_);
  }

 private:
  void add_handle(const graph::HostHandle& handle, image::StreamUse use) {
    image::Stream stream{.handle = handle.name, .use = use};
    stream.program = lowered_.programs.size();
    const std::string name = (use == image::StreamUse::kHostWrite ? "write " : "read ") + handle.name;
    lowered_.programs.push_back({name, true});
    Step step{.kind = StepKind::kHost, .name = name};
    step.index = add_host_transfer(stream, &handle.tensor, *storage_, lowered_);
    lowered_.bodies.push_back({step});
    lowered_.program_bodies.push_back(lowered_.bodies.size() - 1);
  }

  std::uint32_t body(const ProgramRef& program) {
    const auto known = bodies_.find(program.get());
    if (known != bodies_.end()) return known->second;
    Body steps;
    lower(program, steps);
    lowered_.bodies.push_back(std::move(steps));
    return bodies_[program.get()] = lowered_.bodies.size() - 1;
  }

  void lower(const ProgramRef& program, Body& out) {
    std::visit([&](const auto& op) { lower(*program, op, out); }, program->op);
  }

  std::string name_of(const graph::Program& program, const std::string& what) const {
    return program.name.empty() ? what : what + " '" + program.name + "'";
  }
  std::string view_name(const graph::TensorRef& tensor) const { return graph::name_view(graph_, tensor.view); }

  void lower(const graph::Program&, const graph::Sequence& op, Body& out) {
    for (const ProgramRef& step : op.steps) lower(step, out);
  }

  void lower(const graph::Program& program, const graph::Execute& op, Body& out) {
    std::uint32_t& compute = computes_[op.compute_set];
    if (compute == kNone) {
      Compute made = lower_compute_set(graph_, op.compute_set, *storage_, lowered_);
      lowered_.computes.push_back(std::move(made));
      compute = lowered_.computes.size() - 1;
    }
    Step step{.kind = StepKind::kCompute, .index = compute};
    step.name = name_of(program, "Execute(" + graph_.compute_sets[op.compute_set].name + ")");
    if (op.predicate) set_flag(*op.predicate, step);
    out.push_back(std::move(step));
  }

  void set_flag(const graph::TensorRef& tensor, Step& step) {
    step.has_flag = true;
    step.flag = storage_->spans(tensor.view).front().at;
    step.flag_type = tensor.type;
  }

  void lower(const graph::Program& program, const graph::Copy& op, Body& out) {
    const std::string name = name_of(program, "Copy(" + view_name(op.source) + ", " + view_name(op.destination) + ")");
    auto [known, fresh] = copies_.try_emplace(&program, kNone);
    if (fresh) {
      const std::vector<Span> sources = storage_->spans(op.source.view);
      std::vector<Move> moves = pair_up(sources, storage_->spans(op.destination.view));
      known->second = add_exchange(name, lowered_.steps_with_buffers++, std::move(moves));
    }
    out.push_back({.kind = StepKind::kCopy, .name = name, .index = known->second});
  }

  // Pairs up the places of two equally long views.
  static std::vector<Move> pair_up(const std::vector<Span>& sources, const std::vector<Span>& targets) {
    std::vector<Move> moves;
    std::size_t s = 0, t = 0;
    std::uint32_t s_done = 0, t_done = 0;
    while (s < sources.size() && t < targets.size()) {
      const std::uint32_t bytes = std::min(sources[s].bytes - s_done, targets[t].bytes - t_done);
      moves.push_back({{sources[s].at.block, sources[s].at.offset + s_done},
                       {targets[t].at.block, targets[t].at.offset + t_done},
                       bytes});
      if ((s_done += bytes) == sources[s].bytes) ++s, s_done = 0;
      if ((t_done += bytes) == targets[t].bytes) ++t, t_done = 0;
    }
    return moves;
  }

  std::uint32_t add_exchange(const std::string& name, std::uint32_t step, std::vector<Move>&& moves) {
    Exchange exchange;
    exchange.name = name;
    exchange.moves = std::move(moves);
    exchange.step = step;
    lowered_.exchanges.push_back(std::move(exchange));
    return lowered_.exchanges.size() - 1;
  }

  void add_host_step(const graph::Program& program, const std::string& name, const image::Stream& stream,
                     const graph::TensorRef* tensor, Body& out) {
    auto [known, fresh] = transfers_.try_emplace(&program, kNone);
    if (fresh) known->second = add_host_transfer(stream, tensor, *storage_, lowered_);
    out.push_back({.kind = StepKind::kHost, .name = name, .index = known->second});
  }

  void lower(const graph::Program& program, const graph::CopyFromStream& op, Body& out) {
    const graph::Stream& stream = graph_.streams[op.stream];
    add_host_step(program, name_of(program, "Copy(stream " + stream.handle + ", " + view_name(op.destination) + ")"),
                  {.handle = stream.handle, .use = image::StreamUse::kToDevice}, &op.destination, out);
  }

  void lower(const graph::Program& program, const graph::CopyToStream& op, Body& out) {
    const graph::Stream& stream = graph_.streams[op.stream];
    add_host_step(program, name_of(program, "Copy(" + view_name(op.source) + ", stream " + stream.handle + ")"),
                  {.handle = stream.handle, .use = image::StreamUse::kFromDevice}, &op.source, out);
  }

  void lower(const graph::Program& program, const graph::PrintTensor& op, Body& out) {
    image::Stream stream{.handle = op.title, .use = image::StreamUse::kPrint};
    stream.print = op.format;
    add_host_step(program, name_of(program, "PrintTensor(" + op.title + ")"), stream, &op.tensor, out);
  }

  void lower(const graph::Program& program, const graph::Abort& op, Body& out) {
    add_host_step(program, name_of(program, "Abort"), {.handle = op.message, .use = image::StreamUse::kAbort}, nullptr,
                  out);
  }

  void lower(const graph::Program& program, const graph::AbortOnCondition& op, Body& out) {
    Step step{.kind = StepKind::kIf, .name = name_of(program, "AbortOnCondition")};
    set_flag(op.predicate, step);
    Body abort;
    add_host_step(program, step.name, {.handle = op.message, .use = image::StreamUse::kAbort}, nullptr, abort);
    step.bodies = {add_body(std::move(abort)), add_body({})};
    out.push_back(std::move(step));
  }

  std::uint32_t add_body(Body&& steps) {
    lowered_.bodies.push_back(std::move(steps));
    return lowered_.bodies.size() - 1;
  }

  void lower(const graph::Program& program, const graph::Repeat& op, Body& out) {
    if (op.count == 0) return;
    Step step{.kind = StepKind::kRepeat, .name = name_of(program, "Repeat"), .count = op.count};
    step.bodies = {body(op.body)};
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::RepeatWhile& op, Body& out) {
    Step step{.kind = StepKind::kWhile};
    step.name = name_of(program, op.while_value ? "RepeatWhileTrue" : "RepeatWhileFalse");
    set_flag(op.predicate, step);
    step.sense = op.while_value;
    const std::uint32_t condition = body(op.condition);
    step.bodies = {condition, body(op.body)};
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::If& op, Body& out) {
    Step step{.kind = StepKind::kIf, .name = name_of(program, "If")};
    set_flag(op.predicate, step);
    const std::uint32_t then_body = body(op.then_body);
    step.bodies = {then_body, body(op.else_body)};
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::Switch& op, Body& out) {
    Step step{.kind = StepKind::kSwitch, .name = name_of(program, "Switch")};
    const Span selector = storage_->spans(op.selector.view).front();
    std::vector<Move> moves;
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      const BlockId word = add_block(lowered_, {.tile = tile, .bytes = 4, .use = BlockUse::kControlData});
      step.selectors.push_back(word);
      moves.push_back({selector.at, {word, 0}, 4});
    }
    step.index = add_exchange(step.name, lowered_.steps_with_buffers++, std::move(moves));
    for (const auto& [value, branch] : op.cases) {
      step.cases.push_back(value);
      step.bodies.push_back(body(branch));
    }
    step.bodies.push_back(body(op.otherwise));
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::Call& op, Body& out) {
    if (lowered_.functions[op.function] == kNone)
      lowered_.functions[op.function] = body(graph_.functions[op.function].program);
    out.push_back({.kind = StepKind::kCall, .name = name_of(program, "Call"), .index = op.function});
  }

  void lower(const graph::Program&, const graph::WriteUndef&, Body&) {}

  void lower(const graph::Program& program, const graph::Sync& op, Body& out) {
    const bool internal = op.span == graph::Sync::Span::kInternal;
    out.push_back({.kind = StepKind::kSync,
                   .name = name_of(program, "Sync"),
                   .index = internal ? spec::SyncZone::kInternal : spec::SyncZone::kExternal});
  }

  const graph::Graph& graph_;
  Lowered lowered_;
  std::optional<Storage> storage_;
  std::vector<std::uint32_t> computes_;  // by compute set
  std::unordered_map<const graph::Program*, std::uint32_t> bodies_, copies_, transfers_;
};

}  // namespace

BlockId add_block(Lowered& lowered, const Block& block) {
  lowered.blocks.push_back(block);
  return lowered.blocks.size() - 1;
}

Lowered lower_programs(const graph::Graph& graph, const std::vector<ProgramRef>& programs, std::uint32_t tiles) {
  return ProgramLowering(graph, tiles).run(programs);
}

}  // namespace tessera::compiler
