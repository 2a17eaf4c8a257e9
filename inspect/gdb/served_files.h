// Files that the debugger reads through its connection: the executable of each tile, made when it is asked for.
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

  static std::string path(unsigned tile) { return "/tessera/tile" + std::to_string(tile) + ".elf"; }
  // A packet vFile:REQUEST; nullopt: no such request.
  std::optional<std::string> answer(std::string_view request, const names::ProgramInfo& program);
  void program_changed() { files_.clear(); }

 private:
  const unsigned tiles_;
  std::map<unsigned, std::string> files_;  // by tile
};

}  // namespace tessera::inspect::gdb
