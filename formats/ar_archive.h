// The common `ar` archive format, so that `ar t` and `ar x` open what we write. Read by libelf; names that are written
// have at most 15 characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::formats {

// Header, data and padding of one member.
std::string ar_member(const std::string& name, std::string_view data);

class ArWriter {
 public:
  void add(const std::string& name, std::string_view data) { bytes_ += ar_member(name, data); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = "!<arch>\n";
};

struct ArMember {
  std::string name;
  std::string_view data;
};

// The members in order, none if the bytes are no well-formed archive. Views point into `bytes`.
std::optional<std::vector<ArMember>> read_ar(std::string_view bytes);

}  // namespace tessera::formats
