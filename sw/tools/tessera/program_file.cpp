#include "sw/tools/tessera/program_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "sw/firmware/host/elf_image.h"
#include "sw/firmware/host/file_text.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

bool may_be_executed(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

// "": there is none.
std::string in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string candidate = (folder.empty() ? "." : folder) + "/" + name; may_be_executed(candidate))
      return candidate;
  return "";
}

CommandError no_program(const std::string& path, const std::string& why) {
  return CommandError(path + " is " + firmware::file_text(path) + why);
}

}  // namespace

ProgramFile program_file(const std::string& program) {
  std::string path = program;
  std::error_code error;
  if (program.find('/') == std::string::npos && !fs::is_regular_file(program, error))
    if (const std::string found = in_path(program); !found.empty()) path = found;
  if (!fs::exists(path, error))
    throw CommandError("there is no file " + program +
                       (path.find('/') == std::string::npos ? ", nor is it in PATH" : ""));
  if (firmware::kind_of(path) == firmware::FileKind::kTileElf) return {path, true};
  if (!fs::is_regular_file(path, error) || firmware::is_shared_library(path))
    throw no_program(path, ", neither firmware nor a program");
  if (::access(path.c_str(), X_OK) != 0)
    throw no_program(path, ", neither firmware nor a program that may be executed");
  return {path, false};
}

void become(const std::string& path, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {path};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(path.c_str(), pointers.data());
  const int why = errno;
  const bool script = why == ENOEXEC && firmware::file_text(path) == "a text";  // a shell would have run it
  if (why == ENOEXEC)
    throw no_program(path, std::string(", which this host cannot run") + (script ? "; a script begins with #!" : ""));
  if (why == ENOENT) throw no_program(path, " whose interpreter or loader is not there");
  throw CommandError(path + " cannot be run: " + std::strerror(why));
}

}  // namespace tessera::tool
