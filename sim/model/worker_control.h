// Which workers are active, their launch and exit, and the local consensus (tile.md, Launch). Mirrors
// rtl/tile's worker control.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::model {

class WorkerControl {
 public:
  uint8_t active() const { return active_; }  // mask, bit w = worker w, in the present cycle
  bool is_active(unsigned worker) const { return active_ >> worker & 1; }
  bool all_active() const { return active_ == 0x3f; }
  unsigned lowest_inactive() const { return static_cast<unsigned>(std::countr_one(active_)); }
  bool changing() const { return pending_; }

  // Both are called in M (issue + 4) and act from issue + 6.
  void launch(uint8_t mask) { set_ |= mask, pending_ = 2; }
  void exit(unsigned worker, bool value) {
    clear_ |= static_cast<uint8_t>(1u << worker), pending_ = 2;
    consensus_ = consensus_ && value;
  }
  // At the end of every cycle while changing(); returns those that have been launched and are active from the next on.
  uint8_t advance() {
    const uint8_t launched = late_set_;
    active_ = static_cast<uint8_t>((active_ & ~late_clear_) | late_set_);
    late_set_ = set_;
    late_clear_ = clear_;
    set_ = clear_ = 0;
    --pending_;
    return launched;
  }

  bool consensus() const { return consensus_; }
  void set_consensus(bool value) { consensus_ = value; }
  void stop_all() { *this = WorkerControl{}; }

 private:
  uint8_t active_ = 0;
  uint8_t set_ = 0, clear_ = 0, late_set_ = 0, late_clear_ = 0;
  uint8_t pending_ = 0;  // calls of advance() still to come
  bool consensus_ = false;
};

}  // namespace tessera::model
