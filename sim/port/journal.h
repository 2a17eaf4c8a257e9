// What came to a chip from outside since its reset: marks, debug accesses, loads, and what host memory answered. With a
// snapshot it makes the past repeatable; from the beginning it does all of it again to another chip.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

class Journal {
 public:
  enum class Call : uint8_t { kMark, kDebugWrite, kDebugRead, kLoad, kGroupAnswer };
  struct Entry {
    Call call = Call::kMark;
    DebugSpace space = DebugSpace::kMemory;
    unsigned tile = 0, context = 0;
    uint32_t address = 0;
    uint32_t data = 0;              // written; value of a mark; distance of the addresses read; consensus
    uint32_t count = 1;             // of reads
    uint64_t at = 0;                // cycle of the chip before it
    uint64_t cycle = 0;             // mark, answer of a group: its arrival
    std::vector<uint32_t> words{};  // load
  };
  struct HostAnswer {    // of a read, of remote memory too
    uint64_t cycle = 0;  // of the response's arrival
    std::vector<uint32_t> words;
  };
  struct HostRefusal {  // HostBus::reaches() said no, or remote_reaches()
    uint64_t cycle = 0;
    uint64_t address = 0;
    size_t words = 0;
    bool write = false;
    bool remote = false;
    auto operator<=>(const HostRefusal&) const = default;
  };
  struct HostSync {         // that has been answered
    uint64_t at = 0;        // cycle of the chip when the host answered: it stands at the sync
    uint64_t answered = 0;  // cycle of the mark's arrival
  };
  struct LinkInput {  // Chip::link_in
    uint64_t at = 0;  // cycle of the chip before it
    LinkEvent event;
  };
  // A place between two entries: numbers count from the reset. `part`: accesses of entry `entry` that are done.
  struct Place {
    uint64_t entry = 0, answer = 0;
    uint32_t part = 0;
    uint64_t link = 0;
  };

  void add(Entry entry);  // reads of successive addresses are joined
  void add(HostAnswer answer);
  void add(const HostRefusal& refusal) { refusals_.insert(refusal); }
  void add(const LinkInput& input) {
    bytes_ += sizeof input;
    link_inputs_.push_back(input);
  }
  void of_linked_chip() { linked_ = true; }
  void clear();

  // Also: what is there now is not added to, so that the place may be kept.
  Place seal();
  Place end() const {
    return {first_.entry + entries_.size(), first_.answer + answers_.size(), 0, first_.link + link_inputs_.size()};
  }
  size_t bytes() const { return bytes_; }
  // The last one that is kept and was answered in `cycle` or before.
  std::optional<HostSync> host_sync_before(uint64_t cycle) const;

  // Brings a chip that stands at `place` to `cycle` and moves the place on; a new chip stands at the beginning.
  // Accesses that are due in the very cycle are not done: they come when the run goes on. What the chip writes to host
  // memory is dropped; at the end `bus` is attached to it. Throws std::logic_error when the chip does not do what the
  // journal's did.
  void replay(Place& place, Chip& chip, uint64_t cycle, HostBus* bus = nullptr) const;

  void forget_before(const Place& place);
  void forget_after(const Place& place, uint64_t cycle);  // that of a chip which stands there

 private:
  class Answers;
  static size_t size_of(const Entry& entry) { return sizeof entry + 4 * entry.words.size(); }
  static size_t size_of(const HostAnswer& answer) { return sizeof answer + 4 * answer.words.size(); }
  const Entry& entry(uint64_t number) const { return entries_.at(number - first_.entry); }
  // Does what is left of the entry at `place`, as long as the chip stands before cycle `until`, and moves the place on.
  void apply(Place& place, Chip& chip, uint64_t until) const;

  Place first_;          // of what is kept
  uint64_t sealed_ = 0;  // entries before this number
  std::deque<Entry> entries_;
  std::deque<HostAnswer> answers_;
  std::deque<LinkInput> link_inputs_;
  bool linked_ = false;             // of a chip in a system of several
  std::set<HostRefusal> refusals_;  // a handful
  size_t bytes_ = 0;
};

}  // namespace tessera::chip
