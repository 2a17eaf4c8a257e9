// One end of the Unix socket between a client and tessera-machine: whole messages, with a file descriptor beside one
// where asked. Waits without a time limit; the end of the other side is seen at once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/process/message.h"

namespace tessera::machine {

// The other side has closed the socket, or is gone.
struct ChannelClosed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release();

 private:
  int fd_ = -1;
};

struct Message {
  Kind kind = Kind::kError;
  std::vector<uint8_t> body;
  uint16_t chip = 0;
  Descriptor descriptor;  // if one came with it
};

class Channel {
 public:
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  // Throws ChannelClosed.
  void send(Kind kind, const std::vector<uint8_t>& body, int descriptor = -1, uint16_t chip = 0);
  // Throws ChannelClosed, also in the middle of a message, and DamagedMessage if what came cannot be a message.
  Message receive();
  int fd() const { return socket_.get(); }

 private:
  void send_bytes(const void* data, size_t size, int descriptor);
  void receive_bytes(void* data, size_t size, Descriptor* descriptor);

  Descriptor socket_;
};

}  // namespace tessera::machine
