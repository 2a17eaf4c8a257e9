// The state of a chip that stopped by itself, read through the debug port in a copy that is thrown away: registers and
// memory as the failing instruction found them.
#pragma once

#include <cstdint>
#include <memory>

#include "inspect/run.h"
#include "rtl/spec/numbers.h"

namespace tessera::inspect::failure {

class StoppedChip {
 public:
  // The run stands where the chip stopped; until this is gone nobody may move it.
  explicit StoppedChip(Run& run) : chip_(run.chip()), scratch_(run.scratch()) {}

  uint32_t x(unsigned tile, unsigned context, unsigned number) {
    return number == 0 ? 0 : chip_.debug_read(tile, chip::DebugSpace::kInteger, context, number);
  }
  uint64_t f(unsigned tile, unsigned context, unsigned number) {
    const uint64_t low = chip_.debug_read(tile, chip::DebugSpace::kFloat, context, 2 * number);
    return low | uint64_t{chip_.debug_read(tile, chip::DebugSpace::kFloat, context, 2 * number + 1)} << 32;
  }
  uint32_t csr(unsigned tile, unsigned context, unsigned number) {
    return chip_.debug_read(tile, chip::DebugSpace::kCsr, context, number);
  }
  uint32_t pc(unsigned tile, unsigned context) { return control(tile, context, spec::DebugControl::kPc); }
  uint32_t active(unsigned tile) { return control(tile, 0, spec::DebugControl::kActive); }
  // 4-aligned, inside memory.
  uint32_t word(unsigned tile, uint32_t address) {
    return chip_.debug_read(tile, chip::DebugSpace::kMemory, 0, address);
  }

 private:
  uint32_t control(unsigned tile, unsigned context, uint32_t number) {
    return chip_.debug_read(tile, chip::DebugSpace::kControl, context, number);
  }

  chip::Chip& chip_;
  std::unique_ptr<Run::Scratch> scratch_;
};

}  // namespace tessera::inspect::failure
