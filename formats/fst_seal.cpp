#include "formats/fst_seal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "formats/bytes.h"
#include "formats/fnv.h"

namespace tessera::formats {
namespace {

constexpr std::array<uint8_t, 17> kSealHead = {255, 0, 0, 0, 0, 0, 0, 0, 24, 'T', 'S', 'R', 'S', 'E', 'A', 'L', '1'};
constexpr uint64_t kSealBytes = kSealHead.size() + 8;
constexpr size_t kPart = 1u << 20;

// Bytes from `offset` on, all of them; false at the end of the file and at an error.
bool read_at(int descriptor, uint64_t offset, std::span<uint8_t> to) {
  while (!to.empty()) {
    const ssize_t got = ::pread(descriptor, to.data(), to.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to = to.subspan(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return true;
}

// Digest of the digests of its parts; false: it cannot be read.
bool digest_of(int descriptor, uint64_t bytes, uint64_t& found) {
  std::vector<uint8_t> part(kPart);
  Fnv all;
  all.number(bytes);
  for (uint64_t at = 0; at < bytes; at += kPart) {
    const std::span<uint8_t> now = std::span(part).first(std::min<uint64_t>(kPart, bytes - at));
    if (!read_at(descriptor, at, now)) return false;
    all.number(digest(now));
  }
  found = all.value();
  return true;
}

struct Descriptor {
  explicit Descriptor(const std::string& path) : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

}  // namespace

void keep_fst(WholeFile& file) {
  if (const int error = take_fst_error(file.descriptor()); error != 0) {
    file.discard();
    throw CannotWrite(file.path(), error);
  }
  const off_t end = ::lseek(file.descriptor(), 0, SEEK_END);
  uint64_t digest = 0;
  if (end < 0 || !digest_of(file.descriptor(), static_cast<uint64_t>(end), digest)) {
    const int error = errno != 0 ? errno : EIO;
    file.discard();
    throw CannotWrite(file.path(), error);
  }
  Bytes seal(kSealHead.begin(), kSealHead.end());
  put_number(seal, digest);
  file.write(seal);
  file.keep();
}

std::string fst_damage(const std::string& path) {
  const Descriptor file(path);
  struct stat status{};
  if (file.number < 0 || ::fstat(file.number, &status) != 0)
    return std::string("cannot be read: ") + std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "is no regular file";
  const auto bytes = static_cast<uint64_t>(status.st_size);
  std::array<uint8_t, kSealBytes> seal{};
  if (bytes < kSealBytes || !read_at(file.number, bytes - kSealBytes, seal) ||
      !std::equal(kSealHead.begin(), kSealHead.end(), seal.begin()))
    return "is no whole FST file of Tessera";
  uint64_t digest = 0;
  if (!digest_of(file.number, bytes - kSealBytes, digest)) return "cannot be read to its end";
  if (digest != number_at<uint64_t>(seal.data() + kSealHead.size())) return "is damaged: its digest does not fit";
  return "";
}

}  // namespace tessera::formats
