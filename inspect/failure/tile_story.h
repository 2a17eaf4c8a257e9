// All that tiles did in a stretch of the past, kept for looking back from any point of it.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "inspect/failure/words.h"
#include "inspect/read_addresses.h"
#include "inspect/run.h"
#include "inspect/trace/vertex_tracker.h"

namespace tessera::inspect::failure {

struct Deed {  // an instruction
  chip::Retire record;
  const names::Vertex* vertex = nullptr;
  struct Read {
    uint32_t address = 0, bytes = 0;
  };
  std::array<Read, 2> reads{};  // bytes 0: none
};

struct Arrival {  // a word that a port wrote to memory
  uint64_t cycle = 0;
  uint32_t address = 0, data = 0;
  bool packet = false;
  uint64_t received = 0;            // exchange: cycle in which it was on the port; not of a half
  unsigned source = chip::kNoTile;  // exchange: whose port it came from
  bool half = false;                // of a double word
};

struct Sending {  // a phase in which the tile may send
  uint32_t list = 0;
  uint64_t begin = 0, end = ~0ull;
};

class TileStory : public chip::Observer {
 public:
  // Brings the run to `from`, and replays it to `to` (<= frontier).
  TileStory(Run& run, unsigned tile, uint64_t from, uint64_t to);

  uint64_t from() const { return from_; }
  const std::vector<Deed>& deeds() const { return deeds_; }  // in order of time
  const std::vector<Arrival>& arrivals() const { return arrivals_; }
  const std::vector<Sending>& sendings() const { return sendings_; }

  bool wants(unsigned tile) const override { return tile == tile_; }
  void retire(unsigned tile, const chip::Retire& record) override;
  void port_write(unsigned tile, const chip::PortWrite& write) override;
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override;
  void exchanging(unsigned tile, uint64_t cycle, bool on) override;

 private:
  const unsigned tile_;
  const uint64_t from_;
  RegisterShadow registers_;
  trace::VertexTracker tracker_;
  std::vector<Deed> deeds_;
  std::vector<Arrival> arrivals_;
  std::vector<Sending> sendings_;
  uint32_t supervisor_[32] = {};  // integer registers, for the operand of xarm
  uint32_t armed_ = 0;
  uint64_t last_received_ = 0;
  std::array<unsigned, 2> last_sources_ = {chip::kNoTile, chip::kNoTile};  // by half of a pair; of the last word:
  unsigned last_source_ = chip::kNoTile;
};

}  // namespace tessera::inspect::failure
