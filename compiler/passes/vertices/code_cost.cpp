#include "compiler/passes/vertices/code_cost.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "rtl/spec/register_use.h"

namespace tessera::compiler {
namespace {

using spec::Format;
using spec::Opcode;
using spec::Unit;

constexpr unsigned kReturnRegister = 1;
constexpr std::uint64_t kMost = 0xffffffff;  // of any number here, so that products fit

std::uint64_t capped(std::uint64_t slots) { return std::min(slots, kMost); }

struct Instruction {
  std::uint32_t address, word;
  Opcode opcode;

  std::int32_t immediate() const { return spec::immediate_of(spec::info(opcode).format, word); }
  std::uint32_t target() const { return address + static_cast<std::uint32_t>(immediate()); }
  bool is(Opcode which) const { return opcode == which; }
  bool writes(unsigned reg) const {
    return reg != 0 && ((spec::register_use(opcode).writes_x && spec::rd_of(word) == reg) ||
                        (spec::register_use(opcode).updates_x && spec::rs1_of(word) == reg));
  }
  // reg = reg + immediate
  bool moves(unsigned reg) const { return is(Opcode::Addi) && spec::rd_of(word) == reg && spec::rs1_of(word) == reg; }
};

// Instructions [first, last] of a function.
struct Loop {
  std::size_t first, last;
  std::uint64_t turns;  // 0: the code does not tell
};

// What the registers hold, when a turn of a loop has come to an instruction, of what they held when it began.
class Registers {
 public:
  Registers(const std::vector<Instruction>& code, const Loop& loop, std::size_t end) {
    for (unsigned reg = 0; reg < values_.size(); ++reg) values_[reg] = {reg, 0};
    for (std::size_t i = loop.first; i < end; ++i) {
      const Instruction& at = code[i];
      const unsigned rd = spec::rd_of(at.word), rs1 = spec::rs1_of(at.word);
      if (at.is(Opcode::Addi) && rd != 0) {
        values_[rd] = {values_[rs1].origin, values_[rs1].added + at.immediate()};
        continue;
      }
      for (const unsigned reg : {rd, rs1})
        if (at.writes(reg)) values_[reg].origin = std::nullopt;
    }
  }
  // The register whose value that was, but for a constant.
  std::optional<unsigned> origin(unsigned reg) const { return values_[reg].origin; }
  // What was added to the register; none if it does not hold what it held but for a constant.
  std::optional<std::int64_t> moved(unsigned reg) const {
    return values_[reg].origin == reg ? std::optional(values_[reg].added) : std::nullopt;
  }

 private:
  struct Value {
    std::optional<unsigned> origin;
    std::int64_t added;
  };
  std::array<Value, 32> values_;
};

class Function {
 public:
  Function(const Text& text, std::uint32_t entry) {
    const auto after = std::upper_bound(text.symbols.begin(), text.symbols.end(), entry,
                                        [](std::uint32_t at, const TextSymbol& symbol) { return at < symbol.address; });
    const std::uint32_t next = after == text.symbols.end() ? text.text_end : after->address;
    const std::uint32_t bytes = after == text.symbols.begin() ? 0 : std::prev(after)->bytes;
    const std::uint32_t end = bytes == 0 ? next : std::prev(after)->address + bytes;
    for (const image::Segment& segment : text.segments)
      for (std::uint32_t at = entry; at < end; at += 4) {
        const std::uint64_t index = (std::uint64_t{at} - segment.address) / 4;
        if (at < segment.address || index >= segment.words.size()) break;
        const Opcode opcode = spec::decode(segment.words[index]);
        if (opcode == Opcode::Illegal) break;
        code_.push_back({at, segment.words[index], opcode});
      }
    find_loops();
    find_skipped();
  }

  const std::vector<Instruction>& code() const { return code_; }
  const std::vector<Loop>& loops() const { return loops_; }  // outer ones before those in them

  // Where the call at that instruction goes; none if it is no call, or if it is beside loops: what another path than
  // that with the loops does, for vectors of no elements say.
  std::optional<std::uint32_t> callee(std::size_t i) const {
    const Instruction& jump = code_[i];
    std::uint32_t to = 0;
    if (jump.is(Opcode::Jal)) {
      to = jump.target();
    } else if (jump.is(Opcode::Jalr) && i > 0 && code_[i - 1].is(Opcode::Auipc) &&
               spec::rd_of(code_[i - 1].word) == spec::rs1_of(jump.word)) {
      to = code_[i - 1].target() + static_cast<std::uint32_t>(jump.immediate());
    } else {
      return std::nullopt;
    }
    const bool inside = to >= code_.front().address && to <= code_.back().address;
    const bool call = spec::rd_of(jump.word) == kReturnRegister;
    if (inside && !call) return std::nullopt;
    if (!loops_.empty() && (!call || beside_loops(i))) return std::nullopt;
    return to;
  }

  // The least distance by which a turn moves a pointer that it reads or writes through, 0 if there is none.
  std::uint32_t step_of(const Loop& loop) const {
    std::uint32_t least = 0;
    const auto take = [&](std::int64_t step) {
      const auto bytes = static_cast<std::uint32_t>(step < 0 ? -step : step);
      if (bytes != 0 && (least == 0 || bytes < least)) least = bytes;
    };
    const Registers after(code_, loop, loop.last + 1);
    for (std::size_t i = loop.first; i <= loop.last; ++i) {
      const Unit unit = spec::info(code_[i].opcode).unit;
      if (unit == Unit::Stream) take(spec::access_bytes(code_[i].opcode));
      if (unit != Unit::Load && unit != Unit::Store) continue;
      const Registers before(code_, loop, i);
      if (const auto pointer = before.origin(spec::rs1_of(code_[i].word))) take(after.moved(*pointer).value_or(0));
    }
    return least;
  }

 private:
  void find_loops() {
    std::map<std::size_t, Loop> by_head;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& at = code_[i];
      if (at.is(Opcode::Rpt) || at.is(Opcode::Rpti)) {
        const bool known = at.is(Opcode::Rpti);
        const std::size_t length = known ? spec::repeat_length_of(at.word) : at.immediate();
        const std::size_t last = std::min(i + length, code_.size() - 1);
        if (last > i)
          by_head.try_emplace(i + 1, Loop{i + 1, last, known ? static_cast<std::uint64_t>(at.immediate()) : 0});
        continue;
      }
      const bool jump = at.is(Opcode::Jal) && spec::rd_of(at.word) == 0;
      if (!jump && spec::info(at.opcode).format != Format::B) continue;
      if (at.target() > at.address || at.target() < code_.front().address) continue;
      const std::size_t head = (at.target() - code_.front().address) / 4;
      by_head.insert_or_assign(head, Loop{head, i, 0});
    }
    for (const auto& [head, loop] : by_head) loops_.push_back(loop);
    // Of two that overlap the first reaches to the end of the second: then each is inside or outside of each other.
    for (std::size_t i = loops_.size(); i-- > 0;)
      for (std::size_t j = i + 1; j < loops_.size() && loops_[j].first <= loops_[i].last; ++j)
        loops_[i].last = std::max(loops_[i].last, loops_[j].last);
    for (Loop& loop : loops_)
      if (loop.turns == 0) loop.turns = turns_of(loop);
  }

  bool beside_loops(std::size_t i) const {
    if (!skipped_[i]) return false;
    return std::none_of(loops_.begin(), loops_.end(),
                        [&](const Loop& loop) { return loop.first <= i && i <= loop.last; });
  }

  // The register's value before the loop, if the code loads a constant.
  std::optional<std::int64_t> constant_before(const Loop& loop, unsigned reg) const {
    std::int64_t sum = 0;
    if (reg == 0) return 0;
    for (std::size_t i = loop.first; i-- > 0;) {
      const Instruction& at = code_[i];
      if (!at.writes(reg)) continue;
      if (at.is(Opcode::Lui)) return sum + at.immediate();
      if (at.is(Opcode::Addi) && spec::rs1_of(at.word) == 0) return sum + at.immediate();
      if (!at.moves(reg)) return std::nullopt;
      sum += at.immediate();
    }
    return std::nullopt;
  }

  // Of a loop that counts from one constant to another.
  std::uint64_t turns_of(const Loop& loop) const {
    const Instruction& end = code_[loop.last];
    if (spec::info(end.opcode).format != Format::B) return 0;
    const Registers after(code_, loop, loop.last);
    unsigned counter = spec::rs1_of(end.word), limit = spec::rs2_of(end.word);
    if (after.moved(counter) == 0) std::swap(counter, limit);
    const auto step = after.moved(counter), from = constant_before(loop, counter), to = constant_before(loop, limit);
    if (!step || *step == 0 || after.moved(limit) != 0 || !from || !to) return 0;
    const std::int64_t turns = (*to - *from) / *step;
    return turns > 0 ? capped(static_cast<std::uint64_t>(turns)) : 0;
  }

  // Code behind a jump forward or a return: another path comes to it.
  void find_skipped() {
    skipped_.assign(code_.size(), false);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& at = code_[i];
      const bool jump = at.is(Opcode::Jal) && spec::rd_of(at.word) == 0;
      if (!jump && !(at.is(Opcode::Jalr) && spec::rd_of(at.word) == 0)) continue;
      const std::uint32_t to = jump ? at.target() : code_.back().address + 4;
      for (std::size_t j = i + 1; j < code_.size() && code_[j].address < to; ++j) skipped_[j] = true;
    }
  }

  std::vector<Instruction> code_;
  std::vector<Loop> loops_;
  std::vector<bool> skipped_;  // by instruction
};

class Estimator {
 public:
  explicit Estimator(const Text& text) : text_(text) {}

  // Of a function that is being looked at, so one that calls itself: nothing more.
  const CodeCost& function(std::uint32_t entry) {
    const auto [known, fresh] = functions_.try_emplace(entry);
    if (!fresh) return known->second;
    const Function function(text_, entry);
    std::size_t loop = 0;
    return known->second = part(function, 0, function.code().size(), loop);
  }

 private:
  // Instructions [begin, end); `loop`: the first of the function's loops that begins there, then behind.
  CodeCost part(const Function& function, std::size_t begin, std::size_t end, std::size_t& loop) {
    CodeCost cost;
    std::vector<CodeCost::Loop> own;  // of this part, that hold no other one
    for (std::size_t i = begin; i < end;) {
      if (loop < function.loops().size() && function.loops()[loop].first == i) {
        const Loop& here = function.loops()[loop++];
        const CodeCost turn = part(function, i, here.last + 1, loop);
        if (here.turns != 0) {
          add(turn, here.turns, cost);
        } else if (turn.loops.empty()) {
          own.push_back({turn.once, function.step_of(here)});
        } else {
          cost.outer = capped(cost.outer + turn.once + turn.outer);
          cost.loops.insert(cost.loops.end(), turn.loops.begin(), turn.loops.end());
        }
        i = here.last + 1;
        continue;
      }
      cost.once += spec::info(function.code()[i].opcode).slots;
      if (const auto callee = function.callee(i)) add(this->function(*callee), 1, cost);
      ++i;
    }
    add_own(own, cost);
    return cost;
  }

  static void add(const CodeCost& more, std::uint64_t times, CodeCost& cost) {
    cost.once = capped(cost.once + more.once * times);
    cost.outer = capped(cost.outer + more.outer * times);
    for (const CodeCost::Loop& loop : more.loops) cost.loops.push_back({capped(loop.slots * times), loop.bytes});
  }

  // A loop behind one of larger steps does what that leaves over, one of single bytes before it what is not aligned.
  static void add_own(const std::vector<CodeCost::Loop>& own, CodeCost& cost) {
    const auto leaves_over = [](const CodeCost::Loop& large, const CodeCost::Loop& small) {
      return small.bytes != 0 && small.bytes < large.bytes && large.bytes % small.bytes == 0;
    };
    for (std::size_t i = 0; i < own.size(); ++i) {
      const CodeCost::Loop* large = nullptr;
      if (i + 1 < own.size() && own[i].bytes == 1 && leaves_over(own[i + 1], own[i])) large = &own[i + 1];
      if (i > 0 && leaves_over(own[i - 1], own[i])) large = &own[i - 1];
      if (large == nullptr)
        cost.loops.push_back(own[i]);
      else
        cost.once = capped(cost.once + own[i].slots * (large->bytes / own[i].bytes - 1) / 2);
    }
  }

  const Text& text_;
  std::map<std::uint32_t, CodeCost> functions_;  // by address
};

}  // namespace

CodeCost code_cost(const Text& text, std::uint32_t entry) { return Estimator(text).function(entry); }

}  // namespace tessera::compiler
