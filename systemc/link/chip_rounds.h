// The chips of a system run together: in rounds no longer than the least latency of a link, in which none can reach
// another, on several threads; and freely, each to where it stops, while nothing is on links and no chip may send. What
// comes of it does not depend on either. Carries what is on channels through the ports, which a Link (link.h) or a
// module of your own joins, and answers the syncs of groups.
//
// run() is called from an SC_THREAD with a large stack. SystemC's time follows the rounds; modules are called, and
// their processes run, on its thread alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "rtl/spec/system.h"
#include "sim/link/between_rounds.h"
#include "sim/link/chip_threads.h"
#include "sim/link/link_watch.h"
#include "sim/link/round_follower.h"
#include "sim/port/chip.h"
#include "systemc/link/chip_port.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::link {

// How the chips are shared out among replicas, from chip 0 on.
struct Sharing {
  uint32_t chips = 0;        // of each; 0: nobody has said, and GS2 is as the system is described
  bool independent = false;  // the host answers the chips of a replica without waiting for others
};

struct Pace {                 // changes no result
  unsigned threads = 0;       // 0: as many as there are cores
  uint64_t quantum = 0;       // the longest round, in cycles; 0: the least latency of a link
  uint64_t hold_up_seed = 0;  // of ChipThreads
};

class ChipRounds : public sc_core::sc_module {
 public:
  // chips: by id; not owned. A system of one chip has no links. Throws std::runtime_error, one line, for a quantum that
  // is longer than a link's latency.
  ChipRounds(sc_core::sc_module_name name, const spec::System& system, std::vector<chip::Chip*> chips,
             const pcie::ChipClock& clock, const Pace& pace = {});

  // Of a port to which a link leads.
  ChipPort& port(const spec::ChipPort& port) { return *ports_.at(port); }

  // Not owned. Of what stands on the links.
  void accompany(RoundFollower& follower) { followers_.push_back(&follower); }
  // Not owned. Is told of the syncs of groups.
  void watch(LinkWatch& watch) { watch_ = &watch; }

  // Not owned. Is called between rounds.
  void look_between(BetweenRounds& looker) { looker_ = &looker; }

  // From the next join() on. Throws std::runtime_error, one line, where the chips are no whole number of replicas, or
  // no group of GS2 has those of one.
  void share_out(const Sharing& sharing);
  // Tells the chips of the system, after construction and after each reset, and forgets what was on links.
  void join();

  // Until no chip moves any more, each at most to `limit`, or a chip has used up its budget, or all chips of a replica
  // that meets the host by itself have come to a host sync that has not been told: the others then stop at the end of
  // the round (kLimit). A stop for each chip. Throws what a link that ends the run says (RoundFollower).
  std::vector<chip::Stop> run(uint64_t limit, uint64_t budget);

  // A chip is about to be accessed through its debug port, which takes it `cycles` of its time. Lets the others come so
  // far that it meets nothing that it does not know, and says for how many of them that holds.
  uint64_t before_access(uint32_t chip, uint64_t cycles);
  // Of the chip that is furthest, of those that the host deals with as one with this one.
  uint64_t latest(uint32_t chip) const;
  // For what a chip that runs does with others than itself: see ChipThreads::call.
  void call(uint32_t chip, const std::function<void()>& act);

 private:
  struct Member {
    chip::Chip* chip = nullptr;
    Inbox inbox;
    std::vector<std::pair<unsigned, ChipPort*>> ports;  // by their first channel
    chip::Stop stop;
    uint64_t from = 0;  // it does nothing before this cycle
    bool due = false;   // has to be run on
    size_t work = 0;    // its number among those that are run
  };

  bool waits(const Member& m) const {
    return m.stop.reason == chip::StopReason::kGroupSync || m.stop.reason == chip::StopReason::kHostSync;
  }
  bool moves(const Member& m) const {
    return m.stop.reason == chip::StopReason::kLimit || (waits(m) && m.chip->may_send());
  }
  bool look(bool over);
  // Chips whose sync of a zone is one.
  struct Group {
    uint8_t zone = 0;
    std::vector<uint32_t> members;  // ascending
    uint32_t hop_latency = 0;
    std::optional<uint32_t> number;  // of the system's groups
  };

  std::vector<Group> groups_of(const Sharing& sharing) const;
  uint32_t replica_of(uint32_t chip) const { return independent() ? chip / sharing_.chips : 0; }
  bool independent() const { return sharing_.chips != 0 && sharing_.independent; }
  bool host_is_asked();
  void pass_to(uint32_t chip, uint64_t cycle);
  // The longest: none is beyond the cycle in which a host that has been asked in it may answer.
  uint64_t round() const { return independent() ? std::min(ahead_, answer_) : ahead_; }
  bool quiet() const;
  std::optional<uint64_t> next() const;
  void run_due(uint64_t limit, uint64_t budget);
  bool runs_on(uint64_t limit) const;
  bool run_freely(uint64_t limit, uint64_t budget);
  void run_round(uint64_t end, uint64_t budget);
  bool answer_groups();
  void carry(uint64_t end);
  void follow(uint64_t end);

  const spec::System system_;
  const pcie::ChipClock& clock_;
  std::vector<Member> members_;
  std::map<spec::ChipPort, std::unique_ptr<ChipPort>> ports_;
  Sharing sharing_, next_sharing_;  // since the last join(), from the next one on
  std::vector<Group> groups_;
  bool all_meet_ = false;        // each group is of all chips, and there is one of each zone
  std::vector<uint64_t> asked_;  // by replica: the host sync that was told last
  uint64_t latency_ = 0;         // the least of a link
  uint64_t answer_ = 0;          // the least from a host sync to its mark
  uint64_t ahead_ = 0;           // the longest round
  std::vector<RoundFollower*> followers_;
  LinkWatch* watch_ = nullptr;
  BetweenRounds* looker_ = nullptr;
  ChipThreads threads_;
};

}  // namespace tessera::link
