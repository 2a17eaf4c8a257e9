#include "sim/model/packet_port.h"

#include "rtl/spec/words.h"

namespace tessera::model {

void PacketPort::request(uint32_t address, uint32_t words, uint64_t issue) {
  requested_ = true;
  from_ = issue + 6;
  address_ = address;
  words_ = words;
}

void PacketPort::read_port(const chip::TileInputs& in, const Memory& memory, MemoryUse& use, PortFault& fault) {
  words_out_[1] = words_out_[0];
  words_out_[0].valid = false;
  if (left_) {
    if (!use.read(address_, word_at(address_))) fault.raise(spec::Cause::Exchange, address_);
    words_out_[0] = {true, left_ == 1, memory.read_word(address_)};
    address_ += 4;
    --left_;
  }
  if (in.packet_grant && requests_in(in.cycle)) {
    requested_ = false;
    left_ = words_;
    done_ = in.cycle + 1 + words_;
  }
}

bool PacketPort::is_for(uint32_t word, unsigned tile) {
  const auto header = spec::PacketHeader::decode(word);
  const bool writes = header.kind == spec::PacketKind::kResponse || header.kind == spec::PacketKind::kWriteTile;
  return writes && header.tile == tile;
}

void PacketPort::write_port(const chip::TileWords& in, uint64_t cycle, unsigned tile, Memory& memory, MemoryUse& use,
                            PortFault& fault, chip::PortWrite& written) {
  if (!in.packet_valid) return;
  const uint32_t word = in.packet_data;
  if (in.packet_first) {
    expected_ = is_for(word, tile) ? static_cast<uint16_t>(spec::PacketHeader::decode(word).words + 1) : 0;
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
  if (memory.contains(target_)) {
    if (!use.write(target_)) fault.raise(spec::Cause::Exchange, target_);
    memory.write_word(target_, word);
    written = {true, true, cycle, target_, word};
  } else {
    fault.raise(spec::Cause::Config, target_);
  }
  target_ += 4;
}

void PacketPort::advance(uint64_t next_cycle, chip::TileOutputs& next) const {
  next.packet_request = requests_in(next_cycle);
  const auto& word = words_out_[1];
  next.packet_valid = word.valid;
  next.packet_last = word.valid && word.last;
  next.packet_data = word.valid ? word.data : 0;
}

void PacketPort::stop() {
  except();
  requested_ = false;
}

void PacketPort::except() {
  left_ = 0;
  done_ = 0;
  words_out_[0].valid = words_out_[1].valid = false;
  expected_ = 0;
}

}  // namespace tessera::model
