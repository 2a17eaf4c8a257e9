// Writes memory_pkg.sv: the memory of a tile as one machine description has it. Machines of equal geometry share a
// tile. Usage: generate_memory_sv MACHINE FILE
#include <fmt/ostream.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "rtl/spec/machine.h"

namespace {

// Constants are enumerations, of which a module may leave some unused.
void write_package(std::ostream& out, const tessera::spec::Machine& machine) {
  const uint32_t rows = machine.element_bytes / 8;
  constexpr int kRegisterBits = 8;  // of which there are 256 in a file
  const int row_bits = std::countr_zero(rows), element_bits = std::bit_width(machine.elements() - 1);
  fmt::print(out, R"(// Memory of a tile of machine {}: generated from its description.
package memory_pkg;
  typedef enum logic [31:0] {{
    BASE = 32'h{:x},
    END = 32'h{:x},
    REGION1_BASE = 32'h{:x},
    ELEMENTS = 32'd{},
    ROWS = 32'd{},
    ROW_BITS = 32'd{},
    PLACE_BITS = 32'd{}
  }} memory_e;
  typedef logic [{}:0] element_t;
  typedef logic [{}:0] row_t;    // of a 64-bit word in its element
  typedef logic [{}:0] place_t;  // {{element, row}}
  typedef logic [{}:0] reset_t;  // counts rows and registers in reset (tile.md, Reset)
  typedef struct packed {{
    logic valid;
    row_t row;
  }} clear_t;
  // Accesses of the instruction in M, to good addresses, and where they go.
  typedef struct packed {{
    logic        read;
    logic        read1;      // a second one
    logic        write;
    logic [1:0]  words;      // of 32 bits that the first read takes of its double word: low, high
    element_t    element;
    row_t        row;
    element_t    element1;
    row_t        row1;
    element_t    write_element;
    row_t        write_row;
    logic [7:0]  strobe;
    logic [63:0] wdata;      // lanes without strobe are 0; without an access rs2 as it is
  }} accesses_t;
  // What a port reads.
  typedef struct packed {{
    logic [1:0]  words;      // of the double word; none: it reads nothing
    element_t    element;
    row_t        row;
  }} taken_t;
endpackage
)",
             machine.name, machine.memory_base, machine.memory_end(), machine.region1_base, machine.elements(), rows,
             row_bits, element_bits + row_bits, element_bits - 1, row_bits - 1, element_bits + row_bits - 1,
             std::max(row_bits, kRegisterBits) - 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: generate_memory_sv MACHINE FILE\n");
    return 2;
  }
  try {
    const tessera::spec::Machine machine = tessera::spec::load_machine(argv[1]);
    std::ostringstream text;
    write_package(text, machine);
    // What did not change stays as it is: a tile is not verilated again for another line of the description.
    std::ifstream in(argv[2]);
    if (in && std::string(std::istreambuf_iterator<char>(in), {}) == text.str()) return 0;
    std::ofstream out(argv[2]);
    out << text.str();
    out.close();
    if (!out) throw tessera::spec::MachineError(std::string(argv[2]) + " cannot be written");
  } catch (const tessera::spec::MachineError& error) {
    std::fprintf(stderr, "generate_memory_sv: %s\n", error.what());
    return 1;
  }
}
