#include "sw/firmware/host/firmware_names.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "program/name_table.h"

namespace tessera::firmware {
namespace {

void add_stacks(const ElfImage& image, const spec::Machine& machine, names::ProgramInfo& info) {
  const ElfSymbol* top = image.symbol("__supervisor_stack_top");
  const ElfSymbol* limit = image.symbol("__supervisor_stack_limit");
  const ElfSymbol* workers = image.symbol("__worker_stacks_top");
  const ElfSymbol* base = image.symbol("__stacks_base");
  if (top == nullptr || limit == nullptr || workers == nullptr || base == nullptr) return;
  constexpr uint32_t kEvery = names::Stack::kEveryTile;
  info.stacks.push_back({kEvery, limit->address, top->address - limit->address, 0});
  const uint32_t bytes = (workers->address - base->address) / machine.workers;
  for (unsigned worker = 0; worker < machine.workers; ++worker)
    info.stacks.push_back({kEvery, workers->address - (worker + 1) * bytes, bytes, static_cast<uint8_t>(worker + 1)});
}

}  // namespace

names::ProgramInfo firmware_names(const std::vector<ElfImage>& images, const std::vector<unsigned>& tiles,
                                  const spec::Machine& machine) {
  names::ProgramInfo info;
  info.title = std::filesystem::path(images.front().path).filename().string();
  info.elf = images.front().file;
  names::NameTable names(info.names);
  for (const ElfImage& image : images)
    for (const ElfSymbol& symbol : image.symbols)
      if (symbol.function && symbol.bytes != 0)
        info.symbols.push_back({symbol.address, symbol.bytes, names.of(symbol.name)});
  std::stable_sort(info.symbols.begin(), info.symbols.end(),
                   [](const names::Symbol& a, const names::Symbol& b) { return a.address < b.address; });
  for (unsigned tile : tiles)
    for (const ElfImage& image : images)
      for (const ElfSymbol& symbol : image.symbols)
        if (symbol.object && symbol.bytes != 0)
          info.variables.push_back(
              {.tile = tile, .address = symbol.address, .bytes = symbol.bytes, .name = names.of(symbol.name)});
  std::stable_sort(info.variables.begin(), info.variables.end(),
                   [](const names::Variable& a, const names::Variable& b) {
                     return std::tie(a.tile, a.address) < std::tie(b.tile, b.address);
                   });
  add_stacks(images.front(), machine, info);
  return info;
}

}  // namespace tessera::firmware
