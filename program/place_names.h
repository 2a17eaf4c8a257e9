// What an address of a tile is called: elements of tensors and of vertices' fields, not bytes. Traces, differences,
// waves, the debugger and failure reports take these names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program_info.h"

namespace tessera::names {

// The element of the tensor that a byte of the variable's memory belongs to; none: the program does not say.
std::optional<uint64_t> element_at(const ProgramInfo&, const Variable&, uint32_t address);

// "weights[103]"; "weights byte 8" where the size of an element is not known, "weights[? 2]" where only the element's
// place among those of the tile is.
std::string element_name(const ProgramInfo&, const Variable&, uint32_t address);
// "in[3]", the third element of the field; a field that is one element has its name.
std::string element_name(const ProgramInfo&, const Field&, uint32_t address);

struct Span {
  uint32_t address = 0, bytes = 0;
  bool meets(uint32_t other, uint32_t length) const {
    return bytes != 0 && length != 0 && other < address + bytes && address < other + length;
  }
};
// Names of all places of a program, or of those of one tile.
class PlaceNames {
 public:
  // The program is not owned and may not change meanwhile.
  static constexpr uint32_t kEveryTile = ~0u;
  explicit PlaceNames(const ProgramInfo&, uint32_t tile = kEveryTile);

  // "weights[103]"; "partials[20] of Update.errors[3] #7" in the buffer that holds a field's elements for vertex 7
  // ("partials of ..." where they are gathered from here and there); "Update.rate #7" in its state; "stack of w2"; "":
  // nothing that the program names. What does not live at the same time may share memory: `by` is the vertex that
  // looks; null: the exchange, the host or the supervisor in step `in`, null where nobody knows it. "x[3] or y[0]":
  // several may be meant; "shared buffer": several buffers, which the exchange and the host fill as inputs only.
  std::string at(uint32_t tile, uint32_t address, const Vertex* by = nullptr, const Step* in = nullptr) const;

  struct Element {
    Name tensor = 0;                     // 0: it is no tensor's
    uint64_t number = Field::kGathered;  // kGathered: one of its elements
    bool operator==(const Element&) const = default;
  };
  // None where several may be meant.
  Element element(uint32_t tile, uint32_t address, const Vertex* by = nullptr, const Step* in = nullptr) const;

 private:
  struct Buffer {
    uint32_t tile, address, bytes, vertex, field;  // the last two: places in ProgramInfo's lists
  };
  struct Found {
    const Buffer* buffer = nullptr;
    bool shared = false;  // with another one that says otherwise
  };
  std::string of_state(const Vertex&, uint32_t address) const;
  std::string of_buffer(const Buffer&, uint32_t address) const;
  Element element(const Field&, uint32_t address) const;
  // `there`: the variables that share the memory.
  Found buffer_at(uint32_t tile, uint32_t address, const Vertex* by, const Step* in,
                  const std::vector<const Variable*>& there) const;
  // Those of `there` that may be meant. `alone`: nothing else can be.
  std::vector<const Variable*> meant(const std::vector<const Variable*>& there, uint32_t address, const Vertex* by,
                                     const Step* in, bool& alone) const;
  void find_buffers() const;

  const ProgramInfo& program_;
  const uint32_t tile_;
  mutable std::vector<Buffer> buffers_;  // by (tile, address); found when first asked for
  mutable bool found_ = false;
};

// Where the variable's memory holds elements first, first + 1, ... last of the tensor.
std::vector<Span> spans_of(const ProgramInfo&, const Variable&, uint64_t first, uint64_t last);

}  // namespace tessera::names
