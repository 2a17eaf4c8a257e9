#include "compiler/passes/exchange/pair_transfers.h"

#include <algorithm>
#include <vector>

#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kLeastWords = 8;  // below, what the events of more tiles take is as long
// A tile that receives itself lends its port only if so many receivers gain by it, the one for which it does among
// them.
constexpr std::uint32_t kReceiversOfBusy = 8;
constexpr std::uint32_t kMostDoubles = spec::ExchangeEvent::Layout::count.most();

class Pairing {
 public:
  Pairing(const Traffic& from, const ir::Blocks& blocks, const spec::Machine& machine)
      : from_(from), blocks_(blocks), receives_(machine.tiles()) {
    for (const Transfer& t : from.transfers)
      for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r)
        receives_[from.receivers[r].tile] = true;
  }

  Traffic run() {
    for (const Transfer& t : from_.transfers) {
      const std::uint32_t doubles = t.words / 2;
      if (t.words < kLeastWords || !aligned(t.from) || !join(t)) {
        add(t, 0, t.words);
        continue;
      }
      for (std::uint32_t done = 0; done < doubles; done += kMostDoubles)
        add_paired(t, 2 * done, std::min(kMostDoubles, doubles - done));
      if (t.words % 2 != 0) add(t, t.words - 1, 1);
    }
    return std::move(to_);
  }

 private:
  bool aligned(const ir::Place& place) const { return place.offset % 8 == 0 && blocks_[place.block].align % 8 == 0; }

  // Whether all receivers stand in pairs, or have one who lends; these are then in lenders_.
  bool join(const Transfer& t) {
    tiles_.clear();
    lenders_.clear();
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
      if (!aligned(from_.receivers[r].to)) return false;
      tiles_.push_back(from_.receivers[r].tile);
    }
    std::sort(tiles_.begin(), tiles_.end());
    for (const std::uint32_t tile : tiles_) {
      const std::uint32_t other = spec::Machine::pair_of(tile);
      if (std::binary_search(tiles_.begin(), tiles_.end(), other)) continue;
      lenders_.push_back(other);
    }
    const auto busy = std::count_if(lenders_.begin(), lenders_.end(), [&](std::uint32_t l) { return receives_[l]; });
    return busy * kReceiversOfBusy <= t.receivers;
  }

  // Words from `first` on.
  void add(const Transfer& t, std::uint32_t first, std::uint32_t words) {
    to_.transfers.push_back({t.source, moved(t.from, first), words, static_cast<std::uint32_t>(to_.receivers.size()),
                             t.receivers, t.paired});
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r)
      to_.receivers.push_back({from_.receivers[r].tile, moved(from_.receivers[r].to, first)});
  }

  void add_paired(const Transfer& t, std::uint32_t first, std::uint32_t doubles) {
    add(t, first, doubles);
    Transfer& added = to_.transfers.back();
    added.paired = true;
    added.receivers += static_cast<std::uint32_t>(lenders_.size());
    for (const std::uint32_t lender : lenders_) to_.receivers.push_back({lender, {}, true});
  }

  static ir::Place moved(const ir::Place& place, std::uint32_t words) {
    return {place.block, place.offset + 4 * words};
  }

  const Traffic& from_;
  const ir::Blocks& blocks_;
  std::vector<bool> receives_;                  // by tile
  std::vector<std::uint32_t> tiles_, lenders_;  // of the present transfer
  Traffic to_;
};

}  // namespace

Traffic pair_transfers(Traffic traffic, const ir::Blocks& blocks, const spec::Machine& machine) {
  if (!machine.pairs()) return traffic;
  return Pairing(traffic, blocks, machine).run();
}

}  // namespace tessera::compiler
