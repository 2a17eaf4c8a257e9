#include "inspect/gdb/exchange_history.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

class History : public chip::Observer {
 public:
  History(unsigned tiles, const spec::ChipPlace& place) : place_(place), tiles_(tiles) {}
  void sent(unsigned tile, uint64_t, uint32_t) override { ++tiles_[tile].sent; }
  void received(unsigned tile, uint64_t, unsigned source, uint32_t) override { ++tiles_[tile].received[source]; }
  void selected(unsigned tile, uint64_t, unsigned source) override { tiles_[tile].select = source; }
  void exchanging(unsigned tile, uint64_t, bool on) override { tiles_[tile].busy = on; }

  std::string text() const {
    std::ostringstream out;
    for (unsigned id = 0; id < tiles_.size(); ++id) {
      const Tile& tile = tiles_[id];
      out << place_.tile(id) << ": sent " << tile.sent << " words, received";
      for (const auto& [source, words] : tile.received) out << " " << words << " from tile " << source << ",";
      if (tile.received.empty()) out << " none,";
      out << (tile.busy ? " exchanging" : " not exchanging");
      if (tile.select < tiles_.size()) out << ", selects tile " << tile.select;
      out << "\n";
    }
    return out.str();
  }

 private:
  struct Tile {
    uint64_t sent = 0;
    std::map<unsigned, uint64_t> received;
    unsigned select = chip::kNoTile;
    bool busy = false;
  };
  const spec::ChipPlace place_;
  std::vector<Tile> tiles_;
};

}  // namespace

std::string exchange_history(Target& target, Navigator& navigator) {
  navigator.leave_view();
  std::string text;
  for (unsigned chip = 0; chip < target.chips(); ++chip) {
    Run& run = target.run(chip);
    History history(target.tiles_of_chip(), {chip, target.chips()});
    const uint64_t here = Target::within(run, navigator.position());
    run.go_to(std::max(run.oldest(), run.boundary_before(here).cycle));
    run.replay(here, &history);
    text += history.text();
  }
  return text;
}

}  // namespace tessera::inspect::gdb
