#include "formats/file_bytes.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace tessera::formats {
namespace {

// move(done): of what is left, from byte `done` on; how much, or < 0.
template <class Move>
void move_all(size_t bytes, const char* what, const Move& move) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t moved = move(done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) throw std::system_error(moved < 0 ? errno : EIO, std::generic_category(), what);
    done += static_cast<size_t>(moved);
  }
}

}  // namespace

void read_at(int descriptor, uint64_t offset, std::span<std::byte> bytes) {
  move_all(bytes.size(), "cannot be read", [&](size_t done) {
    return ::pread(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
  });
}

void write_at(int descriptor, uint64_t offset, std::span<const std::byte> bytes) {
  move_all(bytes.size(), "cannot be written", [&](size_t done) {
    return ::pwrite(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
  });
}

}  // namespace tessera::formats
