#include "sw/poplar/callback_threads.h"

#include <exception>
#include <poplar/exceptions.hpp>
#include <system_error>
#include <utility>

namespace tessera::runtime {

void CallbackThreads::at_most(unsigned threads) {
  const std::lock_guard lock(mutex_);
  most_ = threads;
  start_threads(jobs_.size());
  changed_.notify_all();
}

void CallbackThreads::post(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  start_threads(jobs_.size() + 1);
  jobs_.push_back(std::move(job));
  changed_.notify_one();
}

void CallbackThreads::call(const std::function<void()>& job) {
  bool done = false;
  std::exception_ptr failure;
  post([&] {
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done = true;
    done_.notify_all();
  });
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return done; });
  if (failure != nullptr) std::rethrow_exception(failure);
}

void CallbackThreads::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  threads_.clear();
}

void CallbackThreads::start_threads(size_t jobs) {
  while (threads_.size() < most_ && threads_.size() < jobs + busy_) try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system gives no more: those that are there do it all.
      if (threads_.empty())
        throw poplar::poplar_error(
            "the system gives no thread for stream callbacks; streamCallbacks.multiThreadMode singleThread needs none");
      return;
    }
}

void CallbackThreads::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || (!jobs_.empty() && busy_ < most_); });
    if (closing_) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    ++busy_;
    lock.unlock();
    job();
    lock.lock();
    --busy_;
  }
}

}  // namespace tessera::runtime
