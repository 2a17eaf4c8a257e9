// Writes the trace of a run: a chip's observer that gathers events and writes them block by block.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inspect/options.h"
#include "inspect/run.h"
#include "inspect/trace/block.h"
#include "inspect/trace/trace_file.h"
#include "inspect/trace/vertex_tracker.h"
#include "inspect/trigger.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::trace {

struct RecorderOptions {
  std::string path;
  Window window;
  bool registers = false;
  spec::ChipPlace place{};  // of the chip that is traced
  // A block ends with the superstep, or the chunk of a long one, in which it has this many records and words.
  uint64_t block_events = 1u << 18;
};

class Recorder : public chip::Observer, public Part {
 public:
  // Throws TraceError when the file cannot be written, BadOption when the machine lacks a tile.
  Recorder(const RecorderOptions&, const spec::Machine&);
  ~Recorder() override;

  // What a part of a run is asked.
  chip::Observer* observer() override { return gate_.over() ? nullptr : this; }
  Needs needs() const override { return {false, kChunk, 0}; }
  bool leaves_file() const override { return true; }
  void program_changed(const names::ProgramInfo&) override;
  void at_boundary(Run&, const chip::Stop&) override;
  void finish() override;

  // The same for whoever has a chip and no Run: the chip stands at `cycle`, all events before it were told.
  void stands_at(uint64_t cycle);

  bool wants(unsigned tile) const override;
  bool tiles_apart() const override { return !gate_.watches(); }
#include "sim/port/all_events.inl"
  void flipped(uint64_t cycle, const chip::Flip&) override;

 private:
  static constexpr uint64_t kChunk = 1u << 18;  // cycles

  TileEvents* of(unsigned tile) {
    if (events_of_[tile] != nullptr) events_of_[tile]->empty = false;
    return events_of_[tile];
  }
  TileEvents& chip_events() {
    tiles_.back()->empty = false;
    return *tiles_.back();
  }
  static void forget_registers(TileEvents&);
  bool empty() const;         // nothing at all is in the block
  uint64_t gathered() const;  // records and words in it
  bool in_window() const;
  void new_run();
  void clear();
  void write_block(uint64_t end_cycle);

  RecorderOptions options_;
  const spec::Machine machine_;
  WindowGate gate_;
  std::optional<TraceFileWriter> file_;
  std::optional<names::ProgramInfo> program_;
  std::optional<VertexTracker> vertices_;
  std::vector<std::unique_ptr<TileEvents>> tiles_;  // ascending, the chip last
  BlockEncoder encoder_{machine_};
  std::vector<TileEvents*> events_of_;            // by tile; null: not traced
  uint64_t first_superstep_ = 0, superstep_ = 0;  // of the block; under way
  uint64_t first_cycle_ = 0, cycle_ = 0;          // of the block; how far is known
  uint64_t began_ = 0;                            // cycle in which the superstep under way began
  bool fresh_ = true;                             // no boundary has come since the reset
};

}  // namespace tessera::inspect::trace
