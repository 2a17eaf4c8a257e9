// Where a verilated fabric with links keeps whose turn it is on each way (rtl/link/link_turns.sv), of which no port
// tells: a C++ header with kLinkWays and set_link_turn(). A register that is not there ends the build.
//   generate_link_turns FOLDER PREFIX FILE
#include <fmt/ostream.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

#include "rtl/spec/verilated_names.h"

namespace {

using namespace tessera::spec;

constexpr std::string_view kBefore = "fabric_links.u_links.g_way[", kBehind = "].u_turns.after_q";

std::map<unsigned, VerilatedRegister> turns_of(const std::string& folder, const std::string& prefix) {
  std::map<unsigned, VerilatedRegister> turns;
  for (const VerilatedRegister& one : verilated_registers(folder, prefix)) {
    if (!one.path.starts_with(kBefore) || !one.path.ends_with(kBehind)) continue;
    const size_t digits = one.path.size() - kBefore.size() - kBehind.size();
    turns.emplace(std::stoul(one.path.substr(kBefore.size(), digits)), one);
  }
  if (turns.empty() || turns.rbegin()->first + 1 != turns.size())
    throw std::runtime_error(fmt::format("{}: of registers {}*{} there are {}", prefix, kBefore, kBehind,
                                         turns.empty() ? "none" : "not all"));
  return turns;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: generate_link_turns FOLDER PREFIX FILE\n");
    return 2;
  }
  try {
    const std::string prefix = argv[2];
    const auto turns = turns_of(argv[1], prefix);
    std::ofstream out(argv[3]);
    fmt::print(out,
               "// Whose turn it is in the verilated fabric {}: generated.\n#pragma once\n\n#include <cstdint>\n\n"
               "#include \"{}.h\"\n",
               prefix, prefix);
    for (const std::string& header : turns.at(0).headers) fmt::print(out, "#include \"{}\"\n", header);
    fmt::print(out,
               "\ninline constexpr unsigned kLinkWays = {};\n"
               "// behind: the sources that come before the others, a bit each.\n"
               "inline void set_link_turn({}& top, unsigned way, uint64_t behind) {{\n"
               "  auto& root = *top.rootp;\n  switch (way) {{\n",
               turns.size(), prefix);
    for (const auto& [way, one] : turns)
      fmt::print(out, "    case {}: {} = behind & {:#x}; break;\n", way, one.expression,
                 one.bits == 64 ? ~0ull : (1ull << one.bits) - 1);
    fmt::print(out, "    default: break;\n  }}\n}}\n");
    out.close();
    if (!out) throw std::runtime_error(std::string(argv[3]) + " cannot be written");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
