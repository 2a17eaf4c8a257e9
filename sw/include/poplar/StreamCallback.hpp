// Host code that fills or drains a stream buffer when the device asks.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace poplar {

class StreamCallbackBase {
 public:
  enum class Result { Success, NotAvailable };

  virtual ~StreamCallbackBase() {}
  // The device has taken the data of the last fetch or successful prefetch.
  virtual void complete() {}
  // Data prefetched but not completed is dropped.
  virtual void invalidatePrefetched() {}
};

class StreamCallback : public StreamCallbackBase {
 public:
  // Fills the buffer ahead of time, or says that the data is not there yet.
  virtual Result prefetch(void* buffer) = 0;
  // Fills (host to device) or drains (device to host) the buffer.
  virtual void fetch(void* buffer) = 0;
};

// A callback that only fetches.
class LegacyStreamCallback : public StreamCallback {
 public:
  Result prefetch(void*) final { return Result::NotAvailable; }
  void complete() final {}
  void invalidatePrefetched() final {}
};

// A callback whose calls may wait until another thread has what they need. The run, and every other callback, waits
// with it, but for a prefetch on a thread of its own (engine option streamCallbacks.multiThreadMode).
class ResumableStreamCallback : public StreamCallback {
 public:
  // From another thread: the call that waits goes on; if none does, the next one to wait goes on at once.
  void notify() {
    const std::lock_guard<std::mutex> lock(mutex_);
    notified_ = true;
    changed_.notify_all();
  }
  bool isAwaiting() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return awaiting_;
  }

 protected:
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    awaiting_ = true;
    changed_.wait(lock, [this] { return notified_; });
    awaiting_ = notified_ = false;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool notified_ = false, awaiting_ = false;
};

class StreamCallbackHandle {
 public:
  template <class CallbackImpl,
            class = typename std::enable_if<std::is_base_of<StreamCallback, CallbackImpl>::value>::type>
  StreamCallbackHandle(std::unique_ptr<CallbackImpl> callback) : callback_(std::move(callback)) {}
  template <class F,
            class = typename std::enable_if<!std::is_same<typename std::decay<F>::type, StreamCallbackHandle>::value &&
                                            std::is_constructible<std::function<void(void*)>, F>::value>::type,
            class = void>
  StreamCallbackHandle(F&& f) : callback_(new Function(std::forward<F>(f))) {}
  StreamCallbackHandle(StreamCallbackHandle&&) = default;
  StreamCallbackHandle& operator=(StreamCallbackHandle&&) = default;
  StreamCallbackHandle(const StreamCallbackHandle&) = delete;
  StreamCallbackHandle& operator=(const StreamCallbackHandle&) = delete;

  StreamCallback& get() const { return *callback_; }
  operator StreamCallback&() { return *callback_; }
  StreamCallback* operator->() { return callback_.get(); }
  StreamCallback& operator*() { return *callback_; }
  std::unique_ptr<StreamCallback> release() { return std::move(callback_); }

 private:
  class Function final : public LegacyStreamCallback {
   public:
    template <class F>
    explicit Function(F&& f) : f_(std::forward<F>(f)) {}
    void fetch(void* buffer) override { f_(buffer); }

   private:
    std::function<void(void*)> f_;
  };
  std::unique_ptr<StreamCallback> callback_;
};

}  // namespace poplar
