// The log behind POPLAR_LOG_LEVEL. It is set up once a process, so each case looks at a process of its own.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
#include <regex>

#include "sw/poplar/log.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
namespace fs = std::filesystem;

struct Said {
  std::string out, err;
};

std::string take(const fs::path& path) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  fs::remove(path);
  return text;
}

// Of `body` in a child with these variables. What it throws is said on standard error.
template <class Body>
Said said(const std::map<std::string, std::string>& variables, const Body& body) {
  const fs::path base = fs::temp_directory_path() / ("log-test-" + std::to_string(::getpid()));
  const std::string out = base.string() + ".out", err = base.string() + ".err";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
    ::setenv("TESSERA_QUIET", "1", 1);
    if (std::freopen(out.c_str(), "w", stdout) == nullptr || std::freopen(err.c_str(), "w", stderr) == nullptr)
      ::_exit(2);
    try {
      body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::fflush(nullptr);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  return {take(out), take(err)};
}

void copy_program() {
  const Device device = IPUModel("mk2-4").createDevice();
  Graph graph(device);
  const Tensor a = graph.addVariable(INT, {4}, "a"), b = graph.addVariable(INT, {4}, "b");
  graph.setTileMapping(a, 0);
  graph.setTileMapping(b, 1);
  graph.createHostRead("b", b);
  Engine engine(graph, Copy(a, b));
  engine.load(device);
  engine.run();
  int values[4];
  engine.readTensor("b", values, values + 4);
}

void all_levels() {
  using namespace tessera::log;
  for (const auto& [level, text] :
       {std::pair(Level::kTrace, "one"), std::pair(Level::kDebug, "two"), std::pair(Level::kInfo, "three"),
        std::pair(Level::kWarn, "four"), std::pair(Level::kErr, "five")})
    write(Module::kGraph, level, text);
}

unsigned lines(const std::string& text) { return static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')); }

TEST_CASE("without a level nothing is said") {
  CHECK(said({}, copy_program).err == "");
  CHECK(said({{"POPLAR_LOG_LEVEL", "OFF"}}, copy_program).err == "");
}

TEST_CASE("each level shows its lines and those above it") {
  const std::vector<std::string> levels = {"OFF", "ERR", "WARN", "INFO", "DEBUG", "TRACE"};
  for (unsigned i = 0; i < levels.size(); ++i) {
    const std::string text = said({{"POPLAR_LOG_LEVEL", levels[i]}}, all_levels).err;
    CAPTURE(levels[i], text);
    CHECK(lines(text) == i);
    CHECK((text.find("five") != std::string::npos) == (i >= 1));
    CHECK((text.find("one") != std::string::npos) == (i == 5));
  }
}

TEST_CASE("a line has a time, its module, its level") {
  const std::string text = said({{"POPLAR_LOG_LEVEL", "ERR"}}, all_levels).err;
  CHECK(std::regex_match(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z PO:GRAPH \[error\] five\n)")));
}

TEST_CASE("compiler and runtime say what they do") {
  const std::string text = said({{"POPLAR_LOG_LEVEL", "TRACE"}}, copy_program).err;
  for (const char* part :
       {"PO:TARGET [info] device 0 is machine mk2-4, backend model", "PO:TENSOR [trace] new variable 'a'",
        "PO:GRAPH [debug] schedule_exchange: ", "PO:GRAPH [debug] allocate: ", "PO:GRAPH [info] compiled 0 vertices",
        "PO:PROGRAM [trace] step: Copy", "PO:ENGINE [info] loaded onto mk2-4 (model)",
        "PO:ENGINE [debug] ran program 0", "PO:ENGINE [trace] transfer of 16 bytes of 'b'"})
    CHECK_THAT(text, ContainsText(part));
}

TEST_CASE("a module may have a level of its own") {
  const std::string text = said({{"POPLAR_LOG_LEVEL", "OFF"}, {"POPLAR_ENGINE_LOG_LEVEL", "INFO"}}, copy_program).err;
  CHECK_THAT(text, ContainsText("PO:ENGINE [info] loaded"));
  CHECK(text.find("PO:GRAPH") == std::string::npos);
}

TEST_CASE("lines go to standard error, standard output or a file") {
  const auto to = [](const std::string& where) {
    return said({{"POPLAR_LOG_LEVEL", "ERR"}, {"POPLAR_LOG_DEST", where}}, all_levels);
  };
  CHECK(lines(to("stderr").err) == 1);
  const Said out = to("stdout");
  CHECK(lines(out.out) == 1);
  CHECK(out.err == "");
  const std::string file = (fs::temp_directory_path() / ("log-test-file-" + std::to_string(::getpid()))).string();
  CHECK(to(file).err == "");
  CHECK(lines(take(file)) == 1);
}

TEST_CASE("a level or a destination that cannot be is refused in one line") {
  CHECK(said({{"POPLAR_LOG_LEVEL", "LOUD"}}, copy_program).err ==
        "POPLAR_LOG_LEVEL is 'LOUD'; it can be OFF, ERR, WARN, INFO, DEBUG or TRACE\n");
  CHECK(said({{"POPLAR_GRAPH_LOG_LEVEL", "info"}}, copy_program).err ==
        "POPLAR_GRAPH_LOG_LEVEL is 'info'; it can be OFF, ERR, WARN, INFO, DEBUG or TRACE\n");
  const std::string text =
      said({{"POPLAR_LOG_LEVEL", "INFO"}, {"POPLAR_LOG_DEST", "/proc/nowhere/log"}}, copy_program).err;
  CHECK_THAT(text, ContainsText("POPLAR_LOG_DEST is '/proc/nowhere/log'"));
  CHECK(lines(text) == 1);
}

}  // namespace
