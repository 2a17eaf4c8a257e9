// Failures that are planted on purpose, and what a report must say of each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "inspect/faults/fault_list.h"
#include "inspect/recorded_run.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"
#include "tests/compiler/graph_builder.h"

namespace tessera::test {

// A program with something wrong in it: in a codelet, in what is put on the chip after the load, or by a fault.
struct Planted {
  std::string name;
  GraphBuilder builder{4};
  std::vector<ProgramRef> programs{};
  uint64_t budget = 50'000'000;
  // What is changed on the chip before the program runs; `lists`: address of each tile's last exchange event list.
  using Poke = std::function<void(chip::Chip&, const image::Executable&, const std::map<unsigned, uint32_t>& lists)>;
  Poke poke{};
  std::function<std::vector<inspect::Fault>(const image::Executable&)> faults{};
  uint32_t host_bytes = 0;  // host memory ends there; 0: it is as large as the program needs
  bool watch = false;       // accesses of memory are checked
  bool lockstep = false;    // beside a model without the faults
  std::string check{};      // the program runs to its end, and this is what the host finds wrong with its results
  unsigned check_tile = 0;

  // What is to be told: texts that the report must hold, for each of these (empty: the failure has no such thing).
  std::string tile, context, vertex, line, cause;
  std::vector<std::string> more{};
  std::vector<std::string> never{};  // texts that it must not hold
};

std::vector<Planted> planted_failures();

struct Told {
  std::string report;
  std::vector<std::string> missing;  // texts that it should hold
  std::vector<std::string> wrong;    // texts that it should not hold but does
  unsigned failed_tile = 0;
  chip::ExceptionStatus exception;  // of that tile; cause 0: none excepted
};

using MakeChip = std::function<std::unique_ptr<chip::Chip>(const spec::Machine&)>;
// Runs it to its failure. `folder`: for waves and trace; empty: none. Throws std::runtime_error when it does not fail.
Told tell(const Planted&, const MakeChip&, const std::string& folder);

}  // namespace tessera::test
