// 1,000 bits of memory that turn over, one in a plain run each, on RTL and on the model: whoever reads such a word
// excepts.
#include <cstdio>
#include <string>

#include "tests/bench/figure.h"
#include "tests/inspect/faults/campaign.h"

using namespace tessera::test;

int main() {
  constexpr uint64_t kSeed = 1000;
  constexpr unsigned kFlips = 1000;
  bool ok = true;
  for (const bool rtl : {true, false}) {
    const std::string side = rtl ? "rtl" : "model";
    const auto results = flip_memory(kSeed, kFlips, rtl);
    const unsigned parity = count(results, Plain::kParity), unread = count(results, Plain::kUnread),
                   nothing = count(results, Plain::kNothing);
    ok &= print_figure("tile_flips_" + side + "_parity", parity, "exceptions", Goal::kAtLeast, 1,
                       {{"seed", kSeed}, {"flips", kFlips}, {"unread", unread}, {"written_over", nothing}});
    ok &= print_figure("tile_flips_" + side + "_silent", kFlips - parity - unread - nothing, "flips", Goal::kAtMost, 0,
                       {{"seed", kSeed}, {"flips", kFlips}});
    for (const Result& r : results)
      if (r.plain != Plain::kParity && r.plain != Plain::kUnread && r.plain != Plain::kNothing)
        std::fprintf(stderr, "%s: %s\n", side.c_str(), r.fault.c_str());
  }
  return ok ? 0 : 1;
}
