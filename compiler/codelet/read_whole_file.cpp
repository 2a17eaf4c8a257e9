#include "compiler/codelet/read_whole_file.h"

#include <sys/stat.h>

#include <fstream>

namespace tessera::compiler {

std::optional<std::string> read_whole_file(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  if (!file.read(bytes.data(), status.st_size)) return std::nullopt;
  return bytes;
}

}  // namespace tessera::compiler
