#include "sw/card/environment.h"

#include <cstdlib>

#include "inspect/options.h"

namespace tessera::card {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool flag(const char* name) {
  const std::string value = variable(name);
  if (!value.empty() && value != "0" && value != "1")
    throw BadVariable(std::string(name) + " is '" + value + "'; it can be 0 or 1");
  return value == "1";
}

}  // namespace

std::string machine_variable() { return variable("TESSERA_MACHINE"); }

std::string backend_variable() {
  const std::string backend = variable("TESSERA_BACKEND");
  if (!backend.empty() && backend != "rtl" && backend != "model" && backend != "lockstep")
    throw BadVariable("TESSERA_BACKEND is '" + backend + "'; it can be rtl, model or lockstep");
  return backend;
}

std::string inspect_variable() {
  const std::string text = variable("TESSERA_INSPECT");
  try {
    inspect::parse_options(text);
  } catch (const inspect::BadOption& error) {
    throw BadVariable("TESSERA_INSPECT: " + std::string(error.what()));
  }
  return text;
}

bool quiet() { return flag("TESSERA_QUIET"); }

bool check() { return flag("TESSERA_CHECK"); }

}  // namespace tessera::card
