// One failure that is being explained.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "inspect/failure/history.h"
#include "inspect/failure/stopped_chip.h"
#include "inspect/failure/words.h"
#include "inspect/run.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::inspect::failure {

struct Case {
  Run& run;
  const Words& words;
  chip::Stop stop;
  std::vector<unsigned> involved{};  // tiles to be shown in waves and trace; the explanations add to it

  uint64_t end() const { return run.frontier(); }
};

// A cycle to begin a replay of what led to `cycle`: the superstep before the one it lies in, unless that is long ago.
uint64_t begin_of_replay(const Run& run, uint64_t cycle);
// What those tiles did from there to the end; the run is at the end again.
History replay(Case&, const std::vector<unsigned>& tiles);

// The vertex that a worker runs by its list of vertices (docs/reference/codelet-abi.md): where its pointer stands, or
// the only one of the list; null: it cannot be told. `word` reads the tile's memory.
const names::Vertex* vertex_by_list(const Words&, unsigned tile, uint32_t list, uint32_t pointer,
                                    const std::function<uint32_t(uint32_t)>& word);
constexpr unsigned kListRegister = 8;  // s0: that pointer

// The explanations: text of several lines, without a newline at the end. The run is left at its end.
std::string explain_exception(Case&);
std::string explain_deadlock(Case&);
std::string explain_budget(Case&);
std::string explain_halt(Case&);
std::string explain_refusal(Case&);
// Of two chips in lockstep; the run's end is the cycle of the first record that differs.
std::string explain_difference(Case&, const chip::Difference&);
// Of results that the host found wrong. Tiles: those to look at; none: the first ones.
std::string explain_check(Case&, const std::string& what, const std::vector<unsigned>& tiles);
// Lines about a fault that is no instruction's (of the exchange's ports, causes exchange and config; of the memory,
// parity), to follow the first line, and what that is to say of it.
struct PortsFault {
  std::string what, lines;
};
PortsFault explain_exchange(Case&, const History&, unsigned tile, const chip::ExceptionStatus&);
PortsFault explain_parity(Case&, unsigned tile, const chip::ExceptionStatus&);

// "  name      text", after a newline.
std::string row(const std::string& name, const std::string& text);

}  // namespace tessera::inspect::failure
