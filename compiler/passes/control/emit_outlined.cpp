#include "compiler/passes/control/emit_outlined.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "compiler/passes/control/supervisor_time.h"
#include "program/program_info.h"

namespace tessera::compiler {
namespace {

using spec::Opcode;
using Item = OutlineItem;

constexpr unsigned kTable = names::kTableRegister;
constexpr std::int32_t kReach = 2044;              // of a load's offset
constexpr std::uint32_t kBranchReach = 4096 - 64;  // bytes back

class OutlinedEmission {
 public:
  OutlinedEmission(const StraightCode& code, const Outline& outline, ir::BlockId table, LoadData& load)
      : code_(code), outline_(outline), table_(table), load_(load) {}

  OutlinedCode run() {
    const std::size_t sequences = outline_.sequences.size();
    starts_.resize(sequences);
    words_.assign(sequences, ir::kNone);
    callee_.assign(sequences, ir::kNone);
    for (std::size_t s = 0; s < sequences; ++s) starts_[s].resize(outline_.sequences[s].activations);
    for (const std::uint32_t root : outline_.roots) lay_out(root, 0, true);
    if (!constants_.empty()) load_.contents.push_back({{table_, 0}, std::move(constants_)});
    result_.table_bytes = bytes_;
    find_labels();
    a_.begin_with_labels_of(code_.code);
    main();
    // Subroutines find others that they call.
    for (std::size_t c = 0; c < callees_.size(); ++c) subroutine(callees_[c]);
    result_.code = std::move(a_);
    return std::move(result_);
  }

 private:
  const OutlineSequence& sequence(std::uint32_t id) const { return outline_.sequences[id]; }

  // --- the table

  // Puts what activation `a` of a sequence needs behind what is there.
  void lay_out(std::uint32_t id, std::uint32_t a, bool root = false) {
    starts_[id][a] = bytes_;
    for (const Item& item : sequence(id).items) {
      if (item.kind == Item::Kind::kLoop)
        for (std::uint32_t k = 0; k < item.count; ++k) lay_out(item.sequence, a * item.count + k);
      else if (item.kind == Item::Kind::kCall)
        lay_out(item.sequence, item.first_activation + a);
      else if (!root)
        put_values(item, a);
    }
    if (!root && bytes_ == starts_[id][a]) bytes_ += 4;  // tells the executions apart
    words_[id] = (bytes_ - starts_[id][a]) / 4;
  }

  void put_values(const Item& item, std::uint32_t a) {
    const std::vector<bool>& varying = varying_of(item);
    const std::uint32_t first = first_load(code_, item.steps[a]);
    for (std::size_t l = 0; l < varying.size(); ++l) {
      if (!varying[l]) continue;
      const Load& load = code_.code.loads()[first + l];
      if (load.is_address) {
        load_.pointers.push_back({{table_, bytes_}, load.place});
      } else {
        constants_.resize(bytes_ + 4);
        for (int i = 0; i < 4; ++i) constants_[bytes_ + i] = static_cast<std::uint8_t>(load.constant >> 8 * i);
      }
      bytes_ += 4;
    }
  }

  const std::vector<bool>& varying_of(const Item& item) {
    const auto [found, made] = varying_.try_emplace(&item);
    if (made) found->second = varying_loads(code_, item.steps);
    return found->second;
  }

  // --- labels

  void find_labels() {
    std::vector<bool> of_step(code_.code.labels());
    for (const StepCode& step : code_.steps)
      for (std::uint32_t label = step.first_label; label < step.last_label; ++label) of_step[label] = true;
    for (std::uint32_t label = 0; label < of_step.size(); ++label)
      if (!of_step[label]) labels_.emplace_back(code_.code.offset_of(label), label);
    std::sort(labels_.begin(), labels_.end());
  }

  // --- what stands outside of steps

  void main() {
    std::uint32_t word = 0;
    for (std::size_t run = 0; run < code_.runs.size(); ++run) {
      const auto& [first, last] = code_.runs[run];
      glue(word, code_.steps[first].first);
      word = code_.steps[last - 1].last;
      while (next_mark_ < code_.marks.size() && code_.marks[next_mark_].offset < 4 * word) ++next_mark_;
      pointer_known_ = false;
      items(outline_.roots[run], 0);
    }
    glue(word, static_cast<std::uint32_t>(code_.code.words().size()));
  }

  // Words [first, last), and the labels before each and before what follows.
  void glue(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t word = first;; ++word) {
      while (next_label_ < labels_.size() && labels_[next_label_].first <= 4 * word)
        a_.bind({labels_[next_label_++].second});
      if (word == last) return;
      std::uint32_t end = next_label_ < labels_.size() ? std::min(last, labels_[next_label_].first / 4) : last;
      if (next_mark_ < code_.marks.size()) {
        if (code_.marks[next_mark_].offset == 4 * word) mark(code_.marks[next_mark_++].step);
        if (next_mark_ < code_.marks.size()) end = std::min(end, code_.marks[next_mark_].offset / 4);
      }
      a_.append(code_.code, word, end, {});
      word = end - 1;
    }
  }

  void mark(std::uint32_t step, std::vector<StepCall> calls = {}) {
    auto& marks = result_.marks;
    if (!marks.empty() && marks.back().offset == a_.bytes()) marks.pop_back();
    marks.push_back({a_.bytes(), step, std::move(calls)});
  }

  // The steps of all activations, which have `moved` bytes of their part of the table behind them.
  template <class StepOf>
  void mark_calls(std::uint32_t id, std::uint32_t moved, const StepOf& step_of) {
    std::vector<StepCall> calls;
    for (std::uint32_t a = 0; a < sequence(id).activations; ++a)
      calls.push_back({{table_, starts_[id][a] + moved}, step_of(a)});
    const std::uint32_t first = calls[0].step;
    mark(first, std::move(calls));
  }

  std::uint32_t step_name(const Item& item, std::uint32_t a) const { return code_.steps[item.steps[a]].step; }
  std::uint32_t first_step(const Item& item, std::uint32_t a) const {
    if (item.kind == Item::Kind::kStep) return step_name(item, a);
    const std::uint32_t inner = item.kind == Item::Kind::kLoop ? a * item.count : item.first_activation + a;
    return first_step(sequence(item.sequence).items.front(), inner);
  }
  std::uint32_t last_step(const Item& item, std::uint32_t a) const {
    if (item.kind == Item::Kind::kStep) return step_name(item, a);
    const std::uint32_t inner =
        item.kind == Item::Kind::kLoop ? a * item.count + item.count - 1 : item.first_activation + a;
    return last_step(sequence(item.sequence).items.back(), inner);
  }

  // --- sequences

  // A run as it stands.
  void items(std::uint32_t id, std::uint32_t a) {
    for (const Item& item : sequence(id).items) {
      if (item.kind == Item::Kind::kStep) {
        mark(step_name(item, a));
        append(item, {});
        continue;
      }
      mark(first_step(item, a));
      const std::uint32_t inner = item.kind == Item::Kind::kLoop ? a * item.count : item.first_activation + a;
      const std::uint32_t begin = starts_[item.sequence][inner];
      const unsigned own = own_register(item);
      std::vector<Assembler::Address> addresses;
      if (!std::exchange(pointer_known_, true)) addresses.push_back({kTable, {table_, begin}});
      if (item.kind == Item::Kind::kLoop)
        addresses.push_back({own, {table_, begin + 4 * item.count * words_[item.sequence]}});
      a_.load_addresses(addresses);
      item.kind == Item::Kind::kLoop ? loop(item, own) : call(item, own);
      mark(last_step(item, a));
    }
  }

  unsigned own_register(const Item& item) const { return kTable + 1 + sequence(item.sequence).height; }

  // One activation of a sequence that is executed several times; the table register is at its part before, and behind
  // it after.
  void body(std::uint32_t id) {
    const std::uint32_t bytes = 4 * words_[id];
    std::uint32_t moved = 0, used = 0;
    const auto move_to = [&](std::uint32_t place) { a_.advance(kTable, place - std::exchange(moved, place)); };
    for (const Item& item : sequence(id).items) {
      if (item.kind == Item::Kind::kStep) {
        step(id, item, moved, used);
        continue;
      }
      move_to(used);
      mark_calls(id, moved, [&](std::uint32_t a) { return first_step(item, a); });
      const unsigned own = own_register(item);
      if (item.kind == Item::Kind::kLoop) {
        const std::uint32_t length = 4 * item.count * words_[item.sequence];
        if (length <= static_cast<std::uint32_t>(kReach)) {
          a_.i(Opcode::Addi, own, kTable, static_cast<std::int32_t>(length));
        } else {
          a_.load_constant(own, length);
          a_.r(Opcode::Add, own, own, kTable);
        }
        loop(item, own);
        used += length;
      } else {
        call(item, own);
        used += 4 * words_[item.sequence];
      }
      moved = used;
    }
    const Item& last = sequence(id).items.back();
    if (last.kind == Item::Kind::kStep && moved == bytes) return;
    move_to(bytes);
    mark_calls(id, moved, [&](std::uint32_t a) { return last_step(last, a); });
  }

  void step(std::uint32_t id, const Item& item, std::uint32_t& moved, std::uint32_t& used) {
    const auto name = [&](std::uint32_t a) { return step_name(item, a); };
    const std::vector<bool>& varying = varying_of(item);
    const auto loads = static_cast<std::uint32_t>(4 * std::count(varying.begin(), varying.end(), true));
    if (static_cast<std::int32_t>(used + loads - moved) > kReach) {
      a_.advance(kTable, used - moved);
      moved = used;
    }
    mark_calls(id, moved, name);
    FromTable from{.table = kTable};
    for (std::size_t l = 0; l < varying.size(); ++l) {
      from.offsets.push_back(varying[l] ? static_cast<std::int32_t>(used - moved) : FromTable::kAsItIs);
      if (!varying[l]) continue;
      used += 4;
    }
    // With the last word that is needed, where nobody waits for the register.
    if (loads > 0 && used == 4 * words_[id]) {
      from.advance = used - moved;
      place_advance(item, from);
    }
    const std::uint32_t advanced = append(item, from);
    if (advanced == ir::kNone) return;
    moved = used;
    std::vector<StepCall> calls;
    for (std::uint32_t a = 0; a < sequence(id).activations; ++a)
      calls.push_back({{table_, starts_[id][a] + moved}, name(a)});
    result_.marks.push_back({advanced, name(0), std::move(calls)});
  }

  // Where the advance takes the least time.
  void place_advance(const Item& item, FromTable& from) const {
    const StepCode& step = code_.steps[item.steps[0]];
    const auto& branches = code_.code.branches();
    const bool straight = std::none_of(branches.begin(), branches.end(), [&](const Assembler::BranchUse& branch) {
      return branch.index >= step.first && branch.index < step.last;
    });
    std::uint64_t least = ~std::uint64_t{0};
    FromTable best;
    for (std::uint32_t word = step.first; word <= step.last; ++word) {
      if (!straight && word != step.last) continue;
      FromTable tried = advanced_at(item, from, word);
      if (from.advance >= 2048 && word != step.last) continue;  // words behind it would be out of reach
      SupervisorTime time;
      if (straight) {
        Assembler code;
        code.append(code_.code, step.first, step.last, {}, tried);
        for (const std::uint32_t one : code.words()) time.issue(one);
      }
      if (time.cycles() >= least) continue;
      least = time.cycles();
      best = std::move(tried);
    }
    from = std::move(best);
  }

  // Words that are loaded behind the advance are nearer to the register.
  FromTable advanced_at(const Item& item, FromTable from, std::uint32_t word) const {
    const std::uint32_t first = first_load(code_, item.steps[0]);
    for (std::size_t l = 0; l < from.offsets.size(); ++l)
      if (from.offsets[l] != FromTable::kAsItIs && code_.code.loads()[first + l].index >= word)
        from.offsets[l] -= static_cast<std::int32_t>(from.advance);
    from.advance_at = word;
    return from;
  }

  // Returns the place behind the advance, if there is one.
  std::uint32_t append(const Item& item, const FromTable& from) {
    const StepCode& step = code_.steps[item.steps[0]];
    std::vector<BoundLabel> labels;
    for (std::uint32_t label = step.first_label; label < step.last_label; ++label)
      labels.push_back({code_.code.offset_of(label) / 4, {label}});
    return a_.append(code_.code, step.first, step.last, labels, from);
  }

  void loop(const Item& item, unsigned end) {
    const Label again = a_.label();
    a_.bind(again);
    const std::uint32_t begin = a_.bytes();
    body(item.sequence);
    if (a_.bytes() - begin < kBranchReach) return a_.branch(Opcode::Bne, kTable, end, again);
    a_.branch_unless(Opcode::Beq, kTable, end, again);
  }

  void call(const Item& item, unsigned link) {
    std::uint32_t& number = callee_[item.sequence];
    if (number == ir::kNone) {
      number = static_cast<std::uint32_t>(callees_.size());
      callees_.push_back({item.sequence, link, a_.label()});
    }
    a_.jump(link, callees_[number].label);
  }

  struct Callee {
    std::uint32_t sequence;
    unsigned link;
    Label label;
  };

  void subroutine(Callee callee) {
    a_.bind(callee.label);
    body(callee.sequence);
    a_.i(Opcode::Jalr, kZero, callee.link, 0);
  }

  const StraightCode& code_;
  const Outline& outline_;
  const ir::BlockId table_;
  LoadData& load_;
  std::vector<std::vector<std::uint32_t>> starts_;  // in the table, of each activation of each sequence
  std::vector<std::uint32_t> words_;                // of the table, of each sequence
  std::uint32_t bytes_ = 0;                         // of the table
  std::vector<std::uint8_t> constants_;
  std::unordered_map<const Item*, std::vector<bool>> varying_;   // looked up, never walked
  std::vector<std::pair<std::uint32_t, std::uint32_t>> labels_;  // offset, label: of no step
  std::size_t next_label_ = 0, next_mark_ = 0;
  bool pointer_known_ = false;
  std::vector<std::uint32_t> callee_;  // of callees_, of each sequence
  std::vector<Callee> callees_;
  Assembler a_;
  OutlinedCode result_;
};

}  // namespace

OutlinedCode emit_outlined(const StraightCode& code, const Outline& outline, ir::BlockId table, LoadData& load) {
  return OutlinedEmission(code, outline, table, load).run();
}

}  // namespace tessera::compiler
