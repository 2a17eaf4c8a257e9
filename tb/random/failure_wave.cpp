#include "failure_wave.h"

#include <verilated_fst_c.h>

#include <stdexcept>

#include "Vtile_trace_state.h"
#include "pair_run.h"
#include "rtl/spec/machine.h"
#include "sim/engine/rtl_tile.h"
#include "sim/model/tile.h"

namespace tessera::test {
namespace {

constexpr uint64_t kCycles = 3000;  // that the wave holds

class WavedTile {
 public:
  WavedTile(const spec::Machine& machine, unsigned id, uint64_t from, const std::string& path)
      : tile_(machine, id), from_(from) {
    tile_.top().trace(&wave_, 99);
    wave_.open(path.c_str());
    if (!wave_.isOpen()) throw std::runtime_error(path + " cannot be written");
  }
  ~WavedTile() { wave_.close(); }

  void reset() { tile_.reset(); }
  void step(const chip::TileInputs& in, chip::TileOutputs& out) {
    tile_.step(in, out);
    if (in.cycle < from_) return;
    wave_.dump(2 * (in.cycle + 1));
    tile_.top().clk_i = 0;
    wave_.dump(2 * (in.cycle + 1) + 1);
  }
  const chip::Retire& retire() const { return tile_.retire(); }
  const chip::PortWrites& port_writes() const { return tile_.port_writes(); }
  chip::TileWait wait() { return tile_.wait(); }
  void flip(const chip::Flip& flip) { tile_.flip(flip); }

 private:
  chip::RtlTile<Vtile_trace> tile_;
  VerilatedFstC wave_;
  const uint64_t from_;
};

}  // namespace

std::string leave_failure_wave(const RandomProgram& program, unsigned tile, uint64_t failing_cycle,
                               const std::string& path) {
  Verilated::traceEverOn(true);
  const auto machine = spec::load_machine("mk2-16");
  WavedTile traced(machine, tile, failing_cycle > kCycles ? failing_cycle - kCycles : 0, path);
  model::ModelTile model(machine, tile);
  PairRun<WavedTile, model::ModelTile> pair(traced, model, tile);
  pair.run(program);
  return path;
}

}  // namespace tessera::test
