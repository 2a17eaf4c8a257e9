// Where a value comes from: back through registers, memory, exchange and host, as far as the recorded run goes. Of a
// value that is no number or infinite, the way of such values is followed; a loop's earlier turns are told in one line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inspect/failure/operands.h"
#include "inspect/failure/tile_story.h"
#include "inspect/failure/words.h"
#include "inspect/run.h"

namespace tessera::inspect::failure {

struct Origin {
  std::string text;  // a line
  std::vector<Origin> from{};
};
// A line for each, those of `from` further in; ends in no newline.
std::string tree(const Origin&, unsigned indent);

class Provenance {
 public:
  struct Limits {
    unsigned depth = 6, lines = 16;
    uint64_t cycles = 200'000;  // of the past that are looked at
  };
  // Looks back from record time `cycle` (oldest..frontier). Moves the run.
  Provenance(Run&, const Words&, uint64_t cycle, const Limits&);

  // `known`: a vertex that need not be named.
  Origin of_register(unsigned tile, unsigned context, Source, const names::Vertex* known = nullptr);
  Origin of_memory(unsigned tile, uint32_t address, uint32_t bytes);

 private:
  struct Thread {
    unsigned tile, context;
  };
  struct Step {  // of the way from the asked value to here
    Thread thread;
    uint32_t pc;
  };
  using Way = std::vector<Step>;

  const TileStory& story(unsigned tile);
  bool look_further(unsigned tile);  // back; false: that was all
  const Deed* writer(Thread, Source, uint64_t before);
  Origin of_register(Thread, Source, uint64_t before, Way, const names::Vertex* known);
  Origin of_memory(unsigned tile, uint32_t address, uint32_t bytes, uint64_t before, const Way&,
                   const names::Vertex* known);
  Origin stored(unsigned tile, uint32_t address, const std::string& place, const Deed&, const Way&);
  Origin sent(unsigned tile, const std::string& place, const Arrival&, const Way&);
  bool add_sent(unsigned sender, unsigned port, uint64_t left, const Way&, Origin&);
  Origin turns(Thread, const Deed&, Source, const Way&, const names::Vertex* known);
  std::vector<Origin> inputs(Thread, const Deed&, Source, const Way&);
  bool makes_bad(Thread, const Deed&, Source);
  std::vector<Source> followed(Thread, const Deed&, Source);
  std::string step(unsigned tile, uint64_t cycle);
  bool is_over(const Way& way) const { return way.size() >= limits_.depth || lines_ >= limits_.lines; }

  Run& run_;
  const Words& words_;
  const uint64_t end_;
  const Limits limits_;
  unsigned lines_ = 0;
  std::map<unsigned, std::unique_ptr<TileStory>> stories_;
};

}  // namespace tessera::inspect::failure
