// Codelet files and texts as what the program says that they are: C++, C, assembly, objects. On what TESSERA_BACKEND
// and TESSERA_MACHINE say (4 tiles).
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach;
namespace fs = std::filesystem;

// Calls what other sources have.
constexpr const char* kCaller = R"(
#include <poplar/Vertex.hpp>
extern "C" int helped(int);
class Caller : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  TESSERA_STACK_SIZE(64) bool compute() {
    *x = helped(*x);
    return true;
  }
};
)";
constexpr const char* kC = "int helped(int x) { int *const p = &x; return *p * FACTOR; }\n";  // const int*: no C++ cast
constexpr const char* kAssembly = R"(
#define TIMES_FOUR slli a0, a0, 2
  .section .text.helped, "ax"
  .globl helped
  .type helped, @function
helped:
  TIMES_FOUR
  ret
)";
constexpr const char* kPreprocessed = R"(
  .section .text.helped, "ax"
  .globl helped
  .type helped, @function
helped:
  slli a0, a0, 3
  ret
)";

struct Folder {
  Folder() : path(fs::temp_directory_path() / ("codelet-files-" + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  const fs::path path;
};

// What the caller makes of 5 with what `add` gives to the graph.
template <class Add>
int made_of_five(Add add) {
  const Device device = attach();
  Graph graph(device);
  std::stringstream caller(kCaller);
  graph.addCodelets(caller);
  add(graph);
  const Tensor x = graph.addVariable(INT, {}, "x");
  graph.setTileMapping(x, 2);
  graph.setInitialValue(x, 5);
  graph.createHostRead("x", x);
  const ComputeSet cs = graph.addComputeSet("cs");
  graph.setTileMapping(graph.addVertex(cs, "Caller", {{"x", x}}), 2);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  int value = 0;
  engine.readTensor("x", &value, &value + 1);
  return value;
}

TEST_CASE("a file is compiled as its type says, whatever its name") {
  const Folder folder;
  const auto file = [&](const char* name, const std::string& text, CodeletFileType type, const char* flags = "") {
    return made_of_five([&](Graph& graph) { graph.addCodelets(folder.write(name, text), type, flags); });
  };
  CHECK(file("helped.c", kC, CodeletFileType::Auto, "-DFACTOR=7") == 35);
  CHECK(file("helped.txt", kC, CodeletFileType::CSource, "-DFACTOR=8") == 40);
  CHECK(file("helped.S", kAssembly, CodeletFileType::Auto) == 20);
  CHECK(file("helped.asm", kAssembly, CodeletFileType::AsmSource) == 20);
  CHECK(file("helped.s", kPreprocessed, CodeletFileType::Auto) == 40);
  CHECK(file("helped.out", kPreprocessed, CodeletFileType::PreprocessedAsmSource) == 40);
  folder.write("factor.h", "#define FACTOR 9\n");
  CHECK(file("cxx.c", std::string("#include \"factor.h\"\nextern \"C\" ") + kC, CodeletFileType::CppSource) == 45);
}

TEST_CASE("a text is compiled as its type says") {
  const auto text = [&](const std::string& source, CodeletFileType type) {
    return made_of_five([&](Graph& graph) {
      std::stringstream stream(source);
      graph.addCodelets(stream, "-DFACTOR=3", type);
    });
  };
  CHECK(text(kC, CodeletFileType::CSource) == 15);
  CHECK(text(kAssembly, CodeletFileType::AsmSource) == 20);
  CHECK(text(kPreprocessed, CodeletFileType::PreprocessedAsmSource) == 40);
  CHECK(text(std::string("extern \"C\" ") + kC, CodeletFileType::CppSource) == 15);
}

TEST_CASE("several files go into one library") {
  const Folder folder;
  const std::vector<std::string> files = {folder.write("caller.cpp", kCaller), folder.write("helped.c", kC)};
  Graph graph(attach());
  CHECK(graph.addCodelets(ArrayRef<std::string>(files), "-DFACTOR=2"));
  CHECK(graph.hasCodelet("Caller"));
}

TEST_CASE("what does not compile as its type says is told with the file's name; LLVM IR has no machine here") {
  const Folder folder;
  const std::string path = folder.write("wrong.txt", "int helped(int x) { return oops; }\n");
  Graph graph(Target::createIPUTarget(1, "mk2-4"));
  CHECK_THROWS_WITH(graph.addCodelets(path, CodeletFileType::CSource),
                    ContainsText("wrong.txt:1") && ContainsText("oops"));
  CHECK_THROWS_AS(graph.addCodelets(path, CodeletFileType::IrSource), graph_program_compilation_error);
  CHECK_THROWS_WITH(graph.addCodelets(path, CodeletFileType::IrSource),
                    ContainsText("wrong.txt") && ContainsText("LLVM IR"));
  CHECK_THROWS_AS(graph.addCodelets(path, CodeletFileType::Object), graph_object_load_error);
}

}  // namespace
