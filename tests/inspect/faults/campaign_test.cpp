// Which checker finds which fault: each does its part, and in lockstep nothing is missed.
#include "campaign.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <iostream>
#include <string>

#include "tb/tier.h"
#include "victim_program.h"

using namespace tessera::test;

TEST_CASE("every fault is found by the checker of its site, or leaves no trace") {
  const Campaign campaign{.seed = 2026,
                          .faults = static_cast<unsigned>(in_tier(240, 2400)),
                          .rtl_every = static_cast<unsigned>(in_tier(8, 4))};
  const auto results = run_campaign(campaign);
  std::cout << "seed " << campaign.seed << "\n" << table(results);

  for (const Result& r : results) {
    INFO(r.site << ": " << r.fault);
    CHECK(r.found != Found::kNothing);
    // Until the end of its superstep at the latest.
    CHECK(r.supersteps <= 1);
    // What leaves no trace beside a second chip changes nothing by itself.
    if (r.found == Found::kDead) CHECK(r.plain == Plain::kNothing);
    if (r.plain == Plain::kSilent) CHECK(r.found != Found::kDead);
    // Whoever reads a word of memory in which a bit has turned over excepts.
    if (r.site == "memory")
      CHECK((r.plain == Plain::kParity || r.plain == Plain::kUnread || r.plain == Plain::kNothing));
    if (r.site == "image" || r.site == "checkpoint") CHECK(r.found == Found::kDigest);
    // A word is compared when it is written.
    if (r.site == "exchange") CHECK((r.found == Found::kRecord || r.found == Found::kStop));
  }
}

namespace {

// One fault for each checker: a bit of tile 1's code or data, of a word, of the state.
struct Case {
  const char* why;
  std::string fault;
  Plain plain;
  Found found;
};

uint64_t cycle_of(const VictimRun::Passing& words, unsigned n) {  // the n-th word of tile 1
  for (const auto& [tile, cycle] : words)
    if (tile == 1 && n-- == 0) return cycle;
  return 0;
}

}  // namespace

TEST_CASE("each checker fires") {
  const auto m = tessera::spec::load_machine("mk2-4");
  const auto run = observe_victim(m);
  const auto at = [](uint64_t cycle) { return " cycle=" + std::to_string(cycle); };
  const auto code = [&](tessera::spec::Opcode opcode, int32_t immediate) {
    char address[16];
    std::snprintf(address, sizeof address, "0x%x", victim_instruction(m, opcode, immediate));
    return std::string(address);
  };
  using Op = tessera::spec::Opcode;
  const Case cases[] = {
      {"a register is used", "register tile=1 context=0 name=x5 bit=20 superstep=2", Plain::kSilent, Found::kRecord},
      {"a word arrives changed", "exchange tile=1 bit=9" + at(cycle_of(run.received, 3)), Plain::kSilent,
       Found::kRecord},
      {"an expected word does not come", "exchange tile=1 bit=valid" + at(cycle_of(run.received, 3)), Plain::kException,
       Found::kStop},
      {"the host gets a changed word", "packet-out tile=1 bit=4" + at(cycle_of(run.packet_out, 23)), Plain::kSilent,
       Found::kTransfer},
      {"the host is asked for memory that it has not", "packet-out tile=1 bit=31" + at(cycle_of(run.packet_out, 1)),
       Plain::kHost, Found::kHost},
      {"a packet's length contradicts its words, and it is dropped",
       "packet-out tile=1 bit=1" + at(cycle_of(run.packet_out, 21)), Plain::kSilent, Found::kTransfer},
      {"a packet names another tile, so its words never come",
       "packet-in tile=1 bit=18" + at(cycle_of(run.packet_in, 0)), Plain::kDeadlock, Found::kTransfer},
      {"a tile waits in another zone: two bits of a byte, which parity does not see",
       "memory tile=1 bit=20,22 address=" + code(Op::Sync, 2) + at(run.started), Plain::kDeadlock, Found::kRecord},
      {"an instruction in which a bit has turned over",
       "memory tile=1 bit=20 address=" + code(Op::Sync, 2) + at(run.started), Plain::kParity, Found::kStop},
      {"code becomes illegal", "memory tile=1 bit=0,1 address=" + code(Op::Runall, 256) + at(run.started),
       Plain::kException, Found::kRecord},
      {"data lie in memory unused", "memory tile=1 bit=7 address=0xe0000 superstep=1", Plain::kUnread,
       Found::kMemoryHash},
      {"a register is never used", "register tile=1 context=3 name=f20 bit=50 superstep=1", Plain::kNothing,
       Found::kState},
      {"what is flipped is written before it is used", "register tile=1 context=3 name=x12 bit=9 superstep=1",
       Plain::kNothing, Found::kDead},
  };
  for (const Case& c : cases) {
    const auto faults = tessera::inspect::parse_faults(c.fault, m);
    for (const bool rtl : {false, true}) {
      const auto result = inject(m, faults.at(0), rtl);
      INFO(c.why << ": " << c.fault << (rtl ? " on RTL" : ""));
      CHECK(int(result.plain) == int(c.plain));
      CHECK(int(result.found) == int(c.found));
    }
  }
}
