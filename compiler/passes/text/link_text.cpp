#include "compiler/passes/text/link_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <set>
#include <utility>

#include "compiler/codelet/link.h"
#include "compiler/passes/control/copy_routine.h"
#include "compiler/passes/text/codelet_groups.h"

namespace tessera::compiler {
namespace {

// The top of memory is kept free of anything, so that codelets may read a little beyond a region's end.
constexpr std::uint32_t kTopMargin = 16;
constexpr std::uint32_t kUsualData = 4096;

std::vector<std::uint32_t> to_words(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << 8 * (i % 4);
  return words;
}

std::vector<bool> used_codelets(const graph::Graph& graph, const ir::Program& program) {
  std::vector<bool> used(graph.codelets.size());
  for (const ir::Compute& compute : program.computes)
    for (const ir::Vertex& vertex : compute.vertices) used[vertex.codelet] = true;
  return used;
}

// Per codelet of the graph: the pieces that its vertices may lead to; those of workers need the start routine.
std::vector<std::vector<std::uint32_t>> needed_pieces(const LinkedText& linked, const graph::Graph& graph,
                                                      const std::vector<bool>& used) {
  std::vector<std::vector<std::uint32_t>> needed(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const graph::CodeletInfo& info = graph.codelets[i].info;
    needed[i] = linked.needed.at(info.entry_symbol);
    if (info.kind == graph::CodeletKind::kSupervisor) continue;
    const std::vector<std::uint32_t>& start = linked.needed.at(kWorkerSymbol);
    needed[i].insert(needed[i].end(), start.begin(), start.end());
  }
  return needed;
}

// Symbols of all pieces, those that most tiles need first, then those that the same codelets need together.
std::vector<std::string> order_by_tiles(const LinkedText& linked, const CodeletGroups& groups,
                                        const std::vector<std::vector<std::uint32_t>>& needed) {
  struct Use {
    std::uint32_t tiles = 0, first_group = ir::kNone;
  };
  std::vector<Use> uses(linked.pieces.size());
  for (std::uint32_t g = 0; g < groups.groups.size(); ++g) {
    std::set<std::uint32_t> pieces;
    for (const std::uint32_t codelet : groups.groups[g].codelets)
      pieces.insert(needed[codelet].begin(), needed[codelet].end());
    for (const std::uint32_t piece : pieces) {
      uses[piece].tiles += groups.groups[g].tiles;
      uses[piece].first_group = std::min(uses[piece].first_group, g);
    }
  }
  std::vector<std::uint32_t> order(uses.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(~uses[a].tiles, uses[a].first_group) < std::pair(~uses[b].tiles, uses[b].first_group);
  });
  std::vector<std::string> symbols;
  for (const std::uint32_t piece : order)
    if (!linked.pieces[piece].symbol.empty()) symbols.push_back(linked.pieces[piece].symbol);
  return symbols;
}

void add_linked(const LinkedText& linked, const graph::Graph& graph, const std::vector<bool>& used, Text& text) {
  text.segments.push_back({linked.text_base, to_words(linked.text)});
  text.text_end = linked.text_base + ir::round_up(linked.text.size(), 4);
  if (!linked.rodata.empty()) text.segments.push_back({linked.rodata_base, to_words(linked.rodata)});
  if (!linked.data.empty()) text.segments.push_back({linked.data_base, to_words(linked.data)});
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    const graph::CodeletInfo& info = graph.codelets[i].info;
    text.entries[i] = linked.symbols.at(info.entry_symbol);
    const bool supervisor = info.kind == graph::CodeletKind::kSupervisor;
    std::uint32_t& stack = supervisor ? text.supervisor_stack : text.worker_stack;
    const std::uint32_t needed = linked.stack_size.at(info.entry_symbol);
    if (!supervisor && needed > stack) text.deepest = info.name;
    stack = std::max(stack, needed);
  }
  if (const auto start = linked.symbols.find(kWorkerSymbol); start != linked.symbols.end())
    text.worker_start = start->second;
  for (const auto& [name, address] : linked.symbols) {
    if (address < linked.text_base || address >= text.text_end) continue;
    const auto size = linked.symbol_sizes.find(name);
    text.symbols.push_back({address, size == linked.symbol_sizes.end() ? 0 : size->second, name});
  }
  for (const LinkedPiece& piece : linked.pieces) text.pieces.push_back({piece.address, piece.address + piece.bytes});
  text.needed = needed_pieces(linked, graph, used);
}

// Data of the device code ends where `needed` bytes from its base do.
std::uint32_t data_bytes(const LinkedText& linked, std::uint32_t base) {
  return std::max({linked.rodata_base + static_cast<std::uint32_t>(linked.rodata.size()),
                   linked.data_base + static_cast<std::uint32_t>(linked.data.size()), linked.bss_base + linked.bss_size,
                   base}) -
         base;
}

}  // namespace

Text link_text(const graph::Graph& graph, const ir::Program& program, const spec::Machine& machine, bool by_tile) {
  Text text;
  text.entries.assign(graph.codelets.size(), 0);
  text.copy_routine = machine.memory_base;
  const std::vector<std::uint32_t> routine = copy_routine();
  text.segments.push_back({text.copy_routine, routine});
  text.symbols.push_back({text.copy_routine, static_cast<std::uint32_t>(4 * routine.size()), "copy in tile"});
  text.text_end = machine.memory_base + 4 * routine.size();
  const std::uint32_t top = machine.memory_end() - kTopMargin;
  text.data_base = text.data_end = text.data_top = top;

  const std::vector<bool> used = used_codelets(graph, program);
  std::vector<std::string> entries;
  bool workers = false;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    entries.push_back(graph.codelets[i].info.entry_symbol);
    workers = workers || graph.codelets[i].info.kind != graph::CodeletKind::kSupervisor;
  }
  if (entries.empty()) return text;
  if (workers) entries.push_back(kWorkerSymbol);
  // Every library of the graph takes part: codelets may call functions of files that were added beside theirs.
  std::vector<const CodeletLibrary*> libraries;
  for (const auto& library : graph.libraries) libraries.push_back(library.get());

  LinkLayout layout{.text_base = static_cast<std::uint32_t>(ir::round_up(text.text_end, 16)),
                    .data_base = (top - kUsualData) / 16 * 16};
  LinkedText linked = link_tile_text(libraries, entries, layout);
  if (const std::uint32_t needed = data_bytes(linked, layout.data_base); needed == 0) {
    layout.data_base = top;
  } else if (needed > top - layout.data_base) {
    layout.data_base = (top - needed - 16) / 16 * 16;
    linked = link_tile_text(libraries, entries, layout);
  }
  // Text in one element leaves none free, wherever it lies.
  if (by_tile && linked.text_base + linked.text.size() > machine.memory_base + machine.element_bytes) {
    const CodeletGroups groups = codelet_groups(program);
    layout.order = order_by_tiles(linked, groups, needed_pieces(linked, graph, used));
    if (groups.groups.size() > 1) linked = link_tile_text(libraries, entries, layout);
  }
  text.data_base = layout.data_base;
  text.data_end = text.data_base + data_bytes(linked, layout.data_base);
  add_linked(linked, graph, used, text);
  text.elf = std::move(linked.elf);
  std::sort(text.symbols.begin(), text.symbols.end(),
            [](const TextSymbol& a, const TextSymbol& b) { return a.address < b.address; });
  return text;
}

void set_worker_stack(Text& text, std::uint32_t bytes) {
  if (bytes < text.worker_stack)
    throw StackTooSmall("a worker's stack of " + std::to_string(bytes) + " bytes is too small: codelet '" +
                        text.deepest + "' needs " + std::to_string(text.worker_stack));
  text.worker_stack = bytes;
}

std::string dump(const Text& text) {
  std::array<char, 32> line;
  std::snprintf(line.data(), line.size(), "text ends at 0x%05x", text.text_end);
  std::string result = line.data();
  std::snprintf(line.data(), line.size(), ", data from 0x%05x", text.data_base);
  result += line.data();
  result += ", stacks " + std::to_string(text.worker_stack) + " and " + std::to_string(text.supervisor_stack) + "\n";
  for (const TextSymbol& symbol : text.symbols) {
    std::snprintf(line.data(), line.size(), "0x%05x %u ", symbol.address, symbol.bytes);
    result += line.data() + symbol.name + "\n";
  }
  return result;
}

}  // namespace tessera::compiler
