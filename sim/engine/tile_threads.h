// Threads that run the tiles of a chip beside each other, for rounds as short as some microseconds: who calls works
// along, waits for nobody who has not begun, and sleeps when it waits for long, as the others do. So more threads than
// cores cost little, and a thread that gets no core holds nobody up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tessera::chip {

class TileThreads {
 public:
  // threads: 0: as many as there are cores; but no more than `most`. With one all is done on the caller's.
  explicit TileThreads(unsigned threads, unsigned most = ~0u);
  ~TileThreads();
  TileThreads(const TileThreads&) = delete;
  TileThreads& operator=(const TileThreads&) = delete;

  bool several() const { return !helpers_.empty(); }

  // work(i) for each i below `count`, in any order and at the same time, `grain` at a time; returns when all have
  // ended. Throws the exception of the lowest number. Not from within work().
  void run(size_t count, size_t grain, const std::function<void(size_t)>& work);

 private:
  void serve();
  void take_part();

  std::vector<std::thread> helpers_;
  std::atomic<uint32_t> round_ = 0;   // of run(); changes when there is work
  std::atomic<bool> open_ = false;    // for helpers to take part
  std::atomic<uint32_t> inside_ = 0;  // helpers that look whether it is open, or take part
  std::atomic<bool> over_ = false;
  // Of the round, while it is open.
  const std::function<void(size_t)>* work_ = nullptr;
  size_t count_ = 0, grain_ = 1;
  std::atomic<size_t> next_ = 0;
  std::mutex failed_mutex_;
  size_t failed_at_ = 0;
  std::exception_ptr failed_;
};

}  // namespace tessera::chip
