// Files that the debugger reads through its connection: the executable of each tile, made when it is asked for.
//
// They have no status (vFile:fstat): gdb 16 asks for it while it lets go of a process, and waits for its own lock for
// ever when the connection ends before the answer. Without the request it takes a status of its own making.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "program/program_info.h"

namespace tessera::inspect::gdb {

class ServedFiles {
 public:
  explicit ServedFiles(unsigned tiles) : tiles_(tiles) {}

  // Each program's files have names of their own: gdb keeps what it has read by its name.
  std::string path(unsigned tile) const;
  // A packet vFile:REQUEST; nullopt: no such request.
  std::optional<std::string> answer(std::string_view request, const names::ProgramInfo& program);
  void program_changed() {
    files_.clear();
    ++programs_;
  }

 private:
  const unsigned tiles_;
  unsigned programs_ = 0;                  // so far
  std::map<unsigned, std::string> files_;  // by tile
};

}  // namespace tessera::inspect::gdb
