// Linked into every verilated class of a coverage build: when the program ends, the counts of all classes go to a file
// of its own in the folder that TESSERA_COVERAGE names.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "verilated.h"
#include "verilated_cov.h"

namespace {
void write_counts() {
  const char* folder = std::getenv("TESSERA_COVERAGE");
  if (folder == nullptr) return;
  const std::string file = std::string(folder) + "/" + std::to_string(getpid()) + ".dat";
  Verilated::defaultContextp()->coveragep()->write(file.c_str());
}
}  // namespace

// Called where a class registers its counts: the file is written while the context that they belong to still lives.
void tessera_register_coverage() {
  static const bool registered = [] {
    Verilated::defaultContextp()->coveragep();
    return std::atexit(write_counts) == 0;
  }();
  (void)registered;
}
