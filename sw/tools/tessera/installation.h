// Where Tessera's own files are: beside this program, in the installation or the build tree.
#pragma once

#include <filesystem>

namespace tessera::tool {

// The folder that holds `part` (as "share/tessera/gdb"): $TESSERA_ROOT, else looked for upwards from this program.
// Throws CommandError.
std::filesystem::path root_with(const std::filesystem::path& part);

}  // namespace tessera::tool
