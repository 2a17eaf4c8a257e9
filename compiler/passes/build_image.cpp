#include "compiler/passes/build_image.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <stdexcept>

#include "compiler/parallel/parallel.h"
#include "compiler/passes/exchange/group_by_tile.h"
#include "compiler/passes/exchange/schedule_exchange.h"
#include "compiler/passes/memory/live_memory.h"
#include "compiler/passes/program_names.h"
#include "compiler/passes/text/address_range.h"
#include "compiler/passes/text/printing_tiles.h"
#include "compiler/passes/text/split_text.h"

namespace tessera::compiler {
namespace {

// Differences closer together than this go into one segment.
constexpr std::uint32_t kJoinBytes = 16;

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
  std::uint32_t operator[](std::uint32_t address) const { return words_[(address - base_) / 4]; }

  // Whole words that were written.
  const std::vector<AddressRange>& touched() { return touched_ = joined(std::move(touched_)); }
  void clear() {
    touched_ = joined(std::move(touched_));
    for (const AddressRange& r : touched_) std::fill(at(r.begin), at(r.end), 0);
    touched_.clear();
  }
  image::Segment segment(AddressRange r) { return {r.begin, {at(r.begin), at(r.end)}}; }

 private:
  void touch(std::uint32_t address, std::size_t bytes) {
    const std::uint64_t begin = address - base_, end = std::uint64_t{begin} + bytes;
    if (address < base_ || end > 4 * words_.size())
      throw std::logic_error("image: an address outside tile memory was written");
    touched_.push_back({address & ~3u, (address + static_cast<std::uint32_t>(bytes) + 3) & ~3u});
  }
  std::vector<std::uint32_t>::iterator at(std::uint32_t address) { return words_.begin() + (address - base_) / 4; }

  std::uint32_t base_;
  std::vector<std::uint32_t> words_;
  std::vector<AddressRange> touched_;
};

// Whether the block lies where the tile has no text: of text in elements without any of it.
bool is_spare(const spec::Machine& machine, const Text& text, const ir::Block& block, std::uint32_t address) {
  const TextSet* set = text.tiles.of(block.tile);
  if (set == nullptr) return false;
  std::uint32_t begin = address, end = address + block.bytes;
  if (begin < text.data_base) {
    begin = machine.memory_base + machine.element_of(begin) * machine.element_bytes;
    end = machine.memory_base + (machine.element_of(end - 1) + 1) * machine.element_bytes;
  }
  return std::any_of(set->absent.begin(), set->absent.end(),
                     [&](const AddressRange& gap) { return gap.begin <= begin && end <= gap.end; });
}

// Text may share its elements with nothing: the placement rule that a fault in allocate() would break first.
void check_placement(const spec::Machine& machine, const LaidOut& program) {
  const Text& text = program.input.text;
  std::vector<std::uint32_t> code_end(program.input.program.tiles, text.text_end);
  const auto address = [&](ir::BlockId id) { return program.layout.addresses[id]; };
  for (ir::BlockId id = 0; id < program.blocks.size(); ++id)
    if (const ir::Block& block = program.blocks[id]; block.use == ir::BlockUse::kControl)
      code_end[block.tile] = std::max(code_end[block.tile], address(id) + block.bytes);
  for (ir::BlockId id = 0; id < program.blocks.size(); ++id) {
    const ir::Block& block = program.blocks[id];
    if (block.use == ir::BlockUse::kControl || block.bytes == 0) continue;
    if (is_spare(machine, text, block, address(id))) continue;
    if (address(id) < machine.memory_base || address(id) + block.bytes > text.data_base ||
        machine.element_of(address(id)) <= machine.element_of(code_end[block.tile] - 1))
      throw std::logic_error("image: a block lies in the elements of text or outside memory");
  }
}

std::vector<image::Phase> phases(const ControlInput& input, std::uint32_t chip) {
  std::vector<image::Phase> phases;
  for (std::size_t i = 0; i < input.schedules.size(); ++i) {
    const Schedule& schedule = input.schedules[i];
    if (!schedule.on_chip(chip)) continue;
    image::Phase phase{input.program.exchanges[i].name, schedule.cycles_of_chip[chip], 0, 0};
    for (const std::uint32_t tile : schedule.of_tile.tiles()) phase.tiles += input.program.chip_of(tile) == chip;
    for (const Event& event : schedule.events)
      if (event.kind == EventKind::kSend && input.program.chip_of(event.tile) == chip)
        phase.words += event.pair != 0 ? 2 * event.words : event.words;
    phases.push_back(std::move(phase));
  }
  return phases;
}

class ImageBuilder {
 public:
  ImageBuilder(const spec::Machine& machine, const LaidOut& program, unsigned threads)
      : tiles_(program.input.program.tiles_of_chip()),
        all_tiles_(program.input.program.tiles),
        schedules_(program.input.schedules),
        state_(program.input.state),
        code_(program.code),
        blocks_(program.blocks),
        layout_(program.layout),
        machine_(machine),
        base_(machine),
        threads_(threads) {
    add(program.input.program.contents);
    add(state_.data);
    add(code_.data);
    replicas_.push_back(list(program.input.program.replica_contents));
    replicas_.push_back(list(state_.data.replicas));
    replicas_.push_back(list(code_.data.replicas));
    replica_pointers_.push_back(list(state_.data.replica_pointers));
  }

  void run(const Text& text, std::uint32_t number, image::ChipImage& chip) {
    first_ = number * tiles_;
    const std::uint32_t typical = typical_tile();
    base_.clear();
    fill(base_, typical);
    base_ranges_ = base_.touched();
    const SplitText split = split_text(text, layout_.text_rooms);
    chip.shared = split.shared;
    chip.groups = split.groups;
    for (const AddressRange& r : base_ranges_) chip.shared.push_back(base_.segment(r));
    chip.tiles.resize(tiles_);
    const image::SegmentGroup none;
    const Parts parts{tiles_, 64};
    parallel(threads_, parts.count(), [&](std::size_t part) {
      TileMemory memory(machine_);
      for (std::size_t i = parts.begin(part); i < parts.end(part); ++i) {
        const auto tile = first_ + static_cast<std::uint32_t>(i);
        chip.tiles[i].entry = layout_.addresses[code_.tiles[tile].block];
        const std::uint32_t group = split.group_of_set.empty() ? 0 : split.group_of_set[text.tiles.set_of_tile[tile]];
        chip.tiles[i].group = group;
        if (tile == typical) continue;
        fill(memory, tile);
        chip.tiles[i].segments = differences(memory, group == 0 ? none.segments : split.groups[group - 1].segments);
        memory.clear();
      }
    });
  }

  // Of all chips.
  std::vector<image::ReplicaWord> replica_words(std::uint32_t replicas) const {
    std::vector<std::vector<image::ReplicaWord>> of_tile(replicas > 1 ? all_tiles_ : 0);
    const Parts parts{of_tile.size(), 64};
    parallel(threads_, parts.count(), [&](std::size_t part) {
      TileMemory memory(machine_);
      for (std::size_t i = parts.begin(part); i < parts.end(part); ++i) {
        const auto tile = static_cast<std::uint32_t>(i);
        bool any = false;
        for_each(replicas_, tile, [&](const ir::ReplicaContent&) { any = true; });
        for_each(replica_pointers_, tile, [&](const ReplicaPointer&) { any = true; });
        if (!any) continue;
        fill(memory, tile);
        of_tile[tile] = replica_words_of(tile, memory, replicas);
        memory.clear();
      }
    });
    std::vector<image::ReplicaWord> words;
    for (std::vector<image::ReplicaWord>& some : of_tile)
      std::move(some.begin(), some.end(), std::back_inserter(words));
    return words;
  }

 private:
  // A list of which each thing belongs to a tile.
  template <class Thing>
  struct List {
    const std::vector<Thing>& things;
    ByTile by_tile;
  };
  template <class Thing>
  List<Thing> list(const std::vector<Thing>& things) const {
    return {things, ByTile(things.size(), all_tiles_, threads_,
                           [&](std::size_t i) { return blocks_[things[i].at.block].tile; })};
  }
  void add(const std::vector<ir::Content>& contents) { contents_.push_back(list(contents)); }
  void add(const LoadData& data) {
    add(data.contents);
    pointers_.push_back(list(data.pointers));
  }
  template <class Thing, class Visit>
  static void for_each(const std::vector<List<Thing>>& lists, std::uint32_t tile, const Visit& visit) {
    for (const List<Thing>& list : lists)
      for (const std::uint32_t i : list.by_tile[tile]) visit(list.things[i]);
  }
  template <class Visit>
  void for_each_content(std::uint32_t tile, const Visit& visit) const {
    for_each(contents_, tile, visit);
    for (const ir::Content& content : state_.of_vertices[tile].contents) visit(content);
  }
  template <class Visit>
  void for_each_pointer(std::uint32_t tile, const Visit& visit) const {
    for_each(pointers_, tile, visit);
    for (const Pointer& pointer : state_.of_vertices[tile].pointers) visit(pointer);
  }

  // The tile of the chip with the median amount to load: what it shares with the others is written once, and most
  // others have little of it to overwrite.
  std::uint32_t typical_tile() const {
    std::vector<std::pair<std::size_t, std::uint32_t>> amounts(tiles_);
    parallel(threads_, tiles_, [&](std::size_t i) {
      const auto tile = first_ + static_cast<std::uint32_t>(i);
      std::size_t bytes = 4 * code_.tiles[tile].words.size();
      for_each_content(tile, [&](const ir::Content& content) { bytes += content.bytes.size(); });
      for (const BlockOfTile& events : state_.events)
        if (const ir::BlockId* block = events.find(tile)) bytes += blocks_[*block].bytes;
      amounts[i] = {bytes, tile};
    });
    const auto median = amounts.begin() + amounts.size() / 2;
    std::nth_element(amounts.begin(), median, amounts.end());
    return median->second;
  }

  void fill(TileMemory& memory, std::uint32_t tile) const {
    for_each_content(tile,
                     [&](const ir::Content& content) { memory.put(layout_.address_of(content.at), content.bytes); });
    for_each_pointer(tile, [&](const Pointer& pointer) {
      memory.put(layout_.address_of(pointer.at), layout_.address_of(pointer.value));
    });
    for_each(replica_pointers_, tile, [&](const ReplicaPointer& pointer) {
      memory.put(layout_.address_of(pointer.at), layout_.address_of(pointer.value) + pointer.shift[0]);
    });
    for (std::size_t i = 0; i < schedules_.size(); ++i)
      if (const ir::BlockId* block = state_.events[i].find(tile))
        memory.put(layout_.addresses[*block], encode_events(schedules_[i], tile, layout_));
    const TileCode& code = code_.tiles[tile];
    std::vector<std::uint32_t> words = code.words;
    resolve_addresses(words, code.fixups, layout_);
    memory.put(layout_.addresses[code.block], words);
  }

  // `memory`: as replica 0 has it.
  std::vector<image::ReplicaWord> replica_words_of(std::uint32_t tile, const TileMemory& memory,
                                                   std::uint32_t replicas) const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> values;  // by address
    for_each(replicas_, tile, [&](const ir::ReplicaContent& content) {
      const std::uint32_t begin = layout_.address_of(content.at);
      for (std::uint32_t i = 0; i < content.bytes[0].size(); ++i) {
        const std::uint32_t at = (begin + i) & ~3u, shift = 8 * ((begin + i) % 4);
        std::vector<std::uint32_t>& words = values.try_emplace(at, replicas, memory[at]).first->second;
        for (std::uint32_t replica = 0; replica < replicas; ++replica)
          words[replica] = (words[replica] & ~(0xffu << shift)) | std::uint32_t{content.bytes[replica][i]} << shift;
      }
    });
    for_each(replica_pointers_, tile, [&](const ReplicaPointer& pointer) {
      std::vector<std::uint32_t>& words = values[layout_.address_of(pointer.at)];
      for (const std::uint32_t shift : pointer.shift) words.push_back(layout_.address_of(pointer.value) + shift);
    });
    std::vector<image::ReplicaWord> result;
    for (auto& [address, words] : values)
      if (std::ranges::adjacent_find(words, std::ranges::not_equal_to{}) != words.end())
        result.push_back({tile / tiles_, tile % tiles_, address, std::move(words)});
    return result;
  }

  // `grouped`: what the tile's group writes over the base, and the tile leaves alone.
  std::vector<image::Segment> differences(TileMemory& memory, const std::vector<image::Segment>& grouped) const {
    std::vector<AddressRange> ranges = memory.touched(), different;
    ranges.insert(ranges.end(), base_ranges_.begin(), base_ranges_.end());
    for (const AddressRange& r : joined(std::move(ranges)))
      for (std::uint32_t at = r.begin; at < r.end; at += 4) {
        if (base_[at] == memory[at] || holds(grouped, at)) continue;
        if (!different.empty() && at - different.back().end < kJoinBytes)
          different.back().end = at + 4;
        else
          different.push_back({at, at + 4});
      }
    std::vector<image::Segment> segments;
    for (const AddressRange& r : different) segments.push_back(memory.segment(r));
    return segments;
  }

  static bool holds(const std::vector<image::Segment>& segments, std::uint32_t address) {
    return std::any_of(segments.begin(), segments.end(), [&](const image::Segment& segment) {
      return address - segment.address < 4 * segment.words.size();
    });
  }

  std::uint32_t tiles_, all_tiles_;  // of a chip, of all
  std::uint32_t first_ = 0;          // of the chip at hand
  const std::vector<Schedule>& schedules_;
  const State& state_;
  const ControlCode& code_;
  const ir::Blocks& blocks_;
  const Layout& layout_;
  const spec::Machine& machine_;
  TileMemory base_;
  std::vector<AddressRange> base_ranges_;  // what was written to it
  unsigned threads_;
  std::vector<List<ir::Content>> contents_;
  std::vector<List<Pointer>> pointers_;
  std::vector<List<ir::ReplicaContent>> replicas_;
  std::vector<List<ReplicaPointer>> replica_pointers_;
};

}  // namespace

image::Executable build_image(const graph::Graph& graph, const spec::Machine& machine, const LaidOut& program,
                              unsigned threads) {
  check_placement(machine, program);
  image::Executable executable, loaded;
  loaded.chips.resize(program.input.program.chips);
  // Names and words beside each other: neither needs the other.
  parallel(threads, 2, [&](std::size_t part) {
    if (part == 0) {
      executable = describe_only(graph, machine, program, threads);
      return;
    }
    ImageBuilder builder(machine, program, threads);
    for (std::uint32_t chip = 0; chip < loaded.chips.size(); ++chip)
      builder.run(program.input.text, chip, loaded.chips[chip]);
    loaded.replica_words = builder.replica_words(program.input.program.replicas);
  });
  executable.replica_words = std::move(loaded.replica_words);
  for (std::size_t chip = 0; chip < loaded.chips.size(); ++chip) {
    executable.chips[chip].shared = std::move(loaded.chips[chip].shared);
    executable.chips[chip].groups = std::move(loaded.chips[chip].groups);
    executable.chips[chip].tiles = std::move(loaded.chips[chip].tiles);
  }
  return executable;
}

image::Executable describe_only(const graph::Graph& graph, const spec::Machine& machine, const LaidOut& program,
                                unsigned threads) {
  const ir::Program& all = program.input.program;
  const std::uint32_t tiles = all.tiles_of_chip();
  image::Executable executable;
  executable.chips.resize(all.chips);
  executable.replicas = all.replicas;
  executable.replica_syncs = all.replica_syncs;
  executable.replica_hosts = all.replica_hosts;
  executable.remote_buffers = all.remote_buffers;
  for (const ir::Entry& entry : all.entries) executable.programs.push_back({entry.name, entry.internal});
  executable.host = all.host;
  executable.host.phases = program.code.host_phases;
  parallel(threads, all.chips, [&](std::size_t i) {
    const auto number = static_cast<std::uint32_t>(i);
    image::ChipImage& chip = executable.chips[number];
    chip.machine = machine.name;
    chip.machine_hash = machine.hash();
    chip.tiles.resize(tiles);
    chip.info = program_names(graph, program, number);
    const auto first = program.layout.usage.begin() + number * tiles;
    chip.usage.assign(first, first + tiles);
    chip.phases = phases(program.input, number);
    chip.live = live_memory(all, program.blocks, program.lives, program.layout.homes, number);
  });
  for (const std::uint32_t tile : printing_tiles(program.input.text, all))
    executable.chips[all.chip_of(tile)].prints.push_back(tile % tiles);
  return executable;
}

}  // namespace tessera::compiler
