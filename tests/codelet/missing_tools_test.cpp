// What is said when something that codelets need is not installed, and what still works then.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"
#include "temporary_directory.h"

using namespace tessera;
using compiler::CodeletError;

namespace {

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }

 private:
  const char* name_;
  std::string old_;
};

const std::string kCodelet =
    "#include <poplar/Vertex.hpp>\nstruct V : poplar::Vertex { bool compute() { return true; } };\n";

std::string refusal(CodeletError::Kind kind, const std::function<void()>& action) {
  try {
    action();
  } catch (const CodeletError& error) {
    CHECK(error.kind() == kind);
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a missing compiler or linker is one line that names the package") {
  const TemporaryDirectory directory;
  const auto library = compiler::compile_codelet_text(kCodelet, "v.cpp");
  compiler::save_gp(library, directory.path("v.gp"));
  const EnvironmentVariable path("PATH", directory.path("nothing"));
  CHECK(refusal(CodeletError::Kind::kNoTool, [] { compiler::compile_codelet_text(kCodelet + "// new\n", "v.cpp"); }) ==
        "clang++-19 is needed for this and not installed: apt install clang-19 lld-19");
  CHECK(refusal(CodeletError::Kind::kNoTool, [&] {
          compiler::link_tile_text({&library}, {"__vertex_V"}, {}, compiler::Cache(""));
        }) == "ld.lld-19 is needed for this and not installed: apt install lld-19");
  CHECK(compiler::load_gp(directory.path("v.gp")).codelets.size() == 1);
}

TEST_CASE("a wrong TESSERA_ROOT is one line") {
  const EnvironmentVariable root("TESSERA_ROOT", "/nowhere");
  CHECK(refusal(CodeletError::Kind::kFile, [] { compiler::compile_codelet_text(kCodelet, "v.cpp"); }) ==
        "TESSERA_ROOT is /nowhere, where there is no share/tessera/device");
}
