// What lies at an address of a tile, in the words of the program: a variable, the buffer of a vertex's field, a stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/program_info.h"

namespace tessera::inspect::waves {

class Places {
 public:
  // The program is not owned and may not change meanwhile.
  Places(const names::ProgramInfo&, unsigned tile);

  // "weights"; "partials of Update.errors #7" for a buffer in which a field's elements are gathered; "stack"; "".
  std::string at(uint32_t address) const;

 private:
  struct Buffer {
    uint32_t address, bytes, vertex, field;  // places in ProgramInfo's lists
  };
  const names::ProgramInfo& program_;
  const unsigned tile_;
  std::vector<Buffer> buffers_;  // by address
};

}  // namespace tessera::inspect::waves
