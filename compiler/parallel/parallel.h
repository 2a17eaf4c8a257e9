// Work in independent parts, done on several threads. What comes of it does not depend on how many they are: parts are
// numbered, each writes what is its own, and whoever puts them together does it by number.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera::compiler {

// work(i) for each i below `count`, on at most `threads` threads (0: as many as there are cores), the caller's among
// them. Of several exceptions that of the lowest number is thrown, after all that were begun have ended.
template <class Work>
void parallel(unsigned threads, std::size_t count, const Work& work) {
  static const unsigned cores = std::thread::hardware_concurrency();  // the system is asked once: it reads files
  if (threads == 0) threads = cores;
  if (threads == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed = count;
  std::exception_ptr failure;
  const auto take_parts = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        work(i);
      } catch (...) {
        next = count;  // those before are begun: numbers are given in order
        const std::lock_guard lock(mutex);
        if (i >= failed) continue;
        failed = i;
        failure = std::current_exception();
      }
  };
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < threads && others.size() + 1 < count) others.emplace_back(take_parts);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that are there do it all.
  }
  take_parts();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

// A row of things in parts of equal length, the last shorter.
struct Parts {
  std::size_t things, length;

  std::size_t count() const { return (things + length - 1) / length; }
  std::size_t begin(std::size_t part) const { return part * length; }
  std::size_t end(std::size_t part) const { return std::min(things, begin(part) + length); }
};

}  // namespace tessera::compiler
