#include "sim/model/system_unit.h"

#include <bit>

namespace tessera::model {
namespace {

using spec::Cause;
using spec::Opcode;

spec::SyncOperand sync_operand(const Decoded& d) { return spec::SyncOperand::decode(static_cast<uint32_t>(d.imm)); }

void launch(TileState& tile, unsigned worker, uint32_t entry, uint32_t vertex_base) {
  auto& context = tile.contexts[worker + 1];
  auto& floats = tile.floats[worker + 1];
  context.pc = entry;
  context.pass = 0;
  context.stack_limit = 0;
  floats.vertex_base = vertex_base;
  floats.fflags = 0;
  floats.frm = tile.initial_float_control >> 16 & 7;
  floats.control = tile.initial_float_control & 0x3f;
  floats.f8 = tile.initial_f8;
  floats.repeat = {};
}

bool packet_fits(const Memory& memory, uint32_t address, uint32_t words) {
  return words >= spec::kLeastPacketWords && words <= spec::kMostPacketWords && (address & 3) == 0 &&
         memory.contains(address) && memory.contains(address + 4 * words - 1);
}

}  // namespace

void check_system(const TileState& tile, const Issued& issued, Execution& e) {
  const auto& d = issued.d;
  const auto& x = tile.contexts[issued.context].x;
  const uint32_t a = x[d.rs1], b = x[d.rs2];
  switch (d.opcode) {
    case Opcode::Ecall:
      e.raise(Cause::Trap, 0);
      break;
    case Opcode::Trap:
      e.raise(Cause::Trap, static_cast<uint32_t>(d.imm));
      break;
    case Opcode::Ebreak:
      e.raise(Cause::Break, issued.pc);
      break;
    case Opcode::Run:
      if (!tile.memory.executable(a)) e.raise(Cause::Operand, a);
      break;
    case Opcode::Runall:
      if (!tile.memory.executable(a) || issued.active != 0) e.raise(Cause::Operand, a);
      break;
    case Opcode::Sync:
      if (!spec::is_waited_for(sync_operand(d).zone)) e.raise(Cause::Operand, a);
      break;
    case Opcode::Sans:
      if (static_cast<uint32_t>(d.imm) > spec::kMostSansCount) e.raise(Cause::Operand, a);
      break;
    case Opcode::Xarm:
      if ((a & 7) != 0 || !tile.memory.contains(a) || !tile.sequencer.idle()) e.raise(Cause::Config, a);
      break;
    case Opcode::Hsend:
      if (!packet_fits(tile.memory, a, b) || !tile.sync.external_phase) e.raise(Cause::Operand, a);
      break;
    default:
      break;
  }
}

void commit_system(TileState& tile, const Issued& issued) {
  const auto& d = issued.d;
  const auto& x = tile.contexts[issued.context].x;
  const uint32_t a = x[d.rs1], b = x[d.rs2];
  switch (d.opcode) {
    case Opcode::Run: {
      const auto worker = static_cast<unsigned>(std::countr_one(issued.active));
      launch(tile, worker, a, b);
      tile.workers.launch(static_cast<uint8_t>(1u << worker));
      break;
    }
    case Opcode::Runall:
      for (unsigned worker = 0; worker < kWorkers; ++worker)
        launch(tile, worker, a, b + worker * static_cast<uint32_t>(d.imm));
      tile.workers.launch(0x3f);
      break;
    case Opcode::Exit:
      tile.workers.exit(issued.context - 1u, a != 0);
      break;
    case Opcode::Sync:
      tile.sync.value = !sync_operand(d).contributes || a != 0;
      if (tile.sync.wait == Wait::kInternal) tile.sync.external_phase = false;
      break;
    case Opcode::Sans:
      tile.sync.add(issued.cycle, static_cast<uint32_t>(d.imm));
      break;
    case Opcode::Xarm:
      tile.sequencer.arm(a, issued.cycle);
      break;
    case Opcode::Hsend:
      tile.packets.request(a, b, issued.cycle);
      break;
    default:
      break;
  }
}

}  // namespace tessera::model
