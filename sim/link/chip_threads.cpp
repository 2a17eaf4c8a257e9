#include "sim/link/chip_threads.h"

#include <algorithm>

namespace tessera::link {

ChipThreads::ChipThreads(unsigned threads, uint64_t hold_up_seed)
    : holds_up_(hold_up_seed != 0), random_(hold_up_seed) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  if (threads == 1) return;
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

ChipThreads::~ChipThreads() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  work_there_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

unsigned ChipThreads::draw_yields() {
  return holds_up_ && random_() % 8 == 0 ? static_cast<unsigned>(1 + random_() % kMostYields) : 0;
}

void ChipThreads::hold_up(unsigned yields) {
  for (unsigned i = 0; i < yields; ++i) std::this_thread::yield();
}

void ChipThreads::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_there_.wait(lock, [&] { return over_ || (work_ != nullptr && next_ < count_); });
    if (over_) return;
    const size_t i = next_++;
    const auto& work = *work_;
    const unsigned yields = draw_yields();
    lock.unlock();
    hold_up(yields);
    std::exception_ptr failed;
    try {
      work(i);
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    failed_[i] = failed;
    has_ended_[i] = true;
    ++ended_;
    something_done_.notify_all();
  }
}

void ChipThreads::run(size_t count, const std::function<void(size_t)>& work) {
  if (threads_.empty() || count <= 1) {
    std::exception_ptr failed;
    for (size_t i = 0; i < count; ++i) try {
        hold_up(draw_yields());
        work(i);
      } catch (...) {
        if (!failed) failed = std::current_exception();
      }
    if (failed) std::rethrow_exception(failed);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = count;
  next_ = ended_ = 0;
  has_ended_.assign(count, false);
  failed_.assign(count, nullptr);
  calls_.assign(count, nullptr);
  work_there_.notify_all();
  while (ended_ < count_) {
    size_t first = 0;
    while (first < count_ && has_ended_[first]) ++first;
    Call* const call = calls_[first];
    if (call == nullptr) {
      something_done_.wait(lock);
      continue;
    }
    calls_[first] = nullptr;
    lock.unlock();
    try {
      (*call->act)();
    } catch (...) {
      call->failed = std::current_exception();
    }
    lock.lock();
    call->done = true;
    something_done_.notify_all();
  }
  work_ = nullptr;
  for (const std::exception_ptr& failed : failed_)
    if (failed) std::rethrow_exception(failed);
}

void ChipThreads::call(size_t i, const std::function<void()>& act) {
  std::unique_lock lock(mutex_);
  if (work_ == nullptr) {  // on the caller's thread already
    lock.unlock();
    act();
    return;
  }
  Call call{&act, false, nullptr};
  calls_[i] = &call;
  something_done_.notify_all();
  something_done_.wait(lock, [&] { return call.done; });
  if (call.failed) std::rethrow_exception(call.failed);
}

}  // namespace tessera::link
