// Whole-file reading and writing; a written file appears complete or not at all, whoever else writes the same name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera::compiler {

std::optional<std::string> read_whole_file(const std::string& path);

// Writes beside the target and renames; false (and nothing left behind) if that is not possible.
bool write_atomically(const std::string& path, std::string_view bytes);

}  // namespace tessera::compiler
