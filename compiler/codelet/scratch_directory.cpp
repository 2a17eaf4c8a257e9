#include "compiler/codelet/scratch_directory.h"

#include <stdlib.h>

#include "compiler/codelet/codelet_error.h"

namespace tessera::compiler {

ScratchDirectory::ScratchDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "tessera-popc-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw CodeletError(CodeletError::Kind::kFile, "cannot make a temporary directory " + pattern);
  }
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace tessera::compiler
