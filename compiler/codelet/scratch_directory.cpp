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

}  // namespace tessera::compiler
