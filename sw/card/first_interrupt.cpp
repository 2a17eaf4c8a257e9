#include "sw/card/first_interrupt.h"

#include <atomic>
#include <csignal>
#include <mutex>

namespace tessera::card {
namespace {

std::mutex mutex;
unsigned runs = 0;  // under way, in all threads
bool taken = false;
std::atomic<bool> pressed{false};

void interrupted(int signal) {
  if (!pressed.exchange(true)) return;
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
  pressed = false;
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
