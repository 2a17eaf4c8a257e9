#include "sw/card/environment.h"

#include "inspect/options.h"
#include "inspect/variables.h"

namespace tessera::card {
namespace {

template <class Read>
auto checked(Read read) {
  try {
    return read();
  } catch (const inspect::BadOption& error) {
    throw BadVariable(error.what());
  }
}

}  // namespace

std::string machine_variable() { return inspect::variable("TESSERA_MACHINE"); }

std::string backend_variable() {
  const std::string backend = inspect::variable("TESSERA_BACKEND");
  if (!backend.empty() && backend != "rtl" && backend != "model" && backend != "lockstep")
    throw BadVariable("TESSERA_BACKEND is '" + backend + "'; it can be rtl, model or lockstep");
  return backend;
}

std::string inspect_variable() { return checked(inspect::options_variable); }

bool quiet() { return checked(inspect::quiet_variable); }

bool check() {
  return checked([] { return inspect::flag_variable("TESSERA_CHECK"); });
}

}  // namespace tessera::card
