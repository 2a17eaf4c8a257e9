// What flows in a run, as counters of a picture: workers in vertices, words on the exchange, bytes of memory touched.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "inspect/trace/event.h"

namespace tessera::inspect::trace {

class Traffic {
 public:
  // Counters have a new value from `cycle` on. tile: chip::kNoTile: of the chip. One counter may have several series.
  struct Change {
    uint32_t tile = 0;
    uint64_t cycle = 0;
    const char* counter = "";
    const char* series = "";
    uint64_t value = 0;
  };
  using Sink = std::function<void(const Change&)>;

  // The first superstep seen begins in `begin`.
  Traffic(uint64_t begin, Sink sink) : sink_(std::move(sink)), superstep_begin_(begin), cycle_(begin) {}

  void add(const Event&);  // in the order of time
  void end(uint64_t cycle);

 private:
  struct Bytes {
    uint64_t read = 0, written = 0;
    bool operator==(const Bytes&) const = default;
  };
  struct Words {
    uint64_t sent = 0, received = 0;
    bool operator==(const Words&) const = default;
  };
  struct Tile {
    uint64_t workers = 0, told_workers = 0;
    Words words, told_words;
    Bytes bytes;
    std::optional<Bytes> told_bytes;
    bool changed = false;  // workers or words
  };
  void until(uint64_t cycle);
  void tell_tiles();
  void end_superstep(uint64_t next);

  const Sink sink_;
  std::map<uint32_t, Tile> tiles_;  // the chip as chip::kNoTile
  uint64_t superstep_begin_, cycle_;
  uint64_t words_now_ = 0, told_words_now_ = 0;  // received by all tiles in cycle_
};

}  // namespace tessera::inspect::trace
