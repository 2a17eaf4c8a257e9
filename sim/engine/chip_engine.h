// Joins tile instances to a chip: exchange wires, sync, edge and debug port, exact to the cycle for any kind of tile
// (tile_port.h says what a tile must offer). Time runs in two ways:
//   alone    a tile that no input can reach runs by itself until it waits for something;
//   windows  tiles that exchange, or have a packet or a sync under way, advance together in windows shorter than the
//            shortest latency between any two of them, so that all inputs of a window are known before it begins.
// Idle tiles are not evaluated. Results do not depend on the order in which tiles are evaluated, nor on who observes.
//
// In both ways tiles may run on several threads. A tile alone touches what is its own and the words on its own wires;
// when its ports show something else, what follows is done in the order of tiles, on the caller's thread. So nothing
// depends on the threads.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "formats/fnv.h"
#include "rtl/spec/link_tables.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/engine/exchange_wires.h"
#include "sim/engine/fabric.h"
#include "sim/engine/link_edge.h"
#include "sim/engine/packet_edge.h"
#include "sim/engine/tile_threads.h"
#include "sim/port/checkpoint.h"
#include "sim/port/chip.h"
#include "sim/port/engine_state.h"

namespace tessera::chip {

// Sees the ports of the tiles that it shows in every cycle in which anything moves; those then take no larger steps
// than one cycle together. Between two calls none of their ports changes.
class PortProbe {
 public:
  virtual ~PortProbe() = default;
  // Which supersteps to show; the cycle of an acknowledgement belongs to the one before and the one after.
  virtual bool wanted(uint64_t superstep) const = 0;
  // Tiles that are not shown run as without a probe.
  virtual bool shows(unsigned /*tile*/) const { return true; }
  // The chip goes on in `cycle`: up to here everything is as the last step left it.
  virtual void goes_on(uint64_t /*cycle*/) {}
  // All tiles that are shown have come to `cycle` and have its inputs, before the clock edge that ends it: every signal
  // is what it is in that cycle. Tiles that sleep stay as they were.
  virtual void settled(uint64_t /*cycle*/) {}
  // They have stepped `cycle`: their outputs now show cycle + 1.
  virtual void stepped(uint64_t /*cycle*/) {}
};

template <class Tile>
class ChipEngine : public Chip, private EngineState {
 public:
  // threads: that run tiles, as TileThreads says.
  explicit ChipEngine(const spec::Machine& machine, unsigned threads = 1)
      : EngineState(machine.tiles()),
        machine_(machine),
        threads_(threads, machine.tiles()),
        window_(look_ahead(machine)),
        wires_(machine, window_),
        edge_(machine),
        links_(machine) {
    for (unsigned id = 0; id < machine_.tiles(); ++id) slots_.push_back(std::make_unique<Slot>(machine_, id));
    reset();
  }

  // Before the first step: what joins the tiles is this RTL.
  void use_fabric(std::unique_ptr<FabricPins> pins) { fabric_ = std::make_unique<Fabric>(machine_, std::move(pins)); }

  const spec::Machine& machine() const override { return machine_; }
  uint64_t cycle() const override { return now_; }
  void attach(HostBus* bus) override { edge_.attach(bus); }
  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) override;
  void group_answer(uint64_t cycle, bool consensus) override;
  void link_in(const LinkEvent& event) override {
    link_in_.push_back(event);
    if (fabric_) fabric_->link_in(event);
  }
  std::vector<LinkEvent> link_out() override { return std::exchange(link_out_, {}); }
  void expect_links(uint64_t known) override { links_known_ = known; }
  bool may_send() const override;
  void observe(Observer* observer) override {
    observer_ = observer;
    ask_wanted();
  }
  void probe(PortProbe* probe) {
    probe_ = probe;
    for (unsigned id = 0; id < slots_.size(); ++id) slots_[id]->shown = probe != nullptr && probe->shows(id);
  }

  Stop run(uint64_t limit, uint64_t budget) override;
  void mark(uint64_t cycle, uint16_t value) override;
  void debug_write(unsigned tile, DebugSpace, unsigned context, uint32_t address, uint32_t data) override;
  uint32_t debug_read(unsigned tile, DebugSpace, unsigned context, uint32_t address) override;
  bool access_refused() const override { return access_refused_; }
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override;
  ExceptionStatus exception(unsigned tile) const override { return slots_.at(tile)->tile.exception(); }
  std::vector<TileWait> waits() const override;
  Counters counters() const override;
  uint64_t memory_hash() const override;
  void reset() override;
  void flip(const Flip& flip) override;
  void stop_at_superstep(uint64_t index) override { stop_at_ = index; }
  std::shared_ptr<const Snapshot> snapshot() const override;
  void restore(const Snapshot&) override;
  Checkpoint checkpoint() override;
  void put(const Checkpoint&) override;

  const TileOutputs& outputs(unsigned tile) const { return slots_.at(tile)->out; }
  Tile& tile(unsigned tile) { return slots_.at(tile)->tile; }

 private:
  struct Slot : TilePlace {
    Slot(const spec::Machine& machine, unsigned id) : tile(machine, id) {}
    Tile tile;
    Observer* observer = nullptr;  // of this tile, when it is wanted
    bool apart = true;             // whoever observes it may be called beside those of other tiles
    bool shown = false;            // by the probe
    TileInputs next;               // of the next step, when `settled`
    bool settled = false;
    // Of a run by itself: where it began, and what it showed then.
    uint64_t from = 0;
    bool was_excepted = false;
    // Of a window: cycles stepped, the last ones in which it exchanged and got a packet's word (0: none), and whether
    // it has stopped behind a step that shows what concerns others.
    uint64_t stepped = 0, exchanging = 0, transferring = 0;
    bool concerns = false;
  };
  struct Stored;  // a snapshot
  // A word is on the port up to this many cycles after the sequencer has read it.
  static constexpr unsigned kDrain = 4;

  static unsigned look_ahead(const spec::Machine& m) {
    const unsigned ahead =
        std::min({m.min_latency() - 1, m.sync_request + m.sync_acknowledge, m.external_request + m.external_acknowledge,
                  m.external_acknowledge, m.edge_latency});
    return m.pairs() ? std::min(ahead, m.select_latency(0) - 1) : ahead;  // to what the other tile of a pair selects
  }

  // That a cycle of a tile takes, roughly.
  static constexpr uint64_t nanoseconds() {
    if constexpr (requires { Tile::kNanoseconds; }) return Tile::kNanoseconds;
    return 100;
  }
  bool stepwise(uint64_t superstep) const { return probe_ != nullptr && probe_->wanted(superstep); }
  // Whether a sync that is complete is one of other chips, too.
  bool of_group(uint8_t zone) const {
    return (zone == spec::SyncZone::kExternal && grouped_.external) ||
           (zone == spec::SyncZone::kReplica && grouped_.replica);
  }
  bool joined(const Slot& s) const {
    return s.out.exchanging || s.local < s.joined_until || s.packet_open || s.awaits > 0 || s.out.packet_valid ||
           !s.down.empty() || s.out.sync_request || s.out.packet_request || s.grant != kNever;
  }
  void ask_wanted();
  // A sync under way begins the superstep to stop at, which has not been stopped at.
  bool stops_at_acknowledgement() const {
    return ack_ != kNever && sync_.zone == spec::SyncZone::kInternal && supersteps_ + 1 == stop_at_ &&
           stood_at_ != stop_at_;
  }
  void wake(unsigned id, uint64_t cycle);
  void drop_sleepers();
  uint64_t requests_end() const;
  void run_free_tiles(uint64_t to);
  void run_free_tiles(uint64_t to, bool all, bool requesting);
  uint64_t next_input();
  void note_input(unsigned id);
  void note_refused();
  uint64_t shown_until();
  void end_broken_packets();
  void pass_packets();
  void pass_packets(uint64_t known, uint64_t until);
  uint64_t next_link_cycle() const;
  uint64_t links_reach() const;
  void step_links(uint64_t cycle);
  void decide_sync();
  void decide_grants();
  uint64_t first_awake() const;
  uint64_t next_activity();
  bool out_of_budget(uint64_t end, uint64_t budget);
  uint64_t end_of_budget(uint64_t budget) const;
  uint64_t advance(uint64_t bound, uint64_t budget);
  void run_window(uint64_t start, uint64_t bound);
  void go_on(uint64_t cycle);
  void settle(uint64_t cycle);
  template <class Work>
  void each_tile(const std::vector<unsigned>& ids, uint64_t cycles, Work work);
  void step_tile(unsigned id, uint64_t end, bool beside);
  void account(Slot&);
  void step_once(Slot&, unsigned id);
  bool goes_on(Slot&, uint64_t end) const;
  bool concerns_others(const Slot&, unsigned id) const;
  void set_inputs(Slot&, unsigned id, TileInputs&);
  void tell_arrived(const Slot&, unsigned id);
  void note_outputs(unsigned id);
  bool pass(Slot&, FlipSite, uint32_t& word);
  void note_exception(unsigned id);
  void debug_access(unsigned tile, const TileInputs&, unsigned cycles);
  bool at_rest(unsigned first, unsigned end);
  void pass_debug_time(uint64_t cycles);
  void cancel_sync();
  bool waits_outside() const { return notified_ || left_; }
  Stop waiting(uint64_t cycle) const;
  Stop classify();
  Stop refused() const;

  const spec::Machine machine_;
  TileThreads threads_;
  const unsigned window_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<Fabric> fabric_;  // null: what joins the tiles is the engine's alone
  ExchangeWires wires_;
  PacketEdge edge_;
  LinkEdge links_;
  Grouped grouped_;
  uint64_t links_known_ = kNever;
  Observer* observer_ = nullptr;
  PortProbe* probe_ = nullptr;
  uint64_t settled_ = kNever;  // the last cycle that the probe was shown

  uint64_t stop_at_ = kNoSuperstep;
  unsigned over_budget_ = kNoTile;
  uint64_t debug_cycle_ = kNever;
  unsigned debug_tile_ = kNoTile;
  bool access_refused_ = false;  // the last
  TileInputs debug_;
  std::vector<unsigned> excepted_;   // observed tiles that excepted during the debug access
  std::vector<unsigned> running_;    // tiles that run together
  std::vector<unsigned> to_forget_;  // tiles that the host has refused, and their inputs with that
};

}  // namespace tessera::chip

#include "sim/engine/chip_engine_checkpoint.inl"
#include "sim/engine/chip_engine_debug.inl"
#include "sim/engine/chip_engine_run.inl"
#include "sim/engine/chip_engine_snapshot.inl"
#include "sim/engine/chip_engine_tiles.inl"
