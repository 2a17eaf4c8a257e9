// What led to results that the host found wrong: the vertices that ran last, and who sent words to whom.
#include <fmt/format.h>

#include <map>

#include "inspect/failure/case.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

constexpr size_t kVerticesTold = 12, kTilesSearched = 8;

class Doings : public chip::Observer {
 public:
  struct Ran {
    const names::Vertex* vertex = nullptr;
    unsigned context = 0;
    uint64_t from = 0;
  };
  struct Tile {
    std::vector<Ran> ran;
    std::map<unsigned, uint64_t> received;  // words by source
  };

  Doings(const names::ProgramInfo& program, unsigned machine_tiles, const std::vector<unsigned>& tiles)
      : tracker_(program, machine_tiles) {
    for (const unsigned tile : tiles) all[tile];
  }
  std::map<unsigned, Tile> all;

  bool wants(unsigned tile) const override { return all.count(tile) != 0; }
  void retire(unsigned tile, const chip::Retire& record) override {
    if (!wants(tile) || tracker_.retire(tile, record) != trace::VertexTracker::Change::kEntered) return;
    const trace::RunningVertex& now = tracker_.running(tile, record.context);
    if (now.vertex != nullptr) all.at(tile).ran.push_back({now.vertex, record.context, now.since});
  }
  void received(unsigned tile, uint64_t, unsigned source, uint32_t) override {
    if (wants(tile)) ++all.at(tile).received[source];
  }

 private:
  trace::VertexTracker tracker_;
};

}  // namespace

std::string explain_check(Case& c, const std::string& what, const std::vector<unsigned>& tiles) {
  std::vector<unsigned> shown = tiles;
  for (unsigned tile = 0; tiles.empty() && tile < c.words.machine().tiles() && tile < kTilesSearched; ++tile)
    shown.push_back(tile);
  c.involved = shown;
  Doings doings(c.words.program(), c.words.machine().tiles(), shown);
  c.run.go_to(begin_of_replay(c.run, c.end()));
  const uint64_t from = c.run.position();
  c.run.replay(c.end(), &doings);

  std::string text = "Check failed: " + what;
  text += row("when", fmt::format("the chip stands in cycle {}, superstep {}; looked at from cycle {} on", c.end(),
                                  c.run.boundary_before(c.end()).superstep, from));
  for (const auto& [tile, did] : doings.all) {
    const std::string name = c.words.tile(tile);
    if (did.ran.empty() && did.received.empty()) text += row(name, "ran no vertex and received no word");
    size_t told = 0;
    for (const Doings::Ran& ran : did.ran) {
      if (told++ == kVerticesTold) break;
      text += row(told == 1 ? name : "", fmt::format("{} ran {} from cycle {}", context_name(ran.context),
                                                     c.words.vertex(*ran.vertex), ran.from));
    }
    if (did.ran.size() > kVerticesTold) text += row("", fmt::format("and {} more", did.ran.size() - kVerticesTold));
    for (const auto& [source, words] : did.received)
      text += row(did.ran.empty() ? name : "",
                  fmt::format("received {} from {}", counted(words, "word"), c.words.tile(source)));
  }
  return text;
}

}  // namespace tessera::inspect::failure
