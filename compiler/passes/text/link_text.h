// The text of all tiles, linked once: the copy routine, then the codelets that the program uses with the device
// library. It lies at the same addresses on every tile; which of it a tile needs says tile_text.h.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/ir/program.h"
#include "compiler/passes/text/address_range.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

struct TextSymbol {
  std::uint32_t address = 0, bytes = 0;
  std::string name;
};

// What tiles with the same codelets hold of the text.
struct TextSet {
  std::vector<AddressRange> absent;  // of text, then of the device code's data, that are not theirs; ascending
  std::uint32_t text_bytes = 0;      // of text that are
};

// Made by tile_text(). Without sets all tiles hold everything.
struct TileText {
  std::vector<std::uint32_t> set_of_tile;
  std::vector<TextSet> sets;

  const TextSet* of(std::uint32_t tile) const { return sets.empty() ? nullptr : &sets[set_of_tile[tile]]; }
};

struct Text {
  std::vector<image::Segment> segments;  // text, and read-only and initial data of the device code
  std::uint32_t text_end = 0;            // first address after the text; control code follows
  std::uint32_t data_base = 0;           // first address of the device code's data, at the top of memory
  std::uint32_t data_end = 0;            // first address behind them
  std::uint32_t data_top = 0;            // what is kept for them ends here
  std::uint32_t copy_routine = 0;        // address (copy_routine.h)
  std::uint32_t worker_start = 0;        // address of the worker start routine, 0 when no worker runs a vertex
  std::vector<std::uint32_t> entries;    // per codelet of the graph: address of its entry, 0 when it is not used
  std::uint32_t worker_stack = 0;        // bytes, the most that any vertex needs, or what the user asks for
  std::string deepest;                   // name of the codelet that needs the most
  std::uint32_t supervisor_stack = 0;
  std::vector<TextSymbol> symbols;   // by address
  std::vector<std::uint8_t> elf;     // of the codelets, with debug information; empty when there are none
  std::vector<AddressRange> pieces;  // of text and data, by address: each is needed as a whole or not at all
  std::vector<std::vector<std::uint32_t>> needed;  // per codelet of the graph: pieces that its vertices may lead to
  TileText tiles{};                                // which of it each tile holds
};

// A worker's stack is smaller than a codelet needs.
class StackTooSmall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Gives each worker a stack of that many bytes, a multiple of 16. Throws StackTooSmall naming the codelet.
void set_worker_stack(Text& text, std::uint32_t bytes);

// `by_tile`: text that only some tiles need lies together, where that can leave elements free.
// Throws CodeletError (compiler/codelet/codelet_error.h).
Text link_text(const graph::Graph& graph, const ir::Program& program, const spec::Machine& machine,
               bool by_tile = false);

std::string dump(const Text& text);

}  // namespace tessera::compiler
