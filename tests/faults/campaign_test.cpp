// Which checker finds which fault: each does its part, and in lockstep nothing is missed.
#include "campaign.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace tessera::test;

TEST_CASE("every fault is found by the checker of its site, or leaves no trace") {
  const char* tier = std::getenv("TESSERA_TIER");
  const bool nightly = tier != nullptr && std::string(tier) == "nightly";
  const Campaign campaign{.seed = 2026, .faults = nightly ? 2400u : 240u, .rtl_every = nightly ? 4u : 8u};
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
    if (r.site == "image" || r.site == "checkpoint") CHECK(r.found == Found::kDigest);
    // A word is compared when it is written.
    if (r.site == "exchange" || r.site == "packet-in")
      CHECK((r.found == Found::kRecord || r.found == Found::kStop || r.found == Found::kDead));
  }
  for (const auto found : {Found::kRecord, Found::kTransfer, Found::kStop, Found::kHost, Found::kMemoryHash,
                           Found::kState, Found::kDigest, Found::kDead})
    CHECK(count(results, found) > 0);
  for (const auto plain :
       {Plain::kException, Plain::kDeadlock, Plain::kEndless, Plain::kHost, Plain::kRefused, Plain::kSilent})
    CHECK(std::any_of(results.begin(), results.end(), [&](const Result& r) { return r.plain == plain; }));
}
