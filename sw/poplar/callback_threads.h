// Threads that stream callbacks run on, beside that of the run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tessera::runtime {

// Which threads call the callbacks of streams: that of the run; others alone; others, and that of the run for what it
// waits for.
enum class CallbackMode { kSingleThread, kDedicated, kCollaborative };

class CallbackThreads {
 public:
  CallbackThreads() = default;
  ~CallbackThreads() { close(); }
  CallbackThreads(const CallbackThreads&) = delete;
  CallbackThreads& operator=(const CallbackThreads&) = delete;

  // So many jobs at a time from now on; those that are being done go on.
  void at_most(unsigned threads);
  // Has a job done by a thread, after those that came before it, and returns at once. Jobs throw nothing. Throws
  // poplar_error if the system gives not a single thread.
  void post(std::function<void()> job);
  // The same, and waits for it. Throws what the job throws.
  void call(const std::function<void()>& job);
  // Drops jobs that no thread has begun, and waits for the others. No more are done.
  void close();

 private:
  void start_threads(size_t jobs);  // as many as so many jobs that wait can use
  void work();

  std::mutex mutex_;  // of all that follows
  std::condition_variable changed_, done_;
  std::deque<std::function<void()>> jobs_;
  unsigned most_ = 0;
  size_t busy_ = 0;  // threads that do a job
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace tessera::runtime
