#include "inspect/gdb/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace tessera::inspect::gdb {
namespace {

sockaddr_in parse(const std::string& text) {
  const size_t colon = text.rfind(':');
  const std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (port.empty() || error != std::errc() || end != port.data() + port.size())
    throw BadAddress("gdb=" + text + ": '" + port + "' is no port");
  address.sin_port = htons(number);
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  if (getaddrinfo(host.empty() ? "127.0.0.1" : host.c_str(), nullptr, &hints, &found) != 0)
    throw BadAddress("gdb=" + text + ": no host '" + host + "'");
  address.sin_addr = reinterpret_cast<sockaddr_in*>(found->ai_addr)->sin_addr;
  freeaddrinfo(found);
  return address;
}

}  // namespace

Connection::Connection(const std::string& text) {
  sockaddr_in address = parse(text);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  socklen_t size = sizeof address;
  if (listener_ < 0 || bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listener_, 1) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw BadAddress("gdb=" + text + ": cannot listen there: " + why);
  }
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  wake_ = epoll_create1(EPOLL_CLOEXEC);
  watch(listener_);
}

Connection::~Connection() {
  close();
  ::close(wake_);
  ::close(listener_);
}

void Connection::watch(int fd) const {
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(wake_, EPOLL_CTL_ADD, fd, &event);
}

bool Connection::accept() {
  const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return false;
  if (connected()) {
    ::close(fd);
    return false;
  }
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  peer_ = fd;
  watch(peer_);
  return true;
}

void Connection::close() {
  if (peer_ >= 0) ::close(peer_);
  peer_ = -1;
}

bool Connection::receive(std::vector<char>& bytes) {
  char buffer[4096];
  while (connected()) {
    const ssize_t got = recv(peer_, buffer, sizeof buffer, 0);
    if (got > 0) {
      bytes.insert(bytes.end(), buffer, buffer + got);
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return true;
    } else {
      close();
    }
  }
  return false;
}

void Connection::send(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size() && connected();) {
    const ssize_t sent = ::send(peer_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent >= 0) {
      at += static_cast<size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd ready{peer_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      close();
    }
  }
}

void Connection::wait(int other) const {
  pollfd ready[2] = {{wake_, POLLIN, 0}, {other, POLLIN, 0}};
  while (poll(ready, other < 0 ? 1 : 2, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace tessera::inspect::gdb
