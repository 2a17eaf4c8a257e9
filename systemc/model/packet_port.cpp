#include "model/packet_port.h"

namespace tessera::model {
namespace {
constexpr uint32_t kReadResponse = 3;
}  // namespace

void PacketPort::request(uint32_t address, uint32_t words, uint64_t issue) {
  requested_ = true;
  from_ = issue + 6;
  address_ = address;
  words_ = words;
}

void PacketPort::read_port(const chip::TileInputs& in, const Memory& memory, ElementUse& use, PortFault& fault) {
  word_valid_ = left_ != 0;
  word_last_ = left_ == 1;
  if (left_) {
    if (!use.read(address_)) fault.raise(spec::Cause::Exchange, address_);
    word_ = memory.read_word(address_);
    address_ += 4;
    --left_;
  }
  if (in.packet_grant && requests_in(in.cycle)) {
    requested_ = false;
    left_ = words_;
    done_ = in.cycle + 1 + words_;
  }
}

void PacketPort::write_port(const chip::TileInputs& in, unsigned tile, Memory& memory, ElementUse& use,
                            PortFault& fault, chip::PortWrite& written) {
  if (!in.packet_valid) return;
  const uint32_t word = in.packet_data;
  if (in.packet_first) {
    const bool mine = word >> 28 == kReadResponse && (word >> 17 & 0x7ff) == tile;
    expected_ = mine ? static_cast<uint16_t>((word & 0x3ff) + 1) : 0;
    expects_address_ = true;
    return;
  }
  if (!expected_) return;
  --expected_;
  if (expects_address_) {
    expects_address_ = false;
    target_ = word & ~3u;
    return;
  }
  if (awaited_) --awaited_;
  if (Memory::contains(target_)) {
    if (!use.write(target_)) fault.raise(spec::Cause::Exchange, target_);
    memory.write_word(target_, word);
    written = {true, true, in.cycle, target_, word};
  } else {
    fault.raise(spec::Cause::Config, target_);
  }
  target_ += 4;
}

void PacketPort::advance(uint64_t next_cycle, chip::TileOutputs& next) const {
  next.packet_request = requests_in(next_cycle);
  next.packet_valid = word_valid_;
  next.packet_last = word_valid_ && word_last_;
  next.packet_data = word_valid_ ? word_ : 0;
}

void PacketPort::stop() {
  requested_ = false;
  left_ = 0;
  word_valid_ = false;
  expected_ = 0;
}

}  // namespace tessera::model
