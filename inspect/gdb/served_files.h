// Files that the debugger reads through its connection: the executable of each tile, made when it is asked for.
//
// They have no status (vFile:fstat): gdb 16 asks for it while it lets go of a process, and waits for its own lock for
// ever when the connection ends before the answer. Without the request it takes a status of its own making.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inspect/gdb/target.h"

namespace tessera::inspect::gdb {

class ServedFiles {
 public:
  // `tiles`: of all chips.
  ServedFiles(unsigned tiles, unsigned chips) : tiles_of_chip_(tiles / chips), programs_(chips) {}

  // Each program's files have names of their own: gdb keeps what it has read by its name.
  std::string path(unsigned tile) const;
  // A packet vFile:REQUEST; nullopt: no such request.
  std::optional<std::string> answer(std::string_view request, Target& target);
  // Another program is about to be loaded to that chip.
  void program_changed(unsigned chip) {
    std::erase_if(files_, [&](const auto& file) { return file.first / tiles_of_chip_ == chip; });
    ++programs_[chip];
  }

 private:
  const unsigned tiles_of_chip_;
  std::vector<unsigned> programs_;         // so far, by chip
  std::map<unsigned, std::string> files_;  // by tile
};

}  // namespace tessera::inspect::gdb
