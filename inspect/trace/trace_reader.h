// Events of one chip of a trace file, in the order of time. A file holds the runs between two resets of the chip, each
// with the program that was loaded; cycles begin anew with each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inspect/trace/block.h"
#include "inspect/trace/trace_file.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/tile_id.h"

namespace tessera::inspect::trace {

// What a reader wants to see.
struct Selection {
  std::set<uint32_t> tiles;       // empty: all of the file; events of the chip are always shown
  uint32_t lanes = ~0u;           // bit mask of Lane
  uint64_t from = 0, to = ~0ull;  // cycles from <= c < to
  bool wants(uint32_t tile, unsigned lane) const {
    return (lanes >> lane & 1) != 0 && (tile == chip::kNoTile || tiles.empty() || tiles.contains(tile));
  }
};

struct RunOfFile {
  names::ProgramInfo program;      // empty when the file says nothing
  std::vector<IndexEntry> blocks;  // in order of time
};

class TraceReader {
 public:
  // Of that chip, or of the file's first. Throws TraceError.
  explicit TraceReader(const std::string& path, std::optional<uint32_t> chip = std::nullopt);

  const Header& header() const { return file_.header(); }
  const ChipHeader& chip() const { return header().chips[chip_]; }
  spec::ChipPlace place() const { return {chip().chip, header().chips_of_system}; }
  const spec::Machine& machine() const { return machine_; }
  const std::string& path() const { return file_.path(); }
  const std::string& cut_off() const { return file_.cut_off(); }
  const std::optional<EndInfo>& end() const { return file_.end(); }
  uint64_t bytes() const { return file_.bytes(); }
  const std::vector<RunOfFile>& runs() const { return runs_; }

  // Events of a run in order of (cycle, tile, lane): pull form.
  class Events {
   public:
    Events(TraceReader&, size_t run, Selection);
    ~Events();
    const Event* next();  // null at the end; valid until the next call. Throws TraceError for a damaged block

   private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };
  // The cycle in which a superstep of a run begins: that after the acknowledgement before it. Throws TraceError when
  // the trace does not hold it.
  uint64_t begin_of_superstep(size_t run, uint64_t superstep);
  // Push form.
  void read(size_t run, const Selection&, const std::function<void(const Event&)>&);

 private:
  friend class Events;
  TraceFileReader file_;
  size_t chip_;  // place in the header's list
  spec::Machine machine_;
  std::vector<RunOfFile> runs_;
};

}  // namespace tessera::inspect::trace
