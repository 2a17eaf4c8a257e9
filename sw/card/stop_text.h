// Says why a chip stopped, in the words that every program on it is told: tile, context, cause, place, cycle and
// superstep, read through the chip's reports and debug registers. What only the program's owner knows it is asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/card/client.h"

namespace tessera::card {

// What is known of the program on the chip. All texts may be "": not known.
class ProgramPlaces {
 public:
  virtual ~ProgramPlaces() = default;
  virtual std::string function(uint32_t pc) const = 0;
  // The step of the program that the supervisor of a tile is in.
  virtual std::string step(uint32_t /*tile*/, uint32_t /*supervisor_pc*/) const { return ""; }
  // Of what lies at an address of a tile.
  virtual std::string variable(uint32_t /*tile*/, uint32_t /*address*/, uint32_t /*supervisor_pc*/) const { return ""; }
  // What a worker runs: "a vertex of codelet ...".
  virtual std::string vertex(Client&, uint32_t /*tile*/, uint32_t /*context*/, uint32_t /*pc*/) const { return ""; }
  // What a tile does that waits or computes; the usual one: its state, and the step it is in.
  virtual std::string doing(const chip::TileWait&) const;
  // What helps against a passed budget, in brackets.
  virtual std::string budget_advice() const { return ""; }
};

// One line, or with `most` > 1 a line for each of the first tiles that excepted. `stop` is an exception, a deadlock, a
// passed budget or a halt. A tile that computes is halted: its run is over in any case.
std::string stop_text(Client& client, const ProgramPlaces& places, const chip::Stop& stop, uint64_t budget,
                      size_t most = 1);

// A report of inspection (Client::failure()) with what helps against the stop, which only the program's owner knows.
std::string advised(std::string report, const ProgramPlaces& places, const chip::Stop& stop);

// What each tile does, those that do the same thing together: "; tiles 0 and 2 wait at internal sync; tile 1
// computing".
std::string tiles_text(Client& client, const ProgramPlaces& places);

// "pc 0x4c010 in main"
std::string place_text(const ProgramPlaces& places, uint32_t pc);

}  // namespace tessera::card
