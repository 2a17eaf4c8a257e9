// A block: the events of one superstep, of several short ones, or of a part of a long one. It is read without the
// others, but for the text that earlier blocks have told (tile_text.h).
#pragma once

#include <memory>
#include <vector>

#include "inspect/trace/compression.h"
#include "inspect/trace/event.h"
#include "inspect/trace/retire_lane.h"
#include "inspect/trace/word_lane.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::trace {

// What is gathered of one tile, or (tile = chip::kNoTile) of the chip.
struct TileEvents {
  TileEvents(uint32_t id, bool registers);
  void clear();
  void add(const Event& e) { events[e.lane - kLanePorts].push_back(e); }

  uint32_t tile;
  uint64_t gathered = 0;               // records and words
  bool empty = true;                   // nothing at all is there
  std::vector<RetireEncoder> retires;  // a context
  std::array<WordLane, kLanePorts - kLaneSent> words;
  std::array<std::vector<Event>, kLanes - kLanePorts> events;
  TileText text;

  WordLane& lane(Lane l) { return words[l - kLaneSent]; }
};

class BlockEncoder {
 public:
  // The machine must outlive it.
  explicit BlockEncoder(const spec::Machine& machine) : machine_(machine) {}
  // The body of a block record. Empties the tiles' lanes, even when it throws.
  Bytes encode(const BlockInfo&, std::vector<std::unique_ptr<TileEvents>>&);

 private:
  const spec::Machine& machine_;
  std::array<Bytes, kSections> sections_;  // of the block under way; their memory is used again
  Compressor compressor_;
};

class Block {
 public:
  // Decompresses. `tiles`: those of the file, the chip last. Throws DamagedBytes.
  Block(const spec::Machine&, std::span<const uint8_t> body, const std::vector<uint32_t>& tiles, bool registers);

  const BlockInfo& info() const { return info_; }
  // Adds what the block tells to the text of its tiles, in their order. Before any of the following.
  void add_text(std::vector<TileText>& text) const;

  // Of tile number `index` of the file's tiles.
  RetireDecoder retires(size_t index, unsigned context, const TileText& text) const;
  const WordLane& words(size_t index, Lane) const;  // decoded when first asked for
  std::vector<Event> events(size_t index, uint8_t lane) const;

 private:
  struct Slice {
    uint64_t begin = 0, bytes = 0;
  };
  struct TileSlices {
    Slice text;
    std::array<std::array<Slice, 3>, kContexts> retires;
    std::array<std::array<Slice, 2>, kLanePorts - kLaneSent> words;
    std::array<Slice, kLanes - kLanePorts> events;
    mutable std::array<std::unique_ptr<WordLane>, kLanePorts - kLaneSent> decoded;
  };
  ByteReader slice(Section section, const Slice& s) const {
    return ByteReader(std::span(sections_[section]).subspan(s.begin, s.bytes));
  }

  const spec::Machine& machine_;
  const std::vector<uint32_t>& tiles_;
  bool registers_;
  BlockInfo info_;
  std::array<Bytes, kSections> sections_;
  std::vector<TileSlices> slices_;
};

// Of a block's body, without decompressing it.
BlockInfo block_info(std::span<const uint8_t> body);
// Only the text of a block that is skipped.
void add_text(std::span<const uint8_t> body, std::vector<TileText>& text);

}  // namespace tessera::inspect::trace
