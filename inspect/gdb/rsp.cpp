#include "inspect/gdb/rsp.h"

#include <algorithm>

namespace tessera::inspect::gdb {
namespace {

constexpr char kEscape = '}', kFlip = 0x20, kInterruptByte = 0x03;
constexpr char kDigits[] = "0123456789abcdef";

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

uint8_t checksum(std::string_view bytes) {
  uint8_t sum = 0;
  for (const char c : bytes) sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(c));
  return sum;
}

}  // namespace

void PacketReader::feed(std::span<const char> bytes) {
  for (const char c : bytes) switch (state_) {
      case State::kIdle:
        if (c == '$') {
          raw_.clear();
          state_ = State::kPayload;
        } else if (c == kInterruptByte) {
          events_.push_back({Event::Kind::kInterrupt, ""});
        } else if (c == '-') {
          events_.push_back({Event::Kind::kNegative, ""});
        }
        break;
      case State::kPayload:
        if (c == '#') {
          state_ = State::kChecksum1;
        } else if (c == '$') {  // the one before was cut off
          raw_.clear();
        } else if (raw_.size() < 2 * kPacketBytes) {
          raw_ += c;
        } else {
          events_.push_back({Event::Kind::kDamaged, ""});
          state_ = State::kIdle;
        }
        break;
      case State::kChecksum1:
        first_digit_ = c;
        state_ = State::kChecksum2;
        break;
      case State::kChecksum2:
        state_ = State::kIdle;
        if (digit(first_digit_) * 16 + digit(c) == checksum(raw_) && digit(first_digit_) >= 0 && digit(c) >= 0)
          events_.push_back({Event::Kind::kPacket, unescaped(raw_)});
        else
          events_.push_back({Event::Kind::kDamaged, ""});
        break;
    }
}

std::optional<PacketReader::Event> PacketReader::next() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void PacketReader::clear() { *this = PacketReader(); }

std::string framed(std::string_view payload) {
  const uint8_t sum = checksum(payload);
  std::string out = "$";
  out += payload;
  out += '#';
  out += kDigits[sum >> 4];
  out += kDigits[sum & 15];
  return out;
}

std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    if (c == '$' || c == '#' || c == kEscape || c == '*') {
      out += kEscape;
      out += static_cast<char>(c ^ kFlip);
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescaped(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != kEscape)
      out += bytes[i];
    else if (++i < bytes.size())
      out += static_cast<char>(bytes[i] ^ kFlip);
  }
  return out;
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return out;
}

std::string to_hex(uint64_t number, unsigned bytes) {
  std::string raw;
  for (unsigned i = 0; i < bytes; ++i) raw += static_cast<char>(number >> (8 * i));
  return to_hex(raw);
}

std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
  }
  return out;
}

std::optional<uint64_t> hex_number(std::string_view text) {
  if (text.empty() || text.size() > 16) return std::nullopt;
  uint64_t number = 0;
  for (const char c : text) {
    if (digit(c) < 0) return std::nullopt;
    number = number * 16 + static_cast<unsigned>(digit(c));
  }
  return number;
}

std::string hex_text(uint64_t number) {
  std::string out;
  do {
    out += kDigits[number & 15];
    number >>= 4;
  } while (number != 0);
  std::reverse(out.begin(), out.end());
  return out;
}

std::string_view cut(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view head = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return head;
}

}  // namespace tessera::inspect::gdb
