// The variables with which a user says of every program what it runs on (docs/user/options.md). Each throws BadVariable
// for a value that it cannot have. "": not given.
#pragma once

#include <string>

#include "sw/card/errors.h"

namespace tessera::card {

struct BadVariable : Error {
  using Error::Error;
};

std::string machine_variable();  // TESSERA_MACHINE: a name or a path, not looked at yet
std::string backend_variable();  // TESSERA_BACKEND
std::string inspect_variable();  // TESSERA_INSPECT: docs/reference/inspection.md
std::string threads_variable();  // TESSERA_THREADS: a number from 1 to 1024
bool quiet();                    // TESSERA_QUIET
bool check();                    // TESSERA_CHECK: codelets are compiled with checks (docs/user/checking.md)

}  // namespace tessera::card
