// A run in the terms of its program, superstep by superstep: what each vertex, each step of a supervisor, the exchange
// and packets have written to which element, and how many cycles vertices took. Two runs whose codelets, addresses or
// cycles differ have the same parts in it, under the same names.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "inspect/trace/names.h"
#include "inspect/trace/tables.h"
#include "inspect/trace/trace_reader.h"

namespace tessera::inspect::trace {

// Texts as numbers, the same for both runs that are compared.
class TextNumbers {
 public:
  uint32_t of(const std::string& text);
  const std::string& text(uint32_t number) const { return texts_[number]; }

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

// The last that a part has written to a byte of an element.
struct WrittenByte {
  uint64_t cycle = 0;
  uint8_t lane = 0, value = 0;
  bool again = false;  // by a supervisor outside of vertices, more than once: see aligned_difference.cpp
};
struct ElementByte {  // of the element with that name
  uint32_t element = 0, offset = 0;
  auto operator<=>(const ElementByte&) const = default;
};
// Who wrote: a vertex, or what a context, exchange or packets of a tile do outside of vertices.
struct PartKey {
  uint32_t tile = 0, name = 0;
  auto operator<=>(const PartKey&) const = default;
};
using Part = std::map<ElementByte, WrittenByte>;

struct VertexKey {
  uint32_t tile = 0, name = 0, codelet = 0;
  auto operator<=>(const VertexKey&) const = default;
};

struct SuperstepStory {
  uint64_t index = 0, begin = 0, end = 0;  // cycles begin <= c < end
  std::map<PartKey, Part> parts;
  std::map<VertexKey, Occupation> vertices;
};

// Supersteps of a run without what was written: what they are aligned by.
struct SuperstepOutline {
  uint64_t index = 0, begin = 0, end = 0;
  std::string steps;  // of all supervisors, in the order of their names
};
std::vector<SuperstepOutline> outline(TraceReader&, size_t run, const Selection&);

class ProgramStory {
 public:
  // Where the program names nothing, an address is an element if `addresses`. Neither reader nor texts are owned.
  ProgramStory(TraceReader&, size_t run, const Selection&, TextNumbers&, bool addresses);
  // The next superstep; none: the run is over.
  std::optional<SuperstepStory> next();

 private:
  struct Inside {
    uint64_t since = 0;
    VertexKey vertex;
  };
  void add(const Event&, SuperstepStory&);
  uint32_t part_of(const Event&);
  void write(const Event&, SuperstepStory&);
  std::optional<ElementByte> element(const Event&, uint32_t address);

  TraceReader& reader_;
  const size_t run_;
  TraceReader::Events events_;
  Names names_;
  TextNumbers& texts_;
  const bool addresses_;
  uint64_t superstep_, cycle_;
  bool over_ = false;
  std::map<std::pair<uint32_t, unsigned>, Inside> inside_;
  std::map<uint32_t, uint32_t> steps_;                                 // of supervisors, by tile
  std::unordered_map<uint64_t, std::optional<ElementByte>> elements_;  // by tile, address, vertex or step
};

}  // namespace tessera::inspect::trace
