#include "compiler/codelet/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

bool write_atomically(const std::string& path, std::string_view bytes) {
  // A name of our own beside the target, made with the mode of any file the user writes.
  int file = -1;
  std::string temporary;
  for (int attempt = 0; file < 0 && attempt < 1000; ++attempt) {
    temporary = path + "." + std::to_string(getpid()) + "." + std::to_string(attempt);
    file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) return false;
  }
  if (file < 0) return false;
  bool good = true;
  while (good && !bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    good = written > 0;
    if (good) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  good = close(file) == 0 && good;
  good = good && rename(temporary.c_str(), path.c_str()) == 0;
  if (!good) unlink(temporary.c_str());
  return good;
}

}  // namespace tessera::compiler
