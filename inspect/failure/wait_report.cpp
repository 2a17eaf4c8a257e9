// Why nothing moves: a deadlock as the graph of who waits for what, and a phase that never ends with its loop.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "inspect/failure/case.h"
#include "inspect/failure/instruction_text.h"
#include "inspect/frozen_view.h"
#include "inspect/tile_groups.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

constexpr uint64_t kLoopCycles = 20000;  // of the end of a phase, in which its loop is looked for
constexpr size_t kMostLines = 8;
constexpr uint64_t kLongest = 128;  // cycles that an instruction may take

// When each tile last asked for a sync.
class RequestWatch : public chip::Observer {
 public:
  explicit RequestWatch(unsigned tiles) : since(tiles) {}
  std::vector<uint64_t> since;
  void sync_request(unsigned tile, uint64_t cycle, uint8_t, bool) override { since[tile] = cycle; }
};

struct Group {  // tiles that do the same thing
  std::string state, step;
  std::vector<unsigned> tiles;
  uint32_t pc = 0;  // of the first
};

std::vector<Group> groups_of(Case& c, const std::vector<chip::TileWait>& waits) {
  std::optional<FrozenView> view;  // for code that is held once for several steps
  if (!c.words.program().calls.empty()) view.emplace(c.run, c.end());
  // A supervisor that waits stands behind the instruction that does.
  const auto pc_of = [](const chip::TileWait& wait) {
    const bool waits = wait.state.starts_with("waits") || wait.state.starts_with("awaits");
    return waits ? wait.supervisor_pc - 4 : wait.supervisor_pc;
  };
  const auto step_of = [&](const chip::TileWait& wait) {
    std::optional<uint32_t> table;
    if (view) table = view->x(wait.tile, 0, names::kTableRegister);
    return c.words.step(wait.tile, pc_of(wait), table);
  };
  std::vector<Group> result;
  for (TileGroup& same : group_tiles(waits, [&](const auto& wait) { return wait.state + "\n" + step_of(wait); })) {
    const auto first = std::find_if(waits.begin(), waits.end(),
                                    [&](const chip::TileWait& wait) { return wait.tile == same.tiles.front(); });
    result.push_back({first->state, step_of(*first), std::move(same.tiles), pc_of(*first)});
  }
  // Few tiles that differ from the many are what went wrong.
  std::stable_sort(result.begin(), result.end(),
                   [](const Group& a, const Group& b) { return a.tiles.size() < b.tiles.size(); });
  return result;
}

std::string describe(const Words& words, const Group& g) {
  return words.tiles(g.tiles) + " " + doing(g.state, g.tiles.size()) + (g.step.empty() ? "" : ", " + in_step(g.step));
}

// A worker of a loop: how often each line was executed, the most frequent first.
std::string lines_of(const Words& words, const History::Context& context) {
  std::map<std::string, uint64_t> lines;
  uint64_t all = 0;
  uint32_t lowest = ~0u, highest = 0;
  for (const auto& [pc, count] : context.counts) {
    const std::string line = words.line(pc);
    lines[line.empty() ? fmt::format("pc {:#x}", pc) : line] += count;
    all += count;
    lowest = std::min(lowest, pc);
    highest = std::max(highest, pc);
  }
  std::vector<std::pair<std::string, uint64_t>> sorted(lines.begin(), lines.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = fmt::format("{} instructions between {:#x} and {:#x}:", all, lowest, highest);
  for (size_t i = 0; i < sorted.size() && i < kMostLines; ++i) {
    const uint64_t share = (100 * sorted[i].second + all / 2) / all;
    if (i > 0 && share == 0) break;
    text += fmt::format("{} {} ({} %)", i == 0 ? "" : ",", sorted[i].first, share);
  }
  return text;
}

}  // namespace

std::string explain_deadlock(Case& c) {
  const auto waits = c.run.chip().waits();
  RequestWatch watch(c.words.machine().tiles());
  c.run.go_to(begin_of_replay(c.run, c.end()));
  c.run.replay(c.end(), &watch);
  const auto groups = groups_of(c, waits);
  std::string text = "Deadlock: no tile can go on";
  for (const Group& g : groups) {
    c.involved.push_back(g.tiles.front());
    std::string line = describe(c.words, g);
    if (const uint64_t since = watch.since[g.tiles.front()]; g.state.starts_with("waits at") && since != 0)
      line +=
          fmt::format(", {}since cycle {}", g.tiles.size() == 1 ? "" : c.words.tiles({g.tiles.front()}) + " ", since);
    const std::string place = c.words.line(g.pc);
    if (!place.empty()) line += fmt::format(" ({} at {})", c.words.function(g.pc), place);
    text += row("who", line);
    if (g.state.ends_with("of packets"))
      text += row("  for", c.words.of_several_chips() ? "tiles of other chips, which send nothing any more"
                                                      : "the host, which has answered all that it was asked");
    // Everyone who is not at the same sync is missing there.
    if (!g.state.starts_with("waits at")) continue;
    std::vector<unsigned> missing;
    for (const chip::TileWait& wait : waits)
      if (wait.state != g.state) missing.push_back(wait.tile);
    if (!missing.empty())
      text += row("  for", fmt::format("{}, which {} not come to that sync", c.words.tiles(missing),
                                       missing.size() == 1 ? "has" : "have"));
  }
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = i + 1; j < groups.size(); ++j)
      if (groups[i].state != groups[j].state && groups[i].state.starts_with("waits at") &&
          groups[j].state.starts_with("waits at"))
        text += row("circle", fmt::format("{} and {} wait for each other", c.words.tiles(groups[i].tiles),
                                          c.words.tiles(groups[j].tiles)));
  const Run::Boundary superstep = c.run.boundary_before(c.end());
  return text + row("when", fmt::format("cycle {}, superstep {}", c.end(), superstep.superstep));
}

std::string explain_budget(Case& c) {
  const unsigned tile = c.stop.tile;
  c.involved.insert(c.involved.begin(), tile);
  const Run::Boundary superstep = c.run.boundary_before(c.end());
  const auto waits = c.run.chip().waits();
  History history(c.words.program(), c.words.machine().tiles(), {tile});
  history.begin(c.run, std::max({c.run.oldest(), superstep.cycle, c.end() > kLoopCycles ? c.end() - kLoopCycles : 0}));
  const uint64_t from = c.run.position();
  c.run.replay(c.end(), &history);

  std::string text =
      fmt::format("{} computed for more than its cycle budget without reaching a sync", capital(c.words.tile(tile)));
  // Which workers go on: a running RTL tile does not say.
  const auto goes_on = [&](unsigned context) {
    const auto& last = history.tile(tile).contexts[context].last;
    return !last.empty() && last.back().cycle + kLongest > c.end() &&
           spec::decode(last.back().instruction) != spec::Opcode::Exit;
  };
  bool workers = false;
  for (unsigned context = 1; context < 7; ++context) workers |= goes_on(context);
  for (unsigned context = 0; context < 7; ++context) {
    const History::Context& did = history.tile(tile).contexts[context];
    if (context == 0 ? workers : !goes_on(context)) continue;
    const names::Vertex* vertex = history.vertex(tile, context);
    if (vertex == nullptr && context != 0) {
      FrozenView view(c.run, c.end());
      vertex = vertex_by_list(c.words, tile, view.csr(tile, context, static_cast<unsigned>(spec::Csr::Xvbase)),
                              view.x(tile, context, kListRegister), [&](uint32_t at) { return view.word(tile, at); });
    }
    if (vertex != nullptr) text += row("in", c.words.vertex(*vertex));
    if (did.last.empty()) {
      text += row(context_name(context), "nothing executed");
      continue;
    }
    text += row(context_name(context), "is " + c.words.place(did.last.back().pc));
    text += row("", fmt::format("in the last {} cycles {}", c.end() - from, lines_of(c.words, did)));
    text += "\n  last instructions of " + the_context(context) + ":" + listing(c.words, did);
  }
  const std::string step = history.step(tile);
  if (!step.empty()) text += row("step", step);
  for (const Group& g : groups_of(c, waits))
    if (g.tiles.front() != tile || g.tiles.size() > 1) text += row("meanwhile", describe(c.words, g));
  return text + row("when", fmt::format("cycle {}, {} cycles into superstep {}", c.end(), c.end() - superstep.cycle,
                                        superstep.superstep));
}

std::string explain_halt(Case& c) {
  std::string text = "Every tile is halted in the middle of a program";
  for (const Group& g : groups_of(c, c.run.chip().waits())) {
    c.involved.push_back(g.tiles.front());
    text += row("who", describe(c.words, g));
  }
  return text + row("when", fmt::format("cycle {}, superstep {}", c.end(), c.run.boundary_before(c.end()).superstep));
}

}  // namespace tessera::inspect::failure
