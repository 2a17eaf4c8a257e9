#include "compiler/passes/emit_control.h"

#include "compiler/passes/tile_emission.h"

namespace tessera::compiler {
namespace {

// How often each body is entered: bodies used more than once, programs and functions become subroutines.
std::vector<bool> find_subroutines(const Lowered& lowered) {
  std::vector<std::uint32_t> uses(lowered.bodies.size());
  for (const Body& body : lowered.bodies)
    for (const Step& step : body)
      for (const std::uint32_t child : step.bodies) ++uses[child];
  std::vector<bool> subroutine(lowered.bodies.size());
  for (std::size_t i = 0; i < uses.size(); ++i) subroutine[i] = uses[i] > 1;
  for (const std::uint32_t body : lowered.program_bodies) subroutine[body] = true;
  for (const std::uint32_t body : lowered.functions)
    if (body != kNone) subroutine[body] = true;
  return subroutine;
}

}  // namespace

ControlCode emit_control(const graph::Graph& graph, const Text& text, Lowered& lowered) {
  ControlCode code;
  ControlPlan plan;
  plan.subroutine = find_subroutines(lowered);
  code.steps.push_back("waiting for the host");
  for (const Body& body : lowered.bodies) {
    plan.first_step.push_back(code.steps.size());
    for (const Step& step : body) code.steps.push_back(step.name);
  }
  code.tiles.reserve(lowered.tiles);
  for (std::uint32_t tile = 0; tile < lowered.tiles; ++tile)
    code.tiles.push_back(emit_tile(graph, text, plan, tile, lowered));
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
