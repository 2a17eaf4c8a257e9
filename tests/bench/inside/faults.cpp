// 1,000 faults, one at a time: how many nothing finds when a chip without the fault runs beside.
#include <algorithm>
#include <cstdio>

#include "tests/bench/figure.h"
#include "tests/inspect/faults/campaign.h"

using namespace tessera::test;

int main() {
  const Campaign campaign{.seed = 1000, .faults = 800, .rtl_every = 4};
  const auto results = run_campaign(campaign);
  std::fprintf(stderr, "seed %llu\n%s", static_cast<unsigned long long>(campaign.seed), table(results).c_str());
  const auto plain = [&](Plain wanted) { return count(results, wanted); };
  uint64_t supersteps = 0;
  for (const Result& r : results) supersteps = std::max(supersteps, r.supersteps);
  print_figure("inside_faults_injected", static_cast<double>(results.size()), "flips", Goal::kAtLeast, 1000,
               {{"seed", campaign.seed},
                {"plain_run",
                 {{"parity", plain(Plain::kParity)},
                  {"exception", plain(Plain::kException)},
                  {"deadlock", plain(Plain::kDeadlock)},
                  {"endless", plain(Plain::kEndless)},
                  {"host", plain(Plain::kHost)},
                  {"refused", plain(Plain::kRefused)},
                  {"unread", plain(Plain::kUnread)},
                  {"silent", plain(Plain::kSilent)},
                  {"nothing", plain(Plain::kNothing)}}}});
  print_figure("inside_faults_uncaught", count(results, Found::kNothing), "flips", Goal::kAtMost, 0,
               {{"record", count(results, Found::kRecord)},
                {"transfer", count(results, Found::kTransfer)},
                {"stop", count(results, Found::kStop)},
                {"host", count(results, Found::kHost)},
                {"memory_hash", count(results, Found::kMemoryHash)},
                {"state", count(results, Found::kState)},
                {"digest", count(results, Found::kDigest)},
                {"dead", count(results, Found::kDead)},
                {"most_ends_of_supersteps_until_found", supersteps}});
  return 0;
}
