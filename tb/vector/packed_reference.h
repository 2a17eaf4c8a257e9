// The packed instructions as docs/reference/arithmetic.md describes them, lane by lane: what float.md has comes from
// MPFR (tb/float/reference.h), the rest is worked out in doubles, which hold every number here exactly.
//
// Shares nothing with RTL and model but the names of instructions and the types of operands and results: what an
// instruction does is read from its mnemonic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"
#include "tb/float/reference.h"

namespace tessera::tb {

// A mnemonic in its parts: "f16v4add" is {"f16", 16, 4, "add"}.
struct PackedName {
  std::string format;
  unsigned width;
  unsigned lanes;
  std::string operation;
};
PackedName packed_name(spec::Opcode);

// All instructions of unit Packed.
const std::vector<spec::Opcode>& packed_opcodes();

class PackedReference {
 public:
  model::VectorResult execute(spec::Opcode, uint64_t a, uint64_t b, uint64_t c, const model::FloatControl&);

 private:
  // One lane of an operation on f32 or f16.
  model::FpResult lane(const std::string& operation, model::FpFormat, uint32_t a, uint32_t b, uint32_t c,
                       const model::FloatControl&);
  model::FpResult clamp(model::FpFormat, uint32_t a, uint32_t low, uint32_t high);
  model::FpResult sum(model::FpFormat, uint32_t a, uint32_t b, model::RoundingMode);
  model::FpResult single_to_half(uint32_t a, uint32_t random, const model::FloatControl&);

  Reference scalar_;
};

}  // namespace tessera::tb
