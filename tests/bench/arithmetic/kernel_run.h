// A kernel on tile 0 of a chip, or on all of them: text linked once, memory put together by the caller, run to the
// supervisor's ebreak.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codelet/link.h"
#include "sim/port/chip.h"

namespace tessera::bench {

constexpr uint32_t kParameters = 0x7c000, kRegion1 = 0x80000, kPair = 0x8000;  // kPair: two interleaved elements

// Memory to load: words by address.
class Image {
 public:
  void word(uint32_t address, uint32_t value) { words_[address] = value; }
  void bytes(uint32_t address, const void* data, std::size_t size);  // a multiple of 4
  void triple(uint32_t address, uint32_t a0, uint32_t a1, uint32_t a2);
  const std::map<uint32_t, uint32_t>& words() const { return words_; }

 private:
  std::map<uint32_t, uint32_t> words_;
};

class KernelRun {
 public:
  // Of a machine of mk2's tiles. tile: 0, or kNoTile: all; what is read is tile 0's.
  explicit KernelRun(std::unique_ptr<chip::Chip>, unsigned tile = 0);

  uint32_t entry(const std::string& function) const { return text_.symbols.at(function); }
  // Loads the image, runs the supervisor's function; the cycles between its two looks at the clock. Throws when
  // anything but its ebreak stops it.
  uint64_t run(const std::string& supervisor, const Image&);
  // Runs the function of what is loaded once more.
  uint64_t run_again(const std::string& supervisor);
  // Loads and starts a function that never ends; then go_on() runs it for some cycles.
  void start(const std::string& supervisor, const Image&);
  void go_on(uint64_t cycles) { chip_->run(chip_->cycle() + cycles, 0); }
  uint64_t evaluated() const { return chip_->counters().evaluated; }  // tile-cycles
  uint32_t word(uint32_t address) { return chip_->debug_read(0, chip::DebugSpace::kMemory, 0, address); }
  uint64_t float_register(unsigned context, unsigned number);
  uint64_t memory_hash() const { return chip_->memory_hash(); }

 private:
  void load(const Image&);

  compiler::LinkedText text_;
  std::unique_ptr<chip::Chip> chip_;
  unsigned tile_;
};

}  // namespace tessera::bench
