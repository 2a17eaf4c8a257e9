// Text of codelets as popc compiles it, without a cache.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/compile.h"

namespace tessera::test {

inline compiler::CodeletLibrary compiled(const std::string& text) {
  compiler::CompileOptions options;
  options.cache = compiler::Cache("");
  return compiler::compile_codelet_text("#include <poplar/Vertex.hpp>\nusing namespace poplar;\n" + text, "test.cpp",
                                        options);
}

// What is said of text that does not compile; "compiled" of other text.
inline std::string message_of(const std::string& text) {
  try {
    compiled(text);
  } catch (const compiler::CodeletError& error) {
    CHECK(error.kind() == compiler::CodeletError::Kind::kCompilation);
    return error.what();
  }
  return "compiled";
}

}  // namespace tessera::test
