#include "compiler/passes/emit_control.h"

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

}  // namespace

ControlCode emit_control(const ControlInput& input, ir::Blocks& blocks) {
  ControlCode code;
  ControlPlan plan;
  plan.subroutine = find_subroutines(input.program);
  code.steps.push_back("waiting for the host");
  for (const ir::Body& body : input.program.bodies) {
    plan.first_step.push_back(code.steps.size());
    for (const ir::Step& step : body) code.steps.push_back(step.name);
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
