#include "rsp_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

#include "inspect/gdb/rsp.h"

namespace tessera::test {

namespace rsp = inspect::gdb;

RspClient::RspClient(unsigned port, bool greets) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("no debugger's server at port " + std::to_string(port));
  if (!greets) return;
  ask("qSupported:multiprocess+;swbreak+;hwbreak+");
  ask("QStartNoAckMode");
}

RspClient::~RspClient() { ::close(fd_); }

void RspClient::send_raw(const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = ::send(fd_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += static_cast<size_t>(sent);
  }
}

void RspClient::send(const std::string& payload) { send_raw(rsp::framed(payload)); }

std::string RspClient::ask(const std::string& payload) {
  send(payload);
  return receive();
}

bool RspClient::read_more() {
  char buffer[4096];
  const ssize_t got = ::recv(fd_, buffer, sizeof buffer, 0);
  if (got <= 0) return false;
  input_.append(buffer, static_cast<size_t>(got));
  return true;
}

std::string RspClient::receive() {
  for (;;) {
    const size_t begin = input_.find('$');
    const size_t end = begin == std::string::npos ? begin : input_.find('#', begin);
    if (end == std::string::npos || input_.size() < end + 3) {
      if (!read_more()) return "";
      continue;
    }
    const std::string payload = rsp::unescaped(input_.substr(begin + 1, end - begin - 1));
    input_.erase(0, end + 3);
    if (payload.size() > 2 && payload[0] == 'O' && payload != "OK") {
      console_ += rsp::from_hex(payload.substr(1)).value_or("");
      continue;
    }
    return payload;
  }
}

std::string thread_of(const std::string& reply) {
  const size_t at = reply.find("thread:");
  return at == std::string::npos ? "" : reply.substr(at + 7, reply.find(';', at) - at - 7);
}

}  // namespace tessera::test
