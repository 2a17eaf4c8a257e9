// What things in a trace are called in the words of the program: places in its text, its data, its vertices.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inspect/source_lines.h"
#include "inspect/trace/event.h"
#include "program/program_info.h"
#include "rtl/spec/tile_id.h"

namespace tessera::inspect::trace {

std::string context_name(unsigned context);  // "sup", "w0" .. "w5"

class Names {
 public:
  explicit Names(const names::ProgramInfo&, const spec::ChipPlace& place = {});  // not owned
  ~Names();

  // Of an instruction: function and source line, else its symbol, else the step of the tile's program; "" if unknown.
  const std::string& place(uint32_t tile, unsigned context, uint32_t pc);
  // Of a byte of tile memory: "weights+8", "stack of w2", ""
  std::string data(uint32_t tile, uint32_t address) const;
  // Of the step that a tile's supervisor is in; "" when the program does not say, and in text that all tiles share,
  // which any step may have called.
  const std::string& step(uint32_t tile, uint32_t supervisor_pc) const;
  // Codelet and vertex of an entered or left event: "Multiply", "Multiply of multiply, vertex 12".
  std::string codelet(const Event&) const;
  std::string vertex(const Event&) const;
  const names::Vertex* vertex_of(const Event&) const;

  // "tile 3" and "3", with their chip where the system has several.
  std::string tile(uint32_t tile) const { return place_.tile(tile); }
  std::string number(uint32_t tile) const { return place_.number(tile); }

  const names::ProgramInfo& program() const { return program_; }

 private:
  const names::ProgramInfo& program_;
  const spec::ChipPlace place_;
  std::unique_ptr<SourceLines> lines_;           // null: no debug information
  std::map<uint32_t, std::string> places_;       // by pc, of text that all tiles share
  std::map<uint64_t, std::string> tile_places_;  // by tile and pc
};

}  // namespace tessera::inspect::trace
