#include "sim/model/tile.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "sim/model/burst.h"
#include "sim/model/debug_access.h"
#include "sim/model/issue.h"

namespace tessera::model {
namespace {

constexpr uint64_t kToX1 = 2;          // cycles from issue to X1
constexpr uint64_t kDebugLatency = 4;  // cycles from a debug access to its data

}  // namespace

ModelTile::ModelTile(const spec::TileGeometry& geometry, const spec::TileSite& site) : state_(geometry) {
  state_.site = site;
  for (unsigned worker = 0; worker < kWorkers; ++worker) state_.floats[worker + 1].random = seeded(worker);
}

void ModelTile::except(spec::Cause cause, unsigned context, uint32_t pc, uint32_t value, uint64_t cycle, uint64_t now) {
  state_.sync.begin_all();  // those of what has committed are there before anything else is
  state_.exception = {static_cast<uint8_t>(cause), static_cast<uint8_t>(context), pc, value, cycle};
  state_.sequencer.except();
  state_.packets.except();
  // Each context goes on, if ever, at its oldest instruction that was squashed; one between passes begins again.
  for (auto& context : state_.contexts) context.pass = 0;
  state_.triggers.pass_all();
  // A pass of the supervisor that has come no further than X1, where all but the last end, is squashed as well.
  if (auto& s = state_.supervisor; s.full && s.passed != 0 && s.passed + kToX1 >= now) {
    s.full = false;
    state_.contexts[kSupervisor].pc = s.pc;
  }
  for (uint64_t age = 0; age <= kToM; ++age) {
    auto& issued = state_.pipeline[(now - age) & 7];
    if (!issued.valid) continue;
    issued.valid = false;
    issued.ends = age == kToM ? now + 2 : 0;
    state_.contexts[issued.context].pc = issued.pc;
    if (issued.context != kSupervisor) continue;
    state_.supervisor.full = false;
    if (state_.sync.from == issued.cycle + 6) state_.sync.wait = Wait::kNothing;
  }
}

// The other ports' reads and writes of the cycle. `ready`: execution_ holds an instruction in M. The word read, by any
// port, that does not fit its check bits; 0: none.
uint32_t ModelTile::run_ports(const chip::TileInputs& in, uint32_t fetched, bool ready) {
  MemoryUse use(state_.memory);
  if (fetched) use.read(fetched, word_at(fetched));
  if (ready) {
    if (const uint32_t address = execution_.reads[0]) use.read(address, execution_.read_words);
    if (const uint32_t address = execution_.reads[1]) use.read(address, kBothWords);
    if (execution_.write) use.write(execution_.write);
  }
  state_.sequencer.read_ports(in.cycle, state_.site, state_.memory, use, fault_);
  state_.packets.read_port(in, state_.memory, use, fault_);
  state_.sequencer.write_port(state_.words, in.cycle, state_.site, state_.workers.active() != 0, state_.memory, use,
                              fault_, port_writes_);
  state_.packets.write_port(state_.words, in.cycle, state_.site.tile_id, state_.memory, use, fault_,
                            port_writes_.packet);
  return use.bad_word();
}

void ModelTile::cycle(const chip::TileInputs& in, unsigned slot) {
  const uint64_t t = in.cycle;
  const bool automatic = in.sync_ack && in.sync_ack_zone == spec::SyncZone::kInternal &&
                         state_.sync.requests_automatic(t, state_.sequencer.exchanging());
  // Fetches and reads of the cycle come first: they see what was written in earlier cycles.
  const uint32_t fetched = issue(state_, t, slot);
  Issued& issued = state_.pipeline[(t - kToM) & 7];
  const bool ready = issued.valid;
  if (ready) {
    if (state_.weights.pending()) state_.weights.settle(issued.cycle);
    execute(state_, issued, fetched, execution_);
  }
  const bool ports =
      state_.sequencer.busy() || state_.packets.sending() || in.packet_grant || state_.words.packet_valid;
  // Most memories are sound, and most cycles have no port: then nobody looks.
  const uint32_t bad_word = ports || state_.memory.damaged() ? run_ports(in, fetched, ready) : 0;
  const bool parity = state_.parity.is_due(t);
  if (parity) fault_ = {spec::Cause::Parity, state_.parity.address};
  if (fault_) {
    execution_.record.valid = false;
    except(fault_.cause, kSupervisor, 0, fault_.value, parity ? t - 2 : t, t);
    fault_ = {};
  } else if (ready) {
    if (execution_.cause == spec::Cause::None) {
      commit(state_, issued, execution_);
      issued.valid = false;
    } else {
      except(execution_.cause, issued.context, issued.pc, execution_.value, issued.cycle, t);
    }
  }
  if (bad_word != 0 && !state_.excepted() && state_.parity.due <= t) state_.parity = {t + 2, bad_word};
  if (automatic && !state_.excepted()) {
    state_.sync.acknowledge_automatic(t);
  } else if (in.sync_ack && state_.sync.ends_with(t, in.sync_ack_zone) && !state_.excepted()) {
    if (state_.sync.wait == Wait::kInternal) state_.sequencer.start(t);
    state_.sync.acknowledge(in.sync_consensus, in.sync_mark);
  }
  if (const uint8_t stopping = std::exchange(state_.stopping, 0); stopping != 0 && !state_.excepted()) {
    state_.hold_all();
    state_.triggers.stand_before(stopping);
  }
  if (state_.workers.changing()) state_.triggers.pass(static_cast<uint8_t>(state_.workers.advance() << 1));
  state_.sync.begin(t + 1);
}

void ModelTile::step(const chip::TileInputs& in, chip::TileOutputs& out) {
  execution_.record.valid = false;
  port_writes_.clear();
  const bool was_excepted = state_.excepted();
  const auto still = [&](uint64_t cycle) {
    return state_.settled_in(cycle) && (in.debug_space != chip::DebugSpace::kMemory || state_.ports_rest());
  };
  const bool was_still = in.debug_valid && still(in.cycle);
  if (!was_excepted) cycle(in, static_cast<unsigned>(in.cycle % 6));
  state_.words = in;
  if (std::exchange(state_.reads, false)) state_.refused = state_.refuses_read;
  if (in.debug_valid) {
    const bool at_any_time = debug_at_any_time(in);
    if (in.debug_write) {
      const auto exception = state_.exception;
      state_.refused = !at_any_time && !was_still;
      if (!state_.refused) debug_write(state_, in);
      if (!was_excepted) state_.exception = exception;  // one of this very cycle stays
    } else {
      const uint64_t due = in.cycle + kDebugLatency;
      const bool looks = at_any_time || (was_still && still(in.cycle + 1));
      debug_reads_[due % debug_reads_.size()] = {due, looks ? debug_read(state_, in) : 0};
      state_.reads = true;
      state_.refuses_read = !looks;
    }
  }
  if (const auto& read = debug_reads_[(in.cycle + 1) % debug_reads_.size()]; read.due == in.cycle + 1)
    debug_data_ = read.data;
  out = outputs(in.cycle + 1);
}

chip::TileOutputs ModelTile::outputs(uint64_t cycle) const {
  chip::TileOutputs out;
  out.debug_data = debug_data_;
  out.debug_refused = state_.refused;
  out.exception = state_.excepted();
  out.idle = state_.idle_in(cycle);
  if (state_.excepted()) return out;
  if (state_.sync.requests_automatic(cycle, state_.sequencer.exchanging())) {
    out.sync_request = true;
    out.sync_zone = spec::SyncZone::kAutomatic;
    out.sync_value = true;
  } else if (state_.sync.requests_in(cycle)) {
    out.sync_request = true;
    out.sync_zone = static_cast<uint8_t>(state_.sync.wait);
    out.sync_value = state_.sync.value;
  }
  state_.sequencer.advance(state_.site, out);
  state_.packets.advance(cycle, out);
  return out;
}

uint64_t ModelTile::run_alone(uint64_t from, uint64_t to, chip::Observer* observer, unsigned tile,
                              chip::TileOutputs& out) {
  chip::TileInputs in;
  in.cycle = from;
  auto slot = static_cast<unsigned>(from % 6);
  const auto requests = [&] {
    return state_.sync.requests_automatic(in.cycle, state_.sequencer.exchanging()) || state_.sync.requests_in(in.cycle);
  };
  const bool requested = requests(), bursts = observer == nullptr || !observer->wants_records();
  while (in.cycle < to) {
    execution_.record.valid = false;
    if (bursts) {
      in.cycle = run_burst(state_, execution_, in.cycle, to, observer);
      execution_.record.valid = false;
      if (in.cycle == to) break;
      slot = static_cast<unsigned>(in.cycle % kWorkers);
    }
    if (!state_.excepted()) cycle(in, slot);
    state_.words.packet_valid = state_.words.exchange_valid = state_.words.pair_valid = false;
    if (observer && execution_.record.valid) observer->retire(tile, execution_.record);
    ++in.cycle;
    slot = slot == 5 ? 0 : slot + 1;
    if (state_.excepted()) break;
    const bool may_stop = (state_.sync.wait >= Wait::kInternal && state_.sync.wait <= Wait::kHsend) ||
                          state_.sync.automatic != 0 || state_.held;
    if (may_stop && (requests() != requested || state_.packets.requests_in(in.cycle) || state_.idle_in(in.cycle)))
      break;
  }
  port_writes_.clear();
  out = outputs(in.cycle);
  return in.cycle;
}

ModelTile::Snapshot ModelTile::snapshot(size_t& bytes) const {
  static_assert(std::is_trivially_copyable_v<ArithmeticRegisters>);
  const ArithmeticRegisters& now = state_;
  if (arithmetic_ == nullptr || std::memcmp(arithmetic_.get(), &now, sizeof now) != 0) {
    auto copy = std::make_shared<ArithmeticRegisters>();
    std::memcpy(copy.get(), &now, sizeof now);  // with what stands between its members
    arithmetic_ = std::move(copy);
    bytes += sizeof now;
  }
  Snapshot snapshot;
  snapshot.control = state_;
  snapshot.arithmetic = arithmetic_;
  snapshot.memory = state_.memory.image(bytes);
  snapshot.debug_reads = debug_reads_;
  snapshot.debug_data = debug_data_;
  bytes += sizeof(Snapshot);
  return snapshot;
}

void ModelTile::restore(const Snapshot& snapshot) {
  static_cast<ControlRegisters&>(state_) = snapshot.control;
  arithmetic_ = snapshot.arithmetic;
  std::memcpy(&static_cast<ArithmeticRegisters&>(state_), arithmetic_.get(), sizeof *arithmetic_);
  state_.weights.change_all();
  state_.memory.set_image(snapshot.memory);
  debug_reads_ = snapshot.debug_reads;
  debug_data_ = snapshot.debug_data;
  execution_.record.valid = false;
  port_writes_.clear();
}

chip::TileWait ModelTile::wait() const {
  chip::TileWait wait;
  wait.supervisor_pc = next_pc(state_, kSupervisor);
  wait.active_workers = state_.workers.active();
  for (unsigned worker = 0; worker < kWorkers; ++worker) wait.worker_pc[worker] = next_pc(state_, worker + 1);
  if (state_.sync.wait == Wait::kReceive) wait.awaited = state_.packets.awaited();
  return wait;
}

}  // namespace tessera::model
