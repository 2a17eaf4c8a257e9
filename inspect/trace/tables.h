// Tables of a trace: cycles by superstep, by vertex and by codelet.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "inspect/trace/names.h"
#include "inspect/trace/phase_story.h"
#include "inspect/trace/trace_reader.h"

namespace tessera::inspect::trace {

struct SuperstepRow {
  SuperstepTimes times;
  std::string steps;  // what the supervisors were in, in order of time
};
struct SuperstepTable {
  std::vector<SuperstepRow> rows;
  PhaseCycles total;
  uint64_t retired = 0;
  std::vector<Phase> phases;
};
SuperstepTable superstep_table(TraceReader&, size_t run);
std::string text(const SuperstepTable&);

struct Occupation {  // of a context by a vertex or codelet
  uint64_t times = 0, cycles = 0, shortest = ~0ull, longest = 0;
  void add(uint64_t c);
};
struct VertexRow {
  uint32_t tile = 0, state = 0;
  std::string codelet, compute_set;
  int64_t id = -1;       // -1: the program names no such vertex
  unsigned context = 0;  // that ran it first
  Occupation cycles;
};
struct VertexTable {
  std::vector<VertexRow> vertices;  // by (tile, state)
  std::map<std::string, Occupation> codelets;
  uint64_t unfinished = 0;  // entered and not left when the trace ended
};
VertexTable vertex_table(TraceReader&, size_t run, const Selection&);
std::string text(const VertexTable&);

// Where the account of a run begins and how far it goes.
PhaseStory story_of(const RunOfFile&);
uint64_t end_of(const TraceReader&, size_t run);

}  // namespace tessera::inspect::trace
