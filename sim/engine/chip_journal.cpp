#include "sim/engine/chip_journal.h"

#include <algorithm>
#include <stdexcept>

#include "sim/port/forwarding_chip.h"

namespace tessera::chip {
namespace {

using Call = ChipJournal::Call;

class JournalChip : public ForwardingChip, private HostBus {
 public:
  JournalChip(std::unique_ptr<Chip> chip, std::shared_ptr<ChipJournal> journal)
      : ForwardingChip(std::move(chip)), journal_(std::move(journal)) {
    chip_->attach(this);
  }

  void attach(HostBus* bus) override { bus_ = bus; }

  Stop run(uint64_t limit, uint64_t budget) override {
    auto& entries = journal_->entries;
    if (!entries.empty() && entries.back().call == Call::kRun && entries.back().budget == budget)
      entries.back().cycle = std::max(entries.back().cycle, limit);  // cuts make no difference
    else
      entries.push_back({.call = Call::kRun, .cycle = limit, .budget = budget, .words = {}});
    return chip_->run(limit, budget);
  }
  void mark(uint64_t cycle, uint16_t value) override {
    journal_->entries.push_back({.call = Call::kMark, .data = value, .cycle = cycle, .words = {}});
    chip_->mark(cycle, value);
  }
  void debug_write(unsigned tile, DebugSpace space, unsigned context, uint32_t address, uint32_t data) override {
    journal_->entries.push_back({Call::kDebugWrite, tile, context, space, address, data, 0, 0, {}});
    chip_->debug_write(tile, space, context, address, data);
  }
  uint32_t debug_read(unsigned tile, DebugSpace space, unsigned context, uint32_t address) override {
    journal_->entries.push_back({Call::kDebugRead, tile, context, space, address, 0, 0, 0, {}});
    return chip_->debug_read(tile, space, context, address);
  }
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override {
    journal_->entries.push_back({.call = Call::kLoad, .tile = tile, .address = address, .words = kept(words)});
    chip_->load(tile, address, words);
  }

  void reset() override {
    *journal_ = {};
    chip_->reset();
  }
  std::shared_ptr<const Snapshot> snapshot() const override {
    return std::make_shared<Kept>(chip_->snapshot(), *journal_);
  }
  void restore(const Snapshot& snapshot) override {
    const auto* kept = dynamic_cast<const Kept*>(&snapshot);
    if (kept == nullptr) throw std::logic_error("restore: the snapshot is not of a chip with a journal");
    chip_->restore(*kept->chip);
    *journal_ = kept->journal;
  }

 private:
  struct Kept : Snapshot {
    Kept(std::shared_ptr<const Snapshot> of_chip, const ChipJournal& done) : chip(std::move(of_chip)), journal(done) {}
    uint64_t cycle() const override { return chip->cycle(); }
    uint64_t superstep() const override { return chip->superstep(); }
    size_t bytes() const override {
      return chip->bytes() + journal.entries.size() * sizeof(ChipJournal::Entry) +
             journal.reads.size() * sizeof(ChipJournal::HostRead);
    }
    std::shared_ptr<const Snapshot> chip;
    ChipJournal journal;
  };
  static ChipJournal::Words kept(std::span<const uint32_t> words) {
    return std::make_shared<const std::vector<uint32_t>>(words.begin(), words.end());
  }

  void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) override {
    if (bus_ != nullptr) bus_->write(cycle, host_address, words);
  }
  uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) override {
    const uint64_t arrival = bus_ != nullptr ? bus_->read(cycle, host_address, words) : cycle;
    journal_->reads.push_back({arrival, kept(words)});
    return arrival;
  }

  std::shared_ptr<ChipJournal> journal_;
  HostBus* bus_ = nullptr;
};

struct JournalEnded {};

class ReplayBus : public HostBus {
 public:
  explicit ReplayBus(const std::vector<ChipJournal::HostRead>& reads) : reads_(reads) {}
  void write(uint64_t, uint32_t, std::span<const uint32_t>) override {}
  uint64_t read(uint64_t, uint32_t, std::span<uint32_t> words) override {
    if (next_ == reads_.size() || reads_[next_].words->size() != words.size()) throw JournalEnded();
    const ChipJournal::HostRead& given = reads_[next_++];
    std::copy(given.words->begin(), given.words->end(), words.begin());
    return given.arrival;
  }

 private:
  const std::vector<ChipJournal::HostRead>& reads_;
  size_t next_ = 0;
};

}  // namespace

void ChipJournal::replay(Chip& chip) const {
  ReplayBus bus(reads);
  chip.attach(&bus);
  try {
    for (const Entry& e : entries) {
      switch (e.call) {
        case Call::kRun:
          chip.run(e.cycle, e.budget);
          break;
        case Call::kMark:
          chip.mark(e.cycle, static_cast<uint16_t>(e.data));
          break;
        case Call::kDebugWrite:
          chip.debug_write(e.tile, e.space, e.context, e.address, e.data);
          break;
        case Call::kDebugRead:
          chip.debug_read(e.tile, e.space, e.context, e.address);
          break;
        case Call::kLoad:
          chip.load(e.tile, e.address, *e.words);
          break;
      }
    }
  } catch (const JournalEnded&) {
    // What was to be seen lies before.
  }
  chip.attach(nullptr);
}

std::unique_ptr<Chip> make_journal_chip(std::unique_ptr<Chip> chip, std::shared_ptr<ChipJournal> journal) {
  return std::make_unique<JournalChip>(std::move(chip), std::move(journal));
}

}  // namespace tessera::chip
