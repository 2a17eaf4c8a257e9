#include "compiler/passes/memory/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "compiler/passes/memory/first_fit.h"
#include "compiler/passes/memory/kept_apart.h"
#include "compiler/passes/memory/memory_report.h"
#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

// Packets to the host borrow the two words before their payload.
constexpr std::uint32_t kGuard = 8;
// Codelets may read a little beyond a region's end, and must not meet a fetch there.
constexpr std::uint32_t kTextMargin = 16;

const char* name_of(ir::BlockUse use) {
  switch (use) {
    case ir::BlockUse::kVariable:
      return "variable";
    case ir::BlockUse::kVertex:
      return "vertex state";
    case ir::BlockUse::kBuffer:
      return "buffer";
    case ir::BlockUse::kPacket:
      return "packets";
    case ir::BlockUse::kStack:
      return "stacks";
    case ir::BlockUse::kControlData:
      return "control data";
    case ir::BlockUse::kControl:
      return "control code";
    case ir::BlockUse::kEvents:
      return "events";
  }
  return "";
}

// Where data go: behind code and events, and what finds no room there where text or data of the device code are that
// the tile does not need.
struct Room {
  FirstFit usual, spare;

  std::optional<std::uint32_t> place(std::uint32_t bytes, std::uint32_t align, std::uint64_t from, std::uint32_t life,
                                     const std::vector<FirstFit::Extent>& avoid) {
    const auto at = usual.place(bytes, align, from, life, avoid);
    return at ? at : spare.place(bytes, align, from, life, avoid);
  }
};

class TileAllocation {
 public:
  TileAllocation(const spec::Machine& machine, const Text& text, const ir::Blocks& blocks, const Lives& lives,
                 const AllKeptApart& kept_apart, std::uint32_t guard, Layout& layout)
      : machine_(machine),
        text_(text),
        blocks_(blocks),
        lives_(lives),
        kept_apart_(kept_apart),
        guard_(guard),
        addresses_(layout.addresses),
        text_rooms_(layout.text_rooms) {}

  // `missing`: bytes that found no place; `peak`: the point at which the most is live.
  image::TileUsage run(std::uint32_t tile, const std::vector<ir::BlockId>& blocks, std::uint64_t& missing,
                       std::uint32_t& peak) {
    image::TileUsage usage;
    const TextSet* held = text_.tiles.of(tile);
    usage.available = machine_.memory_bytes;
    usage.text = held == nullptr ? text_.text_end - machine_.memory_base : held->text_bytes;
    std::uint64_t next = ir::round_up(text_.text_end, 4);
    next = place_row(blocks, ir::BlockUse::kControl, next, usage.control);
    missing = next > machine_.region1_base ? next - machine_.region1_base : 0;  // code is in region 0
    next = element_end(next);
    const std::uint64_t events = next;
    next = place_row(blocks, ir::BlockUse::kEvents, next, usage.events);
    if (next > events) next = element_end(next);
    if (next > text_.data_base) missing += next - text_.data_base;
    const std::vector<AddressRange> spare = held == nullptr ? std::vector<AddressRange>() : spare_ranges(*held);
    const std::uint64_t without_place = place_data(blocks, next + kGuard, spare);
    unmet_ = without_place > 0 ? find_unmet(blocks, next + kGuard, spare) : nullptr;
    missing += without_place;
    note_text_rooms(tile, blocks, spare);

    peak = busiest_point(blocks);
    for (const ir::BlockId id : blocks) {
      const Life& life = lives_.of(id);
      if (!meet(life, {{peak, peak}})) continue;
      count(blocks_[id], usage);
      if (lives_.number_of(id) != 0) usage.not_always_live += blocks_[id].bytes;
    }
    usage.total = usage.text + usage.control + usage.events + usage.variables + usage.vertices + usage.buffers +
                  usage.stacks + device_data(held);
    usage.always_live = usage.total - usage.not_always_live;
    return usage;
  }
  // Of a tile that is too small for the sake of constraints one of them, else null: of the tile that run() was for.
  const KeptApart* unmet() const { return unmet_; }

 private:
  static bool is_data(const ir::Block& block) {
    return block.use != ir::BlockUse::kControl && block.use != ir::BlockUse::kEvents;
  }

  // First address from `address` on that begins an element; in region 1 a pair of elements, which are interleaved.
  std::uint64_t element_end(std::uint64_t address) const {
    const bool interleaved = address > machine_.region1_base;
    const std::uint64_t bytes = std::uint64_t{machine_.element_bytes} * (interleaved ? 2 : 1);
    const std::uint64_t base = interleaved ? machine_.region1_base : machine_.memory_base;
    return base + (address - base + bytes - 1) / bytes * bytes;
  }

  std::uint64_t element_begin(std::uint64_t address) const {
    const std::uint64_t end = element_end(address + 1);
    return end - std::uint64_t{machine_.element_bytes} * (end > machine_.region1_base ? 2 : 1);
  }

  // What data may have of the memory that `set` leaves, ascending: of text whole elements, since a fetch must not meet
  // a data access.
  std::vector<AddressRange> spare_ranges(const TextSet& set) const {
    std::vector<AddressRange> ranges;
    for (const AddressRange& gap : set.absent) {
      const bool is_text = gap.begin < text_.data_base;
      const std::uint64_t begin = is_text ? element_end(gap.begin) + kGuard : ir::round_up(gap.begin, 8);
      const std::uint32_t element = machine_.memory_base + machine_.element_bytes * machine_.element_of(gap.end);
      const std::uint32_t end = is_text ? element - kTextMargin : gap.end / 8 * 8;
      if (begin < end) ranges.push_back({static_cast<std::uint32_t>(begin), end});
    }
    return ranges;
  }

  void note_text_rooms(std::uint32_t tile, const std::vector<ir::BlockId>& blocks,
                       const std::vector<AddressRange>& spare) {
    for (const AddressRange& range : spare)
      if (std::any_of(blocks.begin(), blocks.end(), [&](ir::BlockId id) {
            return is_data(blocks_[id]) && addresses_[id] >= range.begin && addresses_[id] < range.end;
          }))
        text_rooms_.push_back({tile, range});
  }

  // Bytes at the top of memory that variables cannot have.
  std::uint64_t device_data(const TextSet* held) const {
    std::uint64_t bytes = machine_.memory_end() - text_.data_base;
    if (held != nullptr)
      for (const AddressRange& gap : held->absent)
        if (gap.begin >= text_.data_base) bytes -= gap.end - gap.begin;
    return bytes;
  }

  std::uint64_t place_row(const std::vector<ir::BlockId>& blocks, ir::BlockUse use, std::uint64_t next,
                          std::uint64_t& sum) {
    for (const ir::BlockId id : blocks) {
      const ir::Block& block = blocks_[id];
      if (block.use != use) continue;
      next = (next + block.align - 1) / block.align * block.align;
      addresses_[id] = static_cast<std::uint32_t>(next);
      next += block.bytes;
      sum += block.bytes;
    }
    return next;
  }

  // What lives always comes first, of it and of the rest what must lie in region 1, then what is kept apart from other
  // data; the rest in the order of which the highest end is lowest. Returns the bytes that found no place.
  std::uint64_t place_data(const std::vector<ir::BlockId>& blocks, std::uint64_t begin,
                           const std::vector<AddressRange>& spare) {
    Room always{FirstFit(lives_.lives, begin, text_.data_base), spare_fit(spare)};
    std::uint64_t missing = 0;
    std::vector<ir::BlockId> first_of_all, rest;
    for (const ir::BlockId id : blocks)
      if (is_data(blocks_[id])) (lives_.number_of(id) == 0 ? first_of_all : rest).push_back(id);
    unmet_ = nullptr;
    choose_regions(blocks);
    for (const ir::BlockId id : blocks)
      if (is_data(blocks_[id])) addresses_[id] = ir::kNone;
    for (const ir::BlockId id : ordered(first_of_all, [](ir::BlockId) { return 0; })) missing += place(always, id);
    unmet_always_ = unmet_;
    if (rest.empty()) return missing;
    const std::vector<ir::BlockId> orders[] = {
        ordered(rest, [&](ir::BlockId id) { return std::pair(~std::uint64_t{blocks_[id].bytes}, first(id)); }),
        ordered(rest, [&](ir::BlockId id) { return std::pair(~length(id), ~std::uint64_t{blocks_[id].bytes}); }),
        ordered(rest, [&](ir::BlockId id) { return std::pair(first(id), ~std::uint64_t{blocks_[id].bytes}); })};
    std::pair<std::uint64_t, std::uint64_t> least{~0ull, 0};
    std::size_t best = 0;
    for (std::size_t i = 0; i < std::size(orders); ++i)
      if (const auto result = place_all(always, orders[i]); result < least) least = result, best = i;
    place_all(always, orders[best]);
    return missing + least.first;
  }

  // Gives blocks that are kept in different regions their region beforehand: which of two is whose follows from pair to
  // pair. What must be in region 1 is there, else the side with more bytes. Where three keep each other apart the
  // last of them finds no place.
  void choose_regions(const std::vector<ir::BlockId>& blocks) {
    regions_.clear();
    for (const ir::BlockId first : blocks) {
      if (!is_in_pair_of_regions(first) || regions_.contains(first)) continue;
      std::vector<ir::BlockId> reached{first};
      std::array<std::uint64_t, 2> bytes{};
      std::array<bool, 2> interleaved{};
      regions_[first] = 0;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        const unsigned side = regions_[reached[i]];
        bytes[side] += blocks_[reached[i]].bytes;
        interleaved[side] |= blocks_[reached[i]].interleaved;
        for (const KeptApart& kept : kept_apart_from(kept_apart_, reached[i]))
          if (kept.part == graph::MemoryPart::kRegion && regions_.try_emplace(kept.other, 1 - side).second)
            reached.push_back(kept.other);
      }
      const bool swap = interleaved[0] != interleaved[1] ? interleaved[0] : bytes[0] > bytes[1];
      if (!swap) continue;
      for (const ir::BlockId id : reached) regions_[id] = 1 - regions_[id];
    }
  }
  bool is_in_pair_of_regions(ir::BlockId id) const {
    const auto apart = kept_apart_from(kept_apart_, id);
    return std::any_of(apart.begin(), apart.end(),
                       [](const KeptApart& kept) { return kept.part == graph::MemoryPart::kRegion; });
  }

  // After place_data() that found too little room: a constraint without which there would have been enough, that of a
  // block without a place if there is one. Null: there would not. Leaves addresses that mean nothing.
  const KeptApart* find_unmet(const std::vector<ir::BlockId>& blocks, std::uint64_t begin,
                              const std::vector<AddressRange>& spare) {
    const KeptApart* unmet = unmet_;
    for (const ir::BlockId id : blocks)
      if (unmet == nullptr) unmet = from_largest(kept_apart_from(kept_apart_, id));
    if (unmet == nullptr) return nullptr;
    heeded_ = false;
    const bool fits = place_data(blocks, begin, spare) == 0;
    heeded_ = true;
    return fits ? unmet : nullptr;
  }

  FirstFit spare_fit(const std::vector<AddressRange>& spare) const {
    if (spare.empty()) return FirstFit(lives_.lives, 0, 0);
    FirstFit fit(lives_.lives, spare.front().begin, spare.back().end);
    for (std::size_t i = 1; i < spare.size(); ++i) fit.block({spare[i - 1].end, spare[i].begin});
    return fit;
  }

  // Bytes without a place, and the highest end.
  std::pair<std::uint64_t, std::uint64_t> place_all(Room fit, const std::vector<ir::BlockId>& order) {
    std::uint64_t missing = 0;
    unmet_ = unmet_always_;
    for (const ir::BlockId id : order) addresses_[id] = ir::kNone;
    for (const ir::BlockId id : order) missing += place(fit, id);
    return {missing, fit.usual.high()};
  }

  // Returns the bytes that found no place.
  std::uint64_t place(Room& fit, ir::BlockId id) {
    const ir::Block& block = blocks_[id];
    const std::uint64_t from = block.interleaved ? machine_.region1_base : 0;
    const std::uint32_t bytes = block.bytes + guard_, life = lives_.number_of(id);
    const auto apart = kept_apart_from(kept_apart_, id);
    const auto at = fit.place(bytes, block.align, from, life, kept_free(apart));
    addresses_[id] = at.value_or(ir::kNone);
    if (at) return 0;
    if (unmet_ == nullptr) unmet_ = from_largest(apart);
    return ir::round_up(block.bytes, block.align);
  }

  // Null if there are none.
  const KeptApart* from_largest(std::span<const KeptApart> apart) const {
    const auto largest = std::max_element(apart.begin(), apart.end(), [&](const KeptApart& a, const KeptApart& b) {
      return blocks_[a.other].bytes < blocks_[b.other].bytes;
    });
    return largest == apart.end() ? nullptr : &*largest;
  }

  // Memory that a block must not touch for the sake of blocks that have their place.
  std::vector<FirstFit::Extent> kept_free(std::span<const KeptApart> apart) const {
    std::vector<FirstFit::Extent> extents;
    if (!heeded_) return extents;
    const FirstFit::Extent region[2] = {{0, machine_.region1_base}, {machine_.region1_base, machine_.memory_end()}};
    for (const KeptApart& kept : apart) {
      const std::uint64_t begin = addresses_[kept.other], end = begin + blocks_[kept.other].bytes;
      if (kept.other == kept.block) extents.insert(extents.end(), region, region + 2);
      if (kept.part == graph::MemoryPart::kRegion) extents.push_back(region[1 - regions_.at(kept.block)]);
      if (begin == ir::kNone) continue;
      const std::uint32_t more = kept.vertex == ir::kNone ? kBorrowed : 0;
      if (kept.part == graph::MemoryPart::kElement)
        extents.push_back({element_begin(begin - more), element_end(end) + more});
      else
        extents.push_back(region[begin < machine_.region1_base ? 0 : 1]);
    }
    return extents;
  }

  template <class Key>
  std::vector<ir::BlockId> ordered(std::vector<ir::BlockId> blocks, const Key& key) const {
    std::stable_sort(blocks.begin(), blocks.end(), [&](ir::BlockId a, ir::BlockId b) {
      if (blocks_[a].interleaved != blocks_[b].interleaved) return blocks_[a].interleaved;
      const bool apart = !kept_apart_from(kept_apart_, a).empty();
      if (apart != !kept_apart_from(kept_apart_, b).empty()) return apart;
      return key(a) < key(b);
    });
    return blocks;
  }
  std::uint64_t first(ir::BlockId id) const { return lives_.of(id).empty() ? 0 : lives_.of(id).front().first; }
  std::uint64_t length(ir::BlockId id) const {
    std::uint64_t points = 0;
    for (const Interval& i : lives_.of(id)) points += i.last - i.first + 1;
    return points;
  }

  // The first point at which the most bytes are live.
  std::uint32_t busiest_point(const std::vector<ir::BlockId>& blocks) const {
    std::vector<std::pair<std::uint32_t, std::int64_t>> changes;
    for (const ir::BlockId id : blocks) {
      if (lives_.number_of(id) == 0) continue;
      for (const Interval& i : lives_.of(id)) {
        changes.emplace_back(i.first, blocks_[id].bytes);
        changes.emplace_back(i.last + 1, -std::int64_t{blocks_[id].bytes});
      }
    }
    std::sort(changes.begin(), changes.end());
    std::int64_t now = 0, most = 0;
    std::uint32_t peak = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      now += changes[i].second;
      if (now > most && (i + 1 == changes.size() || changes[i + 1].first != changes[i].first))
        most = now, peak = changes[i].first;
    }
    return peak;
  }

  static void count(const ir::Block& block, image::TileUsage& usage) {
    switch (block.use) {
      case ir::BlockUse::kVariable:
        usage.variables += block.bytes;
        break;
      case ir::BlockUse::kVertex:
      case ir::BlockUse::kControlData:
        usage.vertices += block.bytes;
        break;
      case ir::BlockUse::kPacket:
      case ir::BlockUse::kBuffer:
        usage.buffers += block.bytes;
        break;
      case ir::BlockUse::kStack:
        usage.stacks += block.bytes;
        break;
      default:
        break;
    }
  }

  const spec::Machine& machine_;
  const Text& text_;
  const ir::Blocks& blocks_;
  const Lives& lives_;
  const AllKeptApart& kept_apart_;
  std::uint32_t guard_;
  std::vector<std::uint32_t>& addresses_;
  std::vector<TextRoom>& text_rooms_;
  std::map<ir::BlockId, unsigned> regions_;  // of blocks that are kept in different ones
  bool heeded_ = true;                       // what is kept apart
  const KeptApart* unmet_ = nullptr;         // asked for by the first block that found no place
  const KeptApart* unmet_always_ = nullptr;  // of what lives always
};

// "constraint 'elem(*a) != elem(*b)' of vertex 7 of type ..."
std::string constraint_of(const graph::Graph& graph, const KeptApart* kept) {
  if (kept == nullptr || kept->vertex == ir::kNone) return "";
  const graph::CodeletInfo& codelet = graph.codelets[graph.vertices[kept->vertex].codelet].info;
  return "constraint '" + graph::text_of(codelet, codelet.constraints[kept->constraint]) + "' of " +
         graph::describe_vertex(graph, kept->vertex);
}

}  // namespace

Layout allocate(const graph::Graph& graph, const spec::Machine& machine, const Text& text, const ir::Program& program,
                const Lives& lives, const ir::Blocks& blocks, const Homes& homes, std::uint32_t guard,
                std::string* overflow, std::span<const ApartInPackets> apart) {
  std::vector<std::vector<ir::BlockId>> by_tile(program.tiles);
  for (ir::BlockId id = 0; id < blocks.size(); ++id)
    if (has_own_memory(homes, id)) by_tile[blocks[id].tile].push_back(id);
  Layout layout;
  layout.addresses.assign(blocks.size(), 0);
  layout.homes = homes;
  const AllKeptApart kept_apart = with_packets(find_kept_apart(graph, program), apart, homes);
  TileAllocation allocation(machine, text, blocks, lives, kept_apart, guard, layout);
  std::vector<FullTile> full;
  for (std::uint32_t tile = 0; tile < program.tiles; ++tile) {
    std::uint64_t missing = 0;
    std::uint32_t peak = 0;
    layout.usage.push_back(allocation.run(tile, by_tile[tile], missing, peak));
    layout.usage.back().peak = name_of_point(program, lives.points, peak);
    if (missing > 0) full.push_back({tile, missing, constraint_of(graph, allocation.unmet())});
  }
  std::replace(layout.addresses.begin(), layout.addresses.end(), ir::kNone, 0u);  // what found no place
  for (ir::BlockId id = 0; id < homes.size(); ++id) layout.addresses[id] = layout.address_of(home_of(homes, {id, 0}));
  if (full.empty()) return layout;
  const std::string message = out_of_memory_text(graph, blocks, homes, layout.usage, full);
  if (overflow == nullptr) throw OutOfTileMemory(message, full.front().tile);
  *overflow = message;
  return layout;
}

std::string dump_memory(const ir::Blocks& blocks, const Lives& lives, const Layout& layout) {
  std::vector<ir::BlockId> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](ir::BlockId a, ir::BlockId b) {
    return blocks[a].tile != blocks[b].tile ? blocks[a].tile < blocks[b].tile
                                            : layout.addresses[a] < layout.addresses[b];
  });
  std::string text;
  for (const ir::BlockId id : order) {
    const ir::Block& block = blocks[id];
    text += fmt::format("tile {} 0x{:05x} {} {} bytes, block {}", block.tile, layout.addresses[id], name_of(block.use),
                        block.bytes, id);
    if (const std::uint32_t life = lives.number_of(id); life != 0) text += fmt::format(", life {}", life);
    if (!has_own_memory(layout.homes, id)) text += fmt::format(", in block {}", home_of(layout.homes, {id, 0}).block);
    text += "\n";
  }
  return text;
}

}  // namespace tessera::compiler
