#include "sw/tools/tessera/installation.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sw/tools/tessera/commands.h"

namespace tessera::tool {

std::filesystem::path root_with(const std::filesystem::path& part) {
  namespace fs = std::filesystem;
  const char* chosen = std::getenv("TESSERA_ROOT");
  if (chosen != nullptr && *chosen != '\0') {
    if (fs::exists(fs::path(chosen) / part)) return fs::absolute(chosen);
    throw CommandError(fmt::format("TESSERA_ROOT is {}, where there is no {}", chosen, part.string()));
  }
  std::error_code error;
  for (fs::path at = fs::read_symlink("/proc/self/exe", error).parent_path(); !at.empty() && at != at.root_path();
       at = at.parent_path())
    if (fs::exists(at / part)) return at;
  throw CommandError(
      fmt::format("{} is not beside this program; set TESSERA_ROOT to where Tessera is installed", part.string()));
}

}  // namespace tessera::tool
