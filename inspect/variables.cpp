#include "inspect/variables.h"

#include <cstdlib>

#include "inspect/options.h"

namespace tessera::inspect {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool flag_variable(const char* name) {
  const std::string value = variable(name);
  if (!value.empty() && value != "0" && value != "1")
    throw BadOption(std::string(name) + " is '" + value + "'; it can be 0 or 1");
  return value == "1";
}

std::string options_variable() {
  const std::string text = variable("TESSERA_INSPECT");
  try {
    parse_options(text);
  } catch (const BadOption& error) {
    throw BadOption("TESSERA_INSPECT: " + std::string(error.what()));
  }
  return text;
}

bool quiet_variable() { return flag_variable("TESSERA_QUIET"); }

}  // namespace tessera::inspect
