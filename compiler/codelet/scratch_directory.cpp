#include "compiler/codelet/scratch_directory.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "compiler/codelet/codelet_error.h"
#include "formats/whole_file.h"

namespace tessera::compiler {

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera-popc-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw CodeletError(CodeletError::Kind::kFile,
                       "cannot make a temporary directory " + pattern + ": " + std::strerror(errno));
  }
  path_ = pattern;
}

std::string ScratchDirectory::write(const std::string& name, std::string_view text) const {
  try {
    formats::write_whole_file(file(name), text);
  } catch (const formats::CannotWrite& error) {
    throw CodeletError(CodeletError::Kind::kFile, error.what());
  }
  return file(name);
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

void ScratchDirectory::check_room(const ToolResult& failed) const {
  constexpr std::size_t kRoom = 1 << 20;  // what tools need at most, with some to spare
  const auto says = [&](std::string_view text) { return failed.output.find(text) != std::string::npos; };
  if (failed.status < 128 && !says("PLEASE submit a bug report") && !says(std::strerror(ENOSPC)) &&
      !says(std::strerror(EFBIG)) && !says(std::strerror(EDQUOT)))
    return;
  try {
    formats::WholeFile room(file("room"));
    room.write(std::string(kRoom, '\0'));
  } catch (const formats::CannotWrite& error) {
    throw CodeletError(CodeletError::Kind::kFile, "temporary files in " + path_.parent_path().string() +
                                                      " cannot be written: " + std::strerror(error.error));
  }
}

}  // namespace tessera::compiler
