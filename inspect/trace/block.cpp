#include "inspect/trace/block.h"

#include <algorithm>

#include "inspect/trace/compression.h"
#include "inspect/trace/event_lane.h"

namespace tessera::inspect::trace {
namespace {

// The order in which sections are written: text lies in front, so that it can be had without the rest.
constexpr std::array<Section, kSections> kOrder = {kSectionText,      kSectionSizes, kSectionRetire, kSectionStores,
                                                   kSectionRegisters, kSectionRuns,  kSectionWords,  kSectionEvents};

// Where the words of a lane stand already: exchange words at their sender, written ones at the port they came by.
// lane_of(tile, lane) gives null for a tile that is not in the file.
template <class LaneOf>
WordLane::Elsewhere elsewhere(const spec::Machine& machine, uint32_t tile, Lane lane, const LaneOf& lane_of) {
  switch (lane) {
    case kLaneReceived:
      return [&machine, tile, lane_of](const WordRun& run, std::vector<uint32_t>& words) {
        if (run.place >= machine.tiles() || tile >= machine.tiles()) return false;
        const WordLane* sent = lane_of(static_cast<uint32_t>(run.place), kLaneSent);
        const unsigned latency = machine.latency(static_cast<unsigned>(run.place), tile);
        return sent != nullptr && run.cycle >= latency && sent->gather(run.cycle - latency, run.count, words);
      };
    case kLaneExchangeWrite:
    case kLanePacketWrite: {
      const Lane input = lane == kLaneExchangeWrite ? kLaneReceived : kLanePacketIn;
      return [tile, input, lane_of](const WordRun& run, std::vector<uint32_t>& words) {
        const WordLane* in = lane_of(tile, input);
        return in != nullptr && in->gather(run.cycle, run.count, words);
      };
    }
    default:
      return nullptr;
  }
}

void put_info(Bytes& out, const BlockInfo& info) {
  put_varint(out, info.chip);
  put_varint(out, info.first_superstep);
  put_varint(out, info.last_superstep - info.first_superstep);
  put_varint(out, info.first_cycle);
  put_varint(out, info.end_cycle - info.first_cycle);
  put_varint(out, info.keep_from);
  put_varint(out, ~info.keep_to);
  put_varint(out, info.retired);
}

BlockInfo take_info(ByteReader& in) {
  BlockInfo info;
  info.chip = static_cast<uint32_t>(in.varint());
  info.first_superstep = in.varint();
  info.last_superstep = info.first_superstep + in.varint();
  info.first_cycle = in.varint();
  info.end_cycle = info.first_cycle + in.varint();
  info.keep_from = in.varint();
  info.keep_to = ~in.varint();
  info.retired = in.varint();
  return info;
}

}  // namespace

TileEvents::TileEvents(uint32_t id, bool registers) : tile(id) {
  for (unsigned context = 0; context < kContexts; ++context) retires.emplace_back(context, registers);
}

void TileEvents::clear() {
  gathered = 0;
  empty = true;
  for (RetireEncoder& encoder : retires) encoder.clear();
  for (WordLane& words_of : words) words_of.clear();
  for (auto& list : events) list.clear();
}

Bytes BlockEncoder::encode(const BlockInfo& info, std::vector<std::unique_ptr<TileEvents>>& tiles) {
  for (Bytes& section : sections_) section.clear();
  const auto lane_of = [&tiles](uint32_t tile, Lane lane) -> const WordLane* {
    const auto found =
        std::lower_bound(tiles.begin(), tiles.end(), tile, [](const auto& t, uint32_t id) { return t->tile < id; });
    return found == tiles.end() || (*found)->tile != tile ? nullptr : &(*found)->lane(lane);
  };
  const auto append = [this](Section to, const Bytes& bytes) {
    sections_[to].insert(sections_[to].end(), bytes.begin(), bytes.end());
    put_varint(sections_[kSectionSizes], bytes.size());
  };
  for (const auto& tile : tiles) {
    Bytes text;
    tile->text.take_section(text);
    append(kSectionText, text);
    for (RetireEncoder& encoder : tile->retires) {
      encoder.end();
      append(kSectionRetire, encoder.misses);
      append(kSectionStores, encoder.stores);
      append(kSectionRegisters, encoder.registers);
    }
    for (unsigned lane = kLaneSent; lane < kLanePorts; ++lane) {
      Bytes runs, words;
      const auto which = static_cast<Lane>(lane);
      tile->lane(which).encode(runs, words, elsewhere(machine_, tile->tile, which, lane_of));
      append(kSectionRuns, runs);
      append(kSectionWords, words);
    }
    for (const auto& list : tile->events) {
      Bytes events;
      encode_events(list, events);
      append(kSectionEvents, events);
    }
  }
  for (const auto& tile : tiles) tile->clear();
  Bytes body;
  put_info(body, info);
  for (const Section section : kOrder) compressor_.put(body, sections_[section]);
  return body;
}

Block::Block(const spec::Machine& machine, std::span<const uint8_t> body, const std::vector<uint32_t>& tiles,
             bool registers)
    : machine_(machine), tiles_(tiles), registers_(registers) {
  ByteReader in(body);
  info_ = take_info(in);
  for (const Section section : kOrder) sections_[section] = take_compressed(in);
  if (!in.empty()) throw DamagedBytes("it holds more than its sections");
  ByteReader sizes(sections_[kSectionSizes]);
  std::array<uint64_t, kSections> used{};
  const auto next = [&](Section section) {
    const Slice s{used[section], sizes.varint()};
    if (s.bytes > sections_[section].size() - s.begin) throw DamagedBytes("its lanes are longer than its sections");
    used[section] += s.bytes;
    return s;
  };
  slices_.resize(tiles.size());
  for (TileSlices& tile : slices_) {
    tile.text = next(kSectionText);
    for (auto& lane : tile.retires) {
      lane[0] = next(kSectionRetire);
      lane[1] = next(kSectionStores);
      lane[2] = next(kSectionRegisters);
    }
    for (auto& lane : tile.words) {
      lane[0] = next(kSectionRuns);
      lane[1] = next(kSectionWords);
    }
    for (auto& lane : tile.events) lane = next(kSectionEvents);
  }
}

void Block::add_text(std::vector<TileText>& text) const {
  for (size_t i = 0; i < slices_.size(); ++i) {
    ByteReader in = slice(kSectionText, slices_[i].text);
    text.at(i).add_section(in);
  }
}

RetireDecoder Block::retires(size_t index, unsigned context, const TileText& text) const {
  const auto& lane = slices_.at(index).retires.at(context);
  return RetireDecoder(context, registers_, slice(kSectionRetire, lane[0]), slice(kSectionStores, lane[1]),
                       slice(kSectionRegisters, lane[2]), text);
}

const WordLane& Block::words(size_t index, Lane lane) const {
  auto& decoded = slices_.at(index).decoded.at(lane - kLaneSent);
  if (decoded) return *decoded;
  const auto lane_of = [this](uint32_t tile, Lane which) -> const WordLane* {
    const auto found = std::lower_bound(tiles_.begin(), tiles_.end(), tile);
    if (found == tiles_.end() || *found != tile) return nullptr;
    return &words(static_cast<size_t>(found - tiles_.begin()), which);
  };
  const auto& bytes = slices_[index].words[lane - kLaneSent];
  decoded = std::make_unique<WordLane>(WordLane::decode(slice(kSectionRuns, bytes[0]), slice(kSectionWords, bytes[1]),
                                                        elsewhere(machine_, tiles_[index], lane, lane_of)));
  return *decoded;
}

std::vector<Event> Block::events(size_t index, uint8_t lane) const {
  return decode_events(slice(kSectionEvents, slices_.at(index).events.at(lane - kLanePorts)), tiles_[index], lane);
}

BlockInfo block_info(std::span<const uint8_t> body) {
  ByteReader in(body);
  return take_info(in);
}

void add_text(std::span<const uint8_t> body, std::vector<TileText>& text) {
  ByteReader in(body);
  take_info(in);
  const Bytes section = take_compressed(in);
  ByteReader rest(section);
  for (TileText& tile : text) tile.add_section(rest);
}

}  // namespace tessera::inspect::trace
