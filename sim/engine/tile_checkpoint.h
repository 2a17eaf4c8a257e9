// Reads a waiting tile through its debug port, and brings a fresh tile into the same wait. Neither takes chip time: the
// steps are given to the tile alone.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "sim/port/checkpoint.h"
#include "sim/port/tile_port.h"

namespace tessera::chip {

// The debug port of a tile that is idle but for it, from `cycle` on.
template <class Tile>
class DebugSteps {
 public:
  DebugSteps(Tile& tile, uint64_t cycle) : tile_(tile), cycle_(cycle) {}

  uint32_t read(DebugSpace space, unsigned context, uint32_t address) {
    access(false, space, context, address, 0);
    for (int i = 0; i < 3; ++i) step();
    return out_.debug_data;
  }
  void write(DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
    access(true, space, context, address, data);
  }
  void write_csr(unsigned context, spec::Csr csr, uint32_t data) {
    write(DebugSpace::kCsr, context, static_cast<uint32_t>(csr), data);
  }
  uint32_t read_csr(unsigned context, spec::Csr csr) {
    return read(DebugSpace::kCsr, context, static_cast<uint32_t>(csr));
  }
  void step(TileInputs in = {}) {
    in.cycle = cycle_;
    tile_.step(in, out_);
    if (moves_) ++cycle_;
  }
  // While the tile is halted its steps may all be of one cycle.
  void let_time_pass(bool moves) { moves_ = moves; }
  const TileOutputs& out() const { return out_; }
  uint64_t cycle() const { return cycle_; }

 private:
  void access(bool write, DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
    TileInputs in;
    in.debug_valid = true;
    in.debug_write = write;
    in.debug_space = space;
    in.debug_context = static_cast<uint8_t>(context);
    in.debug_address = address;
    in.debug_wdata = data;
    step(in);
  }

  Tile& tile_;
  uint64_t cycle_;
  bool moves_ = true;
  TileOutputs out_;
};

template <class Tile>
void read_tile(Tile& tile, uint64_t cycle, const spec::Machine& machine, Checkpoint::Tile& state) {
  DebugSteps port(tile, cycle);
  for (unsigned c = 0; c < Checkpoint::kContexts; ++c) {
    state.pc[c] = port.read(DebugSpace::kControl, c, spec::DebugControl::kPc);
    for (unsigned r = 1; r < 32; ++r) state.x[c][r] = port.read(DebugSpace::kInteger, c, r);
  }
  for (unsigned n = 0; n < state.csrs.size(); ++n) state.csrs[n] = port.read_csr(0, Checkpoint::kSupervisorCsrs[n]);
  for (unsigned w = 0; w < Checkpoint::kWorkers; ++w) {
    auto& worker = state.workers[w];
    for (unsigned r = 0; r < 64; ++r)
      worker.f[r / 2] |= uint64_t{port.read(DebugSpace::kFloat, w + 1, r)} << (32 * (r % 2));
    for (unsigned n = 0; n < worker.csrs.size(); ++n) worker.csrs[n] = port.read_csr(w + 1, Checkpoint::kWorkerCsrs[n]);
    for (unsigned n = 0; n < worker.vector.size(); ++n) worker.vector[n] = port.read(DebugSpace::kVector, w + 1, n);
  }
  for (unsigned n = 0; n < state.weights.size(); ++n) state.weights[n] = port.read(DebugSpace::kVector, 0, n);
  state.mark = static_cast<uint16_t>(port.read_csr(0, spec::Csr::Xmark));
  const uint32_t event = port.read(DebugSpace::kControl, 0, spec::DebugControl::kArmedEvent);
  state.armed_list = event == 0 ? 0 : event - 8;  // event 0 has been read
  for (uint32_t page = machine.memory_base; page < machine.memory_end(); page += Checkpoint::kPageBytes) {
    Checkpoint::Page words;
    uint64_t any = 0;
    for (uint32_t i = 0; i < words.size(); ++i) {
      any |= words[i] = tile.peek(page + 8 * i);
      if (const uint8_t bad = tile.bad_bytes(page + 8 * i)) state.bad_bytes.emplace(page + 8 * i, bad);
    }
    if (any != 0) state.memory.emplace(page, words);
  }
}

// How long before the boundary place_tile() begins.
inline uint64_t placing_cycles(const Checkpoint::Tile& state) {
  return 24 + (state.armed_list != 0 ? 24 : 0) + (state.mark != 0 ? 32 : 0);
}

// `tile` is as after power-up; afterwards it waits and the next step is that of cycle `now`. Gives what its ports show.
template <class Tile>
TileOutputs place_tile(Tile& tile, uint64_t now, const Checkpoint::Tile& state) {
  for (const auto& [page, words] : state.memory)
    for (uint32_t i = 0; i < words.size(); ++i) tile.poke(page + 8 * i, words[i]);

  DebugSteps port(tile, now - placing_cycles(state));
  port.let_time_pass(false);
  for (unsigned c = 0; c < Checkpoint::kContexts; ++c) {
    if (c > 0) port.write(DebugSpace::kControl, c, spec::DebugControl::kPc, state.pc[c]);
    for (unsigned r = 1; r < 32; ++r) port.write(DebugSpace::kInteger, c, r, state.x[c][r]);
  }
  for (unsigned n = 0; n < state.csrs.size(); ++n) port.write_csr(0, Checkpoint::kSupervisorCsrs[n], state.csrs[n]);
  for (unsigned w = 0; w < Checkpoint::kWorkers; ++w) {
    const auto& worker = state.workers[w];
    for (unsigned r = 0; r < 64; ++r)
      port.write(DebugSpace::kFloat, w + 1, r, static_cast<uint32_t>(worker.f[r / 2] >> (32 * (r % 2))));
    for (unsigned n = 0; n < worker.csrs.size(); ++n) port.write_csr(w + 1, Checkpoint::kWorkerCsrs[n], worker.csrs[n]);
    for (unsigned n = 0; n < worker.vector.size(); ++n) port.write(DebugSpace::kVector, w + 1, n, worker.vector[n]);
  }
  for (unsigned n = 0; n < state.weights.size(); ++n) port.write(DebugSpace::kVector, 0, n, state.weights[n]);
  port.let_time_pass(true);

  // What no debug write reaches is done by instructions of the tile's own: one at a time, in borrowed memory.
  const uint32_t place = state.sync_pc() & ~7u;
  const uint64_t borrowed = tile.peek(place);
  const auto execute = [&](spec::Opcode opcode, const spec::Operands& operands) {
    tile.poke(place, spec::encode(opcode, operands));
    port.write(DebugSpace::kControl, 0, spec::DebugControl::kPc, place);
    port.write(DebugSpace::kControl, 0, spec::DebugControl::kStep, 0);
  };
  constexpr int kDone = 18;  // cycles until an instruction has come to rest
  if (state.mark != 0) {
    execute(spec::Opcode::Sync, {.imm = spec::SyncZone::kHost});
    for (int i = 0; i < 12; ++i) port.step();
    TileInputs in;
    in.sync_ack = true;
    in.sync_ack_zone = spec::SyncZone::kHost;
    in.sync_mark = state.mark;
    port.step(in);
    for (int i = 0; i < 8; ++i) port.step();
  }
  if (state.armed_list != 0) {
    port.write(DebugSpace::kInteger, 0, 1, state.armed_list);
    execute(spec::Opcode::Xarm, {.rs1 = 1});
    for (int i = 0; i < kDone; ++i) port.step();
    port.write(DebugSpace::kInteger, 0, 1, state.x[0][1]);
  }
  tile.poke(place, borrowed);
  port.write(DebugSpace::kControl, 0, spec::DebugControl::kPc, state.sync_pc());
  port.write(DebugSpace::kControl, 0, spec::DebugControl::kResume, 0);
  while (port.cycle() < now) port.step();
  for (const auto& [address, bytes] : state.bad_bytes) tile.spoil(address, bytes);
  return port.out();
}

}  // namespace tessera::chip
