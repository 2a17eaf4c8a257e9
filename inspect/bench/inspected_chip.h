// A chip of a bench of your own with waves, trace, debugger and the rest, by the options that Poplar programs and
// firmware have (docs/reference/inspection.md):
//   const std::string options = inspect::take_options(argc, argv);  // bench_options.h
//   inspect::InspectedChip chip(chip::make_backend, "rtl", machine, options);
//
// Files are whole when the chip is destroyed, or after finish(). They are closed too when the bench ends by exit(), by
// an exception that nobody catches, or by Ctrl-C, SIGTERM or the end of its terminal: within a run at its next
// boundary, else when the next run would begin or the chip is destroyed; a second signal ends the bench at once. What
// could not be written is a line on standard error, and the program's exit status, if it were 0, is 5.
#pragma once

#include <memory>
#include <string>

#include "inspect/bench/claimed_files.h"
#include "sim/port/backend_request.h"
#include "sim/port/forwarding_chip.h"

namespace tessera::inspect {

class RecordedRun;

// Without options: the chip itself, with nothing around it. With options snapshot(), restore(), checkpoint(), put(),
// stop_at_superstep() and flip() throw std::logic_error, for the run's past is its recording's.
class InspectedChip : private ClaimedFiles, public chip::ForwardingChip {
 public:
  // Both throw BadOption (options.h) or another std::runtime_error, one line; nothing is written then.
  // Any chip, as it was made: also one with faults, or two in lockstep, of which the left one is seen.
  InspectedChip(std::unique_ptr<chip::Chip> chip, const std::string& options);
  // "rtl", "model" or "lockstep", made so that wave-depth=all and rtl-window=true can be had. `make_backend`:
  // chip::make_backend (sim/engine/backend.h).
  InspectedChip(const chip::MakeBackend& make_backend, const std::string& backend, const spec::Machine& machine,
                const std::string& options);
  ~InspectedChip() override;

  chip::Stop run(uint64_t limit, uint64_t budget) override;

  // The story of a stop that the bench did not expect (exception, deadlock, budget, refusal), and what on-failure has
  // left. "": no options, or nothing has gone wrong.
  std::string explain_failure();
  // Closes the files; nothing is looked into from then on. Throws std::runtime_error when one is not whole.
  void finish();

 private:
  void begin();
  void close();

  RecordedRun* const run_;  // the chip inside; null: no options
};

}  // namespace tessera::inspect
