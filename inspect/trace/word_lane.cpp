#include "inspect/trace/word_lane.h"

#include <algorithm>

namespace tessera::inspect::trace {
namespace {

constexpr uint64_t kElsewhere = 1, kBegins = 2, kEnds = 4;
constexpr unsigned kFlagBits = 3;
constexpr uint64_t kMostWords = 1u << 28;  // of a run: more than any block has

}  // namespace

bool WordLane::gather(uint64_t cycle, uint32_t count, std::vector<uint32_t>& words) const {
  words.clear();
  auto run =
      std::upper_bound(runs_.begin(), runs_.end(), cycle, [](uint64_t c, const WordRun& r) { return c < r.cycle; });
  if (run == runs_.begin()) return false;
  for (--run; run != runs_.end() && words.size() < count; ++run) {
    const uint64_t next = cycle + words.size();
    if (next < run->cycle || next >= run->cycle + run->count) return false;
    const auto begin = static_cast<uint32_t>(next - run->cycle);
    const auto end = static_cast<uint32_t>(std::min<uint64_t>(run->count, begin + count - words.size()));
    words.insert(words.end(), words_.begin() + run->first + begin, words_.begin() + run->first + end);
  }
  return words.size() == count;
}

void WordLane::encode(Bytes& runs, Bytes& words, const Elsewhere& elsewhere) const {
  uint64_t cycle = 0, place = 0;
  std::vector<uint32_t> known;
  for (const WordRun& run : runs_) {
    const bool found =
        elsewhere && elsewhere(run, known) && std::equal(known.begin(), known.end(), words_.begin() + run.first);
    put_signed(runs, static_cast<int64_t>(run.cycle - cycle));
    put_signed(runs, static_cast<int64_t>(run.place - place));
    put_varint(runs, uint64_t{run.count} << kFlagBits | (found ? kElsewhere : 0) | (run.packet_begins ? kBegins : 0) |
                         (run.packet_ends ? kEnds : 0));
    if (!found)
      for (uint32_t i = 0; i < run.count; ++i) put_low(words, words_[run.first + i], 4);
    cycle = run.cycle + run.count;
    place = run.place;
  }
}

WordLane WordLane::decode(ByteReader runs, ByteReader words, const Elsewhere& elsewhere) {
  WordLane lane;
  uint64_t cycle = 0, place = 0;
  std::vector<uint32_t> known;
  while (!runs.empty()) {
    WordRun run;
    run.cycle = cycle + static_cast<uint64_t>(runs.signed_varint());
    run.place = place + static_cast<uint64_t>(runs.signed_varint());
    const uint64_t packed = runs.varint();
    if (packed >> kFlagBits > kMostWords) throw DamagedBytes("it holds a run of too many words");
    run.count = static_cast<uint32_t>(packed >> kFlagBits);
    run.packet_begins = (packed & kBegins) != 0;
    run.packet_ends = (packed & kEnds) != 0;
    run.first = static_cast<uint32_t>(lane.words_.size());
    if (packed & kElsewhere) {
      if (!elsewhere || !elsewhere(run, known) || known.size() != run.count)
        throw DamagedBytes("it refers to words that it does not hold");
      lane.words_.insert(lane.words_.end(), known.begin(), known.end());
    } else {
      for (uint32_t i = 0; i < run.count; ++i) lane.words_.push_back(static_cast<uint32_t>(words.low(4)));
    }
    lane.runs_.push_back(run);
    cycle = run.cycle + run.count;
    place = run.place;
  }
  if (!words.empty()) throw DamagedBytes("it holds more words than its runs");
  return lane;
}

}  // namespace tessera::inspect::trace
