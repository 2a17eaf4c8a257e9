// A stream callback that needs what the program has sent before: its prefetch waits for it, on whatever thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <poplar/StreamCallback.hpp>
#include <vector>

namespace tessera::test {

class Results {
 public:
  void add(int value) {
    const std::lock_guard lock(mutex_);
    values_.push_back(value);
    changed_.notify_all();
  }
  int wait_for(std::size_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return values_.size() > number; });
    return values_[number];
  }
  std::vector<int> all() {
    const std::lock_guard lock(mutex_);
    return values_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> values_;
};

// The n-th transfer is the n-th result and `more`; what was dropped is given again. One transfer is asked ahead.
class Answer : public poplar::StreamCallback {
 public:
  explicit Answer(Results& results, int more = 1) : results_(results), more_(more) {}
  Result prefetch(void* buffer) override {
    fetch(buffer);
    return Result::Success;
  }
  void fetch(void* buffer) override { *static_cast<int*>(buffer) = results_.wait_for(done_) + more_; }
  void complete() override { ++done_; }

 private:
  Results& results_;
  const int more_;
  std::size_t done_ = 0;
};

}  // namespace tessera::test
