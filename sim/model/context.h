// Registers of the seven contexts of a tile.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/float/amp.h"
#include "sim/model/float/prng.h"

namespace tessera::model {

constexpr unsigned kContexts = 7, kWorkers = 6, kSupervisor = 0;

struct Context {
  std::array<uint32_t, 32> x{};  // x[0] stays 0
  uint32_t pc = 0;               // worker: next fetch. supervisor: next fetch into the fetch register
  uint32_t stack_limit = 0;
  uint8_t pass = 0;  // passes made by the instruction that holds several slots
};

// What the matrix engine keeps for a worker (arithmetic.md, Accumulators and the matrix engine).
struct EngineState {
  Accumulators accumulators;
  uint64_t x = 0, p = 0, r = 0;  // stream latches: inputs, partial sums in, partial sums out

  bool operator==(const EngineState&) const = default;
};

// The repeat under way of a worker.
struct Repeat {
  uint32_t first = 0, last = 0;  // pcs
  uint32_t left = 0;             // passes still to begin and the one under way; 0: none is under way
};

struct FloatContext {  // of a worker
  std::array<uint64_t, 32> f{};
  uint8_t fflags = 0, frm = 0;
  uint8_t control = 0;  // CSR xfpctl
  uint16_t f8 = 0;      // CSR xf8
  uint32_t vertex_base = 0;
  uint32_t tas = 0;                   // CSR xtas
  std::array<uint32_t, 3> strides{};  // CSRs xstride1..3, sign-extended
  Prng random;
  Repeat repeat;
  EngineState engine;

  unsigned traps() const { return control & 7; }
  bool stochastic() const { return control >> 3 & 1; }
  unsigned half_overflow() const { return control >> 4; }
};

}  // namespace tessera::model
