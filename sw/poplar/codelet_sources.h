// Compiles a codelet file or text as what the program says that it is, whatever the file is called.
#pragma once

#include <poplar/CodeletFileType.hpp>
#include <string>

#include "compiler/codelet/compile.h"

namespace tessera::runtime {

// Auto goes by the extension, and takes text for C++. Sources of C and assembly carry no vertices, only what vertices
// call. Throws compiler::CodeletError, kCompilation for LLVM IR too: it is made for one machine.
compiler::CodeletLibrary compile_source(const std::string& path, poplar::CodeletFileType type,
                                        const compiler::CompileOptions& options);
compiler::CodeletLibrary compile_source_text(const std::string& text, const std::string& name,
                                             poplar::CodeletFileType type, const compiler::CompileOptions& options);

}  // namespace tessera::runtime
