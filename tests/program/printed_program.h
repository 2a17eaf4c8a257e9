// A C++ program that a test prints for its user, compiled and run as a user would.
#pragma once

#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::test {

struct Ran {
  int status;          // -1: ended by a signal
  std::string output;  // and errors
};

inline Ran shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> part;
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

// folder/name.cpp, by `compile` (a compiler with its flags) and `link` (libraries). It must compile.
inline Ran compile_and_run(const std::filesystem::path& folder, const std::string& name, const std::string& text,
                           const std::string& compile, const std::string& link) {
  std::filesystem::create_directories(folder);
  const std::string source = folder / (name + ".cpp"), program = folder / name;
  std::ofstream(source) << text;
  const Ran compiled = shell(compile + " " + source + " " + link + " -o " + program);
  INFO(compiled.output << text);
  REQUIRE(compiled.status == 0);
  return shell(program);
}

}  // namespace tessera::test
