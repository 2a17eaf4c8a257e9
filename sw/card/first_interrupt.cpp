#include "sw/card/first_interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>

namespace tessera::card {
namespace {

std::mutex mutex;
unsigned runs = 0;  // under way, in all threads
bool taken = false;
std::atomic<bool> pressed{false};  // for good: a program of many short runs must be ended by the second, too

void interrupted(int signal) {
  if (!pressed.exchange(true)) {
    constexpr char kText[] = "tessera: Ctrl-C again ends the program\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
    return;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

FirstInterrupt::FirstInterrupt() {
  const std::lock_guard lock(mutex);
  if (runs++ != 0) return;
  struct sigaction present{};
  ::sigaction(SIGINT, nullptr, &present);
  taken = (present.sa_flags & SA_SIGINFO) == 0 && present.sa_handler == SIG_DFL;
  if (!taken) return;
  struct sigaction ours{};
  ours.sa_handler = interrupted;
  ours.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &ours, nullptr);
}

FirstInterrupt::~FirstInterrupt() {
  const std::lock_guard lock(mutex);
  if (--runs != 0 || !taken) return;
  struct sigaction present{};
  ::sigaction(SIGINT, nullptr, &present);
  if (present.sa_handler == interrupted) std::signal(SIGINT, SIG_DFL);  // the program has set none meanwhile
}

}  // namespace tessera::card
