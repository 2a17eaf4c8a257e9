#include "inspect/program_end.h"

#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <utility>

namespace tessera::inspect {
namespace {

struct End {
  std::mutex mutex;
  std::map<const void*, std::function<void()>> to_close;
  pid_t process = 0;  // that the handler is of; 0: there is none
  bool files_missing = false;
};

// Outlives whatever else the program destroys at its end.
End& end() {
  static End* const only = new End;
  return *only;
}

// glibc goes on with the handlers that are left when one of them calls exit(), with the new status.
void at_exit(int status, void*) {
  close_now();
  const bool ours = end().process == ::getpid();
  if (status == 0 && ours && end().files_missing) ::exit(kExitFiles);
}

void handle_locked(End& end) {
  if (end.process == ::getpid()) return;
  if (end.process == 0) ::on_exit(at_exit, nullptr);
  end.to_close.clear();  // of the process that this one was forked off
  end.files_missing = false;
  end.process = ::getpid();
}

}  // namespace

void close_at_end(const void* whose, std::function<void()> close) {
  const std::lock_guard lock(end().mutex);
  handle_locked(end());
  end().to_close[whose] = std::move(close);
}

void forget_at_end(const void* whose) {
  const std::lock_guard lock(end().mutex);
  end().to_close.erase(whose);
}

void close_now() {
  std::map<const void*, std::function<void()>> to_close;
  {
    const std::lock_guard lock(end().mutex);
    if (end().process != ::getpid()) return;
    to_close = std::exchange(end().to_close, {});
  }
  for (const auto& [whose, close] : to_close) close();
}

void end_with_files_missing() {
  const std::lock_guard lock(end().mutex);
  handle_locked(end());
  end().files_missing = true;
}

}  // namespace tessera::inspect
