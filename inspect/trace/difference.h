// The first difference of two traces, event by event and cycle by cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inspect/trace/trace_reader.h"

namespace tessera::inspect::trace {

constexpr size_t kInstructionsBefore = 8;  // shown before the first difference

struct Difference {
  Event event;           // what one has and the other has not, or has otherwise
  bool in_both = false;  // both have an event there; else only `in_first` or the second one
  bool in_first = true;
  std::string text;  // the whole report
};
struct Comparison {
  std::vector<std::string> notes;  // what is not compared
  uint64_t events = 0;             // that were equal
  std::optional<Difference> difference;
};

// What is compared: the tiles that both hold, in the cycles of both windows, run by run. Throws TraceError when that is
// nothing, or the traces are of different machines.
struct ComparedTraces {
  std::vector<std::string> notes;
  size_t runs = 0;
  std::vector<Selection> selections;  // of each run
};
ComparedTraces check_comparable(const TraceReader& first, const TraceReader& second);

// All runs up to the first difference; a run that only one has is one.
Comparison compare(TraceReader& first, TraceReader& second);
// One run.
Comparison compare(TraceReader& first, TraceReader& second, size_t run);

// Which fields of two events differ, "" when they are equal. Register values count when both traces hold them.
std::string differing_fields(const Event&, const Event&, bool registers);

}  // namespace tessera::inspect::trace
