#include "compiler/passes/phases/split_chips.h"

#include <map>
#include <tuple>
#include <utility>

namespace tessera::compiler {
namespace {

class Splitting {
 public:
  explicit Splitting(ir::Program program) : program_(std::move(program)) {}

  ir::Program run() {
    for (ir::Body& body : program_.bodies) {
      ir::Body old = std::move(body);
      body.clear();
      for (ir::Step& step : old) add(std::move(step), body);
    }
    return std::move(program_);
  }

 private:
  struct Parts {
    std::uint32_t packets = ir::kNone;  // exchange; kNone: nothing leaves its chip
    bool inside = true;                 // whether anything else is moved
  };

  void add(ir::Step step, ir::Body& body) {
    if (step.kind != ir::StepKind::kCopy && step.kind != ir::StepKind::kSwitch) {
      body.push_back(std::move(step));
      return;
    }
    const Parts& parts = parts_of(step.index);
    if (parts.packets != ir::kNone)
      body.push_back({.kind = ir::StepKind::kPackets, .name = step.name, .index = parts.packets});
    if (parts.inside || step.kind == ir::StepKind::kSwitch) body.push_back(std::move(step));
  }

  const Parts& parts_of(std::uint32_t index) {
    const auto [known, fresh] = known_.try_emplace(index);
    if (fresh) known->second = split(index);
    return known->second;
  }

  // The exchange itself keeps what stays on its chip.
  Parts split(std::uint32_t index) {
    ir::Exchange packets{.name = program_.exchanges[index].name, .moves = {}, .parts = program_.exchanges[index].parts};
    std::vector<ir::Move> inside;
    std::map<std::tuple<ir::BlockId, std::uint32_t, std::uint32_t, std::uint32_t>, ir::Place> arrived;
    for (const ir::Move& move : program_.exchanges[index].moves) {
      if (!program_.crosses_chips(move)) {
        inside.push_back(move);
        continue;
      }
      const std::uint32_t chip = program_.chip_of(program_.blocks[move.target.block].tile);
      const auto [first, fresh] =
          arrived.try_emplace({move.source.block, move.source.offset, move.bytes, chip}, move.target);
      if (fresh)
        packets.moves.push_back(move);
      else
        inside.push_back({first->second, move.target, move.bytes});
    }
    if (packets.moves.empty()) return {};
    const bool any_inside = !inside.empty();
    program_.exchanges[index].moves = std::move(inside);
    program_.exchanges.push_back(std::move(packets));
    return {static_cast<std::uint32_t>(program_.exchanges.size() - 1), any_inside};
  }

  ir::Program program_;
  std::map<std::uint32_t, Parts> known_;  // by exchange
};

}  // namespace

ir::Program split_chips(ir::Program program) {
  if (program.chips == 1) return program;
  return Splitting(std::move(program)).run();
}

}  // namespace tessera::compiler
