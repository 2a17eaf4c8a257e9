// Registers of the seven contexts of a tile.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::model {

constexpr unsigned kContexts = 7, kWorkers = 6, kSupervisor = 0;

struct Context {
  std::array<uint32_t, 32> x{};  // x[0] stays 0
  uint32_t pc = 0;               // worker: next fetch. supervisor: next fetch into the fetch register
  uint32_t stack_limit = 0;
  uint8_t pass = 0;  // passes made by the instruction that holds several slots
};

struct FloatContext {  // of a worker
  std::array<uint64_t, 32> f{};
  uint8_t fflags = 0, frm = 0;
  uint8_t trap_enables = 0;  // CSR xfpctl
  uint32_t vertex_base = 0;
};

}  // namespace tessera::model
