// A chip at a settled boundary in a form that fits RTL and model alike: docs/reference/checkpoint.md. Taken where run()
// has stopped with kSuperstep or kHostSync; put into a chip of the same machine, that chip goes on exactly as the first
// would have: the same records, events, cycles and counters.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"
#include "sim/port/engine_state.h"
#include "sim/port/packet_edge_state.h"

namespace tessera::chip {

struct BadCheckpoint : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Checkpoint {
  static constexpr unsigned kContexts = 7, kWorkers = 6;
  static constexpr uint32_t kPageBytes = 4096;
  using Page = std::array<uint64_t, kPageBytes / 8>;
  // CSRs of the supervisor and of a worker that outlive an instruction.
  static constexpr std::array kSupervisorCsrs{spec::Csr::Xstacklimit, spec::Csr::Xfpictl, spec::Csr::Xlc,
                                              spec::Csr::Xcount, spec::Csr::Xf8i};
  static constexpr std::array kWorkerCsrs{spec::Csr::Fcsr,     spec::Csr::Xstacklimit, spec::Csr::Xfpctl,
                                          spec::Csr::Xtas,     spec::Csr::Xstride1,    spec::Csr::Xstride2,
                                          spec::Csr::Xstride3, spec::Csr::Xprng0,      spec::Csr::Xprng1,
                                          spec::Csr::Xprng2,   spec::Csr::Xprng3,      spec::Csr::Xf8};
  static constexpr unsigned kVectorWords = 41, kWeightWords = 128;  // of debug space 5

  struct Worker {
    std::array<uint64_t, 32> f{};
    std::array<uint32_t, kWorkerCsrs.size()> csrs{};
    std::array<uint32_t, kVectorWords> vector{};
  };
  struct Tile {  // waits in the sync instruction at `sync_pc`
    std::array<std::array<uint32_t, 32>, kContexts> x{};
    std::array<uint32_t, kContexts> pc{};  // of the next instruction
    std::array<uint32_t, kSupervisorCsrs.size()> csrs{};
    std::array<Worker, kWorkers> workers{};
    std::array<uint32_t, kWeightWords> weights{};
    uint16_t mark = 0;                      // CSR xmark
    uint32_t armed_list = 0;                // 0: the sequencer is not armed
    std::map<uint32_t, Page> memory;        // by address; pages that are all zero are left out
    std::map<uint32_t, uint8_t> bad_bytes;  // of double words, that do not fit their check bits (tile.md, Parity)
    TilePlace place;

    uint32_t sync_pc() const { return pc[0] - 4; }
  };

  std::string machine;
  uint64_t machine_hash = 0;
  EngineState course{0};
  PacketEdgeRest edge;
  std::vector<unsigned> turns;  // of the links' ways: the source whose turn comes first (link.md)
  std::vector<Tile> tiles;
};

// std::logic_error when the chip does not stand at such a boundary, or has none.
Checkpoint take_checkpoint(Chip&);
// BadCheckpoint when it is of another machine. Whatever the chip was doing is forgotten.
void put_checkpoint(Chip&, const Checkpoint&);

// File form: magic, version, machine, content, digest. Whatever is wrong is one BadCheckpoint line.
std::vector<uint8_t> serialize(const Checkpoint&);
Checkpoint deserialize_checkpoint(const std::vector<uint8_t>&, const spec::Machine&);
void save_checkpoint(const Checkpoint&, const std::string& path);
Checkpoint load_checkpoint(const std::string& path, const spec::Machine&);

}  // namespace tessera::chip
