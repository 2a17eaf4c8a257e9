#include "compiler/passes/lower/lower_crossing.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/graph/validate.h"
#include "compiler/passes/lower/pair_up.h"

namespace tessera::compiler {
namespace {

using Part = graph::CrossReplicaCopy::Part;

// Who sends to whom: each replica to one that gets from it at a time.
std::vector<std::vector<std::uint32_t>> sendings(const std::vector<std::uint32_t>& from) {
  std::vector<std::vector<std::uint32_t>> all;
  std::vector<std::size_t> sent(from.size());
  for (std::uint32_t receiver = 0; receiver < from.size(); ++receiver) {
    const std::uint32_t sender = from[receiver];
    if (sender == receiver) continue;
    if (sent[sender] == all.size()) {
      std::vector<std::uint32_t>& to = all.emplace_back();
      for (std::uint32_t replica = 0; replica < from.size(); ++replica) to.push_back(replica);
    }
    all[sent[sender]++][sender] = receiver;
  }
  return all;
}

class CrossingLowering {
 public:
  CrossingLowering(const std::string& name, Storage& storage, ir::Program& program)
      : name_(name), storage_(storage), program_(program), inside_{.name = name, .moves = {}}, packets_(inside_) {}

  Crossing run(const graph::CrossReplicaCopy& op) {
    for (const Part& part : op.parts) {
      if (varies(part) && part.from[0] == 0)
        add_packets(part, part.from);
      else
        add_inside(part);
      for (const std::vector<std::uint32_t>& to : sendings(part.from)) add_packets(part, to);
    }
    return {added(std::move(inside_)), added(std::move(packets_))};
  }

 private:
  std::uint32_t added(ir::Exchange exchange) {
    if (exchange.moves.empty()) return ir::kNone;
    program_.exchanges.push_back(std::move(exchange));
    return static_cast<std::uint32_t>(program_.exchanges.size() - 1);
  }

  static bool varies(const Part& part) { return part.sources.size() > 1 || part.destinations.size() > 1; }
  static const graph::TensorRef& of(const std::vector<graph::TensorRef>& tensors, std::uint32_t replica) {
    return tensors.size() == 1 ? tensors[0] : tensors[replica];
  }
  std::vector<ir::Move> moves(const graph::TensorRef& source, const graph::TensorRef& destination) {
    std::vector<ir::Span> sources = storage_.spans(source.view);
    std::vector<ir::Move> moves = pair_up(sources, storage_.spans(destination.view));
    for (const ir::Move& move : moves) program_.blocks[move.target.block].copied = true;
    return moves;
  }

  void add_inside(const Part& part) {
    for (std::uint32_t replica = 0; replica < part.from.size(); ++replica) {
      if (part.from[replica] != replica) continue;
      const std::vector<ir::Move> own = moves(part.sources[0], part.destinations[0]);
      inside_.moves.insert(inside_.moves.end(), own.begin(), own.end());
      return;
    }
  }

  void add_packets(const Part& part, const std::vector<std::uint32_t>& to) {
    std::vector<std::vector<ir::Move>> all;  // by sending replica; one: they are the same
    for (std::uint32_t sender = 0; sender < (varies(part) ? to.size() : 1); ++sender)
      all.push_back(moves(of(part.sources, sender), of(part.destinations, to[sender])));
    for (const std::vector<ir::Move>& others : all)
      if (others.size() != all[0].size()) complain(static_cast<std::size_t>(&others - all.data()));
    for (std::size_t i = 0; i < all[0].size(); ++i) add_move(all, i, to);
  }

  void add_move(const std::vector<std::vector<ir::Move>>& all, std::size_t i, const std::vector<std::uint32_t>& to) {
    ir::Move move = all[0][i];
    for (std::size_t sender = 1; sender < all.size(); ++sender) {
      const ir::Move& other = all[sender][i];
      if (other.source.block != move.source.block || other.target.block != move.target.block ||
          other.bytes != move.bytes || (other.source.offset - move.source.offset) % 4 != 0 ||
          (other.target.offset - move.target.offset) % 4 != 0)
        complain(sender);
      move.source.offset = std::min(move.source.offset, other.source.offset);
      move.target.offset = std::min(move.target.offset, other.target.offset);
    }
    const auto tile = [&](const ir::Place& place) { return program_.blocks[place.block].tile; };
    if (to[0] == 0 && all.size() > 1 && tile(move.source) != tile(move.target)) complain(0);
    ir::Lane lane{.to = to};
    const auto shifts = [&](ir::Place ir::Move::* place, std::vector<std::uint32_t>& shift) {
      for (const std::vector<ir::Move>& own : all) shift.push_back((own[i].*place).offset - (move.*place).offset);
      if (std::ranges::all_of(shift, [](std::uint32_t s) { return s == 0; })) shift.clear();
    };
    shifts(&ir::Move::source, lane.source_shift);
    shifts(&ir::Move::target, lane.target_shift);
    std::vector<ir::Lane>& lanes = packets_.lanes;
    // Most moves of a part are of one lane, the last.
    const auto known = std::find(lanes.rbegin(), lanes.rend(), lane);
    move.lane = static_cast<std::uint32_t>(known == lanes.rend() ? lanes.size() : lanes.rend() - known - 1);
    if (known == lanes.rend()) lanes.push_back(std::move(lane));
    packets_.moves.push_back(move);
  }

  [[noreturn]] void complain(std::size_t replica) const {
    throw graph::GraphError(graph::GraphErrorKind::kControlProgram,
                            name_ + ": what replica " + std::to_string(replica) +
                                " sends or gets does not lie on the tiles of replica 0, whole words from there");
  }

  const std::string& name_;
  Storage& storage_;
  ir::Program& program_;
  ir::Exchange inside_, packets_;
};

}  // namespace

Crossing lower_crossing(const graph::CrossReplicaCopy& op, const std::string& name, Storage& storage,
                        ir::Program& program) {
  return CrossingLowering(name, storage, program).run(op);
}

}  // namespace tessera::compiler
