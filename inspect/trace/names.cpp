#include "inspect/trace/names.h"

#include <fmt/format.h>

namespace tessera::inspect::trace {
namespace {

// Without its arguments and unnamed namespaces, which are long and say little here.
std::string short_function(std::string name) {
  const std::string unnamed = "(anonymous namespace)::";
  for (size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
  return name.substr(0, name.find('('));
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

std::string context_name(unsigned context) { return context == 0 ? "sup" : fmt::format("w{}", context - 1); }

Names::Names(const names::ProgramInfo& program, const spec::ChipPlace& place)
    : program_(program), data_(program), place_(place) {
  if (!program.elf.empty()) lines_ = std::make_unique<SourceLines>(program.elf);
}
Names::~Names() = default;

const std::string& Names::place(uint32_t tile, unsigned context, uint32_t pc) {
  if (const auto known = places_.find(pc); known != places_.end()) return known->second;
  const names::Symbol* symbol = program_.symbol_at(pc);
  std::string text;
  if (lines_) {
    text = short_function(lines_->function_at(pc));
    if (const auto at = lines_->at(pc); !at.empty())
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", file_name(at.front().file), at.front().line);
  }
  if (text.empty() && symbol != nullptr)
    text = fmt::format("{}+{:#x}", program_.name(symbol->name), pc - symbol->address);
  if (!text.empty() || context != 0) return places_.emplace(pc, std::move(text)).first->second;
  const uint64_t key = uint64_t{tile} << 32 | pc;
  if (const auto known = tile_places_.find(key); known != tile_places_.end()) return known->second;
  return tile_places_.emplace(key, step(tile, pc)).first->second;
}

void Names::follow(const Event& e) {
  if (e.kind == EventKind::kEntered) inside_[{e.tile, e.context}] = vertex_of(e);
  if (e.kind == EventKind::kLeft) inside_.erase({e.tile, e.context});
  if (e.kind != EventKind::kRetire || e.context != 0) return;
  if (const names::Step* step = program_.step_at(e.tile, e.retire.pc)) steps_[e.tile] = step;
}

const names::Vertex* Names::inside(const Event& e) const {
  if (e.kind != EventKind::kRetire) return nullptr;
  const auto vertex = inside_.find({e.tile, e.context});
  return vertex == inside_.end() ? nullptr : vertex->second;
}

const names::Step* Names::in(const Event& e) const {
  const auto step = steps_.find(e.tile);
  return step == steps_.end() ? nullptr : step->second;
}

const std::string& Names::step(uint32_t tile, uint32_t supervisor_pc) const {
  if (program_.symbol_at(supervisor_pc) != nullptr) return program_.name(0);
  const names::Step* step = program_.step_at(tile, supervisor_pc);
  return program_.name(step != nullptr ? step->what : 0);
}

const names::Vertex* Names::vertex_of(const names::ProgramInfo& program, const Event& e) {
  const names::Vertex* vertex = program.vertex_at(e.tile, e.address);
  return vertex != nullptr && vertex->address == e.address ? vertex : nullptr;
}

std::string codelet_name(const names::ProgramInfo& program, const Event& e) {
  if (const names::Vertex* vertex = Names::vertex_of(program, e)) return program.name(vertex->codelet);
  const names::Symbol* symbol = program.symbol_at(e.value);
  const std::string name = symbol != nullptr ? program.name(symbol->name) : fmt::format("{:#x}", e.value);
  constexpr std::string_view kPrefix = "__vertex_";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

std::string Names::vertex(const Event& e) const {
  const names::Vertex* vertex = vertex_of(e);
  if (vertex == nullptr) return fmt::format("{} on {:#x}", codelet(e), e.address);
  const std::string& set = program_.name(vertex->compute_set);
  return fmt::format("{}{}{}, vertex {}", codelet(e), set.empty() ? "" : " of ", set, vertex->id);
}

}  // namespace tessera::inspect::trace
