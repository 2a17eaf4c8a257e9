#include "inspect/failure/memory_origin.h"

#include <fmt/format.h>

#include <bit>

#include "inspect/failure/instruction_text.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {

std::string last_writer(Case& c, unsigned tile, uint32_t address, const names::Vertex* own) {
  const Words& words = c.words;
  WriteWatch watch(words.program(), words.machine().tiles(), tile, address);
  c.run.go_to(begin_of_replay(c.run, c.end()));
  const uint64_t from = c.run.position();
  c.run.replay(c.end(), &watch);
  switch (watch.by) {
    case WriteWatch::By::kNobody:
      return fmt::format("; nobody has written it since cycle {}", from);
    case WriteWatch::By::kInstruction:
      break;
    case WriteWatch::By::kExchange:
      c.involved.push_back(watch.source);
      return fmt::format("; it came by exchange in cycle {} from {}", watch.cycle, words.tile(watch.source));
    case WriteWatch::By::kPacket:
      return fmt::format("; it came by packet in cycle {}", watch.cycle);
  }
  const chip::Retire& record = watch.record;
  std::string text = fmt::format("; written in cycle {} by {}: `{}`", watch.cycle, the_context(record.context),
                                 spec::disassemble(record.instruction, record.pc));
  if (const std::string line = words.line(record.pc); !line.empty()) text += " at " + line;
  if (watch.vertex == nullptr) return text;
  if (watch.vertex != own) text += ", " + words.vertex(*watch.vertex);
  const std::string seen = words.seen_by(*watch.vertex, address);
  return text + (seen.empty() ? "" : ", for which it was " + seen);
}

const names::Field* pointed_from(const Words& words, unsigned tile, uint32_t address) {
  const names::ProgramInfo& program = words.program();
  const names::Vertex* vertex = program.vertex_at(tile, address);
  for (uint32_t i = 0; vertex != nullptr && i < vertex->fields; ++i)
    if (const names::Field& field = program.fields[vertex->first_field + i]; field.pointer == address) return &field;
  return nullptr;
}

std::string changed_bits(uint64_t should, uint64_t is) {
  const uint64_t changed = should ^ is;
  return std::has_single_bit(changed) ? fmt::format(" (bit {} has turned over)", std::countr_zero(changed)) : "";
}

}  // namespace tessera::inspect::failure
