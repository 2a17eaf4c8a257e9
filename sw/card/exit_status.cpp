#include "sw/card/exit_status.h"

#include <stdlib.h>

#include <mutex>

namespace tessera::card {
namespace {

// glibc goes on with the handlers that are left when one of them calls exit(), with the new status.
void at_exit(int status, void*) {
  if (status == 0) ::exit(kExitFiles);
}

}  // namespace

void exit_with_files_missing() {
  static std::once_flag once;
  std::call_once(once, [] { ::on_exit(at_exit, nullptr); });
}

}  // namespace tessera::card
