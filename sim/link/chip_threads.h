// Threads that run chips beside each other. What comes of it does not depend on how many they are.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace tessera::link {

class ChipThreads {
 public:
  // 0: as many as there are cores. With one all is done on the caller's. hold_up_seed: unless 0, one work in eight,
  // drawn from the seed, first gives the processor away, 1 to kMostYields times: who is done first is another then.
  explicit ChipThreads(unsigned threads, uint64_t hold_up_seed = 0);
  ~ChipThreads();
  ChipThreads(const ChipThreads&) = delete;
  ChipThreads& operator=(const ChipThreads&) = delete;

  // work(i) for each i below `count`, begun in their order; returns when all have ended. Throws the exception of the
  // lowest number.
  void run(size_t count, const std::function<void(size_t)>& work);
  // Of work(i), for what touches more than its own: `act` is done on the thread that called run(), once all works of
  // lower numbers have ended, so in the order in which one thread would do it.
  void call(size_t i, const std::function<void()>& act);

 private:
  static constexpr unsigned kMostYields = 15;
  void serve();
  unsigned draw_yields();
  static void hold_up(unsigned yields);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable work_there_, something_done_;
  bool over_ = false;
  const std::function<void(size_t)>* work_ = nullptr;
  size_t count_ = 0, next_ = 0, ended_ = 0;
  std::vector<bool> has_ended_;
  std::vector<std::exception_ptr> failed_;
  struct Call {
    const std::function<void()>* act = nullptr;
    bool done = false;
    std::exception_ptr failed;
  };
  std::vector<Call*> calls_;  // by number; null: none
  bool holds_up_;
  std::mt19937_64 random_;
};

}  // namespace tessera::link
