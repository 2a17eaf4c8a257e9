// A file that stands under its name whole or not at all: written as NAME.new beside it, and renamed once all of it is
// on the disk. Whatever this project leaves for users goes this way, so a full disk is one error and no half file.
//
// Two processes that write the same name do not meet: the second takes NAME.2.new. What is no regular file (a terminal,
// a pipe, /dev/null) is written as it is. A symbolic link stays one, what it points to is written.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tessera::formats {

// "out.txt cannot be written: No space left on device"
struct CannotWrite : std::runtime_error {
  explicit CannotWrite(const std::string& path, int error);
  const int error;  // of errno.h
};

class WholeFile {
 public:
  explicit WholeFile(const std::string& path);  // throws CannotWrite, as all of these
  ~WholeFile();                                 // without keep() nothing stays
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::span<const uint8_t> bytes);
  void write(std::string_view text);
  void keep();     // the file is whole: it gets its name
  void discard();  // what stood under the name before stays

  const std::string& path() const { return path_; }
  // For libraries that write by themselves: where, and to what. Their errors are theirs to tell.
  const std::string& unfinished() const { return unfinished_; }
  int descriptor() const { return descriptor_; }

 private:
  [[noreturn]] void fail(int error);
  void open_beside();
  bool lock();

  const std::string path_;
  std::string target_, unfinished_;  // equal for what is no regular file
  int descriptor_ = -1;
};

void write_whole_file(const std::string& path, std::span<const uint8_t> bytes);
void write_whole_file(const std::string& path, std::string_view text);

}  // namespace tessera::formats
