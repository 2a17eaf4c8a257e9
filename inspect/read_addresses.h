// Which memory an instruction reads. A retire record tells writes only; the addresses of loads follow from the
// instruction and the registers before it, of which a shadow is kept.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/place_names.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect {

class FrozenView;

// What an instruction reads, but for the values of registers.
struct ReadPlan {
  enum class Kind : uint8_t {
    kNone,
    kBase,    // at an integer register's value + offset
    kTriple,  // at addresses in a float register
  };
  Kind kind = Kind::kNone;
  uint8_t source = 0;  // number of the register
  uint8_t bytes = 0;   // of each read
  uint8_t used = 0;    // bit n: it makes read n of two; kBase has read 0 alone
  uint32_t offset = 0;

  uint32_t address(uint32_t base) const { return base + offset; }
  // Address n of three that share a float register, in units of 8 bytes (arithmetic.md).
  static uint32_t address(uint64_t triple, unsigned n) {
    return static_cast<uint32_t>(triple >> (21 * n) & 0x1fffff) * 8;
  }
};
ReadPlan read_plan(uint32_t instruction);

// Registers of a context, kept by retire records.
struct ContextRegisters {
  std::array<uint32_t, 32> x{};
  std::array<uint64_t, 32> f{};

  void apply(const chip::Retire&);
  // Of an instruction that has not been applied; spans of no bytes: no read.
  std::array<names::Span, 2> reads(const chip::Retire&) const;
};

// Of a tile's seven contexts.
class RegisterShadow {
 public:
  void fill(FrozenView& view, unsigned tile);
  void apply(const chip::Retire& r) { contexts_[r.context].apply(r); }
  std::array<names::Span, 2> reads(const chip::Retire& r) const { return contexts_[r.context].reads(r); }

 private:
  std::array<ContextRegisters, 7> contexts_;
};

}  // namespace tessera::inspect
