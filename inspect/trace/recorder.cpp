#include "inspect/trace/recorder.h"

#include <algorithm>

#include "inspect/trace/part.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::trace {
namespace {

Header header_of(const RecorderOptions& options, const spec::Machine& machine) {
  ChipHeader chip;
  chip.chip = options.place.chip;
  chip.machine = machine.name;
  chip.machine_lines = spec::machine_fields(machine);
  chip.machine_hash = machine.hash();
  for (const unsigned tile : options.window.tiles.of(machine.tiles(), options.place)) chip.tiles.push_back(tile);
  Header h;
  h.instruction_table_hash = spec::instruction_table_hash();
  h.registers = options.registers;
  h.chips_of_system = options.place.chips;
  h.chips.push_back(std::move(chip));
  return h;
}

uint64_t place_of(chip::DebugSpace space, unsigned context, uint32_t address) {
  return static_cast<uint64_t>(space) << 40 | static_cast<uint64_t>(context) << 32 | address;
}

Event event(EventKind kind, uint8_t lane, uint64_t cycle) {
  Event e;
  e.kind = kind;
  e.lane = lane;
  e.cycle = cycle;
  return e;
}

}  // namespace

std::unique_ptr<Part> make_part(const Options& options, const spec::Machine& machine, const spec::ChipPlace& place) {
  if (options.trace.empty()) return nullptr;
  RecorderOptions recorder;
  recorder.path = options.trace;
  recorder.window = options.trace_window;
  recorder.registers = options.trace_registers;
  recorder.place = place;
  return std::make_unique<Recorder>(recorder, machine);
}

Recorder::Recorder(const RecorderOptions& options, const spec::Machine& machine)
    : options_(options), machine_(machine), gate_(options.window, machine.tiles(), options.place) {
  const Header header = header_of(options, machine);
  events_of_.resize(machine.tiles());
  for (const uint32_t tile : header.chips.front().tiles) {
    tiles_.push_back(std::make_unique<TileEvents>(tile, options.registers));
    events_of_[tile] = tiles_.back().get();
  }
  tiles_.push_back(std::make_unique<TileEvents>(chip::kNoTile, options.registers));
  gate_.stands_at(0, 0, 0);
  file_.emplace(options.path, header);
}

Recorder::~Recorder() = default;

void Recorder::program_changed(const names::ProgramInfo& program) {
  new_run();
  program_ = program;
  vertices_.emplace(*program_, machine_.tiles());
  gate_.program(*program_);
  file_->program(options_.place.chip, *program_);
}

bool Recorder::empty() const {
  return std::ranges::all_of(tiles_, [](const auto& tile) { return tile->empty; });
}

uint64_t Recorder::gathered() const {
  uint64_t sum = 0;
  for (const auto& tile : tiles_) sum += tile->gathered;
  return sum;
}

// Whether the block may hold something of the window.
bool Recorder::in_window() const {
  return !empty() && gate_.begin() < std::max(cycle_, first_cycle_ + 1) && first_cycle_ < gate_.end();
}

// The chip was reset, or is about to be: its cycles begin anew.
void Recorder::new_run() {
  if (in_window()) write_block(cycle_);
  superstep_ = cycle_ = began_ = 0;
  for (const auto& tile : tiles_)
    for (RetireEncoder& context : tile->retires) context.known.reset();
  fresh_ = true;
  clear();
}

bool Recorder::wants(unsigned tile) const {
  const bool wanted = gate_.wants(tile);
  if (!wanted && events_of_[tile] != nullptr) forget_registers(*events_of_[tile]);
  return wanted;
}

// Records were not told, or will not be: what registers hold is not known until they are written.
void Recorder::forget_registers(TileEvents& tile) {
  for (RetireEncoder& context : tile.retires) context.known.forget();
}

void Recorder::at_boundary(Run& run, const chip::Stop&) {
  const uint64_t cycle = run.frontier();
  if (cycle < cycle_) new_run();
  if (fresh_ && cycle > cycle_)  // joined in the middle of a run, which may be that of a checkpoint
    for (const auto& tile : tiles_) forget_registers(*tile);
  fresh_ = false;
  if (empty() && cycle > cycle_) {  // begun, or the window begins, in the middle of a run
    const Run::Boundary began = run.boundary_before(cycle);
    superstep_ = began.superstep;
    began_ = began.cycle;
    cycle_ = cycle;
    clear();
  }
  stands_at(cycle);
}

void Recorder::stands_at(uint64_t cycle) {
  cycle_ = cycle;
  gate_.stands_at(cycle, superstep_, began_);
  if (gathered() >= options_.block_events && in_window()) write_block(cycle);
}

void Recorder::finish() {
  if (!file_) return;
  if (in_window()) write_block(cycle_);
  file_->close({cycle_, superstep_});
  file_.reset();
}

void Recorder::clear() {
  for (const auto& tile : tiles_) tile->clear();
  first_superstep_ = superstep_;
  first_cycle_ = cycle_;
}

void Recorder::write_block(uint64_t end_cycle) {
  BlockInfo info;
  info.chip = options_.place.chip;
  info.first_superstep = first_superstep_;
  info.last_superstep = superstep_;
  info.first_cycle = first_cycle_;
  info.end_cycle = end_cycle;
  info.keep_from = gate_.begin();
  // A window of supersteps holds the acknowledgement that ends it.
  const bool by_supersteps = options_.window.length.kind == Length::Kind::kSupersteps;
  info.keep_to = gate_.end() + (by_supersteps && gate_.end() != WindowGate::kNever ? 1 : 0);
  for (const auto& tile : tiles_)
    for (const RetireEncoder& encoder : tile->retires) info.retired += encoder.retired;
  file_->block(info, encoder_.encode(info, tiles_));
  clear();
}

void Recorder::superstep(uint64_t index, uint64_t cycle) {
  gate_.superstep(index, cycle);
  if (index < superstep_) {  // joined in this very cycle: what ends here is before the trace
    clear();
    first_cycle_ = cycle + 1;
    return;
  }
  Event e = event(EventKind::kSuperstep, kLanePorts, cycle);
  e.from = index;
  chip_events().add(e);
  cycle_ = began_ = cycle;
  superstep_ = index;
  const bool whole = gathered() >= options_.block_events || gate_.over();
  if (in_window() && whole) write_block(cycle);
  const bool keep = in_window();
  superstep_ = index + 1;
  if (!keep) clear();
  if (empty()) first_cycle_ = cycle + 1;  // the phase start
}

void Recorder::retire(unsigned tile, const chip::Retire& r) {
  gate_.retire(tile, r);
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->retires[r.context].add(r, to->text);
  if (!vertices_) return;
  const VertexTracker::Change change = vertices_->retire(tile, r);
  if (change == VertexTracker::Change::kNone) return;
  const bool entered = change == VertexTracker::Change::kEntered;
  Event e = event(entered ? EventKind::kEntered : EventKind::kLeft, kLaneVertices, r.cycle);
  const RunningVertex& vertex = vertices_->running(tile, r.context);
  e.context = r.context;
  e.address = vertex.state;
  e.value = vertex.entry;
  to->add(e);
}

void Recorder::port_write(unsigned tile, const chip::PortWrite& w) {
  gate_.port_write(tile, w);
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->lane(w.packet ? kLanePacketWrite : kLaneExchangeWrite).add(w.cycle, w.address, 4, w.data);
}

void Recorder::sent(unsigned tile, uint64_t cycle, uint32_t data) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->lane(kLaneSent).add(cycle, 0, 0, data);
}

void Recorder::received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->lane(kLaneReceived).add(cycle, source, 0, data);
}

void Recorder::packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->lane(kLanePacketOut).add(cycle, 0, 0, data, false, last);
}

void Recorder::packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  to->lane(kLanePacketIn).add(cycle, 0, 0, data, first);
}

void Recorder::debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace space, unsigned context, uint32_t address,
                             uint32_t data) {
  if (cycle < cycle_) new_run();
  TileEvents* to = tile == chip::kNoTile ? &chip_events() : of(tile);
  if (to == nullptr) return;
  ++to->gathered;
  if (space == chip::DebugSpace::kInteger || space == chip::DebugSpace::kFloat)
    for (const auto& of_tile : tiles_)
      if ((tile == chip::kNoTile || of_tile->tile == tile) && context < kContexts)
        of_tile->retires[context].known.debug_written(space, address, data);
  to->lane(kLaneDebug).add(cycle, place_of(space, context, address), space == chip::DebugSpace::kMemory ? 4 : 1, data);
}

void Recorder::flipped(uint64_t, const chip::Flip& flip) {
  if (TileEvents* to = of(flip.tile); to != nullptr && flip.context < kContexts)
    to->retires[flip.context].known.flipped(flip);
}

void Recorder::selected(unsigned tile, uint64_t cycle, unsigned source) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  Event e = event(EventKind::kSelected, kLanePorts, cycle);
  e.address = source;
  to->add(e);
}

void Recorder::exchanging(unsigned tile, uint64_t cycle, bool on) {
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  Event e = event(EventKind::kExchanging, kLanePorts, cycle);
  e.flag = on;
  to->add(e);
}

void Recorder::sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) {
  gate_.sync_request(tile);
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  Event e = event(EventKind::kSyncRequest, kLanePorts, cycle);
  e.address = zone;
  e.flag = value;
  to->add(e);
}

void Recorder::packet_request(unsigned tile, uint64_t cycle) {
  TileEvents* to = of(tile);
  if (to != nullptr) to->add(event(EventKind::kPacketRequest, kLanePorts, cycle));
}

void Recorder::excepted(unsigned tile, const chip::ExceptionStatus& status) {
  gate_.excepted(tile);
  TileEvents* to = of(tile);
  if (to == nullptr) return;
  Event e = event(EventKind::kExcepted, kLaneExceptions, status.cycle);
  e.context = status.context;
  e.address = status.cause;
  e.value = status.value;
  e.from = status.pc;
  to->add(e);
}

void Recorder::sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                                uint64_t phase_start) {
  Event e = event(EventKind::kSyncAcknowledge, kLanePorts, cycle);
  e.address = zone;
  e.flag = consensus;
  e.value = mark;
  e.from = request;
  e.to = phase_start;
  chip_events().add(e);
}

void Recorder::host_sync(uint64_t cycle) { chip_events().add(event(EventKind::kHostSync, kLanePorts, cycle)); }

void Recorder::debug_time(uint64_t begin, uint64_t end) {
  if (end < cycle_) new_run();
  cycle_ = end;
  // Accesses one after another are one event; at a host sync all of them have one beginning.
  auto& events = chip_events().events[0];
  if (!events.empty() && events.back().kind == EventKind::kDebugTime &&
      (events.back().to == begin || events.back().cycle == begin)) {
    events.back().to = end;
    return;
  }
  Event e = event(EventKind::kDebugTime, kLanePorts, begin);
  e.to = end;
  chip_events().add(e);
}

}  // namespace tessera::inspect::trace
