#include "inspect/trace/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "inspect/trace/text_view.h"

namespace tessera::inspect::trace {
namespace {

constexpr size_t kAfter = 4;
constexpr uint64_t kLookAhead = 1u << 20;  // events in which the other side's next one is looked for

std::tuple<uint64_t, uint32_t, uint8_t> place(const Event& e) { return {e.cycle, e.tile, e.lane}; }

// What is remembered of the way to the difference.
class History {
 public:
  History(const RunOfFile& run, const spec::ChipPlace& place)
      : names_(run.program, place), superstep_(run.blocks.front().info.first_superstep) {}

  void add(const Event& e) {
    names_.follow(e);
    if (e.kind == EventKind::kSuperstep) superstep_ = e.from + 1;
    if (e.kind == EventKind::kRetire) {
      auto& last = last_[{e.tile, e.context}];
      last.push_back(e);
      if (last.size() > kInstructionsBefore) last.pop_front();
    } else if (e.kind == EventKind::kEntered) {
      inside_[{e.tile, e.context}] = e;
    } else if (e.kind == EventKind::kLeft) {
      inside_.erase({e.tile, e.context});
    }
  }
  std::string where(const Event& e) const {
    if (e.tile == chip::kNoTile) return fmt::format("cycle {}, superstep {}, chip", e.cycle, superstep_);
    std::string text = fmt::format("cycle {}, superstep {}, {}", e.cycle, superstep_, names_.tile(e.tile));
    if (is_retire(e.lane)) text += ", " + context_name(e.context);
    if (const auto vertex = inside_.find({e.tile, e.context}); is_retire(e.lane) && vertex != inside_.end())
      text += ", in " + names_.vertex(vertex->second);
    return text;
  }
  std::string before(const Event& e) {
    std::string text;
    for (const Event& past : last_[{e.tile, is_retire(e.lane) ? e.context : 0u}])
      text += "  " + line(past, names_) + "\n";
    return text;
  }
  Names& names() { return names_; }

 private:
  Names names_;
  uint64_t superstep_;
  std::map<std::pair<uint32_t, unsigned>, std::deque<Event>> last_;
  std::map<std::pair<uint32_t, unsigned>, Event> inside_;
};

// The next events of the lane of `of`, from `now` on.
std::string following(const Event* now, TraceReader::Events& events, const Event& of, Names& names) {
  std::string text;
  size_t shown = 0;
  for (uint64_t looked = 0; now != nullptr && shown < kAfter && looked < kLookAhead; now = events.next(), ++looked) {
    if (looked > 0) names.follow(*now);  // the first one may have been followed
    if (now->tile != of.tile || now->lane != of.lane) continue;
    text += "  " + line(*now, names) + "\n";
    ++shown;
  }
  return shown == 0 ? "  nothing more of this context or port\n" : text;
}

void check_machines(const TraceReader& a, const TraceReader& b) {
  if (a.chip().machine_hash != b.chip().machine_hash)
    throw TraceError(fmt::format("{} is of machine {}, {} of machine {}: they cannot be compared", a.path(),
                                 a.chip().machine, b.path(), b.chip().machine));
}

Selection common(const TraceReader& a, const TraceReader& b, size_t run, std::vector<std::string>& notes) {
  Selection selection;
  const auto &ours = a.chip().tiles, &theirs = b.chip().tiles;
  std::vector<uint32_t> both;
  std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(both));
  if (both.empty()) throw TraceError(fmt::format("{} and {} have no tile in common", a.path(), b.path()));
  if (run == 0 && (both.size() != ours.size() || both.size() != theirs.size()))
    notes.push_back(
        fmt::format("compared are the {} tiles that both hold, of {} and {}", both.size(), ours.size(), theirs.size()));
  selection.tiles.insert(both.begin(), both.end());
  for (const TraceReader* reader : {&a, &b}) {
    const auto& blocks = reader->runs().at(run).blocks;
    // What ends in the cycle in which a window begins is not in it.
    selection.from = std::max({selection.from, blocks.front().info.keep_from, blocks.front().info.first_cycle});
    selection.to = std::min(selection.to, blocks.back().info.keep_to);
  }
  return selection;
}

}  // namespace

std::string differing_fields(const Event& a, const Event& b, bool registers) {
  std::string fields;
  const auto add = [&fields](bool differs, const char* name) {
    if (differs) fields += (fields.empty() ? "" : ", ") + std::string(name);
  };
  add(a.cycle != b.cycle, "cycle");
  add(a.kind != b.kind, "kind of event");
  add(a.context != b.context, "context");
  if (a.kind != EventKind::kRetire || b.kind != EventKind::kRetire) {
    add(a.value != b.value, "value");
    add(a.address != b.address, "address");
    add(a.flag != b.flag, "flag");
    add(a.space != b.space, "debug space");
    add(a.from != b.from || a.to != b.to, "times");
    return fields;
  }
  const chip::Retire &x = a.retire, &y = b.retire;
  add(x.pc != y.pc, "pc");
  add(x.instruction != y.instruction, "instruction");
  add(x.mem_write != y.mem_write || (x.mem_write && (x.mem_address != y.mem_address || x.mem_strobe != y.mem_strobe)),
      "stored to");
  add(x.mem_write && y.mem_write && x.mem_data != y.mem_data, "value stored");
  add(x.flags != y.flags, "float flags");
  add(x.exception != y.exception, "exception");
  // An address that one side does not know is no difference.
  add(a.reads.known != 0 && b.reads.known != 0 && a.reads != b.reads, "read from");
  if (!registers) return fields;
  add(x.reg_write != y.reg_write || x.reg_float != y.reg_float || x.reg != y.reg || x.base_write != y.base_write ||
          x.base_float != y.base_float || x.base != y.base || x.pair_write != y.pair_write,
      "registers written");
  add(x.reg_data != y.reg_data || x.pair_data != y.pair_data || x.base_data != y.base_data, "register values");
  return fields;
}

ComparedTraces check_comparable(const TraceReader& first, const TraceReader& second) {
  check_machines(first, second);
  ComparedTraces compared;
  if (first.header().registers != second.header().registers)
    compared.notes.push_back("register values are not compared: only one holds them");
  for (const TraceReader* reader : {&first, &second})
    if (!reader->cut_off().empty()) compared.notes.push_back(reader->cut_off());
  compared.runs = std::min(first.runs().size(), second.runs().size());
  for (size_t run = 0; run < compared.runs; ++run)
    compared.selections.push_back(common(first, second, run, compared.notes));
  return compared;
}

Comparison compare(TraceReader& first, TraceReader& second, size_t run) {
  Comparison result;
  const bool registers = first.header().registers && second.header().registers;
  std::vector<std::string> notes;
  const Selection selection = common(first, second, run, notes);
  TraceReader::Events ours(first, run, selection), theirs(second, run, selection);
  History history(first.runs()[run], first.place());
  for (;;) {
    const Event *a = ours.next(), *b = theirs.next();
    if (a == nullptr && b == nullptr) return result;
    std::string fields;
    const bool same_place = a != nullptr && b != nullptr && place(*a) == place(*b);
    if (same_place) {
      fields = differing_fields(*a, *b, registers);
      if (fields.empty()) {
        history.add(*a);
        ++result.events;
        continue;
      }
    }
    Difference d;
    d.in_both = same_place;
    d.in_first = same_place || b == nullptr || (a != nullptr && place(*a) < place(*b));
    d.event = d.in_first ? *a : *b;
    const Event at = d.event;
    d.text = fmt::format("first difference: {}\n", history.where(at));
    d.text += same_place ? fmt::format("they differ in: {}\n", fields)
                         : fmt::format("only {} has this\n", d.in_first ? first.path() : second.path());
    const std::string before = history.before(at);
    if (!before.empty()) d.text += "the last instructions before it, the same in both\n" + before;
    d.text += fmt::format("{}\n{}", first.path(), following(a, ours, at, history.names()));
    Names other(second.runs()[run].program, second.place());
    d.text += fmt::format("{}\n{}", second.path(), following(b, theirs, at, other));
    result.difference = std::move(d);
    return result;
  }
}

Comparison compare(TraceReader& first, TraceReader& second) {
  Comparison result;
  const ComparedTraces compared = check_comparable(first, second);
  result.notes = compared.notes;
  for (size_t run = 0; run < compared.runs && !result.difference; ++run) {
    Comparison of_run = compare(first, second, run);
    result.events += of_run.events;
    result.difference = std::move(of_run.difference);
  }
  if (!result.difference && first.runs().size() != second.runs().size()) {
    Difference d;
    d.in_first = first.runs().size() > second.runs().size();
    const TraceReader& longer = d.in_first ? first : second;
    d.text = fmt::format("first difference: only {} has a run {}: {}\n", longer.path(), compared.runs + 1,
                         longer.runs()[compared.runs].program.title);
    result.difference = std::move(d);
  }
  return result;
}

}  // namespace tessera::inspect::trace
