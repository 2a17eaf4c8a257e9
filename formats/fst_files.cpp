#include "formats/fst_files.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "formats/fst_seal.h"

namespace tessera::formats {
namespace {

using File = std::pair<dev_t, ino_t>;

// What went wrong first with a file; the library writes from threads of its own, too. Whose a scratch file is is not
// known: when one fails, for want of memory, none of the files that are being written is trusted.
struct Errors {
  std::mutex mutex;
  std::set<File> scratch, open;
  std::map<File, int> of_file;
};
// Outlives what the program destroys at its end: files may be closed then.
Errors& errors() {
  static Errors* const all = new Errors;
  return *all;
}

File file_of(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 ? File(status.st_dev, status.st_ino) : File();
}

void note(int descriptor, int error) {
  Errors& all = errors();
  const std::lock_guard lock(all.mutex);
  const File file = file_of(descriptor);
  if (error == 0) error = EIO;
  if (!all.scratch.contains(file))
    all.of_file.try_emplace(file, error);
  else
    for (const File& written : all.open) all.of_file.try_emplace(written, error);
}

// ".hier" of the writer, ".hier_123_0x55" and ".upk_123_0x55" of the reader: what it keeps beside a file for a while.
bool is_scratch(std::string_view path) {
  const std::string_view ending = path.substr(path.rfind('.') + 1);
  return ending == "hier" || ending.starts_with("hier_") || ending.starts_with("upk_");
}

}  // namespace

int take_fst_error(int descriptor) {
  Errors& all = errors();
  const std::lock_guard lock(all.mutex);
  const auto found = all.of_file.find(file_of(descriptor));
  if (found == all.of_file.end()) return 0;
  return all.of_file.extract(found).mapped();
}

namespace {

// What is known of an earlier file of the same number is forgotten.
void begins(std::set<File> Errors::* kind, int descriptor) {
  Errors& all = errors();
  const std::lock_guard lock(all.mutex);
  all.of_file.erase(file_of(descriptor));
  (all.*kind).insert(file_of(descriptor));
}

void ends(int descriptor) {
  Errors& all = errors();
  const std::lock_guard lock(all.mutex);
  all.scratch.erase(file_of(descriptor));
  all.open.erase(file_of(descriptor));
}

}  // namespace

}  // namespace tessera::formats

using namespace tessera::formats;

FILE* tessera_fst_scratch() {
  const int descriptor = ::memfd_create("fst", MFD_CLOEXEC);
  FILE* file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (file == nullptr && descriptor >= 0) ::close(descriptor);
  if (file != nullptr) begins(&Errors::scratch, descriptor);
  return file;
}

// What the file does not hold, because it could not grow, is memory of nobody: no access ends the process.
void* tessera_fst_map(void* address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && static_cast<size_t>(status.st_size) >= length)
    return ::mmap(address, length, protection, flags, descriptor, offset);
  note(descriptor, ENOSPC);
  return ::mmap(nullptr, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

FILE* tessera_fst_open(const char* path, const char* mode) {
  if (mode[0] != 'w') return ::fopen(path, mode);
  if (is_scratch(path)) return tessera_fst_scratch();
  FILE* file = ::fopen(path, mode);
  if (file != nullptr) begins(&Errors::open, ::fileno(file));
  return file;
}

size_t tessera_fst_write(const void* data, size_t size, size_t count, FILE* file) {
  const size_t written = ::fwrite(data, size, count, file);
  if (written != count) note(::fileno(file), errno);
  return written;
}

int tessera_fst_flush(FILE* file) {
  const int failed = ::fflush(file);
  if (failed != 0 || ::ferror(file) != 0) note(::fileno(file), failed != 0 ? errno : 0);
  return failed;
}

int tessera_fst_close(FILE* file) {
  if (file == nullptr) return 0;
  tessera_fst_flush(file);
  ends(::fileno(file));
  return ::fclose(file);
}

int tessera_fst_truncate(int descriptor, off_t length) {
  const int failed = ::ftruncate(descriptor, length);
  if (failed != 0) note(descriptor, errno);
  return failed;
}
