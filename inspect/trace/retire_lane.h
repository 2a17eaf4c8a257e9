// Retire records of one context to bytes and back (docs/reference/trace.md, Lanes): how many came as expected, and what
// the next one had otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inspect/trace/format.h"
#include "inspect/trace/retire_prediction.h"
#include "inspect/trace/tile_text.h"

namespace tessera::inspect::trace {

class RetireEncoder {
 public:
  RetireEncoder(unsigned context, bool registers) : context_(context), registers_(registers) {}

  // `text` is that of the tile.
  void add(const chip::Retire& record, TileText& text) {
    if (retired++ == 0) begin();
    const Reads reads = known.reads(plan_of(record), record);
    known.apply(record);
    const uint64_t came = shape::of(record, reads, registers_);
    if (prediction_->expects(record, reads, came, record.cycle - cycle_))
      ++run_;
    else
      add_miss(record, reads, came, text);
    cycle_ = record.cycle;
    if ((came & shape::kStrobe) != 0)
      put_low(stores, record.mem_data >> 8 * std::countr_zero(record.mem_strobe), shape::store_bytes(came));
    if (registers_) add_registers(record, came);
  }

  // Ends the lane of this block; what was gathered may then be taken and cleared.
  void end();
  void clear();

  Bytes misses, stores, registers;
  uint64_t retired = 0;
  KnownRegisters known;  // of the context, block after block

 private:
  struct Planned {
    uint32_t instruction = 0;
    ReadPlan plan;
  };
  const ReadPlan& plan_of(const chip::Retire& r) {
    Planned& planned = plans_[RetirePrediction::index(r.pc)];
    if (planned.instruction != r.instruction) planned = {r.instruction, read_plan(r.instruction)};
    return planned.plan;
  }
  void begin();                                                                // of a block's first record
  void add_miss(const chip::Retire&, const Reads&, uint64_t came, TileText&);  // or what its entry is new for
  void add_registers(const chip::Retire&, uint64_t came);

  unsigned context_;
  bool registers_;
  std::unique_ptr<RetirePrediction> prediction_;  // null: nothing has come
  std::vector<Planned> plans_;
  uint64_t cycle_ = 0, run_ = 0;
};

class RetireDecoder {
 public:
  // The bytes and the text must outlive it.
  RetireDecoder(unsigned context, bool with_registers, ByteReader misses, ByteReader stores, ByteReader registers,
                const TileText& text);
  // False: there is no more.
  bool next(chip::Retire& record, Reads& reads);

 private:
  unsigned context_;
  bool with_registers_;
  ByteReader misses_, stores_, registers_;
  const TileText* text_;
  std::unique_ptr<RetirePrediction> prediction_;
  uint64_t cycle_ = 0, run_ = 0;
  uint8_t miss_ = 0;
  bool ended_ = false;
};

}  // namespace tessera::inspect::trace
