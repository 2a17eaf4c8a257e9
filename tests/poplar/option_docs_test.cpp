// docs/user/options.md against the code: every option and variable has its row, every row says what the code says and
// names a test that is there. What is compared is broken on purpose below.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "sw/poplar/option_table.h"

namespace {

namespace fs = std::filesystem;
using namespace tessera::runtime;

struct Row {
  std::string name, takes, usual, refuses, test;  // without backticks
};
using Sections = std::map<std::string, std::vector<Row>>;  // by heading
using Complaints = std::vector<std::string>;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string page() { return read(fs::path(SOURCE_ROOT) / "docs/user/options.md"); }

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    cell.erase(std::remove(cell.begin(), cell.end(), '`'), cell.end());
    const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    all.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return all;
}

Sections sections_of(const std::string& text) {
  Sections sections;
  std::string heading;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("## ", 0) == 0) heading = line.substr(3);
    if (line.rfind("| `", 0) != 0) continue;
    const auto cell = cells(line);
    if (cell.size() == 6) sections[heading].push_back({cell[0], cell[1], cell[2], cell[3], cell[5]});
    if (cell.size() == 4) sections[heading].push_back({cell[0], "", "", "", cell[3]});
  }
  return sections;
}

// "file: name" of all test cases.
std::set<std::string> test_cases() {
  static const std::regex kCase(R"re(TEST_CASE(?:_METHOD)?\((?:\w+,\s*)?"([^"]*)")re");
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_ROOT) / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), kCase), end; at != end; ++at)
      found.insert(entry.path().stem().string() + ": " + (*at)[1].str());
  }
  return found;
}

// Variables that code for users names in a string of their own.
std::set<std::string> variables() {
  static const std::regex kName(R"re("((?:TESSERA|POPLAR)_[A-Z_]+|XDG_CACHE_HOME|HOME|PATH)")re");
  std::set<std::string> found;
  for (const char* folder :
       {"sw/card", "sw/poplar", "sw/tools", "sw/firmware/host", "compiler", "rtl/spec", "sim", "systemc", "inspect"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_ROOT) / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string text = read(entry.path());
      const auto reads = [&](const char* by) { return text.find(by) != std::string::npos; };
      if (!reads("getenv") && !reads("readJSONFromEnv") && !reads("inspect/variables.h")) continue;
      for (std::sregex_iterator at(text.begin(), text.end(), kName), end; at != end; ++at) found.insert((*at)[1]);
    }
  }
  return found;
}

void compare(const OptionTable& table, const std::vector<Row>& rows, Complaints& complaints) {
  for (const Option& option : table.options) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == option.name; });
    const std::string name(option.name);
    if (row == rows.end()) {
      complaints.push_back(name + " has no row");
      continue;
    }
    if (row->takes != option.takes) complaints.push_back(name + " takes '" + std::string(option.takes) + "'");
    if (row->usual != option.usual) complaints.push_back(name + " is usually '" + std::string(option.usual) + "'");
    if (row->refuses != option.refuses) complaints.push_back(name + " refuses '" + std::string(option.refuses) + "'");
  }
  for (const Row& row : rows)
    if (find(table, row.name) == nullptr) complaints.push_back(row.name + " is no option");
}

Complaints complaints_about(const std::string& text) {
  static const std::set<std::string> tests = test_cases(), known = variables();
  Sections sections = sections_of(text);
  Complaints complaints;
  for (const OptionTable* table :
       {&engine_options(), &stream_options(), &summary_options(), &manager_options(), &target_options()})
    compare(*table, sections[std::string(table->of)], complaints);
  for (const OptionTable* table : {&simulator_options(), &model_options()})
    if (!table->options.empty()) complaints.push_back(std::string(table->of) + " has options, and no table");
  for (const auto& [heading, rows] : sections)
    for (const Row& row : rows)
      if (tests.count(row.test) == 0) complaints.push_back("test of " + row.name + ": there is no '" + row.test + "'");
  static const std::regex kNamed(R"((\w+_test: [^)|]+)\))");
  for (std::sregex_iterator at(text.begin(), text.end(), kNamed), end; at != end; ++at)
    if (tests.count((*at)[1]) == 0) complaints.push_back("there is no '" + (*at)[1].str() + "'");
  std::set<std::string> told;
  for (const Row& row : sections["Environment"]) {
    std::istringstream names(row.name);
    for (std::string name; std::getline(names >> std::ws, name, ',');) told.insert(name);
  }
  for (const std::string& name : known)
    if (told.count(name) == 0) complaints.push_back("variable " + name + " has no row");
  for (const std::string& name : told)
    if (known.count(name) == 0) complaints.push_back("variable " + name + " is read by nothing");
  return complaints;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the page of options says what the code says") { CHECK(complaints_about(page()) == Complaints{}); }

TEST_CASE("a page that has fallen behind the code is complained about") {
  const std::string text = page();
  const size_t row = text.find("| `prng.seed`");
  CHECK(complaints_about(replaced(text, text.substr(row, text.find('\n', row) + 1 - row), "")) ==
        Complaints{"prng.seed has no row"});
  CHECK(complaints_about(replaced(text, "| `prng.seed` |", "| `prng.seeds` |")) ==
        Complaints{"prng.seed has no row", "prng.seeds is no option"});
  CHECK(complaints_about(replaced(text, "| `splitLimit` | `<number>` |", "| `splitLimit` | `<time>` |")) ==
        Complaints{"splitLimit takes '<number>'"});
  CHECK(complaints_about(replaced(text, "| `autoReport.streamAtEachRun` | `false` | `false` | `true` |",
                                  "| `autoReport.streamAtEachRun` | `false` | `true` | |")) ==
        Complaints{"autoReport.streamAtEachRun is usually 'false'", "autoReport.streamAtEachRun refuses 'true'"});
  CHECK(
      complaints_about(
          replaced(text, "option_effects_test: an f16 overflow", "option_effects_test: an f17 overflow")) ==
      Complaints{"test of debug.nanOverflowMode: there is no 'option_effects_test: an f17 overflow gives infinity, the "
                 "largest number, or NaN'"});
  CHECK(complaints_about(replaced(text, "| `TESSERA_QUIET` |", "| `TESSERA_LOUD` |")) ==
        Complaints{"variable TESSERA_QUIET has no row", "variable TESSERA_LOUD is read by nothing"});
  CHECK(complaints_about(replaced(text, "device_test: a model that no", "device_test: a model that some")) ==
        Complaints{"there is no 'device_test: a model that some machine can be is refused'"});
}
