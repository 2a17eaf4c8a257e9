// One packed instruction with operands and control state, and streams of them whose lanes hold corner values and
// operands related to each other.
#pragma once

#include <cstdint>
#include <string>

#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"
#include "tb/float/operands.h"

namespace tessera::tb {

struct PackedCase {
  spec::Opcode op;
  uint64_t a = 0, b = 0, c = 0;
  model::FloatControl control;
};

class PackedStream {
 public:
  explicit PackedStream(uint64_t seed) : operands_(seed) {}

  PackedCase next(spec::Opcode);
  uint64_t bits() { return operands_.bits(); }
  uint32_t below(uint32_t bound) { return operands_.below(bound); }

 private:
  uint32_t single_near_half();
  model::FloatControl control();

  OperandStream operands_;
};

// Counts comparisons, keeps the text of the first few mismatches.
class PackedComparison {
 public:
  void check(const PackedCase& c, const char* who, model::VectorResult got, model::VectorResult want) {
    ++compared_;
    if (got != want) [[unlikely]]
      note(c, who, got, want);
  }
  uint64_t compared() const { return compared_; }
  uint64_t mismatches() const { return mismatches_; }
  const std::string& text() const { return text_; }

 private:
  void note(const PackedCase& c, const char* who, model::VectorResult got, model::VectorResult want);

  uint64_t compared_ = 0;
  uint64_t mismatches_ = 0;
  std::string text_;
};

}  // namespace tessera::tb
