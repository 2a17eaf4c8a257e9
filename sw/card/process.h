// A tessera-machine of one's own: started, watched and reaped.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/process/channel.h"

namespace tessera::card {

// Path of the executable that holds the backend, tessera-machine-<backend> (lockstep: -waves): $TESSERA_MACHINE_BIN if
// set; else looked for from the folder of the caller's own library upwards: there, in libexec/tessera, and in the build
// tree's systemc/machine. Throws
// std::runtime_error that lists the places.
std::string find_machine(const std::string& backend);

class Process {
 public:
  // Throws std::runtime_error if it cannot be started. Its socket is take_socket().
  // `more`: further arguments.
  Process(const std::string& executable, const std::string& machine, const std::string& backend,
          const std::vector<std::string>& more = {});
  ~Process();  // waits for its end; the other end of the socket must be closed first
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  machine::Descriptor take_socket() { return std::move(socket_); }
  pid_t pid() const { return pid_; }
  // Waits for its end and says how it ended: "was killed by signal 9 (Killed)", "ended with status 2".
  std::string end();

 private:
  pid_t pid_ = -1;
  machine::Descriptor socket_;
  std::optional<std::string> ended_;
};

}  // namespace tessera::card
