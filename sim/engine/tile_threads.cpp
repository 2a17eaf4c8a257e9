#include "sim/engine/tile_threads.h"

#include <algorithm>
#include <utility>

namespace tessera::chip {
namespace {

// Waits until `value` is no longer `old`: a few microseconds awake, since the next round often follows at once, then
// asleep.
void wait_for_other(const std::atomic<uint32_t>& value, uint32_t old) {
  constexpr unsigned kLooks = 200;
  for (unsigned i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

TileThreads::TileThreads(unsigned threads, unsigned most) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < std::min(threads, most); ++i) helpers_.emplace_back([this] { serve(); });
}

TileThreads::~TileThreads() {
  over_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void TileThreads::serve() {
  uint32_t seen = 0;
  for (;;) {
    wait_for_other(round_, seen);
    seen = round_;
    if (over_) return;
    // Who calls closes the round and then looks for whom to wait: one of both sees what the other has done.
    ++inside_;
    if (open_) take_part();
    if (--inside_ == 0) inside_.notify_one();
  }
}

void TileThreads::take_part() {
  for (;;) {
    const size_t first = next_.fetch_add(grain_, std::memory_order_relaxed);
    if (first >= count_) return;
    for (size_t i = first; i < std::min(count_, first + grain_); ++i) try {
        (*work_)(i);
      } catch (...) {
        const std::lock_guard lock(failed_mutex_);
        if (!failed_ || i < failed_at_) failed_ = std::current_exception(), failed_at_ = i;
      }
  }
}

void TileThreads::run(size_t count, size_t grain, const std::function<void(size_t)>& work) {
  work_ = &work;
  count_ = count;
  grain_ = grain;
  next_ = 0;
  const bool shared = several() && count > grain;
  if (shared) {
    open_ = true;
    ++round_;
    if (const size_t wanted = (count - 1) / grain; wanted < helpers_.size())  // beside the caller
      for (size_t i = 0; i < wanted; ++i) round_.notify_one();
    else
      round_.notify_all();
  }
  take_part();
  if (shared) {
    open_ = false;
    for (uint32_t others; (others = inside_) != 0;) wait_for_other(inside_, others);
  }
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
}

}  // namespace tessera::chip
