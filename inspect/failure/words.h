// How failure reports name things: places in the text, vertices, addresses of a tile's memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/source_lines.h"
#include "program/place_names.h"
#include "program/program_info.h"
#include "rtl/spec/tile_id.h"

namespace tessera::spec {
struct Machine;
}

namespace tessera::inspect::failure {

class Words {
 public:
  // Neither is owned.
  Words(const names::ProgramInfo& program, const spec::Machine& machine, const spec::ChipPlace& place = {});

  const names::ProgramInfo& program() const { return program_; }
  const spec::Machine& machine() const { return machine_; }
  // "tile 3", with its chip where the system has several: all that a report names are of the same chip.
  std::string tile(uint32_t tile) const { return place_.tile(tile); }
  bool of_several_chips() const { return place_.chips > 1; }
  std::string tiles(std::vector<unsigned> tiles) const;  // tile_groups.h

  // "codelets.cpp:26", the innermost line; "" when it is not known.
  std::string line(uint32_t pc) const;
  // "pc 0x4c3d0 in Sum::compute() at /home/me/codelets.cpp:26, inlined at /home/me/codelets.cpp:40"
  std::string place(uint32_t pc) const;
  std::string place(uint32_t tile, uint32_t pc) const;  // the pc alone where the tile has no text
  std::string function(uint32_t pc) const;
  // "vertex 7 of codelet 'Sum' in compute set 'reduce'"
  std::string vertex(const names::Vertex&) const;
  // "Execute(reduce)"; "" when it is not known.
  // `table`: what the table register holds, where that is known.
  std::string step(uint32_t tile, uint32_t supervisor_pc, std::optional<uint32_t> table) const;
  // An address as the vertex that made the access sees it: in one of its fields, or just beside one; "" when neither.
  std::string seen_by(const names::Vertex&, uint32_t address) const;
  // What is at an address, and what it lies just beside: "element 3 of output 'out' (x/weights[103])", "3 elements
  // beyond the end of input 'in' (...); it is y/bias[0]", "in the stack of worker 2", "outside tile memory"; "" when
  // nothing is known. `vertex` (may be null) is the one that made the access: its fields are thought of first.
  std::string address(uint32_t tile, uint32_t address, const names::Vertex* vertex) const;
  // "input 'in' (x/weights[100..199], 0x5c000..0x5c190)"
  std::string field(const names::Field&) const;
  std::string text(const names::Field&) const;  // "input 'in'"

 private:
  std::vector<SourceLine> lines(uint32_t pc) const;
  std::string of_vertex(const names::Vertex&, uint32_t address) const;
  std::string beside_fields(const names::Vertex&, uint32_t address) const;
  std::string exactly(uint32_t tile, uint32_t address, const names::Vertex* vertex) const;
  std::string inside(const names::Field&, uint32_t address) const;
  std::string beside(const names::Field&, uint32_t address) const;
  std::string elements(const names::Field&, uint64_t first, uint64_t count) const;

  const names::ProgramInfo& program_;
  const spec::Machine& machine_;
  const spec::ChipPlace place_;
  SourceLines lines_;
  const names::PlaceNames places_;
};

// "in Execute(reduce)", "waiting for the host"
std::string in_step(const std::string& step);
std::string context_name(unsigned context);  // "supervisor", "worker 3"
std::string the_context(unsigned context);   // "the supervisor", "worker 3"
// As the beginning of a sentence: "Tile 4".
std::string capital(std::string text);
// "1 word", "3 words"
std::string counted(uint64_t n, const std::string& thing);

}  // namespace tessera::inspect::failure
