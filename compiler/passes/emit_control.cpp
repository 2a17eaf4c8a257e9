#include "compiler/passes/emit_control.h"

#include <utility>

#include "compiler/passes/tile_emission.h"

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

// Whether both are of one step of the user's program: a compute step and the copies that bring inputs or take outputs
// have its name.
bool are_one_step(const ir::Step& first, const ir::Step& second) {
  const auto pair = std::pair(first.kind, second.kind);
  return first.name == second.name && (pair == std::pair(ir::StepKind::kCopy, ir::StepKind::kCompute) ||
                                       pair == std::pair(ir::StepKind::kCompute, ir::StepKind::kCopy));
}

}  // namespace

ControlCode emit_control(const ControlInput& input, ir::Blocks& blocks) {
  ControlCode code;
  ControlPlan plan;
  plan.subroutine = find_subroutines(input.program);
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
    }
  }
  code.tiles.reserve(input.program.tiles);
  for (std::uint32_t tile = 0; tile < input.program.tiles; ++tile)
    code.tiles.push_back(emit_tile(input, plan, tile, blocks, code.data));
  return code;
}

std::string dump(const ControlCode& code, std::uint32_t tile) {
  const TileCode& t = code.tiles[tile];
  std::string text = "control code of tile " + std::to_string(tile) + "\n";
  std::size_t mark = 0;
  for (std::uint32_t i = 0; i < t.words.size(); ++i) {
    while (mark < t.marks.size() && t.marks[mark].offset == 4 * i) text += code.steps[t.marks[mark++].step] + ":\n";
    std::string line = spec::disassemble(t.words[i], 4 * i);
    for (const AddressFixup& fixup : t.fixups)
      if (fixup.second == i)
        line += "  # block " + std::to_string(fixup.value.block) + "+" + std::to_string(fixup.value.offset);
    text += "  " + line + "\n";
  }
  return text;
}

}  // namespace tessera::compiler
