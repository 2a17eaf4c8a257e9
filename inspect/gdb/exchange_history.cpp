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
  explicit History(unsigned tiles) : tiles_(tiles) {}
  void sent(unsigned tile, uint64_t, uint32_t) override { ++tiles_[tile].sent; }
  void received(unsigned tile, uint64_t, unsigned source, uint32_t) override { ++tiles_[tile].received[source]; }
  void selected(unsigned tile, uint64_t, unsigned source) override { tiles_[tile].select = source; }
  void exchanging(unsigned tile, uint64_t, bool on) override { tiles_[tile].busy = on; }

  std::string text() const {
    std::ostringstream out;
    for (unsigned id = 0; id < tiles_.size(); ++id) {
      const Tile& tile = tiles_[id];
      out << "tile " << id << ": sent " << tile.sent << " words, received";
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
  std::vector<Tile> tiles_;
};

}  // namespace

std::string exchange_history(Run& run, Navigator& navigator) {
  History history(run.chip().machine().tiles());
  navigator.leave_view();
  const uint64_t here = navigator.position();
  run.go_to(std::max(run.oldest(), run.boundary_before(here).cycle));
  run.replay(here, &history);
  return history.text();
}

}  // namespace tessera::inspect::gdb
