#include "compiler/passes/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/passes/memory_report.h"
#include "compiler/passes/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

// Packets to the host borrow the two words before their payload.
constexpr std::uint32_t kGuard = 8;

struct Range {
  std::uint64_t next, end;
};

// First fit at the cursors of up to two ranges. What fits nowhere is counted beyond the end.
class Cursors {
 public:
  explicit Cursors(std::vector<Range> ranges) : ranges_(std::move(ranges)) {}

  void place(const ir::Block& block, std::uint32_t& address, bool first_range_too) {
    for (std::size_t i = first_range_too ? 0 : ranges_.size() - 1; i < ranges_.size(); ++i) {
      const std::uint64_t at = (ranges_[i].next + block.align - 1) / block.align * block.align;
      if (at + block.bytes > ranges_[i].end) continue;
      address = static_cast<std::uint32_t>(at);
      ranges_[i].next = at + block.bytes;
      return;
    }
    missing_ += ir::round_up(block.bytes, block.align);
  }
  std::uint64_t missing() const { return missing_; }
  std::uint64_t used_since(const Cursors& start) const {
    std::uint64_t used = missing_ - start.missing_;
    for (std::size_t i = 0; i < ranges_.size(); ++i) used += ranges_[i].next - start.ranges_[i].next;
    return used;
  }

 private:
  std::vector<Range> ranges_;
  std::uint64_t missing_ = 0;
};

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

class TileAllocation {
 public:
  TileAllocation(const spec::Machine& machine, const Text& text, const ir::Blocks& blocks,
                 std::vector<std::uint32_t>& addresses)
      : machine_(machine), text_(text), blocks_(blocks), addresses_(addresses) {}

  // `missing`: bytes that found no place.
  image::TileUsage run(const std::vector<ir::BlockId>& blocks, std::uint64_t& missing) {
    image::TileUsage usage;
    usage.available = machine_.memory_bytes;
    usage.text = text_.text_end - machine_.memory_base;
    std::uint64_t next = ir::round_up(text_.text_end, 4);
    next = place_row(blocks, ir::BlockUse::kControl, next, usage.control);
    missing = next > machine_.region1_base ? next - machine_.region1_base : 0;  // code is in region 0
    next = element_end(next);
    const std::uint64_t events = next;
    next = place_row(blocks, ir::BlockUse::kEvents, next, usage.events);
    if (next > events) next = element_end(next);
    if (next > text_.data_base) missing += next - text_.data_base;
    next += kGuard;

    Cursors data = place_interleaved(blocks, next);
    for (const ir::BlockId id : blocks) {
      const ir::Block& block = blocks_[id];
      if (block.use == ir::BlockUse::kControl || block.use == ir::BlockUse::kEvents ||
          block.use == ir::BlockUse::kBuffer)
        continue;
      count(block, usage);
      if (!block.interleaved) data.place(block, addresses_[id], true);
    }
    usage.buffers += place_buffers(blocks, data, missing);
    missing += data.missing();
    usage.total = usage.text + usage.control + usage.events + usage.variables + usage.vertices + usage.buffers +
                  usage.stacks + (machine_.memory_end() - text_.data_base);
    return usage;
  }

 private:
  // First address from `address` on that begins an element; in region 1 a pair of elements, which are interleaved.
  std::uint64_t element_end(std::uint64_t address) const {
    const bool interleaved = address > machine_.region1_base;
    const std::uint64_t bytes = std::uint64_t{machine_.element_bytes} * (interleaved ? 2 : 1);
    const std::uint64_t base = interleaved ? machine_.region1_base : machine_.memory_base;
    return base + (address - base + bytes - 1) / bytes * bytes;
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

  // Blocks of region 1 that live all the time; the cursors then offer what lies before and after them.
  Cursors place_interleaved(const std::vector<ir::BlockId>& blocks, std::uint64_t data_begin) {
    bool any = false;
    const std::uint64_t begin = std::max<std::uint64_t>(machine_.region1_base, data_begin);
    Cursors region1({{begin, text_.data_base}});
    const Cursors start = region1;
    for (const ir::BlockId id : blocks) {
      const ir::Block& block = blocks_[id];
      if (!block.interleaved) continue;
      any = true;
      if (block.use != ir::BlockUse::kBuffer) region1.place(block, addresses_[id], true);
    }
    if (!any) return Cursors({{data_begin, text_.data_base}});
    return Cursors({{data_begin, begin}, {begin + region1.used_since(start), text_.data_base}});
  }

  // Returns the bytes of the step that needs the most.
  std::uint64_t place_buffers(const std::vector<ir::BlockId>& blocks, const Cursors& data, std::uint64_t& missing) {
    std::vector<ir::BlockId> buffers;
    for (const ir::BlockId id : blocks)
      if (blocks_[id].use == ir::BlockUse::kBuffer) buffers.push_back(id);
    std::stable_sort(buffers.begin(), buffers.end(),
                     [&](ir::BlockId a, ir::BlockId b) { return blocks_[a].step < blocks_[b].step; });
    std::uint64_t most = 0, most_missing = 0;
    for (std::size_t i = 0; i < buffers.size();) {
      Cursors cursors = data;
      const std::uint32_t step = blocks_[buffers[i]].step;
      for (; i < buffers.size() && blocks_[buffers[i]].step == step; ++i)
        cursors.place(blocks_[buffers[i]], addresses_[buffers[i]], !blocks_[buffers[i]].interleaved);
      most = std::max(most, cursors.used_since(data));
      most_missing = std::max(most_missing, cursors.missing() - data.missing());
    }
    missing += most_missing;
    return most;
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
  std::vector<std::uint32_t>& addresses_;
};

}  // namespace

Layout allocate(const graph::Graph& graph, const spec::Machine& machine, const Text& text, const ir::Blocks& blocks,
                std::string* overflow) {
  std::vector<std::vector<ir::BlockId>> by_tile(machine.tiles());
  for (ir::BlockId id = 0; id < blocks.size(); ++id) by_tile[blocks[id].tile].push_back(id);
  Layout layout;
  layout.addresses.assign(blocks.size(), 0);
  TileAllocation allocation(machine, text, blocks, layout.addresses);
  std::vector<FullTile> full;
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile) {
    std::uint64_t missing = 0;
    layout.usage.push_back(allocation.run(by_tile[tile], missing));
    if (missing > 0) full.push_back({tile, missing});
  }
  if (full.empty()) return layout;
  const std::string message = out_of_memory_text(graph, blocks, layout.usage, full);
  if (overflow == nullptr) throw OutOfTileMemory(message, full.front().tile);
  *overflow = message;
  return layout;
}

std::string dump_memory(const ir::Blocks& blocks, const Layout& layout) {
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
    if (block.step != ir::kNone) text += fmt::format(", step {}", block.step);
    text += "\n";
  }
  return text;
}

}  // namespace tessera::compiler
