// The streaming memory of a gateway: a file in memory, of which only what has been written takes any. All else is 0.
// Its descriptor can be given to another process, which then reads and writes the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::gateway {

class Dram {
 public:
  explicit Dram(uint64_t bytes);  // throws std::runtime_error
  ~Dram();
  Dram(const Dram&) = delete;
  Dram& operator=(const Dram&) = delete;

  uint64_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }
  bool reaches(uint64_t address, uint64_t bytes) const { return bytes <= bytes_ && address <= bytes_ - bytes; }

  // Where it reaches. Reading takes no memory (as reading a mapping of it would). Throw std::runtime_error.
  void read(uint64_t address, std::span<std::byte> bytes) const;
  void write(uint64_t address, std::span<const std::byte> bytes);

 private:
  const uint64_t bytes_;
  const int descriptor_;
};

}  // namespace tessera::gateway
