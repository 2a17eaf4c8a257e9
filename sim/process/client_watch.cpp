#include "sim/process/client_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace tessera::machine {

ClientWatch::ClientWatch(int socket, std::function<bool()> at_end) : socket_(socket), at_end_(std::move(at_end)) {
  if (::pipe2(wake_, O_CLOEXEC) != 0) throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
  thread_ = std::thread([this] { watch(); });
}

ClientWatch::~ClientWatch() {
  ::close(wake_[1]);
  thread_.join();
  ::close(wake_[0]);
}

// The two flags are set before the other's is read, on both sides: one of the two threads sees the end.
bool ClientWatch::begin() {
  busy_ = true;
  return !gone_;
}

void ClientWatch::watch() {
  pollfd watched[2] = {{socket_, POLLRDHUP, 0}, {wake_[0], POLLIN, 0}};
  for (;;) {
    if (::poll(watched, 2, -1) < 0) continue;  // interrupted
    if (watched[1].revents != 0) return;
    if (watched[0].revents != 0) {
      gone_ = true;
      if (busy_ && !at_end_()) ::_exit(kExitClientGone);
      watched[0].fd = -1;
    }
  }
}

}  // namespace tessera::machine
