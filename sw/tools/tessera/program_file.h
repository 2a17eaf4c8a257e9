// The program that `tessera run` is given: recognised before any shell or loader sees it.
#pragma once

#include <string>
#include <vector>

namespace tessera::tool {

// What is to be run: its path, and whether tiles or this host run it. A name without a slash is a file that stands
// here, else one of PATH. Throws CommandError that says what the file is, if it is neither firmware nor may be
// executed.
struct ProgramFile {
  std::string path;
  bool firmware = false;
};
ProgramFile program_file(const std::string& program);

// The program in place of this one; never by way of a shell. Throws CommandError when this host cannot run it.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& arguments);

}  // namespace tessera::tool
