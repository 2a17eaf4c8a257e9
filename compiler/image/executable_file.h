// The file form of an Executable: docs/reference/image.md.
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/image/executable.h"

namespace tessera::image {

// The bytes are damaged, cut off, of another format version or for another instruction table; what() is one line.
class BadExecutable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether a file that begins with these eight bytes is meant to be an executable.
bool begins_executable(const char (&bytes)[8]);

std::vector<std::uint8_t> serialize(const Executable& executable);

// `where` names the origin in messages. Throws BadExecutable.
Executable deserialize(const std::vector<std::uint8_t>& bytes, const std::string& where);

// The one that stands next in `in`, which is left behind its last byte.
Executable deserialize(std::istream& in, const std::string& where);

}  // namespace tessera::image
