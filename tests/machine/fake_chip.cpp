#include "fake_chip.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "formats/fnv.h"

namespace tessera::test {

using chip::StopReason;

uint32_t& FakeChip::word(unsigned tile, uint32_t address) {
  if (tile >= machine_.tiles() || address < machine_.memory_base || address >= machine_.memory_end() || address % 4)
    throw std::out_of_range("fake chip: no such word");
  return memory_[{tile, address}];
}

chip::Stop FakeChip::run(uint64_t limit, uint64_t) {
  for (;;) {
    if (cycle_ >= limit) return {StopReason::kLimit, cycle_, chip::kNoTile};
    const uint32_t at = machine_.memory_base + 16 * step_++;
    const auto what = static_cast<Step>(word(0, at));
    const uint32_t a = word(0, at + 4), b = word(0, at + 8), c = word(0, at + 12);
    cycle_ += kStepCycles;
    switch (what) {
      case Step::kHalt:
        return {StopReason::kHalted, cycle_, chip::kNoTile};
      case Step::kHostWrite: {
        std::vector<uint32_t> words;
        for (uint32_t i = 0; i < b; ++i) words.push_back(word(0, c + 4 * i));
        if (!bus_->reaches(cycle_, a, b, true))
          return {StopReason::kRefused, cycle_, 0, chip::Refusal{cycle_, cycle_, 0, true, false, a, b}};
        bus_->write(cycle_, a, words);
        break;
      }
      case Step::kHostRead: {
        std::vector<uint32_t> words(b);
        if (!bus_->reaches(cycle_, a, b, false))
          return {StopReason::kRefused, cycle_, 0, chip::Refusal{cycle_, cycle_, 0, false, false, a, b}};
        cycle_ = bus_->read(cycle_, a, words);
        arrivals.push_back(cycle_);
        for (uint32_t i = 0; i < b; ++i) word(0, c + 4 * i) = words[i];
        break;
      }
      case Step::kHostSync:
        if (observer_ != nullptr) observer_->superstep(supersteps_, cycle_);
        ++supersteps_;
        return {StopReason::kHostSync, cycle_, chip::kNoTile};
      case Step::kSpin:
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
      case Step::kExcept:
        exceptions_[b] = {static_cast<uint8_t>(a), 0, at, 0, cycle_};
        return {StopReason::kException, cycle_, b};
      case Step::kDeadlock:
        return {StopReason::kDeadlock, cycle_, chip::kNoTile};
      case Step::kBudget:
        return {StopReason::kBudget, cycle_, 0};
      case Step::kDie:
        std::abort();
      case Step::kAgain:
        step_ = 0;
    }
  }
}

void FakeChip::mark(uint64_t cycle, uint16_t value) {
  marks.emplace_back(cycle, value);
  word(0, word(0, machine_.memory_base + 16 * (step_ - 1) + 4)) = value;
  cycle_ = cycle;
}

void FakeChip::debug_write(unsigned tile, chip::DebugSpace space, unsigned, uint32_t address, uint32_t data) {
  ++cycle_;
  if (space == chip::DebugSpace::kMemory) load(tile, address, std::span(&data, 1));
}

uint32_t FakeChip::debug_read(unsigned tile, chip::DebugSpace space, unsigned, uint32_t address) {
  cycle_ += 4;
  return space == chip::DebugSpace::kMemory ? word(tile, address) : 0;
}

void FakeChip::load(unsigned tile, uint32_t address, std::span<const uint32_t> words) {
  const unsigned first = tile == chip::kNoTile ? 0 : tile;
  const unsigned last = tile == chip::kNoTile ? machine_.tiles() - 1 : tile;
  if (observer_ != nullptr) observer_->loaded(tile, cycle_, address, words);
  for (unsigned t = first; t <= last; ++t)
    for (size_t i = 0; i < words.size(); ++i) word(t, address + 4 * static_cast<uint32_t>(i)) = words[i];
}

chip::ExceptionStatus FakeChip::exception(unsigned tile) const {
  const auto found = exceptions_.find(tile);
  return found == exceptions_.end() ? chip::ExceptionStatus{} : found->second;
}

std::vector<chip::TileWait> FakeChip::waits() const {
  return {{0, "waits at internal sync", 0x4c010, 0, {}}, {1, "computing", 0x4c020, 3, {1, 2}}};
}

uint64_t FakeChip::memory_hash() const {
  formats::Fnv hash;
  for (const auto& [place, value] : memory_) hash.number(place.first).number(place.second).number(value);
  return hash.value();
}

void FakeChip::reset() {
  memory_.clear();
  exceptions_.clear();
  cycle_ = supersteps_ = step_ = 0;
}

}  // namespace tessera::test
