// The messages between a client (libpoplar) and tessera-machine: docs/reference/machine-process.md.
// A message is a header, then `bytes` bytes of body: numbers little-endian, a text or list as a 32-bit count and its
// elements.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tessera::machine {

constexpr uint32_t kMessageMagic = 0x4d535354;  // "TSSM"
constexpr uint32_t kProtocolVersion = 2;
constexpr uint64_t kMaxBody = 1u << 28;

enum class Kind : uint32_t {
  kHello = 1,   // u32 version                      -> Hello
  kWindow,      // u64 bytes, a file descriptor     -> empty; 0 bytes and no descriptor: no window
  kWrite,       // u32 offset, list of u32          -> empty
  kRead,        // u32 offset, u32 count            -> list of u32
  kRun,         // u64 limit, u64 budget            -> u32 reason, u64 cycle, u32 tile
  kExceptions,  //                                  -> list of ExceptionReport
  kWaits,       //                                  -> list of chip::TileWait
  kCounters,    //                                  -> chip::Counters
  kMemoryHash,  //                                  -> u64
  kRecord,      // u32 on                           -> empty
  kTakeRecord,  //                                  -> list of SuperstepRecord; the record is then empty
  kReset,       //                                  -> empty
  kProgram,     // u32 already loaded, bytes of a ProgramInfo -> empty
  kFailure,     // (text what, list of tiles)       -> text: what inspection says of the last stop (of a failed check)
  kInspect,     // text: options                    -> empty
  kFinish,      //                                  -> empty; the files of waves and trace are whole
  kReply = 0x100,
  kError = 0x101,  // in place of a reply: text
};

struct Header {
  uint32_t magic = kMessageMagic;
  uint32_t kind = 0;
  uint64_t bytes = 0;
};
static_assert(sizeof(Header) == 16);

// The bytes that came are not a message of this protocol.
struct DamagedMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  template <class T>
    requires std::is_integral_v<T>
  Writer& number(T value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  Writer& text(const std::string& value) {
    number(static_cast<uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  Writer& words(const uint32_t* data, size_t count) {
    number(static_cast<uint32_t>(count));
    const size_t at = bytes_.size();
    bytes_.resize(at + 4 * count);
    if (count != 0) std::memcpy(bytes_.data() + at, data, 4 * count);
    return *this;
  }
  Writer& block(const std::vector<uint8_t>& value) {
    number(static_cast<uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Throws DamagedMessage where the body ends too early; call end() after the last item.
class Reader {
 public:
  explicit Reader(const std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value;
    need(sizeof value);
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string text() {
    const uint32_t size = number<uint32_t>();
    need(size);
    std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
    at_ += size;
    return value;
  }
  std::vector<uint32_t> words() {
    const uint64_t count = number<uint32_t>();
    need(4 * count);
    std::vector<uint32_t> value(count);
    if (count != 0) std::memcpy(value.data(), bytes_.data() + at_, 4 * count);
    at_ += 4 * count;
    return value;
  }
  std::vector<uint8_t> block() {
    const uint32_t size = number<uint32_t>();
    need(size);
    const auto from = bytes_.begin() + static_cast<ptrdiff_t>(at_);
    at_ += size;
    return {from, from + size};
  }
  void end() const {
    if (at_ != bytes_.size()) throw DamagedMessage("a message is longer than its contents");
  }

 private:
  void need(uint64_t count) const {
    if (count > bytes_.size() - at_) throw DamagedMessage("a message is shorter than its contents");
  }

  const std::vector<uint8_t>& bytes_;
  size_t at_ = 0;
};

}  // namespace tessera::machine
