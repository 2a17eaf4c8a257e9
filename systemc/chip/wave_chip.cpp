#include <verilated_fst_c.h>

#include <stdexcept>

#include "Vtile_trace.h"
#include "Vtile_trace___024root.h"
#include "chip/chip_engine.h"
#include "chip/rtl_chip.h"
#include "chip/rtl_tile.h"

namespace tessera::chip {
namespace {

using TracedTile = RtlTile<Vtile_trace>;

class WaveChip : public ChipEngine<TracedTile>, private PortProbe {
 public:
  WaveChip(const spec::Machine& machine, const WaveOptions& options) : ChipEngine(machine), options_(options) {
    for (unsigned id : options_.tiles) {
      if (id >= machine.tiles())
        throw std::out_of_range("waves: machine " + machine.name + " has no tile " + std::to_string(id));
      tile(id).top().trace(&fst_, 99);
    }
    fst_.open(options_.path.c_str());
    if (!fst_.isOpen()) throw std::runtime_error("waves: " + options_.path + " cannot be written");
    probe(this);
  }
  ~WaveChip() override { fst_.close(); }

  void reset() override { throw std::logic_error("waves: a chip that is being traced cannot be reset"); }
  void restore(const Snapshot&) override {
    throw std::logic_error("waves: a chip that is being traced goes forward only");
  }

 private:
  bool wanted(uint64_t superstep) const override {
    return superstep >= options_.from_superstep && superstep - options_.from_superstep < options_.supersteps;
  }
  void stepped(uint64_t cycle) override {
    fst_.dump(2 * (cycle + 1));
    // The falling clock: the tiles evaluate it with their next inputs.
    for (unsigned id : options_.tiles) tile(id).top().clk_i = 0;
    fst_.dump(2 * (cycle + 1) + 1);
  }

  const WaveOptions options_;
  VerilatedFstC fst_;
};

}  // namespace

std::unique_ptr<Chip> make_wave_chip(const spec::Machine& machine, const WaveOptions& options) {
  Verilated::traceEverOn(true);
  return std::make_unique<WaveChip>(machine, options);
}

}  // namespace tessera::chip
