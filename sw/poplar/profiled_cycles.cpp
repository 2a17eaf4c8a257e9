#include "sw/poplar/profiled_cycles.h"

namespace tessera::runtime {
namespace {

template <class Apply>
void each_field(chip::Counters& a, const chip::Counters& b, Apply apply) {
  using chip::Counters;
  static_assert(sizeof(Counters) == 9 * sizeof(uint64_t), "all of them are below");
  for (uint64_t Counters::* field :
       {&Counters::cycles, &Counters::evaluated, &Counters::skipped, &Counters::supersteps, &Counters::compute,
        &Counters::sync, &Counters::exchange, &Counters::transfer, &Counters::host})
    apply(a.*field, b.*field);
}

chip::Counters difference(chip::Counters from, const chip::Counters& other) {
  each_field(from, other, [](uint64_t& a, uint64_t b) { a -= b; });
  return from;
}

}  // namespace

chip::Counters ProfiledCycles::of(const chip::Counters& now) const {
  return difference(off_ ? off_since_ : now, left_out_);
}

void ProfiledCycles::reset(const chip::Counters& now) { left_out_ = off_since_ = now; }

void ProfiledCycles::disable(const chip::Counters& now) {
  if (!off_) off_since_ = now;
  off_ = true;
}

void ProfiledCycles::enable(const chip::Counters& now) {
  if (off_) each_field(left_out_, difference(now, off_since_), [](uint64_t& a, uint64_t b) { a += b; });
  off_ = false;
}

void ProfiledCycles::loaded() { left_out_ = off_since_ = {}; }

}  // namespace tessera::runtime
