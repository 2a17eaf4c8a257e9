#include "compiler/passes/control/emit_control.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/parallel/parallel.h"
#include "compiler/passes/control/tile_emission.h"

namespace tessera::compiler {
namespace {

// How often each body is entered: bodies used more than once, programs and functions become subroutines.
std::vector<bool> find_subroutines(const ir::Program& program) {
  std::vector<std::uint32_t> uses(program.bodies.size());
  for (const ir::Body& body : program.bodies)
    for (const ir::Step& step : body)
      for (const std::uint32_t child : step.bodies) ++uses[child];
  std::vector<bool> subroutine(program.bodies.size());
  for (std::size_t i = 0; i < uses.size(); ++i) subroutine[i] = uses[i] > 1;
  for (const ir::Entry& entry : program.entries) subroutine[entry.body] = true;
  for (const std::uint32_t body : program.functions)
    if (body != ir::kNone) subroutine[body] = true;
  return subroutine;
}

// Phases at which all tiles meet, so that no tile is ahead of others for ever: a chip can be taken over by another
// backend where all tiles wait (docs/reference/checkpoint.md). The last of each loop's body, and one of kMostSkipped in
// a row.
constexpr std::uint32_t kMostSkipped = 32;

std::vector<bool> find_meetings(const ir::Program& program, const std::vector<Schedule>& schedules,
                                std::uint32_t chip) {
  std::vector<bool> meeting(schedules.size());
  for (const ir::Body& body : program.bodies) {
    std::uint32_t skipped = 0;
    for (const ir::Step& step : body) {
      if (step.kind == ir::StepKind::kCopy && schedules[step.index].on_chip(chip) && ++skipped % kMostSkipped == 0)
        meeting[step.index] = true;
      if (step.kind != ir::StepKind::kRepeat && step.kind != ir::StepKind::kWhile) continue;
      for (const std::uint32_t child : step.bodies) {
        const ir::Body& inside = program.bodies[child];
        const auto last = std::find_if(inside.rbegin(), inside.rend(), [&](const ir::Step& one) {
          return one.kind == ir::StepKind::kCopy && schedules[one.index].on_chip(chip);
        });
        if (last != inside.rend()) meeting[last->index] = true;
      }
    }
  }
  return meeting;
}

// Whether both are of one step of the user's program: a compute step and the copies that bring inputs or take outputs
// have its name, and so has what a copy sends to other chips.
bool are_one_step(const ir::Step& first, const ir::Step& second) {
  using enum ir::StepKind;
  constexpr std::pair<ir::StepKind, ir::StepKind> kTogether[] = {
      {kCopy, kCompute}, {kCompute, kCopy}, {kPackets, kCopy}, {kPackets, kCompute}, {kCompute, kPackets}};
  return first.name == second.name && std::find(std::begin(kTogether), std::end(kTogether),
                                                std::pair{first.kind, second.kind}) != std::end(kTogether);
}

// Blocks of a tile get their numbers among those of all.
void add(TileControl&& tile, std::size_t first_own, ControlCode& code, ir::Blocks& blocks) {
  const auto by = static_cast<std::uint32_t>(blocks.size() - first_own);
  const auto renumber = [&](ir::BlockId& block) {
    if (block >= first_own) block += by;
  };
  renumber(tile.code.block);
  for (AddressFixup& fixup : tile.code.fixups) renumber(fixup.value.block);
  for (StepMark& mark : tile.code.marks)
    for (StepCall& call : mark.calls) renumber(call.table.block);
  for (ir::Content& content : tile.data.contents) renumber(content.at.block);
  for (Pointer& pointer : tile.data.pointers) renumber(pointer.at.block), renumber(pointer.value.block);
  for (ir::ReplicaContent& content : tile.data.replicas) renumber(content.at.block);
  blocks.insert(blocks.end(), tile.blocks.begin(), tile.blocks.end());
  code.data.contents.insert(code.data.contents.end(), std::make_move_iterator(tile.data.contents.begin()),
                            std::make_move_iterator(tile.data.contents.end()));
  code.data.replicas.insert(code.data.replicas.end(), std::make_move_iterator(tile.data.replicas.begin()),
                            std::make_move_iterator(tile.data.replicas.end()));
  code.data.pointers.insert(code.data.pointers.end(), tile.data.pointers.begin(), tile.data.pointers.end());
  code.tiles.push_back(std::move(tile.code));
}

}  // namespace

ControlCode emit_control(const ControlInput& input, const Optimisations& optimise, ir::Blocks& blocks,
                         unsigned threads) {
  ControlCode code;
  ControlPlan plan;
  plan.outline = optimise.outline;
  plan.skip_syncs = optimise.skip_syncs;
  plan.subroutine = find_subroutines(input.program);
  for (std::uint32_t chip = 0; chip < input.program.chips; ++chip)
    plan.meeting.push_back(find_meetings(input.program, input.schedules, chip));
  code.steps.push_back("waiting for the host");
  std::uint32_t number = 0;
  for (const ir::Body& body : input.program.bodies) {
    std::vector<std::uint32_t>& names = plan.names.emplace_back();
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (i == 0 || !are_one_step(body[i - 1], body[i])) {
        code.steps.push_back(body[i].name);
        code.first_steps.push_back(number);
      }
      names.push_back(code.steps.size() - 1);
      ++number;
      if (body[i].kind != ir::StepKind::kHost) continue;
      const auto phase = static_cast<std::uint32_t>(code.host_phases.size());
      if (plan.host_phases.try_emplace(body[i].transfers, phase).second) code.host_phases.push_back(body[i].transfers);
    }
  }
  code.tiles.reserve(input.program.tiles);
  const ir::Blocks before = blocks;
  std::vector<TileControl> tiles(input.program.tiles);
  parallel(threads, tiles.size(),
           [&](std::size_t tile) { tiles[tile] = emit_tile(input, plan, static_cast<std::uint32_t>(tile), before); });
  for (TileControl& tile : tiles) add(std::move(tile), before.size(), code, blocks);
  return code;
}

std::string dump(const ControlCode& code, std::uint32_t tile) {
  const TileCode& t = code.tiles[tile];
  std::string text = "control code of tile " + std::to_string(tile) + "\n";
  std::size_t mark = 0, next_fixup = 0;
  std::vector<AddressFixup> fixups = t.fixups;
  std::sort(fixups.begin(), fixups.end(),
            [](const AddressFixup& a, const AddressFixup& b) { return a.second < b.second; });
  for (std::uint32_t i = 0; i < t.words.size(); ++i) {
    for (; mark < t.marks.size() && t.marks[mark].offset == 4 * i; ++mark) {
      const std::size_t others = t.marks[mark].calls.size();
      text +=
          code.steps[t.marks[mark].step] + (others > 1 ? " and " + std::to_string(others - 1) + " more" : "") + ":\n";
    }
    std::string line = spec::disassemble(t.words[i], 4 * i);
    for (; next_fixup < fixups.size() && fixups[next_fixup].second == i; ++next_fixup)
      line += "  # block " + std::to_string(fixups[next_fixup].value.block) + "+" +
              std::to_string(fixups[next_fixup].value.offset);
    text += "  " + line + "\n";
  }
  return text;
}

}  // namespace tessera::compiler
