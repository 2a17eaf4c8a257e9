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

  // Several tiles may be written at the same time.
  //
  // Bytes of an 8-aligned word, in its lanes; strobe bit n: byte n is written. Addresses outside memory are ignored.
  void write(unsigned tile, uint32_t address, uint64_t data, uint8_t strobe);
  void write_word(unsigned tile, uint32_t address, uint32_t data);  // 4-aligned
  void clear();                                                     // all zero, as after power-up

  // Equal for equal contents, however they came about.
  uint64_t hash() const;

 private:
  static constexpr unsigned kPageWords = 2048;
  using Page = std::array<uint64_t, kPageWords>;

  struct alignas(64) Tile {
    std::vector<std::unique_ptr<Page>> pages;  // null: zero
    uint64_t hash = 0;
  };

  uint32_t base_, words_;
  std::vector<Tile> tiles_;
};

}  // namespace tessera::inspect
