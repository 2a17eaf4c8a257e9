// What RTL and model were at when they differed: the run up to the differing record, on which both agree.
#include <fmt/format.h>

#include "inspect/failure/case.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/failure/program_text.h"

namespace tessera::inspect::failure {
namespace {

// Registers that the instruction reads, as they were written last.
std::string operands(const Words& words, const History::Context& context, uint32_t instruction) {
  std::string text;
  for (const Source& s : sources_of(instruction)) {
    const chip::Retire& writer = (s.is_float ? context.f_writer : context.x_writer)[s.number];
    if (!writer.valid) continue;
    text += row(register_name(s), register_value(s, written_value(s, writer)) + origin(words, writer));
  }
  return text;
}

}  // namespace

std::string explain_difference(Case& c, const chip::Difference& where) {
  c.involved.push_back(where.tile);
  const History history = replay(c, {where.tile});
  const History::Context& context = history.tile(where.tile).contexts[where.context];
  std::string text = fmt::format("{}, {}: the two sides differ in cycle {}", capital(c.words.tile(where.tile)),
                                 where.pc == 0 ? "exchange ports" : context_name(where.context), where.cycle);
  if (where.pc != 0) {
    const uint32_t instruction = linked_word(c.words.program().elf, where.pc).value_or(0);
    const names::Vertex* vertex = history.vertex(where.tile, where.context);
    if (vertex != nullptr) text += row("in", c.words.vertex(*vertex));
    text += row("at", c.words.place(where.pc));
    if (const Access access = access_of(instruction); access.bytes != 0) {
      const chip::Retire& base = context.x_writer[access.base];
      if (base.valid && base.reg_write && base.reg == access.base) {
        const uint32_t address = static_cast<uint32_t>(base.reg_data) + static_cast<uint32_t>(access.offset);
        const std::string place = c.words.address(where.tile, address, vertex);
        text += row(access.store ? "store to" : "load from",
                    fmt::format("{:#x}{}{}", address, place.empty() ? "" : ", ", place));
      }
    }
    text += operands(c.words, context, instruction);
  }
  const Run::Boundary superstep = c.run.boundary_before(where.cycle);
  const std::string step = history.step(where.tile);
  text += row("when", fmt::format("{} cycles into superstep {}{}", where.cycle - superstep.cycle, superstep.superstep,
                                  step.empty() ? "" : ", step " + step));
  if (const std::string last = listing(c.words, context); !last.empty())
    text += "\n  last instructions of " + the_context(where.context) + ", on which both agree:" + last;
  return text;
}

}  // namespace tessera::inspect::failure
