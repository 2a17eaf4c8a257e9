#include "flat_chip.h"

#include <algorithm>
#include <stdexcept>

#include "Vchip.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/remote_address.h"
#include "rtl/spec/tile_state.h"
#include "rtl/spec/words.h"
#include "sim/engine/port_bits.h"

namespace tessera::test {

PackedOutputs pack(const chip::TileOutputs& o) {
  PackedOutputs packed{};
  unsigned bit = 160;
  const auto put = [&](uint64_t value, unsigned width) {
    bit -= width;
    for (unsigned i = 0; i < width; ++i)
      if (value >> i & 1) packed[(bit + i) / 32] |= 1u << ((bit + i) & 31);
  };
  put(o.sync_request, 1);
  put(o.sync_zone, 4);
  put(o.sync_value, 1);
  put(o.exchange_valid, 1);
  put(o.exchange_data, 32);
  put(o.exchange_select, 11);
  put(o.packet_request, 1);
  put(o.packet_valid, 1);
  put(o.packet_last, 1);
  put(o.packet_data, 32);
  put(o.debug_data, 32);
  put(o.exception, 1);
  put(o.idle, 1);
  put(o.exchanging, 1);
  put(o.debug_refused, 1);
  put(o.paired, 1);
  put(o.pair_valid, 1);
  put(o.pair_data, 32);
  return packed;
}

FlatChip::FlatChip(const spec::Machine& machine, std::optional<HostClock> host)
    : machine_(machine), top_(std::make_unique<Vchip>("chip")), host_(host) {
  top_->alike_i = !own_clock();
  top_->rst_ni = 0;
  top_->test_en_i = 0;
  top_->clear_memory_i = 0;
  for (unsigned n = 0; n < spec::kFirstResetCycles; ++n) {
    settle();
    edge(true);
  }
  top_->rst_ni = 1;
  if (own_clock()) host_next_ = host_->phase;
  cycle_ = 0;
}

FlatChip::~FlatChip() { top_->final(); }

PackedOutputs FlatChip::outputs(unsigned tile) const {
  PackedOutputs o;
  for (unsigned i = 0; i < 5; ++i) o[i] = top_->tile_outputs_o[5 * tile + i];
  return o;
}

void FlatChip::settle() {
  const auto down = down_.find(cycle_);
  top_->down_valid_i = down != down_.end();
  if (top_->down_valid_i) {
    top_->down_first_i = down->second.first;
    top_->down_last_i = down->second.last;
    top_->down_data_i = down->second.data;
    down_.erase(down);
  }
  top_->clk_i = 0;
  top_->clk_host_i = 0;
  top_->eval();
}

void FlatChip::edge(bool host) {
  if (top_->rst_ni) {
    if (watcher_) watcher_(cycle_);
    take_up();
  }
  top_->clk_i = 1;
  top_->clk_host_i = host;
  top_->eval();
  ++cycle_;
}

// What is at the host port, once in each cycle: the host may be told in the cycle of a packet's last word.
void FlatChip::take_up() {
  if (!top_->up_valid_o || taken_ == cycle_) return;
  taken_ = cycle_;
  packet_.push_back(top_->up_data_o);
  if (top_->up_last_o && top_->up_bad_o) packet_.clear();
  if (top_->up_last_o && !top_->up_bad_o) host_packet();
}

void FlatChip::tick(bool host) {
  settle();
  edge(host);
}

void FlatChip::host_packet() {
  const std::vector<uint32_t> packet = std::move(packet_);
  packet_.clear();
  const auto header = spec::PacketHeader::decode(packet[0]);
  if (bus_ == nullptr) return;
  using spec::PacketKind;
  const uint64_t remote = spec::remote_address(header, packet[1]);
  if (header.kind == PacketKind::kWriteHost) bus_->write(cycle_, packet[1], std::span(packet).subspan(2));
  if (header.kind == PacketKind::kWriteRemote)
    bus_->remote_write(cycle_, header.tile, remote, std::span(packet).subspan(2));
  const bool far = header.kind == PacketKind::kReadRemote;
  if (!far && header.kind != PacketKind::kReadHost) return;
  std::vector<uint32_t> words(header.words + 2);
  words[0] = spec::PacketHeader{.words = header.words, .tile = header.tile, .kind = PacketKind::kResponse}.encode();
  words[1] = packet[2];
  const auto payload = std::span(words).subspan(2);
  const uint64_t arrival =
      far ? bus_->remote_read(cycle_, header.tile, remote, payload) : bus_->read(cycle_, packet[1], payload);
  const uint64_t start = std::max(arrival, down_free_);
  down_free_ = start + words.size();
  for (size_t i = 0; i < words.size(); ++i) down_[start + i] = {i == 0, i + 1 == words.size(), words[i]};
}

void FlatChip::host_edge() {
  top_->clk_host_i = 1;
  top_->eval();
  top_->clk_host_i = 0;
  top_->eval();
  host_next_ += host_->period;
}

void FlatChip::next_edge() {
  if (host_next_ < chip_next_) {
    host_edge();
  } else {
    tick();
    chip_next_ += 1;
  }
}

uint32_t FlatChip::hold(bool write, uint32_t offset, uint32_t data) {
  access(write, offset, data);
  top_->eval();
  while (!top_->mmio_ready_o) next_edge();
  const uint32_t value = top_->mmio_rdata_o;
  while (host_next_ >= chip_next_) next_edge();
  host_edge();
  release();
  return value;
}

bool FlatChip::run(uint64_t limit) {
  if (own_clock()) {
    while (cycle_ < limit && !top_->host_waiting_o) next_edge();
    return cycle_ < limit;
  }
  while (cycle_ < limit) {
    settle();
    if (top_->host_waiting_o) {
      take_up();
      return true;
    }
    edge(false);
  }
  return false;
}

void FlatChip::access(bool write, uint32_t address, uint32_t data) {
  top_->mmio_valid_i = 1;
  top_->mmio_write_i = write;
  top_->mmio_address_i = address;
  top_->mmio_wdata_i = data;
}

void FlatChip::release() { top_->mmio_valid_i = 0; }

// On the host's clock alone: takes no chip time.
void FlatChip::host_write(uint32_t address, uint32_t data) {
  if (own_clock()) {
    hold(true, address, data);
    return;
  }
  access(true, address, data);
  top_->clk_host_i = 0;
  top_->clk_i = 0;
  top_->eval();
  top_->clk_host_i = 1;
  top_->eval();
  top_->clk_host_i = 0;
  top_->eval();
  release();
}

void FlatChip::select(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  host_write(spec::kRegDebugSelect, spec::DebugSelect{.tile = tile, .space = space, .context_id = context}.encode());
  host_write(spec::kRegDebugAddress, address);
}

void FlatChip::mark(uint64_t cycle, uint16_t value) {
  if (own_clock()) {
    hold(true, spec::kRegMark, value);
    return;
  }
  if (cycle < cycle_) throw std::logic_error("mark in the past");
  while (cycle_ < cycle) tick();
  access(true, spec::kRegMark, value);
  tick(true);
  release();
}

void FlatChip::debug_write(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  select(tile, space, context, address);
  if (own_clock()) {
    hold(true, spec::kRegDebugData, data);
    return;
  }
  access(true, spec::kRegDebugData, data);
  tick(true);
  release();
}

uint32_t FlatChip::debug_read(unsigned tile, chip::DebugSpace space, unsigned context, uint32_t address) {
  select(tile, space, context, address);
  if (own_clock()) return hold(false, spec::kRegDebugData, 0);
  access(false, spec::kRegDebugData, 0);
  tick(true);
  release();
  for (int i = 1; i < 4; ++i) tick();
  settle();
  return top_->mmio_rdata_o;
}

}  // namespace tessera::test
