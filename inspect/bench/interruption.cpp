#include "inspect/bench/interruption.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>

#include "inspect/program_end.h"

namespace tessera::inspect {
namespace {

std::atomic<int> came{0};                    // the first signal
std::atomic<Abandonment*> to_tell{nullptr};  // outlives whatever a signal may interrupt
std::terminate_handler before = nullptr;

void interrupted(int signal) {
  const int error = errno;
  int none = 0;
  if (came.compare_exchange_strong(none, signal)) {
    to_tell.load()->tell();
    constexpr char kText[] = "tessera: files are closed; Ctrl-C again ends the program at once\n";
    if (signal == SIGINT) [[maybe_unused]]
      const auto written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
  } else {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = error;
}

void terminated() {
  close_now();
  before();
}

std::shared_ptr<Abandonment> begin() {
  static std::shared_ptr<Abandonment>* const kept = new std::shared_ptr<Abandonment>(std::make_shared<Abandonment>());
  to_tell = kept->get();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction present{};
    ::sigaction(signal, nullptr, &present);
    if ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL) continue;
    struct sigaction ours{};
    ours.sa_handler = interrupted;
    ours.sa_flags = SA_RESTART;
    ::sigaction(signal, &ours, nullptr);
  }
  before = std::set_terminate(terminated);
  return *kept;
}

}  // namespace

std::shared_ptr<Abandonment> interruption() {
  static const std::shared_ptr<Abandonment> only = begin();
  return only;
}

void end_if_interrupted() {
  const int signal = came;
  if (signal == 0) return;
  close_now();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace tessera::inspect
