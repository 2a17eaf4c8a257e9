#include "tests/libs/popops/generated/bounds.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace popops_test {
namespace {

struct Row {
  double of_float, of_half;
};

// Lines `| names | float | half | why |` behind the heading "How exact results are"; names in backquotes.
std::map<std::string, Row> read_table() {
  std::map<std::string, Row> out;
  std::ifstream page(LIBRARIES_PAGE);
  bool found = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("## ", 0) == 0) found = line == "## How exact results are";
    if (!found || line.rfind("| `", 0) != 0) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(cell);
    const Row row = {std::stod(cells.at(2)), std::stod(cells.at(3))};
    std::istringstream names(cells.at(1));
    std::string name;
    while (std::getline(names, name, '`') && std::getline(names, name, '`')) out[name] = row;
  }
  return out;
}

}  // namespace

double bound(const std::string& name, poplar::Type type) {
  static const std::map<std::string, Row> table = read_table();
  const auto row = table.find(name);
  if (row == table.end()) throw std::out_of_range("no bound for " + name + " in " LIBRARIES_PAGE);
  return type == poplar::HALF ? row->second.of_half : row->second.of_float;
}

}  // namespace popops_test
