// tessera size ELF...: where the memory of a tile goes.
#include <fmt/format.h>

#include <map>
#include <set>

#include "rtl/spec/system.h"
#include "sw/firmware/host/elf_image.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

struct Part {
  std::string name;
  uint32_t address = 0, bytes = 0;
};

std::vector<Part> parts_of(const firmware::ElfImage& image, const spec::Machine& machine) {
  std::vector<Part> parts;
  for (const firmware::Section& section : image.sections)
    if (section.loaded && section.bytes != 0 && section.address >= machine.memory_base)
      parts.push_back({section.name, section.address, section.bytes});
  // Stacks are no sections: nothing of them is loaded.
  const auto* top = image.symbol("__supervisor_stack_top");
  const auto* limit = image.symbol("__supervisor_stack_limit");
  const auto* base = image.symbol("__stacks_base");
  if (top != nullptr && limit != nullptr && base != nullptr) {
    parts.push_back({"worker stacks", base->address, limit->address - base->address});
    parts.push_back({"supervisor stack", limit->address, top->address - limit->address});
  }
  return parts;
}

std::string elements_text(const std::set<unsigned>& elements) {
  std::string text;
  for (auto at = elements.begin(); at != elements.end();) {
    const unsigned first = *at;
    unsigned last = first;
    while (++at != elements.end() && *at == last + 1) last = *at;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last != first) text += fmt::format("-{}", last);
  }
  return text;
}

void report(const std::string& path, const std::string& machine_name) {
  const firmware::ElfImage image = firmware::read_elf_image(path);
  const spec::Machine machine = spec::load_runnable(!machine_name.empty()    ? machine_name
                                                    : !image.machine.empty() ? image.machine
                                                                             : "mk2-16");
  firmware::check_fits(image, machine);
  fmt::print("{}: for every tile of {} it is loaded into\n", path, machine.name);
  fmt::print("{:<18} {:>8} {:>9}  {}\n", "section", "address", "bytes", "memory elements");
  uint32_t used = 0;
  std::set<unsigned> touched;
  for (const Part& part : parts_of(image, machine)) {
    std::set<unsigned> elements;
    for (uint32_t at = part.address & ~7u; at < part.address + part.bytes; at += 8)
      elements.insert(machine.element_of(at));
    touched.insert(elements.begin(), elements.end());
    used += part.bytes;
    fmt::print("{:<18} {:#8x} {:9}  {}\n", part.name, part.address, part.bytes, elements_text(elements));
  }
  fmt::print("{:<18} {:>8} {:9}  {} of {} in use\n", "used", "", used, touched.size(), machine.elements());
  fmt::print("{:<18} {:>8} {:9}  of {} KiB a tile\n", "free", "", machine.memory_bytes - used,
             machine.memory_bytes / 1024);
  if (const firmware::Section* formats = image.section(".tessera.formats"); formats != nullptr && formats->bytes != 0)
    fmt::print("printf formats: {} bytes, in the file only\n", formats->bytes);
}

}  // namespace

void add_size(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "size", "Shows where the memory of a tile goes: text, data, stacks, what is free, and which memory elements");
  struct Options {
    std::vector<std::string> files;
    std::string machine;
  };
  auto o = std::make_shared<Options>();
  command->add_option("ELF", o->files, "firmware")->required();
  command->add_option("--machine", o->machine, "machine, if the file does not say");
  command->callback([o] {
    for (const std::string& file : o->files) report(file, o->machine);
  });
}

}  // namespace tessera::tool
