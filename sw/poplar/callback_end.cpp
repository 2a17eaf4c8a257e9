#include "sw/poplar/callback_end.h"

#include <utility>

namespace tessera::runtime {

template <class Call>
void CallbackEnd::call(Lock& lock, const Call& call) {
  const auto back = [&] {
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  };
  busy_ = true;
  lock.unlock();
  try {
    call();
  } catch (...) {
    back();
    throw;
  }
  back();
}

// The next call that is owed, while nobody else is inside the callback. One that throws ends all that are.
void CallbackEnd::step(Lock& lock) {
  if (rounds_ == 0) {
    const bool any = !prefetched_.empty();
    prefetched_.clear();
    failure_ = nullptr;
    stale_ = false;
    if (any) call(lock, [&] { callback_->invalidatePrefetched(); });
    return;
  }
  try {
    if (!told_) {
      call(lock, [&] { callback_->complete(); });
      told_ = true;
      return;
    }
    // Transfers that were taken since belong to later rounds: for this one they are still there.
    if (prefetched_.size() + (taking_ ? rounds_ : rounds_ - 1) < upto_) {
      std::vector<std::byte> next(buffer_.size());
      auto result = Result::NotAvailable;
      call(lock, [&] { result = callback_->prefetch(next.data()); });
      if (result == Result::Success) {
        prefetched_.push_back(std::move(next));
        return;
      }
    }
  } catch (...) {
    rounds_ = 0;
    throw;
  }
  --rounds_;
  told_ = false;
}

// The same where what it throws is for the transfer that lacks.
void CallbackEnd::step_ahead(Lock& lock) {
  try {
    step(lock);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

// What a thread that asks ahead does. Where the run has come before it, there is nothing left or the run posts again.
void CallbackEnd::work() {
  Lock lock(mutex_);
  posted_ = false;
  while (!busy_ && owed()) step_ahead(lock);
}

void CallbackEnd::post(CallbackThreads& threads) {
  if (posted_) return;
  threads.post([this] { work(); });
  posted_ = true;
}

void CallbackEnd::connect(std::unique_ptr<poplar::StreamCallback> callback, size_t transfer_bytes) {
  Lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
  rounds_ = 0;
  step(lock);
  std::swap(callback_, callback);
  buffer_.assign(transfer_bytes, std::byte{0});
}

const std::byte* CallbackEnd::take(bool at_need) {
  Lock lock(mutex_);
  while (stale_ || (prefetched_.empty() && (busy_ || rounds_ != 0))) {
    if (busy_)
      changed_.wait(lock);
    else
      step_ahead(lock);
  }
  if (!prefetched_.empty()) {
    buffer_ = std::move(prefetched_.front());
    prefetched_.pop_front();
    taking_ = true;
  } else if (failure_ != nullptr) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  } else {
    call(lock, [&] {
      if (!at_need || callback_->prefetch(buffer_.data()) != Result::Success) callback_->fetch(buffer_.data());
    });
  }
  return buffer_.data();
}

void CallbackEnd::taken(CallbackThreads* threads) {
  Lock lock(mutex_);
  taking_ = false;
  if (rounds_ == 0) {
    call(lock, [&] { callback_->complete(); });
    told_ = true;
  }
  if (ahead_ == 0 || failure_ != nullptr) return;
  ++rounds_;
  upto_ = ahead_;
  if (threads != nullptr)
    post(*threads);
  else
    while (owed()) step(lock);
}

void CallbackEnd::give() {
  Lock lock(mutex_);
  call(lock, [&] {
    callback_->fetch(buffer_.data());
    callback_->complete();
  });
}

void CallbackEnd::invalidate(CallbackThreads* threads) {
  Lock lock(mutex_);
  stale_ = true;
  if (rounds_ == 0 && !busy_)
    step(lock);
  else if (threads != nullptr)
    post(*threads);
}

}  // namespace tessera::runtime
