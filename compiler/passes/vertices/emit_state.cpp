#include "compiler/passes/vertices/emit_state.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "compiler/ir/text.h"
#include "compiler/parallel/parallel.h"
#include "compiler/passes/control/copy_routine.h"
#include "compiler/passes/exchange/group_by_tile.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/vertices/vertex_state.h"
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
  StateEmission(const graph::Graph& graph, const Text& text, const ir::Program& program, ir::Blocks& blocks)
      : graph_(graph), text_(text), program_(program), blocks_(blocks) {}

  State run(const Plans& plans, const std::vector<Schedule>& schedules, unsigned threads) {
    state_.stacks.assign(program_.tiles, ir::kNone);
    const std::uint32_t stack = 6 * text_.worker_stack + text_.supervisor_stack;
    for (std::uint32_t tile = 0; tile < program_.tiles && stack > 0; ++tile)
      state_.stacks[tile] =
          ir::add_block(blocks_, {.tile = tile, .bytes = stack, .align = 16, .use = ir::BlockUse::kStack});
    vertices(threads);
    for (std::size_t i = 0; i < program_.exchanges.size(); ++i) {
      const std::vector<ir::Lane>& lanes = program_.exchanges[i].lanes;
      state_.copies_before.push_back(copy_tables(plans.exchanges[i].before, lanes));
      state_.copies_after.push_back(copy_tables(plans.exchanges[i].after, lanes));
      state_.events.push_back(event_blocks(program_.exchanges[i].name, schedules[i]));
      std::vector<BlockOfTile>& rounds = state_.rounds.emplace_back();
      for (const PacketRound& round : plans.exchanges[i].rounds)
        rounds.push_back(packets(program_.exchanges[i], round));
    }
    state_.remote = make_remote_tables(program_, blocks_, state_.data);
    for (std::size_t i = 0; i < program_.host_transfers.size(); ++i) {
      state_.host_after.push_back(copy_tables(plans.host_after[i], {}));
      state_.packets.emplace_back();
      if (!program_.host_transfers[i].remote.in_gateway())
        state_.packets.back() = packets(program_.host_transfers[i], ir::is_to_device(program_.host.streams[i].use));
    }
    return std::move(state_);
  }

 private:
  // The vertices of a compute set on one tile.
  struct Part {
    std::size_t compute;
    std::uint32_t tile;
    ir::BlockId arrays{};
    WorkerTable table{};
    std::vector<StateArray> made{};
  };

  // Blocks first, then what stands in them, on all threads.
  void vertices(unsigned threads) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < program_.computes.size(); ++i)
      for (const std::uint32_t tile : program_.computes[i].of_tile.tiles()) parts.push_back({i, tile});
    parallel(threads, parts.size(), [&](std::size_t i) { parts[i].table = sized_table(vertices_of(parts[i])); });
    state_.workers.resize(program_.computes.size());
    for (Part& part : parts) {
      part.arrays = ir::add_block(blocks_, {.tile = part.tile, .align = 16, .use = ir::BlockUse::kVertex});
      if (part.table.rounds == 0) continue;
      const std::uint64_t lists = std::uint64_t{part.table.rounds} * launched(part.table);
      const std::uint32_t bytes =
          tile_bytes(lists * part.table.stride, part.tile, [] { return std::string("lists of vertices"); });
      part.table.block = ir::add_block(blocks_, {.tile = part.tile, .bytes = bytes, .use = ir::BlockUse::kVertex});
      state_.workers[part.compute].add(part.tile, part.table);
    }
    const ByTile of_tile(parts.size(), program_.tiles, threads, [&](std::size_t i) { return parts[i].tile; });
    state_.of_vertices.resize(program_.tiles);
    parallel(threads, program_.tiles, [&](std::size_t tile) {
      const std::span<const std::uint32_t> numbers = of_tile[static_cast<std::uint32_t>(tile)];
      LoadData load;
      std::size_t regions = 0, listed = 0;
      for (const std::uint32_t i : numbers)
        for (const ir::Vertex& vertex : vertices_of(parts[i])) regions += vertex.regions, ++listed;
      load.pointers.reserve(regions + listed);  // most are those to regions, and to vertices from the workers' lists
      for (const std::uint32_t i : numbers) {
        Part& part = parts[i];
        if (part.table.rounds != 0) fill_table(part, load);
        part.made = emit_vertex_states(graph_, program_, vertices_of(part), part.arrays, blocks_, load);
      }
      state_.of_vertices[tile] = std::move(load);
    });
    for (const Part& part : parts) state_.arrays.insert(state_.arrays.end(), part.made.begin(), part.made.end());
  }

  std::span<const ir::Vertex> vertices_of(const Part& part) const {
    const ir::Compute& compute = program_.computes[part.compute];
    const auto range = compute.of_tile[part.tile];
    return std::span(compute.vertices).subspan(range.first, range.size());
  }

  // The table that lists of the vertices make, which has no block yet; no rounds: no worker has any.
  static WorkerTable sized_table(std::span<const ir::Vertex> vertices) {
    std::array<std::uint32_t, 6> lists{};
    for (const ir::Vertex& vertex : vertices) for_each_worker(vertex, [&](std::uint32_t worker) { ++lists[worker]; });
    WorkerTable table;
    const std::uint32_t longest = *std::max_element(lists.begin(), lists.end());
    if (longest == 0) return table;
    table.rounds = (longest + kMaxPairs - 1) / kMaxPairs;
    table.stride = 4 * (3 + 2 * std::min(longest, kMaxPairs));
    table.single = std::all_of(lists.begin() + 1, lists.end(), [](std::uint32_t list) { return list == 0; });
    return table;
  }

  // Workers that have lists.
  static std::uint32_t launched(const WorkerTable& table) { return table.single && table.rounds == 1 ? 1 : 6; }

  template <class Visit>
  static void for_each_worker(const ir::Vertex& vertex, const Visit& visit) {
    if (vertex.worker < 6) visit(vertex.worker);
    if (vertex.worker == ir::kAllWorkers)
      for (std::uint32_t worker = 0; worker < 6; ++worker) visit(worker);
  }

  void fill_table(const Part& part, LoadData& load) const {
    const WorkerTable& table = part.table;
    const auto list_at = [&](std::uint32_t round, std::uint32_t worker) { return (round * 6 + worker) * table.stride; };
    if (const ir::BlockId stack = state_.stacks[part.tile]; stack != ir::kNone)
      for (std::uint32_t round = 0; round < table.rounds; ++round)
        for (std::uint32_t worker = 0; worker < launched(table); ++worker) {
          const std::uint32_t at = list_at(round, worker);
          load.pointers.push_back({{table.block, at}, {stack, (worker + 1) * text_.worker_stack}});
          load.pointers.push_back({{table.block, at + 4}, {stack, worker * text_.worker_stack}});
        }
    ir::Content content{{table.block, 0}, std::vector<std::uint8_t>(blocks_[table.block].bytes)};
    std::array<std::uint32_t, 6> listed{};
    for (const ir::Vertex& vertex : vertices_of(part))
      for_each_worker(vertex, [&](std::uint32_t worker) {
        const std::uint32_t number = listed[worker]++;
        const std::uint32_t at = list_at(number / kMaxPairs, worker) + 8 + 8 * (number % kMaxPairs);
        put(content.bytes, at, text_.entries[vertex.codelet]);
        load.pointers.push_back({{table.block, at + 4}, vertex.state});
      });
    load.contents.push_back(std::move(content));
  }

  BlockOfTile copy_tables(const LocalCopies& copies, std::span<const ir::Lane> lanes) {
    BlockOfTile tables;
    for (std::size_t i = 0; i < copies.of_tile.tiles().size(); ++i) {
      const auto range = copies.of_tile.range(i);
      const LocalCopy* first = copies.copies.data() + range.first;
      const LocalCopy* last = copies.copies.data() + range.last;
      const std::uint32_t tile = copies.of_tile.tiles()[i];
      if (!copied_in_line(first, last)) tables.add(tile, copy_table(tile, split_among_workers(first, last), lanes));
    }
    return tables;
  }

  // A pointer that has a lane's shift where `shift` says so.
  void add_pointer(const ir::Place& at, const ir::Place& value, const std::vector<std::uint32_t>* shift) {
    if (shift == nullptr)
      state_.data.pointers.push_back({at, value});
    else
      state_.data.replica_pointers.push_back({at, value, *shift});
  }

  ir::BlockId copy_table(std::uint32_t tile, const std::vector<std::vector<LocalCopy>>& lists,
                         std::span<const ir::Lane> lanes) {
    std::uint64_t entries = 0;
    for (const auto& list : lists) entries += list.size();
    const std::uint32_t bytes =
        tile_bytes(6 * kCopyHeadBytes + entries * kCopyEntryBytes, tile, [] { return std::string("lists of copies"); });
    const ir::BlockId block = ir::add_block(blocks_, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kVertex});
    ir::Content content{{block, 0}, std::vector<std::uint8_t>(bytes)};
    std::uint32_t at = 6 * kCopyHeadBytes;
    for (std::uint32_t worker = 0; worker < 6; ++worker) {
      state_.data.pointers.push_back({{block, worker * kCopyHeadBytes}, {block, at}});
      put(content.bytes, worker * kCopyHeadBytes + 4, lists[worker].size());
      for (const LocalCopy& copy : lists[worker]) {
        add_pointer({block, at}, copy.target,
                    copy.target_lane == ir::kNone ? nullptr : &lanes[copy.target_lane].target_shift);
        add_pointer({block, at + 4}, copy.source,
                    copy.source_lane == ir::kNone ? nullptr : &lanes[copy.source_lane].source_shift);
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
    state_.data.contents.push_back(std::move(content));
    return block;
  }

  // A list that is equal to one of an exchange before is that one.
  BlockOfTile event_blocks(const std::string& exchange, const Schedule& schedule) {
    BlockOfTile lists;
    for (std::size_t i = 0; i < schedule.of_tile.tiles().size(); ++i) {
      const std::uint32_t tile = schedule.of_tile.tiles()[i];
      const auto range = schedule.of_tile.range(i);
      std::string form;
      for (std::uint32_t e = range.first; e < range.last; ++e) {
        const Event& event = schedule.events[e];
        for (const std::uint32_t number :
             {event.tile, event.cycle, static_cast<std::uint32_t>(event.kind), event.source, event.at.block,
              event.at.offset, event.words, static_cast<std::uint32_t>(event.pair)})
          form.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
      const auto [known, fresh] = event_lists_.try_emplace(std::move(form), ir::kNone);
      if (!fresh) {
        lists.add(tile, known->second);
        continue;
      }
      const std::uint32_t bytes =
          tile_bytes(std::uint64_t{8} * range.size(), tile, [&] { return "events of '" + exchange + "'"; });
      known->second = ir::add_block(blocks_, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kEvents});
      lists.add(tile, known->second);
    }
    return lists;
  }

  BlockOfTile packets(const ir::Exchange& exchange, const PacketRound& round) {
    BlockOfTile tables;
    for (std::size_t n = 0; n < round.of_tile.tiles().size(); ++n) {
      const std::uint32_t tile = round.of_tile.tiles()[n];
      const auto range = round.of_tile.range(n);
      const std::uint32_t bytes = tile_bytes(std::uint64_t{range.size()} * kPacketBytes, tile,
                                             [&] { return "packets of '" + exchange.name + "'"; });
      const ir::BlockId block = ir::add_block(blocks_, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kPacket});
      ir::Content content{{block, 0}, std::vector<std::uint8_t>(bytes)};
      for (std::uint32_t i = 0; i < range.size(); ++i) {
        const Packet& packet = round.packets[range.first + i];
        const std::uint32_t at = i * kPacketBytes;
        const ir::Lane* lane = packet.lane == ir::kNone ? nullptr : &exchange.lanes[packet.lane];
        add_pointer({block, at}, {packet.from.block, packet.from.offset - 8},
                    packet.shifts_from ? &lane->source_shift : nullptr);
        add_pointer({block, at + 8}, packet.to, packet.shifts_to ? &lane->target_shift : nullptr);
        put(content.bytes, at + 12, packet.words + 2);
        ir::ReplicaContent headers{{block, at + 4}, {}};
        for (std::uint32_t replica = 0; replica < program_.replicas; ++replica) {
          headers.bytes.emplace_back(4);
          put(headers.bytes.back(), 0, header(lane, packet, replica));
        }
        put(content.bytes, at + 4, header(lane, packet, 0));
        if (program_.replicas > 1) state_.data.replicas.push_back(std::move(headers));
      }
      state_.data.contents.push_back(std::move(content));
      tables.add(tile, block);
    }
    return tables;
  }

  // Word 0 of a packet that `replica` sends. One that is for nobody is for the sender's own chip, which forgets it.
  std::uint32_t header(const ir::Lane* lane, const Packet& packet, std::uint32_t replica) const {
    const std::uint32_t tile = blocks_[packet.to.block].tile, to = lane == nullptr ? replica : lane->to[replica];
    const bool forgotten = lane != nullptr && to == replica;
    const std::uint32_t chip =
        to * program_.chips + program_.chip_of(forgotten ? blocks_[packet.from.block].tile : tile);
    return spec::PacketHeader{.words = packet.words,
                              .chip = chip,
                              .tile = tile % program_.tiles_of_chip(),
                              .kind = spec::PacketKind::kWriteTile}
        .encode();
  }

  BlockOfTile packets(const ir::HostTransfer& transfer, bool to_device) {
    BlockOfTile tables;
    for (std::size_t n = 0; n < transfer.of_tile.tiles().size(); ++n) {
      const std::uint32_t tile = transfer.of_tile.tiles()[n];
      const auto range = transfer.of_tile.range(n);
      const std::uint32_t runs = range.size();
      const std::uint32_t size = to_device ? kRequestBytes : kPacketBytes;
      const std::uint32_t bytes =
          tile_bytes(std::uint64_t{runs} * size, tile, [] { return std::string("packets to the host"); });
      const ir::BlockId block = ir::add_block(blocks_, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kPacket});
      ir::Content content{{block, 0}, std::vector<std::uint8_t>(bytes)};
      for (std::uint32_t i = 0; i < runs; ++i) {
        const ir::HostRun& run = transfer.runs[range.first + i];
        const std::uint32_t at = i * size;
        if (to_device) {
          put(content.bytes, at,
              spec::PacketHeader{
                  .words = run.words, .tile = tile % program_.tiles_of_chip(), .kind = spec::PacketKind::kReadHost}
                  .encode());
          put(content.bytes, at + 4, run.host_offset);
          state_.data.pointers.push_back({{block, at + 8}, run.at});
        } else {
          state_.data.pointers.push_back({{block, at}, {run.at.block, run.at.offset - 8}});
          put(content.bytes, at + 4,
              spec::PacketHeader{
                  .words = run.words, .tile = tile % program_.tiles_of_chip(), .kind = spec::PacketKind::kWriteHost}
                  .encode());
          put(content.bytes, at + 8, run.host_offset);
          put(content.bytes, at + 12, run.words + 2);
        }
      }
      state_.data.contents.push_back(std::move(content));
      tables.add(tile, block);
    }
    return tables;
  }

  const graph::Graph& graph_;
  const Text& text_;
  const ir::Program& program_;
  ir::Blocks& blocks_;
  State state_;
  std::unordered_map<std::string, ir::BlockId> event_lists_;  // by what is in them; looked up, never walked
};

}  // namespace

bool copied_in_line(const LocalCopy* first, const LocalCopy* last) {
  const auto shifted = [](const LocalCopy& c) { return c.source_lane != ir::kNone || c.target_lane != ir::kNone; };
  if (std::any_of(first, last, shifted)) return false;
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

State emit_state(const graph::Graph& graph, const Text& text, const ir::Program& program, const Plans& plans,
                 const std::vector<Schedule>& schedules, ir::Blocks& blocks, unsigned threads) {
  return StateEmission(graph, text, program, blocks).run(plans, schedules, threads);
}

std::string dump(const State& state, const ir::Blocks& blocks) {
  std::string text;
  const auto add = [&](const LoadData& data) {
    for (const ir::Content& content : data.contents)
      text += fmt::format("{} = {:02x}\n", ir::print(content.at, blocks), fmt::join(content.bytes, ""));
    for (const Pointer& pointer : data.pointers)
      text += fmt::format("{} = address of {}\n", ir::print(pointer.at, blocks), ir::print(pointer.value, blocks));
    for (const ReplicaPointer& pointer : data.replica_pointers)
      text += fmt::format("{} = address of {} and by replica {}\n", ir::print(pointer.at, blocks),
                          ir::print(pointer.value, blocks), fmt::join(pointer.shift, " "));
    for (const ir::ReplicaContent& content : data.replicas)
      for (std::size_t replica = 0; replica < content.bytes.size(); ++replica)
        text += fmt::format("{} of replica {} = {:02x}\n", ir::print(content.at, blocks), replica,
                            fmt::join(content.bytes[replica], ""));
  };
  for (const LoadData& of_tile : state.of_vertices) add(of_tile);
  add(state.data);
  return text;
}

}  // namespace tessera::compiler
