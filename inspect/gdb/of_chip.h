// An observer of one chip that tells one of a system's tiles, which are numbered through all chips.
#pragma once

#include "sim/port/chip.h"

namespace tessera::inspect::gdb {

// Only of what a debugger watches: records, arriving words, and debug accesses.
class OfChip : public chip::Observer {
 public:
  OfChip(chip::Observer& whole, unsigned first_tile) : whole_(whole), first_(first_tile) {}

  bool wants(unsigned tile) const override { return whole_.wants(first_ + tile); }
  void retire(unsigned tile, const chip::Retire& record) override { whole_.retire(first_ + tile, record); }
  void port_write(unsigned tile, const chip::PortWrite& write) override { whole_.port_write(first_ + tile, write); }
  void debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace space, unsigned context, uint32_t address,
                     uint32_t data) override {
    whole_.debug_written(tile == chip::kNoTile ? tile : first_ + tile, cycle, space, context, address, data);
  }
  void loaded(unsigned tile, uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override {
    whole_.loaded(first_ + tile, cycle, address, words);
  }

 private:
  chip::Observer& whole_;
  const unsigned first_;
};

}  // namespace tessera::inspect::gdb
