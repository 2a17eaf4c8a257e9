// The flat top (rtl/chip/chip.sv) with what stands around it: PCIe side, host memory, clocks. It steps one cycle at a
// time and takes the calls of class Chip that programs need, with the same meaning of time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/port/chip.h"

class Vchip;

namespace tessera::test {

// A tile's outputs as chip.sv packs them.
using PackedOutputs = std::array<uint32_t, 5>;
PackedOutputs pack(const chip::TileOutputs&);

class FlatChip {
 public:
  // The host's clock: alike the chip's, or of its own period and phase, in cycles of the chip. Then accesses take the
  // time of their handshakes, and cycle() is not what class Chip says.
  struct HostClock {
    double period, phase;
  };
  explicit FlatChip(const spec::Machine&, std::optional<HostClock> host = std::nullopt);
  ~FlatChip();

  uint64_t cycle() const { return cycle_; }
  void attach(chip::HostBus* bus) { bus_ = bus; }
  // Called in every cycle with what all tiles show in it.
  void watch(std::function<void(uint64_t cycle)> watcher) { watcher_ = std::move(watcher); }
  PackedOutputs outputs(unsigned tile) const;

  // Runs to `limit` or to the notification of a host sync that has no mark yet; true for the latter.
  bool run(uint64_t limit);
  void mark(uint64_t cycle, uint16_t value);
  void debug_write(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address, uint32_t data);
  uint32_t debug_read(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address);
  // With a clock of its own: a register of the host port.
  uint32_t read_register(uint32_t offset) { return hold(false, offset, 0); }

 private:
  struct DownWord {
    bool first, last;
    uint32_t data;
  };
  void host_write(uint32_t address, uint32_t data);
  void select(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address);
  void access(bool write, uint32_t address, uint32_t data);  // on the bus until release()
  void release();
  void settle();         // inputs of this cycle are complete: lets the logic follow
  void edge(bool host);  // ends the cycle
  void tick(bool host = false);
  void take_up();
  void host_packet();
  // With a clock of its own: the next edge of either; and an access, held until the host port is ready.
  bool own_clock() const { return host_.has_value(); }
  void next_edge();
  void host_edge();
  uint32_t hold(bool write, uint32_t offset, uint32_t data);

  const spec::Machine machine_;
  std::unique_ptr<Vchip> top_;
  chip::HostBus* bus_ = nullptr;
  std::optional<HostClock> host_;
  double host_next_ = 0, chip_next_ = 0;
  std::function<void(uint64_t)> watcher_;
  uint64_t cycle_ = 0;
  std::vector<uint32_t> packet_;
  std::optional<uint64_t> taken_;  // cycle of the word at the host port that was taken last
  std::map<uint64_t, DownWord> down_;
  uint64_t down_free_ = 0;
};

}  // namespace tessera::test
