// The packet layer of gdb's remote serial protocol: $payload#checksum with acknowledgements, escapes, and the byte of
// Ctrl-C. Bytes in, packets out; it knows no socket.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::inspect::gdb {

// The longest packet taken; a longer one is garbage.
constexpr size_t kPacketBytes = 0x4000;

class PacketReader {
 public:
  struct Event {
    enum class Kind { kPacket, kInterrupt, kDamaged, kNegative } kind = Kind::kPacket;
    std::string payload;  // escapes undone
  };
  // Bytes that belong to no packet are passed over.
  void feed(std::span<const char> bytes);
  std::optional<Event> next();
  void clear();

 private:
  enum class State { kIdle, kPayload, kChecksum1, kChecksum2 };

  State state_ = State::kIdle;
  std::string raw_;
  char first_digit_ = 0;
  std::deque<Event> events_;
};

// A payload as it goes over the wire.
std::string framed(std::string_view payload);
std::string escaped(std::string_view bytes);    // for binary data inside a payload
std::string unescaped(std::string_view bytes);  // an escape at the very end is dropped

std::string to_hex(std::string_view bytes);
std::string to_hex(uint64_t little_endian, unsigned bytes);
// nullopt: not an even number of hexadecimal digits.
std::optional<std::string> from_hex(std::string_view text);
// A whole hexadecimal number of at most 16 digits.
std::optional<uint64_t> hex_number(std::string_view text);
std::string hex_text(uint64_t number);

// Cuts the text before `separator` off `rest`; all of it when there is none.
std::string_view cut(std::string_view& rest, char separator);

}  // namespace tessera::inspect::gdb
