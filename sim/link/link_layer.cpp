#include "sim/link/link_layer.h"

#include <algorithm>
#include <utility>

namespace tessera::link {
namespace {

// The bits of a flit in the order in which they are sent.
std::array<uint8_t, (kFlitBits + 7) / 8> bits_of(const Flit& flit) {
  std::array<uint8_t, (kFlitBits + 7) / 8> bytes{};
  unsigned at = 0;
  const auto put = [&](uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, ++at)
      if (value >> i & 1) bytes[at / 8] = static_cast<uint8_t>(bytes[at / 8] | 1u << at % 8);
  };
  const chip::LinkWord word = flit.symbol.word.value_or(chip::LinkWord{});
  put(word.data, 32);
  put(flit.symbol.word.has_value(), 1);
  put(word.last, 1);
  put(word.bad, 1);
  put(word.layer, 1);
  put(flit.symbol.credits[0], 1);
  put(flit.symbol.credits[1], 1);
  put(flit.sequence, 32);
  put(flit.expects, 32);
  put(flit.again, 1);
  put(flit.check, 16);
  return bytes;
}

Flit flit_of(const std::array<uint8_t, (kFlitBits + 7) / 8>& bytes) {
  unsigned at = 0;
  const auto get = [&](unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++at) value |= uint64_t{bytes[at / 8] >> at % 8 & 1u} << i;
    return value;
  };
  Flit flit;
  chip::LinkWord word;
  word.data = static_cast<uint32_t>(get(32));
  const bool valid = get(1) != 0;
  word.last = get(1) != 0;
  word.bad = get(1) != 0;
  word.layer = static_cast<uint8_t>(get(1));
  if (valid) flit.symbol.word = word;
  flit.symbol.credits[0] = get(1) != 0;
  flit.symbol.credits[1] = get(1) != 0;
  flit.sequence = static_cast<uint32_t>(get(32));
  flit.expects = static_cast<uint32_t>(get(32));
  flit.again = get(1) != 0;
  flit.check = static_cast<uint16_t>(get(16));
  return flit;
}

}  // namespace

uint16_t checksum(const Flit& flit) {
  constexpr uint16_t kPolynomial = 0x1021;
  const auto bytes = bits_of(flit);
  uint16_t crc = 0xffff;
  for (unsigned at = 0; at < kFlitBits - 16; ++at) {
    const bool bit = (bytes[at / 8] >> at % 8 & 1u) != 0;
    const bool top = (crc & 0x8000) != 0;
    crc = static_cast<uint16_t>(crc << 1);
    if (bit != top) crc ^= kPolynomial;
  }
  return crc;
}

LinkLayer::Counts& LinkLayer::Counts::operator+=(const Counts& other) {
  faults += other.faults;
  flits_again += other.flits_again;
  wrong += other.wrong;
  missing += other.missing;
  doubled += other.doubled;
  return *this;
}

LinkLayer::LinkLayer(uint64_t latency, uint64_t dead_after) : latency_(latency), dead_after_(dead_after) {
  for (End& end : ends_) end.receiver.heard = latency_ - 1;
}

void LinkLayer::add(const RandomFaults& faults, uint64_t stream) {
  for (unsigned e = 0; e < 2; ++e) ends_[e].faults.add(faults, 2 * stream + e);
}

// What came in this cycle.
void LinkLayer::listen(End& end) {
  Sender& s = end.sender;
  s.asks = false;
  for (; !end.told.empty() && end.told.front().cycle == cycle_; end.told.pop_front()) {
    const Told& told = end.told.front();
    s.expects = told.expects;
    s.asks = told.asks;
    // Differences of sequence numbers, which go round.
    while (static_cast<int32_t>(told.all_before - s.first) > 0 && !s.buffer.empty()) {
      s.buffer.pop_front();
      ++s.first;
    }
    if (static_cast<int32_t>(s.next - s.first) < 0) s.next = s.first;
    if (told.again) s.next = s.first;
  }
}

Flit LinkLayer::send(End& end, const Symbol& shown) {
  Sender& s = end.sender;
  if (!shown.empty()) s.buffer.push_back(shown);
  Flit flit;
  flit.sequence = s.next;
  s.repeats = false;
  if (const uint32_t place = s.next - s.first; place < s.buffer.size()) {
    flit.symbol = s.buffer[place];
    s.repeats = static_cast<int32_t>(s.next - s.sent) < 0;
    if (s.repeats)
      ++counts_.flits_again;
    else
      s.sent = s.next + 1;
    ++s.next;
  }
  flit.expects = s.expects;
  flit.again = s.asks;
  return flit;
}

// What of a flit that leaves an end comes to the other.
std::vector<LinkLayer::Arriving> LinkLayer::spoil(End& end, const Flit& sent) {
  std::vector<Arriving> out = {{sent, true}};
  if (end.faults.next() <= cycle_)
    for (const LaneFault& fault : end.faults.take(cycle_)) {
      ++counts_.faults;
      switch (fault.kind) {
        case LaneFault::Kind::kFlip:
          for (Arriving& each : out) {
            if (each.sound) each.flit.check = checksum(each.flit);
            auto bytes = bits_of(each.flit);
            const unsigned bit = fault.bit % kFlitBits;
            bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
            each = {flit_of(bytes), false};
          }
          break;
        case LaneFault::Kind::kDrop:
          out.clear();
          break;
        case LaneFault::Kind::kDouble:
          out.push_back({sent, true});
          break;
        case LaneFault::Kind::kDown:
          end.sender.down_until = std::max(end.sender.down_until, fault.until);
          break;
      }
    }
  if (cycle_ < end.sender.down_until) out.clear();
  return out;
}

bool LinkLayer::ask(Receiver& receiver, uint64_t cycle) {
  if (cycle < receiver.asked_until) return false;
  // What is asked for is there a way and back later, unless one of the two was lost.
  receiver.asked_until = cycle + 2 * latency_ + 4;
  return true;
}

// Two copies come one behind the other; the second says nothing new.
Symbol LinkLayer::receive(unsigned e, const std::vector<Arriving>& flits) {
  End& end = ends_[e];
  Receiver& r = end.receiver;
  const uint64_t cycle = cycle_ + latency_;
  Symbol out;
  Told told{cycle, r.expects, false, end.told.empty() ? end.sender.first : end.told.back().all_before, false};
  const Told before = told;
  for (const Arriving& arriving : flits) {
    const Flit& flit = arriving.flit;
    // Only what lanes have spoiled is worth the sum.
    if (!arriving.sound && checksum(flit) != flit.check) {
      ++counts_.wrong;
      told.asks |= ask(r, cycle);
      continue;
    }
    r.heard = cycle;
    const auto ahead = static_cast<int32_t>(flit.sequence - r.expects);
    if (ahead > 0) {
      ++counts_.missing;
      told.asks |= ask(r, cycle);
    } else if (!flit.symbol.empty()) {
      if (ahead < 0) {
        ++counts_.doubled;
      } else {
        out = flit.symbol;
        ++r.expects;
        r.asked_until = 0;
      }
    }
    if (static_cast<int32_t>(flit.expects - told.all_before) > 0) told.all_before = flit.expects;
    told.again |= flit.again;
  }
  told.expects = r.expects;
  if (told.expects != before.expects || told.asks || told.all_before != before.all_before || told.again)
    end.told.push_back(told);
  if (cycle - r.heard > dead_after_ && !death_) death_ = Death{cycle, e, r.heard};
  return out;
}

std::array<Symbol, 2> LinkLayer::step(const std::array<Symbol, 2>& sent) {
  for (End& end : ends_) listen(end);
  std::array<Symbol, 2> out;
  for (unsigned e = 0; e < 2; ++e) out[1 - e] = receive(1 - e, spoil(ends_[e], send(ends_[e], sent[e])));
  ++cycle_;
  return out;
}

uint64_t LinkLayer::rests_until() const {
  uint64_t until = ~uint64_t{0};
  for (const End& end : ends_) {
    if (!end.sender.buffer.empty() || !end.told.empty() || end.sender.asks || cycle_ < end.sender.down_until)
      return cycle_;
    until = std::min(until, std::max(cycle_, end.faults.next()));
  }
  return until;
}

void LinkLayer::rest(uint64_t until) {
  if (until <= cycle_) return;
  cycle_ = until;
  for (End& end : ends_) end.receiver.heard = until - 1 + latency_;
}

bool LinkLayer::undelivered() const {
  for (unsigned e = 0; e < 2; ++e) {
    const Sender& s = ends_[e].sender;
    if (s.first + static_cast<uint32_t>(s.buffer.size()) != ends_[1 - e].receiver.expects) return true;
  }
  return false;
}

}  // namespace tessera::link
