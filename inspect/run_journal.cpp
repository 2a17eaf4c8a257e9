#include "inspect/run_journal.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::inspect {
namespace {

constexpr unsigned kReadCycles = 4;  // of a debug read (docs/reference/edge.md)

}  // namespace

void RunJournal::add(Entry entry) {
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

void RunJournal::add(HostRead read) {
  bytes_ += size_of(read);
  reads_.push_back(std::move(read));
}

RunJournal::Place RunJournal::seal() {
  sealed_ = end().entry;
  return end();
}

void RunJournal::clear() { *this = {}; }

void RunJournal::apply(Place& place, chip::Chip& chip, uint64_t until) const {
  const Entry& e = entry(place.entry);
  switch (e.call) {
    case Call::kMark:
      chip.mark(e.cycle, static_cast<uint16_t>(e.data));
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

void RunJournal::forget_before(const Place& place) {
  while (first_.entry < place.entry) {
    bytes_ -= size_of(entries_.front());
    entries_.pop_front();
    ++first_.entry;
  }
  while (first_.read < place.read) {
    bytes_ -= size_of(reads_.front());
    reads_.pop_front();
    ++first_.read;
  }
}

void RunJournal::forget_after(const Place& place) {
  while (end().entry > place.entry + (place.part > 0 ? 1 : 0)) {
    bytes_ -= size_of(entries_.back());
    entries_.pop_back();
  }
  while (end().read > place.read) {
    bytes_ -= size_of(reads_.back());
    reads_.pop_back();
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

}  // namespace tessera::inspect
