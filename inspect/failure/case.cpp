#include "inspect/failure/case.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {
namespace {

// A replay costs as much as the run did, and on the RTL that is felt.
constexpr uint64_t kMostReplayed = 200000;
constexpr uint32_t kListHead = 8, kListPair = 8, kMostPairs = 4096;

}  // namespace

uint64_t begin_of_replay(const Run& run, uint64_t cycle) {
  const uint64_t least = std::max(run.oldest(), cycle > kMostReplayed ? cycle - kMostReplayed : 0);
  const Run::Boundary own = run.boundary_before(cycle);
  if (own.cycle <= least) return least;
  const Run::Boundary before = run.boundary_before(own.cycle - 1);
  return std::max(before.cycle, least);
}

History replay(Case& c, const std::vector<unsigned>& tiles) {
  History history(c.words.program(), c.words.machine().tiles(), tiles);
  history.begin(c.run, begin_of_replay(c.run, c.end()));
  c.run.replay(c.end(), &history);
  return history;
}

const names::Vertex* vertex_by_list(const Words& words, unsigned tile, uint32_t list, uint32_t pointer,
                                    const std::function<uint32_t(uint32_t)>& word) {
  const spec::Machine& machine = words.machine();
  const auto read = [&](uint32_t at) {
    return at % 4 == 0 && at >= machine.memory_base && at < machine.memory_end() ? word(at) : 0;
  };
  const names::Vertex* only = nullptr;
  unsigned found = 0;
  for (uint32_t i = 0; i < kMostPairs; ++i) {
    const uint32_t pair = list + kListHead + i * kListPair;
    if (read(pair) == 0) break;
    const names::Vertex* vertex = words.program().vertex_at(tile, read(pair + 4));
    if (vertex == nullptr) continue;
    if (pointer == list + i * kListPair) return vertex;
    only = vertex;
    ++found;
  }
  return found == 1 ? only : nullptr;
}

std::string row(const std::string& name, const std::string& text) { return fmt::format("\n  {:<11} {}", name, text); }

}  // namespace tessera::inspect::failure
