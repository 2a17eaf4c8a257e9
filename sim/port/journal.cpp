#include "sim/port/journal.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera::chip {
namespace {

constexpr unsigned kReadCycles = 4;  // of a debug read (docs/reference/edge.md)

}  // namespace

// Host and remote memory as they were.
class Journal::Answers : public HostBus {
 public:
  Answers(const Journal& journal, Place& place) : journal_(journal), place_(place) {}

  bool reaches(uint64_t cycle, uint32_t address, size_t words, bool write) override {
    return !journal_.refusals_.contains({cycle, address, words, write, false});
  }
  bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override {
    return !journal_.refusals_.contains({cycle, address, words, write, true});
  }
  void write(uint64_t, uint32_t, std::span<const uint32_t>) override {}
  void remote_write(uint64_t, unsigned, uint64_t, std::span<const uint32_t>) override {}
  uint64_t read(uint64_t, uint32_t, std::span<uint32_t> words) override { return answer(words); }
  uint64_t remote_read(uint64_t, unsigned, uint64_t, std::span<uint32_t> words) override { return answer(words); }

 private:
  uint64_t answer(std::span<uint32_t> words) {
    const HostAnswer* given = next();
    if (given == nullptr || given->words.size() != words.size())
      throw std::logic_error("the past does not repeat itself: another read of host or remote memory");
    ++place_.answer;
    std::copy(given->words.begin(), given->words.end(), words.begin());
    return given->cycle;
  }
  const HostAnswer* next() const {
    if (place_.answer >= journal_.end().answer) return nullptr;
    return &journal_.answers_[place_.answer - journal_.first_.answer];
  }

  const Journal& journal_;
  Place& place_;
};

void Journal::add(Entry entry) {
  if (entry.call == Call::kDebugRead && end().entry > sealed_ && !entries_.empty()) {
    Entry& last = entries_.back();
    const bool alike = last.call == entry.call && last.tile == entry.tile && last.space == entry.space &&
                       last.context == entry.context && entry.at == last.at + uint64_t{kReadCycles} * last.count;
    const uint32_t step = last.count == 1 ? entry.address - last.address : last.data;
    if (alike && entry.address == last.address + last.count * step) {
      last.data = step;
      ++last.count;
      return;
    }
  }
  bytes_ += size_of(entry);
  entries_.push_back(std::move(entry));
}

void Journal::add(HostAnswer answer) {
  bytes_ += size_of(answer);
  answers_.push_back(std::move(answer));
}

Journal::Place Journal::seal() {
  sealed_ = end().entry;
  return end();
}

void Journal::clear() {
  const bool linked = linked_;
  *this = {};
  linked_ = linked;
}

void Journal::apply(Place& place, Chip& chip, uint64_t until) const {
  const Entry& e = entry(place.entry);
  switch (e.call) {
    case Call::kMark:
      chip.mark(e.cycle, static_cast<uint16_t>(e.data));
      break;
    case Call::kGroupAnswer:
      chip.group_answer(e.cycle, e.data != 0);
      break;
    case Call::kDebugWrite:
      chip.debug_write(e.tile, e.space, e.context, e.address, e.data);
      break;
    case Call::kDebugRead:
      while (place.part < e.count && chip.cycle() + kReadCycles <= until)
        chip.debug_read(e.tile, e.space, e.context, e.address + place.part++ * e.data);
      if (place.part < e.count) return;
      break;
    case Call::kLoad: {
      const auto left = std::span(e.words).subspan(place.part);
      const size_t now = std::min<uint64_t>(left.size(), until - chip.cycle());
      chip.load(e.tile, e.address + 4 * place.part, left.first(now));
      place.part += static_cast<uint32_t>(now);
      if (now < left.size()) return;
      break;
    }
  }
  ++place.entry;
  place.part = 0;
}

std::optional<Journal::HostSync> Journal::host_sync_before(uint64_t cycle) const {
  for (auto e = entries_.rbegin(); e != entries_.rend(); ++e)
    if (e->call == Call::kMark && e->at <= cycle) return HostSync{e->at, e->cycle};
  return std::nullopt;
}

void Journal::replay(Place& place, Chip& chip, uint64_t cycle, HostBus* bus) const {
  struct Attached {
    Attached(Chip& chip, HostBus* now, HostBus* then) : chip(chip), then(then) { chip.attach(now); }
    ~Attached() { chip.attach(then); }
    Chip& chip;
    HostBus* then;
  };
  Answers answers(*this, place);
  const Attached attached(chip, &answers, bus);
  const auto give_links = [&](uint64_t until) {
    for (; place.link < end().link; ++place.link) {
      const LinkInput& input = link_inputs_[place.link - first_.link];
      if (input.at >= until) break;
      chip.link_in(input.event);
    }
  };
  const auto advance = [&](uint64_t to) {
    give_links(to);
    if (linked_) chip.expect_links(to);
    if (chip.cycle() >= to) return;
    chip.run(to, 0);
    // At its group's sync it stops first, and goes on with what is on channels.
    if (linked_ && chip.cycle() < to) chip.run(to, 0);
    if (linked_) chip.link_out();
    if (chip.cycle() != to)
      throw std::logic_error("the past does not repeat itself: the chip stops at cycle " +
                             std::to_string(chip.cycle()) + " on its way to " + std::to_string(to));
  };
  while (place.entry < end().entry) {
    const Entry& next = entry(place.entry);
    if (next.at >= cycle) break;
    advance(next.at);
    give_links(next.at + 1);  // what comes while an access takes its cycles
    const uint64_t before = place.entry;
    apply(place, chip, cycle);
    if (place.entry == before) return;  // in the middle of its accesses
  }
  advance(cycle);
}

void Journal::forget_before(const Place& place) {
  while (first_.entry < place.entry) {
    bytes_ -= size_of(entries_.front());
    entries_.pop_front();
    ++first_.entry;
  }
  while (first_.link < place.link) {
    bytes_ -= sizeof(LinkInput);
    link_inputs_.pop_front();
    ++first_.link;
  }
  while (first_.answer < place.answer) {
    bytes_ -= size_of(answers_.front());
    answers_.pop_front();
    ++first_.answer;
  }
}

void Journal::forget_after(const Place& place, uint64_t cycle) {
  while (end().link > place.link) {
    bytes_ -= sizeof(LinkInput);
    link_inputs_.pop_back();
  }
  std::erase_if(refusals_, [cycle](const HostRefusal& refusal) { return refusal.cycle > cycle; });
  while (end().entry > place.entry + (place.part > 0 ? 1 : 0)) {
    bytes_ -= size_of(entries_.back());
    entries_.pop_back();
  }
  while (end().answer > place.answer) {
    bytes_ -= size_of(answers_.back());
    answers_.pop_back();
  }
  if (place.part == 0) return;
  Entry& last = entries_.back();
  bytes_ -= size_of(last);
  if (last.call == Call::kLoad)
    last.words.resize(place.part);
  else
    last.count = place.part;
  bytes_ += size_of(last);
}

}  // namespace tessera::chip
