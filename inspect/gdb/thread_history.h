// The recent past of one thread, from one replay: where its instructions begin, what its registers held, and its tile's
// memory. A reverse `next` is hundreds of steps of an instruction each, which all are answered from here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "inspect/gdb/registers.h"
#include "inspect/gdb/stops.h"
#include "inspect/gdb/target.h"

namespace tessera::inspect::gdb {

class ThreadHistory {
 public:
  // The window [begin, end) of `thread`; its chip is moved.
  void record(Target& target, Thread thread, uint64_t begin, uint64_t end);
  void forget() { *this = {}; }

  bool covers(Thread thread, uint64_t cycle) const {
    return known_ && thread == thread_ && cycle > begin_ && cycle <= end_;
  }
  uint64_t begin() const { return begin_; }
  // Cycle of the thread's last record before `cycle`, which is covered; nullopt: none in the window.
  std::optional<uint64_t> last_before(uint64_t cycle) const;
  // At record time `cycle`. nullopt: ask a view.
  std::optional<uint64_t> value(Thread thread, const Register&, uint64_t cycle) const;
  // The same of memory inside the machine; false: ask a view. What it meets for the first time is looked up at begin():
  // its chip is moved, after `moving` was called.
  bool read(Target& target, unsigned tile, uint64_t cycle, uint32_t address, std::span<uint8_t> bytes,
            const std::function<void()>& moving);

 private:
  struct Change {
    uint64_t cycle = 0, value = 0;
  };
  struct Write {
    uint64_t cycle = 0;
    uint32_t address = 0;  // 8-aligned
    uint64_t data = 0;
    uint8_t strobe = 0;
  };
  struct Watcher;
  static constexpr uint32_t kBlockBytes = 256;

  bool known_ = false, disturbed_ = false;  // disturbed: somebody else has written
  Thread thread_;
  unsigned tile_ = 0;  // its tile, on the chip
  uint64_t begin_ = 0, end_ = 0;
  std::vector<Change> pcs_;                                      // of its records
  std::map<unsigned, std::vector<Change>> x_, f_;                // the first of each: what it held at begin
  std::vector<Write> writes_;                                    // by the instructions of the tile
  std::vector<uint32_t> arrived_;                                // words that came otherwise
  std::map<uint32_t, std::array<uint8_t, kBlockBytes>> blocks_;  // memory at begin
};

}  // namespace tessera::inspect::gdb
