#include "compiler/passes/emit_state.h"

#include <algorithm>
#include <array>

#include "compiler/passes/copy_routine.h"
#include "compiler/passes/out_of_tile_memory.h"
#include "compiler/passes/vertex_state.h"
#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kInLineRuns = 4, kInLineWords = 8;
constexpr std::uint32_t kMaxStride = 2044;  // of runall's immediate
constexpr std::uint32_t kMaxPairs = (kMaxStride / 4 - 3) / 2;

void put(std::vector<std::uint8_t>& bytes, std::uint32_t offset, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::uint8_t>(word >> 8 * i);
}

class StateEmission {
 public:
  StateEmission(const graph::Graph& graph, const Text& text, Lowered& lowered)
      : graph_(graph), text_(text), lowered_(lowered) {}

  void run() {
    lowered_.stacks.assign(lowered_.tiles, kNone);
    const std::uint32_t stack = 6 * text_.worker_stack + text_.supervisor_stack;
    for (std::uint32_t tile = 0; tile < lowered_.tiles && stack > 0; ++tile)
      lowered_.stacks[tile] = add_block(lowered_, {.tile = tile, .bytes = stack, .align = 16, .use = BlockUse::kStack});
    for (Compute& compute : lowered_.computes) {
      compute.tables.resize(lowered_.tiles);
      for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
        emit_vertex_states(graph_, lowered_, compute, tile);
        compute.tables[tile] = worker_table(compute, tile);
      }
    }
    for (Exchange& exchange : lowered_.exchanges) {
      copy_tables(exchange.before);
      copy_tables(exchange.after);
      event_blocks(exchange);
    }
    for (std::size_t i = 0; i < lowered_.host_transfers.size(); ++i) {
      copy_tables(lowered_.host_transfers[i].after);
      host_tables(lowered_.host_transfers[i], is_to_device(lowered_.host.streams[i].use));
    }
  }

 private:
  WorkerTable worker_table(const Compute& compute, std::uint32_t tile) {
    std::array<std::vector<std::uint32_t>, 6> lists;
    for (std::uint32_t i = compute.first[tile]; i < compute.first[tile + 1]; ++i) {
      const std::uint32_t worker = compute.vertices[i].worker;
      if (worker < 6) lists[worker].push_back(i);
      if (worker == kAllWorkers)
        for (auto& list : lists) list.push_back(i);
    }
    std::uint32_t longest = 0;
    for (const auto& list : lists) longest = std::max<std::uint32_t>(longest, list.size());
    WorkerTable table;
    if (longest == 0) return table;
    table.rounds = (longest + kMaxPairs - 1) / kMaxPairs;
    table.stride = 4 * (3 + 2 * std::min(longest, kMaxPairs));
    table.single = std::all_of(lists.begin() + 1, lists.end(), [](const auto& list) { return list.empty(); });
    const std::uint32_t bytes = tile_bytes(std::uint64_t{table.rounds} * 6 * table.stride, tile,
                                           [] { return std::string("lists of vertices"); });
    table.block = add_block(lowered_, {.tile = tile, .bytes = bytes, .use = BlockUse::kVertex});
    Content content{{table.block, 0}, std::vector<std::uint8_t>(bytes)};
    for (std::uint32_t round = 0; round < table.rounds; ++round) {
      for (std::uint32_t worker = 0; worker < 6; ++worker) {
        std::uint32_t at = (round * 6 + worker) * table.stride;
        if (lowered_.stacks[tile] != kNone) {
          const BlockId stack = lowered_.stacks[tile];
          lowered_.pointers.push_back({{table.block, at}, {stack, (worker + 1) * text_.worker_stack}});
          lowered_.pointers.push_back({{table.block, at + 4}, {stack, worker * text_.worker_stack}});
        }
        at += 8;
        const auto& list = lists[worker];
        for (std::size_t i = round * kMaxPairs; i < std::min<std::size_t>(list.size(), (round + 1) * kMaxPairs); ++i) {
          const LoweredVertex& vertex = compute.vertices[list[i]];
          put(content.bytes, at, text_.entries[graph_.vertices[vertex.id].codelet]);
          lowered_.pointers.push_back({{table.block, at + 4}, vertex.state});
          at += 8;
        }
      }
    }
    lowered_.contents.push_back(std::move(content));
    return table;
  }

  void copy_tables(LocalCopies& copies) {
    copies.tables.assign(lowered_.tiles, kNone);
    if (copies.copies.empty()) return;
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      const LocalCopy* first = copies.copies.data() + copies.first[tile];
      const LocalCopy* last = copies.copies.data() + copies.first[tile + 1];
      if (first == last || copied_in_line(first, last)) continue;
      copies.tables[tile] = copy_table(tile, split_among_workers(first, last));
    }
  }

  BlockId copy_table(std::uint32_t tile, const std::vector<std::vector<LocalCopy>>& lists) {
    std::uint64_t entries = 0;
    for (const auto& list : lists) entries += list.size();
    const std::uint32_t bytes =
        tile_bytes(6 * kCopyHeadBytes + entries * kCopyEntryBytes, tile, [] { return std::string("lists of copies"); });
    const BlockId block = add_block(lowered_, {.tile = tile, .bytes = bytes, .use = BlockUse::kVertex});
    Content content{{block, 0}, std::vector<std::uint8_t>(bytes)};
    std::uint32_t at = 6 * kCopyHeadBytes;
    for (std::uint32_t worker = 0; worker < 6; ++worker) {
      lowered_.pointers.push_back({{block, worker * kCopyHeadBytes}, {block, at}});
      put(content.bytes, worker * kCopyHeadBytes + 4, lists[worker].size());
      for (const LocalCopy& copy : lists[worker]) {
        lowered_.pointers.push_back({{block, at}, copy.target});
        lowered_.pointers.push_back({{block, at + 4}, copy.source});
        const EntryKind kind = entry_kind(copy);
        const std::uint32_t bytes = kind == EntryKind::kRuns   ? copy.bytes
                                    : kind == EntryKind::kFill ? 4 * copy.count
                                                               : 0;
        put(content.bytes, at + 8, bytes);
        put(content.bytes, at + 12, kind == EntryKind::kFill ? 0 : copy.count);
        put(content.bytes, at + 16, copy.target_step);
        put(content.bytes, at + 20, copy.source_step);
        at += kCopyEntryBytes;
      }
    }
    lowered_.contents.push_back(std::move(content));
    return block;
  }

  void event_blocks(Exchange& exchange) {
    exchange.event_blocks.assign(lowered_.tiles, kNone);
    if (exchange.schedule.events.empty()) return;
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      const std::uint32_t events = exchange.schedule.first[tile + 1] - exchange.schedule.first[tile];
      if (events > 0)
        exchange.event_blocks[tile] = add_block(
            lowered_,
            {.tile = tile,
             .bytes = tile_bytes(std::uint64_t{8} * events, tile, [&] { return "events of '" + exchange.name + "'"; }),
             .use = BlockUse::kEvents});
    }
  }

  void host_tables(HostTransfer& transfer, bool to_device) {
    transfer.tables.assign(lowered_.tiles, kNone);
    for (std::uint32_t tile = 0; tile < lowered_.tiles; ++tile) {
      const std::uint32_t runs = transfer.first[tile + 1] - transfer.first[tile];
      if (runs == 0) continue;
      const std::uint32_t size = to_device ? kRequestBytes : kPacketBytes;
      const std::uint32_t bytes =
          tile_bytes(std::uint64_t{runs} * size, tile, [] { return std::string("packets to the host"); });
      const BlockId block = add_block(lowered_, {.tile = tile, .bytes = bytes, .use = BlockUse::kPacket});
      Content content{{block, 0}, std::vector<std::uint8_t>(bytes)};
      for (std::uint32_t i = 0; i < runs; ++i) {
        const HostRun& run = transfer.runs[transfer.first[tile] + i];
        const std::uint32_t at = i * size;
        if (to_device) {
          put(content.bytes, at, spec::PacketHeader{run.words, tile, spec::PacketKind::kReadHost}.encode());
          put(content.bytes, at + 4, run.host_offset);
          lowered_.pointers.push_back({{block, at + 8}, run.at});
        } else {
          lowered_.pointers.push_back({{block, at}, {run.at.block, run.at.offset - 8}});
          put(content.bytes, at + 4, spec::PacketHeader{run.words, tile, spec::PacketKind::kWriteHost}.encode());
          put(content.bytes, at + 8, run.host_offset);
          put(content.bytes, at + 12, run.words + 2);
        }
      }
      lowered_.contents.push_back(std::move(content));
      transfer.tables[tile] = block;
    }
  }

  const graph::Graph& graph_;
  const Text& text_;
  Lowered& lowered_;
};

}  // namespace

bool copied_in_line(const LocalCopy* first, const LocalCopy* last) {
  std::uint32_t runs = 0, words = 0;
  for (const LocalCopy* c = first; c != last; ++c) {
    if ((c->source.offset | c->target.offset | c->bytes | static_cast<std::uint32_t>(c->source_step) |
         static_cast<std::uint32_t>(c->target_step)) %
            4 !=
        0)
      return false;
    runs += c->count;
    words += c->count * (c->bytes / 4);
    if (runs > kInLineRuns || words > kInLineWords) return false;
  }
  return true;
}

void emit_state(const graph::Graph& graph, const Text& text, Lowered& lowered) {
  StateEmission(graph, text, lowered).run();
}

}  // namespace tessera::compiler
