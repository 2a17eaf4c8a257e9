#include "compiler/codelet/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "compiler/codelet/call_graph.h"
#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/link_map.h"
#include "compiler/codelet/object_file.h"
#include "compiler/codelet/read_whole_file.h"
#include "compiler/codelet/scratch_directory.h"
#include "compiler/codelet/sha256.h"
#include "compiler/codelet/subprocess.h"
#include "compiler/codelet/toolchain.h"

namespace tessera::compiler {
namespace {

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string key_of(const std::vector<const CodeletObject*>& objects, const std::vector<std::string>& entries,
                   const LinkLayout& layout, const std::string& linker, const std::string& script) {
  Sha256 key;
  key.update_field(fmt::format("link 3 {} {}", layout.text_base, layout.data_base));
  for (const std::string& symbol : layout.order) key.update_field("order " + symbol);
  key.update_field(file_identity(linker));
  key.update_field(script);
  for (const std::string& entry : entries) key.update_field(entry);
  for (const CodeletObject* object : objects) key.update_field(text_of(object->elf));
  return key.hex();
}

// lld's text, one line per complaint and without the paths of the scratch directory.
std::string readable_errors(const std::string& output, const std::vector<const CodeletObject*>& objects,
                            const ScratchDirectory& scratch) {
  std::string result = output;
  const auto replace = [&result](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = result.find(from, at)) != std::string::npos; at += to.size()) {
      result.replace(at, from.size(), to);
    }
  };
  for (std::size_t i = 0; i < objects.size(); ++i) replace(scratch.file(fmt::format("{}.o", i)), objects[i]->name);
  replace("ld.lld-19: error: ", "");
  replace("ld.lld: error: ", "");
  while (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

// What the linker writes: the image, and its map of what lies where.
struct Linked {
  std::string image, map;
};

Linked run_linker(const std::vector<const CodeletObject*>& objects, const std::vector<std::string>& entries,
                  const LinkLayout& layout, const std::string& linker, const std::string& script) {
  const ScratchDirectory scratch;
  const std::string output = scratch.file("image.elf"), map = scratch.file("image.map");
  std::vector<std::string> command = {linker,
                                      "-m",
                                      "elf32lriscv",
                                      "--gc-sections",
                                      "--no-relax",
                                      "--nmagic",
                                      "--orphan-handling=error",
                                      "-T",
                                      script,
                                      fmt::format("--defsym=__text_base={:#x}", layout.text_base),
                                      fmt::format("--defsym=__data_base={:#x}", layout.data_base),
                                      "-Map=" + map,
                                      "-o",
                                      output};
  if (!layout.order.empty())
    command.insert(command.end(), {"--symbol-ordering-file",
                                   scratch.write("order", fmt::format("{}\n", fmt::join(layout.order, "\n"))),
                                   "--no-warn-symbol-ordering"});
  if (!entries.empty()) command.insert(command.end(), {"-e", entries.front()});
  for (const std::string& entry : entries) command.insert(command.end(), {"-u", entry});
  for (std::size_t i = 0; i < objects.size(); ++i) {
    command.push_back(scratch.write(fmt::format("{}.o", i), text_of(objects[i]->elf)));
  }
  const ToolResult result = run_tool(command);
  if (result.status != 0) {
    scratch.check_room(result);
    throw CodeletError(CodeletError::Kind::kLink, readable_errors(result.output, objects, scratch));
  }
  const auto image = read_whole_file(output), table = read_whole_file(map);
  if (!image || !table) throw CodeletError(CodeletError::Kind::kLink, "the linker wrote no image");
  return {*image, *table};
}

LinkedText take_apart(const std::string& image, const LinkLayout& layout) {
  const formats::ElfFile elf =
      read_object({reinterpret_cast<const std::uint8_t*>(image.data()), image.size()}, "the linked image");
  LinkedText linked;
  linked.elf.assign(image.begin(), image.end());
  linked.text_base = layout.text_base;
  linked.rodata_base = layout.data_base;
  for (const formats::ElfSection& section : elf.sections) {
    const std::vector<std::uint8_t> bytes(section.data.begin(), section.data.end());
    if (section.name == ".text") linked.text = bytes;
    if (section.name == ".rodata") linked.rodata = bytes;
    if (section.name == ".data") linked.data_base = section.address, linked.data = bytes;
    if (section.name == ".bss") linked.bss_base = section.address, linked.bss_size = section.size;
  }
  // Empty ones leave no section behind.
  const auto end_of_rodata = static_cast<std::uint32_t>(linked.rodata_base + linked.rodata.size());
  if (linked.data.empty()) linked.data_base = end_of_rodata;
  if (linked.bss_size == 0) linked.bss_base = static_cast<std::uint32_t>(linked.data_base + linked.data.size());
  for (const formats::ElfSymbol& symbol : elf.symbols) {
    if (symbol.type != formats::ElfSymbol::kFunction && symbol.type != formats::ElfSymbol::kObject) continue;
    const std::string name(symbol.name);
    if (symbol.binding == formats::ElfSymbol::kLocal && linked.symbols.contains(name)) continue;
    linked.symbols[name] = symbol.value;
    linked.symbol_sizes[name] = symbol.size;
  }
  return linked;
}

// Workers run vertices, the supervisor its own kind of them; other functions are somebody's support.
CallGraph::Context context_of(const std::vector<const CodeletLibrary*>& libraries, const std::string& entry) {
  for (const CodeletLibrary* library : libraries) {
    for (const auto& codelet : library->codelets) {
      if (codelet.entry_symbol != entry) continue;
      return codelet.kind == graph::CodeletKind::kSupervisor ? CallGraph::Context::kSupervisor
                                                             : CallGraph::Context::kWorker;
    }
  }
  return CallGraph::Context::kEither;
}

// Sections of one name in one object are needed together.
void add_pieces(const std::vector<PlacedSection>& placed, const CallGraph& calls,
                const std::vector<std::string>& entries, LinkedText& linked) {
  std::map<CallGraph::Section, std::vector<std::uint32_t>> pieces_of;
  for (const PlacedSection& section : placed) {
    const CallGraph::Section own{section.object, section.name};
    pieces_of[own].push_back(static_cast<std::uint32_t>(linked.pieces.size()));
    linked.pieces.push_back({section.address, section.bytes, calls.symbol_in(own)});
  }
  for (const std::string& entry : entries) {
    std::vector<std::uint32_t>& needed = linked.needed[entry];
    for (const CallGraph::Section& section : calls.sections(entry))
      if (const auto found = pieces_of.find(section); found != pieces_of.end())
        needed.insert(needed.end(), found->second.begin(), found->second.end());
    std::sort(needed.begin(), needed.end());
  }
}

}  // namespace

CodeletLibrary load_runtime_library() { return load_gp(device_root() + "/runtime.gp"); }

LinkedText link_tile_text(const std::vector<const CodeletLibrary*>& libraries, const std::vector<std::string>& entries,
                          const LinkLayout& layout, const Cache& cache) {
  const CodeletLibrary runtime = load_runtime_library();
  std::vector<const CodeletLibrary*> all = libraries;
  all.push_back(&runtime);
  const auto objects = distinct_objects(all);
  const std::string linker = find_tool("ld.lld-19", "lld-19");
  const std::string script = device_root() + "/tile.ld";
  const std::string key = key_of(objects, entries, layout, linker, read_whole_file(script).value_or(""));
  auto image = cache.find(key + ".elf"), map = cache.find(key + ".map");
  if (!image || !map) {
    Linked fresh = run_linker(objects, entries, layout, linker, script);
    image = std::move(fresh.image), map = std::move(fresh.map);
  }
  LinkedText linked = take_apart(*image, layout);

  const CallGraph calls(objects);
  for (const std::string& entry : entries) {
    calls.require_executable(entry, context_of(all, entry));
    linked.stack_size[entry] = calls.stack_size(entry);
  }
  add_pieces(read_link_map(*map), calls, entries, linked);
  cache.store(key + ".elf", *image);
  cache.store(key + ".map", *map);
  return linked;
}

}  // namespace tessera::compiler
