#include "program/program_info.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <tuple>

namespace tessera::names {
namespace {

constexpr uint32_t kAliases = 8;  // symbols that begin inside another's range: aliases, local labels

// The last place of `tile` that begins at or before `address`, null if there is none.
template <class Place, class Start>
const Place* last_at_or_before(const std::vector<Place>& places, uint32_t tile, uint32_t address, const Start& start) {
  const auto after =
      std::upper_bound(places.begin(), places.end(), std::tuple(tile, address),
                       [&](const auto& key, const Place& place) { return key < std::tuple(place.tile, start(place)); });
  if (after == places.begin() || (after - 1)->tile != tile) return nullptr;
  return &*(after - 1);
}

template <class Place>
const Place* holding(const std::vector<Place>& places, uint32_t tile, uint32_t address) {
  const Place* place = last_at_or_before(places, tile, address, [](const Place& p) { return p.address; });
  return place != nullptr && address - place->address < place->bytes ? place : nullptr;
}

// docs/reference/codelet-abi.md, Entry functions.
std::string entry_symbol(const std::string& codelet) {
  std::string symbol;
  uint32_t hash = 2166136261u;
  for (const unsigned char c : codelet) {
    symbol += std::isalnum(c) != 0 || c == '_' ? static_cast<char>(c) : '_';
    hash = (hash ^ c) * 16777619u;
  }
  char suffix[10] = "";
  if (symbol != codelet) std::snprintf(suffix, sizeof suffix, "_%08x", hash);
  return "__vertex_" + symbol + suffix;
}

}  // namespace

const Symbol* ProgramInfo::symbol_at(uint32_t pc) const {
  const auto after = std::upper_bound(symbols.begin(), symbols.end(), pc,
                                      [](uint32_t key, const Symbol& symbol) { return key < symbol.address; });
  auto at = after;
  for (uint32_t i = 0; i < kAliases && at != symbols.begin(); ++i) {
    --at;
    // A symbol without a size reaches to the next one.
    if (at->bytes == 0 ? i == 0 : pc - at->address < at->bytes) return &*at;
  }
  return nullptr;
}

const Symbol* ProgramInfo::symbol_at(uint32_t tile, uint32_t address) const {
  return has_text(tile, address) ? symbol_at(address) : nullptr;
}

bool ProgramInfo::has_text(uint32_t tile, uint32_t address) const { return holding(no_text, tile, address) == nullptr; }

const Symbol* ProgramInfo::symbol_named(const std::string& wanted) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const Symbol& symbol) { return names.at(symbol.name) == wanted; });
  return found == symbols.end() ? nullptr : &*found;
}

const Vertex* ProgramInfo::vertex_at(uint32_t tile, uint32_t state_address) const {
  return holding(vertices, tile, state_address);
}

const Variable* ProgramInfo::variable_at(uint32_t tile, uint32_t address) const {
  const std::vector<const Variable*> all = variables_at(tile, address);
  return all.empty() ? nullptr : all.back();
}

std::vector<const Variable*> ProgramInfo::variables_at(uint32_t tile, uint32_t address) const {
  std::vector<const Variable*> all;
  const Variable* last = last_at_or_before(variables, tile, address, [](const Variable& v) { return v.address; });
  if (last == nullptr) return all;
  for (const Variable* v = last - last->before; v <= last; ++v)
    if (address - v->address < v->bytes) all.push_back(v);
  return all;
}

bool ProgramInfo::lives_in(uint32_t life, const Step& step) const {
  if (life == 0 || step.points == 0 || step.calls != 0) return true;
  const Life& l = lives[life];
  for (uint32_t i = l.first; i < l.first + l.intervals; ++i)
    if (intervals[i].first < step.point + step.points && step.point <= intervals[i].last) return true;
  return false;
}

const Stack* ProgramInfo::stack_of(uint32_t tile, uint8_t context) const {
  const auto found = std::find_if(stacks.begin(), stacks.end(), [&](const Stack& stack) {
    return stack.context == context && (stack.tile == tile || stack.tile == Stack::kEveryTile);
  });
  return found == stacks.end() ? nullptr : &*found;
}

const Step* ProgramInfo::step_at(uint32_t tile, uint32_t supervisor_pc) const {
  return last_at_or_before(steps, tile, supervisor_pc, [](const Step& step) { return step.pc; });
}

const StepCall* ProgramInfo::call_of(const Step& step, uint32_t table) const {
  const auto first = calls.begin() + step.first_call, last = first + step.calls;
  const auto found = std::lower_bound(first, last, table, [](const StepCall& c, uint32_t t) { return c.table < t; });
  return found == last || found->table != table ? nullptr : &*found;
}

std::string ProgramInfo::step_text(const Step* step, std::optional<uint32_t> table) const {
  if (step == nullptr) return "";
  if (step->calls == 0) return name(step->what);
  const StepCall* call = table ? call_of(*step, *table) : nullptr;
  if (call != nullptr) return name(call->what);
  return "one of " + std::to_string(step->calls) + " like '" + name(step->what) + "'";
}

Step ProgramInfo::run_by(const Step& step, std::optional<uint32_t> table) const {
  Step run = step;
  if (step.calls == 0) return run;
  const StepCall* call = table ? call_of(step, *table) : nullptr;
  if (call == nullptr) return run;
  run.what = call->what;
  run.id = call->id;
  run.point = call->point;
  run.points = call->points;
  run.first_call = run.calls = 0;
  return run;
}

void overlay(ProgramInfo& program) {
  std::vector<Variable>& all = program.variables;
  uint32_t from = 0;
  for (uint32_t i = 0; i < all.size(); ++i) {
    // Those before `from` end before all that follows.
    while (from < i && (all[from].tile != all[i].tile || all[from].address + all[from].bytes <= all[i].address)) ++from;
    all[i].before = i - from;
  }
}

std::vector<uint32_t> ProgramInfo::entries_of(const std::string& codelet) const {
  const std::string wanted = entry_symbol(codelet);
  std::vector<uint32_t> addresses;
  for (const Symbol& symbol : symbols)
    if (names.at(symbol.name) == wanted) addresses.push_back(symbol.address);
  return addresses;
}

}  // namespace tessera::names
