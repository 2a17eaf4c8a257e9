// What a verification of the tile must have seen, as named points with counts: instructions by context, exception
// causes, occupied slots, rounding modes, traps, stochastic rounding, overflow of halves, formats of f8, repeats,
// clashes, automatic syncs.
//
// Points are made up front, from the instruction table and the reference pages, so that one that never happens is in
// the list with count 0. They are counted from what a model tile retires and its state; the RTL is compared with it in
// lockstep.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/model/tile_state.h"

namespace tessera::test {

class FunctionalPoints {
 public:
  struct Point {
    std::string name;
    uint64_t count = 0;
  };

  FunctionalPoints();

  // Around a step of the model. The copies of the ports serve to tell which of them met a fault.
  void before_step(const model::TileState&);
  void after_step(const model::TileState&, const chip::Retire&, const chip::TileInputs&);

  const std::vector<Point>& points() const { return points_; }
  uint64_t count(const std::string& name) const { return points_[index_.at(name)].count; }
  // A line "count name" each.
  void write(std::ostream&) const;

 private:
  void add(std::string name);
  void hit(const std::string& name);
  void add_instructions();
  void add_rounding();
  void add_float_control();
  void add_repeats();
  void add_exceptions();
  void add_automatic_syncs();

  void retired(const model::TileState&, const chip::Retire&);
  void count_rounding(const model::FloatContext&, const model::Decoded&, const chip::Retire&);
  void count_float_control(const model::FloatContext&, const model::Decoded&, const chip::Retire&);
  void count_repeats(const model::TileState&, const model::Decoded&, const chip::Retire&);
  void excepted(const model::TileState&, const model::Decoded&, const chip::Retire&);
  void port_fault(const model::TileState&, const chip::TileInputs&);
  void count_automatic_syncs(const model::TileState&, uint64_t cycle);
  void count_slots(const model::TileState&, uint64_t cycle);

  std::vector<Point> points_;
  std::unordered_map<std::string, size_t> index_;
  std::array<size_t, 2 * spec::kOpcodes> instruction_{};  // by opcode and kind: its point; 0: there is none

  // Before the step.
  bool was_excepted_ = false;
  std::array<uint32_t, model::kContexts> left_{};  // passes of the repeats
  model::ExchangeSequencer sequencer_;
  model::PacketPort packets_;
  chip::TileWords words_;

  // Slots since the set of active workers last changed.
  unsigned active_now_ = 0, active_ = 0;
  unsigned steady_ = 0;          // cycles
  unsigned supervisor_ago_ = 0;  // cycles since the supervisor issued
};

}  // namespace tessera::test
