// What Verilator calls the registers of a design: read from the class headers that it writes.
#pragma once

#include <string>
#include <vector>

namespace tessera::spec {

struct VerilatedRegister {
  std::string path;        // as in the RTL: "tile.u_commit.u_csr.frm_q", "tile.g_element[3].words"
  std::string expression;  // C++, from an object `root` of the top class on
  unsigned bits = 0;
  unsigned entries = 1;              // of an array
  std::vector<std::string> headers;  // of the classes on the way
};

// All registers of up to 64 bits of the design that was verilated into `folder` with --prefix `prefix`, wherever
// Verilator has put them: in the top class or in that of a module of its own. Throws std::runtime_error with one line.
std::vector<VerilatedRegister> verilated_registers(const std::string& folder, const std::string& prefix);

}  // namespace tessera::spec
