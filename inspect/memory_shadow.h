// What all tile memories hold, followed from the loads and the writes that the chip reports, with a hash of it that is
// always up to date: asking the chip itself costs a read of every word, which no superstep of an RTL chip is worth.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl/spec/machine.h"

namespace tessera::inspect {

class MemoryShadow {
 public:
  explicit MemoryShadow(const spec::Machine& machine);

  // Bytes of an 8-aligned word, in its lanes; strobe bit n: byte n is written. Addresses outside memory are ignored.
  void write(unsigned tile, uint32_t address, uint64_t data, uint8_t strobe);
  void write_word(unsigned tile, uint32_t address, uint32_t data);  // 4-aligned
  void clear();                                                     // all zero, as after power-up

  // Equal for equal contents, however they came about.
  uint64_t hash() const { return hash_; }

 private:
  static constexpr unsigned kPageWords = 2048;
  using Page = std::array<uint64_t, kPageWords>;

  uint32_t base_, words_;
  std::vector<std::vector<std::unique_ptr<Page>>> pages_;  // per tile; null: zero
  uint64_t hash_ = 0;
};

}  // namespace tessera::inspect
