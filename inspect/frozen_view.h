// Architectural state of the tiles of a run "at record time c": exactly the instructions with a record of a cycle below
// c have taken effect, in every context of every tile. Looking leaves no trace: all contexts are held in cycle c - 1 in
// a scratch copy of the chip, what is under way completes, and the debug port is read there.
//
// What other ports do goes on for a few cycles: memory shows the words that arrived up to cycle c + 5 (what an
// instruction issued at c may find), and the CSRs xgc, xmark and xcount may be that much ahead.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inspect/run.h"

namespace tessera::inspect {

class FrozenView {
 public:
  // c: oldest..frontier. The run is moved; until the view is gone nobody else may move it.
  FrozenView(Run& run, uint64_t c);
  ~FrozenView();
  FrozenView(const FrozenView&) = delete;
  FrozenView& operator=(const FrozenView&) = delete;

  uint64_t cycle() const { return cycle_; }
  // Of the next instruction that the context issues. Context: 0 supervisor, 1..6 workers.
  uint32_t pc(unsigned tile, unsigned context);
  uint32_t x(unsigned tile, unsigned context, unsigned number);
  uint64_t f(unsigned tile, unsigned context, unsigned number);  // 0 in the supervisor
  uint32_t csr(unsigned tile, unsigned context, unsigned number);
  uint32_t vector(unsigned tile, unsigned context, unsigned number);  // DebugSpace::kVector
  uint8_t active(unsigned tile);                                      // workers, as a mask
  chip::ExceptionStatus exception(unsigned tile);
  chip::TileWait wait(unsigned tile);  // what the tile does, without pcs
  // Bytes outside memory read 0.
  void read(unsigned tile, uint32_t address, std::span<uint8_t> bytes);
  uint32_t word(unsigned tile, uint32_t address);

 private:
  // Registers of a context, read while an instruction of several passes is between them.
  struct Private {
    std::vector<uint32_t> x;
    std::vector<uint64_t> f;
    std::map<unsigned, uint32_t> csrs;
    uint32_t pc = 0;
  };
  struct Late : chip::Observer {  // what retired although it should not have
    uint64_t from = 0;
    std::map<std::pair<unsigned, unsigned>, chip::Retire> records;  // by tile, context
    void retire(unsigned tile, const chip::Retire& record) override {
      if (record.cycle >= from) records.emplace(std::pair(tile, unsigned{record.context}), record);
    }
  };
  enum class Mode { kNone, kState, kMemory };

  void open(Mode);
  void close();
  void pass(uint64_t cycles);  // at least
  uint32_t debug(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address);
  uint32_t ask(unsigned tile, chip::DebugSpace, unsigned context, uint32_t address);  // of the chip as it stands
  const Private* between_passes(unsigned tile, unsigned context);
  Private private_state(unsigned tile, unsigned context);

  Run& run_;
  const uint64_t cycle_;
  uint64_t stand_;  // where the scratch copies begin
  Mode mode_ = Mode::kNone;
  std::unique_ptr<Run::Scratch> scratch_;
  Late late_;
  std::vector<chip::TileWait> waits_;
  std::vector<chip::ExceptionStatus> exceptions_;
  std::map<std::pair<unsigned, unsigned>, std::unique_ptr<Private>> private_;  // null: not between passes
  std::map<std::pair<unsigned, uint32_t>, uint32_t> words_;                    // memory read so far, by tile, address
};

}  // namespace tessera::inspect
