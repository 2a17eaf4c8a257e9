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

// What of a flit that leaves an end comes to the other.
std::vector<Flit> LinkLayer::spoil(unsigned end, const Flit& flit) {
  std::vector<Flit> out = {flit};
  for (auto fault = faults_.begin(); fault != faults_.end() && fault->cycle <= cycle_;) {
    if (fault->cycle < cycle_ && fault->kind != LaneFault::Kind::kDown) {
      fault = faults_.erase(fault);
      continue;
    }
    if (fault->end != end) {
      ++fault;
      continue;
    }
    switch (fault->kind) {
      case LaneFault::Kind::kFlip:
        for (Flit& each : out) {
          auto bytes = bits_of(each);
          const unsigned bit = fault->bit % kFlitBits;
          bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
          each = flit_of(bytes);
        }
        break;
      case LaneFault::Kind::kDrop:
        out.clear();
        break;
      case LaneFault::Kind::kDouble:
        out.push_back(flit);
        break;
      case LaneFault::Kind::kDown:
        down_until_[end] = std::max(down_until_[end], fault->until);
        break;
    }
    fault = faults_.erase(fault);
  }
  if (cycle_ < down_until_[end]) out.clear();
  return out;
}

void LinkLayer::ask(End& end) {
  if (cycle_ < end.asked_until) return;
  end.asks = true;
  // What is asked for is there a way and back later, unless one of the two was lost.
  end.asked_until = cycle_ + 2 * latency_ + 4;
}

void LinkLayer::receive(End& end, const Flit& flit, Symbol& out) {
  if (checksum(flit) != flit.check) {
    ++counts_.wrong;
    ask(end);
    return;
  }
  end.heard = cycle_;
  // Differences of sequence numbers, which go round.
  const auto ahead = static_cast<int32_t>(flit.sequence - end.expects);
  if (ahead > 0) {
    ++counts_.missing;
    ask(end);
  } else if (!flit.symbol.empty()) {
    if (ahead < 0) {
      ++counts_.doubled;
    } else {
      out = flit.symbol;
      ++end.expects;
      end.asked_until = 0;
    }
  }
  while (static_cast<int32_t>(flit.expects - end.first) > 0 && !end.buffer.empty()) {
    end.buffer.pop_front();
    ++end.first;
  }
  if (static_cast<int32_t>(end.next - end.first) < 0) end.next = end.first;
  if (flit.again) end.next = end.first;
}

std::array<Symbol, 2> LinkLayer::step(const std::array<Symbol, 2>& sent) {
  std::array<Symbol, 2> out;
  for (unsigned e = 0; e < 2; ++e) {
    End& end = ends_[e];
    std::vector<Flit> here;
    if (!end.arriving.empty() && end.arriving.front().cycle == cycle_) {
      here = std::move(end.arriving.front().flits);
      end.arriving.pop_front();
    }
    // Two copies come one behind the other; the second says nothing new.
    for (const Flit& flit : here) {
      Symbol symbol;
      receive(end, flit, symbol);
      if (!symbol.empty()) out[e] = symbol;
    }
    if (cycle_ > end.heard + latency_ + dead_after_ && !dead_) dead_ = cycle_;
  }
  for (unsigned e = 0; e < 2; ++e) {
    End& end = ends_[e];
    if (!sent[e].empty()) end.buffer.push_back(sent[e]);
    Flit flit;
    flit.sequence = end.next;
    const uint32_t place = end.next - end.first;
    if (place < end.buffer.size()) {
      flit.symbol = end.buffer[place];
      if (static_cast<int32_t>(end.next - end.sent) < 0)
        ++counts_.flits_again;
      else
        end.sent = end.next + 1;
      ++end.next;
    }
    flit.expects = end.expects;
    flit.again = std::exchange(end.asks, false);
    flit.check = checksum(flit);
    ends_[1 - e].arriving.push_back({cycle_ + latency_, spoil(e, flit)});
  }
  ++cycle_;
  return out;
}

bool LinkLayer::idle() const {
  for (const End& end : ends_)
    if (!end.buffer.empty()) return false;
  return true;
}

}  // namespace tessera::link
