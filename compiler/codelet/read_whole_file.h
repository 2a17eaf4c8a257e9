// The bytes of a regular file; none when it cannot be read.
#pragma once

#include <optional>
#include <string>

namespace tessera::compiler {

std::optional<std::string> read_whole_file(const std::string& path);

}  // namespace tessera::compiler
