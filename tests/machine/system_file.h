// Description of a system in a file of its own.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tessera::test {

struct SystemFile {
  explicit SystemFile(const std::string& text) {
    std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    path = folder + "/system.toml";
    std::ofstream(path) << text;
  }
  ~SystemFile() { std::filesystem::remove_all(std::filesystem::path(path).parent_path()); }
  std::string path;
};

}  // namespace tessera::test
