// Ends this process when its client is gone while a request is being served, unless there are files to be closed first;
// between requests the session sees the end of the socket itself and ends in order. A thread of its own, since a chip
// may run for hours without looking at the socket.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace tessera::machine {

class ClientWatch {
 public:
  // `at_end`: called from the watching thread when the client goes in the middle of a request; true: the request ends
  // soon by itself, so the process need not be ended.
  ClientWatch(int socket, std::function<bool()> at_end);
  ~ClientWatch();
  ClientWatch(const ClientWatch&) = delete;
  ClientWatch& operator=(const ClientWatch&) = delete;

  // Around the serving of a request. begin() is false if the client is gone already.
  bool begin();
  void end() { busy_ = false; }

 private:
  void watch();

  int socket_;
  std::function<bool()> at_end_;
  int wake_[2];  // pipe; closing the write end ends the thread
  std::atomic<bool> busy_{false}, gone_{false};
  std::thread thread_;
};

constexpr int kExitClientGone = 4;

}  // namespace tessera::machine
