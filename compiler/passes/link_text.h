// The text that every tile holds: the copy routine, then the codelets that the program uses with the device library.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/ir/program.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// The same on every tile.
struct TextSymbol {
  std::uint32_t address = 0, bytes = 0;
  std::string name;
};

struct Text {
  std::vector<image::Segment> segments;  // text, and read-only and initial data of the device code
  std::uint32_t text_end = 0;            // first address after the text; control code follows
  std::uint32_t data_base = 0;           // first address of the device code's data, at the top of memory
  std::uint32_t copy_routine = 0;        // address (copy_routine.h)
  std::uint32_t worker_start = 0;        // address of the worker start routine, 0 when no worker runs a vertex
  std::vector<std::uint32_t> entries;    // per codelet of the graph: address of its entry, 0 when it is not used
  std::uint32_t worker_stack = 0;        // bytes, the most that any vertex needs, or what the user asks for
  std::string deepest;                   // name of the codelet that needs the most
  std::uint32_t supervisor_stack = 0;
  std::vector<TextSymbol> symbols;  // by address
  std::vector<std::uint8_t> elf;    // of the codelets, with debug information; empty when there are none
};

// A worker's stack is smaller than a codelet needs.
class StackTooSmall : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Gives each worker a stack of that many bytes, a multiple of 16. Throws StackTooSmall naming the codelet.
void set_worker_stack(Text& text, std::uint32_t bytes);

// Throws CodeletError (compiler/codelet/codelet_error.h).
Text link_text(const graph::Graph& graph, const ir::Program& program, const spec::Machine& machine);

std::string dump(const Text& text);

}  // namespace tessera::compiler
