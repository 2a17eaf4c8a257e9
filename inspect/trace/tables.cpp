#include "inspect/trace/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace tessera::inspect::trace {
namespace {

constexpr size_t kStepsShown = 3;

// Names of the steps of one superstep, each once, as they come.
class StepsSeen {
 public:
  void add(const std::string& name) {
    if (!name.empty() && std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }
  std::string take() {
    std::string joined;
    for (size_t i = 0; i < names_.size() && i < kStepsShown; ++i) joined += (i > 0 ? ", " : "") + names_[i];
    if (names_.size() > kStepsShown) joined += fmt::format(" and {} more", names_.size() - kStepsShown);
    names_.clear();
    return joined;
  }

 private:
  std::vector<std::string> names_;
};

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

PhaseStory story_of(const RunOfFile& run) {
  const BlockInfo& first = run.blocks.front().info;
  return PhaseStory(std::max(first.first_cycle, first.keep_from), first.first_superstep);
}

uint64_t end_of(const TraceReader& reader, size_t run) {
  const BlockInfo& last = reader.runs().at(run).blocks.back().info;
  const bool whole = reader.end() && run + 1 == reader.runs().size();
  return std::min(whole ? std::max(reader.end()->cycle, last.end_cycle) : last.end_cycle, last.keep_to);
}

SuperstepTable superstep_table(TraceReader& reader, size_t run) {
  SuperstepTable table;
  Names names(reader.runs().at(run).program);
  PhaseStory story = story_of(reader.runs()[run]);
  StepsSeen seen;
  std::vector<std::string> steps;
  Selection selection;
  selection.lanes = 0x7f | 1u << kLanePacketOut | 1u << kLanePacketIn | 1u << kLanePorts;
  reader.read(run, selection, [&](const Event& e) {
    if (e.kind == EventKind::kRetire) {
      ++table.retired;
      names.follow(e);
      if (e.context == 0) seen.add(names.step(e));
    }
    story.add(e);
    if (e.kind == EventKind::kSuperstep) steps.push_back(seen.take());
  });
  story.end(end_of(reader, run));
  steps.push_back(seen.take());
  for (size_t i = 0; i < story.supersteps().size(); ++i) table.rows.push_back({story.supersteps()[i], steps.at(i)});
  table.total = story.total();
  table.phases = story.phases();
  return table;
}

std::string text(const SuperstepTable& table) {
  std::string out =
      fmt::format("{:>9} {:>12} {:>10} {:>10} {:>8} {:>10} {:>10} {:>10} {:>11} {:>7}  {}\n", "superstep", "from cycle",
                  "cycles", "compute", "sync", "exchange", "transfer", "host", "retired", "slowest", "steps");
  for (const SuperstepRow& row : table.rows) {
    const SuperstepTimes& t = row.times;
    out +=
        fmt::format("{:>9} {:>12} {:>10} {:>10} {:>8} {:>10} {:>10} {:>10} {:>11} {:>7}  {}\n", t.index, t.begin,
                    t.end - t.begin, t.cycles.compute, t.cycles.sync, t.cycles.exchange, t.cycles.transfer,
                    t.cycles.host, t.retired, t.slowest == chip::kNoTile ? "-" : std::to_string(t.slowest), row.steps);
  }
  const PhaseCycles& all = table.total;
  out += fmt::format("{:>9} {:>12} {:>10} {:>10} {:>8} {:>10} {:>10} {:>10} {:>11}\n", "all", "", all.total(),
                     all.compute, all.sync, all.exchange, all.transfer, all.host, table.retired);
  out += fmt::format("{:>9} {:>12} {:>10} {:>9.1f}% {:>7.1f}% {:>9.1f}% {:>9.1f}% {:>9.1f}%\n", "", "", "",
                     share(all.compute, all.total()), share(all.sync, all.total()), share(all.exchange, all.total()),
                     share(all.transfer, all.total()), share(all.host, all.total()));
  return out;
}

void Occupation::add(uint64_t c) {
  ++times;
  cycles += c;
  shortest = std::min(shortest, c);
  longest = std::max(longest, c);
}

VertexTable vertex_table(TraceReader& reader, size_t run, const Selection& chosen) {
  VertexTable table;
  const Names names(reader.runs().at(run).program);
  Selection selection = chosen;
  selection.lanes = 1u << kLaneVertices;
  std::map<std::pair<uint32_t, unsigned>, Event> inside;  // by tile and context
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, VertexRow> rows;
  reader.read(run, selection, [&](const Event& e) {
    const std::pair key(e.tile, e.context);
    if (e.kind == EventKind::kEntered) {
      inside[key] = e;
      return;
    }
    const auto entered = inside.find(key);
    if (entered == inside.end()) return;  // entered before the trace began
    const Event in = entered->second;
    inside.erase(entered);
    VertexRow& row = rows[{in.tile, in.address, in.value}];
    if (row.cycles.times == 0) {
      const names::Vertex* vertex = names.vertex_of(in);
      row.tile = in.tile;
      row.state = in.address;
      row.codelet = names.codelet(in);
      row.context = in.context;
      if (vertex != nullptr) {
        row.compute_set = names.program().name(vertex->compute_set);
        row.id = vertex->id;
      }
    }
    row.cycles.add(e.cycle - in.cycle);
    table.codelets[row.codelet].add(e.cycle - in.cycle);
  });
  table.unfinished = inside.size();
  for (auto& [key, row] : rows) table.vertices.push_back(std::move(row));
  return table;
}

std::string text(const VertexTable& table) {
  const auto numbers = [](const Occupation& o) {
    return fmt::format("{:>9} {:>12} {:>10.1f} {:>9} {:>9}", o.times, o.cycles,
                       static_cast<double>(o.cycles) / static_cast<double>(o.times), o.shortest, o.longest);
  };
  std::string out =
      fmt::format("{:>9} {:>12} {:>10} {:>9} {:>9}  {}\n", "times", "cycles", "mean", "shortest", "longest", "codelet");
  for (const auto& [codelet, cycles] : table.codelets) out += fmt::format("{}  {}\n", numbers(cycles), codelet);
  out += fmt::format("\n{:>4} {:<3} {:>9} {:>12} {:>10} {:>9} {:>9}  {}\n", "tile", "ctx", "times", "cycles", "mean",
                     "shortest", "longest", "vertex");
  for (const VertexRow& row : table.vertices)
    out += fmt::format("{:>4} {:<3} {}  {}{}{}\n", row.tile, context_name(row.context), numbers(row.cycles),
                       row.codelet, row.compute_set.empty() ? "" : " of " + row.compute_set,
                       row.id >= 0 ? fmt::format(", vertex {}", row.id) : fmt::format(" on {:#x}", row.state));
  if (table.unfinished > 0) out += fmt::format("{} vertices were running when the trace ended\n", table.unfinished);
  return out;
}

}  // namespace tessera::inspect::trace
