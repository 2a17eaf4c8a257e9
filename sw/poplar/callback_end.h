// The callback of one stream: the calls it gets, one at a time, and the transfers it has given ahead.
//
// Two threads may have to do with it: that of the run, which wants transfers (in its place the one thread that does so
// for it), and a thread that asks ahead. What they share is under the mutex, which no callback is called under; `busy_`
// says that a thread is inside the callback. Locks are taken in one order: a CallbackEnd's, then that of the threads.
//
// The callback gets the same calls in the same order whatever threads do them and when: after each transfer that was
// taken it is owed a round, complete() and as many prefetch() as are wanted ahead. Rounds are done one after the other,
// by a thread that asks ahead or by the run where it waits for them, and all are done before what is left at the end
// of a run is dropped. Nobody but him who needs the callback's next call waits for one that does not return: a prefetch
// may wait for results of the run, and the end of a run waits for none.
#pragma once

#include <poplar/StreamCallback.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "sw/poplar/callback_threads.h"

namespace tessera::runtime {

class CallbackEnd {
 public:
  // Waits for a call of the one before to return; drops what that has prefetched. null: none.
  void connect(std::unique_ptr<poplar::StreamCallback> callback, size_t transfer_bytes);
  bool connected() const { return callback_ != nullptr; }
  void ask_ahead(uint32_t transfers) { ahead_ = transfers; }

  // To the device: the next transfer, there until it is said to be taken. The callback is then asked ahead, on
  // `threads`; null: before taken() returns. at_need: one that has not prefetched is asked to, before it is to fetch.
  // Exceptions of the callback pass through; that of a call ahead where the transfer after the last good one is wanted.
  const std::byte* take(bool at_need);
  void taken(CallbackThreads* threads);

  // From the device: where to put the next transfer, and that it is there.
  std::byte* place() { return buffer_.data(); }
  void give();

  // The run has ended. What is prefetched is dropped: at once, or by the thread that asks ahead when it has done so.
  void invalidate(CallbackThreads* threads);

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Result = poplar::StreamCallback::Result;
  template <class Call>
  void call(Lock& lock, const Call& call);
  bool owed() const { return rounds_ != 0 || stale_; }
  void step(Lock& lock);
  void step_ahead(Lock& lock);
  void post(CallbackThreads& threads);
  void work();

  std::unique_ptr<poplar::StreamCallback> callback_;
  std::vector<std::byte> buffer_;  // the transfer that is wanted, or given
  uint32_t ahead_ = 0;             // transfers

  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_;
  std::deque<std::vector<std::byte>> prefetched_;
  uint32_t rounds_ = 0;         // that are owed, with the one that is being done
  bool taking_ = false;         // between take() and taken() of a transfer that was prefetched
  uint32_t upto_ = 0;           // transfers ahead that they ask for
  bool told_ = false;           // complete() of the first of them has been called
  bool busy_ = false;           // a thread is inside the callback
  bool posted_ = false;         // the threads that ask ahead have a job for it that none has begun
  bool stale_ = false;          // when no more rounds are owed, what is prefetched is dropped
  std::exception_ptr failure_;  // of a call ahead
};

}  // namespace tessera::runtime
