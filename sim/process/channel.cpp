#include "sim/process/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace tessera::machine {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Channel::send_bytes(const void* data, size_t size, int descriptor) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    iovec part{const_cast<char*>(at), size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (descriptor >= 0) {
      header.msg_control = control;
      header.msg_controllen = sizeof control;
      cmsghdr* item = CMSG_FIRSTHDR(&header);
      item->cmsg_level = SOL_SOCKET;
      item->cmsg_type = SCM_RIGHTS;
      item->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(item), &descriptor, sizeof descriptor);
    }
    const ssize_t sent = ::sendmsg(socket_.get(), &header, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      throw ChannelClosed(std::string("sending failed: ") + std::strerror(errno));
    }
    descriptor = -1;
    at += sent;
    size -= static_cast<size_t>(sent);
  }
}

void Channel::receive_bytes(void* data, size_t size, Descriptor* descriptor) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    iovec part{at, size};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    header.msg_control = control;
    header.msg_controllen = sizeof control;
    const ssize_t got = ::recvmsg(socket_.get(), &header, MSG_CMSG_CLOEXEC);
    if (got < 0) {
      if (errno == EINTR) continue;
      throw ChannelClosed(std::string("receiving failed: ") + std::strerror(errno));
    }
    if (got == 0) throw ChannelClosed("the other side closed the connection");
    const cmsghdr* item = CMSG_FIRSTHDR(&header);
    if (item != nullptr && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(item), sizeof fd);
      Descriptor received(fd);
      if (descriptor != nullptr) *descriptor = std::move(received);
    }
    at += got;
    size -= static_cast<size_t>(got);
  }
}

void Channel::send(Kind kind, const std::vector<uint8_t>& body, int descriptor, uint16_t chip) {
  const Header header{kMessageMagic, static_cast<uint16_t>(kind), chip, body.size()};
  send_bytes(&header, sizeof header, descriptor);
  send_bytes(body.data(), body.size(), -1);
}

Message Channel::receive() {
  Message message;
  Header header;
  receive_bytes(&header, sizeof header, &message.descriptor);
  if (header.magic != kMessageMagic) throw DamagedMessage("what came does not begin as a message does");
  if (header.bytes > kMaxBody) throw DamagedMessage("a message of " + std::to_string(header.bytes) + " bytes");
  message.kind = static_cast<Kind>(header.kind);
  message.chip = header.chip;
  message.body.resize(header.bytes);
  receive_bytes(message.body.data(), message.body.size(), nullptr);
  return message;
}

}  // namespace tessera::machine
