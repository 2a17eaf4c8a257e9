#include "compiler/codelet/call_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/entry_source.h"
#include "compiler/codelet/object_file.h"
#include "formats/bytes.h"
#include "formats/symbol_name.h"
#include "rtl/spec/instructions.h"

namespace tessera::compiler {
namespace {

using formats::ElfFile;
using formats::ElfRelocation;
using formats::ElfSection;
using formats::ElfSymbol;

constexpr std::uint32_t kStackAlignment = 16;

// Why that context cannot execute the word; empty if it can.
std::string objection(std::uint32_t word, CallGraph::Context context) {
  const spec::Opcode opcode = spec::decode(word);
  if (opcode == spec::Opcode::Illegal) {
    return spec::is_double_arithmetic(word) ? "the tile has no double arithmetic; use float"
                                            : fmt::format("the tile has no instruction {:#010x}", word);
  }
  const spec::InstructionInfo& info = spec::info(opcode);
  if (context == CallGraph::Context::kSupervisor && info.who == spec::Who::Worker) {
    return "a supervisor vertex reaches floating-point code";
  }
  if (context == CallGraph::Context::kWorker && info.who == spec::Who::Supervisor) {
    return fmt::format("a worker cannot execute '{}'", info.mnemonic);
  }
  return "";
}

std::int32_t jal_offset(std::uint32_t word) {
  const std::uint32_t bits =
      (word >> 31 ? 0xfff00000u : 0u) | (word & 0xff000) | (word >> 9 & 0x800) | (word >> 20 & 0x7fe);
  return static_cast<std::int32_t>(bits);
}

}  // namespace

struct CallGraph::Graph {
  struct Function {
    std::string_view name;
    std::optional<std::uint32_t> frame;
    std::vector<std::size_t> callees;
    std::span<const std::uint8_t> code;
  };
  // A place in the objects: what a symbol resolves to.
  struct Place {
    std::size_t object, section;
    std::uint32_t offset;
    bool is_function;
  };

  std::vector<ElfFile> files;
  std::vector<Function> functions;
  std::map<std::pair<std::size_t, std::size_t>, std::map<std::uint32_t, std::size_t>> in_section;
  std::unordered_map<std::string_view, Place> globals;
  std::unordered_map<std::string_view, std::uint32_t> constants;
  std::unordered_map<std::string_view, std::size_t> by_name;

  void add_symbols(std::size_t object) {
    for (const ElfSymbol& symbol : files[object].symbols) {
      if (symbol.section == ElfSymbol::kAbsolute) constants.emplace(symbol.name, symbol.value);
      if (symbol.section == ElfSymbol::kUndefined || symbol.section >= files[object].sections.size()) continue;
      const bool is_function = symbol.type == ElfSymbol::kFunction;
      if (is_function) {
        auto [at, added] = in_section[{object, symbol.section}].emplace(symbol.value, functions.size());
        if (added) {
          const auto data = files[object].sections[symbol.section].data;
          const auto code =
              std::uint64_t{symbol.value} + symbol.size <= data.size() ? data.subspan(symbol.value, symbol.size) : data;
          functions.push_back({symbol.name, std::nullopt, {}, code});
        }
        if (symbol.binding != ElfSymbol::kLocal) by_name.emplace(symbol.name, at->second);
      }
      if (symbol.binding == ElfSymbol::kLocal) continue;
      const Place place{object, symbol.section, symbol.value, is_function};
      if (symbol.binding == ElfSymbol::kGlobal) {
        globals[symbol.name] = place;
        if (is_function) by_name[symbol.name] = in_section[{object, symbol.section}][symbol.value];
      } else {
        globals.emplace(symbol.name, place);
      }
    }
  }

  std::optional<Place> resolve(std::size_t object, const ElfSymbol& symbol) const {
    if (symbol.binding != ElfSymbol::kLocal) {
      const auto found = globals.find(symbol.name);
      if (found != globals.end()) return found->second;
    }
    if (symbol.section == ElfSymbol::kUndefined || symbol.section >= files[object].sections.size()) return std::nullopt;
    return Place{object, symbol.section, symbol.value, symbol.type == ElfSymbol::kFunction};
  }

  // Index of the function whose code holds the offset.
  std::optional<std::size_t> function_at(std::size_t object, std::size_t section, std::uint32_t offset) const {
    const auto table = in_section.find({object, section});
    if (table == in_section.end()) return std::nullopt;
    const auto after = table->second.upper_bound(offset);
    if (after == table->second.begin()) return std::nullopt;
    return std::prev(after)->second;
  }

  // Calls `found` for every function that data section refers to, tables in further sections included.
  void follow_data(Place place, std::vector<std::pair<std::size_t, std::size_t>>& seen,
                   const std::function<void(std::size_t)>& found) const {
    const std::pair key{place.object, place.section};
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) return;
    seen.push_back(key);
    for (const ElfRelocation& relocation : files[place.object].sections[place.section].relocations) {
      const auto target = resolve(place.object, files[place.object].symbols[relocation.symbol]);
      if (target) follow(*target, seen, found);
    }
  }

  void follow(const Place& target, std::vector<std::pair<std::size_t, std::size_t>>& seen,
              const std::function<void(std::size_t)>& found) const {
    const ElfSection& section = files[target.object].sections[target.section];
    if (target.is_function) {
      if (const auto callee = function_at(target.object, target.section, target.offset)) found(*callee);
    } else if (!section.is_code() && section.is_loaded()) {
      follow_data(target, seen, found);  // labels inside code are jump tables of their own function
    }
  }

  void add_edges(std::size_t object) {
    const ElfFile& file = files[object];
    for (std::size_t s = 0; s < file.sections.size(); ++s) {
      if (!file.sections[s].is_code()) continue;
      for (const ElfRelocation& relocation : file.sections[s].relocations) {
        const auto caller = function_at(object, s, relocation.offset);
        const auto target = resolve(object, file.symbols[relocation.symbol]);
        if (!caller || !target) continue;
        std::vector<std::pair<std::size_t, std::size_t>> seen;
        follow(*target, seen, [&](std::size_t callee) { add_edge(*caller, callee); });
      }
      add_resolved_calls(object, s);
    }
  }

  // Calls that the assembler resolved itself, within one section: jal ra, and auipc ra + jalr ra without relocation.
  void add_resolved_calls(std::size_t object, std::size_t s) {
    const ElfSection& section = files[object].sections[s];
    std::vector<std::uint32_t> relocated;
    for (const auto& relocation : section.relocations) relocated.push_back(relocation.offset);
    std::sort(relocated.begin(), relocated.end());
    for (std::uint32_t at = 0; at + 4 <= section.data.size(); at += 4) {
      if (std::binary_search(relocated.begin(), relocated.end(), at)) continue;
      const std::uint32_t word = formats::number_at<std::uint32_t>(section.data.data() + at);
      std::optional<std::uint32_t> target;
      if ((word & 0xfff) == 0x0ef) {
        target = at + static_cast<std::uint32_t>(jal_offset(word));
      } else if ((word & 0xfff) == 0x097 && at + 8 <= section.data.size()) {
        const std::uint32_t next = formats::number_at<std::uint32_t>(section.data.data() + at + 4);
        if ((next & 0xfffff) == 0x080e7)
          target = at + (word & 0xfffff000) + static_cast<std::uint32_t>(static_cast<std::int32_t>(next) >> 20);
      }
      const auto caller = function_at(object, s, at);
      const auto callee = target ? function_at(object, s, *target) : std::nullopt;
      if (caller && callee) add_edge(*caller, *callee);
    }
  }

  void add_edge(std::size_t caller, std::size_t callee) {
    auto& callees = functions[caller].callees;
    if (std::find(callees.begin(), callees.end(), callee) == callees.end()) callees.push_back(callee);
  }

  // .stack_sizes: a 32-bit address, by relocation, and the frame size as ULEB128, again and again.
  void add_frames(std::size_t object) {
    for (const ElfSection& section : files[object].sections) {
      if (section.name != ".stack_sizes") continue;
      for (const ElfRelocation& relocation : section.relocations) {
        const auto place = resolve(object, files[object].symbols[relocation.symbol]);
        if (!place) continue;
        std::uint32_t size = 0;
        unsigned shift = 0;
        for (std::size_t at = relocation.offset + 4; at < section.data.size() && shift < 32; ++at, shift += 7) {
          size |= std::uint32_t{section.data[at] & 0x7fu} << shift;
          if ((section.data[at] & 0x80) == 0) break;
        }
        const auto function =
            function_at(place->object, place->section, place->offset + static_cast<std::uint32_t>(relocation.addend));
        if (function) functions[*function].frame = size;
      }
    }
  }

  std::size_t entry_of(const std::string& name) const {
    const auto found = by_name.find(name);
    if (found == by_name.end())
      throw CodeletError(CodeletError::Kind::kLink, "undefined symbol: " + formats::readable_symbol(name));
    return found->second;
  }

  // Sections that a call of `entry` may lead to, as object and number; of every relocation in them the symbol is shown.
  template <class Visit>
  std::set<std::pair<std::size_t, std::size_t>> reached(const std::string& entry, const Visit& visit) const {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    const auto first = globals.find(entry);
    if (first == globals.end()) return seen;
    seen.emplace(first->second.object, first->second.section);
    std::vector<std::pair<std::size_t, std::size_t>> queue(seen.begin(), seen.end());
    while (!queue.empty()) {
      const auto [object, number] = queue.back();
      queue.pop_back();
      for (const ElfRelocation& relocation : files[object].sections[number].relocations) {
        visit(files[object].symbols[relocation.symbol]);
        const auto target = resolve(object, files[object].symbols[relocation.symbol]);
        if (target && files[target->object].sections[target->section].is_loaded() &&
            seen.emplace(target->object, target->section).second)
          queue.emplace_back(target->object, target->section);
      }
    }
    return seen;
  }

  std::set<Section> sections(const std::string& entry) const {
    std::set<Section> sections;
    for (const auto& [object, number] : reached(entry, [](const ElfSymbol&) {}))
      sections.insert({object, files[object].sections[number].name});
    return sections;
  }

  bool names(const std::string& entry, std::string_view symbol) const {
    bool found = false;
    reached(entry, [&](const ElfSymbol& named) { found = found || named.name == symbol; });
    return found;
  }

  std::string symbol_in(const Section& section) const {
    const ElfFile& file = files[section.object];
    for (const ElfSymbol& symbol : file.symbols)
      if (symbol.section != ElfSymbol::kUndefined && symbol.section < file.sections.size() &&
          file.sections[symbol.section].name == section.name &&
          (symbol.type == ElfSymbol::kFunction || symbol.type == ElfSymbol::kObject))
        return std::string(symbol.name);
    return "";
  }

  std::uint32_t depth(std::size_t index, std::vector<std::size_t>& path,
                      std::map<std::size_t, std::uint32_t>& known) const {
    if (const auto found = known.find(index); found != known.end()) return found->second;
    const Function& function = functions[index];
    if (std::find(path.begin(), path.end(), index) != path.end()) {
      throw CodeletError(CodeletError::Kind::kLink, "'" + formats::readable_symbol(function.name) +
                                                        "' is recursive, so its stack has no "
                                                        "bound; give compute() a size with TESSERA_STACK_SIZE(bytes)");
    }
    if (!function.frame) {
      throw CodeletError(CodeletError::Kind::kLink,
                         "the stack use of '" + formats::readable_symbol(function.name) +
                             "' is not known (alloca "
                             "or assembly); give compute() a size with TESSERA_STACK_SIZE(bytes)");
    }
    path.push_back(index);
    std::uint32_t below = 0;
    for (std::size_t callee : function.callees) below = std::max(below, depth(callee, path, known));
    path.pop_back();
    return known[index] = *function.frame + below;
  }

  // Breadth first, so that the path in the message is a shortest one.
  void require_executable(const std::string& entry, Context context) const {
    std::vector<std::size_t> queue{entry_of(entry)};
    std::map<std::size_t, std::size_t> caller{{queue[0], queue[0]}};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Function& function = functions[queue[i]];
      for (std::size_t at = 0; at + 4 <= function.code.size(); at += 4) {
        const std::string reason = objection(formats::number_at<std::uint32_t>(function.code.data() + at), context);
        if (reason.empty()) continue;
        std::string path = formats::readable_symbol(function.name);
        for (std::size_t f = queue[i]; caller.at(f) != f; f = caller.at(f)) {
          path = formats::readable_symbol(functions[caller.at(f)].name) + " -> " + path;
        }
        throw CodeletError(CodeletError::Kind::kLink, reason + ": " + path);
      }
      for (std::size_t callee : function.callees) {
        if (caller.emplace(callee, queue[i]).second) queue.push_back(callee);
      }
    }
  }
};

CallGraph::CallGraph(const std::vector<const CodeletObject*>& objects) : graph_(std::make_unique<Graph>()) {
  for (const CodeletObject* object : objects) graph_->files.push_back(read_object(object->elf, object->name));
  for (std::size_t i = 0; i < objects.size(); ++i) graph_->add_symbols(i);
  for (std::size_t i = 0; i < objects.size(); ++i) graph_->add_edges(i), graph_->add_frames(i);
}

CallGraph::~CallGraph() = default;

std::uint32_t CallGraph::stack_size(const std::string& entry) const {
  const auto given = graph_->constants.find(explicit_stack_symbol(entry));
  std::vector<std::size_t> path;
  std::map<std::size_t, std::uint32_t> known;
  const std::uint32_t bytes =
      given != graph_->constants.end() ? given->second : graph_->depth(graph_->entry_of(entry), path, known);
  return (bytes + kStackAlignment - 1) / kStackAlignment * kStackAlignment;
}

std::set<CallGraph::Section> CallGraph::sections(const std::string& entry) const { return graph_->sections(entry); }

bool CallGraph::names(const std::string& entry, std::string_view symbol) const { return graph_->names(entry, symbol); }

std::string CallGraph::symbol_in(const Section& section) const { return graph_->symbol_in(section); }

void CallGraph::require_executable(const std::string& entry, Context context) const {
  graph_->require_executable(entry, context);
}

}  // namespace tessera::compiler
