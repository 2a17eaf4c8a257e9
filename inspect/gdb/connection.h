// The TCP side of the server: one listening socket and at most one debugger.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::inspect::gdb {

struct BadAddress : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Connection {
 public:
  // "[HOST:]PORT"; port 0: any free one. Throws BadAddress, one line.
  explicit Connection(const std::string& address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  uint16_t port() const { return port_; }
  bool connected() const { return peer_ >= 0; }
  // Takes a debugger that waits, when there is none; another one is turned away. Does not block.
  bool accept();
  void close();
  // Appends what has arrived to `bytes` without blocking. False: the debugger is gone (then it is closed).
  bool receive(std::vector<char>& bytes);
  void send(const std::string& bytes);
  // Waits until a debugger asks to come in or bytes have come, or `other` (-1: none) is readable.
  void wait(int other) const;
  int wake_fd() const { return wake_; }  // readable when there is something to do here

 private:
  void watch(int fd) const;

  int listener_ = -1, peer_ = -1, wake_ = -1;
  uint16_t port_ = 0;
};

}  // namespace tessera::inspect::gdb
