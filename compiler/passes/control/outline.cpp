#include "compiler/passes/control/outline.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>

#include "compiler/passes/control/repeats.h"
#include "compiler/passes/control/supervisor_time.h"

namespace tessera::compiler {
namespace {

using spec::Opcode;
using Item = OutlineItem;
using Items = std::span<const Item>;

constexpr std::uint32_t kMostUnrolled = 1024;
constexpr std::uint32_t kMostRounds = 64;  // of loops found in one sequence
// What a loop or a call adds where it stands: registers set before a loop, its end; those before a call, the call; the
// way back.
constexpr std::uint64_t kLoopWords = 4 + 2, kCallWords = 2 + 1, kReturnWords = 2;
constexpr std::uint64_t kLoopSetUp = 14, kCallSetUp = 13, kBranch = 6, kBack = 1 + kBranch;

struct CodeSize {
  std::uint64_t words = 0, table = 0;  // of code; of the table, for each activation
};

class Outliner {
 public:
  Outliner(const StraightCode& code, bool smallest) : code_(code), smallest_(smallest) {
    first_load_.reserve(code.steps.size());
    for (std::uint32_t step = 0; step < code.steps.size(); ++step) first_load_.push_back(first_load(code, step));
    for (const auto& [first, last] : code.runs) {
      const std::uint32_t root = add_sequence(1);
      for (std::uint32_t step = first; step < last; ++step)
        result_.sequences[root].items.push_back({.key = key_of(step), .steps = {step}});
      result_.roots.push_back(root);
    }
  }

  Outline run() {
    for (const std::uint32_t root : result_.roots) find_loops(root);
    find_calls();
    return std::move(result_);
  }

 private:
  std::uint32_t add_sequence(std::uint32_t activations) {
    result_.sequences.push_back({.activations = activations});
    return static_cast<std::uint32_t>(result_.sequences.size() - 1);
  }

  // --- keys

  std::uint32_t intern(const std::vector<std::uint32_t>& form) {
    std::string text(reinterpret_cast<const char*>(form.data()), form.size() * sizeof form[0]);
    return known_.emplace(std::move(text), static_cast<std::uint32_t>(known_.size())).first->second;
  }

  // Everything of the step but the values that it loads.
  std::uint32_t key_of(std::uint32_t number) {
    enum : std::uint32_t { kWord, kLoad, kNear, kFar };
    const StepCode& step = code_.steps[number];
    const auto& words = code_.code.words();
    std::vector<std::uint32_t> form;
    auto load = code_.code.loads().begin() + first_load_[number];
    auto branch = branch_from(step.first);
    std::vector<std::uint32_t> seconds;
    for (std::uint32_t i = step.first; i < step.last; ++i) {
      if (branch != code_.code.branches().end() && branch->index == i) {
        const bool near = branch->label >= step.first_label && branch->label < step.last_label;
        form.insert(form.end(), {near ? kNear : kFar, static_cast<std::uint32_t>(branch->opcode), branch->operands.rd,
                                 branch->operands.rs1, branch->operands.rs2,
                                 near ? code_.code.offset_of(branch->label) - 4 * step.first : branch->label});
        ++branch;
      } else if (load != code_.code.loads().end() && load->index == i) {
        form.insert(form.end(), {kLoad, load->rd});
        if (load->second != i) seconds.push_back(load->second);
        ++load;
      } else if (std::find(seconds.begin(), seconds.end(), i) == seconds.end()) {
        form.insert(form.end(), {kWord, words[i]});
      }
    }
    return intern(form);
  }

  std::vector<Assembler::BranchUse>::const_iterator branch_from(std::uint32_t word) const {
    const auto& branches = code_.code.branches();
    return std::lower_bound(branches.begin(), branches.end(), word,
                            [](const Assembler::BranchUse& use, std::uint32_t at) { return use.index < at; });
  }

  // --- what it costs

  CodeSize size_of(Items items) const {
    CodeSize size;
    for (const Item& item : items) {
      if (item.kind == Item::Kind::kLoop) {
        const CodeSize body = size_of(result_.sequences[item.sequence].items);
        size.words += kLoopWords + body.words;
        size.table += item.count * std::max<std::uint64_t>(body.table, 1);
        continue;
      }
      const StepCode& step = code_.steps[item.steps[0]];
      size.words += step.last - step.first;
      if (item.steps.size() == 1) continue;
      const std::vector<bool> varying = varying_loads(code_, item.steps);
      const Load* load = &code_.code.loads()[first_load_[item.steps[0]]];
      for (std::size_t l = 0; l < varying.size(); ++l) {
        if (!varying[l]) continue;
        ++size.table;
        if (load[l].second != load[l].index) --size.words;
      }
    }
    return size;
  }

  // Cycles of one activation, from a state in which no instruction is on its way: of all of it, up to the first sync of
  // all tiles and from the last one on. Between two such syncs, what one part saves does not help another tile's.
  struct Times {
    std::uint64_t all = 0, head = 0, tail = 0;
  };
  struct Play {
    SupervisorTime time{};
    std::uint64_t more = 0;  // iterations of loops beyond the first
    std::uint64_t first_sync = 0, last_sync = 0;
    std::uint64_t now() const { return time.cycles() + more; }
  };
  Times times_of(Items items) const {
    Play play;
    this->play(items, play);
    if (play.first_sync == 0) return {play.now(), play.now(), play.now()};
    return {play.now(), play.first_sync, play.now() - play.last_sync};
  }
  void play(Items items, Play& play) const {
    for (const Item& item : items) {
      if (item.kind == Item::Kind::kStep) {
        this->play(item, play);
        continue;
      }
      const std::vector<Item>& body = result_.sequences[item.sequence].items;
      this->play(body, play);
      play.more += kLoopSetUp + kBack + (item.count - 1) * (times_of(body).all + kBack);
      if (play.first_sync != 0) play.last_sync = play.now();
    }
  }
  void play(const Item& item, Play& play) const {
    const StepCode& step = code_.steps[item.steps[0]];
    std::vector<bool> varying;
    if (item.steps.size() > 1) varying = varying_loads(code_, item.steps);
    const std::vector<std::uint32_t>& words = code_.code.words();
    const auto load = code_.code.loads().begin() + first_load_[item.steps[0]];
    auto branch = branch_from(step.first);
    std::vector<std::uint32_t> code(words.begin() + step.first, words.begin() + step.last);
    for (; branch != code_.code.branches().end() && branch->index < step.last; ++branch) {
      spec::Operands operands = branch->operands;
      code[branch->index - step.first] = spec::encode(branch->opcode, operands);
    }
    for (std::size_t l = 0; l < varying.size(); ++l) {
      if (!varying[l]) continue;
      code[load[l].second - step.first] = 0;
      code[load[l].index - step.first] = spec::encode(Opcode::Lw, {.rd = load[l].rd, .rs1 = kS2, .imm = 0});
    }
    for (const std::uint32_t word : code) {
      if (word == 0) continue;
      play.time.issue(word);
      if (spec::decode(word) != Opcode::Sync || spec::sync_operand_of(word).zone != spec::SyncZone::kInternal) continue;
      play.last_sync = play.now();
      if (play.first_sync == 0) play.first_sync = play.now();
    }
  }

  // --- one thing of several that are equal

  // Each of the lists is cut into that many parts; the first parts of all come first, then the second ones.
  static std::vector<std::uint32_t> merged(const std::vector<const std::vector<std::uint32_t>*>& lists,
                                           std::uint32_t parts) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t part = 0; part < parts; ++part)
      for (const std::vector<std::uint32_t>* list : lists) {
        const std::size_t size = list->size() / parts;
        all.insert(all.end(), list->begin() + part * size, list->begin() + (part + 1) * size);
      }
    return all;
  }

  // Those of a loop follow each other in every activation of its sequence; those of a subroutine have nothing to do
  // with each other (parts: 1).
  Item merge(const std::vector<const Item*>& sources, std::uint32_t parts) {
    Item item{.kind = sources[0]->kind, .key = sources[0]->key, .count = sources[0]->count};
    if (item.kind == Item::Kind::kStep) {
      std::vector<const std::vector<std::uint32_t>*> lists;
      for (const Item* source : sources) lists.push_back(&source->steps);
      item.steps = merged(lists, parts);
      return item;
    }
    OutlineSequence body{.activations = 0, .height = result_.sequences[sources[0]->sequence].height};
    for (const Item* source : sources) body.activations += result_.sequences[source->sequence].activations;
    const std::size_t length = result_.sequences[sources[0]->sequence].items.size();
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<const Item*> inner;
      for (const Item* source : sources) inner.push_back(&result_.sequences[source->sequence].items[i]);
      body.items.push_back(merge(std::vector<const Item*>(inner), parts));
    }
    result_.sequences.push_back(std::move(body));
    item.sequence = static_cast<std::uint32_t>(result_.sequences.size() - 1);
    return item;
  }

  std::uint32_t height_of(Items items) const {
    std::uint32_t height = 0;
    for (const Item& item : items)
      if (item.kind == Item::Kind::kLoop) height = std::max(height, result_.sequences[item.sequence].height + 1);
    return height;
  }

  // --- loops

  void find_loops(std::uint32_t sequence) {
    for (std::uint32_t round = 0; round < kMostRounds; ++round)
      if (!find_loop(sequence)) break;
    std::vector<std::uint32_t> bodies;
    for (const Item& item : result_.sequences[sequence].items)
      if (item.kind == Item::Kind::kLoop) bodies.push_back(item.sequence);
    for (const std::uint32_t body : bodies)
      if (!std::exchange(searched_[body], true)) find_loops(body);
    result_.sequences[sequence].height = height_of(result_.sequences[sequence].items);
  }

  // Makes loops of one period; false: there are none.
  bool find_loop(std::uint32_t sequence) {
    const std::vector<Item>& items = result_.sequences[sequence].items;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> words{0};  // before each item
    for (const Item& item : items) {
      keys.push_back(item.key);
      words.push_back(words.back() + size_of({&item, 1}).words);
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> periods;  // with the words that they may save
    for (const std::uint32_t period : likely_periods(rank_pieces(keys))) {
      std::uint64_t saved = 0;
      for_each_run(keys, period, [&](std::size_t first, std::size_t length) {
        saved += (length / period - 1) * (words[first + period] - words[first]);
      });
      if (saved > 0) periods.emplace_back(saved, period);
    }
    std::stable_sort(periods.begin(), periods.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [saved, period] : periods)
      if (make_loops(sequence, keys, period)) return true;
    return false;
  }

  // Calls what(first item, items) where `period` items follow each other at least twice.
  template <class What>
  static void for_each_run(const std::vector<std::uint32_t>& keys, std::uint32_t period, const What& what) {
    for (std::size_t i = 0; i + 2 * period <= keys.size();) {
      std::size_t equal = 0;
      while (i + equal + period < keys.size() && keys[i + equal] == keys[i + equal + period]) ++equal;
      if (equal < period) {
        i += equal + 1;
        continue;
      }
      what(i, equal + period);
      i += equal + period;
    }
  }

  bool make_loops(std::uint32_t sequence, const std::vector<std::uint32_t>& keys, std::uint32_t period) {
    std::vector<Item> items;
    std::size_t done = 0;
    std::vector<LoopPlace> places;
    for_each_run(keys, period, [&](std::size_t first, std::size_t length) {
      places.push_back(rotated(result_.sequences[sequence].items, first, length, period));
    });
    for (const LoopPlace& place : places) {
      const LoopPlace loop = unrolled(sequence, place);
      if (loop.count < 2) continue;
      const std::uint32_t body = make_loop(sequence, loop).body;
      std::vector<Item>& now = result_.sequences[sequence].items;  // the table of sequences has grown
      items.insert(items.end(), std::make_move_iterator(now.begin() + done),
                   std::make_move_iterator(now.begin() + loop.first));
      std::vector<std::uint32_t> form{~0u, loop.count};
      for (const Item& item : result_.sequences[body].items) form.push_back(item.key);
      items.push_back({.kind = Item::Kind::kLoop, .key = intern(form), .sequence = body, .count = loop.count});
      done = loop.first + std::size_t{loop.period} * loop.count;
    }
    if (done == 0) return false;
    std::vector<Item>& now = result_.sequences[sequence].items;
    items.insert(items.end(), std::make_move_iterator(now.begin() + done), std::make_move_iterator(now.end()));
    now = std::move(items);
    return true;
  }

  bool waits(const Item& item) const { return item.kind == Item::Kind::kStep && code_.steps[item.steps[0]].waits; }

  struct LoopPlace {
    std::size_t first = 0;
    std::uint32_t period = 0, count = 0;
  };
  // Nobody waits for what the supervisor does between two steps in which it waits for others. Where there are such, the
  // loop begins behind the first of them and ends with it, so that its registers and its way back cost nothing; else
  // with a step that saves as much.
  LoopPlace rotated(const std::vector<Item>& items, std::size_t first, std::size_t length, std::uint32_t period) const {
    const auto between = [&](std::size_t at) { return at > 0 && waits(items[at - 1]) && waits(items[at]); };
    std::uint32_t by = 0;
    while (by <= period && by + 2 * std::size_t{period} <= length && !between(first + by)) ++by;
    const auto pays = [&](std::size_t at) {
      if (items[at].kind != Item::Kind::kStep) return false;
      Item both = items[at];
      both.steps.insert(both.steps.end(), items[at + period].steps.begin(), items[at + period].steps.end());
      return times_of({&both, 1}).head + kBranch <= times_of({&items[at], 1}).head;
    };
    if (by > period || by + 2 * std::size_t{period} > length) {
      for (by = 0; by < period && by + 2 * std::size_t{period} <= length && !pays(first + by);) ++by;
      if (by == period || by + 2 * std::size_t{period} > length) by = 0;
    }
    return {first + by, period, static_cast<std::uint32_t>((length - by) / period)};
  }

  // As many of its iterations in one as make it smallest; count 0: it is not worth it.
  LoopPlace unrolled(std::uint32_t sequence, const LoopPlace& place) {
    LoopPlace best;
    std::uint64_t best_size = ~std::uint64_t{0};
    for (std::uint32_t times = 1; place.count / times >= 2 && times <= kMostUnrolled; times *= 2) {
      const LoopPlace wider{place.first, place.period * times, place.count / times};
      const std::size_t sequences = result_.sequences.size();
      const MadeLoop made = make_loop(sequence, wider);
      result_.sequences.resize(sequences);
      if (!made.worth || made.size >= best_size) {
        if (best.count != 0) break;
        continue;
      }
      best = wider;
      best_size = made.size;
    }
    return best;
  }

  struct MadeLoop {
    std::uint32_t body = 0;
    bool worth = false;
    std::uint64_t size = 0;  // words of code and table, with what it leaves of a period
  };
  MadeLoop make_loop(std::uint32_t sequence, const LoopPlace& place) {
    const std::uint32_t activations = result_.sequences[sequence].activations;
    OutlineSequence body{.activations = activations * place.count};
    for (std::uint32_t i = 0; i < place.period; ++i) {
      std::vector<const Item*> sources;
      for (std::uint32_t k = 0; k < place.count; ++k)
        sources.push_back(&result_.sequences[sequence].items[place.first + i + std::size_t{k} * place.period]);
      body.items.push_back(merge(sources, activations));
    }
    body.height = height_of(body.items);
    const Items before(result_.sequences[sequence].items.data() + place.first, std::size_t{place.period} * place.count);
    const CodeSize old = size_of(before), now = size_of(body.items);
    const std::uint64_t table = place.count * std::max<std::uint64_t>(now.table, 1);
    MadeLoop made;
    made.size = kLoopWords + now.words + activations * table;
    const bool hidden = waits(body.items.front()) && waits(body.items.back());
    const Times time = times_of(body.items), straight = times_of(before);
    const std::uint64_t more = hidden ? 0 : kLoopSetUp + place.count * kBack;
    const bool paid = smallest_ || ((hidden || time.head + time.tail + kBranch <= straight.head + straight.tail) &&
                                    place.count * time.all + more <= straight.all);
    made.worth = made.size < old.words + activations * old.table && body.height + 1 <= kMostOutlined && paid;
    result_.sequences.push_back(std::move(body));
    made.body = static_cast<std::uint32_t>(result_.sequences.size() - 1);
    return made;
  }

  // --- subroutines

  // All runs in a row, with a key of its own behind each. What belongs to a subroutine is kept where it occurs first;
  // its other places are dead.
  struct Occurrence {
    std::size_t first = 0, length = 0;
    std::uint32_t callee = 0, first_activation = 0;
  };
  struct Region {
    std::uint32_t sequence = 0;
    std::size_t first = 0, length = 0;
    std::uint32_t depth = 0;          // subroutines around it
    std::vector<Occurrence> calls{};  // that stand in it
  };

  void find_calls() {
    std::vector<std::uint32_t> keys;
    std::uint32_t separator = ~0u;
    for (const std::uint32_t root : result_.roots) {
      regions_.push_back({root, keys.size(), result_.sequences[root].items.size()});
      cuts_.insert(keys.size());
      for (Item& item : result_.sequences[root].items) {
        keys.push_back(item.key);
        row_.push_back(std::move(item));
        region_.push_back(static_cast<std::uint32_t>(regions_.size() - 1));
      }
      cuts_.insert(keys.size());
      keys.push_back(separator--);
      row_.emplace_back();
      region_.push_back(ir::kNone);
    }
    const PieceRanks ranks = rank_pieces(keys);
    for (std::size_t level = ranks.size(); level-- > 0;) find_calls(keys, ranks[level], std::size_t{1} << level);
    for (Region& region : regions_) build(region);
    for (const std::uint32_t root : result_.roots) set_heights(root);
  }

  void find_calls(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& ranks, std::size_t length) {
    std::vector<std::uint32_t> times(ranks.size());
    for (const std::uint32_t rank : ranks) ++times[rank];
    std::vector<std::vector<std::size_t>> places(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (times[ranks[i]] > 1) places[ranks[i]].push_back(i);
    for (const std::vector<std::size_t>& of_rank : places) {
      std::vector<std::size_t> chosen;
      for (const std::size_t at : of_rank)
        if ((chosen.empty() || at >= chosen.back() + length) && whole(at, length)) chosen.push_back(at);
      if (chosen.size() > 1) make_subroutine(chosen, extended(keys, chosen, length));
    }
  }

  bool whole(std::size_t at, std::size_t length) const {
    if (region_[at] == ir::kNone) return false;
    const auto cut = cuts_.upper_bound(at);
    return cut == cuts_.end() || *cut >= at + length;
  }

  std::size_t extended(const std::vector<std::uint32_t>& keys, const std::vector<std::size_t>& chosen,
                       std::size_t length) const {
    for (;; ++length)
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::size_t at = chosen[k] + length;
        if (at >= keys.size() || keys[at] != keys[chosen[0] + length] || cuts_.count(at) != 0) return length;
        if (k + 1 < chosen.size() && at >= chosen[k + 1]) return length;
      }
  }

  void make_subroutine(const std::vector<std::size_t>& chosen, std::size_t length) {
    const std::size_t sequences = result_.sequences.size();
    OutlineSequence body{.activations = 0};
    for (const std::size_t at : chosen)
      body.activations += result_.sequences[regions_[region_[at]].sequence].activations;
    for (std::size_t i = 0; i < length; ++i) {
      std::vector<const Item*> sources;
      for (const std::size_t at : chosen) sources.push_back(&row_[at + i]);
      body.items.push_back(merge(sources, 1));
    }
    body.height = height_of(body.items);
    const CodeSize now = size_of(body.items);
    const std::uint64_t table = std::max<std::uint64_t>(now.table, 1);
    const Times time = times_of(body.items);
    std::uint64_t before = 0, after = now.words + kReturnWords;
    std::uint32_t depth = 0;
    bool worth = true;
    for (const std::size_t at : chosen) {
      const Items items(row_.data() + at, length);
      const CodeSize old = size_of(items);
      const std::uint64_t activations = result_.sequences[regions_[region_[at]].sequence].activations;
      before += old.words + activations * old.table;
      after += kCallWords + activations * table;
      depth = std::max(depth, regions_[region_[at]].depth + 1);
      const Times straight = times_of(items);
      const bool enter = between(at), leave = between(at + length);
      if (smallest_) continue;
      worth = worth && time.all + (enter ? 0 : kCallSetUp) + (leave ? 0 : kBack) <= straight.all &&
              (enter || time.head + kBranch <= straight.head) && (leave || time.tail + kBack <= straight.tail);
    }
    if (!worth || after >= before || depth + body.height > kMostOutlined) return result_.sequences.resize(sequences);
    place_subroutine(chosen, length, depth, std::move(body));
  }

  // Of two steps in which the tile waits for others, the second.
  bool between(std::size_t at) const {
    return at > 0 && region_[at - 1] != ir::kNone && region_[at] != ir::kNone && waits(row_[at - 1]) && waits(row_[at]);
  }

  void place_subroutine(const std::vector<std::size_t>& chosen, std::size_t length, std::uint32_t depth,
                        OutlineSequence&& body) {
    const auto callee = static_cast<std::uint32_t>(result_.sequences.size());
    std::uint32_t activation = 0;
    for (const std::size_t at : chosen) {
      Region& around = regions_[region_[at]];
      around.calls.push_back({at, length, callee, activation});
      activation += result_.sequences[around.sequence].activations;
      cuts_.insert({at, at + length});
    }
    regions_.push_back({callee, chosen[0], length, depth});
    for (std::size_t i = 0; i < length; ++i) {
      row_[chosen[0] + i] = std::move(body.items[i]);
      region_[chosen[0] + i] = static_cast<std::uint32_t>(regions_.size() - 1);
      for (std::size_t k = 1; k < chosen.size(); ++k) region_[chosen[k] + i] = ir::kNone;
    }
    body.items.clear();
    result_.sequences.push_back(std::move(body));
  }

  // The items of a region: those left of it, and its calls.
  void build(Region& region) {
    std::sort(region.calls.begin(), region.calls.end(),
              [](const Occurrence& a, const Occurrence& b) { return a.first < b.first; });
    auto call = region.calls.begin();
    std::vector<Item> items;
    for (std::size_t at = region.first; at < region.first + region.length;) {
      if (call == region.calls.end() || call->first != at) {
        items.push_back(std::move(row_[at++]));
        continue;
      }
      items.push_back(
          {.kind = Item::Kind::kCall, .sequence = call->callee, .first_activation = call->first_activation});
      at += call->length;
      ++call;
    }
    result_.sequences[region.sequence].items = std::move(items);
  }

  std::uint32_t set_heights(std::uint32_t sequence) {
    std::uint32_t height = 0;
    for (const Item& item : result_.sequences[sequence].items)
      if (item.kind != Item::Kind::kStep) height = std::max(height, set_heights(item.sequence) + 1);
    return result_.sequences[sequence].height = height;
  }

  const StraightCode& code_;
  const bool smallest_;
  std::vector<std::uint32_t> first_load_;  // by step
  Outline result_;
  std::unordered_map<std::string, std::uint32_t> known_;  // looked up, never walked
  std::map<std::uint32_t, bool> searched_;                // bodies
  std::vector<Item> row_;
  std::vector<std::uint32_t> region_;  // of each in the row; kNone: dead, or between runs
  std::vector<Region> regions_;
  std::set<std::size_t> cuts_;  // begins and ends of regions
};

}  // namespace

std::uint32_t first_load(const StraightCode& code, std::uint32_t step) {
  const std::vector<Load>& loads = code.code.loads();
  const auto found = std::lower_bound(loads.begin(), loads.end(), code.steps[step].first,
                                      [](const Load& load, std::uint32_t word) { return load.index < word; });
  return static_cast<std::uint32_t>(found - loads.begin());
}

std::vector<bool> varying_loads(const StraightCode& code, const std::vector<std::uint32_t>& steps) {
  const std::vector<Load>& loads = code.code.loads();
  const std::uint32_t first = first_load(code, steps[0]);
  std::vector<bool> varying;
  for (std::uint32_t l = first; l < loads.size() && loads[l].index < code.steps[steps[0]].last; ++l)
    varying.push_back(false);
  for (const std::uint32_t step : steps) {
    const std::uint32_t other = first_load(code, step);
    for (std::size_t l = 0; l < varying.size(); ++l)
      if (!loads[first + l].same_value(loads[other + l])) varying[l] = true;
  }
  return varying;
}

Outline outline(const StraightCode& code, bool smallest) { return Outliner(code, smallest).run(); }

}  // namespace tessera::compiler
