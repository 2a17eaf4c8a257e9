#include "sim/engine/lockstep_chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/port/forwarding_chip.h"
#include "sim/port/observer_fan.h"

namespace tessera::chip {
namespace {

struct Transfer {  // of a chip with host or remote memory
  bool remote;
  bool write;
  uint64_t cycle;
  uint64_t address;
  std::vector<uint32_t> words;
  uint64_t arrival = 0;  // of a response
};

// Of the left chip: the real bus, and a log of what passed.
class LoggingBus : public HostBus {
 public:
  HostBus* bus = nullptr;
  std::deque<Transfer> log;

  bool reaches(uint64_t cycle, uint32_t address, size_t words, bool write) override {
    return bus == nullptr || bus->reaches(cycle, address, words, write);
  }
  void write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override {
    if (bus != nullptr) bus->write(cycle, address, words);
    log.push_back({false, true, cycle, address, {words.begin(), words.end()}});
  }
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override {
    const uint64_t arrival = bus != nullptr ? bus->read(cycle, address, words) : cycle;
    log.push_back({false, false, cycle, address, {words.begin(), words.end()}, arrival});
    return arrival;
  }
  bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override {
    return bus == nullptr || bus->remote_reaches(cycle, address, words, write);
  }
  void remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words) override {
    if (bus != nullptr) bus->remote_write(cycle, tile, address, words);
    log.push_back({true, true, cycle, address, {words.begin(), words.end()}});
  }
  uint64_t remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words) override {
    const uint64_t arrival = bus != nullptr ? bus->remote_read(cycle, tile, address, words) : cycle;
    log.push_back({true, false, cycle, address, {words.begin(), words.end()}, arrival});
    return arrival;
  }
};

// Of the right chip: must ask for the same, and gets the same.
class ReplayingBus : public HostBus {
 public:
  explicit ReplayingBus(LoggingBus& left) : left_(left), log_(left.log) {}

  bool reaches(uint64_t cycle, uint32_t address, size_t words, bool write) override {
    return left_.reaches(cycle, address, words, write);
  }
  bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override {
    return left_.remote_reaches(cycle, address, words, write);
  }
  void write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override {
    check_write({false, true, cycle, address, {words.begin(), words.end()}});
  }
  void remote_write(uint64_t cycle, unsigned, uint64_t address, std::span<const uint32_t> words) override {
    check_write({true, true, cycle, address, {words.begin(), words.end()}});
  }
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override {
    return answer({false, false, cycle, address, {}}, words);
  }
  uint64_t remote_read(uint64_t cycle, unsigned, uint64_t address, std::span<uint32_t> words) override {
    return answer({true, false, cycle, address, {}}, words);
  }

 private:
  void check_write(const Transfer& right) {
    const Transfer left = next(right, right.words.size());
    if (left.words != right.words)
      throw LockstepDifference(fmt::format("lockstep: packet to {} address {:#x} in cycle {} differs",
                                           right.remote ? "remote" : "host", right.address, right.cycle));
  }
  uint64_t answer(const Transfer& right, std::span<uint32_t> words) {
    const Transfer left = next(right, words.size());
    std::copy(left.words.begin(), left.words.end(), words.begin());
    return left.arrival;
  }
  Transfer next(const Transfer& asked, size_t words) {
    const auto what = [](const Transfer& t, size_t words) {
      return fmt::format("{} of {} words at {} address {:#x} in cycle {}", t.write ? "write" : "read", words,
                         t.remote ? "remote" : "host", t.address, t.cycle);
    };
    if (log_.empty()) throw LockstepDifference("lockstep: only one chip has a " + what(asked, words));
    Transfer transfer = std::move(log_.front());
    log_.pop_front();
    const auto left = what(transfer, transfer.words.size());
    const auto right = what(asked, words);
    if (left != right) throw LockstepDifference("lockstep: a " + left + " against a " + right);
    return transfer;
  }
  LoggingBus& left_;
  std::deque<Transfer>& log_;
};

// Between two calls no transfer is left over.
struct Both : ForwardingSnapshot {
  Both(std::shared_ptr<const Snapshot> left, std::shared_ptr<const Snapshot> right, Lockstep::State lockstep,
       std::vector<LinkEvent> left_on_links)
      : ForwardingSnapshot(std::move(left)),
        right(std::move(right)),
        lockstep(std::move(lockstep)),
        link_out(std::move(left_on_links)) {}
  size_t bytes() const override { return inner->bytes() + right->bytes() + lockstep.bytes(); }

  const std::shared_ptr<const Snapshot> right;
  Lockstep::State lockstep;
  std::vector<LinkEvent> link_out;
};

std::string describe(const std::vector<LinkEvent>& events, size_t i) {
  if (i >= events.size()) return "nothing more";
  const LinkEvent& e = events[i];
  if (!e.word) return fmt::format("a credit of layer {} on channel {} in cycle {}", e.layer, e.channel, e.cycle);
  return fmt::format("word {:#010x} of layer {}{}{} on channel {} in cycle {}", e.word->data, e.word->layer,
                     e.word->last ? ", the last," : "", e.word->bad ? " bad" : "", e.channel, e.cycle);
}

// In what is only asked the left chip answers for both.
class LockstepChip : public ForwardingChip {
 public:
  LockstepChip(std::unique_ptr<Chip> left, std::unique_ptr<Chip> right, Lockstep::Names names)
      : ForwardingChip(std::move(left)), right_(std::move(right)), names_(std::move(names)) {
    begin();
    chip_->attach(&bus_);
    right_->attach(&replay_);
  }

  void attach(HostBus* bus) override { bus_.bus = bus; }
  void observe(Observer* observer) override {
    observer_ = observer;
    watch();
  }

  Stop run(uint64_t limit, uint64_t budget) override {
    const Stop stop = chip_->run(limit, budget);
    const Stop other = run_right(limit, budget);
    check_records();
    check("reason of the stop", static_cast<uint64_t>(stop.reason), static_cast<uint64_t>(other.reason));
    check("cycle of the stop", stop.cycle, other.cycle);
    check("tile of the stop", stop.tile, other.tile);
    check("consensus of the stop", stop.consensus, other.consensus);
    check("zone of the stop", stop.zone, other.zone);
    check("host transfers left over", bus_.log.size(), 0);
    if (linked_) take_links();
    return stop;
  }
  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) override {
    chip_->join(chip, tables, grouped);
    right_->join(chip, tables, grouped);
    linked_ = true;
  }
  void group_answer(uint64_t cycle, bool consensus) override {
    chip_->group_answer(cycle, consensus);
    right_->group_answer(cycle, consensus);
  }
  void link_in(const LinkEvent& event) override {
    chip_->link_in(event);
    right_->link_in(event);
  }
  std::vector<LinkEvent> link_out() override {
    take_links();
    return std::exchange(link_out_, {});
  }
  void expect_links(uint64_t known) override {
    chip_->expect_links(known);
    right_->expect_links(known);
  }
  void mark(uint64_t cycle, uint16_t value) override {
    chip_->mark(cycle, value);
    right_->mark(cycle, value);
  }
  void debug_write(unsigned tile, DebugSpace space, unsigned context, uint32_t address, uint32_t data) override {
    chip_->debug_write(tile, space, context, address, data);
    right_->debug_write(tile, space, context, address, data);
    check_refusal();
  }
  uint32_t debug_read(unsigned tile, DebugSpace space, unsigned context, uint32_t address) override {
    const uint32_t data = chip_->debug_read(tile, space, context, address);
    check("debug read", data, right_->debug_read(tile, space, context, address));
    check_refusal();
    return data;
  }
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override {
    chip_->load(tile, address, words);
    right_->load(tile, address, words);
    check_refusal();
  }
  ExceptionStatus exception(unsigned tile) const override {
    const auto status = chip_->exception(tile), other = right_->exception(tile);
    check("exception cause", status.cause, other.cause);
    check("exception context", status.context, other.context);
    check("exception pc", status.pc, other.pc);
    check("exception value", status.value, other.value);
    check("exception cycle", status.cycle, other.cycle);
    return status;
  }
  // While the chips run this is the left one's alone: the right one is not there yet.
  uint64_t memory_hash() const override {
    const uint64_t hash = chip_->memory_hash();
    if (chip_->cycle() == right_->cycle()) check("memory hash", hash, right_->memory_hash());
    return hash;
  }
  void flip(const Flip& flip) override {
    Flip one = flip;
    one.side = FlipSide::kBoth;
    if (flip.side != FlipSide::kSecond) chip_->flip(one);
    if (flip.side != FlipSide::kFirst) right_->flip(one);
  }
  void stop_at_superstep(uint64_t index) override {
    chip_->stop_at_superstep(index);
    right_->stop_at_superstep(index);
  }
  std::shared_ptr<const Snapshot> snapshot() const override {
    return std::make_shared<Both>(chip_->snapshot(), right_->snapshot(), lockstep_->state(), link_out_);
  }
  void restore(const Snapshot& snapshot) override {
    const auto* both = dynamic_cast<const Both*>(&snapshot);
    if (both == nullptr) throw std::logic_error("restore: the snapshot is of no pair of chips");
    chip_->restore(*both->inner);
    right_->restore(*both->right);
    lockstep_->set_state(both->lockstep);
    link_out_ = both->link_out;
    bus_.log.clear();
  }
  void put(const Checkpoint& checkpoint) override {
    chip_->put(checkpoint);
    right_->put(checkpoint);
    bus_.log.clear();
    begin();
  }
  void reset() override {
    chip_->reset();
    right_->reset();
    bus_.log.clear();
    begin();
  }

 private:
  void begin() {
    link_out_.clear();
    lockstep_ = std::make_unique<Lockstep>(machine().tiles(), names_);
    watch();
    right_->observe(&lockstep_->right());
  }
  void watch() {
    fan_.set({&lockstep_->left(), observer_});
    chip_->observe(&fan_);
  }
  // What has left both, which is known once both have run.
  void take_links() {
    const std::vector<LinkEvent> left = chip_->link_out(), right = right_->link_out();
    for (size_t i = 0; i < std::max(left.size(), right.size()); ++i)
      if (const std::string one = describe(left, i), other = describe(right, i); one != other)
        throw LockstepDifference(
            fmt::format("lockstep: what leaves on links: {} {}, {} {}", names_.left, one, names_.right, other));
    link_out_.insert(link_out_.end(), left.begin(), left.end());
  }
  Stop run_right(uint64_t limit, uint64_t budget) {
    try {
      return right_->run(limit, budget);
    } catch (const LockstepDifference&) {
      check_records();  // a record tells more than the transfer that it led to
      throw;
    }
  }
  void check_records() const {
    if (lockstep_->differs()) throw LockstepDifference(lockstep_->report(), lockstep_->difference());
  }
  void check_refusal() const { check("refusal of a debug access", chip_->access_refused(), right_->access_refused()); }
  void check(const char* what, uint64_t left, uint64_t right) const {
    if (left != right)
      throw LockstepDifference(
          fmt::format("lockstep: {}: {} {:#x}, {} {:#x}", what, names_.left, left, names_.right, right));
  }

  const std::unique_ptr<Chip> right_;
  const Lockstep::Names names_;
  LoggingBus bus_;
  ReplayingBus replay_{bus_};
  Observer* observer_ = nullptr;
  ObserverFan fan_{machine().tiles()};
  std::unique_ptr<Lockstep> lockstep_;
  bool linked_ = false;
  std::vector<LinkEvent> link_out_;  // that nobody has asked for yet
};

}  // namespace

std::unique_ptr<Chip> make_lockstep_chip(std::unique_ptr<Chip> left, std::unique_ptr<Chip> right,
                                         Lockstep::Names names) {
  return std::make_unique<LockstepChip>(std::move(left), std::move(right), std::move(names));
}

}  // namespace tessera::chip
