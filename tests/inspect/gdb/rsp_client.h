// The debugger's side of the protocol, as much as tests and figures need.
#pragma once

#include <string>

namespace tessera::test {

class RspClient {
 public:
  // Connects and, if it greets, goes on with processes and without acknowledgements.
  explicit RspClient(unsigned port, bool greets = true);
  ~RspClient();
  RspClient(const RspClient&) = delete;
  RspClient& operator=(const RspClient&) = delete;

  std::string ask(const std::string& payload);  // sends, then receive()
  void send(const std::string& payload);
  void send_raw(const std::string& bytes);
  // The next packet that is no console text; text goes to console(). "": the connection has ended.
  std::string receive();
  const std::string& console() const { return console_; }

 private:
  bool read_more();

  int fd_ = -1;
  std::string input_, console_;
};

// "thread:p2.3;" of a stop reply.
std::string thread_of(const std::string& reply);

}  // namespace tessera::test
