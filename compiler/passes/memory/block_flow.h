// The life of one block through a program's control flow, from what some points do to it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "compiler/passes/memory/find_lives.h"

namespace tessera::compiler {

// What a point does to the block.
struct PointAccess {
  std::uint32_t point = 0;
  bool touches = false;  // reads or writes it
  bool reads = false;    // what it held before
  bool ends = false;     // the life before: overwrites it or forgets it
  auto operator<=>(const PointAccess&) const = default;
};

// Its work is in proportion to the accesses and to what contains them, not to the program.
class BlockFlow {
 public:
  explicit BlockFlow(const ir::Program& program, const ProgramPoints& points);

  // `accesses` ascend. `loaded`: it has a value when the program is loaded.
  Life life(const std::vector<PointAccess>& accesses, bool loaded);

 private:
  // Of a body that leads to an access: whether the block is wanted at its beginning, when it is at the end or not.
  struct Relevant {
    bool is = false;
    bool wanted_after[2] = {false, false};
    bool wanted_at_end = false;
    std::vector<std::uint32_t> steps;  // numbers of those that lead to an access, or have one
  };

  void find_relevant();
  void summarise(std::uint32_t body);
  void walk(std::uint32_t body);
  bool through(std::uint32_t number, bool wanted) const;
  const PointAccess* access_at(std::uint32_t point) const;
  bool before_point(std::uint32_t number, bool wanted) const;
  bool visit(std::uint32_t number, bool wanted);
  bool visit_point(std::uint32_t number, bool wanted);
  bool before(std::uint32_t body, bool wanted) const;
  void leave_wanted(std::uint32_t body, bool wanted);
  void cover(std::uint32_t begin, std::uint32_t end);
  void cover_alone();
  void forget();

  const ir::Program& program_;
  const ProgramPoints& points_;
  struct Entered {
    std::uint32_t point, body;
  };
  std::vector<Entered> alone_;  // bodies that stand by themselves, by the points that enter them

  const std::vector<PointAccess>* accesses_ = nullptr;
  std::set<std::uint32_t> ranks_;  // of relevant bodies
  std::vector<Relevant> relevant_;
  std::vector<bool> covered_;  // bodies that stand by themselves
  std::vector<std::uint32_t> covered_list_;
  Life life_;
};

}  // namespace tessera::compiler
