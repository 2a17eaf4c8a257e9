// Executables written to a stream, read back and run without their graph, here and in another process: streams, handles
// and options stay with them. What is damaged or for another machine is refused.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::count, tessera::test::kElements, tessera::test::scaled,
    tessera::test::Scaling;

std::string written(const Executable& executable) {
  std::ostringstream out;
  executable.serialize(out);
  return out.str();
}

Executable read(const std::string& bytes) {
  std::istringstream in(bytes);
  return Executable::deserialize(in);
}

std::vector<float> run(const Executable& executable, std::vector<float> in) {
  const Device device = attach();
  Engine engine(executable);
  std::vector<float> out(kElements);
  engine.connectStream("to", in.data());
  engine.connectStream("from", out.data());
  engine.load(device);
  engine.run(0);
  return out;
}

TEST_CASE("an executable read back runs without its graph, and is written as before") {
  std::string bytes;
  {
    const Device device = attach();
    bytes = written(Scaling::build(device.getTarget(), 5));
  }
  const Executable executable = read(bytes);
  CHECK(run(executable, count(1)) == scaled(1, 5));
  CHECK(written(executable) == bytes);
  Engine engine(executable);
  CHECK(engine.listStreams() == std::vector<std::string>{"from", "to"});
  engine.load(attach());
  CHECK_THROWS_WITH(engine.run(0), ContainsText("is not connected"));
  CHECK_THROWS_WITH(engine.run(2), ContainsText("there is no program 2; the engine has 2"));
}

TEST_CASE("another process runs what this one has compiled") {
  const std::string path = "executable_test." + std::to_string(getpid()) + ".exe";
  {
    std::ofstream file(path, std::ios::binary);
    Scaling::build(attach().getTarget(), 7).serialize(file);
  }
  const pid_t child = fork();
  if (child == 0) {
    std::ifstream file(path, std::ios::binary);
    _exit(run(Executable::deserialize(file), count(2)) == scaled(2, 7) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  unlink(path.c_str());
}

TEST_CASE("executables stand one after another in a stream, and what follows stays there") {
  const Device device = attach();
  std::stringstream stream;
  for (const unsigned factor : {2u, 3u}) Scaling::build(device.getTarget(), factor).serialize(stream);
  stream << "the end";
  const Executable two = Executable::deserialize(stream), three = Executable::deserialize(stream);
  CHECK(run(two, count(1)) == scaled(1, 2));
  CHECK(run(three, count(1)) == scaled(1, 3));
  CHECK(stream.str().substr(static_cast<std::size_t>(stream.tellg())) == "the end");
}

TEST_CASE("options that nobody knows are left out if the program asks for it") {
  Graph graph(Target::createIPUTarget(1, "mk2-4"));
  const OptionFlags flags = {{"prng.seed", "7"}, {"from.another.world", "1"}};
  const std::vector<Program> programs = {Sequence()};
  CHECK_THROWS_WITH(compileGraph(graph, programs, true, flags), ContainsText("from.another.world"));
  const OptionFlags kept = Engine(compileGraph(graph, programs, false, flags)).getEngineOptions();
  CHECK(kept.size() == 1);
  CHECK(kept.at("prng.seed") == StringRef("7"));
  CHECK_THROWS_AS(compileGraph(graph, programs, false, {{"prng.seed", "seven"}}), invalid_option);
}

TEST_CASE("options stay with an executable") {
  Graph graph(attach().getTarget());
  Tensor t = graph.addVariable(FLOAT, {4}, "t");
  graph.setTileMapping(t, 0);
  DataStream to = graph.addHostToDeviceFIFO("to", FLOAT, 4);
  const Executable executable = read(
      written(compileGraph(graph, {Copy(to, t)}, {{"prng.seed", "7"}, {"target.workerStackSizeInBytes", "1024"}})));
  const OptionFlags options = Engine(executable).getEngineOptions();
  CHECK(options.at("prng.seed") == "7");
  CHECK_THROWS_WITH(Engine(executable, {{"target.workerStackSizeInBytes", "2048"}}), ContainsText("compileGraph"));
  CHECK(written(executable) == written(read(written(executable))));
}

TEST_CASE("with TESSERA_COMPILE a program ends when it has compiled") {
  const std::string path = "left." + std::to_string(getpid()) + ".exe";
  const Device device = attach();
  const std::string bytes = written(Scaling::build(device.getTarget(), 4));
  const pid_t child = fork();
  if (child == 0) {
    setenv("TESSERA_COMPILE", path.c_str(), 1);
    Scaling::build(device.getTarget(), 4);
    _exit(1);  // it does not come here
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  std::ostringstream left;
  left << std::ifstream(path, std::ios::binary).rdbuf();
  CHECK(left.str() == bytes);
  unlink(path.c_str());
}

TEST_CASE("damaged executables and those of another machine are refused in one line") {
  const Device device = attach();
  const std::string bytes = written(Scaling::build(device.getTarget(), 2));
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{36}, bytes.size() - 1})
    CHECK_THROWS_AS(read(bytes.substr(0, size)), poplar_error);
  std::string changed = bytes;
  changed[bytes.size() / 2] ^= 1;
  CHECK_THROWS_WITH(read(changed), "Executable::deserialize: the executable is damaged; compile it again");
  CHECK_THROWS_WITH(read("something else altogether, longer than a header"),
                    "Executable::deserialize: this is no Tessera executable");
  const Target other = Target::createIPUTarget(1, "mk2-16");
  CHECK_THROWS_WITH(Engine(read(written(Scaling::build(other, 2)))).load(device), ContainsText("mk2-16"));
  std::ofstream full("/dev/full", std::ios::binary);
  CHECK_THROWS_WITH(Scaling::build(device.getTarget(), 2).serialize(full), ContainsText("does not take"));
}

}  // namespace
