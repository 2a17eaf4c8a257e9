// The names of tile_state.def for Verilator, and Verilator's names for them.
//   generate_tile_state config FILE                 FILE: configuration for Verilator, which keeps these registers by
//   name generate_tile_state storage FOLDER PREFIX FILE  FILE: C++ header, where the tile that was verilated in FOLDER
//   has them
#include <fmt/ostream.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/spec/tile_state.h"
#include "rtl/spec/verilated_names.h"

namespace {

using namespace tessera::spec;

// A line of MEMORY or STATE.
struct Line {
  unsigned number;
  std::string_view name, module, path;
  unsigned bits, entries;
};
constexpr std::array kMemory{
#define MEMORY(identifier, path, bits) Line{__LINE__, #identifier, "", path, bits, 0},
#include "rtl/spec/tile_state.def"
};
constexpr std::array<Line, kTileStates> kStates{{
#define STATE(identifier, module, path, bits, entries) {__LINE__, #identifier, #module, path, bits, entries},
#include "rtl/spec/tile_state.def"
}};
constexpr const char* kBothEdges = "tile.edge_q";  // what a tile has of which every edge of the clock ends a cycle
constexpr unsigned kContexts = 8;                  // numbers that a context may have in the RTL

constexpr bool fits(const KeptBits& kept) {
  const Line& state = kStates[static_cast<size_t>(kept.state)];
  if (state.entries > 1) return state.entries == kContexts && kept.step == 0 && kept.first + kept.width <= state.bits;
  if (kept.step == 0) return kept.first + kept.width <= state.bits;
  return state.bits == kContexts * kept.step && kept.first + kept.width <= kept.step;
}
constexpr bool all_fit() { return std::all_of(std::begin(kKeptBits), std::end(kKeptBits), fits); }
static_assert(all_fit(), "tile_state.def: a line of KEPT does not fit its register");

// Not the memory: nothing can be left out of an array that is read and written at any row, and each element by name
// would cost every tile half a microsecond and half a KiB.
void write_config(std::ostream& out) {
  fmt::print(out, "// Generated from rtl/spec/tile_state.def: what is kept by name.\n`verilator_config\n");
  for (const Line& line : kStates)
    fmt::print(out, "public_flat_rd -module \"{}\" -var \"{}\"\n", line.module,
               line.path.substr(line.path.rfind('.') + 1));
}

template <class Register>
std::string shape(const Register& one) {
  return fmt::format("{}{} bit{}", one.entries == 1 ? "" : fmt::format("{} x ", one.entries), one.bits,
                     one.bits == 1 ? "" : "s");
}

// What a path of the table says: numbers for [*]; nothing when it is another register.
bool matches(std::string_view pattern, std::string_view path, std::vector<unsigned>& turns) {
  size_t at = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '*') {
      if (at == path.size() || path[at++] != pattern[i]) return false;
      continue;
    }
    unsigned turn = 0;
    if (at == path.size() || std::isdigit(path[at]) == 0) return false;
    while (at < path.size() && std::isdigit(path[at]) != 0) turn = 10 * turn + static_cast<unsigned>(path[at++] - '0');
    turns.push_back(turn);
  }
  return at == path.size();
}

// Finds the lines of the table among a tile's registers.
class Search {
 public:
  Search(const std::string& folder, std::string prefix)
      : prefix_(std::move(prefix)), registers_(verilated_registers(folder, prefix_)) {}

  // Of a line that is not there: null, and one more in wrong().
  const VerilatedRegister* state(const Line& line) {
    const std::string path = "tile." + std::string(line.path), instance = path.substr(0, path.rfind('.') + 1);
    std::string of_its_shape;
    for (const auto& one : registers_) {
      const bool fits = one.bits == line.bits && one.entries == line.entries;
      if (one.path == path) {
        if (!fits) note(line, fmt::format("{} has {}, not {}", path, shape(one), shape(line)));
        return fits ? &one : nullptr;
      }
      const bool beside = one.path.starts_with(instance) && one.path.find('.', instance.size()) == std::string::npos;
      if (fits && beside) of_its_shape += (of_its_shape.empty() ? "" : ", ") + one.path.substr(instance.size());
    }
    note(line, fmt::format("there is no register {} of {}{}", path, shape(line),
                           of_its_shape.empty() ? "" : "; there are " + of_its_shape));
    return nullptr;
  }

  // In their order, all of one shape.
  std::vector<const VerilatedRegister*> elements(const Line& line) {
    const std::string pattern = "tile." + std::string(line.path);
    std::vector<std::pair<unsigned, const VerilatedRegister*>> found;
    for (const auto& one : registers_) {
      std::vector<unsigned> turns;
      if (matches(pattern, one.path, turns)) found.emplace_back(turns.back(), &one);
    }
    if (found.empty()) note(line, "there is no register " + pattern);
    std::sort(found.begin(), found.end());
    std::vector<const VerilatedRegister*> elements;
    for (const auto& [number, one] : found) {
      if (number != elements.size())
        note(line, fmt::format("{} is element {} of the memory", one->path, elements.size()));
      else if (one->bits != line.bits || one->entries != found.front().second->entries)
        note(line, fmt::format("{} has {}", one->path, shape(*one)));
      elements.push_back(one);
    }
    return elements;
  }

  bool has(const std::string& path) const {
    return std::any_of(registers_.begin(), registers_.end(), [&](const auto& one) { return one.path == path; });
  }

  // A line of text for each line of the table that the tile contradicts.
  const std::string& wrong() const { return wrong_; }

 private:
  void note(const Line& line, const std::string& what) {
    wrong_ += fmt::format("{}rtl/spec/tile_state.def:{}: {}: in {} {}", wrong_.empty() ? "" : "\n", line.number,
                          line.name, prefix_, what);
  }
  const std::string prefix_;
  const std::vector<VerilatedRegister> registers_;
  std::string wrong_;
};

// How C++ makes a cycle pass in it.
void write_clock(std::ostream& out, const std::string& prefix, bool both_edges) {
  const char* low = both_edges ? "" : "  top.clk_i = 0;\n";
  fmt::print(out, R"(
// Gives all signals the values of the cycle that clock_tile() ends.
inline void settle_tile({0}& top) {{
{1}  top.eval();
}}
inline void clock_tile({0}& top) {{
{2}  top.eval();
}}
inline void reset_tile({0}& top, unsigned cycles) {{
  top.rst_ni = 0;
  for (unsigned n = 0; n < cycles; ++n) clock_tile(top);
  top.rst_ni = 1;
}}
)",
             prefix, low, both_edges ? "  top.clk_i ^= 1;\n" : "  settle_tile(top);\n  top.clk_i = 1;\n");
}

void write_storage(std::ostream& out, const std::string& folder, const std::string& prefix) {
  using Registers = std::vector<const VerilatedRegister*>;
  Search search(folder, prefix);
  std::vector<Registers> memory;
  for (const Line& line : kMemory) memory.push_back(search.elements(line));
  Registers states;
  for (const Line& line : kStates) states.push_back(search.state(line));
  if (!search.wrong().empty()) throw std::runtime_error(search.wrong());

  std::set<std::string> headers{prefix + ".h"};
  const auto needs = [&](const Registers& registers) {
    for (const auto* one : registers) headers.insert(one->headers.begin(), one->headers.end());
  };
  for (const Registers& elements : memory) needs(elements);
  needs(states);
  fmt::print(out,
             "// Where the verilated tile {} has its state: generated from rtl/spec/tile_state.def.\n#pragma once\n\n",
             prefix);
  for (const auto& header : headers) fmt::print(out, "#include \"{}\"\n", header);
  fmt::print(out, R"(#include "rtl/spec/tile_state.h"

inline tessera::spec::TileStorage tile_storage({}& top) {{
  using tessera::spec::TileState;
  auto& root = *top.rootp;
  tessera::spec::TileStorage storage;
  storage.rows = {};
)",
             prefix, memory.front().front()->entries);
  for (size_t i = 0; i < kMemory.size(); ++i) {
    std::string name(kMemory[i].name);
    name[0] = static_cast<char>(std::tolower(name[0]));
    fmt::print(out, "  storage.{} = {{\n", name);
    for (const auto* one : memory[i]) fmt::print(out, "      &{}[0],\n", one->expression);
    fmt::print(out, "  }};\n");
  }
  for (size_t i = 0; i < kTileStates; ++i)
    fmt::print(out, "  storage.put(TileState::{}, {}{}, {});\n", kStates[i].name, states[i]->expression,
               states[i]->entries == 1 ? "" : "[0]", states[i]->entries);
  fmt::print(out, "  return storage;\n}}\n");
  write_clock(out, prefix, search.has(kBothEdges));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (!(kind == "config" && argc == 3) && !(kind == "storage" && argc == 5)) {
    std::fprintf(stderr, "usage: generate_tile_state config FILE | storage FOLDER PREFIX FILE\n");
    return 2;
  }
  try {
    const std::string path = argv[argc - 1];
    std::ostringstream text;
    if (kind == "config")
      write_config(text);
    else
      write_storage(text, argv[2], argv[3]);
    // What has not changed keeps its time, and what was made of it stays.
    std::stringstream before;
    before << std::ifstream(path).rdbuf();
    if (before.str() == text.str()) return 0;
    std::ofstream out(path);
    out << text.str();
    out.close();
    if (!out) throw std::runtime_error(path + " cannot be written");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
