// `.gp` files and the compile cache.
#include <catch2/catch.hpp>
#include <fstream>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/compile.h"
#include "compiler/codelet/sha256.h"
#include "temporary_directory.h"

using namespace tessera;
using compiler::CodeletError;

namespace {

constexpr const char* kCodelet = R"(#include <poplar/Vertex.hpp>
#include "step.h"
struct V : poplar::Vertex {
  poplar::InOut<int> x;
  bool compute() { *x += STEP; return true; }
};
)";

std::string file_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const CodeletError& error) {
    CHECK(error.kind() == CodeletError::Kind::kFile);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a library comes back from its file as it went in") {
  const TemporaryDirectory directory;
  directory.write("step.h", "#define STEP 3\n");
  compiler::CompileOptions options;
  options.cache = compiler::Cache("");
  const auto library = compiler::compile_codelets({directory.write("v.cpp", kCodelet)}, options);
  compiler::save_gp(library, directory.path("v.gp"));
  const auto again = compiler::load_gp(directory.path("v.gp"));
  REQUIRE(again.codelets.size() == 1);
  CHECK(again.codelets[0].name == "V");
  CHECK(again.codelets[0].fields.at(0).name == "x");
  CHECK(again.codelets[0].fields.at(0).kind == graph::FieldKind::kInOut);
  REQUIRE(again.objects.size() == 1);
  CHECK(again.objects[0].elf == library.objects[0].elf);
  CHECK(compiler::to_gp(again) == compiler::to_gp(library));
}

TEST_CASE("a damaged, cut or foreign library file is one line") {
  const TemporaryDirectory directory;
  directory.write("step.h", "#define STEP 3\n");
  const auto bytes = compiler::to_gp(compiler::compile_codelets({directory.write("v.cpp", kCodelet)}));
  for (std::size_t at = 8; at < bytes.size(); at += bytes.size() / 60 + 1) {
    auto damaged = bytes;
    damaged[at] ^= 0x20;
    const std::string message = file_error([&] { compiler::from_gp(damaged, "v.gp"); });
    INFO("byte " << at << ": " << message);
    CHECK(message.find("v.gp is ") == 0);
    CHECK(message.find('\n') == std::string::npos);
  }
  for (std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, bytes.size() - 1}) {
    const std::vector<std::uint8_t> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(file_error([&] { compiler::from_gp(cut, "v.gp"); }).find("v.gp is ") == 0);
  }
  CHECK(file_error([&] { compiler::load_gp(directory.path("none.gp")); }) ==
        "cannot read " + directory.path("none.gp"));
  CHECK(file_error([&] { compiler::compile_codelets({directory.path("none.cpp")}); }) ==
        "no such codelet file: " + directory.path("none.cpp"));
}

TEST_CASE("a second compile comes from the cache, one with a changed header does not") {
  const TemporaryDirectory directory;
  directory.write("step.h", "#define STEP 3\n");
  const std::string source = directory.write("v.cpp", kCodelet);
  compiler::CompileOptions options;
  options.cache = compiler::Cache(directory.path("cache"));
  const auto first = compiler::compile_codelets({source}, options);

  // Marks the cached library, so that it can be told from a fresh one.
  auto marked = first;
  marked.provenance = {"from the cache"};
  for (const auto& entry : std::filesystem::directory_iterator(directory.path("cache"))) {
    if (entry.path().extension() != ".gp") continue;
    const auto bytes = compiler::to_gp(marked);
    options.cache.store(entry.path().filename().string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  CHECK(compiler::compile_codelets({source}, options).provenance == marked.provenance);
  options.flags = {"-DUNUSED"};
  CHECK(compiler::compile_codelets({source}, options).provenance != marked.provenance);
  options.flags.clear();
  directory.write("step.h", "#define STEP 5\n");
  const auto third = compiler::compile_codelets({source}, options);
  CHECK(third.provenance == first.provenance);
  CHECK(third.objects[0].elf != first.objects[0].elf);
  directory.write("step.h", "#define STEP 3\n");
  CHECK(compiler::compile_codelets({source}, options).provenance == marked.provenance);
}

TEST_CASE("damaged cache entries and caches that cannot be written do no harm") {
  const TemporaryDirectory directory;
  directory.write("step.h", "#define STEP 3\n");
  const std::string source = directory.write("v.cpp", kCodelet);
  compiler::CompileOptions options;
  options.cache = compiler::Cache(directory.path("cache"));
  const auto first = compiler::compile_codelets({source}, options);
  for (const auto& entry : std::filesystem::directory_iterator(directory.path("cache"))) {
    if (entry.path().extension() == ".gp") std::ofstream(entry.path()) << "rubbish";
  }
  CHECK(compiler::to_gp(compiler::compile_codelets({source}, options)) == compiler::to_gp(first));
  CHECK(compiler::to_gp(compiler::compile_codelets({source}, options)) == compiler::to_gp(first));
  options.cache = compiler::Cache("/proc/nowhere/tessera");
  CHECK(compiler::to_gp(compiler::compile_codelets({source}, options)) == compiler::to_gp(first));
}

TEST_CASE("names of cache entries are SHA-256") {
  CHECK(compiler::sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(compiler::sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
