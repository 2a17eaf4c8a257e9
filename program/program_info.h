// What is known of the program on a chip, for naming things: in waves, traces, the debugger, failure reports and
// Poplar's messages. Plain data: the compiler makes it for an Executable, `tessera run` from a firmware's ELF; the same
// bytes stand in executable files, go to tessera-machine, and are kept in trace files. Names are indices into `names`;
// 0 is "" (name_table.h fills it).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace tessera::names {

using Name = uint32_t;

// What holds something in some points of the program's control flow only may share its memory with others.
struct Interval {  // points, both ends included
  uint32_t first = 0, last = 0;
};
struct Life {  // of ProgramInfo::intervals
  uint32_t first = 0, intervals = 0;
};
struct Symbol {  // a range of text, at the same place on every tile that has it
  uint32_t address = 0, bytes = 0;
  Name name = 0;
};
enum class FieldKind : uint8_t {
  kInput,   // edge, read only
  kOutput,  // edge, written
  kInOut,   // edge, read and written
  kState,   // no edge: lives in the vertex state, set by setInitialValue
};
struct Field {  // of a vertex: where its data lie on the vertex's tile
  Name name = 0;
  FieldKind kind = FieldKind::kState;
  uint32_t address = 0, bytes = 0;
  Name tensor = 0;  // name of the variable that it is connected to; "" for state and for gathered buffers without one
  // Elements first_element, first_element + 1, ... of `tensor`; kGathered: elements from here and there.
  static constexpr uint64_t kGathered = ~0ull;
  uint64_t first_element = kGathered;
  uint8_t element_bytes = 0;  // 0: unknown
  uint32_t pointer = 0;       // address of the word of the vertex's state that holds `address`; 0: there is none
  uint32_t life = 0;          // of the buffer that it lies in; as Variable::life
};
struct Vertex {
  uint32_t tile = 0, address = 0, bytes = 0;  // of its state
  uint32_t id = 0;                            // in the graph
  uint8_t worker = 0;                         // 0..5; 6: all six; 7: the supervisor
  Name codelet = 0, compute_set = 0;
  uint32_t first_field = 0, fields = 0;  // of ProgramInfo::fields
};
struct Variable {  // memory of a tile
  uint32_t tile = 0, address = 0, bytes = 0;
  Name name = 0;
  uint8_t element_bytes = 0;                  // 0: unknown
  uint64_t first_element = Field::kGathered;  // at `address`, when the tile holds one run of elements
  uint32_t id = 0;                            // in the graph: several variables may have one name
  uint32_t first_run = 0, runs = 0;           // of ProgramInfo::runs, when it holds several; 0: one, or unknown
  Name type = 0;                              // of its elements, as Poplar spells it ("float"); "": unknown
  uint32_t life = 0;                          // of ProgramInfo::lives; 0: it lives always
  uint32_t before = 0;  // variables in the list just before it that may lie over it; set by overlay()
};
struct Initial {  // memory of a variable to which the load of the program gives its value
  uint32_t tile = 0, address = 0, bytes = 0;
};
struct ElementRun {  // elements that follow each other in the tensor and on the tile
  uint64_t first_element = 0;
  uint32_t elements = 0;
};
// Integer register of a supervisor, in which code that is held once for several steps has the address of its table.
constexpr unsigned kTableRegister = 18;  // s2
struct Step {  // the supervisor of `tile` is in it from this pc up to the next entry of the tile
  uint32_t tile = 0, pc = 0;
  Name what = 0;                   // "Execute(multiply)", "Copy(a, b)"
  uint32_t id = 0;                 // in order of the programs
  uint32_t point = 0, points = 0;  // of its own, among those of lives; 0: unknown
  // Code that is held once for several steps: of ProgramInfo::calls. 0: it is this one always; else this is the first.
  uint32_t first_call = 0, calls = 0;
};
struct StepCall {  // what code that is held once does when the table register holds that address
  uint32_t table = 0;
  Name what = 0;
  uint32_t id = 0;                 // as Step::id
  uint32_t point = 0, points = 0;  // as Step::point
};
struct Stack {  // memory of a stack, the same on every tile unless tile != kEveryTile
  static constexpr uint32_t kEveryTile = ~0u;
  uint32_t tile = kEveryTile, address = 0, bytes = 0;
  uint8_t context = 0;  // 0 supervisor, 1..6 workers
};

struct NoText {  // memory of a tile in the range of text where it has something else
  uint32_t tile = 0, address = 0, bytes = 0;
};

struct ProgramInfo {
  std::string title;         // program or file, set by who loads it: the same graph may be run by several programs
  std::vector<uint8_t> elf;  // text with DWARF, linked at its addresses; empty: no source lines
  std::vector<std::string> names{""};
  std::vector<Symbol> symbols;   // by address
  std::vector<Vertex> vertices;  // by (tile, address)
  std::vector<Field> fields;
  std::vector<Variable> variables;  // by (tile, address)
  std::vector<Initial> initial;     // by (tile, address)
  std::vector<ElementRun> runs;     // of a variable in the order of its memory
  std::vector<Life> lives{{}};      // the first is that of what lives always
  std::vector<Interval> intervals;
  std::vector<Step> steps;      // by (tile, pc)
  std::vector<StepCall> calls;  // of a step by table
  std::vector<Stack> stacks;
  std::vector<NoText> no_text;  // by (tile, address)

  const std::string& name(Name n) const { return names.at(n); }
  // Null when nothing is there.
  const Symbol* symbol_at(uint32_t pc) const;
  const Symbol* symbol_at(uint32_t tile, uint32_t address) const;  // of the text that the tile has
  bool has_text(uint32_t tile, uint32_t address) const;            // false: text of that address is on other tiles only
  const Symbol* symbol_named(const std::string& name) const;
  const Vertex* vertex_at(uint32_t tile, uint32_t state_address) const;  // its state begins at or covers the address
  const Variable* variable_at(uint32_t tile, uint32_t address) const;    // one of those that share the memory
  std::vector<const Variable*> variables_at(uint32_t tile, uint32_t address) const;
  bool lives_in(uint32_t life, const Step&) const;  // whether it holds something in the step; true where unknown
  const Stack* stack_of(uint32_t tile, uint8_t context) const;
  const Step* step_at(uint32_t tile, uint32_t supervisor_pc) const;
  // The call of the step's code with this table; null: it has none, or none with this one.
  const StepCall* call_of(const Step&, uint32_t table) const;
  // What the step is called, "" for none: of code that is held once, by the value of the table register, and where that
  // is not known or no table, "one of 100 like 'Execute(layer0)'".
  std::string step_text(const Step*, std::optional<uint32_t> table) const;
  // The step that the code runs for: of code that is held once, with names and points of the one that the table says;
  // the step as it is where that is not known.
  Step run_by(const Step&, std::optional<uint32_t> table) const;
  // Entry symbols of a codelet: addresses of symbols "__vertex_<mangled codelet>" (docs/reference/codelet-abi.md).
  std::vector<uint32_t> entries_of(const std::string& codelet) const;
};

// Finds which variables lie over each other; they are sorted already.
void overlay(ProgramInfo&);

struct BadProgramInfo : std::runtime_error {
  using std::runtime_error::runtime_error;
};
std::vector<uint8_t> serialize(const ProgramInfo&);
ProgramInfo deserialize(const std::vector<uint8_t>&);  // throws BadProgramInfo, one line

}  // namespace tessera::names
