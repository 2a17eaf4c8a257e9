// The matrix product C += A B on one tile, in f16, f8 or f32: operands, memory image, and the result computed on the
// host from the engine's definition (docs/reference/arithmetic.md).
#pragma once

#include <string>
#include <vector>

#include "kernel_run.h"

namespace tessera::bench {

enum class Element { kF16, kF8, kF32 };

class Matmul {
 public:
  // inner: a multiple of the engine's inputs (f16 16, f8 32, f32 8), at least two of them; columns: of 16; rows >= 24.
  Matmul(Element type, unsigned rows, unsigned inner, unsigned columns);

  std::string name() const;
  Image image(const KernelRun& run) const;
  // Elements of C in tile memory that differ from the host's.
  unsigned differences(KernelRun& run) const;
  double products() const { return 1.0 * rows_ * inner_ * columns_; }
  double products_per_cycle() const { return type_ == Element::kF16 ? 64 : type_ == Element::kF8 ? 128 : 16; }

 private:
  unsigned inputs() const { return type_ == Element::kF16 ? 16 : type_ == Element::kF8 ? 32 : 8; }  // of a panel
  unsigned a_bytes() const { return type_ == Element::kF16 ? 2 : type_ == Element::kF8 ? 1 : 4; }
  unsigned c_bytes() const { return type_ == Element::kF32 ? 4 : 2; }
  uint32_t c_address() const;
  uint32_t weights_address() const;
  uint32_t encode(double value) const;  // as an element of A or B
  double expected(unsigned row, unsigned column) const;

  Element type_;
  unsigned rows_, inner_, columns_;
  std::vector<double> a_, b_, c_;  // row-major
};

}  // namespace tessera::bench
