#include "inspect/trace/filter.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "inspect/trace/touches.h"
#include "program/place_names.h"
#include "rtl/spec/register_use.h"

namespace tessera::inspect::trace {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text, int base) {
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  Number value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr uint64_t kAll = ~0ull - 1;  // the last element of a whole tensor

// "weights[4..9]" as name and elements; without brackets all of them.
struct Wanted {
  std::string name;
  uint64_t first = 0, last = kAll;
};
std::optional<Wanted> elements_of(const std::string& text) {
  const size_t open = text.rfind('[');
  if (open == std::string::npos || !text.ends_with(']')) return std::nullopt;
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  const size_t dots = inside.find("..");
  const auto first = number<uint64_t>(inside.substr(0, dots), 10);
  const auto last = dots == std::string::npos ? first : number<uint64_t>(inside.substr(dots + 2), 10);
  if (!first || !last || *last < *first) return std::nullopt;
  return Wanted{text.substr(0, open), *first, *last};
}

}  // namespace

std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> found;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    found.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

Filter::Filter(const FilterWishes& wishes, const names::ProgramInfo& program) : program_(program), names_(program) {
  if (!wishes.addresses.empty()) read_addresses(wishes.addresses);
  if (!wishes.vertices.empty()) read_vertices(wishes.vertices);
  if (!wishes.tensors.empty()) read_tensors(wishes.tensors);
  if (!wishes.registers.empty()) read_registers(wishes.registers);
}

void Filter::read_addresses(const std::string& list) {
  by_address_ = true;
  for (const std::string& text : items(list)) {
    const size_t dash = text.find('-');
    const auto first = number<uint32_t>(text.substr(0, dash), 16);
    const auto last = dash == std::string::npos ? first : number<uint32_t>(text.substr(dash + 1), 16);
    if (!first || !last || *last < *first)
      throw TraceError("'" + text + "' is no address: 5c004, or a range 5c004-5c0ff, in hexadecimal");
    addresses_.push_back({*first, *last});
  }
}

void Filter::read_vertices(const std::string& list) {
  by_vertex_ = true;
  for (const std::string& text : items(list)) {
    const auto id = number<uint32_t>(text, 10);
    const bool known = std::any_of(program_.vertices.begin(), program_.vertices.end(), [&](const names::Vertex& v) {
      return id ? v.id == *id : program_.name(v.codelet) == text;
    });
    if (!known && id) throw TraceError("the program has no vertex " + text);
    if (!known && program_.entries_of(text).empty())  // firmware has entries without vertices
      throw TraceError("the program has no vertex of a codelet '" + text + "'");
    if (id)
      ids_.insert(*id);
    else
      codelets_.insert(text);
  }
}

void Filter::read_tensors(const std::string& list) {
  by_tensor_ = true;
  for (const std::string& text : items(list)) {
    const auto named = [&](const std::string& name) {
      return std::any_of(program_.variables.begin(), program_.variables.end(),
                         [&](const names::Variable& v) { return program_.name(v.name) == name; });
    };
    Wanted wanted{text};
    if (const auto some = elements_of(text); some && !named(text)) wanted = *some;
    if (!named(wanted.name)) throw TraceError("the program has no tensor '" + wanted.name + "'");
    const bool there = std::any_of(program_.variables.begin(), program_.variables.end(), [&](const names::Variable& v) {
      return program_.name(v.name) == wanted.name &&
             (wanted.last == kAll || !names::spans_of(program_, v, wanted.first, wanted.last).empty());
    });
    if (!there) throw TraceError("the program has no " + text);
    elements_.push_back({wanted.name, wanted.first, wanted.last});
  }
}

void Filter::read_registers(const std::string& list) {
  for (const std::string& text : items(list)) {
    const auto found = spec::find_register(text);
    if (!found) throw TraceError("there is no register '" + text + "', such as a0, sp or fa5");
    registers_.push_back(*found);
  }
}

bool Filter::of_vertex(const Event& e) const {
  const names::Vertex* vertex = Names::vertex_of(program_, e);
  if (vertex != nullptr && ids_.contains(vertex->id)) return true;
  return !codelets_.empty() && codelets_.contains(codelet_name(program_, e));
}

bool Filter::touches_wanted(const Event& e) const {
  const auto wanted = [&](uint32_t tile, uint32_t address) {
    const names::PlaceNames::Element at = names_.places().element(tile, address, names_.inside(e), names_.in(e));
    return at.tensor != 0 && std::any_of(elements_.begin(), elements_.end(), [&](const Elements& wish) {
             const bool all = wish.last == kAll;
             return program_.name(at.tensor) == wish.tensor &&
                    (all ||
                     (at.number != names::Field::kGathered && at.number >= wish.first && at.number <= wish.last));
           });
  };
  bool address = !by_address_, element = !by_tensor_;
  for (const Touch& t : touches(e)) {
    for (const Range& r : addresses_) address |= t.address <= r.last && t.address + t.bytes > r.first;
    if (e.tile == chip::kNoTile) continue;  // the host writes the same to all tiles: text
    for (uint32_t byte = 0; byte < t.bytes && !element; ++byte) element = wanted(e.tile, t.address + byte);
  }
  return address && element;
}

bool Filter::uses_register(const Event& e) const {
  if (e.kind != EventKind::kRetire) return false;
  const uint32_t word = e.retire.instruction;
  const spec::Opcode opcode = spec::decode(word);
  if (opcode == spec::Opcode::Illegal) return false;
  const spec::RegisterUse use = spec::register_use(opcode);
  return std::any_of(registers_.begin(), registers_.end(), [&](const spec::RegisterNumber& r) {
    const bool rd = r.number == spec::rd_of(word), rs1 = r.number == spec::rs1_of(word),
               rs2 = r.number == spec::rs2_of(word), rs3 = r.number == spec::rs3_of(word),
               pair = r.number == spec::rd_of(word) + 1;
    if (!r.is_float)
      return (use.writes_x && rd) || (use.reads_x1 && rs1) || (use.reads_x2 && rs2) || (use.updates_x && rs1);
    return (use.writes_f && rd) || (use.writes_pair && pair) || (use.reads_f1 && rs1) || (use.reads_f2 && rs2) ||
           (use.reads_f3 && rs3) || (use.updates_f && rs1);
  });
}

bool Filter::holds(const Event& e) const {
  if ((by_address_ || by_tensor_) && !touches_wanted(e)) return false;
  if (!registers_.empty() && !uses_register(e)) return false;
  if (!by_vertex_) return true;
  const bool of_context = e.kind == EventKind::kRetire || e.kind == EventKind::kEntered || e.kind == EventKind::kLeft ||
                          e.kind == EventKind::kExcepted;
  return of_context && inside_.contains({e.tile, e.context});
}

void Filter::follow(const Event& e) {
  names_.follow(e);
  if (e.kind == EventKind::kEntered && of_vertex(e)) inside_.insert({e.tile, e.context});
  if (e.kind == EventKind::kLeft) inside_.erase({e.tile, e.context});
}

// A vertex is entered with its first instruction and left with the first one outside, whose events come later in the
// order of a cycle: so a cycle is looked at whole.
void Filter::add(const Event& e, const std::function<void(const Event&)>& to) {
  if (!by_vertex_) {
    follow(e);
    if (holds(e)) to(e);
    return;
  }
  if (!cycle_.empty() && cycle_.front().cycle != e.cycle) end(to);
  cycle_.push_back(e);
}

void Filter::end(const std::function<void(const Event&)>& to) {
  std::vector<Event> left;
  for (const Event& e : cycle_) {
    if (e.kind == EventKind::kLeft && holds(e)) left.push_back(e);
    follow(e);
  }
  for (const Event& e : cycle_)
    if (e.kind != EventKind::kLeft && holds(e)) to(e);
  for (const Event& e : left) to(e);
  cycle_.clear();
}

}  // namespace tessera::inspect::trace
