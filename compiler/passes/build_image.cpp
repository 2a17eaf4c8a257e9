#include "compiler/passes/build_image.h"

#include <algorithm>
#include <stdexcept>

#include "compiler/passes/program_names.h"
#include "compiler/passes/schedule_exchange.h"

namespace tessera::compiler {
namespace {

// Differences closer together than this many words go into one segment.
constexpr std::uint32_t kJoin = 4;

struct WordRange {
  std::uint32_t begin, end;  // word numbers from the bottom of memory
};

// Memory of one tile while it is being filled; remembers what was written so that it can be emptied cheaply.
class TileMemory {
 public:
  explicit TileMemory(const spec::Machine& machine) : base_(machine.memory_base), words_(machine.memory_bytes / 4) {}

  void put(std::uint32_t address, std::uint32_t word) {
    touch(address, 4);
    words_[(address - base_) / 4] = word;
  }
  void put(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    touch(address, 4 * words.size());
    std::copy(words.begin(), words.end(), words_.begin() + (address - base_) / 4);
  }
  void put(std::uint32_t address, const std::vector<std::uint8_t>& bytes) {
    if (bytes.empty()) return;
    touch(address, bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::uint32_t at = address - base_ + i, shift = 8 * (at % 4);
      std::uint32_t& word = words_[at / 4];
      word = (word & ~(0xffu << shift)) | std::uint32_t{bytes[i]} << shift;
    }
  }
  std::uint32_t operator[](std::uint32_t word) const { return words_[word]; }
  std::uint32_t address(std::uint32_t word) const { return base_ + 4 * word; }

  // What was written, sorted and joined.
  const std::vector<WordRange>& touched() {
    std::sort(touched_.begin(), touched_.end(), [](WordRange a, WordRange b) { return a.begin < b.begin; });
    std::vector<WordRange> joined;
    for (const WordRange& r : touched_) {
      if (!joined.empty() && r.begin <= joined.back().end)
        joined.back().end = std::max(joined.back().end, r.end);
      else
        joined.push_back(r);
    }
    return touched_ = std::move(joined);
  }
  void clear() {
    for (const WordRange& r : touched_) std::fill(words_.begin() + r.begin, words_.begin() + r.end, 0);
    touched_.clear();
  }
  std::vector<std::uint32_t> words(WordRange r) const { return {words_.begin() + r.begin, words_.begin() + r.end}; }

 private:
  void touch(std::uint32_t address, std::size_t bytes) {
    const std::uint64_t begin = address - base_, end = std::uint64_t{begin} + bytes;
    if (address < base_ || end > 4 * words_.size())
      throw std::logic_error("image: an address outside tile memory was written");
    touched_.push_back({static_cast<std::uint32_t>(begin / 4), static_cast<std::uint32_t>((end + 3) / 4)});
  }

  std::uint32_t base_;
  std::vector<std::uint32_t> words_;
  std::vector<WordRange> touched_;
};

// Indices of things by tile.
template <class Items, class TileOf>
std::vector<std::vector<std::uint32_t>> by_tile(const Items& items, std::uint32_t tiles, const TileOf& tile_of) {
  std::vector<std::vector<std::uint32_t>> result(tiles);
  for (std::uint32_t i = 0; i < items.size(); ++i) result[tile_of(items[i])].push_back(i);
  return result;
}

// Text may share its elements with nothing: the placement rule that a fault in allocate() would break first.
void check_placement(const Text& text, const spec::Machine& machine, const Lowered& lowered) {
  std::vector<std::uint32_t> code_end(lowered.tiles, text.text_end);
  for (const Block& block : lowered.blocks)
    if (block.use == BlockUse::kControl)
      code_end[block.tile] = std::max(code_end[block.tile], block.address + block.bytes);
  for (const Block& block : lowered.blocks) {
    if (block.use == BlockUse::kControl || block.bytes == 0) continue;
    if (block.address < machine.memory_base || block.address + block.bytes > text.data_base ||
        machine.element_of(block.address) <= machine.element_of(code_end[block.tile] - 1))
      throw std::logic_error("image: a block lies in the elements of text or outside memory");
  }
}

class ImageBuilder {
 public:
  ImageBuilder(const spec::Machine& machine, Lowered& lowered, ControlCode& code)
      : lowered_(lowered), code_(code), base_(machine), tile_memory_(machine) {
    const auto block_tile = [&](const auto& item) { return lowered_.blocks[item.at.block].tile; };
    contents_ = by_tile(lowered.contents, lowered.tiles, block_tile);
    pointers_ = by_tile(lowered.pointers, lowered.tiles, block_tile);
  }

  void run(const Text& text, image::Executable& executable) {
    const std::uint32_t typical = typical_tile();
    fill(base_, typical);
    for (const image::Segment& segment : text.segments) executable.chip().shared.push_back(segment);
    for (const WordRange& r : base_.touched())
      executable.chip().shared.push_back({base_.address(r.begin), base_.words(r)});
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      image::TileImage image;
      image.entry = lowered_.blocks[code_.tiles[tile].block].address;
      if (tile != typical) {
        fill(tile_memory_, tile);
        image.segments = differences();
        tile_memory_.clear();
      }
      executable.chip().tiles.push_back(std::move(image));
    }
  }

 private:
  // The tile with the median amount to load: what it shares with the others is written once, and most others have
  // little of it to overwrite.
  std::uint32_t typical_tile() const {
    std::vector<std::pair<std::size_t, std::uint32_t>> amounts;
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      std::size_t bytes = 4 * code_.tiles[tile].words.size();
      for (const std::uint32_t i : contents_[tile]) bytes += lowered_.contents[i].bytes.size();
      for (const Exchange& exchange : lowered_.exchanges)
        if (exchange.event_blocks[tile] != kNone) bytes += lowered_.blocks[exchange.event_blocks[tile]].bytes;
      amounts.push_back({bytes, tile});
    }
    const auto median = amounts.begin() + amounts.size() / 2;
    std::nth_element(amounts.begin(), median, amounts.end());
    return median->second;
  }

  void fill(TileMemory& memory, std::uint32_t tile) {
    for (const std::uint32_t i : contents_[tile])
      memory.put(address_of(lowered_.blocks, lowered_.contents[i].at), lowered_.contents[i].bytes);
    for (const std::uint32_t i : pointers_[tile])
      memory.put(address_of(lowered_.blocks, lowered_.pointers[i].at),
                 address_of(lowered_.blocks, lowered_.pointers[i].value));
    for (const Exchange& exchange : lowered_.exchanges) {
      if (exchange.event_blocks[tile] == kNone) continue;
      memory.put(lowered_.blocks[exchange.event_blocks[tile]].address,
                 encode_events(exchange.schedule, tile, lowered_.blocks));
    }
    TileCode& code = code_.tiles[tile];
    std::vector<std::uint32_t> words = code.words;
    resolve_addresses(words, code.fixups, lowered_.blocks);
    memory.put(lowered_.blocks[code.block].address, words);
  }

  std::vector<image::Segment> differences() {
    std::vector<WordRange> ranges = base_.touched(), different;
    const std::vector<WordRange>& own = tile_memory_.touched();
    ranges.insert(ranges.end(), own.begin(), own.end());
    std::sort(ranges.begin(), ranges.end(), [](WordRange a, WordRange b) { return a.begin < b.begin; });
    std::uint32_t done = 0;
    for (const WordRange& r : ranges) {
      for (std::uint32_t w = std::max(r.begin, done); w < r.end; ++w) {
        if (base_[w] == tile_memory_[w]) continue;
        if (!different.empty() && w - different.back().end < kJoin)
          different.back().end = w + 1;
        else
          different.push_back({w, w + 1});
      }
      done = std::max(done, r.end);
    }
    std::vector<image::Segment> segments;
    for (const WordRange& r : different) segments.push_back({tile_memory_.address(r.begin), tile_memory_.words(r)});
    return segments;
  }

  Lowered& lowered_;
  ControlCode& code_;
  TileMemory base_, tile_memory_;
  std::vector<std::vector<std::uint32_t>> contents_, pointers_;
};

}  // namespace

image::Executable build_image(const graph::Graph& graph, const spec::Machine& machine, const Text& text,
                              Lowered& lowered, ControlCode& code, std::vector<image::TileUsage> usage) {
  check_placement(text, machine, lowered);
  image::Executable loadable;
  ImageBuilder(machine, lowered, code).run(text, loadable);
  image::Executable executable = describe_only(graph, machine, text, lowered, code, std::move(usage));
  executable.chip().shared = std::move(loadable.chip().shared);
  executable.chip().tiles = std::move(loadable.chip().tiles);
  return executable;
}

image::Executable describe_only(const graph::Graph& graph, const spec::Machine& machine, const Text& text,
                                Lowered& lowered, const ControlCode& code, std::vector<image::TileUsage> usage) {
  image::Executable executable;
  executable.chip().machine = machine.name;
  executable.chip().machine_hash = machine.hash();
  executable.chip().tiles.resize(lowered.tiles);
  executable.programs = std::move(lowered.programs);
  executable.chip().info = program_names(graph, text, lowered, code);
  executable.host = std::move(lowered.host);
  executable.chip().usage = std::move(usage);
  return executable;
}

}  // namespace tessera::compiler
