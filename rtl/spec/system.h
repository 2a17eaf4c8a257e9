// A system description: the chips, links, sync groups, gateways and hosts of one machine in the large sense, read from
// rtl/spec/systems/*.toml. Plain data. The format, every line's unit and range and what is refused:
// docs/reference/systems.md. Cycles are those of the chips, which share one clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/tile_id.h"

namespace tessera::spec {

struct ChipPort {
  uint32_t chip = 0, port = 0;
  auto operator<=>(const ChipPort&) const = default;
};

// Two ports joined, the same in both directions.
struct Link {
  std::array<ChipPort, 2> ends{};
  uint32_t lanes = 0;
  uint32_t latency = 0;          // cycles from the last byte in to the last byte out
  uint32_t bytes_per_cycle = 0;  // of all lanes, each way
};

// Where chips stand: chip = column + columns * row. Links join neighbours; in a torus also the ends of a row or column.
struct Grid {
  uint32_t columns = 0, rows = 0;
  bool torus = false;

  uint32_t column(uint32_t chip) const { return chip % columns; }
  uint32_t row(uint32_t chip) const { return chip / columns; }
  uint32_t chip(uint32_t column, uint32_t row) const { return column + columns * row; }
  // The chips beside one, each once, ascending.
  std::vector<uint32_t> beside(uint32_t chip) const;
};

// Chips that one external sync waits for. A chip that no group of a zone names acknowledges itself.
struct SyncGroup {
  enum class Zone : uint8_t { kGs1, kGs2 };
  Zone zone = Zone::kGs1;
  std::vector<uint32_t> members;  // chips, ascending
  uint32_t hop_latency = 0;       // cycles from one member to the next, each way
};

// Streaming memory that its chips reach by packets with 40-bit addresses.
struct Gateway {
  std::string name;
  std::vector<uint32_t> chips;  // ascending
  uint64_t dram_bytes = 0;
  uint32_t latency = 0;          // cycles from a request to the first byte of its answer
  uint32_t bytes_per_cycle = 0;  // for each chip, each way
};

// Two gateways joined, the same in both directions: chips of one reach the memory of the other (remote_windows.h).
struct GatewayLink {
  std::array<uint32_t, 2> ends{};  // gateways, by number
  uint32_t latency = 0;            // cycles each way
  uint32_t bytes_per_cycle = 0;    // for each chip, each way
};

// A computer to whose PCIe the chips are joined; latency and rate of that are lines of the chips' machines.
struct Host {
  std::string name;
  std::vector<uint32_t> chips;  // ascending
};

struct System {
  static constexpr uint32_t kMostChips = 64, kLinkPorts = 10;

  std::string name;
  std::vector<Machine> chips;  // by id; all with the same clock and number of tiles
  std::vector<Link> links;
  std::optional<Grid> grid;  // what its packets' ways go by (routes.h)
  std::vector<SyncGroup> groups;
  std::vector<Gateway> gateways;
  std::vector<GatewayLink> gateway_links;
  std::vector<Host> hosts;  // each chip has exactly one

  uint64_t hash() const;  // of everything but the names
  // Tiles are numbered through the chips, in their order: `ipu * tilesPerIPU + tile` of Poplar programs.
  uint32_t tiles() const { return static_cast<uint32_t>(chips.size()) * chips.front().tiles(); }
  uint32_t number(TileId id) const { return id.chip * chips.front().tiles() + id.tile; }
  TileId tile(uint32_t number) const { return {number / chips.front().tiles(), number % chips.front().tiles()}; }
};

// What is wrong in a system, or that there is none of that name: one line that names system and object.
struct SystemError : MachineError {
  using MachineError::MachineError;
};

// By the name of a system, of a machine or of a standard system (standard_system.h), by the path (ends in .toml) of one
// of the former two, or a part of any of them (system_part.h). A machine stands for the system of one such chip with
// one host. Throws SystemError, or MachineError for what is wrong in a machine.
System load_system(const std::string& name_or_path);
// From the text of a description; its chips' machines are looked up by name or path.
System parse_system(const std::string& text);
System system_of(const Machine&);
// Throws SystemError for what docs/reference/systems.md does not allow between a system's objects.
void check_system(const System&);
// For what drives one chip. Throws SystemError for a larger system.
const Machine& only_chip(const System&);
// load_system and only_chip.
Machine load_runnable(const std::string& name_or_path);

// Names of the shipped systems (of more than a machine alone), sorted.
std::vector<std::string> system_names();
// The whole description, a line an object: what `tessera machines NAME` prints.
std::string text(const System&);

}  // namespace tessera::spec
