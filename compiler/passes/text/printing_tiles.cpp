#include "compiler/passes/text/printing_tiles.h"

#include <algorithm>
#include <set>

#include "compiler/codelet/printing.h"

namespace tessera::compiler {

std::vector<std::uint32_t> printing_tiles(const Text& text, const ir::Program& program) {
  const auto print = std::find_if(text.symbols.begin(), text.symbols.end(),
                                  [](const TextSymbol& symbol) { return symbol.name == kPrintSymbol; });
  if (print == text.symbols.end()) return {};
  std::vector<bool> prints(text.needed.size());
  for (std::size_t i = 0; i < prints.size(); ++i)
    prints[i] = std::any_of(text.needed[i].begin(), text.needed[i].end(), [&](std::uint32_t piece) {
      return text.pieces[piece].begin <= print->address && print->address < text.pieces[piece].end;
    });
  std::set<std::uint32_t> tiles;
  for (const ir::Compute& compute : program.computes)
    for (const ir::Vertex& vertex : compute.vertices)
      if (prints[vertex.codelet]) tiles.insert(vertex.tile);
  return {tiles.begin(), tiles.end()};
}

}  // namespace tessera::compiler
