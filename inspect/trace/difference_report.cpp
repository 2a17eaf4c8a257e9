#include "inspect/trace/difference_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "inspect/trace/text_view.h"

namespace tessera::inspect::trace {
namespace {

constexpr uint64_t kCyclesBefore = 4096;  // in which kInstructionsBefore are looked for

// Of the bytes that are known, the lowest last, as a number is written.
std::string value(const std::optional<ValueDifference::Side>& side) {
  if (!side) return "not written";
  std::string text;
  for (size_t i = side->bytes.size(); i-- > 0;)
    text += side->bytes[i] < 0 ? "--" : fmt::format("{:02x}", side->bytes[i]);
  return text;
}

std::string signed_number(int64_t n) { return fmt::format("{:+}", n); }

std::string more_rows(size_t all, size_t shown, const char* what) {
  return all > shown ? fmt::format("and {} more {}\n", all - shown, what) : "";
}

// What led to a write: the last instructions of its context, or the write of a port alone.
std::string led_to(TraceReader& reader, size_t run, uint32_t tile, const std::optional<ValueDifference::Side>& side) {
  if (!side) return reader.path() + ": not written\n";
  Names names(reader.runs()[run].program, reader.place());
  Selection selection;
  selection.tiles = {tile};
  selection.lanes = 1u << side->lane;
  selection.from = side->cycle - std::min(side->cycle, is_retire(side->lane) ? kCyclesBefore : 0);
  selection.to = side->cycle + 1;
  std::deque<Event> last;
  reader.read(run, selection, [&](const Event& e) {
    if (e.tile != tile) return;
    last.push_back(e);
    if (last.size() > kInstructionsBefore) last.pop_front();
  });
  std::string text = reader.path() + "\n";
  for (const Event& e : last) text += "  " + line(e, names) + "\n";
  return text;
}

std::string values_text(const AlignedDifference& d, TraceReader& first, TraceReader& second, size_t run) {
  if (d.values_differ == 0) return fmt::format("values: all {} that are written to elements are the same\n", d.values);
  const ValueDifference& begin = d.first_values.front();
  std::string text =
      fmt::format("first value that differs: {} in superstep {}, {}, {}: {} and {}\n", begin.element, begin.superstep,
                  first.place().tile(begin.tile), begin.part, value(begin.first), value(begin.second));
  text += led_to(first, run, begin.tile, begin.first) + led_to(second, run, begin.tile, begin.second);
  text += fmt::format("\nvalues: {} differ, {} are the same\n", d.values_differ, d.values);
  text += fmt::format("{:>9} {:>4}  {:<24} {:<18} {:<18} {}\n", "superstep", "tile", "element", "first", "second",
                      "written by");
  for (const ValueDifference& v : d.first_values)
    text += fmt::format("{:>9} {:>4}  {:<24} {:<18} {:<18} {}\n", v.superstep, first.place().number(v.tile), v.element,
                        value(v.first), value(v.second), v.part);
  return text + more_rows(d.values_differ, d.first_values.size(), "values");
}

std::string heading(const char* times, const char* what) {
  return fmt::format("{:>12} {:>12} {:>12} {:>9} {:>9}  {}\n", "first", "second", "difference", times, times, what);
}

std::string row(const CyclePair& c, const std::string& what) {
  return fmt::format("{:>12} {:>12} {:>12} {:>9} {:>9}  {}\n", c.first, c.second, signed_number(c.more()),
                     c.first_times, c.second_times, what);
}

std::string cycles_text(const AlignedDifference& d, const TraceReader& first, size_t rows) {
  std::string text;
  const bool differs = !d.supersteps.empty() || !d.vertices.empty();
  if (!differs) return "cycles: those of all supersteps and vertices are the same\n";
  text += "\ncycles\n" + heading("times", "part") + row(d.all, "all supersteps");
  for (const auto& [codelet, cycles] : d.codelets) text += row(cycles, "codelet " + codelet);
  if (!d.vertices.empty()) {
    text += "\nvertices whose cycles differ\n" + heading("times", "vertex");
    const size_t shown = std::min(rows, d.vertices.size());
    for (size_t i = 0; i < shown; ++i)
      text +=
          row(d.vertices[i].cycles, fmt::format("{}, {}", first.place().tile(d.vertices[i].tile), d.vertices[i].name));
    text += more_rows(d.vertices.size(), shown, "vertices");
  }
  if (d.supersteps.empty()) return text;
  text += fmt::format("\nsupersteps whose cycles differ\n{:>9} {:>9} {:>12} {:>12} {:>12}  {}\n", "first", "second",
                      "cycles", "cycles", "difference", "steps");
  const size_t shown = std::min(rows, d.supersteps.size());
  const auto number = [](const std::optional<uint64_t>& n) { return n ? std::to_string(*n) : "-"; };
  for (size_t i = 0; i < shown; ++i) {
    const SuperstepPair& s = d.supersteps[i];
    text += fmt::format("{:>9} {:>9} {:>12} {:>12} {:>12}  {}\n", number(s.first), number(s.second), s.cycles.first,
                        s.cycles.second, signed_number(s.cycles.more()), s.steps);
  }
  return text + more_rows(d.supersteps.size(), shown, "supersteps");
}

bool same_program(names::ProgramInfo a, names::ProgramInfo b) {
  a.title.clear(), b.title.clear();
  return names::serialize(a) == names::serialize(b);
}

}  // namespace

DifferenceReport report_difference(TraceReader& first, TraceReader& second, size_t rows) {
  const ComparedTraces compared = check_comparable(first, second);
  DifferenceReport report{true, ""};
  for (const std::string& note : compared.notes) report.text += note + "\n";
  uint64_t events = 0;
  bool same_events = true;
  for (size_t run = 0; run < compared.runs; ++run) {
    const Comparison exact = compare(first, second, run);
    events += exact.events;
    if (!exact.difference) continue;
    same_events = false;
    const std::string of_run = compared.runs > 1 ? fmt::format("run {}: ", run + 1) : "";
    const bool same = same_program(first.runs()[run].program, second.runs()[run].program);
    const AlignedDifference d = compare_by_program(first, second, run, compared.selections[run], same, rows);
    if (same) report.text += exact.difference->text + "\n";
    report.text += fmt::format("{}by supersteps, steps and vertices, {}\n", of_run,
                               same ? "of the same program" : "of two programs: addresses and instructions differ");
    report.text += values_text(d, first, second, run) + cycles_text(d, first, rows);
    report.equal = report.equal && !same && d.equal();
  }
  if (first.runs().size() != second.runs().size()) {
    report.equal = false;
    const TraceReader& longer = first.runs().size() > second.runs().size() ? first : second;
    report.text += fmt::format("only {} has a run {}: {}\n", longer.path(), compared.runs + 1,
                               longer.runs()[compared.runs].program.title);
  }
  if (report.equal)
    report.text += same_events ? fmt::format("equal: {} events\n", events) : "equal in the program's terms\n";
  return report;
}

}  // namespace tessera::inspect::trace
