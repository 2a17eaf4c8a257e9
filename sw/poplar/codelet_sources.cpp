#include "sw/poplar/codelet_sources.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/scratch_directory.h"

namespace tessera::runtime {

using compiler::CodeletError;
using poplar::CodeletFileType;

namespace {

// By which the compiler knows what a file holds; C++ is whatever has none of the others.
const char* extension_of(CodeletFileType type) {
  switch (type) {
    case CodeletFileType::CSource:
      return ".c";
    case CodeletFileType::AsmSource:
      return ".S";
    case CodeletFileType::PreprocessedAsmSource:
      return ".s";
    default:
      return "";
  }
}

bool is_named_for(const std::string& path, CodeletFileType type) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (type == CodeletFileType::CppSource) return extension != ".c" && extension != ".S" && extension != ".s";
  return type == CodeletFileType::Auto || extension == extension_of(type);
}

}  // namespace

compiler::CodeletLibrary compile_source(const std::string& path, CodeletFileType type,
                                        const compiler::CompileOptions& options) {
  if (is_named_for(path, type)) return compiler::compile_codelets({path}, options);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  compiler::CompileOptions here = options;
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  here.flags.insert(here.flags.end(), {"-iquote", folder.string()});
  return compile_source_text(text.str(), path, type, here);
}

compiler::CodeletLibrary compile_source_text(const std::string& text, const std::string& name, CodeletFileType type,
                                             const compiler::CompileOptions& options) {
  if (type == CodeletFileType::IrSource)
    throw CodeletError(
        CodeletError::Kind::kCompilation,
        name + ": LLVM IR is made for one machine, and there is none for this one; give C++, C or assembly");
  if (type == CodeletFileType::CppSource || type == CodeletFileType::Auto)
    return compiler::compile_codelet_text(text, name, options);
  const compiler::ScratchDirectory scratch;
  const std::string line = type == CodeletFileType::PreprocessedAsmSource ? "" : "#line 1 \"" + name + "\"\n";
  const std::string file = scratch.write(std::string("codelets") + extension_of(type), line + text);
  compiler::CompileOptions here = options;
  here.flags.push_back("-fdebug-prefix-map=" + scratch.path() + "=tessera");
  return compiler::compile_codelets({file}, here);
}

}  // namespace tessera::runtime
