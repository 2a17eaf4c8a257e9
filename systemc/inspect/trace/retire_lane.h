// Retire records of one context to bytes and back: runs of what was expected, and what was not.
//
//   misses   varint run of records as expected, miss byte, then for each of its bits what came:
//            pc: signed difference / 4 ... ; a miss byte of 0 ends the lane after its run
//   stores   bytes stored, registers: values of registers; both of every record in order
#pragma once

#include <cstdint>
#include <memory>

#include "systemc/inspect/trace/bytes.h"
#include "systemc/inspect/trace/retire_prediction.h"
#include "systemc/inspect/trace/tile_text.h"

namespace tessera::inspect::trace {

class RetireEncoder {
 public:
  RetireEncoder(unsigned context, bool registers) : context_(context), registers_(registers) {}

  // `text` is that of the tile.
  void add(const chip::Retire& record, TileText& text) {
    if (!prediction_) begin();
    RetirePrediction& p = *prediction_;
    uint8_t miss = 0;
    const uint64_t cycles = record.cycle - cycle_;
    if (record.pc != p.next_pc()) miss |= Miss::kPc;
    if (cycles != p.cycles()) miss |= Miss::kCycle;
    const uint32_t expected_pc = p.next_pc();
    p.learn_step(record.pc, static_cast<uint32_t>(cycles));
    RetirePrediction::Entry& entry = p.at(record.pc);
    if (record.instruction != entry.instruction || record.instruction == 0) {
      if (entry.instruction == 0) entry.instruction = text.at(record.pc);
      if (record.instruction != entry.instruction || record.instruction == 0) {
        if (!text.learn(record.pc, record.instruction)) miss |= Miss::kInstruction;
        entry.instruction = record.instruction;
      }
    }
    const uint32_t came = shape::of(record, registers_);
    const uint32_t expected_shape = entry.shape;
    if (came != expected_shape) {
      miss |= Miss::kShape;
      entry.shape = came;
    }
    uint32_t address = 0, expected_address = 0;
    if ((came & shape::kStrobe) != 0) {
      const unsigned first = static_cast<unsigned>(std::countr_zero(record.mem_strobe));
      address = record.mem_address + first;
      expected_address = RetirePrediction::address(entry);
      if (address != expected_address) miss |= Miss::kAddress;
      RetirePrediction::learn_address(entry, address);
      put_low(stores, record.mem_data >> 8 * first, shape::store_bytes(came));
    }
    cycle_ = record.cycle;
    p.follow(entry);
    ++retired;
    if (registers_ && (came & (shape::kRegister | shape::kBase)) != 0) add_registers(record, came);
    if (miss == 0) {
      ++run_;
      return;
    }
    put_varint(misses, run_);
    run_ = 0;
    misses.push_back(miss);
    if (miss & Miss::kPc) put_signed(misses, static_cast<int32_t>(record.pc - expected_pc));
    if (miss & Miss::kCycle) put_varint(misses, cycles);
    if (miss & Miss::kInstruction) put_low(misses, record.instruction, 4);
    if (miss & Miss::kShape) put_varint(misses, came ^ expected_shape);
    if (miss & Miss::kAddress) put_signed(misses, static_cast<int32_t>(address - expected_address));
  }

  // Ends the lane of this block; what was gathered may then be taken and cleared.
  void end();
  void clear();

  Bytes misses, stores, registers;
  uint64_t retired = 0;

 private:
  void begin();
  void add_registers(const chip::Retire&, uint32_t came);

  unsigned context_;
  bool registers_;
  std::unique_ptr<RetirePrediction> prediction_;  // null: nothing came in this block
  uint64_t cycle_ = 0, run_ = 0;
};

class RetireDecoder {
 public:
  // The bytes and the text must outlive it.
  RetireDecoder(unsigned context, bool with_registers, ByteReader misses, ByteReader stores, ByteReader registers,
                const TileText& text);
  // False: there is no more.
  bool next(chip::Retire& record);

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
