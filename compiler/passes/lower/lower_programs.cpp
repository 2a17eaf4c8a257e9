#include "compiler/passes/lower/lower_programs.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/codelet/printing.h"
#include "compiler/graph/validate.h"
#include "compiler/passes/lower/lower_crossing.h"
#include "compiler/passes/lower/lower_host.h"
#include "compiler/passes/lower/lower_vertices.h"
#include "compiler/passes/lower/pair_up.h"
#include "compiler/passes/lower/storage.h"
#include "compiler/passes/remote/lower_remote.h"
#include "rtl/spec/numbers.h"

namespace tessera::compiler {
namespace {

using graph::ProgramRef;

class ProgramLowering {
 public:
  ProgramLowering(const graph::Graph& graph, std::uint32_t tiles, unsigned threads, const ReplicaChips& replica,
                  const std::vector<GatewayMemory>& gateways)
      : graph_(graph), threads_(threads), own_syncs_(replica.chips == 1 || replica.syncs) {
    program_.tiles = tiles;
    program_.chips = replica.chips;
    program_.replicas = graph.replicas;
    if (replica.independent && graph.replicas > 1) {
      part("Engine option target.syncReplicasIndependently");
      program_.replica_hosts = true;
    }
    if (!gateways.empty()) program_.remote_buffers = place_buffers(graph.remote_buffers, gateways);
    program_.host.event_offset = 0;
    program_.host.bytes = 4;
    program_.functions.assign(graph.functions.size(), ir::kNone);
    computes_.resize(graph.compute_sets.size());
    storage_.emplace(graph, program_);
    std::vector<const CodeletLibrary*> libraries;
    for (const auto& library : graph.libraries) libraries.push_back(library.get());
    printing_ = entries_that_print(libraries);
  }

  ir::Program run(const std::vector<ProgramRef>& programs) {
    for (const ProgramRef& program : programs) {
      const std::uint32_t entered = body(program);
      program_.entries.push_back({program->name, false, entered});
    }
    for (const graph::HostHandle& handle : graph_.host_writes) add_handle(handle, ir::StreamUse::kHostWrite);
    for (const graph::HostHandle& handle : graph_.host_reads) add_handle(handle, ir::StreamUse::kHostRead);
    if (!needs_replica_syncs()) program_.replica_syncs = false;
    return std::move(program_);
  }

 private:
  void add_handle(const graph::HostHandle& handle, ir::StreamUse use) {
    ir::Stream stream{.handle = handle.name, .use = use};
    stream.program = static_cast<std::uint32_t>(program_.entries.size());
    const std::string name = (use == ir::StreamUse::kHostWrite ? "write " : "read ") + handle.name;
    ir::Step step{.kind = ir::StepKind::kHost, .name = name};
    step.transfers = {add_host_transfer(stream, &handle.tensor, *storage_, program_)};
    program_.bodies.push_back({step});
    program_.entries.push_back({name, true, static_cast<std::uint32_t>(program_.bodies.size() - 1)});
  }

  std::uint32_t body(const ProgramRef& program) {
    const auto known = bodies_.find(program.get());
    if (known != bodies_.end()) return known->second;
    ir::Body steps;
    lower(program, steps);
    program_.bodies.push_back(std::move(steps));
    return bodies_[program.get()] = program_.bodies.size() - 1;
  }

  void lower(const ProgramRef& program, ir::Body& out) {
    std::visit([&](const auto& op) { lower(*program, op, out); }, program->op);
  }

  std::string name_of(const graph::Program& program, const std::string& what) const {
    return program.name.empty() ? what : what + " '" + program.name + "'";
  }
  std::string view_name(const graph::TensorRef& tensor) const { return graph::name_view(graph_, tensor.view); }

  void lower(const graph::Program&, const graph::Sequence& op, ir::Body& out) {
    for (const ProgramRef& step : op.steps) lower(step, out);
  }

  void lower(const graph::Program& program, const graph::Execute& op, ir::Body& out) {
    LoweredComputeSet& set = computes_[op.compute_set];
    if (set.compute == ir::kNone) set = lower_compute_set(graph_, op.compute_set, *storage_, program_, threads_);
    ir::Step step{.kind = ir::StepKind::kCompute, .index = set.compute};
    step.name = name_of(program, "Execute(" + graph_.compute_sets[op.compute_set].name + ")");
    if (op.predicate) set_flag(*op.predicate, step);
    const auto move = [&, name = step.name](std::uint32_t exchange) {
      if (exchange != ir::kNone) out.push_back({.kind = ir::StepKind::kCopy, .name = name, .index = exchange});
    };
    move(set.gather);
    const std::string printed = "printf of " + step.name;
    out.push_back(std::move(step));
    move(set.scatter);
    if (prints(op.compute_set)) fetch_printed(printed, out);
  }

  bool prints(std::uint32_t compute_set) const {
    if (printing_.empty()) return false;
    const std::vector<graph::VertexId>& vertices = graph_.compute_sets[compute_set].vertices;
    return std::any_of(vertices.begin(), vertices.end(), [&](graph::VertexId id) {
      return printing_.contains(graph_.codelets[graph_.vertices[id].codelet].info.entry_symbol);
    });
  }

  // The host empties the buffers behind each compute set that may have filled them.
  void fetch_printed(const std::string& name, ir::Body& out) {
    if (printf_ == ir::kNone)
      printf_ = add_host_transfer({.handle = "", .use = ir::StreamUse::kPrintf}, nullptr, *storage_, program_);
    out.push_back({.kind = ir::StepKind::kHost, .name = name, .transfers = {printf_}});
  }

  // `what` lets replicas go ways of their own: from here on they meet where they must, and nowhere else.
  void part(const std::string& what) {
    if (program_.replicas == 1) return;
    if (!own_syncs_)
      throw graph::GraphError(graph::GraphErrorKind::kControlProgram,
                              what + ": each of " + std::to_string(program_.replicas) + " replicas of " +
                                  std::to_string(program_.chips) +
                                  " chips decides by itself, and the system has no sync group of zone GS2 for the "
                                  "chips of one");
    program_.replica_syncs = true;
  }

  // A replica of one chip decides by its internal sync, and mostly has no other of its own.
  bool needs_replica_syncs() const {
    if (program_.chips > 1 || program_.replica_hosts) return true;
    const auto remote = [](const ir::Step& step) { return step.kind == ir::StepKind::kRemote; };
    return std::ranges::any_of(program_.bodies,
                               [&](const ir::Body& body) { return std::ranges::any_of(body, remote); });
  }

  // What replicas may branch to without each other: all meet again at the next sync with others.
  void check_branch(const ir::Step& step) const {
    if (program_.replicas == 1) return;
    for (const std::uint32_t body : step.bodies)
      if (const ir::Step* meeting = find_meeting(body))
        throw graph::GraphError(graph::GraphErrorKind::kControlProgram,
                                step.name + " branches to " + meeting->name +
                                    ", for which all replicas must meet, but each replica decides by itself");
  }
  // Null: there is none. One that aborts ends the run for all.
  const ir::Step* find_meeting(std::uint32_t body) const {
    for (const ir::Step& step : program_.bodies[body]) {
      const bool aborts = step.kind == ir::StepKind::kHost &&
                          std::all_of(step.transfers.begin(), step.transfers.end(),
                                      [&](auto t) { return program_.host.streams[t].use == ir::StreamUse::kAbort; });
      const bool external = step.kind == ir::StepKind::kSync && step.index != spec::SyncZone::kInternal;
      const bool host = step.kind == ir::StepKind::kHost && !aborts && !program_.replica_hosts;
      if (step.kind == ir::StepKind::kPackets || external || host) return &step;
      std::vector<std::uint32_t> entered = step.bodies;
      if (step.kind == ir::StepKind::kCall) entered.push_back(program_.functions[step.index]);
      for (const std::uint32_t inside : entered)
        if (const ir::Step* meeting = find_meeting(inside)) return meeting;
    }
    return nullptr;
  }

  void set_flag(const graph::TensorRef& tensor, ir::Step& step) {
    part(step.name);
    step.has_flag = true;
    step.flag = storage_->spans(tensor.view).front().at;
    step.flag_type = tensor.type;
  }

  void lower(const graph::Program& program, const graph::Copy& op, ir::Body& out) {
    const std::string name = name_of(program, "Copy(" + view_name(op.source) + ", " + view_name(op.destination) + ")");
    auto [known, fresh] = copies_.try_emplace(&program, ir::kNone);
    if (fresh) {
      const std::vector<ir::Span> sources = storage_->spans(op.source.view);
      std::vector<ir::Move> moves = pair_up(sources, storage_->spans(op.destination.view));
      for (const ir::Move& move : moves) program_.blocks[move.target.block].copied = true;
      known->second = add_exchange(name, std::move(moves));
    }
    out.push_back({.kind = ir::StepKind::kCopy, .name = name, .index = known->second});
  }

  void lower(const graph::Program& program, const graph::CrossReplicaCopy& op, ir::Body& out) {
    const graph::CrossReplicaCopy::Part& first = op.parts.front();
    const std::string name = name_of(
        program, "CrossReplicaCopy(" + view_name(first.sources[0]) + ", " + view_name(first.destinations[0]) + ")");
    auto [known, fresh] = crossing_.try_emplace(&program);
    if (fresh) known->second = lower_crossing(op, name, *storage_, program_);
    const Crossing& crossing = known->second;
    if (crossing.inside != ir::kNone)
      out.push_back({.kind = ir::StepKind::kCopy, .name = name, .index = crossing.inside});
    if (crossing.packets != ir::kNone)
      out.push_back({.kind = ir::StepKind::kPackets, .name = name, .index = crossing.packets});
  }

  std::uint32_t add_exchange(const std::string& name, std::vector<ir::Move>&& moves) {
    ir::Exchange exchange;
    exchange.name = name;
    exchange.moves = std::move(moves);
    program_.exchanges.push_back(std::move(exchange));
    return program_.exchanges.size() - 1;
  }

  struct HostPart {
    ir::Stream stream;
    const graph::TensorRef* tensor;
  };

  void add_host_step(const graph::Program& program, const std::string& name, const std::vector<HostPart>& parts,
                     ir::Body& out) {
    auto [known, fresh] = transfers_.try_emplace(&program);
    if (fresh)
      for (const HostPart& part : parts)
        known->second.push_back(add_host_transfer(part.stream, part.tensor, *storage_, program_));
    out.push_back({.kind = ir::StepKind::kHost, .name = name, .transfers = known->second});
  }
  void add_host_step(const graph::Program& program, const std::string& name, const ir::Stream& stream,
                     const graph::TensorRef* tensor, ir::Body& out) {
    add_host_step(program, name, std::vector<HostPart>{{stream, tensor}}, out);
  }

  void lower(const graph::Program& program, const graph::CopyFromStream& op, ir::Body& out) {
    const graph::Stream& stream = graph_.streams[op.stream];
    add_host_step(program, name_of(program, "Copy(stream " + stream.handle + ", " + view_name(op.destination) + ")"),
                  {.handle = stream.handle, .use = ir::StreamUse::kToDevice}, &op.destination, out);
  }

  void lower(const graph::Program& program, const graph::CopyToStream& op, ir::Body& out) {
    const graph::Stream& stream = graph_.streams[op.stream];
    add_host_step(program, name_of(program, "Copy(" + view_name(op.source) + ", stream " + stream.handle + ")"),
                  {.handle = stream.handle, .use = ir::StreamUse::kFromDevice}, &op.source, out);
  }

  void lower(const graph::Program& program, const graph::CopyFromRemote& op, ir::Body& out) {
    copy_remote(program, op.buffer, op.rows, ir::StreamUse::kRemoteRead, op.destination, out);
  }

  void lower(const graph::Program& program, const graph::CopyToRemote& op, ir::Body& out) {
    copy_remote(program, op.buffer, op.rows, ir::StreamUse::kRemoteWrite, op.source, out);
  }

  // In host memory: the host has the rows' numbers when it comes to the data.
  void copy_remote(const graph::Program& program, graph::RemoteBufferId buffer,
                   const std::optional<graph::TensorRef>& rows, ir::StreamUse use, const graph::TensorRef& data,
                   ir::Body& out) {
    const std::string& handle = graph_.remote_buffers[buffer].handle;
    const std::string remote = "remote " + handle, tensor = view_name(data);
    const std::string what = use == ir::StreamUse::kRemoteRead ? remote + ", " + tensor : tensor + ", " + remote;
    const std::string name = name_of(program, "Copy(" + what + ")");
    if (!program_.remote_buffers.empty()) return copy_gateway(program, name, buffer, rows, use, data, out);
    std::vector<HostPart> parts;
    if (rows) parts.push_back({{.handle = handle, .use = ir::StreamUse::kRemoteRows}, &*rows});
    parts.push_back({{.handle = handle, .use = use}, &data});
    add_host_step(program, name, parts, out);
  }

  void copy_gateway(const graph::Program& program, const std::string& name, graph::RemoteBufferId buffer,
                    const std::optional<graph::TensorRef>& rows, ir::StreamUse use, const graph::TensorRef& data,
                    ir::Body& out) {
    const auto [known, fresh] = remote_copies_.try_emplace(&program);
    if (fresh) known->second = lower_remote_copy(name, buffer, use, rows ? &*rows : nullptr, data, *storage_, program_);
    const RemoteCopy& copy = known->second;
    const auto exchange = [&](std::uint32_t index) {
      if (index != ir::kNone) out.push_back({.kind = ir::StepKind::kCopy, .name = name, .index = index});
    };
    exchange(copy.numbers);
    if (use == ir::StreamUse::kRemoteWrite) exchange(copy.order);
    out.push_back({.kind = ir::StepKind::kRemote, .name = name, .transfers = {copy.transfer}});
    if (use == ir::StreamUse::kRemoteRead) exchange(copy.order);
  }

  void lower(const graph::Program& program, const graph::CallHost& op, ir::Body& out) {
    const std::string& handle = graph_.host_functions[op.function].handle;
    std::vector<HostPart> parts;
    for (const graph::TensorRef& input : op.inputs)
      parts.push_back({{.handle = handle, .use = ir::StreamUse::kCallInput}, &input});
    parts.push_back({{.handle = handle, .use = ir::StreamUse::kCall}, nullptr});
    for (const graph::TensorRef& output : op.outputs)
      parts.push_back({{.handle = handle, .use = ir::StreamUse::kCallOutput}, &output});
    add_host_step(program, name_of(program, "Call(host " + handle + ")"), parts, out);
  }

  void lower(const graph::Program& program, const graph::PrintTensor& op, ir::Body& out) {
    ir::Stream stream{.handle = op.title, .use = ir::StreamUse::kPrint};
    stream.print = op.format;
    add_host_step(program, name_of(program, "PrintTensor(" + op.title + ")"), stream, &op.tensor, out);
  }

  void lower(const graph::Program& program, const graph::Abort& op, ir::Body& out) {
    add_host_step(program, name_of(program, "Abort"), {.handle = op.message, .use = ir::StreamUse::kAbort}, nullptr,
                  out);
  }

  void lower(const graph::Program& program, const graph::AbortOnCondition& op, ir::Body& out) {
    ir::Step step{.kind = ir::StepKind::kIf, .name = name_of(program, "AbortOnCondition")};
    set_flag(op.predicate, step);
    ir::Body abort;
    add_host_step(program, step.name, {.handle = op.message, .use = ir::StreamUse::kAbort}, nullptr, abort);
    step.bodies = {add_body(std::move(abort)), add_body({})};
    check_branch(step);
    out.push_back(std::move(step));
  }

  std::uint32_t add_body(ir::Body&& steps) {
    program_.bodies.push_back(std::move(steps));
    return program_.bodies.size() - 1;
  }

  void lower(const graph::Program& program, const graph::Repeat& op, ir::Body& out) {
    if (op.count == 0) return;
    ir::Step step{.kind = ir::StepKind::kRepeat, .name = name_of(program, "Repeat"), .count = op.count};
    step.bodies = {body(op.body)};
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::RepeatWhile& op, ir::Body& out) {
    ir::Step step{.kind = ir::StepKind::kWhile};
    step.name = name_of(program, op.while_value ? "RepeatWhileTrue" : "RepeatWhileFalse");
    set_flag(op.predicate, step);
    step.sense = op.while_value;
    const std::uint32_t condition = body(op.condition);
    step.bodies = {condition, body(op.body)};
    check_branch(step);
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::If& op, ir::Body& out) {
    ir::Step step{.kind = ir::StepKind::kIf, .name = name_of(program, "If")};
    set_flag(op.predicate, step);
    const std::uint32_t then_body = body(op.then_body);
    step.bodies = {then_body, body(op.else_body)};
    check_branch(step);
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::Switch& op, ir::Body& out) {
    ir::Step step{.kind = ir::StepKind::kSwitch, .name = name_of(program, "Switch")};
    part(step.name);
    const ir::Span selector = storage_->spans(op.selector.view).front();
    std::vector<ir::Move> moves;
    for (std::uint32_t tile = 0; tile < program_.tiles; ++tile) {
      const ir::BlockId word =
          ir::add_block(program_.blocks, {.tile = tile, .bytes = 4, .use = ir::BlockUse::kControlData});
      step.selectors.push_back(word);
      moves.push_back({selector.at, {word, 0}, 4});
    }
    step.index = add_exchange(step.name, std::move(moves));
    for (const auto& [value, branch] : op.cases) {
      step.cases.push_back(value);
      step.bodies.push_back(body(branch));
    }
    step.bodies.push_back(body(op.otherwise));
    check_branch(step);
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::Call& op, ir::Body& out) {
    if (program_.functions[op.function] == ir::kNone)
      program_.functions[op.function] = body(graph_.functions[op.function].program);
    out.push_back({.kind = ir::StepKind::kCall, .name = name_of(program, "Call"), .index = op.function});
  }

  void lower(const graph::Program& program, const graph::WriteUndef& op, ir::Body& out) {
    ir::Step step{.kind = ir::StepKind::kUndef};
    step.name = name_of(program, "WriteUndef(" + view_name(op.tensor) + ")");
    step.undefined = storage_->spans(op.tensor.view);
    out.push_back(std::move(step));
  }

  void lower(const graph::Program& program, const graph::Sync& op, ir::Body& out) {
    const bool internal = op.span == graph::Sync::Span::kInternal;
    out.push_back({.kind = ir::StepKind::kSync,
                   .name = name_of(program, "Sync"),
                   .index = internal ? spec::SyncZone::kInternal : spec::SyncZone::kExternal});
  }

  const graph::Graph& graph_;
  unsigned threads_;
  bool own_syncs_;
  ir::Program program_;
  std::optional<Storage> storage_;
  std::vector<LoweredComputeSet> computes_;  // by compute set
  std::set<std::string> printing_;           // entries of codelets that may print
  std::uint32_t printf_ = ir::kNone;         // the transfer with which the host fetches what they have
  std::unordered_map<const graph::Program*, std::uint32_t> bodies_, copies_;
  std::unordered_map<const graph::Program*, Crossing> crossing_;
  std::unordered_map<const graph::Program*, std::vector<std::uint32_t>> transfers_;  // of a host phase
  std::unordered_map<const graph::Program*, RemoteCopy> remote_copies_;              // in a gateway's memory
};

}  // namespace

ir::Program lower_programs(const graph::Graph& graph, const std::vector<ProgramRef>& programs, std::uint32_t tiles,
                           unsigned threads, const ReplicaChips& replica, const std::vector<GatewayMemory>& gateways) {
  return ProgramLowering(graph, tiles, threads, replica, gateways).run(programs);
}

}  // namespace tessera::compiler
