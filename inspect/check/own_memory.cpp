#include "inspect/check/own_memory.h"

#include "formats/elf.h"

namespace tessera::inspect::check {

OwnMemory::OwnMemory(const names::ProgramInfo& program) : program_(program) {
  if (program.elf.empty()) return;
  const formats::ElfFile elf = formats::read_elf(program.elf);
  for (const formats::ElfSection& section : elf.sections)
    if (section.is_loaded() || section.is_zeroed())
      (section.is_writable() ? writable_ : constant_).push_back({section.address, section.address + section.size});
}

bool OwnMemory::owns(const names::Vertex& vertex, unsigned context, uint32_t address, bool store) const {
  // Nobody writes the pointers; scalars of the state are fields.
  if (!store && address - vertex.address < vertex.bytes) return true;
  for (uint32_t i = vertex.first_field; i < vertex.first_field + vertex.fields; ++i) {
    const names::Field& field = program_.fields[i];
    if (address - field.address < field.bytes && !(store && field.kind == names::FieldKind::kInput)) return true;
  }
  const names::Stack* stack = program_.stack_of(vertex.tile, static_cast<uint8_t>(context));
  if (stack != nullptr && address - stack->address < stack->bytes) return true;
  for (const Range& range : writable_)
    if (range.has(address)) return true;
  for (const Range& range : constant_)
    if (!store && range.has(address)) return true;
  return false;
}

bool OwnMemory::is_data(const names::Vertex& vertex, unsigned context, uint32_t address) const {
  for (uint32_t i = vertex.first_field; i < vertex.first_field + vertex.fields; ++i)
    if (address - program_.fields[i].address < program_.fields[i].bytes) return true;
  const names::Stack* stack = program_.stack_of(vertex.tile, static_cast<uint8_t>(context));
  return (stack != nullptr && address - stack->address < stack->bytes) ||
         program_.variable_at(vertex.tile, address) != nullptr;
}

bool OwnMemory::is_of_others(unsigned tile, uint32_t address) const {
  if (program_.variable_at(tile, address) != nullptr || program_.vertex_at(tile, address) != nullptr) return true;
  for (uint8_t context = 0; context < 7; ++context) {
    const names::Stack* stack = program_.stack_of(tile, context);
    if (stack != nullptr && address - stack->address < stack->bytes) return true;
  }
  return false;
}

bool OwnMemory::may_load(const names::Vertex& vertex, unsigned context, uint32_t address, uint32_t bytes) const {
  for (const uint32_t at : {address, address + bytes - 1})
    if (!owns(vertex, context, at, false) && is_of_others(vertex.tile, at)) return false;
  return true;
}

bool OwnMemory::may_store(const names::Vertex& vertex, unsigned context, uint32_t address, uint32_t bytes) const {
  return owns(vertex, context, address, true) && owns(vertex, context, address + bytes - 1, true);
}

}  // namespace tessera::inspect::check
