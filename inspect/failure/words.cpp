#include "inspect/failure/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/function_name.h"
#include "inspect/tile_groups.h"
#include "program/place_names.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

// An access this far from a field's data is still thought of as one that ran off its end.
constexpr uint32_t kNear = 256;
// Our own headers: a line in them says less to the user than that of the call.
constexpr const char* kDeviceFolder = "/tessera/device/";
constexpr const char* kEntryHeader = "/tessera/vertex_abi.h";

constexpr const char* kCheckHeader = "/tessera/check.h";

bool is_of_device(const SourceLine& line) { return line.file.find(kDeviceFolder) != std::string::npos; }

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const char* kind_of(names::FieldKind kind) {
  switch (kind) {
    case names::FieldKind::kInput:
      return "input";
    case names::FieldKind::kOutput:
      return "output";
    case names::FieldKind::kInOut:
      return "in-out";
    case names::FieldKind::kState:
      return "state";
  }
  return "";
}

}  // namespace

Words::Words(const names::ProgramInfo& program, const spec::Machine& machine, const spec::ChipPlace& place)
    : program_(program), machine_(machine), place_(place), lines_(program.elf), places_(program) {}

// The line itself, then where it was inlined; the entry function that the compiler made around a codelet left out.
std::vector<SourceLine> Words::lines(uint32_t pc) const {
  std::vector<SourceLine> lines = lines_.at(pc);
  while (lines.size() > 1 && lines.back().file.ends_with(kEntryHeader)) lines.pop_back();
  return lines;
}

std::string Words::line(uint32_t pc) const {
  const auto all = lines(pc);
  if (all.empty()) return "";
  const auto own = std::find_if(all.begin(), all.end(),
                                [](const SourceLine& line) { return line.line != 0 && !is_of_device(line); });
  const SourceLine& line = own == all.end() ? all.front() : *own;
  return fmt::format("{}:{}", file_name(line.file), line.line);
}

std::string Words::function(uint32_t pc) const {
  const std::string name = lines_.function_at(pc);
  if (!name.empty()) return name;
  const names::Symbol* symbol = program_.symbol_at(pc);
  return symbol == nullptr ? "" : function_name(program_, *symbol);
}

std::string Words::place(uint32_t tile, uint32_t pc) const {
  return program_.has_text(tile, pc) ? place(pc) : fmt::format("pc {:#x}", pc);
}

std::string Words::place(uint32_t pc) const {
  std::string text = fmt::format("pc {:#x}", pc);
  std::vector<SourceLine> all = lines(pc);
  if (!all.empty() && all.front().file.ends_with(kCheckHeader)) {
    // A test of a checked build: what is tested is the user's.
    const auto own = std::find_if(all.begin(), all.end(), [](const SourceLine& line) { return !is_of_device(line); });
    if (own != all.end()) all.erase(all.begin(), own);
  } else if (const std::string name = function(pc); !name.empty()) {
    text += " in " + name;
  }
  bool first = true;
  for (const SourceLine& line : all) {
    text += fmt::format("{} {}:{}", first ? " at" : ", inlined at", line.file, line.line);
    first = false;
  }
  return text;
}

std::string Words::vertex(const names::Vertex& v) const {
  return fmt::format("vertex {} of codelet '{}' in compute set '{}'", v.id, program_.name(v.codelet),
                     program_.name(v.compute_set));
}

std::string Words::step(uint32_t tile, uint32_t supervisor_pc, std::optional<uint32_t> table) const {
  return program_.step_text(program_.step_at(tile, supervisor_pc), table);
}

// "x/weights[100..199]"
std::string Words::elements(const names::Field& f, uint64_t first, uint64_t count) const {
  const std::string& tensor = program_.name(f.tensor);
  if (tensor.empty()) return "";
  if (f.first_element == names::Field::kGathered) return tensor + ", gathered";
  const uint64_t begin = f.first_element + first;
  return count == 1 ? fmt::format("{}[{}]", tensor, begin)
                    : fmt::format("{}[{}..{}]", tensor, begin, begin + count - 1);
}

std::string Words::text(const names::Field& f) const {
  return fmt::format("{} '{}'", kind_of(f.kind), program_.name(f.name));
}

std::string Words::field(const names::Field& f) const {
  const std::string range = fmt::format("{:#x}..{:#x}", f.address, f.address + f.bytes);
  const std::string of = f.element_bytes == 0 ? "" : elements(f, 0, f.bytes / f.element_bytes);
  return fmt::format("{} ({}{})", text(f), of.empty() ? "" : of + ", ", range);
}

std::string Words::inside(const names::Field& f, uint32_t address) const {
  if (f.element_bytes == 0 || f.bytes <= f.element_bytes) return field(f);
  const uint64_t element = (address - f.address) / f.element_bytes;
  const std::string of = elements(f, element, 1);
  return fmt::format("element {} of {}{}", element, text(f), of.empty() ? "" : " (" + of + ")");
}

std::string Words::beside(const names::Field& f, uint32_t address) const {
  const uint32_t end = f.address + f.bytes;
  const bool before = address < f.address;
  const uint32_t bytes = before ? f.address - address : address - end;
  const uint32_t size = f.element_bytes;
  const char* side = before ? "before the start" : "beyond the end";
  if (!before && bytes == 0) return fmt::format("just {} of {}", side, field(f));
  if (size != 0 && bytes % size == 0)
    return fmt::format("{} {} of {}", counted(bytes / size, "element"), side, field(f));
  return fmt::format("{} {} of {}", counted(bytes, "byte"), side, field(f));
}

std::string Words::address(uint32_t tile, uint32_t address, const names::Vertex* vertex) const {
  std::string what, near;
  if (vertex != nullptr) {
    what = of_vertex(*vertex, address);
    if (what.empty()) near = beside_fields(*vertex, address);
  }
  if (what.empty()) what = exactly(tile, address, vertex);
  if (near.empty()) return what;
  return what.empty() ? near : near + "; it is " + what;
}

std::string Words::seen_by(const names::Vertex& vertex, uint32_t address) const {
  const std::string inside = of_vertex(vertex, address);
  return inside.empty() ? beside_fields(vertex, address) : inside;
}

// A field, or a pointer to one.
std::string Words::of_vertex(const names::Vertex& vertex, uint32_t address) const {
  for (uint32_t i = 0; i < vertex.fields; ++i) {
    const names::Field& f = program_.fields[vertex.first_field + i];
    if (address - f.address < f.bytes) return inside(f, address);
    if (f.pointer != 0 && address - f.pointer < 4)
      return fmt::format("the pointer of {} in the state of {}", text(f), this->vertex(vertex));
  }
  return "";
}

std::string Words::beside_fields(const names::Vertex& vertex, uint32_t address) const {
  const names::Field* near = nullptr;
  uint32_t distance = kNear;
  for (uint32_t i = 0; i < vertex.fields; ++i) {
    const names::Field& f = program_.fields[vertex.first_field + i];
    // State fields lie side by side in the vertex; only edges are run off.
    if (f.bytes == 0 || f.kind == names::FieldKind::kState) continue;
    const uint32_t away = address < f.address ? f.address - address : address - (f.address + f.bytes);
    if (away < distance) near = &f, distance = away;
  }
  return near == nullptr ? "" : beside(*near, address);
}

std::string Words::exactly(uint32_t tile, uint32_t address, const names::Vertex* vertex) const {
  if (const names::Vertex* v = program_.vertex_at(tile, address)) {
    const std::string field = of_vertex(*v, address);
    if (!field.empty() && field.starts_with("the pointer")) return field;
    return fmt::format("{}byte {} of the state of {}", field.empty() ? "" : field + ", ", address - v->address,
                       this->vertex(*v));
  }
  if (const names::Variable* v = program_.variable_at(tile, address)) {
    // Others may share the memory.
    if (v->life != 0) return places_.at(tile, address, vertex);
    if (v->element_bytes != 0 && names::element_at(program_, *v, address))
      return names::element_name(program_, *v, address);
    const uint32_t offset = address - v->address;
    return fmt::format("{} {} of what {} holds of '{}'", v->element_bytes == 0 ? "byte" : "element",
                       v->element_bytes == 0 ? offset : offset / v->element_bytes, this->tile(tile),
                       program_.name(v->name));
  }
  for (uint8_t context = 0; context < 7; ++context) {
    const names::Stack* stack = program_.stack_of(tile, context);
    if (stack != nullptr && address - stack->address < stack->bytes) return "in the stack of " + the_context(context);
  }
  if (const names::Symbol* symbol = program_.symbol_at(tile, address))
    return "text of '" + function_name(program_, *symbol) + "'";
  if (address < 0x1000) return "near address 0, as of a null pointer";
  if (address < machine_.memory_base || address >= machine_.memory_end()) return "outside tile memory";
  return "";
}

std::string in_step(const std::string& step) { return step.starts_with("waiting") ? step : "in " + step; }

std::string context_name(unsigned context) {
  return context == 0 ? std::string("supervisor") : fmt::format("worker {}", context - 1);
}

std::string the_context(unsigned context) { return context == 0 ? "the supervisor" : context_name(context); }

std::string Words::tiles(std::vector<unsigned> tiles) const { return tile_list(std::move(tiles), place_); }

std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string counted(uint64_t n, const std::string& thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

}  // namespace tessera::inspect::failure
