// Device side of <poplar/Vertex.hpp>: the base classes of codelets and the field types they are made of.
//
// A vertex object is laid out by the compiler as an ordinary class and is filled in by the loader; nothing here
// has a constructor that runs on the tile. Layouts are fixed by docs/reference/codelet-abi.md.
#pragma once

// What programs expect to have with this header.
#include <ipudef.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <poplar/Fields.hpp>
#include <poplar/HalfFloat.hpp>

namespace poplar {

// A codelet run by one worker: `bool compute()` or `void compute()`.
class Vertex {
 public:
  static constexpr unsigned numWorkers() { return 1; }
};

// A codelet run by all six workers on one shared state: `bool|void compute(unsigned workerId)`.
class MultiVertex {
 public:
  static constexpr unsigned numWorkers() { return 6; }
};

// A codelet run by the supervisor: integer code only.
class SupervisorVertex {
 public:
  static constexpr unsigned numWorkers() { return 1; }
};

namespace detail {
template <bool>
struct SupervisorIf {
  using type = Vertex;
};
template <>
struct SupervisorIf<true> {
  using type = SupervisorVertex;
};
}  // namespace detail

template <bool condition>
using SupervisorVertexIf = typename detail::SupervisorIf<condition>::type;

}  // namespace poplar

// Alignment the vendor's headers ask of code that workers start at; a start address needs none here.
#define WORKER_ALIGN

// The stack one call of compute() may use, for code whose call graph has no bound (recursion, function pointers).
#define TESSERA_STACK_SIZE(bytes) __attribute__((annotate("tessera.stack_size=" #bytes)))
