// The packets on the links of a system and to its gateways, as a file: docs/reference/trace.md, Links.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "rtl/spec/remote_windows.h"
#include "rtl/spec/system.h"
#include "sim/link/gateway_watch.h"
#include "sim/link/link_watch.h"
#include "sim/link/round_follower.h"

namespace tessera::inspect::links {

// What is written, in the order of `cycle`, and of one cycle of lanes. Lines of a reset's run follow those before it.
struct Passage {
  link::LinkWatch::Lane lane;
  unsigned run = 0;
  // kAgain: a flit that is sent again in `cycle`. kSync: the sync of group lane.link has left chip lane.from in `left`
  // and been answered in `cycle`.
  // kRemote: a packet of chip lane.from to the memory of gateway `to`, at its own gateway lane.link; kGatewayLink: one
  // of chip lane.channel on link lane.link between gateways, from its end lane.from.
  enum class Kind : uint8_t { kPacket, kAgain, kSync, kRemote, kGatewayLink } kind = Kind::kPacket;
  uint64_t cycle = 0;  // packet: its last word at the other end; one that reads: of the answer at this end
  // Of a packet:
  uint64_t left = 0, left_last = 0, arrived = 0;  // first and last word here, first word there; or of the answer here
  uint8_t layer = 0;
  bool bad = false, reads = false;
  uint32_t header = 0;
  uint64_t address = 0;
  unsigned words = 0;  // header and address among them; of one that reads, as if they were in it
  // Of one to remote memory:
  uint32_t chip = 0, tile = 0, to = 0;  // that has sent it; the gateway whose memory it is for, or at the other end

  unsigned payload() const { return words < 2 ? 0 : words - 2; }
  bool of_gateway() const { return kind == Kind::kRemote || kind == Kind::kGatewayLink; }
};

class PassageFile {
 public:
  virtual ~PassageFile() = default;
  // Throw formats::CannotWrite.
  virtual void write(const Passage&) = 0;
  // No passage of this run that is still to come has anything in a cycle before that.
  virtual void settled(uint64_t /*cycle*/) {}
  virtual void close() = 0;
};
// Comma-separated values; of a name that ends in .json or .json.gz the picture for Perfetto, in .fst waves.
std::unique_ptr<PassageFile> make_passage_file(const std::string& path, const spec::System&);

class LinkTrace : public link::LinkWatch, public link::GatewayWatch, public link::RoundFollower {
 public:
  LinkTrace(const std::string& path, const spec::System& system);
  // The file is whole; what comes later is not in it.
  void finish();

  void left(const Lane&, uint64_t cycle, const chip::LinkWord&) override;
  void arrived(const Lane&, uint64_t cycle, const chip::LinkWord&) override;
  void sent_again(const Lane&, uint64_t cycle) override;
  void synchronised(uint32_t group, uint32_t chip, uint64_t left, uint64_t answered) override;
  void accessed(const link::RemoteAccess&) override;
  void follow(uint64_t end) override;
  uint64_t followed() const override { return followed_; }
  bool holds() const override { return false; }
  void check(uint64_t) const override {}
  void restart() override;

 private:
  struct Traffic {
    std::deque<Passage> under_way;  // by the first word that left; the last one may be leaving
    bool leaving = false;
    unsigned here = 0;  // words of the first that have arrived
  };
  void keep(const Passage&);

  std::unique_ptr<PassageFile> file_;
  std::map<Lane, Traffic> traffic_;
  // Until all before them are known. Of a cycle syncs behind what is on links, then what is at gateways.
  std::multimap<std::tuple<uint64_t, Passage::Kind, Lane>, Passage> kept_;
  const std::vector<spec::GatewayLink> gateway_links_;
  std::vector<std::vector<spec::RemoteWindow>> windows_;  // by gateway
  uint64_t followed_ = 0;
  unsigned run_ = 0;
};

}  // namespace tessera::inspect::links
