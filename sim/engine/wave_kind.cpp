// A chip of plain and traced tiles of one kind. Compiled once for each kind that has traced tiles: macros as in
// rtl_kind.cpp, and the same of the traced class.
#include <verilated_fst_c.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include TILE_STATE_HEADER
#include TRACED_STATE_HEADER
#include "formats/fst_seal.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/rtl_chip.h"
#include "sim/engine/traceable_tile.h"

#define JOINED(a, b) a##b
#define OF_KIND(name, kind) JOINED(name, kind)

namespace tessera::chip {
namespace {

// The scope around the tiles. Verilator 5.006 keeps a prefix of names, parted by spaces; later ones keep a stack of
// scopes.
template <class Trace, class Kind>
void push_scope(Trace& trace, void (Trace::*push)(const std::string&, Kind), const std::string& scope) {
  (trace.*push)(scope, Kind::SCOPE_MODULE);
}
template <class Trace>
void begin_scope(void* scope, Trace* trace, uint32_t) {
  const std::string& name = *static_cast<const std::string*>(scope);
  if constexpr (requires { trace->pushNamePrefix(name); })
    trace->pushNamePrefix(name + " ");
  else
    push_scope(*trace, &Trace::pushPrefix, name);
}
template <class Trace>
void end_scope(void*, Trace* trace, uint32_t) {
  if constexpr (requires { trace->popNamePrefix(); })
    trace->popNamePrefix();
  else
    trace->popPrefix();
}

// What the chip's destructor takes down last.
struct WaveContext {
  std::shared_ptr<VerilatedContext> context_;
};

class WaveChip : private WaveContext, public ChipEngine<TraceableTile<TILE_CLASS, TRACED_CLASS>>, private PortProbe {
 public:
  WaveChip(const spec::Machine& machine, const WaveOptions& options, FabricChoice fabric) try
      : ChipEngine(machine), options_(options), file_(options.path) {
    context_ = std::make_shared<VerilatedContext>();
    Verilated::threadContextp(Verilated::defaultContextp());
    context_->traceEverOn(true);
    std::vector<TRACED_CLASS*> traced;
    // A time unit is a cycle, as in the waves of inspect/waves.
    fst_.set_time_unit("1ns");
    fst_.set_time_resolution("1ns");
    VerilatedFst& trace = *fst_.spTrace();
    trace.addInitCb(begin_scope<VerilatedFst>, &options_.scope);
    for (unsigned id : options_.tiles) {
      if (id >= machine.tiles())
        throw std::out_of_range("waves: machine " + machine.name + " has no tile " + std::to_string(id));
      if (!tile(id).traced()) traced.push_back(&tile(id).trace(context_));
    }
    FabricPins* joins = nullptr;
    if (options.linked) {
      if (auto pins = make_fabric_pins(fabric, machine, true)) use_fabric(std::move(pins));
    } else if (auto pins = make_traced_fabric_pins(fabric, machine, *context_)) {
      joins = pins.get();
      use_fabric(std::move(pins));
    }
    // Later Verilators trace all tiles of a context at the first call, so all must be there.
    for (TRACED_CLASS* top : traced) top->trace(&fst_, 99);
    if (joins != nullptr) joins->trace(fst_);
    trace.addInitCb(end_scope<VerilatedFst>, &options_.scope);
    fst_.open(file_.unfinished().c_str());
    if (!fst_.isOpen()) throw std::runtime_error("waves: " + options_.path + " cannot be written");
    probe(this);
  } catch (const formats::CannotWrite& error) {
    throw std::runtime_error(std::string("waves: ") + error.what());
  }
  ~WaveChip() override {
    try {
      WaveChip::close_files();
    } catch (const std::runtime_error&) {
      // Whoever wants to know has called it before.
    }
  }

  // A window that never came leaves no file.
  void close_files() override {
    if (!fst_.isOpen()) return;
    if (next_ != 0 && next_ == cycle()) fst_.dump(next_);  // the ports after the last step
    fst_.close();
    if (next_ == 0) return file_.discard();
    try {
      formats::keep_fst(file_);
    } catch (const formats::CannotWrite& error) {
      throw std::runtime_error(std::string("waves: ") + error.what());
    }
  }

  void reset() override {
    if (fst_.isOpen()) throw std::logic_error("waves: a chip that is being traced cannot be reset");
    ChipEngine::reset();
  }
  void put(const Checkpoint& checkpoint) override {
    if (cycle() != 0) throw std::logic_error("waves: a chip that is being traced takes no checkpoint on its way");
    ChipEngine::put(checkpoint);
  }

 private:
  bool wanted(uint64_t superstep) const override {
    return superstep >= options_.from_superstep && superstep - options_.from_superstep < options_.supersteps;
  }
  bool shows(unsigned tile_id) const override {
    for (unsigned id : options_.tiles)
      if (id == tile_id) return true;
    return false;
  }
  // What is run again after restore() is in the file already.
  void settled(uint64_t cycle) override {
    if (cycle < next_ || !fst_.isOpen()) return;
    next_ = cycle + 1;
    fst_.dump(cycle);
  }
  // Where all tiles sleep after a step, what it has done is seen in the cycle behind it.
  void goes_on(uint64_t cycle) override {
    if (next_ != 0 && next_ < cycle && fst_.isOpen()) fst_.dump(next_++);
  }

  WaveOptions options_;
  VerilatedFstC fst_;
  formats::WholeFile file_;
  uint64_t next_ = 0;  // cycle; what is before it is in the file
};

}  // namespace

std::unique_ptr<Chip> OF_KIND(make_wave_chip_, KIND)(const spec::Machine& machine, const WaveOptions& options,
                                                     FabricChoice fabric) {
  return std::make_unique<WaveChip>(machine, options, fabric);
}

}  // namespace tessera::chip
