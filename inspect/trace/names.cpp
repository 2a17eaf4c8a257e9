#include "inspect/trace/names.h"
#include "inspect/function_name.h"

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
    : program_(program), data_(program), place_(place), steps_(program) {
  if (!program.elf.empty()) lines_ = std::make_unique<SourceLines>(program.elf);
}
Names::~Names() = default;

const std::string& Names::shared_place(uint32_t pc) {
  if (const auto known = places_.find(pc); known != places_.end()) return known->second;
  const names::Symbol* symbol = program_.symbol_at(pc);
  std::string text;
  if (lines_) {
    text = short_function(lines_->function_at(pc));
    if (const auto at = lines_->at(pc); !at.empty())
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", file_name(at.front().file), at.front().line);
  }
  if (text.empty() && symbol != nullptr)
    text = fmt::format("{}+{:#x}", function_name(program_, *symbol), pc - symbol->address);
  return places_.emplace(pc, std::move(text)).first->second;
}

const std::string& Names::place(const Event& e) {
  const std::string& shared = shared_place(e.retire.pc);
  return shared.empty() && e.context == 0 ? step(e) : shared;
}

const std::string& Names::place(uint32_t tile, unsigned context, uint32_t pc) {
  const std::string& shared = shared_place(pc);
  return shared.empty() && context == 0 ? steps_.name(tile, pc, steps_.table(tile)) : shared;
}

void Names::follow(const Event& e) {
  if (e.kind == EventKind::kEntered) inside_[{e.tile, e.context}] = vertex_of(e);
  if (e.kind == EventKind::kLeft) inside_.erase({e.tile, e.context});
  if (e.kind != EventKind::kRetire || e.context != 0) return;
  const chip::Retire& r = e.retire;
  if (const names::Step* step = program_.step_at(e.tile, r.pc))
    in_[e.tile] = program_.run_by(*step, steps_.table(e.tile));
  followed_[e.tile] = {e.cycle, &steps_.retire(e.tile, r.pc, r.reg_write && !r.reg_float ? r.reg : 0,
                                               static_cast<uint32_t>(r.reg_data))};
}

const names::Vertex* Names::inside(const Event& e) const {
  if (e.kind != EventKind::kRetire) return nullptr;
  const auto vertex = inside_.find({e.tile, e.context});
  return vertex == inside_.end() ? nullptr : vertex->second;
}

const names::Step* Names::in(const Event& e) const {
  const auto step = in_.find(e.tile);
  return step == in_.end() ? nullptr : &step->second;
}

const std::string& Names::step(const Event& e) const {
  if (program_.symbol_at(e.retire.pc) != nullptr) return program_.name(0);
  const auto last = followed_.find(e.tile);
  if (last != followed_.end() && last->second.cycle == e.cycle) return *last->second.step;
  return steps_.name(e.tile, e.retire.pc, std::nullopt);
}

const names::Vertex* Names::vertex_of(const names::ProgramInfo& program, const Event& e) {
  const names::Vertex* vertex = program.vertex_at(e.tile, e.address);
  return vertex != nullptr && vertex->address == e.address ? vertex : nullptr;
}

std::string codelet_name(const names::ProgramInfo& program, const Event& e) {
  if (const names::Vertex* vertex = Names::vertex_of(program, e)) return program.name(vertex->codelet);
  const names::Symbol* symbol = program.symbol_at(e.value);
  const std::string name = symbol != nullptr ? function_name(program, *symbol) : fmt::format("{:#x}", e.value);
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
