// A tile does not hold what a program puts there: Poplar's graph_memory_allocation_error.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace tessera::compiler {

class OutOfTileMemory : public std::runtime_error {
 public:
  OutOfTileMemory(const std::string& message, std::uint32_t tile) : std::runtime_error(message), tile_(tile) {}
  std::uint32_t tile() const { return tile_; }

 private:
  std::uint32_t tile_;
};

// The buffers of all streams need more than a tile can address in host memory.
class OutOfHostMemory : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The product, or the largest number if 64 bits do not hold it.
constexpr std::uint64_t bytes_of(std::uint64_t elements, std::uint64_t element_bytes) {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(elements, element_bytes, &bytes) ? ~std::uint64_t{0} : bytes;
}

// Sizes are 64 bits until they are a tile's: its addresses have 32, and what has more bytes fits no tile. `what()`
// gives the name of the object, for the message.
template <class What>
std::uint32_t tile_bytes(std::uint64_t bytes, std::uint32_t tile, const What& what) {
  // Some room is left for whoever rounds up.
  if (bytes <= std::numeric_limits<std::uint32_t>::max() - 4096) return static_cast<std::uint32_t>(bytes);
  throw OutOfTileMemory("Out of memory: Cannot fit all variable data onto one or more tiles: tile " +
                            std::to_string(tile) + " would hold " + std::to_string(bytes) + " bytes of " + what(),
                        tile);
}

}  // namespace tessera::compiler
