// Option tessera.executableCache: what was compiled once is taken from the folder, what differs in anything is
// compiled.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

struct Cached {
  const fs::path folder = fs::current_path() / ("cache." + std::to_string(getpid()));
  bool compiled = false;  // by the last engine

  ~Cached() { fs::remove_all(folder); }

  Graph graph(int start, const std::string& machine = "mk2-4", const std::string& code = "*x = *x + 1;") {
    Graph graph(Target::createIPUTarget(1, machine));
    std::stringstream source(
        "#include <poplar/Vertex.hpp>\nstruct Add : poplar::Vertex { poplar::InOut<int> x; void compute() { " + code +
        " } };\n");
    graph.addCodelets(source);
    Tensor t = graph.addVariable(INT, {1}, "t");
    graph.setTileMapping(t, 1);
    graph.setInitialValue(t[0], start);
    const ComputeSet set = graph.addComputeSet("set");
    graph.setTileMapping(graph.addVertex(set, "Add", {{"x", t[0]}}), 1);
    graph.createHostRead("t", t);
    return graph;
  }
  Executable compile(const Graph& graph, OptionFlags options = {}) {
    options.set("tessera.executableCache", folder.string());
    int steps = 0;
    Executable executable = compileGraph(graph, {Execute(ComputeSet(0))}, options, [&](int, int) { ++steps; });
    compiled = steps > 1;
    return executable;
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static std::string bytes(const Executable& executable) {
    std::ostringstream out;
    executable.serialize(out);
    return out.str();
  }
};

TEST_CASE_METHOD(Cached, "a second engine of the same graph is not compiled again") {
  const Executable first = compile(graph(5));
  CHECK(compiled);
  const Executable second = compile(graph(5));
  CHECK_FALSE(compiled);
  CHECK(bytes(second) == bytes(first));
  CHECK(files() == 1);
}

TEST_CASE_METHOD(Cached, "a value, a codelet, a machine or an option of the compiler that differs is compiled") {
  compile(graph(5));
  compile(graph(6));
  CHECK(compiled);
  compile(graph(5, "mk2-4", "*x = *x + 2;"));
  CHECK(compiled);
  compile(graph(5, "mk2-16"));
  CHECK(compiled);
  compile(graph(5), {{"target.workerStackSizeInBytes", "4096"}});
  CHECK(compiled);
  CHECK(files() == 5);
  // Options of the run hold, and need no compiler.
  const Executable seeded = compile(graph(5), {{"prng.seed", "3"}});
  CHECK_FALSE(compiled);
  CHECK(Engine(seeded).getEngineOptions().at("prng.seed") == "3");
}

TEST_CASE_METHOD(Cached, "a damaged file is compiled again and healed") {
  const std::string good = bytes(compile(graph(5)));
  const fs::path file = fs::directory_iterator(folder)->path();
  fs::resize_file(file, fs::file_size(file) / 2);
  CHECK(bytes(compile(graph(5))) == good);
  CHECK(compiled);
  compile(graph(5));
  CHECK_FALSE(compiled);
}

TEST_CASE_METHOD(Cached, "a folder that others can write to, and one that cannot be, are refused") {
  fs::create_directory(folder);
  ::chmod(folder.c_str(), 0777);
  CHECK_THROWS_WITH(compile(graph(5)), ContainsText("executable cache: " + folder.string() + " is no folder of yours"));
  fs::remove_all(folder);
  std::ofstream(folder) << "a file";
  CHECK_THROWS_WITH(compile(graph(5)), ContainsText("is no folder of yours"));
}

}  // namespace
