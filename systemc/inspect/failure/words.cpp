#include "inspect/failure/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

// An access this far from a field's data is still thought of as one that ran off its end.
constexpr uint32_t kNear = 256;
constexpr size_t kMostRanges = 12;

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const char* kind_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInput:
      return "input";
    case FieldKind::kOutput:
      return "output";
    case FieldKind::kInOut:
      return "in-out";
    case FieldKind::kState:
      return "state";
  }
  return "";
}

}  // namespace

Words::Words(const ProgramInfo& program, const spec::Machine& machine)
    : program_(program), machine_(machine), lines_(program.elf) {}

std::string Words::line(uint32_t pc) const {
  const auto lines = lines_.at(pc);
  return lines.empty() ? "" : fmt::format("{}:{}", file_name(lines[0].file), lines[0].line);
}

std::string Words::function(uint32_t pc) const {
  const std::string name = lines_.function_at(pc);
  if (!name.empty()) return name;
  const Symbol* symbol = program_.symbol_at(pc);
  return symbol == nullptr ? "" : program_.name(symbol->name);
}

std::string Words::place(uint32_t pc) const {
  std::string text = fmt::format("pc {:#x}", pc);
  if (const std::string name = function(pc); !name.empty()) text += " in " + name;
  bool first = true;
  for (const SourceLine& line : lines_.at(pc)) {
    text += fmt::format("{} {}:{}", first ? " at" : ", inlined at", line.file, line.line);
    first = false;
  }
  return text;
}

std::string Words::vertex(const Vertex& v) const {
  return fmt::format("vertex {} of codelet '{}' in compute set '{}'", v.id, program_.name(v.codelet),
                     program_.name(v.compute_set));
}

std::string Words::step(uint32_t tile, uint32_t supervisor_pc) const {
  const Step* step = program_.step_at(tile, supervisor_pc);
  return step == nullptr ? "" : program_.name(step->what);
}

// "x/weights[100..199]"
std::string Words::elements(const Field& f, uint64_t first, uint64_t count) const {
  const std::string& tensor = program_.name(f.tensor);
  if (tensor.empty()) return "";
  if (f.first_element == Field::kGathered) return tensor + ", gathered";
  const uint64_t begin = f.first_element + first;
  return count == 1 ? fmt::format("{}[{}]", tensor, begin)
                    : fmt::format("{}[{}..{}]", tensor, begin, begin + count - 1);
}

std::string Words::text(const Field& f) const { return fmt::format("{} '{}'", kind_of(f.kind), program_.name(f.name)); }

std::string Words::field(const Field& f) const {
  const std::string range = fmt::format("{:#x}..{:#x}", f.address, f.address + f.bytes);
  const std::string of = f.element_bytes == 0 ? "" : elements(f, 0, f.bytes / f.element_bytes);
  return fmt::format("{} ({}{})", text(f), of.empty() ? "" : of + ", ", range);
}

std::string Words::inside(const Field& f, uint32_t address) const {
  if (f.element_bytes == 0 || f.bytes <= f.element_bytes) return field(f);
  const uint64_t element = (address - f.address) / f.element_bytes;
  const std::string of = elements(f, element, 1);
  return fmt::format("element {} of {}{}", element, text(f), of.empty() ? "" : " (" + of + ")");
}

std::string Words::beside(const Field& f, uint32_t address) const {
  const uint32_t end = f.address + f.bytes;
  const bool before = address < f.address;
  const uint32_t bytes = before ? f.address - address : address - end;
  const uint32_t size = f.element_bytes;
  const char* side = before ? "before the begin" : "beyond the end";
  if (!before && bytes == 0) return fmt::format("just {} of {}", side, field(f));
  if (size != 0 && bytes % size == 0)
    return fmt::format("{} {} of {}", counted(bytes / size, "element"), side, field(f));
  return fmt::format("{} {} of {}", counted(bytes, "byte"), side, field(f));
}

std::string Words::address(uint32_t tile, uint32_t address, const Vertex* vertex) const {
  if (vertex != nullptr) {
    const Field* near = nullptr;
    uint32_t distance = kNear;
    for (uint32_t i = 0; i < vertex->fields; ++i) {
      const Field& f = program_.fields[vertex->first_field + i];
      if (f.bytes == 0) continue;
      if (address - f.address < f.bytes) return inside(f, address);
      // State fields lie side by side in the vertex; only edges are run off.
      if (f.kind == FieldKind::kState) continue;
      const uint32_t away = address < f.address ? f.address - address : address - (f.address + f.bytes);
      if (away < distance) near = &f, distance = away;
    }
    if (near != nullptr) {
      std::string text = beside(*near, address);
      const std::string what = this->address(tile, address, nullptr);
      return what.empty() ? text : text + ", which is " + what;
    }
  }
  if (const Vertex* v = program_.vertex_at(tile, address))
    return fmt::format("{} in the state of {}", counted(address - v->address, "byte"), this->vertex(*v));
  if (const Variable* v = program_.variable_at(tile, address)) {
    const uint32_t offset = address - v->address;
    if (v->element_bytes == 0) return fmt::format("byte {} of '{}' on this tile", offset, program_.name(v->name));
    return fmt::format("element {} of what tile {} holds of '{}'", offset / v->element_bytes, tile,
                       program_.name(v->name));
  }
  for (uint8_t context = 0; context < 7; ++context) {
    const Stack* stack = program_.stack_of(tile, context);
    if (stack != nullptr && address - stack->address < stack->bytes) return "the stack of the " + context_name(context);
  }
  if (const Symbol* symbol = program_.symbol_at(address)) return "text of " + program_.name(symbol->name);
  if (address < 0x1000) return "next to address 0: a null pointer";
  if (address < machine_.memory_base || address >= machine_.memory_end()) return "outside tile memory";
  return "";
}

std::string context_name(unsigned context) {
  return context == 0 ? std::string("supervisor") : fmt::format("worker {}", context - 1);
}

std::string tile_list(std::vector<unsigned> tiles) {
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  std::vector<std::string> ranges;
  for (size_t i = 0; i < tiles.size();) {
    size_t end = i + 1;
    while (end < tiles.size() && tiles[end] == tiles[end - 1] + 1) ++end;
    ranges.push_back(end - i == 1 ? fmt::format("{}", tiles[i]) : fmt::format("{}-{}", tiles[i], tiles[end - 1]));
    i = end;
  }
  if (ranges.size() > kMostRanges) return fmt::format("{} tiles, the first of them {}", tiles.size(), ranges[0]);
  std::string text = tiles.size() == 1 ? "tile " : "tiles ";
  for (size_t i = 0; i < ranges.size(); ++i)
    text += (i == 0 ? "" : i + 1 == ranges.size() ? " and " : ", ") + ranges[i];
  return text;
}

std::string counted(uint64_t n, const std::string& thing) {
  return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s");
}

}  // namespace tessera::inspect::failure
