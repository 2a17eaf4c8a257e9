// Many faults, one at a time: what becomes of each in a plain run, and which checker finds it in lockstep.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "random_faults.h"

namespace tessera::test {

// What ends a plain run with the fault in it. kUnread: all is as without the fault, but a word of memory that nobody
// has read since.
enum class Plain { kParity, kException, kDeadlock, kEndless, kHost, kUnread, kSilent, kNothing, kRefused };
// What finds the fault when a chip without it runs beside. kDead: nothing does, and at the superstep's end the whole
// states of the two chips are equal.
enum class Found { kRecord, kTransfer, kStop, kHost, kMemoryHash, kState, kDead, kDigest, kNothing };

struct Result {
  std::string site, fault;
  Plain plain = Plain::kSilent;
  Found found = Found::kNothing;
  uint64_t cycles = 0;      // from the fault until it was found
  uint64_t supersteps = 0;  // ends of supersteps that passed meanwhile
};

struct Campaign {
  uint64_t seed = 0;
  unsigned faults = 0;     // of chips; beside them an eighth as many of images and of checkpoints each
  unsigned rtl_every = 0;  // of so many one runs on RTL against the model; 0: none
};
// One fault of a chip; rtl: of an RTL chip beside a model, else both are models.
Result inject(const spec::Machine&, const inspect::Fault&, bool rtl);
std::vector<Result> run_campaign(const Campaign&);
// The same of so many faults of memory, plain runs alone, on RTL or model.
std::vector<Result> flip_memory(uint64_t seed, unsigned faults, bool rtl);

std::string table(const std::vector<Result>&);
unsigned count(const std::vector<Result>&, Plain);
unsigned count(const std::vector<Result>&, Found);

}  // namespace tessera::test
