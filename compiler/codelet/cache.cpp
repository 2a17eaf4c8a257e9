#include "compiler/codelet/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/read_whole_file.h"
#include "compiler/codelet/sha256.h"
#include "formats/whole_file.h"

namespace tessera::compiler {
namespace {

constexpr std::size_t kDigits = 64;  // of the digest

// A directory that only this user can write: nobody else can plant code in it.
bool is_private_directory(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & 022) == 0;
}

}  // namespace

Cache Cache::of_user() {
  const char* base = std::getenv("XDG_CACHE_HOME");
  if (base != nullptr && *base == '/') return Cache(std::string(base) + "/tessera");
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return Cache(std::string(home) + "/.cache/tessera");
  return Cache("");
}

Cache::Cache(std::string directory) : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(directory_).parent_path(), error);
  mkdir(directory_.c_str(), 0700);
  if (!is_private_directory(directory_)) directory_.clear();
}

std::optional<std::string> Cache::find(const std::string& name) const {
  if (directory_.empty()) return std::nullopt;
  auto file = read_whole_file(directory_ + "/" + name);
  if (!file || file->size() < kDigits) return std::nullopt;
  const std::string digest = file->substr(0, kDigits);
  file->erase(0, kDigits);
  if (sha256(*file) != digest) return std::nullopt;
  return file;
}

void Cache::store(const std::string& name, std::string_view bytes) const {
  if (directory_.empty()) return;
  std::string file = sha256(bytes);
  file += bytes;
  try {
    formats::write_whole_file(directory_ + "/" + name, file);
  } catch (const formats::CannotWrite& error) {
    // Without a cache everything works, only slower: nobody has to be able to write one. A disk that is full is told.
    if (error.error == EACCES || error.error == EPERM || error.error == EROFS || error.error == ENOENT) return;
    throw CodeletError(CodeletError::Kind::kFile, std::string("cache: ") + error.what());
  }
}

}  // namespace tessera::compiler
