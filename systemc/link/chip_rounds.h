// The chips of a system run together: in rounds no longer than the least latency of a link, in which none can reach
// another, on several threads; and freely, each to where it stops, while nothing is on links and no chip may send. What
// comes of it does not depend on either. Carries what is on channels through the ports, which a Link (link.h) or a
// module of your own joins, and answers the syncs of groups.
//
// run() is called from an SC_THREAD with a large stack. SystemC's time follows the rounds; modules are called, and
// their processes run, on its thread alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "rtl/spec/system.h"
#include "sim/link/chip_threads.h"
#include "sim/link/link_watch.h"
#include "sim/link/round_follower.h"
#include "sim/port/chip.h"
#include "systemc/link/chip_port.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::link {

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

  // Tells the chips of the system, after construction and after each reset, and forgets what was on links.
  void join();

  // Until no chip moves any more, each at most to `limit`, or a chip has used up its budget: the others then stop at
  // the end of the round (kLimit). A stop for each chip. Throws what a link that ends the run says (RoundFollower).
  std::vector<chip::Stop> run(uint64_t limit, uint64_t budget);

  // A chip is about to be accessed through its debug port, which takes it `cycles` of its time. Lets the others come so
  // far that it meets nothing that it does not know, and says for how many of them that holds.
  uint64_t before_access(uint32_t chip, uint64_t cycles);
  // Of the chip that is furthest.
  uint64_t latest() const;
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
  bool quiet() const;
  std::optional<uint64_t> next() const;
  void run_due(uint64_t limit, uint64_t budget);
  bool run_freely(uint64_t limit, uint64_t budget);
  void run_round(uint64_t end, uint64_t budget);
  bool answer_groups();
  void carry(uint64_t end);
  void follow(uint64_t end);

  const spec::System system_;
  const pcie::ChipClock& clock_;
  std::vector<Member> members_;
  std::map<spec::ChipPort, std::unique_ptr<ChipPort>> ports_;
  std::vector<const spec::SyncGroup*> groups_;  // of external syncs
  bool one_group_ = false;                      // of all chips
  uint64_t latency_ = 0;                        // the least of a link
  uint64_t ahead_ = 0;                          // the longest round
  std::vector<RoundFollower*> followers_;
  LinkWatch* watch_ = nullptr;
  ChipThreads threads_;
};

}  // namespace tessera::link
