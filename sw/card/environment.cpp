#include "sw/card/environment.h"

#include <charconv>

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

std::string threads_variable() {
  constexpr unsigned kMost = 1024;
  const std::string text = inspect::variable("TESSERA_THREADS");
  unsigned threads = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (!text.empty() && (failed != std::errc() || end != text.data() + text.size() || threads < 1 || threads > kMost))
    throw BadVariable("TESSERA_THREADS is '" + text + "'; it can be a number from 1 to " + std::to_string(kMost));
  return text;
}

bool quiet() { return checked(inspect::quiet_variable); }

bool check() {
  return checked([] { return inspect::flag_variable("TESSERA_CHECK"); });
}

}  // namespace tessera::card
