#include "formats/whole_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tessera::formats {
namespace {

constexpr unsigned kMostWriters = 1000;  // of one name at once

// Where a name that is a symbolic link leads; the name itself where that is not to be found out.
std::string followed(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

CannotWrite::CannotWrite(const std::string& path, int why)
    : std::runtime_error(path + " cannot be written: " + std::strerror(why)), error(why) {}

WholeFile::WholeFile(const std::string& path) : path_(path), target_(followed(path)) {
  struct stat present{};
  const bool there = ::stat(target_.c_str(), &present) == 0;
  if (there && S_ISDIR(present.st_mode)) fail(EISDIR);
  if (there && !S_ISREG(present.st_mode)) {
    unfinished_ = target_;
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // A file that its user may not write is not replaced either.
  if (there && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  open_beside();
  if (there) [[maybe_unused]]
    const int kept = ::fchmod(descriptor_, present.st_mode & 07777);
}

WholeFile::~WholeFile() { discard(); }

void WholeFile::open_beside() {
  for (unsigned writer = 1; writer <= kMostWriters; ++writer) {
    unfinished_ = target_ + (writer == 1 ? "" : "." + std::to_string(writer)) + ".new";
    descriptor_ = ::open(unfinished_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(errno);
    if (lock()) return;
    ::close(descriptor_);
    descriptor_ = -1;
  }
  fail(EBUSY);
}

// Ours, and empty, unless another process writes it, or has just given it its name. What a killed one left is taken.
bool WholeFile::lock() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat opened{};
  struct stat named{};
  if (::fstat(descriptor_, &opened) != 0) fail(errno);
  if (!S_ISREG(opened.st_mode)) return false;
  if (::stat(unfinished_.c_str(), &named) != 0 || named.st_ino != opened.st_ino || named.st_dev != opened.st_dev)
    return false;
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
  return true;
}

void WholeFile::write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written == 0 ? ENOSPC : errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void WholeFile::write(std::string_view text) {
  write(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

void WholeFile::keep() {
  // Some file systems tell at close() only that they have no place; the lock is kept until the file has its name.
  const int copy = ::dup(descriptor_);
  if (copy < 0 || ::close(copy) != 0) fail(errno);
  if (unfinished_ != target_ && std::rename(unfinished_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(descriptor_);
  descriptor_ = -1;
}

void WholeFile::discard() {
  if (descriptor_ < 0) return;
  if (unfinished_ != target_) ::unlink(unfinished_.c_str());
  ::close(descriptor_);
  descriptor_ = -1;
}

void WholeFile::fail(int error) {
  discard();
  throw CannotWrite(path_, error);
}

void write_whole_file(const std::string& path, std::span<const uint8_t> bytes) {
  WholeFile file(path);
  file.write(bytes);
  file.keep();
}

void write_whole_file(const std::string& path, std::string_view text) {
  write_whole_file(path, std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

}  // namespace tessera::formats
