// The ways of packets from chip to chip, and on which virtual channels, so that no packets wait for each other in a
// circle. How ways are chosen: docs/reference/systems.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rtl/spec/numbers.h"
#include "rtl/spec/system.h"

namespace tessera::spec {

class Routes {
 public:
  static constexpr uint32_t kLayers = kLinkLayers;  // virtual channels of a link, each way

  // From a chip to one beside it, on a layer.
  struct Hop {
    uint32_t from = 0, to = 0, layer = 0;
    auto operator<=>(const Hop&) const = default;
  };

  explicit Routes(const System&);

  // Where a packet for `target` goes from `chip`, which is another one: the same for all packets, wherever they come
  // from.
  uint32_t next(uint32_t chip, uint32_t target) const { return next_[chip * chips_ + target]; }
  // The layer of its next hop, of a packet that came to `chip` by `last`; null: it begins there.
  uint32_t layer(const Hop* last, uint32_t chip, uint32_t to) const;
  // All hops of a packet.
  std::vector<Hop> way(uint32_t source, uint32_t target) const;
  // Links between two chips, by their numbers in the system, ascending. A packet takes one of them as its block says.
  std::vector<uint32_t> links(uint32_t from, uint32_t to) const;

 private:
  bool wraps(uint32_t from, uint32_t to) const;

  std::optional<Grid> grid_;
  std::vector<Link> links_;
  uint32_t chips_;
  std::vector<uint32_t> next_;
};

// Hops of ways that packets can wait for in a circle, each holding one and wanting the next: none if no circle can
// close.
std::vector<Routes::Hop> find_circle(const std::vector<std::vector<Routes::Hop>>& ways);

}  // namespace tessera::spec
