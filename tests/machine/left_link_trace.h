// The file of links that a run leaves, and its lines.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/machine/process_of_chips.h"

namespace tessera::test {

struct Folder {
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
};

// What a run leaves in `file`.
inline std::string left_by(const Traffic& traffic, const std::string& file, const std::string& more,
                           const std::vector<std::string>& pace, const std::string& backend = "model",
                           const std::string& system = "mk2-4x2") {
  std::vector<std::string> arguments = pace;
  arguments.insert(arguments.end(), {"--inspect", "link-trace=" + file + more});
  MachineProcess m(system, backend, arguments);
  in_process(m.client, traffic);
  m.client.finish();
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

using Row = std::map<std::string, std::string>;

inline std::vector<Row> rows_of(const std::string& text) {
  std::istringstream lines(text);
  const auto fields = [](const std::string& line) {
    std::vector<std::string> all;
    std::istringstream in(line + ",");
    for (std::string field; std::getline(in, field, ',');) all.push_back(field);
    return all;
  };
  std::string line;
  REQUIRE(std::getline(lines, line));
  const auto names = fields(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const auto values = fields(line);
    REQUIRE(values.size() == names.size());
    Row& row = rows.emplace_back();
    for (size_t i = 0; i < names.size(); ++i) row[names[i]] = values[i];
  }
  return rows;
}

inline uint64_t number(const Row& row, const std::string& name) { return std::stoull(row.at(name)); }

}  // namespace tessera::test
