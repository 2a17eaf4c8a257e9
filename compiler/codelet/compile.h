// Compiles codelet sources to a codelet library.
//
// Results are cached by content: source, every header read, flags, compiler and device headers. A cached compile starts
// no process and loads no libclang.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/codelet/cache.h"
#include "compiler/codelet/codelet_library.h"

namespace tessera::compiler {

struct CompileOptions {
  std::vector<std::string> flags;  // the user's: -I, -D, -O, -std, -W, ...
  bool check = false;              // a checked build: bounds, assertions and the like are tested at run time
  Cache cache = Cache::of_user();
  std::string* warnings = nullptr;  // receives clang's warnings, those of a cached result too
};

// .cpp and the like are codelets; .c and .S files are compiled as they are and carry no vertices. All sources go into
// one library. Throws CodeletError; a file that does not compile gives kCompilation with clang's own text.
CodeletLibrary compile_codelets(const std::vector<std::string>& files, const CompileOptions& options = {});

// C++ source text instead of a file; `name` stands for it in messages.
CodeletLibrary compile_codelet_text(std::string_view text, const std::string& name, const CompileOptions& options = {});

}  // namespace tessera::compiler
