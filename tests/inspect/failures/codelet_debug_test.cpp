// Debug information of compiled codelets: which files it names, and that it is the same every time.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "compiler/codelet/compile.h"
#include "compiler/codelet/link.h"

using namespace tessera::compiler;

namespace {

constexpr const char* kCodelet = R"(#include <poplar/Vertex.hpp>
struct Scale : poplar::Vertex {
  poplar::InOut<poplar::Vector<float>> data;
  bool compute() {
    for (auto& x : data) x *= 2.0f;
    return true;
  }
};
)";

CompileOptions options(std::vector<std::string> flags = {}) {
  CompileOptions result;
  result.flags = std::move(flags);
  result.cache = Cache("");
  return result;
}

std::string text_of(const CodeletLibrary& library) {
  const auto bytes = to_gp(library);
  return {bytes.begin(), bytes.end()};
}

bool holds(const CodeletLibrary& library, const std::string& text) {
  const auto& elf = library.objects.at(0).elf;
  return std::string(elf.begin(), elf.end()).find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a codelet file is named where it is, and no scratch file by a name of one run") {
  const auto folder = std::filesystem::temp_directory_path() / ("codelet_debug_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string file = folder / "mine.cpp";
  std::ofstream(file) << kCodelet;
  const CodeletLibrary library = compile_codelets({file}, options());
  CHECK(text_of(library) == text_of(compile_codelets({file}, options())));
  CHECK(holds(library, folder));

  // A library for others says nothing of the place where it was built.
  const CodeletLibrary mapped =
      compile_codelets({file}, options({"-ffile-prefix-map=" + folder.string() + "=lib", "-fdebug-compilation-dir=."}));
  CHECK_FALSE(holds(mapped, folder));
  CHECK(holds(mapped, "mine.cpp"));
  CHECK(mapped.provenance.at(0).find("-prefix-map") == std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("codelets given as text are the same bytes every time") {
  CHECK(text_of(compile_codelet_text(kCodelet, "text.cpp", options())) ==
        text_of(compile_codelet_text(kCodelet, "text.cpp", options())));
}

TEST_CASE("debug information changes no byte of the tiles' text and data") {
  const auto with = compile_codelet_text(kCodelet, "text.cpp", options());
  const auto without = compile_codelet_text(kCodelet, "text.cpp", options({"-g0"}));
  const LinkLayout layout{.text_base = 0x4c100, .data_base = 0xe0000};
  const Cache none("");
  const LinkedText a = link_tile_text({&with}, {"__vertex_Scale"}, layout, none);
  const LinkedText b = link_tile_text({&without}, {"__vertex_Scale"}, layout, none);
  CHECK(a.text == b.text);
  CHECK(a.rodata == b.rodata);
  CHECK(a.data == b.data);
  CHECK(a.symbols == b.symbols);
  CHECK(a.elf.size() > b.elf.size());
}
