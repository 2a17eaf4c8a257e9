// What things in a trace are called in the words of the program: places in its text, its data, its vertices.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "inspect/source_lines.h"
#include "inspect/trace/event.h"
#include "program/followed_steps.h"
#include "program/place_names.h"
#include "rtl/spec/tile_id.h"

namespace tessera::inspect::trace {

std::string context_name(unsigned context);  // "sup", "w0" .. "w5"
// The codelet of an entered or left event.
std::string codelet_name(const names::ProgramInfo&, const Event&);

class Names {
 public:
  explicit Names(const names::ProgramInfo&, const spec::ChipPlace& place = {});  // not owned
  ~Names();

  // Of an instruction: function and source line, else its symbol, else the step of the tile's program; "" if unknown.
  const std::string& place(const Event&);
  const std::string& place(uint32_t tile, unsigned context, uint32_t pc);  // of the next one of the tile
  // Of a byte of tile memory: "weights[2]", "stack of w2", "". Of an event's: as the vertex sees it that its context is
  // in, which follow() keeps up with events in the order of time.
  std::string data(uint32_t tile, uint32_t address) const { return data_.at(tile, address); }
  std::string data(const Event& e, uint32_t address) const { return data_.at(e.tile, address, inside(e), in(e)); }
  void follow(const Event&);
  const names::Vertex* inside(const Event&) const;  // null: its context is in no vertex that the program names
  const names::Step* in(const Event&) const;        // that the tile's supervisor is in; null: nobody knows
  const names::PlaceNames& places() const { return data_; }
  // Of the step that an instruction of a supervisor belongs to, which follow() has been given last; "" when the program
  // does not say, and in text that all tiles share, which any step may have called. Where code is held once for several
  // steps, those that follow() has not seen are "one of 100 like 'Execute(layer0)'".
  const std::string& step(const Event&) const;
  // Codelet and vertex of an entered or left event: "Multiply", "Multiply of multiply, vertex 12".
  std::string codelet(const Event& e) const { return codelet_name(program_, e); }
  std::string vertex(const Event&) const;
  const names::Vertex* vertex_of(const Event& e) const { return vertex_of(program_, e); }
  static const names::Vertex* vertex_of(const names::ProgramInfo&, const Event&);

  // "tile 3" and "3", with their chip where the system has several.
  std::string tile(uint32_t tile) const { return place_.tile(tile); }
  std::string number(uint32_t tile) const { return place_.number(tile); }

  const names::ProgramInfo& program() const { return program_; }

 private:
  struct Followed {
    uint64_t cycle = 0;
    const std::string* step = nullptr;
  };
  // "": in code of the tile's own.
  const std::string& shared_place(uint32_t pc);

  const names::ProgramInfo& program_;
  const names::PlaceNames data_;
  const spec::ChipPlace place_;
  std::unique_ptr<SourceLines> lines_;      // null: no debug information
  std::map<uint32_t, std::string> places_;  // by pc, of text that all tiles share
  names::FollowedSteps steps_;
  std::unordered_map<uint32_t, Followed> followed_;                       // by tile: the last of its supervisor
  std::map<std::pair<uint32_t, unsigned>, const names::Vertex*> inside_;  // by tile and context
  std::unordered_map<uint32_t, names::Step> in_;                          // by tile
};

}  // namespace tessera::inspect::trace
