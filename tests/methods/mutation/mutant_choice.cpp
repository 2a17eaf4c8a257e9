// Which of the mutants that a verilated design holds acts: variable TESSERA_MUTANT, 0 for none.
#include <cstdlib>

extern "C" unsigned int tessera_mutant() {
  const char* number = std::getenv("TESSERA_MUTANT");
  return number == nullptr ? 0 : static_cast<unsigned int>(std::strtoul(number, nullptr, 10));
}
