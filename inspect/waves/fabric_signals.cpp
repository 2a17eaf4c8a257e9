#include "inspect/waves/fabric_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tessera::inspect::waves {
namespace {

constexpr const char* kInside = "fabric.fabric.";

std::string port(const char* name) { return std::string("fabric.") + name; }

// A bit a tile.
Shown by_tile(unsigned tiles) { return tiles > 16 ? Shown::Hex : Shown::Binary; }

FabricGroup sync_group(unsigned tiles) {
  using enum Shown;
  const std::string sync = std::string(kInside) + "u_sync.", root = sync + "u_root.";
  return {"sync",
          false,
          {{std::string(kInside) + "sync_request", tiles, by_tile(tiles), Names::None, 6},
           {sync + "u_gather.root_o.internal", 1, Single},
           {sync + "u_gather.root_o.external", 1, Single},
           {sync + "u_gather.root_o.host", 1, Single},
           {sync + "u_gather.root_o.value", 1, Single},
           {root + "host_pending_q", 1, Single},
           {root + "host_notified_q", 1, Single},
           {root + "mark_valid_i", 1, Single},
           {root + "mark_i", 16, Decimal},
           {root + "answer_o.zone", 4, Hex, Names::Zones},
           {root + "answer_o.consensus", 1, Single},
           {std::string(kInside) + "sync_ack", tiles, by_tile(tiles), Names::None, 6}}};
}

// A vector of one bit has its range in the name.
std::string vector(const std::string& name, unsigned bits) { return bits == 1 ? name + "[0:0]" : name; }

FabricGroup edge_group(const FabricShape& shape) {
  using enum Shown;
  const std::string edge = std::string(kInside) + "u_edge.", turns = edge + "u_host_turns.";
  const unsigned tiles = shape.tiles(), blocks = shape.blocks;
  return {"edge",
          true,
          {{port("packet_request_i"), tiles, by_tile(tiles), Names::None, 7},
           {port("packet_grant_o"), tiles, by_tile(tiles), Names::None, 7},
           {vector(turns + "waits", blocks), blocks, by_tile(blocks)},
           {vector(turns + "take_o", blocks), blocks, by_tile(blocks)},
           {port("up_o.valid"), 1, Single},
           {port("up_o.last"), 1, Single},
           {port("up_o.bad"), 1, Single},
           {port("up_o.data"), 32, Hex},
           {edge + "u_tracker.reads_q", 48, Decimal},
           {port("down_i.valid"), 1, Single},
           {port("down_i.data"), 32, Hex},
           {port("packet_o.valid"), 1, Single},
           {port("packet_o.data"), 32, Hex},
           {edge + "idle_o", 1, Single}}};
}

FabricGroup block_group(const FabricShape& shape, unsigned number) {
  using enum Shown;
  const std::string block = fmt::format("{}u_edge.g_block[{}].u_block.", kInside, number);
  const unsigned tiles = shape.block_tiles();
  return {fmt::format("exchange block {}, tiles {} to {}", number, number * tiles,
                      std::min((number + 1) * tiles, shape.tiles()) - 1),
          true,
          {{block + "request_i", tiles, by_tile(tiles), Names::None, 7},
           {block + "u_arbiter.asks_q", tiles, by_tile(tiles)},
           {block + "owner", 11, Decimal},
           {block + "serving_q", 1, Single},
           {block + "due", 1, Single},
           {block + "over", 1, Single},
           {block + "grant_o", tiles, by_tile(tiles), Names::None, 7},
           {block + "valid_o", 1, Single},
           {block + "data_o", 32, Hex},
           {block + "take_i", 1, Single}}};
}

FabricGroup host_group(unsigned tiles) {
  using enum Shown;
  const std::string host = std::string(kInside) + "u_host.";
  return {"host port",
          true,
          {{port("mmio_i.valid"), 1, Single},
           {port("mmio_i.write"), 1, Single},
           {port("mmio_i.address"), 12, Hex},
           {port("mmio_i.wdata"), 32, Hex},
           {port("mmio_o.rdata"), 32, Hex},
           {host + "u_access.mark_q", 16, Decimal},
           {host + "u_access.exception_tile", 11, Hex, Names::Tiles},
           {port("debug_valid_o"), tiles, by_tile(tiles)},
           {port("debug_o.address"), 32, Hex},
           {port("host_waiting_o"), 1, Single}}};
}

// Up its column, and from its selection back to it (exchange.md, Structure).
FabricGroup exchange_group(const FabricShape& shape, unsigned tile) {
  using enum Shown;
  const unsigned lane = tile % shape.lanes, column = tile / shape.lanes % shape.columns,
                 row = tile / (shape.lanes * shape.columns), words = (shape.lanes + 1) / 2;
  const std::string exchange = std::string(kInside) + "u_exchange.";
  const std::string up = exchange + fmt::format("g_side[{}].g_row[{}].u_up.", 2 * column + lane % 2, row);
  const std::string drop =
      exchange + fmt::format("g_column[{}].u_column.g_tile[{}].u_drop.", column, lane + shape.lanes * row);
  const std::string range = words == 1 ? "[0:0]" : "";  // of a vector, however short
  return {fmt::format("exchange of tile {}", tile),
          false,
          {{up + "valid_i" + range, words, Binary, Names::None, 4},
           {up + "data_i", 32 * words, Hex, Names::None, 4},
           {up + "valid_o" + range, words, Binary},
           {up + "data_o", 32 * words, Hex},
           {drop + "select_i", 11, Hex, Names::Tiles, 4},
           {drop + "outward_select", 11, Hex, Names::Tiles},
           {drop + "back_select", 11, Hex, Names::Tiles},
           {drop + "valid", 2, Binary},
           {drop + "data", 64, Hex},
           {drop + "valid_o", 1, Single, Names::None, 4},
           {drop + "data_o", 32, Hex, Names::None, 4}}};
}

}  // namespace

std::vector<FabricGroup> fabric_groups(const FabricShape& shape, const std::vector<unsigned>& tiles) {
  std::vector<FabricGroup> groups;
  for (const unsigned tile : tiles) groups.push_back(exchange_group(shape, tile));
  groups.push_back(sync_group(shape.tiles()));
  groups.push_back(edge_group(shape));
  std::set<unsigned> blocks;
  for (const unsigned tile : tiles) blocks.insert(tile / shape.block_tiles());
  for (const unsigned block : blocks) groups.push_back(block_group(shape, block));
  groups.push_back(host_group(shape.tiles()));
  return groups;
}

}  // namespace tessera::inspect::waves
