// What a program's points (program_points.h) do to its blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/exchange/plan_exchange.h"

namespace tessera::compiler {

// Of one block at one point. What is read is read before anything is written.
struct BlockAccess {
  ir::BlockId block = 0;
  bool reads = false;
  bool writes = false;      // some of it
  bool overwrites = false;  // all of it that anything of the program reads or writes
  bool forgets = false;     // undefined from here on: all of it
};

class PointAccesses {
 public:
  // `blocks` are those of the program and the staging buffers of its exchanges; `threads`: as in parallel.h.
  PointAccesses(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks, unsigned threads);

  // By block, each once: of the step's own point.
  std::vector<BlockAccess> at(const ir::Step& step) const;

 private:
  // Bytes [begin, end) of a block.
  struct Range {
    ir::BlockId block;
    std::uint32_t begin, end;
    auto operator<=>(const Range&) const = default;
  };
  struct Ranges {
    std::vector<Range> read, written;
  };
  using Accesses = std::vector<BlockAccess>;

  Ranges of_moves(const ir::Exchange& exchange, std::size_t begin, std::size_t end) const;
  Ranges of_vertices(std::span<const ir::Vertex> vertices) const;
  Ranges of_transfer(const ir::HostTransfer& transfer, bool to_device) const;
  std::vector<Range> of_staging(const ExchangePlan& plan) const;
  void find_given();
  void measure(const std::vector<Ranges>& ranges, unsigned threads);
  void add(std::vector<Range>& ranges, const ir::Place& at, std::uint32_t bytes) const;
  std::vector<ir::BlockId> blocks_of(const std::vector<Range>& ranges) const;
  Accesses joined(std::span<Ranges> pieces) const;  // taken
  static Accesses of_each_block(Accesses all);
  static void sort(std::span<Range> ranges);
  static std::uint64_t bytes_in(std::span<const Range> sorted);

  const ir::Program& program_;
  const ir::Blocks& blocks_;
  std::vector<bool> given_;           // by block: the load, a copy or the host writes it
  std::vector<std::uint32_t> bytes_;  // by block: that are read or written by anything
  std::vector<Accesses> exchanges_, computes_, transfers_;
};

}  // namespace tessera::compiler
