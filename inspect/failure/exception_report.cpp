// What an exception of an instruction was about.
#include <fmt/format.h>

#include <algorithm>

#include "inspect/failure/case.h"
#include "inspect/failure/code_check.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/failure/memory_origin.h"
#include "inspect/failure/program_text.h"
#include "inspect/failure/provenance.h"
#include "inspect/pipeline.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"

namespace tessera::inspect::failure {
namespace {

std::string float_flags(uint32_t flags) {
  std::string text;
  for (const auto& [bit, name] : {std::pair{16u, "invalid operation"}, {8u, "divide by zero"}, {4u, "overflow"}})
    if ((flags & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(name);
  return text.empty() ? fmt::format("flags {:#x}", flags) : text;
}

class ExceptionReport {
 public:
  ExceptionReport(Case& c, unsigned tile, const chip::ExceptionStatus& status, const History& history)
      : case_(c),
        words_(c.words),
        tile_(tile),
        status_(status),
        context_(history.tile(tile).contexts[status.context]),
        history_(history) {}

  std::string text() {
    {
      StoppedChip chip(case_.run);
      read(chip);
      cause(chip);
      registers(chip);
    }
    origins();
    const std::string kind =
        check_ ? "failed check"
               : fmt::format("{} exception ({})", spec::cause_name(status_.cause), spec::cause_reason(status_.cause));
    std::string text = fmt::format("{}, {}: {}: {}", capital(words_.tile(tile_)), context_name(status_.context), kind,
                                   check_ ? check_->what : what_);
    if (vertex_ != nullptr) text += row("in", words_.vertex(*vertex_));
    text += row("at", words_.place(tile_, check_ ? check_->pc : status_.pc));
    text += details_;
    const Run::Boundary superstep = case_.run.boundary_before(status_.cycle);
    const std::string step = history_.step(tile_);
    text += row("when",
                fmt::format("cycle {}, {} cycles into superstep {}{}", status_.cycle, status_.cycle - superstep.cycle,
                            superstep.superstep, step.empty() ? "" : ", step " + step));
    const std::string last = listing(words_, context_);
    if (!last.empty()) text += "\n  last instructions of " + the_context(status_.context) + ":" + last;
    return text + provenance();
  }

 private:
  struct Operand {
    Source source;
    uint64_t value;
  };

  struct Loaded {
    uint32_t address, value;
    uint8_t into;  // register
  };

  void read(StoppedChip& chip) {
    vertex_ = history_.vertex(tile_, status_.context);
    if (vertex_ == nullptr && status_.context != 0)
      vertex_ = vertex_by_list(
          words_, tile_, chip.csr(tile_, status_.context, static_cast<unsigned>(spec::Csr::Xvbase)),
          chip.x(tile_, status_.context, kListRegister), [&](uint32_t at) { return chip.word(tile_, at); });
    const chip::Retire* record = context_.last.empty() ? nullptr : &context_.last.back();
    executed_ = static_cast<spec::Cause>(status_.cause) != spec::Cause::Pc;
    if (!executed_) return;
    if (record != nullptr && record->cycle == status_.cycle && record->pc == status_.pc) {
      instruction_ = record->instruction;
    } else if (in_memory(status_.pc) && status_.pc % 4 == 0) {
      instruction_ = chip.word(tile_, status_.pc);
    }
    for (const Source& s : sources_of(instruction_))
      operands_.push_back(
          {s, s.is_float ? chip.f(tile_, status_.context, s.number) : chip.x(tile_, status_.context, s.number)});
  }

  void cause(StoppedChip& chip) {
    switch (static_cast<spec::Cause>(status_.cause)) {
      case spec::Cause::Address:
        address();
        break;
      case spec::Cause::Clash:
        clash(chip);
        break;
      case spec::Cause::Float:
        what_ = float_flags(status_.value) + " in `" + disassembly() + "`";
        asked_ = sources_of(instruction_);
        break;
      case spec::Cause::Pc:
        wild_pc();
        break;
      case spec::Cause::Stack:
        stack(chip);
        break;
      case spec::Cause::Illegal:
        check_ = explain_code_check(words_, chip, tile_, status_, vertex_);
        if (!check_) illegal();
        break;
      case spec::Cause::Operand:
        asked_ = sources_of(instruction_);
        what_ = fmt::format("`{}` was given {:#x}", disassembly(), status_.value);
        if (spec::decode(instruction_) == spec::Opcode::Hsend && operands_.size() == 2)
          what_ = fmt::format(
              "`{}`: a packet of {} at {:#x}; 2 to 258 words are possible, between a sync of zone 3 or 4 "
              "and the next of zone 2",
              disassembly(), counted(operands_[1].value, "word"), operands_[0].value);
        break;
      case spec::Cause::Trap:
        what_ = fmt::format("`{}`, value {:#x}", disassembly(), status_.value);
        break;
      default:
        what_ = fmt::format("`{}`, value {:#x}", disassembly(), status_.value);
    }
  }

  void address() {
    const Access access = access_of(instruction_);
    const std::string made = access.bytes == 0
                                 ? "`" + disassembly() + "` at"
                                 : fmt::format("{} of {} {}", access.store ? "store" : "load",
                                               counted(access.bytes, "byte"), access.store ? "to" : "from");
    const std::string place = words_.address(tile_, status_.value, vertex_);
    const bool misaligned = access.bytes != 0 && status_.value % access.bytes != 0;
    what_ = fmt::format("{} {:#x}{}{}", made, status_.value,
                        misaligned ? fmt::format(", which is no multiple of {}", access.bytes) : "",
                        place.empty() ? "" : ", " + place);
    if (access.bytes == 0) return;
    note_base(access.base);
    asked_.push_back({false, access.base});
  }

  // The other access is the fetch made in the cycle in which this instruction's data access is.
  void clash(StoppedChip& chip) {
    const Access access = access_of(instruction_);
    const std::string place = words_.address(tile_, status_.value, vertex_);
    what_ = fmt::format("{} {:#x}{}",
                        access.bytes == 0 ? "data access at"
                        : access.store    ? "store to"
                                          : "load from",
                        status_.value, place.empty() ? "" : ", " + place);
    if (!in_memory(status_.value)) return;
    const unsigned element = words_.machine().element_of(status_.value);
    const unsigned slot = (status_.cycle + kToMemory) % 6;
    const unsigned fetching = (chip.active(tile_) >> slot & 1) != 0 ? slot + 1 : 0;
    const uint32_t pc = chip.pc(tile_, fetching);
    if (in_memory(pc) && words_.machine().element_of(pc) == element) {
      what_ +=
          fmt::format(", in the memory element of the text that {} fetched in the same cycle", the_context(fetching));
      details_ +=
          row("fetch", fmt::format("{}: {}, also in element {}", context_name(fetching), words_.place(pc), element));
    } else {
      what_ += ", and the instruction's other read is in the same memory element";
      details_ += row("element", fmt::format("{} holds both", element));
    }
    if (access.bytes != 0) note_base(access.base);
  }

  void wild_pc() {
    what_ = fmt::format("jump to {:#x}{}", status_.pc, status_.pc % 4 != 0 ? ", which is no multiple of 4" : "");
    const std::string place = words_.address(tile_, status_.pc, nullptr);
    if (!place.empty()) what_ += ", " + place;
    note_jump();
  }

  void illegal() {
    if (words_.program().symbol_at(tile_, status_.pc) == nullptr && !words_.program().symbols.empty()) {
      const std::string place = words_.address(tile_, status_.pc, nullptr);
      if (!place.empty()) {
        what_ =
            fmt::format("{:#010x} is executed as an instruction, but {:#x} is {}", status_.value, status_.pc, place);
        note_jump();
        return;
      }
    }
    const std::string decoded = spec::disassemble(status_.value, status_.pc);
    what_ = spec::is_trap(status_.value) ? "the program trapped: a failed assert, or __builtin_trap"
            : spec::is_double_arithmetic(status_.value)
                ? fmt::format("{:#010x} is double arithmetic, which the tile has not; use float", status_.value)
            : decoded.starts_with(".word")
                ? fmt::format("{:#010x} is no instruction", status_.value)
                : fmt::format("the {} may not execute `{}`", context_name(status_.context), decoded);
  }

  void stack(StoppedChip& chip) {
    const uint32_t limit = chip.csr(tile_, status_.context, static_cast<unsigned>(spec::Csr::Xstacklimit));
    const std::string function = words_.function(status_.pc);
    what_ = fmt::format("the stack pointer would go to {:#x}, {} below the stack's end {:#x}{}", status_.value,
                        counted(limit - status_.value, "byte"), limit, function.empty() ? "" : ", in " + function);
    if (const names::Stack* stack = words_.program().stack_of(tile_, status_.context))
      details_ +=
          row("stack", fmt::format("{:#x}..{:#x}, {}; it was at {:#x}", stack->address, stack->address + stack->bytes,
                                   counted(stack->bytes, "byte"), chip.x(tile_, status_.context, spec::kStackPointer)));
    const uint32_t caller = chip.x(tile_, status_.context, spec::kReturnAddress);
    if (in_memory(caller)) details_ += row("called from", words_.place(caller - 4));
  }

  // The instruction before a pc that is none.
  void note_jump() {
    const auto& last = context_.last;
    for (auto r = last.rbegin(); r != last.rend(); ++r) {
      if (r->pc == status_.pc && r->cycle == status_.cycle) continue;
      details_ += row("from", fmt::format("`{}`, {}", spec::disassemble(r->instruction, r->pc), words_.place(r->pc)));
      for (const Source& s : sources_of(r->instruction)) note_writer(s);
      asked_ = sources_of(r->instruction);
      return;
    }
  }

  void registers(StoppedChip&) {
    for (const Operand& o : operands_) {
      std::string text = register_value(o.source, o.value);
      if (const chip::Retire* writer = writer_of(o.source)) {
        const uint64_t wrote = written_value(o.source, *writer);
        text += wrote == o.value ? origin(words_, *writer)
                                 : fmt::format(", but {} was written to it{}{}", register_value(o.source, wrote),
                                               changed_bits(wrote, o.value), origin(words_, *writer));
      }
      details_ += row(register_name(o.source), text);
    }
  }

  const chip::Retire* writer_of(const Source& s) const {
    const chip::Retire& writer = (s.is_float ? context_.f_writer : context_.x_writer)[s.number];
    return writer.valid ? &writer : nullptr;
  }
  void note_writer(const Source& s) {
    const chip::Retire* writer = writer_of(s);
    if (writer == nullptr) return;
    details_ += row(register_name(s), register_value(s, writer->reg_data) + origin(words_, *writer));
    note_base(s.number);
  }

  // A bad address that was loaded from memory: where it stood is looked at after the registers.
  void note_base(unsigned base) {
    const chip::Retire& writer = context_.x_writer[base];
    if (!writer.valid || !writer.reg_write) return;
    const Access access = access_of(writer.instruction);
    if (access.bytes != 4 || access.store) return;
    // The base of that load, unless it has been written over since.
    const chip::Retire& before = context_.x_writer[access.base];
    if (access.base == writer.reg || !before.valid || before.cycle > writer.cycle) return;
    loaded_.push_back({static_cast<uint32_t>(before.reg_data) + static_cast<uint32_t>(access.offset),
                       static_cast<uint32_t>(writer.reg_data), static_cast<uint8_t>(base)});
  }

  // Who wrote what the bad addresses were loaded from, and the instruction, if it is not the program's.
  void origins() {
    if (const auto linked = linked_word(words_.program().elf, status_.pc);
        executed_ && linked && *linked != instruction_ && words_.program().has_text(tile_, status_.pc))
      details_ +=
          row("text", fmt::format("was changed: the program has `{}` there", spec::disassemble(*linked, status_.pc)) +
                          changed_bits(*linked, instruction_) + last_writer(case_, tile_, status_.pc, vertex_));
    for (const Loaded& loaded : loaded_) {
      if (!in_memory(loaded.address)) continue;
      const std::string place = words_.address(tile_, loaded.address, vertex_);
      std::string text = fmt::format("was loaded from {:#x}{}", loaded.address, place.empty() ? "" : ", " + place);
      if (const names::Field* field = pointed_from(words_, tile_, loaded.address);
          field != nullptr && field->address != loaded.value)
        text += fmt::format(", which should be {:#x}", field->address) + changed_bits(field->address, loaded.value);
      details_ +=
          row(spec::register_name({false, loaded.into}), text + last_writer(case_, tile_, loaded.address, vertex_));
    }
  }

  // The way of what was wrong, in short.
  std::string provenance() {
    if (check_ && check_->value != 0) asked_.push_back({false, static_cast<uint8_t>(check_->value)});
    std::string text;
    Provenance provenance(case_.run, words_, case_.end(), {.depth = 5, .lines = 12, .cycles = 100'000});
    for (const Source& source : asked_)
      text += "\n" + tree(provenance.of_register(tile_, status_.context, source, vertex_), 4);
    return text.empty() ? "" : "\n  where that comes from:" + text;
  }

  std::string disassembly() const { return spec::disassemble(instruction_, status_.pc); }
  bool in_memory(uint32_t address) const {
    return address >= words_.machine().memory_base && address < words_.machine().memory_end();
  }

  Case& case_;
  const Words& words_;
  const unsigned tile_;
  const chip::ExceptionStatus status_;
  const History::Context& context_;
  const History& history_;
  const names::Vertex* vertex_ = nullptr;
  uint32_t instruction_ = 0;
  bool executed_ = false;           // there is an instruction at the pc
  std::optional<CodeCheck> check_;  // that the code made itself
  std::vector<Operand> operands_;
  std::vector<Loaded> loaded_;
  std::vector<Source> asked_;  // registers whose values were wrong
  std::string what_, details_;
};

}  // namespace

std::string explain_exception(Case& c) {
  std::vector<std::pair<unsigned, chip::ExceptionStatus>> all;
  for (unsigned tile = 0; tile < c.words.machine().tiles(); ++tile)
    if (const auto status = c.run.chip().exception(tile); status.cause != 0) all.push_back({tile, status});
  if (all.empty()) return "";
  // The first in time: others may follow from it.
  const auto& [tile, status] = *std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.second.cycle < b.second.cycle; });
  c.involved.insert(c.involved.begin(), tile);
  const History history = replay(c, {tile});
  std::string text;
  if (status.is_of_ports()) {
    const bool parity = static_cast<spec::Cause>(status.cause) == spec::Cause::Parity;
    const PortsFault fault = parity ? explain_parity(c, tile, status) : explain_exchange(c, history, tile, status);
    const Run::Boundary superstep = c.run.boundary_before(status.cycle);
    text =
        fmt::format("{}, {}: {} exception ({}): {}", capital(c.words.tile(tile)), parity ? "memory" : "exchange ports",
                    spec::cause_name(status.cause), spec::cause_reason(status.cause), fault.what) +
        fault.lines +
        row("when", fmt::format("cycle {}, {} cycles into superstep {}", status.cycle, status.cycle - superstep.cycle,
                                superstep.superstep));
  } else {
    text = ExceptionReport(c, tile, status, history).text();
  }
  if (all.size() > 1) {
    std::vector<unsigned> others;
    for (const auto& [other, unused] : all)
      if (other != tile) others.push_back(other);
    text += row("also", c.words.tiles(others) + " excepted, later or in the same cycle");
  }
  return text;
}

}  // namespace tessera::inspect::failure
