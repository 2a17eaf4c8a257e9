#include "inspect/failure/history.h"

#include <utility>

#include "inspect/frozen_view.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::failure {
namespace {

constexpr size_t kTransfers = 64;

template <class Item>
void keep(std::deque<Item>& items, const Item& item, size_t most) {
  items.push_back(item);
  if (items.size() > most) items.pop_front();
}

}  // namespace

History::History(const names::ProgramInfo& program, unsigned machine_tiles, const std::vector<unsigned>& tiles)
    : program_(program), tracker_(program, machine_tiles), steps_(program) {
  for (const unsigned tile : tiles) tiles_[tile];
}

void History::begin(Run& run, uint64_t cycle) {
  if (!program_.calls.empty()) {
    FrozenView view(run, cycle);
    for (const auto& [tile, state] : tiles_) steps_.stands(tile, view.x(tile, 0, names::kTableRegister));
  }
  run.go_to(cycle);
}

void History::retire(unsigned id, const chip::Retire& record) {
  if (!wants(id)) return;
  Tile& tile = tiles_.at(id);
  Context& c = tile.contexts[record.context];
  keep(c.last, record, kLast);
  ++c.counts[record.pc];
  tracker_.retire(id, record);
  if (record.context == 0) {
    const std::string& step = steps_.retire(id, record.pc, record.reg_write && !record.reg_float ? record.reg : 0,
                                            static_cast<uint32_t>(record.reg_data));
    if (!step.empty()) tile.step = step;
    const spec::Opcode opcode = spec::decode(record.instruction);
    if (opcode == spec::Opcode::Xarm) {
      const unsigned base = spec::rs1_of(record.instruction);
      const chip::Retire& writer = c.x_writer[base];
      tile.exchange_before = std::exchange(tile.exchange, {});
      tile.exchange.armed = record.cycle;
      tile.exchange.list = writer.valid ? static_cast<uint32_t>(writer.reg_data) : 0;
    }
  }
  if (record.reg_write) (record.reg_float ? c.f_writer : c.x_writer)[record.reg] = record;
  if (record.pair_write) c.f_writer[record.reg + 1] = record;
  if (record.base_write) (record.base_float ? c.f_writer : c.x_writer)[record.base] = record;
}

void History::sent(unsigned tile, uint64_t cycle, uint32_t data) {
  if (!wants(tile)) return;
  Exchange& e = tiles_.at(tile).exchange;
  ++e.words_sent;
  keep(e.sent, {cycle, data, chip::kNoTile}, kTransfers);
}

void History::received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) {
  if (!wants(tile)) return;
  keep(tiles_.at(tile).exchange.received, {cycle, data, source}, kTransfers);
}

void History::selected(unsigned tile, uint64_t cycle, unsigned source) {
  if (!wants(tile)) return;
  Exchange& e = tiles_.at(tile).exchange;
  e.selected = source;
  e.selected_at = cycle;
}

void History::exchanging(unsigned tile, uint64_t cycle, bool on) {
  if (!wants(tile)) return;
  Exchange& e = tiles_.at(tile).exchange;
  e.running = on;
  (on ? e.started : e.ended) = cycle;
}

void History::excepted(unsigned tile, const chip::ExceptionStatus& status) {
  if (wants(tile)) tiles_.at(tile).exception = status;
}

void WriteWatch::retire(unsigned tile, const chip::Retire& r) {
  if (tile != tile_) return;
  tracker_.retire(tile, r);
  if (!r.mem_write || r.mem_address != (address_ & ~7u)) return;
  const uint8_t lanes = (address_ & 4) != 0 ? 0xf0 : 0x0f;
  if ((r.mem_strobe & lanes) == 0) return;
  by = By::kInstruction;
  record = r;
  vertex = tracker_.running(tile, r.context).vertex;
  cycle = r.cycle;
}

void WriteWatch::port_write(unsigned tile, const chip::PortWrite& write) {
  if (tile != tile_ || (write.address & ~3u) != address_) return;
  by = write.packet ? By::kPacket : By::kExchange;
  cycle = write.cycle;
  source = write.packet ? chip::kNoTile : last_source_;
}

void WriteWatch::received(unsigned tile, uint64_t, unsigned source, uint32_t) {
  if (tile == tile_) last_source_ = source;
}

}  // namespace tessera::inspect::failure
