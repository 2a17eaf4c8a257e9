// Emits what the tiles hold beside code: vertex states with their edge lists, lists for the worker start routine, lists
// of copies, host requests and packet descriptions, event list blocks, stacks.
#pragma once

#include <string>
#include <vector>

#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/load_data.h"
#include "compiler/passes/remote/remote_tables.h"
#include "compiler/passes/text/link_text.h"

namespace tessera::compiler {

// A description of a packet for control code: address of the payload - 8, header, address there, words of the packet. A
// request is the packet itself: header, host address, tile address.
constexpr std::uint32_t kPacketBytes = 16, kRequestBytes = 12;

// Lists for the worker start routine (docs/reference/codelet-abi.md): `rounds` times six, `stride` bytes apart; one
// list where `rounds` is 1 and only worker 0 has vertices.
struct WorkerTable {
  ir::BlockId block = ir::kNone;
  std::uint32_t stride = 0;
  std::uint32_t rounds = 0;
  bool single = false;  // only worker 0 has vertices
};

// Elements of a vector that is state.
struct StateArray {
  ir::Place at{};
  std::uint32_t bytes = 0;
};

using BlockOfTile = ir::PerTile<ir::BlockId>;

struct State {
  std::vector<ir::BlockId> stacks;  // by tile: six worker stacks, then the supervisor's; kNone: none needed
  std::vector<ir::PerTile<WorkerTable>> workers;  // of each compute
  std::vector<BlockOfTile> copies_before;  // of each exchange: six heads for the copy routine; none: done in line
  std::vector<BlockOfTile> copies_after;   // likewise
  std::vector<BlockOfTile> events;         // of each exchange
  std::vector<BlockOfTile> host_after;     // of each host transfer, as copies_before
  std::vector<BlockOfTile> packets;        // of each host transfer: requests, or packet descriptions
  RemoteTables remote;
  std::vector<std::vector<BlockOfTile>> rounds;  // of each exchange, of its rounds of packets: descriptions
  std::vector<StateArray> arrays;                // in order of computes, vertices, fields
  std::vector<LoadData> of_vertices;             // by tile: their states and the lists of workers
  LoadData data;                                 // of the rest
};

State emit_state(const graph::Graph& graph, const Text& text, const ir::Program& program, const Plans& plans,
                 const std::vector<Schedule>& schedules, ir::Blocks& blocks, unsigned threads);

// One line a thing.
std::string dump(const State& state, const ir::Blocks& blocks);

// Whether copies of a tile are few and small enough for the supervisor to make them itself.
bool copied_in_line(const LocalCopy* first, const LocalCopy* last);

}  // namespace tessera::compiler
