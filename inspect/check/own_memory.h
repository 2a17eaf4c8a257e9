// What a vertex may touch: its state, what its fields are connected to, its stack, and the static data of the program.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "program/program_info.h"

namespace tessera::inspect::check {

class OwnMemory {
 public:
  // The program is not owned.
  explicit OwnMemory(const names::ProgramInfo& program);

  // Tables of the compiler have no names: a load from them is taken for right, a store is not.
  bool may_load(const names::Vertex&, unsigned context, uint32_t address, uint32_t bytes) const;
  // Data of the program or of a stack, and no table.
  bool is_data(const names::Vertex&, unsigned context, uint32_t address) const;
  bool may_store(const names::Vertex&, unsigned context, uint32_t address, uint32_t bytes) const;

 private:
  struct Range {
    uint32_t begin, end;
    bool has(uint32_t address) const { return address >= begin && address < end; }
  };
  bool owns(const names::Vertex&, unsigned context, uint32_t address, bool store) const;
  bool is_of_others(unsigned tile, uint32_t address) const;

  const names::ProgramInfo& program_;
  std::vector<Range> constant_, writable_;  // of the linked text
};

}  // namespace tessera::inspect::check
