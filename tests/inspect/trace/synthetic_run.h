// A run that never was: random events as a chip might tell them, the same to every observer it is played to.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "inspect/trace/event.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::trace {

struct SyntheticShape {
  unsigned supersteps = 20;
  unsigned instructions = 300;  // of a context in a superstep, at most
  bool odd = true;              // what programs hardly do: changed text, faults at fetch, holes in strobes
};

// Events in the order of time of each tile, superstep by superstep.
std::vector<Event> synthetic_run(const spec::Machine&, const std::vector<uint32_t>& tiles, uint64_t seed,
                                 const SyntheticShape& = {});

// As a trace without register values gives it.
Event without_registers(Event);

// All that a reader's event holds, for comparing and for messages.
std::string all_of(const Event&);

// A file in the test's own folder, gone when the object is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& ending = ".trace");
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string path;
};

std::vector<char> contents(const std::string& path);
void write(const std::string& path, const std::vector<char>&);

// Seed of a random test: $TESSERA_SEED, else `usual`; told when the test fails. Rounds: more with TESSERA_TIER=nightly.
uint64_t seed_of_test(uint64_t usual);
unsigned rounds_of_test(unsigned usual, unsigned nightly);

}  // namespace tessera::inspect::trace
