// A private temporary directory that goes away with the object.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "compiler/codelet/subprocess.h"

namespace tessera::compiler {

class ScratchDirectory {
 public:
  // Throws CodeletError (kFile) if it cannot be made.
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  // Writes a file in it; returns its path. Throws CodeletError (kFile).
  std::string write(const std::string& name, std::string_view text) const;
  // A tool that wrote here failed: throws CodeletError (kFile) when that is for want of room. Clang and lld crash then.
  void check_room(const ToolResult& failed) const;

 private:
  std::filesystem::path path_;
};

}  // namespace tessera::compiler
