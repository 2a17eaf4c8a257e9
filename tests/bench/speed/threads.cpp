// Two threads that run the tiles of one chip, all of them busy, against two processes of one thread that do the same
// work each; and against one thread, while others keep the cores busy. In wall time, in turns until none gets better.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "endless_loops.h"
#include "rtl/spec/machine.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "tests/bench/figure.h"
#include "tests/bench/turns.h"

using namespace tessera;

namespace {

constexpr unsigned kCores = 2;

struct Work {
  const char* machine;
  bool rtl;
  uint64_t cycles;  // of a turn
};

void check(bool done, const char* what) {
  if (!done) throw std::system_error(errno, std::generic_category(), what);
}

struct Pipe {
  Pipe() { check(::pipe(ends.data()) == 0, "pipe"); }
  std::array<int, 2> ends{};
};

// A process with a chip that runs when it is told to, for one turn each time.
class Runner {
 public:
  Runner(const Work& work, unsigned threads) {
    pid_ = ::fork();
    check(pid_ >= 0, "fork");
    if (pid_ == 0) serve(work, threads);
    wait();  // until it is there
  }
  ~Runner() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    for (const int end : {go_.ends[0], go_.ends[1], done_.ends[0], done_.ends[1]}) ::close(end);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void go() { check(::write(go_.ends[1], "g", 1) == 1, "write"); }
  void wait() {
    char said = 0;
    check(::read(done_.ends[0], &said, 1) == 1 && said == 'd', "a chip does not run");
  }

 private:
  [[noreturn]] void serve(const Work& work, unsigned threads) try {
    const auto machine = spec::load_machine(work.machine);
    auto chip = work.rtl ? chip::make_rtl_chip_with(chip::FabricChoice::kEngine, machine, false, threads)
                         : chip::make_model_chip_with(machine, threads);
    bench::Loop loop(std::move(chip), "integer_loop", chip::kNoTile);
    for (char c = 'd';;) {
      check(::write(done_.ends[1], &c, 1) == 1, "write");
      char go = 0;
      check(::read(go_.ends[0], &go, 1) == 1, "read");
      loop.go_on(work.cycles);
    }
  } catch (const std::exception& error) {
    std::cerr << "bench_speed_threads: " << error.what() << "\n";
    ::_exit(1);
  }

  Pipe go_, done_;
  pid_t pid_ = 0;
};

// One that takes a core whenever it gets it.
class Load {
 public:
  Load() : pid_(::fork()) {
    if (pid_ != 0) return;
    volatile uint64_t n = 0;
    for (;;) n = n + 1;
  }
  ~Load() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  pid_t pid_;
};

// Turns a second of all of them together.
double rate(const std::vector<Runner*>& runners) {
  const auto start = std::chrono::steady_clock::now();
  for (Runner* runner : runners) runner->go();
  for (Runner* runner : runners) runner->wait();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return static_cast<double>(runners.size()) / seconds;
}

bool figures(const Work& work) {
  const std::string name = std::string(work.rtl ? "rtl" : "model") + "-" + work.machine;
  Runner threads(work, kCores), one(work, 1), other(work, 1);
  Best together, apart;
  const int turns = turns_until_steady({&together, &apart}, [&] {
    together.take(rate({&threads}));
    apart.take(rate({&one, &other}));
  });
  const double best = 2 * together.value() / apart.value();
  bool ok = print_figure("threads-two-" + name, best, "times one thread, when two processes are twice as fast as one",
                         Goal::kAtLeast, 1.85, {{"turns", turns}, {"cycles", work.cycles}});
  Best loaded_together, loaded_alone;
  const Load loads[kCores];
  const int loaded = turns_until_steady({&loaded_together, &loaded_alone}, [&] {
    loaded_together.take(rate({&threads}));
    loaded_alone.take(rate({&one}));
  });
  ok &= print_figure("threads-loaded-" + name, loaded_together.value() / loaded_alone.value(),
                     "times one thread, both beside a busy process on each core", Goal::kAtLeast, 1,
                     {{"turns", loaded}, {"cycles", work.cycles}});
  return ok;
}

}  // namespace

int main() try {
  bool ok = true;
  for (const Work& work : {Work{"mk2-16", false, 1'000'000}, Work{"mk2", false, 10'000}, Work{"mk2-16", true, 100'000},
                           Work{"mk2", true, 1'000}})
    ok &= figures(work);
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_speed_threads: " << error.what() << "\n";
  return 1;
}
