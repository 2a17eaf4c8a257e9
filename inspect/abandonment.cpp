#include "inspect/abandonment.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace tessera::inspect {

Abandonment::Abandonment() {
  if (::pipe2(pipe_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe for the recorded run");
}

Abandonment::~Abandonment() {
  ::close(pipe_[0]);
  ::close(pipe_[1]);
}

bool Abandonment::tell() {
  const char byte = 0;
  return ::write(pipe_[1], &byte, 1) == 1;
}

bool Abandonment::told() const {
  pollfd end{pipe_[0], POLLIN, 0};
  return ::poll(&end, 1, 0) > 0;
}

}  // namespace tessera::inspect
